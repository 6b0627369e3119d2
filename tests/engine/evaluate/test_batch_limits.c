/* Cones, slides and fields in a batch against poses one by one, above all where a lane kernel
 * leaves its common path. */
#include "batch_cases.h"
#include "cone_cases.h"
#include "field_cases.h"
#include "gliding.h"
#include "make.h"
#include "owned.h"

#include <sinew/field.h>

/* A random cone over two random rotations that drives a segment; other segments show the twist and
 * the angles. */
typedef struct cone_rig {
  cone_case shape;
  bool by_matrix, unwired; /* the cone sees only a product, and has no twist input */
  bool swells;             /* the product scales */
  float rest[3];
  int twists;                   /* 0: none, 1: the same for all, 2: one per point */
  bool limited, upright, polar; /* the rotations' ranges; axes x and y, or z and y */
} cone_rig;

static void show(sinew_builder *b, const char *source, float scale) {
  char segment[32], move[48], wire[64];
  snprintf(segment, sizeof segment, "seen_%s", source + strlen("limit."));
  snprintf(move, sizeof move, "%s_move", segment);
  OWNED(curve) *line = make_line(0, 0, 1, scale);
  snprintf(wire, sizeof wire, "active=%s", source);
  make_part(b, MAKE_NO_SET, "dependency", segment, wire,
            SINEW_PARAMS(sinew_param_curve("map", line)));
  snprintf(wire, sizeof wire, "x=%s", segment);
  make_part(b, MAKE_NO_SET, "translation", move, wire, NULL, 0);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, segment, (sinew_vec3){ 0, 0, 0 });
  sinew_builder_drive(b, s, move, NULL, NULL);
}

/* a scaling matrix, which no built-in component outputs */
static void swell(const sinew_node *node, float *values) {
  const float *m = sinew_node_in(node, values, 0);
  float *dest = sinew_node_out(node, values, 0);
  for (int i = 0; i < 16; i++) dest[i] = i < 12 ? m[i] * (1.05f + 0.1f * m[0]) : m[i];
}
static const sinew_port_desc swell_ports[] = { { "matrix", SINEW_MATRIX, 0, 0, "", "" }, { 0 } };
static const sinew_component_class swell_class = { .class_size = sizeof(sinew_component_class),
                                                   .name = "swell",
                                                   .doc = "",
                                                   .inputs = swell_ports,
                                                   .outputs = swell_ports,
                                                   .eval = swell };

static void add_rotation(sinew_builder *b, const char *name, const char *wire, const cone_rig *c,
                         dice *d, int which) {
  double x[3];
  float angles[3], centres[6];
  roll_unit(d, x);
  if (c->upright) x[0] = !which, x[1] = which, x[2] = 0;
  if (c->polar) x[0] = 0, x[1] = which, x[2] = !which;
  angles[0] = (float)roll(d, -170, -20), angles[2] = (float)roll(d, 20, 170), angles[1] = 0;
  for (int k = 0; k < 6; k++) centres[k] = (float)roll(d, -0.1, 0.1);
  const sinew_param params[] = {
    sinew_param_vector("axis", (float)x[0], (float)x[1], (float)x[2]),
    sinew_param_numbers("angles", angles, 3),
    sinew_param_vectors("centres", centres, 2),
  };
  make_part(b, MAKE_NO_SET, "rotation", name, wire, params, c->limited ? 3 : 1);
}

static sinew_rig *make_cone_rig(const cone_rig *c, dice *d) {
  sinew_builder *b = sinew_builder_create("joint", NULL);
  sinew_segment bone = sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0.1f, 0, 0 });
  make_lines(b, "dof a -400 400; dof b -200 200; dof t -200 200");
  add_rotation(b, "one", "angle=a", c, d, 0);
  add_rotation(b, "two", "angle=b", c, d, 1);
  sinew_add(b, "multiply", "both",
            SINEW_WIRES(sinew_wire_name("matrix", "one"), sinew_wire_name("matrix", "two")),
            SINEW_NONE);
  sinew_builder_add_class(b, &swell_class, NULL);
  sinew_add(b, "swell", "swollen", SINEW_WIRES(sinew_wire_name("matrix", "both")), SINEW_NONE);
  FREED float *limits = malloc(2 * (size_t)c->shape.count * sizeof *limits);
  for (int i = 0; i < c->shape.count; i++) {
    limits[2 * i] = (float)roll(d, -90, -1);
    limits[2 * i + 1] = (float)roll(d, 1, 90);
  }
  sinew_param params[8];
  int count = 0;
  params[count++] = sinew_param_vector("rest", c->rest[0], c->rest[1], c->rest[2]);
  params[count++] = sinew_param_vectors("points", c->shape.points[0], c->shape.count);
  params[count++] =
      sinew_param_vector("visible", c->shape.visible[0], c->shape.visible[1], c->shape.visible[2]);
  if (c->twists)
    params[count++] =
        sinew_param_numbers("twist_limits", limits, c->twists == 1 ? 2 : 2 * c->shape.count);
  if (c->twists == 2) params[count++] = sinew_param_numbers("visible_twist", limits, 2);
  if (!c->by_matrix) {
    params[count++] = sinew_param_text("rotation1", "one");
    params[count++] = sinew_param_text("rotation2", "two");
  }
  const char *wires = c->by_matrix ? "swing=both twist=t" : "angle1=a angle2=b twist=t";
  if (c->swells)
    wires = "swing=swollen twist=t";
  else if (c->unwired)
    wires = c->by_matrix ? "swing=both" : "angle1=a angle2=b";
  make_part(b, MAKE_NO_SET, "cone", "limit", wires, params, count);
  sinew_builder_drive(b, bone, "limit.transform", NULL, NULL);
  show(b, "limit.twist", 1);
  show(b, "limit.angle1", 0.1f);
  show(b, "limit.angle2", 0.1f);
  return make_rig(b, NULL);
}

/* Characters at random, then some exactly on the boundary: at the angles to which the cone clamped
 * the previous ones. */
static void cone_dofs(const sinew_rig *rig, int count, uint32_t *seed, float *dest) {
  static const float opposite[][3] = { { 180, 0, 0 },   { 0, 180, 20 },  { -180, 0, 300 },
                                       { 90, 180, 45 }, { 180, 180, 5 }, { 0, 0, 120 } };
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component limit = sinew_rig_find_component(rig, "limit", NULL);
  crowd_dofs(rig, count, seed, dest);
  for (int i = 0; i < count; i++) {
    float *d = dest + 3 * (size_t)i;
    if (i % 16 == 3) memcpy(d, opposite[make_index(seed, 6)], sizeof *opposite);
    if (i % 8 == 5)
      d[make_index(seed, 2)] = 0; /* at borders of slices, with axis-aligned rotations */
    if (i % 4 != 1) continue;
    sinew_pose_set_all(pose, d, 3, NULL);
    sinew_pose_eval(pose, NULL);
    d[0] = *sinew_pose_value(pose, limit, 3);
    d[1] = *sinew_pose_value(pose, limit, 4);
    if (i % 8 == 1) d[2] = *sinew_pose_value(pose, limit, 1);
  }
}

static double cone_rig_off(const cone_rig *c, dice *d, int characters, uint32_t *seed) {
  OWNED(rig) *rig = make_cone_rig(c, d);
  if (!rig) return INFINITY;
  FREED float *dofs = malloc((size_t)characters * 3 * sizeof *dofs);
  cone_dofs(rig, characters, seed, dofs);
  double off = crowd_off(rig, dofs, characters, 1);
  return off;
}

MU_TEST(batch_clamps_to_cones_as_poses_do) {
  dice d = { 7100 };
  uint32_t seed = 7101;
  for (int round = 0; round < mu_rounds(400); round++) {
    cone_rig c = { .shape = make_case(&d, roll_int(&d, CASE_KINDS), 3 + roll_int(&d, 30)) };
    sinew_cone *alone = build_case(&c.shape, NULL);
    MU_CHECK(alone);
    memcpy(c.rest, c.shape.visible, sizeof c.rest);
    if (round % 4 == 3) roll_inside(&d, alone, c.rest);
    sinew_cone_destroy(alone);
    c.by_matrix = round % 5 == 4;
    c.unwired = round % 7 == 6;
    c.swells = round % 10 == 9;
    c.twists = round % 3;
    c.limited = round % 2;
    double off = cone_rig_off(&c, &d, 203, &seed);
    free(c.shape.points);
    MU_NEAR(off, 0, 1e-6);
  }
}

/* Points in close pairs make narrow slices, in which the weights are small differences. The first
 * rotation is about the bone, so its angle selects the slice. */
MU_TEST(batch_twists_in_narrow_slices_as_poses_do) {
  enum { pairs = 6, characters = 203 };
  dice d = { 7108 };
  for (int round = 0; round < mu_rounds(60); round++) {
    float points[2 * pairs][3], dofs[3 * characters];
    cone_rig c = { .shape = { points, 2 * pairs, { 0, 0, 1 } }, .rest = { 0, 0, 1 }, .twists = 2 };
    double gap = pow(10, roll(&d, -5, -2.2));
    c.polar = true;
    for (int i = 0; i < 2 * pairs; i++) {
      double off = roll(&d, 0.4, 0.9), at = 2 * CASE_PI * (i / 2) / pairs + i % 2 * gap;
      points[i][0] = (float)(sin(off) * cos(at)), points[i][1] = (float)(sin(off) * sin(at));
      points[i][2] = (float)cos(off);
    }
    for (int i = 0; i < characters; i++) {
      double at = 360.0 * roll_int(&d, pairs) / pairs + roll(&d, -0.2, 1.2) * gap * 180 / CASE_PI;
      dofs[3 * i] = (float)(at > 180 ? at - 360 : at), dofs[3 * i + 1] = (float)roll(&d, 0, 80);
      dofs[3 * i + 2] = (float)roll(&d, -150, 150);
    }
    OWNED(rig) *rig = MU_MADE(make_cone_rig(&c, &d));
    double off = crowd_off(rig, dofs, characters, 1);
    MU_NEAR(off, 0, 1e-6);
  }
}

/* axis-aligned rotations put directions exactly on the borders of slices */
MU_TEST(batch_clamps_at_the_borders_of_slices) {
  float points[4][3] = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, 0, 1 }, { 0, -1, 1 } };
  dice d = { 7102 };
  uint32_t seed = 7103;
  for (int round = 0; round < mu_rounds(40); round++) {
    cone_rig c = { .shape = { points, 4, { 0, 0, 1 } }, .rest = { 0, 0, 1 } };
    c.twists = round % 3, c.upright = true, c.limited = round % 2, c.by_matrix = round % 5 == 4;
    MU_NEAR(cone_rig_off(&c, &d, 203, &seed), 0, 1e-6);
  }
}

static void glide_turn(const float *axis, float degrees, float *point) {
  double x[3], v[3];
  widen3(axis, x), widen3(point, v);
  gliding_turn(x, (double)degrees, v, v);
  narrow3(v, point);
}

/* a random point of the ellipsoid */
static void glide_place(const gliding *g, float *dest) {
  float n[3], length = 0;
  for (int i = 0; i < 3; i++) n[i] = gliding_random(-1, 1), length += n[i] * n[i];
  length = sqrtf(length);
  for (int i = 0; i < 3; i++) {
    dest[i] = g->centre[i];
    for (int k = 0; k < 3; k++) dest[i] += g->orientation[4 * k + i] * g->radii[k] * n[k] / length;
  }
}

static const float still[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

/* projects a point to the ellipsoid, along the line through its centre */
static void glide_project(const gliding *g, float *point) {
  double p[3];
  widen3(point, p);
  double scale = 1 / sqrt(1 + gliding_ellipsoid(g, still, p));
  for (int i = 0; i < 3; i++) point[i] = g->centre[i] + (float)scale * (point[i] - g->centre[i]);
}

/* Second points, near the first ones, that touch after a rotation by `theta` and a small one. */
static void glide_meet(gliding *g, float theta) {
  for (int i = 0; i < 3; i++) {
    float first[3], *second = g->pairs[i] + 3;
    memcpy(first, g->pairs[i], sizeof first);
    glide_turn(g->axis, theta, first);
    for (int k = 0; k < 3; k++) second[k] = first[k] + gliding_random(-0.04f, 0.04f);
    glide_project(g, second);
    glide_turn(first, gliding_random(-5, 5), second);
    glide_turn(g->axis, -theta, second);
  }
}

/* A joint near a large ellipsoid, and points that reach it by small rotations, as the scapula's do:
 * only these stay in the lane kernel to its end. */
static gliding gliding_that_touches(void) {
  gliding g = gliding_at_random();
  float place[3];
  memset(g.centre, 0, sizeof g.centre);
  for (int i = 0; i < 3; i++) g.radii[i] *= 4;
  glide_place(&g, place);
  for (int i = 0; i < 3; i++) g.centre[i] = gliding_random(-0.02f, 0.02f) - place[i];
  for (int i = 0; i < 3; i++) {
    float theta = gliding_random(-12, 12), psi = gliding_random(-12, 12);
    float *first = g.pairs[i], *second = first + 3;
    glide_project(&g, first);
    glide_project(&g, second);
    glide_turn(first, psi, second);
    glide_turn(g.axis, theta, first);
    glide_turn(g.axis, theta, second);
  }
  /* one pair for all, or three */
  if (gliding_random(0, 1) < 0.7f)
    for (int i = 1; i < 3; i++) memcpy(g.pairs[i], g.pairs[0], sizeof g.pairs[0]);
  return g;
}

/* a random slide whose frame rotates and translates with two DOFs */
static sinew_rig *slide_rig(const gliding *g, bool windows, bool contact_alone) {
  sinew_param params[gliding_params + 1];
  sinew_builder *b = sinew_builder_create("slide", NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 }),
                t = sinew_add_bone(b, SINEW_ROOT, "t", (sinew_vec3){ 0, 0, 0 });
  sinew_segment u = sinew_add_bone(b, SINEW_ROOT, "u", (sinew_vec3){ 0, 0, 0 });
  gliding_describe(g, params);
  params[gliding_params] = sinew_param_numbers("psi_window", (const float[]){ -30, 120 }, 2);
  make_lines(b, "dof lift -0.5 1.5; dof rotation -0.5 1.5; dof turn -180 180\n"
                "dof move -0.3 0.3; translation shift x=move z=move\n"
                "rotation swing angle=turn axis=0.3,1,-0.5\n"
                "multiply frame matrix=swing matrix=shift");
  sinew_add(b, "slide", "glide",
            SINEW_WIRES(sinew_wire_name("frame", "frame"), sinew_wire_name("lift", "lift"),
                        sinew_wire_name("rotation", "rotation")),
            params, gliding_params + windows);
  sinew_add(b, "translation", "touch", SINEW_WIRES(sinew_wire_name("x", "glide.contact")),
            SINEW_NONE);
  sinew_builder_drive(b, s, contact_alone ? "touch" : "glide.transform", NULL, NULL);
  if (contact_alone) return make_rig(b, NULL);
  make_lines(b, "translation first vector=glide.first\n"
                "translation second vector=glide.second\n"
                "translation angles x=glide.theta y=glide.psi z=glide.contact");
  sinew_builder_drive(b, t, "first", NULL, NULL);
  sinew_builder_drive(b, u, "second", NULL, NULL);
  sinew_builder_drive(b, sinew_add_bone(b, SINEW_ROOT, "v", (sinew_vec3){ 0, 0, 0 }), "angles",
                      NULL, NULL);
  return make_rig(b, NULL);
}

MU_TEST(batch_slides_as_poses_slide) {
  enum { characters = 50 };
  float dofs[4 * characters];
  uint32_t seed = 7104;
  gliding_seed(7105);
  for (int round = 0; round < mu_rounds(300); round++) {
    gliding g = round % 4 ? gliding_that_touches() : gliding_at_random();
    /* a flat ellipsoid is hit twice within a short distance */
    if (round % 8 == 4) g.radii[round % 3] *= 0.1f;
    if (round % 6 == 1) g.window[0] = -170, g.window[1] = 40;
    if (round % 6 == 2) g.window[0] = 5, g.window[1] = 130;
    OWNED(rig) *rig = MU_MADE(slide_rig(&g, round % 2, round % 5 == 4));
    double off = crowd_all_off(rig, 50, &seed);
    /* small movements, which stay in contact */
    for (int i = 0; i < characters; i++) {
      const float d[4] = { gliding_random(0, 1), gliding_random(0, 1), gliding_random(-3, 3),
                           gliding_random(-0.003f, 0.003f) };
      memcpy(dofs + 4 * (size_t)i, d, sizeof d);
    }
    off = fmax(off, crowd_off(rig, dofs, characters, 1));
    MU_NEAR(off, 0, 1e-6);
  }
}

/* Points that rotate in a symmetry plane of the ellipsoid: both directions are equally far, or
 * nearly; or the ellipsoid is on one side, and is hit there twice. */
MU_TEST(batch_slides_in_the_nearer_direction) {
  enum { characters = 101 };
  gliding_seed(7111);
  for (int round = 0; round < mu_rounds(400); round++) {
    gliding g = gliding_at_random();
    float aside = gliding_random(1e-6f, 5e-4f), above = gliding_random(0.1005f, 0.14f), theta = 0;
    float dofs[4 * characters];
    double at = round % 2 ? (double)gliding_random(0.1f, 0.5f) : 0;
    const float axis[3] = { 1, 0, 0 };
    double far = round % 2 ? 0.1 : -0.3;
    const float centre[3] = { 0, (float)(-far * sin(at)), (float)(far * cos(at)) };
    memcpy(g.axis, axis, sizeof axis);
    memcpy(g.centre, centre, sizeof centre);
    memset(g.orientation, 0, sizeof g.orientation);
    for (int i = 0; i < 4; i++) g.orientation[5 * i] = 1;
    for (int i = 0; i < 3; i++) {
      const float first[3] = { 0, i ? -aside : aside, round % 2 ? 0.1f : above };
      g.radii[i] = round % 2 ? gliding_random(0.01f, 0.05f) : 0.4f;
      memcpy(g.pairs[i], first, sizeof first);
    }
    /* where the first point enters the ellipsoid, or on the other side leaves it */
    for (double start = 0; theta < 90; theta += 0.01f) {
      double point[3], x[3];
      widen3(g.pairs[0], point), widen3(axis, x);
      gliding_turn(x, (double)theta, point, point);
      double here = gliding_ellipsoid(&g, still, point);
      if (theta == 0) start = here;
      if ((start < 0) != (here < 0)) break;
    }
    glide_meet(&g, theta);
    OWNED(rig) *rig = MU_MADE(slide_rig(&g, false, false));
    for (int i = 0; i < characters; i++) {
      dofs[4 * i] = (float)i / (characters - 1), dofs[4 * i + 1] = 0;
      dofs[4 * i + 2] = 0, dofs[4 * i + 3] = i % 2 ? 0 : gliding_random(-0.0005f, 0.0005f);
    }
    double off = crowd_off(rig, dofs, characters, 1);
    MU_NEAR(off, 0, 1e-6);
  }
}

/* a first point almost on the axis and almost on the ellipsoid: rounding must not rotate it */
MU_TEST(batch_does_not_rotate_points_on_the_axis) {
  gliding g = gliding_of_the_paper();
  const float axis[3] = { 1, 0, 0 }, centre[3] = { 0, -0.02f, 0 };
  memcpy(g.axis, axis, sizeof axis);
  memcpy(g.centre, centre, sizeof centre);
  float along = sqrtf(0.1f * 0.1f - 0.02f * 0.02f);
  for (int i = 0; i < 3; i++) {
    const float pair[6] = { i ? along - 1e-8f : along + 1e-8f, 2e-8f, 0, 0.05f, 0.05f, 0.01f };
    memcpy(g.pairs[i], pair, sizeof pair);
    g.radii[i] = 0.1f;
  }
  gliding_seed(7112);
  glide_place(&g, g.pairs[0] + 3);
  glide_turn(axis, 3, g.pairs[0] + 3);
  for (int i = 1; i < 3; i++) memcpy(g.pairs[i] + 3, g.pairs[0] + 3, 3 * sizeof(float));
  OWNED(rig) *rig = MU_MADE(slide_rig(&g, false, false));
  enum { characters = 301 };
  float dofs[4 * characters] = { 0 };
  for (int i = 0; i < characters; i++) dofs[4 * i] = (float)i / (characters - 1);
  double off = crowd_off(rig, dofs, characters, 1);
  MU_NEAR(off, 0, 1e-6);
}

MU_TEST(batch_of_the_papers_shoulder_is_right) {
  uint32_t seed = 7106;
  gliding g = gliding_of_the_paper();
  OWNED(rig) *rig = MU_MADE(gliding_shoulder(&g, NULL));
  double off = crowd_all_off(rig, mu_rounds(4000), &seed);
  MU_NEAR(off, 0, 1e-6);
}

MU_TEST(batch_stays_in_fields_as_poses_do) {
  uint32_t seed = 7107;
  static float ring[2 * 400];
  for (int i = 0; i < 400; i++) {
    float turn = 6.2831853f * (float)i / 400;
    ring[2 * i] = 60 * cosf(turn), ring[2 * i + 1] = 40 * sinf(turn);
  }
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ -120, 120, 25, false };
  OWNED(field) *field = case_field(&desc, ring, 400);
  sinew_builder *b = sinew_builder_create("hip", NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 }),
                t = make_segment(b, "t", "s", 0, 1, 0);
  make_lines(b, "dof swing -180 180; dof turn -180 180");
  sinew_add(b, "field", "limit",
            SINEW_WIRES(sinew_wire_name("angle", "swing"), sinew_wire_name("angle", "turn")),
            SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, field)));
  sinew_add(b, "euler", "both",
            SINEW_WIRES(sinew_wire_name("first", "limit.angle1"),
                        sinew_wire_name("third", "limit.angle2")),
            SINEW_NONE);
  sinew_add(b, "translation", "far", SINEW_WIRES(sinew_wire_name("x", "limit.distance")),
            SINEW_NONE);
  sinew_builder_drive(b, s, "both", NULL, NULL);
  sinew_builder_drive(b, t, "far", NULL, NULL);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  double off = crowd_all_off(rig, mu_rounds(2000), &seed);
  MU_NEAR(off, 0, 0);
}

MU_SUITE(batch_limits)
