/* Pins: bones that stay while others are dragged. They are kept with the clip, by name. */
#include "draw/space_draw.h"
#include "tools/pose/posing.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <raymath.h>
#include <stdio.h>
#include <string.h>

sinew_pin pins_find(const state *st, sinew_segment bone) {
  const keyframes *keys = tool_state(st, "time");
  for (int i = 0; bone.id && i < sinew_clip_pin_count(keys->clip); i++) {
    sinew_pin pin = sinew_clip_pin(keys->clip, i);
    if (sinew_rig_find_segment(state_rig(st), pin.segment, NULL).id == bone.id) return pin;
  }
  return (sinew_pin){ .kind = SINEW_PIN_NONE };
}

bool pins_set(state *st, sinew_segment bone, sinew_pin_kind kind, const float target[3]) {
  keyframes *keys = tool_state(st, "time");
  sinew_error error;
  char name[160];
  sinew_clip *before = keyframes_before(keys);
  const char *segment = sinew_rig_segment_info(state_rig(st), bone).name;
  if (sinew_clip_set_pin(keys->clip, segment, kind, target, &error) < 0) {
    sinew_clip_destroy(before);
    state_say(st, "%s", error.text);
    return false;
  }
  /* dragging the point to look at is one step */
  keyframes_changed(keys, st, before, "pin", kind == SINEW_PIN_LOOK);
  state_words(st, (selection){ .segment = bone }, true, name, sizeof name);
  static const char *const said[] = { "is free", "keeps its place", "keeps its place and its turn",
                                      "looks at a point" };
  state_say(st, "%s %s", name, said[kind]);
  return true;
}

void pins_cycle(state *st) {
  if (!st->selected.segment.id) {
    state_say(st, "select a bone to pin it");
    return;
  }
  sinew_pin_kind kind = pins_find(st, st->selected.segment).kind;
  pins_set(st, st->selected.segment,
           kind == SINEW_PIN_NONE    ? SINEW_PIN_PLACE
           : kind == SINEW_PIN_PLACE ? SINEW_PIN_TURN
                                     : SINEW_PIN_NONE,
           NULL);
}

void pins_look(state *st) {
  const float *world = sinew_pose_world(state_pose(st), st->selected.segment);
  float ahead[3], to[3];
  pose_ahead(state_rig(st), st->selected.segment, ahead);
  space_direction(world, ahead, to);
  for (int k = 0; k < 3; k++) to[k] = world[12 + k] + 2 * to[k];
  pins_set(st, st->selected.segment, SINEW_PIN_LOOK, to);
}

/* turns the bone to the point that it looks at, by the DOFs of what hangs above it */
static void turn_to(state *st, sinew_segment bone, const float target[3]) {
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_LOOK, bone);
  sinew_solver_desc desc = sinew_default_solver_desc();
  sinew_error error;
  pose_ahead(state_rig(st), bone, goal.direction);
  memcpy(goal.target, target, sizeof goal.target);
  desc.goals = &goal;
  desc.goal_count = 1;
  sinew_solver *solver = sinew_solver_create(state_rig(st), &desc, &error);
  if (!solver || sinew_solver_drag(solver, state_pose(st), NULL, NULL, &error) < 0)
    state_say(st, "%s", error.text);
  sinew_solver_destroy(solver);
}

bool pins_mouse(state *st, pose_tool *p, Ray ray) {
  const keyframes *keys = tool_state(st, "time");
  bool pressed = IsMouseButtonPressed(MOUSE_BUTTON_LEFT);
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) p->held_look[0] = '\0';
  for (int i = 0; i < sinew_clip_pin_count(keys->clip); i++) {
    sinew_pin pin = sinew_clip_pin(keys->clip, i);
    sinew_segment bone = sinew_rig_find_segment(state_rig(st), pin.segment, NULL);
    if (pin.kind != SINEW_PIN_LOOK || !bone.id) continue;
    Vector3 at = vector(pin.target);
    float far = Vector2Distance(GetMousePosition(), state_project(st, at));
    if (pressed && far < ui_px(&st->ui, 10))
      snprintf(p->held_look, sizeof p->held_look, "%s", pin.segment);
    if (strcmp(p->held_look, pin.segment) != 0) continue;
    Camera3D camera = orbit_camera(&st->view);
    Vector3 facing = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
    float along = Vector3DotProduct(ray.direction, facing);
    float depth = Vector3DotProduct(Vector3Subtract(at, ray.position), facing) / along;
    at = Vector3Add(ray.position, Vector3Scale(ray.direction, depth));
    const float target[3] = { at.x, at.y, at.z };
    Vector2 by = GetMouseDelta();
    if (!pressed && (by.x != 0 || by.y != 0) && pins_set(st, bone, SINEW_PIN_LOOK, target))
      turn_to(st, bone, target);
    return true;
  }
  return false;
}

void pins_draw(const state *st, const pose_tool *p) {
  const keyframes *keys = tool_state(st, "time");
  (void)p;
  for (int i = 0; i < sinew_clip_pin_count(keys->clip); i++) {
    sinew_pin pin = sinew_clip_pin(keys->clip, i);
    sinew_segment bone = sinew_rig_find_segment(state_rig(st), pin.segment, NULL);
    if (!bone.id) continue;
    Vector2 at = state_project(st, vector(sinew_pose_world(state_pose(st), bone) + 12));
    icon_draw(ICON_DISC, at, ui_px(&st->ui, 16), Fade(theme_window, 0.75f));
    if (pin.kind == SINEW_PIN_LOOK) {
      Vector2 line[2] = { at, state_project(st, vector(pin.target)) };
      icon_line(line, 2, ui_px(&st->ui, 1), Fade(theme_action, 0.7f));
      icon_draw(ICON_RING, line[1], ui_px(&st->ui, 14), theme_action);
      icon_draw(ICON_DISC, line[1], ui_px(&st->ui, 5), theme_action);
    }
    icon_draw(pin.kind == SINEW_PIN_TURN ? ICON_LOCK : ICON_SQUARE, at,
              ui_px(&st->ui, pin.kind == SINEW_PIN_TURN ? 12 : 8), theme_action);
  }
}
