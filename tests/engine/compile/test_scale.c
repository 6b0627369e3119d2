/* Rigs much larger than a skeleton: deep, wide, and with ten thousand mistakes. They must be right,
 * in time that grows linearly with their size. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

static sinew_error found;

/* the message of compiling; "" if there is none */
static const char *told(sinew_builder *b) {
  sinew_rig *rig = make_rig(b, &found);
  sinew_rig_destroy(rig);
  return rig ? "" : found.text;
}

/* a chain of n segments, each moved and turned a little by a rotation on one DOF */
static sinew_rig *long_chain(int n) {
  sinew_builder *b = make_lines(NULL, "dof bend -90 90; segment s0");
  for (int i = 1; i < n; i++) make_lines(b, "segment s%d s%d 0,0.01,0", i, i - 1);
  for (int i = 0; i < n; i++)
    make_lines(b, "rotation r%d angle=bend axis=0,0,1; drive s%d r%d", i, i, i);
  return make_rig(b, NULL);
}

MU_TEST(a_chain_of_a_thousand_segments_bends_into_a_circle) {
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
  sinew_builder *b = make_lines(NULL, "dof x -1 1");
  /* each adds one to the next; added in reverse, so that compiling has to sort them */
  for (int i = 0; i < n - 1; i++)
    make_lines(b, "dependency c%d active=x passive=c%d offset=polynomial:1", i, i + 1);
  make_lines(b, "dependency c%d active=x passive=x offset=polynomial:1", n - 1);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.5f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 0), 0), n + 0.5, 0.01);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, n / 2), 0), n - n / 2 + 0.5, 0.01);
}

MU_TEST(many_segments_named_by_many_parameters_compile_in_time) {
  /* takes minutes if every name is searched from the start of the list */
  int n = mu_rounds(30000);
  sinew_builder *b = make_lines(NULL, "translation t; segment s0");
  for (int i = 1; i < n; i++)
    make_lines(b, "segment s%d s%d; compensate - matrix=t ancestor=s%d segment=s%d", i, i / 10,
               i / 10, i);
  MU_TEXT(told(b), "");
}

MU_TEST(many_mistakes_are_reported_in_time) {
  /* nor are nearest names searched that nobody would read */
  int n = mu_rounds(10000);
  sinew_builder *b = sinew_builder_create("many", NULL);
  for (int i = 0; i < n; i++)
    make_lines(b, "euler component_%d first=componnet_%d; segment segment_%d segmnet_%d", i, i, i,
               i);
  MU_HAS(told(b), "no segment named 'segmnet_0' (did you mean 'segment_");
  MU_INT(found.count, 2 * n);
}

MU_TEST(long_lists_take_memory_linear_in_their_length) {
  sinew_builder *b = sinew_builder_create("long", NULL);
  sinew_component m = sinew_add(b, "multiply", "m", SINEW_NONE, SINEW_NONE);
  sinew_wire wire = { .input = "matrix" };
  for (int i = 0; i < 16; i += 5) wire.constant[i] = 1;
  size_t before = sinew_live_bytes();
  int n = mu_rounds(20000);
  for (int i = 0; i < n; i++) sinew_builder_connect(b, m, &wire, NULL);
  MU_CHECK(sinew_live_bytes() - before < (size_t)n * 1000);
  MU_TEXT(told(b), "");
}

MU_SUITE(scale)
