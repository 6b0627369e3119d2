/* Marks that tools draw among the bones: lit balls, rods, arrows, axes with the yellow and
 * black ball of a centre, and surfaces of coloured glass. All in one look, and few calls each. */
#ifndef VIEWER_MARKS_H
#define VIEWER_MARKS_H

#include <raylib.h>
#include <stdbool.h>

typedef struct marks marks;

/* Needs a window. NULL, with a message on standard error, when it cannot. */
marks *marks_create(void);
void marks_destroy(marks *m); /* NULL is allowed */

/* Before anything is drawn: where the eye is, and how solid what follows is (1: wholly). */
void marks_look(marks *m, Vector3 eye, float solid);
void marks_ball(marks *m, Vector3 at, float radius, Color color);
void marks_rod(marks *m, Vector3 from, Vector3 to, float radius, Color color);
void marks_arrow(marks *m, Vector3 from, Vector3 to, float radius, Color color);
/* An axis of rotation as an arrow, and where it turns: a dot, or a centre in quarters of yellow and
 * black. */
void marks_axis(marks *m, Vector3 at, Vector3 axis, float length, bool centre);
void marks_mesh(marks *m, Mesh mesh, Matrix place, Color color);

typedef struct marks_glass {
  Color color; /* where nothing is measured */
  /* Shades from narrow to wide by the first texture coordinate; with both the same, all of it. */
  bool shaded;
  float low, high;
  float marked;   /* the part with this second coordinate is brighter; -1: none */
  float strength; /* how much of it is seen: 1 */
} marks_glass;

/* A closed or open surface seen through, far side first. */
void marks_draw_glass(marks *m, Mesh mesh, Matrix place, const marks_glass *glass);
/* The colour of the shade at a share from narrow (0) to wide (1). */
Color marks_shade(float share);

/* A tube of that radius along a closed line of places (three floats each), with a ball at each of
 * the points; either may be none. On the graphics card; the caller unloads it. */
Mesh marks_outline(const float *line, int count, const float *points, int point_count,
                   float radius);
/* The unit ball about the origin, for glass. Borrowed. */
Mesh marks_unit_ball(const marks *m);

#endif
