/* Parameters that own what they point to, so that they outlive the rig they were read from. */
#ifndef VIEWER_PARAM_COPY_H
#define VIEWER_PARAM_COPY_H

#include <sinew/types.h>
#include <stdbool.h>
#include <stddef.h>

/* A deep copy, freed by param_drop. False, with `dest` empty, when memory is out. */
bool param_keep(const sinew_param *param, sinew_param *dest);
void param_drop(sinew_param *param); /* an empty one is allowed */
/* How many numbers it has, in itself or in its list. */
size_t param_floats(const sinew_param *param);
/* Whether name, type and value are the same, to the bit. */
bool param_same(const sinew_param *a, const sinew_param *b);

#endif
