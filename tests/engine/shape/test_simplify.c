/* Meshes with fewer triangles: the distance between the new surface and the old one, by brute
 * force. */
#include "sinew/mesh.h"

#include "make.h"
#include "minunit.h"

#include <stdlib.h>

enum {
  around = 24,
  along = 30,
  tube_vertices = around * (along + 1) + 2,
  tube_triangles = 2 * around * along + 2 * around
};

/* a closed tube along y, wider in its middle; or, without its ends, an open one */
static int make_tube(float *v, uint32_t *t, bool closed) {
  int count = 0;
  for (int i = 0; i <= along; i++)
    for (int k = 0; k < around; k++) {
      double turn = 6.283185307179586 * k / around, y = (double)i / along;
      double r = 0.05 + 0.02 * sin(3.14159265 * y);
      float *p = v + 3 * (i * around + k);
      p[0] = (float)(r * cos(turn)), p[1] = (float)y, p[2] = (float)(r * sin(turn));
    }
  uint32_t ends[2] = { around * (along + 1), around * (along + 1) + 1 };
  for (int e = 0; e < 2; e++)
    v[3 * ends[e]] = v[3 * ends[e] + 2] = 0, v[3 * ends[e] + 1] = (float)e;
  for (uint32_t i = 0; i < along; i++)
    for (uint32_t k = 0; k < around; k++) {
      uint32_t a = i * around + k, b = i * around + (k + 1) % around;
      uint32_t both[6] = { a, a + around, b, b, a + around, b + around };
      memcpy(t + 3 * count, both, sizeof both);
      count += 2;
    }
  for (uint32_t k = 0; closed && k < around; k++) {
    uint32_t last = along * around;
    uint32_t low[3] = { ends[0], k, (k + 1) % around };
    uint32_t high[3] = { ends[1], last + (k + 1) % around, last + k };
    memcpy(t + 3 * count++, low, sizeof low);
    memcpy(t + 3 * count++, high, sizeof high);
  }
  return count;
}

static double volume(const float *v, const uint32_t *t, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const float *a = v + 3 * t[3 * i], *b = v + 3 * t[3 * i + 1], *c = v + 3 * t[3 * i + 2];
    sum += (double)a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
           (double)a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
           (double)a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
  }
  return sum / 6;
}

/* the radius at which a ray from the axis hits the mesh; 0: no hit */
static double radius_at(const float *v, const uint32_t *t, int count, double y, double turn) {
  double d[3] = { cos(turn), 0, sin(turn) };
  for (int i = 0; i < count; i++) {
    double p[3][3], e[2][3], s[3], q[3];
    for (int k = 0; k < 9; k++) p[k / 3][k % 3] = (double)v[3 * t[3 * i + k / 3] + k % 3];
    for (int k = 0; k < 3; k++) {
      e[0][k] = p[1][k] - p[0][k], e[1][k] = p[2][k] - p[0][k];
      s[k] = (k == 1 ? y : 0) - p[0][k];
    }
    for (int k = 0; k < 3; k++)
      q[k] = d[(k + 1) % 3] * e[1][(k + 2) % 3] - d[(k + 2) % 3] * e[1][(k + 1) % 3];
    double det = e[0][0] * q[0] + e[0][1] * q[1] + e[0][2] * q[2];
    if (fabs(det) < 1e-15) continue;
    double a = (s[0] * q[0] + s[1] * q[1] + s[2] * q[2]) / det;
    for (int k = 0; k < 3; k++)
      q[k] = s[(k + 1) % 3] * e[0][(k + 2) % 3] - s[(k + 2) % 3] * e[0][(k + 1) % 3];
    double b = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
    double far = (e[1][0] * q[0] + e[1][1] * q[1] + e[1][2] * q[2]) / det;
    if (a >= -1e-9 && b >= -1e-9 && a + b <= 1 + 1e-9 && far > 0) return far;
  }
  return 0;
}

static float places[3 * tube_vertices];
static uint32_t triangles[3 * tube_triangles];

MU_TEST(a_simpler_mesh_stays_near_the_old_surface) {
  static const float tolerances[] = { 0.001f, 0.003f, 0.01f };
  int before = tube_triangles;
  for (int n = 0; n < 3; n++) {
    int count = make_tube(places, triangles, true);
    MU_INT(count, tube_triangles);
    double whole = volume(places, triangles, count);
    count = sinew_mesh_simplify(places, tube_vertices, triangles, count, tolerances[n], 4);
    MU_CHECK_SAY(count < before && count >= 4, "%d triangles", count);
    before = count;
    MU_NEAR(volume(places, triangles, count) / whole, 1, 0.25);
    uint32_t seed = 3;
    for (int i = 0; i < mu_rounds(400); i++) {
      double y = (double)make_between(&seed, 0.05f, 0.95f);
      double turn = (double)make_between(&seed, 0, 6.28f);
      MU_NEAR(radius_at(places, triangles, count, y, turn), 0.05 + 0.02 * sin(3.14159265 * y),
              (double)tolerances[n] + 0.0007);
    }
  }
  MU_CHECK_SAY(before < tube_triangles / 6, "still %d triangles", before);
}

MU_TEST(a_simpler_mesh_has_the_minimum_of_triangles_and_only_old_vertices) {
  int count = make_tube(places, triangles, true);
  count = sinew_mesh_simplify(places, tube_vertices, triangles, count, 1e6f, 12);
  MU_CHECK_SAY(count >= 12 && count <= 40, "%d triangles", count);
  MU_CHECK(volume(places, triangles, count) > 0.002);
  for (int c = 0; c < 3 * count; c++) MU_CHECK(triangles[c] < tube_vertices);
  for (int t = 0; t < count; t++)
    MU_CHECK(triangles[3 * t] != triangles[3 * t + 1] &&
             triangles[3 * t + 1] != triangles[3 * t + 2] &&
             triangles[3 * t + 2] != triangles[3 * t]);
}

MU_TEST(a_simpler_mesh_keeps_its_border) {
  int count = make_tube(places, triangles, false);
  count = sinew_mesh_simplify(places, tube_vertices, triangles, count, 0.004f, 4);
  MU_CHECK(count > 0 && count < tube_triangles / 3);
  float low = 1, high = 0;
  for (int c = 0; c < 3 * count; c++) {
    low = fminf(low, places[3 * triangles[c] + 1]);
    high = fmaxf(high, places[3 * triangles[c] + 1]);
  }
  MU_NEAR(low, 0, 0.005);
  MU_NEAR(high, 1, 0.005);
}

MU_TEST(a_simpler_mesh_merges_vertices_at_one_position) {
  /* the tube as raylib stores it, each triangle with its own corners, gives the same result */
  static float corners[9 * tube_triangles];
  static uint32_t own[3 * tube_triangles];
  int count = make_tube(places, triangles, true);
  for (int c = 0; c < 3 * count; c++) {
    memcpy(corners + 3 * c, places + 3 * triangles[c], 3 * sizeof(float));
    own[c] = (uint32_t)c;
  }
  int shared = sinew_mesh_simplify(places, tube_vertices, triangles, count, 0.003f, 4);
  int apart = sinew_mesh_simplify(corners, 3 * count, own, count, 0.003f, 4);
  MU_CHECK_SAY(abs(apart - shared) <= shared / 5, "%d and %d", apart, shared);
  MU_NEAR(volume(corners, own, apart), volume(places, triangles, shared), 3e-4);
}

MU_TEST(awkward_meshes_are_simplified_without_harm) {
  /* nothing, one triangle, no area, the same triangle twice, three at one edge */
  float v[15] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0 };
  uint32_t t[9] = { 0, 1, 2, 0, 1, 3, 0, 1, 4 };
  MU_INT(sinew_mesh_simplify(v, 0, t, 0, 1, 0), 0);
  MU_INT(sinew_mesh_simplify(v, 5, t, 1, 0.01f, 1), 1);
  MU_CHECK(sinew_mesh_simplify(v, 5, t, 3, 0.01f, 1) >= 1);
  uint32_t none[6] = { 0, 0, 1, 2, 2, 2 };
  MU_INT(sinew_mesh_simplify(v, 5, none, 2, 0.01f, 0), 0);
  uint32_t twice[6] = { 0, 1, 2, 0, 1, 2 };
  int left = sinew_mesh_simplify(v, 5, twice, 2, 0.01f, 0);
  MU_CHECK(left >= 0 && left <= 2);
  for (int i = 0; i < 15; i++) MU_CHECK(isfinite(v[i]));
}

MU_SUITE(simplify)
