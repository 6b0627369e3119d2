/* The rotation component against the slow product of [Shao 2003, eq. 1], in doubles. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <float.h>

typedef struct hinge {
  float axis[3], angles[8], centres[8 * 3], rest;
  int intervals;
  bool rest_given;
} hinge;

/* M(n) ... M(1) with each M(i) = T^-1 Q T, as printed */
static dmat product(const hinge *h, double angle) {
  dmat p = dmat_identity();
  for (int i = 1; i <= h->intervals; i++) {
    double from = (double)h->angles[i - 1], to = (double)h->angles[i];
    double b = angle > to ? to - from : angle > from ? angle - from : 0;
    const float *c = h->centres + 3 * (i - 1);
    dmat t = dmat_move(-(double)c[0], -(double)c[1], -(double)c[2]);
    dmat back = dmat_move((double)c[0], (double)c[1], (double)c[2]);
    p = dmat_mul(dmat_mul(back, dmat_mul(dmat_turn(h->axis, b), t)), p);
  }
  return p;
}

static double rest_of(const hinge *h) {
  double low = (double)h->angles[0], high = (double)h->angles[h->intervals];
  if (h->rest_given) return (double)h->rest;
  return low > 0 ? low : high < 0 ? high : 0;
}

static dmat slow(const hinge *h, double angle) {
  double low = (double)h->angles[0], high = (double)h->angles[h->intervals];
  angle = angle < low ? low : angle > high ? high : angle;
  return dmat_mul(product(h, angle), dmat_inverse(product(h, rest_of(h))));
}

static hinge random_hinge(uint32_t *seed) {
  hinge h = { .intervals = 1 + make_index(seed, 7), .rest_given = make_index(seed, 2) };
  make_axis(seed, h.axis);
  h.angles[0] = make_between(seed, -200, 60);
  for (int i = 0; i < h.intervals; i++) {
    h.angles[i + 1] = h.angles[i] + make_between(seed, 5, 80);
    for (int k = 0; k < 3; k++) h.centres[3 * i + k] = make_between(seed, -0.5f, 0.5f);
  }
  h.rest = make_between(seed, h.angles[0], h.angles[h.intervals]);
  return h;
}

/* a root and a driven bone, each in a frame of the given kind */
static sinew_rig *rig_of(const hinge *h, int parent, uint32_t *seed) {
  float frame[16];
  sinew_builder *b = sinew_builder_create("hinge", NULL);
  make_frame(seed, parent, frame);
  sinew_add_bone_frame(b, SINEW_ROOT, "root", frame);
  make_frame(seed, parent, frame);
  sinew_segment bone = make_placed(b, "bone", "root", frame);
  sinew_add_dof(b, "angle", NULL, -1000, 1000);
  sinew_add(b, "rotation", "turn", SINEW_WIRES(sinew_wire_name("angle", "angle")),
            (const sinew_param[]){
                sinew_param_vector("axis", h->axis[0], h->axis[1], h->axis[2]),
                sinew_param_numbers("angles", h->angles, h->intervals + 1),
                sinew_param_vectors("centres", h->centres, h->intervals),
                sinew_param_number("rest", h->rest),
            },
            h->rest_given ? 4 : 3);
  sinew_builder_drive(b, bone, "turn", NULL, NULL);
  return make_rig(b, NULL);
}

MU_TEST(rotation_agrees_with_equation_1_under_every_parent) {
  uint32_t seed = 4;
  for (int round = 0; round < mu_rounds(400); round++) {
    hinge h = random_hinge(&seed);
    OWNED(rig) *rig = rig_of(&h, round % MAKE_FRAMES, &seed);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_segment root = sinew_rig_segment(rig, 0), bone = sinew_rig_segment(rig, 1);
    double off = 0, world_off = 0, held_off = 0;
    for (int k = 0; k < 40; k++) {
      float angle = make_between(&seed, h.angles[0] - 20, h.angles[h.intervals] + 20);
      if (k <= h.intervals) angle = h.angles[k];
      if (k == 30) angle = (float)rest_of(&h);
      sinew_pose_set(pose, sinew_rig_dof(rig, 0), angle, NULL);
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      dmat want = slow(&h, (double)angle);
      off = fmax(off, dmat_off(want, sinew_pose_local(pose, bone)));
      dmat above = dmat_mul(dmat_of(sinew_rig_segment_info(rig, root).rest),
                            dmat_of(sinew_rig_segment_info(rig, bone).rest));
      world_off = fmax(world_off, dmat_off(dmat_mul(above, want), sinew_pose_world(pose, bone)));

      float inside = fminf(fmaxf(angle, h.angles[0]), h.angles[h.intervals]);
      sinew_hold hold;
      int holds = sinew_pose_holds(pose, &hold, 1);
      MU_INT(holds, inside != angle);
      if (holds) held_off = fmax(held_off, fabs((double)(hold.amount - (inside - angle))));
    }
    MU_NEAR(off, 0, 3e-6);
    MU_NEAR(world_off, 0, 5e-6);
    MU_NEAR(held_off, 0, 0);
  }
}

MU_TEST(rotation_is_the_identity_at_rest_and_continuous_at_interval_ends) {
  uint32_t seed = 8;
  for (int round = 0; round < mu_rounds(100); round++) {
    hinge h = random_hinge(&seed);
    OWNED(rig) *rig = rig_of(&h, MAKE_IDENTITY, &seed);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_dof angle = sinew_rig_dof(rig, 0);
    const float *m = sinew_pose_local(pose, sinew_rig_segment(rig, 1));
    sinew_pose_set(pose, angle, (float)rest_of(&h), NULL);
    sinew_pose_eval(pose, NULL);
    double off = dmat_off(dmat_identity(), m), jump = 0;
    for (int i = 1; i < h.intervals; i++) {
      sinew_pose_set(pose, angle, nextafterf(h.angles[i], -FLT_MAX), NULL);
      sinew_pose_eval(pose, NULL);
      dmat before = dmat_of(m);
      sinew_pose_set(pose, angle, h.angles[i], NULL);
      sinew_pose_eval(pose, NULL);
      jump = fmax(jump, dmat_off(before, m));
    }
    MU_NEAR(off, 0, 1e-6);
    MU_NEAR(jump, 0, 2e-6);
  }
}

MU_TEST(rotation_gives_the_papers_humerus) {
  /* in two intervals about two centres, from 0, so that it is the paper's own formula */
  const hinge h = { .axis = { 0, 0, 1 },
                    .angles = { 0, 60, 180 },
                    .centres = { -0.373f, -0.247f, -0.181f, -0.373f, 0.449f, -0.181f },
                    .intervals = 2 };
  uint32_t seed = 1;
  OWNED(rig) *rig = rig_of(&h, MAKE_IDENTITY, &seed);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (int degrees = 0; degrees <= 180; degrees += 15) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), (float)degrees, NULL);
    sinew_pose_eval(pose, NULL);
    MU_NEAR(dmat_off(product(&h, degrees), sinew_pose_local(pose, sinew_rig_segment(rig, 1))), 0,
            1e-6);
  }
}

/* the example of figure 4: of 70 degrees, 50 are about c1 and the other 20 about c2 */
MU_TEST(rotation_of_figure_4_takes_50_degrees_about_c1_and_20_about_c2) {
  const hinge h = { .axis = { 0, 0, 1 },
                    .angles = { 0, 50, 90 },
                    .centres = { 0.01f, -0.02f, 0, 0.03f, 0.04f, 0 },
                    .intervals = 2 };
  const hinge first = {
    .axis = { 0, 0, 1 }, .angles = { 0, 50 }, .centres = { 0.01f, -0.02f, 0 }, .intervals = 1
  };
  const hinge second = {
    .axis = { 0, 0, 1 }, .angles = { 0, 20 }, .centres = { 0.03f, 0.04f, 0 }, .intervals = 1
  };
  uint32_t seed = 1;
  OWNED(rig) *rig = rig_of(&h, MAKE_IDENTITY, &seed);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 70, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(dmat_off(dmat_mul(product(&second, 20), product(&first, 50)),
                   sinew_pose_local(pose, sinew_rig_segment(rig, 1))),
          0, 1e-6);
}

MU_TEST(rotation_without_angles_is_unlimited_about_its_centre) {
  sinew_builder *b = sinew_builder_create("free", NULL);
  sinew_add_dof(b, "angle", NULL, -1e6f, 1e6f);
  const float axis[3] = { 1, 2, -2 };
  sinew_component turn = sinew_add(
      b, "rotation", "turn", SINEW_WIRES(sinew_wire_name("angle", "angle")),
      SINEW_PARAMS(sinew_param_vector("axis", 1, 2, -2), sinew_param_vector("centre", 0.5f, -1, 2),
                   sinew_param_number("rest", 30)));
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (float angle = -1000; angle < 1000; angle += 37.5f) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), angle, NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    dmat want = dmat_mul(dmat_move(0.5, -1, 2), dmat_turn(axis, (double)angle - 30));
    want = dmat_mul(want, dmat_move(-0.5, 1, -2));
    MU_NEAR(dmat_off(want, sinew_pose_value(pose, turn, 0)), 0, 2e-6);
    MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  }
}

/* the message of compiling one rotation with these parameters */
static const char *refused(const sinew_param *params, int count) {
  static sinew_error e;
  sinew_builder *b = make_lines(NULL, "dof a -1 1");
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "a")), params, count);
  OWNED(rig) *rig = make_rig(b, &e);
  return rig ? "accepted" : e.text;
}

MU_TEST(bad_rotations_are_refused_with_a_message) {
  static const struct {
    const char *params, *text;
  } cases[] = {
    { "", "component 'r' parameter 'axis': is missing (a vector: the axis, in the segment's rest "
          "frame; any length except zero)" },
    { "axis=0,0,0", "component 'r': 'axis' is zero" },
    { "axis=0,nan,0", "component 'r' parameter 'axis': number 2 is nan, not finite" },
    { "axis=0,1,0 angles=0,10,10", "component 'r': 'angles' must rise: angle 3 is 10 after 10" },
    { "axis=0,1,0 angles=0,20,10", "component 'r': 'angles' must rise: angle 3 is 10 after 20" },
    { "axis=0,1,0 angles=0", "component 'r': 'angles' needs at least two, has 1" },
    { "axis=0,1,0 angles=0,inf", "component 'r' parameter 'angles': number 2 is inf, not finite" },
    { "axis=0,1,0 angles=0,10,20 centres=0,0,0,0,0,0,0,0,0",
      "component 'r': has 3 centres for 2 intervals" },
    { "axis=0,1,0 centre=0,0,0 centres=0,0,0",
      "component 'r': takes 'centre' or 'centres', not both" },
    { "axis=0,1,0 angles=0,10,20 rest=21", "component 'r': 'rest' is 21, outside 0 to 20" },
    { "axis=0,0,0 angles=0,20,10", "component 'r': 'angles' must rise: angle 3 is 10 after 20\n"
                                   "component 'r': 'axis' is zero" },
  };
  sinew_error error;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    MU_REFUSED_AS(
        make_rig(make_lines(NULL, "dof a -1 1; rotation r angle=a %s", cases[i].params), &error),
        cases[i].text);
  sinew_param axis = sinew_param_vector("axis", 0, 1, 0);
  MU_TEXT(refused(SINEW_PARAMS(axis, sinew_param_numbers("angles", (const float[]){ 0 }, 0))),
          "component 'r': 'angles' needs at least two, has 0");
  MU_TEXT(refused(SINEW_PARAMS(axis, sinew_param_number("angles", 5))),
          "component 'r': 'angles' needs at least two, has 1");
  MU_TEXT(refused(SINEW_PARAMS(axis, sinew_param_vectors("centres", NULL, 0))),
          "component 'r': has 0 centres for 1 interval");
}

MU_TEST(an_axis_may_have_any_length_except_zero) {
  static const float lengths[] = { 1e-45f, 1e-30f, 1e-13f, 1, 3e38f };
  float first[16];
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    sinew_builder *b = make_lines(NULL, "dof a -90 90; rotation r angle=a axis=0,%.9g,%.9g",
                                  (double)lengths[i], (double)(-lengths[i]));
    sinew_error error;
    OWNED(rig) *rig = make_rig(b, &error);
    MU_CHECK_SAY(rig, "%g: %s", (double)lengths[i], error.text);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), 30, NULL);
    MU_CHECK(sinew_pose_eval(pose, NULL) == SINEW_OK);
    const float *turn = sinew_pose_value(pose, sinew_rig_component(rig, 0), 0);
    if (i == 0) memcpy(first, turn, sizeof first);
    for (int k = 0; k < 16; k++) MU_NEAR(turn[k], first[k], 1e-6);
  }
  MU_NEAR(first[5], 0.5 + 0.5 * 0.8660254, 1e-6);
}

MU_SUITE(rotation)
