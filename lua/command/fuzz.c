/* Checks random poses: finite, within limits, repeatable, continuous. To find jumps, each DOF makes
 * a small step, and one DOF goes over its whole range, bisecting towards the least even movement. A
 * step that moves a segment far is bisected: a continuous movement becomes smaller with it, a jump
 * does not. A failing pose is reduced, DOF by DOF towards rest, while it still fails in the same
 * way. */
#include "lua/command/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum fault { NO_FAULT, NOT_EVALUATED, NOT_HELD, NOT_REPEATED, JUMPED } fault;

typedef struct fuzz {
  sinew_host *host;
  const sinew_rig *rig;
  const fuzz_options *options;
  sinew_pose *pose, *again; /* `again` has been through other poses */
  int dofs, segments;
  float *values, *smaller; /* DOF values, and those of a reduced case */
  float *at[5];            /* world matrices at several values of one DOF, in order */
  uint64_t state;
  int stepped; /* the DOF whose step jumped */
  char text[SINEW_ERROR_TEXT];
} fuzz;

static double random_unit(fuzz *f) {
  f->state ^= f->state << 13;
  f->state ^= f->state >> 7;
  f->state ^= f->state << 17;
  return (double)(f->state >> 11) / 9007199254740992.0;
}

static sinew_dof_info dof_info(const fuzz *f, int i) {
  return sinew_rig_dof_info(f->rig, sinew_rig_dof(f->rig, i));
}

static bool evaluate(fuzz *f, sinew_pose *pose, const float *values) {
  sinew_error error;
  sinew_pose_set_all(pose, values, f->dofs, NULL);
  if (sinew_host_eval(f->host, pose, &error) >= 0) return true;
  snprintf(f->text, sizeof f->text, "%s", error.text);
  return false;
}

/* the angle between the orientations of two matrices, in degrees */
static double turned(const float *a, const float *b) {
  double trace = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) trace += (double)a[4 * i + k] * (double)b[4 * i + k];
  double cosine = (trace - 1) / 2;
  return acos(fmin(fmax(cosine, -1), 1)) * 180 / 3.14159265358979323846;
}

static double moved(const float *a, const float *b) {
  double sum = 0;
  for (int i = 12; i < 15; i++) sum += pow((double)a[i] - (double)b[i], 2);
  return sqrt(sum);
}

/* the distance of a segment between two sets of world matrices, relative to the bounds */
static double segment_change(const fuzz *f, const float *a, const float *b, size_t segment) {
  a += 16 * segment;
  b += 16 * segment;
  double turn = turned(a, b) / (f->options->jump_degrees + 1e-9);
  return fmax(turn, moved(a, b) / (f->options->jump_metres + 1e-9));
}

/* the largest distance of all segments, and its segment */
static double change(const fuzz *f, const float *a, const float *b, size_t *dest) {
  double most = 0;
  for (size_t s = 0; s < (size_t)f->segments; s++) {
    double now = segment_change(f, a, b, s);
    if (!(now > most)) continue;
    most = now;
    if (dest) *dest = s;
  }
  return most;
}

static void swap(float **a, float **b) {
  float *was = *a;
  *a = *b;
  *b = was;
}

/* evaluates the pose with one DOF changed; if that fails, leaves it in `values` */
static bool step_to(fuzz *f, float *values, int dof, float value, float *dest) {
  sinew_error error;
  sinew_pose_set(f->pose, sinew_rig_dof(f->rig, dof), value, NULL);
  if (sinew_host_eval(f->host, f->pose, &error) < 0) {
    snprintf(f->text, sizeof f->text, "%s", error.text);
    values[dof] = value;
    return false;
  }
  memcpy(dest, sinew_pose_worlds(f->pose), 16 * (size_t)f->segments * sizeof(float));
  return true;
}

/* bisects a step that moves a segment far, between the matrices at[1] and at[3], until the distance
 * is small or no number is left between the ends */
static fault halve_step(fuzz *f, float *values, int dof, float to) {
  enum { most = 40 };
  float from = values[dof];
  size_t segment = 0;
  for (int n = 0; n < most && change(f, f->at[1], f->at[3], &segment) > 1; n++) {
    float middle = from + 0.5f * (to - from);
    if (middle == from || middle == to) break;
    if (!step_to(f, values, dof, middle, f->at[2])) return NOT_EVALUATED;
    if (change(f, f->at[1], f->at[2], NULL) > change(f, f->at[2], f->at[3], NULL)) {
      to = middle;
      swap(&f->at[2], &f->at[3]);
    } else {
      from = middle;
      swap(&f->at[2], &f->at[1]);
    }
  }
  const float *a = f->at[1] + 16 * segment, *b = f->at[3] + 16 * segment;
  if (change(f, f->at[1], f->at[3], NULL) <= 1) return NO_FAULT;
  f->stepped = dof;
  snprintf(f->text, sizeof f->text,
           "'%s' turns by %.3g degrees and moves by %.3g m when '%s' moves from %.9g to %.9g",
           sinew_rig_segment_info(f->rig, sinew_rig_segment(f->rig, (int)segment)).name,
           turned(a, b), moved(a, b), dof_info(f, dof).name, (double)fminf(from, to),
           (double)fmaxf(from, to));
  return JUMPED;
}

/* steps each DOF in turn from the evaluated pose; if a step cannot be evaluated, leaves it in
 * `values` */
static fault check_steps(fuzz *f, float *values, int only) {
  size_t bytes = 16 * (size_t)f->segments * sizeof(float);
  memcpy(f->at[0], sinew_pose_worlds(f->pose), bytes);
  for (int i = 0; i < f->dofs; i++) {
    if (only >= 0 && i != only) continue;
    sinew_dof_info dof = dof_info(f, i);
    float step = 0.001f * (dof.max - dof.min);
    float to = values[i] + step > dof.max ? values[i] - step : values[i] + step;
    if (!step_to(f, values, i, to, f->at[3])) return NOT_EVALUATED;
    if (change(f, f->at[0], f->at[3], NULL) > 1) {
      memcpy(f->at[1], f->at[0], bytes);
      fault found = halve_step(f, values, i, to);
      if (found != NO_FAULT) return found;
    }
    sinew_pose_set(f->pose, sinew_rig_dof(f->rig, i), values[i], NULL);
  }
  return NO_FAULT;
}

/* `only` is the DOF to step, or -1 for all */
static fault check_pose(fuzz *f, float *values, int only) {
  sinew_error error;
  if (!evaluate(f, f->pose, values)) return NOT_EVALUATED;
  if (sinew_pose_verify(f->pose, &error) < 0) {
    snprintf(f->text, sizeof f->text, "%s", error.text);
    return NOT_HELD;
  }
  /* a pose that went through other poses must give the same bits for the same DOFs */
  if (!evaluate(f, f->again, sinew_pose_dofs(f->pose))) return NOT_EVALUATED;
  if (memcmp(sinew_pose_worlds(f->pose), sinew_pose_worlds(f->again),
             16 * (size_t)f->segments * sizeof(float)) != 0) {
    snprintf(f->text, sizeof f->text, "the same DOFs gave other transforms the second time");
    return NOT_REPEATED;
  }
  return check_steps(f, values, only);
}

/* the largest distance of a segment at the middle from halfway between the ends: quadratic in the
 * step for a smooth movement, half of the jump for a jump */
static double unevenness(const fuzz *f, const float *a, const float *middle, const float *b) {
  double most = 0;
  for (size_t s = 0; s < 16 * (size_t)f->segments; s += 16) {
    double turn = 0, move = 0;
    for (size_t i = s; i < s + 15; i++) {
      double off = (double)a[i] - 2 * (double)middle[i] + (double)b[i];
      *(i < s + 12 ? &turn : &move) += off * off;
    }
    turn = sqrt(turn / 2) * 57.3 / (f->options->jump_degrees + 1e-9);
    most = fmax(most, fmax(turn, sqrt(move) / (f->options->jump_metres + 1e-9)));
  }
  return most;
}

static bool evaluate_at(fuzz *f, float *values, int dof, float value, float *dest) {
  values[dof] = value;
  if (!evaluate(f, f->pose, values)) return false;
  memcpy(dest, sinew_pose_worlds(f->pose), 16 * (size_t)f->segments * sizeof(float));
  return true;
}

/* bisects the range of one DOF down to the size of a step; leaves the place in `values` */
static fault chase_jump(fuzz *f, float *values, int dof) {
  float low = dof_info(f, dof).min, high = dof_info(f, dof).max;
  for (int k = 0; k < 5; k += 2)
    if (!evaluate_at(f, values, dof, low + 0.25f * (float)k * (high - low), f->at[k]))
      return NOT_EVALUATED;
  for (int i = 0; i < 10; i++) {
    float middle = low + 0.5f * (high - low);
    for (int k = 1; k < 5; k += 2)
      if (!evaluate_at(f, values, dof, low + 0.25f * (float)k * (high - low), f->at[k]))
        return NOT_EVALUATED;
    if (unevenness(f, f->at[0], f->at[1], f->at[2]) > unevenness(f, f->at[2], f->at[3], f->at[4])) {
      high = middle;
      swap(&f->at[4], &f->at[2]);
      swap(&f->at[2], &f->at[1]);
    } else {
      low = middle;
      swap(&f->at[0], &f->at[2]);
      swap(&f->at[2], &f->at[3]);
    }
  }
  values[dof] = low;
  return check_pose(f, values, dof);
}

/* moves DOFs to rest, then halves the others, while the failure persists */
static void shrink(fuzz *f, fault found) {
  static const float parts[] = { 0, 0.5f, 0.75f, 0.9f };
  int only = found == JUMPED ? f->stepped : -1;
  for (int round = 0; round < 40; round++) {
    bool better = false;
    for (int i = 0; i < f->dofs; i++) {
      float rest = dof_info(f, i).rest;
      for (int p = 0; p < 4 && f->values[i] != rest; p++) {
        memcpy(f->smaller, f->values, (size_t)f->dofs * sizeof(float));
        float wanted = rest + parts[p] * (f->values[i] - rest);
        if (wanted == f->values[i]) break;
        f->smaller[i] = wanted;
        if (check_pose(f, f->smaller, only) != found) continue;
        memcpy(f->values, f->smaller, (size_t)f->dofs * sizeof(float));
        better = true;
        break;
      }
    }
    if (!better) break;
  }
  check_pose(f, f->values, only); /* for its text */
}

static void report(const fuzz *f, fault found, long at) {
  static const char *const names[] = { "", "a pose cannot be evaluated", "a limit is not held",
                                       "evaluation is not repeatable", "a jump" };
  command_print("%s, in random pose %ld: %s\n  at", names[found], at + 1, f->text);
  int shown = 0;
  for (int i = 0; i < f->dofs; i++) {
    if (f->values[i] == dof_info(f, i).rest) continue;
    command_print(" '%s=%.9g'", dof_info(f, i).name, (double)f->values[i]);
    shown++;
  }
  command_print("%s\n", shown ? "" : " rest");
}

static void choose(fuzz *f) {
  /* some poses are near rest, some at the ends of the ranges, most anywhere */
  double kind = random_unit(f);
  for (int i = 0; i < f->dofs; i++) {
    sinew_dof_info dof = dof_info(f, i);
    double x = (double)dof.min + ((double)dof.max - (double)dof.min) * random_unit(f);
    if (kind < 0.2)
      x = (double)dof.rest + (x - (double)dof.rest) * 0.1;
    else if (kind < 0.4 && random_unit(f) < 0.5)
      x = random_unit(f) < 0.5 ? (double)dof.min : (double)dof.max;
    f->values[i] = (float)x;
  }
}

bool fuzz_rig(sinew_host *host, const fuzz_options *options) {
  sinew_rig *rig = sinew_host_rig(host);
  fuzz f = { .host = host,
             .rig = rig,
             .options = options,
             .dofs = sinew_rig_dof_count(rig),
             .segments = sinew_rig_segment_count(rig),
             .state = (options->seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) | 1 };
  f.pose = sinew_pose_create(rig, NULL);
  f.again = sinew_pose_create(rig, NULL);
  f.values = calloc((size_t)f.dofs + 1, sizeof(float));
  f.smaller = calloc((size_t)f.dofs + 1, sizeof(float));
  fault found = NO_FAULT;
  bool memory = f.pose && f.again && f.values && f.smaller;
  for (int k = 0; k < 5; k++) {
    f.at[k] = calloc(16 * (size_t)f.segments + 1, sizeof(float));
    memory = memory && f.at[k];
  }
  progress p = progress_start();
  long at = 0;
  for (; memory && at < options->poses; at++) {
    choose(&f);
    found = check_pose(&f, f.values, -1);
    if (found == NO_FAULT && f.dofs) found = chase_jump(&f, f.values, (int)(at % f.dofs));
    if (found != NO_FAULT) break;
    progress_show(&p, "trying poses", (double)at, (double)options->poses);
  }
  progress_end(&p);
  if (!memory) command_tell("sinew: out of memory\n");
  if (found != NO_FAULT) {
    shrink(&f, found);
    report(&f, found, at);
  } else if (memory) {
    command_print("%ld random poses: finite, within limits, repeatable, without jumps\n", at);
  }
  sinew_pose_destroy(f.pose);
  sinew_pose_destroy(f.again);
  free(f.values);
  free(f.smaller);
  for (int k = 0; k < 5; k++) free(f.at[k]);
  return memory && found == NO_FAULT;
}
