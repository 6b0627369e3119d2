/* Building reach cones: what is refused and with which message, smoothing, ellipses, memory. */
#include "cone_cases.h"
#include "fixture.h"
#include "owned.h"
#include "scarce.h"

/* n points `polar` degrees off +z, counter-clockwise, every `skip` of them */
static void ring(float (*points)[3], int n, double polar, int skip) {
  for (int i = 0; i < n; i++) {
    double at = 2 * CASE_PI * i * skip / n, r = polar * CASE_PI / 180;
    points[i][0] = (float)(sin(r) * cos(at));
    points[i][1] = (float)(sin(r) * sin(at));
    points[i][2] = (float)cos(r);
  }
}

static sinew_cone_desc about_z(const float (*points)[3], int count) {
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = points;
  desc.count = count;
  desc.rest[2] = 1;
  return desc;
}

static bool refuses(const sinew_cone_desc *desc, sinew_status status, const char *part) {
  if (sinew_cone_create(desc, &error) || error.status != status)
    return mu_fail(__FILE__, __LINE__, "expected '%s', got status %d: %s", part, error.status,
                   error.text);
  if (strstr(error.text, part)) return true;
  return mu_fail(__FILE__, __LINE__, "expected '%s', got '%s'", part, error.text);
}

MU_TEST(cone_of_fewer_than_three_points_is_refused) {
  float points[3][3];
  ring(points, 3, 30, 1);
  for (int n = -1; n < 3; n++) {
    sinew_cone_desc desc = about_z((const float(*)[3])points, n);
    MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "at least three points are needed"));
  }
  sinew_cone_desc desc = about_z(NULL, 5);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "at least three points are needed, not 0"));
  desc = about_z((const float(*)[3])points, 3);
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
}

MU_TEST(cone_without_directions_is_refused) {
  float points[5][3];
  ring(points, 5, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 5);
  points[3][1] = NAN;
  MU_CHECK(refuses(&desc, SINEW_ERR_NOT_FINITE, "point 4 is not finite"));
  memset(points[3], 0, sizeof points[3]);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "point 4 has no direction"));
  ring(points, 5, 30, 1);
  desc.rest[2] = INFINITY;
  MU_CHECK(refuses(&desc, SINEW_ERR_NOT_FINITE, "rest direction is not finite"));
  desc.rest[2] = 0;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "rest direction has no direction"));
  desc.rest[2] = 1;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "visible point has no direction"));
}

MU_TEST(cone_points_of_any_length_are_directions) {
  float points[5][3];
  ring(points, 5, 30, 1);
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++) points[i][k] *= 0.01f * (float)(i + 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 5);
  desc.rest[2] = 250;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  float p[3];
  sinew_cone_point(cone, 2, p);
  MU_NEAR(si_vec_length(p), 1, 1e-6);
  sinew_cone_rest(cone, p);
  MU_NEAR(p[2], 1, 0);
}

MU_TEST(cone_given_clockwise_is_refused_with_a_hint) {
  float points[7][3], reversed[7][3];
  ring(points, 7, 100, 1);
  for (int i = 0; i < 7; i++) memcpy(reversed[i], points[6 - i], sizeof points[0]);
  sinew_cone_desc desc = about_z((const float(*)[3])reversed, 7);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "clockwise"));
  MU_HAS(error.text, "reverse their order");
}

MU_TEST(cone_names_its_first_bad_edge) {
  float points[8][3];
  /* points 5 and 6 are swapped: the edge between them runs backwards */
  ring(points, 8, 40, 1);
  float kept[3];
  memcpy(kept, points[4], sizeof kept);
  memcpy(points[4], points[5], sizeof kept);
  memcpy(points[5], kept, sizeof kept);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 8);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "edge 5 (from point 5 to point 6)"));
  /* V beyond the edge from the last point to the first */
  ring(points, 4, 10, 1);
  desc.count = 4;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  desc.visible[0] = 0.2f, desc.visible[1] = -0.2f, desc.visible[2] = 1;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "edge 4 (from point 4 to point 1)"));
  /* V on an edge */
  ring(points, 3, 40, 1);
  memcpy(points[0], (float[]){ 0, 0.5f, 1 }, sizeof points[0]);
  memcpy(points[1], (float[]){ 0, -0.5f, 1 }, sizeof points[0]);
  memcpy(points[2], (float[]){ 1, 0, 1 }, sizeof points[0]);
  desc = about_z((const float(*)[3])points, 3);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "edge 1 (from point 1 to point 2)"));
}

MU_TEST(cone_that_winds_twice_is_refused) {
  /* the star {5/2}: every volume is positive */
  float points[5][3];
  ring(points, 5, 40, 2);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 5);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "winds 2 times"));
  MU_HAS(error.text, "edge 3 (from point 3 to point 4)");
}

MU_TEST(cone_points_that_coincide_or_lie_on_the_axis_are_refused) {
  float points[6][3];
  ring(points, 6, 40, 1);
  memcpy(points[5], points[4], sizeof points[0]);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 6);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "points 5 and 6 coincide"));
  ring(points, 6, 40, 1);
  memcpy(points[5], points[0], sizeof points[0]);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "points 6 and 1 coincide"));
  memcpy(points[5], (float[]){ 0, 0, 2 }, sizeof points[0]);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "point 6 lies on the visible point"));
  memcpy(points[5], (float[]){ 0, 0, -2 }, sizeof points[0]);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "point 6 lies opposite to the visible point"));
  ring(points, 6, 90, 1);
  for (int k = 0; k < 3; k++) points[3][k] = -points[2][k];
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "points 3 and 4 are opposite"));
}

MU_TEST(cone_with_its_rest_outside_is_refused) {
  float points[4][3];
  ring(points, 4, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 4);
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  desc.visible[2] = 1;
  memcpy(desc.rest, (float[]){ -1, 1, 1 }, sizeof desc.rest);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "outside, beyond edge 2 (from point 2 to point 3)"));
  memcpy(desc.rest, (float[]){ 0, 0, -1 }, sizeof desc.rest);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "rest direction"));
  /* at a point, on an edge, and just inside it */
  memcpy(desc.rest, points[1], sizeof desc.rest);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "on the boundary, at edge 1 (from point 1 to point 2)"));
  for (int k = 0; k < 3; k++) desc.rest[k] = points[2][k] + points[3][k];
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "on the boundary, at edge 3 (from point 3 to point 4)"));
  desc.rest[2] += 1e-4f;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, &error)) != NULL);
  sinew_cone_rest(cone, desc.rest);
  MU_CHECK(sinew_cone_inside(cone, desc.rest, NULL));
}

MU_TEST(cone_twist_limits_in_the_wrong_order_are_refused) {
  float points[4][3], twist[4][2] = { { 0, 1 }, { 5, 5 }, { -9, 9 }, { -3, 2 } };
  ring(points, 4, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 4);
  desc.twist = (const float(*)[2])twist;
  twist[2][0] = 10;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "point 3: min 10 is above max 9"));
  twist[2][0] = NAN;
  MU_CHECK(refuses(&desc, SINEW_ERR_NOT_FINITE, "point 3 are not finite"));
  twist[2][0] = -9;
  desc.has_visible_twist = true;
  desc.visible_twist[0] = 2, desc.visible_twist[1] = 1;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "the visible point: min 2 is above max 1"));
}

MU_TEST(cone_twist_limits_of_points_and_v_default_to_each_other) {
  float points[4][3], twist[4][2] = { { 0, 1 }, { 5, 5 }, { -9, 9 }, { -4, 5 } }, pair[2];
  ring(points, 4, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 4);
  sinew_cone *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  MU_CHECK(!sinew_cone_point_twist(cone, 1, pair));
  MU_CHECK(!sinew_cone_twist(cone, points[0], NULL, pair));
  sinew_cone_destroy(cone);
  desc.twist = (const float(*)[2])twist;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  MU_CHECK(sinew_cone_point_twist(cone, -1, pair));
  MU_NEAR(pair[0], -2, 1e-6);
  MU_NEAR(pair[1], 5, 1e-6);
  sinew_cone_destroy(cone);
  desc.twist = NULL;
  desc.has_visible_twist = true;
  desc.visible_twist[0] = -60, desc.visible_twist[1] = 100;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  MU_CHECK(sinew_cone_twist(cone, points[2], NULL, pair));
  MU_NEAR(pair[0], -60, 1e-5);
  MU_NEAR(pair[1], 100, 1e-5);
  sinew_cone_destroy(cone);
}

MU_TEST(cone_visible_point_may_be_the_sum) {
  float points[5][3], v[3];
  ring(points, 5, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 5);
  desc.visible_from = SINEW_VISIBLE_SUM;
  desc.rest[0] = 0.2f;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  sinew_cone_visible_point(cone, v);
  MU_NEAR(v[0], 0, 1e-6);
  MU_NEAR(v[2], 1, 1e-6);
  ring(points, 5, 90, 1);
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "give one"));
}

/* [Wilhelms 2001, eq. 8 to 10] literally, with plane vectors as in the paper */
static void oracle_project(const double *v, const double *p, double *dest) {
  double lambda = dot3(v, p), mu = 2 / (1 + lambda);
  for (int k = 0; k < 3; k++) dest[k] = mu * p[k] + (1 - mu) * -v[k];
}
static void oracle_unproject(const double *v, const double *q, double *dest) {
  double d[3] = { q[0] - v[0], q[1] - v[1], q[2] - v[2] }, mu = 4 / (4 + dot3(d, d));
  for (int k = 0; k < 3; k++) dest[k] = mu * q[k] + (1 - mu) * -v[k];
}
static double oracle_alpha(int k) {
  return k == 3 ? .1667 : k == 4 ? .1036 : k == 5 ? .0850 : k == 6 ? .0773 : k == 7 ? .0700 : .0625;
}

MU_TEST(cone_smoothing_follows_the_paper) {
  dice d = { 31 };
  int smoothed = 0;
  for (int round = 0; round < 300; round++) {
    int n = 3 + roll_int(&d, 8), steps = 1 + roll_int(&d, 3);
    cone_case c = make_case(&d, roll_int(&d, CASE_KINDS), n);
    double old[128][3], old_twist[128], v[3];
    float twist[16][2];
    widen3(c.visible, v);
    unit3(v, v);
    for (int i = 0; i < n; i++) {
      widen3(c.points[i], old[i]);
      unit3(old[i], old[i]);
      twist[i][0] = (float)(old_twist[i] = (double)(float)roll(&d, -90, 0));
      twist[i][1] = 0;
    }
    sinew_cone_desc desc = sinew_default_cone_desc();
    desc.points = (const float(*)[3])c.points;
    desc.count = n;
    desc.smooth = steps;
    desc.twist = (const float(*)[2])twist;
    memcpy(desc.rest, c.visible, sizeof desc.rest);
    OWNED(cone) *cone = sinew_cone_create(&desc, &error);
    int count = n;
    for (int s = 0; s < steps; s++, count *= 2) {
      double q[128][3], fresh[128][3], fresh_twist[128] = { 0 };
      for (int i = 0; i < count; i++) oracle_project(v, old[i], q[i]);
      for (int i = 0; i < count; i++) {
        double x[3], a = oracle_alpha(count);
        int last = (i + count - 1) % count, next = (i + 1) % count, after = (i + 2) % count;
        for (int k = 0; k < 3; k++)
          x[k] = 0.5 * (q[i][k] + q[next][k]) + a * (q[next][k] - q[last][k]) +
                 a * (q[i][k] - q[after][k]);
        memcpy(fresh[2 * i], old[i], sizeof fresh[0]);
        oracle_unproject(v, x, fresh[2 * i + 1]);
        fresh_twist[2 * i] = old_twist[i];
        fresh_twist[2 * i + 1] = (old_twist[i] + old_twist[next]) / 2;
      }
      memcpy(old, fresh, 2 * (size_t)count * sizeof old[0]);
      memcpy(old_twist, fresh_twist, 2 * (size_t)count * sizeof old_twist[0]);
      bool star = true;
      for (int i = 0; i < 2 * count; i++)
        star = star && triangle3(v, old[i], old[(i + 1) % (2 * count)]) > 0;
      if (!cone) {
        char words[40];
        snprintf(words, sizeof words, "after step %d of %d", s + 1, steps);
        if (!star) {
          MU_HAS(error.text, words);
          break;
        }
        MU_CHECK(s + 1 < steps);
      } else {
        MU_CHECK(star);
      }
    }
    if (cone) {
      smoothed++;
      MU_INT(sinew_cone_count(cone), count);
      for (int i = 0; i < count; i++) {
        float p[3], pair[2];
        sinew_cone_point(cone, i, p);
        for (int k = 0; k < 3; k++) MU_NEAR(p[k], old[i][k], 3e-6);
        sinew_cone_point_twist(cone, i, pair);
        MU_NEAR(pair[0], old_twist[i], 1e-4);
      }
    }
    free(c.points);
  }
  MU_CHECK(smoothed > 100 && smoothed < 300);
}

/* figure 5: 30 degrees to the sides, 15 up and down, smoothed twice, is nearly an ellipse */
MU_TEST(cone_smoothing_turns_the_rhombus_of_figure_5_into_an_ellipse) {
  const double wide = 2 * tan(15 * M_PI / 180), high = 2 * tan(7.5 * M_PI / 180);
  const float c30 = cosf(30 * (float)M_PI / 180), s30 = sinf(30 * (float)M_PI / 180);
  const float c15 = cosf(15 * (float)M_PI / 180), s15 = sinf(15 * (float)M_PI / 180);
  const float points[4][3] = {
    { s30, 0, c30 }, { 0, s15, c15 }, { -s30, 0, c30 }, { 0, -s15, c15 }
  };
  sinew_cone_desc desc = about_z(points, 4);
  desc.smooth = 2;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, NULL)) != NULL);
  MU_INT(sinew_cone_count(cone), 16);
  for (int i = 0; i < 16; i++) {
    float p[3];
    sinew_cone_point(cone, i, p);
    /* on the tangent plane at V */
    double x = 2 * (double)p[0] / (1 + (double)p[2]), y = 2 * (double)p[1] / (1 + (double)p[2]);
    MU_NEAR(hypot(x / wide, y / high), 1, 0.02);
  }
}

MU_TEST(cone_smoothing_that_loses_the_rest_direction_is_refused) {
  /* a triangle: once smoothed, an edge cuts off a rest direction near a corner */
  float points[4][3] = { { 1, 0, 0.2f }, { 0.35f, 0.35f, 1 }, { 0, 1, 0.2f }, { -1, -1, 0.2f } };
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])points;
  desc.count = 4;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  desc.visible[2] = 1;
  sinew_cone *cone = NULL;
  /* move a rest direction along just inside an edge until smoothing excludes it */
  int refused = 0;
  for (int i = 1; i < 40; i++) {
    double t = i / 40.0;
    for (int k = 0; k < 3; k++)
      desc.rest[k] = (float)(((1 - t) * (double)points[0][k] + t * (double)points[1][k]) * 0.99 +
                             0.01 * (double)desc.visible[k]);
    desc.smooth = 0;
    MU_CHECK((cone = sinew_cone_create(&desc, &error)) != NULL);
    sinew_cone_destroy(cone);
    desc.smooth = 2;
    if (!(cone = sinew_cone_create(&desc, &error))) {
      refused++;
      MU_HAS(error.text, "of 2 of smoothing: the rest direction");
    }
    sinew_cone_destroy(cone);
  }
  MU_CHECK(refused > 0);
}

MU_TEST(cone_steps_of_smoothing_are_bounded) {
  float points[4][3];
  ring(points, 4, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 4);
  desc.smooth = -1;
  MU_CHECK(refuses(&desc, SINEW_ERR_VALUE, "-1 steps of smoothing"));
  desc.smooth = 15;
  MU_CHECK(refuses(&desc, SINEW_ERR_LIMIT, "more than 65536 points"));
  desc.smooth = 2000000000;
  MU_CHECK(refuses(&desc, SINEW_ERR_LIMIT, "more than 65536 points"));
  desc.smooth = 0;
  desc.count = 2000000000;
  MU_CHECK(refuses(&desc, SINEW_ERR_LIMIT, "more than 65536 points"));
  desc.count = 4;
  desc.smooth = 10;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, &error)) != NULL);
  MU_INT(sinew_cone_count(cone), 4096);
  /* the paper's rhombus becomes nearly round here */
  MU_NEAR(sinew_cone_area(cone), 2 * CASE_PI * (1 - cos(CASE_PI / 6)), 0.03);
}

MU_TEST(cone_ellipse_meets_its_half_angles) {
  sinew_cone_ellipse e = { .size = sizeof e,
                           .rest = { 0, -2, 0 },
                           .right = { 1, 0.5f, 0 },
                           .degrees = { 30, 15, 130, 160 },
                           .points = 36 };
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create_ellipse(&e, &error)) != NULL);
  /* azimuth 90 is rest x right: -y x x = +z */
  const double at[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
  for (int i = 0; i < 4; i++) {
    double off = (double)e.degrees[i] * CASE_PI / 180;
    float p[3];
    sinew_cone_point(cone, 9 * i, p);
    MU_NEAR(p[0], sin(off) * at[i][0], 1e-6);
    MU_NEAR(p[1], -cos(off), 1e-6);
    MU_NEAR(p[2], sin(off) * at[i][1], 1e-6);
    for (int side = -1; side <= 1; side += 2) {
      double near = off + side * 1e-3;
      float l[3] = { (float)(sin(near) * at[i][0]), (float)-cos(near),
                     (float)(sin(near) * at[i][1]) };
      MU_CHECK(sinew_cone_inside(cone, l, NULL) == (side < 0));
    }
  }
}

MU_TEST(cone_ellipse_of_equal_half_angles_is_round) {
  for (int degrees = 5; degrees < 180; degrees += 25) {
    sinew_cone_ellipse e = {
      .size = sizeof e, .rest = { 1, 2, 3 }, .right = { 0, 0, 1 }, .points = 500
    };
    for (int k = 0; k < 4; k++) e.degrees[k] = (float)degrees;
    e.has_twist = true;
    e.twist[0] = -1, e.twist[1] = 2;
    OWNED(cone) *cone = NULL;
    MU_CHECK((cone = sinew_cone_create_ellipse(&e, &error)) != NULL);
    MU_NEAR(sinew_cone_area(cone), 2 * CASE_PI * (1 - cos(degrees * CASE_PI / 180)), 2e-3);
    float pair[2];
    MU_CHECK(sinew_cone_twist(cone, (float[]){ 0, 0, 1 }, NULL, pair));
    MU_NEAR(pair[1], 2, 1e-6);
  }
}

MU_TEST(cone_ellipse_refuses_invalid_parameters) {
  const sinew_cone_ellipse good = { .size = sizeof good,
                                    .rest = { 0, 0, 1 },
                                    .right = { 1, 0, 0 },
                                    .degrees = { 30, 30, 30, 30 },
                                    .points = 8 };
  sinew_cone *cone = NULL;
  sinew_cone_ellipse e = good;
  e.degrees[2] = 180;
  MU_CHECK(!sinew_cone_create_ellipse(&e, &error) && error.status == SINEW_ERR_VALUE);
  MU_HAS(error.text, "half angle 3 is 180");
  e.degrees[2] = NAN;
  MU_CHECK(!sinew_cone_create_ellipse(&e, &error) && error.status == SINEW_ERR_VALUE);
  e = good;
  e.right[0] = 0, e.right[2] = -3;
  MU_CHECK(!sinew_cone_create_ellipse(&e, &error) && error.status == SINEW_ERR_VALUE);
  MU_HAS(error.text, "along the rest direction");
  e = good;
  e.points = 2;
  MU_CHECK(!sinew_cone_create_ellipse(&e, &error) && error.status == SINEW_ERR_VALUE);
  MU_HAS(error.text, "an ellipse of 2 points");
  e = good;
  e.has_twist = true;
  e.twist[0] = 1;
  MU_CHECK(!sinew_cone_create_ellipse(&e, &error) && error.status == SINEW_ERR_VALUE);
  MU_HAS(error.text, "the visible point: min 1 is above max 0");
  MU_CHECK(!cone);
}

MU_TEST(cone_survives_every_failing_allocation) {
  float points[5][3];
  ring(points, 5, 30, 1);
  sinew_cone_desc desc = about_z((const float(*)[3])points, 5);
  desc.smooth = 2;
  sinew_cone_ellipse e = { .size = sizeof e,
                           .rest = { 0, 0, 1 },
                           .right = { 1, 0, 0 },
                           .degrees = { 30, 30, 30, 30 },
                           .points = 8 };
  size_t before = sinew_live_bytes();
  int failed[2] = { 0, 0 };
  bool made[2] = { false, false };
  for (int kind = 0; kind < 2; kind++)
    for (int n = 0; !made[kind] && n < 10; n++) {
      scarce_memory(n);
      OWNED(cone) *cone =
          kind ? sinew_cone_create_ellipse(&e, &error) : sinew_cone_create(&desc, &error);
      failed[kind] += !cone && error.status == SINEW_ERR_MEMORY;
      made[kind] = cone;
    }
  plenty_of_memory();
  MU_CHECK(made[0] && made[1]);
  MU_INT(failed[0], 2);
  MU_INT(failed[1], 3);
  MU_INT(sinew_live_bytes(), before);
}

MU_SUITE(cone_shape)
