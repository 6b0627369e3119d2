/* A solve: soft DOFs move first, stiff ones only if those do not reach the goals. Where no step
 * helps, the search escapes: it goes down again from halfway to the middle of the ranges, from the
 * middle, from other places that fill the ranges evenly, and last, if the options say so, from
 * random poses in a fixed sequence. */
#include "solve/solve_search.h"

#include "base/error_internal.h"
#include "base/platform.h"
#include "evaluate/pose_internal.h"
#include "math/matrix.h"

#include <limits.h>
#include <string.h>

enum {
  places_per_start = 16,
  most_restarts = 8,
  few_escapes = 4,
  centred_steps = 3,
  start_iterations = 15
};
static const float soft_stiffness = 30; /* and below */

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

bool si_search_late(const si_search *x) {
  return x->o->seconds > 0 && now() - x->started > x->o->seconds;
}

/* --- where to start */

/* Where the escapes lead: halfway to the middle of the ranges, to the middle, then to places that
 * fill the ranges evenly: multiples of the golden ratio, a different one for each DOF. Returns the
 * part of the DOF's range; `*share` is how much of the way to it. */
static double escape_to(int which, int dof, double *share) {
  static const double parts[] = { 0.5, 0.5, 0.25, 0.75 };
  *share = which == 0 ? 0.5 : 1;
  if (which < 4) return parts[which];
  double multiple = 0.5 + (which - 3) * fmod((dof + 1) * 0.6180339887498949, 1);
  return multiple - floor(multiple);
}

sinew_status si_search_escape(si_search *x, const double *from, int which, int iterations) {
  sinew_solver *s = x->s;
  for (int i = 0; i < s->columns; i++) {
    double share, part = escape_to(which, i, &share);
    double at = from[i], low = (double)(s->least[i] / s->range[i]);
    double to = low + part * (double)((s->most[i] - s->least[i]) / s->range[i]);
    if (!si_search_still(x, i)) at += share * (to - at);
    si_search_set(x, i, (float)(at * (double)s->range[i]));
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
      si_search_set(x, i, si_search_still(x, i) ? s->best[i] : anywhere);
    }
    sinew_status status = si_search_eval(x);
    if (status < 0) return status;
    double cost = si_search_cost(x, s->trial_residual);
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

/* the first steps of a solve pull soft DOFs to the middle of their ranges, if the goals are far */
static void pull_to_middle(const sinew_solver *s) {
  for (int i = 0; i < s->columns; i++)
    s->pull_to[i] = s->stiffness[i] > soft_stiffness
                        ? s->anchor[i]
                        : (double)(s->least[i] + s->most[i]) / (2 * (double)s->range[i]);
}

/* local, then escapes, then restarts, over the columns that are not kept still */
static sinew_status solve_stage(si_search *x, int iterations) {
  sinew_solver *s = x->s;
  int stop_at = x->result->iterations + iterations;
  x->lambda = 1e-3;
  x->result->starts++;
  pull_to_middle(s);
  x->centring = true;
  x->pull = 0;
  sinew_status status = si_search_descend(x, iterations, x->o->posture > 0 ? 0 : centred_steps);
  x->centring = false;
  bool last = x->stiffest == INFINITY;
  if (x->free_count == 0 || (!last && !si_search_can_move(x))) return status;
  bool restarts = x->o->restarts && last;
  int escapes = !x->o->escapes ? 0 : last && !restarts ? si_escapes : few_escapes;
  for (int k = 0; k < escapes && status >= 0 && !is_over(x); k++) {
    for (int i = 0; i < s->columns; i++) s->way[i] = (double)s->best[i] / (double)s->range[i];
    status = si_search_escape(x, s->way, k, stop_at - x->result->iterations);
  }
  for (int k = 0; restarts && k < most_restarts && status >= 0 && !is_over(x); k++) {
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

/* makes the goals those that the pose meets already: its points and orientations. Others are left
 * out. */
static void want_pose(const si_search *x, sinew_goal *goals) {
  for (int g = 0; g < x->s->goal_count; g++) {
    sinew_goal *goal = &goals[g];
    const float *world = sinew_pose_world(x->pose, goal->segment);
    if (goal->kind == SINEW_GOAL_POINT)
      si_mat_point(world, goal->point, goal->target);
    else if (goal->kind == SINEW_GOAL_TURN)
      memcpy(goal->frame, world, sizeof goal->frame);
    else
      goal->weight = 0;
  }
}

/* Frees the pose of what is held where the call begins. What the goals are about stays where it is,
 * as far as the limits allow. */
static sinew_status free_start(si_search *x) {
  sinew_solver *s = x->s;
  sinew_status status = si_search_eval(x);
  if (status < 0 || !si_limits_check(s, x->pose)) return status;
  memcpy(s->kept_goals, s->goals, (size_t)s->goal_count * sizeof *s->goals);
  want_pose(x, s->goals);
  status = si_search_free(x);
  if (status >= 0) status = si_search_descend(x, start_iterations, 0);
  memcpy(s->goals, s->kept_goals, (size_t)s->goal_count * sizeof *s->goals);
  x->best_cost = INFINITY;
  x->lambda = 1e-3;
  x->result->iterations = 0;
  return status;
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
    si_search_set(x, i, s->value[i]); /* a range may be narrower here */
    s->best[i] = s->value[i];
  }
  sinew_status status = free_start(x);
  memcpy(s->anchor, s->x, (size_t)s->columns * sizeof *s->anchor);
  memcpy(s->pull_to, s->x, (size_t)s->columns * sizeof *s->pull_to);
  memcpy(s->frame, s->x, (size_t)s->columns * sizeof *s->frame);
  memcpy(s->best, s->value, (size_t)s->columns * sizeof *s->best);
  return status;
}

sinew_status si_search_finish(si_search *x, sinew_status status) {
  sinew_solve_end end = x->result->end;
  sinew_status last = sinew_pose_eval(x->pose, status < 0 ? NULL : x->error);
  if (status >= 0) status = last;
  x->result->cost = (float)si_search_cost(x, x->s->residual);
  if (end == SINEW_SOLVE_REACHED) end = SINEW_SOLVE_NEAREST;
  x->result->end = si_search_reached(x) ? SINEW_SOLVE_REACHED : end;
  return status < 0 ? status : SINEW_OK;
}

sinew_status sinew_solver_solve(sinew_solver *s, sinew_pose *pose,
                                const sinew_solve_options *options, sinew_solve_result *result,
                                sinew_error *error) {
  sinew_solve_options whole = sinew_default_solve_options();
  sinew_solve_result mine = { 0 };
  SI_OWN_ERROR(error);
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
    si_search_put_best(&x);
    if (x.result->end != SINEW_SOLVE_SECONDS && x.result->end != SINEW_SOLVE_REACHED)
      x.result->end = SINEW_SOLVE_NEAREST;
  }
  x.stiffest = INFINITY;
  if (status >= 0 && (x.result->starts == 0 || !is_over(&x)))
    status = solve_stage(&x, options->iterations);
  si_search_put_best(&x);
  if (status >= 0 && !is_over(&x) && x.slow_steps < INT_MAX) {
    /* nothing reaches the goals: finish the best one */
    x.slow_steps = INT_MAX;
    x.lambda = 1e-3;
    s->cut_count = 0;
    status = si_search_descend(&x, options->iterations, 0);
    si_search_put_best(&x);
  }
  return si_search_finish(&x, status);
}
