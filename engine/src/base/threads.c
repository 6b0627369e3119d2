/* A round of work is a number that grows, and each thread waits for the next one. Falling asleep
 * and being woken takes longer than the work of many rounds does, so that whoever waits looks again
 * for a while first: members for the next round, and the caller, who sleeps only where a member is
 * held up, for the end. The mutex is for sleepers. */
#include "base/threads.h"

#include "base/alloc.h"
#include "base/error_internal.h"

#include <pthread.h>
#include <stdatomic.h>

enum { looks_for_work = 2000, looks_for_end = 50000 }; /* of some 15 ns */

typedef struct member {
  si_crew *crew;
  pthread_t thread;
  int number;
} member;

struct si_crew {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  void (*work)(void *context, int thread);
  void *context;
  atomic_uint round;
  atomic_int busy; /* threads that have not finished this round */
  atomic_bool over;
  int count; /* of threads that were started */
  member members[];
};

static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* the number of the next round after `done`, or `done` itself when all is over */
static unsigned await_round(si_crew *crew, unsigned done) {
  for (int i = 0; i < looks_for_work; i++) {
    if (crew->round != done || crew->over) break;
    pause_briefly();
  }
  if (crew->round == done && !crew->over) {
    pthread_mutex_lock(&crew->lock);
    while (crew->round == done && !crew->over) pthread_cond_wait(&crew->begin, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
  }
  return crew->over ? done : crew->round;
}

static void *serve(void *data) {
  const member *self = data;
  si_crew *crew = self->crew;
  unsigned done = 0, round;
  while ((round = await_round(crew, done)) != done) {
    done = round;
    crew->work(crew->context, self->number);
    if (atomic_fetch_sub(&crew->busy, 1) > 1) continue;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->end);
    pthread_mutex_unlock(&crew->lock);
  }
  return NULL;
}

si_crew *si_crew_create(int count, sinew_error *error) {
  si_crew *crew = si_alloc(sizeof *crew + (size_t)count * sizeof *crew->members);
  if (!crew) return si_fail_memory(error), NULL;
  pthread_mutex_init(&crew->lock, NULL);
  pthread_cond_init(&crew->begin, NULL);
  pthread_cond_init(&crew->end, NULL);
  for (int i = 1; i < count; i++) {
    member *m = &crew->members[crew->count];
    *m = (member){ .crew = crew, .number = i };
    if (pthread_create(&m->thread, NULL, serve, m) != 0) {
      si_crew_destroy(crew);
      si_fail(error, SINEW_ERR_LIMIT, "the system gives no more than %d threads", i);
      return NULL;
    }
    crew->count++;
  }
  return crew;
}

void si_crew_destroy(si_crew *crew) {
  if (!crew) return;
  pthread_mutex_lock(&crew->lock);
  crew->over = true;
  pthread_cond_broadcast(&crew->begin);
  pthread_mutex_unlock(&crew->lock);
  for (int i = 0; i < crew->count; i++) pthread_join(crew->members[i].thread, NULL);
  pthread_cond_destroy(&crew->end);
  pthread_cond_destroy(&crew->begin);
  pthread_mutex_destroy(&crew->lock);
  si_free(crew);
}

void si_crew_run(si_crew *crew, void (*work)(void *context, int thread), void *context) {
  crew->work = work, crew->context = context;
  crew->busy = crew->count;
  pthread_mutex_lock(&crew->lock);
  crew->round++;
  pthread_cond_broadcast(&crew->begin);
  pthread_mutex_unlock(&crew->lock);
  work(context, 0);
  for (int i = 0; i < looks_for_end && crew->busy > 0; i++) pause_briefly();
  if (crew->busy == 0) return;
  pthread_mutex_lock(&crew->lock);
  while (crew->busy > 0) pthread_cond_wait(&crew->end, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
}
