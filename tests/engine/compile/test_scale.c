/* Rigs much larger than a skeleton: deep, wide, and with ten thousand mistakes. They must be right,
 * in time that grows linearly with their size. */
#include "make.h"
#include "minunit.h"
#include "network_grow.h"
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

/* explains what is held with every DOF beyond its range; returns how many sentences there are */
static int explained(const char *what, network_shape shape, int n, sinew_explained *dest,
                     int capacity) {
  OWNED(rig) *rig = make_rig(network_grow(what, shape, n), NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (int i = 0; i < n; i++) sinew_pose_set(pose, sinew_rig_dof(rig, i), 500, NULL);
  if (sinew_pose_eval(pose, &found) < 0) printf("%s: %s\n", what, found.text);
  return sinew_pose_explain(pose, dest, capacity);
}

MU_TEST(what_many_limits_hold_is_explained_in_time) {
  /* takes hours if every limit goes through all DOFs and components, and minutes if every limit of
   * a chain goes back to its start */
  int n = mu_rounds(10000);
  for (int shape = 0; shape < NETWORK_SHAPES; shape++) {
    MU_CHECK(explained("dependency", (network_shape)shape, n, NULL, 0) > n);
    MU_CHECK(explained("slide", (network_shape)shape, n, NULL, 0) > n);
    MU_CHECK(explained("ik2", (network_shape)shape, n, NULL, 0) > n);
  }
  network_fields_free();
}

MU_TEST(an_explanation_names_twelve_dofs_and_says_that_there_are_others) {
  for (int n = 12; n <= 13; n++) {
    sinew_builder *b = sinew_builder_create("many", NULL);
    char wires[512] = "";
    for (int i = 0; i < n; i++) {
      make_lines(b, "dof d%d -90 90; rotation r%d angle=d%d axis=1,0,0", i, i, i);
      snprintf(wires + strlen(wires), sizeof wires - strlen(wires), " matrix=r%d", i);
    }
    make_lines(b, "multiply m%s", wires);
    make_lines(b, "cone c swing=m rest=0,1,0 right=1,0,0 ellipse=10");
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    for (int i = 0; i < n; i++) sinew_pose_set(pose, sinew_rig_dof(rig, i), 5, NULL);
    sinew_pose_eval(pose, NULL);
    static sinew_explained told_of[4];
    MU_INT(sinew_pose_explain(pose, told_of, 4), 1);
    MU_HAS(told_of[0].text, "; moved by d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11");
    MU_INT(strstr(told_of[0].text, "d11 and others") != NULL, n > 12);
  }
}

/* a chain of bones that are turned and moved at rest; every `driven`-th is driven */
static sinew_builder *turned_chain(int n, int driven) {
  sinew_builder *b = make_lines(NULL, "dof bend -90 90; rotation r angle=bend axis=0,0,1");
  uint32_t seed = 7;
  for (int i = 0; i < n; i++) {
    float frame[16];
    char name[16];
    make_frame(&seed, MAKE_TURNED, frame);
    snprintf(name, sizeof name, "s%d", i);
    sinew_segment s = sinew_add_bone_frame(b, (sinew_segment){ (uint32_t)i }, name, frame);
    if (i % driven == driven - 1) sinew_builder_drive(b, s, "r", NULL, NULL);
  }
  return b;
}

MU_TEST(the_way_between_distant_segments_is_that_of_their_places) {
  /* a long run of frames is taken from their places in the world, a short one step by step */
  enum { n = 120 };
  static const int ends[][2] = { { 0, 119 }, { 119, 0 }, { 3, 90 }, { 40, 41 }, { 60, 5 } };
  for (int driven = 7; driven <= 2 * n; driven *= 6)
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
      sinew_builder *b =
          make_lines(turned_chain(n, driven), "relative way of=s%d to=s%d", ends[k][0], ends[k][1]);
      OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
      OWNED(pose) *pose = sinew_pose_create(rig, NULL);
      sinew_pose_set(pose, sinew_rig_dof(rig, 0), 21, NULL);
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      const float *of = sinew_pose_world(pose, sinew_rig_segment(rig, ends[k][0]));
      const float *to = sinew_pose_world(pose, sinew_rig_segment(rig, ends[k][1]));
      const float *way = sinew_pose_value(pose, sinew_rig_find_component(rig, "way", NULL), 0);
      /* to * way = of */
      double off = 0;
      for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++) {
          double sum = 0;
          for (int i = 0; i < 4; i++) sum += (double)to[4 * i + r] * (double)way[4 * c + i];
          off = fmax(off, fabs(sum - (double)of[4 * c + r]));
        }
      MU_NEAR(off, 0, 1e-3);
    }
}

MU_TEST(many_parameters_set_one_by_one_take_memory_linear_in_their_number) {
  sinew_builder *b = sinew_builder_create("long", NULL);
  sinew_component m = sinew_add(b, "map", "m", SINEW_NONE, SINEW_NONE);
  size_t before = sinew_live_bytes();
  char name[16];
  for (int i = 0; i < 2000; i++) {
    snprintf(name, sizeof name, "y%d", i);
    sinew_param param = sinew_param_number(name, (float)i);
    MU_INT(sinew_builder_set_param(b, m, &param, NULL), SINEW_OK);
  }
  MU_CHECK(sinew_live_bytes() - before < 2000 * 1000);
  MU_NEAR(sinew_builder_param(b, m, "y1234")->number[0], 1234, 0);
  sinew_builder_destroy(b);
}

MU_TEST(joint_sets_are_found_by_name) {
  sinew_builder *b = make_lines(NULL, "set knee; set hip");
  sinew_counts counts = sinew_builder_counts(b);
  MU_INT(sinew_builder_find_joint_set(b, "hip").id, 2);
  sinew_builder_add_joint_set(b, "toe", NULL, NULL);
  MU_INT(sinew_builder_find_joint_set(b, "toe").id, 3);
  sinew_builder_rewind(b, counts);
  MU_INT(sinew_builder_find_joint_set(b, "toe").id, 0);
  MU_INT(sinew_builder_find_joint_set(b, "knee").id, 1);
  sinew_builder_destroy(b);
}

MU_SUITE(scale)
