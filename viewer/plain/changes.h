/* What a reload changed: names that are new, removed, or defined differently. */
#ifndef VIEWER_CHANGES_H
#define VIEWER_CHANGES_H

#include <sinew/rig.h>
#include <stddef.h>

typedef struct changes changes;

/* Takes a snapshot of a rig. Returns NULL if memory runs out. */
changes *changes_note(const sinew_rig *rig);
/* Describes in one line how `rig` differs from the snapshot: "new DOF arm.twist; 2 components
 * changed", or "no bone, DOF or component has changed". */
void changes_say(const changes *before, const sinew_rig *rig, char *dest, size_t capacity);
void changes_free(changes *c); /* NULL is allowed */

#endif
