/* Dragging: one short solve for each frame, from the pose as it is. The first steps pull all DOFs
 * to the pose of the press, stiff ones most; the others only the goals, so that what the goals
 * leave free returns. Where the way is blocked, a solution is searched aside and then walked to by
 * small steps, until the goals can be reached from where the pose is. */
#include "solve/solve_search.h"

#include "base/error_internal.h"
#include "evaluate/pose_internal.h"

#include <string.h>

enum { frame_iterations = 15, frame_pulls = 3, escape_iterations = 20 };
static const float default_step = 0.05f;
static const double press_pull = 1e-5;   /* to the pose of the press, in the first steps */
static const float moved_enough = 0.02f; /* metres, of a goal, before an escape is tried again */
static const float off_enough = 0.002f;  /* metres, of a goal, to try one */

static void keep(sinew_solver *s, double *dest) {
  memcpy(dest, s->x, (size_t)s->columns * sizeof *dest);
}

sinew_status sinew_solver_press(sinew_solver *s, sinew_pose *pose, sinew_error *error) {
  sinew_solve_options options = sinew_default_solve_options();
  sinew_solve_result result;
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(s && pose && pose->rig == s->rig)) return SINEW_ERR_CALL;
  si_search x = { .s = s, .pose = pose, .o = &options, .result = &result, .error = error };
  sinew_status status = si_search_begin(&x);
  if (status < 0) return status;
  keep(s, s->press);
  s->pressed = true;
  s->walking = false;
  s->lambda = 1e-3;
  for (int g = 0; g < s->goal_count; g++) s->tried_target[3 * g] = INFINITY;
  return SINEW_OK;
}

/* whether a goal has moved since an escape was last looked for; notes where they are */
static bool goals_moved(sinew_solver *s) {
  float most = 0;
  for (int g = 0; g < s->goal_count; g++) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
      float by = s->goals[g].target[k] - s->tried_target[3 * g + k];
      square += by * by;
    }
    most = fmaxf(most, square);
  }
  if (most < moved_enough * moved_enough) return false;
  for (int g = 0; g < s->goal_count; g++)
    memcpy(s->tried_target + 3 * (size_t)g, s->goals[g].target, 3 * sizeof(float));
  return true;
}

static bool was_capped(const sinew_solver *s, double most_step) {
  for (int i = 0; i < s->columns; i++)
    if (fabs(s->x[i] - s->frame[i]) > 0.98 * most_step) return true;
  return false;
}

/* looks for a way round: a pose that reaches the goals, from elsewhere. The pose stays. */
static sinew_status look_aside(si_search *x) {
  sinew_solver *s = x->s;
  sinew_solve_result here = *x->result;
  double most_step = x->most_step;
  sinew_status status = SINEW_OK;
  keep(s, s->start_aside);
  x->most_step = 0;
  for (int k = 0; k < si_drag_escapes && status >= 0 && !s->walking; k++) {
    status = si_search_escape(x, s->start_aside, k, escape_iterations);
    if (status >= 0 && x->result->end == SINEW_SOLVE_REACHED) {
      keep(s, s->way);
      s->walking = true;
    }
  }
  x->most_step = most_step;
  si_search_put(x, s->start_aside);
  here.evaluations = x->result->evaluations;
  here.starts = x->result->starts;
  *x->result = here;
  return status;
}

/* a step from the frame along the way */
static sinew_status walk(si_search *x) {
  sinew_solver *s = x->s;
  double far = 0;
  for (int i = 0; i < s->columns; i++) far = fmax(far, fabs(s->way[i] - s->frame[i]));
  double share = far > 0.9 * x->most_step ? 0.9 * x->most_step / far : 1;
  for (int i = 0; i < s->columns; i++) s->step[i] = s->frame[i] + share * (s->way[i] - s->frame[i]);
  s->walking = share < 1;
  keep(s, s->start_aside);
  si_search_put(x, s->step);
  sinew_status status = si_search_free(x);
  if (status < 0 || !si_limits_check(s, x->pose)) return status;
  /* a limit is in the way: stay where the local solve ended */
  s->walking = false;
  si_search_put(x, s->start_aside);
  return SINEW_OK;
}

sinew_status sinew_solver_drag(sinew_solver *s, sinew_pose *pose,
                               const sinew_solve_options *options, sinew_solve_result *result,
                               sinew_error *error) {
  sinew_solve_options whole = sinew_default_solve_options();
  sinew_solve_result mine = { 0 };
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(s && pose && pose->rig == s->rig)) return SINEW_ERR_CALL;
  if (!SI_TAKE_DESC(solve_options, options, &whole, error)) return error->status;
  if (!s->pressed) {
    sinew_status status = sinew_solver_press(s, pose, error);
    if (status < 0) return status;
  }
  si_search x = {
    .s = s, .pose = pose, .o = options, .result = result ? result : &mine, .error = error
  };
  sinew_status status = si_search_begin(&x);
  if (status < 0) return status;
  x.most_step = (double)(options->most_step > 0 ? options->most_step : default_step);
  x.lambda = s->lambda;
  memcpy(s->anchor, s->press, (size_t)s->columns * sizeof *s->anchor);
  memcpy(s->pull_to, s->press, (size_t)s->columns * sizeof *s->pull_to);
  x.pull = press_pull;
  x.result->starts = 1;
  status = si_search_descend(&x, frame_iterations, frame_pulls);
  s->lambda = fmin(x.lambda, 1e-3);
  if (status >= 0 && x.result->end == SINEW_SOLVE_REACHED) {
    s->walking = false;
  } else if (status >= 0 && s->walking) {
    status = walk(&x);
  } else if (status >= 0 && options->escapes && x.result->error > off_enough &&
             !was_capped(s, x.most_step) && goals_moved(s)) {
    status = look_aside(&x);
  }
  return si_search_finish(&x, status);
}

float sinew_reach(sinew_solver *s, sinew_pose *pose, sinew_vec3 target) {
  if (!SI_EXPECT(s && pose)) return INFINITY;
  sinew_goal goal = sinew_solver_goal(s, 0);
  sinew_solve_result result = { 0 };
  goal.target[0] = target.x;
  goal.target[1] = target.y;
  goal.target[2] = target.z;
  if (sinew_solver_set_goal(s, 0, &goal, NULL) < 0 ||
      sinew_solver_drag(s, pose, NULL, &result, NULL) < 0)
    return INFINITY;
  return result.error;
}
