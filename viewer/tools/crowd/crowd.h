/* The crowd of --crowd N: many characters of the rig, all evaluated by one call per frame. The
 * first of them is the state's own pose, so that every tool works on it. */
#ifndef VIEWER_CROWD_H
#define VIEWER_CROWD_H

#include "state/state.h"

/* Whether there is a crowd and its rig was loaded without errors. */
bool crowd_active(const state *st);
/* Shows the crowd at a time in seconds. */
void crowd_show(state *st, double time);
/* All characters sweep this DOF with a period of `seconds`. */
void crowd_sweep(state *st, sinew_dof dof, float from, float to, float seconds);
/* Writes the number of characters, the time of an evaluation, lanes and threads. */
void crowd_figures(const state *st, char *dest, size_t capacity);

#endif
