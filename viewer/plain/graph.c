/* Reads the boxes, ports and wires of a joint set, or of marked components, from a compiled rig. */
#include "plain/graph.h"

#include "plain/value_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* for each DOF and component of the rig: its node, or -1 */
typedef struct reader {
  const sinew_rig *rig;
  graph *g;
  const graph_text *text;
  int *dofs, *components;
  bool *wanted; /* for each DOF, with marked components: one of them reads it */
  int node_room, port_room, wire_room;
} reader;

/* whether there is room for no other box; counts what is left out */
static bool is_full(const reader *r, int most) {
  if (r->g->node_count < most) return false;
  r->g->left_out++;
  return true;
}

/* longer labels are cut */
static float widest_label(const reader *r) { return r->text->brief ? 110 : 190; }

static bool grow(void **array, int *room, int count, size_t size) {
  if (count < *room) return true;
  int more = *room ? *room * 2 : 64;
  void *grown = realloc(*array, (size_t)more * size);
  if (!grown) return false;
  *array = grown;
  *room = more;
  return true;
}

static graph_node *add_node(reader *r, graph_role role, uint32_t id) {
  graph *g = r->g;
  if (!grow((void **)&g->nodes, &r->node_room, g->node_count, sizeof *g->nodes)) return NULL;
  graph_node *n = &g->nodes[g->node_count++];
  *n = (graph_node){ .role = role, .id = id, .inputs = g->port_count, .outputs = g->port_count };
  return n;
}

/* a port of the node added last: first its inputs, then its outputs */
static graph_port *add_port(reader *r, bool output, int index, sinew_kind kind) {
  graph *g = r->g;
  if (!grow((void **)&g->ports, &r->port_room, g->port_count, sizeof *g->ports)) return NULL;
  graph_node *n = &g->nodes[g->node_count - 1];
  graph_port *p = &g->ports[g->port_count++];
  *p = (graph_port){ .node = g->node_count - 1, .index = index, .output = output, .kind = kind };
  if (n->role == GRAPH_COMPONENT) p->component = n->id;
  if (n->role == GRAPH_DOF) p->dof = n->id;
  if (output)
    n->output_count++;
  else {
    n->input_count++;
    n->outputs++;
  }
  return p;
}

static bool add_wire(reader *r, int from, int to) {
  graph *g = r->g;
  if (!grow((void **)&g->wires, &r->wire_room, g->wire_count, sizeof *g->wires)) return false;
  g->wires[g->wire_count++] = (graph_wire){ .from = from, .to = to };
  g->ports[from].used = g->ports[to].used = true;
  return true;
}

static const char *script_name(const sinew_rig *rig, graph_role role, uint32_t id) {
  if (role == GRAPH_DOF) return sinew_rig_dof_info(rig, (sinew_dof){ id }).name;
  if (role == GRAPH_SEGMENT) return sinew_rig_segment_info(rig, (sinew_segment){ id }).name;
  return sinew_rig_component_info(rig, (sinew_component){ id }).name;
}

/* the label of a DOF, component or segment, without the name of the joint set shown */
static void name_node(const reader *r, graph_node *n, graph_role role, uint32_t id) {
  sinew_joint_set own = { 0 };
  uint32_t home = r->g->set >= 0 ? (uint32_t)r->g->set : r->text->home;
  if (role == GRAPH_DOF) own = sinew_rig_dof_info(r->rig, (sinew_dof){ id }).joint_set;
  if (role == GRAPH_COMPONENT)
    own = sinew_rig_component_info(r->rig, (sinew_component){ id }).joint_set;
  bool whole = own.id != home;
  if (r->text->name) {
    r->text->name(r->text->user, role, id, whole, n->label, sizeof n->label);
    return;
  }
  const char *full = script_name(r->rig, role, id);
  size_t set = whole || !own.id ? 0 : strlen(sinew_rig_joint_set_name(r->rig, own)) + 1;
  snprintf(n->label, sizeof n->label, "%s", full + set);
}

static bool shows_component(const reader *r, sinew_component id) {
  if (r->g->set == GRAPH_MARKED) return r->text->marked[id.id - 1];
  return (int)sinew_rig_component_info(r->rig, id).joint_set.id == r->g->set;
}

static float text_width(const reader *r, const char *text) {
  return ceilf(r->text->measure(text, r->text->user));
}

/* a box with one line of text */
static void size_pill(const reader *r, graph_node *n, float beside) {
  n->width = fminf(text_width(r, n->label), widest_label(r)) + beside + 3 * graph_pad;
  n->height = graph_row + (n->role == GRAPH_FROM || n->role == GRAPH_TO ? 0 : 6);
  for (int i = 0; i < n->input_count + n->output_count; i++)
    r->g->ports[n->inputs + i].offset = n->height / 2;
}

/* if a component has only one output, its name is not shown */
static float port_width(const reader *r, const graph_node *n, const graph_port *p) {
  float name = p->output && n->output_count == 1 ? 0 : text_width(r, p->name) + graph_pad;
  return name + text_width(r, value_widest(p->kind));
}

static void size_box(const reader *r, graph_node *n) {
  float inputs = 0, outputs = 0;
  int rows = 0;
  for (int i = 0; i < n->input_count + n->output_count; i++) {
    graph_port *p = &r->g->ports[n->inputs + i];
    float *widest = p->output ? &outputs : &inputs;
    int row = p->output && r->text->wide ? i - n->input_count : i;
    *widest = fmaxf(*widest, port_width(r, n, p));
    p->offset = graph_head + 2 + graph_row * ((float)row + 0.5f);
    if (row + 1 > rows) rows = row + 1;
  }
  float across = r->text->wide ? inputs + outputs + 2 * graph_pad : fmaxf(inputs, outputs);
  n->width = fmaxf(fminf(text_width(r, n->label), widest_label(r)), across) + 2 * graph_pad;
  n->height = graph_head + graph_row * (float)rows + 4;
}

/* a box of one line */
static void size_line(const reader *r, graph_node *n) {
  n->width = fminf(text_width(r, n->label), widest_label(r)) +
             text_width(r, value_widest(SINEW_SCALAR)) + 4 * graph_pad;
  n->height = graph_line;
  for (int i = 0; i < n->input_count + n->output_count; i++)
    r->g->ports[n->inputs + i].offset = n->height / 2;
}

static bool read_dof(reader *r, int index) {
  sinew_dof id = sinew_rig_dof(r->rig, index);
  sinew_dof_info info = sinew_rig_dof_info(r->rig, id);
  bool own = (int)info.joint_set.id == r->g->set;
  if (r->g->set == GRAPH_MARKED ? !r->wanted[index] : !own) return true;
  if (is_full(r, GRAPH_MOST / 2)) return true;
  graph_node *n = add_node(r, GRAPH_DOF, id.id);
  graph_port *p = n ? add_port(r, true, 0, SINEW_SCALAR) : NULL;
  if (!p) return false;
  name_node(r, n, GRAPH_DOF, id.id);
  size_pill(r, n, text_width(r, value_widest(SINEW_SCALAR)) + 2 * graph_pad);
  r->dofs[index] = r->g->node_count - 1;
  return true;
}

/* the label of list item "matrix12" is 12 */
static const char *short_name(const sinew_component_class *cls, const char *name) {
  const sinew_port_desc *last = NULL;
  for (const sinew_port_desc *d = cls->inputs; d && d->name; d++) last = d;
  size_t length = last ? strlen(last->name) : 0;
  bool numbered = last && (last->flags & SINEW_PORT_LIST) &&
                  strncmp(name, last->name, length) == 0 && name[length] >= '1' &&
                  name[length] <= '9';
  return numbered && last->kind == SINEW_MATRIX ? name + length : name;
}

const sinew_port_desc *graph_port_desc(const sinew_port_desc *ports, int index) {
  for (; ports && ports->name; ports++, index--)
    if (index == 0 || (ports->flags & SINEW_PORT_LIST)) return ports;
  return NULL;
}

static sinew_kind input_kind(const sinew_rig *rig, sinew_component id, int input) {
  sinew_source source = sinew_rig_input(rig, id, input);
  if (source.component.id) return sinew_rig_output_kind(rig, source.component, source.output);
  if (source.dof.id) return SINEW_SCALAR;
  const sinew_port_desc *d =
      graph_port_desc(sinew_rig_component_info(rig, id).component_class->inputs, input);
  return d ? d->kind : SINEW_SCALAR;
}

static bool read_component(reader *r, sinew_component id) {
  sinew_component_info info = sinew_rig_component_info(r->rig, id);
  if (!shows_component(r, id) || is_full(r, GRAPH_MOST)) return true;
  graph_node *n = add_node(r, GRAPH_COMPONENT, id.id);
  if (!n) return false;
  name_node(r, n, GRAPH_COMPONENT, id.id);
  char formula[160];
  size_t used = strlen(n->label);
  if (formula_text(r->rig, id, formula, sizeof formula))
    snprintf(n->label + used, sizeof n->label - used, " %s", formula);
  for (int i = 0; i < info.input_count; i++) {
    sinew_source source = sinew_rig_input(r->rig, id, i);
    bool wired = source.dof.id || source.component.id;
    if (!wired && !sinew_rig_constant(r->rig, id, i)) continue;
    graph_port *p = add_port(r, false, i, input_kind(r->rig, id, i));
    if (!p) return false;
    char name[sizeof p->name];
    sinew_rig_input_name(r->rig, id, i, name, sizeof name);
    snprintf(p->name, sizeof p->name, "%s", short_name(info.component_class, name));
  }
  for (int i = 0; i < info.output_count; i++) {
    graph_port *p = add_port(r, true, i, sinew_rig_output_kind(r->rig, id, i));
    if (!p) return false;
    sinew_rig_output_name(r->rig, id, i, p->name, sizeof p->name);
  }
  if (r->text->brief)
    size_line(r, n);
  else
    size_box(r, n);
  r->components[id.id - 1] = r->g->node_count - 1;
  return true;
}

/* a stub for an input from another joint set; adding it may reallocate the nodes */
static int add_from(reader *r, sinew_source source) {
  char name[104];
  graph_node *n = add_node(r, GRAPH_FROM, source.component.id);
  if (!n) return -1;
  n->dof = source.dof.id;
  if (source.dof.id) {
    name_node(r, n, GRAPH_DOF, source.dof.id);
  } else {
    name_node(r, n, GRAPH_COMPONENT, source.component.id);
    size_t used = strlen(n->label);
    sinew_rig_output_name(r->rig, source.component, source.output, name, sizeof name);
    if (sinew_rig_component_info(r->rig, source.component).output_count > 1)
      snprintf(n->label + used, sizeof n->label - used, "%s%s", r->text->name ? ", " : ".", name);
  }
  sinew_kind kind =
      source.dof.id ? SINEW_SCALAR : sinew_rig_output_kind(r->rig, source.component, source.output);
  graph_port *p = add_port(r, true, source.output, kind);
  if (!p) return -1;
  p->component = source.component.id;
  p->dof = source.dof.id;
  size_pill(r, n, 0);
  return r->g->port_count - 1;
}

/* the port that a value comes from; makes a stub if it is not in the picture; -1: memory ran out */
static int source_port(reader *r, sinew_source source) {
  int node = source.dof.id ? r->dofs[source.dof.id - 1] : r->components[source.component.id - 1];
  if (node < 0) return add_from(r, source);
  return r->g->nodes[node].outputs + (source.dof.id ? 0 : source.output);
}

static bool read_wires(reader *r, int node) {
  sinew_component id = { r->g->nodes[node].id };
  for (int i = 0; i < r->g->nodes[node].input_count; i++) {
    int to = r->g->nodes[node].inputs + i;
    sinew_source source = sinew_rig_input(r->rig, id, r->g->ports[to].index);
    if (!source.dof.id && !source.component.id) continue;
    int from = source_port(r, source);
    if (from < 0 || !add_wire(r, from, to)) return false;
  }
  return true;
}

static bool read_segment(reader *r, int index) {
  sinew_segment id = sinew_rig_segment(r->rig, index);
  sinew_segment_info info = sinew_rig_segment_info(r->rig, id);
  if (!info.driver.id) return true;
  bool own = r->g->set > 0 && (int)info.joint_set.id == r->g->set;
  if (r->components[info.driver.id - 1] < 0 && !own) return true;
  if (is_full(r, 2 * GRAPH_MOST)) return true;
  graph_node *n = add_node(r, GRAPH_SEGMENT, id.id);
  graph_port *p = n ? add_port(r, false, 0, SINEW_MATRIX) : NULL;
  if (!p) return false;
  name_node(r, n, GRAPH_SEGMENT, id.id);
  size_pill(r, n, 0);
  int to = r->g->port_count - 1;
  int from =
      source_port(r, (sinew_source){ .component = info.driver, .output = info.driver_output });
  return from >= 0 && add_wire(r, from, to);
}

/* the components outside of the picture that read a port */
typedef struct outside {
  int count;
  sinew_component first, last;
} outside;

/* of each port in the picture; NULL when memory runs out */
static outside *find_outside(const reader *r) {
  outside *all = calloc((size_t)r->g->port_count + 1, sizeof *all);
  for (int i = 0; all && i < sinew_rig_component_count(r->rig); i++) {
    sinew_component id = sinew_rig_component(r->rig, i);
    if (r->components[i] >= 0) continue;
    int inputs = sinew_rig_component_info(r->rig, id).input_count;
    for (int k = 0; k < inputs; k++) {
      sinew_source s = sinew_rig_input(r->rig, id, k);
      int node = s.dof.id         ? r->dofs[s.dof.id - 1]
                 : s.component.id ? r->components[s.component.id - 1]
                                  : -1;
      if (node < 0) continue;
      outside *o = &all[r->g->nodes[node].outputs + (s.dof.id ? 0 : s.output)];
      if (o->last.id == id.id) continue; /* it reads the port again */
      if (!o->count++) o->first = id;
      o->last = id;
    }
  }
  return all;
}

static bool read_outside(reader *r, const outside *all, int node) {
  for (int i = 0; i < r->g->nodes[node].output_count; i++) {
    int from = r->g->nodes[node].outputs + i, count = all[from].count;
    sinew_component first = all[from].first;
    if (!count) continue;
    graph_node *n = add_node(r, GRAPH_TO, first.id);
    graph_port *p = n ? add_port(r, false, r->g->ports[from].index, r->g->ports[from].kind) : NULL;
    if (!p) return false;
    p->component = r->g->ports[from].component;
    p->dof = r->g->ports[from].dof;
    name_node(r, n, GRAPH_COMPONENT, first.id);
    size_t used = strlen(n->label);
    if (count > 1) snprintf(n->label + used, sizeof n->label - used, " + %d", count - 1);
    size_pill(r, n, 0);
    if (!add_wire(r, from, r->g->port_count - 1)) return false;
  }
  return true;
}

/* the DOFs that marked components read */
static void want_dofs(reader *r) {
  for (int i = 0; i < sinew_rig_component_count(r->rig); i++) {
    sinew_component id = sinew_rig_component(r->rig, i);
    if (!r->text->marked[i]) continue;
    for (int k = 0; k < sinew_rig_component_info(r->rig, id).input_count; k++) {
      sinew_dof dof = sinew_rig_input(r->rig, id, k).dof;
      if (dof.id) r->wanted[dof.id - 1] = true;
    }
  }
}

static bool read_all(reader *r) {
  for (int i = 0; i < sinew_rig_dof_count(r->rig); i++)
    if (!read_dof(r, i)) return false;
  for (int i = 0; i < sinew_rig_component_count(r->rig); i++)
    if (!read_component(r, sinew_rig_order(r->rig, i))) return false;
  int own = r->g->node_count;
  for (int i = 0; i < own; i++)
    if (r->g->nodes[i].role == GRAPH_COMPONENT && !read_wires(r, i)) return false;
  for (int i = 0; i < sinew_rig_segment_count(r->rig); i++)
    if (!read_segment(r, i)) return false;
  if (r->g->set < 0) return true;
  outside *all = find_outside(r);
  bool fine = all;
  for (int i = 0; i < own && fine; i++) fine = read_outside(r, all, i);
  free(all);
  return fine;
}

static graph *read_graph(const sinew_rig *rig, int set, const graph_text *text) {
  int dofs = sinew_rig_dof_count(rig), components = sinew_rig_component_count(rig);
  reader r = { .rig = rig, .text = text, .g = calloc(1, sizeof(graph)) };
  r.dofs = malloc(((size_t)dofs + 1) * sizeof *r.dofs);
  r.components = malloc(((size_t)components + 1) * sizeof *r.components);
  r.wanted = calloc((size_t)dofs + 1, sizeof *r.wanted);
  bool fine = r.g && r.dofs && r.components && r.wanted;
  if (fine) {
    for (int i = 0; i < dofs; i++) r.dofs[i] = -1;
    for (int i = 0; i < components; i++) r.components[i] = -1;
    r.g->set = set;
    r.g->wide = text->wide;
    r.g->brief = text->brief;
    if (set == GRAPH_MARKED) want_dofs(&r);
    fine = read_all(&r);
    r.g->node_of = r.components;
    r.g->component_count = components;
    r.components = NULL;
  }
  free(r.dofs);
  free(r.components);
  free(r.wanted);
  if (fine) return r.g;
  graph_destroy(r.g);
  return NULL;
}

graph *graph_create(const sinew_rig *rig, int set, const graph_text *text) {
  if (set == GRAPH_ALL) return graph_groups(rig, text);
  graph *g = read_graph(rig, set, text);
  if (g && (!text->brief || graph_fold(g, text)) && graph_layout(g)) return g;
  graph_destroy(g);
  return NULL;
}

void graph_destroy(graph *g) {
  if (!g) return;
  free(g->nodes);
  free(g->ports);
  free(g->wires);
  free(g->points);
  free(g->links);
  free(g->node_of);
  free(g);
}

int graph_find(const graph *g, graph_role role, uint32_t id) {
  if (role == GRAPH_COMPONENT && g->node_of)
    return id && id <= (uint32_t)g->component_count ? g->node_of[id - 1] : -1;
  for (int i = 0; i < g->node_count; i++)
    if (g->nodes[i].role == role && g->nodes[i].id == id) return i;
  return -1;
}

/* spreads marks along wires, against their direction or with it, until nothing changes */
static void spread(const graph *g, bool *marks, bool down) {
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < g->wire_count; i++) {
      int from = g->ports[g->wires[i].from].node, to = g->ports[g->wires[i].to].node;
      if (!marks[down ? from : to] || marks[down ? to : from]) continue;
      marks[down ? to : from] = more = true;
    }
  }
}

void graph_mark_upstream(const graph *g, bool *marks) { spread(g, marks, false); }
void graph_mark_downstream(const graph *g, bool *marks) { spread(g, marks, true); }

graph_point graph_between(graph_point from, graph_point to, float t) {
  float s = 1 - t, ease = t * t * (3 - 2 * t);
  float middle = (from.x + to.x) / 2;
  return (graph_point){ s * s * s * from.x + 3 * s * t * middle + t * t * t * to.x,
                        from.y + (to.y - from.y) * ease };
}

static float distance_to_line(graph_point a, graph_point b, float x, float y) {
  float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  float t = length > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / length : 0;
  t = fmaxf(0, fminf(1, t));
  return hypotf(x - a.x - t * dx, y - a.y - t * dy);
}

float graph_wire_distance(const graph *g, const graph_wire *wire, float x, float y) {
  enum { steps = 12 };
  const graph_point *p = g->points + wire->points;
  float best = INFINITY;
  for (int i = 0; i + 1 < wire->point_count; i++) {
    graph_point last = p[i];
    for (int k = 1; k <= steps; k++) {
      graph_point next = graph_between(p[i], p[i + 1], (float)k / steps);
      best = fminf(best, distance_to_line(last, next, x, y));
      last = next;
    }
  }
  return best;
}

int graph_node_at(const graph *g, float x, float y) {
  for (int i = 0; i < g->node_count; i++) {
    const graph_node *n = &g->nodes[i];
    if (x >= n->x && x <= n->x + n->width && y >= n->y && y <= n->y + n->height) return i;
  }
  return -1;
}

int graph_port_at(const graph *g, int node, float x, float y) {
  const graph_node *n = &g->nodes[node];
  if (g->brief && n->role == GRAPH_COMPONENT) return -1; /* the box is one line */
  bool right = x > n->x + n->width / 2;
  for (int i = 0; i < n->input_count + n->output_count; i++) {
    const graph_port *p = &g->ports[n->inputs + i];
    bool side = !g->wide || n->role != GRAPH_COMPONENT || p->output == right;
    if (side && fabsf(y - n->y - p->offset) <= graph_row / 2) return n->inputs + i;
  }
  return -1;
}
