/* Limits inside the rig as constraints of a step. Where a trial is beyond a limit, its hold says by
 * how much, and the derivative of the hold says which way is back. Both give a cut: a half space
 * that is a linear model of the limit there. Cuts are normalised, so that amounts are distances in
 * ranges whatever the unit of the hold. */
#include "solve/solve_internal.h"

#include "base/error_internal.h"
#include "evaluate/pose_internal.h"
#include "evaluate/tangent_internal.h"

#include <string.h>

/* how far inside a limit steps end, in ranges */
static const double margin = 1e-5;

int si_limits_find(const sinew_rig *rig, const sinew_solver_desc *desc, const bool *reached,
                   si_limit *dest) {
  int count = 0;
  for (uint32_t n = rig->constant_nodes; n < rig->node_count; n++) {
    const sinew_component_class *cls = rig->model.components[rig->nodes[n].component - 1].cls;
    const sinew_hold_desc *holds = cls->holds;
    if (!holds || !reached[n]) continue;
    bool turn = si_component_turns(&rig->model, rig->nodes[n].component - 1);
    for (uint32_t i = 0, next; holds[i].port; i = next) {
      for (next = i + 1; holds[next].port && strcmp(holds[next].doc, holds[i].doc) == 0;) next++;
      if (dest)
        dest[count] =
            (si_limit){ .goal = -1, .node = n, .hold = i, .count = next - i, .turn = turn };
      count++;
    }
  }
  for (int g = 0; g < desc->goal_count; g++) {
    if (desc->goals[g].kind != SINEW_GOAL_ABOVE) continue;
    if (dest) dest[count] = (si_limit){ .goal = g };
    count++;
  }
  return count;
}

static const float *values_of(const sinew_solver *s, const sinew_pose *pose) {
  return s->lazy_limits ? si_pose_values(pose) : pose->values;
}

static bool is_holding(const sinew_solver *s, const sinew_pose *pose, const si_limit *limit) {
  if (limit->goal >= 0) {
    const sinew_goal *goal = &s->goals[limit->goal];
    return goal->weight > 0 && si_goal_gap(goal, pose) < 0;
  }
  const sinew_node *node = &s->rig->nodes[limit->node];
  const float *values = values_of(s, pose);
  if (limit->turn) {
    const sinew_turn *turn = s->rig->model.components[node->component - 1].cls->turn(node->data);
    float angle = values[node->ports[0]];
    return angle < turn->low || angle > turn->high;
  }
  for (uint32_t i = 0; i < limit->count; i++)
    if (values[node->hold + limit->hold + i] != 0) return true;
  return false;
}

int si_limits_check(sinew_solver *s, const sinew_pose *pose) {
  s->held_count = 0;
  for (int i = 0; i < s->limit_count; i++)
    if (!s->limits[i].ignored && is_holding(s, pose, &s->limits[i])) s->held[s->held_count++] = i;
  return s->held_count;
}

/* the length of the limit's holds */
static double amount(const sinew_solver *s, const float *values, const si_limit *limit) {
  const sinew_node *node = &s->rig->nodes[limit->node];
  double square = 0;
  for (uint32_t i = 0; i < limit->count; i++) {
    double held = (double)values[node->hold + limit->hold + i];
    square += held * held;
  }
  return sqrt(square);
}

/* fills s->rate with the derivative of what a limit holds; returns how much that is */
static double hold_rate(sinew_solver *s, const sinew_pose *pose, const si_limit *limit) {
  if (limit->goal >= 0) {
    const sinew_goal *goal = &s->goals[limit->goal];
    si_goal_gap_jacobian(goal, s->tangent, pose, s->rate, 1, s->spare);
    for (int i = 0; i < s->columns; i++) s->rate[i] = -s->rate[i];
    return -(double)si_goal_gap(goal, pose);
  }
  const float *values = si_pose_values(pose);
  sinew_component component = { s->rig->nodes[limit->node].component };
  si_tangent_hold(s->limit_tangent, values, component, limit->hold, limit->count, s->rate);
  return amount(s, values, limit);
}

/* the derivatives that hold_rate reads */
static sinew_status take_rates(sinew_solver *s, sinew_pose *pose, sinew_error *error) {
  bool goals = false, holds = false;
  for (int k = 0; k < s->held_count; k++)
    if (s->limits[s->held[k]].goal >= 0)
      goals = true;
    else
      holds = true;
  sinew_status status = goals ? sinew_tangent_eval(s->tangent, pose, error) : SINEW_OK;
  if (status < 0 || !holds) return status;
  return si_tangent_eval_inputs(s->limit_tangent, pose, error);
}

/* the hold on an input of a component, or -1 */
static int hold_on(const si_component *k, uint32_t input) {
  char name[64];
  si_input_name(k, input, name, sizeof name);
  for (int h = 0; k->cls->holds[h].port; h++)
    if (strcmp(k->cls->holds[h].port, name) == 0) return h;
  return -1;
}

/* how much a scalar input has to move until the component lets it through as it is; 0 for an input
 * that it does not hold */
static float to_let_through(const sinew_rig *rig, const sinew_node *node, const float *values,
                            uint32_t input) {
  const si_component *k = &rig->model.components[node->component - 1];
  int out = si_passed_to(k, input), hold = hold_on(k, input);
  if (out >= 0)
    return values[node->ports[node->input_count + (uint32_t)out]] - values[node->ports[input]];
  return hold >= 0 ? values[node->hold + (uint32_t)hold] : 0;
}

sinew_status si_limits_settle(sinew_solver *s, const sinew_pose *pose, int free_count,
                              sinew_error *error) {
  if (!s->limit_tangent) return SINEW_OK;
  sinew_status status = si_tangent_eval_inputs(s->limit_tangent, pose, error);
  if (status < 0) return status;
  const float *values = si_pose_values(pose);
  for (int k = 0, last = -1; k < s->held_count; k++) {
    const si_limit *limit = &s->limits[s->held[k]];
    if (limit->goal >= 0 || (int)limit->node == last) continue;
    last = (int)limit->node;
    const sinew_node *node = &s->rig->nodes[limit->node];
    const si_component *component = &s->rig->model.components[node->component - 1];
    for (uint32_t i = 0; i < node->input_count; i++) {
      if (si_input_desc(component, i)->kind != SINEW_SCALAR) continue;
      si_tangent_input(s->limit_tangent, (sinew_component){ node->component }, i, s->rate);
      double most = 0, by = (double)to_let_through(s->rig, node, values, i);
      for (int c = 0; c < s->columns; c++) {
        s->rate[c] *= s->range[c];
        most = fmax(most, fabs((double)s->rate[c]));
      }
      if (!(most > 0)) continue;
      for (int c = 0; c < free_count; c++) {
        double slope = (double)s->rate[s->free[c]] / most;
        s->gradient[c] -= slope * by / most;
        for (int e = 0; e <= c; e++)
          s->matrix[c * free_count + e] += slope * (double)s->rate[s->free[e]] / most;
      }
    }
  }
  return SINEW_OK;
}

/* a place for a new cut: replaces the oldest of the same limit if that has its share already, or
 * the oldest of all */
static int place_cut(sinew_solver *s, int limit) {
  int same = 0, oldest = -1;
  for (int k = 0; k < s->cut_count; k++)
    if (s->cuts[k].limit == limit) {
      if (same++ == 0) oldest = k;
    }
  if (same < si_cuts_a_limit && s->cut_count < si_most_cuts) return s->cut_count++;
  if (same < si_cuts_a_limit) oldest = 0;
  size_t n = (size_t)s->columns, after = (size_t)(s->cut_count - 1 - oldest);
  memmove(&s->cuts[oldest], &s->cuts[oldest + 1], after * sizeof *s->cuts);
  memmove(s->cut_normals + (size_t)oldest * n, s->cut_normals + (size_t)(oldest + 1) * n,
          after * n * sizeof *s->cut_normals);
  return s->cut_count - 1;
}

double si_limits_cut(sinew_solver *s, sinew_pose *pose, const double *inside, sinew_error *error) {
  double worst = 0;
  size_t n = (size_t)s->columns;
  if (take_rates(s, pose, error) < 0) return -1;
  for (int k = 0; k < s->held_count; k++) {
    const si_limit *limit = &s->limits[s->held[k]];
    double square = 0, held = hold_rate(s, pose, limit);
    for (size_t i = 0; i < n; i++) {
      double slope = (double)s->rate[i] * (double)s->range[i];
      square += slope * slope;
    }
    if (!(square > 1e-20)) continue; /* no DOF of the solver changes it */
    double length = sqrt(square), distance = held / length, at = 0, known = -INFINITY;
    int place = place_cut(s, s->held[k]);
    double *normal = s->cut_normals + (size_t)place * n;
    for (size_t i = 0; i < n; i++) {
      normal[i] = (double)s->rate[i] * (double)s->range[i] / length;
      at += normal[i] * s->x[i];
    }
    if (inside) {
      known = 0;
      for (size_t i = 0; i < n; i++) known += normal[i] * inside[i];
    }
    s->cuts[place] = (si_cut){ .most = fmax(at - distance - margin, known), .limit = s->held[k] };
    worst = fmax(worst, distance);
  }
  return worst;
}

void si_cuts_drop(sinew_solver *s, const double *x, double further) {
  size_t n = (size_t)s->columns;
  int kept = 0;
  for (int k = 0; k < s->cut_count; k++) {
    const double *normal = s->cut_normals + (size_t)k * n;
    double distance = s->cuts[k].most;
    for (size_t i = 0; i < n; i++) distance -= normal[i] * x[i];
    if (distance > further) continue;
    if (kept != k) {
      s->cuts[kept] = s->cuts[k];
      memcpy(s->cut_normals + (size_t)kept * n, normal, n * sizeof *normal);
    }
    kept++;
  }
  s->cut_count = kept;
}
