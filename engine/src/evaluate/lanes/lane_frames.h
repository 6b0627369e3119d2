/* Components that read frames of other segments, and swing_twist, in lanes. */
#ifndef SI_LANE_FRAMES_H
#define SI_LANE_FRAMES_H

#include "components/frames.h"
#include "evaluate/batch_internal.h"
#include "math/lanes/lane_frame.h"

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "components/kernels/path.h"

#include "components/kernels/frames.h"

#include "math/kernels/end.h"

static void lane_distance_step(const sinew_node *node, si_worker *w) {
  lane_distance(node, w->values);
}
static void lane_aim_step(const sinew_node *node, si_worker *w) { lane_aim(node, w->values); }
static void lane_swing_twist_step(const sinew_node *node, si_worker *w) {
  lane_swing_twist(node, w->values);
}
static void lane_ik2_step(const sinew_node *node, si_worker *w) { lane_ik2(node, w->values); }

static void lane_frame_inverse(const lane_frame *a, lane_frame *dest) {
  lanes t[3];
  for (int r = 0; r < 3; r++)
    t[r] = -lane_mix(a->m[r][0], a->m[3][0], a->m[r][1], a->m[3][1], a->m[r][2], a->m[3][2]);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) dest->m[c][r] = a->m[r][c];
    dest->m[3][r] = t[r];
  }
}

static void lane_relative_step(const sinew_node *node, si_worker *w) {
  const si_seen_data *f = node->data;
  lane_frame product, d, next;
  lane_frame_all(f->links[0].m, &product);
  for (uint32_t i = 0; i < f->path.count; i++) {
    lane_frame_load(w->values, node->ports[f->path.first + i], &d);
    if (i < f->path.up)
      lane_frame_inverse(&d, &next);
    else
      next = d;
    lane_frame_mul(&product, &next, &product);
    if (!f->links[i + 1].moves) continue;
    lane_frame_all(f->links[i + 1].m, &d);
    lane_frame_mul(&product, &d, &product);
  }
  lane_frame_store(&product, w->values, node->ports[node->input_count]);
}

#endif
