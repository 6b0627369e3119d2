/* Going down from a pose to the nearest minimum inside the limits: the Levenberg-Marquardt method,
 * with the goals' second derivatives where they matter. */
#include "solve/solve_search.h"

#include <string.h>

enum { most_tries = 7, most_weak = 3 };
static const double trust = 0.2;   /* of a range, the longest step of a DOF */
static const double forget = 0.03; /* of a range: cuts further away are dropped */

/* The pull to the middle of the ranges in the first steps towards goals that are far away. It keeps
 * DOFs off the ends of their ranges, where a search gets stuck. It grows with the sixth power of
 * the distance in units of what a DOF moves the goals over its whole range, and counts from about a
 * third of that: small movements stay small. */
static double centring_pull(const si_search *x) {
  static const double most = 0.2, far = 0.4;
  const sinew_solver *s = x->s;
  double distance = 0, reach = 1e-12; /* squared */
  for (int k = 0; k < s->rows; k++) distance += s->residual[k] * s->residual[k];
  for (int c = 0; c < s->columns; c++) {
    double square = 0;
    for (int k = 0; k < s->rows; k++) {
      double slope = (double)s->jacobian[c * s->rows + k];
      square += slope * slope;
    }
    if (!si_search_still(x, c)) reach = fmax(reach, square);
  }
  double share = fmin(distance / (far * far * reach), 1);
  return most * reach * share * share * share;
}

/* what an iteration came to */
typedef struct attempt {
  double cost; /* without the pull */
  double gain; /* of the cost and the pull */
  bool better;
  bool flat; /* the model promises nothing worth a step */
} attempt;

/* A gain that is hardly worth a step: it brings the goals nearer by less than half the tolerance. A
 * posture has no tolerance. */
static double little(const si_search *x, double mu) {
  if (mu > 0 || x->o->posture > 0) return 1e-4 * x->total;
  return 0.5 * (double)x->o->tolerance * sqrt(2 * x->total);
}

/* Tries steps from `base`, with more and more damping, until one is better. If none is, the pose is
 * at `base` again. */
static sinew_status try_steps(si_search *x, double mu, attempt *dest) {
  sinew_solver *s = x->s;
  sinew_status status;
  *dest = (attempt){ 0 };
  for (int tries = 0; tries < most_tries && !dest->better && !dest->flat; tries++) {
    bool found;
    status = si_search_step(x, x->lambda, mu, &found);
    if (status < 0) return status;
    double hoped = 0, ratio = 0;
    if (found) {
      x->curved = x->has_curvature;
      hoped = x->total - si_search_model(x, mu);
      dest->cost = si_search_cost(x, s->trial_residual);
      dest->gain = x->total - dest->cost - si_search_pull(x, mu);
      dest->better = dest->gain > 0;
      dest->flat = fabs(hoped) < 0.1 * little(x, mu);
      ratio = dest->gain / fmax(hoped, 1e-300);
    }
    if (dest->better) {
      x->lambda = ratio > 0.7 ? fmax(x->lambda * 0.1, 1e-7) : x->lambda * (ratio > 0.25 ? 0.7 : 3);
    } else {
      x->lambda *= 5;
      x->longest *= 0.4;
      si_search_bounds(x);
    }
  }
  if (dest->better) return SINEW_OK;
  si_search_put(x, s->base);
  status = si_search_eval(x);
  if (status >= 0) dest->cost = si_search_cost(x, s->residual);
  return status;
}

sinew_status si_search_descend(si_search *x, int iterations, int pulls) {
  sinew_solver *s = x->s;
  sinew_solve_result *r = x->result;
  int weak = 0, slow = 0, stop_at = r->iterations + iterations;
  double retried_at = INFINITY; /* the cost where it last began anew without cuts */
  x->longest = trust;
  x->shift = 0;
  x->careful = false;
  sinew_status status = si_search_eval(x);
  if (status < 0) return status;
  double cost = si_search_cost(x, s->residual);
  if (!si_limits_check(s, x->pose)) si_search_keep(x, cost);
  for (;;) {
    double mu = pulls > 0 ? x->pull : 0;
    r->end = SINEW_SOLVE_REACHED;
    if (si_search_reached(x) && (mu == 0 || x->centring) && x->o->posture <= 0) break;
    r->end = si_search_late(x) ? SINEW_SOLVE_SECONDS : SINEW_SOLVE_ITERATIONS;
    if (r->iterations >= stop_at || r->iterations >= x->o->iterations || si_search_late(x)) break;
    r->iterations++;
    status = si_search_jacobian(x);
    if (status < 0) return status;
    if (x->centring && pulls > 0 && mu == 0) mu = x->pull = centring_pull(x);
    memcpy(s->base, s->x, (size_t)s->columns * sizeof *s->base);
    si_cuts_drop(s, s->base, forget);
    x->longest = fmin(trust, x->longest * 2.5);
    si_search_bounds(x);
    r->end = SINEW_SOLVE_NEAREST; /* unless it says otherwise below */
    if (!x->free_count || (x->stiffest < INFINITY && !si_search_can_move(x))) break;
    si_search_gram(x);
    si_search_curvature(x);
    x->total = cost + si_search_pull(x, mu);
    attempt step;
    status = try_steps(x, mu, &step);
    if (status < 0) return status;
    if (step.better) {
      memcpy(s->residual, s->trial_residual, (size_t)s->rows * sizeof *s->residual);
      x->careful = false;
      weak = step.gain < little(x, mu) ? weak + 1 : 0;
      slow = step.cost > 0.85 * cost ? slow + 1 : 0;
      cost = step.cost;
      si_search_keep(x, cost);
      pulls--;
      if (slow >= x->slow_steps && pulls <= 0) break;
      if (weak < most_weak && !step.flat) continue;
    } else {
      cost = step.cost;
    }
    /* no progress: without the pull, then without the cuts, which may be wrong by now */
    weak = 0;
    if (pulls > 0) {
      pulls = 0;
    } else if (s->cut_count && cost < 0.99 * retried_at) {
      retried_at = cost;
      s->cut_count = 0;
      x->careful = true;
    } else {
      break;
    }
    x->lambda = 1e-3;
  }
  if (si_search_reached(x)) r->end = SINEW_SOLVE_REACHED;
  return SINEW_OK;
}
