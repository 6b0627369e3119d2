/* The network of one joint set as boxes and wires, as Figures 8 to 11 of [Shao 2003] draw it: which
 * boxes there are, and their positions. Needs no window; lengths are pixels at zoom 1, y points
 * down. */
#ifndef VIEWER_GRAPH_H
#define VIEWER_GRAPH_H

#include <sinew/rig.h>
#include <stdbool.h>

enum { GRAPH_ALL = -1 }; /* instead of a joint set: the whole rig */

typedef enum graph_role {
  GRAPH_DOF,
  GRAPH_COMPONENT,
  GRAPH_SEGMENT,
  GRAPH_FROM, /* a stub: an input from a DOF or a port of another joint set */
  GRAPH_TO    /* a stub: an output that other joint sets use */
} graph_role;

typedef struct graph_port {
  char name[104];
  int node;
  int index; /* index among the component's inputs or outputs */
  bool output;
  bool used; /* a wire ends or starts at it */
  sinew_kind kind;
  float offset; /* from the top of the box to the middle of its row */
} graph_port;

typedef struct graph_node {
  graph_role role;
  uint32_t id;     /* of the DOF, component or segment; for a stub of its component, else 0 */
  uint32_t dof;    /* for a stub of a DOF */
  char label[208]; /* without the name of the joint set */
  int inputs, input_count, outputs, output_count; /* indices of its first ports */
  int layer;
  float x, y, width, height;
} graph_node;

typedef struct graph_point {
  float x, y;
} graph_point;

/* A wire from an output to an input. Where it passes a column it has a pair of points. */
typedef struct graph_wire {
  int from, to; /* indices of ports */
  int points, point_count;
} graph_wire;

/* A joint set's part in the picture of the whole rig. */
typedef struct graph_block {
  const char *name; /* borrowed from the rig */
  float x, y, width, height;
} graph_block;

typedef struct graph {
  int set;
  bool wide; /* as passed to graph_create */
  graph_node *nodes;
  graph_port *ports;
  graph_wire *wires;
  graph_point *points;
  graph_block *blocks; /* only for the whole rig */
  int block_count;
  int node_count, port_count, wire_count, point_count;
  int layer_count, crossings;
  float width, height;
} graph;

/* Measures a text at zoom 1. `wide`: boxes are low and wide, with inputs and outputs side by side;
 * otherwise each port has its own row. */
typedef struct graph_text {
  float (*measure)(const char *text, void *user);
  void *user;
  bool wide;
} graph_text;

/* Heights of a port's row, a box's head and a block's title, and the padding around text. */
static const float graph_row = 16, graph_head = 20, graph_title = 24, graph_pad = 7;

/* The network of joint set `set`: an id, 0 for what is in no joint set, or GRAPH_ALL. The same rig
 * gives the same picture. Returns NULL if memory runs out. The rig is not needed afterwards. */
graph *graph_create(const sinew_rig *rig, int set, const graph_text *text);
void graph_destroy(graph *g); /* NULL is allowed */

/* Steps of graph_create: positions of boxes and wires; the whole rig. */
bool graph_layout(graph *g);
graph *graph_whole(const sinew_rig *rig, const graph_text *text);

/* A point of a wire between two of its points, t from 0 to 1; the curve is level at both ends. */
graph_point graph_between(graph_point from, graph_point to, float t);
/* The distance from a position to the wire. */
float graph_wire_distance(const graph *g, const graph_wire *wire, float x, float y);
/* The node at a position, or -1; the port of that node at a position, or -1. */
int graph_node_at(const graph *g, float x, float y);
int graph_port_at(const graph *g, int node, float x, float y);
/* The descriptor of a port among a class's inputs or outputs; all ports of a list have the same.
 * NULL if there is none. */
const sinew_port_desc *graph_port_desc(const sinew_port_desc *ports, int index);
/* The node of a DOF, a component or a segment; -1 if it is not shown. */
int graph_find(const graph *g, graph_role role, uint32_t id);
/* Also marks every node that a marked node gets its values from, directly or indirectly. */
void graph_mark_upstream(const graph *g, bool *marks);

#endif
