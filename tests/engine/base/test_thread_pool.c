/* The thread pool: every thread runs once per round, over many rounds; and the system refuses to
 * start more threads. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the size of stacks */
#endif
#include "base/thread_pool.h"

#include "minunit.h"

#include <pthread.h>
#include <sinew/base.h>
#include <stdatomic.h>

enum { most = 16 };

typedef struct tally {
  int seen[most]; /* each thread writes only its own entry */
  pthread_t who[most];
  atomic_int total;
} tally;

static void count_self(void *context, int thread) {
  tally *t = context;
  t->seen[thread]++;
  t->who[thread] = pthread_self();
  atomic_fetch_add(&t->total, 1);
}

MU_SLOW_TEST(every_thread_of_a_pool_runs_once_per_round) {
  for (int count = 1; count <= most; count++) {
    size_t blocks = sinew_live_blocks();
    si_thread_pool *pool = MU_MADE(si_thread_pool_create(count, NULL));
    tally t = { 0 };
    int rounds = mu_rounds(400);
    for (int round = 1; round <= rounds; round++) {
      si_thread_pool_run(pool, count_self, &t);
      /* by now all threads have finished, and their results are visible */
      MU_INT(atomic_load(&t.total), round * count);
      for (int i = 0; i < most; i++) MU_INT(t.seen[i], i < count ? round : 0);
      MU_CHECK(pthread_equal(t.who[0], pthread_self()));
    }
    for (int i = 0; i < count; i++)
      for (int k = 0; k < i; k++) MU_CHECK(!pthread_equal(t.who[i], t.who[k]));
    si_thread_pool_destroy(pool);
    MU_INT(sinew_live_blocks(), blocks);
  }
}

MU_TEST(an_unused_pool_can_be_destroyed) {
  for (int i = 0; i < mu_rounds(100); i++)
    si_thread_pool_destroy(si_thread_pool_create(1 + i % most, NULL));
  si_thread_pool_destroy(NULL);
}

MU_TEST(pool_reports_that_threads_could_not_start) {
#if defined __GLIBC__ && !defined __SANITIZE_THREAD__
  /* stacks so large that only the first few fit */
  pthread_attr_t before, huge;
  MU_INT(pthread_getattr_default_np(&before), 0);
  pthread_attr_init(&huge);
  MU_INT(pthread_attr_setstacksize(&huge, (size_t)1 << 45), 0);
  MU_INT(pthread_setattr_default_np(&huge), 0);
  size_t blocks = sinew_live_blocks();
  sinew_error error;
  sinew_error_clear(&error);
  si_thread_pool *pool = si_thread_pool_create(most, &error);
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&before);
  pthread_attr_destroy(&huge);
  MU_CHECK(!pool);
  MU_FAILS(error.status, SINEW_ERR_LIMIT, "cannot start more than ");
  MU_INT(sinew_live_blocks(), blocks);
#else
  mu_skip("pool_reports_that_threads_could_not_start", "stacks without room need glibc, untraced");
#endif
}

MU_SUITE(thread_pool)
