/* The distance field of a recipe: primitives, smooth minima, and which primitives matter near a
 * point.
 *
 * A part's distance is the smooth minimum of its elements, an element's the minimum of its
 * primitives. The smooth minimum of two values that differ by k or more is their minimum, so far
 * away from a point most primitives change nothing, and leaving them out gives the same bits. */
#include "shape/solid_internal.h"

#include <math.h>
#include <string.h>

static const float far_away = 1e9f;

static float dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static float lesser(float a, float b) { return a < b ? a : b; }

static float clamp01(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static float smooth_min(float a, float b, float k) {
  float least = lesser(a, b);
  float h = k - fabsf(a - b);
  return h > 0 ? least - h * h / (4 * k) : least;
}

/* The convex hull of two balls, exactly; b is relative to a. After I. Quilez, "Round cone". */
static float round_cone(const si_prim *s, const float p[3]) {
  float l2 = dot(s->b, s->b), rr = s->ra - s->rb, a2 = l2 - rr * rr, il2 = s->inverse;
  float y = dot(p, s->b), z = y - l2, w[3];
  for (int k = 0; k < 3; k++) w[k] = p[k] * l2 - s->b[k] * y;
  float x2 = dot(w, w), y2 = y * y * l2, z2 = z * z * l2, edge = copysignf(rr * rr * x2, rr);
  if (copysignf(a2 * z2, z) > edge) return sqrtf(x2 + z2) * il2 - s->rb;
  if (copysignf(a2 * y2, y) < edge) return sqrtf(x2 + y2) * il2 - s->ra;
  return (sqrtf(x2 * a2 * il2) + y * rr) * il2 - s->ra;
}

static float line(const si_prim *s, const float p[3]) {
  float t = clamp01(dot(p, s->b) * s->inverse), w[3];
  for (int k = 0; k < 3; k++) w[k] = p[k] - t * s->b[k];
  float square = dot(w, w);
  if (s->kind == SI_PRIM_FLAT) {
    float along = dot(w, s->c), whole = along * along;
    square += whole / (s->flat * s->flat) - whole;
  }
  return sqrtf(square > 0 ? square : 0) - (s->ra + t * (s->rb - s->ra));
}

/* The nearest point of a triangle (C. Ericson, Real-Time Collision Detection, 5.1.5): weights of b
 * and c, which are relative to a. */
static void nearest_on_triangle(const float *b, const float *c, const float p[3], float *u,
                                float *v) {
  float d1 = dot(b, p), d2 = dot(c, p);
  *u = *v = 0;
  if (d1 <= 0 && d2 <= 0) return;
  float bp[3] = { p[0] - b[0], p[1] - b[1], p[2] - b[2] }, d3 = dot(b, bp), d4 = dot(c, bp);
  if (d3 >= 0 && d4 <= d3) {
    *u = 1;
    return;
  }
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    *u = d1 / (d1 - d3);
    return;
  }
  float cp[3] = { p[0] - c[0], p[1] - c[1], p[2] - c[2] }, d5 = dot(b, cp), d6 = dot(c, cp);
  if (d6 >= 0 && d5 <= d6) {
    *v = 1;
    return;
  }
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    *v = d2 / (d2 - d6);
    return;
  }
  float va = d3 * d6 - d5 * d4, ahead = d4 - d3, back = d5 - d6;
  if (va <= 0 && ahead >= 0 && back >= 0) {
    *v = ahead / (ahead + back);
    *u = 1 - *v;
    return;
  }
  float all = va + vb + vc;
  *u = vb / all;
  *v = vc / all;
}

static float wedge(const si_prim *s, const float p[3]) {
  float u, v, w[3];
  nearest_on_triangle(s->b, s->c, p, &u, &v);
  for (int k = 0; k < 3; k++) w[k] = p[k] - u * s->b[k] - v * s->c[k];
  return sqrtf(dot(w, w)) - (s->ra + u * (s->rb - s->ra) + v * (s->rc - s->ra));
}

/* k0 (k0 - 1) / k1 with k0 = |p / r|, k1 = |p / r^2|: the first-order distance to an ellipsoid */
static float ellipsoid(const float *q, const float *radii, int axes, float inside) {
  float k0 = 0, k1 = 0;
  for (int i = 0; i < axes; i++) {
    float a = q[i] / radii[i], b = a / radii[i];
    k0 += a * a;
    k1 += b * b;
  }
  if (!(k1 > 0)) return -inside;
  k0 = sqrtf(k0);
  return k0 * (k0 - 1) / sqrtf(k1);
}

/* an elliptic cylinder along y with a waist; side and lids meet in a rounded rim */
static float drum(const float *q, const float *radii) {
  float high = radii[1], y = q[1] / high, waist = y * y < 1 ? 1 - 0.13f * (1 - y * y) : 1;
  float flat[2] = { q[0], q[2] }, wide[2] = { radii[0] * waist, radii[2] * waist };
  float side = ellipsoid(flat, wide, 2, wide[0] < wide[1] ? wide[0] : wide[1]);
  return -smooth_min(-side, high - fabsf(q[1]), 0.35f * high);
}

static float distance_to(const si_prim *s, const float point[3]) {
  float p[3] = { point[0] - s->a[0], point[1] - s->a[1], point[2] - s->a[2] };
  switch ((si_prim_kind)s->kind) {
  case SI_PRIM_BALL: return sqrtf(dot(p, p)) - s->ra;
  case SI_PRIM_CONE: return round_cone(s, p);
  case SI_PRIM_LINE:
  case SI_PRIM_FLAT: return line(s, p);
  case SI_PRIM_WEDGE: return wedge(s, p);
  case SI_PRIM_ELLIPSOID:
  case SI_PRIM_DRUM: break;
  }
  float q[3] = { dot(s->m, p), dot(s->m + 3, p), dot(s->m + 6, p) };
  return s->kind == SI_PRIM_DRUM ? drum(q, s->b) : ellipsoid(q, s->b, 3, s->ra);
}

/* whether a primitive is certainly farther away than this */
static bool is_beyond(const si_prim *s, const float p[3], float distance) {
  float bound = distance + s->size;
  float way[3] = { p[0] - s->middle[0], p[1] - s->middle[1], p[2] - s->middle[2] };
  return bound > 0 && dot(way, way) > bound * bound;
}

static void fold(const si_recipe *r, const float point[3], float dest[3]) {
  dest[0] = r->mirror ? -sqrtf(point[0] * point[0] + r->fold * r->fold) : point[0];
  dest[1] = point[1];
  dest[2] = point[2];
}

static float combine(const sinew_solid_part *part, float f, float d) {
  return part->cut ? -smooth_min(-f, d, part->blend) : smooth_min(f, d, part->blend);
}

float si_recipe_distance_of(const si_recipe *r, const uint16_t *list, int count,
                            const float point[3]) {
  float p[3], f = far_away;
  fold(r, point, p);
  for (int i = 0; i < count;) {
    const si_prim *s = &r->prims[list ? list[i] : i];
    const int part = s->part;
    float d = far_away;
    while (i < count && s->part == part) {
      const int element = s->element;
      float least = far_away;
      do {
        if (!is_beyond(s, p, least)) least = lesser(least, distance_to(s, p));
        if (++i < count) s = &r->prims[list ? list[i] : i];
      } while (i < count && s->element == element);
      d = smooth_min(d, least, r->parts[part].inner);
    }
    f = combine(&r->parts[part], f, d);
  }
  return f;
}

float si_recipe_distance(const si_recipe *recipe, const float point[3]) {
  return si_recipe_distance_of(recipe, NULL, recipe->prim_count, point);
}

/* --- near a point */

typedef struct interval {
  float low, high;
} interval;

static interval union_min(interval a, interval b) {
  return (interval){ lesser(a.low, b.low), lesser(a.high, b.high) };
}

/* the smooth minimum rises with both of its arguments */
static interval smooth_both(interval a, interval b, float k) {
  return (interval){ smooth_min(a.low, b.low, k), smooth_min(a.high, b.high, k) };
}

static interval combine_both(const sinew_solid_part *part, interval f, interval d) {
  /* cutting deeper raises the field */
  if (part->cut) return (interval){ combine(part, f.low, d.high), combine(part, f.high, d.low) };
  return smooth_both(f, d, part->blend);
}

typedef struct narrowing {
  const si_recipe *recipe;
  const uint16_t *list; /* NULL: all */
  int count;
  interval *values; /* of each in the list */
  uint16_t *dest;
  int kept;
} narrowing;

static const si_prim *prim_at(const narrowing *n, int i) {
  return &n->recipe->prims[n->list ? n->list[i] : i];
}

/* the end of the element that starts at `from`, and its value */
static int element_at(const narrowing *n, int from, interval *value) {
  const int element = prim_at(n, from)->element;
  int end = from;
  *value = (interval){ far_away, far_away };
  for (; end < n->count && prim_at(n, end)->element == element; end++)
    *value = union_min(*value, n->values[end]);
  return end;
}

/* Keeps what matters of the part that starts at `from`, and returns its end. An element matters
 * unless it is more than 2 k above the least one: then neither it nor its blend with a third one
 * reaches the minimum. */
static int narrow_part(narrowing *n, int from, interval *value) {
  const int part = prim_at(n, from)->part;
  const float k = n->recipe->parts[part].inner;
  int end = from;
  float least = far_away;
  *value = (interval){ far_away, far_away };
  while (end < n->count && prim_at(n, end)->part == part) {
    interval element;
    end = element_at(n, end, &element);
    least = lesser(least, element.high);
    *value = smooth_both(*value, element, k);
  }
  for (int at = from; at < end;) {
    interval element;
    int next = element_at(n, at, &element);
    if (element.low <= least + 2 * k)
      for (int i = at; i < next; i++)
        if (n->values[i].low <= element.high)
          n->dest[n->kept++] = n->list ? n->list[i] : (uint16_t)i;
    at = next;
  }
  return end;
}

/* Interval arithmetic: within `reach` a primitive's distance changes by at most steep * reach. */
int si_recipe_narrow(const si_recipe *r, const uint16_t *list, int count, const float point[3],
                     float reach, uint16_t *dest, float bounds[2]) {
  interval values[SI_SOLID_PRIMS], f = { far_away, far_away };
  narrowing n = { r, list, count, values, dest, 0 };
  float p[3];
  fold(r, point, p);
  int element = -1;
  float least = far_away; /* what the element is at most, so far */
  for (int i = 0; i < count; i++) {
    const si_prim *s = prim_at(&n, i);
    const float change = s->steep * reach;
    if (s->element != element) {
      element = s->element;
      least = far_away;
    }
    values[i] = (interval){ far_away, far_away };
    if (is_beyond(s, p, least + change)) continue;
    float d = distance_to(s, p);
    values[i] = (interval){ d - change, d + change };
    least = lesser(least, d + change);
  }
  for (int i = 0; i < count;) {
    const sinew_solid_part *part = &r->parts[prim_at(&n, i)->part];
    const int before = n.kept;
    interval d;
    i = narrow_part(&n, i, &d);
    if (part->cut ? d.low + f.low > part->blend : d.low - f.high > part->blend) {
      n.kept = before; /* the part changes nothing here */
      continue;
    }
    if (!part->cut && f.low - d.high > part->blend) { /* nothing before it matters */
      n.kept -= before;
      memmove(dest, dest + before, (size_t)n.kept * sizeof *dest);
    }
    f = combine_both(part, f, d);
  }
  bounds[0] = f.low;
  bounds[1] = f.high;
  return n.kept;
}
