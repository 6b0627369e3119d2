/* Random reach cones and slow oracles in doubles, shared by the cone's suites. */
#ifndef CONE_CASES_H
#define CONE_CASES_H

#include "limits/cone_internal.h"
#include "minunit.h"

#include <stdlib.h>

#define CASE_PI 3.14159265358979323846

typedef struct dice {
  uint64_t state;
} dice;

static inline double roll(dice *d, double low, double high) {
  d->state ^= d->state << 13, d->state ^= d->state >> 7, d->state ^= d->state << 17;
  return low + (high - low) * (double)(d->state >> 11) / 9007199254740992.0;
}
static inline int roll_int(dice *d, int below) { return (int)roll(d, 0, below) % below; }

static inline double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void cross3(const double *a, const double *b, double *dest) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  dest[0] = x, dest[1] = y, dest[2] = z;
}
static inline double length3(const double *a) { return sqrt(dot3(a, a)); }
static inline void unit3(const double *a, double *dest) {
  double size = length3(a);
  for (int k = 0; k < 3; k++) dest[k] = a[k] / size;
}
static inline void widen3(const float *a, double *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (double)a[k];
}
static inline void narrow3(const double *a, float *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (float)a[k];
}
static inline double angle3(const double *a, const double *b) {
  double c[3];
  cross3(a, b, c);
  return atan2(length3(c), dot3(a, b));
}
static inline void roll_unit(dice *d, double *dest) {
  double z = roll(d, -1, 1), at = roll(d, 0, 2 * CASE_PI), r = sqrt(1 - z * z);
  dest[0] = r * cos(at), dest[1] = r * sin(at), dest[2] = z;
}

/* the direction `polar` radians from v at `azimuth`, counted from an arbitrary direction */
static inline void place(const double *v, double polar, double azimuth, double *dest) {
  double e[3], f[3], lean[3] = { fabs(v[0]) < 0.6, fabs(v[0]) >= 0.6, 0 };
  cross3(v, lean, e);
  unit3(e, e);
  cross3(v, e, f);
  for (int k = 0; k < 3; k++)
    dest[k] = cos(polar) * v[k] + sin(polar) * (cos(azimuth) * e[k] + sin(azimuth) * f[k]);
}

enum { CASE_ROUND, CASE_CONCAVE, CASE_LARGE, CASE_KINDS };

typedef struct cone_case {
  float (*points)[3];
  int count;
  float visible[3];
} cone_case;

/* points in azimuth order about a random V, consecutive ones at most 150 degrees of azimuth apart
 */
static inline cone_case make_case(dice *d, int kind, int count) {
  cone_case c = { malloc((size_t)count * sizeof(float[3])), count, { 0, 0, 0 } };
  double v[3], p[3];
  roll_unit(d, v);
  narrow3(v, c.visible);
  double round_polar = roll(d, 0.1, 2.8), first = roll(d, 0, 7);
  for (int i = 0; i < count; i++) {
    double jitter = count > 3 ? roll(d, -0.35, 0.35) : roll(d, -0.1, 0.1);
    double azimuth = first + 2 * CASE_PI * (i + jitter) / count;
    double polar = kind == CASE_ROUND     ? round_polar
                   : kind == CASE_CONCAVE ? roll(d, 0.05, 2.4)
                                          : roll(d, 1.7, 3.0);
    place(v, polar, azimuth, p);
    narrow3(p, c.points[i]);
  }
  return c;
}

/* the solid angle of the triangle a b c, signed */
static inline double triangle3(const double *a, const double *b, const double *c) {
  double n[3];
  cross3(a, b, n);
  return 2 * atan2(dot3(n, c), 1 + dot3(a, b) + dot3(b, c) + dot3(c, a));
}

/* Winding on the sphere: the triangles from `from` to every edge add up to the cone's area, minus 4
 * pi if the point opposite to `from` is inside. It does not use slices or V. */
static inline double fan(const sinew_cone *cone, const double *from) {
  double sum = 0;
  int n = sinew_cone_count(cone);
  for (int i = 0; i < n; i++) {
    float p[3], q[3];
    double a[3], b[3];
    sinew_cone_point(cone, i, p);
    sinew_cone_point(cone, (i + 1) % n, q);
    widen3(p, a), widen3(q, b), unit3(a, a), unit3(b, b);
    sum += triangle3(from, a, b);
  }
  return sum;
}
static inline bool oracle_inside(const sinew_cone *cone, double area, const double *l) {
  double opposite[3] = { -l[0], -l[1], -l[2] };
  return fan(cone, opposite) < area - 2 * CASE_PI;
}

/* the distance from l to the nearest point of the boundary */
static inline double boundary_distance(const sinew_cone *cone, const double *l) {
  double best = 10;
  int n = sinew_cone_count(cone);
  for (int i = 0; i < n; i++) {
    float pf[3], qf[3];
    double p[3], q[3], b[3], s[3];
    sinew_cone_point(cone, i, pf);
    sinew_cone_point(cone, (i + 1) % n, qf);
    widen3(pf, p), widen3(qf, q);
    cross3(p, q, b);
    unit3(b, b);
    /* beside the arc, the distance to its plane; else to the nearer end */
    cross3(b, p, s);
    double after_p = dot3(s, l);
    cross3(b, q, s);
    double before_q = -dot3(s, l), here = fabs(asin(fmax(-1, fmin(1, dot3(b, l)))));
    if (after_p < 0 || before_q < 0) here = fmin(angle3(l, p), angle3(l, q));
    best = fmin(best, here);
  }
  return best;
}

static inline sinew_cone *build_case(const cone_case *c, const float *rest) {
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])c->points;
  desc.count = c->count;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  memcpy(desc.visible, c->visible, sizeof desc.visible);
  memcpy(desc.rest, rest ? rest : c->visible, sizeof desc.rest);
  sinew_cone *cone = NULL;
  sinew_error error;
  if (!(cone = sinew_cone_create(&desc, &error))) printf("cone case: %s\n", error.text);
  return cone;
}

static inline sinew_cone *make_cone(dice *d, int kind, int count) {
  cone_case c = make_case(d, kind, count);
  sinew_cone *cone = build_case(&c, NULL);
  free(c.points);
  return cone;
}

/* a direction well inside the cone: between V and a point of the boundary */
static inline void roll_inside(dice *d, const sinew_cone *cone, float *dest) {
  int n = sinew_cone_count(cone), i = roll_int(d, n);
  float p[3], q[3], v[3];
  double l[3], t = roll(d, 0, 1);
  sinew_cone_point(cone, i, p);
  sinew_cone_point(cone, (i + 1) % n, q);
  sinew_cone_visible_point(cone, v);
  /* along the great circle from V, which may be longer than 90 degrees */
  double a[3], b[3], on[3], side[3], away = roll(d, 0.01, 0.97);
  for (int k = 0; k < 3; k++) a[k] = (double)p[k] + t * ((double)q[k] - (double)p[k]);
  unit3(a, a);
  widen3(v, b);
  double polar = angle3(a, b) * away;
  cross3(b, a, side);
  unit3(side, side);
  cross3(side, b, on);
  for (int k = 0; k < 3; k++) l[k] = cos(polar) * b[k] + sin(polar) * on[k];
  narrow3(l, dest);
}

#endif
