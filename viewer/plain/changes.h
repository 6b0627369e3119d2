/* What a reload changed: the names that are new, gone, or stand for something else now. */
#ifndef VIEWER_CHANGES_H
#define VIEWER_CHANGES_H

#include <sinew/rig.h>
#include <stddef.h>

typedef struct changes changes;

/* Notes a rig as it is. NULL when memory is out. */
changes *changes_note(const sinew_rig *rig);
/* Says in one line how `rig` differs from what was noted: "new DOF arm.twist; 2 components
 * changed". "nothing that counts" where all is the same. */
void changes_say(const changes *before, const sinew_rig *rig, char *dest, size_t capacity);
void changes_free(changes *c); /* NULL is allowed */

#endif
