/* Calibration: synthetic subjects. Noisy markers of a rig with other parameters must give these
 * parameters back. */
#include "fixture.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/calibrate.h"
#include "sinew/file.h"

#include <stdint.h>
#include <stdlib.h>

#define LEG                                                                                        \
  "local sinew = require 'sinew'\nlocal rig = sinew.rig 'leg'\n"                                   \
  "local pelvis = rig:segment('pelvis', { at = {0, 1, 0} })\n"                                     \
  "local femur = rig:segment('femur', { parent = pelvis, at = {-0.09, -0.06, 0} })\n"              \
  "local tibia = rig:segment('tibia', { parent = femur, at = {0, -0.42, 0} })\n"                   \
  "local foot = rig:segment('foot', { parent = tibia, at = {0, -0.4, 0} })\n"                      \
  "local hip, knee, root = rig:joint_set 'hip', rig:joint_set 'knee', rig:joint_set 'root'\n"      \
  "local function dof(set, name, min, max) return set:dof(name, { min = min, max = max }) end\n"   \
  "pelvis:drive(root:multiply {\n"                                                                 \
  "  root:translation { x = dof(root, 'x', -1, 1), y = dof(root, 'y', -1, 1), z = dof(root, 'z', " \
  "-1, 1) },\n"                                                                                    \
  "  root:euler { dof(root, 'a', -90, 90), dof(root, 'b', -90, 90), dof(root, 'c', -90, 90) } "    \
  "})\n"                                                                                           \
  "femur:drive(hip:euler { dof(hip, 'flex', -90, 90), dof(hip, 'turn', -60, 60), dof(hip, 'out', " \
  "-60, 60), name = 'ball' })\n"                                                                   \
  "local flex = dof(knee, 'flex', 0, 130)\n"                                                       \
  "local roll = knee:map { flex, name = 'roll', y = sinew.spline { {0, 0}, {60, -0.004}, {130, "   \
  "-0.012} } }\n"                                                                                  \
  "tibia:drive(knee:multiply { knee:translation { y = roll.y },\n"                                 \
  "  knee:rotation { flex, name = 'bend', axis = {1, 0, 0}, centre = {0, 0, 0.01} } })\n"          \
  "return rig\n"

#define SUBJECT                                                                                    \
  "return { segments = { tibia = { at = {0, -0.45, 0} } },\n"                                      \
  "  components = { ['knee.bend'] = { axis = {0.985, 0.09, -0.14}, centre = {0, 0.006, 0.018} } }" \
  " }\n"

#define MAP                                                                                        \
  "local function three(s, m, r, y)\n"                                                             \
  "  m[s .. '1'] = { segment = s, point = {r, y, 0} }\n"                                           \
  "  m[s .. '2'] = { segment = s, point = {-r, y, r} }\n"                                          \
  "  m[s .. '3'] = { segment = s, point = {0, y / 3, -r}, weight = 1 }\nend\n"                     \
  "local m = {}\nthree('pelvis', m, 0.1, 0.05) three('femur', m, 0.06, -0.3)\n"                    \
  "three('tibia', m, 0.05, -0.32) return { points = m }\n"

static sinew_host *open_host(const char *rig, const char *tuning) {
  sinew_host_desc desc = patient_host_desc();
  desc.modules = "lua";
  desc.tuning = tuning;
  sinew_host *host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, rig, &error) >= 0) return host;
  printf("%s\n", error.text);
  sinew_host_destroy(host);
  return NULL;
}

static uint64_t seed;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}
static double normal(void) {
  return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307179586 * uniform());
}

/* markers of a moving subject as the text of a TRC, with noise in metres; every 17th is missing */
static sinew_motion *walk(sinew_host *subject, const sinew_fit_map *points, int frames,
                          double noise, double reach) {
  const sinew_map *map = sinew_fit_map_read(points);
  const sinew_rig *rig = sinew_host_rig(subject);
  sinew_pose *pose = sinew_host_pose(subject);
  const int dofs = sinew_rig_dof_count(rig);
  size_t room = (size_t)frames * (size_t)map->point_count * 64 + 65536, used = 0;
  FREED char *text = malloc(room);
  double phase[256];
  for (int d = 0; d < dofs && d < 256; d++) phase[d] = 6.28 * uniform();
  used += (size_t)snprintf(text, room,
                           "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tUnits\n"
                           "50\t%d\tm\nFrame#\tTime",
                           frames);
  for (int m = 0; m < map->point_count; m++)
    used += (size_t)snprintf(text + used, room - used, "\t%s\t\t", map->points[m].source);
  used += (size_t)snprintf(text + used, room - used, "\n\t\tX1\n");
  for (int f = 0; f < frames; f++) {
    for (int d = 0; d < dofs; d++) {
      const sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d));
      const double middle = 0.5 * (double)(info.min + info.max),
                   way = 0.5 * reach * (double)(info.max - info.min);
      const double pace = 0.05 + 0.013 * (d % 7);
      sinew_pose_set(pose, sinew_rig_dof(rig, d),
                     (float)(middle + way * sin(phase[d & 255] + pace * f)), NULL);
    }
    sinew_host_eval(subject, pose, &error);
    used += (size_t)snprintf(text + used, room - used, "%d\t%.3f", f + 1, f / 50.0);
    for (int m = 0; m < map->point_count; m++) {
      const float *w =
          sinew_pose_world(pose, sinew_rig_find_segment(rig, map->points[m].segment, NULL));
      const float *p = map->points[m].point;
      const bool lost = (f * map->point_count + m) % 17 == 5;
      for (int k = 0; k < 3; k++) {
        double x = (double)(w[k] * p[0] + w[4 + k] * p[1] + w[8 + k] * p[2] + w[12 + k]) +
                   noise * normal();
        used += (size_t)(lost ? snprintf(text + used, room - used, "\t")
                              : snprintf(text + used, room - used, "\t%.6f", x));
      }
    }
    used += (size_t)snprintf(text + used, room - used, "\n");
  }
  sinew_motion *motion = sinew_motion_parse("walk.trc", text, used, NULL, 0, NULL, &error);
  return motion;
}

static double angle_between(const float *a, const float *b) {
  double dot = 0, aa = 0, bb = 0;
  for (int k = 0; k < 3; k++)
    dot += (double)a[k] * (double)b[k], aa += (double)a[k] * (double)a[k],
        bb += (double)b[k] * (double)b[k];
  return acos(fmin(1, dot / sqrt(aa * bb))) * 57.29577951308232;
}

static const sinew_param *param_of(sinew_host *host, const char *component, const char *name) {
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_component c = sinew_rig_find_component(rig, component, NULL);
  return sinew_rig_find_param(rig, c, name);
}

static const float *rest_of(sinew_host *host, const char *segment) {
  const sinew_rig *rig = sinew_host_rig(host);
  return sinew_rig_segment_info(rig, sinew_rig_find_segment(rig, segment, NULL)).rest;
}

/* the leg, and how a subject with another one walks; what of the leg is to be found */
#define OPEN_SUBJECT(frames)                                                                       \
  scratch_open();                                                                                  \
  scratch_text("leg.lua", LEG);                                                                    \
  scratch_text("subject.lua", SUBJECT);                                                            \
  scratch_text("map.lua", MAP);                                                                    \
  seed = 7;                                                                                        \
  OWNED(host) *rig = open_host(scratch_path("leg.lua"), "");                                       \
  OWNED(host) *subject = open_host(scratch_path("leg.lua"), scratch_path("subject.lua"));          \
  MU_CHECK(rig &&subject);                                                                         \
  OWNED(fit_map) *map =                                                                            \
      MU_MADE_OR(sinew_fit_map_load(scratch_path("map.lua"), &error), error.text);                 \
  OWNED(motion) *motion = MU_MADE_OR(walk(subject, map, frames, 0.0005, 0.7), error.text);         \
  OWNED(fit_parts) *parts = sinew_fit_map_apply(map, sinew_host_rig(rig), motion, NULL, &error);   \
  static const char *const free_names[] = { "tibia.length", "knee.bend.axis", "knee.bend.centre" };

/* a third of the work stops it, and the rig has its own numbers again */
MU_TEST(calibrating_is_stopped_by_its_budget) {
  OPEN_SUBJECT(40)
  sinew_calibrate_options options = sinew_default_calibrate_options();
  options.frames = 10;
  options.iterations = 3;
  float before[16];
  memcpy(before, rest_of(rig, "tibia"), sizeof before);
  int64_t whole = 0;
  for (int i = 0; i < 2; i++) {
    sinew_budget_desc desc = sinew_default_budget_desc();
    desc.work = whole / 3;
    sinew_budget *budget = MU_MADE(sinew_budget_create(&desc, &error));
    sinew_budget *outer = sinew_budget_enter(budget);
    sinew_status status =
        sinew_calibrate(rig, motion, parts, free_names, 3, &options, NULL, NULL, &error);
    sinew_budget_leave(outer);
    const int64_t work = sinew_budget_used(budget).work;
    sinew_budget_destroy(budget);
    if (i == 0) {
      MU_CHECK_SAY(status >= 0, "%s", error.text);
      MU_CHECK(work > 100000 && memcmp(before, rest_of(rig, "tibia"), sizeof before) != 0);
      memcpy(before, rest_of(rig, "tibia"), sizeof before);
      whole = work;
    } else {
      MU_INT(status, SINEW_ERR_LIMIT);
      MU_HAS(error.text, "the work allowed");
      MU_CHECK(work <= whole / 2);
      MU_CHECK(memcmp(before, rest_of(rig, "tibia"), sizeof before) == 0);
    }
  }
  scratch_close();
}

MU_SLOW_TEST(a_synthetic_subject_is_recovered) {
  OPEN_SUBJECT(200)
  OWNED(tuning) *tuning = sinew_tuning_create(rig, &error);
  sinew_calibrate_report report;
  MU_CHECK_SAY(sinew_calibrate(rig, motion, parts, free_names, 3, NULL, tuning, &report, &error) >=
                   0,
               "%s", error.text);
  MU_CHECK(report.frames == 40 && report.markers == 9 && report.numbers == 7);
  MU_CHECK_SAY(report.before > 0.004f && report.after < 0.001f, "%g to %g m", (double)report.before,
               (double)report.after);
  const float *axis = param_of(rig, "knee.bend", "axis")->number;
  const float *true_axis = param_of(subject, "knee.bend", "axis")->number;
  const double off = angle_between(axis, true_axis),
               length = (double)fabsf(rest_of(rig, "tibia")[13] + 0.45f);
  MU_CHECK_SAY(off < 1, "the axis is off by %g degrees", off);
  MU_CHECK_SAY(length < 0.002, "the length is off by %g m", length);
  /* only the part of a centre that is perpendicular to the axis can be observed */
  const float *centre = param_of(rig, "knee.bend", "centre")->number;
  MU_NEAR(centre[1], 0.006, 0.002);
  MU_NEAR(centre[2], 0.018, 0.002);
  /* the tuning makes the rig equal to the subject */
  MU_CHECK(sinew_tuning_write(tuning, scratch_path("found.lua"), &error) >= 0);
  OWNED(host) *again = open_host(scratch_path("leg.lua"), scratch_path("found.lua"));
  MU_CHECK(again && rest_of(again, "tibia")[13] == rest_of(rig, "tibia")[13]);
  scratch_close();
}

/* half the body: the length of a femur, the axis of an elbow, and the ribs under a shoulder blade
 */
MU_SLOW_TEST(a_subject_of_the_human_rig_is_recovered) {
  scratch_open();
  scratch_text("subject.lua",
               "return { segments = { tibia_r = { at = {0.004, -0.395, 0.003} } },\n"
               "  components = { ['right_elbow.bend'] = { axis = {-0.96, 0.12, 0.2} },\n"
               "    ['right_shoulder.scapula_slide'] = { radii = {0.112, 0.206, 0.086} } } }\n");
  scratch_text("map.lua", "local m = {}\n"
                          "for s, y in pairs { pelvis = 0.1, femur_r = -0.3, tibia_r = -0.3,\n"
                          "  sternum = 0.05, scapula_r = -0.08, humerus_r = -0.2, ulna_r = -0.2,\n"
                          "  clavicle_r = 0.02 } do\n"
                          "  m[s .. 1] = { segment = s, point = {0.06, y, 0} }\n"
                          "  m[s .. 2] = { segment = s, point = {-0.06, y, 0.05} }\n"
                          "  m[s .. 3] = { segment = s, point = {0, y / 2, -0.06} }\nend\n"
                          "return { points = m }\n");
  seed = 11;
  OWNED(host) *rig = open_host("rigs/human.lua", "");
  OWNED(host) *subject = open_host("rigs/human.lua", scratch_path("subject.lua"));
  MU_CHECK(rig && subject);
  OWNED(fit_map) *map = MU_MADE_OR(sinew_fit_map_load(scratch_path("map.lua"), &error), error.text);
  OWNED(motion) *motion = walk(subject, map, 120, 0.0005, 0.35);
  OWNED(fit_parts) *parts = sinew_fit_map_apply(map, sinew_host_rig(rig), motion, NULL, &error);
  MU_CHECK_SAY(motion, "%s", error.text);
  static const char *const free_names[] = { "tibia_r.at", "right_elbow.bend.axis",
                                            "right_shoulder.scapula_slide.radii" };
  sinew_calibrate_report report;
  sinew_calibrate_options options = sinew_default_calibrate_options();
  options.frames = 20;
  options.iterations = 10;
  MU_CHECK_SAY(
      sinew_calibrate(rig, motion, parts, free_names, 3, &options, NULL, &report, &error) >= 0,
      "%s", error.text);
  MU_CHECK_SAY(report.after < 0.0015f && report.after < report.before / 2, "%g to %g m",
               (double)report.before, (double)report.after);
  const double off = angle_between(param_of(rig, "right_elbow.bend", "axis")->number,
                                   param_of(subject, "right_elbow.bend", "axis")->number);
  MU_CHECK_SAY(off < 2, "the axis is off by %g degrees", off);
  for (int k = 0; k < 3; k++) {
    MU_NEAR(rest_of(rig, "tibia_r")[12 + k], rest_of(subject, "tibia_r")[12 + k], 0.002);
    MU_NEAR(param_of(rig, "right_shoulder.scapula_slide", "radii")->number[k],
            param_of(subject, "right_shoulder.scapula_slide", "radii")->number[k], 0.003);
  }
  scratch_close();
}

MU_TEST(priors_keep_parameters_that_the_motion_does_not_show) {
  scratch_open();
  scratch_text("leg.lua", LEG);
  scratch_text("map.lua", MAP);
  seed = 3;
  OWNED(host) *rig = MU_MADE(open_host(scratch_path("leg.lua"), ""));
  OWNED(fit_map) *map = MU_MADE_OR(sinew_fit_map_load(scratch_path("map.lua"), &error), error.text);
  OWNED(motion) *motion = walk(rig, map, 60, 0.0005, 0.5);
  OWNED(fit_parts) *parts = sinew_fit_map_apply(map, sinew_host_rig(rig), motion, NULL, &error);
  /* the foot has no marker; a curve equal to the subject's stays */
  static const char *const free_names[] = { "foot.at", "knee.roll.y" };
  MU_CHECK_SAY(sinew_calibrate(rig, motion, parts, free_names, 2, NULL, NULL, NULL, &error) >= 0,
               "%s", error.text);
  MU_NEAR(rest_of(rig, "foot")[13], -0.4, 1e-6);
  MU_NEAR(rest_of(rig, "foot")[12], 0, 1e-6);
  const sinew_curve_desc d = sinew_curve_describe(param_of(rig, "knee.roll", "y")->curve);
  MU_CHECK(d.point_count == 3);
  MU_NEAR(d.points[1], 0, 0.002);
  MU_NEAR(d.points[3], -0.004, 0.002);
  MU_NEAR(d.points[5], -0.012, 0.002);
  scratch_close();
}

MU_TEST(wrong_names_are_reported_with_the_nearest) {
  scratch_open();
  scratch_text("leg.lua", LEG);
  scratch_text("map.lua", MAP);
  OWNED(host) *rig = open_host(scratch_path("leg.lua"), "");
  OWNED(fit_map) *map = MU_MADE_OR(sinew_fit_map_load(scratch_path("map.lua"), &error), error.text);
  OWNED(motion) *motion = walk(rig, map, 3, 0, 0.5);
  OWNED(fit_parts) *parts = sinew_fit_map_apply(map, sinew_host_rig(rig), motion, NULL, &error);
  static const struct {
    const char *name, *says;
  } cases[] = { { "tibbia.at", "'tibia'" },          { "tibia.att", "'at'" },
                { "knee.bend.axes", "'axis'" },      { "knee.bind.axis", "'knee.bend'" },
                { "tibia", "is not a parameter" },   { "pelvis.", "is not a parameter" },
                { "knee.bend.angles", "not given" }, { "hip.ball.order", "has no numbers" } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MU_CHECK_SAY(sinew_calibrate(rig, motion, parts, &cases[i].name, 1, NULL, NULL, NULL, &error) <
                     0,
                 "'%s' is taken", cases[i].name);
    MU_CHECK_SAY(strstr(error.text, cases[i].says), "'%s': %s", cases[i].name, error.text);
  }
  static const char *const twice[] = { "tibia.at", "tibia.turn" };
  MU_CHECK(sinew_calibrate(rig, motion, parts, twice, 2, NULL, NULL, NULL, &error) < 0);
  scratch_close();
}

MU_TEST(calibration_survives_failing_memory) {
  scratch_open();
  scratch_text("leg.lua", LEG);
  scratch_text("map.lua", MAP);
  scarce_memory(1 << 30);
  seed = 5;
  sinew_host *rig = open_host(scratch_path("leg.lua"), "");
  sinew_fit_map *map = sinew_fit_map_load(scratch_path("map.lua"), &error);
  sinew_motion *motion = walk(rig, map, 4, 0.01, 0.5);
  sinew_fit_parts *parts = sinew_fit_map_apply(map, sinew_host_rig(rig), motion, NULL, &error);
  sinew_calibrate_options options = sinew_default_calibrate_options();
  options.iterations = 1;
  static const char *const free_names[] = { "tibia.length", "knee.roll.y" };
  bool ok = false;
  const long step = mu_rounds(20) > 1 ? 1 : 7;
  for (long allowed = 0; allowed < 20000 && !ok; allowed += step) {
    scarce_memory(allowed);
    ok = sinew_calibrate(rig, motion, parts, free_names, 2, &options, NULL, NULL, &error) >= 0;
    if (!ok) MU_CHECK(error.status == SINEW_ERR_MEMORY);
  }
  scarce_memory(1 << 30);
  MU_CHECK(ok);
  sinew_motion_destroy(motion);
  sinew_fit_parts_destroy(parts);
  sinew_fit_map_destroy(map);
  sinew_host_destroy(rig);
  MU_CHECK(sinew_live_blocks() == 0);
  plenty_of_memory();
  scratch_close();
}

MU_SUITE(calibrate)
