/* Checks that a compiled program can run in its order and in its groups, and that a change reaches
 * everything that reads it. It looks only at what each item (a node of the plain program, a step of
 * the fused one) reads and writes in the value array. So it does not rely on any decision of the
 * compiler. */
#include "base/error_internal.h"
#include "compile/fuse.h"

enum { by_none = -1, known_before = -2 }; /* writers that are not items */

typedef struct checker {
  const sinew_rig *rig;
  bool fused;
  uint32_t items;
  const uint32_t *dof_first, *item_first, *marks;
  int32_t *writer; /* the item that writes each value */
  uint32_t *first; /* the first of the items that run together with each one */
  sinew_error *error;
  bool fine;
} checker;

static const si_component *component_of(const checker *c, const sinew_node *node) {
  return &c->rig->model.components[node->component - 1];
}

static const sinew_node *node_of(const checker *c, uint32_t item) {
  return &c->rig->nodes[c->fused ? c->rig->fused->steps[item] : item];
}

static bool is_product(const checker *c, uint32_t item) {
  const si_fused *f = c->rig->fused;
  return c->fused && item >= f->early && item < f->product_end[SI_TURN_GROUPS - 1];
}

/* the name of the DOF or the component to which a value belongs */
static const char *owner(const checker *c, uint32_t value) {
  if (value < c->rig->model.dof_count) return c->rig->model.dofs[value].name;
  if (c->writer[value] >= 0) return component_of(c, node_of(c, (uint32_t)c->writer[value]))->name;
  for (uint32_t i = 0; i < c->rig->node_count; i++) {
    const sinew_node *node = &c->rig->nodes[i];
    for (uint32_t j = 0; j < node->output_count; j++)
      if (node->ports[node->input_count + j] == value) return component_of(c, node)->name;
  }
  return "?";
}

/* only the first fault is reported */
static void fault(checker *c, const char *who, const char *what, const char *whom) {
  if (!c->fine) return;
  c->fine = false;
  si_add(c->error, SINEW_ERR_CALL, "no schedule in which '%s' %s '%s'", who, what, whom);
  si_expect_failed(c->error->text, __FILE__, __LINE__);
}

static bool marks(const checker *c, const uint32_t *first, uint32_t item) {
  for (uint32_t i = first[0]; i < first[1]; i++)
    if (c->marks[i] == item) return true;
  return false;
}

/* `reader` is an item or, after the items, a slot of the tree */
static void check_read(checker *c, const char *who, uint32_t reader, uint32_t value) {
  int32_t writer = c->writer[value];
  uint32_t first = reader < c->items ? c->first[reader] : c->items;
  bool dof = value < c->rig->model.dof_count;
  if (writer == by_none)
    fault(c, who, "reads what is left aside of", owner(c, value));
  else if (writer >= (int32_t)reader)
    fault(c, who, "runs before what it reads of", owner(c, value));
  else if (writer >= (int32_t)first)
    fault(c, who, "runs together with what it reads of", owner(c, value));
  else if ((dof && !marks(c, c->dof_first + value, reader)) ||
           (writer >= 0 && !marks(c, c->item_first + writer, reader)))
    fault(c, who, "is not marked by a change of", owner(c, value));
}

static void check_item(checker *c, uint32_t item) {
  const si_fused *f = c->rig->fused;
  const sinew_node *node = node_of(c, item);
  const char *name = component_of(c, node)->name;
  if (is_product(c, item))
    for (uint32_t i = f->first_turn[item - f->early]; i < f->first_turn[item - f->early + 1]; i++)
      check_read(c, name, item, f->turn_angle[i]);
  else
    for (uint32_t j = 0; j < node->input_count; j++) check_read(c, name, item, node->ports[j]);
}

static void write_value(checker *c, const sinew_node *node, uint32_t at, int count,
                        int32_t writer) {
  for (uint32_t i = at; i < at + (uint32_t)count; i++) {
    if (c->writer[i] != by_none && writer >= 0)
      fault(c, component_of(c, node)->name, "writes over", owner(c, i));
    c->writer[i] = writer;
  }
}

static void write_outputs(checker *c, const sinew_node *node, int32_t writer) {
  for (uint32_t j = 0; j < node->output_count; j++)
    write_value(c, node, node->ports[node->input_count + j],
                si_kind_numbers(si_output_kind(component_of(c, node), j)), writer);
}

static void find_writers(checker *c) {
  const sinew_rig *rig = c->rig;
  for (uint32_t i = 0; i < rig->value_count; i++)
    c->writer[i] = i < rig->output_first ? known_before : by_none;
  for (uint32_t i = 0; c->fused && i < rig->constant_nodes; i++)
    write_outputs(c, &rig->nodes[i], known_before);
  for (uint32_t i = 0; i < c->items; i++)
    if (is_product(c, i))
      write_value(c, node_of(c, i), rig->fused->product_at[i - rig->fused->early], 16, (int32_t)i);
    else
      write_outputs(c, node_of(c, i), (int32_t)i);
}

/* all products may run together, and so may the steps of a group */
static void find_groups(checker *c) {
  const si_fused *f = c->rig->fused;
  for (uint32_t i = 0; i < c->items; i++) c->first[i] = is_product(c, i) ? f->early : i;
  for (uint32_t run = 0; c->fused && run < f->group_runs; run++)
    for (uint32_t i = f->groups[2 * run]; i < f->groups[2 * run + 1]; i++)
      c->first[i] = f->groups[2 * run];
}

/* nodes left aside are evaluated on demand, in order, after everything else */
static void check_aside(checker *c) {
  const si_fused *f = c->rig->fused;
  for (uint32_t i = 0; i < f->aside_count; i++) {
    const sinew_node *node = &c->rig->nodes[f->aside[i]];
    for (uint32_t j = 0; j < node->input_count; j++)
      if (c->writer[node->ports[j]] == by_none)
        fault(c, component_of(c, node)->name, "is left aside before", owner(c, node->ports[j]));
    write_outputs(c, node, known_before);
  }
}

static void check(checker *c) {
  const sinew_rig *rig = c->rig;
  find_writers(c);
  find_groups(c);
  for (uint32_t i = 0; i < c->items; i++) check_item(c, i);
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    const si_slot *slot = &rig->slots[i];
    uint32_t at = c->fused && slot->placed != SI_NONE ? slot->placed : slot->local;
    if (at != SI_NONE) check_read(c, rig->model.segments[slot->segment].name, c->items + i, at);
  }
  if (c->fused) check_aside(c);
}

bool si_schedule_check(const sinew_rig *rig, sinew_error *error) {
  const si_fused *f = rig->fused;
  checker c = { .rig = rig, .error = error, .fine = true };
  c.writer = si_alloc_array((size_t)rig->value_count + 1, sizeof *c.writer);
  c.first = si_alloc_array((size_t)rig->node_count + 1, sizeof *c.first);
  if (c.writer && c.first) {
    c.items = rig->node_count;
    c.dof_first = rig->dof_first, c.item_first = rig->node_first, c.marks = rig->marks;
    check(&c);
    c.fused = true;
    c.items = f->step_count;
    c.dof_first = f->dof_first, c.item_first = f->step_first, c.marks = f->marks;
    check(&c);
  } else {
    si_fail_memory(error);
    c.fine = false;
  }
  si_free(c.writer);
  si_free(c.first);
  return c.fine;
}
