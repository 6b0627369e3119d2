/* Recordings are restored from the files they are written to: world matrices from BVH, by the
 * engine's reader and by the slow one, and DOF curves from tables. */
#include "field_cases.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "slow_bvh.h"

#include <stdlib.h>

enum { FRAMES = 12, SEGMENTS = 6 };

/* a recording, with the world matrices of its frames in `worlds`; NULL if a segment is mirrored */
static sinew_recording *record(const sinew_rig *rig, uint32_t *seed, float *worlds) {
  sinew_recording *recording = sinew_recording_create(rig, 25, &error);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  const int segments = sinew_rig_segment_count(rig);
  sinew_status status = SINEW_OK;
  for (int f = 0; f < FRAMES && status == SINEW_OK; f++) {
    for (int i = 0; f > 0 && i < sinew_rig_dof_count(rig); i++)
      sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(seed, -150, 150), NULL);
    sinew_pose_eval(pose, NULL);
    memcpy(worlds + f * segments * 16, sinew_pose_worlds(pose),
           (size_t)segments * 16 * sizeof(float));
    status = sinew_recording_add(recording, pose, &error);
  }
  sinew_pose_destroy(pose);
  if (status == SINEW_OK) return recording;
  sinew_recording_destroy(recording);
  return NULL;
}

/* the largest difference between a segment's matrix and that of the joint of its name, relative to
 * the size of the rig */
static double off_by(const sinew_rig *rig, const sinew_motion *motion, const slow_bvh *slow,
                     const float *worlds) {
  double worst = 0;
  const int segments = sinew_rig_segment_count(rig);
  for (int i = 0; i < segments; i++) {
    int joint = sinew_motion_find(
        motion, sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name, &error);
    if (joint < 0) return INFINITY;
    for (int f = 0; f < FRAMES; f++) {
      const float *want = worlds + (f * segments + i) * 16;
      float found[16];
      double size = 1;
      for (int k = 12; k < 15; k++) size = fmax(size, fabs((double)want[k]));
      sinew_motion_joint_world(motion, f, joint, found);
      worst = fmax(worst, dmat_off(dmat_of(want), found) / size);
      worst = fmax(worst, dmat_off(slow_bvh_world(slow, f, joint), want) / size);
    }
  }
  return worst;
}

MU_TEST(recording_is_restored_from_bvh) {
  static float worlds[FRAMES * SEGMENTS * 16];
  uint32_t seed = 8;
  int mirrored = 0, rounds = mu_rounds(300);
  for (int round = 0; round < rounds; round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 5, 25, 2 + make_index(&seed, SEGMENTS - 1));
    OWNED(recording) *recording = record(rig, &seed, worlds);
    if (!recording) {
      MU_HAS(error.text, "is mirrored, which Euler angles cannot represent");
      mirrored++;
      continue;
    }
    const float unit = round % 2 ? 0 : 0.01f;
    size_t size;
    char *text = MU_MADE_OR(sinew_recording_bvh(recording, unit, &size, &error), error.text);
    sinew_motion_options options = sinew_default_motion_options();
    options.unit = unit;
    OWNED(motion) *motion = sinew_motion_parse("r.bvh", text, size, NULL, 0, &options, &error);
    MU_CHECK_SAY(motion, "%s\n%s", error.text, text);
    MU_INT(sinew_motion_frame_count(motion), FRAMES);
    MU_NEAR(sinew_motion_rate(motion), 25, 1e-4);
    FREED slow_bvh *slow =
        slow_bvh_read(text, unit > 0 ? (double)unit : 1, SINEW_POSITIONS_REPLACE);
    double off = off_by(rig, motion, slow, worlds);
    MU_CHECK_SAY(off < 2e-5, "off by %g\n%s", off, text);
    sinew_text_free(text);
  }
  MU_CHECK(mirrored < rounds * 9 / 10);
}

/* angles through the singular orientation and over many turns stay near those of the previous frame
 */
MU_TEST(recorded_angles_have_no_jumps) {
  OWNED(rig) *rig =
      MU_MADE(make_text("segment top 0,1,0; dof z -2000 2000; dof x -2000 2000; dof y -2000 2000\n"
                        "euler turn first=z second=x third=y order=zxy; drive top turn"));
  for (int moved = 0; moved < 3; moved++) {
    OWNED(recording) *recording = sinew_recording_create(rig, 30, &error);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    for (int f = 0; f <= 720; f++) {
      sinew_pose_set(pose, sinew_rig_dof(rig, moved), (float)f, NULL);
      sinew_pose_eval(pose, NULL);
      MU_INT(sinew_recording_add(recording, pose, &error), SINEW_OK);
    }
    char *text = sinew_recording_bvh(recording, 0, NULL, &error);
    const char *line = strstr(text, "Frame Time");
    line = strchr(line, '\n') + 1;
    for (int f = 0; f <= 720; f++, line = strchr(line, '\n') + 1) {
      double p[3], a[3];
      MU_INT(sscanf(line, "%lf %lf %lf %lf %lf %lf", p, p + 1, p + 2, a, a + 1, a + 2), 6);
      for (int k = 0; k < 3; k++) MU_NEAR(a[k], k == moved ? f : 0, 1e-3);
    }
    sinew_text_free(text);
  }
}

static sinew_rig *odd_names(void) {
  sinew_builder *b = sinew_builder_create("odd", NULL);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "a, b", NULL, NULL);
  sinew_add_bone(b, SINEW_ROOT, "left {leg}", (sinew_vec3){ 0, 1, 0 });
  make_dof(b, set, "say \"hi\"", -200, 200);
  make_dof(b, set, "plain", -200, 200);
  return make_rig(b, NULL);
}

MU_TEST(recording_is_restored_from_a_table_as_a_clip) {
  OWNED(rig) *rig = odd_names();
  uint32_t seed = 4;
  OWNED(recording) *recording = sinew_recording_create(rig, 30, &error);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  float want[FRAMES][2];
  for (int f = 0; f < FRAMES; f++) {
    for (int i = 0; i < 2; i++) {
      want[f][i] = make_between(&seed, -150, 150);
      sinew_pose_set(pose, sinew_rig_dof(rig, i), want[f][i], NULL);
    }
    sinew_pose_eval(pose, NULL);
    MU_INT(sinew_recording_add(recording, pose, &error), SINEW_OK);
  }
  size_t size;
  char *text = sinew_recording_csv(recording, &size, &error);
  const char *head = "time,\"a, b.say \"\"hi\"\"\",\"a, b.plain\"\n0,";
  MU_CHECK_SAY(strncmp(text, head, strlen(head)) == 0, "%s", text);
  sinew_clip *clip = sinew_clip_parse("r.csv", text, size, &error);
  MU_CHECK_SAY(clip, "%s\n%s", error.text, text);
  MU_NEAR(sinew_clip_fps(clip), 30, 0);
  MU_INT(sinew_clip_channel_count(clip), 2);
  for (int f = 0; f < FRAMES; f++) {
    float time = (float)((double)f / 30);
    MU_INT(sinew_clip_apply(clip, pose, time, &error), 0);
    for (int i = 0; i < 2; i++) MU_CHECK(sinew_pose_get(pose, sinew_rig_dof(rig, i)) == want[f][i]);
  }
  sinew_clip_destroy(clip);
  sinew_text_free(text);
  text = sinew_recording_bvh(recording, 0, &size, &error);
  MU_HAS(text, "ROOT left _leg_\n");
  sinew_text_free(text);
}

MU_TEST(bad_tables_are_reported_with_line_and_reason) {
  static const char *const wrong[][2] = {
    { "", "t.csv:1: '' where 'time' is expected" },
    { "t,a\n", "t.csv:1: 't' where 'time' is expected" },
    { "time,a\n", "the table has no rows" },
    { "time,a,a\n0,1,2\n", "t.csv:1: duplicate column 'a'" },
    { "time,a,\n0,1,2\n", "'' is not a valid DOF name: it is empty" },
    { "time,a.b.c\n0,1\n", "'a.b.c' is not a valid DOF name" },
    { "time,a\n0\n", "t.csv:2: 1 cells, expected 2" },
    { "time,a\n0,1,2\n", "t.csv:2: more cells than the 2 columns" },
    { "time,a\n0,x\n", "t.csv:2: 'x' where a number is expected" },
    { "time,a\n0,\n", "t.csv:2: '' where a number is expected" },
    { "time,a\n0,1e39\n", "the value inf is not finite" },
    { "time,a\n0,1\r\n0,2\n", "t.csv:3: the time 0 is not after that of the previous row" },
    { "time,a\n-2,1\n", "the time -2 is not after" },
    { "time,\"a\"b\n", "t.csv:1: 'b' after a quoted cell" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    MU_CHECK_SAY(!sinew_clip_parse("t.csv", wrong[i][0], strlen(wrong[i][0]), &error), "%s",
                 wrong[i][0]);
    MU_HAS(error.text, wrong[i][1]);
    MU_INT(error.count, 1);
  }
  const char *good = "\xef\xbb\xbfTime , \"a.b\" ,c\r0, 1 ,2\r\r0.5,+3e0,-.5";
  OWNED(clip) *clip = MU_MADE_OR(sinew_clip_parse("t.CSV", good, strlen(good), &error), error.text);
  MU_NEAR(sinew_clip_fps(clip), 2, 0);
  MU_NEAR(sinew_clip_sample(clip, 0, 0.25f), 2, 0);
  MU_NEAR(sinew_clip_sample(clip, 1, 9), -0.5, 0);
}

MU_TEST(recording_refuses_invalid_rates_and_units) {
  OWNED(rig) *rig = odd_names();
  MU_CHECK(!sinew_recording_create(rig, 0, &error));
  MU_CHECK(!sinew_recording_create(rig, NAN, &error));
  OWNED(recording) *recording = sinew_recording_create(rig, 1, &error);
  MU_REFUSED(sinew_recording_bvh(recording, -1, NULL, &error), "the unit is -1 metres");
  /* an empty recording is a file without frames */
  char *text = sinew_recording_bvh(recording, 0, NULL, &error);
  MU_HAS(text, "Frames: 0\n");
  sinew_text_free(text);
}

static bool record_scarce(void *context) {
  OWNED(recording) *recording = sinew_recording_create(context, 30, &error);
  OWNED(pose) *pose = recording ? sinew_pose_create(context, &error) : NULL;
  bool done = pose != NULL;
  for (int i = 0; done && i < 40; i++) {
    sinew_pose_eval(pose, NULL);
    done = sinew_recording_add(recording, pose, &error) == SINEW_OK;
  }
  char *bvh = done ? sinew_recording_bvh(recording, 0, NULL, &error) : NULL;
  char *csv = bvh ? sinew_recording_csv(recording, NULL, &error) : NULL;
  OWNED(clip) *clip = csv ? sinew_clip_parse("c.csv", csv, strlen(csv), &error) : NULL;
  if (!clip && error.status != SINEW_ERR_MEMORY) abort();
  done = clip != NULL;
  sinew_text_free(bvh);
  sinew_text_free(csv);
  return done;
}

MU_TEST(recording_survives_failing_memory) {
  OWNED(rig) *rig = odd_names();
  bool survives = case_survives_failing_memory(record_scarce, rig);
  MU_CHECK(survives);
}

MU_SUITE(recording)
