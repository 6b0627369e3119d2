/* The network view: which joint set is shown, pan and zoom, and what is under the mouse. */
#include "tools/network/network.h"
#include "plain/value_text.h"
#include "ui/fonts.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float least_zoom = 0.02f, most_zoom = 2.5f;

static float measure(const char *text, void *user) {
  (void)user;
  return font_width(text, 13);
}

static float fitting_zoom(const graph *g, Rectangle r) {
  float room = 14, width = fmaxf(g->width, 1), height = fmaxf(g->height, 1);
  float zoom = fminf((r.width - 2 * room) / width, (r.height - 2 * room) / height);
  return fmaxf(least_zoom, fminf(zoom, 1.15f));
}

/* the panel without its bar */
static Rectangle sheet_of(const state *st) {
  Rectangle r = st->tools[tool_find(st, "network")].place;
  float bar = ui_row(&st->ui) + 12;
  if (r.width <= 0) /* not laid out yet */
    r = (Rectangle){ 0, 0, (float)GetScreenWidth() * 0.7f, (float)GetScreenHeight() * 0.45f };
  return (Rectangle){ r.x, r.y + bar, r.width, fmaxf(r.height - bar, 16) };
}

/* with high, narrow boxes or low, wide ones, whichever allows a larger zoom */
static graph *make(const state *st, int set) {
  graph_text text = { .measure = measure };
  graph *high = graph_create(state_rig(st), set, &text);
  text.wide = true;
  graph *low = graph_create(state_rig(st), set, &text);
  Rectangle r = sheet_of(st);
  bool lower = low && (!high || fitting_zoom(low, r) > fitting_zoom(high, r));
  graph_destroy(lower ? high : low);
  return lower ? low : high;
}

static void show_set(state *st, network *n, int set) {
  graph *g = make(st, set);
  bool *lit = g ? calloc((size_t)g->node_count + 1, sizeof *lit) : NULL;
  if (!lit) {
    graph_destroy(g);
    state_say(st, "out of memory");
    return;
  }
  graph_destroy(n->g);
  free(n->lit);
  n->g = g;
  n->lit = lit;
  n->set = set;
  n->fit = n->near = true;
  n->selected = 0; /* highlight again */
  n->any_lit = false;
  n->hot_node = n->hot_port = n->hot_wire = -1;
  snprintf(n->set_name, sizeof n->set_name, "%s",
           set > 0 ? sinew_rig_joint_set_name(state_rig(st), (sinew_joint_set){ (uint32_t)set })
                   : "");
}

/* the joint set that moves a bone; 0 if there is none */
static int set_of(const sinew_rig *rig, sinew_segment segment) {
  if (!segment.id) return 0;
  sinew_segment_info info = sinew_rig_segment_info(rig, segment);
  if (info.driver.id) return (int)sinew_rig_component_info(rig, info.driver).joint_set.id;
  return (int)info.joint_set.id;
}

/* highlights the boxes that drive the selected bone */
static void follow(state *st, network *n) {
  const sinew_rig *rig = state_rig(st);
  if (!n->g || st->selected.segment.id == n->selected) return;
  int set = set_of(rig, st->selected.segment);
  if (set > 0 && n->set != GRAPH_ALL && set != n->set) show_set(st, n, set);
  n->selected = st->selected.segment.id;
  memset(n->lit, 0, (size_t)n->g->node_count * sizeof *n->lit);
  int node =
      st->selected.segment.id ? graph_find(n->g, GRAPH_SEGMENT, st->selected.segment.id) : -1;
  n->any_lit = node >= 0;
  if (node < 0) return;
  n->lit[node] = true;
  graph_mark_upstream(n->g, n->lit);
}

static void loaded(state *st, void *self) {
  network *n = self;
  const sinew_rig *rig = state_rig(st);
  int sets = sinew_rig_joint_set_count(rig), set = n->set == GRAPH_ALL ? GRAPH_ALL : 0;
  const char **names = malloc(((size_t)sets + 2) * sizeof *names);
  int *ids = malloc(((size_t)sets + 2) * sizeof *ids);
  if (!names || !ids) {
    free(names);
    free(ids);
    return;
  }
  free(n->set_names);
  free(n->set_ids);
  n->set_names = names;
  n->set_ids = ids;
  n->set_count = 0;
  bool outside = false;
  for (int i = 0; i < sinew_rig_component_count(rig); i++)
    outside |= !sinew_rig_component_info(rig, sinew_rig_component(rig, i)).joint_set.id;
  for (int i = 0; i < sets; i++) {
    sinew_joint_set id = sinew_rig_joint_set(rig, i);
    names[n->set_count] = sinew_rig_joint_set_name(rig, id);
    ids[n->set_count++] = (int)id.id;
    if (set == 0 && strcmp(names[n->set_count - 1], n->set_name) == 0) set = (int)id.id;
  }
  if (outside) {
    names[n->set_count] = "(in no joint set)";
    ids[n->set_count++] = 0;
  }
  names[n->set_count] = "all";
  ids[n->set_count++] = GRAPH_ALL;
  bool again = set != 0;
  Vector2 origin = n->origin;
  if (!again) set = set_of(rig, st->selected.segment);
  show_set(st, n, again || set > 0 ? set : ids[0]);
  /* after a reload the same set keeps its position and zoom */
  if (again && n->zoom > 0) {
    n->origin = origin;
    n->fit = n->fitted = false;
  }
}

/* the middle of what is highlighted, or of everything */
static float middle_height(const network *n) {
  float top = INFINITY, bottom = -INFINITY;
  for (int i = 0; i < n->g->node_count; i++) {
    if (n->any_lit && !n->lit[i]) continue;
    top = fminf(top, n->g->nodes[i].y);
    bottom = fmaxf(bottom, n->g->nodes[i].y + n->g->nodes[i].height);
  }
  return top <= bottom ? (top + bottom) / 2 : 0;
}

/* fits everything into the panel; with `near`, shows the left end if everything would be too small
 * to read */
static void fit(network *n, Rectangle r) {
  const float least = 0.36f, room = 14;
  n->zoom = fitting_zoom(n->g, r);
  bool near = n->near && n->zoom < least;
  if (near) n->zoom = least;
  float width = n->g->width * n->zoom, height = n->g->height * n->zoom;
  n->origin.x = width > r.width ? room : (r.width - width) / 2;
  n->origin.y = (r.height - height) / 2;
  if (near && height > r.height) {
    float wanted = n->g->block_count ? room : r.height / 2 - middle_height(n) * n->zoom;
    n->origin.y = fminf(room, fmaxf(wanted, r.height - height - room));
  }
  n->fit = false;
  n->fitted = true;
  n->size = (Vector2){ r.width, r.height };
}

/* fits everything at the next draw */
static void fit_all(network *n) {
  n->fit = true;
  n->near = false;
}

static void zoom_about(network *n, Vector2 at, float factor) {
  float zoom = fmaxf(least_zoom, fminf(n->zoom * factor, most_zoom));
  n->origin.x = at.x - (at.x - n->origin.x) * zoom / n->zoom;
  n->origin.y = at.y - (at.y - n->origin.y) * zoom / n->zoom;
  n->zoom = zoom;
  n->fitted = false;
}

static void find_hot(network *n, Vector2 at) {
  float x = (at.x - n->origin.x) / n->zoom, y = (at.y - n->origin.y) / n->zoom;
  n->hot_node = graph_node_at(n->g, x, y);
  n->hot_port = n->hot_wire = -1;
  if (n->hot_node >= 0) {
    n->hot_port = graph_port_at(n->g, n->hot_node, x, y);
    return;
  }
  float nearest = 5 / n->zoom;
  for (int i = 0; i < n->g->wire_count; i++) {
    float distance = graph_wire_distance(n->g, &n->g->wires[i], x, y);
    if (distance >= nearest) continue;
    nearest = distance;
    n->hot_wire = i;
  }
}

/* "set.component.port", or a DOF's name */
static void port_name(const state *st, const graph *g, const graph_port *p, char *dest,
                      size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  const graph_node *node = &g->nodes[p->node];
  if (node->role == GRAPH_COMPONENT)
    snprintf(dest, capacity, "%s.%s",
             sinew_rig_component_info(rig, (sinew_component){ node->id }).name, p->name);
  else if (node->role == GRAPH_DOF)
    snprintf(dest, capacity, "%s", sinew_rig_dof_info(rig, (sinew_dof){ node->id }).name);
  else
    snprintf(dest, capacity, "%s", node->label);
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

static void tip_port(state *st, const network *n, const graph_port *p) {
  char name[220], value[200];
  const sinew_port_desc *d = network_port(st, n->g, p);
  const sinew_hold *hold = network_hold(n, &n->g->nodes[p->node], p->name);
  port_name(st, n->g, p, name, sizeof name);
  value_long(p->kind, network_value(st, n->g, p), network_unit(st, n->g, p), value, sizeof value);
  ui_tip(&st->ui, "%s  %s\n%s%s%s%s", name, sinew_kind_name(p->kind), value,
         d && d->doc ? "\n" : "", d && d->doc ? d->doc : "", held_text(st, n, p, hold));
}

static void tip_component(state *st, const network *n, const graph_node *node) {
  sinew_component_info info =
      sinew_rig_component_info(state_rig(st), (sinew_component){ node->id });
  const sinew_hold *hold = network_hold(n, node, NULL);
  char formula[512];
  bool said = formula_text(state_rig(st), (sinew_component){ node->id }, formula, sizeof formula);
  ui_tip(&st->ui, "%s  %s\n%s%s%s%s%s%s", info.name, info.component_class->name, formula,
         said ? "\n" : "", info.component_class->doc ? info.component_class->doc : "",
         info.origin ? "\n" : "", info.origin ? info.origin : "", held_text(st, n, NULL, hold));
}

static void tip(state *st, const network *n) {
  const graph *g = n->g;
  if (n->hot_wire >= 0) {
    char from[220], to[220], value[200];
    const graph_port *p = &g->ports[g->wires[n->hot_wire].from];
    port_name(st, g, p, from, sizeof from);
    port_name(st, g, &g->ports[g->wires[n->hot_wire].to], to, sizeof to);
    value_long(p->kind, network_value(st, g, p), network_unit(st, g, p), value, sizeof value);
    ui_tip(&st->ui, "%s  to  %s\n%s", from, to, value);
  } else if (n->hot_node >= 0) {
    const graph_node *node = &g->nodes[n->hot_node];
    if (node->role == GRAPH_COMPONENT && n->hot_port < 0)
      tip_component(st, n, node);
    else if (node->role == GRAPH_SEGMENT)
      ui_tip(&st->ui, "%s: click to select it", node->label);
    else if (node->role == GRAPH_TO)
      ui_tip(&st->ui, "used by %s; click to go there", node->label);
    else
      tip_port(st, n, &g->ports[n->hot_port >= 0 ? n->hot_port : node->outputs]);
  }
}

static void go_to(state *st, network *n, sinew_component id) {
  show_set(st, n, (int)sinew_rig_component_info(state_rig(st), id).joint_set.id);
  n->selected = st->selected.segment.id; /* keeps this joint set when another bone is selected */
  state_select(st, (selection){ .component = id });
}

static void click(state *st, network *n, int index) {
  graph_node node = n->g->nodes[index];
  switch (node.role) {
  case GRAPH_COMPONENT:
    state_select(st, (selection){ .component = { node.id } });
    tool_set_open(st, "params", true);
    break;
  case GRAPH_SEGMENT: state_select(st, (selection){ .segment = { node.id } }); break;
  case GRAPH_FROM:
    if (node.dof)
      show_set(st, n, (int)sinew_rig_dof_info(state_rig(st), (sinew_dof){ node.dof }).joint_set.id);
    else
      go_to(st, n, (sinew_component){ node.id });
    break;
  case GRAPH_TO: go_to(st, n, (sinew_component){ node.id }); break;
  case GRAPH_DOF: break;
  }
}

static void input(state *st, network *n, Rectangle r) {
  ui *u = &st->ui;
  Vector2 mouse = GetMousePosition(), at = { mouse.x - r.x, mouse.y - r.y };
  int id = ui_id("network", 0);
  bool hot = ui_hot(u, r);
  n->hot_node = n->hot_port = n->hot_wire = -1;
  if (hot && !n->dragging) find_hot(n, at);
  if (hot && GetMouseWheelMoveV().y != 0) zoom_about(n, at, powf(1.15f, GetMouseWheelMoveV().y));
  if (ui_pressed(u, id, r)) {
    u->focus = 0;
    if (n->hot_node >= 0) {
      click(st, n, n->hot_node);
      return;
    }
    n->dragging = true;
    if (ui_double_clicked(u, id)) fit_all(n);
  }
  bool middle =
      hot && (IsMouseButtonDown(MOUSE_BUTTON_MIDDLE) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT));
  if (u->active != id) n->dragging = false;
  if (n->dragging || middle) {
    n->origin.x += GetMouseDelta().x;
    n->origin.y += GetMouseDelta().y;
    if (GetMouseDelta().x != 0 || GetMouseDelta().y != 0) n->fitted = false;
  }
  if (hot && !n->dragging) tip(st, n);
}

static void legend(state *st, const network *n, Rectangle r) {
  const sinew_component_class *shown[24];
  int count = 0;
  float x = r.x, gap = 14;
  for (int i = 0; i < n->g->node_count; i++) {
    const graph_node *node = &n->g->nodes[i];
    if (node->role != GRAPH_COMPONENT) continue;
    const sinew_component_class *cls =
        sinew_rig_component_info(state_rig(st), (sinew_component){ node->id }).component_class;
    int k = 0;
    while (k < count && shown[k] != cls) k++;
    if (k == count && count < 24) shown[count++] = cls;
  }
  for (int k = 0; k < count; k++) {
    float wide = ui_text_width(&st->ui, shown[k]->name);
    if (x + 16 + wide > r.x + r.width) break;
    icon_box((Rectangle){ x, r.y + r.height / 2 - 5, 10, 10 }, 2, network_color(shown[k]));
    ui_label(&st->ui, shown[k]->name, x + 15, r.y, theme_second);
    Rectangle place = { x, r.y, 15 + wide, r.height };
    if (ui_hot(&st->ui, place) && shown[k]->doc)
      ui_tip(&st->ui, "%s: %s", shown[k]->name, shown[k]->doc);
    x += 15 + wide + gap;
  }
}

static void panel(state *st, void *self, Rectangle r) {
  network *n = self;
  ui *u = &st->ui;
  float row = ui_row(u);
  follow(st, n);
  if (!n->g) return;
  free(n->holds);
  n->holds = state_holds(st, &n->hold_count);
  Rectangle bar = { r.x + 10, r.y + 6, r.width - 20, row };
  Rectangle sheet = sheet_of(st);
  int chosen = 0;
  for (int i = 0; i < n->set_count; i++)
    if (n->set_ids[i] == n->set) chosen = i;
  if (ui_choose(u, ui_id("network", 1), (Rectangle){ bar.x, bar.y, u->size * 11, row },
                n->set_names, n->set_count, &chosen)) {
    show_set(st, n, n->set_ids[chosen]);
    follow(st, n);
    n->selected = st->selected.segment.id;
  }
  if (ui_button(u, ui_id("network", 2),
                (Rectangle){ bar.x + u->size * 11.5f, bar.y, u->size * 3, row }, "Fit"))
    fit_all(n);
  legend(st, n, (Rectangle){ bar.x + u->size * 15.5f, bar.y, bar.width - u->size * 15.5f, row });
  DrawRectangleRec((Rectangle){ sheet.x, sheet.y - 1, sheet.width, 1 }, theme_field);
  bool resized = n->fitted && (n->size.x != sheet.width || n->size.y != sheet.height);
  if (n->fit || resized || n->zoom <= 0) fit(n, sheet);
  ui_clip_push(u, sheet);
  input(st, n, sheet);
  network_draw(st, n, sheet);
  ui_clip_pop(u);
}

/* a box by the name of its component, DOF or segment, or by its label */
static int find_box(const state *st, const network *n, const char *name) {
  const sinew_rig *rig = state_rig(st);
  sinew_component component = sinew_rig_find_component(rig, name, NULL);
  int node = component.id ? graph_find(n->g, GRAPH_COMPONENT, component.id) : -1;
  sinew_dof dof = node < 0 ? sinew_rig_find_dof(rig, name, NULL) : (sinew_dof){ 0 };
  if (dof.id) node = graph_find(n->g, GRAPH_DOF, dof.id);
  sinew_segment segment = node < 0 ? sinew_rig_find_segment(rig, name, NULL) : (sinew_segment){ 0 };
  if (segment.id) node = graph_find(n->g, GRAPH_SEGMENT, segment.id);
  for (int i = 0; i < n->g->node_count && node < 0; i++)
    if (strcmp(n->g->nodes[i].label, name) == 0) node = i;
  return node;
}

static void answer_box(const state *st, const network *n, const char *name) {
  int node = find_box(st, n, name);
  if (node < 0) {
    printf("error no box '%s' is shown\n", name);
    return;
  }
  Rectangle box = network_place(n, &n->g->nodes[node], sheet_of(st));
  printf("ok %.0f %.0f %.0f %.0f%s\n", (double)box.x, (double)box.y, (double)box.width,
         (double)box.height, n->lit[node] ? " lit" : "");
}

static void answer_network(state *st, network *n, const char *set) {
  int chosen = -1;
  for (int i = 0; i < n->set_count; i++)
    if (strcmp(n->set_names[i], set) == 0) chosen = i;
  if (*set && chosen < 0) {
    printf("error no joint set '%s'; `all` shows every one\n", set);
    return;
  }
  if (chosen >= 0) show_set(st, n, n->set_ids[chosen]);
  for (int i = 0; i < n->set_count; i++)
    if (n->set_ids[i] == n->set) chosen = i;
  printf("ok %s: %d boxes, %d wires, %d crossings, zoom %.3f\n",
         chosen < 0 ? "" : n->set_names[chosen], n->g->node_count, n->g->wire_count,
         n->g->crossings, (double)n->zoom);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  network *n = self;
  if (strncmp(verb, "network", 7) != 0) return false;
  if (!n->g) {
    printf("error no network is shown\n");
  } else if (strcmp(verb, "network") == 0) {
    answer_network(st, n, rest);
  } else if (strcmp(verb, "network_box") == 0) {
    answer_box(st, n, rest);
  } else if (strcmp(verb, "network_fit") == 0) {
    fit_all(n);
    tool_answer(true, NULL);
  } else if (strcmp(verb, "network_zoom") == 0) {
    float factor = strtof(rest, NULL);
    Rectangle r = sheet_of(st);
    if (factor > 0 && n->zoom > 0)
      zoom_about(n, (Vector2){ r.width / 2, r.height / 2 }, factor / n->zoom);
    printf("ok %.3f\n", (double)n->zoom);
  } else {
    return false;
  }
  return true;
}

static void destroy(void *self) {
  network *n = self;
  graph_destroy(n->g);
  free(n->lit);
  free(n->set_names);
  free(n->set_ids);
  free(n->holds);
}

static const char *const keys[] = { "Network: drag to move, wheel to zoom, double click to fit all",
                                    "Network: click a box for its parameters, a bone to select it",
                                    NULL };

const tool tool_network = { .name = "network",
                            .title = "Network",
                            .doc = "the components as boxes and wires",
                            .dock = DOCK_BOTTOM,
                            .room = 280,
                            .layouts = IN_RIG,
                            .key = KEY_N,
                            .keys = keys,
                            .size = sizeof(network),
                            .destroy = destroy,
                            .loaded = loaded,
                            .panel = panel,
                            .remote = remote,
                            .remote_help = "network [SET] | network_box NAME | network_fit | "
                                           "network_zoom ZOOM" };
