/* Components that make and multiply matrices, in lanes: rotation, translation, euler, multiply and
 * compensate. */
#ifndef SI_LANE_MATRIX_H
#define SI_LANE_MATRIX_H

#include "components/compensation.h"
#include "components/euler_axes.h"
#include "evaluate/lanes/lane_turn.h"

LANE_INLINE lanes lane_in(const sinew_node *node, const si_worker *w, uint32_t i) {
  return lane_load(w->values + (size_t)node->ports[i] * SI_WIDTH);
}
LANE_INLINE void lane_out(const sinew_node *node, si_worker *w, uint32_t i, lanes value) {
  lane_store(w->values + (size_t)node->ports[node->input_count + i] * SI_WIDTH, value);
}
LANE_INLINE void lane_out_frame(const sinew_node *node, si_worker *w, const lane_frame *f) {
  lane_frame_store(f, w->values, node->ports[node->input_count]);
}

LANE_INLINE void lane_frame_unit(lane_frame *dest) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) dest->m[c][r] = lane_all(c == r);
}

LANE_INLINE void lane_turned(const sinew_node *node, si_worker *w, const sinew_turn *h) {
  lanes sine, cosine;
  lanes angle = lane_rotation_angle(lane_in(node, w, 0), lane_all(h->low), lane_all(h->high));
  lane_frame f;
  lane_sincos_any(angle - h->rest, &sine, &cosine);
  lane_rotation_matrix(h, angle, cosine, sine, &f);
  lane_out_frame(node, w, &f);
}

static void lane_rotation(const sinew_node *node, si_worker *w) {
  lane_turned(node, w, node->data);
}

static void lane_translation(const sinew_node *node, si_worker *w) {
  lane_frame f;
  lane_frame_unit(&f);
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    const float *vector = w->values + (size_t)(node->ports[3] + i) * SI_WIDTH;
    f.m[3][i] = lane_in(node, w, i) + lane_load(vector);
  }
  lane_out_frame(node, w, &f);
}

static void lane_euler(const sinew_node *node, si_worker *w) {
  const si_euler_axes *order = node->data;
  lane_frame f;
  lane_frame_unit(&f);
  for (uint32_t i = 0; i < 3; i++) {
    lanes s, c, *a = f.m[(order->axis[i] + 1) % 3], *b = f.m[(order->axis[i] + 2) % 3];
    lane_sincos_any(lane_in(node, w, i), &s, &c);
    for (int r = 0; r < 3; r++) lane_rotate_columns(&a[r], &b[r], c, s);
  }
  lane_out_frame(node, w, &f);
}

static void lane_multiply(const sinew_node *node, si_worker *w) {
  lane_frame f, next;
  lane_frame_load(w->values, node->ports[0], &f);
  for (uint32_t i = 1; i < node->input_count; i++) {
    lane_frame_load(w->values, node->ports[i], &next);
    lane_frame_mul(&f, &next, &f);
  }
  lane_out_frame(node, w, &f);
}

static void lane_compensate(const sinew_node *node, si_worker *w) {
  const si_compensation *k = node->data;
  lane_frame a, back, turned, below, above;
  lane_frame_load(w->values, node->ports[0], &a);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) {
      back.m[c][r] = a.m[r][c];
      below.m[c][r] = lane_all(k->below[4 * c + r]);
      above.m[c][r] = lane_all(k->below[4 * r + c]);
    }
  if (k->rotated) {
    lane_frame_turn_by(&back, &below, &turned);
    lane_frame_turn_by(&above, &turned, &back);
  }
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) back.m[3][r] = lane_all(0);
  lane_out_frame(node, w, &back);
}

#endif
