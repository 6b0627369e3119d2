/* The orbit camera. */
#include "draw/orbit.h"

#include <math.h>
#include <raymath.h>
#include <stdio.h>
#include <string.h>

enum { field_of_view = 35 };

orbit orbit_default(void) {
  return (orbit){ .target = { 0, 0.9f, 0 }, .yaw = 30, .pitch = 10, .distance = 3.5f };
}

bool orbit_look(orbit *o, const char *view) {
  static const struct {
    const char *name;
    float yaw, pitch;
  } views[] = { { "front", 0, 0 },
                { "back", 180, 0 },
                { "side", 90, 0 },
                { "top", 0, 89 },
                { "three-quarter", 32, 12 } };
  float yaw, pitch;
  char rest;
  bool found =
      sscanf(view, "%f,%f%c", &yaw, &pitch, &rest) == 2 && fabsf(yaw) <= 360 && fabsf(pitch) <= 89;
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    if (strcmp(view, views[i].name) == 0) {
      yaw = views[i].yaw;
      pitch = views[i].pitch;
      found = true;
    }
  if (!found) return false;
  o->yaw = yaw;
  o->pitch = pitch;
  return true;
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

void orbit_corners(BoundingBox box, Vector3 dest[8]) {
  for (int i = 0; i < 8; i++)
    dest[i] = (Vector3){ i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                         i & 4 ? box.max.z : box.min.z };
}

void orbit_frame(orbit *o, BoundingBox box, float aspect) {
  o->target = Vector3Scale(Vector3Add(box.min, box.max), 0.5f);
  Vector3 right, above, back = axes_of(o, &right, &above);
  float tall = tanf((float)field_of_view / 2 * DEG2RAD), wide = tall * aspect;
  float distance = 0.05f;
  Vector3 corners[8];
  orbit_corners(box, corners);
  for (int corner = 0; corner < 8; corner++) {
    Vector3 p = Vector3Subtract(corners[corner], o->target);
    float near = Vector3DotProduct(p, back); /* how much nearer the corner is than the target */
    distance = fmaxf(distance, near + fabsf(Vector3DotProduct(p, right)) / wide);
    distance = fmaxf(distance, near + fabsf(Vector3DotProduct(p, above)) / tall);
  }
  o->distance = distance * 1.06f;
}

/* the least and greatest direction in which points are seen from (at, back), along one axis */
static Vector2 seen_between(const Vector3 *points, int count, Vector3 axis, Vector3 back, float at,
                            float away) {
  Vector2 range = { INFINITY, -INFINITY };
  for (int i = 0; i < count; i++) {
    float depth = fmaxf(away - Vector3DotProduct(points[i], back), 1e-3f);
    float direction = (Vector3DotProduct(points[i], axis) - at) / depth;
    range = (Vector2){ fminf(range.x, direction), fmaxf(range.y, direction) };
  }
  return range;
}

/* In axes of the camera, a point (x, n) is in view from (cx, cn) where |x - cx| <= wide (cn - n).
 * The largest x + wide n and the largest wide n - x of all points give the nearest cn. */
static float nearest(const Vector3 *points, int count, Vector3 axis, Vector3 back, float wide) {
  float one = -INFINITY, other = -INFINITY;
  for (int i = 0; i < count; i++) {
    float x = Vector3DotProduct(points[i], axis), n = Vector3DotProduct(points[i], back);
    one = fmaxf(one, x + wide * n);
    other = fmaxf(other, wide * n - x);
  }
  return (one + other) / (2 * wide);
}

/* the cx at which the margins on both sides are equal */
static float middle_of(const Vector3 *points, int count, Vector3 axis, Vector3 back, float away) {
  float low = -1e4f, high = 1e4f;
  for (int round = 0; round < 40; round++) {
    float at = (low + high) / 2;
    Vector2 seen = seen_between(points, count, axis, back, at, away);
    if (seen.x + seen.y > 0)
      low = at;
    else
      high = at;
  }
  return (low + high) / 2;
}

void orbit_frame_points(orbit *o, const Vector3 *points, int count, float aspect) {
  if (count < 1) return;
  Vector3 right, above, back = axes_of(o, &right, &above), least = points[0], most = points[0];
  for (int i = 1; i < count; i++) {
    least = Vector3Min(least, points[i]);
    most = Vector3Max(most, points[i]);
  }
  float tall = tanf((float)field_of_view / 2 * DEG2RAD);
  float middle = Vector3DotProduct(Vector3Scale(Vector3Add(least, most), 0.5f), back);
  float away = fmaxf(nearest(points, count, right, back, tall * aspect),
                     nearest(points, count, above, back, tall));
  o->distance = fmaxf(away - middle, 0.05f) * 1.07f;
  away = middle + o->distance;
  right = Vector3Scale(right, middle_of(points, count, right, back, away));
  above = Vector3Scale(above, middle_of(points, count, above, back, away));
  o->target = Vector3Add(Vector3Scale(back, middle), Vector3Add(right, above));
}

/* zooms in by steps of the wheel: what `ray` meets at the depth of the target stays under it */
static void zoom(orbit *o, float steps, Ray ray) {
  float distance = Clamp(o->distance * powf(0.9f, steps), 0.05f, 1000);
  Vector3 back = backwards(o);
  float along = -Vector3DotProduct(ray.direction, back);
  if (along > 1e-3f) {
    Vector3 to = Vector3Subtract(o->target, ray.position);
    Vector3 on =
        Vector3Add(ray.position, Vector3Scale(ray.direction, -Vector3DotProduct(to, back) / along));
    o->target = Vector3Lerp(on, o->target, distance / o->distance);
  }
  o->distance = distance;
}

void orbit_input(orbit *o, float height, Ray ray) {
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
  if (wheel.y != 0) zoom(o, wheel.y, ray);
  o->yaw -= wheel.x * 4; /* sideways scrolling on a trackpad */
}

Camera3D orbit_camera(const orbit *o) {
  return (Camera3D){ .position = Vector3Add(o->target, Vector3Scale(backwards(o), o->distance)),
                     .target = o->target,
                     .up = { 0, 1, 0 },
                     .fovy = (float)field_of_view,
                     .projection = CAMERA_PERSPECTIVE };
}
