/* Every rig of rigs/, loaded by a host without limits on time and instructions. */
#ifndef TEST_EACH_RIG_H
#define TEST_EACH_RIG_H

#include <sinew/sinew.h>

/* Calls `visit` for each that loads; returns how many did, -1 if there is no such folder. The error
 * says why the last one did not load. */
int each_rig(void (*visit)(const sinew_rig *rig, const char *name, void *context), void *context,
             sinew_error *error);

#endif
