/* Polygons into triangles: a fan where the polygon is convex, else by cutting ears, in the plane
 * along which it has the largest area (Newell's normal). A polygon without a proper ear (it crosses
 * itself, or is not flat) still gets count - 2 triangles with the same outline. */
#include <math.h>

#include "base/budget_internal.h"
#include "shape/surface_internal.h"

typedef struct flat {
  double x, y;
} flat;

static double turn(flat a, flat b, flat c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* the two axes that show the polygon from its front */
static void view(const float *vertices, const uint32_t *corners, uint32_t count, int *u, int *v) {
  double normal[3] = { 0, 0, 0 };
  for (uint32_t i = 0; i < count; i++) {
    const float *a = vertices + 3 * (size_t)corners[i];
    const float *b = vertices + 3 * (size_t)corners[(i + 1) % count];
    for (int k = 0; k < 3; k++) {
      int j = (k + 1) % 3, l = (k + 2) % 3;
      normal[k] += ((double)a[j] - (double)b[j]) * ((double)a[l] + (double)b[l]);
    }
  }
  int most = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(normal[k]) > fabs(normal[most])) most = k;
  *u = (most + 1) % 3, *v = (most + 2) % 3;
  if (normal[most] < 0) {
    int t = *u;
    *u = *v;
    *v = t;
  }
}

static flat corner(const float *vertices, uint32_t index, int u, int v) {
  return (flat){ (double)vertices[3 * (size_t)index + (size_t)u],
                 (double)vertices[3 * (size_t)index + (size_t)v] };
}

static bool is_ear(const flat *points, const uint32_t *ring, uint32_t left, uint32_t at) {
  flat a = points[ring[(at + left - 1) % left]], b = points[ring[at]],
       c = points[ring[(at + 1) % left]];
  if (!(turn(a, b, c) > 0)) return false;
  for (uint32_t i = 0; i + 3 < left; i++) {
    flat p = points[ring[(at + 2 + i) % left]];
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

static void cut_ears(const flat *points, uint32_t count, uint32_t *dest) {
  uint32_t ring[SI_POLYGON_LIMIT], left = count, at = 0;
  for (uint32_t i = 0; i < count; i++) ring[i] = i;
  while (left > 3) {
    uint32_t tried = 0;
    while (tried < left && si_work(left) && !is_ear(points, ring, left, at)) {
      at = (at + 1) % left;
      tried++;
    }
    *dest++ = ring[(at + left - 1) % left];
    *dest++ = ring[at];
    *dest++ = ring[(at + 1) % left];
    left--;
    for (uint32_t i = at; i < left; i++) ring[i] = ring[i + 1];
    at %= left;
  }
  for (uint32_t i = 0; i < 3; i++) *dest++ = ring[i];
}

bool si_polygon_cut(const float *vertices, const uint32_t *corners, uint32_t count,
                    uint32_t *dest) {
  int u, v;
  bool convex = true;
  view(vertices, corners, count, &u, &v);
  for (uint32_t i = 0; i < count && count > 3; i++)
    convex &=
        turn(corner(vertices, corners[i], u, v), corner(vertices, corners[(i + 1) % count], u, v),
             corner(vertices, corners[(i + 2) % count], u, v)) >= 0;
  if (convex) {
    for (uint32_t i = 0; i + 2 < count; i++) {
      *dest++ = 0;
      *dest++ = i + 1;
      *dest++ = i + 2;
    }
    return true;
  }
  if (count > SI_POLYGON_LIMIT) return false;
  flat points[SI_POLYGON_LIMIT];
  for (uint32_t i = 0; i < count; i++) points[i] = corner(vertices, corners[i], u, v);
  cut_ears(points, count, dest);
  return true;
}
