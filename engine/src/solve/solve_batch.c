/* Many characters solved in one call. Each thread has a solver and a pose of its own, and takes one
 * character after the other; what a character gets depends on its start and its goals alone. */
#include "solve/solve_internal.h"

#include "base/error_internal.h"
#include "base/platform.h"
#include "base/thread_pool.h"
#include "compile/rig_internal.h"

#include <stdatomic.h>
#include <string.h>

enum { most_threads = 256 };

typedef struct worker {
  sinew_solver *solver;
  sinew_pose *pose;
  int failed_at; /* the first character that failed; -1: none */
  sinew_error why;
} worker;

struct sinew_solve_batch {
  const sinew_rig *rig;
  si_thread_pool *pool; /* NULL: one thread */
  int worker_count;
  worker workers[];
};

/* one call, shared by all workers */
typedef struct task {
  sinew_solve_batch *batch;
  float *dofs;
  const sinew_goal *goals;
  const sinew_solve_options *options;
  sinew_solve_result *results;
  int stride, count;
  atomic_llong next; /* the first character that no worker has taken */
} task;

static int threads_of_machine(void) {
  int cores = si_processors();
  return cores > most_threads ? most_threads : cores;
}

static bool make_workers(sinew_solve_batch *b, const sinew_solver_desc *desc, sinew_error *error) {
  for (int i = 0; i < b->worker_count; i++) {
    worker *w = &b->workers[i];
    w->solver = sinew_solver_create(b->rig, desc, error);
    if (!w->solver) return false;
    w->pose = sinew_pose_create(b->rig, error);
    if (!w->pose) return false;
  }
  if (b->worker_count > 1) b->pool = si_thread_pool_create(b->worker_count, error);
  return b->worker_count == 1 || b->pool;
}

sinew_solve_batch *sinew_solve_batch_create(const sinew_rig *rig, const sinew_solver_desc *desc,
                                            int threads, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && desc)) return NULL;
  if (threads < 0 || threads > most_threads)
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "a batch has 1 to %d threads, or 0 for as many as the machine has, not %d",
                        most_threads, threads);
  if (threads == 0) threads = threads_of_machine();
  if (sinew_rig_can_fail(rig)) threads = 1;
  sinew_solve_batch *b = si_alloc(sizeof *b + (size_t)threads * sizeof *b->workers);
  if (!b) return si_memory_null(error);
  b->rig = rig;
  b->worker_count = threads;
  if (!make_workers(b, desc, error)) {
    sinew_solve_batch_destroy(b);
    return NULL;
  }
  return b;
}

void sinew_solve_batch_destroy(sinew_solve_batch *b) {
  if (!b) return;
  si_thread_pool_destroy(b->pool);
  for (int i = 0; i < b->worker_count; i++) {
    sinew_pose_destroy(b->workers[i].pose);
    sinew_solver_destroy(b->workers[i].solver);
  }
  si_free(b);
}

sinew_solver *sinew_solve_batch_solver(const sinew_solve_batch *b) {
  return SI_EXPECT(b) ? b->workers[0].solver : NULL;
}

int sinew_solve_batch_threads(const sinew_solve_batch *b) {
  return SI_EXPECT(b) ? b->worker_count : 0;
}

static sinew_status solve_one(const task *t, const worker *w, int character,
                              sinew_solve_result *result, sinew_error *error) {
  int goals = w->solver->goal_count, dofs = (int)t->batch->rig->model.dof_count;
  float *values = t->dofs + (size_t)character * (size_t)t->stride;
  const sinew_goal *goal = t->goals + (size_t)character * (size_t)goals;
  sinew_status status = SINEW_OK;
  for (int g = 0; g < goals && status >= 0; g++)
    status = sinew_solver_set_goal(w->solver, g, &goal[g], error);
  if (status >= 0) status = sinew_pose_set_all(w->pose, values, dofs, error);
  if (status >= 0) status = sinew_solver_solve(w->solver, w->pose, t->options, result, error);
  if (status >= 0) memcpy(values, sinew_pose_dofs(w->pose), (size_t)dofs * sizeof *values);
  return status;
}

static void work(void *context, int thread) {
  task *t = context;
  worker *w = &t->batch->workers[thread];
  w->failed_at = -1;
  for (;;) {
    /* one at a time: a solve takes long, and some take ten times as long as others */
    long long next = atomic_fetch_add(&t->next, 1);
    if (next >= t->count) return;
    int character = (int)next;
    sinew_solve_result result = { 0 };
    sinew_error error;
    sinew_status status = solve_one(t, w, character, &result, &error);
    if (status < 0)
      result = (sinew_solve_result){
        .end = SINEW_SOLVE_NEAREST, .error = INFINITY, .error_turn = INFINITY, .cost = INFINITY
      };
    if (t->results) t->results[character] = result;
    if (status >= 0 || w->failed_at >= 0) continue;
    w->failed_at = character;
    si_fail(&w->why, status, "character %d: %s", character + 1, error.text);
  }
}

/* what callers may set in a solver besides its goals */
static void copy_settings(const sinew_solver *from, sinew_solver *dest) {
  size_t bytes = (size_t)from->columns * sizeof(float);
  memcpy(dest->asked_least, from->asked_least, bytes);
  memcpy(dest->asked_most, from->asked_most, bytes);
  memcpy(dest->stiffness, from->stiffness, bytes);
}

sinew_status sinew_solve_batch_run(sinew_solve_batch *b, float *dofs, int stride,
                                   const sinew_goal *goals, int count,
                                   const sinew_solve_options *options, sinew_solve_result *results,
                                   sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(b && count >= 0 && ((dofs && goals) || !count))) return SINEW_ERR_CALL;
  if (!SI_EXPECT(stride >= (int)b->rig->model.dof_count)) return SINEW_ERR_CALL;
  for (int i = 1; i < b->worker_count; i++)
    copy_settings(b->workers[0].solver, b->workers[i].solver);
  task t = { .batch = b,
             .dofs = dofs,
             .goals = goals,
             .options = options,
             .results = results,
             .stride = stride,
             .count = count };
  if (b->pool)
    si_thread_pool_run(b->pool, work, &t);
  else
    work(&t, 0);
  const worker *first = NULL;
  for (int i = 0; i < b->worker_count; i++) {
    const worker *w = &b->workers[i];
    if (w->failed_at >= 0 && (!first || w->failed_at < first->failed_at)) first = w;
  }
  return first ? si_fail(error, first->why.status, "%s", first->why.text) : SINEW_OK;
}
