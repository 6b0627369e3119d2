/* Handles that move, rotate and scale something: three arrows, three rings, three knobs. Their
 * geometry, and how far a ray through the mouse drags them; nothing is drawn here. */
#ifndef VIEWER_HANDLE_H
#define VIEWER_HANDLE_H

#include <stdbool.h>

typedef enum handle_part {
  HANDLE_MOVE, /* followed by y and z */
  HANDLE_TURN = 3,
  HANDLE_KNOB = 6,
  HANDLE_PARTS = 9,
  HANDLE_NONE = -1
} handle_part;

enum { handle_line_points = 65 };

typedef struct handle {
  float frame[16]; /* position and unit axes in the world */
  float size;      /* length of the arrows in metres */
  bool moves, turns, knobs;
  float knob[3]; /* distance of each knob in metres, on the far side of the arrow */
} handle;

/* Whether the handle has this part. */
bool handle_has(const handle *h, handle_part part);
/* The part as a line in the world; returns the number of points. A ring is closed. */
int handle_line(const handle *h, handle_part part, float dest[handle_line_points][3]);
/* The matrix that maps the unit circle about y to a ring. */
void handle_ring(const handle *h, handle_part part, float dest[16]);
/* The part's axis in the world. */
void handle_axis(const handle *h, handle_part part, float dest[3]);

/* The position along a unit axis through `at` that is nearest to a ray; false if the ray is
 * parallel to the axis. */
bool handle_along(const float from[3], const float direction[3], const float at[3],
                  const float axis[3], float *dest);
/* The angle in degrees, about a unit axis through `at`, from the direction `zero` to where a ray
 * meets the plane of rotation; false if the plane is seen edge-on. */
bool handle_angle(const float from[3], const float direction[3], const float at[3],
                  const float axis[3], const float zero[3], float *dest);
/* Rounds to the nearest multiple of a step. */
float handle_snap(float value, float step);

/* A rotation as three angles in degrees, Rx Ry Rz; the third column of a mirrored matrix is negated
 * first. */
void handle_angles(const float m[16], float dest[3]);
void handle_from_angles(const float angles[3], bool mirrored, float m[16]);
/* Makes the columns orthonormal; a mirrored matrix stays mirrored. */
void handle_square(float m[16]);
bool handle_mirrored(const float m[16]);

#endif
