/* The network view: the state that its two files share. */
#ifndef VIEWER_NETWORK_H
#define VIEWER_NETWORK_H

#include "plain/graph.h"
#include "state/state.h"

typedef struct network {
  graph *g;
  int set;            /* the joint set shown: an id, or GRAPH_ALL */
  char set_name[128]; /* its name, to find it after a reload */
  const char **set_names;
  int *set_ids;
  int set_count;
  Vector2 origin; /* position of the picture in the panel, in pixels */
  float zoom;
  bool near;    /* when fitting: keep text readable, even if not everything is visible */
  bool fit;     /* fit at the next draw */
  bool fitted;  /* not moved since it was fitted: fit again when the panel is resized */
  Vector2 size; /* size of the panel when it was fitted */
  bool dragging;
  uint32_t selected; /* the selected bone in the last frame */
  bool *lit;         /* for each node: it drives the selected bone */
  bool any_lit;
  sinew_hold *holds;
  int hold_count;
  int hot_node, hot_port, hot_wire; /* under the mouse; -1: none */
} network;

/* The colour of a class of components. */
Color network_color(const sinew_component_class *cls);
/* The rectangle of a box in the window. */
Rectangle network_place(const network *n, const graph_node *node, Rectangle r);
void network_draw(state *st, network *n, Rectangle r);
/* The value that a port carries, or NULL. */
const float *network_value(const state *st, const graph *g, const graph_port *port);
/* The descriptor of a component's port, or NULL; the unit of a scalar port, or NULL. */
const sinew_port_desc *network_port(const state *st, const graph *g, const graph_port *port);
const char *network_unit(const state *st, const graph *g, const graph_port *port);
/* The first hold of a component or DOF; with a port, only holds of that port. */
const sinew_hold *network_hold(const network *n, const graph_node *node, const char *port);

#endif
