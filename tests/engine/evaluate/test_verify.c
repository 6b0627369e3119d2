/* sinew_pose_verify: what a pose promises, checked the slow way, and told when it is not so. */
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

MU_TEST(verify_tells_a_promise_that_is_not_kept) {
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

/* a matrix that stretches x */
static void stretch(const sinew_node *node, float *values) {
  float *m = sinew_node_out(node, values, 0);
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
  m[0] = *sinew_node_in(node, values, 0);
}

MU_TEST(verify_tells_a_matrix_that_is_not_rigid) {
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

MU_SUITE(verify)
