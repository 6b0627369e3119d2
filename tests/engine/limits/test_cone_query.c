/* Inclusion, exits and weights of reach cones against slow oracles: a winding number, a loop over
 * every edge, dense steps along the path, and a linear system for the weights. */
#include "cone_cases.h"
#include "fixture.h"
#include "owned.h"

#define QUERIES mu_rounds(100000)

static const int sizes[] = { 3, 4, 5, 8, 25, 60 };

/* random queries: anywhere, near V, near -V, near a point, near an edge */
static void roll_query(dice *d, const sinew_cone *cone, float *dest) {
  double l[3], off[3];
  float v[3], p[3], q[3];
  int where = roll_int(d, 12), n = sinew_cone_count(cone), i = roll_int(d, n);
  sinew_cone_visible_point(cone, v);
  sinew_cone_point(cone, i, p);
  sinew_cone_point(cone, (i + 1) % n, q);
  roll_unit(d, l);
  roll_unit(d, off);
  double near = pow(10, roll(d, -9, -1)), t = roll(d, 0, 1);
  for (int k = 0; k < 3; k++) {
    if (where == 8) l[k] = (double)v[k] + near * off[k];
    if (where == 9) l[k] = -(double)v[k] + near * off[k];
    if (where == 10) l[k] = (double)p[k] + near * off[k];
    if (where == 11) l[k] = (double)p[k] + t * ((double)q[k] - (double)p[k]) + near * off[k];
  }
  unit3(l, l);
  narrow3(l, dest);
}

MU_TEST(cone_inside_agrees_with_the_winding_number) {
  dice d = { 11 };
  int done = 0, insides = 0;
  while (done < QUERIES) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]));
    float v[3];
    double lv[3];
    sinew_cone_visible_point(cone, v);
    widen3(v, lv);
    double area = fan(cone, lv);
    int hint = -1;
    for (int i = 0; i < 500; i++, done++) {
      float l[3];
      double ld[3];
      roll_query(&d, cone, l);
      widen3(l, ld);
      unit3(ld, ld);
      bool expected = oracle_inside(cone, area, ld), found = sinew_cone_inside(cone, l, &hint);
      insides += found;
      if (found != expected) MU_CHECK(boundary_distance(cone, ld) < 5e-7);
    }
  }
  MU_CHECK(insides > QUERIES / 10 && insides < QUERIES * 9 / 10);
}

MU_TEST(cone_inside_agrees_with_the_winding_number_for_5000_points) {
  dice d = { 12 };
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, kind, 5000));
    float v[3];
    double lv[3];
    sinew_cone_visible_point(cone, v);
    widen3(v, lv);
    double area = fan(cone, lv);
    MU_NEAR(sinew_cone_area(cone), area, 1e-3);
    for (int i = 0; i < mu_rounds(150); i++) {
      float l[3];
      double ld[3];
      roll_query(&d, cone, l);
      widen3(l, ld);
      unit3(ld, ld);
      if (sinew_cone_inside(cone, l, NULL) != oracle_inside(cone, area, ld))
        MU_CHECK(boundary_distance(cone, ld) < 5e-7);
    }
  }
}

/* finds the slice by trying all, by the definition */
MU_TEST(cone_search_finds_the_slice_that_holds_the_direction) {
  dice d = { 13 };
  for (int round = 0; round < mu_rounds(60); round++) {
    int n = round % 10 == 9 ? 5000 : 3 + roll_int(&d, 100);
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), n));
    for (int i = 0; i < 2000; i++) {
      float l[3];
      si_v4 dots;
      roll_query(&d, cone, l);
      int slice = si_cone_find(cone, l, -1, &dots);
      MU_CHECK(slice >= 0 && slice < n);
      MU_CHECK(dots[0] > -5e-7f && dots[1] > -5e-7f);
      /* away from the borders only one matches */
      if (dots[0] < 1e-6f || dots[1] < 1e-6f) continue;
      for (int j = 0; n < 200 && j < n; j++) {
        si_v4 other = si_cone_dots(si_cone_slices(cone) + j, l);
        MU_CHECK(j == slice || !(other[0] >= 0 && other[1] > 0));
      }
    }
  }
}

MU_TEST(cone_hints_never_change_a_bit_of_the_result) {
  dice d = { 14 };
  for (int round = 0; round < mu_rounds(200); round++) {
    int n = round % 20 == 19 ? 5000 : sizes[roll_int(&d, 6)];
    cone_case c = make_case(&d, roll_int(&d, CASE_KINDS), n);
    OWNED(cone) *cone = MU_MADE(build_case(&c, NULL));
    for (int i = 0; i < 500; i++) {
      float l[3], from[3], exits[2][3];
      si_v4 dots, hinted;
      roll_query(&d, cone, l);
      /* exactly on a border: a multiple of a point, or halfway between it and V */
      if (i % 10 == 0)
        for (int k = 0; k < 3; k++) l[k] = c.points[i % n][k];
      if (i % 10 == 1) {
        for (int k = 0; k < 3; k++) l[k] = (c.points[i % n][k] + c.visible[k]) / 2;
        si_vec_unit(l, l);
      }
      int wild[] = { -1, -100, n, 1 << 30, roll_int(&d, n), roll_int(&d, n), 0 };
      int slice = si_cone_find(cone, l, -1, &dots);
      wild[6] = slice;
      roll_inside(&d, cone, from);
      int hint = -1;
      bool left = sinew_cone_exit(cone, from, l, &hint, exits[0]);
      for (int k = 0; k < 14; k++) {
        int tried = k < 7 ? wild[k] : (slice + k - 10 + n) % n;
        MU_INT(si_cone_find(cone, l, tried, &hinted), slice);
        MU_CHECK(memcmp(&dots, &hinted, sizeof dots) == 0);
        int again = tried;
        MU_CHECK(sinew_cone_exit(cone, from, l, &again, exits[1]) == left);
        MU_CHECK(memcmp(exits[0], exits[1], sizeof exits[0]) == 0 && again == hint);
      }
    }
    free(c.points);
  }
}

/* the first crossing of the arc from `from` to `to` with any edge, by trying all */
static bool oracle_exit(const sinew_cone *cone, const double *from, const double *to,
                        double *dest) {
  double normal[3], best = 10;
  int n = sinew_cone_count(cone);
  cross3(from, to, normal);
  for (int i = 0; i < n; i++) {
    float pf[3], qf[3];
    double p[3], q[3];
    sinew_cone_point(cone, i, pf);
    sinew_cone_point(cone, (i + 1) % n, qf);
    widen3(pf, p), widen3(qf, q);
    double a = dot3(normal, p), b = dot3(normal, q);
    if ((a < 0) == (b < 0)) continue;
    double x[3], side[3], t = a / (a - b);
    for (int k = 0; k < 3; k++) x[k] = p[k] + t * (q[k] - p[k]);
    unit3(x, x);
    cross3(from, x, side);
    if (dot3(side, normal) < 0 || angle3(from, x) > angle3(from, to)) continue;
    if (angle3(from, x) < best) best = angle3(from, x), memcpy(dest, x, 3 * sizeof *dest);
  }
  return best < 10;
}

MU_TEST(cone_exit_is_the_first_crossing_of_any_edge) {
  dice d = { 15 };
  int done = 0, several = 0, grazed = 0;
  while (done < QUERIES) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]));
    for (int i = 0; i < 500; i++) {
      float from[3], to[3], out[3];
      double f[3], t[3], o[3], x[3] = { 0, 0, 0 };
      roll_inside(&d, cone, from);
      roll_query(&d, cone, to);
      if (i % 2) sinew_cone_rest(cone, from);
      /* very close to V, where an azimuth depends on a few bits */
      for (int k = 0; i % 16 == 0 && k < 3; k++) {
        from[k] = cone->visible[k] + (float)roll(&d, -3e-7, 3e-7);
      }
      if (!(i % 2 ? sinew_cone_hold(cone, to, NULL, out)
                  : sinew_cone_exit(cone, from, to, NULL, out))) {
        MU_CHECK(memcmp(out, to, sizeof out) == 0);
        continue;
      }
      done++;
      widen3(from, f), widen3(to, t), widen3(out, o);
      if (angle3(f, t) > CASE_PI - 1e-5) continue;
      MU_CHECK(boundary_distance(cone, o) < 2e-6);
      MU_NEAR(length3(o), 1, 1e-6);
      if (!oracle_exit(cone, f, t, x)) {
        /* outside by rounding only */
        MU_CHECK(boundary_distance(cone, t) < 5e-7);
        continue;
      }
      if (angle3(x, o) > 1e-5) {
        /* the path touches the boundary at one point and crosses it at the other */
        grazed++;
        double near = 1e-6, normal[3], closest = 10;
        cross3(f, t, normal);
        unit3(normal, normal);
        for (int j = 0; j < sinew_cone_count(cone); j++) {
          float pf[3];
          double p[3];
          sinew_cone_point(cone, j, pf);
          widen3(pf, p);
          closest = fmin(closest, fabs(dot3(normal, p)));
        }
        MU_CHECK_SAY(closest < near || boundary_distance(cone, t) < near,
                     "exit %g off the first crossing", angle3(x, o));
      }
      double again[3], rest[3];
      for (int k = 0; k < 3; k++) rest[k] = o[k] + 1e-4 * (t[k] - o[k]);
      unit3(rest, rest);
      several += oracle_exit(cone, rest, t, again);
    }
  }
  MU_CHECK(several > mu_rounds(1000));
  MU_CHECK(grazed < 50);
}

MU_TEST(cone_exit_agrees_with_dense_steps) {
  dice d = { 16 };
  for (int round = 0; round < mu_rounds(60); round++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, 1 + roll_int(&d, 2), 3 + roll_int(&d, 12)));
    float v[3], from[3], to[3], out[3];
    double lv[3], f[3], t[3], o[3];
    sinew_cone_visible_point(cone, v);
    widen3(v, lv);
    double area = fan(cone, lv);
    for (int i = 0; i < 6; i++) {
      roll_inside(&d, cone, from);
      roll_query(&d, cone, to);
      widen3(from, f), widen3(to, t);
      if (!sinew_cone_exit(cone, from, to, NULL, out) || angle3(f, t) > 3.1) continue;
      widen3(out, o);
      /* every step before the exit is inside; where the path follows the boundary either is right
       */
      double whole = angle3(f, t), gone = angle3(f, o);
      for (int s = 0; s < 400; s++) {
        double at = whole * s / 400, x[3];
        for (int k = 0; k < 3; k++) x[k] = (f[k] * sin(whole - at) + t[k] * sin(at)) / sin(whole);
        if (at > gone) break;
        if (!oracle_inside(cone, area, x)) MU_CHECK(boundary_distance(cone, x) < 1e-6);
      }
    }
  }
}

MU_TEST(cone_exit_of_5000_points_is_the_first_crossing) {
  dice d = { 17 };
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, kind, 5000));
    int wrong = 0;
    for (int i = 0; i < mu_rounds(150); i++) {
      float from[3], to[3], out[3];
      double f[3], t[3], o[3], x[3];
      roll_inside(&d, cone, from);
      roll_unit(&d, t);
      narrow3(t, to);
      widen3(from, f), widen3(to, t);
      if (!sinew_cone_exit(cone, from, to, NULL, out)) continue;
      widen3(out, o);
      MU_CHECK(boundary_distance(cone, o) < 5e-7);
      MU_CHECK(oracle_exit(cone, f, t, x));
      wrong += angle3(x, o) > 2e-6;
    }
    MU_INT(wrong, 0);
  }
}

/* a cone in the plane of symmetry: V, rest, points and targets all with x = 0 exactly */
MU_TEST(cone_exit_through_v_and_past_minus_v_in_one_plane) {
  static const float points[][3] = { { 0, 0.6f, 0.8f },   { -1, 0, 0.2f },     { -1, -0.3f, -0.4f },
                                     { 0, -0.6f, -0.8f }, { 1, -0.3f, -0.4f }, { 1, 0, 0.2f } };
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = points;
  desc.count = 6;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  desc.visible[2] = 1;
  desc.rest[1] = -0.96f, desc.rest[2] = 0.28f;
  OWNED(cone) *cone = NULL;
  MU_CHECK((cone = sinew_cone_create(&desc, &error)) != NULL);
  float out[3];
  /* across V to the far side */
  MU_CHECK(sinew_cone_hold(cone, (float[]){ 0, 0.8f, 0.6f }, NULL, out));
  for (int k = 0; k < 3; k++) MU_NEAR(out[k], points[0][k], 1e-6);
  /* outwards, past the lower point, up to -V */
  MU_CHECK(sinew_cone_hold(cone, (float[]){ 0, 0, -1 }, NULL, out));
  for (int k = 0; k < 3; k++) MU_NEAR(out[k], points[3][k], 1e-6);
  MU_CHECK(sinew_cone_hold(cone, (float[]){ 0, 0.28f, -0.96f }, NULL, out));
  for (int k = 0; k < 3; k++) MU_NEAR(out[k], points[3][k], 1e-6);
}

MU_TEST(cone_exit_opposite_to_rest_goes_towards_the_first_point) {
  dice d = { 18 };
  for (int round = 0; round < mu_rounds(300); round++) {
    cone_case c = make_case(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]);
    OWNED(cone) *cone = MU_MADE(build_case(&c, NULL));
    float rest[3], out[3], to[3], p[3];
    /* from V the path meets the boundary only at the first point */
    sinew_cone_rest(cone, rest);
    sinew_cone_point(cone, 0, p);
    for (int k = 0; k < 3; k++) to[k] = -rest[k];
    MU_CHECK(sinew_cone_hold(cone, to, NULL, out));
    for (int k = 0; k < 3; k++) MU_NEAR(out[k], p[k], 1e-6);
    for (int k = 0; k < 3; k++) to[k] += (float)roll(&d, -3e-7, 3e-7);
    MU_CHECK(sinew_cone_hold(cone, to, NULL, out));
    for (int k = 0; k < 3; k++) MU_NEAR(out[k], p[k], 1e-6);
    /* from elsewhere it is somewhere on the boundary, not beyond the first point */
    float from[3];
    double o[3], f[3], pd[3];
    roll_inside(&d, cone, from);
    for (int k = 0; k < 3; k++) to[k] = -from[k];
    if (sinew_cone_exit(cone, from, to, NULL, out)) {
      widen3(out, o), widen3(from, f), widen3(p, pd);
      MU_CHECK(boundary_distance(cone, o) < 5e-7);
      MU_CHECK(angle3(f, o) < angle3(f, pd) + 1e-6);
    }
    free(c.points);
  }
}

MU_TEST(cone_boundary_points_edges_and_v_are_classified_correctly) {
  dice d = { 19 };
  for (int round = 0; round < mu_rounds(500); round++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]));
    float v[3], p[3], l[3], out[3], near[3];
    int n = sinew_cone_count(cone);
    sinew_cone_visible_point(cone, v);
    MU_CHECK(sinew_cone_inside(cone, v, NULL));
    for (int k = 0; k < 3; k++) l[k] = -v[k];
    MU_CHECK(!sinew_cone_inside(cone, l, NULL));
    for (int i = 0; i < n; i++) {
      sinew_cone_point(cone, i, p);
      /* at a point: the point itself, or, if it is inside both its edges, which may meet at a sharp
       * angle */
      sinew_cone_hold(cone, p, NULL, out);
      for (int k = 0; k < 3; k++) MU_NEAR(out[k], p[k], 1e-4);
      /* slightly nearer to V it is inside */
      for (int k = 0; k < 3; k++) near[k] = p[k] + 1e-4f * (v[k] - p[k]);
      if (si_vec_unit(near, near)) {
        double nd[3];
        widen3(near, nd);
        if (boundary_distance(cone, nd) > 1e-6) MU_CHECK(sinew_cone_inside(cone, near, NULL));
      }
    }
  }
}

/* the round cone about V is inside, and as wide as possible */
MU_TEST(cone_quick_inside_test_is_never_wrong) {
  dice d = { 26 };
  for (int round = 0; round < mu_rounds(300); round++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]));
    double v[3], l[3], edge = acos((double)cone->sure_cosine), least = 10;
    widen3(cone->visible, v);
    for (int i = 0; i < 200; i++) {
      float lf[3];
      place(v, edge * (1 - 1e-4), roll(&d, 0, 7), l);
      narrow3(l, lf);
      MU_CHECK(si_cone_surely_inside(cone, lf));
      MU_CHECK(sinew_cone_inside(cone, lf, NULL));
      place(v, edge * (1 + 1e-4) + 1e-5, roll(&d, 0, 7), l);
      narrow3(l, lf);
      MU_CHECK(!si_cone_surely_inside(cone, lf));
    }
    least = boundary_distance(cone, v);
    MU_NEAR(edge, least, 2e-3);
  }
}

MU_TEST(cone_queries_accept_zero_and_non_finite_directions) {
  dice d = { 20 };
  OWNED(cone) *cone = MU_MADE(make_cone(&d, CASE_CONCAVE, 25));
  const float bad[][3] = { { NAN, 0, 0 },       { INFINITY, 1, 0 }, { 0, 0, 0 },
                           { 1e30f, 1e30f, 0 }, { 1e-40f, 0, 0 },   { NAN, NAN, NAN } };
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      int hint = 3;
      float out[3], limits[2];
      sinew_cone_inside(cone, bad[i], &hint);
      MU_CHECK(hint >= 0 && hint < 25);
      sinew_cone_exit(cone, bad[j], bad[i], &hint, out);
      MU_CHECK(hint >= 0 && hint < 25);
      sinew_cone_hold(cone, bad[i], &hint, out);
      MU_CHECK(hint >= 0 && hint < 25);
      MU_CHECK(!sinew_cone_twist(cone, bad[i], &hint, limits));
    }
}

MU_TEST(cone_hold_is_inside_and_holding_it_again_changes_no_bit) {
  dice d = { 27 };
  int done = 0, corners = 0;
  while (done < QUERIES) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 6)]));
    int hint = -1, n = sinew_cone_count(cone);
    for (int i = 0; i < 500; i++) {
      float to[3], from[3], out[3], again[3], p[3];
      double o[3], t[3], x[3];
      roll_query(&d, cone, to);
      /* exactly through a corner: from rest and beyond it */
      if (i % 4 == 0) {
        double far = roll(&d, 0, 1), on[3];
        sinew_cone_point(cone, roll_int(&d, n), p);
        sinew_cone_rest(cone, from);
        for (int k = 0; k < 3; k++) on[k] = (double)p[k] + far * (double)(p[k] - from[k]);
        unit3(on, on);
        narrow3(on, to);
      }
      roll_inside(&d, cone, from);
      bool exits = i % 3 == 0;
      if (!(exits ? sinew_cone_exit(cone, from, to, &hint, out)
                  : sinew_cone_hold(cone, to, &hint, out)))
        continue;
      done++;
      MU_CHECK_SAY(sinew_cone_inside(cone, out, NULL), "held to %.9g %.9g %.9g, outside",
                   (double)out[0], (double)out[1], (double)out[2]);
      MU_CHECK(!sinew_cone_hold(cone, out, NULL, again));
      MU_CHECK(memcmp(out, again, sizeof out) == 0);
      widen3(out, o), widen3(to, t);
      MU_NEAR(length3(o), 1, 1e-6);
      MU_CHECK(boundary_distance(cone, o) < 2e-6);
      if (exits) continue;
      si_cone_exit_rest(cone, to, -1, again);
      widen3(again, x);
      MU_CHECK_SAY(angle3(x, o) < 1e-4, "moved %g off the exit", angle3(x, o));
      corners += i % 4 == 0;
    }
  }
  MU_CHECK(corners > QUERIES / 20);
}

/* weights of three vectors whose sum is l, by Cramer's rule, normalised to sum 1 */
static void oracle_weights(const double *a, const double *b, const double *c, const double *l,
                           double *dest) {
  double n[3], sum = 0;
  cross3(b, c, n);
  dest[0] = dot3(n, l);
  cross3(c, a, n);
  dest[1] = dot3(n, l);
  cross3(a, b, n);
  dest[2] = dot3(n, l);
  for (int k = 0; k < 3; k++) sum += dest[k];
  for (int k = 0; k < 3; k++) dest[k] /= sum;
}

static sinew_cone *twisted_cone(dice *d, int kind, int count, double width) {
  cone_case c = make_case(d, kind, count);
  float(*twist)[2] = malloc((size_t)count * sizeof *twist);
  for (int i = 0; i < count; i++) {
    twist[i][0] = (float)roll(d, -90, 40);
    twist[i][1] = twist[i][0] + (float)roll(d, 0, width);
  }
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])c.points;
  desc.count = count;
  memcpy(desc.rest, c.visible, sizeof desc.rest);
  desc.twist = (const float(*)[2])twist;
  desc.has_visible_twist = true;
  desc.visible_twist[0] = (float)roll(d, -90, 40);
  desc.visible_twist[1] = desc.visible_twist[0] + (float)roll(d, 0, width);
  sinew_cone *cone = NULL;
  cone = sinew_cone_create(&desc, NULL);
  free(c.points);
  free(twist);
  return cone;
}

MU_TEST(cone_twist_limits_are_barycentric) {
  dice d = { 21 };
  for (int round = 0; round < mu_rounds(200); round++) {
    int n = round % 40 == 39 ? 5000 : sizes[roll_int(&d, 6)];
    OWNED(cone) *cone = MU_MADE(twisted_cone(&d, roll_int(&d, CASE_KINDS), n, 90));
    float v[3], at_v[2];
    double vd[3];
    sinew_cone_visible_point(cone, v);
    widen3(v, vd);
    MU_CHECK(sinew_cone_point_twist(cone, -1, at_v));
    int hint = -1;
    for (int i = 0; i < 500; i++) {
      float l[3], limits[2], p[3], q[3], here[2], next[2];
      double ld[3], pd[3], qd[3], w[3];
      roll_inside(&d, cone, l);
      widen3(l, ld);
      MU_CHECK(sinew_cone_twist(cone, l, &hint, limits));
      sinew_cone_point(cone, hint, p);
      sinew_cone_point(cone, (hint + 1) % n, q);
      sinew_cone_point_twist(cone, hint, here);
      sinew_cone_point_twist(cone, (hint + 1) % n, next);
      widen3(p, pd), widen3(q, qd);
      oracle_weights(pd, qd, vd, ld, w);
      for (int k = 0; k < 3; k++) MU_CHECK(w[k] > -1e-3 && w[k] < 1 + 1e-3);
      for (int k = 0; k < 2; k++)
        MU_NEAR(limits[k], w[0] * (double)here[k] + w[1] * (double)next[k] + w[2] * (double)at_v[k],
                n > 100 ? 2e-2 : 1e-3);
    }
    /* at the points and at V, the limits given there */
    float limits[2], here[2], p[3];
    sinew_cone_twist(cone, v, NULL, limits);
    for (int k = 0; k < 2; k++) MU_NEAR(limits[k], at_v[k], 1e-3);
    for (int i = 0; i < n; i++) {
      sinew_cone_point(cone, i, p);
      sinew_cone_point_twist(cone, i, here);
      sinew_cone_twist(cone, p, NULL, limits);
      for (int k = 0; k < 2; k++) MU_NEAR(limits[k], here[k], n > 100 ? 2e-2 : 1e-3);
    }
  }
}

MU_TEST(cone_twist_range_of_zero_width_stays_so) {
  dice d = { 22 };
  OWNED(cone) *cone = MU_MADE(twisted_cone(&d, CASE_CONCAVE, 25, 0));
  for (int i = 0; i < mu_rounds(20000); i++) {
    float l[3], limits[2];
    roll_query(&d, cone, l);
    MU_CHECK(sinew_cone_twist(cone, l, NULL, limits));
    MU_CHECK(limits[0] == limits[1]);
  }
}

MU_TEST(cone_twist_limits_do_not_jump_between_slices) {
  dice d = { 23 };
  for (int round = 0; round < mu_rounds(50); round++) {
    OWNED(cone) *cone = MU_MADE(twisted_cone(&d, CASE_CONCAVE, 25, 60));
    float l[2][3], limits[2][2];
    for (int i = 0; i < 400; i++) {
      roll_inside(&d, cone, l[0]);
      for (int k = 0; k < 3; k++) l[1][k] = l[0][k] + (float)roll(&d, -1e-6, 1e-6);
      for (int j = 0; j < 2; j++) sinew_cone_twist(cone, l[j], NULL, limits[j]);
      /* the slope is largest across a narrow slice */
      for (int k = 0; k < 2; k++) MU_NEAR(limits[0][k], limits[1][k], 0.05);
    }
  }
}

/* an upper bound on how fast the exit from V moves along the boundary as the azimuth changes */
static double steepest(const sinew_cone *cone) {
  float v[3], pf[3], qf[3];
  double vd[3], most = 0;
  int n = sinew_cone_count(cone);
  sinew_cone_visible_point(cone, v);
  widen3(v, vd);
  for (int i = 0; i < n; i++) {
    double p[3], q[3], last[3] = { 0, 0, 0 };
    sinew_cone_point(cone, i, pf);
    sinew_cone_point(cone, (i + 1) % n, qf);
    widen3(pf, p), widen3(qf, q);
    for (int s = 0; s <= 200; s++) {
      double x[3], side[3];
      for (int k = 0; k < 3; k++) x[k] = p[k] + s / 200.0 * (q[k] - p[k]);
      unit3(x, x);
      if (s > 0) {
        cross3(last, x, side);
        double azimuth = atan2(dot3(vd, side), dot3(last, x) - dot3(vd, x) * dot3(vd, last));
        most = fmax(most, angle3(last, x) / azimuth);
      }
      memcpy(last, x, sizeof last);
    }
  }
  return most;
}

MU_TEST(cone_hold_moves_no_faster_than_the_boundary) {
  dice d = { 24 };
  int steps = 0;
  for (int round = 0; round < mu_rounds(60); round++) {
    OWNED(cone) *cone = MU_MADE(make_cone(&d, roll_int(&d, CASE_KINDS), sizes[roll_int(&d, 5)]));
    float v[3], out[3];
    double vd[3], a[3], b[3], last[3] = { 0, 0, 0 }, before[3] = { 0, 0, 0 },
                              bound = steepest(cone);
    sinew_cone_visible_point(cone, v);
    widen3(v, vd);
    roll_unit(&d, a);
    roll_unit(&d, b);
    cross3(a, b, b);
    unit3(b, b);
    bool was_held = false;
    int hint = -1;
    /* small steps along a great circle, except near V and -V */
    for (int s = 0; s <= 40000; s++) {
      double at = 2 * CASE_PI * s / 40000, x[3], o[3];
      float l[3];
      for (int k = 0; k < 3; k++) x[k] = cos(at) * a[k] + sin(at) * b[k];
      narrow3(x, l);
      bool held = sinew_cone_hold(cone, l, &hint, out);
      widen3(out, o);
      double off = sin(angle3(vd, x));
      if (held && was_held && off > 0.05) {
        double azimuth = angle3(before, x) / off * 1.05;
        MU_CHECK_SAY(angle3(last, o) <= bound * azimuth * 1.05 + 2e-6,
                     "a jump of %g rad, %g allowed", angle3(last, o), bound * azimuth);
        steps++;
      }
      was_held = held;
      memcpy(last, o, sizeof last);
      memcpy(before, x, sizeof before);
    }
  }
  MU_CHECK(steps > mu_rounds(100000));
}

/* with a rest direction off the centre of a convex cone, a long step is made of short ones */
MU_SLOW_TEST(cone_hold_from_an_off_centre_rest_is_continuous_when_convex) {
  dice d = { 27 };
  int steps = 0;
  for (int round = 0; round < 40; round++) {
    cone_case c = make_case(&d, CASE_ROUND, sizes[roll_int(&d, 5)]);
    sinew_cone *cone = MU_MADE(build_case(&c, NULL));
    float rest[3], p[3], out[3];
    double polar, v[3], a[3], b[3];
    roll_inside(&d, cone, rest);
    sinew_cone_point(cone, 0, p);
    widen3(p, a), widen3(c.visible, v);
    polar = angle3(a, v);
    sinew_cone_destroy(cone);
    cone = build_case(&c, rest);
    MU_CHECK(cone);
    free(c.points);
    roll_unit(&d, a);
    roll_unit(&d, b);
    cross3(a, b, b);
    unit3(b, b);
    for (int s = 0; polar < 1.5 && s < 2000; s++) {
      double reached[17][3], longest = 0, opposite = 10, r[3];
      bool held = true;
      widen3(rest, r);
      for (int k = 0; k <= 16; k++) {
        double at = 2 * CASE_PI * (s + k / 16.0) / 2000, x[3];
        float l[3];
        for (int i = 0; i < 3; i++) x[i] = cos(at) * a[i] + sin(at) * b[i];
        narrow3(x, l);
        held = sinew_cone_hold(cone, l, NULL, out) && held;
        widen3(out, reached[k]);
        opposite = fmin(opposite, CASE_PI - angle3(x, r));
        if (k > 0) longest = fmax(longest, angle3(reached[k - 1], reached[k]));
      }
      if (!held || opposite < 0.05) continue;
      double whole = angle3(reached[0], reached[16]);
      MU_CHECK_SAY(longest < 0.5 * whole + 1e-4, "a jump of %g in a step of %g", longest, whole);
      steps++;
    }
    sinew_cone_destroy(cone);
  }
  MU_CHECK(steps > 10000);
}

MU_TEST(cone_is_one_block_that_can_be_copied) {
  dice d = { 25 };
  OWNED(cone) *cone = MU_MADE(twisted_cone(&d, CASE_LARGE, 60, 30));
  FREED sinew_cone *copy = aligned_alloc(32, (sinew_cone_bytes(cone) + 31) / 32 * 32);
  memcpy(copy, cone, sinew_cone_bytes(cone));
  for (int i = 0; i < 2000; i++) {
    float l[3], out[2][3], limits[2][2];
    roll_query(&d, cone, l);
    MU_CHECK(sinew_cone_hold(cone, l, NULL, out[0]) == sinew_cone_hold(copy, l, NULL, out[1]));
    MU_CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
    sinew_cone_twist(cone, l, NULL, limits[0]);
    sinew_cone_twist(copy, l, NULL, limits[1]);
    MU_CHECK(memcmp(limits[0], limits[1], sizeof limits[0]) == 0);
  }
}

MU_SUITE(cone_query)
