/* Runs a block of characters through the whole program, over the lane type. Include it once in a
 * file that defines SI_WIDTH, selects the instructions and names what it exports. */
#include "components/catalog.h"
#include "evaluate/lanes/lane_cone.h"
#include "evaluate/lanes/lane_curve.h"
#include "evaluate/lanes/lane_formula.h"
#include "evaluate/lanes/lane_frames.h"
#include "evaluate/lanes/lane_matrix.h"
#include "evaluate/lanes/lane_single.h"
#include "evaluate/lanes/lane_slide.h"
#include "evaluate/lanes/lane_tape.h"
#include "evaluate/lanes/lane_tree.h"

/* runs a class's own kernel over plain floats */
static void block_eval_lanes(const sinew_node *node, si_worker *w) {
  w->rig->model.components[node->component - 1].cls->eval_lanes(node, w->values, SI_WIDTH);
}

/* the kernel of a class; NULL: of a component that may fail */
static si_lane_kernel block_kernel(const sinew_component_class *cls) {
  static const si_lane_kernel kernels[SI_KERNEL_COUNT] = {
    [SI_KERNEL_ROTATION] = lane_rotation,
    [SI_KERNEL_TRANSLATION] = lane_translation,
    [SI_KERNEL_EULER] = lane_euler,
    [SI_KERNEL_MULTIPLY] = lane_multiply,
    [SI_KERNEL_MAP] = lane_map,
    [SI_KERNEL_DEPENDENCY] = lane_dependency,
    [SI_KERNEL_CONE] = lane_cone,
    [SI_KERNEL_COMPENSATE] = lane_compensate,
    [SI_KERNEL_SLIDE] = lane_slide,
    [SI_KERNEL_RELATIVE] = lane_relative_step,
    [SI_KERNEL_DISTANCE] = lane_distance_step,
    [SI_KERNEL_AIM] = lane_aim_step,
    [SI_KERNEL_SWING_TWIST] = lane_swing_twist_step,
    [SI_KERNEL_IK2] = lane_ik2_step,
    [SI_KERNEL_FORMULA] = lane_formula,
    [SI_KERNEL_PROGRAM] = lane_program,
  };
  if (!cls) return lane_single;
  if (cls->kernel && cls->kernel < SI_KERNEL_COUNT) return kernels[cls->kernel];
  return cls->eval_lanes ? block_eval_lanes : lane_single;
}

/* Handles DOFs that differ from the wanted values: they were clamped, or are not finite. Returns
 * the lanes with values that are not finite, and sets all of their DOFs to rest. */
static __attribute__((noinline)) unsigned block_odd_dofs(const sinew_rig *rig, si_worker *w,
                                                         const float *const *rows) {
  uint32_t count = rig->model.dof_count;
  unsigned bad = 0;
  for (unsigned lane = 0; lane < SI_WIDTH; lane++) {
    float unsound = 0;
    for (uint32_t i = 0; i < count; i++) unsound += rows[lane][i] * 0;
    if (unsound == 0) continue;
    bad |= 1u << lane;
    for (uint32_t i = 0; i < count; i++)
      w->values[(size_t)i * SI_WIDTH + lane] = rig->model.dofs[i].rest;
  }
  w->clamped = true; /* if a value is not finite, the call fails anyway */
  return bad;
}

/* loads the DOFs of all lanes and clamps them; a NaN or an infinity always counts as changed */
static unsigned block_dofs(const sinew_rig *rig, si_worker *w, const float *const *rows) {
  uint32_t count = rig->model.dof_count, i = 0;
  const float *low = rig->dof_low, *high = rig->dof_high;
  float *dest = w->values;
  lane_mask odd = lane_none();
  for (; i + 4 <= count; i += 4) {
    lanes v[4];
    lane_take_four(rows, i, v);
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
      lanes given = lane_clamp(v[k], lane_at(low + i, k), lane_at(high + i, k));
      odd |= given != v[k];
      lane_store(dest + (size_t)(i + (uint32_t)k) * SI_WIDTH, given + 0.0f);
    }
  }
  for (; i < count; i++) {
    _Alignas(4 * SI_WIDTH) float each[SI_WIDTH];
    for (int lane = 0; lane < SI_WIDTH; lane++) each[lane] = rows[lane][i];
    lanes v = lane_load(each), given = lane_clamp(v, lane_all(low[i]), lane_all(high[i]));
    odd |= given != v;
    lane_store(dest + (size_t)i * SI_WIDTH, given + 0.0f);
  }
  return lane_which(odd) ? block_odd_dofs(rig, w, rows) : 0;
}

static void block_steps(const sinew_batch *batch, si_worker *w, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const si_lane_step *step = &batch->steps[i];
    if (step->run) {
      step->run(step->node, w);
      continue;
    }
    lane_frame product;
    lane_product(batch, step->product, w, &product);
    lane_frame_store(&product, w->values, batch->rig->fused->product_at[step->product]);
  }
}

static unsigned block_run(const sinew_batch *batch, si_worker *w, const float *const *rows,
                          float *const *outs) {
  const sinew_rig *rig = batch->rig;
  unsigned bad = block_dofs(rig, w, rows);
  w->failed = 0;
  block_steps(batch, w, 0, batch->early);
  lane_turn_all(rig->fused, batch->kinds, w);
  block_steps(batch, w, batch->early, batch->step_count);
  return bad | w->failed | lane_tree(batch, w, outs);
}
