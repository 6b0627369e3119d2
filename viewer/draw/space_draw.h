/* Converts the viewer's vectors and matrices to raylib's. */
#ifndef VIEWER_SPACE_DRAW_H
#define VIEWER_SPACE_DRAW_H

#include "plain/space.h"

#include <raylib.h>

static inline Vector3 vector(const float *v) { return (Vector3){ v[0], v[1], v[2] }; }

static inline Matrix matrix(const float *m) {
  return (Matrix){ m[0], m[4], m[8],  m[12], m[1], m[5], m[9],  m[13],
                   m[2], m[6], m[10], m[14], m[3], m[7], m[11], m[15] };
}

/* transforms a point from a frame to the world */
static inline Vector3 placed(const float *m, const float *p) {
  float at[3];
  space_point(m, p, at);
  return vector(at);
}

#endif
