/* The camera: orbits a target, pans, zooms, and frames a box. */
#ifndef VIEWER_ORBIT_H
#define VIEWER_ORBIT_H

#include <raylib.h>
#include <stdbool.h>

typedef struct orbit {
  Vector3 target;
  float yaw, pitch; /* degrees; yaw 0 looks at the front, 90 at the body's left */
  float distance;
} orbit;

orbit orbit_default(void);
/* Turns to a view: front, back, side, top, three-quarter, or "YAW,PITCH" in degrees. Returns false
 * for any other text. */
bool orbit_look(orbit *o, const char *view);
/* Moves back until the box is in view, in a picture of this aspect ratio. */
void orbit_frame(orbit *o, BoundingBox box, float aspect);
/* The same for points, as near as possible: also moves the target so that they are centred in the
 * picture. */
void orbit_frame_points(orbit *o, const Vector3 *points, int count, float aspect);
/* The eight corners of a box. */
void orbit_corners(BoundingBox box, Vector3 dest[8]);
/* Mouse and wheel: left or right button orbits, middle button or shift pans, the wheel zooms to
 * what `ray` points at, horizontal scrolling orbits. `height` is that of the picture in pixels. */
void orbit_input(orbit *o, float height, Ray ray);
Camera3D orbit_camera(const orbit *o);

#endif
