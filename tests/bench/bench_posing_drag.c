/* Drags of the human's right hand, frame by frame. */
#include "bench_posing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { still_frames = 60 };
static const char *const arm = "right_shoulder right_elbow right_wrist";

typedef struct hauling {
  posing *p;
  sinew_solver *solver;
  sinew_goal goal;
  sinew_solve_options options;
  long frames, unheld, evaluations;
  int most_evaluations;
  float step;    /* the largest of a DOF in one frame, in its range */
  float error;   /* after the last frame */
  double behind; /* the sum of the errors after each frame */
} hauling;

static hauling hauling_make(posing *p) {
  hauling h = { .p = p, .options = sinew_default_solve_options() };
  h.goal = posing_point(p->model, posing_segment(p, "carpus_r"));
  h.solver = posing_solver(p, &h.goal, 1, NULL, false);
  return h;
}

static size_t dof_bytes(const posing *p) {
  return sizeof(float) * (size_t)sinew_rig_dof_count(p->rig);
}

/* one frame; returns the largest movement of a DOF */
static float frame(hauling *h, const float *target) {
  sinew_error error;
  sinew_solve_result result;
  posing *p = h->p;
  memcpy(h->goal.target, target, sizeof h->goal.target);
  memcpy(p->before, sinew_pose_dofs(p->pose), dof_bytes(p));
  sinew_solver_set_goal(h->solver, 0, &h->goal, NULL);
  bench_check(sinew_solver_drag(h->solver, p->pose, &h->options, &result, &error) >= 0, &error);
  float moved = posing_moved(p, p->pose, p->before, NULL);
  h->frames++, h->unheld += !posing_held(p->pose), h->evaluations += result.evaluations;
  if (result.evaluations > h->most_evaluations) h->most_evaluations = result.evaluations;
  h->step = fmaxf(h->step, moved);
  h->error = sinew_goal_error(&h->goal, p->pose);
  h->behind += (double)h->error;
  return moved;
}

/* moves the goal along a straight line, and then leaves it there for a second */
static void haul(hauling *h, const float *from, const float *to, float by) {
  float way[3], length = 0, target[3];
  for (int i = 0; i < 3; i++) way[i] = to[i] - from[i], length += way[i] * way[i];
  int steps = (int)ceilf(sqrtf(length) / by);
  for (int k = 1; k <= steps; k++) {
    for (int i = 0; i < 3; i++) target[i] = from[i] + way[i] * ((float)k / (float)steps);
    frame(h, target);
  }
}

static void rest_at(hauling *h, const float *target) {
  for (int k = 0; k < still_frames; k++)
    if (frame(h, target) < 1e-5f && h->error < 1e-4f) break;
}

static void press(hauling *h) {
  sinew_error error;
  bench_check(sinew_solver_press(h->solver, h->p->pose, &error) >= 0, &error);
}

static void drag_by(posing *p, const char *name, float by, double most_step) {
  hauling h = hauling_make(p);
  int near_it = 0, count = bench_smoke() ? 2 : 200;
  char text[96];
  p->random = 4;
  for (int g = 0; g < count; g++) {
    posing_scatter_free(p, p->pose, arm);
    posing_scatter(p, p->model, arm);
    sinew_goal from = posing_point(p->pose, h.goal.segment);
    sinew_goal to = posing_point(p->model, h.goal.segment);
    press(&h);
    haul(&h, from.target, to.target, by);
    rest_at(&h, to.target);
    near_it += h.error <= 0.01f;
    snprintf(text, sizeof text, "%s: drag %d ends off by mm", name, g + 1);
    if (h.error > 0.01f) bench_ratio(text, (double)h.error * 1e3, 0);
  }
  snprintf(text, sizeof text, "%s: end within 1 cm", name);
  bench_of(text, near_it, count, count);
  snprintf(text, sizeof text, "%s: frames without an active hold", name);
  bench_of(text, (int)h.unheld, (int)h.frames, (int)h.frames);
  snprintf(text, sizeof text, "%s: largest step of a DOF, in its range", name);
  bench_ratio(text, (double)h.step, most_step);
  snprintf(text, sizeof text, "%s: evaluations a frame", name);
  bench_ratio(text, (double)h.evaluations / (double)h.frames, 0);
  snprintf(text, sizeof text, "%s: most evaluations in a frame", name);
  bench_ratio(text, h.most_evaluations, 0);
  snprintf(text, sizeof text, "%s: mm behind the goal, mean of all frames", name);
  bench_ratio(text, h.behind / (double)h.frames * 1e3, 0);
  sinew_solver_destroy(h.solver);
}

void bench_posing_drag(posing *p) {
  drag_by(p, "drag, 1 cm", 0.01f, 0.06);
  drag_by(p, "drag, 3 mm", 0.003f, 0);
}

/* a goal that is moved a metre straight away from the shoulder, and back */
void bench_posing_return(posing *p) {
  enum { paths = 6 };
  sinew_segment shoulder = posing_segment(p, "humerus_r");
  int returned = 0;
  float step = 0, began[posing_dofs];
  p->random = 5;
  for (int g = 0; g < paths; g++) {
    hauling h = hauling_make(p);
    float out[3], way[3], length = 0;
    char text[96];
    posing_scatter_free(p, p->pose, arm);
    memcpy(began, sinew_pose_dofs(p->pose), dof_bytes(p));
    sinew_goal home = posing_point(p->pose, h.goal.segment);
    const float *from = sinew_pose_world(p->pose, shoulder) + 12;
    for (int i = 0; i < 3; i++) way[i] = home.target[i] - from[i], length += way[i] * way[i];
    for (int i = 0; i < 3; i++) out[i] = home.target[i] + way[i] / sqrtf(length);
    press(&h);
    haul(&h, home.target, out, 0.01f);
    haul(&h, out, home.target, 0.01f);
    rest_at(&h, home.target);
    float off = posing_moved(p, p->pose, began, NULL);
    returned += off <= 0.01f;
    step = fmaxf(step, h.step);
    snprintf(text, sizeof text, "return, path %d: a DOF ends off, in its range", g + 1);
    bench_ratio(text, (double)off, 0);
    snprintf(text, sizeof text, "return, path %d: largest step", g + 1);
    bench_ratio(text, (double)h.step, 0);
    sinew_solver_destroy(h.solver);
  }
  bench_of("return: every DOF within 1% of where it began", returned, paths, 4);
  bench_ratio("return: largest step of a DOF, in its range", (double)step, 0.06);
}
