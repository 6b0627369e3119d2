/* Plans derivatives: which nodes are needed for the given DOFs and segments, which columns each of
 * them depends on, and where everything is stored. All in one block. */
#include "base/alloc.h"
#include "base/error_internal.h"
#include "math/matrix.h"
#include "evaluate/tangent_internal.h"

static const float one = 1; /* the derivative of a DOF by itself */

/* data that is needed only while planning */
typedef struct draft {
  const sinew_rig *rig;
  uint32_t column_count, words; /* words of 64 columns */
  uint32_t *column_of;          /* DOF to column, or SI_NONE */
  uint32_t *dofs;
  bool *node_needed;
  bool *node_read; /* by another node that is needed, or by a segment */
  bool *slot_needed;
  bool *watched; /* segments */
  uint32_t *slot_of;
  uint64_t *reached;  /* columns that move each node */
  uint64_t *carried;  /* columns that move each slot of the tree */
  uint32_t *motion;   /* for each column its G at the current slot of the tree */
  uint32_t *joint_of; /* slot to joint, or SI_NONE */
  /* counts */
  uint32_t steps, joints, inputs, outputs;
  size_t columns, floats, motions, reaches;
  uint32_t sample_room;
} draft;

static void free_draft(draft *d) {
  si_free(d->column_of);
  si_free(d->dofs);
  si_free(d->node_needed);
  si_free(d->node_read);
  si_free(d->slot_needed);
  si_free(d->watched);
  si_free(d->slot_of);
  si_free(d->reached);
  si_free(d->carried);
  si_free(d->motion);
  si_free(d->joint_of);
}

static bool alloc_draft(draft *d) {
  const si_model *m = &d->rig->model;
  size_t nodes = d->rig->node_count, segments = m->segment_count, columns = d->column_count;
  d->words = (d->column_count + 63) / 64;
  d->column_of = si_alloc_array((size_t)m->dof_count + 1, sizeof *d->column_of);
  d->dofs = si_alloc_array(columns + 1, sizeof *d->dofs);
  d->node_needed = si_alloc_array(nodes + 1, sizeof *d->node_needed);
  d->node_read = si_alloc_array(nodes + 1, sizeof *d->node_read);
  d->slot_needed = si_alloc_array(segments + 1, sizeof *d->slot_needed);
  d->watched = si_alloc_array(segments + 1, sizeof *d->watched);
  d->slot_of = si_alloc_array(segments + 1, sizeof *d->slot_of);
  d->reached = si_alloc_array((nodes + 1) * d->words, sizeof *d->reached);
  d->motion = si_alloc_array(columns + 1, sizeof *d->motion);
  d->carried = si_alloc_array((segments + 1) * d->words, sizeof *d->carried);
  d->joint_of = si_alloc_array(segments + 1, sizeof *d->joint_of);
  return d->column_of && d->dofs && d->node_needed && d->node_read && d->slot_needed &&
         d->watched && d->slot_of && d->reached && d->carried && d->motion && d->joint_of;
}

/* --- what was asked for */

static bool read_dofs(draft *d, const sinew_tangent_desc *desc, sinew_error *error) {
  const si_model *m = &d->rig->model;
  for (uint32_t i = 0; i < m->dof_count; i++) d->column_of[i] = SI_NONE;
  for (uint32_t c = 0; c < d->column_count; c++) {
    uint32_t id = desc && desc->dofs ? desc->dofs[c].id : c + 1;
    if (!id || id > m->dof_count)
      return si_fail_false(error, SINEW_ERR_VALUE, "DOF %u of %u does not belong to rig '%s'",
                           c + 1, d->column_count, m->name);
    if (d->column_of[id - 1] != SI_NONE)
      return si_fail_false(error, SINEW_ERR_VALUE, "duplicate DOF '%s'", m->dofs[id - 1].name);
    d->column_of[id - 1] = c;
    d->dofs[c] = id - 1;
  }
  return true;
}

static bool read_segments(draft *d, const sinew_tangent_desc *desc, sinew_error *error) {
  const si_model *m = &d->rig->model;
  bool all = !desc || !desc->segments;
  uint32_t count = all ? m->segment_count : (uint32_t)desc->segment_count;
  for (uint32_t i = 0; i < m->segment_count; i++) d->slot_of[d->rig->slots[i].segment] = i;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = all ? i + 1 : desc->segments[i].id;
    if (!id || id > m->segment_count)
      return si_fail_false(error, SINEW_ERR_VALUE, "segment %u of %u does not belong to rig '%s'",
                           i + 1, count, m->name);
    d->watched[id - 1] = true;
    for (uint32_t s = id; s && !d->slot_needed[d->slot_of[s - 1]]; s = m->segments[s - 1].parent) {
      const si_source *source = &m->segments[s - 1].source;
      d->slot_needed[d->slot_of[s - 1]] = true;
      if (source->kind != SI_FROM_OUTPUT) continue;
      d->node_needed[d->rig->node_of[source->id - 1]] = true;
      d->node_read[d->rig->node_of[source->id - 1]] = true;
    }
  }
  return true;
}

static bool read_outputs(draft *d, const sinew_tangent_desc *desc, sinew_error *error) {
  const si_model *m = &d->rig->model;
  if (!desc || (!desc->segments && !desc->outputs)) {
    memset(d->node_needed, true, d->rig->node_count);
    return true;
  }
  for (int i = 0; desc->outputs && i < desc->output_count; i++) {
    uint32_t id = desc->outputs[i].component.id;
    if (!id || id > m->component_count || desc->outputs[i].output < 0 ||
        (uint32_t)desc->outputs[i].output >= m->components[id - 1].output_count)
      return si_fail_false(error, SINEW_ERR_VALUE, "output %d of %d does not belong to rig '%s'",
                           i + 1, desc->output_count, m->name);
    d->node_needed[d->rig->node_of[id - 1]] = true;
  }
  return true;
}

/* --- which columns reach what */

static uint64_t *reached_by(const draft *d, uint32_t node) {
  return d->reached + (size_t)node * d->words;
}

static uint32_t count_columns(const draft *d, const uint64_t *set) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < d->words; w++) count += (uint32_t)__builtin_popcountll(set[w]);
  return count;
}

/* backwards from the last node: a node that a needed one reads is needed too */
static void spread_need(draft *d) {
  for (uint32_t n = d->rig->node_count; n-- > 0;) {
    if (!d->node_needed[n]) continue;
    const si_component *k = &d->rig->model.components[d->rig->nodes[n].component - 1];
    for (uint32_t i = 0; i < k->input_count; i++)
      if (k->inputs[i].kind == SI_FROM_OUTPUT) {
        d->node_needed[d->rig->node_of[k->inputs[i].id - 1]] = true;
        d->node_read[d->rig->node_of[k->inputs[i].id - 1]] = true;
      }
  }
}

static void spread_columns(draft *d) {
  for (uint32_t n = d->rig->constant_nodes; n < d->rig->node_count; n++) {
    if (!d->node_needed[n]) continue;
    const si_component *k = &d->rig->model.components[d->rig->nodes[n].component - 1];
    uint64_t *set = reached_by(d, n);
    for (uint32_t i = 0; i < k->input_count; i++) {
      const si_source *s = &k->inputs[i];
      if (s->kind == SI_FROM_DOF && d->column_of[s->id - 1] != SI_NONE) {
        uint32_t c = d->column_of[s->id - 1];
        set[c / 64] |= UINT64_C(1) << c % 64;
      } else if (s->kind == SI_FROM_OUTPUT) {
        const uint64_t *from = reached_by(d, d->rig->node_of[s->id - 1]);
        for (uint32_t w = 0; w < d->words; w++) set[w] |= from[w];
      }
    }
  }
}

/* how many columns an input depends on */
static uint32_t input_columns(const draft *d, const si_source *s) {
  if (s->kind == SI_FROM_DOF) return d->column_of[s->id - 1] != SI_NONE;
  if (s->kind == SI_FROM_OUTPUT) return count_columns(d, reached_by(d, d->rig->node_of[s->id - 1]));
  return 0;
}

/* the driver's node if some column moves the slot's matrix, else SI_NONE */
static uint32_t moved_driver(const draft *d, uint32_t slot) {
  const si_source *s = &d->rig->model.segments[d->rig->slots[slot].segment].source;
  if (!d->slot_needed[slot] || s->kind != SI_FROM_OUTPUT) return SI_NONE;
  uint32_t node = d->rig->node_of[s->id - 1];
  return count_columns(d, reached_by(d, node)) ? node : SI_NONE;
}

static size_t align_floats(size_t at, sinew_kind kind) {
  size_t align = si_kind_align(kind);
  return (at + align - 1) / align * align;
}

/* how many floats a node's derivatives take; unless `at` is NULL, writes there where each output's
 * start */
static size_t lay_outputs(const si_component *k, uint32_t columns, float *room, float **at) {
  size_t used = 0;
  for (uint32_t i = 0; i < k->output_count; i++) {
    used = align_floats(used, si_output_kind(k, i));
    if (at) at[i] = room + used;
    used += (size_t)columns * si_kind_floats(si_output_kind(k, i));
  }
  return (used + 7) / 8 * 8;
}

static void count_steps(draft *d) {
  for (uint32_t n = d->rig->constant_nodes; n < d->rig->node_count; n++) {
    uint32_t columns = count_columns(d, reached_by(d, n));
    if (!columns) continue;
    const si_component *k = &d->rig->model.components[d->rig->nodes[n].component - 1];
    d->steps++;
    d->columns += columns;
    d->inputs += k->input_count;
    d->outputs += k->output_count;
    d->floats += lay_outputs(k, columns, NULL, NULL);
    for (uint32_t i = 0; i < k->input_count; i++) d->columns += input_columns(d, &k->inputs[i]);
    if (si_tangent_of(k->cls, &d->rig->nodes[n])) continue;
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < k->output_count; i++) numbers += si_kind_floats(si_output_kind(k, i));
    if (numbers > d->sample_room) d->sample_room = numbers;
  }
}

static void count_tree(draft *d) {
  const sinew_rig *rig = d->rig;
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    uint64_t *set = d->carried + (size_t)i * d->words;
    uint32_t node = moved_driver(d, i), parent = rig->slots[i].parent;
    d->joint_of[i] = SI_NONE;
    if (node != SI_NONE) {
      memcpy(set, reached_by(d, node), d->words * sizeof *set);
      d->joint_of[i] = d->joints++;
      d->motions += count_columns(d, set);
    }
    if (parent != SI_NONE) {
      const uint64_t *from = d->carried + (size_t)d->slot_of[parent] * d->words;
      for (uint32_t w = 0; w < d->words; w++) set[w] |= from[w];
    }
    if (d->watched[rig->slots[i].segment]) d->reaches += count_columns(d, set);
  }
}

/* --- laying it out */

static void carve(const draft *d, si_carver *carver, sinew_tangent *t, uint32_t **columns,
                  sinew_input_rates **inputs, float ***outputs, float **room) {
  const si_model *m = &d->rig->model;
  si_carve(carver, 1, sizeof *t, SI_ALIGN);
  *room = si_carve(carver, d->floats, sizeof **room, SI_ALIGN);
  t->motions = si_carve(carver, d->motions, 16 * sizeof *t->motions, SI_ALIGN);
  t->world = si_carve(carver, m->segment_count, 16 * sizeof *t->world, SI_ALIGN);
  t->scratch = si_carve(carver, d->sample_room ? d->rig->value_count : 0, sizeof(float), SI_ALIGN);
  t->samples = si_carve(carver, 2 * (size_t)d->sample_room, sizeof *t->samples, SI_ALIGN);
  t->steps = si_carve(carver, d->steps, sizeof *t->steps, 16);
  t->joints = si_carve(carver, d->joints, sizeof *t->joints, 16);
  *inputs = si_carve(carver, d->inputs, sizeof **inputs, 16);
  *outputs = si_carve(carver, d->outputs, sizeof **outputs, 16);
  *columns = si_carve(carver, d->columns, sizeof **columns, 4);
  t->dofs = si_carve(carver, d->column_count, sizeof *t->dofs, 4);
  t->step_of = si_carve(carver, d->rig->node_count, sizeof *t->step_of, 4);
  t->above = si_carve(carver, d->motions, sizeof *t->above, 4);
  t->reach_first = si_carve(carver, (size_t)m->segment_count + 1, sizeof *t->reach_first, 4);
  t->reach_column = si_carve(carver, d->reaches, sizeof *t->reach_column, 4);
  t->reach_motion = si_carve(carver, d->reaches, sizeof *t->reach_motion, 4);
  t->watched = si_carve(carver, m->segment_count, sizeof *t->watched, 1);
}

static uint32_t list_columns(const draft *d, const uint64_t *set, uint32_t *dest) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < d->words; w++)
    for (uint64_t bits = set[w]; bits; bits &= bits - 1)
      dest[count++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
  return count;
}

/* where an input's derivatives are stored, and which of the node's columns they belong to */
static sinew_input_rates input_rates(const draft *d, const sinew_tangent *t,
                                     const si_tangent_step *step, const si_source *s,
                                     uint32_t *columns) {
  sinew_input_rates in = { .columns = columns };
  if (s->kind == SI_FROM_DOF && d->column_of[s->id - 1] != SI_NONE) {
    in.count = 1;
    in.rates = &one;
    columns[0] = d->column_of[s->id - 1];
  } else if (s->kind == SI_FROM_OUTPUT) {
    uint32_t node = d->rig->node_of[s->id - 1];
    in.count = list_columns(d, reached_by(d, node), columns);
    if (in.count) in.rates = t->steps[t->step_of[node]].rates.outputs[s->output];
  }
  /* maps indices among all columns to the node's own, which contain them in the same order */
  for (uint32_t i = 0, own = 0; i < in.count; i++) {
    while (step->columns[own] != columns[i]) own++;
    columns[i] = own;
  }
  return in;
}

static void fill_steps(const draft *d, sinew_tangent *t, uint32_t *columns,
                       sinew_input_rates *inputs, float **outputs, float *room) {
  for (uint32_t n = 0; n < d->rig->node_count; n++) {
    t->step_of[n] = SI_NONE;
    const uint64_t *set = reached_by(d, n);
    uint32_t count = count_columns(d, set);
    if (!count) continue;
    const sinew_node *node = &d->rig->nodes[n];
    const si_component *k = &d->rig->model.components[node->component - 1];
    si_tangent_step *step = &t->steps[t->step_count];
    t->step_of[n] = t->step_count++;
    *step = (si_tangent_step){ .node = node,
                               .columns = columns,
                               .rates = { count, inputs, outputs },
                               .room = room,
                               .tangent = si_tangent_of(k->cls, node),
                               .last = !d->node_read[n] };
    step->room_count = (uint32_t)lay_outputs(k, count, room, outputs);
    room += step->room_count;
    outputs += k->output_count;
    columns += list_columns(d, set, columns);
    for (uint32_t i = 0; i < k->input_count; i++, inputs++) {
      *inputs = input_rates(d, t, step, &k->inputs[i], columns);
      columns += inputs->count;
    }
  }
}

/* the G of each column at a slot */
static void find_motions(const draft *d, const sinew_tangent *t, uint32_t slot) {
  for (uint32_t c = 0; c < d->column_count; c++) d->motion[c] = SI_NONE;
  for (;;) {
    const si_slot *at = &d->rig->slots[slot];
    if (d->joint_of[slot] != SI_NONE) {
      const si_tangent_joint *joint = &t->joints[d->joint_of[slot]];
      const si_source *s = &d->rig->model.segments[at->segment].source;
      const uint32_t *columns = t->steps[t->step_of[d->rig->node_of[s->id - 1]]].columns;
      for (uint32_t i = 0; i < joint->count; i++)
        if (d->motion[columns[i]] == SI_NONE) d->motion[columns[i]] = joint->first + i;
    }
    if (at->parent == SI_NONE) return;
    slot = d->slot_of[at->parent];
  }
}

static void fill_tree(const draft *d, sinew_tangent *t) {
  const sinew_rig *rig = d->rig;
  uint32_t motions = 0, reaches = 0;
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    if (d->joint_of[i] == SI_NONE) continue;
    const si_slot *slot = &rig->slots[i];
    const si_source *s = &rig->model.segments[slot->segment].source;
    const si_tangent_step *step = &t->steps[t->step_of[rig->node_of[s->id - 1]]];
    t->joints[t->joint_count++] = (si_tangent_joint){ .slot = i,
                                                      .first = motions,
                                                      .count = step->rates.count,
                                                      .rates = step->rates.outputs[s->output] };
    for (uint32_t c = 0; c < d->column_count; c++) d->motion[c] = SI_NONE;
    if (slot->parent != SI_NONE) find_motions(d, t, d->slot_of[slot->parent]);
    for (uint32_t k = 0; k < step->rates.count; k++)
      t->above[motions++] = d->motion[step->columns[k]];
  }
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    t->reach_first[i] = reaches;
    t->watched[i] = d->watched[i];
    si_mat_identity(t->world + 16 * (size_t)i);
    if (!d->watched[i]) continue;
    uint32_t slot = d->slot_of[i];
    find_motions(d, t, slot);
    for (uint32_t c = 0; c < d->column_count; c++) {
      if (d->motion[c] == SI_NONE) continue;
      t->reach_column[reaches] = c;
      t->reach_motion[reaches++] = d->motion[c];
    }
  }
  t->reach_first[rig->model.segment_count] = reaches;
}

static sinew_tangent *build(draft *d, sinew_error *error) {
  if (d->motions > INT32_MAX || d->reaches > INT32_MAX || d->columns > INT32_MAX) {
    si_fail(error, SINEW_ERR_LIMIT, "the rig has more derivatives than %d", INT32_MAX);
    return NULL;
  }
  sinew_tangent measured;
  uint32_t *columns;
  sinew_input_rates *inputs;
  float **outputs, *room;
  si_carver carver = { 0 };
  carve(d, &carver, &measured, &columns, &inputs, &outputs, &room);
  sinew_tangent *t = si_alloc(carver.used);
  if (!t) return si_memory_null(error);
  carver = (si_carver){ .base = (unsigned char *)t };
  carve(d, &carver, t, &columns, &inputs, &outputs, &room);
  t->rig = d->rig;
  t->column_count = d->column_count;
  t->sample_room = d->sample_room;
  memcpy(t->dofs, d->dofs, d->column_count * sizeof *t->dofs);
  /* constants and fallbacks of unwired inputs are written once and stay */
  if (d->sample_room) memcpy(t->scratch, d->rig->initial, d->rig->value_count * sizeof *t->scratch);
  fill_steps(d, t, columns, inputs, outputs, room);
  fill_tree(d, t);
  si_rig_watch(d->rig, &t->watcher, "solver or tangent");
  return t;
}

sinew_tangent_desc sinew_default_tangent_desc(void) {
  return (sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc) };
}

/* `sample_room`: at least that many numbers for finite differences */
static sinew_tangent *plan(const sinew_rig *rig, const sinew_tangent_desc *desc,
                           uint32_t sample_room, sinew_error *error) {
  draft d = { .rig = rig,
              .sample_room = sample_room,
              .column_count = desc->dofs ? (uint32_t)desc->dof_count : rig->model.dof_count };
  sinew_tangent *t = NULL;
  if (!alloc_draft(&d)) {
    si_fail_memory(error);
  } else if (read_dofs(&d, desc, error) && read_segments(&d, desc, error) &&
             read_outputs(&d, desc, error)) {
    spread_need(&d);
    spread_columns(&d);
    count_steps(&d);
    count_tree(&d);
    t = build(&d, error);
  }
  free_draft(&d);
  return t;
}

sinew_tangent *sinew_tangent_create(const sinew_rig *rig, const sinew_tangent_desc *desc,
                                    sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  sinew_tangent_desc whole = sinew_default_tangent_desc();
  if (!SI_TAKE_DESC(tangent_desc, desc, &whole, error)) return NULL;
  if (!SI_EXPECT(desc->dof_count >= 0 && desc->segment_count >= 0 && desc->output_count >= 0))
    return NULL;
  return plan(rig, desc, 0, error);
}

sinew_tangent *si_tangent_create_holds(const sinew_rig *rig, const sinew_dof *dofs, int dof_count,
                                       const sinew_component *components, int component_count,
                                       sinew_error *error) {
  static const sinew_segment none;
  sinew_output *outputs = si_alloc_array((size_t)component_count + 1, sizeof *outputs);
  if (!outputs) return si_memory_null(error);
  for (int i = 0; i < component_count; i++) outputs[i].component = components[i];
  sinew_tangent_desc desc = { .size = sizeof desc,
                              .dofs = dofs,
                              .dof_count = dof_count,
                              .segments = &none,
                              .outputs = outputs,
                              .output_count = component_count };
  sinew_tangent *t = plan(rig, &desc, 1, error);
  si_free(outputs);
  return t;
}

void sinew_tangent_destroy(sinew_tangent *tangent) {
  if (tangent) si_rig_unwatch(tangent->rig, &tangent->watcher);
  si_free(tangent);
}
