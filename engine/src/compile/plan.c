/* Planning and laying out the program. The value array holds, in this order: DOFs, constants and
 * fallbacks of unwired inputs, outputs in the order in which the fused program computes them,
 * holds, hints that components keep between evaluations, and outputs that the fused program leaves
 * aside. */
#include "base/budget_internal.h"
#include "compile/plan.h"

#include "build/check.h"
#include "math/matrix.h"
#include "compile/fuse.h"

static void free_all(si_plan *p) {
  si_free(p->order);
  si_free(p->port_first);
  si_free(p->port_at);
  si_free(p->hold_at);
  si_free(p->memo_at);
  si_free(p->data_bytes);
  si_fusing_free(p->fusing);
}

void si_plan_free(si_plan *plan) {
  free_all(plan);
  *plan = (si_plan){ 0 };
}

/* moves components that depend on no DOF and cannot fail to the front; both parts keep their
 * order */
static bool partition(const si_model *m, si_plan *p) {
  uint32_t n = m->component_count, constants = 0, moving = 0;
  bool *moves = si_alloc((size_t)n + 1);
  uint32_t *sorted = si_alloc_array((size_t)n + 1, sizeof *sorted);
  if (!moves || !sorted) {
    si_free(moves);
    si_free(sorted);
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    const si_component *k = &m->components[p->order[i]];
    bool live = si_component_fails(m, p->order[i]);
    for (uint32_t j = 0; j < k->input_count; j++) {
      const si_source *s = &k->inputs[j];
      live |= s->kind == SI_FROM_DOF || (s->kind == SI_FROM_OUTPUT && moves[s->id - 1]);
    }
    moves[p->order[i]] = live;
    constants += !live;
  }
  p->constant_nodes = constants;
  for (uint32_t i = 0, at = 0; i < n; i++) {
    if (moves[p->order[i]])
      sorted[constants + moving++] = p->order[i];
    else
      sorted[at++] = p->order[i];
  }
  si_free(moves);
  si_free(p->order);
  p->order = sorted;
  return true;
}

static uint32_t place(uint64_t *cursor, sinew_kind kind) {
  uint64_t align = si_kind_align(kind);
  uint64_t at = (*cursor + align - 1) / align * align;
  *cursor = at + si_kind_floats(kind);
  return (uint32_t)at;
}

static void place_outputs(const si_model *m, si_plan *p, uint32_t component, uint64_t *cursor) {
  const si_component *k = &m->components[component];
  uint32_t *at = p->port_at + p->port_first[component] + k->input_count;
  /* named outputs are written in fours, so they are padded */
  if (k->cls->named) *cursor = (*cursor + 3) / 4 * 4;
  for (uint32_t j = 0; j < k->output_count; j++) at[j] = place(cursor, si_output_kind(k, j));
  if (k->cls->named) *cursor = (*cursor + 3) / 4 * 4;
}

static void place_values(const si_model *m, si_plan *p, uint64_t *cursor) {
  *cursor = m->dof_count;
  for (uint32_t i = 0; i < m->component_count; i++) {
    const si_component *k = &m->components[i];
    uint32_t *at = p->port_at + p->port_first[i];
    for (uint32_t j = 0; j < k->input_count; j++)
      if (k->inputs[j].kind == SI_FROM_NONE || k->inputs[j].kind == SI_FROM_CONSTANT)
        at[j] = place(cursor, si_input_desc(k, j)->kind);
  }
  p->output_first = (uint32_t)*cursor;
  si_fusing *f = p->fusing;
  for (uint32_t i = 0; i < p->constant_nodes; i++) place_outputs(m, p, p->order[i], cursor);
  for (uint32_t i = 0; i < f->step_count; i++) {
    uint32_t c = f->steps[i];
    if (f->segment[c] == SI_NONE)
      place_outputs(m, p, c, cursor);
    else
      f->placed_at[c] = place(cursor, SINEW_MATRIX);
  }
  for (uint32_t i = 0; i < m->component_count; i++) {
    p->hold_at[i] = (uint32_t)*cursor;
    *cursor += si_hold_count(m->components[i].cls->holds);
  }
  for (uint32_t i = 0; i < m->component_count; i++) {
    p->memo_at[i] = (uint32_t)*cursor;
    *cursor += m->components[i].cls->memo_count;
  }
  for (uint32_t i = p->constant_nodes; i < m->component_count; i++)
    if (f->aside[p->order[i]] || f->segment[p->order[i]] != SI_NONE)
      place_outputs(m, p, p->order[i], cursor);
  *cursor = (*cursor + 7) / 8 * 8;
}

/* an input wired to a DOF or an output has the index of its source */
static void join_inputs(const si_model *m, si_plan *p) {
  for (uint32_t i = 0; i < m->component_count; i++) {
    const si_component *k = &m->components[i];
    uint32_t *at = p->port_at + p->port_first[i];
    for (uint32_t j = 0; j < k->input_count; j++) {
      const si_source *s = &k->inputs[j];
      if (s->kind == SI_FROM_DOF) at[j] = s->id - 1;
      if (s->kind == SI_FROM_OUTPUT)
        at[j] =
            p->port_at[p->port_first[s->id - 1] + m->components[s->id - 1].input_count + s->output];
      p->mark_count += s->kind == SI_FROM_DOF || s->kind == SI_FROM_OUTPUT;
    }
  }
  for (uint32_t i = 0; i < m->segment_count; i++)
    p->mark_count += m->segments[i].source.kind == SI_FROM_OUTPUT;
}

bool si_plan_make(const si_model *m, si_plan *p, sinew_error *error) {
  *p = (si_plan){ 0 };
  size_t n = m->component_count;
  uint64_t ports = 0;
  for (size_t i = 0; i < n; i++)
    ports += m->components[i].input_count + m->components[i].output_count;
  p->order = si_alloc_array(n + 1, sizeof *p->order);
  p->port_first = si_alloc_array(n + 1, sizeof *p->port_first);
  p->port_at = si_alloc_array(ports + 1, sizeof *p->port_at);
  p->hold_at = si_alloc_array(n + 1, sizeof *p->hold_at);
  p->memo_at = si_alloc_array(n + 1, sizeof *p->memo_at);
  p->data_bytes = si_alloc_array(n + 1, sizeof *p->data_bytes);
  bool ok = p->order && p->port_first && p->port_at && p->hold_at && p->memo_at && p->data_bytes &&
            si_sort(m, p->order, error);
  if (!ok || error->count) return ok;
  if (!partition(m, p) || !si_fuse_plan(m, p)) return false;
  for (size_t i = 0; i < n; i++) {
    if (!si_work(10)) return false;
    p->port_first[i + 1] =
        p->port_first[i] + m->components[i].input_count + m->components[i].output_count;
    p->data_bytes[i] = si_data_bytes(m, (uint32_t)i);
  }
  uint64_t cursor;
  place_values(m, p, &cursor);
  if (cursor > INT32_MAX) {
    si_add(error, SINEW_ERR_LIMIT, "the rig needs %llu values, more than %d",
           (unsigned long long)cursor, INT32_MAX);
    return true;
  }
  p->value_count = (uint32_t)cursor;
  join_inputs(m, p);
  return true;
}

void si_program_carve(const si_model *m, const si_plan *p, si_carver *carver, sinew_rig *rig) {
  uint32_t n = m->component_count;
  rig->node_count = n;
  rig->constant_nodes = p->constant_nodes;
  rig->value_count = p->value_count;
  rig->output_first = p->output_first;
  rig->nodes = si_carve(carver, n, sizeof *rig->nodes, SI_ALIGN);
  rig->node_of = si_carve(carver, n, sizeof *rig->node_of, 4);
  rig->ports = si_carve(carver, p->port_first[n], sizeof *rig->ports, 4);
  rig->initial = si_carve(carver, p->value_count, sizeof *rig->initial, SI_ALIGN);
  rig->dof_first = si_carve(carver, (size_t)m->dof_count + 1, sizeof *rig->dof_first, 4);
  rig->node_first = si_carve(carver, (size_t)n + 1, sizeof *rig->node_first, 4);
  rig->marks = si_carve(carver, p->mark_count, sizeof *rig->marks, 4);
  rig->mark_words = (uint32_t)(((uint64_t)n + m->segment_count + 63) / 64);
  for (uint32_t i = 0; i < n; i++) {
    void *data = si_carve(carver, p->data_bytes[p->order[i]], 1, SI_ALIGN);
    if (data) rig->nodes[i].data = data;
  }
  si_fuse_carve(m, p, carver, rig);
}

static void fill_constants(sinew_rig *rig) {
  const si_model *m = &rig->model;
  for (uint32_t i = 0; i < m->dof_count; i++) rig->initial[i] = m->dofs[i].rest + 0.0f; /* no -0 */
  for (uint32_t i = 0; i < m->component_count; i++) {
    const si_component *k = &m->components[i];
    const sinew_node *node = &rig->nodes[rig->node_of[i]];
    for (uint32_t j = 0; j < k->input_count; j++) {
      const sinew_port_desc *d = si_input_desc(k, j);
      float *value = rig->initial + node->ports[j];
      if (k->inputs[j].kind == SI_FROM_CONSTANT)
        memcpy(value, k->wires[k->inputs[j].id - 1].constant,
               (size_t)si_kind_numbers(d->kind) * sizeof *value);
      else if (k->inputs[j].kind == SI_FROM_NONE && d->kind == SINEW_SCALAR)
        *value = d->fallback;
      else if (k->inputs[j].kind == SI_FROM_NONE && d->kind == SINEW_MATRIX)
        si_mat_identity(value);
    }
    /* outputs that were never evaluated read as the identity */
    for (uint32_t j = 0; j < k->output_count; j++)
      if (si_output_kind(k, j) == SINEW_MATRIX)
        si_mat_identity(sinew_node_out(node, rig->initial, j));
  }
}

static uint32_t *first_of(const si_marking *k, const si_source *s, uint32_t item) {
  if (s->kind == SI_FROM_DOF) return &k->dof_first[s->id - 1];
  if (s->kind != SI_FROM_OUTPUT) return NULL;
  uint32_t from = k->item_of[s->id - 1];
  return from == SI_NONE || from == item ? NULL : &k->item_first[from];
}

/* With `put` false, counts the marks in each list. With `put` true, writes them backwards from the
 * end of each list, so that afterwards `first` is its start */
static void each_mark(const si_model *m, const si_marking *k, bool put) {
  for (uint32_t i = 0; i < m->component_count; i++)
    for (uint32_t j = 0; j < m->components[i].input_count; j++) {
      uint32_t *first =
          k->item_of[i] == SI_NONE ? NULL : first_of(k, &m->components[i].inputs[j], k->item_of[i]);
      if (first && put) k->marks[--*first] = k->item_of[i];
      if (first && !put) ++*first;
    }
  for (uint32_t i = 0; i < m->segment_count; i++) {
    uint32_t *first = first_of(k, &m->segments[i].source, SI_NONE);
    if (first && put) k->marks[--*first] = k->item_count + k->slot_of[i];
    if (first && !put) ++*first;
  }
}

void si_marks_fill(const si_model *m, const si_marking *k) {
  each_mark(m, k, false);
  uint32_t total = 0;
  for (uint32_t i = 0; i < m->dof_count; i++) total = k->dof_first[i] += total;
  k->dof_first[m->dof_count] = total;
  for (uint32_t i = 0; i < k->item_count; i++) total = k->item_first[i] += total;
  k->item_first[k->item_count] = total;
  each_mark(m, k, true);
}

static bool check_constant(const sinew_rig *rig, const sinew_node *node, sinew_error *error) {
  const si_component *k = &rig->model.components[node->component - 1];
  char prefix[256];
  for (uint32_t i = 0; i < k->output_count; i++) {
    size_t count = (size_t)si_kind_numbers(si_output_kind(k, i));
    if (si_finite(sinew_node_out(node, rig->initial, i), count)) continue;
    si_add(error, SINEW_ERR_NOT_FINITE, "%scomponent '%s' (%s): gives a value that is not finite",
           si_origin_prefix(k->origin, prefix, sizeof prefix), k->name, k->cls->name);
    return false;
  }
  return true;
}

bool si_program_fill(const si_plan *p, sinew_rig *rig, sinew_error *error) {
  const si_model *m = &rig->model;
  memcpy(rig->ports, p->port_at, p->port_first[m->component_count] * sizeof *rig->ports);
  bool ok = true;
  for (uint32_t i = 0; i < rig->node_count; i++) {
    uint32_t c = p->order[i];
    const si_component *k = &m->components[c];
    sinew_node *node = &rig->nodes[i];
    rig->node_of[c] = i;
    bool fails = si_component_fails(m, c);
    node->eval = fails ? NULL : k->cls->eval;
    node->ports = rig->ports + p->port_first[c];
    node->input_count = k->input_count;
    node->output_count = k->output_count;
    node->hold = p->hold_at[c];
    node->memo = p->memo_at[c];
    node->component = c + 1;
    node->user = k->cls->user;
    rig->can_fail |= fails;
    if (!si_work(20)) return si_memory_false(error);
    ok &= si_data_setup(m, c, (void *)(uintptr_t)node->data, error);
  }
  if (si_stopped()) return si_memory_false(error);
  if (!ok) return false;
  fill_constants(rig);
  for (uint32_t i = 0; i < rig->constant_nodes; i++) {
    rig->nodes[i].eval(&rig->nodes[i], rig->initial);
    ok &= check_constant(rig, &rig->nodes[i], error);
  }
  if (!ok) return false;

  /* the tree's slots are laid out by now */
  uint32_t *slot_of = si_alloc_array((size_t)m->segment_count + 1, sizeof *slot_of);
  if (!slot_of || !si_work(p->port_first[m->component_count])) {
    si_free(slot_of);
    return si_memory_false(error);
  }
  for (uint32_t i = 0; i < m->segment_count; i++) slot_of[rig->slots[i].segment] = i;
  si_marks_fill(m, &(si_marking){ .dof_first = rig->dof_first,
                                  .item_first = rig->node_first,
                                  .marks = rig->marks,
                                  .item_count = rig->node_count,
                                  .item_of = rig->node_of,
                                  .slot_of = slot_of });
  si_fuse_fill(p, slot_of, rig);
  si_free(slot_of);
  return true;
}
