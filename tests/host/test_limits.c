/* Limits from motion: cones of known solid angle, rotated frames, and fields of the angles that a
 * clip sends to a component. */
#include "fixture.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/limits.h"

#include <stdlib.h>

#define RAD 0.017453292519943295

static char text[1 << 20];

/* a bone along -y that visits every direction within `half` degrees of it, in rings */
static sinew_motion *make_motion(double half) {
  enum { rings = 30, around = 48 };
  int used = snprintf(text, sizeof text,
                      "HIERARCHY\nROOT body\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition "
                      "Zposition\nJOINT arm\n{\nOFFSET 0 1 0\nCHANNELS 3 Yrotation Xrotation "
                      "Yrotation\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n}\nMOTION\nFrames: %d\n"
                      "Frame Time: 0.01\n",
                      rings * around);
  for (int r = 0; r < rings; r++)
    for (int a = 0; a < around; a++) {
      double turn = 360.0 * a / around;
      used += snprintf(text + used, sizeof text - (size_t)used, "0 0 0 %.6f %.6f %.6f\n", turn,
                       half * (r + 1) / rings, -turn);
    }
  return sinew_motion_parse("rings.bvh", text, (size_t)used, NULL, 0, NULL, &error);
}

static double cap(double degrees) { return 2 * 3.14159265358979 * (1 - cos(degrees * RAD)); }

MU_TEST(a_circular_motion_gives_a_round_cone_and_a_margin_widens_it) {
  sinew_limit_samples s;
  sinew_limits_report report;
  sinew_limits_options options = sinew_default_limits_options();
  options.share = 1;
  for (double half = 20; half <= 80; half += 30) {
    sinew_motion *motion = MU_MADE(make_motion(half));
    sinew_status status =
        sinew_limits_from_motion(motion, "arm", NULL, (sinew_segment){ 0 }, &s, &error);
    sinew_motion_destroy(motion);
    MU_CHECK_SAY(status == SINEW_OK, "%s", error.text);
    MU_NEAR(s.rest[1], -1, 1e-6);
    for (float margin = 0; margin <= 8; margin += 8) {
      size_t size;
      options.margin = margin;
      char *lua = MU_MADE_OR(sinew_limits_cone(&s, &options, &size, &report, &error), error.text);
      sinew_text_free(lua);
      MU_CHECK(report.samples == s.count && report.kept == s.count);
      MU_NEAR(report.area, cap(half + (double)margin), 0.12 * cap(half + (double)margin));
    }
    sinew_limits_free(&s);
  }
}

/* a bone that rotates all the way round about itself and swings: the outer angles cross 180 */
MU_TEST(a_field_of_angles_wraps_and_contains_every_sample) {
  sinew_limits_options options = sinew_default_limits_options();
  static const char *const orders[] = { "xyz", "zyz", "yxz" };
  sinew_limit_samples s = { .count = 500 };
  s.turns = malloc(s.count * sizeof *s.turns);
  for (size_t i = 0; i < s.count; i++) {
    const double half = 1.7 * (double)i * RAD, up = 35 * sin(0.05 * (double)i) * RAD;
    const double c = cos(half), t = sin(half), a = cos(up), b = sin(up);
    /* about y, then about x */
    s.turns[i][0] = (float)(c * b), s.turns[i][1] = (float)(t * a);
    s.turns[i][2] = (float)(-t * b), s.turns[i][3] = (float)(c * a);
  }
  for (int o = 0; o < 3; o++) {
    sinew_limits_report report;
    options.order = orders[o];
    OWNED(field) *field = MU_MADE_OR(sinew_limits_field(&s, &options, &report, &error), error.text);
    MU_CHECK_SAY(report.kept == s.count, "%s: %zu of %zu are inside", orders[o], report.kept,
                 report.samples);
  }
  free(s.turns);
}

static sinew_host *open_rig(const char *script) {
  sinew_host_desc desc = patient_host_desc();
  scratch_text("rig.lua", script);
  sinew_host *host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, scratch_path("rig.lua"), &error) < 0) {
    sinew_host_destroy(host);
    return NULL;
  }
  return host;
}

/* in the rig the bone has another rest direction and a rotated frame: the same world directions
 * must be visited */
MU_TEST(motion_is_taken_in_the_segments_own_frame) {
  scratch_open();
  OWNED(host) *host =
      open_rig("local sinew = require 'sinew'\nlocal rig = sinew.rig 'r'\n"
               "local a = rig:segment('a', { turn = sinew.quat.axis({1, 2, 3}, 50) })\n"
               "local b = rig:segment('b', { parent = a, turn = "
               "sinew.quat.axis({0, -1, 1}, 100) })\n"
               "rig:segment('c', { parent = b, at = {0.2, 0.1, -0.3} })\n"
               "return rig\n");
  MU_CHECK_SAY(host, "%s", error.text);
  OWNED(motion) *motion = make_motion(40);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_segment b = sinew_rig_find_segment(rig, "b", NULL);
  sinew_limit_samples s;
  MU_OK(sinew_limits_from_motion(motion, "arm", rig, b, &s, &error));
  sinew_pose *pose = sinew_host_pose(host);
  MU_CHECK(sinew_host_eval(host, pose, &error) >= 0);
  const float *w = sinew_pose_world(pose, b);
  const double length = sqrt(0.2 * 0.2 + 0.1 * 0.1 + 0.3 * 0.3);
  MU_NEAR(s.rest[0], 0.2 / length, 1e-5);
  MU_NEAR(s.rest[2], -0.3 / length, 1e-5);
  for (size_t f = 0; f < s.count; f += 7) {
    float m[16];
    sinew_motion_joint_local(motion, (int)f, 1, m);
    const float *q = s.turns[f], *r = s.rest;
    /* v + 2 u x (u x v + w v) */
    double t[3], d[3], world[3];
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      t[k] = (double)(q[i] * r[j] - q[j] * r[i] + q[3] * r[k]);
    }
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      d[k] = (double)r[k] + 2 * ((double)q[i] * t[j] - (double)q[j] * t[i]);
    }
    for (int k = 0; k < 3; k++)
      world[k] = (double)w[k] * d[0] + (double)w[4 + k] * d[1] + (double)w[8 + k] * d[2];
    for (int k = 0; k < 3; k++) MU_NEAR(world[k], -m[4 + k], 2e-5);
  }
  sinew_limits_free(&s);
  scratch_close();
}

#define ARM                                                                                        \
  "local sinew = require 'sinew'\nlocal rig = sinew.rig 'r'\n"                                     \
  "local a = rig:segment 'a'\nrig:segment('b', { parent = a, at = {0, -1, 0} })\n"                 \
  "local set = rig:joint_set 'arm'\n"                                                              \
  "local out = set:dof('out', { min = -90, max = 90 })\n"                                          \
  "local fore = set:dof('fore', { min = -90, max = 90 })\n"                                        \
  "local twist = set:dof('twist', { min = -90, max = 90 })\n"                                      \
  "a:drive(set:cone { angle1 = out, angle2 = fore, twist = twist, name = 'reach',\n"               \
  "  rotation1 = set:rotation { out, axis = {0, 0, -1}, name = 'o' },\n"                           \
  "  rotation2 = set:rotation { fore, axis = {-1, 0, 0}, name = 'f' },\n"                          \
  "  rest = {0, -1, 0}, ellipse = {89}, right = {1, 0, 0}, count = 16 }.transform)\nreturn rig\n"

/* circles of growing radius; the twist follows */
static sinew_clip *make_clip(void) {
  sinew_clip *clip = sinew_clip_create(&error);
  for (int i = 0; i < 400; i++) {
    const double time = i / 30.0, size = 40 * i / 400.0, turn = 24.0 * i * RAD;
    const struct {
      const char *name;
      double value;
    } keys[] = { { "arm.out", size * cos(turn) },
                 { "arm.fore", 20 + size * sin(turn) },
                 { "arm.twist", 10 * sin(turn) } };
    for (int k = 0; k < 3; k++)
      sinew_clip_set_key(clip, keys[k].name, (float)time, (float)keys[k].value, SINEW_INTERP_LINEAR,
                         &error);
  }
  return clip;
}

MU_TEST(a_clip_gives_the_inputs_of_a_cone) {
  scratch_open();
  OWNED(host) *host = MU_MADE_OR(open_rig(ARM), error.text);
  OWNED(clip) *clip = make_clip();
  sinew_limit_samples s;
  sinew_limits_report report;
  sinew_limits_options options = sinew_default_limits_options();
  MU_OK(sinew_limits_from_clip(host, clip, 0, "arm.reach", &s, &error));
  MU_CHECK(s.count == 400 && s.angle_count == 3 && s.two_axes && s.turns);
  size_t size;
  char *lua = MU_MADE_OR(sinew_limits_cone(&s, &options, &size, &report, &error), error.text);
  MU_CHECK(strstr(lua, "twist_limits") && report.kept >= 396);
  sinew_text_free(lua);
  sinew_field *field = MU_MADE_OR(sinew_limits_field(&s, &options, &report, &error), error.text);
  MU_CHECK(report.kept == 400 && sinew_field_axis_count(field) == 3);
  /* in the order of the component's inputs: twist, angle1, angle2 */
  MU_CHECK(sinew_field_feasible(field, (float[]){ 0, 0, 20 }));
  MU_CHECK(!sinew_field_feasible(field, (float[]){ 30, 0, 20 }));
  sinew_field_release(field);
  sinew_limits_free(&s);
  MU_CHECK(sinew_limits_from_clip(host, clip, 0, "arm.reech", &s, &error) == SINEW_ERR_NAME);
  MU_CHECK(strstr(error.text, "'arm.reach'"));
  MU_CHECK(sinew_limits_from_clip(host, clip, 0, "a", &s, &error) == SINEW_OK);
  MU_CHECK(s.turns && !s.angles);
  sinew_limits_free(&s);
  scratch_close();
}

MU_TEST(making_limits_survives_failing_memory) {
  sinew_limits_options options = sinew_default_limits_options();
  bool cone = false, field = false;
  const long step = mu_rounds(20) > 1 ? 1 : 7;
  for (long allowed = 0; allowed < 4000 && !(cone && field); allowed += step) {
    sinew_limit_samples s = { 0 };
    sinew_limits_report report;
    size_t size;
    scarce_memory(100000);
    sinew_motion *motion = make_motion(30);
    scarce_memory(allowed);
    if (sinew_limits_from_motion(motion, "arm", NULL, (sinew_segment){ 0 }, &s, &error) ==
        SINEW_OK) {
      char *lua = sinew_limits_cone(&s, &options, &size, &report, &error);
      cone |= lua != NULL;
      sinew_text_free(lua);
      scarce_memory(allowed);
      OWNED(field) *made = sinew_limits_field(&s, &options, &report, &error);
      field |= made != NULL;
    } else {
      MU_CHECK(error.status == SINEW_ERR_MEMORY);
    }
    sinew_limits_free(&s);
    sinew_motion_destroy(motion);
    MU_CHECK(sinew_live_blocks() == 0);
  }
  plenty_of_memory();
  MU_CHECK(cone && field);
}

MU_SUITE(limits)
