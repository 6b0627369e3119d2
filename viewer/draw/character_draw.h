/* Draws a character and copies of it: vertices and weights are on the GPU, and the matrices of all
 * copies go there as one texture. Positions are in the rig's metres. */
#ifndef VIEWER_CHARACTER_DRAW_H
#define VIEWER_CHARACTER_DRAW_H

#include "draw/scene.h"

#include <sinew/character.h>

typedef struct character_draw character_draw;

/* Needs a window; the character must be bound and outlive it. Returns NULL, with `error` filled, if
 * memory runs out or a shader does not compile. */
character_draw *character_draw_create(const sinew_character *c, sinew_error *error);
void character_draw_destroy(character_draw *d); /* NULL is allowed */

/* Makes room for this many copies; false if memory runs out. */
bool character_draw_room(character_draw *d, int copies);
/* The pose of a copy: the world matrices of the rig's segments, and its position. */
void character_draw_pose(character_draw *d, int copy, const float *segments, const float at[3]);
/* Call this after posing them. */
void character_draw_changed(character_draw *d);

/* Draws all copies: what is solid, or with `glass` what is translucent; or their shadows. */
void character_draw_scene(const character_draw *d, const scene *s, bool glass);
void character_draw_cast(const character_draw *d, const scene *s);

/* The bounds of the first copy, from at most some thousand of its vertices. */
BoundingBox character_draw_bounds(const character_draw *d);

int character_draw_vertices(const character_draw *d);
/* What could not be shown, such as a picture; "" if nothing. */
const char *character_draw_note(const character_draw *d);

#endif
