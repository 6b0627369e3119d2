/* Fitting frames. Each frame is one solve: a point goal for every visible part, and a posture that
 * keeps DOFs near the previous frame, so that DOFs which the parts do not determine neither drift
 * nor jump. A fresh start first solves for the DOFs that move all parts, from several poses. */
#include "motion/fit_internal.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/vector.h"
#include "compile/rig_internal.h"

struct sinew_fit {
  const sinew_rig *rig;
  const sinew_motion *motion;
  sinew_fit_part *parts;
  int part_count;
  sinew_solver *all, *body; /* body: only the DOFs that move all parts; NULL: there are none */
  float scale, posture;
  int iterations;
  bool z_up;
  float *rest;   /* where posture wants the DOFs of `all` */
  bool *carries; /* for each DOF of `all`: it moves all parts */
  float *errors; /* of the parts; NaN: not visible */
  float *room;   /* scratch for the points of a frame */
};

sinew_fit_desc sinew_default_fit_desc(void) {
  return (sinew_fit_desc){
    .size = sizeof(sinew_fit_desc), .scale = 1, .posture = 1e-5f, .iterations = 40
  };
}

static bool carries_all(const sinew_rig *rig, const sinew_fit_desc *desc, sinew_dof dof) {
  for (int i = 0; i < desc->part_count; i++) {
    bool moved = false;
    uint32_t at = desc->parts[i].segment.id;
    for (; at && !moved && si_work(4); at = rig->model.segments[at - 1].parent) {
      si_source driver = rig->model.segments[at - 1].source;
      moved = driver.kind == SI_FROM_OUTPUT &&
              sinew_rig_depends(rig, (sinew_component){ driver.id }, dof);
    }
    if (!moved) return false;
  }
  return true;
}

static bool check_desc(const sinew_rig *rig, const sinew_motion *motion, const sinew_fit_desc *desc,
                       sinew_error *error) {
  const char *bad = NULL;
  if (desc->iterations < 1) bad = "iterations";
  if (!(desc->posture >= 0) || isinf(desc->posture)) bad = "posture";
  if (!(desc->scale > 0) || isinf(desc->scale)) bad = "scale";
  if (bad) return si_fail_false(error, SINEW_ERR_VALUE, "invalid '%s' of the fit", bad);
  if (desc->part_count < 1 || !desc->parts)
    return si_fail_false(error, SINEW_ERR_VALUE, "a fit needs at least one part");
  return si_fit_check(rig, motion, desc->parts, desc->part_count, error);
}

/* the goals are POINT goals in the order of the parts */
static bool make_solvers(sinew_fit *fit, const sinew_fit_desc *desc, sinew_error *error) {
  sinew_goal *goals = si_alloc_array((size_t)desc->part_count, sizeof *goals);
  sinew_dof *dofs = si_alloc_array(fit->rig->model.dof_count + 1, sizeof *dofs);
  int count = 0;
  if (!goals || !dofs) si_fail_memory(error);
  for (int i = 0; goals && dofs && i < desc->part_count; i++) {
    goals[i] = sinew_default_goal(SINEW_GOAL_POINT, desc->parts[i].segment);
    memcpy(goals[i].point, desc->parts[i].point, sizeof goals[i].point);
  }
  sinew_solver_desc asked = { .size = sizeof asked,
                              .dofs = desc->dofs,
                              .dof_count = desc->dof_count,
                              .goals = goals,
                              .goal_count = desc->part_count };
  if (goals && dofs) fit->all = sinew_solver_create(fit->rig, &asked, error);
  for (int i = 0; fit->all && i < sinew_solver_dof_count(fit->all); i++) {
    sinew_dof dof = sinew_solver_dof(fit->all, i);
    if (carries_all(fit->rig, desc, dof)) dofs[count++] = dof;
  }
  if (count) {
    asked.dofs = dofs;
    asked.dof_count = count;
    fit->body = sinew_solver_create(fit->rig, &asked, error);
  }
  si_free(dofs);
  si_free(goals);
  if (si_stopped()) return si_memory_false(error);
  return fit->all && (!count || fit->body);
}

static void lay_out(sinew_fit *fit, si_carver *c, int dofs) {
  size_t parts = (size_t)fit->part_count, n = (size_t)dofs;
  fit->parts = si_carve(c, parts, sizeof *fit->parts, 16);
  fit->rest = si_carve(c, n, sizeof *fit->rest, 16);
  fit->errors = si_carve(c, parts, sizeof *fit->errors, 16);
  fit->room = si_carve(c, si_fit_room(fit->motion), sizeof *fit->room, 32);
  fit->carries = si_carve(c, n, sizeof *fit->carries, 1);
}

sinew_fit *sinew_fit_create(const sinew_rig *rig, const sinew_motion *motion,
                            const sinew_fit_desc *desc, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && motion && desc)) return NULL;
  sinew_fit_desc whole = sinew_default_fit_desc();
  if (!SI_TAKE_DESC(fit_desc, desc, &whole, error)) return NULL;
  if (!check_desc(rig, motion, desc, error)) return NULL;
  sinew_fit plan = { .rig = rig,
                     .motion = motion,
                     .part_count = desc->part_count,
                     .scale = desc->scale,
                     .posture = desc->posture,
                     .iterations = desc->iterations,
                     .z_up = desc->z_up };
  sinew_fit *fit = NULL;
  if (make_solvers(&plan, desc, error)) {
    int dofs = sinew_solver_dof_count(plan.all);
    si_carver carver = { 0 };
    si_carve(&carver, 1, sizeof plan, SI_ALIGN);
    lay_out(&plan, &carver, dofs);
    fit = si_alloc(carver.used);
    if (!fit) si_fail_memory(error);
    carver = (si_carver){ .base = (unsigned char *)fit };
    si_carve(&carver, 1, sizeof plan, SI_ALIGN);
    if (fit) {
      *fit = plan;
      lay_out(fit, &carver, dofs);
      memcpy(fit->parts, desc->parts, (size_t)desc->part_count * sizeof *fit->parts);
      for (int i = 0; i < desc->part_count; i++) fit->errors[i] = NAN;
      for (int i = 0; i < dofs; i++)
        fit->carries[i] = carries_all(rig, desc, sinew_solver_dof(fit->all, i));
    }
    if (fit && si_stopped()) {
      si_fail_memory(error);
      si_free(fit);
      fit = NULL;
    }
  }
  if (!fit) {
    sinew_solver_destroy(plan.all);
    sinew_solver_destroy(plan.body);
  }
  return fit;
}

void sinew_fit_destroy(sinew_fit *fit) {
  if (!fit) return;
  sinew_solver_destroy(fit->all);
  sinew_solver_destroy(fit->body);
  si_free(fit);
}

int sinew_fit_dof_count(const sinew_fit *fit) {
  return SI_EXPECT(fit) ? sinew_solver_dof_count(fit->all) : 0;
}

sinew_dof sinew_fit_dof(const sinew_fit *fit, int index) {
  if (!SI_EXPECT(fit)) return (sinew_dof){ 0 };
  return sinew_solver_dof(fit->all, index);
}

/* converts a point of the motion to the axes and scale of the rig */
static bool place(const sinew_fit *fit, const float *point, float *dest) {
  float x = point[0] / fit->scale, y = point[1] / fit->scale, z = point[2] / fit->scale;
  if (!isfinite(x) || !isfinite(y) || !isfinite(z)) return false;
  dest[0] = x;
  dest[1] = fit->z_up ? z : y;
  dest[2] = fit->z_up ? -y : z;
  return true;
}

bool sinew_fit_target(const sinew_fit *fit, int frame, int part, float dest[3]) {
  if (!SI_EXPECT(fit && frame >= 0 && frame < sinew_motion_frame_count(fit->motion) && part >= 0 &&
                 part < fit->part_count))
    return false;
  const float *points = si_fit_points(fit->motion, frame, fit->room);
  return place(fit, points + 3 * fit->parts[part].source, dest);
}

/* sets the targets of the goals; returns how many parts with a weight are visible */
static int aim(sinew_fit *fit, sinew_solver *solver, const float *points) {
  int seen = 0;
  for (int i = 0; i < fit->part_count; i++) {
    sinew_goal goal = sinew_solver_goal(solver, i);
    bool there = place(fit, points + 3 * fit->parts[i].source, goal.target);
    goal.weight = there ? fit->parts[i].weight : 0;
    sinew_solver_set_goal(solver, i, &goal, NULL);
    seen += goal.weight > 0;
  }
  return seen;
}

/* the errors of all parts, and the worst and RMS of the weighted ones */
static void measure(sinew_fit *fit, const sinew_pose *pose, const float *points,
                    sinew_fit_result *dest) {
  double sum = 0;
  dest->worst = 0;
  for (int i = 0; i < fit->part_count; i++) {
    sinew_goal goal = sinew_solver_goal(fit->all, i);
    bool there = place(fit, points + 3 * fit->parts[i].source, goal.target);
    float off = there ? sinew_goal_error(&goal, pose) * fit->scale : NAN;
    fit->errors[i] = off;
    if (!there || !(fit->parts[i].weight > 0)) continue;
    sum += (double)off * (double)off;
    if (off < dest->worst) continue;
    dest->worst = off;
    dest->worst_part = i;
  }
  if (dest->seen) dest->rms = (float)sqrt(sum / dest->seen);
}

static sinew_status solve(sinew_solver *solver, sinew_pose *pose,
                          const sinew_solve_options *options, sinew_fit_result *dest,
                          sinew_error *error) {
  sinew_solve_result r;
  sinew_status status = sinew_solver_solve(solver, pose, options, &r, error);
  dest->iterations += r.iterations;
  dest->evaluations += r.evaluations;
  return status;
}

/* A DOF with a range of 360 degrees that has reached one end continues at the other; true if any
 * did. */
static bool go_round(const sinew_fit *fit, sinew_pose *pose) {
  bool any = false;
  for (int i = 0; i < sinew_solver_dof_count(fit->all); i++) {
    sinew_dof id = sinew_solver_dof(fit->all, i);
    const si_dof *dof = &fit->rig->model.dofs[id.id - 1];
    float value = sinew_pose_get(pose, id), near = 0.01f;
    bool low = value<dof->min + near, high = value> dof->max - near;
    if (!fit->carries[i] || dof->max - dof->min != 360 || !(low || high)) continue;
    sinew_pose_set(pose, id, low ? dof->max - 2 * near : dof->min + 2 * near, NULL);
    any = true;
  }
  return any;
}

/* one solve of all DOFs, starting from the current pose */
static sinew_status follow(sinew_fit *fit, sinew_pose *pose, const float *points,
                           sinew_solve_options *how, sinew_fit_result *dest, sinew_error *error) {
  how->posture = fit->posture;
  how->rest = fit->rest;
  for (int i = 0; i < sinew_solver_dof_count(fit->all); i++) {
    sinew_dof dof = sinew_solver_dof(fit->all, i);
    float was = sinew_pose_get(pose, dof), rest = fit->rig->model.dofs[dof.id - 1].rest;
    fit->rest[i] = fit->carries[i] ? was : was + 0.1f * (rest - was);
  }
  sinew_status status = solve(fit->all, pose, how, dest, error);
  measure(fit, pose, points, dest);
  return status;
}

sinew_status sinew_fit_frame(sinew_fit *fit, int frame, bool afresh, sinew_pose *pose,
                             sinew_fit_result *dest, sinew_error *error) {
  sinew_fit_result mine;
  if (!dest) dest = &mine;
  *dest = (sinew_fit_result){ 0 };
  if (!SI_EXPECT(fit && pose && sinew_pose_rig(pose) == fit->rig && frame >= 0 &&
                 frame < sinew_motion_frame_count(fit->motion)))
    return SINEW_ERR_CALL;
  const float *points = si_fit_points(fit->motion, frame, fit->room);
  sinew_solve_options how = sinew_default_solve_options();
  sinew_status status = SINEW_OK;
  how.iterations = fit->iterations;
  how.tolerance = 0;
  how.restarts = afresh;
  dest->seen = aim(fit, fit->all, points);
  if (dest->seen && afresh && fit->body) {
    aim(fit, fit->body, points);
    how.iterations *= 8;
    /* of two sets of angles for the same rotation, prefer the one nearer to rest */
    how.posture = 1e-3f;
    status = solve(fit->body, pose, &how, dest, error);
    how.restarts = false;
  }
  /* a fresh start is far off: repeat with the posture moved along while it still improves */
  float last = INFINITY;
  for (int round = 0; dest->seen && status >= 0 && round < (afresh ? 10 : 1); round++) {
    status = follow(fit, pose, points, &how, dest, error);
    if (status >= 0 && go_round(fit, pose)) status = follow(fit, pose, points, &how, dest, error);
    if (!(dest->rms < 0.99f * last)) break;
    last = dest->rms;
  }
  if (status >= 0 && !dest->seen) status = sinew_pose_eval(pose, error);
  measure(fit, pose, points, dest);
  return status < 0 ? status : SINEW_OK;
}

float sinew_fit_error(const sinew_fit *fit, int part) {
  return SI_EXPECT(fit && part >= 0 && part < fit->part_count) ? fit->errors[part] : NAN;
}
