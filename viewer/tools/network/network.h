/* The network view: the state that its files share. */
#ifndef VIEWER_NETWORK_H
#define VIEWER_NETWORK_H

#include "plain/graph.h"
#include "state/state.h"

typedef struct network {
  graph *g;
  int set;                             /* the joint set shown: an id, or GRAPH_ALL */
  char set_name[128];                  /* its name, to find it after a reload */
  bool chosen;                         /* the user has chosen a set, or all */
  const char **set_names, **set_words; /* in the script, and as words */
  int *set_ids;
  int set_count;
  bool following; /* only what leads to the selection, and what follows from it */
  bool *open;     /* for each component: its box is not folded */
  char search[64];
  int found;      /* how many names match it */
  Vector2 origin; /* position of the picture in the panel, in pixels */
  float zoom;
  float scale;  /* of text in the window: at 2, least sizes are twice as large */
  bool fit;     /* fit at the next draw */
  bool fitted;  /* not moved since it was fitted: fit again when the panel is resized */
  Vector2 size; /* size of the panel that the picture was made for */
  bool dragging;
  Vector2 clicked_at;
  graph_role clicked;  /* the box of the last click */
  uint32_t clicked_id; /* 0: none */
  long drawn;          /* the frame after the last in which it was open, from 1 */
  unsigned seen;       /* the selection in the last frame */
  bool *lit; /* for each node: it leads to the selection or follows from it, or is found */
  bool any_lit;
  sinew_hold *holds;
  int hold_count;
  int hot_node, hot_port, hot_wire; /* under the mouse; -1: none */
} network;

/* Text is never smaller than this; space around the picture; in pixels at scale 1. */
static const float network_text = 10, network_room = 12;

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
/* The first hold of what is in a box; with a port, only holds of that port. */
const sinew_hold *network_hold(const state *st, const network *n, const graph_node *node,
                               const char *port);
/* Whether what is selected is in a box. */
bool network_selected(const state *st, const network *n, const graph_node *node);
/* The tooltip of what is under the mouse. */
void network_tip(state *st, const network *n);

/* Makes the picture of its joint set, or of what is selected; the same with another set. */
void network_show(state *st, network *n);
void network_show_set(state *st, network *n, int set);
/* Lights the boxes that match the search; without one, those that lead to what is selected or
 * follow from it. */
void network_light(const state *st, network *n);
/* Selects the next thing that matches the search, and shows where it is. */
void network_search_next(state *st, network *n);
/* The joint set of what is selected; 0 if there is none. */
int network_set_of(const state *st);
/* The panel without its bar; the zoom at which a picture fits in there. */
Rectangle network_sheet(const state *st);
float network_fitting_zoom(const graph *g, Rectangle r);

#endif
