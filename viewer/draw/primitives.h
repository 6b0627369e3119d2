/* Primitives that tools draw among the bones: lit balls, rods, arrows, axes with the yellow and
 * black ball of a centre, and surfaces of coloured glass. */
#ifndef VIEWER_PRIMITIVES_H
#define VIEWER_PRIMITIVES_H

#include <raylib.h>
#include <stdbool.h>

typedef struct primitives primitives;

/* Needs a window. NULL, with a message on standard error, on failure. */
primitives *primitives_create(void);
void primitives_destroy(primitives *m); /* NULL is allowed */

/* Before anything is drawn: the camera, which the light follows, and the opacity of what follows.
 */
void primitives_look(primitives *m, Camera3D camera, float solid);
void primitives_ball(primitives *m, Vector3 at, float radius, Color color);
void primitives_rod(primitives *m, Vector3 from, Vector3 to, float radius, Color color);
void primitives_arrow(primitives *m, Vector3 from, Vector3 to, float radius, Color color);
/* An arc of a great circle between two unit directions of a frame, whose scale is the radius. */
void primitives_arc(primitives *m, const float *frame, const float *from, const float *to,
                    float radius, Color color);
/* An axis of rotation as an arrow with a ball: plain, or for a centre in quarters of yellow and
 * black. */
void primitives_axis(primitives *m, Vector3 at, Vector3 axis, float length, bool centre);
void primitives_mesh(primitives *m, Mesh mesh, Matrix place, Color color);

typedef struct primitives_glass {
  Color color; /* colour if it is not shaded */
  /* Shaded from `low` to `high` by the first texture coordinate. */
  bool shaded;
  float low, high;
  float marked;   /* highlights the part with this second texture coordinate; -1: none */
  float strength; /* multiplies its opacity */
} primitives_glass;

/* Draws a translucent surface, back faces first. */
void primitives_draw_glass(primitives *m, Mesh mesh, Matrix place, const primitives_glass *glass);
/* The colour of the shade from narrow (0) to wide (1). */
Color primitives_shade(float share);

/* A tube of that radius along a closed line of points (three floats each), with a ball at each of
 * `points`; either may be empty. Uploaded to the GPU; the caller unloads it. */
Mesh primitives_outline(const float *line, int count, const float *points, int point_count,
                        float radius);
/* The unit ball around the origin, for glass. Borrowed. */
Mesh primitives_unit_ball(const primitives *m);

#endif
