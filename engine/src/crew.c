/* One mutex guards what there is to do: a round of work is a number that grows, and each thread
 * waits for the next one. */
#include "crew.h"

#include "alloc.h"
#include "error.h"

#include <pthread.h>

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
  unsigned round;
  int busy; /* threads that have not finished this round */
  bool over;
  int count; /* of threads that were started */
  member members[];
};

static void *serve(void *data) {
  const member *self = data;
  si_crew *crew = self->crew;
  unsigned done = 0;
  pthread_mutex_lock(&crew->lock);
  for (;;) {
    while (crew->round == done && !crew->over) pthread_cond_wait(&crew->begin, &crew->lock);
    if (crew->over) break;
    done = crew->round;
    pthread_mutex_unlock(&crew->lock);
    crew->work(crew->context, self->number);
    pthread_mutex_lock(&crew->lock);
    if (--crew->busy == 0) pthread_cond_signal(&crew->end);
  }
  pthread_mutex_unlock(&crew->lock);
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
  pthread_mutex_lock(&crew->lock);
  crew->work = work, crew->context = context;
  crew->busy = crew->count;
  crew->round++;
  pthread_cond_broadcast(&crew->begin);
  pthread_mutex_unlock(&crew->lock);
  work(context, 0);
  pthread_mutex_lock(&crew->lock);
  while (crew->busy > 0) pthread_cond_wait(&crew->end, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
}
