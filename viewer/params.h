/* The panel of a component's parameters: which component it shows. */
#ifndef VIEWER_PARAMS_H
#define VIEWER_PARAMS_H

#include "state.h"

/* Null where none is chosen. */
sinew_component params_chosen(const app *a);
void params_choose(app *a, sinew_component component);

#endif
