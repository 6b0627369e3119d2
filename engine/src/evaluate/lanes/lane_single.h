/* Evaluates components one character at a time: those without a kernel in lanes, and lanes that a
 * kernel leaves. */
#ifndef SI_LANE_SINGLE_H
#define SI_LANE_SINGLE_H

#include "evaluate/batch_internal.h"
#include "math/lanes/lanes.h"

static void lane_read(const float *values, uint32_t at, uint32_t count, int lane, float *single) {
  for (uint32_t k = 0; k < count; k++) single[at + k] = values[(size_t)(at + k) * SI_WIDTH + lane];
}
static void lane_write(const float *single, uint32_t at, uint32_t count, int lane, float *values) {
  for (uint32_t k = 0; k < count; k++) values[(size_t)(at + k) * SI_WIDTH + lane] = single[at + k];
}

/* Evaluates a component for the lanes whose bits are set and that hold a character. Matrices in
 * lanes have no last row; the character's own array contains it from the start. */
static void lane_eval_single(const sinew_node *node, si_worker *w, unsigned which) {
  const si_component *k = &w->rig->model.components[node->component - 1];
  const uint32_t *ports = node->ports;
  LANE_EACH(left, which & w->used) {
    int lane = lane_first(left);
    sinew_status status = SINEW_OK;
    sinew_error why; /* not used: the pose that evaluates the lane again reports the error */
    for (uint32_t j = 0; j < node->input_count; j++) {
      sinew_kind kind = si_input_desc(k, j)->kind;
      lane_read(w->values, ports[j], (uint32_t)si_kind_numbers(kind), lane, w->single);
    }
    if (node->eval) {
      node->eval(node, w->single);
    } else {
      sinew_error_clear(&why);
      status = k->cls->try_eval(node, w->single, &why);
    }
    for (uint32_t j = 0; j < node->output_count; j++) {
      uint32_t at = ports[node->input_count + j];
      uint32_t count = (uint32_t)si_kind_numbers(si_output_kind(k, j));
      if (!node->eval && !si_finite(w->single + at, count)) status = SINEW_ERR_NOT_FINITE;
      lane_write(w->single, at, count, lane, w->values);
    }
    if (status < 0) w->failed |= 1u << lane;
  }
}

static void lane_single(const sinew_node *node, si_worker *w) {
  lane_eval_single(node, w, (1u << SI_WIDTH) - 1);
}

#endif
