/* The network as boxes and wires, as Figures 8 to 11 of [Shao 2003] draw it: which boxes there are,
 * and their positions. A joint set has a box for each component, in rows of ports or in one line;
 * chains of components can be one box. The whole rig has a box for each joint set. Needs no window;
 * lengths are pixels at zoom 1, y points down. */
#ifndef VIEWER_GRAPH_H
#define VIEWER_GRAPH_H

#include <sinew/rig.h>
#include <stdbool.h>

/* instead of a joint set: a box for each set of the rig; the components that the caller marks */
enum { GRAPH_ALL = -1, GRAPH_MARKED = -2 };

/* More boxes than these are not shown: nobody could read them, and ordering them takes long. */
enum { GRAPH_MOST = 400 };

typedef enum graph_role {
  GRAPH_DOF,
  GRAPH_COMPONENT,
  GRAPH_SEGMENT,
  GRAPH_FROM, /* a stub: an input from a DOF or a port outside of the picture */
  GRAPH_TO,   /* a stub: an output that is used outside */
  GRAPH_GROUP /* a joint set */
} graph_role;

typedef struct graph_port {
  char name[104];
  int node;
  uint32_t component, dof; /* whose value it has; both 0: the matrix of the node's segment */
  int index;               /* index among the component's inputs or outputs */
  bool output;
  bool used; /* a wire ends or starts at it */
  sinew_kind kind;
  float offset; /* from the top of the box to the middle of its row */
} graph_port;

typedef struct graph_node {
  graph_role role;
  uint32_t
      id; /* of the DOF, component, segment or joint set; for a stub of its component, else 0 */
  uint32_t dof;                                   /* for a stub of a DOF; of a group its first */
  char label[208];                                /* without the name of the joint set shown */
  int inputs, input_count, outputs, output_count; /* indices of its first ports */
  int folded; /* how many components are in the box besides its own; of a group: its DOFs */
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

/* Between groups: the second hangs on the first in the skeleton, or reads values from it. */
typedef struct graph_link {
  int from, to; /* nodes */
  bool reads;
  graph_port port; /* the first value that it reads */
  int count;       /* how many */
} graph_link;

typedef struct graph {
  int set;
  bool wide, brief; /* as passed to graph_create */
  graph_node *nodes;
  graph_port *ports;
  graph_wire *wires;
  graph_point *points;
  graph_link *links; /* only between groups */
  int *node_of;      /* for each component of the rig: the node that it is in, or -1 */
  int component_count;
  int node_count, port_count, wire_count, point_count, link_count;
  int layer_count, crossings;
  int left_out; /* DOFs, components, segments or joint sets that are not shown */
  float width, height;
} graph;

/* How to draw. */
typedef struct graph_text {
  float (*measure)(const char *text, void *user); /* the width of a text at zoom 1 */
  /* Writes the name of a DOF, component, segment or joint set; `whole`: with its joint set. NULL:
   * as in the script. */
  void (*name)(void *user, graph_role role, uint32_t id, bool whole, char *dest, size_t capacity);
  void *user;
  /* Boxes are low and wide, with inputs and outputs side by side; otherwise each port has its own
   * row. */
  bool wide;
  bool brief;         /* each box is one line: its name and its value */
  bool folded;        /* with `brief`: what only leads into one box is in that box */
  const bool *open;   /* with `folded`, for each component: its box is not folded; NULL: none */
  const bool *marked; /* for GRAPH_MARKED: for each component whether it is shown */
  uint32_t home;      /* for GRAPH_MARKED: the joint set whose names are short */
  int rows;           /* DOFs shown in a group */
  float widest;       /* of groups; 0: as wide as their text */
  bool grid;          /* groups are in rows, not by the skeleton */
  float aspect;       /* width by height that a grid should have; 0: 3 */
} graph_text;

/* Heights of a port's row, a box's head and a box of one line, and the padding around text. */
static const float graph_row = 16, graph_head = 20, graph_line = 22, graph_pad = 7;

/* The network of joint set `set`: an id, 0 for what is in no joint set, or as above. The same rig
 * gives the same picture. Returns NULL if memory runs out. The rig is not needed afterwards. */
graph *graph_create(const sinew_rig *rig, int set, const graph_text *text);
void graph_destroy(graph *g); /* NULL is allowed */

/* Steps of graph_create: folding, which returns false if memory runs out; positions of boxes and
 * wires; the groups. */
bool graph_fold(graph *g, const graph_text *text);
bool graph_layout(graph *g);
graph *graph_groups(const sinew_rig *rig, const graph_text *text);
/* The joint set that moves a segment, else the one that it was made in. */
sinew_joint_set graph_set_of(const sinew_rig *rig, sinew_segment segment);

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
/* The node of a DOF, component, segment or joint set; -1 if it is not shown. */
int graph_find(const graph *g, graph_role role, uint32_t id);
/* Also marks every node that a marked node gets its values from, directly or indirectly. */
void graph_mark_upstream(const graph *g, bool *marks);
/* The same the other way: all that gets values from a marked node. */
void graph_mark_downstream(const graph *g, bool *marks);

#endif
