/* The batch against poses one by one: curves of every kind, and unusual rigs (test_network.c has
 * random ones). The number of threads changes nothing. */
#include "batch_cases.h"
#include "compile/fuse.h"
#include "compile/rig_internal.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"

#include <float.h>
#include <stdlib.h>

/* rest frames that hide a rotation's constants: one cancels the constant part of its matrix, the
 * other is half a turn about the rotation's own axis, which keeps the pattern of zeros */
MU_TEST(batch_is_right_when_rest_frames_cancel_rotations) {
  static const float half_turn[16] = { 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1 };
  sinew_builder *b = sinew_builder_create("hidden", NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, -0.5f, 0 });
  sinew_segment t = sinew_add_bone_frame(b, SINEW_ROOT, "t", half_turn),
                u = make_placed(b, "u", "t", half_turn);
  make_lines(b, "dof a -180 180; dof b -180 180\n"
                "rotation about angle=a axis=0,0,1 centre=0,0.5,0\n"
                "rotation turn angle=a axis=1,1,0\n"
                "rotation one angle=a axis=1,1,0 centre=0.1,0,0\n"
                "rotation two angle=b axis=1,2,3; multiply both matrix=one matrix=two");
  sinew_builder_drive(b, s, "about", NULL, NULL);
  sinew_builder_drive(b, t, "turn", NULL, NULL);
  sinew_builder_drive(b, u, "both", NULL, NULL);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  uint32_t seed = 7008;
  double off = crowd_all_off(rig, 100, &seed);
  MU_NEAR(off, 0, 1e-6);
}

/* a random curve: `many` points at multiples of five, or random coefficients for a constant or
 * polynomial */
static sinew_curve *any_curve(uint32_t *seed, int kind, int outside, int many) {
  static float points[2 * 80], coefficients[4];
  sinew_curve_desc d = sinew_default_curve_desc();
  float x = -5 * (float)many;
  d.kind = (sinew_curve_kind)kind;
  d.outside = (sinew_outside)outside;
  d.scale = make_between(seed, 0.5f, 2), d.offset = make_between(seed, -1, 1);
  if (kind == SINEW_CURVE_CONSTANT || kind == SINEW_CURVE_POLYNOMIAL) {
    for (int i = 0; i < 4; i++) coefficients[i] = make_between(seed, -1, 1) / powf(60, (float)i);
    d.coefficients = coefficients;
    d.coefficient_count = kind == SINEW_CURVE_CONSTANT ? 1 : 1 + make_index(seed, 4);
    return sinew_curve_create(&d, NULL);
  }
  d.points = points, d.point_count = kind == SINEW_CURVE_LINEAR ? 2 : many;
  for (int i = 0; i < d.point_count; i++) {
    points[2 * i] = x, points[2 * i + 1] = make_between(seed, -20, 20);
    x += 5 * (float)(1 + make_index(seed, 3));
  }
  return sinew_curve_create(&d, NULL);
}

/* an upper bound through points a little higher, linear between them, so that the bounds cross */
static sinew_curve *just_above(const sinew_curve *curve) {
  sinew_curve_desc d = sinew_curve_describe(curve);
  d.offset += 0.1f;
  if (d.point_count > 2) d.kind = SINEW_CURVE_PIECEWISE;
  return sinew_curve_create(&d, NULL);
}

/* adds a segment that a scalar translates, to compare the scalar itself */
static void show(sinew_builder *b, const char *source) {
  char segment[64], move[80], wire[64];
  snprintf(segment, sizeof segment, "%s seen", source);
  for (char *c = segment; *c; c++) *c = *c == '.' || *c == ' ' ? '_' : *c;
  snprintf(move, sizeof move, "%s_move", segment);
  snprintf(wire, sizeof wire, "x=%s", source);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, segment, (sinew_vec3){ 0, 0, 0 });
  make_part(b, MAKE_NO_SET, "translation", move, wire, NULL, 0);
  sinew_builder_drive(b, s, move, NULL, NULL);
}

static const int point_counts[] = { 2, 3, 4, 7, 8, 9, 12, 64, 70 };
enum { point_choices = sizeof point_counts / sizeof *point_counts };

/* dependencies of every combination of parameters, each with a different kind of curve */
static sinew_rig *dependencies_rig(int outside, int many, uint32_t *seed) {
  static const char *const ways[] = { "map", "offset", "lower", "upper" };
  sinew_builder *b = make_lines(NULL, "dof a %.9g %.9g; dof p -60 60",
                                (double)(-6 * (float)many - 20), (double)(10 * (float)many + 20));
  for (int kind = 0; kind < SINEW_CURVE_KIND_COUNT; kind++)
    for (int way = 0; way <= 4; way++) {
      char name[32];
      snprintf(name, sizeof name, "c%d_%d", kind, way);
      OWNED(curve) *f = any_curve(seed, kind, outside, many), *g = just_above(f);
      sinew_param both[] = { sinew_param_curve(way < 4 ? ways[way] : "lower", f),
                             sinew_param_curve("upper", g) };
      make_part(b, MAKE_NO_SET, "dependency", name, way ? "active=a passive=p" : "active=a", both,
                way < 4 ? 1 : 2);
      show(b, name);
    }
  return make_rig(b, NULL);
}

MU_TEST(batch_evaluates_every_kind_of_curve) {
  uint32_t seed = 7002;
  for (int i = 0; i < point_choices; i++)
    for (int outside = 0; outside <= SINEW_OUTSIDE_REPEAT; outside++) {
      OWNED(rig) *rig = MU_MADE(dependencies_rig(outside, point_counts[i], &seed));
      double off = crowd_all_off(rig, mu_rounds(400), &seed);
      MU_NEAR(off, 0, 1e-6);
    }
}

/* maps of 1 to 9 curves with the same x values; if not `shared`, those of the last curve differ */
static sinew_rig *maps_rig(int kind, int outside, int many, bool shared, uint32_t *seed) {
  sinew_builder *b = sinew_builder_create("maps", NULL);
  sinew_add_dof(b, "a", NULL, -6 * (float)many - 20, 10 * (float)many + 20);
  for (int count = 1; count <= 9; count++) {
    sinew_param params[9];
    sinew_curve *curves[9];
    char name[16], names[9][16], port[192];
    for (int i = 0; i < count; i++) {
      curves[i] = any_curve(seed, kind, outside, many);
      sinew_curve_desc d = sinew_curve_describe(curves[i]);
      if (shared && i) {
        /* the x values of the first curve */
        sinew_curve_desc first = sinew_curve_describe(curves[0]);
        float points[2 * 80];
        for (int k = 0; k < d.point_count; k++) {
          points[2 * k] = first.points[2 * k];
          points[2 * k + 1] = d.points[2 * k + 1];
        }
        d.points = points;
        sinew_curve *moved = sinew_curve_create(&d, NULL);
        sinew_curve_destroy(curves[i]);
        curves[i] = moved;
      }
      snprintf(names[i], sizeof names[i], "o%d", i);
      params[i] = sinew_param_curve(names[i], curves[i]);
    }
    snprintf(name, sizeof name, "m%d", count);
    sinew_add(b, "map", name, SINEW_WIRES(sinew_wire_name("x", "a")), params, count);
    for (int i = 0; i < count; i++) {
      sinew_curve_destroy(curves[i]);
      snprintf(port, sizeof port, "m%d.o%d", count, i);
      show(b, port);
    }
  }
  return make_rig(b, NULL);
}

MU_TEST(batch_evaluates_maps_as_poses_do) {
  uint32_t seed = 7003;
  for (int i = 0; i < point_choices; i++)
    for (int outside = SINEW_OUTSIDE_CLAMP; outside <= SINEW_OUTSIDE_REPEAT; outside++)
      for (int shared = 0; shared < 2; shared++) {
        int kind = SINEW_CURVE_LINEAR + make_index(&seed, 5);
        if (i == 1) kind = SINEW_CURVE_PIECEWISE; /* two linear pieces have their own code path */
        OWNED(rig) *rig = MU_MADE(maps_rig(kind, outside, point_counts[i], shared, &seed));
        double off = crowd_all_off(rig, mu_rounds(400), &seed);
        MU_NEAR(off, 0, 1e-6);
      }
}

MU_TEST(batch_of_an_unusual_rig_is_right) {
  uint32_t seed = 7005;
  for (int kind = 0; kind < 6; kind++) {
    sinew_builder *b = sinew_builder_create("unusual", NULL);
    float rest[16];
    make_frame(&seed, MAKE_MIRRORED, rest);
    if (kind == 1 || kind == 2) sinew_add_dof(b, "a", NULL, -90, 90); /* which nothing reads */
    if (kind >= 2) sinew_add_bone_frame(b, SINEW_ROOT, "s", rest);
    if (kind >= 3) make_placed(b, "t", kind == 4 ? NULL : "s", rest);
    if (kind == 5) {
      /* what drives it never changes */
      sinew_add(b, "euler", "fixed", SINEW_WIRES(sinew_wire_number("second", 40)), SINEW_NONE);
      sinew_builder_drive(b, (sinew_segment){ 1 }, "fixed", NULL, NULL);
    }
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    double off = crowd_all_off(rig, 100, &seed);
    OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
    /* no buffer is needed if there is nothing to write */
    if (kind == 0) MU_INT(sinew_batch_eval(batch, NULL, 9, NULL, NULL), SINEW_OK);
    MU_NEAR(off, 0, 0);
  }
}

MU_TEST(batch_of_a_long_chain_is_right) {
  enum { links = 10000 };
  sinew_builder *b = sinew_builder_create("chain", NULL);
  char name[16], parent[16] = "";
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "d%d", i);
    sinew_add_dof(b, name, NULL, -1, 1);
  }
  make_lines(b, "rotation bend angle=d0 axis=1,0,0.1; rotation turn angle=d1 axis=0,1,0\n"
                "multiply both matrix=bend matrix=turn");
  for (int i = 0; i < links; i++) {
    snprintf(name, sizeof name, "s%d", i);
    sinew_segment s = make_segment(b, name, i ? parent : NULL, 0, 0.01f, 0);
    if (i % 3) sinew_builder_drive(b, s, i % 2 ? "both" : "bend", NULL, NULL);
    snprintf(parent, sizeof parent, "%s", name);
  }
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  uint32_t seed = 7006;
  float dofs[2 * 9];
  crowd_dofs(rig, 9, &seed, dofs);
  double off = crowd_off(rig, dofs, 9, 1);
  MU_NEAR(off, 0, 1e-6);
}

MU_TEST(batch_is_the_same_on_any_number_of_threads) {
  static const int counts[] = { 1, 33, 500 }, threads[] = { 2, 3, 7 };
  uint32_t seed = 7007;
  for (int round = 0; round < mu_rounds(20); round++) {
    OWNED(rig) *rig = MU_MADE(network_make(make_random(&seed), 9, 90, 30));
    size_t dofs = (size_t)sinew_rig_dof_count(rig);
    size_t floats = 16 * (size_t)sinew_rig_segment_count(rig);
    float *values = malloc(500 * dofs * sizeof *values), *worlds[2];
    for (int i = 0; i < 2; i++) worlds[i] = malloc(500 * floats * sizeof **worlds);
    crowd_dofs(rig, 500, &seed, values);
    bool same = true;
    for (int lanes = 4; lanes <= 8; lanes += 4)
      for (int k = 0; k < 9 && crowd_can(lanes); k++) {
        int count = counts[k / 3];
        sinew_status status[2];
        for (int i = 0; i < 2; i++) {
          sinew_batch_desc desc = { sizeof desc, i ? threads[k % 3] : 1, lanes };
          OWNED(batch) *batch = sinew_batch_create(rig, &desc, NULL);
          same &= sinew_batch_threads(batch) == desc.threads;
          memset(worlds[i], 0, 500 * floats * sizeof **worlds);
          /* repeated, since the threads' timing varies */
          for (int again = 0; again < 3; again++)
            status[i] = sinew_batch_eval(batch, values, count, worlds[i], NULL);
        }
        same &= status[0] == status[1];
        same &= memcmp(worlds[0], worlds[1], 500 * floats * sizeof **worlds) == 0;
      }
    free(values);
    for (int i = 0; i < 2; i++) free(worlds[i]);
    MU_CHECK(same);
  }
}

MU_SUITE(batch)
