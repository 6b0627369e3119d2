/* Queries of a field: the interpolated distance with its gradient, and the projection onto the
 * feasible region [Engell 2012, 3.5, eq. 5 to 7], in constant time.
 *
 * The projection takes at most two steps of Phi grad / |grad|^2, with the gradient of equation (6):
 * central differences at the nodes, interpolated. Unlike the gradient of the interpolated distance,
 * it does not jump between cells. It is shorter than 1, and the division corrects that. If the
 * steps do not end in the region, or the gradient is so short that the point is on a medial axis,
 * the projection goes to the nearest feasible point stored at the node. Both aim at Phi = 0, deep
 * inside the region Phi <= epsilon. A few steps of false position then find where the path became
 * feasible, so that a point that just leaves the region does not jump.
 *
 * The derivative of the projection follows the same steps, with the derivative of each number
 * beside it (forward mode). So it is the derivative of the computed result, not of an ideal
 * boundary. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "limits/field_internal.h"

/* a point on one axis: offsets of the two nodes around it, and its position between them */
typedef struct slot {
  uint32_t a, b;
  float t;
} slot;

static inline slot locate(const si_grid *grid, int axis, float angle) {
  const int n = grid->resolution[axis];
  const uint32_t stride = grid->stride[axis];
  float u = (angle - grid->min[axis]) * grid->scale[axis];
  /* comparisons are written so that a NaN ends at node 0 */
  if (!grid->wrap[axis]) {
    const float last = (float)(n - 1);
    u = u > 0 ? (u < last ? u : last) : 0;
    int i = (int)u;
    if (i > n - 2) i = n - 2;
    return (slot){ (uint32_t)i * stride, (uint32_t)(i + 1) * stride, u - (float)i };
  }
  const float turn = (float)n;
  if (!(u >= 0 && u < turn)) u -= turn * floorf(u / turn);
  if (!(u >= 0 && u < turn)) u = 0;
  int i = (int)u;
  return (slot){ (uint32_t)i * stride, i + 1 < n ? (uint32_t)(i + 1) * stride : 0, u - (float)i };
}

static inline float mix(float a, float b, float t) { return a + t * (b - a); }

static float lookup_1(const sinew_field *field, const float *angles, float *gradient) {
  slot x = locate(&field->grid, 0, angles[0]);
  float a = field->phi[x.a], b = field->phi[x.b];
  if (gradient) gradient[0] = (b - a) * field->grid.scale[0];
  return mix(a, b, x.t);
}

static float lookup_2(const sinew_field *field, const float *angles, float *gradient) {
  const si_grid *grid = &field->grid;
  slot x = locate(grid, 0, angles[0]), y = locate(grid, 1, angles[1]);
  const float *low = field->phi + y.a, *high = field->phi + y.b;
  float dl = low[x.b] - low[x.a], dh = high[x.b] - high[x.a];
  float l = low[x.a] + x.t * dl, h = high[x.a] + x.t * dh;
  if (gradient) {
    gradient[0] = mix(dl, dh, y.t) * grid->scale[0];
    gradient[1] = (h - l) * grid->scale[1];
  }
  return mix(l, h, y.t);
}

static float lookup_3(const sinew_field *field, const float *angles, float *gradient) {
  const si_grid *grid = &field->grid;
  slot x = locate(grid, 0, angles[0]), y = locate(grid, 1, angles[1]),
       z = locate(grid, 2, angles[2]);
  const float *r00 = field->phi + (y.a + z.a), *r10 = field->phi + (y.b + z.a);
  const float *r01 = field->phi + (y.a + z.b), *r11 = field->phi + (y.b + z.b);
  float d00 = r00[x.b] - r00[x.a], d10 = r10[x.b] - r10[x.a];
  float d01 = r01[x.b] - r01[x.a], d11 = r11[x.b] - r11[x.a];
  float v00 = r00[x.a] + x.t * d00, v10 = r10[x.a] + x.t * d10;
  float v01 = r01[x.a] + x.t * d01, v11 = r11[x.a] + x.t * d11;
  float dy0 = v10 - v00, dy1 = v11 - v01;
  float v0 = v00 + y.t * dy0, v1 = v01 + y.t * dy1;
  if (gradient) {
    gradient[0] = mix(mix(d00, d10, y.t), mix(d01, d11, y.t), z.t) * grid->scale[0];
    gradient[1] = mix(dy0, dy1, z.t) * grid->scale[1];
    gradient[2] = (v1 - v0) * grid->scale[2];
  }
  return mix(v0, v1, z.t);
}

static float lookup_n(const sinew_field *field, const float *angles, float *gradient) {
  const si_grid *grid = &field->grid;
  const int n = grid->axis_count;
  float values[1 << SI_AXES], slopes[SI_AXES][1 << (SI_AXES - 1)];
  slot slots[SI_AXES];
  for (int i = 0; i < n; i++) slots[i] = locate(grid, i, angles[i]);
  for (unsigned corner = 0; corner < 1u << n; corner++) {
    uint32_t node = 0;
    for (int i = 0; i < n; i++) node += corner >> i & 1 ? slots[i].b : slots[i].a;
    values[corner] = field->phi[node];
  }
  /* interpolates along one axis after the other; the slopes computed so far are interpolated too */
  for (int i = 0; i < n; i++) {
    const float t = slots[i].t;
    for (int k = 0; k < 1 << (n - 1 - i); k++) {
      slopes[i][k] = values[2 * k + 1] - values[2 * k];
      values[k] = mix(values[2 * k], values[2 * k + 1], t);
      for (int j = 0; j < i; j++) slopes[j][k] = mix(slopes[j][2 * k], slopes[j][2 * k + 1], t);
    }
  }
  if (gradient)
    for (int i = 0; i < n; i++) gradient[i] = slopes[i][0] * grid->scale[i];
  return values[0];
}

float sinew_field_lookup(const sinew_field *field, const float *angles, float *gradient) {
  if (!SI_EXPECT(field && angles)) return 0;
  switch (field->grid.axis_count) {
  case 1: return lookup_1(field, angles, gradient);
  case 2: return lookup_2(field, angles, gradient);
  case 3: return lookup_3(field, angles, gradient);
  default: return lookup_n(field, angles, gradient);
  }
}

/* the two nodes of a slot with their neighbours, weights, and the inverse width of the
 * difference */
typedef struct reach {
  uint32_t node[2], before[2], after[2];
  float weight[2], scale[2];
} reach;

static reach reach_from(const si_grid *grid, int axis, float angle) {
  slot s = locate(grid, axis, angle);
  reach r = { .node = { s.a, s.b }, .weight = { 1 - s.t, s.t } };
  const uint32_t stride = grid->stride[axis], end = (uint32_t)(grid->resolution[axis] - 1) * stride;
  for (int i = 0; i < 2; i++) {
    bool first = r.node[i] == 0, last = r.node[i] == end;
    const uint32_t under = grid->wrap[axis] ? end : 0, over = grid->wrap[axis] ? 0 : end;
    r.before[i] = first ? under : r.node[i] - stride;
    r.after[i] = last ? over : r.node[i] + stride;
    r.scale[i] = grid->scale[axis] * (!grid->wrap[axis] && (first || last) ? 1.0f : 0.5f);
  }
  return r;
}

/* central differences at the corners of the cell (one-sided at the ends of a range), interpolated
 */
static inline void smooth_gradient(const sinew_field *field, const float *angles, float *dest,
                                   int n) {
  reach r[SI_AXES];
  for (int i = 0; i < n; i++) {
    r[i] = reach_from(&field->grid, i, angles[i]);
    dest[i] = 0;
  }
  for (unsigned corner = 0; corner < 1u << n; corner++) {
    uint32_t node = 0;
    float weight = 1;
    for (int i = 0; i < n; i++) {
      node += r[i].node[corner >> i & 1];
      weight *= r[i].weight[corner >> i & 1];
    }
    for (int i = 0; i < n; i++) {
      const int k = corner >> i & 1;
      const float *row = field->phi + (node - r[i].node[k]);
      dest[i] += weight * r[i].scale[k] * (row[r[i].after[k]] - row[r[i].before[k]]);
    }
  }
}

static void gradient_at(const sinew_field *field, const float *angles, float *dest) {
  switch (field->grid.axis_count) {
  case 1: smooth_gradient(field, angles, dest, 1); break;
  case 2: smooth_gradient(field, angles, dest, 2); break;
  case 3: smooth_gradient(field, angles, dest, 3); break;
  default: smooth_gradient(field, angles, dest, field->grid.axis_count); break;
  }
}

/* clamps to the range; an angle that wraps keeps its number of turns, unless it is too large to be
 * precise */
static void bring_in(const si_grid *grid, float *angles) {
  for (int i = 0; i < grid->axis_count; i++) {
    float was = angles[i], low = grid->min[i], high = grid->max[i];
    if (!grid->wrap[i]) {
      angles[i] = was > low ? (was < high ? was : high) : low;
    } else if (!(fabsf(was - low) <= 16 * grid->period[i])) {
      float wrapped = was - low - grid->period[i] * floorf((was - low) / grid->period[i]);
      angles[i] = low + (wrapped >= 0 && wrapped < grid->period[i] ? wrapped : 0);
    }
  }
}

bool sinew_field_feasible(const sinew_field *field, const float *angles) {
  if (!SI_EXPECT(field && angles)) return false;
  const si_grid *grid = &field->grid;
  for (int i = 0; i < grid->axis_count; i++)
    if (!grid->wrap[i] && !(angles[i] >= grid->min[i] && angles[i] <= grid->max[i])) return false;
  return sinew_field_lookup(field, angles, NULL) <= field->accept;
}

static const float *nearest_place(const sinew_field *field, const float *angles) {
  const si_grid *grid = &field->grid;
  uint32_t node = 0;
  for (int i = 0; i < grid->axis_count; i++) {
    slot s = locate(grid, i, angles[i]);
    node += s.t < 0.5f ? s.a : s.b;
  }
  return field->nearest + (size_t)node * (size_t)grid->axis_count;
}

/* moves `place` by whole periods to be nearest to `from` */
static void same_turn(const si_grid *grid, const float *from, float *place) {
  for (int i = 0; i < grid->axis_count; i++)
    if (grid->wrap[i] && fabsf(place[i] - from[i]) > 0.5f * grid->period[i])
      place[i] -= grid->period[i] * roundf((place[i] - from[i]) / grid->period[i]);
}

static float to_nearest(const sinew_field *field, const float *from, float *dest) {
  const float *place = nearest_place(field, from);
  const int n = field->grid.axis_count;
  for (int i = 0; i < n; i++) dest[i] = place[i];
  same_turn(&field->grid, from, dest);
  float phi = sinew_field_lookup(field, dest, NULL);
  if (phi <= field->accept) return phi;
  for (int i = 0; i < n; i++) dest[i] = place[i];
  return sinew_field_lookup(field, dest, NULL);
}

/* --- the projection, over floats, and over numbers with their derivatives by the given angles */

typedef struct float_place {
  float at[SI_AXES];
} float_place;

static inline float float_constant(float value) { return value; }
static inline float float_is(float a) { return a; }
static inline float float_plus(float a, float k, float b) { return a + k * b; }
static inline float float_times(float a, float b) { return a * b; }
static inline float float_over(float a, float b) { return a / b; }
static float float_lookup(const sinew_field *field, const float_place *p) {
  return sinew_field_lookup(field, p->at, NULL);
}
static void float_gradient(const sinew_field *field, const float_place *p, float *dest) {
  gradient_at(field, p->at, dest);
}
static void float_bring_in(const si_grid *grid, float_place *p) { bring_in(grid, p->at); }
static inline void float_subtract(float_place *p, int i, float step) { p->at[i] -= step; }
static float_place float_between(const float_place *a, const float_place *b, float t, int n) {
  float_place between = { { 0 } };
  for (int i = 0; i < n; i++) between.at[i] = mix(a->at[i], b->at[i], t);
  return between;
}
static float float_to_nearest(const sinew_field *field, const float_place *from,
                              float_place *dest) {
  return to_nearest(field, from->at, dest->at);
}

typedef struct dual {
  float is, by[SI_AXES];
} dual;

typedef struct dual_place {
  float at[SI_AXES], by[SI_AXES][SI_AXES];
} dual_place;

static dual dual_constant(float value) { return (dual){ .is = value }; }
static float dual_is(dual a) { return a.is; }
static dual dual_plus(dual a, float k, dual b) { /* a + k b */
  a.is += k * b.is;
  for (int i = 0; i < SI_AXES; i++) a.by[i] += k * b.by[i];
  return a;
}
static dual dual_times(dual a, dual b) {
  for (int i = 0; i < SI_AXES; i++) a.by[i] = a.by[i] * b.is + a.is * b.by[i];
  a.is *= b.is;
  return a;
}
static dual dual_over(dual a, dual b) {
  a.is /= b.is;
  for (int i = 0; i < SI_AXES; i++) a.by[i] = (a.by[i] - a.is * b.by[i]) / b.is;
  return a;
}

static dual dual_lookup(const sinew_field *field, const dual_place *place) {
  float gradient[SI_AXES];
  dual phi = { .is = sinew_field_lookup(field, place->at, gradient) };
  for (int i = 0; i < field->grid.axis_count; i++)
    for (int k = 0; k < SI_AXES; k++) phi.by[k] += gradient[i] * place->by[i][k];
  return phi;
}

/* smooth_gradient with its derivative: each corner's weight is a product over the axes */
static void dual_gradient(const sinew_field *field, const dual_place *place, dual *dest) {
  const si_grid *grid = &field->grid;
  const int n = grid->axis_count;
  reach r[SI_AXES];
  float bend[SI_AXES][SI_AXES] = { { 0 } }, gradient[SI_AXES];
  gradient_at(field, place->at, gradient);
  for (int i = 0; i < n; i++) r[i] = reach_from(grid, i, place->at[i]);
  for (unsigned corner = 0; corner < 1u << n; corner++) {
    uint32_t node = 0;
    for (int i = 0; i < n; i++) node += r[i].node[corner >> i & 1];
    for (int j = 0; j < n; j++) {
      float weight = corner >> j & 1 ? grid->scale[j] : -grid->scale[j];
      for (int i = 0; i < n; i++)
        if (i != j) weight *= r[i].weight[corner >> i & 1];
      for (int i = 0; i < n; i++) {
        const int k = corner >> i & 1;
        const float *row = field->phi + (node - r[i].node[k]);
        bend[i][j] += weight * r[i].scale[k] * (row[r[i].after[k]] - row[r[i].before[k]]);
      }
    }
  }
  for (int i = 0; i < n; i++) {
    dest[i] = dual_constant(gradient[i]);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < SI_AXES; k++) dest[i].by[k] += bend[i][j] * place->by[j][k];
  }
}

/* an angle that was clamped to its range does not move */
static void dual_bring_in(const si_grid *grid, dual_place *place) {
  for (int i = 0; i < grid->axis_count; i++)
    if (!grid->wrap[i] && (place->at[i] < grid->min[i] || place->at[i] > grid->max[i]))
      memset(place->by[i], 0, sizeof place->by[i]);
  bring_in(grid, place->at);
}

static void dual_subtract(dual_place *p, int i, dual step) {
  p->at[i] -= step.is;
  for (int k = 0; k < SI_AXES; k++) p->by[i][k] -= step.by[k];
}

static dual_place dual_between(const dual_place *a, const dual_place *b, dual t, int n) {
  dual_place between = { .at = { 0 } };
  for (int i = 0; i < n; i++) {
    between.at[i] = mix(a->at[i], b->at[i], t.is);
    for (int k = 0; k < SI_AXES; k++)
      between.by[i][k] = mix(a->by[i][k], b->by[i][k], t.is) + t.by[k] * (b->at[i] - a->at[i]);
  }
  return between;
}

/* the nearest feasible point is stored at a node, so it does not move with the angles */
static dual dual_to_nearest(const sinew_field *field, const dual_place *from, dual_place *dest) {
  memset(dest->by, 0, sizeof dest->by);
  return dual_constant(to_nearest(field, from->at, dest->at));
}

#define NUM      float
#define PLACE    float_place
#define OF(name) float_##name
#include "limits/kernels/field_project.h"
#undef NUM
#undef PLACE
#undef OF

#define NUM      dual
#define PLACE    dual_place
#define OF(name) dual_##name
#include "limits/kernels/field_project.h"
#undef NUM
#undef PLACE
#undef OF

float sinew_field_project(const sinew_field *field, const float *angles, float *dest) {
  if (!SI_EXPECT(field && angles && dest)) return 0;
  const si_grid *grid = &field->grid;
  const int n = grid->axis_count;
  float_place from = { { 0 } }, to;
  float moved = 0;
  double far = 0;
  for (int i = 0; i < n; i++) from.at[i] = angles[i];
  float_project(field, &from, &to);
  for (int i = 0; i < n; i++) {
    /* whole turns that were dropped from a huge angle do not count as distance */
    float d = to.at[i] - (grid->wrap[i] ? from.at[i] : angles[i]);
    moved += d * d;
    far += (double)d * (double)d;
    dest[i] = to.at[i];
  }
  /* from so far out that the square overflows a float, or from an angle that is not finite */
  return isfinite(moved) ? sqrtf(moved) : (float)fmin(sqrt(far), (double)FLT_MAX);
}

void si_field_distance_rate(const sinew_field *field, const float *angles, float *dest) {
  const si_grid *grid = &field->grid;
  sinew_field_lookup(field, angles, dest);
  for (int i = 0; i < grid->axis_count; i++)
    if (!grid->wrap[i] && (angles[i] < grid->min[i] || angles[i] > grid->max[i])) dest[i] = 0;
}

void si_field_project_rate(const sinew_field *field, const float *angles,
                           float dest[SI_AXES][SI_AXES]) {
  const si_grid *grid = &field->grid;
  dual_place from = { .at = { 0 } }, to;
  for (int i = 0; i < grid->axis_count; i++) {
    from.at[i] = angles[i];
    from.by[i][i] = 1;
  }
  dual_project(field, &from, &to);
  memcpy(dest, to.by, sizeof to.by);
}
