/* The viewer's state, on which everything in it works. It knows its tools only by their table. */
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "draw/orbit.h"
#include "draw/scene.h"
#include "draw/shot.h"
#include "plain/changes.h"
#include "state/history.h"
#include "state/options.h"
#include "state/tool.h"
#include "ui/ui.h"

#include <sinew/host.h>

typedef struct state {
  options options;
  sinew_host *host;
  scene *scene;
  history *history;
  changes *known; /* the rig as it was loaded last */
  ui ui;
  orbit view;
  Rectangle place; /* of the scene in the window */
  sinew_segment selected, hovered;
  bool show_grid, show_axes, show_help;
  int used_key; /* that a tool took in this frame: others leave it */
  bool posing;  /* something other than the user moves the DOFs: a clip plays */
  char banner[SINEW_ERROR_TEXT + 512]; /* what is wrong with the script; "" while nothing is */
  char note[512];                      /* what happened last */
  double note_until;
  double eval_seconds, frame_seconds;
  long frames;        /* drawn so far */
  double awake_until; /* when nothing has happened, drawing pauses */
  int tool_count;
  tool_slot tools[most_tools];
  bool quit;
} state;

/* Evaluates the pose; a failure goes to the banner. */
void state_eval(state *st);
/* Opens another rig in place; on failure the old one goes on under a banner. */
bool state_open(state *st, const char *path);
/* Reads the rig again where its files have changed; whether anything is new. */
bool state_poll(state *st);
/* Takes in the rig that the host has loaded. */
void state_take_rig(state *st);
/* Raises the banner: an error text, with the source line that it names. */
void state_wrong(state *st, const char *text);
/* Says something for a few seconds. */
void state_say(state *st, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Copies text and says so. */
void state_copy(state *st, const char *text, const char *what);
/* Turns the camera to a view, and steps back until everything is in a picture of that shape. */
void state_look(state *st, orbit_view view);
void state_frame(state *st, float aspect);
void state_frame_all(state *st); /* in the window */
/* What there is to see: the pose, or the whole crowd. */
BoundingBox state_bounds(const state *st);

/* The rig and pose of the moment: both are new after a reload. */
static inline sinew_rig *state_rig(const state *st) { return sinew_host_rig(st->host); }
static inline sinew_pose *state_pose(const state *st) { return sinew_host_pose(st->host); }
/* The DOF and the value of an argument "joint.dof=value"; null, with `error` filled, when the rig
 * has no such DOF. */
sinew_dof state_find_dof(const state *st, const char *argument, float *value, sinew_error *error);
/* What limits hold back in the pose, for the caller to free; NULL with a count of 0 when memory is
 * out. */
sinew_hold *state_holds(const state *st, int *count);
/* What the scene shows now: grid, selection, what open tools draw into it. */
scene_options state_shown(state *st);
/* Where a point of the world is in the window, and the ray under a point of the window. */
Vector2 state_project(const state *st, Vector3 point);
Ray state_ray(const state *st, Vector2 at);
/* How many metres of the world a pixel of the window is at a point's distance. */
float state_pixel(const state *st, Vector3 point);

#endif
