/* The tool for posing: keys, the mouse on handles, rings and the box, what is drawn over the
 * figure, and the remote port. Dragging bones is tools/grab.c. */
#include "draw/space_draw.h"
#include "plain/space.h"
#include "tools/pose/posing.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <raymath.h>
#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pose_tool *pose_of(const state *st) { return tool_state(st, "posing"); }

void pose_limb_handle(const state *st, const limb *l, float dest[3]) {
  space_point(sinew_pose_world(state_pose(st), l->upper), l->handle, dest);
}

const limb *pose_limb_at(const state *st, const pose_tool *p, Vector2 mouse, int *index) {
  float least = ui_px(&st->ui, 8), at[3];
  *index = -1;
  for (int i = 0; i < p->limb_count; i++) {
    pose_limb_handle(st, &p->limbs[i], at);
    float far = Vector2Distance(mouse, state_project(st, vector(at)));
    if (far >= least) continue;
    least = far;
    *index = i;
  }
  return *index < 0 ? NULL : &p->limbs[*index];
}

const limb *pose_limb_of(const state *st, const pose_tool *p, sinew_segment bone) {
  for (int i = 0; i < p->limb_count; i++)
    if (limb_below(state_rig(st), bone, p->limbs[i].upper)) return &p->limbs[i];
  return NULL;
}

static void forget(pose_tool *p) {
  sinew_pose_destroy(p->trial);
  free(p->mirror);
  p->trial = NULL;
  p->mirror = NULL;
}

static void destroy(void *self) {
  sinew_text_free(((pose_tool *)self)->copied);
  forget(self);
}

static void loaded(state *st, void *self) {
  pose_tool *p = self;
  forget(p);
  p->trial = sinew_pose_create(state_rig(st), NULL);
  p->limb_count = limb_find(st->host, p->limbs);
  p->ring_count = 0;
  p->ring_print = 0;
  p->hot_limb = p->hot_ring = p->held_ring = -1;
  p->held_box = BOX_NONE;
  /* the box stays through a reload, and goes with the rig */
  const char *path = sinew_host_path(st->host);
  uint64_t rig = print_bytes(print_start, path, strlen(path));
  if (p->rig && rig != p->rig) memset(&st->seat, 0, sizeof st->seat);
  p->rig = rig;
}

COMMAND_DO(run_pin, pins_cycle(st))
COMMAND_DO(run_look, pins_look(st)) /* where the bone is facing, from then on */
COMMAND_DO(run_box, box_toggle(st, self))
COMMAND_DO(run_mirror, pose_mirror(st, self, false))
COMMAND_DO(run_mirror_copy, pose_mirror(st, self, true))
COMMAND_DO(run_copy, pose_copy(st, self))
COMMAND_DO(run_paste, pose_paste(st, self))
COMMAND_ASK(has_bone, st->selected.segment.id != 0)
COMMAND_ASK(has_pin, pins_find(st, st->selected.segment).kind != SINEW_PIN_NONE)
COMMAND_ASK(has_floor, !((const pose_tool *)self)->no_floor)
COMMAND_ASK(has_box, st->seat.max.x > st->seat.min.x)

static void run_floor(state *st, void *self) {
  pose_tool *p = self;
  p->no_floor = !p->no_floor;
  state_say(st, p->no_floor ? "bones may go below the ground" : "bones stay above the ground");
}

static const command commands[] = {
  { "pin", "Pin the bone", MENU_POSE, .key = KEY_P,
    .doc = "keeps its place while others are dragged; again: its place and its turn; again: free",
    .on = ON_BONE, .icon = ICON_LOCK, .run = run_pin, .enabled = has_bone, .checked = has_pin },
  { "look_at", "Keep looking at a point", MENU_POSE,
    .doc = "a point 2 m in front of the bone; drag its ring. P frees it", .on = ON_BONE,
    .run = run_look, .enabled = has_bone },
  { "box", "Box to sit on", MENU_POSE, .key = KEY_B,
    .doc = "below the selected bone, or behind the legs: drag it, its edges size it",
    .run = run_box, .checked = has_box },
  { "floor", "Stay above the ground", MENU_POSE,
    .doc = "what is dragged does not go below the ground", .run = run_floor, .checked = has_floor },
  { "mirror_pose", "Mirror the pose", MENU_POSE, .key = KEY_M | WITH_CTRL, .run = run_mirror },
  { "mirror_copy", "Copy this side to the other", MENU_POSE, .key = KEY_M | WITH_CTRL | WITH_SHIFT,
    .doc = "from the side of the selected bone", .on = ON_BONE, .run = run_mirror_copy,
    .enabled = has_bone },
  { "copy_pose", "Copy the pose", MENU_POSE, .key = KEY_C | WITH_CTRL,
    .doc = "as the text of a clip", .run = run_copy },
  { "paste_pose", "Paste a pose", MENU_POSE, .key = KEY_V | WITH_CTRL, .run = run_paste },
  { .name = NULL }
};

static void frame(state *st, void *self) {
  pose_tool *p = self;
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
    p->held_ring = -1;
    rings_follow(st, p);
  }
  if (!CheckCollisionPointRec(GetMousePosition(), st->place)) {
    p->hot_ring = p->hot_limb = -1;
    p->hot_box = BOX_NONE;
  }
}

static bool mouse(state *st, void *self, Ray ray) {
  pose_tool *p = self;
  p->hot_box = BOX_NONE;
  if (pins_mouse(st, p, ray) || rings_mouse(st, p, ray)) return true;
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) pose_limb_at(st, p, GetMousePosition(), &p->hot_limb);
  return p->hot_limb < 0 && box_mouse(st, p, ray);
}

static void draw_limbs(const state *st, const pose_tool *p) {
  for (int i = 0; i < p->limb_count; i++) {
    float at[3];
    const limb *l = &p->limbs[i];
    pose_limb_handle(st, l, at);
    Vector2 line[2] = { state_project(st, vector(at)),
                        state_project(st,
                                      vector(sinew_pose_world(state_pose(st), l->lower) + 12)) };
    bool hot = i == p->hot_limb;
    Color color = hot ? theme_under_mouse : Fade(theme_edge, 0.6f);
    Vector2 way = Vector2Normalize(Vector2Subtract(line[1], line[0]));
    Vector2 from[2] = { Vector2Add(line[0], Vector2Scale(way, ui_px(&st->ui, 5))), line[1] };
    icon_line(from, 2, ui_px(&st->ui, 1), Fade(color, 0.4f));
    icon_draw(ICON_RING, line[0], ui_px(&st->ui, hot ? 13 : 10), color);
  }
}

static void flat(state *st, void *self) {
  const pose_tool *p = self;
  if (st->waiting || st->posing) return;
  BoundingBox crowd;
  if (tools_bounds(st, &crowd)) return;
  ui_clip_push(&st->ui, st->place);
  draw_limbs(st, p);
  rings_draw(st, p);
  box_draw(st, p);
  pins_draw(st, p);
  ui_clip_pop(&st->ui);
}

static bool answer_pin(state *st, char *rest) {
  char name[128], word[16] = "turn";
  float at[3];
  sinew_error error;
  int count = sscanf(rest, "%127s %15s %f %f %f", name, word, at, at + 1, at + 2), kind = 0;
  while (kind <= SINEW_PIN_LOOK && strcmp(word, sinew_pin_kind_name((sinew_pin_kind)kind)) != 0)
    kind++;
  bool looks = kind == SINEW_PIN_LOOK;
  if (count < 1 || kind > SINEW_PIN_LOOK || (looks && count != 5))
    return tool_answer(false, "pin SEGMENT [none | place | turn | look X Y Z]");
  sinew_segment bone = sinew_rig_find_segment(state_rig(st), name, &error);
  if (!bone.id) return tool_answer(false, error.text);
  bool fine = pins_set(st, bone, (sinew_pin_kind)kind, looks ? at : NULL);
  return tool_answer_text(fine ? st->note : NULL, st->note);
}

static bool answer_box(state *st, char *rest) {
  BoundingBox b = st->seat;
  const BoundingBox *s = &st->seat;
  if (strcmp(rest, "none") == 0) {
    memset(&b, 0, sizeof b);
    box_set(st, b);
  } else if (*rest) {
    if (sscanf(rest, "%f %f %f %f %f %f", &b.min.x, &b.min.y, &b.min.z, &b.max.x, &b.max.y,
               &b.max.z) != 6 ||
        !(b.max.x > b.min.x && b.max.y > b.min.y && b.max.z > b.min.z))
      return tool_answer(false, "box [none | X Y Z X Y Z]: two corners, the lower one first");
    box_set(st, b);
  }
  if (s->max.x > s->min.x)
    printf("ok %.4f %.4f %.4f %.4f %.4f %.4f\n", (double)s->min.x, (double)s->min.y,
           (double)s->min.z, (double)s->max.x, (double)s->max.y, (double)s->max.z);
  else
    printf("ok none\n");
  return true;
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  pose_tool *p = self;
  sinew_error error;
  if (strcmp(verb, "pin") == 0) return answer_pin(st, rest);
  if (strcmp(verb, "box") == 0) return answer_box(st, rest);
  if (strcmp(verb, "pins") == 0) {
    const keyframes *keys = tool_state(st, "time");
    printf("ok %d", sinew_clip_pin_count(keys->clip));
    for (int i = 0; i < sinew_clip_pin_count(keys->clip); i++)
      printf(" %s=%s", sinew_clip_pin(keys->clip, i).segment,
             sinew_pin_kind_name(sinew_clip_pin(keys->clip, i).kind));
    printf("\n");
  } else if (strcmp(verb, "floor") == 0) {
    if (*rest) p->no_floor = strcmp(rest, "off") == 0;
    printf("ok %s\n", p->no_floor ? "off" : "on");
  } else if (strcmp(verb, "mirror") == 0) {
    bool fine = pose_mirror(st, p, strcmp(rest, "copy") == 0);
    tool_answer_text(fine ? st->note : NULL, st->note);
  } else if (strcmp(verb, "limbs") == 0) {
    printf("ok %d", p->limb_count);
    for (int i = 0; i < p->limb_count; i++) {
      float at[3];
      pose_limb_handle(st, &p->limbs[i], at);
      Vector2 on = state_project(st, vector(at));
      printf(" %s %.1f %.1f", sinew_rig_segment_info(state_rig(st), p->limbs[i].upper).name,
             (double)on.x, (double)on.y);
    }
    printf("\n");
  } else if (strcmp(verb, "rings") == 0) {
    printf("ok %d", p->ring_count);
    for (int i = 0; i < p->ring_count; i++)
      printf(" %s", sinew_rig_dof_info(state_rig(st), p->rings[i].dof).name);
    printf("\n");
  } else if (strcmp(verb, "posetext") == 0) {
    sinew_clip *clip = pose_clip(st, &error);
    char *text = clip ? sinew_clip_format(clip, NULL, &error) : NULL;
    sinew_clip_destroy(clip);
    tool_answer_text(text, error.text);
    sinew_text_free(text);
  } else {
    return false;
  }
  return true;
}

static const char *const help[] = { "Rings at a selected joint: one DOF each",
                                    "Ring at an elbow or a knee: swings the limb",
                                    "Box: drag it over the ground; an edge sizes it", NULL };

const tool tool_posing = { .name = "posing",
                           .doc = "posing",
                           .open = true,
                           .commands = commands,
                           .keys = help,
                           .size = sizeof(pose_tool),
                           .destroy = destroy,
                           .loaded = loaded,
                           .frame = frame,
                           .mouse = mouse,
                           .flat = flat,
                           .remote = remote,
                           .remote_help = "pin SEGMENT [none|place|turn|look X Y Z] | pins | box "
                                          "[none|X Y Z X Y Z] | floor [on|off] | mirror [copy] | "
                                          "limbs | rings | posetext" };
