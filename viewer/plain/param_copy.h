/* Parameters that own what they point to, so that they outlive the rig they were read from. */
#ifndef VIEWER_PARAM_COPY_H
#define VIEWER_PARAM_COPY_H

#include <sinew/types.h>
#include <stdbool.h>
#include <stddef.h>

/* A copy in full, to be dropped. False, with `dest` empty, when memory is out. */
bool param_keep(const sinew_param *param, sinew_param *dest);
void param_drop(sinew_param *param); /* one that is empty is allowed */
/* How many numbers it has, in itself or in its list. */
size_t param_floats(const sinew_param *param);
/* Whether two say the same: name, type and value to the bit. */
bool param_same(const sinew_param *a, const sinew_param *b);

#endif
