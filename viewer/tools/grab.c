/* Dragging bones: the point of a bone under the mouse follows it in an upright plane that
 * faces the camera, and the solver finds the DOFs, within every limit of the rig. Pins, feet, the
 * ground and the box to sit on are goals that the pull gives way to (tools/pose). */
#include "draw/space_draw.h"
#include "tools/pose/posing.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <stdio.h>
#include <string.h>

static const float limb_thickness = 0.06f; /* of its length */
static const float most_steps = 20;        /* in one frame */

typedef struct grab {
  sinew_solver *solver;         /* NULL: nothing is being dragged */
  pose_drag drag;               /* drag.bone: the one under the mouse when the button was pressed */
  Vector2 pressed_at, followed; /* where the mouse was, also in the last frame */
  Vector3 hit, target;
  float depth;      /* metres towards the camera, by the wheel */
  const limb *limb; /* that the bone is a part of, or NULL */
  int first_seat;   /* goals from here on are about the box */
  bool on_seat;
  float above_seat; /* of the point that is pulled above the lowest of its bone */
  sinew_solve_result last;
  float off; /* metres that the point is from the target */
  char label[800];
} grab;

static void let_go(state *st, grab *g) {
  sinew_solver_destroy(g->solver);
  g->solver = NULL;
  g->label[0] = '\0';
  pose_unblock(st);
}

/* A solver for a drag. DOFs that move the whole body are left out, unless no other moves the bone.
 */
static bool make_solver(state *st, grab *g, sinew_error *error) {
  static sinew_goal goals[pose_most_goals];
  const float target[3] = { g->target.x, g->target.y, g->target.z };
  int count = pose_goals(st, pose_of(st), &g->drag, target, goals, &g->first_seat);
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = goals;
  desc.goal_count = count;
  desc.root = g->drag.kind == DRAG_BODY;
  g->solver = sinew_solver_create(state_rig(st), &desc, error);
  g->above_seat = 0;
  for (int i = g->first_seat; i < count; i++) {
    float at[3];
    space_point(sinew_pose_world(state_pose(st), goals[i].segment), goals[i].point, at);
    g->above_seat = fmaxf(g->above_seat, g->hit.y - at[1]);
  }
  return g->solver != NULL;
}

static void start(state *st, grab *g) {
  sinew_error error;
  float back[16], hit[3] = { g->hit.x, g->hit.y, g->hit.z };
  bool alt = IsKeyDown(KEY_LEFT_ALT) || IsKeyDown(KEY_RIGHT_ALT);
  if (st->selected.segment.id != g->drag.bone.id)
    state_select(st, (selection){ .segment = g->drag.bone });
  sinew_segment root = pose_root(state_rig(st), g->drag.bone);
  g->drag.feet = g->drag.kind == DRAG_BONE && !alt;
  if (alt && g->drag.kind == DRAG_BONE) {
    g->drag.kind = DRAG_BODY;
    g->drag.bone = root;
  }
  space_inverse(sinew_pose_world(state_pose(st), g->drag.bone), back);
  space_point(back, hit, g->drag.local);
  g->limb = g->drag.kind == DRAG_BONE ? pose_limb_of(st, pose_of(st), g->drag.bone) : NULL;
  g->target = g->hit;
  g->depth = 0;
  g->off = INFINITY;
  g->on_seat = false;
  if (make_solver(st, g, &error) && sinew_solver_press(g->solver, state_pose(st), &error) < 0)
    let_go(st, g);
  if (!g->solver) state_say(st, "%s", error.text);
}

/* goals about the box count while the body is over it */
static void watch_seat(state *st, grab *g) {
  float at[3] = { g->target.x, g->target.y, g->target.z };
  bool over = pose_over_seat(st, at, 0) ||
              pose_over_seat(st, sinew_pose_world(state_pose(st), g->drag.bone) + 12, 0);
  for (int i = g->first_seat; i < sinew_solver_goal_count(g->solver); i++) {
    sinew_goal goal = sinew_solver_goal(g->solver, i);
    goal.weight = over ? sinew_solver_goal(g->solver, 0).weight * 1e4f : 0;
    sinew_solver_set_goal(g->solver, i, &goal, NULL);
  }
}

/* moves the bone towards the target: a frame of a drag, or all the way at once */
static void pull(state *st, grab *g, bool at_once) {
  sinew_goal goal = sinew_solver_goal(g->solver, 0);
  sinew_error error;
  goal.target[0] = g->target.x;
  goal.target[1] = g->target.y;
  goal.target[2] = g->target.z;
  watch_seat(st, g);
  sinew_status status = sinew_solver_set_goal(g->solver, 0, &goal, &error);
  if (status >= 0)
    status = (at_once ? sinew_solver_solve : sinew_solver_drag)(g->solver, state_pose(st), NULL,
                                                                &g->last, &error);
  if (status < 0) {
    state_wrong(st, error.text);
    return;
  }
  float before = g->off;
  g->off = sinew_goal_error(&goal, state_pose(st));
  /* not while it is still coming nearer */
  bool near = goal.kind != SINEW_GOAL_POINT || g->off <= 6 * state_pixel(st, g->target);
  if (!near && !at_once && before - g->off > 0.02f * g->off) return;
  g->label[0] = '\0';
  pose_unblock(st);
  if (!near) pose_blocked(st, pose_of(st), g->solver, &goal, g->label, sizeof g->label);
}

/* A limb goes in front of the body under the mouse, not into it: how far along the ray it may be.
 * Near the press it may be anywhere, so that the mouse back there gives the pose back. */
static float before_body(const state *st, const grab *g, Vector2 at, Ray ray, float plane) {
  if (!g->limb) return plane;
  float moved = Vector2Distance(at, g->pressed_at) / ui_px(&st->ui, 80);
  float front = scene_roll(st->scene, state_rig(st), state_pose(st), ray,
                           limb_thickness * g->limb->length, g->limb->upper);
  return front < plane ? Lerp(plane, front, Clamp(moved - 0.25f, 0, 1)) : plane;
}

/* where the mouse points: on the box, for a body that is dragged onto it; else in the upright plane
 * through the press that faces the camera, or in front of the body, moved by the wheel */
static bool aim(const state *st, grab *g, Vector2 mouse) {
  Camera3D camera = orbit_camera(&st->view);
  Ray ray = state_ray(st, mouse);
  Vector3 facing = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
  if (fabsf(facing.y) < 0.7f) { /* seen a little from above, up is still up */
    facing.y = 0;
    facing = Vector3Normalize(facing);
  }
  float along = Vector3DotProduct(ray.direction, facing);
  if (fabsf(along) < 1e-4f) return false;
  float plane = Vector3DotProduct(Vector3Subtract(g->hit, ray.position), facing) / along;
  float distance = before_body(st, g, mouse, ray, plane) + g->depth / along;
  g->target = Vector3Add(ray.position, Vector3Scale(ray.direction, distance));
  bool body = g->drag.bone.id == pose_root(state_rig(st), g->drag.bone).id;
  float down = st->seat.max.y - ray.position.y;
  if (!body || ray.direction.y > -1e-3f || down > 0) return true;
  Vector3 top = Vector3Add(ray.position, Vector3Scale(ray.direction, down / ray.direction.y));
  const float at[3] = { top.x, top.y, top.z };
  if (!pose_over_seat(st, at, 0)) return true;
  g->target = top;
  g->target.y += g->above_seat;
  return true;
}

/* Brings the bone to the mouse, in steps where the mouse has come far since the last frame: from
 * one side of the body to the other it goes around it. */
static void follow(state *st, grab *g, Vector2 to) {
  Vector2 from = g->followed;
  float steps = ceilf(Vector2Distance(from, to) / ui_px(&st->ui, 16));
  steps = Clamp(steps, 1, most_steps);
  g->depth -= GetMouseWheelMoveV().y * 0.02f * st->view.distance;
  for (float i = 1; i <= steps; i++)
    if (aim(st, g, Vector2Lerp(from, to, i / steps))) pull(st, g, false);
  g->followed = to;
}

static bool mouse(state *st, void *self, Ray ray) {
  grab *g = self;
  (void)ray;
  Vector2 at = GetMousePosition();
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) {
    pose_tool *p = pose_of(st);
    g->drag = (pose_drag){ .bone = { 0 } };
    g->pressed_at = g->followed = at;
    const limb *l = pose_limb_at(st, p, at, &p->hot_limb);
    if (l && !ui_shift()) {
      float handle[3];
      pose_limb_handle(st, l, handle);
      g->hit = vector(handle);
      g->drag = (pose_drag){ .kind = DRAG_LIMB, .bone = l->upper, .limb = l };
    } else if (!ui_shift()) {
      g->drag.bone = state_pick(st, at, &g->hit);
    }
  }
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
    let_go(st, g);
    g->drag.bone = (sinew_segment){ 0 };
    return false;
  }
  if (!g->drag.bone.id) return false;
  if (!g->solver) {
    /* a click selects; dragging starts after a few pixels */
    if (Vector2Distance(at, g->pressed_at) < 4) return true;
    start(st, g);
    if (!g->solver) {
      g->drag.bone = (sinew_segment){ 0 };
      return true;
    }
  }
  follow(st, g, at);
  return true;
}

static void glass(state *st, void *self) {
  const grab *g = self;
  if (!g->solver) return;
  float size = st->view.distance * 0.004f;
  Vector3 held = placed(sinew_pose_world(state_pose(st), g->drag.bone), g->drag.local);
  Color color = *g->label ? theme_held : theme_action;
  DrawSphere(held, size, color);
  DrawSphere(g->target, size * 0.7f, theme_action);
  DrawLine3D(held, g->target, color);
}

/* a label beside the mouse, inside the scene, in as many lines as it needs */
static void at_mouse(state *st, const char *text, Color color) {
  const ui *u = &st->ui;
  Vector2 at = GetMousePosition();
  float pad = ui_px(u, theme_s2), most = st->place.width - 4 * pad, width = 0;
  char line[sizeof((grab *)0)->label];
  for (const char *from = text; *from; from += strspn(from, "\n")) {
    size_t length = strcspn(from, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, from);
    width = fmaxf(width, ui_width_as(u, theme_note, line));
    from += length;
  }
  width = ceilf(fminf(width, most));
  float high = ui_wrapped_as(u, theme_note, text, 0, 0, width, BLANK);
  Rectangle r = { 0, at.y - high - pad, width + 2 * pad, high };
  r.x = fminf(at.x + 2 * pad, st->place.x + st->place.width - r.width - pad);
  if (r.y < st->place.y + pad) r.y = at.y + 2 * pad;
  ui_over_scene(u, r);
  ui_wrapped_as(u, theme_note, text, r.x + pad, r.y, width, color);
}

static void flat(state *st, void *self) {
  const grab *g = self;
  char words[160];
  bool near = CheckCollisionPointRec(GetMousePosition(), st->place) && !st->ui.wants_mouse;
  if (g->solver && *g->label)
    at_mouse(st, g->label, theme_held);
  else if (near && !g->solver && st->hovered.id && !IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
    state_words(st, (selection){ .segment = st->hovered }, true, words, sizeof words);
    at_mouse(st, words, theme_second);
  }
}

/* also where a handle under the mouse takes the release */
static void frame(state *st, void *self) {
  grab *g = self;
  if (g->solver && !IsMouseButtonDown(MOUSE_BUTTON_LEFT)) let_go(st, g);
}

static void destroy(void *self) { sinew_solver_destroy(((grab *)self)->solver); }

static void loaded(state *st, void *self) {
  grab *g = self;
  let_go(st, g);
  g->drag.bone = (sinew_segment){ 0 };
}

/* "SEGMENT x y z": drags the segment's origin to that point, with the pins held; "body", the whole
 * body; "limb", the handle of the limb whose upper bone it is. "blocked" says what holds the drag.
 */
static bool remote(state *st, void *self, const char *verb, char *rest) {
  static const struct {
    const char *verb;
    drag_kind kind;
  } verbs[] = { { "drag", DRAG_BONE }, { "dragbody", DRAG_BODY }, { "draglimb", DRAG_LIMB } };
  const grab *g = self;
  grab once = { 0 };
  char name[128];
  sinew_error error;
  int kind = 0;
  if (strcmp(verb, "blocked") == 0) return tool_answer_text(g->label, NULL);
  while (kind < 3 && strcmp(verb, verbs[kind].verb) != 0) kind++;
  if (kind == 3) return false;
  if (sscanf(rest, "%127s %f %f %f", name, &once.target.x, &once.target.y, &once.target.z) != 4)
    return tool_answer(false, TextFormat("%s SEGMENT X Y Z", verb));
  once.drag.kind = verbs[kind].kind;
  once.drag.bone = sinew_rig_find_segment(state_rig(st), name, &error);
  if (!once.drag.bone.id) return tool_answer(false, error.text);
  const pose_tool *p = pose_of(st);
  if (kind == DRAG_BODY) once.drag.bone = pose_root(state_rig(st), once.drag.bone);
  for (int i = 0; kind == DRAG_LIMB && i < p->limb_count; i++)
    if (p->limbs[i].upper.id == once.drag.bone.id) once.drag.limb = &p->limbs[i];
  if (kind == DRAG_LIMB && !once.drag.limb)
    return tool_answer(false, "that bone is not the upper one of a limb");
  if (once.drag.limb) memcpy(once.drag.local, once.drag.limb->handle, sizeof once.drag.local);
  once.drag.feet = kind == DRAG_BONE;
  once.hit = placed(sinew_pose_world(state_pose(st), once.drag.bone), once.drag.local);
  if (!make_solver(st, &once, &error)) return tool_answer(false, error.text);
  pull(st, &once, true);
  for (char *c = once.label; *c; c++) *c = *c == '\n' ? ';' : *c;
  printf("ok %s%s%s, %.4f %s off\n", sinew_solve_end_name(once.last.end), *once.label ? ": " : "",
         once.label, kind == DRAG_LIMB ? (double)once.off : (double)once.off * 1000,
         kind == DRAG_LIMB ? "degrees" : "mm");
  let_go(st, &once);
  return true;
}

static const char *const help[] = {
  "Drag a bone: its DOFs follow, within every limit; a limb stays in front of the body",
  "Wheel while dragging: depth", "Drag the pelvis: feet on the ground stay",
  "Alt+drag: the whole body, with pins held", NULL
};

const tool tool_grab = { .name = "grab",
                         .doc = "dragging bones",
                         .open = true,
                         .keys = help,
                         .size = sizeof(grab),
                         .destroy = destroy,
                         .loaded = loaded,
                         .frame = frame,
                         .mouse = mouse,
                         .glass = glass,
                         .flat = flat,
                         .remote = remote,
                         .remote_help = "drag SEGMENT X Y Z | dragbody SEGMENT X Y Z | "
                                        "draglimb SEGMENT X Y Z | blocked" };
