/* The bounding boxes of bones under their world matrices. */
#include "draw/crowd_stand.h"

#include <math.h>
#include <raymath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the centre of a bone's box in the world, and its half size along each axis */
static bool box_in_world(const crowd_stand *stand, int i, const float *worlds, Vector3 *middle,
                         Vector3 *reach) {
  const float *b = stand->boxes + 6 * i, *m = worlds + 16 * (size_t)i;
  if (isnan(b[0])) return false;
  float at[3], by[3];
  for (int k = 0; k < 3; k++) {
    at[k] = m[k] * b[0] + m[4 + k] * b[1] + m[8 + k] * b[2] + m[12 + k];
    by[k] = fabsf(m[k]) * b[3] + fabsf(m[4 + k]) * b[4] + fabsf(m[8 + k]) * b[5];
  }
  *middle = (Vector3){ at[0], at[1], at[2] };
  *reach = (Vector3){ by[0], by[1], by[2] };
  return true;
}

static float lowest_of(const crowd_stand *stand, const float *worlds) {
  float lowest = INFINITY;
  for (int k = 0; k < stand->low_count; k++) {
    const float *b = stand->boxes + 6 * stand->low[k], *m = worlds + 16 * (size_t)stand->low[k];
    float at = m[1] * b[0] + m[5] * b[1] + m[9] * b[2] + m[13];
    float by = fabsf(m[1]) * b[3] + fabsf(m[5]) * b[4] + fabsf(m[9]) * b[5];
    lowest = fminf(lowest, at - by);
  }
  return lowest;
}

float crowd_stand_raise(const crowd_stand *stand, const float *worlds) {
  return stand->stands ? stand->ground - lowest_of(stand, worlds) : 0;
}

void crowd_stand_cover(const crowd_stand *stand, const float *worlds, float raise,
                       BoundingBox *box) {
  for (int i = 0; i < stand->segments; i++) {
    Vector3 middle, reach;
    if (!box_in_world(stand, i, worlds, &middle, &reach)) continue;
    middle.y += raise;
    box->min = Vector3Min(box->min, Vector3Subtract(middle, reach));
    box->max = Vector3Max(box->max, Vector3Add(middle, reach));
  }
}

/* bones that reach into the lowest quarter of the height */
static void find_low(crowd_stand *stand, const float *worlds) {
  BoundingBox box = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  crowd_stand_cover(stand, worlds, 0, &box);
  if (box.min.x > box.max.x) box = (BoundingBox){ { 0, 0, 0 }, { 1, 1, 1 } };
  Vector3 sides = Vector3Subtract(box.max, box.min);
  stand->size = fmaxf(fmaxf(sides.y, 0.3f * fmaxf(sides.x, sides.z)), 1e-3f);
  stand->ground = box.min.y;
  for (int i = 0; i < stand->segments; i++) {
    Vector3 middle, reach;
    if (box_in_world(stand, i, worlds, &middle, &reach) &&
        middle.y - reach.y < box.min.y + 0.25f * sides.y)
      stand->low[stand->low_count++] = i;
  }
}

/* the translation of the roots per unit of a DOF; false if the DOF rotates them or moves them
 * apart */
static bool shift_of(sinew_host *host, sinew_pose *pose, const float *rest, sinew_dof dof,
                     Vector3 *dest) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  float step = 0.05f * (info.max - info.min) * (info.rest < info.max ? 1 : -1);
  sinew_pose_set(pose, dof, info.rest + step, NULL);
  bool plain = step != 0 && sinew_host_eval(host, pose, NULL) >= 0, any = false;
  step = sinew_pose_get(pose, dof) - info.rest;
  for (int i = 0; plain && i < sinew_rig_segment_count(rig); i++) {
    if (sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).parent.id) continue;
    const float *now = sinew_pose_worlds(pose) + 16 * (size_t)i, *was = rest + 16 * (size_t)i;
    for (int k = 0; k < 12; k++) plain &= fabsf(now[k] - was[k]) < 1e-5f;
    Vector3 by = { (now[12] - was[12]) / step, (now[13] - was[13]) / step,
                   (now[14] - was[14]) / step };
    plain &= !any || Vector3Distance(by, *dest) < 1e-4f;
    *dest = by;
    any = true;
  }
  sinew_pose_set(pose, dof, info.rest, NULL);
  return plain && any;
}

static void find_carriers(crowd_stand *stand, sinew_host *host, sinew_pose *pose, const float *rest,
                          crowd_motion *motion) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  stand->lift = -1;
  for (int d = 0; d < sinew_rig_dof_count(rig); d++) {
    sinew_dof dof = sinew_rig_dof(rig, d);
    Vector3 by;
    if (!crowd_motion_carries(motion, d) || !shift_of(host, pose, rest, dof, &by)) continue;
    float value = sinew_rig_dof_info(rig, dof).rest;
    bool up = fabsf(by.y) > 1e-3f && hypotf(by.x, by.z) < 1e-3f * fabsf(by.y);
    if (up && stand->lift < 0) {
      stand->lift = d;
      stand->lift_by = by.y;
    }
    if (hypotf(by.x, by.z) > 1e-3f) crowd_motion_set_sweep(motion, dof, value, value, 1);
  }
  stand->stands =
      stand->lift >= 0 && stand->low_count && fabsf(stand->ground) < 0.05f * stand->size;
}

bool crowd_stand_make(crowd_stand *stand, const scene *s, sinew_host *host, crowd_motion *motion,
                      sinew_error *error) {
  const sinew_rig *rig = sinew_host_rig(host);
  size_t segments = (size_t)sinew_rig_segment_count(rig);
  *stand = (crowd_stand){ .segments = (int)segments };
  stand->boxes = malloc(6 * segments * sizeof(float) + 1);
  stand->low = malloc(segments * sizeof *stand->low + 1);
  float *rest = malloc(16 * segments * sizeof(float) + 1);
  sinew_pose *pose = sinew_pose_create(rig, error);
  bool ok = stand->boxes && stand->low && rest && pose;
  if (!ok && pose) snprintf(error->text, sizeof error->text, "out of memory");
  ok = ok && sinew_host_eval(host, pose, error) >= 0;
  for (size_t i = 0; ok && i < segments; i++) {
    const BoundingBox unseen = { { NAN, NAN, NAN }, { NAN, NAN, NAN } };
    const Mesh *mesh = scene_mesh(s, (int)i);
    BoundingBox box = mesh ? GetMeshBoundingBox(*mesh) : unseen;
    const float low[3] = { box.min.x, box.min.y, box.min.z };
    const float high[3] = { box.max.x, box.max.y, box.max.z };
    for (int k = 0; k < 3; k++) {
      stand->boxes[6 * i + (size_t)k] = (low[k] + high[k]) / 2;
      stand->boxes[6 * i + 3 + (size_t)k] = (high[k] - low[k]) / 2;
    }
  }
  if (ok) {
    memcpy(rest, sinew_pose_worlds(pose), 16 * segments * sizeof(float));
    find_low(stand, rest);
    find_carriers(stand, host, pose, rest, motion);
  }
  free(rest);
  sinew_pose_destroy(pose);
  return ok;
}

void crowd_stand_free(crowd_stand *stand) {
  free(stand->boxes);
  free(stand->low);
  *stand = (crowd_stand){ 0 };
}
