/* Keyframes: they stay in order under random edits, smooth curves agree with slopes computed here
 * from their definition, and files are restored to the bit. */
#include "base/alloc.h"
#include "field_cases.h"
#include "fuzz/fuzz_clip.h"
#include "fuzzed.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scratch.h"

#include <stdlib.h>

static sinew_error error;

static sinew_clip *made(const char *name, const sinew_key *keys, int count) {
  sinew_clip *clip = sinew_clip_create(&error);
  for (int i = 0; clip && i < count; i++)
    sinew_clip_set_key(clip, name, keys[i].time, keys[i].value, keys[i].interp, &error);
  return clip;
}

MU_TEST(clip_keeps_keyframes_in_order_under_random_edits) {
  enum { most = 64 };
  uint32_t seed = 5;
  for (int round = 0; round < mu_rounds(60); round++) {
    sinew_key want[most];
    int count = 0;
    OWNED(clip) *clip = sinew_clip_create(&error);
    for (int step = 0; step < 120; step++) {
      sinew_key key = { (float)make_index(&seed, 40) / 8, make_between(&seed, -9, 9),
                        (sinew_interp)make_index(&seed, 3) };
      int what = make_index(&seed, 4), at = count ? make_index(&seed, count) : 0;
      int channel = sinew_clip_find_channel(clip, "a.b"), place = -1;
      if (what == 0 && count > 0) {
        sinew_clip_remove_key(clip, channel, at);
        memmove(want + at, want + at + 1, (size_t)(--count - at) * sizeof *want);
      } else {
        if (what == 1 && count > 0) {
          key.interp = want[at].interp;
          MU_INT(sinew_clip_move_key(clip, channel, at, key.time, key.value, &place, &error), 0);
          memmove(want + at, want + at + 1, (size_t)(--count - at) * sizeof *want);
        } else {
          MU_INT(sinew_clip_set_key(clip, "a.b", key.time, key.value, key.interp, &error), 0);
        }
        /* slow insertion: after all earlier keyframes, replacing one at the same time */
        int to = 0;
        while (to < count && want[to].time < key.time) to++;
        if (to == count || want[to].time != key.time) {
          memmove(want + to + 1, want + to, (size_t)(count - to) * sizeof *want);
          count++;
        }
        want[to] = key;
        MU_CHECK(place < 0 || place == to);
      }
      channel = sinew_clip_find_channel(clip, "a.b");
      MU_INT(channel, count ? 0 : -1);
      MU_INT(count ? sinew_clip_key_count(clip, channel) : 0, count);
      for (int i = 0; i < count; i++) {
        sinew_key k = sinew_clip_key_at(clip, channel, i);
        MU_CHECK(k.time == want[i].time && k.value == want[i].value && k.interp == want[i].interp);
      }
      MU_NEAR(sinew_clip_duration(clip), count ? want[count - 1].time : 0, 0);
    }
  }
}

MU_TEST(clip_channels_are_sorted_and_removed_with_their_last_keyframe) {
  OWNED(clip) *clip = sinew_clip_create(&error);
  const char *names[] = { "knee.bend", "hip.x", "hip.a", "plain", "hip" };
  for (int i = 0; i < 5; i++) sinew_clip_set_key(clip, names[i], (float)i, 1, 0, &error);
  MU_INT(sinew_clip_channel_count(clip), 5);
  for (int i = 1; i < 5; i++)
    MU_CHECK(strcmp(sinew_clip_channel_name(clip, i - 1), sinew_clip_channel_name(clip, i)) < 0);
  MU_NEAR(sinew_clip_duration(clip), 4, 0);
  sinew_clip_remove_key(clip, sinew_clip_find_channel(clip, "hip"), 0);
  MU_INT(sinew_clip_channel_count(clip), 4);
  MU_NEAR(sinew_clip_duration(clip), 3, 0);
  sinew_clip_remove_channel(clip, sinew_clip_find_channel(clip, "plain"));
  MU_NEAR(sinew_clip_duration(clip), 2, 0);
  MU_INT(sinew_clip_find_channel(clip, "plain"), -1);
  OWNED(clip) *copy = sinew_clip_copy(clip, &error);
  sinew_clip_set_key(clip, "hip.a", 9, 9, SINEW_INTERP_HOLD, &error);
  MU_INT(sinew_clip_channel_count(copy), 3);
  MU_INT(sinew_clip_key_count(copy, 0), 1);
  MU_NEAR(sinew_clip_duration(copy), 2, 0);
}

MU_TEST(clip_is_unchanged_when_bad_keyframes_are_refused) {
  OWNED(clip) *clip = sinew_clip_create(&error);
  char *before, *after;
  sinew_clip_set_key(clip, "a", 1, 2, SINEW_INTERP_LINEAR, &error);
  before = sinew_clip_format(clip, NULL, &error);
  const struct {
    const char *name;
    float time, value;
    int interp;
    const char *text;
  } bad[] = { { "b", -1, 0, 0, "channel 'b': the time -1 is not from 0 to 1e+06 seconds" },
              { "b", NAN, 0, 0, "the time nan" },
              { "a", 2e6f, 0, 0, "the time 2e+06" },
              { "b", 0, INFINITY, 0, "channel 'b': the value inf is not finite" },
              { "b", 0, 0, 3, "unknown interpolation 3" },
              { "", 0, 0, 0, "'' is not a valid DOF name: it is empty" },
              { "a.b.c", 0, 0, 0, "'a.b.c' is not a valid DOF name: it has a dot" },
              { "a\nb", 0, 0, 0, "has a control character" } };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sinew_interp interp = (sinew_interp)bad[i].interp;
    MU_CHECK(sinew_clip_set_key(clip, bad[i].name, bad[i].time, bad[i].value, interp, &error) < 0);
    MU_HAS(error.text, bad[i].text);
  }
  MU_CHECK(sinew_clip_move_key(clip, 0, 0, NAN, 0, NULL, &error) < 0);
  MU_CHECK(sinew_clip_set_fps(clip, 0, &error) < 0);
  MU_CHECK(sinew_clip_set_fps(clip, NAN, &error) < 0);
  after = sinew_clip_format(clip, NULL, &error);
  MU_TEXT(after, before);
  sinew_text_free(before);
  sinew_text_free(after);
}

/* the curve between the keyframes i and i + 1 by its definition: the cubic in Bernstein form, with
 * slopes that are weighted harmonic means of the secants */
static double oracle(const sinew_key *k, int n, bool round, double time) {
  if (time <= (double)k[0].time) return k[0].value;
  for (int i = 0; i + 1 < n; i++) {
    if (time > (double)k[i + 1].time) continue;
    double h = (double)k[i + 1].time - k[i].time, u = (time - k[i].time) / h, slopes[2];
    if (u == 1) return k[i + 1].value;
    if (k[i].interp == SINEW_INTERP_HOLD) return k[i].value;
    if (k[i].interp == SINEW_INTERP_LINEAR) return (1 - u) * k[i].value + u * k[i + 1].value;
    for (int end = 0; end < 2; end++) {
      int left = i + end - 1, right = i + end;
      slopes[end] = 0;
      if (round) left = (left + n - 1) % (n - 1), right %= n - 1;
      if (left < 0 || right > n - 2) continue;
      if (k[left].interp == SINEW_INTERP_HOLD || k[right].interp == SINEW_INTERP_HOLD) continue;
      double hl = (double)k[left + 1].time - k[left].time;
      double hr = (double)k[right + 1].time - k[right].time;
      double sl = ((double)k[left + 1].value - k[left].value) / hl;
      double sr = ((double)k[right + 1].value - k[right].value) / hr;
      if ((sl > 0) != (sr > 0) || sl == 0 || sr == 0) continue;
      double a = (hl + 2 * hr) / (3 * (hl + hr));
      slopes[end] = 1 / (a / sl + (1 - a) / sr);
    }
    double b[4] = { k[i].value, k[i].value + h * slopes[0] / 3, k[i + 1].value - h * slopes[1] / 3,
                    k[i + 1].value };
    for (int level = 3; level > 0; level--)
      for (int j = 0; j < level; j++) b[j] = (1 - u) * b[j] + u * b[j + 1];
    return b[0];
  }
  return k[n - 1].value;
}

MU_TEST(clip_samples_agree_with_the_definition) {
  uint32_t seed = 11;
  for (int round = 0; round < mu_rounds(400); round++) {
    sinew_key keys[8];
    int count = 1 + make_index(&seed, 8);
    float time = make_index(&seed, 2) ? 0 : 0.3f;
    for (int i = 0; i < count; i++, time += make_between(&seed, 0.02f, 1.5f))
      keys[i] = (sinew_key){ time, (float)make_index(&seed, 7) * 12.5f - 30,
                             make_index(&seed, 3) ? SINEW_INTERP_SMOOTH
                                                  : (sinew_interp)make_index(&seed, 3) };
    bool loop = make_index(&seed, 2), round_trip = loop && make_index(&seed, 2);
    if (round_trip) keys[count - 1].value = keys[0].value;
    OWNED(clip) *clip = made("a.b", keys, count);
    sinew_clip_set_loop(clip, loop);
    const float end = keys[count - 1].time;
    bool joined = loop && count > 2 && keys[0].time == 0 && keys[0].value == keys[count - 1].value;
    for (int i = 0; i < 40; i++) {
      float at = i < count ? keys[i].time : make_between(&seed, -1, end + 1);
      double wrapped = at;
      if (loop && end > 0 && (at < 0 || at > end)) wrapped = at - end * floor((double)at / end);
      MU_NEAR(sinew_clip_sample(clip, 0, at), oracle(keys, count, joined, wrapped), 2e-3);
      if (!loop) MU_NEAR(sinew_clip_sample(clip, 0, at), oracle(keys, count, false, at), 2e-5);
    }
  }
}

MU_TEST(clip_is_smooth_at_keyframes_and_does_not_overshoot) {
  uint32_t seed = 12;
  for (int round = 0; round < mu_rounds(200); round++) {
    sinew_key keys[6];
    float time = 0;
    for (int i = 0; i < 6; i++, time += make_between(&seed, 0.3f, 1.5f))
      keys[i] = (sinew_key){ time, make_between(&seed, -90, 90), SINEW_INTERP_SMOOTH };
    keys[5].value = keys[0].value;
    OWNED(clip) *clip = made("a", keys, 6);
    sinew_clip_set_loop(clip, true);
    const float step = 1.0f / 256;
    for (int i = 0; i < 6; i++) {
      double at = sinew_clip_sample(clip, 0, keys[i].time);
      double before = at - (double)sinew_clip_sample(clip, 0, keys[i].time - step);
      double after = (double)sinew_clip_sample(clip, 0, keys[i].time + step) - at;
      /* a kink would leave a difference of the slopes that does not shrink with the step */
      MU_NEAR(after / step, before / step, 30 * 180 / (0.3 * 0.3) * step);
    }
    for (int i = 0; i < 5; i++)
      for (int s = 0; s < 20; s++) {
        float at = keys[i].time + (keys[i + 1].time - keys[i].time) * (float)s / 20;
        float value = sinew_clip_sample(clip, 0, at);
        MU_CHECK(value >= fminf(keys[i].value, keys[i + 1].value));
        MU_CHECK(value <= fmaxf(keys[i].value, keys[i + 1].value));
      }
  }
}

MU_TEST(clip_stays_between_keyframes_of_very_different_size) {
  for (int way = SINEW_INTERP_SMOOTH; way <= SINEW_INTERP_LINEAR; way++) {
    const sinew_key keys[] = { { 0.1f, 1e30f, (sinew_interp)way }, { 0.7f, 3, SINEW_INTERP_HOLD } };
    OWNED(clip) *clip = made("a", keys, 2);
    for (float at = 0.1f; at < 0.7f; at = nextafterf(at + 0.001f, 1)) {
      float value = sinew_clip_sample(clip, 0, at);
      MU_CHECK(value >= 3 && value <= 1e30f);
    }
    float value = sinew_clip_sample(clip, 0, nextafterf(0.7f, 0));
    MU_CHECK(value >= 3 && value <= 1e30f);
  }
}

static sinew_rig *arm(void) {
  return make_text("set elbow; segment upper 0,1,0; dof flexion 0 90; dof twist -45 45");
}

MU_TEST(clip_applies_to_a_pose_and_counts_what_the_rig_lacks) {
  OWNED(rig) *rig = arm();
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  OWNED(clip) *clip = sinew_clip_create(NULL);
  sinew_clip_set_key(clip, "elbow.flexion", 0, 0, SINEW_INTERP_LINEAR, NULL);
  sinew_clip_set_key(clip, "elbow.flexion", 2, 100, SINEW_INTERP_LINEAR, NULL);
  sinew_clip_set_key(clip, "elbow.flexoin", 1, 5, SINEW_INTERP_LINEAR, NULL);
  sinew_clip_set_key(clip, "tail.wag", 1, 5, SINEW_INTERP_LINEAR, NULL);
  sinew_dof flexion = sinew_rig_find_dof(rig, "elbow.flexion", NULL);
  sinew_dof twist = sinew_rig_find_dof(rig, "elbow.twist", NULL);
  sinew_pose_set(pose, twist, 7, NULL);
  MU_INT(sinew_clip_apply(clip, pose, 0.5f, &error), 2);
  MU_TEXT(error.text, "clip: no DOF named 'elbow.flexoin' (did you mean 'elbow.flexion'?)\n"
                      "clip: no DOF named 'tail.wag'");
  MU_NEAR(sinew_pose_get(pose, flexion), 25, 1e-5);
  MU_NEAR(sinew_pose_get(pose, twist), 7, 0);
  /* clamped to the DOF's range, as by sinew_pose_set; and it allocates nothing */
  size_t blocks = sinew_live_blocks();
  MU_INT(sinew_clip_apply(clip, pose, 2, NULL), 2);
  MU_INT(sinew_live_blocks(), blocks);
  MU_NEAR(sinew_pose_get(pose, flexion), 90, 0);
  sinew_hold hold;
  MU_INT(sinew_pose_holds(pose, &hold, 1), 1);
}

MU_TEST(clip_is_restored_from_its_file_to_the_bit) {
  uint32_t seed = 21;
  MU_CHECK(scratch_open());
  for (int round = 0; round < mu_rounds(40); round++) {
    sinew_clip *clip = sinew_clip_create(&error), *back;
    const char *names[] = { "knee.flexion", "a \"quoted\" name", "back\\slash.\xc3\xa9", "x" };
    for (int i = 0; i < 60; i++) {
      union {
        uint32_t u;
        float f;
      } any = { make_random(&seed) };
      if (!isfinite(any.f)) continue;
      float time = i % 3 ? make_between(&seed, 0, 1) * powf(10, (float)make_index(&seed, 7) - 1)
                         : (float)make_index(&seed, 300) / 30;
      MU_INT(sinew_clip_set_key(clip, names[make_index(&seed, 4)], time, any.f,
                                (sinew_interp)make_index(&seed, 3), &error),
             SINEW_OK);
    }
    sinew_clip_set_loop(clip, round % 2);
    sinew_clip_set_fps(clip, make_between(&seed, 1, 240), &error);
    MU_INT(sinew_clip_save(clip, scratch_path("c.json"), &error), SINEW_OK);
    back = sinew_clip_load(scratch_path("c.json"), &error);
    MU_CHECK_SAY(back, "%s", error.text);
    MU_INT(sinew_clip_channel_count(back), sinew_clip_channel_count(clip));
    MU_CHECK(sinew_clip_loop(back) == sinew_clip_loop(clip));
    MU_CHECK(sinew_clip_fps(back) == sinew_clip_fps(clip));
    MU_CHECK(sinew_clip_duration(back) == sinew_clip_duration(clip));
    for (int c = 0; c < sinew_clip_channel_count(clip); c++) {
      MU_TEXT(sinew_clip_channel_name(back, c), sinew_clip_channel_name(clip, c));
      MU_INT(sinew_clip_key_count(back, c), sinew_clip_key_count(clip, c));
      for (int k = 0; k < sinew_clip_key_count(clip, c); k++) {
        sinew_key a = sinew_clip_key_at(clip, c, k), b = sinew_clip_key_at(back, c, k);
        MU_CHECK_SAY(memcmp(&a.time, &b.time, 4) == 0 && memcmp(&a.value, &b.value, 4) == 0 &&
                         a.interp == b.interp,
                     "%.9g %.9g came back as %.9g %.9g", (double)a.time, (double)a.value,
                     (double)b.time, (double)b.value);
      }
    }
    sinew_clip_destroy(back);
    sinew_clip_destroy(clip);
  }
  scratch_close();
}

MU_TEST(clip_file_is_readable) {
  OWNED(clip) *clip = sinew_clip_create(&error);
  char *text = sinew_clip_format(clip, NULL, &error);
  MU_TEXT(text,
          "{\n  \"sinew_clip\": 1,\n  \"fps\": 30,\n  \"loop\": false,\n  \"channels\": {}\n}\n");
  sinew_text_free(text);
  sinew_clip_set_key(clip, "knee.flexion", 0.1f, 12.5f, SINEW_INTERP_SMOOTH, &error);
  sinew_clip_set_key(clip, "knee.flexion", 2, -1e-7f, SINEW_INTERP_HOLD, &error);
  text = sinew_clip_format(clip, NULL, &error);
  MU_TEXT(text, "{\n  \"sinew_clip\": 1,\n  \"fps\": 30,\n  \"loop\": false,\n  \"channels\": {\n"
                "    \"knee.flexion\": [[0.1, 12.5], [2, -1e-07, \"hold\"]]\n  }\n}\n");
  sinew_text_free(text);
}

MU_TEST(clip_keeps_pins_by_name) {
  static const float ahead[] = { 0.25f, 1.5f, 2 }, nowhere[] = { 0, NAN, 0 };
  static const char wanted[] =
      "{\n  \"sinew_clip\": 1,\n  \"fps\": 30,\n  \"loop\": false,\n  \"channels\": {},\n"
      "  \"pins\": {\n    \"foot_l\": [\"turn\"],\n    \"skull\": [\"look\", 0.25, 1.5, 2]\n  "
      "}\n}\n";
  OWNED(clip) *clip = sinew_clip_create(&error);
  MU_OK(sinew_clip_set_pin(clip, "skull", SINEW_PIN_LOOK, ahead, &error));
  MU_OK(sinew_clip_set_pin(clip, "foot_r", SINEW_PIN_PLACE, NULL, &error));
  MU_OK(sinew_clip_set_pin(clip, "foot_l", SINEW_PIN_PLACE, NULL, &error));
  MU_OK(sinew_clip_set_pin(clip, "foot_l", SINEW_PIN_TURN, NULL, &error));
  MU_OK(sinew_clip_set_pin(clip, "foot_r", SINEW_PIN_NONE, NULL, &error));
  MU_OK(sinew_clip_set_pin(clip, "tail", SINEW_PIN_NONE, NULL, &error));
  MU_FAILS(sinew_clip_set_pin(clip, "skull", SINEW_PIN_LOOK, nowhere, &error), SINEW_ERR_VALUE,
           "needs a point");
  MU_FAILS(sinew_clip_set_pin(clip, "a..b", SINEW_PIN_TURN, NULL, &error), SINEW_ERR_NAME,
           "the name of a segment");
  OWNED(clip) *copy = sinew_clip_copy(clip, &error);
  char *text = sinew_clip_format(copy, NULL, &error);
  MU_TEXT(text, wanted);
  OWNED(clip) *back = sinew_clip_parse("c", text, strlen(text), &error);
  sinew_text_free(text);
  MU_MADE(back);
  MU_INT(sinew_clip_pin_count(back), 2);
  MU_INT(sinew_clip_pin(back, 0).kind, SINEW_PIN_TURN);
  MU_TEXT(sinew_clip_pin(back, 1).segment, "skull");
  MU_NEAR(sinew_clip_pin(back, 1).target[0], 0.25f, 0);
}

MU_TEST(bad_clip_files_are_reported_with_line_and_reason) {
#define CLIP(channels) "{ \"sinew_clip\": 1,\n\"channels\": {" channels "} }"
  static const char *const wrong[][2] = {
    { "", "c:1:1: the text ends where a value is expected" },
    { "[]", "c:1:1: a clip must be an object" },
    { "{}", "c:1:1: missing member 'sinew_clip'" },
    { "{\"sinew_clip\": 1}", "c:1:1: missing member 'channels'" },
    { "{\"sinew_clip\": 9}", "c:1:2: unsupported clip version 9; this program reads version 1" },
    { "{\"sinew_clip\": 2, \"channels\": {}}", "c:1:2: unsupported clip version" },
    { "{\"sinew_clip\": 1, \"channels\": {}, \"lop\": true}",
      "c:1:35: unknown member 'lop' (did you mean 'loop'?)" },
    { "{\"sinew_clip\": 1, \"channels\": {}, \"loop\": 1}", "'loop' must be true or false" },
    { "{\"sinew_clip\": 1, \"channels\": {}, \"fps\": 0}", "'fps' must be above 0" },
    { "{\"sinew_clip\": 1, \"channels\": [], \"fps\": 1}", "'channels' must be an object" },
    { "{\"sinew_clip\": 1, \"channels\": {}, \"channels\": {}}", "duplicate member 'channels'" },
    { CLIP("\"a\": 1"), "c:2:14: channel 'a' must be a list of keys" },
    { CLIP("\"a\": []"), "channel 'a' must be a list of keys" },
    { CLIP("\"a\": [[0]]"), "c:2:20: a key is [time, value]" },
    { CLIP("\"a\": [[0,1,\"hold\",3]]"), "a key is [time, value]" },
    { CLIP("\"a\": [[0,\"x\"]]"),
      "c:2:23: the value of a key is not a number in the range of a float" },
    { CLIP("\"a\": [[0,1e39]]"), "the value of a key is not a number in the range of a float" },
    { CLIP("\"a\": [[0,1,\"soft\"]]"), "c:2:25: the interpolation of a key must be" },
    { CLIP("\"a\": [[1,1],[1,2]]"), "c:2:26: the key at 1 seconds is not after" },
    { CLIP("\"a\": [[-1,1]]"), "the time -1 is not from 0 to 1e+06 seconds" },
    { CLIP("\"a\": [[0,1]], \"a\": [[0,1]]"), "duplicate channel 'a'" },
    { CLIP("\"a..b\": [[0,1]]"), "'a..b' is not a valid DOF name" },
    { CLIP("\"\\ud800\": [[0,1]]"), "is too long or not valid text" },
    { CLIP("}, \"pins\": [1"), "'}' where" },
    { CLIP("}, \"pins\": {\"a\": 1"), "c:2:26: the pin of 'a' must be a list" },
    { CLIP("}, \"pins\": {\"a\": [\"hold\"]"), "a pin must be \"place\", \"turn\" or" },
    { CLIP("}, \"pins\": {\"a\": [\"turn\", 1]"), "the pin of 'a' must be [\"turn\"]" },
    { CLIP("}, \"pins\": {\"a\": [\"look\", 1, 2, null]"), "where 'a' looks must be three" },
    { CLIP("\"a\": [[0,1]"), "c:2:25: '}' where ',' or ']' is expected" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    MU_CHECK_SAY(!sinew_clip_parse("c", wrong[i][0], strlen(wrong[i][0]), &error), "%s",
                 wrong[i][0]);
    MU_HAS(error.text, wrong[i][1]);
    MU_INT(error.count, 1);
  }
  MU_REFUSED(sinew_clip_load("/no/such/clip.json", &error), "/no/such/clip.json: cannot open");
}

static bool through_memory(void *context) {
  const char *text = context;
  OWNED(clip) *clip = sinew_clip_parse("c", text, strlen(text), &error), *copy = NULL;
  char *again = NULL;
  bool set = false;
  if (clip) copy = sinew_clip_copy(clip, &error);
  if (copy) set = sinew_clip_set_key(copy, "new.name", 1, 1, SINEW_INTERP_HOLD, &error) == SINEW_OK;
  if (set) again = sinew_clip_format(copy, NULL, &error);
  if (!again && error.status != SINEW_ERR_MEMORY) abort();
  bool done = again != NULL;
  sinew_text_free(again);
  return done;
}

MU_TEST(clip_survives_failing_memory) {
  char text[sizeof fuzz_clip_plain];
  memcpy(text, fuzz_clip_plain, sizeof text);
  MU_CHECK(case_survives_failing_memory(through_memory, text));
}

FUZZED(clip, 4000)

MU_SUITE(clip)
