/* What a search knows of the goals at a pose: their cost, its derivatives, and the quadratic model
 * that steps minimise. */
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "solve/solve_search.h"

#include "evaluate/pose_internal.h"
#include "math/wide.h"

#include <string.h>

/* metres^2: the squared distance of a goal from which on its curvature counts */
static const double least_curvature = 1e-4;

/* --- DOFs */

void si_search_set(const si_search *x, int i, float value) {
  const sinew_solver *s = x->s;
  if (value > s->most[i]) value = s->most[i];
  if (value < s->least[i]) value = s->least[i];
  s->x[i] = (double)value / (double)s->range[i];
  if (value == s->value[i]) return;
  s->value[i] = value;
  sinew_pose_set(x->pose, s->dofs[i], value, NULL);
}

void si_search_put(const si_search *x, const double *dofs) {
  for (int i = 0; i < x->s->columns; i++)
    si_search_set(x, i, (float)(dofs[i] * (double)x->s->range[i]));
}

float si_search_rest(const si_search *x, int i) {
  const sinew_solver *s = x->s;
  if (x->o->towards == SINEW_POSTURE_START) return (float)(s->anchor[i] * (double)s->range[i]);
  return x->o->rest ? x->o->rest[i] : s->rig->model.dofs[s->dofs[i].id - 1].rest;
}

bool si_search_still(const si_search *x, int i) { return x->s->stiffness[i] > x->stiffest; }

/* --- cost */

sinew_status si_search_eval(const si_search *x) {
  x->result->evaluations++;
  if (!si_work((size_t)x->s->rig->node_count + 2 * (size_t)x->s->rows))
    return si_fail_memory(x->error);
  return sinew_pose_eval(x->pose, x->error);
}

double si_search_cost(const si_search *x, double *rows) {
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
      double away = (double)((s->value[i] - si_search_rest(x, i)) / s->range[i]);
      sum += (double)x->o->posture * away * away;
    }
  return sum / 2;
}

double si_search_pull(const si_search *x, double mu) {
  const sinew_solver *s = x->s;
  double sum = 0;
  for (int i = 0; mu > 0 && i < s->columns; i++) {
    double away = s->x[i] - s->pull_to[i];
    sum += (double)s->stiffness[i] * away * away;
  }
  return mu * sum / 2;
}

bool si_search_reached(const si_search *x) {
  return x->result->error <= x->o->tolerance && x->result->error_turn <= x->o->tolerance_turn;
}

void si_search_keep(si_search *x, double cost) {
  if (!(cost < x->best_cost)) return;
  x->best_cost = cost;
  memcpy(x->s->best, x->s->value, (size_t)x->s->columns * sizeof *x->s->best);
}

void si_search_put_best(const si_search *x) {
  for (int i = 0; i < x->s->columns; i++) si_search_set(x, i, x->s->best[i]);
}

/* --- derivatives */

sinew_status si_search_jacobian(const si_search *x) {
  sinew_solver *s = x->s;
  const size_t columns = (size_t)s->columns;
  if (!si_work(4 * ((size_t)s->rig->node_count + columns) + columns * (size_t)s->rows / 4))
    return si_fail_memory(x->error);
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

bool si_search_can_move(const si_search *x) {
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

void si_search_gram(const si_search *x) {
  const sinew_solver *s = x->s;
  int n = x->free_count, m = s->rows;
  for (int c = 0; c < n; c++) {
    if (!si_work((size_t)c * (size_t)m / 16)) return; /* the next step stops */
    const float *p = s->jacobian + (size_t)s->free[c] * (size_t)m;
    for (int e = 0; e <= c; e++) {
      const float *q = s->jacobian + (size_t)s->free[e] * (size_t)m;
      double sum = 0;
      for (int j = 0; j < m; j++) sum += (double)p[j] * (double)q[j];
      s->gram[c * n + e] = sum;
    }
  }
}

/* What the goals' second derivatives add to the gram, for points: the rows of a column i that turns
 * the segment by w_i, and of a column j that moves the point by v_j and is not nearer to the root,
 * have the second derivative w_i x v_j. Without it, a limb that is stretched towards a goal out of
 * reach overshoots. */
void si_search_curvature(si_search *x) {
  sinew_solver *s = x->s;
  int n = x->free_count, m = s->rows;
  x->has_curvature = false;
  for (int g = 0, at = 0; g < s->goal_count; at += si_goal_rows(s->goals[g++].kind)) {
    const double *r = s->residual + at;
    if (s->goals[g].kind != SINEW_GOAL_POINT || si_wide_dot(r, r) < least_curvature) continue;
    if (!x->has_curvature) memset(s->curvature, 0, (size_t)n * (size_t)n * sizeof *s->curvature);
    x->has_curvature = true;
    sinew_tangent_turn(s->tangent, s->goals[g].segment, s->spare, 3);
    if (!si_work((size_t)n * (size_t)n / 4)) return;
    for (int c = 0; c < n; c++) {
      double turn[3], pull[3];
      si_wide(s->spare + 3 * (size_t)s->free[c], turn);
      si_wide_cross(r, turn, pull); /* r . (w x v) = (r x w) . v */
      for (int k = 0; k < 3; k++) pull[k] *= (double)s->range[s->free[c]];
      for (int e = 0; e < n; e++) {
        int order = s->moved[s->free[c]] - s->moved[s->free[e]];
        if (order < 0) continue;
        const float *v = s->jacobian + (size_t)s->free[e] * (size_t)m + at;
        double term = pull[0] * (double)v[0] + pull[1] * (double)v[1] + pull[2] * (double)v[2];
        if (order == 0 && c != e) term /= 2; /* of one joint: the mean of both orders */
        s->curvature[c > e ? c * n + e : e * n + c] += term;
      }
    }
  }
}

double si_search_model(const si_search *x, double mu) {
  const sinew_solver *s = x->s;
  double sum = 0;
  for (int k = 0; k < s->rows; k++) {
    double row = s->residual[k];
    for (int f = 0; f < x->free_count; f++)
      row += (double)s->jacobian[s->free[f] * s->rows + k] * s->step[s->free[f]];
    sum += row * row;
  }
  for (int c = 0; x->curved && c < x->free_count; c++) {
    const double *row = s->curvature + (size_t)c * (size_t)x->free_count;
    double along = row[c] * s->step[s->free[c]];
    for (int e = 0; e < c; e++) along += 2 * row[e] * s->step[s->free[e]];
    sum += along * s->step[s->free[c]];
  }
  for (int i = 0; i < s->columns; i++) {
    double to = s->base[i] + s->step[i], away = to - s->pull_to[i];
    sum += mu * (double)s->stiffness[i] * away * away;
    if (x->o->posture > 0) {
      away = to - (double)(si_search_rest(x, i) / s->range[i]);
      sum += (double)x->o->posture * away * away;
    }
  }
  return sum / 2;
}
