/* world(s) = world(parent) * rest(s) * T(s). Slots are in depth-first order, so that the
 * descendants of a segment are one contiguous run; world matrices are in the rig's own order. */
#include "compile/hierarchy.h"

#include "math/matrix.h"

void si_tree_carve(const si_model *m, si_carver *carver, sinew_rig *rig) {
  rig->slots = si_carve(carver, m->segment_count, sizeof *rig->slots, 16);
  rig->rest = si_carve(carver, 16 * (size_t)m->segment_count, sizeof *rig->rest, SI_ALIGN);
}

static bool rotates(const float *rest) {
  CGLM_ALIGN_MAT float unit[16];
  si_mat_identity(unit);
  return memcmp(rest, unit, 12 * sizeof(float)) != 0;
}

bool si_tree_fill(sinew_rig *rig) {
  const si_model *m = &rig->model;
  uint32_t n = m->segment_count;
  uint32_t *size = si_alloc_array((size_t)n + 1, sizeof *size);
  uint32_t *next = si_alloc_array((size_t)n + 1, sizeof *next); /* free slot below each one */
  if (!size || !next) {
    si_free(size);
    si_free(next);
    return false;
  }
  /* parents come first: subtree sizes add up in a backward pass, slots are assigned in a forward
   * pass */
  for (uint32_t i = n; i-- > 0;) {
    size[i]++;
    if (m->segments[i].parent) size[m->segments[i].parent - 1] += size[i];
  }
  uint32_t root = 0;
  for (uint32_t i = 0; i < n; i++) {
    const si_segment *s = &m->segments[i];
    uint32_t *place = s->parent ? &next[s->parent - 1] : &root;
    uint32_t at = *place;
    *place += size[i];
    next[i] = at + 1;
    rig->slots[at] = (si_slot){ .segment = i,
                                .parent = s->parent ? s->parent - 1 : SI_NONE,
                                .end = at + size[i],
                                .local = SI_NONE,
                                .placed = SI_NONE,
                                .rotated = rotates(s->rest) };
    si_mat_copy(s->rest, rig->rest + 16 * (size_t)at);
  }
  si_free(size);
  si_free(next);
  return true;
}

void si_tree_place(sinew_rig *rig, uint32_t segment) {
  uint32_t at = 0;
  while (rig->slots[at].segment != segment) at++;
  const float *rest = rig->model.segments[segment].rest;
  rig->slots[at].rotated = rotates(rest);
  si_mat_copy(rest, rig->rest + 16 * (size_t)at);
}

void si_tree_join(sinew_rig *rig) {
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    si_slot *slot = &rig->slots[i];
    const si_source *source = &rig->model.segments[slot->segment].source;
    if (source->kind != SI_FROM_OUTPUT) continue;
    const sinew_node *node = &rig->nodes[rig->node_of[source->id - 1]];
    slot->local = node->ports[node->input_count + source->output];
  }
}

/* rest transform times driven matrix, from the nodes' values */
static inline si_frame plain_local(const si_slot *slot, const float *rest, const float *values) {
  if (slot->local == SI_NONE) return si_frame_load(rest);
  si_frame local = si_frame_load(values + slot->local);
  if (slot->rotated) return si_frame_mul(si_frame_load(rest), local);
  local.t += si_load(rest + 12);
  return local;
}

/* A sum of zeros may be -0. The bottom row is always written as 0 */
static inline void store_world(si_frame f, float *dest) {
  const si_i4 rows = { -1, -1, -1, 0 };
  si_store(dest, (si_v4)((si_i4)f.x & rows));
  si_store(dest + 4, (si_v4)((si_i4)f.y & rows));
  si_store(dest + 8, (si_v4)((si_i4)f.z & rows));
  si_store(dest + 12, f.t);
}

static inline __attribute__((always_inline)) void world(const sinew_rig *rig, const float *values,
                                                        float *dest, uint32_t from, uint32_t to,
                                                        bool plain) {
  static const CGLM_ALIGN_MAT float identity[16] = {
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1
  };
  /* copied to a local: the compiler must assume that the stores below change the rig */
  const si_slot *slots = rig->slots;
  const float *rest = rig->rest;
  uint32_t last = SI_NONE;
  si_frame at = si_frame_load(identity);
  for (uint32_t i = from; i < to; i++) {
    const si_slot *slot = &slots[i];
    /* the parent is usually the slot before, and still in registers */
    if (slot->parent != last)
      at = si_frame_load(slot->parent == SI_NONE ? identity : dest + 16 * (size_t)slot->parent);
    last = slot->segment;
    at = si_frame_mul(at, plain || slot->placed == SI_NONE
                              ? plain_local(slot, rest + 16 * (size_t)i, values)
                              : si_frame_load(values + slot->placed));
    store_world(at, dest + 16 * (size_t)last);
  }
}

void si_tree_world(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                   uint32_t to) {
  world(rig, values, dest, from, to, false);
}

void si_tree_world_plain(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                         uint32_t to) {
  world(rig, values, dest, from, to, true);
}
