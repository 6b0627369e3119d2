/* Plans the fused program: which components it runs, joins into products or leaves aside; and fills
 * its arrays. */
#include "base/budget_internal.h"
#include "compile/fuse.h"

#include "components/rotation.h"
#include "compile/products_of_four.h"
#include "compile/scalar_steps.h"

#include <float.h>

typedef struct fuser {
  const si_model *m;
  const si_plan *plan;
  si_fusing *f;
  bool *live, *constant, *early, *ready;
  uint32_t *readers, *drives;         /* how many live components read it; how many segments */
  uint32_t *places, *listed, *sorted; /* scratch */
} fuser;

void si_fusing_free(si_fusing *f) {
  if (!f) return;
  si_free(f->steps);
  si_free(f->step_of);
  si_free(f->aside);
  si_free(f->turns);
  si_free(f->segment);
  si_free(f->placed_at);
  si_free(f->rank);
  si_free(f);
}

/* A component is live when a segment depends on it. A custom component is always live, since it may
 * fail */
static void find_live(fuser *u) {
  const si_model *m = u->m;
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (m->segments[i].source.kind == SI_FROM_OUTPUT) {
      u->drives[m->segments[i].source.id - 1]++;
      u->f->segment[m->segments[i].source.id - 1] = i;
    }
  for (uint32_t i = m->component_count; i-- > 0;) {
    uint32_t c = u->plan->order[i];
    u->constant[c] = i < u->plan->constant_nodes;
    u->live[c] |= u->drives[c] || !sinew_catalog_has(m->components[c].cls);
    if (!u->live[c]) continue;
    for (uint32_t j = 0; j < m->components[c].input_count; j++) {
      const si_source *s = &m->components[c].inputs[j];
      if (s->kind != SI_FROM_OUTPUT) continue;
      u->live[s->id - 1] = true;
      u->readers[s->id - 1]++;
    }
  }
}

static bool wants_scalars(const si_component *k) {
  for (uint32_t j = 0; j < k->input_count; j++)
    if (k->inputs[j].kind == SI_FROM_OUTPUT && si_input_desc(k, j)->kind != SINEW_SCALAR)
      return false;
  return true;
}

/* finds components that depend on scalars alone, and rotations whose angles depend on those
 * alone */
static void find_early(fuser *u) {
  for (uint32_t i = u->plan->constant_nodes; i < u->m->component_count; i++) {
    uint32_t c = u->plan->order[i];
    const si_component *k = &u->m->components[c];
    bool known = u->live[c] && wants_scalars(k);
    for (uint32_t j = 0; j < k->input_count; j++) {
      const si_source *s = &k->inputs[j];
      known &= s->kind != SI_FROM_OUTPUT || u->early[s->id - 1] || u->constant[s->id - 1];
    }
    u->ready[c] = known && si_component_turns(u->m, c);
    u->early[c] = known && !u->ready[c];
  }
}

/* whether a component multiplies only rotations that nothing else reads */
static bool joins_turns(const fuser *u, uint32_t component) {
  const si_component *k = &u->m->components[component];
  if (!u->live[component] || !k->cls->product) return false;
  for (uint32_t j = 0; j < k->input_count; j++) {
    const si_source *s = &k->inputs[j];
    if (s->kind != SI_FROM_OUTPUT || !u->ready[s->id - 1] || u->readers[s->id - 1] != 1 ||
        u->drives[s->id - 1])
      return false;
  }
  return true;
}

static void add_step(fuser *u, uint32_t component) {
  u->f->step_of[component] = u->f->step_count;
  u->f->steps[u->f->step_count++] = component;
}

static uint32_t group_of(uint32_t turns) {
  return turns < SI_TURN_GROUPS ? turns - 1 : SI_TURN_GROUPS - 1;
}

/* A stable counting sort of `count` components from `from` to `to` by key: counts the components of
 * each key, then computes where each key starts */
static void sort_by(const uint32_t *keys, uint32_t *places, const uint32_t *from, uint32_t count,
                    uint32_t *to) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) most = keys[from[i]] > most ? keys[from[i]] : most;
  memset(places, 0, ((size_t)most + 1) * sizeof *places);
  for (uint32_t i = 0; i < count; i++) places[keys[from[i]]]++;
  for (uint32_t k = 0, sum = 0; k <= most; k++) {
    uint32_t here = places[k];
    places[k] = sum;
    sum += here;
  }
  for (uint32_t i = 0; i < count; i++) to[places[keys[from[i]]]++] = from[i];
}

/* the first component of the same class among `count` of different classes, to which it is added if
 * there is none */
static uint32_t first_alike(const si_model *m, uint32_t *firsts, uint32_t *count,
                            uint32_t component) {
  for (uint32_t i = 0; i < *count; i++)
    if (m->components[firsts[i]].cls == m->components[component].cls) return firsts[i];
  firsts[(*count)++] = component;
  return component;
}

/* Lists the early steps by rank. A step's rank is twice the length of the longest chain of grouped
 * steps (those with `eval_all`, such as cones) that it depends on, plus one if it is grouped
 * itself. So steps of one rank that are grouped never read each other. Within a rank, steps are
 * sorted by class, then by the length of the longest chain of steps that they depend on, so that a
 * step rarely waits for the result of the one before it */
static void list_early(fuser *u) {
  const uint32_t *order = u->plan->order;
  uint32_t n = u->m->component_count, count = 0, classes = 0;
  uint32_t *rank = u->f->rank, *level = u->drives, *alike = u->readers; /* reused as scratch */
  for (uint32_t i = u->plan->constant_nodes; i < n; i++) {
    uint32_t c = order[i], groups = 0, steps = 0;
    if (!u->early[c]) continue;
    for (uint32_t j = 0; j < u->m->components[c].input_count; j++) {
      const si_source *s = &u->m->components[c].inputs[j];
      if (s->kind != SI_FROM_OUTPUT || u->constant[s->id - 1]) continue;
      uint32_t behind = (rank[s->id - 1] + 1) / 2, after = level[s->id - 1] + 1;
      groups = behind > groups ? behind : groups;
      steps = after > steps ? after : steps;
    }
    rank[c] = 2 * groups + (u->m->components[c].cls->eval_all != NULL);
    level[c] = steps;
    alike[c] = 0;
    if (rank[c] % 2) alike[c] = first_alike(u->m, u->sorted, &classes, c);
    u->listed[count++] = c;
  }
  sort_by(level, u->places, u->listed, count, u->sorted);
  sort_by(alike, u->places, u->sorted, count, u->listed);
  sort_by(rank, u->places, u->listed, count, u->f->steps);
  for (uint32_t i = 0; i < count; i++) u->f->step_of[u->f->steps[i]] = i;
  u->f->step_count = count;
}

static void list_steps(fuser *u) {
  si_fusing *f = u->f;
  uint32_t n = u->m->component_count, first = u->plan->constant_nodes;
  const uint32_t *order = u->plan->order;
  for (uint32_t i = 0; i < n; i++) f->step_of[i] = SI_NONE;
  for (uint32_t i = 0; i < first; i++) f->segment[order[i]] = SI_NONE;
  /* backwards, so that a product is found before the rotations inside it */
  for (uint32_t i = n; i-- > first;) {
    uint32_t c = order[i];
    if (joins_turns(u, c)) {
      f->turns[c] = u->m->components[c].input_count;
      for (uint32_t j = 0; j < f->turns[c]; j++)
        f->aside[u->m->components[c].inputs[j].id - 1] = true;
    } else if (u->ready[c] && !f->aside[c]) {
      f->turns[c] = 1;
    }
    f->aside[c] |= !u->live[c];
    f->turn_count += f->turns[c];
    if (!f->turns[c] || u->drives[c] != 1 || u->readers[c]) f->segment[c] = SI_NONE;
  }
  list_early(u);
  f->early = f->step_count;
  for (uint32_t group = 0; group < SI_TURN_GROUPS; group++) {
    for (uint32_t i = first; i < n; i++)
      if (f->turns[order[i]] && group_of(f->turns[order[i]]) == group) add_step(u, order[i]);
    f->product_end[group] = f->step_count;
  }
  for (uint32_t i = first; i < n; i++) {
    uint32_t c = order[i];
    if (!u->early[c] && !f->turns[c] && !f->aside[c]) add_step(u, c);
  }
  /* when a rotation inside a product changes, the product must run again */
  for (uint32_t i = first; i < n; i++)
    for (uint32_t j = 0; f->turns[order[i]] && j < u->m->components[order[i]].input_count; j++) {
      const si_source *s = &u->m->components[order[i]].inputs[j];
      if (s->kind == SI_FROM_OUTPUT && f->aside[s->id - 1])
        f->step_of[s->id - 1] = f->step_of[order[i]];
    }
}

bool si_fuse_plan(const si_model *m, si_plan *plan) {
  size_t n = (size_t)m->component_count + 1;
  si_fusing *f = plan->fusing = si_alloc(sizeof *f);
  bool *flags = si_alloc_array(4 * n, sizeof *flags);
  uint32_t *counts = si_alloc_array(6 * n, sizeof *counts);
  fuser u = { .m = m, .plan = plan, .f = f, .readers = counts };
  bool ok = f && flags && counts;
  if (ok) {
    u.live = flags, u.constant = flags + n, u.early = flags + 2 * n, u.ready = flags + 3 * n;
    u.drives = counts + n, u.listed = counts + 2 * n, u.sorted = counts + 3 * n;
    u.places = counts + 4 * n;
    f->steps = si_alloc_array(n, sizeof *f->steps);
    f->step_of = si_alloc_array(n, sizeof *f->step_of);
    f->aside = si_alloc_array(n, sizeof *f->aside);
    f->turns = si_alloc_array(n, sizeof *f->turns);
    f->segment = si_alloc_array(n, sizeof *f->segment);
    f->placed_at = si_alloc_array(n, sizeof *f->placed_at);
    f->rank = si_alloc_array(n, sizeof *f->rank);
    ok = f->steps && f->step_of && f->aside && f->turns && f->segment && f->placed_at && f->rank;
  }
  ok = ok && si_work(15 * n);
  if (ok) {
    find_live(&u);
    find_early(&u);
    list_steps(&u);
  }
  si_free(flags);
  si_free(counts);
  return ok;
}

/* Finds the runs of steps of one rank that `eval_all` evaluates together. Writes the first and end
 * step of each to `dest`, unless that is NULL. Returns how many there are */
static uint32_t grouped_runs(const si_model *m, const si_fusing *f, uint32_t *dest) {
  uint32_t count = 0;
  for (uint32_t i = 0, end; i < f->early; i = end) {
    uint32_t rank = f->rank[f->steps[i]];
    const sinew_component_class *cls = m->components[f->steps[i]].cls;
    for (end = i + 1; end < f->early && f->rank[f->steps[end]] == rank; end++)
      if (cls->eval_all && m->components[f->steps[end]].cls != cls) break;
    if (!cls->eval_all) continue;
    if (dest) {
      dest[2 * count] = i;
      dest[2 * count + 1] = end;
    }
    count++;
  }
  return count;
}

/* whether a node's values or holds are missing after the fused program; a rotation that is a
 * product by itself writes its matrix, but not its hold */
static bool left_out(const si_model *m, const si_fusing *f, uint32_t component) {
  return f->aside[component] || f->segment[component] != SI_NONE ||
         (f->turns[component] && si_component_turns(m, component));
}

void si_fuse_carve(const si_model *m, const si_plan *p, si_carver *carver, sinew_rig *rig) {
  const si_fusing *f = p->fusing;
  si_fused measured, *d = si_carve(carver, 1, sizeof *d, SI_ALIGN);
  rig->fused = d;
  if (!d) d = &measured;
  uint32_t n = f->step_count, products = f->product_end[SI_TURN_GROUPS - 1] - f->early;
  uint32_t slots = (f->turn_count + SI_LANES - 1) / SI_LANES * SI_LANES;
  d->aside_count = d->unplaced_count = 0;
  d->group_runs = grouped_runs(m, f, NULL);
  for (uint32_t i = 0; i < m->component_count; i++) d->aside_count += left_out(m, f, i);
  d->step_count = n, d->early = f->early, d->turn_count = f->turn_count, d->turn_slots = slots;
  memcpy(d->product_end, f->product_end, sizeof d->product_end);
  d->turns = si_carve(carver, f->turn_count, sizeof *d->turns, 64);
  si_quads_carve(f->product_end, carver, d);
  d->scalars = si_carve(carver, f->early, sizeof *d->scalars, 16);
  d->steps = si_carve(carver, n, sizeof *d->steps, 4);
  d->groups = si_carve(carver, 2 * (size_t)d->group_runs, sizeof *d->groups, 4);
  d->first_turn = si_carve(carver, (size_t)products + 1, sizeof *d->first_turn, 4);
  d->product_at = si_carve(carver, products, sizeof *d->product_at, 4);
  d->aside = si_carve(carver, d->aside_count, sizeof *d->aside, 4);
  d->unplaced = si_carve(carver, m->segment_count, sizeof *d->unplaced, 4);
  d->turn_node = si_carve(carver, f->turn_count, sizeof *d->turn_node, 4);
  d->turn_angle = si_carve(carver, slots, sizeof *d->turn_angle, 16);
  d->low = si_carve(carver, slots, sizeof *d->low, 16);
  d->high = si_carve(carver, slots, sizeof *d->high, 16);
  d->rest = si_carve(carver, slots, sizeof *d->rest, 16);
  d->turn_slot = si_carve(carver, f->turn_count, sizeof *d->turn_slot, 4);
  d->rotations = si_carve(carver, f->turn_count, sizeof *d->rotations, 16);
  d->dof_first = si_carve(carver, (size_t)m->dof_count + 1, sizeof *d->dof_first, 4);
  d->step_first = si_carve(carver, (size_t)n + 1, sizeof *d->step_first, 4);
  d->marks = si_carve(carver, p->mark_count, sizeof *d->marks, 4);
  rig->dof_low = si_carve(carver, m->dof_count, sizeof *rig->dof_low, 16);
  rig->dof_high = si_carve(carver, m->dof_count, sizeof *rig->dof_high, 16);
}

static void add_turn(sinew_rig *rig, uint32_t at, uint32_t component) {
  uint32_t node = rig->node_of[component];
  rig->fused->turn_node[at] = node;
  rig->fused->turn_angle[at] = rig->nodes[node].ports[0];
  rig->fused->turn_slot[at] = SI_NONE;
}

void si_fuse_fill(const si_plan *p, const uint32_t *slot_of, sinew_rig *rig) {
  const si_model *m = &rig->model;
  const si_fusing *f = p->fusing;
  si_fused *d = rig->fused;
  uint32_t turn = 0, aside = 0, product = 0;
  grouped_runs(m, f, d->groups);
  for (uint32_t i = 0; i < f->step_count; i++) {
    uint32_t c = f->steps[i];
    d->steps[i] = rig->node_of[c];
    if (!f->turns[c]) continue;
    const sinew_node *node = &rig->nodes[d->steps[i]];
    bool placed = f->segment[c] != SI_NONE;
    uint32_t first = turn;
    d->product_at[product] = placed ? f->placed_at[c] : node->ports[node->input_count];
    d->first_turn[product++] = turn;
    if (si_component_turns(m, c))
      add_turn(rig, turn++, c);
    else
      for (uint32_t j = 0; j < f->turns[c]; j++)
        add_turn(rig, turn++, m->components[c].inputs[j].id - 1);
    if (placed) {
      d->turn_slot[first] = slot_of[f->segment[c]];
      rig->slots[d->turn_slot[first]].placed = f->placed_at[c];
    }
  }
  d->first_turn[product] = turn;
  for (uint32_t i = rig->constant_nodes; i < rig->node_count; i++)
    if (left_out(m, f, rig->nodes[i].component - 1)) d->aside[aside++] = i;
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (m->segments[rig->slots[i].segment].source.kind == SI_FROM_OUTPUT &&
        rig->slots[i].placed == SI_NONE)
      d->unplaced[d->unplaced_count++] = i;
  si_marks_fill(m, &(si_marking){ .dof_first = d->dof_first,
                                  .item_first = d->step_first,
                                  .marks = d->marks,
                                  .item_count = d->step_count,
                                  .item_of = f->step_of,
                                  .slot_of = slot_of });
  si_fuse_refresh(rig);
}

/* m = rest * m, in doubles; the last column of m is a point if its last entry is 1 */
static void place_turn(const float *rest, float *m) {
  for (int col = 0; col < 4; col++) {
    double v[4];
    for (int i = 0; i < 4; i++) v[i] = (double)m[4 * col + i];
    for (int i = 0; i < 3; i++)
      m[4 * col + i] = (float)((double)rest[i] * v[0] + (double)rest[4 + i] * v[1] +
                               (double)rest[8 + i] * v[2] + (double)rest[12 + i] * v[3]);
  }
}

const sinew_turn *si_turn_constants(const sinew_rig *rig, uint32_t turn) {
  const sinew_node *node = &rig->nodes[rig->fused->turn_node[turn]];
  return rig->model.components[node->component - 1].cls->turn(node->data);
}

void si_fuse_refresh(sinew_rig *rig) {
  si_fused *d = rig->fused;
  for (uint32_t i = 0; i < d->turn_count; i++) {
    const si_rotation_data *h = si_turn_constants(rig, i);
    si_turn *t = &d->turns[i];
    const float *columns[3] = { h->p, h->q, h->x };
    const float *move[3] = { h->moves[0].p, h->moves[0].q, h->moves[0].x };
    float *dest[3] = { t->p, t->q, t->x };
    for (int k = 0; k < 3; k++) {
      memcpy(dest[k], columns[k], sizeof h->p);
      memcpy(dest[k] + 12, move[k], sizeof h->moves[0].p);
      if (d->turn_slot[i] != SI_NONE) place_turn(rig->rest + 16 * (size_t)d->turn_slot[i], dest[k]);
    }
    d->low[i] = h->low, d->high[i] = h->high, d->rest[i] = h->rest;
    d->rotations[i] = h->intervals > 1 ? h : NULL;
  }
  si_quads_refresh(rig);
  si_scalars_refresh(rig);
  for (uint32_t i = 0; i < rig->model.dof_count; i++) {
    rig->dof_low[i] = rig->model.dofs[i].min;
    rig->dof_high[i] = rig->model.dofs[i].max;
  }
}
