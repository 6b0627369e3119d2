/* The tool that places things: the handle under the mouse, dragging it, and drawing it. */
#include "tools/place/place.h"
#include "draw/space_draw.h"
#include "plain/value_text.h"
#include "tools/limits/limits_tool.h"
#include "ui/theme.h"

#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>

const place_target *place_chosen(const place *p) {
  return p->chosen >= 0 && p->chosen < p->count ? &p->targets[p->chosen] : NULL;
}

void place_choose(place *p, int index) {
  p->chosen = index;
  p->held = p->hot = HANDLE_NONE;
  p->wrong[0] = '\0';
  if (index >= 0) snprintf(p->label, sizeof p->label, "%s", p->targets[index].label);
}

void place_follow(state *st, place *p) {
  if (p->rig != state_rig(st) || p->of.id != st->selected.segment.id) {
    p->rig = state_rig(st);
    p->of = st->selected.segment;
    p->count = place_find(st, p->targets);
    p->chosen = p->count ? 0 : -1;
    p->held = p->hot = HANDLE_NONE;
    p->wrong[0] = '\0';
    for (int i = 0; i < p->count; i++)
      if (strcmp(p->targets[i].label, p->label) == 0) p->chosen = i;
  }
  const place_target *t = place_chosen(p);
  p->shown = t && place_handle(st, t, p->world, &p->handle);
}

bool place_offer(state *st, place *p, const place_value *value, unsigned what) {
  sinew_error error = { 0 };
  const place_target *t = place_chosen(p);
  bool fine = t && place_apply(st, t, value, what, &error) >= 0;
  snprintf(p->wrong, sizeof p->wrong, "%s", fine ? "" : error.text);
  if (t) p->shown = place_handle(st, t, p->world, &p->handle);
  return fine;
}

void place_drag(const place *p, const float base[16], float amount, place_value *value,
                unsigned *what) {
  const place_target *t = place_chosen(p);
  *value = p->before;
  if (p->held < HANDLE_TURN) {
    float by[3] = { amount * p->axis[0], amount * p->axis[1], amount * p->axis[2] };
    place_move(base, by, value);
    *what = PLACE_AT;
  } else if (p->held < HANDLE_KNOB) {
    place_turn(t, base, p->axis, amount, value);
    *what = t->kind == PLACE_AXIS ? PLACE_DIRECTION : PLACE_TURN;
  } else {
    value->radii[p->held % 3] -= amount;
    *what = PLACE_RADII;
  }
}

/* pixels from the mouse to a part */
static float distance_to(const state *st, const handle *h, handle_part part, Vector2 mouse) {
  float line[handle_line_points][3], least = 1e9f;
  int count = handle_line(h, part, line);
  if (part >= HANDLE_KNOB) return Vector2Distance(mouse, state_project(st, vector(line[1])));
  Vector2 last = state_project(st, vector(line[0]));
  for (int i = 1; i < count; i++) {
    Vector2 next = state_project(st, vector(line[i])), way = Vector2Subtract(next, last);
    float square = Vector2LengthSqr(way);
    float at = square > 0 ? Vector2DotProduct(Vector2Subtract(mouse, last), way) / square : 0;
    Vector2 on = Vector2Add(last, Vector2Scale(way, Clamp(at, 0, 1)));
    least = fminf(least, Vector2Distance(mouse, on));
    last = next;
  }
  return least;
}

static handle_part under(const state *st, const place *p, Vector2 mouse) {
  handle_part found = HANDLE_NONE;
  float least = 0.6f * st->ui.size;
  for (int i = 0; i < HANDLE_PARTS; i++) {
    if (!handle_has(&p->handle, (handle_part)i)) continue;
    float d = distance_to(st, &p->handle, (handle_part)i, mouse);
    if (i >= HANDLE_TURN && i < HANDLE_KNOB) d += 2; /* arrows win where they cross rings */
    if (d < least) {
      least = d;
      found = (handle_part)i;
    }
  }
  return found;
}

/* starts to drag the part under the mouse */
static void take(state *st, place *p, Ray ray) {
  const float from[3] = { ray.position.x, ray.position.y, ray.position.z };
  const float direction[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
  const handle *h = &p->handle;
  place_read(st, place_chosen(p), &p->before);
  p->held = p->hot;
  p->amount = p->start = p->per_pixel = 0;
  p->pressed = GetMousePosition();
  memcpy(p->origin, h->frame + 12, sizeof p->origin);
  handle_axis(h, p->held, p->axis);
  bool turn = p->held >= HANDLE_TURN && p->held < HANDLE_KNOB;
  memcpy(p->zero, h->frame + 4 * ((p->held + 1) % 3), sizeof p->zero);
  if (!turn) {
    if (!handle_along(from, direction, p->origin, p->axis, &p->start)) p->held = HANDLE_NONE;
    return;
  }
  if (handle_angle(from, direction, p->origin, p->axis, p->zero, &p->start)) return;
  /* a ring seen edge-on is dragged along its line on the screen */
  float line[handle_line_points][3], least = 1e9f;
  int nearest = 0, count = handle_line(h, p->held, line);
  Vector3 eye = orbit_camera(&st->view).position;
  for (int i = 0; i < count - 1; i++) {
    Vector3 at = vector(line[i]);
    float d = Vector2Distance(p->pressed, state_project(st, at)) +
              1e-3f * Vector3Distance(eye, at) / h->size;
    if (d < least) {
      least = d;
      nearest = i;
    }
  }
  p->tangent = Vector2Subtract(state_project(st, vector(line[nearest + 1])),
                               state_project(st, vector(line[nearest])));
  if (handle_mirrored(h->frame)) p->tangent = Vector2Negate(p->tangent);
  float step = Vector2Length(p->tangent);
  p->tangent = Vector2Normalize(p->tangent);
  p->per_pixel = 360.0f / (handle_line_points - 1) / fmaxf(step, 0.5f);
}

static void pull(state *st, place *p, Ray ray) {
  const float from[3] = { ray.position.x, ray.position.y, ray.position.z };
  const float direction[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
  float now, amount, base[16];
  bool turn = p->held >= HANDLE_TURN && p->held < HANDLE_KNOB;
  if (turn && p->per_pixel > 0) {
    Vector2 way = Vector2Subtract(GetMousePosition(), p->pressed);
    amount = Vector2DotProduct(way, p->tangent) * p->per_pixel;
  } else if (turn) {
    if (!handle_angle(from, direction, p->origin, p->axis, p->zero, &now)) return;
    amount = remainderf(now - p->start, 360);
  } else {
    if (!handle_along(from, direction, p->origin, p->axis, &now)) return;
    amount = now - p->start;
  }
  if (ui_control()) amount = handle_snap(amount, turn ? 5 : 0.005f);
  p->amount = amount;
  place_value value;
  unsigned what;
  if (!place_base(st, place_chosen(p), base)) return;
  place_drag(p, base, amount, &value, &what);
  place_offer(st, p, &value, what);
}

static bool mouse(state *st, void *self, Ray ray) {
  place *p = self;
  if (p->held != HANDLE_NONE) {
    st->hovered = (sinew_segment){ 0 };
    if (GetMouseDelta().x != 0 || GetMouseDelta().y != 0) pull(st, p, ray);
    return true;
  }
  bool other = IsMouseButtonDown(MOUSE_BUTTON_RIGHT) || IsMouseButtonDown(MOUSE_BUTTON_MIDDLE);
  if (!p->shown || other) return false;
  if (IsMouseButtonDown(MOUSE_BUTTON_LEFT) && !IsMouseButtonPressed(MOUSE_BUTTON_LEFT))
    return false;
  p->hot = under(st, p, GetMousePosition());
  if (p->hot == HANDLE_NONE) return false;
  st->hovered = (sinew_segment){ 0 };
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) take(st, p, ray);
  return true;
}

static void frame(state *st, void *self) {
  place *p = self;
  if (!tool_is_open(st, "place")) {
    p->held = p->hot = HANDLE_NONE;
    return;
  }
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) p->held = HANDLE_NONE;
  if (p->held == HANDLE_NONE && !CheckCollisionPointRec(GetMousePosition(), st->place))
    p->hot = HANDLE_NONE;
  place_follow(st, p);
}

static Color part_color(const place *p, int part) {
  if ((p->held != HANDLE_NONE ? p->held : p->hot) == (handle_part)part) return theme_selected;
  return p->held == HANDLE_NONE ? theme_axes[part % 3] : Fade(theme_axes[part % 3], 0.3f);
}

static void draw_handle(const place *p, const handle *h, primitives *m) {
  float thin = 0.016f * h->size, line[handle_line_points][3], ring[16];
  for (int i = 0; i < HANDLE_PARTS; i++) {
    if (!handle_has(h, (handle_part)i)) continue;
    Color color = part_color(p, i);
    if (i >= HANDLE_TURN && i < HANDLE_KNOB) {
      handle_ring(h, (handle_part)i, ring);
      primitives_mesh(m, p->ring, matrix(ring), color);
      continue;
    }
    handle_line(h, (handle_part)i, line);
    if (i < HANDLE_TURN)
      primitives_arrow(m, vector(line[0]), vector(line[1]), thin, color);
    else
      primitives_ball(m, vector(line[1]), 3.2f * thin, color);
  }
  primitives_ball(m, vector(h->frame + 12), 2.6f * thin, theme_mark);
}

/* the same view, but so near to the eye that nothing hides it */
static handle brought_near(const state *st, const handle *h) {
  Camera3D camera = orbit_camera(&st->view);
  const float eye[3] = { camera.position.x, camera.position.y, camera.position.z };
  handle near = *h;
  float depth = Vector3Distance(camera.position, vector(h->frame + 12));
  float share = fminf(1, 6 * (float)rlGetCullDistanceNear() / fmaxf(depth, 1e-3f));
  for (int k = 0; k < 3; k++) near.frame[12 + k] = eye[k] + share * (h->frame[12 + k] - eye[k]);
  near.size *= share;
  for (int k = 0; k < 3; k++) near.knob[k] *= share;
  return near;
}

/* the axis, and the centres with the path between them */
static void draw_subject(state *st, const place *p, primitives *m) {
  const place_target *t = place_chosen(p);
  float base[16], thin = 0.02f * p->handle.size;
  acting_hinge h;
  if (t->kind != PLACE_AXIS && t->kind != PLACE_CENTRE) return;
  if (!place_base(st, t, base) || !acting_hinge_read(state_rig(st), t->component, &h)) return;
  limits_draw_centres(m, base, &h, 1.6f * thin, 0.5f * thin);
  float axis[3];
  space_direction(base, h.axis, axis);
  primitives_axis(m, vector(p->handle.frame + 12), vector(axis), 3.2f * p->handle.size, true);
}

static void solid(state *st, void *self) {
  place *p = self;
  if (!p->shown) return;
  primitives *m = limits_of(st)->primitives;
  Camera3D camera = orbit_camera(&st->view);
  rlEnableBackfaceCulling();
  primitives_look(m, camera, 0.55f);
  rlDisableDepthTest();
  draw_subject(st, p, m);
  rlEnableDepthTest();
  primitives_look(m, camera, 1);
  draw_subject(st, p, m);
  rlDisableBackfaceCulling();
}

static void glass(state *st, void *self) {
  place *p = self;
  const place_target *t = place_chosen(p);
  float ball[16];
  if (!p->shown) return;
  limits *l = limits_of(st);
  primitives *m = l->primitives;
  primitives_look(m, orbit_camera(&st->view), 1);
  if (t->kind == PLACE_ELLIPSOID && limits_ellipsoid(st, l, limits_find(l, t->component), ball)) {
    primitives_glass look = { .color = theme_glass, .marked = -1, .strength = 1 };
    primitives_draw_glass(m, primitives_unit_ball(m), matrix(ball), &look);
  }
  handle near = brought_near(st, &p->handle);
  rlEnableBackfaceCulling();
  draw_handle(p, &near, m);
  rlDisableBackfaceCulling();
}

static void flat(state *st, void *self) {
  const place *p = self;
  if (p->held == HANDLE_NONE) return;
  char text[64];
  if (p->held >= HANDLE_TURN && p->held < HANDLE_KNOB)
    value_number(p->amount, "deg", text, sizeof text);
  else
    value_number(1000 * (p->held >= HANDLE_KNOB ? -p->amount : p->amount), "mm", text, sizeof text);
  Vector2 at = GetMousePosition();
  float width = ui_text_width(&st->ui, text) + 16;
  ui_over_scene(&st->ui, (Rectangle){ at.x + 18, at.y - 8, width, ui_row(&st->ui) });
  ui_label(&st->ui, text, at.x + 26, at.y - 8, theme_text);
}

static bool create(state *st, void *self) {
  (void)st;
  enum { sides = 64 };
  place *p = self;
  p->chosen = -1;
  p->hot = p->held = HANDLE_NONE;
  float circle[3 * sides];
  for (int i = 0; i < sides; i++) {
    float angle = 360 * SPACE_DEG * (float)i / sides;
    circle[3 * i] = cosf(angle);
    circle[3 * i + 1] = 0;
    circle[3 * i + 2] = -sinf(angle);
  }
  p->ring = primitives_outline(circle, sides, NULL, 0, 0.016f);
  return true;
}

static void destroy(void *self) {
  place *p = self;
  UnloadMesh(p->ring);
}

static void loaded(state *st, void *self) {
  (void)st;
  place *p = self;
  p->rig = NULL;
  p->count = 0;
  p->chosen = -1;
  p->shown = false;
  p->hot = p->held = HANDLE_NONE;
}

static const char *const help[] = {
  "Drag an arrow, ring or knob: place what is chosen; Ctrl: in steps", NULL
};

const tool tool_place = { .name = "place",
                          .title = "Place",
                          .doc = "placing rest frames, axes, centres and ellipsoids by handles",
                          .dock = DOCK_RIGHT,
                          .room = 300,
                          .key = KEY_W,
                          .keys = help,
                          .size = sizeof(place),
                          .create = create,
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = frame,
                          .mouse = mouse,
                          .solid = solid,
                          .glass = glass,
                          .flat = flat,
                          .panel = place_panel,
                          .remote = place_remote,
                          .remote_help =
                              "places | place_choose LABEL | place_move DX DY DZ | "
                              "place_turn x|y|z DEGREES | place_set at|turn|axis|radii "
                              "X Y Z | place_get | place_axes own|world | place_handle "
                              "PART [DEGREES] | place_message | place_lua | place_reset" };
