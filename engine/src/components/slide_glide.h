/* The slide component's constants and geometry in doubles, shared by its evaluation and its
 * derivative. */
#ifndef SI_SLIDE_GLIDE_H
#define SI_SLIDE_GLIDE_H

#include "components/catalog.h"
#include "math/contact.h"
#include "math/vector.h"

typedef struct glide {
  si_dvec shape[3]; /* columns: from the ellipsoid's segment to the unit sphere's space */
  si_dvec offset;   /* added after that: moves its centre to the origin */
  si_dvec axis;     /* x1 */
  si_dvec firsts[3], seconds[3];
  double radii[3];
  double lift[2], rotation[2]; /* l = lift[0] + lift[1] * input */
  si_window windows[2];
} glide;

static inline si_dvec sum(si_dvec a, si_dvec b) {
  return (si_dvec){ a.x + b.x, a.y + b.y, a.z + b.z };
}
static inline si_dvec times(double k, si_dvec v) { return (si_dvec){ k * v.x, k * v.y, k * v.z }; }
static inline si_dvec cross(si_dvec a, si_dvec b) {
  return (si_dvec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline si_dvec apply(const si_dvec *columns, double x, double y, double z) {
  return sum(sum(times(x, columns[0]), times(y, columns[1])), times(z, columns[2]));
}

/* an affine map from the segment to the space in which the ellipsoid is the unit sphere: three
 * columns, and the joint's position */
typedef struct place {
  si_dvec m[3], joint;
} place;

static inline place place_of(const glide *g, const float *f) {
  place p;
  p.m[0] = apply(g->shape, (double)f[0], (double)f[1], (double)f[2]);
  p.m[1] = apply(g->shape, (double)f[4], (double)f[5], (double)f[6]);
  p.m[2] = apply(g->shape, (double)f[8], (double)f[9], (double)f[10]);
  p.joint = sum(apply(g->shape, (double)f[12], (double)f[13], (double)f[14]), g->offset);
  return p;
}
static inline si_dvec place_direction(const place *p, si_dvec v) {
  return apply(p->m, v.x, v.y, v.z);
}

static inline void put(si_dvec v, float *dest) {
  dest[0] = (float)v.x, dest[1] = (float)v.y, dest[2] = (float)v.z;
}

sinew_status si_slide_tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                              sinew_error *error);

#endif
