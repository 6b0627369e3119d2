/* Rings around the joint of the selected bone, one for each DOF that turns it against the bone that
 * it hangs on. The axis is that of the motion itself, found by trying the DOF on a pose aside. */
#include "draw/space_draw.h"
#include "plain/handle.h"
#include "plain/screw_axis.h"
#include "plain/value_text.h"
#include "tools/pose/posing.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <raymath.h>
#include <stdio.h>

enum { ring_points = 65 };
static const float ring_pixels = 46, ring_gap = 7;

static bool read_ring(state *st, pose_tool *p, sinew_dof dof, pose_ring *dest) {
  sinew_segment bone = st->selected.segment;
  sinew_segment parent = sinew_rig_segment_info(state_rig(st), bone).parent;
  float value = sinew_pose_get(state_pose(st), dof), point[3];
  dest->dof = dof;
  dest->rate = screw_axis_at(st->host, p->trial, bone, dof, value, dest->axis, point);
  sinew_pose_set(p->trial, dof, value, NULL);
  if (!(dest->rate > 0)) return false;
  memcpy(dest->at, sinew_pose_world(state_pose(st), bone) + 12, sizeof dest->at);
  if (parent.id) space_direction(sinew_pose_world(state_pose(st), parent), dest->axis, dest->axis);
  space_unit(dest->axis);
  return true;
}

/* as large on the screen, whatever the camera does */
static void size_rings(const state *st, pose_tool *p) {
  for (int i = 0; i < p->ring_count; i++)
    p->rings[i].radius =
        state_pixel(st, vector(p->rings[i].at)) * ui_px(&st->ui, ring_pixels + ring_gap * (float)i);
}

void rings_follow(state *st, pose_tool *p) {
  const sinew_rig *rig = state_rig(st);
  if (p->held_ring >= 0) return;
  if (p->ring_count && st->selected.segment.id) size_rings(st, p);
  uint64_t print = print_bytes(print_start, sinew_pose_dofs(state_pose(st)),
                               (size_t)sinew_rig_dof_count(rig) * sizeof(float));
  print = PRINT(print, st->selected.segment.id);
  bool hidden = st->posing || tool_is_open(st, "cones"); /* whose points lie there too */
  print = PRINT(print, hidden);
  if (print == p->ring_print) return;
  p->ring_print = print;
  p->ring_count = 0;
  if (!st->selected.segment.id || !p->trial || hidden) return;
  sinew_component driver = sinew_rig_segment_info(rig, st->selected.segment).driver;
  if (!driver.id) return;
  sinew_pose_set_all(p->trial, sinew_pose_dofs(state_pose(st)), sinew_rig_dof_count(rig), NULL);
  for (int i = 0; i < sinew_rig_dof_count(rig) && p->ring_count < pose_most_rings; i++) {
    pose_ring *ring = &p->rings[p->ring_count];
    sinew_dof dof = sinew_rig_dof(rig, i);
    if (!sinew_rig_depends(rig, driver, dof) || !read_ring(st, p, dof, ring)) continue;
    p->ring_count++;
  }
  size_rings(st, p);
}

static void ring_line(const state *st, const pose_ring *ring, Vector2 dest[ring_points],
                      float towards[ring_points]) {
  float a[3], b[3];
  Vector3 eye = orbit_camera(&st->view).position;
  const float to[3] = { eye.x - ring->at[0], eye.y - ring->at[1], eye.z - ring->at[2] };
  space_across(ring->axis, a);
  space_cross(ring->axis, a, b);
  for (int i = 0; i < ring_points; i++) {
    float angle = 2 * PI * (float)i / (ring_points - 1), at[3], out[3];
    for (int k = 0; k < 3; k++) {
      out[k] = cosf(angle) * a[k] + sinf(angle) * b[k];
      at[k] = ring->at[k] + ring->radius * out[k];
    }
    dest[i] = state_project(st, vector(at));
    towards[i] = space_dot(out, to);
  }
}

/* the nearest point of the near half of a ring; `along` gets its direction there */
static float ring_apart(const state *st, const pose_ring *ring, Vector2 mouse, Vector2 *along) {
  Vector2 line[ring_points];
  float towards[ring_points], least = 1e9f;
  ring_line(st, ring, line, towards);
  for (int i = 0; i + 1 < ring_points; i++) {
    float far = Vector2Distance(mouse, Vector2Lerp(line[i], line[i + 1], 0.5f));
    if (towards[i] < -0.1f * st->view.distance) far += 2;
    if (far >= least) continue;
    least = far;
    *along = Vector2Normalize(Vector2Subtract(line[i + 1], line[i]));
  }
  return least;
}

/* whether the bone is meant: a ring seen from its edge passes through the joint itself */
static bool in_middle(const state *st, const pose_ring *ring, Vector2 mouse) {
  Vector3 at = vector(ring->at);
  return Vector2Distance(mouse, state_project(st, at)) < 0.6f * ring->radius / state_pixel(st, at);
}

/* the angle under the mouse, about the ring's axis */
static float angle_at(const state *st, const pose_tool *p, const pose_ring *ring, Ray ray) {
  const float from[3] = { ray.position.x, ray.position.y, ray.position.z };
  const float way[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
  float zero[3], angle;
  space_across(ring->axis, zero);
  bool flat = fabsf(space_dot(way, ring->axis)) < 0.25f;
  if (!flat && handle_angle(from, way, ring->at, ring->axis, zero, &angle)) return angle;
  /* seen from its edge: along its line on the screen */
  Vector2 way2 = Vector2Subtract(GetMousePosition(), p->ring_pressed);
  float radius = ring->radius / state_pixel(st, vector(ring->at));
  return Vector2DotProduct(way2, p->ring_along) / radius / SPACE_DEG;
}

bool rings_mouse(state *st, pose_tool *p, Ray ray) {
  if (p->held_ring >= 0) {
    const pose_ring *ring = &p->rings[p->held_ring];
    float by = remainderf(angle_at(st, p, ring, ray) - p->ring_start, 360) / ring->rate;
    if (IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
      sinew_pose_set(state_pose(st), ring->dof, p->ring_value + by, NULL);
      state_eval(st);
    } else {
      p->held_ring = -1;
    }
    return true;
  }
  bool down = IsMouseButtonDown(MOUSE_BUTTON_LEFT),
       pressed = IsMouseButtonPressed(MOUSE_BUTTON_LEFT);
  p->hot_ring = -1;
  if ((down && !pressed) || ui_shift()) return false;
  float least = ui_px(&st->ui, 5);
  for (int i = 0; i < p->ring_count; i++) {
    Vector2 along;
    float far = ring_apart(st, &p->rings[i], GetMousePosition(), &along);
    if (far >= least || in_middle(st, &p->rings[i], GetMousePosition())) continue;
    least = far;
    p->hot_ring = i;
    p->ring_along = along;
  }
  /* another bone under the mouse is meant rather than the ring over it */
  sinew_segment bone = { 0 };
  if (p->hot_ring >= 0) bone = state_pick(st, GetMousePosition(), NULL);
  if (bone.id && bone.id != st->selected.segment.id) p->hot_ring = -1;
  if (p->hot_ring < 0) return false;
  st->hovered = (sinew_segment){ 0 };
  if (!pressed) return true;
  p->held_ring = p->hot_ring;
  p->ring_pressed = GetMousePosition();
  p->ring_value = sinew_pose_get(state_pose(st), p->rings[p->held_ring].dof);
  p->ring_start = angle_at(st, p, &p->rings[p->held_ring], ray);
  return true;
}

/* while something else moves the joint, rings follow only afterwards */
static bool moved_away(const state *st, const pose_ring *ring) {
  const float *at = sinew_pose_world(state_pose(st), st->selected.segment) + 12;
  return space_distance(at, ring->at) > 0.02f * ring->radius;
}

void rings_draw(const state *st, const pose_tool *p) {
  static const int colors = 3;
  int lit = p->held_ring >= 0 ? p->held_ring : p->hot_ring;
  for (int i = 0; i < p->ring_count; i++) {
    Vector2 line[ring_points];
    float towards[ring_points];
    if (p->held_ring >= 0 ? i != p->held_ring : moved_away(st, &p->rings[i])) continue;
    ring_line(st, &p->rings[i], line, towards);
    Color color = i == lit ? theme_under_mouse : theme_axes[i % colors];
    for (int from = 0, to = 1; to < ring_points; from = to++) {
      bool behind = towards[from] < 0;
      while (to + 1 < ring_points && (towards[to] < 0) == behind) to++;
      icon_line(line + from, to - from + 1, ui_px(&st->ui, i == lit ? 2.5f : 1.5f),
                Fade(color, behind ? 0.25f : 0.9f));
    }
  }
  if (lit < 0 || lit >= p->ring_count) return;
  char name[160], value[48], text[240];
  const pose_ring *ring = &p->rings[lit];
  sinew_dof_info info = sinew_rig_dof_info(state_rig(st), ring->dof);
  state_words(st, (selection){ .dof = ring->dof }, true, name, sizeof name);
  value_number(sinew_pose_get(state_pose(st), ring->dof), value_unit(info.unit, info.min, info.max),
               value, sizeof value);
  snprintf(text, sizeof text, "%s %s", name, value);
  Vector2 at = GetMousePosition();
  float pad = ui_px(&st->ui, theme_s2), width = ui_text_width(&st->ui, text) + 2 * pad;
  at.x = fminf(at.x + 2 * pad, st->place.x + st->place.width - width);
  ui_over_scene(&st->ui, (Rectangle){ at.x, at.y - 3 * pad, width, ui_row(&st->ui) });
  ui_label(&st->ui, text, at.x + pad, at.y - 3 * pad, theme_text);
}
