/* Several pictures of one rig: a numbered sequence, an animated GIF, or a contact sheet; of DOFs
 * that sweep, of a clip, of the camera going round, or of each DOF at its far end. */
#ifndef VIEWER_FILM_H
#define VIEWER_FILM_H

#include "state/state.h"

/* Writes options.render as the options say; returns the exit code, with messages printed. */
int film_render(state *st);

#endif
