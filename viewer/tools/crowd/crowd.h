/* The crowd of --crowd N: many characters of the rig, all evaluated by one call a frame. The first
 * of them is the state's own pose, so that every tool works on it. */
#ifndef VIEWER_CROWD_H
#define VIEWER_CROWD_H

#include "state/state.h"

/* Whether there is one, and its rig could be taken in. */
bool crowd_there(const state *st);
/* Shows it at a time in seconds. */
void crowd_show(state *st, double time);
/* Everybody sweeps this DOF, once in so many seconds. */
void crowd_sweep(state *st, sinew_dof dof, float from, float to, float seconds);
/* Writes who is there, how long evaluating takes and what does it. */
void crowd_figures(const state *st, char *dest, size_t capacity);

#endif
