/* Placing: what of a bone can be moved and turned by handles, its values, and how they are changed
 * on the live rig. */
#ifndef VIEWER_PLACE_H
#define VIEWER_PLACE_H

#include "plain/handle.h"
#include "state/state.h"

typedef enum place_kind { PLACE_REST, PLACE_AXIS, PLACE_CENTRE, PLACE_ELLIPSOID } place_kind;

typedef struct place_target {
  place_kind kind;
  sinew_segment segment;     /* the bone; a rest frame's own */
  sinew_component component; /* of the others */
  int index;                 /* which of several centres, from 0; -1: the only one */
  char label[256];           /* "centre 2 of knee.hinge", and its name for the remote port */
} place_target;

enum { PLACE_AT = 1, PLACE_TURN = 2, PLACE_DIRECTION = 4, PLACE_RADII = 8 };

/* In the frame that place_base gives. */
typedef struct place_value {
  float at[3], axis[3], radii[3];
  float turn[16]; /* without a place */
} place_value;

enum { place_most = 64 };

typedef struct place {
  place_target targets[place_most]; /* of the selected bone */
  int count;
  int chosen;      /* -1: none */
  char label[256]; /* of the chosen one: it outlives reloads, and bones that have it not */
  bool world;      /* handles along the world's axes rather than the thing's own */
  handle handle;
  bool shown; /* there is a handle */
  handle_part hot, held;
  float amount; /* of the drag so far: metres or degrees */
  /* at the start of the drag */
  float origin[3], axis[3], zero[3], start;
  Vector2 pressed, tangent; /* where the ring is seen edge on: the way on the screen */
  float per_pixel;
  place_value before;
  char wrong[SINEW_ERROR_TEXT]; /* what could not be, and why */
  const sinew_rig *rig;         /* that the targets are of */
  sinew_segment of;
  float scroll;
  Mesh ring; /* of radius 1, about y */
} place;

/* What can be placed for the selected bone: how many. */
int place_find(const state *st, place_target dest[place_most]);
/* Which of PLACE_AT and so on the target has. */
unsigned place_has(const place_target *t);
/* The values now; false where it has lost its frame. */
bool place_read(const state *st, const place_target *t, place_value *dest);
/* The frame in the world in which the values are. */
bool place_base(const state *st, const place_target *t, float dest[16]);
/* Applies those of the values that `what` names, as one change. */
sinew_status place_apply(state *st, const place_target *t, const place_value *value, unsigned what,
                         sinew_error *error);
/* The values moved by a vector of the world, or turned about an axis of it. */
void place_move(const float base[16], const float by[3], place_value *value);
void place_turn(const place_target *t, const float base[16], const float axis[3], float degrees,
                place_value *value);
/* Where the handle stands now. */
bool place_handle(const state *st, const place_target *t, bool world, handle *dest);

/* The target that is chosen; NULL: none. */
const place_target *place_chosen(const place *p);
/* Applies, or keeps the reason why not. */
bool place_offer(state *st, place *p, const place_value *value, unsigned what);
void place_panel(state *st, void *self, Rectangle r);
bool place_remote(state *st, void *self, const char *verb, char *rest);
void place_follow(state *st, place *p); /* brings targets and handle up to selection and rig */
void place_choose(place *p, int index);
/* How far a part was dragged changes the values like this. */
void place_drag(const place *p, const float base[16], float amount, place_value *value,
                unsigned *what);

#endif
