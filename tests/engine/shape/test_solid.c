/* Solids: distances against slow methods in doubles, the narrowed lists of primitives against all
 * of them, and meshes that are closed, in place and made once. */
#include "minunit.h"
#include "scarce.h"
#include "scratch.h"
#include "shape/solid_internal.h"
#include "solid_cases.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- distances */

/* The distance to the hull of balls, by brute force: the least over many balls in between. */
static double hull_distance(const sinew_solid_point *p, int count, const float at[3]) {
  const int steps = 400;
  double least = INFINITY;
  for (int i = 0; i <= steps; i++)
    for (int k = 0; k <= (count > 2 ? steps - i : 0); k++) {
      double u = (double)i / steps, v = (double)k / steps, sum = 0;
      double weights[3] = { 1 - u - v, u, v }, radius = 0;
      for (int c = 0; c < count; c++) radius += weights[c] * (double)p[c].radius;
      for (int j = 0; j < 3; j++) {
        double d = (double)at[j];
        for (int c = 0; c < count; c++) d -= weights[c] * (double)p[c].at[j];
        sum += d * d;
      }
      least = fmin(least, sqrt(sum) - radius);
    }
  return least;
}

MU_TEST(solid_cones_are_the_hull_of_two_balls) {
  uint32_t seed = 5;
  for (int n = 0; n < mu_rounds(200); n++) {
    recipe r;
    start(&r);
    for (int i = 0; i < 2; i++)
      add_point(&r, make_between(&seed, -1, 1), make_between(&seed, -1, 1),
                make_between(&seed, -1, 1), make_between(&seed, 0, 0.6f));
    if (n % 5 == 0) r.points[1] = r.points[0]; /* both in one place */
    if (n % 5 == 1) r.points[1].radius = 4;    /* one inside of the other */
    add_element(&r, SINEW_SOLID_CONE, 2);
    add_part(&r, 1, 0);
    OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
    float at[3];
    for (int k = 0; k < 3; k++) at[k] = make_between(&seed, -2, 2);
    MU_NEAR(sinew_solid_distance(solid, at), hull_distance(r.points, 2, at), 1e-4);
  }
}

/* a wedge is no hull: its radius is that of the nearest point of the triangle, so with equal radii
 * both agree */
MU_TEST(solid_wedges_of_equal_balls_are_their_hull) {
  uint32_t seed = 7;
  for (int n = 0; n < mu_rounds(40); n++) {
    recipe r;
    start(&r);
    for (int i = 0; i < 3; i++)
      add_point(&r, make_between(&seed, -1, 1), make_between(&seed, -1, 1),
                make_between(&seed, -1, 1), 0.2f);
    if (n % 4 == 0)
      for (int k = 0; k < 3; k++) /* on one line */
        r.points[2].at[k] = 2 * r.points[1].at[k] - r.points[0].at[k];
    add_element(&r, SINEW_SOLID_WEDGE, 3);
    add_part(&r, 1, 0);
    OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
    float at[3];
    for (int k = 0; k < 3; k++) at[k] = make_between(&seed, -2, 2);
    MU_NEAR(sinew_solid_distance(solid, at), hull_distance(r.points, 3, at), 0.01);
  }
}

MU_TEST(solid_blends_by_the_smooth_minimum_and_cuts_by_its_mirror_image) {
  uint32_t seed = 9;
  for (int cut = 0; cut < 2; cut++)
    for (int n = 0; n < 100; n++) {
      recipe r;
      start(&r);
      float k = n % 10 == 0 ? 0 : make_between(&seed, 0, 0.2f);
      for (int i = 0; i < 2; i++) {
        add_point(&r, make_between(&seed, -0.1f, 0.1f), 0, 0, make_between(&seed, 0.1f, 0.2f));
        add_element(&r, SINEW_SOLID_BALL, 1);
        add_part(&r, 1, i ? k : 0)->cut = i && cut;
      }
      OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
      float at[3] = { make_between(&seed, -0.4f, 0.4f), make_between(&seed, -0.4f, 0.4f), 0 };
      double d[2];
      for (int i = 0; i < 2; i++)
        d[i] = hypot((double)at[0] - (double)r.points[i].at[0], (double)at[1]) -
               (double)r.points[i].radius;
      double a = cut ? -d[0] : d[0], h = k > 0 ? fmax(0, 1 - fabs(a - d[1]) / (double)k) : 0;
      double blended = fmin(a, d[1]) - h * h * (double)k / 4;
      MU_NEAR(sinew_solid_distance(solid, at), cut ? -blended : blended, 1e-6);
    }
}

/* a flat tube along y is F times wider along x: its surface there is at F times the radius */
MU_TEST(solid_flat_tubes_are_wider_across) {
  recipe r;
  start(&r);
  for (int i = 0; i < 3; i++) add_point(&r, 0, 0.1f * (float)i, 0, 0.01f);
  sinew_solid_element *e = add_element(&r, SINEW_SOLID_TUBE, 3);
  e->flat = 2.5f;
  e->across[0] = 7; /* of any length */
  e->across[1] = 3; /* made perpendicular to the tube */
  add_part(&r, 1, 0);
  OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  MU_NEAR(sinew_solid_distance(solid, (float[3]){ 0.025f, 0.1f, 0 }), 0, 1e-6);
  MU_NEAR(sinew_solid_distance(solid, (float[3]){ 0, 0.1f, 0.01f }), 0, 1e-6);
}

/* a rotation vector of 90 degrees about z takes the long axis from x to y */
MU_TEST(solid_ellipsoids_and_drums_turn_by_their_rotation_vector) {
  for (int kind = SINEW_SOLID_ELLIPSOID; kind <= SINEW_SOLID_DRUM; kind++) {
    recipe r;
    start(&r);
    add_point(&r, 0.01f, 0.02f, 0.03f, 0);
    sinew_solid_element *e = add_element(&r, (sinew_solid_kind)kind, 1);
    memcpy(e->radii, (float[3]){ 0.05f, 0.02f, 0.03f }, sizeof e->radii);
    e->turn[2] = 90;
    add_part(&r, 1, 0);
    OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
    /* a drum has its lids along its y; its side has a waist of 0.87 in the middle */
    float wide = kind == SINEW_SOLID_DRUM ? 0.87f * 0.05f : 0.05f;
    MU_NEAR(sinew_solid_distance(solid, (float[3]){ 0.01f, 0.02f + wide, 0.03f }), 0, 1e-6);
    MU_NEAR(sinew_solid_distance(solid, (float[3]){ 0.01f - 0.02f, 0.02f, 0.03f }), 0, 1e-6);
  }
}

MU_TEST(solid_placed_moves_scales_and_mirrors_distances) {
  uint32_t seed = 12;
  for (int n = 0; n < mu_rounds(200); n++) {
    OWNED(solid) *solid = MU_MADE_OR(random_solid(&seed, true), error.text);
    float m[16], at[3], there[3], size = make_between(&seed, 0.5f, 2);
    make_frame(&seed, n % MAKE_FRAMES, m);
    for (int i = 0; i < 12; i++) m[i] *= i % 4 == 3 ? 1 : size;
    OWNED(solid) *placed = MU_MADE_OR(sinew_solid_placed(solid, m, &error), error.text);
    for (int k = 0; k < 3; k++) at[k] = make_between(&seed, -0.3f, 0.3f);
    for (int k = 0; k < 3; k++)
      there[k] = m[k] * at[0] + m[4 + k] * at[1] + m[8 + k] * at[2] + m[12 + k];
    MU_NEAR(sinew_solid_distance(placed, there), size * sinew_solid_distance(solid, at), 2e-5);
    MU_CHECK(sinew_solid_hash(solid) != sinew_solid_hash(placed) || n % MAKE_FRAMES == 0);
  }
}

/* --- narrowed lists */

MU_TEST(solid_lists_of_primitives_give_the_bits_of_all_within_their_reach) {
  uint32_t seed = 21;
  int dropped = 0, all = 0;
  for (int n = 0; n < mu_rounds(600); n++) {
    OWNED(solid) *solid = MU_MADE_OR(random_solid(&seed, true), error.text);
    const si_recipe *r = solid->pieces[0].recipe;
    static uint16_t list[SI_SOLID_PRIMS], shorter[SI_SOLID_PRIMS];
    float middle[3], reach = make_between(&seed, 0.005f, 0.1f), bounds[2], inner[2];
    for (int k = 0; k < 3; k++) middle[k] = make_between(&seed, -0.15f, 0.15f);
    int count = si_recipe_narrow(r, NULL, r->prim_count, middle, reach, list, bounds);
    int fewer = si_recipe_narrow(r, list, count, middle, reach / 3, shorter, inner);
    dropped += r->prim_count - fewer;
    all += r->prim_count;
    for (int i = 0; i < 20; i++) {
      float at[3], way[3], size = 0;
      make_axis(&seed, way);
      for (int k = 0; k < 3; k++) size += way[k] * way[k];
      float far = make_between(&seed, 0, i % 2 ? reach : reach / 3) / sqrtf(size);
      for (int k = 0; k < 3; k++) at[k] = middle[k] + far * way[k];
      float truth = si_recipe_distance(r, at);
      MU_CHECK_SAY(i % 2 == 0 || si_recipe_distance_of(r, list, count, at) == truth,
                   "solid %d: %g, not %g", n, (double)si_recipe_distance_of(r, list, count, at),
                   (double)truth);
      MU_CHECK_SAY(i % 2 || si_recipe_distance_of(r, shorter, fewer, at) == truth,
                   "solid %d, narrowed twice: not %g", n, (double)truth);
      MU_CHECK_SAY(i % 2 == 0 || (truth >= bounds[0] - 1e-6f && truth <= bounds[1] + 1e-6f),
                   "solid %d: %g is not in %g to %g", n, (double)truth, (double)bounds[0],
                   (double)bounds[1]);
    }
  }
  MU_CHECK_SAY(dropped > all / 3, "only %d of %d were dropped", dropped, all);
}

/* --- meshes */

/* how many edges do not have one triangle on each side */
static int bad_edges(const sinew_mesh *m) {
  int count = 3 * m->triangle_count, bad = 0;
  FREED uint64_t *edges = malloc((size_t)count * sizeof *edges);
  for (int i = 0; i < count; i++) {
    uint64_t a = m->triangles[i], b = m->triangles[i % 3 == 2 ? i - 2 : i + 1];
    edges[i] = a < b ? a << 33 | b << 1 : b << 33 | a << 1 | 1;
  }
  for (int gap = count / 2; gap > 0; gap /= 2) /* shell sort */
    for (int i = gap; i < count; i++)
      for (int k = i; k >= gap && edges[k - gap] > edges[k]; k -= gap) {
        uint64_t held = edges[k];
        edges[k] = edges[k - gap];
        edges[k - gap] = held;
      }
  for (int i = 0; i < count; i += 2)
    bad += i + 1 >= count || edges[i] + 1 != edges[i + 1] || (edges[i] & 1);
  return bad;
}

/* the number of fans around all vertices: equal to that of vertices if each has one */
static int fans(const sinew_mesh *m) {
  int corners = 3 * m->triangle_count, count = 0;
  FREED int *next = malloc((size_t)corners * sizeof *next);
  FREED bool *seen = calloc((size_t)corners, sizeof *seen);
  /* the corner at the same vertex in the next triangle: across the edge that ends here */
  for (int i = 0; i < corners; i++) {
    uint32_t a = m->triangles[i % 3 == 0 ? i + 2 : i - 1], b = m->triangles[i];
    next[i] = -1;
    for (int k = 0; k < corners; k++)
      if (m->triangles[k] == b && m->triangles[k % 3 == 2 ? k - 2 : k + 1] == a) next[i] = k;
  }
  for (int i = 0; i < corners; i++) {
    if (seen[i]) continue;
    count++;
    for (int k = i; k >= 0 && !seen[k]; k = next[k]) seen[k] = true;
  }
  return count;
}

MU_SLOW_TEST(solid_meshes_of_random_recipes_are_closed_and_on_the_surface) {
  uint32_t seed = 33;
  int made = 0;
  for (int n = 0; n < mu_rounds(150); n++) {
    OWNED(solid) *solid = MU_MADE_OR(random_solid(&seed, true), error.text);
    sinew_solid_options o = sinew_default_solid_options();
    o.level = (sinew_solid_level)(n % SINEW_SOLID_LEVEL_COUNT);
    if (n % 7 == 0) o.cell = 0.011f;
    OWNED(mesh) *mesh = sinew_solid_mesh(solid, &o, &error);
    if (!mesh) { /* all of it was cut away */
      MU_CHECK_SAY(strstr(error.text, "nothing is left"), "%s", error.text);
      continue;
    }
    made++;
    MU_CHECK_SAY(bad_edges(mesh) == 0, "solid %d has %d bad edges", n, bad_edges(mesh));
    double far = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
      const float *v = mesh->vertices + 3 * i, *normal = mesh->normals + 3 * i;
      far += fabs((double)sinew_solid_distance(solid, v)) / mesh->vertex_count;
      MU_NEAR(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], 1, 1e-4);
    }
    /* a coarse one is thicker than the solid */
    double most = o.level == SINEW_SOLID_COARSE ? 0.02 : 0.002;
    MU_CHECK_SAY(far < most, "solid %d: vertices are %g m off", n, far);
  }
  MU_CHECK(made > mu_rounds(150) / 2);
}

/* two cones that touch crosswise, at a grid that makes the net touch itself in many places */
MU_TEST(solid_meshes_have_one_fan_at_each_vertex_where_sheets_touch) {
  uint32_t seed = 3;
  for (int n = 0; n < mu_rounds(40); n++) {
    recipe r;
    start(&r);
    for (int i = 0; i < 6; i++) {
      add_point(&r, make_between(&seed, -0.02f, 0.02f), make_between(&seed, -0.02f, 0.02f),
                make_between(&seed, -0.02f, 0.02f), 0.004f);
      if (i % 2) add_element(&r, SINEW_SOLID_CONE, 2);
    }
    add_part(&r, 3, 0);
    r.desc.cell = 0.005f;
    OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
    sinew_solid_options o = sinew_default_solid_options();
    o.level = n % 2 ? SINEW_SOLID_FINE : SINEW_SOLID_COARSE;
    OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(solid, &o, &error), error.text);
    MU_INT(bad_edges(mesh), 0);
    MU_INT(fans(mesh), mesh->vertex_count);
  }
}

static double volume_of(const sinew_mesh *m) {
  double volume = 0;
  for (int t = 0; t < m->triangle_count; t++) {
    const float *p[3];
    for (int i = 0; i < 3; i++) p[i] = m->vertices + 3 * m->triangles[3 * t + i];
    for (int k = 0; k < 3; k++) {
      int u = (k + 1) % 3, v = (k + 2) % 3;
      volume += (double)p[0][k] *
                ((double)p[1][u] * (double)p[2][v] - (double)p[1][v] * (double)p[2][u]) / 6;
    }
  }
  return volume;
}

MU_TEST(solid_mesh_of_a_ball_has_its_volume_and_faces_outwards) {
  recipe r;
  start(&r);
  add_point(&r, 0.3f, 0, 0, 0.1f);
  add_element(&r, SINEW_SOLID_BALL, 1);
  add_part(&r, 1, 0);
  r.desc.cell = 0.01f;
  OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  static const float mirror[16] = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  OWNED(solid) *other = MU_MADE_OR(sinew_solid_placed(solid, mirror, &error), error.text);
  const sinew_solid *both[2] = { solid, other };
  OWNED(solid) *merged = MU_MADE_OR(sinew_solid_merge(both, 2, &error), error.text);
  const double ball = 4.0 / 3 * 3.141592653589793 * 1e-3;
  const sinew_solid *all[3] = { solid, other, merged };
  for (int i = 0; i < 3; i++) {
    OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(all[i], NULL, &error), error.text);
    MU_NEAR(volume_of(mesh) / ball, i == 2 ? 2 : 1, i == 2 ? 0.04 : 0.02);
    const float *v = mesh->vertices, *normal = mesh->normals;
    float middle = i == 1 ? -0.3f : 0.3f;
    for (int k = 0; k < 3; k++) MU_NEAR(normal[k], (v[k] - (k == 0 ? middle : 0)) / 0.1f, 0.02);
    /* nothing shades a ball */
    MU_CHECK(mesh->occlusion[0] > 220);
  }
}

/* a hollow ball is a ball: nobody sees the inside. And the floor of a pit is darker than its rim.
 */
MU_TEST(solid_mesh_drops_hollows_and_shades_pits) {
  recipe r;
  start(&r);
  add_point(&r, 0, 0, 0, 0.1f);
  add_element(&r, SINEW_SOLID_BALL, 1);
  add_part(&r, 1, 0);
  add_point(&r, 0, 0, 0, 0.05f);
  add_element(&r, SINEW_SOLID_BALL, 1);
  add_part(&r, 1, 0.01f)->cut = true;
  r.desc.cell = 0.01f;
  OWNED(solid) *hollow = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  OWNED(mesh) *ball = MU_MADE_OR(sinew_solid_mesh(hollow, NULL, &error), error.text);
  for (int i = 0; i < ball->vertex_count; i++)
    MU_CHECK(hypot(hypot((double)ball->vertices[3 * i], (double)ball->vertices[3 * i + 1]),
                   (double)ball->vertices[3 * i + 2]) > 0.09);
  r.points[1] = (sinew_solid_point){ { 0, 0.09f, 0 }, 0.03f };
  OWNED(solid) *pit = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(pit, NULL, &error), error.text);
  int floor = 255, back = 0;
  for (int i = 0; i < mesh->vertex_count; i++) {
    const float *v = mesh->vertices + 3 * i;
    if (fabsf(v[0]) < 0.01f && fabsf(v[2]) < 0.01f && v[1] > 0 && mesh->occlusion[i] < floor)
      floor = mesh->occlusion[i];
    if (v[1] < -0.08f && mesh->occlusion[i] > back) back = mesh->occlusion[i];
  }
  MU_CHECK_SAY(floor < back - 60, "floor %d, back %d", floor, back);
}

MU_TEST(solid_meshes_of_mirrored_recipes_are_symmetric) {
  uint32_t seed = 8;
  for (int n = 0; n < mu_rounds(20); n++) {
    recipe r;
    start(&r);
    for (int i = 0; i < 3; i++)
      add_point(&r, make_between(&seed, -0.1f, 0), make_between(&seed, -0.1f, 0.1f),
                make_between(&seed, -0.1f, 0.1f), 0.03f);
    add_element(&r, SINEW_SOLID_WEDGE, 3);
    add_part(&r, 1, 0);
    r.desc.mirror = true;
    r.desc.fold = 0.002f;
    r.desc.cell = 0.01f;
    OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
    OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(solid, NULL, &error), error.text);
    double left = 0, right = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
      left = fmax(left, (double)mesh->vertices[3 * i]);
      right = fmin(right, (double)mesh->vertices[3 * i]);
    }
    MU_NEAR(left, -right, 0.002);
    MU_INT(bad_edges(mesh), 0);
  }
}

/* --- mistakes */

#define REFUSED(change, words)                                                                     \
  do {                                                                                             \
    recipe r;                                                                                      \
    start(&r);                                                                                     \
    for (int i = 0; i < 3; i++) add_point(&r, (float)i, 0, 0, 0.5f);                               \
    add_element(&r, SINEW_SOLID_WEDGE, 3);                                                         \
    add_part(&r, 1, 0);                                                                            \
    change;                                                                                        \
    OWNED(solid) *made = sinew_solid_create(&r.desc, &error);                                      \
    MU_CHECK_SAY(!made && strstr(error.text, words), "%s: %s", #change, error.text);               \
  } while (0)

MU_TEST(solid_refuses_what_is_wrong_and_says_where) {
  REFUSED(r.desc.part_count = 0, "no part that adds");
  REFUSED(r.parts[0].cut = true, "no part that adds");
  REFUSED(r.parts[0].count = 2, "part 1 has no elements");
  REFUSED(r.parts[0].smooth = 9, "smooth is 0 to 3");
  REFUSED(r.parts[0].blend = -1, "blend of 0 or more");
  REFUSED(r.parts[0].inner = NAN, "blend of 0 or more");
  REFUSED(r.elements[0].count = 2, "element 1 has 2 points");
  REFUSED(r.elements[0].first = -1, "element 1 has 3 points");
  REFUSED(r.elements[0].kind = (sinew_solid_kind)77, "no such kind");
  REFUSED((r.elements[0].kind = SINEW_SOLID_DRUM, r.elements[0].count = 1), "positive radii");
  REFUSED(r.indices[1] = 3, "element 1 has no point 3");
  REFUSED(r.points[2].at[1] = INFINITY, "point 3 has a number");
  REFUSED(r.points[2].radius = -1, "point 3 has a number");
  REFUSED(r.desc.cell = -1, "lengths of 0 or more");
  REFUSED(r.desc.element_count = SINEW_SOLID_ELEMENTS + 1, "more than 1024 elements");
}

MU_TEST(solid_mesh_refuses_cells_that_are_too_small_and_matrices_that_flatten) {
  uint32_t seed = 2;
  static const float flat[16] = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  OWNED(solid) *solid = MU_MADE_OR(random_solid(&seed, false), error.text);
  sinew_solid_options o = sinew_default_solid_options();
  o.cell = 1e-6f;
  MU_CHECK(!sinew_solid_mesh(solid, &o, &error) && strstr(error.text, "too small for its size"));
  o.cell = -1;
  MU_CHECK(!sinew_solid_mesh(solid, &o, &error) && strstr(error.text, "no such level or cell"));
  MU_CHECK(!sinew_solid_placed(solid, flat, &error) && strstr(error.text, "no inverse"));
}

MU_SLOW_TEST(solid_and_its_mesh_survive_every_failing_allocation) {
  long before = (long)sinew_live_bytes(), allowed = 0;
  for (bool done = false; !done; allowed++) {
    uint32_t seed = 4;
    scarce_memory(allowed);
    sinew_solid *solid = random_solid(&seed, true);
    sinew_mesh *mesh = solid ? sinew_solid_mesh(solid, NULL, &error) : NULL;
    done = mesh != NULL;
    if (!done) MU_CHECK_SAY(error.status == SINEW_ERR_MEMORY, "%s", error.text);
    sinew_mesh_destroy(mesh);
    sinew_solid_release(solid);
    plenty_of_memory();
    MU_INT((long)sinew_live_bytes(), before);
  }
  MU_CHECK(allowed > 10);
}

/* --- the cache */

static long long size_of_folder(const char *folder, int *files) {
  char command[600], line[64] = "0 0";
  snprintf(command, sizeof command, "ls '%s' | wc -l; cat '%s'/*.mesh 2>/dev/null | wc -c", folder,
           folder);
  FILE *pipe = popen(command, "r");
  long long bytes = 0;
  *files = pipe && fgets(line, sizeof line, pipe) ? atoi(line) : 0;
  if (pipe && fgets(line, sizeof line, pipe)) bytes = atoll(line);
  if (pipe) pclose(pipe);
  return bytes;
}

static bool same_mesh(const sinew_mesh *a, const sinew_mesh *b) {
  return a && b && a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         !memcmp(a->vertices, b->vertices, 3 * (size_t)a->vertex_count * sizeof(float)) &&
         !memcmp(a->normals, b->normals, 3 * (size_t)a->vertex_count * sizeof(float)) &&
         !memcmp(a->occlusion, b->occlusion, (size_t)a->vertex_count) &&
         !memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof(uint32_t));
}

static sinew_solid *ball_of(float radius) {
  recipe r;
  start(&r);
  add_point(&r, 0, 0, 0, radius);
  add_element(&r, SINEW_SOLID_BALL, 1);
  add_part(&r, 1, 0);
  r.desc.cell = 0.01f;
  return sinew_solid_create(&r.desc, &error);
}

/* the one mesh in the folder, damaged */
static void damage(const char *folder, const char *how) {
  char command[600];
  snprintf(command, sizeof command, "cd '%s' && for f in *.mesh; do %s; done", folder, how);
  if (system(command) != 0) mu_fail(__FILE__, __LINE__, "could not damage the file");
}

MU_TEST(solid_cache_keeps_meshes_and_makes_damaged_ones_again) {
  MU_CHECK(scratch_open());
  char folder[300];
  snprintf(folder, sizeof folder, "%s", scratch_path("deep/er"));
  sinew_solid_options o = sinew_default_solid_options();
  o.cache = folder;
  static const char *const ways[] = {
    ":",
    "head -c 100 $f > x; mv x $f",
    "printf 'X' | dd of=$f bs=1 seek=200 conv=notrunc 2>/dev/null",
    ": > $f",
    "printf 'junk' >> $f",
    "rm $f; mkdir $f",
    "rmdir $f; mkfifo $f"
  };
  OWNED(solid) *first = MU_MADE_OR(ball_of(0.1f), error.text);
  OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(first, &o, &error), error.text);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    int files;
    size_of_folder(folder, &files);
    MU_INT(files, 1);
    damage(folder, ways[i]);
    /* a new solid: the first one keeps its mesh in memory */
    OWNED(solid) *again = MU_MADE_OR(ball_of(0.1f), error.text);
    MU_CHECK(sinew_solid_hash(first) == sinew_solid_hash(again));
    OWNED(mesh) *loaded = MU_MADE_OR(sinew_solid_mesh(again, &o, &error), error.text);
    MU_CHECK_SAY(same_mesh(mesh, loaded), "after %s", ways[i]);
    o.made_before = true;
    OWNED(mesh) *kept = MU_MADE_OR(sinew_solid_mesh(again, &o, &error), error.text);
    OWNED(solid) *other = MU_MADE_OR(ball_of(0.15f), error.text);
    MU_CHECK(!sinew_solid_mesh(other, &o, &error) && error.status == SINEW_ERR_LIMIT);
    o.made_before = false;
  }
  scratch_close();
}

MU_SLOW_TEST(solid_cache_is_bounded_and_other_files_in_it_stay) {
  MU_CHECK(scratch_open());
  sinew_solid_options o = sinew_default_solid_options();
  char folder[300];
  snprintf(folder, sizeof folder, "%s", scratch_path("cache"));
  scratch_folder("cache");
  scratch_text("cache/notes.txt", "mine");
  o.cache = folder;
  int files = 0, most = 0;
  for (int i = 0; i < 12; i++) {
    OWNED(solid) *solid = MU_MADE_OR(ball_of(0.1f + 0.002f * (float)i), error.text);
    OWNED(mesh) *mesh = MU_MADE_OR(sinew_solid_mesh(solid, &o, &error), error.text);
    long long bytes = size_of_folder(folder, &files);
    if (i == 0) o.cache_bytes = (size_t)bytes * 5;
    MU_CHECK((size_t)bytes <= o.cache_bytes);
    if (files > most) most = files;
  }
  MU_CHECK(most > 2 && most < 12 && access(scratch_path("cache/notes.txt"), R_OK) == 0);
  /* a folder that cannot be written to costs nothing but time */
  o.cache = "/dev/null/sinew";
  OWNED(solid) *solid = MU_MADE_OR(ball_of(0.2f), error.text);
  OWNED(mesh) *mesh = sinew_solid_mesh(solid, &o, &error);
  MU_CHECK_SAY(mesh, "%s", error.text);
  scratch_close();
}

MU_TEST(solid_cache_folder_follows_the_environment) {
  char dest[64], was[512], *old = getenv("XDG_CACHE_HOME");
  snprintf(was, sizeof was, "%s", old ? old : "");
  setenv("XDG_CACHE_HOME", "/tmp/c", 1);
  MU_TEXT(sinew_solid_cache_folder(dest, sizeof dest), "/tmp/c/sinew");
  MU_CHECK(!sinew_solid_cache_folder(dest, 8));
  if (old)
    setenv("XDG_CACHE_HOME", was, 1);
  else
    unsetenv("XDG_CACHE_HOME");
}

MU_SUITE(solid)
