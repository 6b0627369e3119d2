/* Draws a crowd. The world matrices of all characters go to the GPU as one texture, in the layout
 * that the batch writes, and each character is an instance that reads its own. Distant characters
 * use coarser meshes. */
#ifndef VIEWER_CROWD_DRAW_H
#define VIEWER_CROWD_DRAW_H

#include "draw/scene.h"

typedef struct crowd_draw crowd_draw;

/* Needs a window. Returns NULL, with a message on standard error, if memory runs out or a shader
 * does not compile. */
crowd_draw *crowd_draw_create(void);
void crowd_draw_destroy(crowd_draw *d); /* NULL is allowed */

/* Takes the meshes of a scene, for up to `characters` characters of about this size. Returns false
 * if memory runs out. */
bool crowd_draw_load(crowd_draw *d, const scene *s, int segments, int characters, float size);
/* Arrays for the caller to fill: the world matrices of all characters, and four floats for each, of
 * which three are its position; crowd_draw_changed fills the fourth. */
float *crowd_draw_worlds(crowd_draw *d);
float *crowd_draw_positions(crowd_draw *d);
/* Call this after filling them. */
void crowd_draw_changed(crowd_draw *d);

/* Draws all characters but the first, which the scene draws itself: into the scene, or as shadows.
 */
void crowd_draw_solid(crowd_draw *d, const scene *s, Camera3D camera);
void crowd_draw_cast(crowd_draw *d, const scene *s);
/* The number of triangles in the last draw, without shadows. */
long crowd_draw_triangles(const crowd_draw *d);

#endif
