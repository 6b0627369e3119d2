/* How far poses take a rig's segments from each other: flesh between two bones is one only if it
 * stays with both. A point that follows the one is moved by a number of poses with random DOFs. The
 * distance to the other that a quarter of the poses exceed is taken, since extremes are rare. */
#include "skin/skin_internal.h"

#include <math.h>
#include <string.h>

#include "math/matrix.h"

enum { TRIALS = 24 };

static void pose_randomly(sinew_pose *pose, uint32_t *seed) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    *seed = *seed * 1664525u + 1013904223u;
    float value = info.min + (info.max - info.min) * ((float)(*seed >> 8) / (float)(1 << 24));
    if (isfinite(value)) sinew_pose_set(pose, dof, value, NULL);
  }
}

sinew_status si_trials_make(const sinew_pose *bind, const si_bones *bones, si_trials *dest,
                            sinew_error *error) {
  const sinew_rig *rig = sinew_pose_rig(bind);
  *dest = (si_trials){ .bones = bones, .rig = rig, .segments = sinew_rig_segment_count(rig) };
  const size_t size = 16 * (size_t)dest->segments;
  sinew_pose *pose = sinew_pose_create(rig, error);
  float *unbind = si_alloc_array(size + 1, sizeof(float));
  dest->moves = si_alloc_array(TRIALS * size + 1, sizeof(float));
  dest->backs = si_alloc_array(TRIALS * size + 1, sizeof(float));
  bool ok = pose && unbind && dest->moves && dest->backs;
  uint32_t seed = 1;
  for (size_t i = 0; ok && i < size; i += 16)
    si_mat_inverse_rigid(sinew_pose_worlds(bind) + i, unbind + i);
  const size_t work = 8 * (size_t)sinew_rig_component_count(rig) + 16 * (size_t)dest->segments;
  for (int trial = 0; ok && trial < TRIALS; trial++) {
    if (!(ok = si_work(work))) break;
    pose_randomly(pose, &seed);
    if (sinew_pose_eval(pose, NULL) < 0) continue; /* a pose that the rig refuses */
    float *moves = dest->moves + size * (size_t)dest->count;
    float *backs = dest->backs + size * (size_t)dest->count++;
    for (size_t i = 0; i < size; i += 16) {
      si_mat_mul(sinew_pose_worlds(pose) + i, unbind + i, moves + i);
      si_mat_inverse_rigid(moves + i, backs + i);
    }
  }
  si_free(unbind);
  sinew_pose_destroy(pose);
  return ok ? SINEW_OK : si_fail_memory(error);
}

void si_trials_free(si_trials *trials) {
  si_free(trials->moves);
  si_free(trials->backs);
}

static int parent_of(const sinew_rig *rig, int segment) {
  return (int)sinew_rig_segment_info(rig, sinew_rig_segment(rig, segment)).parent.id - 1;
}

float si_trials_apart(const si_trials *t, int of, int from, const float *place, float limit) {
  if (of == from || parent_of(t->rig, of) == from || parent_of(t->rig, from) == of) return 0;
  const size_t size = 16 * (size_t)t->segments;
  float most[TRIALS / 4] = { 0 }; /* descending */
  const int last = TRIALS / 4 - 1;
  for (size_t i = 0; i < (size_t)t->count && most[last] < limit; i++) {
    float moved[3];
    si_mat_point(t->moves + i * size + 16 * (size_t)of, place, moved);
    si_mat_point(t->backs + i * size + 16 * (size_t)from, moved, moved);
    const float far = si_bone_distance(&t->bones->list[from], moved, limit);
    int at = last;
    if (!(far > most[last])) continue;
    for (; at > 0 && most[at - 1] < far; at--) most[at] = most[at - 1];
    most[at] = far;
  }
  return most[last];
}
