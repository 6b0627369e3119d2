/* The motion of a crowd: inside every range, smooth, different for each character, repeatable; and
 * the positions of its members. */
#include "plain/crowd_motion.h"

#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "sinew/host.h"

#include <stdlib.h>

static const char *const rigs[] = { "human", "creature", "knee", "spine",
                                    "reach", "shoulder", "field" };
enum { rig_count = sizeof rigs / sizeof *rigs, most_dofs = 128 };

static sinew_host *open_rig(const char *name) {
  char path[64];
  sinew_host_desc desc = patient_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  snprintf(path, sizeof path, "rigs/%s.lua", name);
  if (host && sinew_host_load(host, path, &error) >= 0) return host;
  mu_fail(__FILE__, __LINE__, "%s: %s", path, error.text);
  sinew_host_destroy(host);
  return NULL;
}

/* checks that every DOF of a character is inside its range; for those that do not carry the body,
 * adds the largest distance from rest, relative to the range, to `moved` */
static bool inside(const sinew_rig *rig, const float *values, float *moved) {
  for (int d = 0; d < sinew_rig_dof_count(rig); d++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d));
    if (!(values[d] >= info.min && values[d] <= info.max))
      return mu_fail(__FILE__, __LINE__, "%s is %g, outside %g to %g", info.name, (double)values[d],
                     (double)info.min, (double)info.max);
    float part = fabsf(values[d] - info.rest) / fmaxf(info.max - info.min, 1e-9f);
    *moved = fmaxf(*moved, part);
  }
  return true;
}

MU_SLOW_TEST(crowd_motion_stays_inside_every_range) {
  for (int r = 0; r < rig_count; r++) {
    OWNED(host) *host = MU_MADE(open_rig(rigs[r]));
    const sinew_rig *rig = sinew_host_rig(host);
    crowd_motion *motion = MU_MADE(crowd_motion_create(rig));
    uint32_t seed = 7;
    float values[most_dofs], moved = 0;
    for (int i = 0; i < mu_rounds(4000); i++) {
      double time = i % 7 ? (double)make_between(&seed, 0, 200) : 1e6 * i;
      crowd_motion_at(motion, make_index(&seed, most_characters), time, values);
      if (!inside(rig, values, &moved)) return;
    }
    MU_CHECK_SAY(moved > 0.2f, "%s: nothing moves by more than %g of its range", rigs[r],
                 (double)moved);
    crowd_motion_destroy(motion);
  }
}

MU_SLOW_TEST(crowd_motion_is_smooth) {
  for (int r = 0; r < rig_count; r++) {
    OWNED(host) *host = MU_MADE(open_rig(rigs[r]));
    const sinew_rig *rig = sinew_host_rig(host);
    crowd_motion *motion = crowd_motion_create(rig);
    float last[most_dofs], now[most_dofs];
    for (int character = 0; character < mu_rounds(40); character++) {
      /* over more than one change of movements */
      crowd_motion_at(motion, character, 100, last);
      for (int frame = 1; frame < 60 * 30; frame++) {
        crowd_motion_at(motion, character, 100 + frame / 60.0, now);
        for (int d = 0; d < sinew_rig_dof_count(rig); d++) {
          sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d));
          float step = fabsf(now[d] - last[d]) / (info.max - info.min);
          MU_CHECK_SAY(step < 0.06f, "%s of %s, character %d: %g of its range in a frame",
                       info.name, rigs[r], character, (double)step);
        }
        memcpy(last, now, sizeof last);
      }
    }
    crowd_motion_destroy(motion);
  }
}

MU_SLOW_TEST(crowd_motion_differs_for_each_and_is_repeatable) {
  for (int r = 0; r < rig_count; r++) {
    enum { characters = 60 };
    OWNED(host) *host = MU_MADE(open_rig(rigs[r]));
    const sinew_rig *rig = sinew_host_rig(host);
    int dofs = sinew_rig_dof_count(rig);
    static float all[characters][most_dofs], again[most_dofs];
    crowd_motion *motion = crowd_motion_create(rig), *other = crowd_motion_create(rig);
    for (int i = 0; i < characters; i++) {
      crowd_motion_at(motion, i, 12.5, all[i]);
      for (int k = 0; k < i; k++) {
        float off = 0;
        for (int d = 0; d < dofs; d++) off = fmaxf(off, fabsf(all[i][d] - all[k][d]));
        MU_CHECK_SAY(off > 1e-5f, "%s: %d and %d do the same", rigs[r], k, i);
      }
    }
    for (int i = characters - 1; i >= 0; i--) {
      crowd_motion_at(other, i, 12.5, again);
      MU_CHECK(memcmp(again, all[i], (size_t)dofs * sizeof(float)) == 0);
    }
    crowd_motion_destroy(motion);
    crowd_motion_destroy(other);
  }
}

MU_TEST(a_human_of_a_crowd_makes_every_movement_in_place) {
  OWNED(host) *host = MU_MADE(open_rig("human"));
  const sinew_rig *rig = sinew_host_rig(host);
  crowd_motion *motion = crowd_motion_create(rig);
  MU_INT(crowd_motion_count(motion), 9);
  float values[most_dofs];
  for (int d = 0; d < sinew_rig_dof_count(rig); d++) {
    const char *name = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d)).name;
    MU_CHECK_SAY(crowd_motion_carries(motion, d) == (strncmp(name, "body.", 5) == 0), "%s", name);
  }
  for (int i = 0; i < 200; i++) {
    crowd_motion_at(motion, i, 3.7 * i, values);
    for (int d = 0; d < 6; d++) MU_NEAR(values[d], 0, 0);
  }
  /* neighbours do different things, and everybody changes movement */
  for (int i = 0; i < 90; i++)
    for (int k = i / 9 * 9; k < i; k++)
      MU_CHECK(strcmp(crowd_motion_name(motion, i, 0), crowd_motion_name(motion, k, 0)) != 0);
  for (int i = 0; i < 50; i++) {
    const char *first = crowd_motion_name(motion, i, 0);
    bool other = false;
    for (int t = 1; t < 30; t++) other |= strcmp(first, crowd_motion_name(motion, i, t)) != 0;
    MU_CHECK(other);
  }
  crowd_motion_destroy(motion);
}

MU_TEST(a_march_lifts_the_left_leg_half_a_beat_after_the_right) {
  sinew_builder *b = sinew_builder_create("legs", NULL);
  sinew_add_bone(b, SINEW_ROOT, "trunk", (sinew_vec3){ 0, 1, 0 });
  sinew_dof hips[2];
  for (int side = 0; side < 2; side++) {
    sinew_joint_set hip =
        sinew_builder_add_joint_set(b, side ? "left_hip" : "right_hip", NULL, NULL);
    sinew_joint_set knee =
        sinew_builder_add_joint_set(b, side ? "left_knee" : "right_knee", NULL, NULL);
    hips[side] = make_dof(b, hip, "flexion", -10, 100);
    make_dof(b, knee, "flexion", 0, 120);
  }
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  crowd_motion *motion = crowd_motion_create(rig);
  float most[2] = { 0, 0 }, both = 0;
  for (int i = 0; i < 9; i++)
    for (int frame = 0; frame < 2000; frame++) {
      float values[4];
      double time = 20 + frame * 0.01;
      if (strcmp(crowd_motion_name(motion, i, time), "march") != 0 ||
          strcmp(crowd_motion_name(motion, i, time - 3), "march") != 0)
        continue; /* or it has just started */
      crowd_motion_at(motion, i, time, values);
      float right = values[hips[0].id - 1], left = values[hips[1].id - 1];
      most[0] = fmaxf(most[0], right);
      most[1] = fmaxf(most[1], left);
      both = fmaxf(both, fminf(right, left));
    }
  MU_CHECK(most[0] > 30 && most[1] > 30); /* of 42, by the strength of each */
  MU_CHECK_SAY(both < 0.1f, "both legs are up by %g", (double)both);
  crowd_motion_destroy(motion);
}

MU_TEST(crowd_members_play_a_clip_from_different_times) {
  OWNED(host) *host = MU_MADE(open_rig("knee"));
  crowd_motion *motion = crowd_motion_create(sinew_host_rig(host));
  OWNED(clip) *clip = sinew_clip_create(NULL);
  sinew_clip_set_key(clip, "knee.flexion", 0, 0, SINEW_INTERP_LINEAR, NULL);
  sinew_clip_set_key(clip, "knee.flexion", 2, 80, SINEW_INTERP_LINEAR, NULL);
  crowd_motion_set_clip(motion, clip);
  float value, other;
  /* forward and back, since it does not loop */
  static const float times[][2] = { { 0, 0 }, { 0.5f, 20 }, { 2, 80 }, { 3, 40 }, { 4.5f, 20 } };
  for (int i = 0; i < 5; i++) {
    crowd_motion_at(motion, 0, (double)times[i][0], &value);
    MU_NEAR(value, times[i][1], 1e-3);
  }
  sinew_clip_set_loop(clip, true);
  crowd_motion_at(motion, 0, 2.5, &value);
  MU_NEAR(value, 20, 1e-3);
  for (int i = 1; i < 20; i++) {
    crowd_motion_at(motion, i, 0, &value);
    crowd_motion_at(motion, i + 1, 0, &other);
    MU_CHECK(fabsf(value - other) > 1e-3f);
  }
  crowd_motion_set_clip(motion, NULL);
  MU_CHECK(strcmp(crowd_motion_name(motion, 0, 0), "sway") == 0);
  /* a clip of other DOFs has no effect */
  OWNED(clip) *strange = sinew_clip_create(NULL);
  sinew_clip_set_key(strange, "wing.flap", 1, 5, SINEW_INTERP_LINEAR, NULL);
  crowd_motion_set_clip(motion, strange);
  MU_CHECK(strcmp(crowd_motion_name(motion, 0, 0), "sway") == 0);
  /* a sweep covers everything, and is clamped to the range */
  crowd_motion_set_sweep(motion, (sinew_dof){ 1 }, 10, 500, 4);
  crowd_motion_at(motion, 0, 0, &value);
  MU_NEAR(value, 10, 1e-4);
  crowd_motion_at(motion, 0, 2, &value);
  MU_NEAR(value, 120, 1e-4);
  crowd_motion_destroy(motion);
}

MU_TEST(crowd_members_in_rows_do_not_overlap) {
  static const int counts[] = { 1, 2, 3, 9, 10, 100, 999, 1000, most_characters };
  for (int n = 0; n < 9; n++) {
    int count = counts[n], columns = crowd_columns(count, 1.3f, 1.1f);
    MU_CHECK(columns >= 1 && columns <= count);
    int rows = (count + columns - 1) / columns;
    FREED bool *taken = calloc((size_t)(2 * columns + 4) * (size_t)rows, sizeof *taken);
    for (int i = 0; i < count; i++) {
      float column;
      int row;
      crowd_place(i, columns, &column, &row);
      if (i == 0) MU_CHECK(column == 0 && row == 0);
      int half =
          (int)lroundf(2 * column) + columns + 1; /* positions are multiples of half a column */
      MU_CHECK(row >= 0 && row < rows && half >= 0 && half < 2 * columns + 4);
      bool *place = &taken[row * (2 * columns + 4) + half];
      MU_CHECK(!*place && (half - columns - 1 - row) % 2 == 0);
      *place = true;
    }
    /* about as wide as deep */
    float ratio = (float)columns * 1.3f / ((float)rows * 1.1f);
    if (count >= 9) MU_CHECK_SAY(ratio > 0.5f && ratio < 2, "%d: %g", count, (double)ratio);
  }
}

MU_SUITE(crowd_motion)
