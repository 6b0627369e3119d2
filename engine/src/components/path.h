/* Evaluates paths (model/path.h): the frame of one segment seen from another, and points in it.
 * Driven matrices on the way up are inverted by transposing, so they must be rigid. */
#ifndef SI_COMPONENT_PATH_H
#define SI_COMPONENT_PATH_H

#include "math/rate.h"
#include "model/path.h"

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "components/kernels/path.h"

#include "math/kernels/end.h"

static inline si_frame si_frame_inverse(si_frame f) {
  const si_v4 none = si_all(0);
  si_v4 rows[4];
  si_transpose_four(f.x, f.y, f.z, none, rows);
  si_frame back = { rows[0], rows[1], rows[2], { 0, 0, 0, 1 } };
  back.t -= si_frame_direction(back, f.t);
  return back;
}

/* the factor of input n: the driven matrix or its inverse */
static inline si_frame si_path_factor(const si_path *path, uint32_t n, const float *d) {
  return n < path->up ? si_frame_inverse(si_frame_load(d)) : si_frame_load(d);
}

/* the product of the links and driven matrices from link `from` up to, but without, link `to`; the
 * driven matrix n stands between the links n and n + 1 */
static inline si_frame si_path_product(const si_path *path, const si_link *links,
                                       const sinew_node *node, const float *values, uint32_t from,
                                       uint32_t to) {
  si_frame f = si_frame_load(links[from].m);
  for (uint32_t i = from; i < to; i++) {
    f = si_frame_mul(f, si_path_factor(path, i, sinew_node_in(node, values, path->first + i)));
    if (links[i + 1].moves) f = si_frame_mul(f, si_frame_load(links[i + 1].m));
  }
  return f;
}
static inline si_frame si_path_frame(const si_path *path, const si_link *links,
                                     const sinew_node *node, const float *values) {
  return si_path_product(path, links, node, values, 0, path->count);
}

/* a point or direction, given in the frame of the path's end, as seen from its base */
static inline si_v4 si_frame_map(si_frame f, bool point, si_v4 v) {
  return point ? si_frame_point(f, v) : si_frame_direction(f, v);
}
static inline void si_path_map_one(const si_path *path, const si_link *links,
                                   const sinew_node *node, const float *values, bool point,
                                   float v[3]) {
  si_v4 p = { v[0], v[1], v[2], 0 }, rows[4];
  if (links[path->count].moves) p = si_frame_map(si_frame_load(links[path->count].m), point, p);
  for (uint32_t i = path->count; i-- > 0;) {
    si_frame d = si_frame_load(sinew_node_in(node, values, path->first + i));
    if (i < path->up) {
      si_transpose_four(d.x, d.y, d.z, si_all(0), rows);
      if (point) p -= d.t;
      p = si_frame_direction((si_frame){ rows[0], rows[1], rows[2], rows[3] }, p);
    } else {
      p = si_frame_map(d, point, p);
    }
    if (links[i].moves) p = si_frame_map(si_frame_load(links[i].m), point, p);
  }
  v[0] = p[0], v[1] = p[1], v[2] = p[2];
}

/* Derivatives. The factor of input n is its driven matrix D or the inverse of it: this is the
 * derivative of that factor by a direction in which D has the derivative `rate`. */
static inline void si_path_factor_rate(const si_path *path, uint32_t n, const float *d,
                                       const float *rate, float *dest) {
  si_mat_copy(rate, dest);
  if (n >= path->up) return;
  for (int i = 0; i < 3; i++) {
    float moved = 0;
    for (int k = 0; k < 3; k++) {
      dest[4 * k + i] = rate[4 * i + k];
      moved += rate[4 * i + k] * d[12 + k] + d[4 * i + k] * rate[12 + k];
    }
    dest[12 + i] = -moved;
  }
}

/* A point or direction that a component reads: given in the frame of a path's end, seen from its
 * base. */
typedef struct si_sight {
  const si_path *path;
  const si_link *links;
  uint32_t input; /* the vector input that gives it, or UINT32_MAX: it is constant */
  bool point;
  float given[3];
} si_sight;

/* How an input moves what is seen: by `turn` times the derivative of the vector input, or of the
 * factor of the path's input `n` at the point `at`. */
typedef struct si_sight_slope {
  si_frame turn;
  si_v4 at;
  uint32_t n; /* UINT32_MAX: the vector input itself */
} si_sight_slope;

/* false if the input does not move it */
static inline bool si_sight_by(const si_sight *s, const sinew_node *node, const float *values,
                               uint32_t input, si_sight_slope *dest) {
  const si_path *path = s->path;
  if (input == s->input) {
    dest->turn = si_path_frame(path, s->links, node, values);
    dest->n = UINT32_MAX;
    return true;
  }
  if (input < path->first || input >= path->first + path->count) return false;
  dest->n = input - path->first;
  dest->turn = si_path_product(path, s->links, node, values, 0, dest->n);
  si_frame after = si_path_product(path, s->links, node, values, dest->n + 1, path->count);
  si_v4 given = { s->given[0], s->given[1], s->given[2], 0 };
  dest->at = si_frame_direction(after, given);
  if (s->point) dest->at += after.t;
  return true;
}

/* the velocity of what is seen, from the derivative of that input */
static inline void si_sight_rate(const si_sight *s, const si_sight_slope *slope,
                                 const sinew_node *node, const float *values, const float *rate,
                                 double *dest) {
  CGLM_ALIGN_MAT float factor[16];
  si_v4 moved = { 0 };
  if (slope->n == UINT32_MAX) {
    for (int i = 0; i < 3; i++) moved[i] = rate[i];
  } else {
    const float *d = sinew_node_in(node, values, s->path->first + slope->n);
    si_path_factor_rate(s->path, slope->n, d, rate, factor);
    moved = si_frame_direction(si_frame_load(factor), slope->at);
    if (s->point) moved += si_load(factor + 12);
  }
  moved = si_frame_direction(slope->turn, moved);
  for (int i = 0; i < 3; i++) dest[i] = (double)moved[i];
}

/* floats of an input's derivative, of a vector or a matrix */
static inline size_t si_sight_floats(const si_sight_slope *slope) {
  return slope->n == UINT32_MAX ? 4 : 16;
}

#endif
