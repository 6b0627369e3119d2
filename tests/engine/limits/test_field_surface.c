/* Fields from closed surfaces against solid angles and brute force over all triangles; and back:
 * borders are closed, face outwards, and give the same region. */
#include "field_cases.h"
#include "fixture.h"
#include "minunit.h"
#include "owned.h"
#include "shape/surface_internal.h"

#include <stdlib.h>

enum { MOST = 4000 };

static float vertices[3 * MOST];
static uint32_t triangles[6 * MOST];

/* a closed, bumpy sphere with a random radius for each direction; poles on the z axis */
static sinew_surface *globe(const float *middle, float radius, float lumps, bool inwards) {
  enum { around = 24, down = 13 };
  uint32_t count = 0, t = 0;
  for (int j = 1; j < down; j++)
    for (int i = 0; i < around; i++) {
      float theta = 3.14159265f * (float)j / down, phi = 6.2831853f * (float)i / around;
      float r = radius * (1 + lumps * sinf(3 * phi) * sinf(2 * theta));
      vertices[3 * count] = middle[0] + r * sinf(theta) * cosf(phi);
      vertices[3 * count + 1] = middle[1] + r * sinf(theta) * sinf(phi);
      vertices[3 * count++ + 2] = middle[2] + r * cosf(theta);
    }
  for (int pole = 0; pole < 2; pole++, count++)
    for (int k = 0; k < 3; k++)
      vertices[3 * count + (uint32_t)k] = middle[k] + (k == 2 ? (pole ? -radius : radius) : 0);
  for (uint32_t i = 0; i < around; i++) {
    uint32_t next = (i + 1) % around, last = (down - 2) * around;
    const uint32_t caps[] = { count - 2, i, next, last + next, last + i, count - 1 };
    for (int k = 0; k < 6; k++) triangles[t++] = caps[k];
    for (uint32_t j = 0; j + 2 < down; j++) {
      uint32_t a = j * around + i, b = j * around + next, c = a + around, d = b + around;
      const uint32_t quad[] = { a, c, b, b, c, d };
      for (int k = 0; k < 6; k++) triangles[t++] = quad[k];
    }
  }
  for (uint32_t i = 0; i < t && inwards; i += 3) {
    uint32_t swapped = triangles[i];
    triangles[i] = triangles[i + 1];
    triangles[i + 1] = swapped;
  }
  return sinew_surface_create(vertices, count, triangles, t / 3, NULL);
}

static sinew_surface *box(const float *low, const float *high) {
  float v[24];
  static const uint32_t t[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) v[3 * i + k] = i >> k & 1 ? high[k] : low[k];
  return sinew_surface_create(v, 8, t, 12, NULL);
}

/* the winding number of the surface about a point: its solid angles over 4 pi (Van Oosterom,
 * Strackee) */
static double winding(const sinew_surface *s, const double *p) {
  double sum = 0;
  for (size_t t = 0; t < s->triangle_count; t++) {
    double r[3][3], length[3];
    for (int k = 0; k < 3; k++) {
      const float *v = s->vertices + 3 * s->triangles[3 * t + (size_t)k];
      for (int i = 0; i < 3; i++) r[k][i] = (double)v[i] - p[i];
      length[k] = sqrt(r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2]);
    }
    double volume = 0, below = length[0] * length[1] * length[2];
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      volume += r[0][i] * (r[1][j] * r[2][k] - r[1][k] * r[2][j]);
      double dot = 0;
      for (int m = 0; m < 3; m++) dot += r[i][m] * r[j][m];
      below += dot * length[k];
    }
    sum += 2 * atan2(volume, below);
  }
  return sum / (4 * acos(-1));
}

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* by barycentric coordinates from the Gram matrix, else along the edges */
static double triangle_distance(const sinew_surface *s, size_t t, const double *p) {
  double v[3][3], a[3], b[3], c[3], best = INFINITY;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      v[k][i] = (double)s->vertices[3 * s->triangles[3 * t + (size_t)k] + (size_t)i];
  for (int i = 0; i < 3; i++)
    a[i] = v[1][i] - v[0][i], b[i] = v[2][i] - v[0][i], c[i] = p[i] - v[0][i];
  double aa = dot3(a, a), ab = dot3(a, b), bb = dot3(b, b), ac = dot3(a, c), bc = dot3(b, c);
  double det = aa * bb - ab * ab, x = (bb * ac - ab * bc) / det, y = (aa * bc - ab * ac) / det;
  if (det > 0 && x >= 0 && y >= 0 && x + y <= 1) {
    double d[3] = { 0 };
    for (int i = 0; i < 3; i++) d[i] = c[i] - x * a[i] - y * b[i];
    return sqrt(dot3(d, d));
  }
  for (int k = 0; k < 3; k++) {
    double e[3], f[3], d[3];
    for (int m = 0; m < 3; m++) e[m] = v[(k + 1) % 3][m] - v[k][m], f[m] = p[m] - v[k][m];
    double foot = fmin(1, fmax(0, dot3(e, f) / dot3(e, e)));
    for (int m = 0; m < 3; m++) d[m] = f[m] - foot * e[m];
    best = fmin(best, sqrt(dot3(d, d)));
  }
  return best;
}

static double surface_distance(const sinew_surface *s, const double *p) {
  double best = INFINITY;
  for (size_t t = 0; t < s->triangle_count; t++) best = fmin(best, triangle_distance(s, t, p));
  return best;
}

static sinew_field_desc cube(int resolution, bool wrap) {
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -180, 180, resolution, wrap };
  return desc;
}

MU_TEST(surface_distances_and_signs_agree_with_brute_force) {
  case_seed(50);
  for (int round = 0; round < 4; round++) {
    const float middle[3] = { case_random(-40, 40), case_random(-40, 40), case_random(-40, 40) };
    OWNED(surface) *s = globe(middle, 90, 0.3f, round % 2);
    sinew_field_desc desc = cube(mu_rounds(100) < 100 ? 5 : 9, false);
    desc.axes[round % 3].resolution = 7;
    sinew_field_report report;
    OWNED(field) *field = sinew_field_from_surface(&desc, s, &report, &error);
    MU_CHECK_SAY(field, "%s", error.text);
    MU_INT(report.components, 1);
    MU_CHECK(report.inside_nodes > 20 || field->grid.nodes < 300);
    for (uint32_t k = 0; k < field->grid.nodes; k++) {
      double p[3];
      case_node(&field->grid, k, p);
      double d = surface_distance(s, p);
      MU_NEAR(fabsf(field->phi[k]), d, 1e-3);
      if (d > 0.01) MU_INT(field->phi[k]<0, fabs(winding(s, p))> 0.5);
    }
  }
}

MU_TEST(sign_is_right_for_rays_through_edges_and_vertices) {
  /* a box whose faces, edges and corners lie on rows of nodes */
  const float low[3] = { -60, -60, -60 }, high[3] = { 60, 60, 60 };
  OWNED(surface) *s = box(low, high);
  sinew_field_desc desc = cube(37, false);
  OWNED(field) *field = MU_MADE(sinew_field_from_surface(&desc, s, NULL, NULL));
  for (uint32_t k = 0; k < field->grid.nodes; k++) {
    double p[3], out = 0, in = -INFINITY;
    case_node(&field->grid, k, p);
    for (int i = 0; i < 3; i++) {
      double d = fabs(p[i]) - 60;
      out += d > 0 ? d * d : 0;
      in = fmax(in, d);
    }
    MU_NEAR(field->phi[k], out > 0 ? sqrt(out) : in, 1e-3);
  }
}

MU_SLOW_TEST(a_surface_continues_across_the_seam_of_wrapping_axes) {
  const float middle[3] = { 170, -175, 180 };
  const double home[3] = { 170, -175, 180 };
  OWNED(surface) *s = globe(middle, 70, 0, false);
  sinew_field_desc desc = cube(24, true);
  OWNED(field) *field = MU_MADE(sinew_field_from_surface(&desc, s, NULL, NULL));
  for (uint32_t k = 0; k < field->grid.nodes; k++) {
    double p[3];
    case_node(&field->grid, k, p);
    double d = case_distance(&field->grid, p, home) - 70;
    MU_NEAR(field->phi[k], d, 2.5);
    /* the point stored at a node is feasible, and not much farther away than the surface */
    const float *kept = field->nearest + 3 * k;
    const double there[3] = { (double)kept[0], (double)kept[1], (double)kept[2] };
    MU_CHECK(sinew_field_feasible(field, kept));
    double away = case_distance(&field->grid, p, there);
    MU_CHECK(away <= fmax(0, (double)field->phi[k]) + 2 * (double)field->grid.smallest);
  }
  MU_INT(sinew_field_components(field), 1);
}

MU_SLOW_TEST(hundred_thousand_projections_onto_a_surface_are_feasible) {
  case_seed(51);
  for (int round = 0; round < 4; round++) {
    const float middle[3] = { 20, round == 1 ? 170 : 0, -30 };
    OWNED(surface) *s = globe(middle, round == 2 ? 25 : 90, 0.3f, false);
    sinew_field_desc desc = cube(16, round % 2);
    OWNED(field) *field = MU_MADE(sinew_field_from_surface(&desc, s, NULL, NULL));
    for (int k = 0; k < mu_rounds(25000); k++) {
      float p[3], q[3], again[3];
      for (int i = 0; i < 3; i++) p[i] = case_random(-250, 250);
      bool was = sinew_field_feasible(field, p);
      MU_CHECK((sinew_field_project(field, p, q) == 0) == was);
      MU_CHECK(sinew_field_feasible(field, q));
      MU_NEAR(sinew_field_project(field, q, again), 0, 0);
    }
  }
}

static double volume(const sinew_surface *s) {
  double sum = 0;
  for (size_t t = 0; t < s->triangle_count; t++) {
    const float *v[3];
    for (int k = 0; k < 3; k++) v[k] = s->vertices + 3 * s->triangles[3 * t + (size_t)k];
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      sum +=
          (double)v[0][i] * ((double)v[1][j] * (double)v[2][k] - (double)v[1][k] * (double)v[2][j]);
    }
  }
  return sum / 6;
}

static sinew_field *motion_field(bool wrap, int resolution) {
  static float path[3 * 200];
  sinew_field_desc desc = cube(resolution, wrap);
  for (int i = 0; i < 200; i++) {
    float turn = 6.2831853f * (float)i / 200;
    path[3 * i] = (wrap ? 150 : 20) + 100 * cosf(turn);
    path[3 * i + 1] = (wrap ? -160 : 80) + 90 * sinf(2 * turn);
    path[3 * i + 2] = 70 * sinf(turn);
  }
  return case_field(&desc, path, 200);
}

MU_SLOW_TEST(a_border_is_closed_faces_outwards_and_gives_the_same_region) {
  for (int wrap = 0; wrap < (mu_rounds(20) < 20 ? 1 : 2); wrap++) {
    OWNED(field) *field = motion_field(wrap, 20);
    OWNED(surface) *s = MU_MADE_OR(sinew_field_surface(field, &error), error.text);
    MU_INT(sinew_surface_check(s, &error), SINEW_OK);
    MU_CHECK(volume(s) > 0);
    sinew_field_desc desc = cube(20, wrap);
    sinew_field *back = MU_MADE_OR(sinew_field_from_surface(&desc, s, NULL, &error), error.text);
    MU_CHECK(sinew_field_sculpted(back) && !sinew_field_sculpted(field));
    MU_INT(sinew_field_components(back), sinew_field_components(field));
    for (uint32_t k = 0; k < field->grid.nodes; k++) {
      float above = field->phi[k] - field->epsilon;
      MU_CHECK_SAY((above <= 0) == (back->phi[k] <= 0), "node %lu: %g and %g", (unsigned long)k,
                   (double)above, (double)back->phi[k]);
      if (above > 0) MU_NEAR(back->phi[k], above, field->grid.half_diagonal);
    }
    /* with small cells the border is the same surface, not a larger one */
    sinew_field_release(back);
    desc = cube(36, wrap);
    back = sinew_field_from_surface(&desc, s, NULL, &error);
    MU_CHECK(back);
    OWNED(surface) *again = MU_MADE(sinew_field_surface(back, &error));
    MU_INT(sinew_surface_check(again, &error), SINEW_OK);
    MU_NEAR(volume(again) / volume(s), 1, 0.15);
    sinew_field_release(back);
  }
}

MU_TEST(a_border_is_capped_where_the_region_meets_the_ends) {
  for (int wrap = 0; wrap < 2; wrap++) {
    sinew_field_desc desc = cube(12, wrap);
    /* everything is feasible */
    desc.epsilon = 1000;
    OWNED(field) *field = case_field(&desc, (float[]){ 0, 0, 0 }, 1);
    OWNED(surface) *s = MU_MADE_OR(sinew_field_surface(field, &error), error.text);
    MU_INT(sinew_surface_check(s, &error), SINEW_OK);
    MU_NEAR(volume(s), 360.0 * 360 * 360, 1e5);
    OWNED(field) *back = MU_MADE_OR(sinew_field_from_surface(&desc, s, NULL, &error), error.text);
    for (uint32_t k = 0; k < back->grid.nodes; k++) MU_CHECK(back->phi[k] < 0);
  }
}

MU_TEST(surfaces_that_cannot_make_a_field_are_refused) {
  const float middle[3] = { 0, 0, 0 }, far[3] = { 500, 0, 0 };
  sinew_surface *s = globe(middle, 90, 0, false);
  sinew_field_desc desc = cube(12, false);
  desc.axis_count = 2;
  MU_REFUSED(sinew_field_from_surface(&desc, s, NULL, &error),
             "a surface has three angles, the desc has 2 axes");
  desc.axis_count = 3;
  desc.memory_limit = 1000;
  MU_CHECK(!sinew_field_from_surface(&desc, s, NULL, &error));
  MU_INT(error.status, SINEW_ERR_LIMIT);
  desc.memory_limit = 0;
  sinew_surface *open = sinew_surface_create(s->vertices, s->vertex_count, s->triangles,
                                             s->triangle_count - 1, &error);
  MU_CHECK(!sinew_field_from_surface(&desc, open, NULL, &error));
  MU_INT(error.count, 3);
  MU_HAS(error.text, "is open: only triangle");
  sinew_surface_destroy(open);
  sinew_surface_destroy(s);

  s = globe(far, 90, 0, false);
  MU_REFUSED(sinew_field_from_surface(&desc, s, NULL, &error), "no node lies inside the surface");
  sinew_surface_destroy(s);
  s = globe(middle, 300, 0, false);
  desc = cube(12, true);
  MU_REFUSED(sinew_field_from_surface(&desc, s, NULL, &error),
             "degrees wide on axis 1, which wraps after 360");
  sinew_surface_destroy(s);

  desc = sinew_default_field_desc(2);
  sinew_field *flat = case_field(&desc, (float[]){ 0, 0 }, 1);
  MU_REFUSED(sinew_field_surface(flat, &error), "only one of three axes has a surface");
  sinew_field_release(flat);
  desc = cube(4, false);
  desc.epsilon = 0;
  flat = case_field(&desc, (float[]){ 1, 1, 1 }, 1);
  MU_REFUSED(sinew_field_surface(flat, &error), "no node is feasible");
  sinew_field_release(flat);
}

static bool there_and_back(void *context) {
  sinew_field_desc desc = cube(8, true);
  OWNED(surface) *s = sinew_field_surface(context, &error);
  OWNED(field) *field = s ? sinew_field_from_surface(&desc, s, NULL, &error) : NULL;
  bool ok = field != NULL;
  if (!ok && error.status != SINEW_ERR_MEMORY) abort();
  return ok;
}

MU_TEST(sculpting_survives_failing_memory) {
  OWNED(field) *field = motion_field(true, 8);
  bool survives = case_survives_failing_memory(there_and_back, field);
  MU_CHECK(survives);
}

MU_SUITE(field_surface)
