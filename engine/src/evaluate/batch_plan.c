/* Plans the program of a batch from the rig's fused program: its steps, where segments keep their
 * world transforms, and constants in the order in which the lanes read them. */
#include "evaluate/batch_internal.h"

#include "compile/hierarchy.h"

#include <float.h>
#include <string.h>

static uint32_t product_count(const sinew_rig *rig) {
  return rig->fused->product_end[SI_TURN_GROUPS - 1] - rig->fused->early;
}

/* Assigns indices of world transforms: as few as possible, each reused after the last child has
 * read it. Segments without children share the first one. */
static void find_places(sinew_batch *b, uint32_t *last_child, uint32_t *free_places) {
  const si_model *m = &b->rig->model;
  uint32_t count = 1, spare = 0;
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (m->segments[i].parent) last_child[m->segments[i].parent - 1] = i;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    si_lane_segment *s = &b->segments[i];
    uint32_t parent = m->segments[i].parent;
    s->last = !last_child[i];
    if (!s->last) s->here = spare ? free_places[--spare] : count++;
    s->parent = parent ? b->segments[parent - 1].here : SI_NONE;
    if (parent && last_child[parent - 1] == i) free_places[spare++] = s->parent;
  }
  b->places = count;
}

/* a product that drives a segment and nothing else is evaluated when the tree reaches that
 * segment */
static void find_drives(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  const si_fused *f = rig->fused;
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    si_lane_segment *s = &b->segments[rig->slots[i].segment];
    s->slot = i;
    s->local = rig->slots[i].local;
    s->product = SI_NONE;
  }
  for (uint32_t i = 0; i < product_count(rig); i++) {
    uint32_t slot = f->turn_slot[f->first_turn[i]];
    if (slot != SI_NONE) b->segments[rig->slots[slot].segment].product = i;
  }
}

static void list_steps(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  const si_fused *f = rig->fused;
  b->early = f->early;
  for (uint32_t i = 0; i < f->step_count; i++) {
    si_lane_step step = { .node = &rig->nodes[f->steps[i]] };
    if (i >= f->early && i < f->product_end[SI_TURN_GROUPS - 1]) {
      step.product = i - f->early;
      if (f->turn_slot[f->first_turn[step.product]] != SI_NONE) continue;
    } else {
      const sinew_component_class *cls = rig->model.components[step.node->component - 1].cls;
      step.run = b->set->kernel(step.node->eval ? cls : NULL);
    }
    b->steps[b->step_count++] = step;
  }
}

static bool is_pure(const si_turn *t) {
  for (int c = 0; c < 3; c++)
    for (int r = 0; r <= c; r++) {
      int k = 4 * c + r, mirrored = 4 * r + c;
      if (t->p[k] != t->p[mirrored] || t->q[k] != t->q[mirrored] || t->x[k] != -t->x[mirrored])
        return false;
      if (r != c && t->q[k] != -t->p[k]) return false;
    }
  return true;
}

static uint8_t kind_of(const si_fused *f, uint32_t turn) {
  const si_turn *t = &f->turns[turn];
  unsigned kind = is_pure(t) ? SI_TURN_PURE : 0;
  bool far = f->rotations[turn] != NULL, moves = far;
  for (int k = 12; k < 15; k++) moves |= t->p[k] != 0 || t->q[k] != 0 || t->x[k] != 0;
  return (uint8_t)(kind | (moves ? SI_TURN_MOVES : 0) | (far ? SI_TURN_FAR : 0));
}

/* whether four turns have neither a range nor a rest angle; the arrays are padded with zeros to a
 * multiple of four */
static bool are_free(const si_fused *f, uint32_t first) {
  for (uint32_t i = first; i < first + SI_LANES && i < f->turn_count; i++)
    if (f->low[i] != -FLT_MAX || f->high[i] != FLT_MAX || f->rest[i] != 0) return false;
  return true;
}

static void copy_links(const si_quad *q, uint32_t lane, uint32_t turns, si_linked *dest) {
  *dest =
      (si_linked){ .turns = q->works ? turns : 0, .last = { q->last[0][lane], q->last[1][lane] } };
  for (int row = 0; row < 3; row++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++) dest->first[row][k][j] = q->first[row][j][k][lane];
  for (uint32_t n = 1; n < turns; n++) {
    float *link = dest->link[n - 1];
    for (int k = 0; k < 5; k++) link[k] = q->link[n][k][lane];
    link[5] = q->phase[n][0][lane], link[6] = -q->phase[n][1][lane];
  }
}

/* in the order of si_quads_refresh */
static void find_links(sinew_batch *b) {
  const si_fused *f = b->rig->fused;
  for (uint32_t turns = 2; turns <= SI_QUAD_TURNS; turns++) {
    const si_quad *quad = si_quads_of(f, turns);
    uint32_t from = f->product_end[turns - 2] - f->early, to = f->product_end[turns - 1] - f->early;
    for (uint32_t i = from; i < to; i++)
      copy_links(quad + (i - from) / 4, (i - from) % 4, turns, &b->linked[i]);
  }
  for (uint32_t i = 0; i < product_count(b->rig); i++) b->linked[i].sincos = 2 * f->first_turn[i];
}

void si_batch_refresh(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  for (uint32_t i = 0; i < rig->fused->turn_count; i++) b->kinds[i] = kind_of(rig->fused, i);
  for (uint32_t i = 0; i < rig->fused->turn_count; i += SI_LANES)
    if (are_free(rig->fused, i)) b->kinds[i] |= SI_TURN_FREE;
  find_links(b);
  for (uint32_t i = 0; i < rig->model.segment_count; i++)
    b->segments[i].rotated = rig->slots[b->segments[i].slot].rotated;
  for (int k = 0; k < b->worker_count; k++) {
    si_worker *w = &b->workers[k];
    memcpy(w->single, rig->initial, rig->value_count * sizeof(float));
    for (uint32_t i = 0; i < rig->constant_nodes; i++)
      rig->nodes[i].eval(&rig->nodes[i], w->single);
    for (uint32_t i = 0; i < rig->value_count; i++)
      for (int lane = 0; lane < b->set->width; lane++)
        w->values[(size_t)i * (size_t)b->set->width + (size_t)lane] = w->single[i];
  }
  si_tree_world_plain(rig, b->workers[0].single, b->undriven, 0, rig->model.segment_count);
  b->revision = rig->revision;
}

bool si_batch_plan(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  size_t segments = rig->model.segment_count;
  uint32_t *scratch = si_alloc_array(2 * segments + 1, sizeof *scratch);
  b->steps = si_alloc_array((size_t)rig->fused->step_count + 1, sizeof *b->steps);
  b->segments = si_alloc_array(segments + 1, sizeof *b->segments);
  b->kinds = si_alloc_array((size_t)rig->fused->turn_count + 1, sizeof *b->kinds);
  b->linked = si_alloc_array((size_t)product_count(rig) + 1, sizeof *b->linked);
  b->undriven = si_alloc_array(16 * segments + 1, sizeof *b->undriven);
  bool ok = scratch && b->steps && b->segments && b->kinds && b->linked && b->undriven;
  if (ok) {
    find_places(b, scratch, scratch + segments);
    find_drives(b);
    list_steps(b);
  }
  si_free(scratch);
  return ok;
}

void si_batch_plan_free(sinew_batch *b) {
  si_free(b->steps);
  si_free(b->segments);
  si_free(b->kinds);
  si_free(b->linked);
  si_free(b->undriven);
}
