/* world(s) = world(parent) * rest(s) * T(s). Segments stand in depth-first order, so that whatever
 * hangs below a moved segment is one run; world matrices stand in the rig's own order. */
#include "hierarchy.h"

#include "frame.h"

void si_tree_carve(const si_model *m, si_carver *carver, sinew_rig *rig) {
  rig->slots = si_carve(carver, m->segment_count, sizeof *rig->slots, 16);
  rig->rest = si_carve(carver, 16 * (size_t)m->segment_count, sizeof *rig->rest, SI_ALIGN);
}

static bool turns(const float *rest) {
  CGLM_ALIGN_MAT float unit[16];
  si_mat_identity(unit);
  return memcmp(rest, unit, 12 * sizeof(float)) != 0;
}

bool si_tree_fill(sinew_rig *rig) {
  const si_model *m = &rig->model;
  uint32_t n = m->segment_count;
  uint32_t *size = si_alloc_array((size_t)n + 1, sizeof *size);
  uint32_t *next = si_alloc_array((size_t)n + 1, sizeof *next); /* free slot below each segment */
  if (!size || !next) {
    si_free(size);
    si_free(next);
    return false;
  }
  /* parents come first, so sizes add up backwards and places go forwards */
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
                                .turned = turns(s->rest) };
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
  rig->slots[at].turned = turns(rest);
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

void si_tree_world(const sinew_rig *rig, const float *values, float *world, uint32_t from,
                   uint32_t to) {
  static const CGLM_ALIGN_MAT float identity[16] = {
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1
  };
  for (uint32_t i = from; i < to; i++) {
    const si_slot *slot = &rig->slots[i];
    const float *rest = rig->rest + 16 * (size_t)i;
    const float *parent = slot->parent == SI_NONE ? identity : world + 16 * (size_t)slot->parent;
    const float *driven = slot->local == SI_NONE ? identity : values + slot->local;
    float *dest = world + 16 * (size_t)slot->segment;
    if (slot->turned) {
      si_mat_mul(parent, rest, dest);
      if (slot->local != SI_NONE) si_mat_mul(dest, driven, dest);
    } else {
      si_mat_mul_moved(parent, rest + 12, driven, dest);
    }
  }
}
