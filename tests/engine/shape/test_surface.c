/* OBJ files in and out, polygons, and the check that a surface is closed. */
#include "field_cases.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "shape/surface_internal.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

static const char tetrahedron[] = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static sinew_surface *parse(const char *text, sinew_error *error) {
  /* a copy without a final zero, so that a sanitizer sees a read past the end */
  size_t size = strlen(text);
  FREED char *copy = malloc(size ? size : 1);
  memcpy(copy, text, size);
  sinew_surface *surface = sinew_surface_parse_obj("hand.obj", copy, size, error);
  return surface;
}

MU_TEST(obj_reads_every_form_of_a_corner) {
  static const char *const ways[] = {
    tetrahedron,
    "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1/1 3/9 2/2\nf 1//1 2//2 4//8\nf 2/1/1 3/2/2 4/3/3\n"
    "f 1/ 4/ 3/\n",
    "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf -4 -2 -3\nf -4//-1 -3//-1 -1//-1\nf 2 3 -1\nf 1 4 3",
    "\xef\xbb\xbf# a comment\r\nmtllib x.mtl\r\no hand\r\nv 0 0 0 1.0\r\nv 1e1 .0 -0 0.5 0.5 "
    "0.5\r\n"
    "v\t0  +10.\t0\r\nvn 0 0 1\r\nvt 0 0\r\nv 0 0 0.1e+2 # up\r\n\r\ns off\r\nusemtl a\r\n"
    "f 1 3 2\r\nf 1 2 \\\r\n 4\r\nf 2 3 4\r\nl 1 2\r\nf 1 4 3\r\n",
  };
  for (int i = 0; i < 4; i++) {
    sinew_error error;
    OWNED(surface) *surface = parse(ways[i], &error);
    MU_CHECK_SAY(surface, "%d: %s", i, error.text);
    MU_INT(sinew_surface_vertex_count(surface), 4);
    MU_INT(sinew_surface_triangle_count(surface), 4);
    static const uint32_t expected[] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
    static const float places[] = { 0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10 };
    MU_CHECK(memcmp(sinew_surface_triangles(surface), expected, sizeof expected) == 0);
    for (int k = 0; k < 12; k++) MU_NEAR(sinew_surface_vertices(surface)[k], places[k], 0);
    MU_INT(sinew_surface_check(surface, &error), SINEW_OK);
  }
}

MU_TEST(obj_mistakes_are_reported_with_their_line) {
  static const struct {
    const char *text, *told;
  } wrong[] = {
    { "", "hand.obj: has no faces" },
    { "v 1 2 3\n", "hand.obj: has no faces" },
    { "v 1 2\n", "hand.obj:1: a vertex has 2 coordinates, expected 3" },
    { "#\n\nv 1 2 x7\n", "hand.obj:3: 'x7' is not a number" },
    { "v 1 2 3..4\n", "hand.obj:1: '3..4' is not a number" },
    { "v 1 2 -\n", "hand.obj:1: '-' is not a number" },
    { "v 1 2 1e\n", "hand.obj:1: '1e' is not a number" },
    { "v 1 2 nan\n", "'nan' is not a number" },
    { "v 1 2 1e999\n", "hand.obj:1: the coordinate 1e999 is not within" },
    { "v 1 2 99999999999999999999\n", "is not within" },
    { "v 0 0 0\nv 1 0 0\nf 1 2\n", "hand.obj:3: a face has 2 corners, expected at least 3" },
    { "v 0 0 0\nf 1 2 3\n", "hand.obj:2: a face has vertex 2, there are 1 so far" },
    { "v 0 0 0\nf -2 1 1\n", "a face has vertex -2, there are 1 so far" },
    { "v 0 0 0\nf 0 1 1\n", "a face has vertex 0" },
    { "v 0 0 0\nf 99999999999999999999 1 1\n", "there are 1 so far" },
    { "v 0 0 0\nv 1 0 0\nf 1 1 2\n", "hand.obj:3: a face has vertex 1 twice in a row" },
    { "v 0 0 0\nv 1 0 0\nf 1 2 1\n", "ends with the vertex 1 that it starts with" },
    { "v 0 0 0\nf 1 a 1\n", "hand.obj:2: 'a' is not a corner of a face" },
    { "v 0 0 0\nf 1/2/3/4 1 1\n", "'1/2/3/4' is not a corner" },
    { "v 0 0 0\nf 1/a 1 1\n", "'1/a' is not a corner" },
    { "v 0 0 0\nf - 1 1\n", "'-' is not a corner" },
    { "v 0 0 0\nf \\\n 1 2 1\n", "hand.obj:3: a face has vertex 2" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sinew_error error;
    MU_CHECK_SAY(!parse(wrong[i].text, &error), "%s", wrong[i].text);
    MU_HAS(error.text, wrong[i].told);
    MU_INT(error.status, SINEW_ERR_FILE);
  }
}

static double area(const float *v, const uint32_t *corners, const uint32_t *places) {
  const float *a = v + 3 * corners[places[0]], *b = v + 3 * corners[places[1]],
              *c = v + 3 * corners[places[2]];
  return 0.5 * (((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]));
}

MU_TEST(polygons_are_triangulated_without_overlap) {
  case_seed(40);
  for (int round = 0; round < mu_rounds(400); round++) {
    /* a tilted star-shaped polygon: seen from the front every triangle has the same winding */
    uint32_t count = (uint32_t)case_pick(3, SI_POLYGON_LIMIT), corners[SI_POLYGON_LIMIT];
    float v[3 * SI_POLYGON_LIMIT];
    bool turned = round % 2, convex = round % 5 == 0;
    for (uint32_t i = 0; i < count; i++) {
      float turn = 6.2831853f * (float)i / (float)count;
      float radius = convex ? 50 : case_random(5, 60);
      v[3 * i] = radius * cosf(turn), v[3 * i + 1] = radius * sinf(turn);
      v[3 * i + 2] = 0.1f * v[3 * i];
      corners[turned ? count - 1 - i : i] = i;
    }
    uint32_t cut[3 * SI_POLYGON_LIMIT];
    double whole = 0, sum = 0, size = 0;
    for (uint32_t i = 0; i < count; i++) {
      const float *a = v + 3 * corners[i], *b = v + 3 * corners[(i + 1) % count];
      whole += 0.5 * ((double)a[0] * (double)b[1] - (double)a[1] * (double)b[0]);
    }
    MU_CHECK(si_polygon_cut(v, corners, count, cut));
    for (uint32_t i = 0; i + 2 < count; i++) {
      double part = area(v, corners, cut + 3 * i);
      sum += part, size += fabs(part);
    }
    MU_NEAR(sum, whole, 1e-3);
    MU_NEAR(size, fabs(whole), 1e-3);
  }
}

MU_TEST(a_large_polygon_is_accepted_when_convex_and_refused_when_concave) {
  static char text[60000];
  for (int concave = 0; concave < 2; concave++) {
    size_t size = 0;
    for (int i = 0; i < 200; i++) {
      double turn = 2 * 3.14159265 * i / 200, r = concave && i % 2 ? 20 : 50;
      size += (size_t)snprintf(text + size, 100, "v %.6f %.6f 0\n", r * cos(turn), r * sin(turn));
    }
    size += (size_t)snprintf(text + size, 100, "f");
    for (int i = 1; i <= 200; i++) size += (size_t)snprintf(text + size, 100, " %d", i);
    sinew_error error;
    OWNED(surface) *surface = sinew_surface_parse_obj("p.obj", text, size, &error);
    MU_INT(surface == NULL, concave);
    if (concave) MU_HAS(error.text, "p.obj:201: a concave face has 200 corners");
    if (!concave) MU_INT(sinew_surface_triangle_count(surface), 198);
  }
}

MU_TEST(open_and_unpaired_edges_are_named) {
  sinew_error error;
  sinew_surface *surface = parse("v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\n"
                                 "f 1 3 2\nf 1 2 4\nf 2 3 4\n",
                                 &error);
  MU_INT(sinew_surface_check(surface, &error), SINEW_ERR_VALUE);
  MU_INT(error.count, 3);
  MU_TEXT(error.text,
          "surface: the edge between vertices 1 and 3 is open: only the face on line 5 has it\n"
          "surface: the edge between vertices 1 and 4 is open: only the face on line 6 has it\n"
          "surface: the edge between vertices 3 and 4 is open: only the face on line 7 has it");
  sinew_surface_destroy(surface);

  surface = parse("v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\n"
                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 3 4\n",
                  &error);
  MU_INT(sinew_surface_check(surface, &error), SINEW_ERR_VALUE);
  MU_INT(error.count, 3);
  MU_HAS(error.text, "the face on line 5 and the face on line 8 run the same way along the edge "
                     "between vertices 1 and 3");
  sinew_surface_destroy(surface);

  /* a hundred separate triangles: the first twenty edges, and how many more there are */
  static float v[900];
  static uint32_t t[300];
  for (int i = 0; i < 900; i++) v[i] = (float)i;
  for (uint32_t i = 0; i < 300; i++) t[i] = i;
  surface = sinew_surface_create(v, 300, t, 100, &error);
  MU_FAILS(sinew_surface_check(surface, &error), SINEW_ERR_VALUE,
           "vertices 1 and 2 is open: only triangle 1 has it");
  MU_HAS(error.text, "and 280 more edges");
  sinew_surface_destroy(surface);
}

MU_TEST(surfaces_that_touch_along_an_edge_are_closed) {
  /* two tetrahedra share the edge from 1 to 2 */
  sinew_error error;
  OWNED(surface) *surface = parse("v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nv 0 -10 0\nv 0 0 -10\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
                                  "f 1 5 2\nf 1 2 6\nf 2 5 6\nf 1 6 5\n",
                                  &error);
  MU_INT(sinew_surface_check(surface, &error), SINEW_OK);
}

MU_TEST(bad_surfaces_are_refused) {
  const float v[] = { 0, 0, 0, 1, 0, 0, 0, INFINITY, 0 };
  const uint32_t t[] = { 0, 1, 3 };
  sinew_error error;
  MU_REFUSED(sinew_surface_create(v, 3, t, 1, &error), "vertex 3 has the coordinate inf");
  MU_REFUSED(sinew_surface_create(v, 2, t, 1, &error), "triangle 1 has vertex 4 of 2");
  MU_REFUSED(sinew_surface_create(v, 0, t, 0, &error), "0 vertices and 0 triangles");
  sinew_surface_destroy(NULL);
}

MU_TEST(obj_files_are_restored_to_the_bit_in_every_locale) {
  static float v[600];
  static uint32_t t[600];
  char path[64];
  sinew_error error;
  case_seed(41);
  for (int i = 0; i < 600; i++) {
    v[i] = i % 7 ? case_random(-400, 400) : case_random(-1e-3f, 1e-3f);
    t[i] = (uint32_t)case_pick(0, 199);
    while (i % 3 && (t[i] == t[i - 1] || t[i] == t[i - i % 3])) t[i] = (uint32_t)case_pick(0, 199);
  }
  OWNED(surface) *surface = MU_MADE(sinew_surface_create(v, 200, t, 200, &error));
  snprintf(path, sizeof path, "/tmp/sinew-surface-%ld.obj", (long)getpid());
  static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8" };
  for (int i = 0; i < 3; i++) {
    setlocale(LC_NUMERIC, locales[i]);
    MU_INT(sinew_surface_save_obj(surface, path, &error), SINEW_OK);
    OWNED(surface) *back = sinew_surface_load_obj(path, &error);
    setlocale(LC_NUMERIC, "C");
    remove(path);
    MU_CHECK_SAY(back, "%s", error.text);
    MU_CHECK(memcmp(sinew_surface_vertices(back), v, sizeof v) == 0);
    MU_CHECK(memcmp(sinew_surface_triangles(back), t, sizeof t) == 0);
  }
  MU_INT(sinew_surface_save_obj(surface, "/tmp/no/such/folder.obj", &error), SINEW_ERR_FILE);
  MU_REFUSED(sinew_surface_load_obj("/tmp/no/such/folder.obj", &error), "cannot open");
}

static bool parse_some(void *context) {
  (void)context;
  sinew_error error;
  OWNED(surface) *surface = parse(tetrahedron, &error);
  bool ok = surface && sinew_surface_check(surface, &error) == SINEW_OK;
  if (!ok && error.status != SINEW_ERR_MEMORY) abort();
  return ok;
}

MU_TEST(reading_a_surface_survives_failing_memory) {
  MU_CHECK(case_survives_failing_memory(parse_some, NULL));
}

/* the first crossing of random lines with random triangles, one by one in barycentric coordinates
 */
MU_TEST(surface_tree_finds_where_lines_first_cross) {
  enum { TRIANGLES = 60 };
  uint32_t seed = 3;
  int crossed = 0;
  for (int round = 0; round < mu_rounds(200); round++) {
    float v[9 * TRIANGLES], from[3], way[3], at;
    uint32_t corners[3 * TRIANGLES];
    for (int i = 0; i < 9 * TRIANGLES; i++) v[i] = make_between(&seed, -1, 1);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) corners[i] = i;
    for (int k = 0; k < 3; k++) from[k] = make_between(&seed, -1, 1);
    for (int k = 0; k < 3; k++) way[k] = round % 5 ? make_between(&seed, -2, 2) : k == round % 3;
    if (round % 4 == 0) memcpy(from, v + 9 * (round % TRIANGLES), sizeof from);
    OWNED(surface) *s = sinew_surface_create(v, 3 * TRIANGLES, corners, TRIANGLES, NULL);
    si_surface_tree *tree = si_surface_tree_create(s);
    double first = 1;
    int side = 0;
    for (int t = 0; t < TRIANGLES; t++) {
      const float *a = v + 9 * t;
      double e[3], f[3], p[3], q[3], r[3], det = 0, u = 0, w = 0, along = 0;
      if (round % 4 == 0 && t == round % TRIANGLES) continue;
      for (int k = 0; k < 3; k++) {
        e[k] = (double)a[3 + k] - (double)a[k], f[k] = (double)a[6 + k] - (double)a[k];
        r[k] = (double)from[k] - (double)a[k];
      }
      for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        p[k] = (double)way[m] * f[n] - (double)way[n] * f[m], q[k] = r[m] * e[n] - r[n] * e[m];
      }
      for (int k = 0; k < 3; k++) {
        det += e[k] * p[k], u += r[k] * p[k];
        w += (double)way[k] * q[k], along += f[k] * q[k];
      }
      u /= det, w /= det, along /= det;
      if (!(u >= 0 && w >= 0 && u + w <= 1 && along > 0 && along < first)) continue;
      first = along, side = det < 0 ? 1 : -1;
    }
    MU_INT(si_surface_tree_cross(tree, from, way, &at), side);
    MU_NEAR(at, first, 1e-5);
    crossed += side != 0;
    si_surface_tree_destroy(tree);
  }
  MU_CHECK(crossed > 0);
}

MU_SUITE(surface)
