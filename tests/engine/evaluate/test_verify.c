/* sinew_pose_verify: slow checks of what a pose promises; a broken promise is reported. */
#include "field_cases.h"
#include "gliding.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

/* doubles its input and promises to stay below 10 */
static void eval(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) = 2 * *sinew_node_in(node, values, 0);
}

static bool verify(const sinew_node *node, const float *values, sinew_error *why) {
  float given = values[node->ports[node->input_count]];
  if (given < 10) return true;
  sinew_error_add(why, SINEW_ERR_VALUE, "%g is not below 10", (double)given);
  return false;
}

static const sinew_port_desc inputs[] = { { "x", SINEW_SCALAR, 0, 0, "", "in" }, { 0 } };
static const sinew_port_desc outputs[] = { { "y", SINEW_SCALAR, 0, 0, "", "out" }, { 0 } };
static const sinew_component_class doubler = { .class_size = sizeof(sinew_component_class),
                                               .name = "doubler",
                                               .doc = "twice as much",
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .eval = eval,
                                               .verify = verify };

static sinew_rig *doubling_rig(sinew_error *error) {
  OWNED(builder) *b = sinew_builder_create("verify", error);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "set", NULL, error);
  sinew_dof_desc dof = sinew_default_dof_desc();
  dof.name = "x", dof.joint_set = set, dof.min = 0, dof.max = 100;
  sinew_builder_add_dof(b, &dof, error);
  sinew_builder_add_class(b, &doubler, error);
  sinew_wire wire = sinew_wire_name("x", "x");
  sinew_component_desc part = { .size = sizeof part,
                                .kind = "doubler",
                                .name = "twice",
                                .joint_set = set,
                                .wires = &wire,
                                .wire_count = 1 };
  sinew_builder_add_component(b, &part, error);
  sinew_rig *rig = sinew_builder_compile(b, error);
  return rig;
}

MU_TEST(verify_reports_a_broken_promise) {
  sinew_error error;
  OWNED(rig) *rig = MU_MADE_OR(doubling_rig(&error), error.text);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_dof x = sinew_rig_find_dof(rig, "set.x", NULL);
  sinew_pose_set(pose, x, 4, NULL);
  sinew_pose_eval(pose, NULL);
  sinew_status fine = sinew_pose_verify(pose, &error);
  sinew_pose_set(pose, x, 6, NULL);
  sinew_pose_eval(pose, NULL);
  sinew_status broken = sinew_pose_verify(pose, &error);
  MU_INT(fine, SINEW_OK);
  MU_INT(broken, SINEW_ERR_VALUE);
  MU_TEXT(error.text, "component 'set.twice' (doubler): 12 is not below 10");
}

/* a matrix that scales x */
static void stretch(const sinew_node *node, float *values) {
  float *m = sinew_node_out(node, values, 0);
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
  m[0] = *sinew_node_in(node, values, 0);
}

MU_TEST(verify_reports_a_matrix_that_is_not_rigid) {
  static const sinew_port_desc matrix[] = { { "m", SINEW_MATRIX, 0, 0, "", "out" }, { 0 } };
  static const sinew_component_class cls = { .class_size = sizeof(sinew_component_class),
                                             .name = "stretch",
                                             .doc = "",
                                             .inputs = inputs,
                                             .outputs = matrix,
                                             .eval = stretch };
  sinew_error error;
  sinew_builder *b = sinew_builder_create("stretched", NULL);
  sinew_builder_add_class(b, &cls, NULL);
  make_lines(b, "dof x 0.5 2; stretch s x=x; segment root; segment long root; drive long s");
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (int i = 0; i < 2; i++) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), i ? 1.01f : 1, NULL);
    sinew_pose_eval(pose, NULL);
    MU_INT(sinew_pose_verify(pose, &error), i ? SINEW_ERR_VALUE : SINEW_OK);
  }
  MU_TEXT(error.text, "segment 'long': its world matrix is not rigid");
}

enum { dof_count = 7, sample_count = 200 };

/* samples on an ellipse of the half axes 60 and 40 */
static sinew_field *ring_field(float *samples) {
  for (int i = 0; i < sample_count; i++) {
    float turn = 6.2831853f * (float)i / sample_count;
    samples[2 * i] = 60 * cosf(turn), samples[2 * i + 1] = 40 * sinf(turn);
  }
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ -120, 120, 25, false };
  return case_field(&desc, samples, sample_count);
}

/* a cone 45 degrees wide with twist limits, a field, and a slide; each with DOFs of its own */
static sinew_rig *limited_rig(const gliding *g, sinew_field *field) {
  static const float diamond[] = { 1, 0, 1, 0, 1, 1, -1, 0, 1, 0, -1, 1 };
  sinew_param params[gliding_params];
  sinew_builder *b =
      make_lines(NULL, "segment arm; segment blade\n"
                       "dof first -170 170; dof second -80 80; dof twist -90 90\n"
                       "dof flexion -120 120; dof abduction -120 120; dof lift 0 1; dof turn 0 1\n"
                       "rotation one angle=first axis=1,0,0; rotation two angle=second axis=0,1,0");
  make_part(
      b, MAKE_NO_SET, "cone", "cone", "angle1=first angle2=second twist=twist",
      SINEW_PARAMS(sinew_param_vector("rest", 0, 0, 1), sinew_param_vectors("points", diamond, 4),
                   sinew_param_numbers("twist_limits", (float[]){ -30, 40 }, 2),
                   sinew_param_text("rotation1", "one"), sinew_param_text("rotation2", "two")));
  make_part(b, MAKE_NO_SET, "field", "field", "angle=flexion angle=abduction",
            SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, field)));
  gliding_describe(g, params);
  sinew_wire wires[] = { sinew_wire_numbers("frame", g->frame, 16), sinew_wire_name("lift", "lift"),
                         sinew_wire_name("rotation", "turn") };
  gliding_add(b, "slide", "slide", wires, 3, params, gliding_params);
  make_lines(b, "drive arm cone.transform; drive blade slide.transform");
  return make_rig(b, NULL);
}

/* [Shao 2003]: an animator cannot put the skeleton in an infeasible pose. Whatever the DOFs are set
 * to, the pose verifies, and each limit holds by a formula of its own. */
MU_TEST(no_dofs_make_a_pose_infeasible) {
  gliding g = gliding_of_the_paper();
  float samples[2 * sample_count], values[dof_count];
  OWNED(field) *field = MU_MADE(ring_field(samples));
  OWNED(rig) *rig = MU_MADE(limited_rig(&g, field));
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component cone = sinew_rig_find_component(rig, "cone", NULL);
  sinew_component limit = sinew_rig_find_component(rig, "field", NULL);
  sinew_component slide = sinew_rig_find_component(rig, "slide", NULL);
  MU_INT(sinew_rig_dof_count(rig), dof_count);
  const double half = sqrt(50.0); /* the diagonal of a cell, halved; epsilon is as large */
  uint32_t seed = 44;
  int held[3] = { 0 };
  for (int round = 0; round < mu_rounds(5000); round++) {
    const float wide = round % 2 ? 1 : 1000; /* far out of range every other time */
    for (int i = 0; i < dof_count; i++)
      values[i] = wide * (i < 5 ? make_between(&seed, -180, 180) : make_between(&seed, -1, 2));
    sinew_error error;
    sinew_pose_set_all(pose, values, dof_count, NULL);
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    MU_CHECK_SAY(sinew_pose_verify(pose, &error) == SINEW_OK, "%s", error.text);
    /* the cone's four planes are |x| + |y| = z */
    const float *z = sinew_pose_value(pose, cone, 0) + 8;
    MU_CHECK_SAY(fabsf(z[0]) + fabsf(z[1]) <= z[2] + 1e-5f, "(%g %g %g) is outside", (double)z[0],
                 (double)z[1], (double)z[2]);
    held[0] += fabsf(z[0]) + fabsf(z[1]) > z[2] - 1e-5f;
    /* inside the ellipse, or near a sample */
    double at[2] = { (double)*sinew_pose_value(pose, limit, 2),
                     (double)*sinew_pose_value(pose, limit, 3) };
    bool inside = at[0] * at[0] / 3600 + at[1] * at[1] / 1600 <= 1;
    double near = case_nearest(&field->grid, at, samples, sample_count);
    MU_CHECK_SAY(inside || near <= 2 * half, "%g %g is %g from a sample", at[0], at[1], near);
    held[1] += !inside;
    /* both points on the ellipsoid */
    MU_NEAR(*sinew_pose_value(pose, slide, 3), 1, 0);
    for (int which = 4; which <= 5; which++) {
      const float *p = sinew_pose_value(pose, slide, which);
      double point[3] = { (double)p[0], (double)p[1], (double)p[2] };
      MU_NEAR(gliding_ellipsoid(&g, sinew_pose_value(pose, slide, 0), point), 0, 1e-5);
    }
    held[2] += *sinew_pose_value(pose, slide, 1) != 0;
  }
  for (int i = 0; i < 3; i++) MU_CHECK_SAY(held[i] > 100, "limit %d held %d times", i, held[i]);
}

MU_SUITE(verify)
