/* The program: its window, main loop, status line and remote port. */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include "state/state.h"

/* Opens window and rig, with these tools. NULL on failure, with a message printed and the exit code
 * of the program in `code`: 1, or 2 for a mistake in the arguments. */
state *app_create(const options *o, const tool *const *tools, int tool_count, int *code);
void app_destroy(state *st);
/* Runs until the window is closed; the exit code. */
int app_run(state *st);

/* Draws the marks of the sides over the scene; and banner, messages, help and figures over all. */
void status_sides(const state *st);
void status_draw(state *st);

/* Commands on standard input, one a line. */
void remote_start(void);
bool remote_poll(state *st); /* whether a command was read */

#endif
