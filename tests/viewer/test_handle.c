/* Handles: a ray through a point moved along an arrow, or rotated on a ring, drags it by exactly
 * that amount, in frames of every kind; and angles give back the matrix that they were read from.
 */
#include "make.h"
#include "minunit.h"

#include "plain/handle.h"
#include "plain/space.h"

static void random_handle(uint32_t *seed, int kind, handle *h) {
  *h = (handle){ .moves = true, .turns = true, .knobs = true };
  make_frame(seed, kind, h->frame);
  h->size = make_between(seed, 0.01f, 2);
  for (int k = 0; k < 3; k++) h->knob[k] = make_between(seed, 0.01f, 0.3f);
}

/* a ray from a random point through a given point */
static void ray_to(uint32_t *seed, const float *at, float *from, float *direction) {
  make_axis(seed, direction);
  float way = make_between(seed, 0.5f, 4), length = make_between(seed, 0.1f, 5);
  for (int k = 0; k < 3; k++) {
    from[k] = at[k] - way * direction[k];
    direction[k] *= length;
  }
}

MU_TEST(an_arrow_is_dragged_to_the_point_under_the_ray) {
  uint32_t seed = 11;
  int tried = 0;
  for (int round = 0; round < mu_rounds(2000); round++) {
    handle h;
    float axis[3], at[3], from[3], direction[3], found, along = make_between(&seed, -3, 3);
    random_handle(&seed, round % MAKE_FRAMES, &h);
    handle_axis(&h, (handle_part)(round % 3), axis);
    for (int k = 0; k < 3; k++) at[k] = h.frame[12 + k] + along * axis[k];
    ray_to(&seed, at, from, direction);
    if (space_degrees_between(direction, axis) < 10 || space_degrees_between(direction, axis) > 170)
      continue;
    tried++;
    MU_CHECK(handle_along(from, direction, h.frame + 12, axis, &found));
    MU_NEAR(found, along, 2e-4f);
  }
  MU_CHECK(tried > mu_rounds(2000) / 2);
}

MU_TEST(a_ring_is_rotated_to_the_point_under_the_ray) {
  uint32_t seed = 12;
  for (int round = 0; round < mu_rounds(2000); round++) {
    handle h;
    float axis[3], zero[3], turn[16], out[3], at[3], from[3], direction[3], found;
    random_handle(&seed, round % MAKE_FRAMES, &h);
    handle_part part = (handle_part)(HANDLE_TURN + round % 3);
    handle_axis(&h, part, axis);
    memcpy(zero, h.frame + 4 * ((part + 1) % 3), sizeof zero);
    float degrees = make_between(&seed, -179, 179), far = make_between(&seed, 0.1f, 2);
    space_turn(axis, degrees, turn);
    space_direction(turn, zero, out);
    for (int k = 0; k < 3; k++) at[k] = h.frame[12 + k] + far * out[k];
    ray_to(&seed, at, from, direction);
    if (fabsf(space_dot(direction, axis)) < 0.2f * space_length(direction)) continue;
    MU_CHECK(handle_angle(from, direction, h.frame + 12, axis, zero, &found));
    MU_NEAR(remainderf(found - degrees, 360), 0, 0.02f);
  }
}

MU_TEST(a_ray_that_determines_nothing_is_refused) {
  const float from[3] = { 0, 0, 5 }, ahead[3] = { 0, 0, -1 }, at[3] = { 0, 0, 0 };
  const float x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };
  float found;
  MU_CHECK(!handle_along(from, ahead, at, z, &found));
  MU_CHECK(!handle_angle(from, ahead, at, x, z, &found));
}

MU_TEST(lines_lie_on_their_rings_and_arrows) {
  uint32_t seed = 13;
  for (int round = 0; round < mu_rounds(200); round++) {
    handle h;
    random_handle(&seed, round % MAKE_FRAMES, &h);
    for (int part = 0; part < HANDLE_PARTS; part++) {
      float line[handle_line_points][3], axis[3], ring[16];
      int count = handle_line(&h, (handle_part)part, line);
      handle_axis(&h, (handle_part)part, axis);
      bool turn = part >= HANDLE_TURN && part < HANDLE_KNOB;
      MU_INT(count, turn ? handle_line_points : 2);
      for (int i = 0; i < count; i++) {
        float to[3], n[3];
        for (int k = 0; k < 3; k++) to[k] = line[i][k] - h.frame[12 + k];
        if (turn) {
          MU_NEAR(space_dot(to, axis), 0, 1e-5f);
          continue;
        }
        space_cross(to, axis, n);
        MU_NEAR(space_length(n), 0, 1e-5f);
      }
      if (!turn) continue;
      /* the mesh of a circle about y is on the same ring */
      float a[3],
          b[3] = { line[0][0] - h.frame[12], line[0][1] - h.frame[13], line[0][2] - h.frame[14] };
      const float on[3] = { 0.6f, 0, 0.8f }, up[3] = { 0, 1, 0 };
      handle_ring(&h, (handle_part)part, ring);
      space_direction(ring, on, a);
      MU_NEAR(space_length(a), space_length(b), 1e-5f);
      MU_NEAR(space_dot(a, axis), 0, 1e-5f);
      space_direction(ring, up, a);
      MU_NEAR(space_degrees_between(a, axis), 0, 0.1f);
    }
  }
}

MU_TEST(angles_read_from_a_matrix_give_it_back) {
  uint32_t seed = 14;
  static const float awkward[] = { 0, 90, -90, 180, 89.9999f, 45 };
  for (int round = 0; round < mu_rounds(2000); round++) {
    float m[16], again[16], angles[3];
    if (round < 216) {
      float given[3] = { awkward[round % 6], awkward[round / 6 % 6], awkward[round / 36] };
      handle_from_angles(given, round % 2, m);
    } else {
      make_frame(&seed, round % MAKE_FRAMES, m);
    }
    handle_angles(m, angles);
    handle_from_angles(angles, handle_mirrored(m), again);
    for (int i = 0; i < 12; i++) MU_NEAR(again[i], m[i], 2e-5f);
    for (int k = 0; k < 3; k++) MU_CHECK(angles[k] != 0 || !signbit(angles[k]));
  }
}

MU_TEST(many_small_rotations_stay_rigid_when_orthonormalised) {
  uint32_t seed = 15;
  for (int kind = 0; kind < MAKE_FRAMES; kind++) {
    float m[16];
    make_frame(&seed, kind, m);
    bool mirrored = handle_mirrored(m);
    for (int i = 0; i < mu_rounds(3000); i++) {
      float axis[3], turn[16];
      make_axis(&seed, axis);
      space_turn(axis, make_between(&seed, -3, 3), turn);
      space_mul(turn, m, m);
      handle_square(m);
    }
    MU_CHECK(handle_mirrored(m) == mirrored);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) MU_NEAR(space_dot(m + 4 * a, m + 4 * b), a == b, 1e-5f);
  }
}

MU_TEST(snapping_takes_the_nearest_step) {
  MU_NEAR(handle_snap(0.0124f, 0.005f), 0.01f, 1e-7f);
  MU_NEAR(handle_snap(0.0126f, 0.005f), 0.015f, 1e-7f);
  MU_NEAR(handle_snap(-7.6f, 5), -10, 1e-6f);
}

MU_SUITE(handle)
