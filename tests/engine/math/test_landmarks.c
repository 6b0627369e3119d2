/* Landmarks: similarities come back from their own images, residuals are the least among turned
 * neighbours, and warps meet every point. */
#include "make.h"
#include "math/landmarks.h"
#include "minunit.h"

enum { MOST = 12 };

static void random_places(uint32_t *seed, int count, si_place *dest) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) dest[i][k] = (double)make_between(seed, -1, 1);
}

static void transformed(const double m[16], const si_place p, si_place dest) {
  for (int k = 0; k < 3; k++) dest[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
}

static double error_of(const double m[16], const si_place *from, const si_place *to, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    si_place p;
    transformed(m, from[i], p);
    for (int k = 0; k < 3; k++) sum += (p[k] - to[i][k]) * (p[k] - to[i][k]);
  }
  return sum;
}

MU_TEST(landmarks_find_the_similarity_they_were_moved_by) {
  uint32_t seed = 4;
  for (int n = 0; n < mu_rounds(500); n++) {
    si_place from[MOST], to[MOST];
    float frame[16], size = make_between(&seed, 0.2f, 5);
    double m[16], found[16];
    int count = 1 + make_index(&seed, MOST);
    random_places(&seed, count, from);
    make_frame(&seed, MAKE_TURNED, frame);
    for (int i = 0; i < 16; i++) m[i] = (double)frame[i] * (i < 12 && i % 4 < 3 ? (double)size : 1);
    for (int i = 0; i < count; i++) transformed(m, from[i], to[i]);
    si_similarity(from, to, count, found);
    /* three points or more have one similarity; fewer at least meet their targets */
    MU_CHECK_SAY(error_of(found, from, to, count) < 1e-9, "%d points: %g", count,
                 error_of(found, from, to, count));
    for (int i = 0; count > 3 && i < 16; i++) MU_NEAR(found[i], m[i], 1e-4);
  }
}

/* no small turn of the result is better */
MU_TEST(landmarks_that_do_not_fit_have_the_least_error) {
  uint32_t seed = 6;
  for (int n = 0; n < mu_rounds(300); n++) {
    si_place from[MOST], to[MOST];
    double found[16], turned[16];
    random_places(&seed, MOST, from);
    random_places(&seed, MOST, to);
    si_similarity(from, to, MOST, found);
    double best = error_of(found, from, to, MOST);
    si_place middle = { 0, 0, 0 };
    for (int i = 0; i < MOST; i++)
      for (int k = 0; k < 3; k++) middle[k] += to[i][k] / MOST;
    for (int axis = 0; axis < 3; axis++)
      for (int sign = -1; sign < 2; sign += 2) {
        double c = cos(0.01), s = sign * sin(0.01);
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        memcpy(turned, found, sizeof turned);
        for (int col = 0; col < 4; col++) {
          double off = col == 3 ? 1 : 0;
          double a = found[4 * col + u] - off * middle[u], b = found[4 * col + v] - off * middle[v];
          turned[4 * col + u] = c * a - s * b + off * middle[u];
          turned[4 * col + v] = s * a + c * b + off * middle[v];
        }
        MU_CHECK(error_of(turned, from, to, MOST) > best - 1e-9);
      }
  }
}

MU_TEST(landmarks_of_two_points_turn_the_shortest_way_even_if_opposite) {
  const si_place from[2] = { { 0, 0, 0 }, { 0, 1, 0 } };
  for (int axis = 0; axis < 3; axis++)
    for (int sign = -1; sign < 2; sign += 2) {
      si_place to[2] = { { 1, 2, 3 }, { 1, 2, 3 } };
      double m[16];
      to[1][axis] += 2 * sign;
      si_similarity(from, to, 2, m);
      MU_CHECK(error_of(m, from, to, 2) < 1e-20);
    }
}

MU_TEST(landmarks_warps_meet_every_point_and_keep_common_movements) {
  uint32_t seed = 9;
  for (int n = 0; n < mu_rounds(300); n++) {
    si_place points[MOST], moves[MOST], weights[MOST + 1];
    double work[(MOST + 1) * (MOST + 1)];
    int count = 2 + make_index(&seed, MOST - 1);
    random_places(&seed, count, points);
    random_places(&seed, count, moves);
    if (n % 3 == 0) /* all the same: everything moves along */
      for (int i = 1; i < count; i++) memcpy(moves[i], moves[0], sizeof moves[i]);
    MU_CHECK(si_warp_make(points, moves, count, weights, work));
    for (int i = 0; i < count; i++) {
      si_place p = { points[i][0], points[i][1], points[i][2] };
      si_warp_point(points, weights, count, p);
      for (int k = 0; k < 3; k++) MU_NEAR(p[k], points[i][k] + moves[i][k], 1e-7);
    }
    si_place far = { 30, -20, 10 };
    si_warp_point(points, weights, count, far);
    if (n % 3 == 0) MU_NEAR(far[0], 30 + moves[0][0], 1e-7);
  }
  si_place same[2] = { { 1, 2, 3 }, { 1, 2, 3 } }, weights[3];
  double work[9];
  MU_CHECK(!si_warp_make(same, same, 2, weights, work));
}

MU_SUITE(landmarks)
