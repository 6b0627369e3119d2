/* Several pictures of one rig: a numbered sequence, an animated GIF, or a contact sheet. They show
 * DOFs that sweep, a clip, an orbiting camera, or each DOF at one end of its range. */
#ifndef VIEWER_FILM_H
#define VIEWER_FILM_H

#include "state/state.h"

#include <sinew/clip.h>

/* Writes options.render as the options say, of `clip` unless it is NULL, and prints messages.
 * `go_on` is asked before each picture with how much is done, and NULL or true. Returns the exit
 * code. */
typedef bool film_go_on(state *st, float done);
int film_render(state *st, const sinew_clip *clip, film_go_on *go_on);
/* The last message of film_render. */
const char *film_error(void);

#endif
