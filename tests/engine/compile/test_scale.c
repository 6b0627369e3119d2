/* Rigs far larger than a skeleton: deep, wide, and wrong in ten thousand places. They must come out
 * right, and in a time that grows with their size and not with its square. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

static sinew_error found;

/* what compiling says; "" when it is fine */
static const char *told(sinew_builder *b) {
  sinew_rig *rig = make_rig(b, &found);
  sinew_rig_destroy(rig);
  return rig ? "" : found.text;
}

/* a chain of n segments, each moved and turned a little by a rotation on one DOF */
static sinew_rig *long_chain(int n) {
  sinew_builder *b = sinew_builder_create("chain", NULL);
  make_dof(b, MAKE_NO_SET, "bend", -90, 90);
  for (int i = 0; i < n; i++) {
    char name[16], parent[16], part[16];
    snprintf(name, sizeof name, "s%d", i);
    snprintf(parent, sizeof parent, "s%d", i - 1);
    snprintf(part, sizeof part, "r%d", i);
    sinew_segment s = make_segment(b, name, i ? parent : NULL, 0, i ? 0.01f : 0, 0);
    make_part(b, MAKE_NO_SET, "rotation", part, "angle=bend",
              MAKE_PARAMS(sinew_param_vector("axis", 0, 0, 1)));
    sinew_builder_drive(b, s, part, NULL, NULL);
  }
  return make_rig(b, NULL);
}

MU_TEST(a_thousand_deep_chain_bends_into_its_circle) {
  OWNED(rig) *rig = long_chain(1000);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.36f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  double angle = (double)0.36f, x = 0, y = 0, turned = 0, off = 0;
  for (int i = 0; i < 1000; i++) {
    if (i) {
      x -= (double)0.01f * sin(turned * 3.14159265358979 / 180);
      y += (double)0.01f * cos(turned * 3.14159265358979 / 180);
    }
    turned += angle;
    const float *m = sinew_pose_world(pose, sinew_rig_segment(rig, i));
    off = fmax(off, fmax(fabs((double)m[12] - x), fabs((double)m[13] - y)));
  }
  MU_NEAR(off, 0, 2e-4);
}

MU_TEST(a_hundred_thousand_nodes_compile_and_evaluate_right) {
  int n = mu_rounds(100000);
  sinew_builder *b = sinew_builder_create("wide", NULL);
  OWNED(curve) *step = make_constant(1);
  make_dof(b, MAKE_NO_SET, "x", -1, 1);
  /* each adds one to the next, added backwards so that the order must be found */
  for (int i = 0; i < n; i++) {
    char name[16], wires[64];
    snprintf(name, sizeof name, "c%d", i);
    if (i < n - 1)
      snprintf(wires, sizeof wires, "active=x passive=c%d", i + 1);
    else
      snprintf(wires, sizeof wires, "active=x passive=x");
    make_part(b, MAKE_NO_SET, "dependency", name, wires,
              MAKE_PARAMS(sinew_param_curve("offset", step)));
  }
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.5f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 0), 0), n + 0.5, 0.01);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, n / 2), 0), n - n / 2 + 0.5, 0.01);
}

MU_TEST(many_segments_named_by_many_parameters_compile_in_time) {
  /* would take minutes if every name were looked for from the start of the list */
  int n = mu_rounds(30000);
  sinew_builder *b = sinew_builder_create("many", NULL);
  make_part(b, MAKE_NO_SET, "translation", "t", NULL, NULL, 0);
  for (int i = 0; i < n; i++) {
    char name[16], parent[16];
    snprintf(name, sizeof name, "s%d", i);
    snprintf(parent, sizeof parent, "s%d", i / 10);
    make_segment(b, name, i ? parent : NULL, 0, 0, 0);
    if (i)
      make_part(
          b, MAKE_NO_SET, "compensate", NULL, "matrix=t",
          MAKE_PARAMS(sinew_param_text("ancestor", parent), sinew_param_text("segment", name)));
  }
  MU_TEXT(told(b), "");
}

MU_TEST(many_mistakes_are_counted_in_time) {
  /* nor are nearest names looked for that nobody would read */
  int n = mu_rounds(10000);
  sinew_builder *b = sinew_builder_create("many", NULL);
  for (int i = 0; i < n; i++) {
    char name[32], wires[64];
    snprintf(name, sizeof name, "component_%d", i);
    snprintf(wires, sizeof wires, "first=componnet_%d", i);
    make_part(b, MAKE_NO_SET, "euler", name, wires, NULL, 0);
    snprintf(name, sizeof name, "segment_%d", i);
    snprintf(wires, sizeof wires, "segmnet_%d", i);
    make_segment(b, name, wires, 0, 0, 0);
  }
  MU_HAS(told(b), "no segment named 'segmnet_0' (did you mean 'segment_");
  MU_INT(found.count, 2 * n);
}

MU_TEST(long_lists_wired_one_by_one_take_memory_in_proportion) {
  sinew_builder *b = sinew_builder_create("long", NULL);
  sinew_component m = make_part(b, MAKE_NO_SET, "multiply", "m", NULL, NULL, 0);
  sinew_wire wire = { .input = "matrix" };
  for (int i = 0; i < 16; i += 5) wire.constant[i] = 1;
  size_t before = sinew_live_bytes();
  int n = mu_rounds(20000);
  for (int i = 0; i < n; i++) sinew_builder_connect(b, m, &wire, NULL);
  MU_CHECK(sinew_live_bytes() - before < (size_t)n * 1000);
  MU_TEXT(told(b), "");
}

MU_SUITE(scale)
