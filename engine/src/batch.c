/* Making a batch's program, and sharing a call's characters among its workers. */
#include "batch.h"

#include "crew.h"
#include "error.h"
#include "frame.h"
#include "hierarchy.h"
#include "pose.h"

#include <float.h>
#include <stdatomic.h>

enum { most_threads = 256, most_lanes = 8, chunk_blocks = 2 }; /* blocks taken at once */

sinew_batch_desc sinew_default_batch_desc(void) { return (sinew_batch_desc){ .threads = 1 }; }

static const si_lane_set *choose_lanes(int wanted, sinew_error *error) {
  bool eight = si_lanes_eight.width != 0;
#ifdef __x86_64__
  eight = eight && __builtin_cpu_supports("avx2");
#endif
  if (wanted == 0) return eight ? &si_lanes_eight : &si_lanes_four;
  if (wanted == 4) return &si_lanes_four;
  if (wanted == 8 && eight) return &si_lanes_eight;
  if (wanted == 8)
    si_fail(error, SINEW_ERR_VALUE, "this machine has no AVX2, which 8 lanes need");
  else
    si_fail(error, SINEW_ERR_VALUE, "there are no %d lanes, only 4 and 8, and 0 for the best",
            wanted);
  return NULL;
}

static uint32_t product_count(const sinew_rig *rig) {
  return rig->fused->product_end[SI_TURN_GROUPS - 1] - rig->fused->early;
}

/* where segments stand in the tree; a product that drives one and nothing else is evaluated when
 * the tree comes to it */
static void find_segments(sinew_batch *b) {
  const si_fused *f = b->rig->fused;
  for (uint32_t i = 0; i < b->rig->model.segment_count; i++) {
    b->slot_of[b->rig->slots[i].segment] = i;
    b->product[i] = SI_NONE;
  }
  for (uint32_t i = 0; i < product_count(b->rig); i++) {
    uint32_t slot = f->turn_slot[f->first_turn[i]];
    if (slot != SI_NONE) b->product[b->rig->slots[slot].segment] = i;
  }
}

/* Where world transforms are kept: as few places as can be, each free again after the last child.
 * Segments that have none share the first place. Returns how many there are. */
static uint32_t find_places(sinew_batch *b, uint32_t *last_child, uint32_t *free_places) {
  const si_model *m = &b->rig->model;
  uint32_t count = 1, spare = 0;
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (m->segments[i].parent) last_child[m->segments[i].parent - 1] = i;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    if (last_child[i]) b->world_at[i] = spare ? free_places[--spare] : count++;
    uint32_t parent = m->segments[i].parent;
    if (parent && last_child[parent - 1] == i) free_places[spare++] = b->world_at[parent - 1];
  }
  return count;
}

static void list_steps(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  const si_fused *f = rig->fused;
  b->early = f->early;
  for (uint32_t i = 0; i < f->step_count; i++) {
    si_lane_step step = { .product = i - f->early, .node = &rig->nodes[f->steps[i]] };
    if (i >= f->early && i < f->product_end[SI_TURN_GROUPS - 1]) {
      if (f->turn_slot[f->first_turn[step.product]] != SI_NONE) continue;
    } else {
      step.run = b->set->kernel(rig->model.components[step.node->component - 1].cls);
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

/* of a pure turn */
static bool is_about(const si_turn *t, int axis, float sign) {
  int a = (axis + 1) % 3, b = (axis + 2) % 3;
  return t->p[5 * axis] == 1 && t->q[5 * a] == 1 && t->q[5 * b] == 1 && t->x[4 * a + b] == sign;
}

static uint8_t kind_of(const si_fused *f, uint32_t turn) {
  const si_turn *t = &f->turns[turn];
  unsigned kind = is_pure(t) ? SI_TURN_PURE : 0;
  for (int axis = 0; kind && axis < 3; axis++) {
    if (is_about(t, axis, 1)) kind |= (unsigned)axis + 1;
    if (is_about(t, axis, -1)) kind |= ((unsigned)axis + 1) | SI_TURN_BACK;
  }
  bool far = f->hinges[turn] != NULL, moves = far;
  for (int k = 12; k < 15; k++) moves |= t->p[k] != 0 || t->q[k] != 0 || t->x[k] != 0;
  return (uint8_t)(kind | (moves ? SI_TURN_MOVES : 0) | (far ? SI_TURN_FAR : 0));
}

/* whether four turns want nothing but their sines; the arrays are filled up to fours with zeros */
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

/* as si_quads_refresh lays them out */
static void find_links(sinew_batch *b) {
  const si_fused *f = b->rig->fused;
  const si_quad *quad = f->quads;
  for (uint32_t turns = 2; turns <= SI_QUAD_TURNS; turns++) {
    uint32_t from = f->product_end[turns - 2] - f->early, to = f->product_end[turns - 1] - f->early;
    for (uint32_t i = from; i < to; i++)
      copy_links(quad + (i - from) / 4, (i - from) % 4, turns, &b->linked[i]);
    quad += (to - from + 3) / 4;
  }
}

/* takes over what a live change of the rig has made of its constants */
static void refresh(sinew_batch *b) {
  const sinew_rig *rig = b->rig;
  for (uint32_t i = 0; i < rig->fused->turn_count; i++) b->kinds[i] = kind_of(rig->fused, i);
  for (uint32_t i = 0; i < rig->fused->turn_count; i += SI_LANES)
    if (are_free(rig->fused, i)) b->kinds[i] |= SI_TURN_FREE;
  find_links(b);
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

static bool make_workers(sinew_batch *b, uint32_t places, sinew_error *error) {
  const sinew_rig *rig = b->rig;
  size_t width = (size_t)b->set->width;
  for (int i = 0; i < b->worker_count; i++) {
    si_worker *w = &b->workers[i];
    w->rig = rig;
    w->values = si_alloc_array(rig->value_count * width, sizeof(float));
    w->sincos = si_alloc_array(2 * width * rig->fused->turn_slots + 1, sizeof(float));
    w->worlds = si_alloc_array(12 * width * places, sizeof(float));
    w->single = si_alloc_array((size_t)rig->value_count + 1, sizeof(float));
    w->spare = si_alloc_array(16 * (size_t)rig->model.segment_count + 1, sizeof(float));
    w->judge = sinew_pose_create(rig, error);
    if (!w->values || !w->sincos || !w->worlds || !w->single || !w->spare || !w->judge)
      return si_fail_memory(error), false;
  }
  return true;
}

static bool make(sinew_batch *b, int threads, sinew_error *error) {
  const sinew_rig *rig = b->rig;
  size_t segments = rig->model.segment_count;
  b->worker_count = threads;
  b->workers = si_alloc_array((size_t)threads, sizeof *b->workers);
  b->steps = si_alloc_array((size_t)rig->fused->step_count + 1, sizeof *b->steps);
  b->slot_of = si_alloc_array(segments + 1, sizeof *b->slot_of);
  b->world_at = si_alloc_array(segments + 1, sizeof *b->world_at);
  b->product = si_alloc_array(segments + 1, sizeof *b->product);
  b->kinds = si_alloc_array((size_t)rig->fused->turn_count + 1, sizeof *b->kinds);
  b->linked = si_alloc_array((size_t)product_count(rig) + 1, sizeof *b->linked);
  b->undriven = si_alloc_array(16 * segments + 1, sizeof *b->undriven);
  uint32_t *scratch = si_alloc_array(2 * segments + 1, sizeof *scratch);
  bool ok = scratch && b->workers && b->steps && b->slot_of && b->world_at && b->product &&
            b->kinds && b->linked && b->undriven;
  uint32_t places = ok ? find_places(b, scratch, scratch + segments) : 0;
  si_free(scratch);
  if (!ok) return si_fail_memory(error), false;
  find_segments(b);
  list_steps(b);
  if (!make_workers(b, places, error)) return false;
  if (threads > 1) b->crew = si_crew_create(threads, error);
  if (threads > 1 && !b->crew) return false;
  refresh(b);
  return true;
}

sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  sinew_batch_desc d = desc ? *desc : sinew_default_batch_desc();
  const si_lane_set *set = choose_lanes(d.lanes, error);
  if (!set) return NULL;
  if (d.threads < 1 || d.threads > most_threads) {
    si_fail(error, SINEW_ERR_VALUE, "a batch has 1 to %d threads, not %d", most_threads, d.threads);
    return NULL;
  }
  sinew_batch *b = si_alloc(sizeof *b);
  if (!b) return si_fail_memory(error), NULL;
  b->rig = rig;
  b->set = set;
  if (!make(b, rig->can_fail ? 1 : d.threads, error)) {
    sinew_batch_destroy(b);
    return NULL;
  }
  return b;
}

void sinew_batch_destroy(sinew_batch *b) {
  if (!b) return;
  si_crew_destroy(b->crew);
  for (int i = 0; b->workers && i < b->worker_count; i++) {
    si_worker *w = &b->workers[i];
    si_free(w->values);
    si_free(w->sincos);
    si_free(w->worlds);
    si_free(w->single);
    si_free(w->spare);
    sinew_pose_destroy(w->judge);
  }
  si_free(b->workers);
  si_free(b->steps);
  si_free(b->slot_of);
  si_free(b->world_at);
  si_free(b->product);
  si_free(b->kinds);
  si_free(b->linked);
  si_free(b->undriven);
  si_free(b);
}

const sinew_rig *sinew_batch_rig(const sinew_batch *b) { return b->rig; }
int sinew_batch_lanes(const sinew_batch *b) { return b->set->width; }
const char *sinew_batch_instructions(const sinew_batch *b) { return b->set->instructions; }
int sinew_batch_threads(const sinew_batch *b) { return b->worker_count; }

/* one call, seen by all workers */
typedef struct task {
  sinew_batch *batch;
  const float *dofs;
  float *worlds;
  int count;
  atomic_llong next; /* the first character that nobody has taken */
} task;

/* A pose decides about a character in whose lane something went wrong, and says what. */
static void judge(const task *t, si_worker *w, int character) {
  const sinew_batch *b = t->batch;
  size_t dofs = b->rig->model.dof_count, floats = 16 * (size_t)b->rig->model.segment_count;
  float *dest = t->worlds + (size_t)character * floats;
  sinew_error error;
  sinew_status status =
      sinew_pose_set_all(w->judge, t->dofs + (size_t)character * dofs, (int)dofs, &error);
  if (status >= 0) status = sinew_pose_eval(w->judge, &error);
  const float *source = status < 0 ? b->undriven : sinew_pose_worlds(w->judge);
  if (floats) memcpy(dest, source, floats * sizeof *dest); /* without segments there is no dest */
  if (status >= 0 || (w->failed_at >= 0 && w->failed_at < character)) return;
  w->failed_at = character;
  si_fail(&w->why, status, "character %d: %s", character + 1, error.text);
}

/* the block from `first` on; lanes beyond the last character follow it, and leave no trace */
static void run_block(const task *t, si_worker *w, int first) {
  const sinew_batch *b = t->batch;
  size_t dofs = b->rig->model.dof_count, floats = 16 * (size_t)b->rig->model.segment_count;
  const float *rows[most_lanes];
  float *outs[most_lanes];
  int there = t->count - first < b->set->width ? t->count - first : b->set->width;
  for (int i = 0; i < b->set->width; i++) {
    size_t who = (size_t)first + (size_t)(i < there ? i : there - 1);
    rows[i] = t->dofs + who * dofs;
    outs[i] = i < there ? t->worlds + who * floats : w->spare;
  }
  w->used = (1u << there) - 1;
  unsigned wrong = b->set->block(b, w, rows, outs) & w->used;
  for (int i = 0; wrong >> i; i++)
    if (wrong >> i & 1) judge(t, w, first + i);
}

static void work(void *context, int thread) {
  task *t = context;
  si_worker *w = &t->batch->workers[thread];
  int width = t->batch->set->width, chunk = chunk_blocks * width;
  w->clamped = false;
  w->failed_at = -1;
  for (;;) {
    long long first = atomic_fetch_add(&t->next, chunk);
    for (long long i = first; i < t->count && i - first < chunk; i += width)
      run_block(t, w, (int)i);
    if (first >= t->count) return;
  }
}

sinew_status sinew_batch_eval(sinew_batch *b, const float *dofs, int count, float *worlds,
                              sinew_error *error) {
  if (!SI_EXPECT(b && count >= 0)) return SINEW_ERR_CALL;
  const si_model *m = &b->rig->model;
  if (!SI_EXPECT((dofs || !count || !m->dof_count) && (worlds || !count || !m->segment_count)))
    return SINEW_ERR_CALL;
  if (b->revision != b->rig->revision) refresh(b);
  task t = { .batch = b, .dofs = dofs, .worlds = worlds, .count = count };
  if (b->crew)
    si_crew_run(b->crew, work, &t);
  else
    work(&t, 0);
  const si_worker *first = NULL;
  bool clamped = false;
  for (int i = 0; i < b->worker_count; i++) {
    const si_worker *w = &b->workers[i];
    clamped |= w->clamped;
    if (w->failed_at >= 0 && (!first || w->failed_at < first->failed_at)) first = w;
  }
  if (first) return si_fail(error, first->why.status, "%s", first->why.text);
  return clamped ? SINEW_CLAMPED : SINEW_OK;
}
