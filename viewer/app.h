/* The viewer's state, and its life. */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include "options.h"
#include "orbit.h"
#include "scene.h"
#include "shot.h"
#include "ui.h"

#include <sinew/host.h>

typedef struct app {
  options options;
  sinew_host *host;
  scene *scene;
  ui ui;
  orbit view;
  sinew_segment selected, hovered;
  bool show_grid, show_axes, show_help;
  char search[64];
  float panel_scroll;
  bool *folded;                  /* for each joint set */
  char banner[SINEW_ERROR_TEXT]; /* what is wrong with the script; "" while nothing is */
  char note[256];                /* what happened last */
  double note_until;
  double eval_seconds, frame_seconds;
  bool quit;
} app;

/* Opens window and rig. NULL, with everything said, when either fails. */
app *app_create(const options *o);
void app_destroy(app *a);
/* Runs until the window is closed; the exit code. */
int app_run(app *a);

/* Evaluates the pose; a failure goes to the banner. */
void app_eval(app *a);
/* Takes a reloaded rig in: shapes, folds, selection by name. */
void app_loaded(app *a);
/* Says something for a few seconds. */
void app_say(app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The panel of DOFs at the left. */
void panel_draw(app *a);
float panel_width(const app *a);

/* Commands on standard input, one a line. */
void remote_start(void);
void remote_poll(app *a);

#endif
