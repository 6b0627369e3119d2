/* The compensate component: orientation and joint are kept under random ancestors, also if nested;
 * and the warning about an ancestor that was left out. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

enum { deepest = 6 };

/* a chain s0 .. s(n-1) in frames of one kind. Three DOFs rotate each but the last about its own
 * axes; the last is compensated against the segments from `from` to n-2, nearest first */
static sinew_rig *chain(int n, int kind, int from, int skip, uint32_t *seed) {
  static const char *const names[] = { "s0", "s1", "s2", "s3", "s4", "s5", "s6" };
  sinew_builder *b = sinew_builder_create("chain", NULL);
  char list[256] = "", *end = list;
  for (int i = 0; i < n; i++) {
    float frame[16], axis[3];
    make_frame(seed, kind, frame);
    make_axis(seed, axis);
    make_placed(b, names[i], i ? names[i - 1] : NULL, frame);
    make_lines(b,
               "dof a%d -180 180; dof b%d -180 180; euler e%d first=a%d second=b%d third=a%d\n"
               "translation m%d x=#0.3 y=#-0.2; multiply t%d matrix=m%d matrix=e%d",
               i, i, i, i, i, i, i, i, i, i);
    if (i < n - 1) make_lines(b, "drive s%d t%d", i, i);
  }
  for (int i = n - 2; i >= from; i--) {
    if (i == skip) continue;
    make_lines(b, "compensate c%d matrix=t%d ancestor=s%d segment=s%d", i, i, i, n - 1);
    end += sprintf(end, " matrix=c%d", i);
  }
  make_lines(b, "multiply all%s matrix=e%d; drive s%d all", list, n - 1, n - 1);
  return make_rig(b, NULL);
}

/* the segment's world transform with the segments from `from` on unrotated, moved to its joint */
static dmat wanted(const sinew_rig *rig, const sinew_pose *pose, int n, int from) {
  dmat with = dmat_identity(), without = dmat_identity();
  for (int i = 0; i < n; i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    dmat rest = dmat_of(sinew_rig_segment_info(rig, s).rest),
         local = dmat_of(sinew_pose_local(pose, s));
    with = dmat_mul(with, rest);
    without = dmat_mul(without, rest);
    if (i < n - 1) {
      with = dmat_mul(with, local);
      if (i < from) without = dmat_mul(without, local);
    }
  }
  sinew_component own;
  char name[16];
  snprintf(name, sizeof name, "e%d", n - 1);
  own = sinew_rig_find_component(rig, name, NULL);
  dmat turn = dmat_of(sinew_pose_value(pose, own, 0));
  without = dmat_mul(without, turn);
  for (int i = 12; i < 15; i++) without.m[i] = with.m[i];
  return without;
}

MU_TEST(compensate_keeps_orientation_and_joint_under_random_ancestors) {
  uint32_t seed = 17;
  for (int round = 0; round < mu_rounds(400); round++) {
    int n = 2 + make_index(&seed, deepest - 1), from = make_index(&seed, n - 1);
    OWNED(rig) *rig = MU_MADE(chain(n, round % MAKE_FRAMES, from, -1, &seed));
    MU_TEXT(sinew_rig_warnings(rig), "");
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    double off = 0;
    for (int k = 0; k < 5; k++) {
      for (int i = 0; i < sinew_rig_dof_count(rig); i++)
        sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(&seed, -180, 180), NULL);
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      const float *m = sinew_pose_world(pose, sinew_rig_segment(rig, n - 1));
      off = fmax(off, dmat_off(wanted(rig, pose, n, from), m));
    }
    MU_NEAR(off, 0, 6e-6);
  }
}

MU_TEST(compensate_warns_about_a_missing_ancestor) {
  uint32_t seed = 3;
  sinew_rig *rig = chain(4, MAKE_TURNED, 0, 1, &seed);
  MU_TEXT(sinew_rig_warnings(rig), "segment 's3' compensates 's0' but not 's1' in between, so it "
                                   "still rotates with both");
  sinew_rig_destroy(rig);
  rig = chain(4, MAKE_TURNED, 1, 2, &seed);
  MU_HAS(sinew_rig_warnings(rig), "compensates 's1' but not 's2'");
  sinew_rig_destroy(rig);
}

/* a segment of a random tree, and the ancestor that it compensates */
typedef struct pair {
  int segment, ancestor;
} pair;

/* the expected warning: every driven segment in between, against every component */
static void expect_warnings(const int *parents, const bool *driven, const pair *pairs, int count,
                            sinew_error *dest) {
  sinew_error_clear(dest);
  for (int i = 0; i < count; i++) {
    for (int s = parents[pairs[i].segment]; s != pairs[i].ancestor; s = parents[s]) {
      bool covered = !driven[s];
      for (int k = 0; k < count; k++)
        covered |= pairs[k].segment == pairs[i].segment && pairs[k].ancestor == s;
      if (covered) continue;
      sinew_error_add(
          dest, SINEW_OK,
          "segment 's%d' compensates 's%d' but not 's%d' in between, so it still rotates with both",
          pairs[i].segment, pairs[i].ancestor, s);
    }
  }
}

MU_TEST(compensate_warns_about_every_missing_ancestor) {
  enum { most = 60, rounds = 200 };
  uint32_t seed = 18;
  static sinew_error expected;
  int shown = 0, silent = 0, full = 0;
  for (int round = 0; round < mu_rounds(rounds); round++) {
    int n = 3 + make_index(&seed, most - 3), count = 1 + make_index(&seed, most),
        parents[most] = { 0 };
    bool driven[most];
    pair pairs[most];
    char name[16];
    sinew_builder *b = sinew_builder_create("tree", NULL);
    sinew_add(b, "translation", "t", SINEW_NONE, SINEW_NONE);
    for (int i = 0; i < n; i++) {
      char parent[16];
      parents[i] = i < 2 ? i - 1 : i - 1 - (make_index(&seed, 4) ? 0 : make_index(&seed, i - 1));
      snprintf(name, sizeof name, "s%d", i);
      snprintf(parent, sizeof parent, "s%d", parents[i]);
      sinew_segment s = make_segment(b, name, i ? parent : NULL, 0, 0, 0);
      driven[i] = make_index(&seed, 3);
      if (driven[i]) sinew_builder_drive(b, s, "t", NULL, NULL);
    }
    for (int i = 0; i < count; i++) {
      char ancestor[16], segment[16];
      /* few segments, so that most have more than one component */
      int s = n - 1 - make_index(&seed, n > 6 ? 4 : n - 1), a = parents[s];
      for (int up = make_index(&seed, n); up > 0 && parents[a] >= 0; up--) a = parents[a];
      pairs[i] = (pair){ s, a };
      snprintf(name, sizeof name, "c%d", i);
      snprintf(segment, sizeof segment, "s%d", s);
      snprintf(ancestor, sizeof ancestor, "s%d", a);
      sinew_add(b, "compensate", name, SINEW_WIRES(sinew_wire_name("matrix", "t")),
                SINEW_PARAMS(sinew_param_text("ancestor", ancestor),
                             sinew_param_text("segment", segment)));
    }
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    expect_warnings(parents, driven, pairs, count, &expected);
    MU_TEXT(sinew_rig_warnings(rig), expected.text);
    shown += expected.count > 0, silent += !expected.count, full += expected.shown < expected.count;
    /* after a live change every component is checked again */
    snprintf(name, sizeof name, "s%d", pairs[0].ancestor = parents[pairs[0].segment]);
    sinew_param nearest = sinew_param_text("ancestor", name);
    MU_INT(sinew_rig_set_param(rig, sinew_rig_find_component(rig, "c0", NULL), &nearest, NULL),
           SINEW_OK);
    expect_warnings(parents, driven, pairs, count, &expected);
    MU_TEXT(sinew_rig_warnings(rig), expected.text);
  }
  MU_CHECK(shown && full && (silent || mu_rounds(rounds) < rounds));
}

static const char *refused(const char *ancestor, const char *segment) {
  static sinew_error e;
  sinew_builder *b =
      make_lines(NULL,
                 "segment pelvis; segment femur pelvis; segment rib pelvis; translation t\n"
                 "compensate c matrix=t ancestor=%s segment=%s",
                 ancestor, segment);
  sinew_rig *rig = make_rig(b, &e);
  sinew_rig_destroy(rig);
  return rig ? "accepted" : e.text;
}

MU_TEST(compensate_refuses_a_segment_that_is_not_an_ancestor) {
  MU_TEXT(refused("pelvis", "femur"), "accepted");
  MU_TEXT(refused("femur", "pelvis"), "component 'c': 'femur' is not an ancestor of 'pelvis'");
  MU_TEXT(refused("rib", "femur"), "component 'c': 'rib' is not an ancestor of 'femur'");
  MU_TEXT(refused("femur", "femur"), "component 'c': 'femur' is not an ancestor of 'femur'");
  MU_TEXT(refused("plevis", "femur"),
          "component 'c' parameter 'ancestor': no segment named 'plevis' (did you mean 'pelvis'?)");
}

MU_SUITE(compensate)
