/* What the characters of a crowd do, and where they stand. The DOFs of a character depend only on
 * its number and the time.
 *
 * A character goes from one movement to another at its own speed: marching, waving, looking about.
 * Movements name DOFs by parts of their names, and a rig gets the movements that it has DOFs for.
 * Other DOFs sway a little, or a lot in a rig without any movement. DOFs that move the whole body
 * stay at rest, so that everybody keeps its place. */
#ifndef VIEWER_CROWD_MOTION_H
#define VIEWER_CROWD_MOTION_H

#include <sinew/clip.h>

typedef struct crowd_motion crowd_motion;

/* Returns NULL if memory runs out. Reads the rig once: create it again after ranges have
 * changed. */
crowd_motion *crowd_motion_create(const sinew_rig *rig);
void crowd_motion_destroy(crowd_motion *motion); /* NULL is allowed */

/* All characters play the clip instead, each with its own offset in time; a clip that does not loop
 * is played forward and back. NULL, or a clip of length 0 or without a DOF of this rig, returns to
 * the movements. The clip is borrowed; its keys may change, but call this again when its channels
 * do. */
void crowd_motion_set_clip(crowd_motion *motion, const sinew_clip *clip);
/* All characters move this DOF between two values and back, with this period; neighbours are
 * slightly out of phase. If `from` equals `to`, the DOF stays there. */
void crowd_motion_set_sweep(crowd_motion *motion, sinew_dof dof, float from, float to,
                            float seconds);

/* The DOFs of a character (from 0) at a time in seconds (at least 0), in the rig's order and within
 * their ranges. Allocates nothing. */
void crowd_motion_at(const crowd_motion *motion, int character, double time, float *dest);
/* The name of the character's movement at that time. */
const char *crowd_motion_name(const crowd_motion *motion, int character, double time);

/* Whether a DOF moves the whole body. */
bool crowd_motion_carries(const crowd_motion *motion, int dof);
/* How many movements the rig has DOFs for. */
int crowd_motion_count(const crowd_motion *motion);

enum { most_characters = 10000 };

/* The formation: rows one behind the other, with the first character in the middle of the front
 * row. Rows are filled from the middle. Every other row is shifted by half a column, so that each
 * character is visible through a gap. */

/* The number of columns of a roughly square block, for characters of this width and depth. */
int crowd_columns(int count, float across, float deep);
/* The position of a character (from 0) relative to the first: columns to the side, rows back. */
void crowd_place(int character, int columns, float *column, int *back);

#endif
