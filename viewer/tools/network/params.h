/* The panel of a component's parameters: which component it shows. */
#ifndef VIEWER_PARAMS_H
#define VIEWER_PARAMS_H

#include "state/state.h"

/* Null where none is chosen. */
sinew_component params_chosen(const state *st);
void params_choose(state *st, sinew_component component);

#endif
