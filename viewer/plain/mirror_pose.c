#include "plain/mirror_pose.h"

#include "plain/side.h"
#include "plain/space.h"

#include <stdlib.h>

static const float most_apart = 0.2f; /* of what the DOF moves */

typedef struct trial {
  sinew_host *host;
  sinew_pose *pose;
  float *rest;  /* the worlds of all segments at rest */
  int *pair;    /* the counterpart of each segment */
  float *first; /* how a DOF moves each segment: 12 numbers */
  int segments;
} trial;

/* How the world frames of all segments change when a DOF moves by a step from its rest: their
 * motion in the world, which does not depend on how a frame lies in its bone. */
static bool motions(const trial *t, sinew_dof dof, float step, float *dest) {
  const sinew_rig *rig = sinew_host_rig(t->host);
  float rest = sinew_rig_dof_info(rig, dof).rest, back[16], moved[16];
  sinew_pose_set(t->pose, dof, rest + step, NULL);
  bool fine = sinew_host_eval(t->host, t->pose, NULL) >= 0;
  const float *now = sinew_pose_worlds(t->pose);
  for (int i = 0; fine && i < t->segments; i++) {
    space_inverse(t->rest + 16 * (size_t)i, back);
    space_mul(now + 16 * (size_t)i, back, moved);
    for (int k = 0; k < 9; k++) dest[12 * i + k] = moved[4 * (k / 3) + k % 3];
    /* where the bone's origin goes, not that of the world */
    for (int k = 0; k < 3; k++)
      dest[12 * i + 9 + k] =
          now[16 * (size_t)i + 12 + (size_t)k] - t->rest[16 * (size_t)i + 12 + (size_t)k];
  }
  sinew_pose_set(t->pose, dof, rest, NULL);
  return fine;
}

/* the square of the distance between the mirror image of one and the other, and the first's own */
static float compare(const trial *t, const float *one, const float *other, float *size) {
  float sum = 0;
  *size = 0;
  for (int i = 0; i < t->segments; i++) {
    const float *a = one + 12 * i, *b = other + 12 * t->pair[i];
    for (int k = 0; k < 12; k++) {
      bool turns = k < 9 && (k / 3 == 0) != (k % 3 == 0);
      float mirrored = turns || k == 9 ? -a[k] : a[k], by = mirrored - b[k];
      float own = a[k] - (float)(k < 9 && k % 4 == 0);
      sum += by * by;
      *size += own * own;
    }
  }
  return sum;
}

static float sign_of(const trial *t, sinew_dof dof, sinew_dof other) {
  const sinew_rig *rig = sinew_host_rig(t->host);
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  float *second = t->first + 12 * (size_t)t->segments, apart[2], size;
  float step = 0.1f * fmaxf(info.max - info.rest, info.rest - info.min);
  if (info.max - info.rest < info.rest - info.min) step = -step;
  if (!motions(t, dof, step, t->first)) return 0;
  for (int k = 0; k < 2; k++) {
    if (!motions(t, other, k ? -step : step, second)) return 0;
    apart[k] = compare(t, t->first, second, &size);
  }
  if (size < 1e-10f) return 1; /* it moves nothing at rest */
  float least = fminf(apart[0], apart[1]);
  if (least > most_apart * most_apart * size) return 0;
  return apart[0] <= apart[1] ? 1 : -1;
}

static void find_pairs(const sinew_rig *rig, int *dest) {
  char name[256];
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment other = { 0 };
    if (side_other(sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name, name, sizeof name))
      other = sinew_rig_find_segment(rig, name, NULL);
    dest[i] = other.id ? (int)other.id - 1 : i;
  }
}

bool mirror_learn(sinew_host *host, mirror_dof *dest) {
  const sinew_rig *rig = sinew_host_rig(host);
  size_t segments = (size_t)sinew_rig_segment_count(rig);
  trial t = { .host = host,
              .pose = sinew_pose_create(rig, NULL),
              .rest = malloc((16 * segments + 1) * sizeof(float)),
              .pair = malloc((segments + 1) * sizeof(int)),
              .first = malloc((24 * segments + 1) * sizeof(float)),
              .segments = (int)segments };
  bool fine = t.pose && t.rest && t.pair && t.first && sinew_host_eval(host, t.pose, NULL) >= 0;
  if (fine) {
    memcpy(t.rest, sinew_pose_worlds(t.pose), 16 * segments * sizeof(float));
    find_pairs(rig, t.pair);
  }
  for (int i = 0; fine && i < sinew_rig_dof_count(rig); i++) {
    char name[256];
    sinew_dof dof = sinew_rig_dof(rig, i), other = { 0 };
    if (side_other(sinew_rig_dof_info(rig, dof).name, name, sizeof name))
      other = sinew_rig_find_dof(rig, name, NULL);
    if (!other.id) other = dof;
    dest[i] = (mirror_dof){ .other = (int)other.id - 1, .sign = sign_of(&t, dof, other) };
  }
  sinew_pose_destroy(t.pose);
  free(t.rest);
  free(t.pair);
  free(t.first);
  return fine;
}

int mirror_values(const sinew_rig *rig, const mirror_dof *mirror, const float *values,
                  float *dest) {
  int count = sinew_rig_dof_count(rig), left = 0;
  memcpy(dest, values, (size_t)count * sizeof *dest);
  for (int i = 0; i < count; i++) {
    const mirror_dof *m = &mirror[i];
    float rest = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).rest;
    float there = sinew_rig_dof_info(rig, sinew_rig_dof(rig, m->other)).rest;
    if (m->sign == 0)
      left += values[i] != rest;
    else
      dest[m->other] = there + m->sign * (values[i] - rest);
  }
  return left;
}
