/* What scripted components draw of themselves (sinew_host_draw), among the limits. */
#include "draw/space_draw.h"
#include "tools/limits/limits_tool.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void limits_prepare_marks(state *st, limits *l) {
  bool failed = false;
  for (int i = 0; i < l->count; i++) {
    limit *one = &l->list[i];
    if (one->kind != LIMIT_MARKS) continue;
    one->mark_count = 0;
    if (!one->shown) continue;
    sinew_error error;
    if (!one->marks) one->marks = calloc(SINEW_MARKS, sizeof *one->marks);
    if (!one->marks) continue;
    if (sinew_host_draw(st->host, state_pose(st), one->component, one->marks, &one->mark_count,
                        &error) < 0) {
      snprintf(one->state, sizeof one->state, "cannot be drawn");
      /* once, and an error of the rig itself comes first */
      if (!failed && !l->failed && !st->banner[0]) state_wrong(st, error.text);
      failed = true;
    }
    one->marks_print =
        print_bytes(print_start, one->marks, (size_t)one->mark_count * sizeof *one->marks);
  }
  if (l->failed && !failed) st->banner[0] = '\0';
  l->failed = failed && st->banner[0];
}

bool limits_marks_frame(const state *st, const limits *l, const limit *one, float dest[16]) {
  const sinew_pose *pose = state_pose(st);
  if (acting_frame(pose, l->places, one->component, dest)) return true;
  if (!one->segment.id) return false;
  sinew_segment_info info = sinew_rig_segment_info(state_rig(st), one->segment);
  if (info.parent.id)
    space_mul(sinew_pose_world(pose, info.parent), info.rest, dest);
  else
    memcpy(dest, info.rest, 16 * sizeof *dest);
  return true;
}

static Color color_of(const sinew_mark *mark) {
  if (!(mark->color & SINEW_MARK_COLOR)) return theme_border;
  return (Color){ (unsigned char)(mark->color >> 16), (unsigned char)(mark->color >> 8),
                  (unsigned char)mark->color, 255 };
}

/* two unit directions at right angles to another */
static void across(const float *axis, float *u, float *v) {
  int least = fabsf(axis[0]) < fabsf(axis[1]) ? 0 : 1;
  if (fabsf(axis[2]) < fabsf(axis[least])) least = 2;
  float other[3] = { 0 };
  other[least] = 1;
  space_cross(axis, other, u);
  float length = space_length(u);
  for (int i = 0; i < 3; i++) u[i] /= length;
  space_cross(axis, u, v);
}

/* a circle about an axis, and with `spokes` lines to it from a point */
static void draw_ring(primitives *p, const float *m, const sinew_mark *mark, float along,
                      float radius, int spokes, float thin) {
  enum { steps = 32 };
  float u[3], v[3], at[2][3];
  across(mark->to, u, v);
  for (int k = 0; k <= steps; k++) {
    float angle = 2 * PI * (float)k / steps, c = radius * cosf(angle), s = radius * sinf(angle);
    float *now = at[k % 2], *last = at[(k + 1) % 2];
    for (int i = 0; i < 3; i++) now[i] = mark->at[i] + along * mark->to[i] + c * u[i] + s * v[i];
    if (k) primitives_rod(p, placed(m, last), placed(m, now), thin, color_of(mark));
    if (spokes && k < steps && k % (steps / spokes) == 0)
      primitives_rod(p, placed(m, mark->at), placed(m, now), 0.6f * thin, color_of(mark));
  }
}

void limits_marks_solid(const state *st, const limits *l, const limit *one) {
  float m[16], thin = 0.018f * fmaxf(0.1f, fminf(one->size, 0.5f));
  if (!limits_marks_frame(st, l, one, m)) return;
  for (int i = 0; i < one->mark_count; i++) {
    const sinew_mark *mark = &one->marks[i];
    Vector3 from = placed(m, mark->at), to = placed(m, mark->to);
    bool apart = Vector3Distance(from, to) > 1e-6f;
    float half = mark->size[0] * DEG2RAD;
    switch (mark->kind) {
    case SINEW_MARK_LINE:
      if (apart) primitives_rod(l->primitives, from, to, thin, color_of(mark));
      break;
    case SINEW_MARK_ARROW:
      if (apart) primitives_arrow(l->primitives, from, to, thin, color_of(mark));
      break;
    case SINEW_MARK_DISC: draw_ring(l->primitives, m, mark, 0, mark->size[0], 0, thin); break;
    case SINEW_MARK_CONE:
      draw_ring(l->primitives, m, mark, mark->size[1] * cosf(half), mark->size[1] * sinf(half), 8,
                thin);
      break;
    case SINEW_MARK_ELLIPSOID:
    case SINEW_MARK_TEXT: break;
    }
  }
}

void limits_marks_glass(const state *st, const limits *l, const limit *one) {
  float m[16], own[16], u[3], v[3];
  if (!limits_marks_frame(st, l, one, m)) return;
  for (int i = 0; i < one->mark_count; i++) {
    const sinew_mark *mark = &one->marks[i];
    if (mark->kind != SINEW_MARK_ELLIPSOID && mark->kind != SINEW_MARK_DISC) continue;
    bool disc = mark->kind == SINEW_MARK_DISC;
    space_identity(own);
    if (disc) across(mark->to, u, v);
    for (int k = 0; k < 3; k++) {
      own[k] = disc ? mark->size[0] * u[k] : mark->size[0] * mark->turn[k];
      own[4 + k] = disc ? mark->size[0] * v[k] : mark->size[1] * mark->turn[3 + k];
      own[8 + k] = disc ? 0.01f * mark->size[0] * mark->to[k] : mark->size[2] * mark->turn[6 + k];
    }
    memcpy(own + 12, mark->at, sizeof mark->at);
    space_mul(m, own, own);
    primitives_glass glass = { .color = color_of(mark), .marked = -1, .strength = 1 };
    primitives_draw_glass(l->primitives, primitives_unit_ball(l->primitives), matrix(own), &glass);
  }
}

void limits_marks_flat(state *st, const limits *l, const limit *one) {
  float m[16];
  if (!limits_marks_frame(st, l, one, m)) return;
  for (int i = 0; i < one->mark_count; i++) {
    const sinew_mark *mark = &one->marks[i];
    if (mark->kind != SINEW_MARK_TEXT) continue;
    Vector3 place = placed(m, mark->at);
    Camera3D camera = orbit_camera(&st->view);
    Vector3 ahead = Vector3Subtract(camera.target, camera.position);
    if (Vector3DotProduct(Vector3Subtract(place, camera.position), ahead) <= 0) continue;
    Vector2 at = state_project(st, place);
    ui_label(&st->ui, mark->text, at.x + 4, at.y - ui_row(&st->ui) / 2,
             mark->color & SINEW_MARK_COLOR ? color_of(mark) : theme_text);
  }
}
