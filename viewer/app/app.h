/* The viewer's life: its window, and what only the window has. */
#ifndef VIEWER_APP_H
#define VIEWER_APP_H

#include "state/state.h"

/* Opens window and rig, with these tools. NULL, with everything said, when either fails. */
state *app_create(const options *o, const tool *const *tools, int tool_count);
void app_destroy(state *st);
/* Runs until the window is closed; the exit code. */
int app_run(state *st);

/* What lies over the scene: banner, notes, help, figures. */
void status_draw(state *st);

/* Commands on standard input, one a line. */
void remote_start(void);
bool remote_poll(state *st); /* whether something was asked */

#endif
