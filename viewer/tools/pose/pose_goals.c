/* The goals of a drag: the pull, which gives way to all others, pins, feet that stand, and what
 * must stay above the ground and the box. */
#include "plain/space.h"
#include "tools/pose/posing.h"

#include <raymath.h>
#include <stdlib.h>

static const float stands_below = 0.03f; /* metres */
static const float keeps = 1e4f;         /* weight of what the pull gives way to, whose own is 1 */

sinew_segment pose_root(const sinew_rig *rig, sinew_segment from) {
  for (;;) {
    sinew_segment parent = sinew_rig_segment_info(rig, from).parent;
    if (!parent.id || !sinew_rig_segment_info(rig, parent).driver.id) return from;
    from = parent;
  }
}

/* the points of bones below `from` that are farthest in six directions of its frame, or with
 * `down` in five directions of the world that lead down; in its frame. False if nothing is drawn.
 */
static bool extremes(const state *st, sinew_segment from, bool all, bool down, float dest[6][3]) {
  static const float ways[6][3] = { { 0, -1, 0 }, { 1, -1, 0 },  { -1, -1, 0 },
                                    { 0, -1, 1 }, { 0, -1, -1 }, { 0, -1, 0 } };
  const sinew_rig *rig = state_rig(st);
  const sinew_pose *pose = state_pose(st);
  float back[16], best[6], to[16];
  bool any = false;
  space_inverse(sinew_pose_world(pose, from), back);
  for (int k = 0; k < 6; k++) best[k] = -1e9f;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment one = sinew_rig_segment(rig, i);
    const Mesh *mesh = scene_mesh(st->scene, i);
    if (!mesh || !(all ? limb_below(rig, one, from) : one.id == from.id)) continue;
    space_mul(back, sinew_pose_world(pose, one), to);
    for (int v = 0; v < mesh->vertexCount; v++) {
      float at[3], world[3];
      space_point(to, mesh->vertices + 3 * (size_t)v, at);
      space_point(sinew_pose_world(pose, from), at, world);
      for (int k = 0; k < 6; k++) {
        float far = down ? space_dot(world, ways[k]) : k < 3 ? at[k] : -at[k - 3];
        if (far <= best[k]) continue;
        best[k] = far;
        memcpy(dest[k], at, sizeof at);
        any = true;
      }
    }
  }
  return any;
}

/* how low the bones below `from` are */
static float lowest(const state *st, sinew_segment from) {
  float points[6][3], at[3];
  if (!extremes(st, from, true, true, points)) return 1e9f;
  space_point(sinew_pose_world(state_pose(st), from), points[0], at);
  return at[1];
}

/* goals that are being made */
typedef struct list {
  sinew_goal *goals;
  int count;
} list;

static sinew_goal *add(list *l, sinew_goal_kind kind, sinew_segment segment) {
  if (l->count == pose_most_goals) return NULL;
  l->goals[l->count] = sinew_default_goal(kind, segment);
  return &l->goals[l->count++];
}

static void keep_place(const state *st, list *l, sinew_segment bone, const float point[3]) {
  sinew_goal *g = add(l, SINEW_GOAL_POINT, bone);
  if (!g) return;
  g->weight = keeps;
  memcpy(g->point, point, sizeof g->point);
  space_point(sinew_pose_world(state_pose(st), bone), point, g->target);
}

static sinew_goal *keep_turn(const state *st, list *l, sinew_segment bone) {
  sinew_goal *g = add(l, SINEW_GOAL_TURN, bone);
  if (!g) return NULL;
  memcpy(g->frame, sinew_pose_world(state_pose(st), bone), sizeof g->frame);
  g->weight = keeps;
  return g;
}

/* points that stay above a height, or where they are below it already; or later, with a weight of 0
 * until then */
static void keep_above(const state *st, list *l, sinew_segment bone, float points[6][3],
                       float height, bool now) {
  for (int k = 0; k < 6; k++) {
    float at[3];
    bool same = false;
    for (int i = 0; i < k; i++) same |= space_distance(points[i], points[k]) < 1e-3f;
    sinew_goal *g = same ? NULL : add(l, SINEW_GOAL_ABOVE, bone);
    if (!g) continue;
    space_point(sinew_pose_world(state_pose(st), bone), points[k], at);
    memcpy(g->point, points[k], sizeof g->point);
    g->direction[1] = 1;
    g->target[1] = now ? fminf(height, at[1]) : height;
    g->weight = now ? keeps : 0;
  }
}

static void add_floor(const state *st, const pose_tool *p, const pose_drag *d, list *l) {
  const sinew_rig *rig = state_rig(st);
  float points[6][3];
  sinew_segment done = { 0 };
  if (p->no_floor) return;
  for (int i = 0; i < p->limb_count; i++) {
    const limb *one = &p->limbs[i];
    bool part = d->bone.id == one->upper.id || limb_below(rig, d->bone, one->lower);
    if (!part || !extremes(st, one->end, true, false, points)) continue;
    keep_above(st, l, one->end, points, 0, true);
    done = one->end;
  }
  bool inside = done.id && limb_below(rig, d->bone, done);
  if (!inside && extremes(st, d->bone, false, false, points))
    keep_above(st, l, d->bone, points, 0, true);
}

void pose_ahead(const sinew_rig *rig, sinew_segment bone, float dest[3]) {
  static const float ahead[3] = { 0, 0, 1 };
  float rest[16], back[16];
  space_identity(rest);
  for (sinew_segment s = bone; s.id; s = sinew_rig_segment_info(rig, s).parent)
    space_mul(sinew_rig_segment_info(rig, s).rest, rest, rest);
  space_inverse(rest, back);
  space_direction(back, ahead, dest);
}

static void add_look(const state *st, list *l, sinew_segment bone, const float target[3]) {
  sinew_goal *g = add(l, SINEW_GOAL_LOOK, bone);
  if (!g) return;
  pose_ahead(state_rig(st), bone, g->direction);
  memcpy(g->target, target, sizeof g->target);
}

static void add_pins(const state *st, const pose_drag *d, list *l) {
  const sinew_segment root = pose_root(state_rig(st), d->bone);
  const keyframes *keys = tool_state(st, "time");
  static const float origin[3] = { 0 };
  for (int i = 0; i < sinew_clip_pin_count(keys->clip); i++) {
    sinew_pin pin = sinew_clip_pin(keys->clip, i);
    sinew_segment bone = sinew_rig_find_segment(state_rig(st), pin.segment, NULL);
    if (!bone.id || bone.id == d->bone.id) continue;
    /* a pin of the body itself would let the whole body move, only to keep it in place */
    if (d->bone.id != root.id && bone.id == root.id) continue;
    if (d->limb && limb_below(state_rig(st), bone, d->limb->tip)) continue;
    if (pin.kind == SINEW_PIN_LOOK) {
      add_look(st, l, bone, pin.target);
      continue;
    }
    keep_place(st, l, bone, origin);
    if (pin.kind == SINEW_PIN_TURN) keep_turn(st, l, bone);
  }
}

/* feet on the ground stay where they are, unless they have pins of their own */
static void add_feet(const state *st, const pose_tool *p, list *l) {
  static const float origin[3] = { 0 };
  for (int i = 0; i < p->limb_count; i++) {
    sinew_segment foot = p->limbs[i].end;
    if (pins_find(st, foot).kind || lowest(st, foot) > stands_below) continue;
    keep_place(st, l, foot, origin);
    keep_turn(st, l, foot);
  }
}

int pose_goals(state *st, const pose_tool *p, const pose_drag *d, const float target[3],
               sinew_goal dest[pose_most_goals], int *first_seat) {
  static const float origin[3] = { 0 };
  const sinew_rig *rig = state_rig(st);
  list l = { .goals = dest };
  float points[6][3];
  sinew_segment root = pose_root(rig, d->bone);
  bool body = d->bone.id == root.id;
  sinew_goal *pull = add(&l, d->kind == DRAG_LIMB ? SINEW_GOAL_POLE : SINEW_GOAL_POINT, d->bone);
  memcpy(pull->point, d->local, sizeof pull->point);
  memcpy(pull->target, target, sizeof pull->target);
  if (d->kind == DRAG_LIMB) {
    pull->other = d->limb->upper;
    pull->end = d->limb->tip;
    keep_place(st, &l, d->limb->tip, origin);
  }
  if (body && d->kind != DRAG_LIMB) {
    sinew_goal *upright = keep_turn(st, &l, root);
    if (upright) {
      upright->weight = d->kind == DRAG_BODY ? 1 : 0.05f;
    }
  }
  add_pins(st, d, &l);
  if (d->feet && body) add_feet(st, p, &l);
  add_floor(st, p, d, &l);
  *first_seat = l.count;
  if (body && st->seat.max.x > st->seat.min.x && extremes(st, root, false, true, points))
    keep_above(st, &l, root, points, st->seat.max.y, false);
  return l.count;
}

bool pose_over_seat(const state *st, const float at[3], float margin) {
  const BoundingBox *b = &st->seat;
  return b->max.x > b->min.x && at[0] > b->min.x - margin && at[0] < b->max.x + margin &&
         at[2] > b->min.z - margin && at[2] < b->max.z + margin;
}
