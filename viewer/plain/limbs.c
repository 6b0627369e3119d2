#include "plain/limbs.h"

#include "plain/space.h"

#include <stdlib.h>

static const float least_bone = 0.06f; /* of the rig's size */
static const float most_uneven = 1.7f; /* of the lengths of the two bones */
enum { most_passed = 16 };              /* short bones between two long ones */
static const float most_beside = 0.5f; /* of a limb's bones: what hangs on the upper one alone */

bool limb_below(const sinew_rig *rig, sinew_segment segment, sinew_segment from) {
  while (segment.id && segment.id != from.id) segment = sinew_rig_segment_info(rig, segment).parent;
  return segment.id != 0;
}

/* for each segment: how many there are from it on, and which one hangs on it */
typedef struct family {
  int below;
  sinew_segment child; /* null: none, or several */
  int children;
} family;

/* a parent comes before its children */
static family *read_families(const sinew_rig *rig) {
  const int count = sinew_rig_segment_count(rig);
  family *all = calloc((size_t)count + 1, sizeof *all);
  for (int i = count; all && i-- > 0;) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    family *parent = &all[sinew_rig_segment_info(rig, segment).parent.id];
    parent->below += ++all[segment.id].below;
    parent->child.id = parent->children ? 0 : segment.id;
    parent->children++;
  }
  return all;
}

/* the largest side of a box around all origins, at rest */
static float size_of(const sinew_rig *rig, const sinew_pose *rest) {
  float low[3] = { 1e9f, 1e9f, 1e9f }, high[3] = { -1e9f, -1e9f, -1e9f }, most = 0;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    const float *at = sinew_pose_world(rest, sinew_rig_segment(rig, i)) + 12;
    for (int k = 0; k < 3; k++) {
      low[k] = fminf(low[k], at[k]);
      high[k] = fmaxf(high[k], at[k]);
    }
  }
  for (int k = 0; k < 3; k++) most = fmaxf(most, high[k] - low[k]);
  return most;
}

/* The long bone that ends where `segment` is, and the first bone after it: from the segment
 * upwards past bones that are short, such as the radius below the ulna. Null if there is none. */
static sinew_segment bone_before(const sinew_rig *rig, sinew_segment segment, float least,
                                 sinew_segment *after, float *length) {
  float passed = 0;
  for (int i = 0; i < most_passed && segment.id && passed < 0.3f * least; i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, segment);
    *length = space_length(info.rest + 12);
    *after = segment;
    if (*length >= least) return info.parent;
    passed += *length;
    segment = info.parent;
  }
  return (sinew_segment){ 0 };
}

static bool read_limb(const sinew_rig *rig, const family *families, sinew_segment tip, float least,
                      limb *dest) {
  float one, other;
  sinew_segment end, joint;
  sinew_segment lower = bone_before(rig, tip, least, &end, &one);
  sinew_segment upper = lower.id ? bone_before(rig, lower, least, &joint, &other) : lower;
  if (end.id != tip.id || !upper.id) return false;
  if (one > most_uneven * other || other > most_uneven * one) return false;
  if (!sinew_rig_segment_info(rig, upper).parent.id) return false;
  int all = families[upper.id].below, below = families[joint.id].below;
  if ((float)(all - 1 - below) > most_beside * (float)all) return false;
  *dest = (limb){ .upper = upper, .lower = joint, .tip = tip, .end = tip, .length = one + other };
  return true;
}

/* the bone after which the limb branches */
static sinew_segment last_bone(const family *families, sinew_segment from) {
  while (families[from.id].child.id) from = families[from.id].child;
  return from;
}

/* Where the tip goes in the upper bone's frame when the DOF that moves it most does: the joint
 * bends to the other side. */
static void find_handle(sinew_host *host, sinew_pose *trial, limb *l) {
  const sinew_rig *rig = sinew_host_rig(host);
  float back[16], from[3], joint[3], axis[3], most = 0;
  l->handle[0] = l->handle[1] = 0;
  l->handle[2] = 1;
  space_inverse(sinew_pose_world(trial, l->upper), back);
  space_point(back, sinew_pose_world(trial, l->tip) + 12, from);
  space_point(back, sinew_pose_world(trial, l->lower) + 12, joint);
  memcpy(axis, joint, sizeof axis);
  space_unit(axis);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    float to[3], aside = 0, step = 0.1f * (info.max - info.min);
    if (info.max - info.rest < info.rest - info.min) step = -step;
    sinew_pose_set(trial, dof, info.rest + step, NULL);
    bool fine = sinew_host_eval(host, trial, NULL) >= 0;
    space_inverse(sinew_pose_world(trial, l->upper), back);
    space_point(back, sinew_pose_world(trial, l->tip) + 12, to);
    sinew_pose_set(trial, dof, info.rest, NULL);
    if (!fine) continue;
    for (int k = 0; k < 3; k++) to[k] -= from[k];
    float along = space_dot(to, axis);
    for (int k = 0; k < 3; k++) to[k] -= along * axis[k];
    aside = space_length(to);
    if (aside <= most || aside < 0.01f * l->length) continue;
    most = aside;
    space_unit(to);
    for (int k = 0; k < 3; k++) l->handle[k] = -to[k];
  }
  for (int k = 0; k < 3; k++) l->handle[k] = joint[k] + 0.2f * l->length * l->handle[k];
  sinew_host_eval(host, trial, NULL);
}

int limb_find(sinew_host *host, limb dest[limb_most]) {
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_pose *trial = sinew_pose_create(rig, NULL);
  family *families = read_families(rig);
  int count = 0;
  if (!trial || !families || sinew_host_eval(host, trial, NULL) < 0) {
    free(families);
    sinew_pose_destroy(trial);
    return 0;
  }
  float least = least_bone * size_of(rig, trial);
  for (int i = 0; i < sinew_rig_segment_count(rig) && count < limb_most; i++) {
    bool fine = read_limb(rig, families, sinew_rig_segment(rig, i), least, &dest[count]);
    /* not the second and third bone of one that is there */
    for (int k = 0; k < count && fine; k++)
      fine = !limb_below(rig, dest[count].upper, dest[k].lower) &&
             dest[count].lower.id != dest[k].lower.id;
    if (!fine) continue;
    dest[count].end = last_bone(families, dest[count].tip);
    find_handle(host, trial, &dest[count++]);
  }
  free(families);
  sinew_pose_destroy(trial);
  return count;
}
