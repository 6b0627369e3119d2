/* The pose in which a skin was bound. An inverse bind matrix leads from the skin's space to its
 * joint's, so a joint was bound at S * inverse(IBM), where S places the skin in the world. The file
 * does not say S: it is the candidate that leaves the joints nearest to where the nodes have them,
 * which in most files is exactly there. */
#include "character/character_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { most_candidates = 64, most_matrices = 65535 };

sinew_status si_character_read_skin(sinew_character *c, uint32_t skin, uint32_t *first,
                                    uint32_t *count) {
  si_gltf_reader *r = &c->reader;
  const si_json_value *object = r->skins.items[skin];
  const si_json_value *list = si_json_find(&r->json, object, "joints");
  if (!list || list->kind != SI_JSON_LIST || list->count == 0)
    return si_gltf_fail(r, object, "skin %u has no 'joints'", skin);
  const bool bound = si_json_find(&r->json, object, "inverseBindMatrices");
  si_gltf_span span = { 0 };
  sinew_status status = SINEW_OK;
  if (bound) status = si_gltf_accessor(r, object, "inverseBindMatrices", "MAT4", &span);
  if (status >= 0 && bound && span.count < list->count)
    status = si_gltf_fail(r, object, "skin %u has %u joints and %zu matrices", skin, list->count,
                          span.count);
  if (status < 0) return status;
  if (c->matrix_count + list->count > most_matrices)
    return si_gltf_fail(r, object, "there are more than %d joints in all skins", most_matrices);
  if (!si_grow(&c->matrices, &c->matrix_room, c->matrix_count + list->count, sizeof *c->matrices))
    return si_fail_memory(r->error);
  *first = (uint32_t)c->matrix_count;
  *count = list->count;
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    uint32_t joint;
    if ((status = si_gltf_pick(r, value, &r->nodes, "node", &joint)) < 0) return status;
    if (!r->reached[joint])
      return si_gltf_fail(r, value, "joint %u of skin %u is not in the scene", joint, skin);
    si_character_matrix *m = &c->matrices[*first + i];
    m->node = (uint32_t)r->reached[joint] - 1;
    si_mat_identity(m->offset);
    for (int e = 0; bound && e < 16; e++)
      if (e % 4 != 3) m->offset[e] = si_gltf_float(span.bytes + i * span.stride + (size_t)(4 * e));
    for (int e = 0; e < 16; e++)
      if (!(fabsf(m->offset[e]) <= SI_GLTF_EXTENT))
        return si_gltf_fail(r, value, "the bind matrix of joint %u ('%s') is not finite", joint,
                            c->nodes[m->node].name);
    c->nodes[m->node].joint = true;
  }
  c->matrix_count += list->count;
  if (!bound)
    si_character_warn(c, "skin %u has no bind matrices: its nodes are taken as its bind pose",
                      skin);
  return SINEW_OK;
}

/* the mean distance of the joints from their rest, each at most half the size of the whole */
static double distance(const sinew_character *c, const float (*binds)[16], const uint32_t *nodes,
                       size_t count, const float *candidate, double size) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    float at[3];
    si_mat_point(candidate, binds[i] + 12, at);
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double d = (double)at[k] - (double)c->nodes[nodes[i]].rest[12 + k];
      square += d * d;
    }
    sum += fmin(sqrt(square), size / 2);
  }
  return sum;
}

typedef struct search {
  const float (*binds)[16];
  const uint32_t *nodes;
  size_t count;
  double size, best;
  CGLM_ALIGN_MAT float place[16];
} search;

static void offer(const sinew_character *c, search *s, const float *candidate) {
  double cost = distance(c, s->binds, s->nodes, s->count, candidate, s->size);
  if (!(cost < s->best - 1e-9 * s->size)) return;
  s->best = cost;
  si_mat_copy(candidate, s->place);
}

static double size_of(const sinew_character *c, const uint32_t *nodes, size_t count) {
  double size = 0;
  for (int k = 12; k < 15; k++) {
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
      low = fminf(low, c->nodes[nodes[i]].rest[k]);
      high = fmaxf(high, c->nodes[nodes[i]].rest[k]);
    }
    size = fmax(size, (double)high - (double)low);
  }
  return size + 1e-9;
}

/* gives the joints of one skin their bind pose, where no earlier skin has; `shown` is the node that
 * shows it */
static void place_skin(sinew_character *c, uint32_t first, uint32_t count, int shown,
                       float (*binds)[16], uint32_t *nodes, bool *known) {
  search s = { .binds = (const float(*)[16])binds, .nodes = nodes, .best = INFINITY };
  size_t singular = 0;
  for (uint32_t i = 0; i < count; i++) {
    const si_character_matrix *m = &c->matrices[first + i];
    if (!si_affine_inverse(m->offset, binds[s.count])) {
      singular++;
      continue;
    }
    nodes[s.count++] = m->node;
  }
  if (singular)
    si_character_warn(c, "%zu bind matri%s cannot be inverted: the node is taken as it rests",
                      singular, singular == 1 ? "x" : "ces");
  if (!s.count) return;
  s.size = size_of(c, nodes, s.count);
  CGLM_ALIGN_MAT float candidate[16];
  const size_t step = s.count / most_candidates + 1;
  for (size_t i = 0; i < s.count; i += step) {
    if (!si_affine_inverse(binds[i], candidate)) continue;
    si_affine_mul(c->nodes[nodes[i]].rest, candidate, candidate);
    offer(c, &s, candidate);
  }
  uint32_t top = nodes[0];
  for (size_t i = 1; i < s.count; i++)
    if (nodes[i] < top) top = nodes[i];
  if (c->nodes[top].parent >= 0) offer(c, &s, c->nodes[c->nodes[top].parent].rest);
  if (shown >= 0) offer(c, &s, c->nodes[shown].rest);
  si_mat_identity(candidate);
  offer(c, &s, candidate);
  for (size_t i = 0; i < s.count; i++) {
    if (known[nodes[i]]) continue;
    known[nodes[i]] = true;
    si_affine_mul(s.place, binds[i], c->nodes[nodes[i]].bind);
  }
}

sinew_status si_character_bind_pose(sinew_character *c) {
  si_gltf_reader *r = &c->reader;
  bool *known = si_arena_take(&c->arena, c->node_count);
  if (!known) return si_fail_memory(r->error);
  for (uint32_t skin = 0; skin < r->skins.count; skin++) {
    uint32_t first, count;
    int shown = -1;
    const size_t before = c->matrix_count;
    sinew_status status = si_character_read_skin(c, skin, &first, &count);
    if (status < 0) return status;
    for (size_t i = 0; i < c->node_count && shown < 0; i++) {
      const si_json_value *own = si_json_find(&r->json, r->visits[i].node, "skin");
      if (own && own->kind == SI_JSON_NUMBER && own->number == (double)skin) shown = (int)i;
    }
    float(*binds)[16] = si_alloc_array(count, sizeof *binds);
    uint32_t *nodes = si_alloc_array(count, sizeof *nodes);
    if (binds && nodes && si_json_find(&r->json, r->skins.items[skin], "inverseBindMatrices"))
      place_skin(c, first, count, shown, binds, nodes, known);
    bool memory = binds && nodes;
    si_free(binds);
    si_free(nodes);
    if (!memory) return si_fail_memory(r->error);
    c->matrix_count = before; /* the parts read the skins that they use again */
  }
  for (size_t i = 0; i < c->node_count; i++) {
    si_character_node *n = &c->nodes[i];
    const si_character_node *p = n->parent >= 0 ? &c->nodes[n->parent] : NULL;
    CGLM_ALIGN_MAT float inverse[16], local[16];
    const bool below = p && si_affine_inverse(p->rest, inverse);
    if (below) si_affine_mul(inverse, n->rest, local);
    if (!known[i]) {
      if (below)
        si_affine_mul(p->bind, local, n->bind);
      else
        si_mat_copy(n->rest, n->bind);
    }
    if (p && si_affine_inverse(p->bind, inverse))
      si_affine_mul(inverse, n->bind, n->local);
    else
      si_mat_copy(n->bind, n->local);
    if (!si_finite(n->bind, 16) || !si_finite(n->local, 16))
      return si_gltf_fail(r, r->visits[i].node, "the bind pose of node '%s' is not finite",
                          n->name);
  }
  return SINEW_OK;
}
