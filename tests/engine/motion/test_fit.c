/* Fitting: synthetic motion is recovered, also with noise and gaps; sizes are measured and applied
 * to the rig; invalid input is refused. */
#include <sinew/sinew.h>

#include "fixture.h"
#include "limb.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "sinew/host.h"
#include "slopes.h"

#include <stdlib.h>

enum { most_markers = 96, most_frames = 200 };

/* the content of a TRC file */
typedef struct record {
  int markers, frames;
  float points[most_frames][most_markers][3]; /* NaN: missing */
} record;

static float noise(uint32_t *seed, float deviation) {
  float sum = 0; /* the sum of twelve uniform numbers is nearly normal */
  for (int i = 0; i < 12; i++) sum += make_between(seed, -0.5f, 0.5f);
  return sum * deviation;
}

static sinew_motion *motion_of(const record *r) {
  size_t room = 512 + (size_t)r->frames * (size_t)(r->markers + 1) * 64, used = 0;
  FREED char *text = malloc(room);
  used += (size_t)snprintf(text + used, room - used,
                           "PathFileType\t4\t(X/Y/Z)\ttest.trc\nDataRate\tCameraRate\tNumFrames\t"
                           "NumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
                           "100\t100\t%d\t%d\tm\t100\t1\t%d\nFrame#\tTime",
                           r->frames, r->markers, r->frames);
  for (int m = 0; m < r->markers; m++)
    used += (size_t)snprintf(text + used, room - used, "\tM%d\t\t", m);
  used += (size_t)snprintf(text + used, room - used, "\n\t");
  for (int m = 0; m < r->markers; m++)
    used += (size_t)snprintf(text + used, room - used, "\tX%d\tY%d\tZ%d", m + 1, m + 1, m + 1);
  used += (size_t)snprintf(text + used, room - used, "\n\n");
  for (int f = 0; f < r->frames; f++) {
    used += (size_t)snprintf(text + used, room - used, "%d\t%g", f + 1, f * 0.01);
    for (int m = 0; m < r->markers; m++) {
      const float *p = r->points[f][m];
      used += (size_t)(isnan(p[0]) ? snprintf(text + used, room - used, "\t\t\t")
                                   : snprintf(text + used, room - used, "\t%.9g\t%.9g\t%.9g",
                                              (double)p[0], (double)p[1], (double)p[2]));
    }
    used += (size_t)snprintf(text + used, room - used, "\n");
  }
  sinew_motion *motion = sinew_motion_parse("test.trc", text, used, NULL, 0, NULL, &error);
  if (!motion) printf("%s\n", error.text);
  return motion;
}

/* the positions of the parts at an evaluated pose */
static void see(record *r, int frame, const sinew_pose *pose, const sinew_fit_part *parts) {
  for (int i = 0; i < r->markers; i++) {
    const float *m = sinew_pose_world(pose, parts[i].segment), *p = parts[i].point;
    for (int k = 0; k < 3; k++)
      r->points[frame][i][k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
  }
}

/* --- on the limb */

enum { limb_parts = 9 };

static void parts_of(const limb *l, sinew_fit_part *dest) {
  const sinew_segment segments[] = { l->upper, l->lower, l->hand };
  for (int i = 0; i < limb_parts; i++) {
    dest[i] = (sinew_fit_part){ .source = i, .segment = segments[i / 3], .weight = 1 };
    if (i % 3 == 1) dest[i].point[0] = 0.05f;
    if (i % 3 == 2) dest[i].point[1] = 0.04f, dest[i].point[2] = 0.06f;
  }
}

/* smooth, and inside every limit */
static void wave(const limb *l, int frame) {
  float t = 0.05f * (float)frame;
  const float values[LIMB_DOFS] = { 20 * sinf(t),
                                    15 * cosf(0.8f * t),
                                    25 * sinf(0.6f * t),
                                    45 + 30 * sinf(1.3f * t),
                                    30 * sinf(1.1f * t),
                                    15 * cosf(0.9f * t),
                                    0 };
  sinew_pose_set_all(l->pose, values, LIMB_DOFS, NULL);
  sinew_pose_eval(l->pose, NULL);
}

static sinew_fit *fit_of(const limb *l, const sinew_motion *motion, const sinew_fit_part *parts,
                         float scale, bool z_up) {
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = parts, desc.part_count = limb_parts;
  desc.scale = scale, desc.z_up = z_up;
  desc.posture = 1e-7f;
  sinew_fit *fit = sinew_fit_create(l->rig, motion, &desc, &error);
  if (!fit) printf("%s\n", error.text);
  return fit;
}

static record seen;

MU_TEST(motion_made_by_the_rig_is_recovered) {
  OWNED_LIMB l = limb_open();
  sinew_fit_part parts[limb_parts];
  parts_of(&l, parts);
  seen = (record){ .markers = limb_parts, .frames = mu_rounds(120) };
  static float truth[most_frames][LIMB_DOFS];
  for (int f = 0; f < seen.frames; f++) {
    wave(&l, f);
    memcpy(truth[f], sinew_pose_dofs(l.pose), sizeof truth[f]);
    see(&seen, f, l.pose, parts);
    /* 1.5 times as large, and lying on its back: z up */
    for (int i = 0; i < seen.markers; i++) {
      float *p = seen.points[f][i], y = p[1];
      p[0] *= 1.5f, p[1] = -1.5f * p[2], p[2] = 1.5f * y;
    }
  }
  OWNED(motion) *motion = MU_MADE(motion_of(&seen));
  OWNED(fit) *fit = MU_MADE(fit_of(&l, motion, parts, 1.5f, true));
  MU_INT(sinew_fit_dof_count(fit), LIMB_DOFS - 1); /* the finger has no marker */
  sinew_pose_reset(l.pose);
  for (int f = 0; f < seen.frames; f++) {
    sinew_fit_result r;
    MU_INT(sinew_fit_frame(fit, f, f == 0, l.pose, &r, &error), SINEW_OK);
    MU_INT(r.seen, limb_parts);
    MU_CHECK_SAY(r.rms < 1e-3f, "frame %d is off by %g m", f, (double)r.rms);
    for (int i = 0; i < LIMB_DOFS; i++)
      MU_NEAR(sinew_pose_get(l.pose, sinew_rig_dof(l.rig, i)), truth[f][i], 0.5);
  }
}

MU_TEST(missing_markers_and_zero_weights_are_ignored) {
  OWNED_LIMB l = limb_open();
  sinew_fit_part parts[limb_parts];
  parts_of(&l, parts);
  seen = (record){ .markers = limb_parts, .frames = 40 };
  for (int f = 0; f < seen.frames; f++) {
    wave(&l, f);
    see(&seen, f, l.pose, parts);
    seen.points[f][4][0] += 5; /* its weight is zero: it may be anywhere */
    if (f % 3 == 1) seen.points[f][7][0] = NAN;
    if (f >= 20 && f < 25)
      for (int i = 0; i < limb_parts; i++) seen.points[f][i][0] = NAN;
  }
  parts[4].weight = 0;
  OWNED(motion) *motion = motion_of(&seen);
  OWNED(fit) *fit = MU_MADE(fit_of(&l, motion, parts, 1, false));
  sinew_pose_reset(l.pose);
  float held = 0;
  for (int f = 0; f < seen.frames; f++) {
    sinew_fit_result r;
    MU_INT(sinew_fit_frame(fit, f, f == 0, l.pose, &r, NULL), SINEW_OK);
    bool none = f >= 20 && f < 25;
    MU_INT(r.seen, none ? 0 : f % 3 == 1 ? limb_parts - 2 : limb_parts - 1);
    float elbow = sinew_pose_get(l.pose, sinew_rig_dof(l.rig, LIMB_ELBOW));
    if (none) MU_NEAR(elbow, held, 0);
    held = elbow;
    if (!none) MU_CHECK_SAY(r.rms < 1e-3f, "frame %d is off by %g m", f, (double)r.rms);
    MU_INT(isnan(sinew_fit_error(fit, 7)), none || f % 3 == 1);
    MU_INT(isnan(sinew_fit_error(fit, 4)), none);
    if (!none) MU_NEAR(sinew_fit_error(fit, 4), 5, 0.01);
    float target[3];
    MU_INT(sinew_fit_target(fit, f, 7, target), !(none || f % 3 == 1));
  }
}

MU_TEST(sizes_of_a_subject_are_measured_and_applied_to_the_rig) {
  OWNED_LIMB l = limb_open(), subject = limb_open();
  sinew_fit_part parts[limb_parts];
  parts_of(&l, parts);
  /* the upper arm a fifth longer, the forearm a tenth shorter, everything scaled by 1.3 */
  const float longer[2] = { 1.2f, 0.9f };
  const sinew_segment below[2] = { l.lower, l.hand };
  for (int i = 0; i < 2; i++) {
    float rest[16];
    memcpy(rest, sinew_rig_segment_info(subject.rig, below[i]).rest, sizeof rest);
    rest[14] *= longer[i];
    MU_INT(sinew_rig_set_rest(subject.rig, below[i], rest, &error), SINEW_OK);
  }
  seen = (record){ .markers = limb_parts, .frames = 60 };
  for (int f = 0; f < seen.frames; f++) {
    wave(&subject, f);
    see(&seen, f, subject.pose, parts);
    for (int i = 0; i < limb_parts; i++)
      for (int k = 0; k < 3; k++) seen.points[f][i][k] *= 1.3f;
    if (f % 7 == 3) seen.points[f][3][1] = NAN;
  }
  OWNED(motion) *motion = MU_MADE(motion_of(&seen));
  const sinew_fit_link links[] = { { 0, 3 }, { 6, 3 }, { 0, 1 } };
  float ratios[3];
  float scale = sinew_fit_measure(l.rig, motion, parts, limb_parts, links, 3, ratios, &error);
  MU_NEAR(scale, 1.3 * (0.3 * 1.2 + 0.25 * 0.9 + 0.05) / 0.6, 1e-3);
  MU_NEAR(scale * ratios[0], 1.3 * 1.2, 1e-3);
  MU_NEAR(scale * ratios[1], 1.3 * 0.9, 1e-3);
  MU_NEAR(scale * ratios[2], 1.3, 1e-3);
  sinew_segment changed[4];
  MU_INT(sinew_fit_stretch(l.rig, parts, limb_parts, links, 3, ratios, changed, 4, &error), 2);
  MU_INT(changed[0].id, l.lower.id);
  MU_INT(changed[1].id, l.hand.id);
  MU_NEAR(sinew_rig_segment_info(l.rig, l.lower).rest[14], 0.3 * ratios[0], 1e-6);
  MU_NEAR(sinew_rig_segment_info(l.rig, l.hand).rest[14] * scale, 0.25 * 0.9 * 1.3, 1e-3);
}

/* a body that rotates several times about its axis */
MU_TEST(a_full_rotation_continues_at_the_other_end_of_its_range) {
  OWNED(rig) *rig = make_text("dof turn -180 180; rotation turning angle=turn axis=0,1,0\n"
                              "segment body; drive body turning");
  sinew_segment body = sinew_rig_segment(rig, 0);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_fit_part parts[3] = { { 0, body, { 0.2f, 0, 0 }, 1 },
                              { 1, body, { 0, 0.3f, 0.1f }, 1 },
                              { 2, body, { 0, 0, -0.2f }, 1 } };
  seen = (record){ .markers = 3, .frames = 80 };
  for (int f = 0; f < seen.frames; f++)
    for (int m = 0; m < 3; m++) {
      double a = 11 * f * M_PI / 180;
      const float *p = parts[m].point;
      seen.points[f][m][0] = (float)(cos(a) * (double)p[0] + sin(a) * (double)p[2]);
      seen.points[f][m][1] = p[1];
      seen.points[f][m][2] = (float)(-sin(a) * (double)p[0] + cos(a) * (double)p[2]);
    }
  OWNED(motion) *motion = motion_of(&seen);
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = parts, desc.part_count = 3;
  OWNED(fit) *fit = MU_MADE(sinew_fit_create(rig, motion, &desc, &error));
  for (int f = 0; f < seen.frames; f++) {
    sinew_fit_result r;
    MU_INT(sinew_fit_frame(fit, f, f == 0, pose, &r, &error), SINEW_OK);
    MU_CHECK_SAY(r.rms < 1e-3f, "frame %d is off by %g m", f, (double)r.rms);
  }
}

/* --- on the human: noise */

typedef struct truth {
  float dofs[128];
  float at[64][3], z[64][3], y[64][3]; /* of the segments with markers */
} truth;

MU_SLOW_TEST(human_motion_with_a_millimetre_of_noise_is_recovered) {
  static const char *const carriers[] = { "pelvis",      "T12",        "sternum",  "skull",
                                          "humerus_r",   "humerus_l",  "ulna_r",   "ulna_l",
                                          "radius_r",    "radius_l",   "carpus_r", "carpus_l",
                                          "femur_r",     "femur_l",    "tibia_r",  "tibia_l",
                                          "calcaneus_r", "calcaneus_l" };
  enum { carrier_count = sizeof carriers / sizeof *carriers, each = 4 };
  static truth truths[most_frames];
  sinew_host_desc rules = patient_host_desc();
  rules.modules = "lua";
  sinew_host *host = MU_MADE(sinew_host_create(&rules, &error));
  MU_CHECK_SAY(sinew_host_load(host, "rigs/human.lua", &error) >= 0, "%s", error.text);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_pose *pose = sinew_host_pose(host);
  sinew_fit_part parts[carrier_count * each];
  uint32_t seed = 5;
  for (int i = 0; i < carrier_count * each; i++) {
    parts[i] = (sinew_fit_part){ .source = i, .weight = 1 };
    parts[i].segment = sinew_rig_find_segment(rig, carriers[i / each], &error);
    MU_CHECK_SAY(parts[i].segment.id, "%s", error.text);
    for (int k = 0; k < 3; k++) parts[i].point[k] = make_between(&seed, -0.06f, 0.06f);
  }
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = parts, desc.part_count = carrier_count * each;
  seen = (record){ .markers = desc.part_count, .frames = mu_rounds(80) };
  /* every DOF swings through the middle part of its range */
  int dofs = sinew_rig_dof_count(rig);
  for (int f = 0; f < seen.frames; f++) {
    for (int i = 0; i < dofs; i++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      float half = fminf((dof.max - dof.min) / 2, strcmp(dof.unit, "m") == 0 ? 0.5f : 40);
      float middle = fmaxf(dof.min + half, fminf(dof.max - half, dof.rest));
      float at = sinf(0.07f * (float)f * (1 + 0.1f * (float)(i % 7)) + (float)i);
      sinew_pose_set(pose, sinew_rig_dof(rig, i), middle + 0.6f * half * at, NULL);
    }
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    see(&seen, f, pose, parts);
    for (int i = 0; i < seen.markers; i++)
      for (int k = 0; k < 3; k++) seen.points[f][i][k] += noise(&seed, 1e-3f);
    memcpy(truths[f].dofs, sinew_pose_dofs(pose), (size_t)dofs * sizeof(float));
    for (int c = 0; c < carrier_count; c++) {
      const float *m = sinew_pose_world(pose, parts[c * each].segment);
      memcpy(truths[f].at[c], m + 12, sizeof truths[f].at[c]);
      memcpy(truths[f].y[c], m + 4, sizeof truths[f].y[c]);
      memcpy(truths[f].z[c], m + 8, sizeof truths[f].z[c]);
    }
  }
  sinew_motion *motion = MU_MADE(motion_of(&seen));
  sinew_fit *fit = MU_MADE_OR(sinew_fit_create(rig, motion, &desc, &error), error.text);
  sinew_pose_reset(pose);
  double off = 0, turned = 0, markers = 0;
  for (int f = 0; f < seen.frames; f++) {
    sinew_fit_result r;
    MU_INT(sinew_fit_frame(fit, f, f == 0, pose, &r, &error), SINEW_OK);
    markers += (double)r.rms * (double)r.rms / seen.frames;
    MU_CHECK_SAY(sinew_pose_verify(pose, &error) == SINEW_OK, "%s", error.text);
    for (int c = 0; c < carrier_count; c++) {
      const float *m = sinew_pose_world(pose, parts[c * each].segment);
      double place = 0, y = 0, z = 0;
      for (int k = 0; k < 3; k++) {
        place += pow((double)(m[12 + k] - truths[f].at[c][k]), 2);
        y += pow((double)(m[4 + k] - truths[f].y[c][k]), 2);
        z += pow((double)(m[8 + k] - truths[f].z[c][k]), 2);
      }
      off += place / (carrier_count * seen.frames);
      turned += (y + z) / (carrier_count * seen.frames);
    }
  }
  sinew_fit_destroy(fit);
  sinew_motion_destroy(motion);
  sinew_host_destroy(host);
  double degrees = sqrt(turned) * 180 / M_PI;
  if (getenv("SINEW_TEST_SAY"))
    printf("segments off by %.3f mm and %.3f degrees, markers by %.3f mm\n", sqrt(off) * 1000,
           degrees, sqrt(markers) * 1000);
  MU_CHECK_SAY(sqrt(off) < 2e-3, "segments are off by %g m", sqrt(off));
  MU_CHECK_SAY(degrees < 2, "segments are turned by %g degrees", degrees);
  MU_CHECK_SAY(sqrt(markers) < 2e-3, "markers are off by %g m", sqrt(markers));
}

/* --- mistakes and memory */

MU_TEST(invalid_fits_are_refused) {
  OWNED_LIMB l = limb_open();
  sinew_fit_part parts[limb_parts];
  parts_of(&l, parts);
  seen = (record){ .markers = limb_parts, .frames = 3 };
  for (int f = 0; f < 3; f++) see(&seen, f, l.pose, parts);
  OWNED(motion) *motion = motion_of(&seen);
  sinew_fit_desc desc = sinew_default_fit_desc();
  MU_REFUSED_AS(sinew_fit_create(l.rig, motion, &desc, &error), "a fit needs at least one part");
  desc.parts = parts, desc.part_count = limb_parts;
  parts[2].source = 9;
  MU_REFUSED_AS(sinew_fit_create(l.rig, motion, &desc, &error),
                "part 3 of the fit is not a marker of the motion");
  parts[2].source = 2, parts[1].segment.id = 44;
  MU_REFUSED_AS(sinew_fit_create(l.rig, motion, &desc, &error),
                "part 2 of the fit has no segment of the rig");
  parts[1].segment = l.upper, parts[0].weight = -1;
  MU_REFUSED(sinew_fit_create(l.rig, motion, &desc, &error),
             "part 1 of the fit, on 'upper', needs a finite point");
  parts[0].weight = 1;
  const sinew_fit_link strange = { 0, 99 }, still = { 0, 0 };
  MU_NEAR(sinew_fit_measure(l.rig, motion, parts, limb_parts, &strange, 1, NULL, &error), 0, 0);
  MU_TEXT(error.text, "link 1 of the fit is not between two parts");
  MU_NEAR(sinew_fit_measure(l.rig, motion, parts, limb_parts, &still, 1, NULL, &error), 0, 0);
  MU_TEXT(error.text, "no length of the motion can be measured");
  static const struct {
    float scale, posture;
    int iterations;
    const char *name;
  } bad[] = { { 0, 0, 1, "scale" },    { NAN, 0, 1, "scale" },   { INFINITY, 0, 1, "scale" },
              { 1, -1, 1, "posture" }, { 1, NAN, 1, "posture" }, { 1, 0, 0, "iterations" } };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[64];
    desc.scale = bad[i].scale, desc.posture = bad[i].posture, desc.iterations = bad[i].iterations;
    snprintf(text, sizeof text, "invalid '%s' of the fit", bad[i].name);
    MU_REFUSED_AS(sinew_fit_create(l.rig, motion, &desc, &error), text);
  }
}

MU_TEST(fits_survive_failing_memory_and_allocate_only_when_created) {
  scarce_memory(1000000);
  limb l = limb_open();
  sinew_fit_part parts[limb_parts];
  parts_of(&l, parts);
  seen = (record){ .markers = limb_parts, .frames = 3 };
  for (int f = 0; f < 3; f++) {
    wave(&l, f);
    see(&seen, f, l.pose, parts);
  }
  OWNED(motion) *motion = motion_of(&seen);
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = parts, desc.part_count = limb_parts;
  const sinew_fit_link link = { 0, 3 };
  size_t before = sinew_live_blocks();
  sinew_fit *fit = NULL;
  int failures = 0;
  bool clean = true;
  for (; failures < 200 && !fit && clean; failures++) {
    scarce_memory(failures);
    fit = sinew_fit_create(l.rig, motion, &desc, &error);
    clean = fit || (sinew_live_blocks() == before && error.status == SINEW_ERR_MEMORY);
  }
  scarce_memory(0);
  sinew_status status =
      fit ? sinew_fit_frame(fit, 1, true, l.pose, NULL, &error) : SINEW_ERR_MEMORY;
  sinew_fit_destroy(fit);
  float scale = 0;
  int measured = 0;
  for (; measured < 50 && !(scale > 0) && clean; measured++) {
    scarce_memory(measured);
    scale = sinew_fit_measure(l.rig, motion, parts, limb_parts, &link, 1, NULL, &error);
    clean = sinew_live_blocks() == before;
  }
  limb_close(&l);
  plenty_of_memory();
  MU_CHECK(clean);
  MU_INT(status, SINEW_OK);
  MU_CHECK(failures > 6 && measured > 3);
}

MU_SUITE(fit)
