/* The network view: pan and zoom, clicks, its bar, its commands and remote verbs. */
#include "tools/network/network.h"
#include "plain/side.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* at the least zoom a line of text is as high as text may be small */
static const float least_zoom = 10.0f / theme_body, most_zoom = 2.5f;

/* moves the picture so that what is selected is in the panel */
static void bring_in(const state *st, network *n, Rectangle r) {
  for (int i = 0; i < n->g->node_count; i++) {
    const graph_node *node = &n->g->nodes[i];
    if (!network_selected(st, n, node)) continue;
    Rectangle box = network_place(n, node, r);
    n->origin.x += fmaxf(r.x + network_room - box.x, 0);
    n->origin.y += fmaxf(r.y + network_room - box.y, 0);
    n->origin.x -= fmaxf(box.x + box.width + network_room - r.x - r.width, 0);
    n->origin.y -= fmaxf(box.y + box.height + network_room - r.y - r.height, 0);
    return;
  }
}

/* shows what is selected elsewhere: in another joint set, or followed */
static void follow(state *st, network *n) {
  if (!n->g || st->selections == n->seen) return;
  int set = network_set_of(st);
  bool other = n->set != GRAPH_ALL && set > 0 && set != n->set;
  if (other) n->set = set;
  if (other || n->following) network_show(st, n);
  n->seen = st->selections;
  network_light(st, n);
  if (n->zoom > 0 && !n->fit) bring_in(st, n, network_sheet(st));
}

static void add_set(state *st, network *n, int id, const char *script) {
  char words[160];
  if (id > 0)
    name_text(script, words, sizeof words);
  else
    snprintf(words, sizeof words, id ? "All joint sets" : "In no joint set");
  n->set_words[n->set_count] = strdup(words);
  n->set_names[n->set_count] = script;
  n->set_ids[n->set_count] = id;
  if (n->set_words[n->set_count]) n->set_count++;
  (void)st;
}

static void loaded(state *st, void *self) {
  network *n = self;
  const sinew_rig *rig = state_rig(st);
  int sets = sinew_rig_joint_set_count(rig), set = n->set == GRAPH_ALL ? GRAPH_ALL : 0;
  size_t places = (size_t)sets + 2;
  free(n->set_names);
  free(n->set_ids);
  free(n->open);
  names_free(n->set_words, n->set_count);
  graph_destroy(n->g); /* its ids are those of the old rig */
  n->g = NULL;
  n->set_names = calloc(places, sizeof *n->set_names);
  n->set_words = calloc(places, sizeof *n->set_words);
  n->set_ids = calloc(places, sizeof *n->set_ids);
  n->open = calloc((size_t)sinew_rig_component_count(rig) + 1, sizeof *n->open);
  n->set_count = 0;
  if (!n->set_names || !n->set_words || !n->set_ids || !n->open) return;
  add_set(st, n, GRAPH_ALL, "all");
  bool outside = false, again = false;
  for (int i = 0; i < sinew_rig_component_count(rig); i++)
    outside |= !sinew_rig_component_info(rig, sinew_rig_component(rig, i)).joint_set.id;
  for (int i = 0; i < sets; i++) {
    sinew_joint_set id = sinew_rig_joint_set(rig, i);
    add_set(st, n, (int)id.id, sinew_rig_joint_set_name(rig, id));
    if (*n->set_name && strcmp(sinew_rig_joint_set_name(rig, id), n->set_name) == 0) {
      set = (int)id.id;
      again = true;
    }
  }
  if (outside) add_set(st, n, 0, "(in no joint set)");
  again |= n->chosen && n->set == GRAPH_ALL;
  Vector2 origin = n->origin;
  float zoom = n->zoom;
  if (!again && network_set_of(st) > 0) set = network_set_of(st);
  if (!again && set <= 0) set = n->set_count == 2 ? n->set_ids[1] : GRAPH_ALL;
  n->set = set;
  network_show(st, n);
  /* after a reload the same set keeps its position and zoom */
  if (again && zoom > 0 && !n->fitted) {
    n->origin = origin;
    n->zoom = zoom;
    n->fit = false;
  }
}

/* fits everything into the panel; if that would be too small to read, its left end */
static void fit(state *st, network *n, Rectangle r) {
  float zoom = network_fitting_zoom(n->g, r);
  n->zoom = fmaxf(least_zoom * n->scale, fminf(zoom, 1.15f * n->scale));
  float width = n->g->width * n->zoom, height = n->g->height * n->zoom;
  n->origin.x = width > r.width ? network_room : (r.width - width) / 2;
  n->origin.y = height > r.height ? network_room : (r.height - height) / 2;
  n->fit = false;
  n->fitted = true;
  if (zoom < least_zoom * n->scale) bring_in(st, n, r);
}

static void zoom_about(network *n, Vector2 at, float factor) {
  float zoom = fmaxf(least_zoom * n->scale, fminf(n->zoom * factor, most_zoom * n->scale));
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

/* the first bone that a joint set moves */
static sinew_segment first_bone(const sinew_rig *rig, uint32_t set) {
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment bone = sinew_rig_segment(rig, i);
    if (graph_set_of(rig, bone).id == set) return bone;
  }
  return (sinew_segment){ 0 };
}

/* what a click on a box selects; nothing for a stub of another joint set */
static selection what_of(const state *st, const graph_node *node) {
  selection what = { .segment = { 0 } };
  switch (node->role) {
  case GRAPH_DOF: what.dof.id = node->id; break;
  case GRAPH_SEGMENT: what.segment.id = node->id; break;
  case GRAPH_GROUP: what.segment = first_bone(state_rig(st), node->id); break;
  default: what.component.id = node->id; what.dof.id = node->dof;
  }
  return what;
}

/* goes into a group, or unfolds a box and back; false for others */
static bool open_box(state *st, network *n, graph_role role, uint32_t id) {
  if (role == GRAPH_GROUP) {
    n->chosen = true;
    network_show_set(st, n, (int)id);
    return true;
  }
  if (role != GRAPH_COMPONENT || !n->g->brief) return false;
  n->open[id - 1] = !n->open[id - 1];
  network_show(st, n);
  return true;
}

/* A click selects, a second one opens. The first may move the picture, so the second is for the
 * same box wherever the mouse is now. */
static void click(state *st, network *n, bool twice) {
  if (twice && open_box(st, n, n->clicked, n->clicked_id)) return;
  if (n->hot_node < 0) return;
  graph_node node = n->g->nodes[n->hot_node];
  selection what = what_of(st, &node);
  if (node.role == GRAPH_GROUP && n->hot_port >= 0)
    what = (selection){ .dof = { n->g->ports[n->hot_port].dof } };
  n->clicked = node.role;
  n->clicked_id = node.id;
  state_follow_link(st, what);
  if (node.role == GRAPH_COMPONENT && !ui_control()) tool_set_open(st, "params", true);
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
    bool twice = ui_double_clicked(u, id) && fabsf(mouse.x - n->clicked_at.x) < 6 &&
                 fabsf(mouse.y - n->clicked_at.y) < 6;
    n->clicked_at = mouse;
    if (n->hot_node >= 0 || (twice && n->clicked_id)) {
      click(st, n, twice);
      return;
    }
    n->clicked_id = 0;
    n->dragging = true;
    n->fit |= twice;
  }
  bool middle =
      hot && (IsMouseButtonDown(MOUSE_BUTTON_MIDDLE) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT));
  if (u->active != id) n->dragging = false;
  if (n->dragging || middle) {
    n->origin.x += GetMouseDelta().x;
    n->origin.y += GetMouseDelta().y;
    if (GetMouseDelta().x != 0 || GetMouseDelta().y != 0) n->fitted = false;
  }
  if (hot && !n->dragging) network_tip(st, n);
}

static void legend(state *st, const network *n, Rectangle r) {
  const sinew_component_class *shown[24];
  int count = 0;
  float x = r.x, side = ui_px(&st->ui, 10), left = ui_px(&st->ui, 15);
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
    if (x + left + wide > r.x + r.width) break;
    icon_box((Rectangle){ x, r.y + (r.height - side) / 2, side, side }, 2, network_color(shown[k]));
    ui_label(&st->ui, shown[k]->name, x + left, r.y, theme_second);
    Rectangle place = { x, r.y, left + wide, r.height };
    if (ui_hot(&st->ui, place) && shown[k]->doc)
      ui_tip(&st->ui, "%s: %s", shown[k]->name, shown[k]->doc);
    x += 2 * left + wide;
  }
}

/* the search field with the number of what it finds; Enter goes to the next */
static void search(state *st, network *n, Rectangle r) {
  ui *u = &st->ui;
  int id = ui_id("network", 4);
  bool had = u->focus == id;
  if (ui_input(u, id, r, "Search", n->search, sizeof n->search)) network_light(st, n);
  bool enter = IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER);
  if (had && enter && *n->search) {
    network_search_next(st, n);
    u->focus = id; /* again for the next */
  }
  if (had && IsKeyPressed(KEY_ESCAPE)) {
    n->search[0] = '\0';
    network_light(st, n);
  }
  if (!*n->search) return;
  const char *count = TextFormat("%d", n->found);
  ui_label(u, count, r.x + r.width - ui_text_width(u, count) - 8, r.y, theme_hint);
}

static void bar(state *st, network *n, Rectangle r) {
  ui *u = &st->ui;
  int chosen = 0;
  float gap = ui_px(u, theme_s2), x = r.x;
  for (int i = 0; i < n->set_count; i++)
    if (n->set_ids[i] == n->set) chosen = i;
  Rectangle menu = { x, r.y, ui_px(u, 150), r.height };
  if (ui_choose(u, ui_id("network", 1), menu, n->set_words, n->set_count, &chosen)) {
    n->chosen = true;
    network_show_set(st, n, n->set_ids[chosen]); /* it stays until something else is selected */
  }
  x += menu.width + gap;
  Rectangle all = { x, r.y, ui_px(u, 34), r.height };
  if (ui_button(u, ui_id("network", 5), all, "All")) {
    n->chosen = true;
    network_show_set(st, n, GRAPH_ALL);
  }
  if (ui_hot(u, all)) ui_tip(u, "all joint sets as boxes; double click opens one");
  x += all.width + gap;
  Rectangle whole = { x, r.y, ui_px(u, 34), r.height };
  n->fit |= ui_button(u, ui_id("network", 2), whole, "Fit");
  x += whole.width + gap;
  Rectangle only = { x, r.y, ui_px(u, 108), r.height };
  if (ui_toggle(u, ui_id("network", 3), only, "Selected only", &n->following)) network_show(st, n);
  if (ui_hot(u, only)) ui_tip(u, "only what leads to the selection, and what follows from it");
  x += only.width + gap;
  Rectangle field = { x, r.y, fminf(ui_px(u, 130), r.x + r.width - x), r.height };
  if (field.width < ui_px(u, 56)) return; /* there is no room for it, nor for what follows */
  search(st, n, field);
  x += field.width + 2 * gap;
  legend(st, n, (Rectangle){ x, r.y, r.x + r.width - x, r.height });
}

static void panel(state *st, void *self, Rectangle r) {
  network *n = self;
  ui *u = &st->ui;
  bool opened = st->frames + 1 > n->drawn;
  n->drawn = st->frames + 2;
  if (opened && !n->chosen && network_set_of(st) > 0) network_show_set(st, n, network_set_of(st));
  follow(st, n);
  if (!n->g) return;
  free(n->holds);
  n->holds = state_holds(st, &n->hold_count);
  Rectangle sheet = network_sheet(st);
  bar(st, n,
      (Rectangle){ r.x + ui_px(&st->ui, 10), r.y + ui_px(&st->ui, 6), r.width - ui_px(&st->ui, 20),
                   ui_row(u) });
  DrawRectangleRec((Rectangle){ sheet.x, sheet.y - 1, sheet.width, 1 }, theme_field);
  bool resized = n->size.x != sheet.width || n->size.y != sheet.height;
  if (resized && (n->fitted || n->fit)) network_show(st, n); /* more or less may fit */
  follow(st, n);
  if (n->fit || n->zoom <= 0) fit(st, n, sheet);
  ui_clip_push(u, sheet);
  input(st, n, sheet);
  network_draw(st, n, sheet);
  ui_clip_pop(u);
}

/* a box by the name of its component, DOF, segment or joint set, or by its label */
static int find_box(const state *st, const network *n, const char *name) {
  const sinew_rig *rig = state_rig(st);
  sinew_component component = sinew_rig_find_component(rig, name, NULL);
  int node = component.id ? graph_find(n->g, GRAPH_COMPONENT, component.id) : -1;
  sinew_dof dof = node < 0 ? sinew_rig_find_dof(rig, name, NULL) : (sinew_dof){ 0 };
  if (dof.id) node = graph_find(n->g, GRAPH_DOF, dof.id);
  sinew_segment segment = node < 0 ? sinew_rig_find_segment(rig, name, NULL) : (sinew_segment){ 0 };
  if (segment.id) node = graph_find(n->g, GRAPH_SEGMENT, segment.id);
  for (int i = 0; i < n->set_count && node < 0; i++)
    if (strcmp(n->set_names[i], name) == 0 && n->set_ids[i] >= 0)
      node = graph_find(n->g, GRAPH_GROUP, (uint32_t)n->set_ids[i]);
  for (int i = 0; i < n->g->node_count && node < 0; i++) {
    const graph_node *it = &n->g->nodes[i];
    bool stub = it->role == GRAPH_FROM || it->role == GRAPH_TO;
    if (strcmp(it->label, name) == 0 ||
        (stub && strcmp(state_name(st, what_of(st, it)), name) == 0))
      node = i;
  }
  return node;
}

static void answer_box(const state *st, const network *n, const char *name) {
  int node = find_box(st, n, name);
  if (node < 0) {
    printf("error no box '%s' is shown\n", name);
    return;
  }
  const graph_node *it = &n->g->nodes[node];
  Rectangle box = network_place(n, it, network_sheet(st));
  printf("ok %.0f %.0f %.0f %.0f%s%s%s\n", (double)box.x, (double)box.y, (double)box.width,
         (double)box.height, n->lit[node] ? " lit" : "",
         it->folded && it->role == GRAPH_COMPONENT ? " folded" : "",
         network_selected(st, n, it) ? " selected" : "");
}

static void answer_network(state *st, network *n, const char *set) {
  int chosen = -1;
  for (int i = 0; i < n->set_count; i++)
    if (strcmp(n->set_names[i], set) == 0) chosen = i;
  if (*set && chosen < 0) {
    printf("error no joint set '%s'; `all` shows every one\n", set);
    return;
  }
  if (chosen >= 0) {
    n->chosen = true;
    network_show_set(st, n, n->set_ids[chosen]);
  }
  for (int i = 0; i < n->set_count; i++)
    if (n->set_ids[i] == n->set) chosen = i;
  const graph *g = n->g;
  printf("ok %s: %d boxes, %d wires, %d crossings, zoom %.3f%s%s%s\n",
         g->set == GRAPH_MARKED ? "selected"
         : chosen < 0           ? ""
                                : n->set_names[chosen],
         g->node_count, g->wire_count, g->crossings, (double)n->zoom, g->brief ? ", brief" : "",
         g->left_out ? TextFormat(", %d left out", g->left_out) : "",
         *n->search ? TextFormat(", %d found", n->found) : "");
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  network *n = self;
  if (strncmp(verb, "network", 7) != 0) return false;
  follow(st, n);
  if (!n->g) {
    printf("error no network is shown\n");
  } else if (strcmp(verb, "network") == 0) {
    answer_network(st, n, rest);
  } else if (strcmp(verb, "network_box") == 0) {
    answer_box(st, n, rest);
  } else if (strcmp(verb, "network_fit") == 0) {
    n->fit = true;
    tool_answer(true, NULL);
  } else if (strcmp(verb, "network_zoom") == 0) {
    float factor = strtof(rest, NULL);
    Rectangle r = network_sheet(st);
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
  free(n->open);
  names_free(n->set_words, n->set_count);
  free(n->set_names);
  free(n->set_ids);
  free(n->holds);
}

/* --- commands */

static void show_all(state *st, void *self) {
  network *n = self;
  tool_set_open(st, "network", true);
  n->chosen = true;
  network_show_set(st, n, GRAPH_ALL);
}

static void show_selected(state *st, void *self) {
  network *n = self;
  bool open = tool_is_open(st, "network");
  n->following = !n->following || !open;
  tool_set_open(st, "network", true);
  n->chosen = true;
  network_show(st, n);
}

COMMAND_ASK(shows_selected, ((const network *)self)->following)
COMMAND_DO(source, state_open_source(st, st->selected))
COMMAND_ASK(has_source, *state_origin(st, st->selected) != '\0')

static const command commands[] = {
  { "network_all", "Network: all joint sets", MENU_RIG, .run = show_all },
  { "network_selected", "Network: only what is selected", MENU_RIG,
    .doc = "what leads to it, and what follows from it", .on = ON_BONE | ON_DOF | ON_BOX,
    .run = show_selected, .checked = shows_selected },
  { "open_source", "Open its line in the script", MENU_RIG, .key = KEY_O | WITH_SHIFT,
    .doc = "in $VISUAL or $EDITOR; without one the place is copied",
    .on = ON_BONE | ON_DOF | ON_BOX, .run = source, .enabled = has_source },
  { .name = NULL }
};

static const char *const keys[] = {
  "Network: drag to move, wheel to zoom, double click to fit all",
  "Network: click a box to select it, double click to open a group or a fold",
  "Ctrl+click a name: its line in the script, in your editor", NULL
};

const tool tool_network = { .name = "network",
                            .title = "Network",
                            .doc = "the components as boxes and wires, by joint set",
                            .dock = DOCK_BOTTOM,
                            .room = 280,
                            .layouts = IN_RIG,
                            .key = KEY_N,
                            .commands = commands,
                            .keys = keys,
                            .size = sizeof(network),
                            .destroy = destroy,
                            .loaded = loaded,
                            .panel = panel,
                            .remote = remote,
                            .remote_help = "network [SET] | network_box NAME | network_fit | "
                                           "network_zoom ZOOM" };
