/* The Levenberg-Marquardt method on exact derivatives, along the limits of the rig. The unknowns x
 * are the DOFs in units of their ranges. Each step minimises
 *
 *   1/2 |r + J d|^2 + 1/2 sum s_i (lambda d_i^2 + mu (x_i + d_i - anchor_i)^2)
 *
 * with stiffness s, inside the ranges and the cuts of all limits that it has met so far
 * (solve_limits.c). A trial that is still beyond a limit adds a cut there, and the step is computed
 * again; a small rest is removed by the least change that satisfies the cuts. So every pose that is
 * accepted has no hold.
 *
 * Soft DOFs move first, stiff ones only if those do not reach the goals. Where no step helps, the
 * search escapes: once more from halfway to the middle of the ranges, from the middle, and for
 * single solutions from random poses in a fixed sequence. */
#include "solve/solve_search.h"

#include "base/error_internal.h"
#include "base/platform.h"
#include "evaluate/pose_internal.h"

#include <limits.h>
#include <string.h>

enum { places_per_start = 16, most_restarts = 8, cut_rounds = 4, restore_rounds = 5 };
static const double trust = 0.2;          /* of a range, the longest step of a DOF */
static const double careful_trust = 0.01; /* the same after it was stuck */
static const double nearly = 0.02;        /* of a range: beyond a limit by less is only restored */
static const double forget = 0.03;        /* of a range: cuts further away are dropped */
static const float soft_stiffness = 30;   /* and below */
static const double posture_pull = 1e-5;  /* mu of the first steps of a frame */

sinew_solve_options sinew_default_solve_options(void) {
  return (sinew_solve_options){ .size = sizeof(sinew_solve_options),
                                .iterations = 100,
                                .tolerance = 1e-4f,
                                .tolerance_turn = 0.1f,
                                .restarts = true,
                                .escapes = true,
                                .metres_per_radian = 0.3f };
}

const char *sinew_solve_end_name(sinew_solve_end end) {
  static const char *const names[] = { "reached", "nearest", "iterations", "seconds" };
  return (unsigned)end < 4 ? names[end] : "?";
}

static double now(void) { return (double)si_clock() * 1e-9; }

/* --- DOFs */

static void set_dof(const si_search *x, int i, float value) {
  const sinew_solver *s = x->s;
  if (value > s->most[i]) value = s->most[i];
  if (value < s->least[i]) value = s->least[i];
  s->x[i] = (double)value / (double)s->range[i];
  if (value == s->value[i]) return;
  s->value[i] = value;
  sinew_pose_set(x->pose, s->dofs[i], value, NULL);
}

void si_search_put(const si_search *x, const double *dofs) {
  for (int i = 0; i < x->s->columns; i++) set_dof(x, i, (float)(dofs[i] * (double)x->s->range[i]));
}

static float rest_of(const si_search *x, int i) {
  const sinew_solver *s = x->s;
  if (x->o->towards == SINEW_POSTURE_START) return (float)(s->anchor[i] * (double)s->range[i]);
  return x->o->rest ? x->o->rest[i] : s->rig->model.dofs[s->dofs[i].id - 1].rest;
}

static bool kept_still(const si_search *x, int i) { return x->s->stiffness[i] > x->stiffest; }

/* --- cost */

static sinew_status evaluate(const si_search *x) {
  x->result->evaluations++;
  return sinew_pose_eval(x->pose, x->error);
}

/* fills the residuals and the errors of the result; returns half the sum of squares, posture
 * included */
static double cost_of(const si_search *x, double *rows) {
  const sinew_solver *s = x->s;
  double sum = 0;
  float off = 0, off_turn = 0;
  int at = 0;
  for (int g = 0; g < s->goal_count; g++) {
    const sinew_goal *goal = &s->goals[g];
    float e = si_goal_residual(goal, x->pose, x->o->metres_per_radian, rows + at);
    for (int k = 0; k < si_goal_rows(goal->kind); k++, at++) {
      rows[at] *= (double)s->scale[g];
      sum += rows[at] * rows[at];
    }
    if (!(goal->weight > 0)) continue;
    if (si_goal_angular(goal->kind))
      off_turn = fmaxf(off_turn, e);
    else
      off = fmaxf(off, e);
  }
  x->result->error = off;
  x->result->error_turn = off_turn;
  if (x->o->posture > 0)
    for (int i = 0; i < s->columns; i++) {
      double away = (double)((s->value[i] - rest_of(x, i)) / s->range[i]);
      sum += (double)x->o->posture * away * away;
    }
  return sum / 2;
}

/* the part of the cost that only guides the steps: stiffness times the distance from the anchor */
static double pull_of(const si_search *x, double mu) {
  const sinew_solver *s = x->s;
  double sum = 0;
  for (int i = 0; mu > 0 && i < s->columns; i++) {
    double away = s->x[i] - s->anchor[i];
    sum += (double)s->stiffness[i] * away * away;
  }
  return mu * sum / 2;
}

static bool reached(const si_search *x) {
  return x->result->error <= x->o->tolerance && x->result->error_turn <= x->o->tolerance_turn;
}

static void keep_best(si_search *x, double cost) {
  if (!(cost < x->best_cost)) return;
  x->best_cost = cost;
  memcpy(x->s->best, x->s->value, (size_t)x->s->columns * sizeof *x->s->best);
}

static void put_best(const si_search *x) {
  for (int i = 0; i < x->s->columns; i++) set_dof(x, i, x->s->best[i]);
}

static bool out_of_time(const si_search *x) {
  return x->o->seconds > 0 && now() - x->started > x->o->seconds;
}

/* --- steps */

static sinew_status jacobian(const si_search *x) {
  sinew_solver *s = x->s;
  sinew_status status = sinew_tangent_eval(s->tangent, x->pose, x->error);
  if (status < 0) return status;
  for (int g = 0, at = 0; g < s->goal_count; g++) {
    int rows = si_goal_rows(s->goals[g].kind);
    si_goal_jacobian(&s->goals[g], s->tangent, x->pose, x->o->metres_per_radian, s->jacobian + at,
                     s->rows, s->spare);
    for (int c = 0; c < s->columns; c++)
      for (int k = at; k < at + rows; k++)
        s->jacobian[c * s->rows + k] *= s->range[c] * s->scale[g];
    at += rows;
  }
  return SINEW_OK;
}

/* whether every goal that is off can be moved by a free column */
static bool can_move_all(const si_search *x) {
  const sinew_solver *s = x->s;
  for (int g = 0, at = 0; g < s->goal_count; at += si_goal_rows(s->goals[g++].kind)) {
    double square = 0, off = 0;
    for (int k = at; k < at + si_goal_rows(s->goals[g].kind); k++) {
      off += s->residual[k] * s->residual[k];
      for (int f = 0; f < x->free_count; f++) {
        double slope = (double)s->jacobian[s->free[f] * s->rows + k];
        square += slope * slope;
      }
    }
    if (off > 1e-10 && square < 1e-12) return false;
  }
  return true;
}

/* the bounds of a step from `base`, and which columns it may move */
static void take_bounds(si_search *x) {
  sinew_solver *s = x->s;
  x->free_count = 0;
  for (int i = 0; i < s->columns; i++) {
    double unit = (double)s->range[i], at = s->base[i];
    double longest = x->careful ? careful_trust : trust;
    s->low[i] = fmax((double)s->least[i] / unit - at, -longest);
    s->high[i] = fmin((double)s->most[i] / unit - at, longest);
    if (x->most_step > 0) {
      s->low[i] = fmax(s->low[i], s->frame[i] - x->most_step - at);
      s->high[i] = fmin(s->high[i], s->frame[i] + x->most_step - at);
    }
    s->low[i] = fmin(s->low[i], 0);
    s->high[i] = fmax(s->high[i], 0);
    if (kept_still(x, i) || s->high[i] - s->low[i] < 1e-12) continue;
    int f = x->free_count++;
    s->free[f] = i;
    s->free_low[f] = s->low[i];
    s->free_high[f] = s->high[i];
  }
}

/* the lower half of J'J for the free columns */
static void take_gram(const si_search *x) {
  const sinew_solver *s = x->s;
  int n = x->free_count, m = s->rows;
  for (int c = 0; c < n; c++) {
    const float *p = s->jacobian + (size_t)s->free[c] * (size_t)m;
    for (int e = 0; e <= c; e++) {
      const float *q = s->jacobian + (size_t)s->free[e] * (size_t)m;
      double sum = 0;
      for (int j = 0; j < m; j++) sum += (double)p[j] * (double)q[j];
      s->gram[c * n + e] = sum;
    }
  }
}

/* runs the quadratic program that has been prepared for the free columns; fills s->step */
static bool run_program(const si_search *x) {
  sinew_solver *s = x->s;
  int n = x->free_count;
  for (int k = 0; k < s->cut_count; k++) {
    const double *normal = s->cut_normals + (size_t)k * (size_t)s->columns;
    double most = s->cuts[k].most;
    for (int i = 0; i < s->columns; i++) most -= normal[i] * s->base[i];
    for (int f = 0; f < n; f++) s->free_cuts[k * n + f] = normal[s->free[f]];
    s->free_most[k] = most;
  }
  si_qp q = { .n = n,
              .cut_count = s->cut_count,
              .matrix = s->matrix,
              .gradient = s->gradient,
              .low = s->free_low,
              .high = s->free_high,
              .cuts = s->free_cuts,
              .cut_most = s->free_most,
              .basis = s->basis,
              .r = s->r,
              .multiplier = s->multiplier,
              .vector = s->vector,
              .active = s->active };
  if (!si_qp_solve(&q, s->free_step)) return false;
  memset(s->step, 0, (size_t)s->columns * sizeof *s->step);
  for (int f = 0; f < n; f++) s->step[s->free[f]] = s->free_step[f];
  return true;
}

/* one damped step from `base` */
static bool damped_step(const si_search *x, double lambda, double mu) {
  sinew_solver *s = x->s;
  int n = x->free_count;
  double posture = (double)x->o->posture;
  for (int c = 0; c < n; c++) {
    int i = s->free[c];
    const float *column = s->jacobian + (size_t)i * (size_t)s->rows;
    double stiff = (double)s->stiffness[i], sum = stiff * mu * (s->base[i] - s->anchor[i]);
    if (posture > 0) sum += posture * (s->base[i] - (double)(rest_of(x, i) / s->range[i]));
    for (int k = 0; k < s->rows; k++) sum += (double)column[k] * s->residual[k];
    s->gradient[c] = sum;
    memcpy(s->matrix + (size_t)c * (size_t)n, s->gram + (size_t)c * (size_t)n,
           (size_t)(c + 1) * sizeof *s->matrix);
    s->matrix[c * n + c] += stiff * (lambda + mu) + posture;
  }
  return run_program(x);
}

/* the least weighted change of the DOFs that satisfies the cuts: from those as they are, or, with
 * `in_place`, from `base`, where what the goals are about should stay */
static bool restoring_step(const si_search *x) {
  sinew_solver *s = x->s;
  int n = x->free_count;
  memset(s->matrix, 0, (size_t)n * (size_t)n * sizeof *s->matrix);
  if (x->in_place) {
    for (int c = 0; c < n; c++) {
      for (int e = 0; e <= c; e++) s->matrix[c * n + e] = 1e4 * s->gram[c * n + e];
      s->matrix[c * n + c] += (double)s->stiffness[s->free[c]];
      s->gradient[c] = 0;
    }
    return run_program(x);
  }
  for (int c = 0; c < n; c++) {
    int i = s->free[c];
    s->matrix[c * n + c] = (double)s->stiffness[i];
    s->gradient[c] = (double)s->stiffness[i] * (s->base[i] - s->x[i]);
  }
  return run_program(x);
}

/* moves to base + step */
static sinew_status go(const si_search *x) {
  const sinew_solver *s = x->s;
  for (int i = 0; i < s->columns; i++)
    set_dof(x, i, (float)((s->base[i] + s->step[i]) * (double)s->range[i]));
  return evaluate(x);
}

/* removes what is held at the pose as it is; `*freed` says whether it succeeded. `inside` as in
 * si_limits_cut. */
static sinew_status restore(si_search *x, const double *inside, bool *freed) {
  sinew_solver *s = x->s;
  *freed = false;
  for (int round = 0; round < restore_rounds; round++) {
    if (!si_limits_check(s, x->pose)) {
      *freed = true;
      return SINEW_OK;
    }
    if (round && si_limits_cut(s, x->pose, inside, x->error) < 0) return x->error->status;
    if (!restoring_step(x)) return SINEW_OK;
    sinew_status status = go(x);
    if (status < 0) return status;
  }
  *freed = !si_limits_check(s, x->pose);
  return SINEW_OK;
}

/* A step that ends inside all limits. `*found` says whether there is one; then the pose is there.
 */
static sinew_status feasible_step(si_search *x, double lambda, double mu, bool *found) {
  sinew_solver *s = x->s;
  *found = false;
  for (int round = 0; round < cut_rounds; round++) {
    if (!damped_step(x, lambda, mu)) {
      if (!s->cut_count) return SINEW_OK;
      s->cut_count = 0;
      if (!damped_step(x, lambda, mu)) return SINEW_OK;
    }
    sinew_status status = go(x);
    if (status < 0) return status;
    if (!si_limits_check(s, x->pose)) {
      *found = true;
      return SINEW_OK;
    }
    double worst = si_limits_cut(s, x->pose, x->careful ? s->base : NULL, x->error);
    if (worst < 0) return x->error->status;
    if (worst < nearly) break;
  }
  return restore(x, x->careful ? s->base : NULL, found);
}

/* the cost that the linear model predicts for s->step */
static double promised(const si_search *x, double mu) {
  const sinew_solver *s = x->s;
  double sum = 0;
  for (int k = 0; k < s->rows; k++) {
    double row = s->residual[k];
    for (int f = 0; f < x->free_count; f++)
      row += (double)s->jacobian[s->free[f] * s->rows + k] * s->step[s->free[f]];
    sum += row * row;
  }
  for (int i = 0; i < s->columns; i++) {
    double to = s->base[i] + s->step[i], away = to - s->anchor[i];
    sum += mu * (double)s->stiffness[i] * away * away;
    if (x->o->posture > 0) {
      away = to - (double)(rest_of(x, i) / s->range[i]);
      sum += (double)x->o->posture * away * away;
    }
  }
  return sum / 2;
}

sinew_status si_search_descend(si_search *x, int iterations, int pulls) {
  sinew_solver *s = x->s;
  sinew_solve_result *r = x->result;
  double lambda = x->lambda;
  int weak = 0, slow = 0, stop_at = r->iterations + iterations;
  x->careful = false;
  sinew_status status = evaluate(x);
  if (status < 0) return status;
  double cost = cost_of(x, s->residual);
  if (!si_limits_check(s, x->pose)) keep_best(x, cost);
  for (;;) {
    double mu = pulls > 0 ? posture_pull : 0;
    r->end = SINEW_SOLVE_REACHED;
    if (reached(x) && mu == 0 && x->o->posture <= 0) break;
    r->end = out_of_time(x) ? SINEW_SOLVE_SECONDS : SINEW_SOLVE_ITERATIONS;
    if (r->iterations >= stop_at || r->iterations >= x->o->iterations || out_of_time(x)) break;
    r->iterations++;
    status = jacobian(x);
    if (status < 0) return status;
    memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
    si_cuts_drop(s, s->base, forget);
    take_bounds(x);
    r->end = SINEW_SOLVE_NEAREST; /* unless it says otherwise below */
    if (!x->free_count || (x->stiffest < INFINITY && !can_move_all(x))) break;
    take_gram(x);
    double total = cost + pull_of(x, mu), trial = INFINITY;
    bool better = false;
    for (int tries = 0; tries < 7 && !better; tries++) {
      bool found;
      status = feasible_step(x, lambda, mu, &found);
      if (status < 0) return status;
      double gain = 0;
      if (found) {
        trial = cost_of(x, s->trial_residual);
        double hoped = total - promised(x, mu), got = total - trial - pull_of(x, mu);
        better = got > 0;
        gain = got / fmax(hoped, 1e-300);
      }
      if (!better)
        lambda *= 5;
      else if (gain > 0.7)
        lambda = fmax(lambda * 0.1, 1e-7);
      else
        lambda *= gain > 0.25 ? 0.7 : 3;
    }
    if (!better) {
      si_search_put(x, s->base);
      status = evaluate(x);
      if (status < 0) return status;
      cost = cost_of(x, s->residual);
      if (pulls > 0) {
        pulls = 0;
      } else if (s->limit_count && !x->careful) {
        s->cut_count = 0;
        x->careful = true;
      } else {
        break;
      }
      lambda = 1e-3;
      continue;
    }
    memcpy(s->residual, s->trial_residual, (size_t)s->rows * sizeof *s->residual);
    x->careful = false;
    weak = total - trial - pull_of(x, mu) < 1e-4 * total ? weak + 1 : 0;
    slow = trial > 0.85 * cost ? slow + 1 : 0;
    cost = trial;
    keep_best(x, cost);
    pulls--;
    if (slow >= x->slow_steps && pulls <= 0) break;
    if (weak < 4) continue;
    if (pulls <= 0) break;
    pulls = 0;
    weak = 0;
  }
  x->lambda = lambda;
  if (reached(x)) r->end = SINEW_SOLVE_REACHED;
  return SINEW_OK;
}

/* --- where to start */

/* Brings a pose in which something is held to one in which nothing is: by the least change, or else
 * on the way to rest. Limits that hold there too are ignored. */
sinew_status si_search_free(si_search *x) {
  sinew_solver *s = x->s;
  bool freed;
  sinew_status status = evaluate(x);
  if (status < 0 || !si_limits_check(s, x->pose)) return status;
  memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
  memcpy(s->start, s->x, (size_t)s->columns * sizeof *s->start);
  for (int k = 0; k < 8; k++) {
    take_bounds(x);
    x->in_place = k < 4;
    if (x->in_place) {
      status = jacobian(x);
      if (status < 0) return status;
      take_gram(x);
    }
    if (si_limits_cut(s, x->pose, NULL, x->error) < 0) return x->error->status;
    if (!x->free_count) break;
    status = restore(x, NULL, &freed);
    x->in_place = false;
    if (status < 0 || freed) return status;
    memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
  }
  s->cut_count = 0;
  for (int k = 1; k <= 4 && x->most_step == 0; k++) {
    for (int i = 0; i < s->columns; i++) {
      double rest = (double)(s->rig->model.dofs[s->dofs[i].id - 1].rest / s->range[i]);
      double at = s->start[i] + (kept_still(x, i) ? 0 : (rest - s->start[i]) * k / 4);
      set_dof(x, i, (float)(at * (double)s->range[i]));
    }
    status = evaluate(x);
    if (status < 0 || !si_limits_check(s, x->pose)) return status;
  }
  si_search_put(x, s->start);
  status = evaluate(x);
  if (!si_limits_check(s, x->pose) || x->most_step > 0) return status;
  for (int k = 0; k < s->held_count; k++) s->limits[s->held[k]].ignored = true;
  return status;
}

/* where the escapes lead: the share of the way, to which part of the ranges */
static const struct {
  double share, part;
} escapes[si_escapes] = { { 0.5, 0.5 }, { 1, 0.5 }, { 1, 0.25 }, { 1, 0.75 } };

sinew_status si_search_escape(si_search *x, const double *from, int which, int iterations) {
  sinew_solver *s = x->s;
  double part = escapes[which].part;
  for (int i = 0; i < s->columns; i++) {
    double at = from[i], low = (double)(s->least[i] / s->range[i]);
    double to = low + part * (double)((s->most[i] - s->least[i]) / s->range[i]);
    if (!kept_still(x, i)) at += escapes[which].share * (to - at);
    set_dof(x, i, (float)(at * (double)s->range[i]));
  }
  s->cut_count = 0;
  x->lambda = 1e-3;
  x->result->starts++;
  sinew_status status = si_search_free(x);
  return status < 0 ? status : si_search_descend(x, iterations, 0);
}

static float draw(si_search *x) {
  x->random = x->random * 1664525u + 1013904223u;
  return (float)(x->random >> 8) / (float)(1 << 24);
}

/* moves to the best of a few random poses */
static sinew_status move_elsewhere(si_search *x) {
  sinew_solver *s = x->s;
  double least = INFINITY;
  for (int place = 0; place < places_per_start; place++) {
    for (int i = 0; i < s->columns; i++) {
      float anywhere = s->least[i] + draw(x) * (s->most[i] - s->least[i]);
      set_dof(x, i, kept_still(x, i) ? s->best[i] : anywhere);
    }
    sinew_status status = evaluate(x);
    if (status < 0) return status;
    double cost = cost_of(x, s->trial_residual);
    if (!(cost < least)) continue;
    least = cost;
    memcpy(s->way, s->x, (size_t)s->columns * sizeof *s->way);
  }
  si_search_put(x, s->way);
  s->cut_count = 0;
  x->lambda = 1e-3;
  x->result->starts++;
  return si_search_free(x);
}

static bool is_over(const si_search *x) {
  return x->result->end != SINEW_SOLVE_NEAREST || x->result->iterations >= x->o->iterations;
}

/* local, then escapes, then restarts, over the columns that are not kept still */
static sinew_status solve_stage(si_search *x, int iterations) {
  sinew_solver *s = x->s;
  int stop_at = x->result->iterations + iterations;
  x->lambda = 1e-3;
  x->result->starts++;
  sinew_status status = si_search_descend(x, iterations, 0);
  if (x->free_count == 0 || (x->stiffest < INFINITY && !can_move_all(x))) return status;
  int count = !x->o->escapes ? 0 : x->o->restarts ? 2 : si_escapes;
  for (int k = 0; k < count && status >= 0 && !is_over(x); k++) {
    for (int i = 0; i < s->columns; i++) s->way[i] = (double)s->best[i] / (double)s->range[i];
    status = si_search_escape(x, s->way, k, stop_at - x->result->iterations);
  }
  for (int k = 0;
       x->o->restarts && x->stiffest == INFINITY && k < most_restarts && status >= 0 && !is_over(x);
       k++) {
    status = move_elsewhere(x);
    if (status >= 0) status = si_search_descend(x, stop_at - x->result->iterations, 0);
  }
  return status;
}

/* whether soft and stiff columns are both there */
static bool has_stages(const sinew_solver *s) {
  int soft = 0;
  for (int i = 0; i < s->columns; i++) soft += s->stiffness[i] <= soft_stiffness;
  return soft && soft < s->columns;
}

/* --- one call */

/* the name of the first invalid option, or NULL */
static const char *bad_option(const sinew_solver *s, const sinew_solve_options *o) {
  if (o->iterations < 0) return "iterations";
  if (!(o->seconds >= 0)) return "seconds";
  if (!(o->tolerance >= 0)) return "tolerance";
  if (!(o->tolerance_turn >= 0)) return "tolerance_turn";
  if (!(o->posture >= 0) || isinf(o->posture)) return "posture";
  if ((unsigned)o->towards > SINEW_POSTURE_START) return "towards";
  if (!(o->most_step >= 0)) return "most_step";
  if (!(o->metres_per_radian > 0) || isinf(o->metres_per_radian)) return "metres_per_radian";
  for (int i = 0; o->rest && i < s->columns; i++)
    if (!isfinite(o->rest[i])) return "rest";
  return NULL;
}

/* what the residuals of each goal are multiplied by: 100 for each step of priority */
static void take_priorities(const sinew_solver *s) {
  int last = 0;
  for (int g = 0; g < s->goal_count; g++)
    if (s->goals[g].priority > last) last = s->goals[g].priority;
  for (int g = 0; g < s->goal_count; g++) {
    s->scale[g] = 1;
    for (int k = s->goals[g].priority; k < last; k++) s->scale[g] *= 100;
  }
}

sinew_status si_search_begin(si_search *x) {
  sinew_solver *s = x->s;
  *x->result = (sinew_solve_result){ 0 };
  x->started = x->o->seconds > 0 ? now() : 0;
  x->best_cost = INFINITY;
  x->random = 1;
  x->lambda = 1e-3;
  x->stiffest = INFINITY;
  x->slow_steps = x->o->escapes && x->o->posture <= 0 ? 4 : INT_MAX;
  const char *bad = bad_option(s, x->o);
  if (bad)
    return si_fail(x->error, SINEW_ERR_VALUE, "the solver's option '%s' cannot be that", bad);
  take_priorities(s);
  s->cut_count = 0;
  for (int i = 0; i < s->limit_count; i++) s->limits[i].ignored = false;
  for (int i = 0; i < s->columns; i++) {
    /* the rig may have changed since the last call */
    const si_dof *dof = &s->rig->model.dofs[s->dofs[i].id - 1];
    s->least[i] = fminf(fmaxf(s->asked_least[i], dof->min), dof->max);
    s->most[i] = fmaxf(fminf(s->asked_most[i], dof->max), dof->min);
    s->range[i] = dof->max > dof->min ? dof->max - dof->min : 1;
    s->value[i] = sinew_pose_get(x->pose, s->dofs[i]);
    set_dof(x, i, s->value[i]); /* a range may be narrower here */
    s->best[i] = s->value[i];
  }
  sinew_status status = si_search_free(x);
  memcpy(s->anchor, s->x, (size_t)s->columns * sizeof *s->anchor);
  memcpy(s->frame, s->x, (size_t)s->columns * sizeof *s->frame);
  memcpy(s->best, s->value, (size_t)s->columns * sizeof *s->best);
  return status;
}

sinew_status si_search_finish(si_search *x, sinew_status status) {
  sinew_solve_end end = x->result->end;
  sinew_status last = sinew_pose_eval(x->pose, status < 0 ? NULL : x->error);
  if (status >= 0) status = last;
  x->result->cost = (float)cost_of(x, x->s->residual);
  if (end == SINEW_SOLVE_REACHED) end = SINEW_SOLVE_NEAREST;
  x->result->end = reached(x) ? SINEW_SOLVE_REACHED : end;
  return status < 0 ? status : SINEW_OK;
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
  si_search x = {
    .s = s, .pose = pose, .o = options, .result = result ? result : &mine, .error = error
  };
  sinew_status status = si_search_begin(&x);
  if (status < 0) return status;
  x.most_step = (double)options->most_step;
  s->pressed = false;
  if (has_stages(s)) {
    x.stiffest = soft_stiffness;
    status = solve_stage(&x, options->iterations * 2 / 5);
    put_best(&x);
    if (x.result->end != SINEW_SOLVE_SECONDS && x.result->end != SINEW_SOLVE_REACHED)
      x.result->end = SINEW_SOLVE_NEAREST;
  }
  x.stiffest = INFINITY;
  if (status >= 0 && (x.result->starts == 0 || !is_over(&x)))
    status = solve_stage(&x, options->iterations);
  put_best(&x);
  if (status >= 0 && !is_over(&x) && x.slow_steps < INT_MAX) {
    /* nothing reaches the goals: finish the best one */
    x.slow_steps = INT_MAX;
    x.lambda = 1e-3;
    s->cut_count = 0;
    status = si_search_descend(&x, options->iterations, 0);
    put_best(&x);
  }
  return si_search_finish(&x, status);
}
