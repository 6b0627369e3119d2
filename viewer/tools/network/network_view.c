/* What the network shows: a joint set, all of them, or what is selected with all that leads to it
 * and follows from it; in as much detail as can be read; and what of it is lit. */
#include "plain/acting.h"
#include "plain/fuzzy.h"
#include "plain/side.h"
#include "plain/value_text.h"
#include "tools/network/network.h"
#include "ui/fonts.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* at this zoom and above it text reads well */
static const float easy_zoom = 0.86f;

static float measure(const char *text, void *user) {
  (void)user;
  return font_width(text, theme_body);
}

static void name(void *user, graph_role role, uint32_t id, bool whole, char *dest,
                 size_t capacity) {
  const state *st = user;
  char formula[160];
  switch (role) {
  case GRAPH_DOF: state_words(st, (selection){ .dof = { id } }, whole, dest, capacity); break;
  case GRAPH_SEGMENT:
    state_words(st, (selection){ .segment = { id } }, whole, dest, capacity);
    break;
  case GRAPH_GROUP:
    name_text(sinew_rig_joint_set_name(state_rig(st), (sinew_joint_set){ id }), dest, capacity);
    break;
  default:
    state_words(st, (selection){ .component = { id } }, whole, dest, capacity);
    if (!whole && formula_text(state_rig(st), (sinew_component){ id }, formula, sizeof formula)) {
      size_t used = strlen(dest);
      snprintf(dest + used, capacity - used, " %s", formula);
    }
  }
}

float network_fitting_zoom(const graph *g, Rectangle r) {
  float width = fmaxf(g->width, 1), height = fmaxf(g->height, 1);
  return fminf((r.width - 2 * network_room) / width, (r.height - 2 * network_room) / height);
}

Rectangle network_sheet(const state *st) {
  Rectangle r = st->tools[tool_find(st, "network")].place;
  float bar = ui_row(&st->ui) + ui_px(&st->ui, 12);
  if (r.width <= 0) /* not laid out yet */
    r = (Rectangle){ 0, 0, (float)GetScreenWidth() * 0.7f, (float)GetScreenHeight() * 0.45f };
  return (Rectangle){ r.x, r.y + bar, r.width, fmaxf(r.height - bar, 16) };
}

/* the components that lead to what is selected, and those that follow from it; false: none */
static bool mark_selected(const state *st, bool *marks) {
  const sinew_rig *rig = state_rig(st);
  selection s = st->selected;
  int count = sinew_rig_component_count(rig);
  bool any = false, *after = calloc((size_t)count + 1, sizeof *after);
  sinew_component from = s.component;
  if (!from.id && !s.dof.id && s.segment.id) from = sinew_rig_segment_info(rig, s.segment).driver;
  if (from.id) acting_upstream(rig, from, marks);
  for (int i = 0; after && i < count; i++) {
    sinew_component c = sinew_rig_order(rig, i);
    bool reads = c.id == from.id;
    for (int k = 0; k < sinew_rig_component_info(rig, c).input_count && !reads; k++) {
      sinew_source source = sinew_rig_input(rig, c, k);
      reads = (source.component.id && after[source.component.id - 1]) ||
              (s.dof.id && source.dof.id == s.dof.id);
    }
    after[c.id - 1] = reads;
    any |= marks[c.id - 1] |= reads;
  }
  free(after);
  return any;
}

/* The picture with the most in it that can be read in the panel: boxes with rows of ports, high or
 * wide; boxes of one line; and with chains folded, which is taken in any case. Groups show fewer
 * DOFs instead. */
static graph *make(state *st, const network *n, int set, const bool *marked) {
  Rectangle r = network_sheet(st);
  const float wide = r.width - 2 * network_room, high = fmaxf(r.height - 2 * network_room, 1);
  graph_text text = { .measure = measure,
                      .name = name,
                      .user = st,
                      .marked = marked,
                      .open = n->open,
                      .aspect = wide / high };
  if (st->selected.segment.id) text.home = graph_set_of(state_rig(st), st->selected.segment).id;
  graph *best = NULL;
  float best_zoom = 0;
  /* DOFs in a group, and how wide it may be; the last ones in a grid */
  static const struct {
    int rows;
    float widest;
  } groups[] = {
    { 6, 0 },   { 4, 0 },   { 3, 0 },   { 2, 0 },   { 3, 118 }, { 2, 118 }, { 1, 0 },
    { 1, 118 }, { 0, 118 }, { 1, 106 }, { 0, 106 }, { 1, 0 },   { 0, 0 },   { 0, 118 }
  };
  enum { group_steps = sizeof groups / sizeof *groups };
  int steps = set == GRAPH_ALL ? group_steps : 4;
  float enough = set == GRAPH_ALL ? 0.8f : easy_zoom;
  for (int step = 0; step < steps && best_zoom < enough; step++) {
    text.wide = step == 1;
    text.brief = step >= 2;
    text.folded = step == 3;
    text.rows = groups[step].rows;
    text.widest = groups[step].widest;
    text.grid = step >= group_steps - 3;
    graph *g = graph_create(state_rig(st), set, &text);
    if (!g) break;
    float zoom = network_fitting_zoom(g, r) / n->scale;
    bool better = !best || zoom > best_zoom;
    graph_destroy(better ? best : g);
    if (better) best = g;
    best_zoom = fmaxf(zoom, best_zoom);
  }
  return best;
}

int network_set_of(const state *st) {
  const sinew_rig *rig = state_rig(st);
  selection s = st->selected;
  if (s.component.id) return (int)sinew_rig_component_info(rig, s.component).joint_set.id;
  if (s.dof.id) return (int)sinew_rig_dof_info(rig, s.dof).joint_set.id;
  return s.segment.id ? (int)graph_set_of(rig, s.segment).id : 0;
}

bool network_selected(const state *st, const network *n, const graph_node *node) {
  selection s = st->selected;
  if (node->role == GRAPH_GROUP)
    return (s.segment.id || s.dof.id || s.component.id) && network_set_of(st) == (int)node->id;
  if (s.component.id)
    return node->role == GRAPH_COMPONENT &&
           graph_find(n->g, GRAPH_COMPONENT, s.component.id) == (int)(node - n->g->nodes);
  if (s.dof.id) return node->role == GRAPH_DOF && node->id == s.dof.id;
  return s.segment.id && node->role == GRAPH_SEGMENT && node->id == s.segment.id;
}

static bool matches(const state *st, const network *n, selection what) {
  char words[400];
  if (fuzzy_has(state_name(st, what), n->search)) return true;
  state_words(st, what, true, words, sizeof words);
  return fuzzy_has(words, n->search);
}

/* the n-th thing of the rig that can be searched: DOFs, components, then bones; false past the end
 */
static bool nth(const sinew_rig *rig, int index, selection *dest, int *set) {
  int dofs = sinew_rig_dof_count(rig), components = sinew_rig_component_count(rig);
  *dest = (selection){ .segment = { 0 } };
  if (index < dofs) {
    dest->dof = sinew_rig_dof(rig, index);
    *set = (int)sinew_rig_dof_info(rig, dest->dof).joint_set.id;
  } else if (index < dofs + components) {
    dest->component = sinew_rig_component(rig, index - dofs);
    *set = (int)sinew_rig_component_info(rig, dest->component).joint_set.id;
  } else {
    dest->segment = sinew_rig_segment(rig, index - dofs - components);
    if (!dest->segment.id) return false;
    *set = (int)graph_set_of(rig, dest->segment).id;
  }
  return true;
}

static int node_of(const graph *g, selection what, int set) {
  if (g->set == GRAPH_ALL) return graph_find(g, GRAPH_GROUP, (uint32_t)set);
  if (what.dof.id) return graph_find(g, GRAPH_DOF, what.dof.id);
  if (what.component.id) return graph_find(g, GRAPH_COMPONENT, what.component.id);
  return graph_find(g, GRAPH_SEGMENT, what.segment.id);
}

void network_light(const state *st, network *n) {
  selection what;
  int set;
  memset(n->lit, 0, (size_t)n->g->node_count * sizeof *n->lit);
  n->any_lit = false;
  n->found = 0;
  for (int i = 0; *n->search && nth(state_rig(st), i, &what, &set); i++) {
    if (!matches(st, n, what)) continue;
    n->found++;
    int node = node_of(n->g, what, set);
    if (node >= 0) n->lit[node] = true;
  }
  if (*n->search) {
    n->any_lit = true;
    return;
  }
  bool *down = calloc((size_t)n->g->node_count + 1, sizeof *down);
  for (int i = 0; down && i < n->g->node_count; i++)
    if (network_selected(st, n, &n->g->nodes[i])) n->lit[i] = down[i] = n->any_lit = true;
  if (n->g->set == GRAPH_ALL) n->any_lit = false; /* the outline is enough */
  if (down && n->any_lit) {
    graph_mark_upstream(n->g, n->lit);
    graph_mark_downstream(n->g, down);
    for (int i = 0; i < n->g->node_count; i++) n->lit[i] |= down[i];
  }
  free(down);
}

void network_show(state *st, network *n) {
  n->scale = st->ui.size / theme_body;
  const sinew_rig *rig = state_rig(st);
  bool *marked = calloc((size_t)sinew_rig_component_count(rig) + 1, sizeof *marked);
  bool part = n->following && marked && mark_selected(st, marked);
  graph *g = marked ? make(st, n, part ? GRAPH_MARKED : n->set, marked) : NULL;
  bool *lit = g ? calloc((size_t)g->node_count + 1, sizeof *lit) : NULL;
  free(marked);
  if (!lit) {
    graph_destroy(g);
    state_say(st, "out of memory");
    return;
  }
  graph_destroy(n->g);
  free(n->lit);
  n->g = g;
  n->lit = lit;
  n->fit = true;
  n->size = (Vector2){ network_sheet(st).width, network_sheet(st).height };
  n->seen = st->selections;
  n->hot_node = n->hot_port = n->hot_wire = -1;
  snprintf(n->set_name, sizeof n->set_name, "%s",
           n->set > 0 ? sinew_rig_joint_set_name(rig, (sinew_joint_set){ (uint32_t)n->set }) : "");
  network_light(st, n);
}

void network_show_set(state *st, network *n, int set) {
  n->set = set;
  n->following = false;
  network_show(st, n);
}

void network_search_next(state *st, network *n) {
  const sinew_rig *rig = state_rig(st);
  selection what, first = { .segment = { 0 } }, s = st->selected;
  int set, first_set = 0;
  bool past = false, any = false;
  for (int i = 0; nth(rig, i, &what, &set); i++) {
    if (!matches(st, n, what)) continue;
    if (!any) {
      first = what;
      first_set = set;
    }
    any = true;
    if (past) {
      first = what;
      first_set = set;
      break;
    }
    past = (what.dof.id && what.dof.id == s.dof.id) ||
           (what.component.id && what.component.id == s.component.id) ||
           (what.segment.id && what.segment.id == s.segment.id && !s.dof.id && !s.component.id);
  }
  if (!any) return;
  state_select(st, first);
  if (n->set == GRAPH_ALL) network_show_set(st, n, first_set);
}
