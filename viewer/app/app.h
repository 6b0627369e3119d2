/* The program: its window, main loop, status line and remote port. */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include "state/state.h"

/* Opens window and rig, with these tools. NULL on failure, with a message printed and the exit code
 * of the program in `code`: 1, or 2 for a mistake in the arguments. */
state *app_create(const options *o, const tool *const *tools, int tool_count, int *code);
/* False, with a message, if unsaved changes or settings could not be kept. */
bool app_destroy(state *st);
/* Runs until the window is closed; the exit code. */
int app_run(state *st);
/* Draws the scene into the window. */
void app_draw_scene(state *st);

/* The commands of the window itself. */
extern const command app_commands[];

/* The bar at the top. */
void bar_draw(state *st);
/* A ring around the joint of the selected bone; the letters of the sides in the corners of the
 * scene; the status line and the strip of the banner; the help over all. */
void status_ring(const state *st);
void status_sides(const state *st);
void status_draw(state *st);
void help_draw(state *st);

/* The palette, which finds commands and parts of the rig; what it finds, for the remote port. */
void palette_open(state *st);
void palette_draw(state *st);
/* Five cards for those who are new. They are shown once, and when they are asked for. */
void welcome_open(state *st);
void welcome_draw(state *st);
void welcome_leave(state *st);
void palette_answer(const state *st, const char *words);

/* A job that keeps the window busy, outside of a frame: `go_on` says whether it was not stopped, and
 * after a while draws how much of it is done, -1 where that is not known. `end` says the same. */
void progress_begin(const char *title);
bool progress_go_on(state *st, float done);
bool progress_end(state *st);
/* A bar that fills; with -1 a part of it moves to and fro. */
void progress_bar(ui *u, Rectangle r, float done);

/* Commands on standard input, one a line. */
void remote_start(void);
bool remote_poll(state *st); /* whether a command was read */

/* Asks for a path, and writes the rig or what is seen of it. */
typedef enum export_kind {
  EXPORT_PICTURE,
  EXPORT_FILM,
  EXPORT_GLTF,
  EXPORT_XML,
  EXPORT_MJCF
} export_kind;
void export_ask(state *st, export_kind kind);
/* Between frames: writes what was asked for. */
void export_run(state *st);

#endif
