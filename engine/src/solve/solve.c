/* The Levenberg-Marquardt method with bounds, on exact derivatives. Special to rigs:
 *
 * - A DOF beyond a limit inside the rig is settled: moved back to the value that the limit lets
 *   through. Exactly there, the derivative is that of the free side. If the step goes further out,
 *   it would have no effect. Such a DOF is pushed out by a tiny amount and the derivative computed
 *   again, which is then that of the limit: other DOFs move instead, or it moves along the limit.
 * - If no step helps although goals are not reached, the search restarts elsewhere: first with the
 *   DOFs that have no effect moved half way to rest, then from random points in a fixed
 *   sequence. */
#include "solve/solve_internal.h"

#include "base/error_internal.h"
#include "evaluate/pose_internal.h"

#include <string.h>
#include <time.h>

enum { places_per_start = 16 };
static const float a_hair = 3e-4f; /* of a range */

/* one call of sinew_solver_solve */
typedef struct search {
  sinew_solver *s;
  sinew_pose *pose;
  const sinew_solve_options *o;
  sinew_solve_result *result;
  sinew_error *error;
  double started;
  double best_cost;
  double promised; /* the predicted cost of the last step, by the linear model */
  uint32_t random;
} search;

sinew_solve_options sinew_default_solve_options(void) {
  return (sinew_solve_options){ .size = sizeof(sinew_solve_options),
                                .iterations = 50,
                                .tolerance = 1e-4f,
                                .tolerance_turn = 0.1f,
                                .restarts = true,
                                .metres_per_radian = 0.3f };
}

const char *sinew_solve_end_name(sinew_solve_end end) {
  static const char *const names[] = { "reached", "nearest", "iterations", "seconds" };
  return (unsigned)end < 4 ? names[end] : "?";
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static float dof_value(const search *x, int i) { return x->s->value[i]; }

static void set_dof(const search *x, int i, float value) {
  const sinew_solver *s = x->s;
  if (value > s->most[i]) value = s->most[i];
  if (value < s->least[i]) value = s->least[i];
  if (value == s->value[i]) return;
  s->value[i] = value;
  sinew_pose_set(x->pose, s->dofs[i], value, NULL);
}

static float rest_of(const search *x, int i) {
  return x->o->rest ? x->o->rest[i] : x->s->rig->model.dofs[x->s->dofs[i].id - 1].rest;
}

static sinew_status evaluate(const search *x) {
  x->result->evaluations++;
  return sinew_pose_eval(x->pose, x->error);
}

/* fills the residuals and the errors of the result; returns half the sum of squares, posture
 * included */
static double cost_of(const search *x, double *rows) {
  const sinew_solver *s = x->s;
  double sum = 0;
  float off = 0, off_turn = 0;
  int at = 0;
  for (int g = 0; g < s->goal_count; g++) {
    const sinew_goal *goal = &s->goals[g];
    float e = si_goal_residual(goal, x->pose, x->o->metres_per_radian, rows + at);
    for (int k = 0; k < si_goal_rows(goal->kind); k++, at++) sum += rows[at] * rows[at];
    bool metres = goal->kind == SINEW_GOAL_POINT || goal->kind == SINEW_GOAL_DISTANCE;
    if (goal->weight > 0 && metres) off = fmaxf(off, e);
    if (goal->weight > 0 && !metres) off_turn = fmaxf(off_turn, e);
  }
  x->result->error = off;
  x->result->error_turn = off_turn;
  if (x->o->posture > 0)
    for (int i = 0; i < s->columns; i++) {
      double away = (double)((dof_value(x, i) - rest_of(x, i)) / s->range[i]);
      sum += (double)x->o->posture * away * away;
    }
  return sum / 2;
}

static bool reached(const search *x) {
  return x->result->error <= x->o->tolerance && x->result->error_turn <= x->o->tolerance_turn;
}

/* the largest amount by which a component holds one of its DOFs back, in ranges */
static float held_back(const sinew_solver *s, const float *values, int from, int to) {
  float most = 0;
  for (int k = from; k < to; k++)
    most = fmaxf(most,
                 fabsf(si_settle_amount(&s->settles[k], values)) / s->range[s->settles[k].column]);
  return most;
}

/* moves the DOFs at a limit further out */
static void push(const search *x, int from, int to, float hairs) {
  const sinew_solver *s = x->s;
  for (int k = from; k < to; k++) {
    int c = (int)s->settles[k].column;
    set_dof(x, c, dof_value(x, c) + s->outward[c] * hairs * a_hair * s->range[c]);
  }
}

static bool leaned(const sinew_solver *s, int from, int to) {
  bool any = false;
  for (int k = from; k < to; k++) any |= s->outward[s->settles[k].column] != 0;
  return any;
}

/* Moves DOFs back that are beyond a limit inside the rig, and up to it again if a step along the
 * limit has left it a little. Notes in which direction each is held. Updates the residuals and the
 * cost. If a DOF also moves something else and the cost would rise, moves nothing. */
static sinew_status settle(const search *x, double *cost) {
  sinew_solver *s = x->s;
  const float *values = si_pose_values(x->pose);
  sinew_status status = SINEW_OK;
  bool lost = false, any = false;
  for (int i = 0; i < s->columns; i++) s->start[i] = dof_value(x, i);
  for (int i = 0, next; i < s->settle_count; i = next) {
    next = si_settle_next(s->settles, s->settle_count, i);
    if (!leaned(s, i, next) || held_back(s, values, i, next) >= 1e-6f) continue;
    push(x, i, next, 10);
    lost = true;
  }
  if (lost) status = evaluate(x);
  if (status < 0) return status;
  if (lost) values = si_pose_values(x->pose);
  memset(s->outward, 0, (size_t)s->columns * sizeof *s->outward);
  for (int i = 0, next; i < s->settle_count; i = next) {
    next = si_settle_next(s->settles, s->settle_count, i);
    float most = held_back(s, values, i, next);
    if (most < 1e-6f) continue;
    for (int k = i; k < next; k++) {
      int c = (int)s->settles[k].column;
      float by = si_settle_amount(&s->settles[k], values);
      s->outward[c] = -by / (s->range[c] * most);
      set_dof(x, c, dof_value(x, c) + by);
    }
    any = true;
  }
  if (!any && !lost) return SINEW_OK;
  status = evaluate(x);
  double settled = status < 0 ? 0 : cost_of(x, s->residual);
  if (status < 0 || settled <= *cost * (1 + 1e-3)) {
    *cost = settled;
    return status;
  }
  memset(s->outward, 0, (size_t)s->columns * sizeof *s->outward);
  for (int i = 0; i < s->columns; i++) set_dof(x, i, s->start[i]);
  status = evaluate(x);
  if (status >= 0) *cost = cost_of(x, s->residual);
  return status;
}

static sinew_status jacobian_here(const search *x) {
  sinew_solver *s = x->s;
  sinew_status status = sinew_tangent_eval(s->tangent, x->pose, x->error);
  if (status < 0) return status;
  for (int g = 0, at = 0; g < s->goal_count; at += si_goal_rows(s->goals[g++].kind))
    si_goal_jacobian(&s->goals[g], s->tangent, x->pose, x->o->metres_per_radian, s->jacobian + at,
                     s->rows, s->spare);
  for (int c = 0; c < s->columns; c++)
    for (int k = 0; k < s->rows; k++) s->jacobian[c * s->rows + k] *= s->range[c];
  return SINEW_OK;
}

static double slope(const sinew_solver *s, int c) {
  double sum = 0;
  for (int k = 0; k < s->rows; k++) sum += (double)s->jacobian[c * s->rows + k] * s->residual[k];
  return sum;
}

/* the Jacobian: of the free side for DOFs that the goals pull inside, of the limit for those that
 * they pull further out */
static sinew_status jacobian(const search *x) {
  sinew_solver *s = x->s;
  sinew_status status = jacobian_here(x);
  bool pushed = false;
  for (int i = 0, next; status >= 0 && i < s->settle_count; i = next) {
    double lean = 0;
    next = si_settle_next(s->settles, s->settle_count, i);
    for (int k = i; k < next; k++) {
      int c = (int)s->settles[k].column;
      lean += slope(s, c) * (double)s->outward[c];
    }
    if (lean < 0) {
      push(x, i, next, 1);
      pushed = true;
    } else
      for (int k = i; k < next; k++) s->outward[s->settles[k].column] = 0;
  }
  if (!pushed || status < 0) return status;
  status = evaluate(x);
  return status < 0 ? status : jacobian_here(x);
}

static void bounds(const search *x) {
  sinew_solver *s = x->s;
  for (int i = 0; i < s->columns; i++) {
    double value = (double)dof_value(x, i), unit = (double)s->range[i];
    s->low[i] = ((double)s->least[i] - value) / unit;
    s->high[i] = ((double)s->most[i] - value) / unit;
    s->wish[i] = ((double)rest_of(x, i) - value) / unit;
    s->start[i] = (float)value;
  }
}

static void keep_best(search *x, double cost) {
  if (!(cost < x->best_cost)) return;
  x->best_cost = cost;
  for (int i = 0; i < x->s->columns; i++) x->s->best[i] = dof_value(x, i);
}

static bool out_of_time(const search *x) {
  return x->o->seconds > 0 && now() - x->started > x->o->seconds;
}

static sinew_status go(const search *x, double *rows, double *cost) {
  const sinew_solver *s = x->s;
  for (int i = 0; i < s->columns; i++)
    set_dof(x, i, s->start[i] + (float)(s->step[i] * (double)s->range[i]));
  sinew_status status = evaluate(x);
  if (status >= 0) *cost = cost_of(x, rows);
  return status;
}

/* r + J d, and the cost that the linear model predicts */
static double promise(const search *x, double *rows) {
  const sinew_solver *s = x->s;
  double sum = 0;
  memcpy(rows, s->residual, (size_t)s->rows * sizeof *rows);
  for (int c = 0; c < s->columns; c++) {
    if (s->step[c] != 0)
      for (int k = 0; k < s->rows; k++)
        rows[k] += (double)s->jacobian[c * s->rows + k] * s->step[c];
    double away = s->step[c] - s->wish[c];
    sum += (double)x->o->posture * away * away;
  }
  for (int k = 0; k < s->rows; k++) sum += rows[k] * rows[k];
  return sum / 2;
}

/* One step for one damping. If the cost falls less than predicted, the residuals are curved: the
 * difference between actual and predicted residuals is their second-order term. A second step that
 * includes this term follows the curve. */
static sinew_status try_step(search *x, si_step *step, double lambda, double cost, double *trial) {
  sinew_solver *s = x->s;
  step->residual = s->residual;
  *trial = INFINITY;
  if (!si_step_solve(step, lambda, s->step)) return SINEW_OK;
  x->promised = promise(x, s->promised);
  sinew_status status = go(x, s->trial_residual, trial);
  if (status < 0 || cost - *trial > 0.7 * (cost - x->promised)) return status;
  for (int k = 0; k < s->rows; k++)
    s->promised[k] = s->residual[k] + s->trial_residual[k] - s->promised[k];
  memcpy(s->first_step, s->step, (size_t)s->columns * sizeof *s->step);
  step->residual = s->promised;
  double bent = INFINITY;
  if (si_step_solve(step, lambda, s->step)) status = go(x, s->trial_residual, &bent);
  if (status < 0 || bent < *trial) {
    *trial = bent;
    return status;
  }
  memcpy(s->step, s->first_step, (size_t)s->columns * sizeof *s->step);
  return go(x, s->trial_residual, trial);
}

/* whether enough iterations are left for another start and for finishing the best of them */
static bool may_restart(const search *x) {
  return x->o->restarts && x->result->iterations < x->o->iterations * 4 / 5;
}

/* Descends from the pose to the nearest local minimum. The result says why it ended. */
static sinew_status descend(search *x) {
  sinew_solver *s = x->s;
  sinew_solve_result *r = x->result;
  double lambda = 1e-3, cost;
  int weak = 0, slow = 0;
  sinew_status status = evaluate(x);
  if (status < 0) return status;
  cost = cost_of(x, s->residual);
  keep_best(x, cost);
  memset(s->outward, 0, (size_t)s->columns * sizeof *s->outward);
  status = settle(x, &cost);
  if (status < 0) return status;
  keep_best(x, cost);
  for (;;) {
    r->end = SINEW_SOLVE_REACHED;
    if (reached(x) && x->o->posture <= 0) return SINEW_OK;
    r->end = out_of_time(x) ? SINEW_SOLVE_SECONDS : SINEW_SOLVE_ITERATIONS;
    if (r->iterations >= x->o->iterations || out_of_time(x)) return SINEW_OK;
    r->iterations++;
    status = jacobian(x);
    if (status < 0) return status;
    bounds(x);
    si_step step = { .rows = s->rows,
                     .columns = s->columns,
                     .jacobian = s->jacobian,
                     .residual = s->residual,
                     .low = s->low,
                     .high = s->high,
                     .wish = s->wish,
                     .posture = (double)x->o->posture,
                     .matrix = s->matrix,
                     .vector = s->vector,
                     .gram = s->gram,
                     .fixed = s->fixed };
    double trial = cost;
    bool better = false;
    for (int tries = 0; tries < 8 && !better; tries++) {
      status = try_step(x, &step, lambda, cost, &trial);
      if (status < 0) return status;
      better = trial < cost;
      double gain = (cost - trial) / fmax(cost - x->promised, 1e-300);
      if (!better)
        lambda *= 5;
      else if (gain > 0.7)
        lambda = fmax(lambda * 0.1, 1e-9);
      else
        lambda *= gain > 0.25 ? 0.7 : 3;
    }
    if (!better) {
      for (int i = 0; i < s->columns; i++) set_dof(x, i, s->start[i]);
      status = evaluate(x);
      cost_of(x, s->residual);
      r->end = SINEW_SOLVE_NEAREST;
      return status;
    }
    memcpy(s->residual, s->trial_residual, (size_t)s->rows * sizeof *s->residual);
    keep_best(x, trial);
    r->end = SINEW_SOLVE_REACHED;
    if (reached(x) && x->o->posture <= 0) return SINEW_OK;
    status = settle(x, &trial);
    if (status < 0) return status;
    weak = trial > cost * (1 - 1e-4) ? weak + 1 : 0;
    slow = trial > cost * 0.85 ? slow + 1 : 0;
    cost = trial;
    keep_best(x, cost);
    if (weak >= 3 || (slow >= 3 && may_restart(x))) {
      r->end = reached(x) ? SINEW_SOLVE_REACHED : SINEW_SOLVE_NEAREST;
      return SINEW_OK;
    }
  }
}

static float draw(search *x) {
  x->random = x->random * 1664525u + 1013904223u;
  return (float)(x->random >> 8) / (float)(1 << 24);
}

/* moves to the best of a few random poses: near the best one so far, later anywhere */
static sinew_status move_elsewhere(search *x) {
  sinew_solver *s = x->s;
  int turn = x->result->starts;
  double least = INFINITY;
  for (int place = 0; place < places_per_start; place++) {
    float share = turn == 1 ? 0.4f : 1;
    for (int i = 0; i < s->columns; i++) {
      float from = (s->best[i] + rest_of(x, i)) / 2;
      float anywhere = s->least[i] + draw(x) * (s->most[i] - s->least[i]);
      set_dof(x, i, from + share * (anywhere - from));
    }
    sinew_status status = evaluate(x);
    if (status < 0) return status;
    double cost = cost_of(x, s->residual);
    if (!(cost < least)) continue;
    least = cost;
    for (int i = 0; i < s->columns; i++) s->start[i] = dof_value(x, i);
  }
  for (int i = 0; i < s->columns; i++) set_dof(x, i, s->start[i]);
  return SINEW_OK;
}

static void put_best(const search *x) {
  for (int i = 0; i < x->s->columns; i++) set_dof(x, i, x->s->best[i]);
}

/* reads the current ranges, since the rig may have changed */
static void take_ranges(const sinew_solver *s) {
  for (int i = 0; i < s->columns; i++) {
    const si_dof *dof = &s->rig->model.dofs[s->dofs[i].id - 1];
    s->least[i] = fminf(fmaxf(s->asked_least[i], dof->min), dof->max);
    s->most[i] = fmaxf(fminf(s->asked_most[i], dof->max), dof->min);
    s->range[i] = dof->max > dof->min ? dof->max - dof->min : 1;
  }
}

/* the name of the first invalid option, or NULL */
static const char *bad_option(const sinew_solver *s, const sinew_solve_options *o) {
  if (o->iterations < 0) return "iterations";
  if (!(o->seconds >= 0)) return "seconds";
  if (!(o->tolerance >= 0)) return "tolerance";
  if (!(o->tolerance_turn >= 0)) return "tolerance_turn";
  if (!(o->posture >= 0) || isinf(o->posture)) return "posture";
  if (!(o->metres_per_radian > 0) || isinf(o->metres_per_radian)) return "metres_per_radian";
  for (int i = 0; o->rest && i < s->columns; i++)
    if (!isfinite(o->rest[i])) return "rest";
  return NULL;
}

sinew_status sinew_solver_solve(sinew_solver *s, sinew_pose *pose,
                                const sinew_solve_options *options, sinew_solve_result *result,
                                sinew_error *error) {
  sinew_solve_options whole = sinew_default_solve_options();
  sinew_solve_result mine = { 0 };
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(s && pose && pose->rig == s->rig)) return SINEW_ERR_CALL;
  if (!SI_TAKE_DESC(solve_options, options, &whole, error)) return error->status;
  search x = { .s = s,
               .pose = pose,
               .o = options,
               .result = result ? result : &mine,
               .error = error,
               .started = options->seconds > 0 ? now() : 0,
               .best_cost = INFINITY,
               .random = 1 };
  *x.result = (sinew_solve_result){ 0 };
  const char *bad = bad_option(s, x.o);
  if (bad) return si_fail(error, SINEW_ERR_VALUE, "the solver's option '%s' cannot be that", bad);
  take_ranges(s);
  for (int i = 0; i < s->columns; i++) {
    s->value[i] = sinew_pose_get(pose, s->dofs[i]);
    set_dof(&x, i, s->value[i]); /* a range may be narrower here */
    s->best[i] = dof_value(&x, i);
  }
  sinew_status status;
  bool finishing = false;
  for (;;) {
    status = descend(&x);
    x.result->starts++;
    if (status < 0 || x.result->end != SINEW_SOLVE_NEAREST || !x.o->restarts) break;
    if (reached(&x) || x.result->iterations >= x.o->iterations) break;
    if (may_restart(&x))
      status = move_elsewhere(&x);
    else if (finishing)
      break;
    else {
      finishing = true;
      put_best(&x);
    }
    if (status < 0) break;
  }
  sinew_solve_end end = x.result->end;
  put_best(&x);
  sinew_status last = sinew_pose_eval(pose, status < 0 ? NULL : error);
  if (status >= 0) status = last;
  x.result->cost = (float)cost_of(&x, s->residual);
  /* the best pose decides, not the last iteration */
  if (end == SINEW_SOLVE_REACHED) end = SINEW_SOLVE_NEAREST;
  x.result->end = reached(&x) ? SINEW_SOLVE_REACHED : end;
  return status < 0 ? status : SINEW_OK;
}

float sinew_reach(sinew_solver *s, sinew_pose *pose, sinew_vec3 target) {
  if (!SI_EXPECT(s && pose)) return INFINITY;
  sinew_goal goal = sinew_solver_goal(s, 0);
  sinew_solve_options options = sinew_default_solve_options();
  sinew_solve_result result = { 0 };
  options.restarts = false;
  options.iterations = 15;
  goal.target[0] = target.x;
  goal.target[1] = target.y;
  goal.target[2] = target.z;
  if (sinew_solver_set_goal(s, 0, &goal, NULL) < 0 ||
      sinew_solver_solve(s, pose, &options, &result, NULL) < 0)
    return INFINITY;
  return result.error;
}
