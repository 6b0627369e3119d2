/* Evaluates two close values of a DOF, and computes the screw motion between the results. */
#include "plain/screw_axis.h"

#include "plain/acting.h"
#include "plain/space.h"

#include <stdlib.h>

void screw_axis_reset(screw_axis *t) {
  sinew_pose_destroy(t->trial);
  free(t->values);
  *t = (screw_axis){ 0 };
}

/* the segment's frame relative to its parent at a value of the DOF */
static bool frame_at(sinew_host *host, sinew_pose *trial, sinew_segment segment, sinew_dof dof,
                     float value, float *dest) {
  sinew_pose_set(trial, dof, value, NULL);
  if (sinew_host_eval(host, trial, NULL) < 0) return false;
  space_mul(sinew_rig_segment_info(sinew_host_rig(host), segment).rest,
            sinew_pose_local(trial, segment), dest);
  return true;
}

float screw_axis_at(sinew_host *host, sinew_pose *trial, sinew_segment segment, sinew_dof dof,
                    float value, float axis[3], float centre[3]) {
  sinew_dof_info info = sinew_rig_dof_info(sinew_host_rig(host), dof);
  float step = (info.max - info.min) / 400, low[16], high[16];
  float from = fmaxf(info.min, value - step), to = fminf(info.max, value + step);
  if (!frame_at(host, trial, segment, dof, from, low) ||
      !frame_at(host, trial, segment, dof, to, high))
    return 0;
  float degrees = acting_screw(low, high, axis, centre);
  return degrees > 1e-2f ? degrees / (to - from) : 0;
}

/* whether all other DOFs are unchanged; stores them */
static bool same_others(screw_axis *t, const float *now, int count) {
  bool same = true;
  for (int i = 0; i < count; i++) {
    if (i + 1 != (int)t->dof.id && t->values[i] != now[i]) same = false;
    t->values[i] = now[i];
  }
  return same;
}

void screw_axis_update(screw_axis *t, sinew_host *host, sinew_segment segment, sinew_dof dof) {
  const sinew_rig *rig = sinew_host_rig(host);
  const sinew_pose *pose = sinew_host_pose(host);
  int count = sinew_rig_dof_count(rig);
  bool fresh = t->segment.id != segment.id || t->dof.id != dof.id;
  if (!t->trial) {
    t->trial = sinew_pose_create(rig, NULL);
    t->values = calloc((size_t)count + 1, sizeof *t->values);
    fresh = true;
  }
  t->there = false;
  if (!t->trial || !t->values || !segment.id || !dof.id) return;
  t->segment = segment;
  t->dof = dof;
  if (!same_others(t, sinew_pose_dofs(pose), count)) fresh = true;
  sinew_pose_set_all(t->trial, sinew_pose_dofs(pose), count, NULL);
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  for (int i = 0; fresh && i <= screw_axis_steps; i++) {
    float axis[3], value = info.min + (info.max - info.min) * (float)i / screw_axis_steps;
    t->path_there[i] = screw_axis_at(host, t->trial, segment, dof, value, axis, t->path[i]) > 0;
  }
  t->there = screw_axis_at(host, t->trial, segment, dof, sinew_pose_get(pose, dof), t->axis,
                           t->centre) > 0;
}
