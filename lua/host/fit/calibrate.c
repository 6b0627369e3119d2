/* Fits parameters and DOFs of a rig to markers over a clip; see sinew/calibrate.h.
 *
 * Minimises |marker - target|^2 / noise^2 over all frames plus ((p - p0) / sigma)^2 over the free
 * numbers p. The DOFs q of a frame are the solver's solution for p (variable projection, Golub and
 * Pereyra 1973, in Kaufman's form): with Jp and Jq the derivatives of a frame's residuals r, the
 * projector (I - Jq Jq+) leaves the part of Jp and r that the DOFs cannot explain. That part gives
 * the normal equations of a damped Gauss-Newton step in p alone. Jp and Jq are finite differences,
 * by live changes of the rig. */
#include "sinew/calibrate.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "lua/host/fit/knob.h"
#include "math/matrix.h"
#include "sinew/solve.h"

#include <math.h>

typedef struct work {
  sinew_host *host;
  sinew_pose *pose;
  const sinew_fit_parts *parts;
  const sinew_calibrate_options *options;
  si_knob *knobs;
  int knob_count, numbers, frames, rows, dofs, moved; /* rows: residuals of a frame */
  sinew_solver *solver;
  float *targets;          /* frames x markers x 3, NaN: missing */
  float *values, *best;    /* frames x dofs: current, and those of the best numbers */
  float *p, *trial;        /* the numbers */
  float *start, *sigma;    /* numbers of all knobs, one after the other */
  float *points;           /* rows: the markers of the pose */
  double *residuals;       /* frames x rows */
  double *jp;              /* numbers x frames x rows */
  double *jq;              /* moved x rows */
  double *normal, *factor; /* numbers x numbers */
  double *right, *step;    /* numbers */
} work;

sinew_calibrate_options sinew_default_calibrate_options(void) {
  return (sinew_calibrate_options){ .size = sizeof(sinew_calibrate_options),
                                    .frames = 40,
                                    .iterations = 25,
                                    .prior = 1,
                                    .noise = 0.001f };
}

static void markers_of(const work *w, float *dest) {
  for (int m = 0; m < w->parts->part_count; m++)
    si_mat_point(sinew_pose_world(w->pose, w->parts->parts[m].segment), w->parts->parts[m].point,
                 dest + 3 * m);
}

static double weight_of(const work *w, int marker) {
  return sqrt((double)w->parts->parts[marker].weight) / (double)w->options->noise;
}

/* residuals of a frame at the evaluated pose; those of missing markers are 0 */
static void residuals_of(const work *w, int frame, double *dest) {
  const float *target = w->targets + (size_t)frame * (size_t)w->rows;
  markers_of(w, w->points);
  for (int i = 0; i < w->rows; i++)
    dest[i] =
        isnan(target[i]) ? 0 : weight_of(w, i / 3) * ((double)w->points[i] - (double)target[i]);
}

static sinew_status apply(const work *w, const float *p, sinew_error *error) {
  for (int k = 0; k < w->knob_count; k++) {
    sinew_status status = si_knob_set(&w->knobs[k], w->host, p, error);
    if (status < 0) return status;
    p += w->knobs[k].count;
  }
  return SINEW_OK;
}

/* spends for an evaluation, the residuals of its pose, and `products` of columns of residuals */
static sinew_status spend(const work *w, size_t products, sinew_error *error) {
  const size_t components = (size_t)sinew_rig_component_count(sinew_host_rig(w->host));
  const size_t rows = (size_t)w->rows;
  return si_work(10 + 8 * components + 5 * rows + products * (1 + rows / 8))
             ? SINEW_OK
             : si_fail_memory(error);
}

static sinew_status pose_frame(const work *w, int frame, sinew_error *error) {
  sinew_status status = spend(w, 0, error);
  if (status < 0) return status;
  sinew_pose_set_all(w->pose, w->values + (size_t)frame * (size_t)w->dofs, w->dofs, NULL);
  return sinew_host_eval(w->host, w->pose, error);
}

/* solves a frame, starting from the DOFs of the pose */
static sinew_status solve_frame(const work *w, int frame, bool cold, sinew_error *error) {
  const float *target = w->targets + (size_t)frame * (size_t)w->rows;
  for (int m = 0; m < w->parts->part_count; m++) {
    sinew_goal goal = sinew_solver_goal(w->solver, m);
    const bool there = !isnan(target[3 * m]);
    goal.weight = there ? w->parts->parts[m].weight : 0;
    if (there) memcpy(goal.target, target + 3 * m, sizeof goal.target);
    sinew_status status = sinew_solver_set_goal(w->solver, m, &goal, error);
    if (status < 0) return status;
  }
  sinew_solve_options options = sinew_default_solve_options();
  options.iterations = cold ? 200 : 40;
  options.restarts = cold;
  options.tolerance = 1e-6f;
  sinew_status status = sinew_solver_solve(w->solver, w->pose, &options, NULL, error);
  if (status < 0) return status;
  memcpy(w->values + (size_t)frame * (size_t)w->dofs, sinew_pose_dofs(w->pose),
         (size_t)w->dofs * sizeof(float));
  residuals_of(w, frame, w->residuals + (size_t)frame * (size_t)w->rows);
  return SINEW_OK;
}

static double frame_cost(const work *w, int frame) {
  const double *r = w->residuals + (size_t)frame * (size_t)w->rows;
  double sum = 0;
  for (int i = 0; i < w->rows; i++) sum += r[i] * r[i];
  return sum;
}

/* solves all frames, each starting from its own last DOFs */
static sinew_status solve_all(const work *w, sinew_error *error) {
  for (int f = 0; f < w->frames; f++) {
    sinew_pose_set_all(w->pose, w->values + (size_t)f * (size_t)w->dofs, w->dofs, NULL);
    sinew_status status = solve_frame(w, f, false, error);
    if (status < 0) return status;
  }
  return SINEW_OK;
}

/* solves a frame starting from a neighbour's DOFs; keeps the result if it is better */
static sinew_status solve_from(const work *w, int frame, int from, sinew_error *error) {
  float *own = w->values + (size_t)frame * (size_t)w->dofs;
  float *kept = w->best + (size_t)frame * (size_t)w->dofs;
  const size_t bytes = (size_t)w->dofs * sizeof *own;
  const double before = frame_cost(w, frame);
  memcpy(kept, own, bytes);
  sinew_pose_set_all(w->pose, w->values + (size_t)from * (size_t)w->dofs, w->dofs, NULL);
  sinew_status status = solve_frame(w, frame, from == frame, error);
  if (status < 0 || frame_cost(w, frame) < before) return status;
  memcpy(own, kept, bytes);
  status = pose_frame(w, frame, error);
  residuals_of(w, frame, w->residuals + (size_t)frame * (size_t)w->rows);
  return status;
}

/* Starts each frame from the previous one, the first from rest. A solver that starts on the wrong
 * side can get stuck at limits inside the rig, so each frame is also tried from other poses and
 * from the frame after it. */
static sinew_status solve_first(const work *w, sinew_error *error) {
  sinew_status status = SINEW_OK;
  sinew_pose_reset(w->pose);
  for (int f = 0; status >= 0 && f < w->frames; f++) status = solve_frame(w, f, f == 0, error);
  for (int f = w->frames - 1; status >= 0 && f >= 0; f--) {
    status = solve_from(w, f, f, error);
    if (status >= 0 && f + 1 < w->frames) status = solve_from(w, f, f + 1, error);
  }
  return status;
}

static double pull(const work *w, int i, float value) {
  return sqrt((double)w->options->prior) * ((double)value - (double)w->start[i]) /
         (double)w->sigma[i];
}

static double cost_of(const work *w, const float *p) {
  double sum = 0;
  for (size_t i = 0; i < (size_t)w->frames * (size_t)w->rows; i++)
    sum += w->residuals[i] * w->residuals[i];
  for (int i = 0; i < w->numbers; i++) sum += pull(w, i, p[i]) * pull(w, i, p[i]);
  return sum;
}

static float rms_of(const work *w) {
  double sum = 0;
  size_t count = 0;
  for (int f = 0; f < w->frames; f++)
    for (int m = 0; m < w->parts->part_count; m++) {
      const size_t at = (size_t)f * (size_t)w->rows + 3 * (size_t)m;
      const double weight = weight_of(w, m);
      if (isnan(w->targets[at]) || !(weight > 0)) continue;
      count++;
      for (size_t k = 0; k < 3; k++)
        sum += w->residuals[at + k] * w->residuals[at + k] / (weight * weight);
    }
  return count ? (float)sqrt(sum / (double)count) : 0;
}

/* finite differences of all residuals by each number; the rig ends at p */
static sinew_status differentiate_numbers(const work *w, sinew_error *error) {
  const size_t all = (size_t)w->frames * (size_t)w->rows;
  memcpy(w->trial, w->p, (size_t)w->numbers * sizeof *w->p);
  for (int i = 0; i < w->numbers; i++) {
    double *dest = w->jp + (size_t)i * all;
    w->trial[i] = w->p[i] + 0.01f * w->sigma[i];
    /* at a bound of the parameter: step in the other direction */
    if (apply(w, w->trial, error) < 0) {
      w->trial[i] = w->p[i] - 0.01f * w->sigma[i];
      sinew_status status = apply(w, w->trial, error);
      if (status < 0) return status;
    }
    const double by = (double)w->trial[i] - (double)w->p[i];
    for (int f = 0; f < w->frames; f++) {
      double *row = dest + (size_t)f * (size_t)w->rows;
      sinew_status status = pose_frame(w, f, error);
      if (status < 0) return status;
      residuals_of(w, f, row);
      for (int r = 0; r < w->rows; r++)
        row[r] = (row[r] - w->residuals[(size_t)f * (size_t)w->rows + (size_t)r]) / by;
    }
    w->trial[i] = w->p[i];
  }
  return apply(w, w->p, error);
}

static double dot(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* computes an orthonormal basis of the residuals that the DOFs of a frame can change, in w->jq;
 * returns its size, or -1. Leaves out DOFs at an end of their range. */
static int basis_of_dofs(const work *w, int frame, sinew_error *error) {
  const sinew_rig *rig = sinew_host_rig(w->host);
  const double *residual = w->residuals + (size_t)frame * (size_t)w->rows;
  int count = 0;
  if (pose_frame(w, frame, error) < 0) return -1;
  for (int d = 0; d < w->moved; d++) {
    const sinew_dof dof = sinew_solver_dof(w->solver, d);
    const sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    const float value = sinew_pose_get(w->pose, dof), step = 5e-4f * (info.max - info.min);
    if (value + step > info.max || value - step < info.min) continue;
    double *column = w->jq + (size_t)count * (size_t)w->rows;
    sinew_pose_set(w->pose, dof, value + step, NULL);
    if (spend(w, 4 * (size_t)count, error) < 0 || sinew_host_eval(w->host, w->pose, error) < 0)
      return -1;
    residuals_of(w, frame, column);
    sinew_pose_set(w->pose, dof, value, NULL);
    for (int r = 0; r < w->rows; r++) column[r] = (column[r] - residual[r]) / (double)step;
    const double before = sqrt(dot(column, column, w->rows));
    for (int twice = 0; twice < 2; twice++)
      for (int b = 0; b < count; b++) {
        const double *base = w->jq + (size_t)b * (size_t)w->rows;
        const double along = dot(base, column, w->rows);
        for (int r = 0; r < w->rows; r++) column[r] -= along * base[r];
      }
    const double length = sqrt(dot(column, column, w->rows));
    if (!(length > 1e-3 * before) || !(length > 0)) continue;
    for (int r = 0; r < w->rows; r++) column[r] /= length;
    count++;
  }
  return count;
}

static sinew_status make_normal(const work *w, sinew_error *error) {
  const int n = w->numbers;
  const size_t all = (size_t)w->frames * (size_t)w->rows;
  memset(w->normal, 0, (size_t)n * (size_t)n * sizeof *w->normal);
  memset(w->right, 0, (size_t)n * sizeof *w->right);
  for (int f = 0; f < w->frames; f++) {
    const int count = basis_of_dofs(w, f, error);
    if (count < 0) return error ? error->status : SINEW_ERR_VALUE;
    sinew_status status = spend(w, (size_t)n * (size_t)(2 * count + n / 2), error);
    if (status < 0) return status;
    const size_t at = (size_t)f * (size_t)w->rows;
    for (int i = 0; i < n; i++) {
      double *column = w->jp + (size_t)i * all + at;
      for (int b = 0; b < count; b++) {
        const double *base = w->jq + (size_t)b * (size_t)w->rows;
        const double along = dot(base, column, w->rows);
        for (int r = 0; r < w->rows; r++) column[r] -= along * base[r];
      }
    }
    for (int i = 0; i < n; i++) {
      const double *column = w->jp + (size_t)i * all + at;
      w->right[i] -= dot(column, w->residuals + at, w->rows);
      for (int j = 0; j <= i; j++)
        w->normal[i * n + j] += dot(column, w->jp + (size_t)j * all + at, w->rows);
    }
  }
  for (int i = 0; i < n; i++) {
    const double inverse = sqrt((double)w->options->prior) / (double)w->sigma[i];
    w->normal[i * n + i] += inverse * inverse;
    w->right[i] -= inverse * pull(w, i, w->p[i]);
  }
  return SINEW_OK;
}

/* (normal + damping / sigma^2) step = right, by Cholesky; false if the matrix is not positive
 * definite */
static bool solve_step(const work *w, double damping) {
  const int n = w->numbers;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = w->normal[i * n + j];
      if (i == j) sum += damping / ((double)w->sigma[i] * (double)w->sigma[i]);
      sum -= dot(w->factor + i * n, w->factor + j * n, j);
      if (i == j && !(sum > 0)) return false;
      w->factor[i * n + j] = i == j ? sqrt(sum) : sum / w->factor[j * n + j];
    }
  for (int i = 0; i < n; i++)
    w->step[i] = (w->right[i] - dot(w->factor + i * n, w->step, i)) / w->factor[i * n + i];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) w->step[i] -= w->factor[j * n + i] * w->step[j];
    w->step[i] /= w->factor[i * n + i];
  }
  return true;
}

/* one step that lowers the cost; *cost becomes the new cost. False if no step does. */
static bool descend(const work *w, double *damping, double *cost, sinew_status *status,
                    sinew_error *error) {
  const size_t values = (size_t)w->frames * (size_t)w->dofs * sizeof *w->values;
  *status = differentiate_numbers(w, error);
  if (*status >= 0) *status = make_normal(w, error);
  if (*status < 0) return false;
  memcpy(w->best, w->values, values);
  const double before = *cost;
  for (int tries = 0; tries < 12; tries++, *damping *= 5) {
    if (!solve_step(w, *damping)) continue;
    for (int i = 0; i < w->numbers; i++) w->trial[i] = w->p[i] + (float)w->step[i];
    sinew_error refused;
    if (apply(w, w->trial, &refused) >= 0) {
      *status = solve_all(w, error);
      if (*status < 0) return false;
      *cost = cost_of(w, w->trial);
      if (*cost < before) {
        memcpy(w->p, w->trial, (size_t)w->numbers * sizeof *w->p);
        *damping = fmax(*damping / 8, 1e-6);
        return *cost < before * (1 - 1e-5);
      }
    }
    memcpy(w->values, w->best, values);
  }
  *status = apply(w, w->p, error);
  if (*status >= 0) *status = solve_all(w, error);
  return false;
}

static sinew_status run(const work *w, sinew_calibrate_report *report, sinew_error *error) {
  sinew_status status = solve_first(w, error);
  if (status < 0) return status;
  double damping = 1, cost = cost_of(w, w->p);
  report->before = rms_of(w);
  for (bool more = true; more && report->iterations < w->options->iterations;) {
    report->iterations++;
    more = descend(w, &damping, &cost, &status, error);
    if (status < 0) return status;
    if (w->options->progress)
      w->options->progress(report->iterations, w->options->iterations, rms_of(w), w->options->user);
  }
  report->after = rms_of(w);
  return SINEW_OK;
}

/* reads the positions of the motion's markers or joints in the chosen frames */
static sinew_status read_targets(work *w, const sinew_motion *motion, sinew_error *error) {
  const bool joints = sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON;
  const int last = sinew_motion_frame_count(motion) - 1;
  float *worlds = si_alloc_array((size_t)sinew_motion_joint_count(motion) + 1, 16 * sizeof *worlds);
  sinew_status status = worlds ? SINEW_OK : si_fail_memory(error);
  for (int f = 0; status >= 0 && f < w->frames; f++) {
    const int frame = w->frames > 1 ? (int)((int64_t)last * f / (w->frames - 1)) : 0;
    if (joints) sinew_motion_worlds(motion, frame, worlds);
    for (int m = 0; m < w->parts->part_count; m++) {
      const size_t i = (size_t)w->parts->parts[m].source;
      const float *p = joints ? worlds + 16 * i + 12 : sinew_motion_markers(motion, frame) + 3 * i;
      float *dest = w->targets + (size_t)f * (size_t)w->rows + 3 * (size_t)m;
      dest[0] = p[0];
      dest[1] = w->options->z_up ? p[2] : p[1];
      dest[2] = w->options->z_up ? -p[1] : p[2];
    }
  }
  si_free(worlds);
  return status;
}

static sinew_status make_solver(work *w, sinew_error *error) {
  sinew_goal *goals = si_alloc_array((size_t)w->parts->part_count, sizeof *goals);
  if (!goals) return si_fail_memory(error);
  for (int m = 0; m < w->parts->part_count; m++) {
    goals[m] = sinew_default_goal(SINEW_GOAL_POINT, w->parts->parts[m].segment);
    memcpy(goals[m].point, w->parts->parts[m].point, sizeof goals[m].point);
    goals[m].weight = w->parts->parts[m].weight;
  }
  const sinew_solver_desc desc = { .size = sizeof desc,
                                   .goals = goals,
                                   .goal_count = w->parts->part_count,
                                   .dofs = w->parts->dofs,
                                   .dof_count = w->parts->dof_count };
  w->solver = sinew_solver_create(sinew_host_rig(w->host), &desc, error);
  si_free(goals);
  if (!w->solver) return error ? error->status : SINEW_ERR_MEMORY;
  w->moved = sinew_solver_dof_count(w->solver);
  return SINEW_OK;
}

/* lays out the memory; the first call, with base NULL, measures it */
static void lay_out(work *w, si_carver *c) {
  const size_t n = (size_t)w->numbers, rows = (size_t)w->rows, frames = (size_t)w->frames;
  const size_t f = sizeof(float), d = sizeof(double);
  w->targets = si_carve(c, frames * rows, f, 16);
  w->values = si_carve(c, frames * (size_t)w->dofs, f, 16);
  w->best = si_carve(c, frames * (size_t)w->dofs, f, 16);
  w->p = si_carve(c, n, f, 16);
  w->trial = si_carve(c, n, f, 16);
  w->start = si_carve(c, n, f, 16);
  w->sigma = si_carve(c, n, f, 16);
  w->points = si_carve(c, rows, f, 16);
  w->residuals = si_carve(c, frames * rows, d, 16);
  w->jp = si_carve(c, n * frames, rows * d, 16);
  w->jq = si_carve(c, (size_t)w->moved + 1, rows * d, 16);
  w->normal = si_carve(c, n * n, d, 16);
  w->factor = si_carve(c, n * n, d, 16);
  w->right = si_carve(c, n, d, 16);
  w->step = si_carve(c, n, d, 16);
}

static bool same_place(const si_knob *a, const si_knob *b) {
  if (a->segment.id || b->segment.id) return a->segment.id == b->segment.id;
  return a->component.id == b->component.id && strcmp(a->param, b->param) == 0;
}

static sinew_status find_knobs(work *w, const char *const *names, int count, sinew_error *error) {
  for (int i = 0; i < count; i++) {
    sinew_status status = si_knob_find(sinew_host_rig(w->host), names[i], &w->knobs[i], error);
    if (status < 0) return status;
    w->knob_count++;
    w->numbers += w->knobs[i].count;
    for (int j = 0; j < i; j++)
      if (same_place(&w->knobs[i], &w->knobs[j]))
        return si_fail(error, SINEW_ERR_VALUE, "'%s' and '%s' name the same numbers", names[j],
                       names[i]);
  }
  if (w->numbers > SINEW_CALIBRATE_NUMBERS)
    return si_fail(error, SINEW_ERR_LIMIT, "%d numbers are free, at most %d are allowed",
                   w->numbers, SINEW_CALIBRATE_NUMBERS);
  return SINEW_OK;
}

static sinew_status check_options(const sinew_calibrate_options *o, int free_count,
                                  sinew_error *error) {
  if (free_count < 1)
    return si_fail(error, SINEW_ERR_VALUE, "calibrate: no free numbers are given");
  if (o->frames < 1 || o->frames > 10000 || o->iterations < 1 || o->iterations > 10000 ||
      !(o->prior >= 0 && o->prior <= 1e6f) || !(o->noise >= 1e-6f && o->noise <= 10))
    return si_fail(
        error, SINEW_ERR_VALUE,
        "calibrate: out of range: frames and iterations must be 1 to 10000, the prior 0 to "
        "1e6, the noise 1e-6 to 10 m");
  return SINEW_OK;
}

sinew_status sinew_calibrate(sinew_host *host, const sinew_motion *motion,
                             const sinew_fit_parts *parts, const char *const *free, int free_count,
                             const sinew_calibrate_options *options, sinew_tuning *tuning,
                             sinew_calibrate_report *report, sinew_error *error) {
  sinew_calibrate_options whole = sinew_default_calibrate_options();
  sinew_calibrate_report mine;
  void *block = NULL;
  if (!SI_TAKE_DESC(calibrate_options, options, &whole, error)) return SINEW_ERR_CALL;
  if (!report) report = &mine;
  *report = (sinew_calibrate_report){ 0 };
  sinew_status status = check_options(options, free_count, error);
  if (status < 0) return status;
  const int there = sinew_motion_frame_count(motion);
  work w = { .host = host,
             .pose = sinew_host_pose(host),
             .parts = parts,
             .options = options,
             .frames = options->frames < there ? options->frames : there,
             .rows = 3 * parts->part_count,
             .dofs = sinew_rig_dof_count(sinew_host_rig(host)) };
  w.knobs = si_alloc_array((size_t)free_count, sizeof *w.knobs);
  status = w.knobs ? find_knobs(&w, free, free_count, error) : si_fail_memory(error);
  if (status >= 0) status = make_solver(&w, error);
  if (status >= 0) {
    si_carver carver = { 0 };
    lay_out(&w, &carver);
    block = si_alloc(carver.used);
    carver = (si_carver){ .base = block };
    if (block)
      lay_out(&w, &carver);
    else
      status = si_fail_memory(error);
  }
  if (status >= 0) status = read_targets(&w, motion, error);
  if (status >= 0) {
    for (int k = 0, at = 0; k < w.knob_count; at += w.knobs[k++].count) {
      const size_t bytes = (size_t)w.knobs[k].count * sizeof(float);
      memcpy(w.start + at, w.knobs[k].start, bytes);
      memcpy(w.p + at, w.knobs[k].start, bytes);
      memcpy(w.sigma + at, w.knobs[k].sigma, bytes);
    }
    report->frames = w.frames;
    report->markers = parts->part_count;
    report->numbers = w.numbers;
    status = run(&w, report, error);
    for (int k = 0; status >= 0 && tuning && k < w.knob_count; k++)
      status = si_knob_note(&w.knobs[k], tuning, error);
    sinew_budget *before = sinew_budget_enter(NULL); /* which may be used up */
    for (int k = 0; status < 0 && k < w.knob_count; k++) si_knob_reset(&w.knobs[k], host);
    sinew_budget_leave(before);
  }
  sinew_solver_destroy(w.solver);
  for (int k = 0; k < w.knob_count; k++) si_knob_free(&w.knobs[k]);
  si_free(w.knobs);
  si_free(block);
  return status;
}
