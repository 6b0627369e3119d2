/* The ground with its grid and the soft shadow on it, and the background behind. */
#ifndef VIEWER_GROUND_H
#define VIEWER_GROUND_H

#include <raylib.h>

typedef struct ground ground;

/* Needs a window. NULL if memory runs out or a shader does not compile. */
ground *ground_create(void);
void ground_destroy(ground *g); /* NULL is allowed */

/* Between these two, what casts a shadow is drawn, flattened by ground_flatten and with
 * cast_fragment. `key` is the direction to the light, `box` the bounds of what is drawn. Not inside
 * of another drawing mode. */
void ground_cast_begin(ground *g, BoundingBox box, Vector3 key);
void ground_cast_end(ground *g);
/* Projects points along the light onto the ground; 1e-4 of their height is left. */
Matrix ground_flatten(const ground *g);
/* The size of a pixel of the shadow, in metres. */
float ground_pixel(const ground *g);

/* Fills a rectangle of the target; `frame` is the same in pixels from its lower left corner, and
 * `grain` the size of a pixel of the final picture. */
void ground_background(ground *g, Rectangle place, Rectangle frame, float grain);
/* Draws the ground into the scene, after everything solid. */
void ground_draw(ground *g, bool grid, float grain);

#endif
