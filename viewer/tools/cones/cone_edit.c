/* The tool that edits cones: the chosen cone, its draft, and dragging points on the sphere. Each
 * mouse movement applies the draft to the rig. A point that is dragged to where the engine refuses
 * it stops on the way there. */
#include "tools/cones/cone_edit.h"
#include "plain/side.h"
#include "plain/space.h"
#include "tools/edits/edits.h"
#include "tools/limits/limits_tool.h"

#include <raymath.h>
#include <stdio.h>
#include <stdlib.h>

/* reads the draft from the rig */
static void read_draft(state *st, cone_edit *c) {
  c->fresh = c->id.id && cone_draft_read(state_rig(st), c->id, &c->draft);
  c->revision = sinew_rig_revision(state_rig(st));
  if (c->chosen >= c->draft.count) c->chosen = CONE_NONE;
  if (c->hot >= c->draft.count) c->hot = CONE_NONE;
  if (c->hot_edge >= c->draft.count) c->hot_edge = CONE_NONE;
}

static void choose(state *st, cone_edit *c, sinew_component component) {
  c->id = component;
  snprintf(c->name, sizeof c->name, "%s",
           component.id ? sinew_rig_component_info(state_rig(st), component).name : "");
  c->chosen = c->hot = c->hot_edge = CONE_NONE;
  c->held = false;
  c->wrong[0] = '\0';
  read_draft(st, c);
}

/* the cone that moves a bone, or else one that its driver reads */
static sinew_component cone_of(const state *st, const cone_edit *c, sinew_segment segment) {
  limits *l = limits_of(st);
  sinew_component found = { 0 }, driver = sinew_rig_segment_info(state_rig(st), segment).driver;
  bool *marks = calloc((size_t)sinew_rig_component_count(state_rig(st)) + 1, sizeof *marks);
  if (marks) acting_upstream(state_rig(st), driver, marks);
  for (int i = c->count - 1; i >= 0 && marks; i--) {
    const limit *one = limits_find(l, c->cones[i]);
    bool own = one && one->segment.id == segment.id;
    if (own || (!found.id && marks[c->cones[i].id - 1])) found = c->cones[i];
    if (own) break;
  }
  free(marks);
  return found;
}

void cone_edit_follow(state *st, cone_edit *c) {
  if (c->seen != st->selections) {
    sinew_component of = st->selected.component;
    if (of.id && !sinew_rig_cone(state_rig(st), of)) of.id = 0;
    if (!of.id && st->selected.segment.id) of = cone_of(st, c, st->selected.segment);
    if (of.id != c->id.id) choose(st, c, of);
    c->seen = st->selections;
  }
  if (c->id.id && !c->held && (!c->fresh || c->revision != sinew_rig_revision(state_rig(st))))
    read_draft(st, c);
}

/* applies the draft to the rig; a refused draft stays as it is */
static bool apply_draft(state *st, cone_edit *c) {
  sinew_param params[cone_draft_params];
  sinew_error error = { 0 };
  cone_draft_write(&c->draft, params);
  bool fine = edits_apply(st, edits_of_component(c->id), params, cone_draft_params, &error) >= 0;
  snprintf(c->wrong, sizeof c->wrong, "%s", fine ? "" : error.text);
  c->fresh = fine;
  c->revision = sinew_rig_revision(state_rig(st));
  return fine;
}

bool cone_edit_settle(state *st, cone_edit *c) {
  bool fine = apply_draft(st, c);
  if (!fine) read_draft(st, c);
  return fine;
}

static bool no_memory(cone_edit *c) {
  snprintf(c->wrong, sizeof c->wrong, "out of memory");
  return false;
}

static void put(cone_edit *c, int index, const float direction[3]) {
  if (index != CONE_VISIBLE) {
    cone_draft_pull(&c->draft, index, direction);
    return;
  }
  memcpy(c->draft.visible, direction, sizeof c->draft.visible);
  c->draft.has_visible = true;
}

/* adds a point on an edge, or in a given direction */
static bool add_point(state *st, cone_edit *c, int edge, float share, const float *direction) {
  int made = cone_draft_insert(&c->draft, edge, share);
  if (made < 0) return no_memory(c);
  if (direction) put(c, made, direction);
  c->chosen = made;
  return cone_edit_settle(st, c);
}

bool cone_edit_add(state *st, cone_edit *c, int edge, float share) {
  return add_point(st, c, edge, share, NULL);
}

bool cone_edit_add_bone(state *st, cone_edit *c) {
  float direction[3];
  if (!cone_edit_bone(st, c, direction)) return false;
  return add_point(st, c, cone_draft_edge(&c->draft, direction), 0.5f, direction);
}

bool cone_edit_remove(state *st, cone_edit *c, int index) {
  cone_draft_remove(&c->draft, index);
  if (c->chosen >= index) c->chosen = CONE_NONE;
  c->hot = CONE_NONE;
  return cone_edit_settle(st, c);
}

bool cone_edit_move(state *st, cone_edit *c, int index, const float direction[3]) {
  put(c, index, direction);
  return cone_edit_settle(st, c);
}

bool cone_edit_bake(state *st, cone_edit *c) {
  if (!cone_draft_bake(&c->draft, sinew_rig_cone(state_rig(st), c->id))) return no_memory(c);
  return cone_edit_settle(st, c);
}

bool cone_edit_bone(const state *st, const cone_edit *c, float dest[3]) {
  float wanted[3];
  return acting_cone_directions(state_pose(st), c->id, wanted, dest);
}

bool cone_edit_place(const state *st, const cone_edit *c, float dest[16]) {
  limits *l = limits_of(st);
  const limit *one = c->id.id ? limits_find(l, c->id) : NULL;
  return one && limits_cone_place(st, l, one, dest);
}

void cone_edit_direction(const cone_edit *c, int index, float dest[3]) {
  if (index == CONE_VISIBLE)
    cone_draft_visible(&c->draft, dest);
  else
    cone_draft_handle(&c->draft, index, dest);
}

/* the position of a direction in the window, and whether it is behind the sphere */
static Vector2 seen_at(const state *st, const float *m, const float *direction, bool *behind) {
  float at[3], out[3];
  Vector3 eye = orbit_camera(&st->view).position;
  space_point(m, direction, at);
  space_direction(m, direction, out);
  float to[3] = { eye.x - at[0], eye.y - at[1], eye.z - at[2] };
  *behind = space_dot(out, to) < 0;
  return state_project(st, (Vector3){ at[0], at[1], at[2] });
}

/* finds the point nearest to the mouse, preferring those in front; else the nearest edge */
static void look_under(const state *st, cone_edit *c, const float *m, Vector2 mouse) {
  float least = 0.75f * st->ui.size, direction[3];
  bool behind;
  c->hot = c->hot_edge = CONE_NONE;
  /* an ellipse has its visible point at rest */
  for (int i = c->draft.ellipse ? 0 : -1; i < cone_draft_handles(&c->draft); i++) {
    int which = i < 0 ? CONE_VISIBLE : i;
    cone_edit_direction(c, which, direction);
    float d = Vector2Distance(mouse, seen_at(st, m, direction, &behind)) + (behind ? 3.0f : 0.0f);
    if (d >= least) continue;
    least = d;
    c->hot = which;
    c->behind = behind;
  }
  if (c->hot != CONE_NONE || c->draft.ellipse) return;
  least = 0.5f * st->ui.size;
  for (int i = 0; i < c->draft.count; i++) {
    enum { steps = 16 };
    float from[3], to[3];
    cone_edit_direction(c, i, from);
    cone_edit_direction(c, (i + 1) % c->draft.count, to);
    for (int k = 1; k < steps; k++) {
      space_slerp(from, to, (float)k / steps, direction);
      float d = Vector2Distance(mouse, seen_at(st, m, direction, &behind)) + (behind ? 3.0f : 0.0f);
      if (d >= least) continue;
      least = d;
      c->hot_edge = i;
      c->hot_share = (float)k / steps;
      c->behind = behind;
    }
  }
}

/* the direction on the sphere under a ray; if the ray misses, the nearest one on the outline */
static void on_sphere(const float *m, Ray ray, bool behind, float dest[3]) {
  float size = space_length(m),
        to[3] = { ray.position.x - m[12], ray.position.y - m[13], ray.position.z - m[14] };
  float d[3] = { ray.direction.x, ray.direction.y, ray.direction.z }, at[3], back[16];
  space_unit(d);
  float along = -space_dot(to, d), square = size * size - space_dot(to, to) + along * along;
  float half = sqrtf(fmaxf(square, 0)), way = behind ? along + half : along - half;
  for (int k = 0; k < 3; k++) at[k] = to[k] + way * d[k];
  space_unit(at);
  /* the frame without its scale */
  for (int i = 0; i < 12; i++) back[i] = m[i] / size;
  for (int k = 0; k < 3; k++) dest[k] = space_dot(back + 4 * k, at);
  space_unit(dest);
}

/* Moves the held point to the mouse, or as far towards it as the cone stays valid; then `wrong`
 * says why it went no further. */
static void pull(state *st, cone_edit *c, const float *m, Ray ray) {
  enum { halvings = 8 };
  char wrong[sizeof c->wrong];
  float from[3], to[3], at[3], valid = 0, refused = 1;
  on_sphere(m, ray, c->behind, to);
  cone_edit_direction(c, c->chosen, from);
  put(c, c->chosen, to);
  if (apply_draft(st, c)) return;
  memcpy(wrong, c->wrong, sizeof wrong);
  for (int i = 0; i < halvings; i++) {
    float middle = (valid + refused) / 2;
    space_slerp(from, to, middle, at);
    put(c, c->chosen, at);
    *(apply_draft(st, c) ? &valid : &refused) = middle;
  }
  read_draft(st, c);
  memcpy(c->wrong, wrong, sizeof wrong);
}

static void press(state *st, cone_edit *c) {
  if (c->hot_edge != CONE_NONE) {
    cone_edit_add(st, c, c->hot_edge, c->hot_share);
    c->hot = c->chosen;
    c->hot_edge = CONE_NONE;
  } else {
    c->chosen = c->hot;
    c->wrong[0] = '\0';
  }
  c->held = c->chosen != CONE_NONE;
}

static bool mouse(state *st, void *self, Ray ray) {
  cone_edit *c = self;
  float m[16];
  if (!c->id.id || !cone_edit_place(st, c, m)) return false;
  if (c->held) {
    st->hovered = (sinew_segment){ 0 };
    if (GetMouseDelta().x != 0 || GetMouseDelta().y != 0) pull(st, c, m, ray);
    return true;
  }
  bool left = IsMouseButtonDown(MOUSE_BUTTON_LEFT), right = IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  bool pressed = IsMouseButtonPressed(MOUSE_BUTTON_LEFT);
  bool deleting = IsMouseButtonPressed(MOUSE_BUTTON_RIGHT);
  if ((left && !pressed) || (right && !deleting) || IsMouseButtonDown(MOUSE_BUTTON_MIDDLE))
    return false;
  look_under(st, c, m, GetMousePosition());
  if (c->hot == CONE_NONE && c->hot_edge == CONE_NONE) return false;
  st->hovered = (sinew_segment){ 0 };
  if (pressed) press(st, c);
  if (deleting && c->hot >= 0 && !c->draft.ellipse) {
    history_pause(st->history);
    cone_edit_remove(st, c, c->hot);
  }
  return true;
}

static void frame(state *st, void *self) {
  cone_edit *c = self;
  bool open = tool_is_open(st, "cones");
  if (c->held && (!open || !IsMouseButtonDown(MOUSE_BUTTON_LEFT))) {
    c->held = false;
    c->wrong[0] = '\0'; /* what it has come to is valid */
  }
  if (!open) return;
  if (!c->held && !CheckCollisionPointRec(GetMousePosition(), st->place))
    c->hot = c->hot_edge = CONE_NONE;
  cone_edit_follow(st, c);
  limit *one = c->id.id ? limits_find(limits_of(st), c->id) : NULL;
  if (one) limits_prepare_cone(one, sinew_rig_cone(state_rig(st), c->id));
  cone_edit_prepare(st, c);
}

/* moves the camera to a cone that is too small on the screen for its points to be hit */
static void come_near(state *st, cone_edit *c) {
  float m[16];
  cone_edit_follow(st, c);
  if (!c->id.id || !cone_edit_place(st, c, m)) return;
  Vector3 at = { m[12], m[13], m[14] };
  float wanted = 110, pixels = space_length(m) / state_pixel(st, at);
  if (pixels > wanted / 2) return;
  st->view.target = at;
  st->view.distance *= pixels / wanted;
}

/* --- commands */

/* with the mouse over a bone it is for that bone */
static void edit_cone(state *st, void *self) {
  sinew_segment under = st->hovered;
  bool other = under.id && under.id != st->selected.segment.id;
  if (other) state_select(st, (selection){ .segment = under });
  tool_set_open(st, "cones", other || !tool_is_open(st, "cones"));
  if (tool_is_open(st, "cones")) come_near(st, self);
}

COMMAND_ASK(edits_cone, tool_is_open(st, "cones"))

static bool has_point(const state *st, const void *self) {
  const cone_edit *c = self;
  return tool_is_open(st, "cones") && c->chosen >= 0 && !c->held && !c->draft.ellipse;
}

static void remove_point(state *st, void *self) {
  cone_edit *c = self;
  history_pause(st->history);
  cone_edit_remove(st, c, c->chosen);
}

static const command commands[] = {
  { "edit_cone", "Edit the reach cone", MENU_RIG, .key = KEY_C,
    .doc = "of the bone under the mouse, or of the selected one", .on = ON_BONE, .run = edit_cone,
    .checked = edits_cone },
  { "remove_point", "Remove the point of the cone", MENU_RIG, .key = KEY_DELETE,
    .run = remove_point, .enabled = has_point },
  { .name = NULL },
};

static bool create(state *st, void *self) {
  (void)st;
  cone_edit *c = self;
  c->chosen = c->hot = c->hot_edge = CONE_NONE;
  return true;
}

static void destroy(void *self) {
  cone_edit *c = self;
  cone_edit_drop(c);
  cone_draft_free(&c->draft);
  free(c->made);
  free(c->cones);
  names_free(c->names, c->count);
}

static void loaded(state *st, void *self) {
  cone_edit *c = self;
  const sinew_rig *rig = state_rig(st);
  size_t components = (size_t)sinew_rig_component_count(rig) + 1;
  free(c->cones);
  names_free(c->names, c->count);
  c->cones = calloc(components, sizeof *c->cones);
  c->names = calloc(components, sizeof *c->names);
  c->count = 0;
  for (int i = 0; c->cones && c->names && i < sinew_rig_component_count(rig); i++) {
    sinew_component one = sinew_rig_component(rig, i);
    if (!sinew_rig_cone(rig, one)) continue;
    char words[400];
    state_words(st, (selection){ .component = one }, true, words, sizeof words);
    c->names[c->count] = strdup(words);
    if (c->names[c->count]) c->cones[c->count++] = one;
  }
  int chosen = c->chosen;
  sinew_component again = { 0 };
  if (*c->name) again = sinew_rig_find_component(rig, c->name, NULL);
  if (again.id && !sinew_rig_cone(rig, again)) again.id = 0;
  choose(st, c, again);
  if (again.id && chosen < c->draft.count) c->chosen = chosen;
  if (again.id) c->seen = st->selections;
}

static const char *const help[] = { "Drag a point of a cone, or a half angle: change it",
                                    "Click an edge of a cone: add a point",
                                    "Right click a point of a cone: remove it", NULL };

static uint64_t print(const void *self) {
  const cone_edit *c = self;
  const cone_draft *d = &c->draft;
  uint64_t print = PRINT(print_start, *c);
  print = PRINT(print, d->angles);
  print = print_bytes(print, d->points, (size_t)d->count * sizeof *d->points);
  return d->twist ? print_bytes(print, d->twist, (size_t)d->count * sizeof *d->twist) : print;
}

const tool tool_cones = {
  .name = "cones",
  .title = "Reach cone",
  .doc = "the reach cone of the bone under the mouse, or of the selected one",
  .dock = DOCK_RIGHT,
  .room = 340,
  .commands = commands,
  .keys = help,
  .size = sizeof(cone_edit),
  .create = create,
  .destroy = destroy,
  .loaded = loaded,
  .frame = frame,
  .mouse = mouse,
  .solid = cone_edit_solid,
  .glass = cone_edit_glass,
  .flat = cone_edit_flat,
  .print = print,
  .panel = cone_edit_panel,
  .remote = cone_edit_remote,
  .remote_help =
      "cones | cone_choose COMPONENT | cone_points | cone_add EDGE [SHARE] | cone_add bone | "
      "cone_move POINT X Y Z | cone_delete POINT | cone_visible X Y Z|rest|sum|bone | "
      "cone_twist POINT|all|visible MIN MAX | cone_twist free | cone_smooth STEPS | cone_bake | "
      "cone_where POINT|visible|edge N | cone_message | cone_lua | cone_reset"
};
