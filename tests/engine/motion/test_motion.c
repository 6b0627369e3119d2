/* Motion files against chains of matrices in doubles, computed here from the formats' rules; and
 * every mistake in such a file. */
#include "field_cases.h"
#include "fuzz/fuzz_motion.h"
#include "fuzzed.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scratch.h"
#include "slow_bvh.h"

#include <ctype.h>
#include <stdlib.h>

static sinew_error error;

static sinew_motion *parse(const char *name, const char *text) {
  return sinew_motion_parse(name, text, strlen(text), NULL, 0, NULL, &error);
}

static sinew_motion *parse_amc(const char *asf, const char *amc,
                               const sinew_motion_options *options) {
  return sinew_motion_parse("m.amc", amc, strlen(amc), asf, strlen(asf), options, &error);
}

/* the largest difference from the slow reader, over every joint of every `step`-th frame */
static double off_slow(const sinew_motion *motion, const slow_bvh *slow, int step) {
  static float worlds[16 * SLOW_JOINTS];
  double worst = 0;
  if (sinew_motion_joint_count(motion) != slow->joint_count) return INFINITY;
  for (int f = 0; f < sinew_motion_frame_count(motion); f += step) {
    sinew_motion_worlds(motion, f, worlds);
    for (int j = 0; j < slow->joint_count; j++) {
      float alone[16];
      dmat want = slow_bvh_world(slow, f, j);
      sinew_motion_joint_world(motion, f, j, alone);
      worst = fmax(worst, fmax(dmat_off(want, worlds + 16 * j), dmat_off(want, alone)));
    }
  }
  return worst;
}

/* a random hierarchy with channels in any order */
static char *random_bvh(uint32_t *seed, bool tidy) {
  static char text[1 << 16];
  static const char *const channels[] = { "Xposition", "Yposition", "Zposition",
                                          "Xrotation", "Yrotation", "Zrotation" };
  char *at = text;
  int width = 0, depth = 0, joints = 0;
  const char *nl = tidy ? "\n" : make_index(seed, 2) ? "\r\n" : "\r";
  at += sprintf(at, "HIERARCHY%s", nl);
  const int total = 1 + make_index(seed, 8);
  while (joints < total || depth > 0) {
    bool open = joints < total && (depth == 0 || make_index(seed, 3));
    if (!open) {
      at += sprintf(at, "%s}%s", make_index(seed, 2) ? "\t" : "", nl);
      depth--;
      continue;
    }
    at +=
        sprintf(at, "%s joint %d%s{%s", depth ? "JOINT" : "ROOT", joints++, tidy ? "\n" : " ", nl);
    at += sprintf(at, "  OFFSET %.7g  %.7g\t%.7g%s", (double)make_between(seed, -2, 2),
                  (double)make_between(seed, -2, 2), (double)make_between(seed, -2, 2), nl);
    int order[6] = { 0, 1, 2, 3, 4, 5 };
    for (int i = 5; i > 0; i--) {
      int k = make_index(seed, i + 1), swap = order[i];
      order[i] = order[k], order[k] = swap;
    }
    int count = make_index(seed, 2) ? 6 : make_index(seed, 7);
    at += sprintf(at, "  CHANNELS %d", count);
    for (int i = 0; i < count; i++) at += sprintf(at, " %s", channels[order[i]]);
    at += sprintf(at, "%s", nl);
    width += count;
    depth++;
    if (make_index(seed, 3) == 0)
      at += sprintf(at, "End Site%s{%s OFFSET 0.5 0 .25%s}%s", nl, nl, nl, nl);
  }
  const int frames = width ? 3 : 0;
  at += sprintf(at, "MOTION%sFrames:%s%d%sFrame Time: %s%s", nl, tidy ? " " : "\t", frames, nl,
                tidy ? "0.0005" : "5e-4", frames ? nl : "");
  for (int f = 0; f < frames; f++) {
    for (int i = 0; i < width; i++)
      at += sprintf(at, make_index(seed, 4) ? "%.6f " : " %.9e\t",
                    (double)make_between(seed, -400, 400));
    /* the last line has no line end */
    at += sprintf(at, "%s", f < frames - 1 ? nl : "");
  }
  return width ? text : NULL;
}

MU_TEST(bvh_matches_a_slow_chain_of_matrices) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(300); round++) {
    char *text = random_bvh(&seed, round % 2);
    if (!text) continue;
    sinew_motion_options options = sinew_default_motion_options();
    options.unit = round % 3 ? 1 : 0.01f;
    options.positions = (sinew_motion_positions)(1 + round % 2);
    OWNED(motion) *motion =
        sinew_motion_parse("r.bvh", text, strlen(text), NULL, 0, &options, &error);
    MU_CHECK_SAY(motion, "%s\n%s", error.text, text);
    MU_NEAR(sinew_motion_rate(motion), 2000, 0.01);
    MU_INT(sinew_motion_frame_count(motion), 3);
    FREED slow_bvh *slow = slow_bvh_read(text, (double)options.unit, options.positions);
    double off = off_slow(motion, slow, 1);
    MU_NEAR(off, 0, 2e-3 * (double)options.unit + 3e-6);
  }
}

MU_TEST(real_bvh_clips_match_the_slow_chain) {
  static const struct {
    const char *path;
    int frames;
  } clips[] = { { "02_01", 344 }, { "05_02", 1124 }, { "16_01", 323 } };
  for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
    char path[128];
    snprintf(path, sizeof path, "../shared/data/cmu/%s.bvh", clips[i].path);
    FILE *file = fopen(path, "rb");
    if (!file) {
      mu_skip("real_bvh_clips_match_the_slow_chain", "no ../shared/data/cmu");
      return;
    }
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    OWNED(motion) *motion = MU_MADE_OR(sinew_motion_load(path, NULL, &error), error.text);
    MU_INT(sinew_motion_frame_count(motion), clips[i].frames);
    MU_INT(sinew_motion_joint_count(motion), 38);
    MU_NEAR(sinew_motion_rate(motion), 120, 0.01);
    FREED slow_bvh *slow = slow_bvh_read(text, 1, SINEW_POSITIONS_ADD);
    double off = off_slow(motion, slow, mu_rounds(100) < 100 ? 100 : 10);
    MU_NEAR(off, 0, 1e-4);
  }
}

MU_TEST(bvh_reads_names_ends_and_units) {
  sinew_motion_options options = sinew_default_motion_options();
  options.unit = 0.01f;
  OWNED(motion) *motion =
      sinew_motion_parse("f.BVH", fuzz_bvh_text, strlen(fuzz_bvh_text), NULL, 0, &options, &error);
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_INT(sinew_motion_kind_of(motion), SINEW_MOTION_SKELETON);
  MU_TEXT(sinew_motion_format(motion), "BVH");
  MU_INT(sinew_motion_joint_count(motion), 5);
  MU_INT(sinew_motion_marker_count(motion), 0);
  sinew_motion_joint leg = sinew_motion_joint_info(motion, 1);
  MU_TEXT(leg.name, "Left Leg");
  MU_INT(leg.parent, 0);
  MU_INT(leg.channels, 3);
  MU_NEAR(leg.offset[1], -0.02, 1e-7);
  sinew_motion_joint tip = sinew_motion_joint_info(motion, 2);
  MU_TEXT(tip.name, "Left Leg end");
  MU_CHECK(tip.end && tip.parent == 1);
  MU_INT(sinew_motion_find(motion, "Spine", &error), 3);
  MU_INT(sinew_motion_find(motion, "Spnie", &error), -1);
  MU_TEXT(error.text, "the motion has no joint named 'Spnie' (did you mean 'Spine'?)");
  /* in the clip, the spine's positions are near its offset, so they replace it; the root's are
   * added */
  float local[16];
  sinew_motion_joint_local(motion, 0, 3, local);
  MU_NEAR(local[13], 0.02, 1e-7);
}

static const char *const wrong_bvh[][2] = {
  { "", "w.bvh:1: the text ends where 'HIERARCHY' is expected" },
  { "HIERARCHY", "w.bvh:1: the text ends inside its HIERARCHY" },
  { "HIERARCHY\nMOTION\n", "w.bvh:2: there is no ROOT before MOTION" },
  { "HIERARCHY\nJOINT a\n", "w.bvh:2: 'JOINT' where 'ROOT' or 'MOTION' is expected" },
  { "HIERARCHY\nROOT\n{", "w.bvh:2: a joint's name is missing" },
  { "HIERARCHY\nROOT a\n(", "w.bvh:3: '(' where '{' is expected" },
  { "HIERARCHY\nROOT a{\nOFFSET 1 2\n", "w.bvh:3: the line ends where a coordinate of an OFFSET" },
  { "HIERARCHY\nROOT a{\nOFFSET 1 2 z\n", "w.bvh:3: 'z' where a coordinate of an OFFSET" },
  { "HIERARCHY\nROOT a{\nOFFSET 1 2 1e10\n", "which is not within +-1e+09" },
  { "HIERARCHY\nROOT a{\nCHANNELS 7 Xrotation\n",
    "the number of CHANNELS is 7, must be a whole number from 0 to 6" },
  { "HIERARCHY\nROOT a{\nCHANNELS 2 Xrotation\n", "joint 'a' has 1 channels, expected 2" },
  { "HIERARCHY\nROOT a{\nCHANNELS 1 Xrotation Yrotation\n", "joint 'a' has more than 1 channels" },
  { "HIERARCHY\nROOT a{\nCHANNELS 1 Wrotation\n", "unknown channel 'Wrotation'" },
  { "HIERARCHY\nROOT a{\nCHANNELS 2 Xposition Xposition\n", "joint 'a' has Xposition twice" },
  { "HIERARCHY\nROOT a{\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n", "has CHANNELS twice" },
  { "HIERARCHY\nROOT a{\nEnd Point", "'Point' where 'Site' is expected" },
  { "HIERARCHY\nROOT a{\nbone", "'bone' in joint 'a', where OFFSET" },
#define A_ROOT "HIERARCHY\nROOT a{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Zrotation\n}\nMOTION\n"
  { A_ROOT, "w.bvh:7: the text ends where 'Frames' is expected" },
  { A_ROOT "Frames: x\n", "w.bvh:7: 'x' where the number of Frames is expected" },
  { A_ROOT "Frames: -1\n", "the number of Frames is -1" },
  { A_ROOT "Frames: 1e9\n", "the number of Frames is 1e+09" },
  { A_ROOT "Frames: 2\nFrame Time: 0\n", "w.bvh:8: the Frame Time is 0 seconds" },
  { A_ROOT "Frames: 2\nFrame Time: .1\n1 2\n1\n", "w.bvh:10: frame 2 has 1 values, expected 2" },
  { A_ROOT "Frames: 2\nFrame Time: .1\n1 2\n1 2 3\n", "w.bvh:10: frame 2 has more than 2 values" },
  { A_ROOT "Frames: 2\nFrame Time: .1\n1 2\n1 nan\n", "w.bvh:10: 'nan' where a value of a frame" },
  { A_ROOT "Frames: 2\nFrame Time: .1\n1 2\n",
    "the text ends after 1 frames, expected 'Frames: 2'" },
  { A_ROOT "Frames: 1\nFrame Time: .1\n1 2\n3 4\n", "w.bvh:10: more frames than 'Frames: 1'" },
};

MU_TEST(bad_bvh_files_are_reported_with_line_and_reason) {
  for (size_t i = 0; i < sizeof wrong_bvh / sizeof *wrong_bvh; i++) {
    MU_CHECK_SAY(!parse("w.bvh", wrong_bvh[i][0]), "%s", wrong_bvh[i][0]);
    MU_HAS(error.text, wrong_bvh[i][1]);
    MU_INT(error.count, 1);
  }
  MU_REFUSED(parse("w.fbx", "x"), "w.fbx: a motion file ends with .bvh");
  MU_REFUSED(sinew_motion_load("/no/such.bvh", NULL, &error), "/no/such.bvh: cannot open");
  /* a single frame may have no duration, and there may be no frames */
  sinew_motion *motion = parse("w.bvh", A_ROOT "Frames: 1\nFrame Time: 0\n1 2");
  MU_CHECK_SAY(motion, "%s", error.text);
  sinew_motion_destroy(motion);
  motion = parse("w.bvh", A_ROOT "Frames: 0\nFrame Time: 0.1");
  MU_CHECK_SAY(motion && sinew_motion_frame_count(motion) == 0, "%s", error.text);
  sinew_motion_destroy(motion);
}

/* a bone as given in the ASF file, and its transform: C M C^-1 about its base */
typedef struct slow_bone {
  int parent; /* -1: the root */
  double direction[3], length, axis[3];
  char order[4], dofs[3];
  int dof_count;
} slow_bone;

static const float unit_axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

/* angles[i] about the axis of the i-th letter; the first letter acts first */
static dmat turned(const char *order, const double *angles, int count) {
  dmat turn = dmat_identity();
  for (int i = 0; i < count; i++)
    turn = dmat_mul(dmat_turn(unit_axes[tolower((unsigned char)order[i]) - 'x'], angles[i]), turn);
  return turn;
}

static dmat bone_turn(const slow_bone *b, const double *values) {
  double by_letter[3];
  for (int i = 0; i < 3; i++) by_letter[i] = b->axis[b->order[i] - 'X'];
  dmat c = turned(b->order, by_letter, 3);
  return dmat_mul(dmat_mul(c, turned(b->dofs, values, b->dof_count)), dmat_inverse(c));
}

MU_TEST(acclaim_matches_the_published_rules) {
  static const char *const orders[] = { "XYZ", "ZYX", "YZX" };
  uint32_t seed = 17;
  for (int round = 0; round < mu_rounds(200); round++) {
    enum { most = 6 };
    slow_bone bones[most];
    double values[most][3], root[6];
    const bool radians = round % 2, amc_radians = round % 3 == 0;
    const double to_file = radians ? 3.14159265358979323846 / 180 : 1;
    const double to_amc = amc_radians ? 3.14159265358979323846 / 180 : 1;
    static char asf[1 << 14], amc[1 << 12];
    char *at = asf, *to = amc;
    int count = 1 + make_index(&seed, most);
    at += sprintf(at,
                  ":version 1.10\r\n:units\r\n length 0.45\n angle %s\n:root\n axis XYZ\n"
                  " order TX TY TZ RX RY RZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n",
                  radians ? "rad" : "deg");
    to += sprintf(to, ":FULLY-SPECIFIED\n:%s\n1\nroot", amc_radians ? "RADIANS" : "DEGREES");
    for (int i = 0; i < 6; i++) {
      root[i] = (double)make_between(&seed, -20, 20);
      to += sprintf(to, " %.12g", i < 3 ? root[i] : root[i] * to_amc);
    }
    to += sprintf(to, "\n");
    for (int i = 0; i < count; i++) {
      slow_bone *b = &bones[i];
      float direction[3];
      make_axis(&seed, direction);
      double size = sqrt((double)(direction[0] * direction[0] + direction[1] * direction[1] +
                                  direction[2] * direction[2]));
      *b = (slow_bone){ .parent = make_index(&seed, i + 1) - 1,
                        .length = (double)make_between(&seed, 0.5f, 4) };
      memcpy(b->order, orders[make_index(&seed, 3)], 4);
      at += sprintf(at, " begin\n  id %d\n  name b%d\n  direction", i + 1, i);
      for (int k = 0; k < 3; k++) {
        b->direction[k] = (double)direction[k] / size;
        at += sprintf(at, " %.9g", (double)direction[k]);
        b->axis[k] = (double)make_between(&seed, -180, 180);
      }
      at += sprintf(at, "\n  length %.12g\n  axis %.12g %.12g %.12g %s\n", b->length,
                    b->axis[0] * to_file, b->axis[1] * to_file, b->axis[2] * to_file, b->order);
      for (int k = 0; k < 3; k++)
        if (make_index(&seed, 3)) b->dofs[b->dof_count++] = (char)('x' + k);
      if (b->dof_count) {
        at += sprintf(at, "  dof");
        to += sprintf(to, "b%d", i);
        for (int k = 0; k < b->dof_count; k++) {
          at += sprintf(at, " r%c", b->dofs[k]);
          values[i][k] = (double)make_between(&seed, -180, 180);
          to += sprintf(to, " %.12g", values[i][k] * to_amc);
        }
        at += sprintf(at, "\n  limits (-180 180)\n  (-inf inf)\n");
        to += sprintf(to, "\n");
      }
      at += sprintf(at, " end\n");
    }
    at += sprintf(at, ":hierarchy\n begin\n");
    /* children may come before their parents */
    for (int i = count - 1; i >= 0; i--) {
      char parent[32] = "root";
      if (bones[i].parent >= 0) snprintf(parent, sizeof parent, "b%d", bones[i].parent);
      at += sprintf(at, "  %s b%d\n", parent, i);
    }
    at += sprintf(at, " end");
    OWNED(motion) *motion = parse_amc(asf, amc, NULL);
    MU_CHECK_SAY(motion, "%s\n%s\n%s", error.text, asf, amc);
    const double unit = 0.0254 / 0.45;
    MU_NEAR(sinew_motion_unit(motion), unit, 1e-7);
    MU_NEAR(sinew_motion_rate(motion), 120, 0);
    dmat world[most], start = dmat_mul(dmat_move(root[0] * unit, root[1] * unit, root[2] * unit),
                                       turned("xyz", root + 3, 3));
    for (int i = 0; i < count; i++) {
      const slow_bone *b = &bones[i], *p = b->parent >= 0 ? &bones[b->parent] : NULL;
      dmat base = p ? dmat_mul(world[b->parent], dmat_move(p->direction[0] * p->length * unit,
                                                           p->direction[1] * p->length * unit,
                                                           p->direction[2] * p->length * unit))
                    : start;
      world[i] = dmat_mul(base, bone_turn(b, values[i]));
      char name[32];
      float found[16];
      snprintf(name, sizeof name, "b%d", i);
      int joint = sinew_motion_find(motion, name, &error);
      MU_CHECK_SAY(joint >= 0, "%s", error.text);
      sinew_motion_joint_world(motion, 0, joint, found);
      MU_NEAR(dmat_off(world[i], found), 0, 2e-5);
      snprintf(name, sizeof name, "b%d end", i);
      joint = sinew_motion_find(motion, name, NULL);
      if (joint < 0) continue;
      dmat tip = dmat_mul(world[i], dmat_move(b->direction[0] * b->length * unit,
                                              b->direction[1] * b->length * unit,
                                              b->direction[2] * b->length * unit));
      sinew_motion_joint_world(motion, 0, joint, found);
      MU_NEAR(dmat_off(tip, found), 0, 2e-5);
    }
  }
}

MU_TEST(acclaim_finds_its_skeleton_beside_the_motion) {
  MU_CHECK(scratch_open());
  scratch_text("subject.asf", fuzz_asf_text);
  scratch_text("subject_07.amc", fuzz_amc_text);
  sinew_motion *motion = sinew_motion_load(scratch_path("subject_07.amc"), NULL, &error);
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_INT(sinew_motion_frame_count(motion), 2);
  sinew_motion_destroy(motion);
  scratch_text("other.amc", fuzz_amc_text);
  MU_REFUSED(sinew_motion_load(scratch_path("other.amc"), NULL, &error), "other.asf: cannot open");
  sinew_motion_options options = sinew_default_motion_options();
  options.skeleton = scratch_path("subject.asf");
  options.unit = 0.5f;
  options.rate = 60;
  motion = sinew_motion_load(scratch_path("other.amc"), &options, &error);
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_NEAR(sinew_motion_rate(motion), 60, 0);
  MU_NEAR(sinew_motion_unit(motion), 0.5, 0);
  sinew_motion_destroy(motion);
  scratch_close();
}

/* `text` with `from` replaced, which must occur in it */
static const char *with(const char *text, const char *from, const char *to) {
  static char dest[FUZZ_ROOM];
  const char *at = strstr(text, from);
  if (!at) return "";
  snprintf(dest, sizeof dest, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return dest;
}

MU_TEST(bad_acclaim_files_are_reported_with_line_and_reason) {
  static const char *const asf[][3] = {
    { "# skeleton\n", "words\n", "skeleton:1: 'words' where a section" },
    { "angle deg", "angle grad", "skeleton:7: the angle unit must be 'deg' or 'rad'" },
    { "length 0.45", "length 0", "skeleton:6: the length scale is 0" },
    { "axis XYZ", "axis XYX", "'XYX' is not an order of axes" },
    { "dof rx rz", "dof rx l", "unknown DOF 'l'" },
    { "dof rx rz", "dof rx rx", "duplicate DOF rx" },
    { "name foot", "name leg", "duplicate bone 'leg'" },
    { "name foot", "", "a bone has no name" },
    { "direction 0 0 1", "direction 0 0", "the line ends where a coordinate of a direction" },
    { "(-160 20)", "(-160 twenty)", "where limits such as (-90 90) are expected" },
    { "root leg\n", "root lge\n", "no bone named 'lge' (did you mean 'leg'?)" },
    { "foot toe\n", "foot toe leg\n", "bone 'leg' has two parents" },
    { "root leg\n", "toe leg\n", "bone 'leg' is not in the hierarchy" },
    { "  begin\n    name toe", "  begin\n    colour red", "unknown property 'colour' of a bone" },
    { ":bonedata", ":other", "no bone named 'leg'" },
  };
  static const char *const amc[][3] = {
    { "1\nroot", "root", "m.amc:4: 'root' where the number of a frame is expected" },
    { "leg 5 -6", "leg 5", "m.amc:6: bone 'leg' has 1 values, expected 2" },
    { "leg 5 -6", "leg 5 -6 7", "m.amc:6: bone 'leg' has more than 2 values" },
    { "leg 5 -6", "leg 5 x", "m.amc:6: 'x' where a value of a bone is expected" },
    { "leg 5 -6\n", "", "frame 1 has no values for bone 'leg'" },
    { "leg 5 -6\n", "leg 5 -6\nleg 5 -6\n", "m.amc:7: frame 1 has bone 'leg' twice" },
    { "leg 5 -6", "lge 5 -6", "m.amc:6: no bone named 'lge' (did you mean 'leg'?)" },
  };
  OWNED(motion) *motion = MU_MADE_OR(parse_amc(fuzz_asf_text, fuzz_amc_text, NULL), error.text);
  for (size_t i = 0; i < sizeof asf / sizeof *asf; i++) {
    const char *text = with(fuzz_asf_text, asf[i][0], asf[i][1]);
    MU_CHECK_SAY(*text && !parse_amc(text, fuzz_amc_text, NULL), "%s", asf[i][2]);
    MU_HAS(error.text, asf[i][2]);
  }
  for (size_t i = 0; i < sizeof amc / sizeof *amc; i++) {
    const char *text = with(fuzz_amc_text, amc[i][0], amc[i][1]);
    MU_CHECK_SAY(*text && !parse_amc(fuzz_asf_text, text, NULL), "%s", amc[i][2]);
    MU_HAS(error.text, amc[i][2]);
  }
  MU_REFUSED(parse("m.amc", fuzz_amc_text), "the skeleton, an .asf file, is missing");
}

MU_TEST(trc_reads_markers_with_their_gaps) {
  sinew_motion *motion = MU_MADE_OR(parse("a.trc", fuzz_trc_text), error.text);
  MU_INT(sinew_motion_kind_of(motion), SINEW_MOTION_MARKERS);
  MU_INT(sinew_motion_frame_count(motion), 3);
  MU_INT(sinew_motion_marker_count(motion), 2);
  MU_TEXT(sinew_motion_marker_name(motion, 0), "L.ASIS");
  MU_TEXT(sinew_motion_marker_name(motion, 1), "Head Top");
  MU_NEAR(sinew_motion_rate(motion), 100, 0);
  MU_NEAR(sinew_motion_unit(motion), 0.001, 1e-9);
  MU_NEAR(sinew_motion_markers(motion, 0)[1], -0.002, 1e-9);
  MU_NEAR(sinew_motion_markers(motion, 1)[5], 0.006, 1e-9);
  for (int i = 0; i < 3; i++) {
    MU_CHECK(isnan(sinew_motion_markers(motion, 1)[i]));
    MU_CHECK(isnan(sinew_motion_markers(motion, 2)[i]));
  }
  MU_NEAR(sinew_motion_markers(motion, 2)[5], 0.09, 1e-8);
  MU_INT(sinew_motion_gaps(motion, 0), 2);
  MU_INT(sinew_motion_gaps(motion, 1), 0);
  MU_INT(sinew_motion_gaps(motion, -1), 2);
  MU_INT(sinew_motion_find(motion, "Head Top", &error), 1);
  MU_TEXT(sinew_motion_warnings(motion), "");
  sinew_motion_destroy(motion);
  /* metres, wrong counts, rows without their last cells, spaces instead of tabs */
  motion = parse("a.trc", with(fuzz_trc_text, "3\t2\tmm", "9\t5\tm"));
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_NEAR(sinew_motion_markers(motion, 0)[0], 1.5, 0);
  MU_TEXT(sinew_motion_warnings(motion), "NumFrames says 9, there are 3 frames\n"
                                         "NumMarkers says 5, there are 2 names");
  sinew_motion_destroy(motion);
  motion = parse("a.trc", with(fuzz_trc_text, "\t7\t8\t9e1", ""));
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_INT(sinew_motion_gaps(motion, 1), 1);
  sinew_motion_destroy(motion);
  motion = parse("a.trc", "PathFileType 4 (X/Y/Z) a\nUnits DataRate\nm 50\nFrame# Time A B\n"
                          "X1 Y1 Z1 X2 Y2 Z2\n1 0 1 2 3 4 5 6\n");
  MU_CHECK_SAY(motion, "%s", error.text);
  MU_NEAR(sinew_motion_markers(motion, 0)[5], 6, 0);
  sinew_motion_destroy(motion);
}

MU_TEST(bad_trc_files_are_reported_with_line_and_reason) {
  static const char *const wrong[][3] = {
    { "PathFileType", "Path", "w.trc:1: a TRC file begins with 'PathFileType'" },
    { "\tmm\t", "\tparsec\t", "w.trc:3: unknown Units 'parsec'" },
    { "Units", "Unit", "w.trc:3: the heading has no Units" },
    { "100.00\t100.00", "0\t100.00", "w.trc:3: the DataRate is 0" },
    { "100.00\t100.00", "fast\t100.00", "w.trc:3: 'fast' where the DataRate is expected" },
    { "3\t2\tmm", "3e66\t2\tmm", "w.trc:3: NumFrames or NumMarkers is 3e66" },
    { "3\t2\tmm", "3\t2.5\tmm", "w.trc:3: NumMarkers is 2.5, must be a whole number" },
    { "Frame#", "Name", "w.trc:4: 'Name' where 'Frame#' is expected" },
    { "Time", "Date", "w.trc:4: 'Date' where 'Time' is expected" },
    { "L.ASIS\t\t\tHead Top", "", "w.trc:4: there are no markers" },
    { "4\t5\t6\n", "4\t5\t6\t7\n", "w.trc:7: frame 1 has more than the 6 values of 2 markers" },
    { "-2\t3", "-2x\t3", "w.trc:7: '-2x' where a coordinate is expected" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *text = with(fuzz_trc_text, wrong[i][0], wrong[i][1]);
    MU_CHECK_SAY(*text && !parse("w.trc", text), "%s", wrong[i][2]);
    MU_HAS(error.text, wrong[i][2]);
    MU_INT(error.count, 1);
  }
  MU_CHECK(!parse("w.trc", ""));
  MU_REFUSED(parse("w.trc", "PathFileType\t4\n"), "the text ends where");
}

MU_TEST(wrong_motion_options_are_refused) {
  sinew_motion_options options = sinew_default_motion_options();
  options.unit = -1;
  MU_REFUSED(parse_amc(fuzz_asf_text, fuzz_amc_text, &options), "the unit is -1 metres");
  options = sinew_default_motion_options();
  options.rate = NAN;
  MU_REFUSED(parse_amc(fuzz_asf_text, fuzz_amc_text, &options), "nan frames per second");
}

static bool read_scarce(void *context) {
  sinew_motion *motions[] = {
    parse("a.bvh", fuzz_bvh_text),
    NULL,
    NULL,
  };
  (void)context;
  bool done = motions[0] != NULL;
  if (done) done = (motions[1] = parse_amc(fuzz_asf_text, fuzz_amc_text, NULL)) != NULL;
  if (done)
    done = (motions[2] = parse("a.trc", with(fuzz_trc_text, "3\t2\tmm", "9\t5\tm"))) != NULL;
  if (!done && error.status != SINEW_ERR_MEMORY) abort();
  for (int i = 0; i < 3; i++) sinew_motion_destroy(motions[i]);
  return done;
}

MU_TEST(motion_readers_survive_failing_memory) {
  MU_CHECK(case_survives_failing_memory(read_scarce, NULL));
}

FUZZED(motion, 6000)

MU_SUITE(motion)
