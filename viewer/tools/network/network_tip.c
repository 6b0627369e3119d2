/* What the network says of the box, port or wire under the mouse. */
#include "plain/value_text.h"
#include "tools/network/network.h"

#include <stdio.h>
#include <string.h>

/* "Right hip: reach, transform", or a DOF's name */
static void port_name(const state *st, const graph *g, const graph_port *p, char *dest,
                      size_t capacity) {
  selection what = { .dof = { p->dof }, .component = { p->component } };
  if (!p->component && !p->dof) {
    snprintf(dest, capacity, "%s", g->nodes[p->node].label);
    return;
  }
  state_words(st, what, true, dest, capacity);
  size_t used = strlen(dest);
  if (p->component && *p->name) snprintf(dest + used, capacity - used, ", %s", p->name);
}

/* "\nheld by 12.0\u00b0, by its cone", or "" */
static const char *held_text(const state *st, const network *n, const graph_port *p,
                             const sinew_hold *hold) {
  static char text[256];
  char amount[48];
  *text = '\0';
  if (!hold) return text;
  value_number(hold->amount, p ? network_unit(st, n->g, p) : NULL, amount, sizeof amount);
  snprintf(text, sizeof text, "\n%s%s%sheld by %s, by %s", p ? "" : "'", p ? "" : hold->port,
           p ? "" : "' ", amount, hold->doc);
  return text;
}

static const char *value_of(const state *st, const network *n, const graph_port *p) {
  static char value[200];
  value_long(p->kind, network_value(st, n->g, p), network_unit(st, n->g, p), value, sizeof value);
  return value;
}

static void tip_port(state *st, const network *n, const graph_port *p) {
  char name[500], text[900];
  const sinew_port_desc *d = network_port(st, n->g, p);
  const sinew_hold *hold = network_hold(st, n, &n->g->nodes[p->node], p->name);
  selection what = { .dof = { p->dof }, .component = { p->component } };
  if (!p->dof && !p->component) what.segment.id = n->g->nodes[p->node].id;
  port_name(st, n->g, p, name, sizeof name);
  snprintf(text, sizeof text, "%s: %s%s%s%s", name, value_of(st, n, p), d && d->doc ? "\n" : "",
           d && d->doc ? d->doc : "", held_text(st, n, p, hold));
  state_link_tip(st, text, what);
}

/* its inputs and outputs with their values */
static void add_values(const state *st, const network *n, const graph_node *node, char *dest,
                       size_t capacity) {
  size_t used = strlen(dest);
  int count = node->input_count + node->output_count;
  for (int i = 0; i < count && i < 10 && used < capacity; i++) {
    const graph_port *p = &n->g->ports[node->inputs + i];
    used += (size_t)snprintf(dest + used, capacity - used, "\n%s%s  %s",
                             p->output ? "gives " : "reads ", p->name, value_of(st, n, p));
  }
}

static void tip_component(state *st, const network *n, const graph_node *node) {
  selection what = { .component = { node->id } };
  sinew_component_info info = sinew_rig_component_info(state_rig(st), what.component);
  char text[900], formula[300], name[400];
  state_words(st, what, true, name, sizeof name);
  bool said = formula_text(state_rig(st), what.component, formula, sizeof formula);
  snprintf(text, sizeof text, "%s, a %s%s%s", name, info.component_class->name, said ? ": " : "",
           said ? formula : "");
  if (node->folded) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "\nwith %d steps before it; double click shows them",
             node->folded);
  }
  if (n->g->brief) add_values(st, n, node, text, sizeof text - 300);
  size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, "%s",
           held_text(st, n, NULL, network_hold(st, n, node, NULL)));
  state_link_tip(st, text, what);
}

static void tip_group(state *st, const network *n, const graph_node *node) {
  const sinew_rig *rig = state_rig(st);
  int parts = 0, bones = 0;
  for (int i = 0; i < sinew_rig_component_count(rig); i++)
    parts += sinew_rig_component_info(rig, sinew_rig_component(rig, i)).joint_set.id == node->id;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++)
    bones += graph_set_of(rig, sinew_rig_segment(rig, i)).id == node->id;
  char reads[600] = "";
  for (int i = 0; i < n->g->link_count && !*reads; i++) {
    const graph_link *l = &n->g->links[i];
    if (!l->reads || &n->g->nodes[l->to] != node) continue;
    char name[300];
    port_name(st, n->g, &l->port, name, sizeof name);
    snprintf(reads, sizeof reads, "\nreads %s  %s", name, value_of(st, n, &l->port));
  }
  char dofs[600] = "";
  size_t used = 0;
  for (int i = 0; i < sinew_rig_dof_count(rig) && used + 200 < sizeof dofs; i++) {
    selection what = { .dof = sinew_rig_dof(rig, i) };
    sinew_dof_info info = sinew_rig_dof_info(rig, what.dof);
    if (info.joint_set.id != node->id) continue;
    char name[120], value[48];
    state_words(st, what, false, name, sizeof name);
    value_number(sinew_pose_get(state_pose(st), what.dof),
                 value_unit(info.unit, info.min, info.max), value, sizeof value);
    used += (size_t)snprintf(dofs + used, sizeof dofs - used, "\n%s  %s", name, value);
  }
  ui_tip(&st->ui, "%s: %d DOFs, %d components, %d bones%s%s\ndouble click opens it", node->label,
         node->folded, parts, bones, dofs, reads);
}

void network_tip(state *st, const network *n) {
  const graph *g = n->g;
  if (n->hot_wire >= 0) {
    char from[500], to[500];
    const graph_port *p = &g->ports[g->wires[n->hot_wire].from];
    port_name(st, g, p, from, sizeof from);
    port_name(st, g, &g->ports[g->wires[n->hot_wire].to], to, sizeof to);
    ui_tip(&st->ui, "%s  to  %s\n%s", from, to, value_of(st, n, p));
  } else if (n->hot_node >= 0) {
    const graph_node *node = &g->nodes[n->hot_node];
    if (node->role == GRAPH_GROUP && n->hot_port < 0)
      tip_group(st, n, node);
    else if (node->role == GRAPH_COMPONENT && n->hot_port < 0)
      tip_component(st, n, node);
    else if (node->role == GRAPH_TO)
      ui_tip(&st->ui, "used by %s; click to go there", node->label);
    else
      tip_port(st, n, &g->ports[n->hot_port >= 0 ? n->hot_port : node->outputs]);
  }
}
