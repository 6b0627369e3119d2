/* Dragging bones: the point of a bone under the mouse follows it in the plane that faces the
 * camera, and the solver finds the DOFs, within every limit of the rig. */
#include "draw/space_draw.h"
#include "state/state.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <sinew/solve.h>
#include <stdio.h>
#include <string.h>

typedef struct grab {
  sinew_solver *solver;  /* NULL: nothing is being dragged */
  sinew_segment pressed; /* the bone under the mouse when the button was pressed */
  Vector2 pressed_at;
  Vector3 hit, target;
  float local[3]; /* the dragged point in the segment's frame */
  sinew_solve_result last;
} grab;

static void let_go(grab *g) {
  sinew_solver_destroy(g->solver);
  g->solver = NULL;
}

/* A solver for one point of one bone. DOFs that move the whole body are left out, unless no other
 * moves the bone, or `all` is set. */
static sinew_solver *solver_for(state *st, sinew_segment segment, const float *local, bool all,
                                sinew_error *error) {
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, segment);
  memcpy(goal.point, local, sizeof goal.point);
  sinew_solver_desc desc = { .size = sizeof desc, .goals = &goal, .goal_count = 1, .root = all };
  return sinew_solver_create(state_rig(st), &desc, error);
}

static void start(state *st, grab *g) {
  sinew_error error;
  bool all = IsKeyDown(KEY_LEFT_ALT) || IsKeyDown(KEY_RIGHT_ALT);
  float back[16], hit[3] = { g->hit.x, g->hit.y, g->hit.z };
  space_inverse(sinew_pose_world(state_pose(st), g->pressed), back);
  space_point(back, hit, g->local);
  g->solver = solver_for(st, g->pressed, g->local, all, &error);
  if (st->selected.segment.id != g->pressed.id)
    state_select(st, (selection){ .segment = g->pressed });
  if (g->solver && sinew_solver_press(g->solver, state_pose(st), &error) < 0) let_go(g);
  if (!g->solver) state_say(st, "%s", error.text);
}

/* moves the bone towards the target: a frame of a drag, or all the way at once */
static void pull(state *st, grab *g, bool at_once) {
  sinew_goal goal = sinew_solver_goal(g->solver, 0);
  sinew_error error;
  goal.target[0] = g->target.x;
  goal.target[1] = g->target.y;
  goal.target[2] = g->target.z;
  sinew_status status = sinew_solver_set_goal(g->solver, 0, &goal, &error);
  if (status >= 0)
    status = (at_once ? sinew_solver_solve : sinew_solver_drag)(g->solver, state_pose(st), NULL,
                                                                &g->last, &error);
  if (status < 0) state_wrong(st, error.text);
}

static bool mouse(state *st, void *self, Ray ray) {
  grab *g = self;
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) {
    g->pressed = scene_pick(st->scene, state_pose(st), ray, &g->hit);
    if (ui_shift()) g->pressed.id = 0;
    g->pressed_at = GetMousePosition();
  }
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
    let_go(g);
    g->pressed = (sinew_segment){ 0 };
    return false;
  }
  if (!g->pressed.id) return false;
  Vector2 at = GetMousePosition();
  if (!g->solver) {
    /* a click selects; dragging starts after a few pixels */
    if (Vector2Distance(at, g->pressed_at) < 4) return true;
    start(st, g);
    if (!g->solver) {
      g->pressed = (sinew_segment){ 0 };
      return true;
    }
  }
  Camera3D camera = orbit_camera(&st->view);
  Vector3 facing = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
  float along = Vector3DotProduct(ray.direction, facing);
  if (fabsf(along) < 1e-4f) return true;
  float distance = Vector3DotProduct(Vector3Subtract(g->hit, ray.position), facing) / along;
  g->target = Vector3Add(ray.position, Vector3Scale(ray.direction, distance));
  pull(st, g, false);
  return true;
}

static void glass(state *st, void *self) {
  const grab *g = self;
  if (!g->solver) return;
  float size = st->view.distance * 0.004f;
  Vector3 held = placed(sinew_pose_world(state_pose(st), g->pressed), g->local);
  DrawSphere(held, size, theme_held);
  DrawSphere(g->target, size * 0.7f, theme_action);
  DrawLine3D(held, g->target, theme_held);
}

static void destroy(void *self) { let_go(self); }

static void loaded(state *st, void *self) {
  (void)st;
  grab *g = self;
  let_go(g);
  g->pressed = (sinew_segment){ 0 };
}

/* "SEGMENT x y z": drags the segment's origin to that point */
static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)self;
  if (strcmp(verb, "drag") != 0) return false;
  grab once = { 0 };
  char name[128];
  sinew_error error;
  if (sscanf(rest, "%127s %f %f %f", name, &once.target.x, &once.target.y, &once.target.z) != 4)
    return tool_answer(false, "drag SEGMENT X Y Z");
  once.pressed = sinew_rig_find_segment(state_rig(st), name, &error);
  if (once.pressed.id) once.solver = solver_for(st, once.pressed, once.local, false, &error);
  if (!once.solver) return tool_answer(false, error.text);
  pull(st, &once, true);
  let_go(&once);
  printf("ok %s, %.4f mm off\n", sinew_solve_end_name(once.last.end),
         (double)once.last.error * 1000);
  return true;
}

static const char *const help[] = { "drag a bone: its DOFs follow, within every limit",
                                    "Alt+drag: the whole body may move too; Shift+drag: the view",
                                    NULL };

const tool tool_grab = { .name = "grab",
                         .doc = "dragging bones",
                         .open = true,
                         .keys = help,
                         .size = sizeof(grab),
                         .destroy = destroy,
                         .loaded = loaded,
                         .mouse = mouse,
                         .glass = glass,
                         .remote = remote,
                         .remote_help = "drag SEGMENT X Y Z" };
