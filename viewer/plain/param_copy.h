/* Parameters that own what they point to, so that they outlive the rig they were read from. */
#ifndef VIEWER_PARAM_COPY_H
#define VIEWER_PARAM_COPY_H

#include <sinew/types.h>
#include <stdbool.h>
#include <stddef.h>

/* A deep copy, freed by param_drop. Returns false, with `dest` empty, if memory runs out. */
bool param_keep(const sinew_param *param, sinew_param *dest);
void param_drop(sinew_param *param); /* an empty one is allowed */
/* How many floats the parameter has, in its value or in its list. */
size_t param_floats(const sinew_param *param);
/* Whether name, type and value are the same, bit by bit. */
bool param_same(const sinew_param *a, const sinew_param *b);

#endif
