/* The viewer's mesh of a reach cone: it lies inside the cone and covers it, twist ranges and slices
 * are the cone's own, and its outline is the boundary. */
#include "cone_cases.h"
#include "owned.h"

#include "plain/cone_mesh.h"

/* the solid angle of the mesh's triangles, each of which must face outwards */
static double area_of(const cone_mesh *m, bool *outwards) {
  double sum = 0;
  *outwards = true;
  for (int t = 0; t < m->vertex_count; t += 3) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
      widen3(m->places + 3 * (t + k), p[k]);
      unit3(p[k], p[k]);
    }
    double one = triangle3(p[0], p[1], p[2]);
    if (one < -1e-6) *outwards = false;
    sum += one;
  }
  return sum;
}

static sinew_cone *twisted_cone(dice *d, int kind, int count) {
  cone_case c = make_case(d, kind, count);
  float(*twist)[2] = malloc((size_t)count * sizeof *twist);
  for (int i = 0; i < count; i++)
    twist[i][0] = (float)roll(d, -90, 0), twist[i][1] = (float)roll(d, 0, 90);
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])c.points;
  desc.count = count;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  memcpy(desc.visible, c.visible, sizeof desc.visible);
  memcpy(desc.rest, c.visible, sizeof desc.rest);
  desc.twist = (const float(*)[2])twist;
  sinew_cone *cone = NULL;
  cone = sinew_cone_create(&desc, NULL);
  free(c.points);
  free(twist);
  return cone;
}

static bool check_vertices(const sinew_cone *cone, const cone_mesh *m) {
  for (int i = 0; i < m->vertex_count; i++) {
    double l[3];
    float limits[2];
    const float *p = m->places + 3 * i;
    widen3(p, l);
    if (!sinew_cone_inside(cone, p, NULL) && boundary_distance(cone, l) > 1e-5)
      return mu_fail(__FILE__, __LINE__, "vertex %d is outside by %g", i,
                     boundary_distance(cone, l));
    if (!sinew_cone_twist(cone, p, NULL, limits)) return mu_fail(__FILE__, __LINE__, "free");
    if (fabsf(limits[1] - limits[0] - m->values[2 * i]) > 0.05f)
      return mu_fail(__FILE__, __LINE__, "vertex %d is %g wide, expected %g", i,
                     (double)m->values[2 * i], (double)(limits[1] - limits[0]));
  }
  return true;
}

/* the centre of each triangle is in the slice that its vertices name */
static bool check_slices(const sinew_cone *cone, const cone_mesh *m) {
  for (int t = 0; t < m->vertex_count; t += 3) {
    double l[3] = { 0, 0, 0 };
    float middle[3];
    int slice = -1;
    for (int k = 0; k < 9; k++) l[k % 3] += (double)m->places[3 * t + k];
    unit3(l, l);
    narrow3(l, middle);
    sinew_cone_inside(cone, middle, &slice);
    if (slice != (int)m->values[2 * t + 1])
      return mu_fail(__FILE__, __LINE__, "triangle %d is in slice %d, said %g", t / 3, slice,
                     (double)m->values[2 * t + 1]);
  }
  return true;
}

MU_TEST(cone_mesh_lies_inside_and_covers_the_cone) {
  dice d = { 91 };
  for (int round = 0; round < mu_rounds(60); round++) {
    sinew_cone *cone = twisted_cone(&d, round % CASE_KINDS, 3 + roll_int(&d, 22));
    cone_mesh m;
    bool outwards;
    MU_CHECK(cone && cone_mesh_make(cone, &m));
    bool good = check_vertices(cone, &m) && check_slices(cone, &m);
    double area = area_of(&m, &outwards);
    double expected = (double)sinew_cone_area(cone);
    cone_mesh_free(&m);
    sinew_cone_destroy(cone);
    if (!good) return;
    MU_CHECK(outwards);
    MU_NEAR(area, expected, 1e-3 * expected);
  }
}

/* Points 45 degrees off z on the axes x and y. In the slice of two of them L = (x, y, z) is
 * sqrt(2)|x| P + sqrt(2)|y| Q + (z - |x| - |y|) V, which gives the weights of the twist ranges. */
MU_TEST(cone_mesh_is_as_wide_as_the_twist_range_and_darker_where_it_is_narrower) {
  static const float points[][3] = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, 0, 1 }, { 0, -1, 1 } };
  static const float twist[][2] = { { -5, 5 }, { -10, 30 }, { -60, 60 }, { -40, 10 } };
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = points, desc.twist = twist, desc.count = 4;
  desc.rest[2] = 1;
  desc.has_visible_twist = true;
  desc.visible_twist[0] = -20, desc.visible_twist[1] = 60;
  OWNED(cone) *cone = MU_MADE(sinew_cone_create(&desc, NULL));
  cone_mesh m;
  MU_CHECK(cone_mesh_make(cone, &m));
  double off = 0;
  for (int i = 0; i < m.vertex_count; i++) {
    double l[3];
    widen3(m.places + 3 * i, l);
    double a = sqrt(2.0) * fabs(l[0]), b = sqrt(2.0) * fabs(l[1]),
           c = l[2] - fabs(l[0]) - fabs(l[1]);
    double want = (a * (l[0] > 0 ? 10 : 120) + b * (l[1] > 0 ? 40 : 50) + c * 80) / (a + b + c);
    off = fmax(off, fabs((double)m.values[2 * i] - want));
  }
  const float low = m.narrowest, high = m.widest;
  cone_mesh_free(&m);
  MU_NEAR(off, 0, 1e-3);
  MU_NEAR(low, 10, 1e-4);
  MU_NEAR(high, 120, 1e-4);
  double before = 0;
  for (int i = 0; i <= 100; i++) {
    float color[3];
    cone_mesh_shade((float)i / 100, color);
    double light =
        0.2126 * (double)color[0] + 0.7152 * (double)color[1] + 0.0722 * (double)color[2];
    MU_CHECK_SAY(light > before, "%g after %g at %d", light, before, i);
    before = light;
  }
}

MU_TEST(cone_mesh_reports_a_free_twist) {
  dice d = { 5 };
  OWNED(cone) *cone = make_cone(&d, CASE_ROUND, 8);
  cone_mesh m;
  MU_CHECK(cone && cone_mesh_make(cone, &m));
  MU_NEAR(m.widest, -1, 0);
  MU_NEAR(m.narrowest, -1, 0);
  cone_mesh_free(&m);
}

MU_TEST(cone_mesh_skips_points_of_very_smooth_cones) {
  sinew_cone_ellipse e = { .size = sizeof e,
                           .rest = { 0, 1, 0 },
                           .right = { 1, 0, 0 },
                           .degrees = { 40, 60, 40, 30 },
                           .points = 5000 };
  OWNED(cone) *cone = NULL;
  cone_mesh m;
  bool outwards;
  MU_CHECK((cone = sinew_cone_create_ellipse(&e, NULL)) != NULL && cone_mesh_make(cone, &m));
  MU_CHECK(m.vertex_count < 60000);
  MU_NEAR(area_of(&m, &outwards), sinew_cone_area(cone), 1e-3);
  cone_mesh_free(&m);
}

MU_TEST(cone_mesh_outline_is_the_boundary) {
  dice d = { 17 };
  for (int round = 0; round < mu_rounds(40); round++) {
    int count = 3 + roll_int(&d, 20);
    OWNED(cone) *cone = make_cone(&d, round % CASE_KINDS, count);
    FREED float *line = NULL;
    int places = cone_mesh_outline(cone, &line);
    bool good = cone && places >= count;
    double worst = 0, gap = 0;
    for (int i = 0; good && i < places; i++) {
      double l[3], next[3];
      widen3(line + 3 * i, l);
      widen3(line + 3 * ((i + 1) % places), next);
      worst = fmax(worst, boundary_distance(cone, l));
      gap = fmax(gap, angle3(l, next));
    }
    MU_CHECK(good);
    MU_NEAR(worst, 0, 1e-5);
    MU_CHECK(gap < 6.1 * CASE_PI / 180);
  }
}

MU_SUITE(cone_mesh)
