/* The character that a rig is bound to (`sinew bind`), shown in place of the bones. */
#ifndef VIEWER_WORN_H
#define VIEWER_WORN_H

#include "state/state.h"

/* Whether it is shown. */
bool character_worn(const state *st);
/* Copies for a crowd: the world matrices of the segments of each, and four floats for each, of
 * which three are its position. */
void character_take_crowd(state *st, const float *worlds, const float *positions, int count);

#endif
