/* Setting DOFs, evaluating what they change, and reading the results. */
#include "evaluate/pose_internal.h"

#include "base/error_internal.h"
#include "base/text.h"
#include "compile/hierarchy.h"
#include "evaluate/fused_run.h"
#include "math/matrix.h"

#include <float.h>

static void carve(const sinew_rig *rig, si_carver *carver, sinew_pose *pose) {
  uint32_t dofs = rig->model.dof_count;
  si_carve(carver, 1, sizeof *pose, SI_ALIGN);
  pose->values = si_carve(carver, rig->value_count, sizeof(float), SI_ALIGN);
  pose->world = si_carve(carver, 16 * (size_t)rig->model.segment_count, sizeof(float), SI_ALIGN);
  pose->good = si_carve(carver, rig->value_count, sizeof(float), SI_ALIGN);
  pose->sines = si_carve(carver, rig->fused->turn_slots, sizeof(float), 16);
  pose->cosines = si_carve(carver, rig->fused->turn_slots, sizeof(float), 16);
  pose->held = si_carve(carver, dofs, sizeof(float), 16);
  pose->marks = si_carve(carver, rig->mark_words, sizeof(uint64_t), 8);
  pose->moved = si_carve(carver, (dofs + 63) / 64, sizeof(uint64_t), 8);
}

size_t sinew_rig_pose_bytes(const sinew_rig *rig) {
  if (!SI_EXPECT(rig)) return 0;
  sinew_pose measured;
  si_carver carver = { 0 };
  carve(rig, &carver, &measured);
  return carver.used;
}

/* evaluates what was left aside while the old constants still exist */
static void before_change(si_watcher *watcher) { si_pose_values((sinew_pose *)(void *)watcher); }

sinew_pose *sinew_pose_create(const sinew_rig *rig, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  sinew_pose *pose = si_alloc(sinew_rig_pose_bytes(rig));
  if (!pose) return si_memory_null(error);
  si_carver carver = { .base = (unsigned char *)pose };
  carve(rig, &carver, pose);
  pose->rig = rig;
  pose->watcher.before_change = before_change;
  si_rig_watch(rig, &pose->watcher, "pose");
  pose->fresh = true;
  memcpy(pose->values, rig->initial, rig->value_count * sizeof(float));
  memcpy(pose->good, rig->initial, rig->value_count * sizeof(float));
  pose->good_whole = true;
  /* until the first evaluation, driven matrices that depend on a DOF read as the identity */
  si_tree_world_plain(rig, pose->values, pose->world, 0, rig->model.segment_count);
  return pose;
}

void sinew_pose_destroy(sinew_pose *pose) {
  if (pose) si_rig_unwatch(pose->rig, &pose->watcher);
  si_free(pose);
}

const sinew_rig *sinew_pose_rig(const sinew_pose *pose) {
  return SI_EXPECT(pose) ? pose->rig : NULL;
}

/* clamps the value to its range, and records whether it changed; the value must be finite */
static sinew_status put_dof(sinew_pose *pose, uint32_t i, float value) {
  const si_dof *dof = &pose->rig->model.dofs[i];
  float given = si_clamp(value, dof->min, dof->max) + 0.0f; /* -0 becomes 0 */
  pose->held[i] = si_clamp(given - value, -FLT_MAX, FLT_MAX);
  if (given != pose->values[i]) {
    pose->values[i] = given;
    uint64_t bit = UINT64_C(1) << i % 64;
    pose->moved_count += !(pose->moved[i / 64] & bit);
    pose->moved[i / 64] |= bit;
  }
  return given != value ? SINEW_CLAMPED : SINEW_OK;
}

static sinew_status not_finite(const sinew_pose *pose, uint32_t i, float value,
                               sinew_error *error) {
  return si_fail(error, SINEW_ERR_NOT_FINITE, "DOF '%s': %g is not finite",
                 pose->rig->model.dofs[i].name, (double)value);
}

sinew_status sinew_pose_set(sinew_pose *pose, sinew_dof dof, float value, sinew_error *error) {
  if (!SI_EXPECT(pose && dof.id && dof.id <= pose->rig->model.dof_count)) return SINEW_ERR_CALL;
  if (!isfinite(value)) return not_finite(pose, dof.id - 1, value, error);
  return put_dof(pose, dof.id - 1, value);
}

static si_v4 load_any(const float *p) {
  si_v4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* about how many DOFs `values` would change; false if a value is not finite */
static bool count_moved(const sinew_pose *pose, const float *values, uint32_t count,
                        uint32_t *dest) {
  si_v4 sum = si_all(0);
  si_i4 same = { 0, 0, 0, 0 };
  uint32_t i = 0;
  float rest = 0;
  for (; i + 4 <= count; i += 4) {
    si_v4 v = load_any(values + i);
    sum += v * si_all(0); /* an infinity or a NaN times zero is a NaN, and the sum stays NaN */
    same -= v == si_load(pose->values + i);
  }
  for (; i < count; i++) rest += values[i] * 0;
  *dest = count - (uint32_t)(same[0] + same[1] + same[2] + same[3]);
  return sum[0] + sum[1] + sum[2] + sum[3] + rest == 0;
}

/* put_dof for all DOFs, when so many change that all are counted as moved */
static sinew_status put_most(sinew_pose *pose, const float *values, uint32_t count) {
  const sinew_rig *rig = pose->rig;
  si_i4 held = { 0, 0, 0, 0 };
  sinew_status status = SINEW_OK;
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    si_v4 v = load_any(values + i), most = si_all(FLT_MAX);
    si_v4 given = si_clamp_four(v, si_load(rig->dof_low + i), si_load(rig->dof_high + i));
    held |= given != v;
    si_store(pose->held + i, si_clamp_four(given - v, -most, most));
    si_store(pose->values + i, given + si_all(0));
  }
  for (; i < count; i++)
    if (put_dof(pose, i, values[i]) == SINEW_CLAMPED) status = SINEW_CLAMPED;
  memset(pose->moved, 0xff, (count + 63) / 64 * sizeof *pose->moved);
  pose->moved_count = count;
  return si_any(held) ? SINEW_CLAMPED : status;
}

sinew_status sinew_pose_set_all(sinew_pose *pose, const float *values, int count,
                                sinew_error *error) {
  if (!SI_EXPECT(pose && (values || !count))) return SINEW_ERR_CALL;
  if (count < 0 || (uint32_t)count != pose->rig->model.dof_count)
    return si_fail(error, SINEW_ERR_VALUE, "got %d value%s for %u DOF%s", count, si_plural(count),
                   pose->rig->model.dof_count, si_plural((int)pose->rig->model.dof_count));
  uint32_t moved = 0;
  if (!count_moved(pose, values, (uint32_t)count, &moved))
    for (int i = 0; i < count; i++)
      if (!isfinite(values[i])) return not_finite(pose, (uint32_t)i, values[i], error);
  if (2 * moved >= (uint32_t)count) return put_most(pose, values, (uint32_t)count);
  sinew_status status = SINEW_OK;
  for (int i = 0; i < count; i++)
    if (put_dof(pose, (uint32_t)i, values[i]) == SINEW_CLAMPED) status = SINEW_CLAMPED;
  return status;
}

float sinew_pose_get(const sinew_pose *pose, sinew_dof dof) {
  if (!SI_EXPECT(pose && dof.id && dof.id <= pose->rig->model.dof_count)) return 0;
  return pose->values[dof.id - 1];
}

const float *sinew_pose_dofs(const sinew_pose *pose) {
  return SI_EXPECT(pose) ? pose->values : NULL;
}

void sinew_pose_reset(sinew_pose *pose) {
  if (!SI_EXPECT(pose)) return;
  for (uint32_t i = 0; i < pose->rig->model.dof_count; i++)
    put_dof(pose, i, pose->rig->model.dofs[i].rest);
}

/* copies what changed on the compiled rig: constants, and the ranges of DOFs. A DOF that was
 * clamped may move closer to the wanted value */
static void take_edits(sinew_pose *pose) {
  const sinew_rig *rig = pose->rig;
  uint32_t dofs = rig->model.dof_count;
  memcpy(pose->values + dofs, rig->initial + dofs, (rig->output_first - dofs) * sizeof(float));
  for (uint32_t i = 0; i < dofs; i++) {
    const si_dof *dof = &rig->model.dofs[i];
    float value = pose->values[i];
    if (pose->held[i] != 0 || value < dof->min || value > dof->max)
      put_dof(pose, i, value - pose->held[i]);
  }
}

static sinew_status component_failed(const sinew_pose *pose, const sinew_node *node,
                                     sinew_status status, const sinew_error *why,
                                     sinew_error *error) {
  const si_component *k = &pose->rig->model.components[node->component - 1];
  const char *text = why && why->count                ? why->text
                     : status == SINEW_ERR_NOT_FINITE ? "gave a value that is not finite"
                                                      : "failed";
  return si_fail_component(k, status, text, error);
}

static inline bool outputs_finite(const sinew_pose *pose, const sinew_node *node) {
  const si_component *k = &pose->rig->model.components[node->component - 1];
  for (uint32_t i = 0; i < node->output_count; i++) {
    const float *value = sinew_node_out(node, pose->values, i);
    sinew_kind kind = si_output_kind(k, i);
    if (kind == SINEW_SCALAR ? *value - *value != 0
                             : !si_finite(value, (size_t)si_kind_numbers(kind)))
      return false;
  }
  return true;
}

sinew_status si_pose_run(sinew_pose *pose, const sinew_node *node, sinew_error *error) {
  if (node->eval) {
    node->eval(node, pose->values);
    return SINEW_OK;
  }
  sinew_error why;
  sinew_error_clear(&why);
  const sinew_component_class *cls = pose->rig->model.components[node->component - 1].cls;
  sinew_status status = cls->try_eval(node, pose->values, &why);
  if (status < 0) return component_failed(pose, node, status, &why, error);
  if (!outputs_finite(pose, node))
    return component_failed(pose, node, SINEW_ERR_NOT_FINITE, NULL, error);
  return SINEW_OK;
}

static sinew_status run_nodes(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  const sinew_node *node = rig->nodes + from, *end = rig->nodes + to;
  if (!rig->can_fail) {
    for (; node < end; node++) node->eval(node, pose->values);
    return SINEW_OK;
  }
  sinew_status status = SINEW_OK;
  for (; node < end && status >= 0; node++) status = si_pose_run(pose, node, error);
  return status;
}

/* evaluates everything; nodes that depend on no DOF only if the rig was edited */
static sinew_status run_all(sinew_pose *pose, bool edited, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  if (edited) run_nodes(pose, 0, rig->constant_nodes, NULL);
  return pose->plain ? run_nodes(pose, rig->constant_nodes, rig->node_count, error)
                     : si_fused_all(pose, error);
}

void si_marks_moved(sinew_pose *pose, const uint32_t *dof_first, const uint32_t *list) {
  for (uint32_t word = 0; word * 64 < pose->rig->model.dof_count; word++)
    for (uint64_t bits = pose->moved[word] & si_marks_below(pose->rig->model.dof_count, word); bits;
         bits &= bits - 1) {
      uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
      si_marks_add(pose->marks, list, dof_first[i], dof_first[i + 1]);
    }
}

/* evaluates marked nodes in order; each marks its readers, which come later */
static sinew_status run_marked(sinew_pose *pose, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  si_marks_moved(pose, rig->dof_first, rig->marks);
  for (uint32_t word = 0; word * 64 < rig->node_count; word++) {
    uint64_t here = si_marks_below(rig->node_count, word), bits;
    while ((bits = pose->marks[word] & here) != 0) {
      uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
      const sinew_node *node = &rig->nodes[i];
      if (!rig->can_fail) {
        node->eval(node, pose->values);
      } else {
        sinew_status status = si_pose_run(pose, node, error);
        if (status < 0) return status;
      }
      pose->marks[word] &= ~(bits & -bits);
      si_marks_add(pose->marks, rig->marks, rig->node_first[i], rig->node_first[i + 1]);
    }
  }
  return SINEW_OK;
}

/* the mark of the tree's first slot */
static uint32_t slot_base(const sinew_pose *pose) {
  return pose->plain ? pose->rig->node_count : pose->rig->fused->step_count;
}

static bool slot_marked(const sinew_pose *pose, uint32_t slot) {
  uint32_t mark = slot_base(pose) + slot;
  return pose->marks[mark / 64] >> mark % 64 & 1;
}

/* Whether the matrices that drive the marked slots, or all slots, are finite. The fused program has
 * checked its products: if none of them overflowed, those that drive a slot are finite. A product
 * that overflowed may be read only by other components, whose results are then checked. */
static bool locals_finite(const sinew_pose *pose, bool all) {
  const sinew_rig *rig = pose->rig;
  const si_fused *f = rig->fused;
  bool placed = !pose->plain && pose->overflown, each = pose->plain || placed;
  uint32_t count = each ? rig->model.segment_count : f->unplaced_count;
  si_v4 sum = si_all(0);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = each ? k : f->unplaced[k], at = rig->slots[i].local;
    if (placed && rig->slots[i].placed != SI_NONE) at = rig->slots[i].placed;
    if (at == SI_NONE || !(all || slot_marked(pose, i))) continue;
    const float *m = pose->values + at;
    sum += (si_load(m) + si_load(m + 4) + si_load(m + 8) + si_load(m + 12)) * si_all(0);
  }
  /* an infinity or a NaN times zero is a NaN, and the sum stays NaN */
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static sinew_status blame(sinew_pose *pose, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  if (!pose->plain) si_fused_aside(pose);
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const sinew_node *node = &rig->nodes[i];
    if (outputs_finite(pose, node)) continue;
    const sinew_component_class *cls = rig->model.components[node->component - 1].cls;
    sinew_error why;
    sinew_error_clear(&why);
    if (node->eval && cls->reason && cls->reason(node, pose->values, &why))
      return component_failed(pose, node, why.status, &why, error);
    return component_failed(pose, node, SINEW_ERR_NOT_FINITE, NULL, error);
  }
  return si_fail(error, SINEW_ERR_NOT_FINITE, "a driven matrix is too large");
}

/* exchanges the current DOFs with those of the last good evaluation */
static void swap_dofs(sinew_pose *pose) {
  for (uint32_t i = 0; i < pose->rig->model.dof_count; i++) {
    float wanted = pose->values[i];
    pose->values[i] = pose->good[i];
    pose->good[i] = wanted;
  }
}

/* Restores the last good values, but keeps the DOFs as they were set. After an edit the stored
 * values are complete: what was left aside could not be evaluated again with the old constants */
static void restore(sinew_pose *pose, bool edited) {
  const sinew_rig *rig = pose->rig;
  uint32_t dofs = rig->model.dof_count;
  if (pose->good_whole) {
    memcpy(pose->values + dofs, pose->good + dofs, (rig->value_count - dofs) * sizeof(float));
  } else {
    /* evaluating the last good DOFs gives the last good values again */
    swap_dofs(pose);
    run_all(pose, false, NULL);
    swap_dofs(pose);
  }
  if (!edited) pose->lazy = !pose->plain;
  pose->fresh = true;
}

const float *si_pose_values(const sinew_pose *pose) {
  if (pose->lazy) {
    sinew_pose *own = (sinew_pose *)(uintptr_t)pose; /* logically const: fills in lazy values */
    swap_dofs(own);
    si_fused_aside(own);
    swap_dofs(own);
    own->lazy = false;
  }
  return pose->values;
}

void sinew_pose_set_plain(sinew_pose *pose, bool plain) {
  if (!SI_EXPECT(pose)) return;
  si_pose_values(pose);
  if (pose->plain != plain) pose->fresh = true;
  pose->plain = plain;
}

/* clears all marks */
static void settle(sinew_pose *pose) {
  const sinew_rig *rig = pose->rig;
  memset(pose->marks, 0, rig->mark_words * sizeof *pose->marks);
  memset(pose->moved, 0, (rig->model.dof_count + 63) / 64 * sizeof *pose->moved);
  pose->moved_count = 0;
  pose->fresh = false;
  pose->lazy = !pose->plain;
  pose->revision = rig->revision;
}

static void keep_good(sinew_pose *pose) {
  const sinew_rig *rig = pose->rig;
  pose->good_whole = rig->can_fail;
  size_t count = pose->good_whole ? rig->value_count : rig->model.dof_count;
  memcpy(pose->good, pose->values, count * sizeof(float));
}

static void tree_world(sinew_pose *pose, uint32_t from, uint32_t to) {
  (pose->plain ? si_tree_world_plain : si_tree_world)(pose->rig, pose->values, pose->world, from,
                                                      to);
}

static void world_of_marked(sinew_pose *pose) {
  const sinew_rig *rig = pose->rig;
  uint32_t n = slot_base(pose), segments = rig->model.segment_count;
  for (uint32_t slot = 0; slot < segments;) {
    /* skip whole words without a mark */
    uint32_t mark = n + slot;
    uint64_t bits = pose->marks[mark / 64] >> mark % 64;
    if (!bits) {
      slot += 64 - mark % 64;
      continue;
    }
    slot += (uint32_t)__builtin_ctzll(bits);
    if (slot >= segments) break;
    tree_world(pose, slot, rig->slots[slot].end);
    slot = rig->slots[slot].end;
  }
}

sinew_status sinew_pose_eval(sinew_pose *pose, sinew_error *error) {
  if (!SI_EXPECT(pose)) return SINEW_ERR_CALL;
  const sinew_rig *rig = pose->rig;
  bool edited = pose->revision != rig->revision;
  if (!pose->moved_count && !pose->fresh && !edited) return SINEW_OK;
  if (edited) {
    /* the old parameters are gone, so their results cannot be evaluated again */
    memcpy(pose->good + rig->model.dof_count, pose->values + rig->model.dof_count,
           (rig->value_count - rig->model.dof_count) * sizeof(float));
    pose->good_whole = true;
  }
  if (edited) take_edits(pose);
  pose->overflown = false;
  /* if most DOFs moved, evaluating everything is faster than following marks */
  bool all = pose->fresh || edited || 2 * pose->moved_count >= rig->model.dof_count;
  sinew_status status = all           ? run_all(pose, edited, error)
                        : pose->plain ? run_marked(pose, error)
                                      : si_fused_marked(pose, error);
  if (status >= 0 && !locals_finite(pose, all)) status = blame(pose, error);
  if (status < 0) {
    restore(pose, edited);
    return status;
  }
  if (all)
    tree_world(pose, 0, rig->model.segment_count);
  else
    world_of_marked(pose);
  keep_good(pose);
  settle(pose);
  return SINEW_OK;
}

const float *sinew_pose_worlds(const sinew_pose *pose) {
  return SI_EXPECT(pose) ? pose->world : NULL;
}

const float *sinew_pose_world(const sinew_pose *pose, sinew_segment segment) {
  if (!SI_EXPECT(pose && segment.id && segment.id <= pose->rig->model.segment_count)) return NULL;
  return pose->world + 16 * (size_t)(segment.id - 1);
}

const float *sinew_pose_local(const sinew_pose *pose, sinew_segment segment) {
  static const CGLM_ALIGN_MAT float identity[16] = {
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1
  };
  if (!SI_EXPECT(pose && segment.id && segment.id <= pose->rig->model.segment_count)) return NULL;
  const si_source *source = &pose->rig->model.segments[segment.id - 1].source;
  if (source->kind != SI_FROM_OUTPUT) return identity;
  return sinew_pose_value(pose, (sinew_component){ source->id }, (int)source->output);
}

static const sinew_node *node_of(const sinew_pose *pose, sinew_component component) {
  bool ok = SI_EXPECT(pose && component.id && component.id <= pose->rig->node_count);
  return ok ? &pose->rig->nodes[pose->rig->node_of[component.id - 1]] : NULL;
}

const float *sinew_pose_value(const sinew_pose *pose, sinew_component component, int output) {
  const sinew_node *node = node_of(pose, component);
  if (!node || !SI_EXPECT(output >= 0 && (uint32_t)output < node->output_count)) return NULL;
  return si_pose_values(pose) + node->ports[node->input_count + (uint32_t)output];
}

const float *sinew_pose_input(const sinew_pose *pose, sinew_component component, int input) {
  const sinew_node *node = node_of(pose, component);
  if (!node || !SI_EXPECT(input >= 0 && (uint32_t)input < node->input_count)) return NULL;
  return sinew_node_in(node, si_pose_values(pose), (uint32_t)input);
}

int sinew_pose_holds(const sinew_pose *pose, sinew_hold *dest, int capacity) {
  if (!SI_EXPECT(pose)) return 0;
  const si_model *m = &pose->rig->model;
  const float *values = si_pose_values(pose);
  int count = 0;
  for (uint32_t i = 0; i < m->dof_count; i++) {
    if (pose->held[i] == 0) continue;
    if (count++ < capacity)
      dest[count - 1] = (sinew_hold){ .dof = { i + 1 },
                                      .name = m->dofs[i].name,
                                      .port = "",
                                      .doc = "its own range",
                                      .amount = pose->held[i] };
  }
  for (uint32_t i = 0; i < m->component_count; i++) {
    const sinew_node *node = &pose->rig->nodes[pose->rig->node_of[i]];
    const sinew_hold_desc *holds = m->components[i].cls->holds;
    for (uint32_t k = 0; holds && holds[k].port; k++) {
      float amount = values[node->hold + k];
      if (amount == 0) continue;
      if (count++ < capacity)
        dest[count - 1] = (sinew_hold){ .component = { i + 1 },
                                        .name = m->components[i].name,
                                        .port = holds[k].port,
                                        .doc = holds[k].doc,
                                        .amount = amount };
    }
  }
  return count;
}
