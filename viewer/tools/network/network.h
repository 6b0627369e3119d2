/* The network view: its state, shared by its two files. */
#ifndef VIEWER_NETWORK_H
#define VIEWER_NETWORK_H

#include "plain/graph.h"
#include "state/state.h"

enum { network_fonts = 40 };

typedef struct network {
  graph *g;
  int set;            /* the joint set shown: an id, or GRAPH_ALL */
  char set_name[128]; /* the same, to find it again after a reload */
  const char **set_names;
  int *set_ids;
  int set_count;
  Vector2 origin; /* of the picture in the panel, pixels */
  float zoom;
  bool near;    /* when fitting: keep it readable, even if not all of it is visible */
  bool fit;     /* fit at the next drawing */
  bool fitted;  /* not moved since: fits again when the panel is resized */
  Vector2 size; /* of the panel when it was fitted */
  bool dragging;
  uint32_t selected; /* the bone at the last frame */
  bool *lit;         /* of each node: it drives the selected bone */
  bool any_lit;
  sinew_hold *holds;
  int hold_count;
  int hot_node, hot_port, hot_wire; /* under the mouse; -1: none */
  Font fonts[network_fonts];        /* by size in pixels, loaded when first needed */
  bool have[network_fonts];
} network;

/* The colour of a class of components. */
Color network_color(const sinew_component_class *cls);
/* The font of a size, loaded once. */
Font network_font(network *n, const state *st, int size);
/* The rectangle of a box in the window. */
Rectangle network_place(const network *n, const graph_node *node, Rectangle r);
void network_draw(state *st, network *n, Rectangle r);
/* The value that a port carries, or NULL. */
const float *network_value(const state *st, const graph *g, const graph_port *port);
/* The first hold of a component or DOF; with a port, only holds of that port. */
const sinew_hold *network_hold(const network *n, const graph_node *node, const char *port);

/* The component whose parameters the panel shows; null when none is chosen. */
sinew_component params_chosen(const state *st);
void params_choose(state *st, sinew_component component);

#endif
