/* The scapula constraint as a component, in compiled rigs: its outputs against the same geometry in
 * doubles. */
#include "fixture.h"
#include "math/matrix.h"
#include "gliding.h"
#include "minunit.h"
#include "owned.h"

typedef struct made {
  sinew_rig *rig;
  sinew_pose *pose;
  sinew_component slide;
} made;

static made make(const gliding *g) {
  sinew_param params[gliding_params];
  gliding_describe(g, params);
  made m = { .rig = gliding_compile(params, gliding_params, g->frame, &error) };
  if (!m.rig) {
    mu_fail(__FILE__, __LINE__, "%s", error.text);
    return m;
  }
  m.pose = sinew_pose_create(m.rig, NULL);
  m.slide = sinew_rig_component(m.rig, 0);
  return m;
}

static void unmake(made *m) {
  sinew_pose_destroy(m->pose);
  sinew_rig_destroy(m->rig);
}

enum { out_transform, out_theta, out_psi, out_contact, out_first, out_second };

static const float *output(const made *m, int index) {
  return sinew_pose_value(m->pose, m->slide, index);
}

static void set(made *m, float lift, float rotation) {
  sinew_pose_set(m->pose, sinew_rig_dof(m->rig, 0), lift, NULL);
  sinew_pose_set(m->pose, sinew_rig_dof(m->rig, 1), rotation, NULL);
  sinew_pose_eval(m->pose, NULL);
}

/* E of the first point rotated by theta, or of the second rotated by psi, then theta */
static double turned(const gliding *g, const double *pair, double theta, const double *psi) {
  double axis[3] = { (double)g->axis[0], (double)g->axis[1], (double)g->axis[2] }, p[3];
  if (psi)
    gliding_turn(pair, *psi, pair + 3, p);
  else
    memcpy(p, pair, sizeof p);
  gliding_turn(axis, theta, p, p);
  return gliding_ellipsoid(g, g->frame, p);
}

/* whether E keeps its sign from 0 to the angle found, in both directions: then no root is nearer.
 * It would miss two roots within a quarter degree; test_contact.c looks closer */
static bool first_from_zero(const gliding *g, const double *pair, double theta, const double *psi) {
  double end = fabs(psi ? *psi : theta);
  bool inside = psi ? turned(g, pair, theta, &(double){ 0 }) < 0 : turned(g, pair, 0, NULL) < 0;
  for (double t = 0.25; t < end - 0.01; t += 0.25)
    for (int sign = -1; sign <= 1; sign += 2) {
      double at = sign * t;
      double e = psi ? turned(g, pair, theta, &at) : turned(g, pair, at, NULL);
      if ((e < 0) != inside && fabs(e) > 1e-5) return false;
    }
  return true;
}

MU_TEST(slide_brings_both_points_onto_the_ellipsoid) {
  int rounds = mu_rounds(3000), touched = 0, missed = 0;
  gliding_seed(11);
  for (int i = 0; i < rounds; i++) {
    gliding g = gliding_at_random();
    made m = make(&g);
    if (!m.rig) return;
    float lift = gliding_random(0, 1), rotation = gliding_random(0, 1);
    set(&m, lift, rotation);
    double pair[6], p1[3], p2[3];
    gliding_blend(&g, (double)lift, (double)rotation, pair);
    CGLM_ALIGN_MAT float whole[16];
    si_mat_mul(g.frame, output(&m, out_transform), whole);
    double theta = (double)*output(&m, out_theta), psi = (double)*output(&m, out_psi);
    bool contact = *output(&m, out_contact) > 0;
    for (int k = 0; k < 3; k++) {
      MU_NEAR(output(&m, out_first)[k], pair[k], 1e-7);
      MU_NEAR(output(&m, out_second)[k], pair[3 + k], 1e-7);
      p1[k] = (double)output(&m, out_first)[k], p2[k] = (double)output(&m, out_second)[k];
    }
    double e1 = gliding_ellipsoid(&g, whole, p1), e2 = gliding_ellipsoid(&g, whole, p2);
    sinew_hold holds[4];
    int held = sinew_pose_holds(m.pose, holds, 4);
    if (contact) {
      touched++;
      MU_CHECK_SAY(fabs(e1) <= 1e-5 && fabs(e2) <= 1e-5, "case %d: E is %.3g and %.3g", i, e1, e2);
      MU_INT(held, 0);
      MU_CHECK_SAY(first_from_zero(&g, pair, theta, NULL) && first_from_zero(&g, pair, theta, &psi),
                   "case %d: there are nearer roots than %.9g and %.9g", i, theta, psi);
    } else {
      missed++;
      MU_CHECK_SAY(fabs(e1) > 9e-6 || fabs(e2) > 9e-6, "case %d touches and says it does not", i);
      MU_CHECK(held >= 1);
    }
    /* the angles are what the matrix does */
    double axis[3] = { (double)g.axis[0], (double)g.axis[1], (double)g.axis[2] };
    for (int col = 0; col < 3; col++) {
      double v[3] = { col == 0, col == 1, col == 2 };
      gliding_turn(pair, psi, v, v);
      gliding_turn(axis, theta, v, v);
      for (int k = 0; k < 3; k++) MU_NEAR(output(&m, out_transform)[4 * col + k], v[k], 1e-6);
    }
    /* and the second rotation does not move the first point */
    double there[3];
    float moved[3];
    gliding_turn(axis, theta, p1, there);
    si_mat_point(output(&m, out_transform), output(&m, out_first), moved);
    for (int k = 0; k < 3; k++) MU_NEAR(moved[k], there[k], 1e-7);
    unmake(&m);
  }
  MU_CHECK_SAY(touched > rounds / 5 && missed > rounds / 20, "%d touched, %d missed", touched,
               missed);
}

MU_TEST(slide_blends_pairs_by_lift_and_rotation) {
  gliding g = gliding_of_the_paper();
  g.lift_range[0] = 10, g.lift_range[1] = -30; /* decreasing ranges are allowed */
  g.rotation_range[0] = 0, g.rotation_range[1] = 60;
  made m = make(&g);
  MU_CHECK(m.rig);
  static const struct {
    float lift, rotation;
    float weights[3];
  } cases[] = {
    { -30, 0, { 1, 0, 0 } },     { 10, 0, { 0, 1, 0 } },
    { 10, 60, { 0, 0, 1 } },     { -30, 60, { 0, 0, 1 } },
    { -500, -500, { 1, 0, 0 } }, { 500, 500, { 0, 0, 1 } },
    { 0, 0, { 0.25, 0.75, 0 } }, { -20, 15, { 0.5625, 0.1875, 0.25 } },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    set(&m, cases[i].lift, cases[i].rotation);
    for (int k = 0; k < 6; k++) {
      float want = 0;
      for (int pair = 0; pair < 3; pair++) want += cases[i].weights[pair] * g.pairs[pair][k];
      MU_NEAR(output(&m, k < 3 ? out_first : out_second)[k % 3], want, 1e-6);
    }
  }
  unmake(&m);
}

MU_TEST(slide_accepts_one_pair_for_all) {
  gliding g = gliding_of_the_paper();
  sinew_param all[gliding_params];
  gliding_describe(&g, all);
  sinew_builder *b = sinew_builder_create("one", &error);
  sinew_wire wire = sinew_wire_numbers("frame", g.frame, 16);
  sinew_component_desc desc = { .size = sizeof desc,
                                .kind = "slide",
                                .wires = &wire,
                                .wire_count = 1,
                                .params = all,
                                .param_count = 3 };
  sinew_component slide = sinew_builder_add_component(b, &desc, &error);
  OWNED(rig) *rig = sinew_builder_compile(b, &error);
  sinew_builder_destroy(b);
  MU_CHECK_SAY(rig, "%s", error.text);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  for (int k = 0; k < 3; k++)
    MU_NEAR(sinew_pose_value(pose, slide, out_first)[k], all[2].numbers[k], 1e-6);
}

MU_TEST(slide_out_of_reach_comes_closest_and_reports_the_distance) {
  gliding g = gliding_of_the_paper();
  for (int i = 0; i < 3; i++) g.radii[i] = 2; /* a sphere, 20 from the joint */
  memcpy(g.centre, (float[]){ 20, 0, 0 }, sizeof g.centre);
  memcpy(g.axis, (float[]){ 0, 0, -1 }, sizeof g.axis);
  memcpy(g.pairs[0], (float[]){ 0, 5, 0, 4, 0, 3 }, sizeof g.pairs[0]);
  made m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 1, 0);
  MU_NEAR(*output(&m, out_theta), 90, 1e-4); /* y to x: as near as p1 can get */
  MU_NEAR(*output(&m, out_contact), 0, 0);
  sinew_hold holds[4];
  MU_INT(sinew_pose_holds(m.pose, holds, 4), 2);
  MU_TEXT(holds[0].name, "glide");
  MU_TEXT(holds[0].port, "theta");
  MU_NEAR(holds[0].amount, 20 - 5 - 2, 1e-5);
  MU_TEXT(holds[1].port, "psi");
  MU_CHECK(holds[1].amount > 10);
  unmake(&m);
  /* entirely inside: the distance to the surface is negative */
  for (int i = 0; i < 3; i++) g.radii[i] = 30;
  m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 1, 0);
  MU_INT(sinew_pose_holds(m.pose, holds, 4), 2);
  MU_NEAR(*output(&m, out_theta), -90, 1e-4);
  MU_NEAR(holds[0].amount, 25 - 30, 1e-5);
  unmake(&m);
  /* at the exact centre no angle is nearer than any other */
  memcpy(g.centre, (float[]){ 0, 0, 5 }, sizeof g.centre);
  memcpy(g.pairs[0], (float[]){ 0, 0, 5, 1, 0, 5 }, sizeof g.pairs[0]);
  m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 1, 0);
  MU_INT(sinew_pose_holds(m.pose, holds, 4), 2);
  MU_NEAR(holds[0].amount, -30, 1e-5);
  MU_NEAR(*output(&m, out_theta), 0, 0);
  MU_NEAR(*output(&m, out_psi), 0, 0);
  unmake(&m);
}

MU_TEST(slide_stays_within_its_windows) {
  gliding g = gliding_of_the_paper();
  made m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 0.5f, 0.2f);
  float theta = *output(&m, out_theta), psi = *output(&m, out_psi);
  MU_NEAR(*output(&m, out_contact), 1, 0);
  MU_CHECK(fabsf(theta) > 0.1f && fabsf(psi) > 0.1f);
  /* a window around the angle found changes nothing; with a window beside it, its nearest end is
   * taken */
  float narrow[2] = { theta - 0.05f, theta + 0.05f }, psis[2] = { psi - 0.05f, psi + 0.05f };
  sinew_param window = sinew_param_numbers("window", narrow, 2);
  sinew_param psi_window = sinew_param_numbers("psi_window", psis, 2);
  MU_INT(sinew_rig_set_param(m.rig, m.slide, &window, &error), SINEW_OK);
  MU_INT(sinew_rig_set_param(m.rig, m.slide, &psi_window, &error), SINEW_OK);
  sinew_pose_eval(m.pose, NULL);
  MU_NEAR(*output(&m, out_theta), theta, 1e-4);
  MU_NEAR(*output(&m, out_psi), psi, 1e-4);
  MU_NEAR(*output(&m, out_contact), 1, 0);
  psis[0] = psi + 0.5f, psis[1] = psi + 3;
  MU_INT(sinew_rig_set_param(m.rig, m.slide, &psi_window, &error), SINEW_OK);
  sinew_pose_eval(m.pose, NULL);
  MU_NEAR(*output(&m, out_psi), psi + 0.5f, 1e-4);
  MU_NEAR(*output(&m, out_contact), 0, 0);
  /* a single number is the window in both directions */
  sinew_param both = sinew_param_number("window", fabsf(theta) * 0.5f);
  MU_INT(sinew_rig_set_param(m.rig, m.slide, &both, &error), SINEW_OK);
  sinew_pose_eval(m.pose, NULL);
  MU_NEAR(fabsf(*output(&m, out_theta)), fabsf(theta) * 0.5f, 1e-4);
  unmake(&m);
}

MU_TEST(slide_does_not_rotate_when_a_point_is_at_the_joint) {
  gliding g = gliding_of_the_paper();
  for (int k = 0; k < 3; k++) g.pairs[1][k] = -g.pairs[0][k];
  made m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 0.5f, 0);
  MU_CHECK(si_finite(output(&m, out_transform), 16));
  MU_NEAR(*output(&m, out_theta), 0, 0);
  MU_NEAR(*output(&m, out_psi), 0, 0);
  for (int i = 0; i < 16; i++) MU_NEAR(output(&m, out_transform)[i], i % 5 == 0, 0);
  MU_NEAR(*output(&m, out_contact), 0, 0);
  unmake(&m);
  /* a second point on the line to the first does not move when it rotates about that line */
  g = gliding_of_the_paper();
  for (int k = 0; k < 3; k++) g.pairs[0][3 + k] = 2 * g.pairs[0][k];
  m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 1, 0);
  MU_NEAR(*output(&m, out_psi), 0, 0);
  MU_CHECK(fabsf(*output(&m, out_theta)) > 0.1f);
  unmake(&m);
  /* neither does a first point on the first axis */
  g = gliding_of_the_paper();
  for (int k = 0; k < 3; k++) g.pairs[0][k] = -7 * g.axis[k];
  m = make(&g);
  MU_CHECK(m.rig);
  set(&m, 1, 0);
  MU_NEAR(*output(&m, out_theta), 0, 0);
  unmake(&m);
}

MU_TEST(slide_mirrors_with_its_parameters) {
  gliding_seed(21);
  for (int i = 0; i < 200; i++) {
    gliding g = gliding_at_random();
    made m = make(&g);
    if (!m.rig) return;
    /* x to -x: points as they are, the axis reversed, frames mirrored on both sides */
    gliding o = g;
    o.centre[0] = -g.centre[0];
    o.axis[1] = -g.axis[1], o.axis[2] = -g.axis[2];
    for (int pair = 0; pair < 3; pair++)
      o.pairs[pair][0] = -g.pairs[pair][0], o.pairs[pair][3] = -g.pairs[pair][3];
    for (int k = 0; k < 4; k++) o.orientation[4 * k] *= -1; /* a mirrored set of axes is allowed */
    for (int k = 0; k < 4; k++) o.frame[4 * k] *= -1, o.frame[k] *= -1;
    made n = make(&o);
    if (!n.rig) return;
    float lift = gliding_random(0, 1), rotation = gliding_random(0, 1);
    set(&m, lift, rotation);
    set(&n, lift, rotation);
    MU_NEAR(*output(&n, out_theta), *output(&m, out_theta), 1e-3);
    MU_NEAR(*output(&n, out_psi), -*output(&m, out_psi), 1e-3);
    for (int k = 0; k < 16; k++) {
      float sign = (k % 4 == 0) != (k / 4 == 0) ? -1 : 1;
      MU_NEAR(output(&n, out_transform)[k], sign * output(&m, out_transform)[k], 1e-5);
    }
    unmake(&m);
    unmake(&n);
  }
}

MU_TEST(slide_does_not_depend_on_earlier_poses) {
  gliding g = gliding_of_the_paper();
  made m = make(&g), fresh;
  MU_CHECK(m.rig);
  gliding_seed(31);
  for (int i = 0; i < 300; i++) {
    float lift = gliding_random(0, 1), rotation = gliding_random(0, 1);
    set(&m, lift, rotation);
    fresh = m;
    fresh.pose = sinew_pose_create(m.rig, NULL);
    set(&fresh, lift, rotation);
    MU_INT(memcmp(output(&m, out_transform), output(&fresh, out_transform), 64), 0);
    MU_INT(memcmp(output(&m, out_theta), output(&fresh, out_theta), 4), 0);
    MU_INT(memcmp(output(&m, out_psi), output(&fresh, out_psi), 4), 0);
    sinew_pose_destroy(fresh.pose);
  }
  unmake(&m);
}

MU_TEST(slide_keeps_the_printed_scapula_on_the_rib_cage_over_its_range) {
  gliding g = gliding_of_the_paper();
  /* the ellipsoid is in the thorax, behind the scapula at rest */
  for (int i = 0; i < 3; i++) g.centre[i] += gliding_clavicle_at[i] + gliding_scapula_at[i];
  g.lift_range[0] = -10, g.lift_range[1] = 23;
  g.rotation_range[0] = 0, g.rotation_range[1] = 60;
  OWNED(rig) *rig = MU_MADE_OR(gliding_shoulder(&g, &error), error.text);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_segment scapula = sinew_rig_find_segment(rig, "scapula", NULL);
  sinew_segment clavicle = sinew_rig_find_segment(rig, "clavicle", NULL);
  sinew_component slide = sinew_rig_find_component(rig, "glide", NULL);
  MU_CHECK(slide.id && scapula.id && clavicle.id);
  int poses = 0;
  float last = 0;
  for (float elevation = -10; elevation <= 23; elevation += 3)
    for (float protraction = -15; protraction <= 15; protraction += 5)
      for (float abduction = 0; abduction <= 180; abduction += 5, poses++) {
        sinew_pose_set_all(pose, (float[]){ elevation, protraction, abduction }, 3, NULL);
        sinew_pose_eval(pose, NULL);
        MU_CHECK_SAY(*sinew_pose_value(pose, slide, out_contact) > 0, "no contact at %g %g %g",
                     (double)elevation, (double)protraction, (double)abduction);
        for (int which = out_first; which <= out_second; which++) {
          const float *p = sinew_pose_value(pose, slide, which);
          double at[3] = { (double)p[0], (double)p[1], (double)p[2] };
          double e = gliding_ellipsoid(&g, sinew_pose_world(pose, scapula), at);
          MU_NEAR(e, 0, 1e-5);
        }
        /* still attached to the clavicle */
        float joint[3];
        si_mat_point(sinew_pose_world(pose, clavicle), gliding_scapula_at, joint);
        for (int k = 0; k < 3; k++)
          MU_NEAR(sinew_pose_world(pose, scapula)[12 + k], joint[k], 1e-5);
        float theta = *sinew_pose_value(pose, slide, out_theta);
        if (abduction > 0)
          MU_CHECK_SAY(fabsf(theta - last) < 5, "theta jumps from %g to %g", (double)last,
                       (double)theta);
        last = theta;
      }
  MU_INT(poses, 12 * 7 * 37);
}

/* compiles the paper's slide with one parameter replaced or left out; keeps the message */
static const char *refusal(sinew_param other, bool left_out) {
  gliding g = gliding_of_the_paper();
  sinew_param usual[gliding_params], params[gliding_params + 1];
  int count = 0;
  gliding_describe(&g, usual);
  for (int i = 0; i < gliding_params; i++)
    if (strcmp(usual[i].name, other.name) != 0) params[count++] = usual[i];
  if (!left_out) params[count++] = other;
  OWNED(rig) *rig = gliding_compile(params, count, g.frame, &error);
  if (!rig) return error.text;
  return "nothing was refused";
}

MU_TEST(slide_refuses_invalid_parameters) {
  const float two[] = { 1, 2 }, four[] = { 1, 2, 3, 4 }, flat[] = { 9, 0, 10 },
              hollow[] = { 9, 15, -10 }, tiny[] = { 9, 15, 1e-12f }, wide[] = { -200, 10 },
              backward[] = { 20, 10 }, three[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 },
              at_joint[6] = { 0, 0, 0, 1, 1, 1 }, broken[] = { 9, NAN, 10 };
  CGLM_ALIGN_MAT float moved[16];
  si_mat_identity(moved);
  moved[13] = 1;
  MU_HAS(refusal(sinew_param_vector("axis", 0, 0, 0), false), "component 'glide': 'axis' is zero");
  MU_HAS(refusal(sinew_param_vector("axis", 0, 0, 0), true), "parameter 'axis': is missing");
  MU_HAS(refusal(sinew_param_numbers("radii", two, 2), false), "'radii' needs three, has 2");
  MU_HAS(refusal(sinew_param_number("radii", 3), false), "'radii' needs three, has 1");
  MU_HAS(refusal(sinew_param_numbers("radii", flat, 3), false), "radius 2 is 0, not positive");
  MU_HAS(refusal(sinew_param_numbers("radii", hollow, 3), false), "radius 3 is -10, not positive");
  MU_HAS(refusal(sinew_param_numbers("radii", tiny, 3), false), "radius 3");
  MU_HAS(refusal(sinew_param_numbers("radii", broken, 3), false), "not finite");
  MU_HAS(refusal(sinew_param_matrix("orientation", moved), false), "use 'centre'");
  MU_HAS(refusal(sinew_param_vectors("pair1", three, 3), false), "'pair1' needs two points, has 3");
  MU_HAS(refusal(sinew_param_vectors("pair2", three, 1), false), "'pair2' needs two points, has 1");
  MU_HAS(refusal(sinew_param_vectors("pair1", NULL, 0), false), "'pair1' needs two points, has 0");
  MU_HAS(refusal(sinew_param_vectors("pair3", at_joint, 2), false),
         "the first point of 'pair3' is the joint");
  MU_HAS(refusal(sinew_param_numbers("window", wide, 2), false), "-200 is outside -180 to 180");
  MU_HAS(refusal(sinew_param_numbers("window", backward, 2), false), "'window' is empty: 20 to 10");
  MU_HAS(refusal(sinew_param_number("psi_window", -5), false), "'psi_window' is empty: 5 to -5");
  MU_HAS(refusal(sinew_param_numbers("window", four, 4), false), "takes one number or two, has 4");
  MU_HAS(refusal(sinew_param_numbers("window", NULL, 0), false), "takes one number or two, has 0");
  MU_HAS(refusal(sinew_param_numbers("lift_range", four, 3), false), "'lift_range' needs two");
  MU_HAS(refusal(sinew_param_numbers("lift_range", NULL, 0), false), "'lift_range' needs two");
  MU_HAS(refusal(sinew_param_numbers("radii", NULL, 0), false), "'radii' needs three, has 0");
  MU_HAS(refusal(sinew_param_numbers("rotation_range", (float[]){ 7, 7 }, 2), false),
         "'rotation_range' is empty: 7 to 7");
}

MU_TEST(slide_refuses_a_blend_that_nothing_drives) {
  gliding g = gliding_of_the_paper();
  sinew_param params[gliding_params];
  gliding_describe(&g, params);
  OWNED(builder) *b = sinew_builder_create("loose", &error);
  sinew_wire wire = sinew_wire_numbers("frame", g.frame, 16);
  gliding_add(b, "slide", "glide", &wire, 1, params, gliding_params);
  MU_REFUSED(sinew_builder_compile(b, &error),
             "has a 'pair2', but input 'lift', which blends it in, is not wired");
  MU_HAS(error.text, "has a 'pair3', but input 'rotation', which blends it in, is not wired");
}

MU_SUITE(slide)
