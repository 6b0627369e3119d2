/* Builds triangle meshes; see mesh_make.h. */
#include "lua/shape/mesh_make.h"

#include "base/budget_internal.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

bool si_loft_join(int rings, int sides, uint32_t *triangles) {
  uint32_t around = (uint32_t)sides, first = (uint32_t)rings * around;
  uint32_t end_ring = first - around, *t = triangles;
  for (uint32_t k = 0; k < around; k++) {
    uint32_t next = k + 1 < around ? k + 1 : 0;
    if (!si_work(1 + (size_t)rings / 2)) return false;
    *t++ = first;
    *t++ = next;
    *t++ = k;
    *t++ = first + 1;
    *t++ = end_ring + k;
    *t++ = end_ring + next;
    for (uint32_t base = 0; base < end_ring; base += around) {
      uint32_t a = base + k, c = base + around + next;
      *t++ = a;
      *t++ = base + next;
      *t++ = c;
      *t++ = a;
      *t++ = c;
      *t++ = base + around + k;
    }
  }
  return true;
}

bool si_ball_make(const double centre[3], const double radii[3], int sides, double rings,
                  si_mesh *dest) {
  double *v = dest->vertices;
  int count = (int)rings;
  for (int r = 1; r <= count; r++) {
    double polar = pi * r / (rings + 1), wide = sin(polar), high = cos(polar);
    if (!si_work(1 + 2 * (size_t)sides)) return false;
    for (int k = 1; k <= sides; k++, v += 3) {
      double angle = 2 * pi * k / sides;
      v[0] = centre[0] + radii[0] * (wide * cos(angle));
      v[1] = centre[1] + radii[1] * high;
      v[2] = centre[2] + radii[2] * (wide * sin(angle));
    }
  }
  for (int pole = 1; pole >= -1; pole -= 2, v += 3) {
    v[0] = centre[0];
    v[1] = centre[1] + radii[1] * pole;
    v[2] = centre[2];
  }
  return si_loft_join(count, sides, dest->triangles);
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* normalizes v and returns its length; 0 for a zero vector */
static double unit(const double v[3], double dest[3]) {
  double length = sqrt(dot(v, v));
  bool none = length < 1e-12;
  for (int k = 0; k < 3; k++) dest[k] = none ? 0 : v[k] / length;
  return none ? 0 : length;
}

/* a direction perpendicular to the unit vector `along`: `up` as far as possible */
static void across(const double along[3], const double up[3], double dest[3]) {
  static const double x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 };
  const double *tries[2] = { up, fabs(along[0]) < 0.9 ? x : y };
  for (int i = 0; i < 2; i++) {
    double part = dot(tries[i], along), rest[3];
    for (int k = 0; k < 3; k++) rest[k] = tries[i][k] - part * along[k];
    if (unit(rest, dest) > 1e-3) return;
  }
}

int si_tube_rings(const si_tube *tube) { return tube->count + (tube->cap > 0 ? 2 : 0); }

typedef struct frame { /* a cross-section of a tube */
  const double *at;
  double along[3], up[3];
} frame;

static double *add_ring(double *v, const si_tube *tube, const frame *f, const double size[2],
                        double scale, double shift) {
  const double *d = f->along, *u = f->up;
  double side[3] = { d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2],
                     d[0] * u[1] - d[1] * u[0] };
  for (int i = 1; i <= tube->sides; i++, v += 3) {
    double angle = 2 * pi * i / tube->sides;
    double a = size[0] * scale * cos(angle), b = size[1] * scale * sin(angle);
    for (int k = 0; k < 3; k++) v[k] = f->at[k] + a * u[k] + b * side[k] + shift * d[k];
  }
  return v;
}

bool si_tube_make(const si_tube *tube, si_mesh *dest) {
  int last = tube->count - 1, rings = si_tube_rings(tube);
  double *v = dest->vertices, *tip = v + 3 * (size_t)rings * (size_t)tube->sides;
  frame f;
  memcpy(f.up, tube->up, sizeof f.up);
  for (int i = 0; i <= last; i++) {
    const double *before = tube->path + 3 * (i > 0 ? i - 1 : 0);
    const double *after = tube->path + 3 * (i < last ? i + 1 : last);
    const double *size = tube->sizes + 2 * i;
    double way[3], up[3];
    if (!si_work(10 + 2 * (size_t)tube->sides)) return false;
    for (int k = 0; k < 3; k++) way[k] = after[k] - before[k];
    unit(way, f.along);
    /* carried along the path, so that the tube does not twist */
    across(f.along, f.up, up);
    memcpy(f.up, up, sizeof up);
    f.at = tube->path + 3 * i;
    double reach = (i == 0 ? -1 : 1) * (tube->cap * (size[0] < size[1] ? size[0] : size[1]));
    if (i == last) v = add_ring(v, tube, &f, size, 1, 0);
    if (i == 0 || i == last) {
      for (int k = 0; k < 3; k++) tip[k] = f.at[k] + reach * f.along[k];
      tip += 3;
      if (tube->cap > 0) v = add_ring(v, tube, &f, size, 0.75, reach * 0.66);
    }
    if (i < last) v = add_ring(v, tube, &f, size, 1, 0);
  }
  return si_loft_join(rings, tube->sides, dest->triangles);
}

static double between(double a, double b, double c, double d, double t) {
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t +
                (3 * b - a - 3 * c + d) * t * t * t);
}

bool si_smooth_path(const double *points, int count, int steps, double *dest) {
  for (int i = 0; i + 1 < count; i++) {
    if (!si_work(1 + (size_t)steps)) return false;
    const double *b = points + 3 * i, *c = b + 3;
    const double *a = i > 0 ? b - 3 : b, *d = i + 2 < count ? c + 3 : c;
    for (int s = 0; s < steps; s++, dest += 3)
      for (int k = 0; k < 3; k++) dest[k] = between(a[k], b[k], c[k], d[k], (double)s / steps);
  }
  memcpy(dest, points + 3 * (count - 1), 3 * sizeof *dest);
  return true;
}

bool si_mesh_normals(const si_mesh *mesh, double *dest) {
  memset(dest, 0, 3 * (size_t)mesh->vertex_count * sizeof *dest);
  for (int t = 0; t < mesh->triangle_count; t++) {
    if (t % 1024 == 0 && !si_work(2048)) return false;
    const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
    const double *p[3];
    for (int i = 0; i < 3; i++) p[i] = mesh->vertices + 3 * (size_t)corner[i];
    double b[3], c[3];
    for (int k = 0; k < 3; k++) {
      b[k] = p[1][k] - p[0][k];
      c[k] = p[2][k] - p[0][k];
    }
    double cross[3] = { b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                        b[0] * c[1] - b[1] * c[0] };
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) dest[3 * (size_t)corner[i] + (size_t)k] += cross[k];
  }
  for (int i = 0; i < mesh->vertex_count; i++) {
    if (i % 1024 == 0 && !si_work(1024)) return false;
    double *n = dest + 3 * (size_t)i, length = sqrt(dot(n, n));
    bool none = !(length >= 1e-12);
    for (int k = 0; k < 3; k++) n[k] = none ? k == 1 : n[k] / length;
  }
  return true;
}
