/* The steps of a search: quadratic programs inside the ranges and the cuts of all limits that it
 * has met so far (solve_limits.c). A trial that is still beyond a limit adds a cut there, and the
 * step is computed again; a small rest is removed by the least change that satisfies the cuts. So
 * every pose that is accepted has no hold. */
#include "solve/solve_search.h"

#include "base/error_internal.h"
#include "compile/rig_internal.h"

#include <string.h>

enum { cut_rounds = 4, restore_rounds = 5, settle_rounds = 6 };
static const double careful_trust = 0.01; /* of a range, the longest step after it was stuck */
static const double nearly = 0.02;        /* of a range: beyond a limit by less is only restored */
static const double enough = 0.25;        /* of what it promises, what a step has to keep */
static const double goal_weight = 1e-2;   /* of the goals while DOFs are settled */

void si_search_bounds(si_search *x) {
  sinew_solver *s = x->s;
  x->free_count = 0;
  for (int i = 0; i < s->columns; i++) {
    double unit = (double)s->range[i], at = s->base[i];
    double longest = x->careful ? careful_trust : x->longest;
    s->low[i] = fmax((double)s->least[i] / unit - at, -longest);
    s->high[i] = fmin((double)s->most[i] / unit - at, longest);
    if (x->most_step > 0) {
      s->low[i] = fmax(s->low[i], s->frame[i] - x->most_step - at);
      s->high[i] = fmin(s->high[i], s->frame[i] + x->most_step - at);
    }
    s->low[i] = fmin(s->low[i], 0);
    s->high[i] = fmax(s->high[i], 0);
    if (si_search_still(x, i) || s->high[i] - s->low[i] < 1e-12) continue;
    int f = x->free_count++;
    s->free[f] = i;
    s->free_low[f] = s->low[i];
    s->free_high[f] = s->high[i];
  }
}

/* runs the quadratic program that has been prepared for the free columns; fills s->step */
static bool run_program(si_search *x) {
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
  if (!si_qp_solve(&q, s->free_step)) {
    x->indefinite = q.indefinite;
    return false;
  }
  memset(s->step, 0, (size_t)s->columns * sizeof *s->step);
  for (int f = 0; f < n; f++) s->step[s->free[f]] = s->free_step[f];
  return true;
}

/* one damped step from `base` */
static bool damped_step(si_search *x, double mu) {
  sinew_solver *s = x->s;
  int n = x->free_count;
  double posture = (double)x->o->posture;
  for (int c = 0; c < n; c++) {
    int i = s->free[c];
    const float *column = s->jacobian + (size_t)i * (size_t)s->rows;
    double stiff = (double)s->stiffness[i], sum = stiff * mu * (s->base[i] - s->pull_to[i]);
    if (posture > 0) sum += posture * (s->base[i] - (double)(si_search_rest(x, i) / s->range[i]));
    for (int k = 0; k < s->rows; k++) sum += (double)column[k] * s->residual[k];
    s->gradient[c] = sum;
    for (int e = 0; e <= c; e++)
      s->matrix[c * n + e] = s->gram[c * n + e] + (x->curved ? s->curvature[c * n + e] : 0);
    s->matrix[c * n + c] += stiff * (x->damping + mu) + x->shift + posture;
  }
  return run_program(x);
}

/* Newton's step where the goals are convex, else that of Gauss and Newton, unless the goals'
 * curvature says that it overshoots: then Newton's with as much damping as it needs to be convex.
 * Sets what x->curved, x->damping and x->shift have to be for the same step with other cuts. */
static bool choose_step(si_search *x, double lambda, double mu) {
  x->curved = x->has_curvature;
  x->damping = lambda;
  x->shift = x->curved && x->shift / 5 > lambda ? x->shift / 5 : 0;
  if (damped_step(x, mu)) return true;
  if (!x->curved || !x->indefinite) return false;
  if (x->shift == 0) {
    x->curved = false;
    if (!damped_step(x, mu)) return false;
    double without = si_search_model(x, mu);
    x->curved = true;
    if (x->total - si_search_model(x, mu) > enough * (x->total - without)) {
      x->curved = false;
      return true;
    }
  }
  for (x->shift = fmax(5 * fmax(lambda, x->shift), 0.003); x->shift < 100; x->shift *= 5) {
    if (damped_step(x, mu)) return true;
    if (!x->indefinite) return false;
  }
  return false;
}

/* the least weighted change of the DOFs that satisfies the cuts: from those as they are, or, with
 * `in_place`, from `base`, where what the goals are about should stay */
static bool restoring_step(si_search *x) {
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
    si_search_set(x, i, (float)((s->base[i] + s->step[i]) * (double)s->range[i]));
  return si_search_eval(x);
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

sinew_status si_search_step(si_search *x, double lambda, double mu, bool *found) {
  sinew_solver *s = x->s;
  *found = false;
  for (int round = 0; round < cut_rounds; round++) {
    if (!(round ? damped_step(x, mu) : choose_step(x, lambda, mu))) {
      if (!s->cut_count) return SINEW_OK;
      s->cut_count = 0;
      if (!choose_step(x, lambda, mu)) return SINEW_OK;
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

/* --- poses in which something is held */

/* Moves DOFs to what the limits let through, which changes no transform, as far as that is
 * possible. */
static sinew_status settle(si_search *x) {
  sinew_solver *s = x->s;
  s->cut_count = 0;
  x->careful = false;
  x->longest = 1;
  for (int round = 0; round < settle_rounds && s->held_count; round++) {
    memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
    si_search_bounds(x);
    int n = x->free_count;
    memset(s->matrix, 0, (size_t)n * (size_t)n * sizeof *s->matrix);
    memset(s->gradient, 0, (size_t)n * sizeof *s->gradient);
    sinew_status status = si_limits_settle(s, x->pose, n, x->error);
    if (status < 0) return status;
    status = si_search_jacobian(x);
    if (status < 0) return status;
    si_search_gram(x);
    double most = 1e-12;
    for (int c = 0; c < n; c++) most = fmax(most, s->gram[c * n + c]);
    for (int c = 0; c < n; c++) {
      for (int e = 0; e <= c; e++) s->matrix[c * n + e] += goal_weight * s->gram[c * n + e] / most;
      s->matrix[c * n + c] += 1e-6 * (double)s->stiffness[s->free[c]];
    }
    if (!n || !run_program(x)) break;
    status = go(x);
    if (status < 0) return status;
    si_limits_check(s, x->pose);
  }
  return SINEW_OK;
}

sinew_status si_search_free(si_search *x) {
  sinew_solver *s = x->s;
  bool freed;
  sinew_status status = si_search_eval(x);
  if (status < 0 || !si_limits_check(s, x->pose)) return status;
  status = settle(x);
  if (status < 0 || !s->held_count) return status;
  memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
  memcpy(s->start, s->x, (size_t)s->columns * sizeof *s->start);
  for (int k = 0; k < 8; k++) {
    si_search_bounds(x);
    x->in_place = k < 4;
    if (x->in_place) {
      status = si_search_jacobian(x);
      if (status < 0) return status;
      si_search_gram(x);
    }
    if (si_limits_cut(s, x->pose, NULL, x->error) < 0) return x->error->status;
    freed = false;
    status = x->free_count ? restore(x, NULL, &freed) : SINEW_OK;
    x->in_place = false;
    if (status < 0 || freed) return status;
    if (!x->free_count) break;
    memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
  }
  s->cut_count = 0;
  for (int k = 1; k <= 4 && x->most_step == 0; k++) {
    for (int i = 0; i < s->columns; i++) {
      double rest = (double)(s->rig->model.dofs[s->dofs[i].id - 1].rest / s->range[i]);
      double at = s->start[i] + (si_search_still(x, i) ? 0 : (rest - s->start[i]) * k / 4);
      si_search_set(x, i, (float)(at * (double)s->range[i]));
    }
    status = si_search_eval(x);
    if (status < 0 || !si_limits_check(s, x->pose)) return status;
  }
  si_search_put(x, s->start);
  status = si_search_eval(x);
  if (!si_limits_check(s, x->pose) || x->most_step > 0) return status;
  for (int k = 0; k < s->held_count; k++) s->limits[s->held[k]].ignored = true;
  return status;
}
