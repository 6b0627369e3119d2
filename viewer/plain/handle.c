/* Geometry of handles. */
#include "plain/handle.h"
#include "plain/space.h"

static const float ring_share = 0.78f, arrow_start = 0.16f;

bool handle_has(const handle *h, handle_part part) {
  if (part < 0 || part >= HANDLE_PARTS) return false;
  return part < HANDLE_TURN ? h->moves : part < HANDLE_KNOB ? h->turns : h->knobs;
}

void handle_axis(const handle *h, handle_part part, float dest[3]) {
  memcpy(dest, h->frame + 4 * (part % 3), 3 * sizeof *dest);
}

int handle_line(const handle *h, handle_part part, float dest[handle_line_points][3]) {
  const float *o = h->frame + 12, *axis = h->frame + 4 * (part % 3);
  if (part >= HANDLE_TURN && part < HANDLE_KNOB) {
    const float *u = h->frame + 4 * ((part + 1) % 3), *v = h->frame + 4 * ((part + 2) % 3);
    for (int i = 0; i < handle_line_points; i++) {
      float angle = 360 * SPACE_DEG * (float)i / (handle_line_points - 1);
      float c = h->size * ring_share * cosf(angle), s = h->size * ring_share * sinf(angle);
      for (int k = 0; k < 3; k++) dest[i][k] = o[k] + c * u[k] + s * v[k];
    }
    return handle_line_points;
  }
  bool knob = part >= HANDLE_KNOB;
  for (int k = 0; k < 3; k++) {
    dest[0][k] = o[k] + (knob ? 0 : arrow_start * h->size) * axis[k];
    dest[1][k] = o[k] + (knob ? -h->knob[part % 3] : h->size) * axis[k];
  }
  return 2;
}

void handle_ring(const handle *h, handle_part part, float dest[16]) {
  space_identity(dest);
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++)
      dest[4 * c + k] = h->size * ring_share * h->frame[4 * ((part + c + 2) % 3) + k];
  memcpy(dest + 12, h->frame + 12, 3 * sizeof *dest);
}

bool handle_along(const float from[3], const float direction[3], const float at[3],
                  const float axis[3], float *dest) {
  float d[3] = { direction[0], direction[1], direction[2] }, to[3];
  space_unit(d);
  float along = space_dot(d, axis), across = 1 - along * along;
  if (across < 2.5e-3f) return false;
  for (int k = 0; k < 3; k++) to[k] = from[k] - at[k];
  *dest = (space_dot(to, axis) - along * space_dot(to, d)) / across;
  return true;
}

bool handle_angle(const float from[3], const float direction[3], const float at[3],
                  const float axis[3], const float zero[3], float *dest) {
  float d[3] = { direction[0], direction[1], direction[2] }, met[3], side[3];
  space_unit(d);
  float toward = space_dot(d, axis);
  if (fabsf(toward) < 0.06f) return false;
  for (int k = 0; k < 3; k++) met[k] = at[k] - from[k];
  float way = space_dot(met, axis) / toward;
  for (int k = 0; k < 3; k++) met[k] = from[k] + way * d[k] - at[k];
  space_cross(axis, zero, side);
  *dest = atan2f(space_dot(met, side), space_dot(met, zero)) / SPACE_DEG;
  return true;
}

float handle_snap(float value, float step) { return roundf(value / step) * step; }

bool handle_mirrored(const float m[16]) {
  float n[3];
  space_cross(m, m + 4, n);
  return space_dot(n, m + 8) < 0;
}

/* With R = Rx(a) Ry(b) Rz(c): R02 = sin b, R12 = -sin a cos b, R22 = cos a cos b, R01 = -cos b sin
 * c, R00 = cos b cos c. Where cos b is 0, a takes all of the turn. */
void handle_angles(const float m[16], float dest[3]) {
  float mirror = handle_mirrored(m) ? -1.0f : 1.0f;
  float r02 = mirror * m[8], r12 = mirror * m[9], r22 = mirror * m[10];
  float across = sqrtf(m[0] * m[0] + m[4] * m[4]);
  dest[1] = atan2f(r02, across) / SPACE_DEG;
  bool locked = across < 1e-5f;
  dest[0] = (locked ? atan2f(m[6], m[5]) : atan2f(-r12, r22)) / SPACE_DEG;
  dest[2] = locked ? 0 : atan2f(-m[4], m[0]) / SPACE_DEG;
  for (int k = 0; k < 3; k++) dest[k] += 0.0f; /* no -0 */
}

void handle_from_angles(const float angles[3], bool mirrored, float m[16]) {
  space_identity(m);
  for (int k = 0; k < 3; k++) {
    float axis[3] = { k == 0, k == 1, k == 2 }, turn[16];
    space_turn(axis, angles[k], turn);
    space_mul(m, turn, m);
  }
  for (int k = 8; mirrored && k < 11; k++) m[k] = -m[k];
}

void handle_square(float m[16]) {
  bool mirrored = handle_mirrored(m);
  space_unit(m);
  float on = space_dot(m, m + 4);
  for (int k = 0; k < 3; k++) m[4 + k] -= on * m[k];
  space_unit(m + 4);
  space_cross(m, m + 4, m + 8);
  for (int k = 8; mirrored && k < 11; k++) m[k] = -m[k];
}
