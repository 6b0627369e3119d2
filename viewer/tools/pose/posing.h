/* Posing: what a drag keeps in place (pins, the ground, a box to sit on), the handles of limbs,
 * rings that turn one DOF each, and what becomes of whole poses: mirrored, copied, kept by name. */
#ifndef VIEWER_POSING_H
#define VIEWER_POSING_H

#include "plain/limbs.h"
#include "plain/mirror_pose.h"
#include "state/state.h"
#include "tools/timeline/keyframes.h"

#include <sinew/solve.h>

enum { pose_most_rings = 5, pose_most_goals = 128 };

/* a ring around a joint that turns one DOF */
typedef struct pose_ring {
  sinew_dof dof;
  float at[3], axis[3]; /* in the world */
  float radius;         /* in metres */
  float rate;           /* degrees about the axis for one unit of the DOF */
} pose_ring;

/* what of the box the mouse holds */
typedef enum box_part { BOX_NONE, BOX_WHOLE, BOX_WIDTH, BOX_HEIGHT, BOX_DEPTH } box_part;

typedef struct pose_tool {
  limb limbs[limb_most];
  int limb_count;
  int hot_limb; /* whose handle is under the mouse, or dragged; -1: none */
  bool no_floor;
  pose_ring rings[pose_most_rings];
  int ring_count, hot_ring, held_ring;
  uint64_t ring_print;          /* of the pose and the selection that they belong to */
  float ring_start, ring_value; /* the angle, and the DOF, when it was pressed */
  Vector2 ring_pressed, ring_along;
  char held_look[128]; /* the bone whose point to look at is dragged; "": none */
  box_part hot_box, held_box;
  BoundingBox box_before;
  Vector3 box_hit;
  sinew_pose *trial;
  uint64_t rig;       /* hash of its path; 0: none yet */
  char *copied;       /* the text that was copied last; NULL: none */
  mirror_dof *mirror; /* one for each DOF; NULL: not known yet */
} pose_tool;

/* A drag: its solver, and what is pulled. */
typedef enum drag_kind { DRAG_BONE, DRAG_BODY, DRAG_LIMB } drag_kind;

typedef struct pose_drag {
  drag_kind kind;
  sinew_segment bone; /* that is pulled */
  float local[3];     /* the point of it */
  const limb *limb;   /* of DRAG_LIMB */
  bool feet;          /* feet near the ground stay */
} pose_drag;

/* Makes the goals of a drag; the first is the pull itself, with `target` where it is now. Goals
 * from `first_seat` on keep what is above the box above it; their weight is 0 until it is. Returns
 * the count. */
int pose_goals(state *st, const pose_tool *p, const pose_drag *drag, const float target[3],
               sinew_goal dest[pose_most_goals], int *first_seat);
/* The bone that the DOFs of the whole body move first, above a bone. */
sinew_segment pose_root(const sinew_rig *rig, sinew_segment from);
/* The direction of a bone that faces forward at rest. */
void pose_ahead(const sinew_rig *rig, sinew_segment bone, float dest[3]);
/* Whether a point of the world is over the box's top. */
bool pose_over_seat(const state *st, const float at[3], float margin);

/* Where a drag meets a limit, in words; also fills state.blocked and state.asked_dof. Returns
 * false, and clears them, where nothing holds it. */
bool pose_blocked(state *st, pose_tool *p, const sinew_solver *solver, const sinew_goal *goal,
                  char *dest, size_t capacity);
void pose_unblock(state *st);

pose_tool *pose_of(const state *st);
const limb *pose_limb_at(const state *st, const pose_tool *p, Vector2 mouse, int *index);
const limb *pose_limb_of(const state *st, const pose_tool *p, sinew_segment bone); /* or NULL */
void pose_limb_handle(const state *st, const limb *l, float dest[3]);

/* Rings, the box, pins. Each `mouse` returns whether it uses the mouse. */
void rings_follow(state *st, pose_tool *p);
bool rings_mouse(state *st, pose_tool *p, Ray ray);
void rings_draw(const state *st, const pose_tool *p);
bool box_mouse(state *st, pose_tool *p, Ray ray);
void box_draw(const state *st, const pose_tool *p);
void box_toggle(state *st, const pose_tool *p);
bool box_set(state *st, BoundingBox box); /* one step of undo; an empty one removes it */
void pins_cycle(state *st);
void pins_look(state *st);
bool pins_mouse(state *st, pose_tool *p, Ray ray);
void pins_draw(const state *st, const pose_tool *p);
bool pins_set(state *st, sinew_segment bone, sinew_pin_kind kind, const float target[3]);
sinew_pin pins_find(const state *st, sinew_segment bone);

/* Whole poses. They return false, with a message in the note, where nothing was changed. */
bool pose_mirror(state *st, pose_tool *p, bool copy);
bool pose_copy(state *st, pose_tool *p);
bool pose_paste(state *st, const pose_tool *p);
/* Takes the values of a clip at time 0. */
bool pose_take(state *st, const sinew_clip *clip, const char *what);
/* A clip with one key for each DOF, at time 0; NULL, with `error` filled, if memory runs out. */
sinew_clip *pose_clip(const state *st, sinew_error *error);

#endif
