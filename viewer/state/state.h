/* The state that all parts of the viewer share. It knows its tools only by their table. */
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "draw/canvas.h"
#include "draw/orbit.h"
#include "draw/scene.h"
#include "draw/shot.h"
#include "plain/changes.h"
#include "state/documents.h"
#include "state/history.h"
#include "state/loading.h"
#include "state/options.h"
#include "state/question.h"
#include "state/select.h"
#include "state/tool.h"
#include "state/workspace.h"
#include "ui/ui.h"

#include <sinew/host.h>

typedef struct state {
  options options;
  sinew_host *host;
  scene *scene;
  bool software; /* the renderer is slow: the scene goes through the canvas */
  canvas canvas;
  history *history;
  documents documents;
  question question;
  changes *known; /* the rig as it was loaded last */
  ui ui;
  orbit view;
  Rectangle place; /* of the scene in the window */
  orbit framed;    /* the view that state_frame_all chose last, for this place */
  Rectangle framed_in;
  selection selected;  /* state_select changes it */
  unsigned selections; /* how often it was chosen: panels follow each once */
  sinew_segment hovered;
  sinew_segment *moved_by; /* for each component: the segment that it moves */
  unsigned char *sides;    /* for each segment: its body_side, if its parent has another */
  bool *held;              /* for each segment: a limit holds it back */
  bool worn;               /* a character is shown in place of the bones */
  BoundingBox worn_box;    /* its bounds */
  BoundingBox seat;        /* a box to sit on; empty: none */
  /* while a drag meets a limit: the bone that it holds, and the DOF with the value that was asked
   * for; null: none */
  sinew_segment blocked;
  sinew_dof asked_dof;
  float asked;
  bool show_grid, show_axes, show_help, show_palette;
  int card;                            /* of the welcome, from 1; 0: not shown */
  bool posing;                         /* a clip plays, so changes of DOFs are not the user's */
  char banner[SINEW_ERROR_TEXT + 512]; /* the error of the script; "": none */
  char note[512];                      /* the last message */
  double note_until;
  double eval_seconds, frame_seconds;
  long frames;        /* frames drawn so far */
  double awake_until; /* the time at which drawing pauses, unless something happens */
  int tool_count;
  tool_slot tools[most_tools];
  command_list commands;
  command_popup popup;
  workspace workspace;
  bool quit;
  int exit_code;         /* of the program, where it ends by itself */
  const char *caption;   /* written into a picture; NULL: none */
  bool picturing;        /* a picture is drawn, not the window */
  bool no_legend;        /* of the limits, in pictures after the first of a sheet */
  double missing_since;  /* a file of the rig is not there or empty; 0: all are there */
  uint64_t missing_told; /* what the banner says of it, in short; 0: nothing */
  loading loading;
  bool waiting; /* for a rig that is broken or takes long at the start: the scene is empty */
} state;

/* Evaluates the pose; a failure goes to the banner. */
void state_eval(state *st);
/* Shows an error in the banner, with the source line that it names. */
void state_wrong(state *st, const char *text);
/* The file of a place in a message: Lua shortens long paths from the left, with dots. NULL if the
 * rig has no such file; borrowed. */
const char *state_source_path(const state *st, const char *path);
/* Shows a message for a few seconds. */
void state_say(state *st, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The folder of the rig as its path has it; "." if that has none. */
void state_folder(const state *st, char *dest, size_t capacity);
/* A message as it is shown: files by their paths from the rig's folder. */
void state_short(const state *st, const char *text, char *dest, size_t capacity);
/* Copies text to the clipboard, and shows a message. */
void state_copy(state *st, const char *text, const char *what);
/* Turns the camera to a view of orbit_look; frames everything for a picture of this aspect ratio.
 */
bool state_look(state *st, const char *view);
void state_frame(state *st, float aspect);
void state_frame_all(state *st); /* the scene's rectangle in the window */
/* Frames the selected bone with what hangs on it; without a selection, everything. */
void state_frame_selected(state *st);
/* Frames everything again if that rectangle has changed, unless the user has moved the camera. */
void state_keep_framed(state *st);
/* Points around what is shown, as scene_points: around a character, if it is worn. */
int state_points(state *st, const bool *only, Vector3 *dest);

/* The current rig and pose; a reload replaces both. */
/* The `isolate` of a host: this program, or NULL if scripts run in this process. */
const char *state_isolate(const state *st);
static inline sinew_rig *state_rig(const state *st) { return sinew_host_rig(st->host); }
static inline sinew_pose *state_pose(const state *st) { return sinew_host_pose(st->host); }
/* The DOF and the value of an argument "joint.dof=value"; null, with `error` filled, if the rig has
 * no such DOF. */
sinew_dof state_find_dof(const state *st, const char *argument, float *value, sinew_error *error);
/* The holds of the pose; the caller frees them. NULL with a count of 0 if memory runs out. */
sinew_hold *state_holds(const state *st, int *count);
/* What the scene shows now: grid, selection, and the drawings of open tools. */
scene_options state_shown(state *st);
/* A hash of all that it shows, with the camera. */
uint64_t state_print(const state *st);
/* The bone under a point of the window, or within 8 pixels of it; null: none. `hit`, which may be
 * NULL, gets the point on it. */
sinew_segment state_pick(const state *st, Vector2 at, Vector3 *hit);
/* The position of a point of the world in the window, and the ray under a point of the window. */
Vector2 state_project(const state *st, Vector3 point);
Ray state_ray(const state *st, Vector2 at);
/* The size of a pixel, in metres, at the distance of a point. */
float state_pixel(const state *st, Vector3 point);

#endif
