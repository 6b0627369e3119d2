/* The orbit camera. */
#include "draw/orbit.h"

#include <math.h>
#include <raymath.h>
#include <string.h>

enum { field_of_view = 35 };

orbit orbit_default(void) {
  return (orbit){ .target = { 0, 0.9f, 0 }, .yaw = 30, .pitch = 10, .distance = 3.5f };
}

bool orbit_find_view(const char *name, orbit_view *dest) {
  static const char *const names[] = { "front", "side", "top", "three-quarter" };
  for (int i = 0; i < 4; i++)
    if (strcmp(name, names[i]) == 0) {
      *dest = (orbit_view)i;
      return true;
    }
  return false;
}

void orbit_look(orbit *o, orbit_view view) {
  static const float angles[][2] = { { 0, 0 }, { 90, 0 }, { 0, 89 }, { 32, 12 } };
  o->yaw = angles[view][0];
  o->pitch = angles[view][1];
}

static Vector3 backwards(const orbit *o) {
  float yaw = o->yaw * DEG2RAD, pitch = o->pitch * DEG2RAD;
  return (Vector3){ sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch) };
}

/* the camera's right and up axes; returns the one that points backwards */
static Vector3 axes_of(const orbit *o, Vector3 *right, Vector3 *above) {
  Vector3 back = backwards(o);
  *right = Vector3Normalize(Vector3CrossProduct((Vector3){ 0, 1, 0 }, back));
  *above = Vector3CrossProduct(back, *right);
  return back;
}

static Vector3 corner_of(BoundingBox box, int i) {
  return (Vector3){ i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                    i & 4 ? box.max.z : box.min.z };
}

void orbit_frame(orbit *o, BoundingBox box, float aspect) {
  o->target = Vector3Scale(Vector3Add(box.min, box.max), 0.5f);
  Vector3 right, above, back = axes_of(o, &right, &above);
  float tall = tanf((float)field_of_view / 2 * DEG2RAD), wide = tall * aspect;
  float distance = 0.05f;
  for (int corner = 0; corner < 8; corner++) {
    Vector3 p = Vector3Subtract(corner_of(box, corner), o->target);
    float near = Vector3DotProduct(p, back); /* how much nearer the corner is than the target */
    distance = fmaxf(distance, near + fabsf(Vector3DotProduct(p, right)) / wide);
    distance = fmaxf(distance, near + fabsf(Vector3DotProduct(p, above)) / tall);
  }
  o->distance = distance * 1.06f;
}

/* In axes of the camera, a corner (x, n) is in view from (cx, cn) where |x - cx| <= wide (cn - n).
 * The largest x + wide n and the largest wide n - x of all corners give the nearest cn. */
static float nearest_distance(const float *x, const float *n, float wide) {
  float one = -INFINITY, other = -INFINITY;
  for (int i = 0; i < 8; i++) {
    one = fmaxf(one, x[i] + wide * n[i]);
    other = fmaxf(other, wide * n[i] - x[i]);
  }
  return (one + other) / (2 * wide);
}

/* the cx at which the left and right margins are equal */
static float middle_of(const float *x, const float *n, float cn) {
  float low = -1e4f, high = 1e4f;
  for (int round = 0; round < 40; round++) {
    float cx = (low + high) / 2, most = -INFINITY, least = INFINITY;
    for (int i = 0; i < 8; i++) {
      float at = (x[i] - cx) / fmaxf(cn - n[i], 1e-3f);
      most = fmaxf(most, at);
      least = fminf(least, at);
    }
    if (most + least > 0)
      low = cx;
    else
      high = cx;
  }
  return (low + high) / 2;
}

void orbit_frame_close(orbit *o, BoundingBox box, float aspect) {
  Vector3 right, above, back = axes_of(o, &right, &above);
  Vector3 middle = Vector3Scale(Vector3Add(box.min, box.max), 0.5f);
  float x[8], y[8], n[8], tall = tanf((float)field_of_view / 2 * DEG2RAD);
  for (int i = 0; i < 8; i++) {
    Vector3 p = Vector3Subtract(corner_of(box, i), middle);
    x[i] = Vector3DotProduct(p, right);
    y[i] = Vector3DotProduct(p, above);
    n[i] = Vector3DotProduct(p, back);
  }
  o->distance = fmaxf(nearest_distance(x, n, tall * aspect), nearest_distance(y, n, tall));
  o->distance = fmaxf(o->distance, 0.05f) * 1.03f;
  right = Vector3Scale(right, middle_of(x, n, o->distance));
  above = Vector3Scale(above, middle_of(y, n, o->distance));
  o->target = Vector3Add(middle, Vector3Add(right, above));
}

void orbit_input(orbit *o, float height) {
  Vector2 move = GetMouseDelta();
  bool shift = IsKeyDown(KEY_LEFT_SHIFT) || IsKeyDown(KEY_RIGHT_SHIFT);
  bool turn = IsMouseButtonDown(MOUSE_BUTTON_LEFT) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  bool pan = IsMouseButtonDown(MOUSE_BUTTON_MIDDLE) || (turn && shift);
  if (pan) {
    Vector3 right, above;
    axes_of(o, &right, &above);
    float scale = o->distance * tanf((float)field_of_view / 2 * DEG2RAD) * 2 / height;
    o->target = Vector3Add(o->target, Vector3Scale(right, -move.x * scale));
    o->target = Vector3Add(o->target, Vector3Scale(above, move.y * scale));
  } else if (turn) {
    o->yaw -= move.x * 0.35f;
    o->pitch = Clamp(o->pitch + move.y * 0.35f, -89, 89);
  }
  Vector2 wheel = GetMouseWheelMoveV();
  if (wheel.y != 0) o->distance = Clamp(o->distance * powf(0.9f, wheel.y), 0.05f, 1000);
  o->yaw -= wheel.x * 4; /* sideways scrolling on a trackpad */
}

Camera3D orbit_camera(const orbit *o) {
  return (Camera3D){ .position = Vector3Add(o->target, Vector3Scale(backwards(o), o->distance)),
                     .target = o->target,
                     .up = { 0, 1, 0 },
                     .fovy = (float)field_of_view,
                     .projection = CAMERA_PERSPECTIVE };
}
