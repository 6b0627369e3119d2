/* The directions of the lights, which turn with the camera but do not tilt with it: so every side
 * of the figure is lit alike, and light comes from above. */
#ifndef VIEWER_LIGHT_H
#define VIEWER_LIGHT_H

#include <raymath.h>

/* `towards` the eye, to the `right` and `up`, as seen from the camera */
static inline Vector3 light_from(Camera3D camera, float towards, float right, float up) {
  Vector3 back = Vector3Subtract(camera.position, camera.target);
  float length = sqrtf(back.x * back.x + back.z * back.z);
  float x = length > 0 ? back.x / length : 0, z = length > 0 ? back.z / length : 1;
  return Vector3Normalize((Vector3){ towards * x + right * z, up, towards * z - right * x });
}

static inline Vector3 light_key(Camera3D camera) { return light_from(camera, 0.35f, -0.7f, 0.8f); }
static inline Vector3 light_fill(Camera3D camera) { return light_from(camera, 0.5f, 0.9f, 0.1f); }

#endif
