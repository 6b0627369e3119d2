/* Distributes the characters of a call among the workers of a batch. */
#include "evaluate/batch_internal.h"

#include "base/budget_internal.h"
#include "base/thread_pool.h"
#include "base/error_internal.h"
#include "math/vector.h"
#include "evaluate/pose_internal.h"

#include <stdatomic.h>

enum { most_threads = 256, most_lanes = 8, chunk_blocks = 2 }; /* blocks taken at once */

sinew_batch_desc sinew_default_batch_desc(void) {
  return (sinew_batch_desc){ .size = sizeof(sinew_batch_desc), .threads = 1 };
}

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
    si_fail(error, SINEW_ERR_VALUE, "%d lanes are not supported; use 4 or 8, or 0 for the best",
            wanted);
  return NULL;
}

static bool make_workers(sinew_batch *b, sinew_error *error) {
  const sinew_rig *rig = b->rig;
  size_t width = (size_t)b->set->width;
  for (int i = 0; i < b->worker_count; i++) {
    si_worker *w = &b->workers[i];
    w->rig = rig;
    w->values = si_alloc_array(rig->value_count * width, sizeof(float));
    w->sincos = si_alloc_array(2 * width * rig->fused->turn_slots + 1, sizeof(float));
    w->worlds = si_alloc_array(12 * width * b->places, sizeof(float));
    w->single = si_alloc_array((size_t)rig->value_count + 1, sizeof(float));
    w->spare = si_alloc_array(16 * (size_t)rig->model.segment_count + 1, sizeof(float));
    w->judge = sinew_pose_create(rig, error);
    if (!w->values || !w->sincos || !w->worlds || !w->single || !w->spare || !w->judge)
      return si_memory_false(error);
  }
  return true;
}

static bool make(sinew_batch *b, int threads, sinew_error *error) {
  b->worker_count = threads;
  b->workers = si_alloc_array((size_t)threads, sizeof *b->workers);
  if (!b->workers || !si_batch_plan(b)) return si_memory_false(error);
  if (!make_workers(b, error)) return false;
  if (threads > 1) b->pool = si_thread_pool_create(threads, error);
  if (threads > 1 && !b->pool) return false;
  si_batch_refresh(b);
  return true;
}

sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  sinew_batch_desc d = sinew_default_batch_desc();
  if (!SI_TAKE_DESC(batch_desc, desc, &d, error)) return NULL;
  const si_lane_set *set = choose_lanes(d.lanes, error);
  if (!set) return NULL;
  if (d.threads < 1 || d.threads > most_threads) {
    si_fail(error, SINEW_ERR_VALUE, "a batch has 1 to %d threads, not %d", most_threads, d.threads);
    return NULL;
  }
  sinew_batch *b = si_alloc(sizeof *b);
  if (!b) return si_memory_null(error);
  b->rig = rig;
  b->set = set;
  if (!make(b, rig->can_fail ? 1 : d.threads, error)) {
    sinew_batch_destroy(b);
    return NULL;
  }
  si_rig_watch(rig, &b->watcher, "batch");
  return b;
}

void sinew_batch_destroy(sinew_batch *b) {
  if (!b) return;
  si_rig_unwatch(b->rig, &b->watcher);
  si_thread_pool_destroy(b->pool);
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
  si_batch_plan_free(b);
  si_free(b);
}

const sinew_rig *sinew_batch_rig(const sinew_batch *b) { return SI_EXPECT(b) ? b->rig : NULL; }
int sinew_batch_lanes(const sinew_batch *b) { return SI_EXPECT(b) ? b->set->width : 0; }
const char *sinew_batch_instructions(const sinew_batch *b) {
  return SI_EXPECT(b) ? b->set->instructions : "";
}

int sinew_batch_threads(const sinew_batch *b) { return SI_EXPECT(b) ? b->worker_count : 0; }

/* one call, shared by all workers */
typedef struct task {
  sinew_batch *batch;
  const float *dofs;
  float *worlds;
  int count;
  atomic_llong next; /* the first character that no worker has taken */
} task;

/* Evaluates a character again with a pose, after something went wrong in its lane. The pose decides
 * whether it failed, and with which error. */
static void judge(const task *t, si_worker *w, int character) {
  const sinew_batch *b = t->batch;
  size_t dofs = b->rig->model.dof_count, floats = 16 * (size_t)b->rig->model.segment_count;
  float *dest = t->worlds + (size_t)character * floats;
  sinew_error error;
  sinew_status status =
      sinew_pose_set_all(w->judge, t->dofs + (size_t)character * dofs, (int)dofs, &error);
  if (status >= 0) status = sinew_pose_eval(w->judge, &error);
  const float *source = status < 0 ? b->undriven : sinew_pose_worlds(w->judge);
  memcpy(dest, source, floats * sizeof *dest);
  if (status >= 0 || (w->failed_at >= 0 && w->failed_at < character)) return;
  w->failed_at = character;
  si_fail(&w->why, status, "character %d: %s", character + 1, error.text);
}

/* evaluates the block that starts at `first`; lanes beyond the last character repeat it, and their
 * results are discarded */
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
    if (first < t->count && !si_work((size_t)chunk * t->batch->rig->node_count)) {
      w->failed_at = (int)first;
      si_fail_memory(&w->why);
      return;
    }
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
  if (b->revision != b->rig->revision) si_batch_refresh(b);
  /* for a rig without DOFs or segments the buffers may be NULL, and C forbids even adding zero to
   * NULL */
  task t = { .batch = b,
             .dofs = m->dof_count ? dofs : b->undriven,
             .worlds = m->segment_count ? worlds : b->workers[0].spare,
             .count = count };
  if (b->pool)
    si_thread_pool_run(b->pool, work, &t);
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
