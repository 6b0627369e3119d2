/* Rounds of work are counted, and each thread waits for the next count. Sleeping and waking up
 * takes longer than many rounds of work, so a waiting thread spins for a while before it sleeps:
 * the workers for the next round, the caller for the end of this one. Only sleepers use the mutex.
 */
#include "base/thread_pool.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"

#include <pthread.h>
#include <stdatomic.h>

enum { work_spins = 2000, end_spins = 50000 }; /* of about 15 ns each */

typedef struct member {
  si_thread_pool *pool;
  pthread_t thread;
  int number;
} member;

struct si_thread_pool {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  void (*work)(void *context, int thread);
  void *context;
  sinew_budget *budget; /* of the caller */
  atomic_uint round;
  atomic_int busy; /* threads that have not finished this round */
  atomic_bool over;
  int count; /* threads that were started */
  member members[];
};

static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* waits for the round after `done` and returns its number; `done` itself when the pool ends */
static unsigned await_round(si_thread_pool *pool, unsigned done) {
  for (int i = 0; i < work_spins; i++) {
    if (pool->round != done || pool->over) break;
    pause_briefly();
  }
  if (pool->round == done && !pool->over) {
    pthread_mutex_lock(&pool->lock);
    while (pool->round == done && !pool->over) pthread_cond_wait(&pool->begin, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
  }
  return pool->over ? done : pool->round;
}

static void *serve(void *data) {
  const member *self = data;
  si_thread_pool *pool = self->pool;
  unsigned done = 0, round;
  while ((round = await_round(pool, done)) != done) {
    done = round;
    si_budget_help(pool->budget);
    pool->work(pool->context, self->number);
    si_budget_help(NULL);
    if (atomic_fetch_sub(&pool->busy, 1) > 1) continue;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->end);
    pthread_mutex_unlock(&pool->lock);
  }
  return NULL;
}

si_thread_pool *si_thread_pool_create(int count, sinew_error *error) {
  si_thread_pool *pool = si_alloc(sizeof *pool + (size_t)count * sizeof *pool->members);
  if (!pool) return si_memory_null(error);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begin, NULL);
  pthread_cond_init(&pool->end, NULL);
  for (int i = 1; i < count; i++) {
    member *m = &pool->members[pool->count];
    *m = (member){ .pool = pool, .number = i };
    if (pthread_create(&m->thread, NULL, serve, m) != 0) {
      si_thread_pool_destroy(pool);
      return si_fail_null(error, SINEW_ERR_LIMIT, "cannot start more than %d threads", i);
    }
    pool->count++;
  }
  return pool;
}

void si_thread_pool_destroy(si_thread_pool *pool) {
  if (!pool) return;
  pthread_mutex_lock(&pool->lock);
  pool->over = true;
  pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->count; i++) pthread_join(pool->members[i].thread, NULL);
  pthread_cond_destroy(&pool->end);
  pthread_cond_destroy(&pool->begin);
  pthread_mutex_destroy(&pool->lock);
  si_free(pool);
}

void si_thread_pool_run(si_thread_pool *pool, void (*work)(void *context, int thread),
                        void *context) {
  pool->work = work;
  pool->context = context;
  pool->budget = si_budget_current();
  pool->busy = pool->count;
  pthread_mutex_lock(&pool->lock);
  pool->round++;
  pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->lock);
  work(context, 0);
  for (int i = 0; i < end_spins && pool->busy > 0; i++) pause_briefly();
  if (pool->busy == 0) return;
  pthread_mutex_lock(&pool->lock);
  while (pool->busy > 0) pthread_cond_wait(&pool->end, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
