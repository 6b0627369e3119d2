/* Drawing a crowd: the world matrices of all characters go to the graphics card as one texture, as
 * the batch writes them, and each character is an instance that reads its own. The farther away it
 * is, the coarser its mesh. */
#ifndef VIEWER_CROWD_DRAW_H
#define VIEWER_CROWD_DRAW_H

#include "draw/scene.h"

typedef struct crowd_draw crowd_draw;

/* Needs a window. NULL, with a message on standard error, when memory is out or the shaders do not
 * compile. */
crowd_draw *crowd_draw_create(void);
void crowd_draw_destroy(crowd_draw *d); /* NULL is allowed */

/* Takes the meshes of a scene, for up to `characters` characters of about this size. False when
 * memory is out. */
bool crowd_draw_load(crowd_draw *d, const scene *s, int segments, int characters, float size);
/* To be filled by the caller: the world matrices of all characters, and four floats for each, its
 * position in the crowd and one that is not used. */
float *crowd_draw_worlds(crowd_draw *d);
float *crowd_draw_places(crowd_draw *d);
/* Call it after they were filled. */
void crowd_draw_changed(crowd_draw *d);

/* Draws all but the first character, which the scene draws itself: into the scene, for a picture
 * `pixels` high; or their shadows, where bones are at least a `pixel` thick. */
void crowd_draw_solid(crowd_draw *d, Camera3D camera, float pixels);
void crowd_draw_cast(crowd_draw *d, float pixel);
/* How many triangles were drawn last, without shadows. */
long crowd_draw_triangles(const crowd_draw *d);

#endif
