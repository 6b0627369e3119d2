/* See batch_cases.h. */
#include "batch_cases.h"

#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <float.h>
#include <stdlib.h>

enum { guard = 17 }; /* odd, so that nothing is aligned */
static const float untouched = 12345.678f;

bool crowd_can(int lanes) {
  static bool said;
  sinew_builder *b = sinew_builder_create("empty", NULL);
  sinew_rig *rig = make_rig(b, NULL);
  sinew_batch *batch =
      sinew_batch_create(rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), 1, lanes }, NULL);
  bool can = batch != NULL;
  sinew_batch_destroy(batch);
  sinew_rig_destroy(rig);
  if (!can && lanes == 8 && !said) {
    mu_skip("every test of the batch with 8 lanes", "this machine has no AVX2");
    said = true;
  }
  return can;
}

static float one_dof(sinew_dof_info info, int kind, uint32_t *seed) {
  bool wide = info.max - info.min > 1e6f;
  float low = wide ? -400 : info.min, high = wide ? 400 : info.max;
  float inside = make_between(seed, low, high);
  switch (kind) {
  case 0: return info.rest;
  case 1: return make_index(seed, 2) ? info.min : info.max;
  case 2: return inside + make_between(seed, -1, 1) * (high - low);
  case 3: return 5 * roundf(inside / 5);
  case 4:
    if (!wide || make_index(seed, 3)) return inside;
    return (make_index(seed, 2) ? 1 : -1) * powf(10, make_between(seed, 4, 20));
  default: return inside;
  }
}

void crowd_dofs(const sinew_rig *rig, int count, uint32_t *seed, float *dest) {
  int dofs = sinew_rig_dof_count(rig);
  for (int i = 0; i < count; i++) {
    int kind = make_index(seed, 8);
    for (int k = 0; k < dofs; k++) {
      /* a character has values of one kind, or of all */
      int own = kind == 7 ? make_index(seed, 7) : kind;
      *dest++ = one_dof(sinew_rig_dof_info(rig, sinew_rig_dof(rig, k)), own, seed);
    }
  }
}

/* the expected results, from poses */
typedef struct verdict {
  float *worlds;
  sinew_status status;
  char text[SINEW_ERROR_TEXT + 64];
} verdict;

static void ask_poses(const sinew_rig *rig, const float *dofs, int count, verdict *dest) {
  int n = sinew_rig_dof_count(rig);
  size_t floats = 16 * (size_t)sinew_rig_segment_count(rig);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *undriven = sinew_pose_create(rig, NULL);
  dest->worlds = malloc((size_t)count * floats * sizeof(float) + 1);
  dest->status = SINEW_OK;
  dest->text[0] = '\0';
  for (int i = 0; i < count; i++) {
    sinew_error error;
    sinew_status set = sinew_pose_set_all(pose, dofs + (size_t)i * (size_t)n, n, &error);
    sinew_status status = set < 0 ? set : sinew_pose_eval(pose, &error);
    memcpy(dest->worlds + (size_t)i * floats, sinew_pose_worlds(status < 0 ? undriven : pose),
           floats * sizeof(float));
    if (status < 0 && dest->status >= 0) {
      dest->status = status;
      snprintf(dest->text, sizeof dest->text, "character %d: %s", i + 1, error.text);
    }
    if (set == SINEW_CLAMPED && dest->status == SINEW_OK) dest->status = SINEW_CLAMPED;
  }
}

static double numbers_off(const float *given, const float *right, size_t count, size_t *worst) {
  double off = 0;
  for (size_t i = 0; i < count; i++) {
    double a = (double)given[i], b = (double)right[i], here = fabs(a - b) / (1 + fabs(b));
    /* the bottom rows have the same bits, including the sign of a zero */
    if (i % 4 == 3 && memcmp(&given[i], &right[i], sizeof *given) != 0)
      here = INFINITY;
    else if (a == b || (isnan(a) && isnan(b)))
      continue;
    if (!(here <= off)) off = isnan(here) ? INFINITY : here, *worst = i;
  }
  return off;
}

static double verdict_off(sinew_batch *batch, const float *dofs, int count, const verdict *right) {
  size_t floats = (size_t)count * 16 * (size_t)sinew_rig_segment_count(sinew_batch_rig(batch));
  FREED float *room = malloc((floats + 2 * guard) * sizeof *room);
  for (size_t i = 0; i < floats + 2 * guard; i++) room[i] = untouched;
  sinew_error error;
  sinew_error_clear(&error);
  sinew_status status = sinew_batch_eval(batch, dofs, count, room + guard, &error);
  size_t worst = 0;
  double off = numbers_off(room + guard, right->worlds, floats, &worst);
  for (int i = 0; i < guard; i++)
    if (room[i] != untouched || room[guard + floats + (size_t)i] != untouched) off = INFINITY;
  if (off > 1e-6 && floats)
    printf("%d lanes, %d characters: float %zu is %.9g, expected %.9g\n", sinew_batch_lanes(batch),
           count, worst, (double)room[guard + worst], (double)right->worlds[worst]);
  if (status != right->status || strcmp(error.text, right->text) != 0) {
    printf("%d lanes, %d characters: status %d '%s', expected %d '%s'\n", sinew_batch_lanes(batch),
           count, (int)status, error.text, (int)right->status, right->text);
    off = INFINITY;
  }
  return off;
}

double crowd_off(const sinew_rig *rig, const float *dofs, int count, int threads) {
  verdict right;
  ask_poses(rig, dofs, count, &right);
  double off = 0;
  for (int lanes = 4; lanes <= 8; lanes += 4) {
    if (!crowd_can(lanes)) continue;
    sinew_error error;
    OWNED(batch) *batch = sinew_batch_create(
        rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), threads, lanes }, &error);
    if (!batch) {
      printf("%s\n", error.text);
      off = INFINITY;
      continue;
    }
    /* earlier evaluations do not affect the result */
    off = fmax(off, verdict_off(batch, dofs, count, &right));
    off = fmax(off, verdict_off(batch, dofs, count, &right));
  }
  free(right.worlds);
  return off;
}

double crowd_batch_off(sinew_batch *batch, const float *dofs, int count) {
  verdict right;
  ask_poses(sinew_batch_rig(batch), dofs, count, &right);
  double off = verdict_off(batch, dofs, count, &right);
  free(right.worlds);
  return off;
}

double crowd_all_off(const sinew_rig *rig, int most, uint32_t *seed) {
  size_t dofs = (size_t)sinew_rig_dof_count(rig);
  FREED float *values = malloc(((size_t)most + 17) * dofs * sizeof *values + 1);
  double off = 0;
  for (int count = 1; count <= 17; count += 1 + make_index(seed, 3)) {
    crowd_dofs(rig, count, seed, values);
    off = fmax(off, crowd_off(rig, values, count, 1));
  }
  crowd_dofs(rig, most, seed, values);
  off = fmax(off, crowd_off(rig, values, most, 1));
  return off;
}
