/* Placing: what can be moved and rotated by handles for a bone, its values, and how they are
 * changed on the live rig. */
#ifndef VIEWER_PLACE_H
#define VIEWER_PLACE_H

#include "plain/handle.h"
#include "state/state.h"

typedef enum place_kind { PLACE_REST, PLACE_AXIS, PLACE_CENTRE, PLACE_ELLIPSOID } place_kind;

typedef struct place_target {
  place_kind kind;
  sinew_segment segment;     /* the selected bone, for its rest frame */
  sinew_component component; /* the component of any other target */
  int index;                 /* index of one of several centres; -1: the only one */
  char label[256];           /* "centre 2 of knee.hinge", also for the remote port */
} place_target;

enum { PLACE_AT = 1, PLACE_TURN = 2, PLACE_DIRECTION = 4, PLACE_RADII = 8 };

/* Values in the frame of place_base. */
typedef struct place_value {
  float at[3], axis[3], radii[3];
  float turn[16]; /* only for a rotation */
} place_value;

enum { place_most = 64 };

typedef struct place {
  place_target targets[place_most]; /* of the selected bone */
  int count;
  int chosen;      /* index; -1: none */
  char label[256]; /* name of the chosen target, to find it after a reload or a selection */
  bool world;      /* handles along the axes of the world, not of the target */
  handle handle;
  bool shown; /* there is a handle */
  handle_part hot, held;
  float amount; /* the drag so far, in metres or degrees */
  /* at the start of the drag */
  float origin[3], axis[3], zero[3], start;
  Vector2 pressed, tangent; /* for a ring seen edge-on: its direction on the screen */
  float per_pixel;
  place_value before;
  char wrong[SINEW_ERROR_TEXT]; /* why the last change was refused; "": it was accepted */
  const sinew_rig *rig;         /* the rig that the targets belong to */
  sinew_segment of;
  float scroll;
  Mesh ring; /* a circle of radius 1 about y */
} place;

/* Finds what can be placed for the selected bone; returns the count. */
int place_find(const state *st, place_target dest[place_most]);
/* The flags of the values that a target has, PLACE_AT and so on. */
unsigned place_has(const place_target *t);
/* The present values; false if the target no longer exists. */
bool place_read(const state *st, const place_target *t, place_value *dest);
/* The frame of the values, in the world. */
bool place_base(const state *st, const place_target *t, float dest[16]);
/* Applies the values named by the flags `what` as one change. */
sinew_status place_apply(state *st, const place_target *t, const place_value *value, unsigned what,
                         sinew_error *error);
/* Moves values by a vector of the world, or rotates them about one of its axes. */
void place_move(const float base[16], const float by[3], place_value *value);
void place_turn(const place_target *t, const float base[16], const float axis[3], float degrees,
                place_value *value);
/* The handle at its present position. */
bool place_handle(const state *st, const place_target *t, bool world, handle *dest);

/* The chosen target; NULL: none. */
const place_target *place_chosen(const place *p);
/* Applies values, or keeps the error in `wrong`. */
bool place_offer(state *st, place *p, const place_value *value, unsigned what);
void place_panel(state *st, void *self, Rectangle r);
bool place_remote(state *st, void *self, const char *verb, char *rest);
void place_follow(state *st, place *p); /* after a change of selection or rig */
void place_choose(place *p, int index);
/* The values after dragging the part by an amount. */
void place_drag(const place *p, const float base[16], float amount, place_value *value,
                unsigned *what);

#endif
