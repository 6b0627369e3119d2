/* The box to sit on: where it is put, dragging it over the ground, sizing it by its edges. */
#include "draw/space_draw.h"
#include "plain/handle.h"
#include "tools/pose/posing.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <raymath.h>
#include <stdlib.h>
#include <string.h>

static const float least_size = 0.02f; /* metres */

static bool there(const state *st) { return st->seat.max.x > st->seat.min.x; }

static bool apply(state *st, const void *saved) {
  memcpy(&st->seat, saved, sizeof st->seat);
  return true;
}

static const history_kind box_kind = { apply, free };

static void changed(state *st, BoundingBox before, const char *label) {
  BoundingBox *was = malloc(sizeof *was), *is = malloc(sizeof *is);
  if (was && is) {
    *was = before;
    *is = st->seat;
    history_push(st->history, &box_kind, label, 0, was, is);
  } else {
    free(was);
    free(is);
  }
}

bool box_set(state *st, BoundingBox box) {
  if (memcmp(&box, &st->seat, sizeof box) == 0) return false;
  BoundingBox before = st->seat;
  st->seat = box;
  changed(st, before, "the box");
  return true;
}

/* Under the selected bone where that is high; else behind the legs, as high as a seat: its front is
 * where the ankles are. */
static BoundingBox new_box(const state *st, const pose_tool *p) {
  const sinew_rig *rig = state_rig(st);
  const sinew_pose *pose = state_pose(st);
  bool *only = calloc((size_t)sinew_rig_segment_count(rig) + 1, sizeof *only);
  BoundingBox all = scene_bounds(st->scene, pose, NULL), one = all;
  if (only && st->selected.segment.id) {
    only[st->selected.segment.id - 1] = true;
    one = scene_bounds(st->scene, pose, only);
  }
  free(only);
  float tall = all.max.y - all.min.y, high = 0.27f * tall, long_leg = 0.45f * tall;
  bool body = !st->selected.segment.id ||
              st->selected.segment.id == pose_root(rig, st->selected.segment).id;
  Vector3 at = { 0, 0, -0.5f * long_leg };
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) /* the pelvis */
    if (!sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).parent.id) {
      at = vector(sinew_pose_world(pose, sinew_rig_segment(rig, i)) + 12);
      break;
    }
  if (!body && one.min.y > 0.1f * tall) {
    at = Vector3Scale(Vector3Add(one.min, one.max), 0.5f);
    high = one.min.y;
    long_leg *= 0.5f;
  } else {
    float front = at.z;
    for (int i = 0; i < p->limb_count; i++) { /* legs: limbs whose tip is low */
      const float *ankle = sinew_pose_world(pose, p->limbs[i].tip) + 12;
      if (ankle[1] > 0.12f * tall) continue;
      high = sinew_pose_world(pose, p->limbs[i].lower)[13] * 0.92f;
      long_leg = p->limbs[i].length;
      front = fminf(front, ankle[2]);
    }
    at.z = front - (0.08f + 0.275f) * long_leg;
  }
  Vector3 half = { 0.23f * long_leg, 0, 0.275f * long_leg }; /* hands hang beside it */
  return (BoundingBox){ { at.x - half.x, 0, at.z - half.z },
                        { at.x + half.x, high, at.z + half.z } };
}

void box_toggle(state *st, const pose_tool *p) {
  bool gone = there(st);
  BoundingBox box = st->seat;
  if (gone)
    memset(&box, 0, sizeof box);
  else
    box = new_box(st, p);
  box_set(st, box);
  state_say(st, gone ? "the box is gone" : "a box: drag it, or its edges; B removes it");
}

/* the twelve edges, as pairs of orbit_corners; each sizes along one axis */
static const struct {
  int from, to;
  box_part part;
} edges[] = { { 2, 3, BOX_HEIGHT }, { 6, 7, BOX_HEIGHT }, { 2, 6, BOX_HEIGHT },
              { 3, 7, BOX_HEIGHT }, { 0, 1, BOX_DEPTH },  { 4, 5, BOX_DEPTH },
              { 0, 4, BOX_WIDTH },  { 1, 5, BOX_WIDTH } };
enum { edge_count = sizeof edges / sizeof *edges };

static float apart(Vector2 at, Vector2 a, Vector2 b) {
  Vector2 way = Vector2Subtract(b, a);
  float square = Vector2LengthSqr(way);
  float t = square > 0 ? Vector2DotProduct(Vector2Subtract(at, a), way) / square : 0;
  return Vector2Distance(at, Vector2Add(a, Vector2Scale(way, Clamp(t, 0, 1))));
}

/* whether the mouse is at an end of a bone: its joint, or that of a bone that hangs on it; one on
 * which nothing hangs, such as a fingertip, is all end */
static bool at_end(const state *st, sinew_segment bone, Vector2 at) {
  const sinew_rig *rig = state_rig(st);
  bool leaf = true;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment one = sinew_rig_segment(rig, i);
    bool child = sinew_rig_segment_info(rig, one).parent.id == bone.id;
    leaf = leaf && !child;
    if (!child && one.id != bone.id) continue;
    Vector2 end = state_project(st, vector(sinew_pose_world(state_pose(st), one) + 12));
    if (Vector2Distance(at, end) < ui_px(&st->ui, 8)) return true;
  }
  return leaf;
}

/* Bones come before the box, also those in it or behind it, which show through it: they are thin
 * and it is large. Only an edge of the box comes before the shaft of a bone behind it. */
static box_part under(const state *st, Ray ray, Vector3 *hit) {
  Vector2 at = GetMousePosition();
  Vector3 corners[8], bone;
  RayCollision met = GetRayCollisionBox(ray, st->seat);
  sinew_segment found = state_pick(st, at, &bone);
  bool behind = met.hit && Vector3Distance(bone, ray.position) > met.distance;
  if (found.id && (!behind || at_end(st, found, at))) return BOX_NONE;
  orbit_corners(st->seat, corners);
  float least = ui_px(&st->ui, 6);
  box_part part = met.hit && !found.id ? BOX_WHOLE : BOX_NONE;
  *hit = met.point;
  for (int i = 0; i < edge_count; i++) {
    float far = apart(at, state_project(st, corners[edges[i].from]),
                      state_project(st, corners[edges[i].to]));
    if (far >= least) continue;
    least = far;
    part = edges[i].part;
    *hit = Vector3Scale(Vector3Add(corners[edges[i].from], corners[edges[i].to]), 0.5f);
  }
  return part;
}

static void move(state *st, const pose_tool *p, Ray ray) {
  const BoundingBox *b = &p->box_before;
  BoundingBox now = *b;
  if (p->held_box == BOX_WHOLE) {
    float t = (p->box_hit.y - ray.position.y) / ray.direction.y;
    if (!(t > 0) || t > 1e3f) return;
    Vector3 by =
        Vector3Subtract(Vector3Add(ray.position, Vector3Scale(ray.direction, t)), p->box_hit);
    by.y = 0;
    now.min = Vector3Add(b->min, by);
    now.max = Vector3Add(b->max, by);
  } else {
    static const float axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const float from[3] = { ray.position.x, ray.position.y, ray.position.z };
    const float way[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
    const float at[3] = { p->box_hit.x, p->box_hit.y, p->box_hit.z };
    int k = p->held_box - BOX_WIDTH;
    float by, *low = &now.min.x + k, *high = &now.max.x + k;
    if (!handle_along(from, way, at, axes[k], &by)) return;
    if (at[k] > (*low + *high) / 2)
      *high = fmaxf(*high + by, *low + least_size);
    else
      *low = fminf(*low + by, *high - least_size);
  }
  st->seat = now;
}

bool box_mouse(state *st, pose_tool *p, Ray ray) {
  if (p->held_box) {
    move(st, p, ray);
    if (IsMouseButtonDown(MOUSE_BUTTON_LEFT)) return true;
    p->held_box = BOX_NONE;
    if (memcmp(&p->box_before, &st->seat, sizeof st->seat) != 0)
      changed(st, p->box_before, "the box");
    return true;
  }
  bool down = IsMouseButtonDown(MOUSE_BUTTON_LEFT),
       pressed = IsMouseButtonPressed(MOUSE_BUTTON_LEFT);
  if ((down && !pressed) || ui_shift() || !there(st)) return false;
  Vector3 hit = { 0 };
  p->hot_box = under(st, ray, &hit);
  if (!p->hot_box) return false;
  st->hovered = (sinew_segment){ 0 };
  if (!pressed) return false;
  p->held_box = p->hot_box;
  p->box_before = st->seat;
  p->box_hit = hit;
  return true;
}

void box_draw(const state *st, const pose_tool *p) {
  box_part lit = p->held_box ? p->held_box : p->hot_box;
  Vector3 corners[8];
  if (!there(st) || !lit) return;
  orbit_corners(st->seat, corners);
  for (int i = 0; i < edge_count; i++) {
    if (lit != BOX_WHOLE && edges[i].part != lit) continue;
    Vector2 line[2] = { state_project(st, corners[edges[i].from]),
                        state_project(st, corners[edges[i].to]) };
    icon_line(line, 2, ui_px(&st->ui, 1.5f), theme_under_mouse);
  }
}
