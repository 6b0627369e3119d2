/* The whole rig: a box for each joint set, with the values of its first DOFs. The boxes stand as
 * the skeleton does: a set is right of the one that moves the bone which it hangs on. */
#include "plain/graph.h"
#include "plain/side.h"
#include "plain/value_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float least_width = 92, widest = 180;

sinew_joint_set graph_set_of(const sinew_rig *rig, sinew_segment segment) {
  sinew_segment_info info = sinew_rig_segment_info(rig, segment);
  if (info.driver.id) return sinew_rig_component_info(rig, info.driver).joint_set;
  return info.joint_set;
}

/* between columns: less where boxes are narrow */
static float beside(const graph_text *text) { return text->widest > 0 ? text->widest * 0.2f : 40; }
static float below(const graph_text *text) { return text->widest > 0 ? text->widest * 0.09f : 12; }

typedef struct maker {
  const sinew_rig *rig;
  const graph_text *text;
  graph *g;
  int *of_set;       /* for each joint set, and for none: its node, or -1 */
  int *first, *next; /* the DOFs of each joint set as lists of indices; -1 ends them */
  bool *used;        /* of each joint set: it has components or DOFs */
  int *parent;       /* for each node, or -1 */
} maker;

static int node_of(const maker *m, sinew_joint_set set) { return m->of_set[set.id]; }

static void name_set(const maker *m, sinew_joint_set set, char *dest, size_t capacity) {
  if (!set.id)
    snprintf(dest, capacity, "In no joint set");
  else if (m->text->name)
    m->text->name(m->text->user, GRAPH_GROUP, set.id, false, dest, capacity);
  else
    snprintf(dest, capacity, "%s", sinew_rig_joint_set_name(m->rig, set));
}

/* a row for each of the first DOFs */
static void add_rows(maker *m, graph_node *n, sinew_joint_set set) {
  for (int i = m->first[set.id]; i >= 0; i = m->next[i]) {
    sinew_dof dof = sinew_rig_dof(m->rig, i);
    sinew_dof_info info = sinew_rig_dof_info(m->rig, dof);
    if (!n->folded) n->dof = dof.id;
    if (n->folded++ >= m->text->rows) continue;
    graph_port *p = &m->g->ports[m->g->port_count++];
    *p = (graph_port){ .node = (int)(n - m->g->nodes), .dof = dof.id, .output = true };
    p->offset = graph_head + 2 + graph_row * ((float)n->output_count++ + 0.5f);
    char label[208];
    snprintf(label, sizeof label, "%s", name_own(info.name));
    if (m->text->name) m->text->name(m->text->user, GRAPH_DOF, dof.id, false, label, sizeof label);
    snprintf(p->name, sizeof p->name, "%.100s", label);
    float wide = m->text->measure(p->name, m->text->user) + 5 * graph_pad +
                 m->text->measure(value_widest(SINEW_SCALAR), m->text->user);
    n->width = fmaxf(n->width, wide);
  }
  n->height = graph_head + 4 + graph_row * (float)n->output_count;
}

static void find_parts(maker *m, int sets) {
  for (int i = 0; i <= sets; i++) m->first[i] = -1;
  for (int i = sinew_rig_dof_count(m->rig) - 1; i >= 0; i--) {
    uint32_t set = sinew_rig_dof_info(m->rig, sinew_rig_dof(m->rig, i)).joint_set.id;
    m->next[i] = m->first[set];
    m->first[set] = i;
    m->used[set] = true;
  }
  for (int i = 0; i < sinew_rig_component_count(m->rig); i++)
    m->used[sinew_rig_component_info(m->rig, sinew_rig_component(m->rig, i)).joint_set.id] = true;
}

static void add_groups(maker *m) {
  int sets = sinew_rig_joint_set_count(m->rig);
  float wide = least_width;
  for (int i = 0; i <= sets; i++) {
    sinew_joint_set set = sinew_rig_joint_set(m->rig, i); /* null past the end: what is in none */
    m->of_set[set.id] = -1;
    if (!m->used[set.id]) continue;
    if (m->g->node_count == GRAPH_MOST) {
      m->g->left_out++;
      continue;
    }
    m->of_set[set.id] = m->g->node_count;
    graph_node *n = &m->g->nodes[m->g->node_count++];
    *n = (graph_node){
      .role = GRAPH_GROUP, .id = set.id, .inputs = m->g->port_count, .outputs = m->g->port_count
    };
    name_set(m, set, n->label, sizeof n->label);
    n->width = m->text->measure(n->label, m->text->user) + 4 * graph_pad;
    add_rows(m, n, set);
    wide = fmaxf(wide, n->width);
  }
  wide = fminf(wide, m->text->widest > 0 ? m->text->widest : widest);
  for (int i = 0; i < m->g->node_count; i++) m->g->nodes[i].width = wide;
}

/* The group that moves the nearest ancestor of a group's first bone that another one moves. False
 * when memory runs out. */
static bool find_parents(maker *m) {
  int segments = sinew_rig_segment_count(m->rig);
  /* of each bone: the nearest one up from itself that a group moves, plus one; its answer */
  int *moved = calloc((size_t)segments + 1, sizeof *moved);
  int *other = calloc((size_t)segments + 1, sizeof *other);
  for (int i = 0; i < m->g->node_count; i++) m->parent[i] = -1;
  for (int i = 0; moved && other && i < segments; i++) {
    sinew_segment bone = sinew_rig_segment(m->rig, i);
    uint32_t above = sinew_rig_segment_info(m->rig, bone).parent.id;
    int own = node_of(m, graph_set_of(m->rig, bone)), near = above ? moved[above - 1] : 0;
    moved[i] = own >= 0 ? i + 1 : near;
    other[i] = -1;
    if (own < 0) continue;
    if (near) other[i] = node_of(m, graph_set_of(m->rig, sinew_rig_segment(m->rig, near - 1)));
    if (near && other[i] == own) other[i] = other[near - 1];
    if (m->parent[own] >= 0) continue;
    int found = other[i];
    /* not onto one of its own descendants */
    for (int up = found; up >= 0; up = m->parent[up])
      if (up == own) found = -1;
    m->parent[own] = found;
  }
  bool fine = moved && other;
  free(moved);
  free(other);
  return fine;
}

static void add_link(graph *g, int from, int to, const graph_port *port) {
  for (int i = 0; i < g->link_count && port; i++) {
    graph_link *l = &g->links[i];
    if (!l->reads || l->from != from || l->to != to) continue;
    l->count++;
    return;
  }
  graph_link *l = &g->links[g->link_count++];
  *l = (graph_link){ .from = from, .to = to, .reads = port != NULL, .count = 1 };
  if (port) l->port = *port;
}

static size_t input_count(const sinew_rig *rig) {
  size_t count = 0;
  for (int i = 0; i < sinew_rig_component_count(rig); i++)
    count += (size_t)sinew_rig_component_info(rig, sinew_rig_component(rig, i)).input_count;
  return count;
}

/* values that a group reads from another */
static void add_reads(maker *m) {
  for (int i = 0; i < sinew_rig_component_count(m->rig); i++) {
    sinew_component id = sinew_rig_component(m->rig, i);
    sinew_component_info info = sinew_rig_component_info(m->rig, id);
    for (int k = 0; k < info.input_count; k++) {
      sinew_source s = sinew_rig_input(m->rig, id, k);
      if (!s.dof.id && !s.component.id) continue;
      sinew_joint_set from = s.dof.id ? sinew_rig_dof_info(m->rig, s.dof).joint_set
                                      : sinew_rig_component_info(m->rig, s.component).joint_set;
      if (from.id == info.joint_set.id) continue;
      if (node_of(m, from) < 0 || node_of(m, info.joint_set) < 0) continue;
      graph_port port = { .node = node_of(m, from),
                          .component = s.component.id,
                          .dof = s.dof.id,
                          .index = s.output,
                          .output = true };
      if (s.component.id) port.kind = sinew_rig_output_kind(m->rig, s.component, s.output);
      add_link(m->g, port.node, node_of(m, info.joint_set), &port);
    }
  }
}

/* places a group and all that hangs on it, from `top` on; returns the height that they take */
static float place_tree(maker *m, int node, int depth, float top) {
  graph *g = m->g;
  graph_node *n = &g->nodes[node];
  float used = 0, first = 0, last = 0;
  n->layer = depth;
  if (depth + 1 > g->layer_count) g->layer_count = depth + 1;
  for (int i = 0; i < g->node_count; i++) {
    if (m->parent[i] != node) continue;
    used += place_tree(m, i, depth + 1, top + used);
    last = g->nodes[i].y + g->nodes[i].height / 2;
    if (first == 0) first = last;
  }
  n->x = (float)depth * (n->width + beside(m->text));
  n->y = used > 0 ? fmaxf((first + last - n->height) / 2, top) : top;
  return fmaxf(used, n->y - top + n->height + below(m->text));
}

/* in as many columns as leave the boxes largest */
static void place_grid(maker *m) {
  graph *g = m->g;
  float high = 0, best = 0, aspect = m->text->aspect > 0 ? m->text->aspect : 3;
  for (int i = 0; i < g->node_count; i++) high = fmaxf(high, g->nodes[i].height);
  high += below(m->text);
  float wide = g->node_count ? g->nodes[0].width + beside(m->text) : 1;
  int columns = 1;
  for (int c = 1; c <= g->node_count; c++) {
    int rows = (g->node_count + c - 1) / c;
    float width = (float)c * wide - beside(m->text), height = (float)rows * high - below(m->text);
    float zoom = fminf(aspect / width, 1 / height);
    if (zoom <= best) continue;
    best = zoom;
    columns = c;
  }
  for (int i = 0; i < g->node_count; i++) {
    g->nodes[i].layer = i % columns;
    g->nodes[i].x = (float)(i % columns) * wide;
    g->nodes[i].y = (float)(i / columns) * high;
  }
}

static void place(maker *m) {
  graph *g = m->g;
  float top = 0;
  if (m->text->grid) place_grid(m);
  for (int i = 0; i < g->node_count && !m->text->grid; i++)
    if (m->parent[i] < 0) top += place_tree(m, i, 0, top);
  for (int i = 0; i < g->node_count; i++) {
    g->width = fmaxf(g->width, g->nodes[i].x + g->nodes[i].width);
    g->height = fmaxf(g->height, g->nodes[i].y + g->nodes[i].height);
  }
}

graph *graph_groups(const sinew_rig *rig, const graph_text *text) {
  size_t sets = (size_t)sinew_rig_joint_set_count(rig) + 1;
  maker m = { .rig = rig, .text = text, .g = calloc(1, sizeof(graph)) };
  m.of_set = calloc(2 * sets, sizeof *m.of_set);
  m.parent = m.of_set ? m.of_set + sets : NULL;
  m.first = calloc(sets, sizeof *m.first);
  m.next = calloc((size_t)sinew_rig_dof_count(rig) + 1, sizeof *m.next);
  m.used = calloc(sets, sizeof *m.used);
  bool fine = m.g && m.of_set && m.first && m.next && m.used;
  if (fine) {
    m.g->set = GRAPH_ALL;
    m.g->nodes = calloc(sets, sizeof *m.g->nodes);
    m.g->ports = calloc((size_t)sinew_rig_dof_count(rig) + 1, sizeof *m.g->ports);
    m.g->links = calloc(sets + input_count(rig), sizeof *m.g->links);
    fine = m.g->nodes && m.g->ports && m.g->links;
  }
  if (fine) {
    find_parts(&m, (int)sets - 1);
    add_groups(&m);
    fine = find_parents(&m);
  }
  if (fine) {
    for (int i = 0; i < m.g->node_count && !text->grid; i++)
      if (m.parent[i] >= 0) add_link(m.g, m.parent[i], i, NULL);
    add_reads(&m);
    place(&m);
  }
  free(m.of_set);
  free(m.first);
  free(m.next);
  free(m.used);
  if (fine) return m.g;
  graph_destroy(m.g);
  return NULL;
}
