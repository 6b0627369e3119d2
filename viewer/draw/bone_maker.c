/* A queue of solids that threads take from. Each solid is taken twice: for a first look (the fine
 * mesh if the cache has it, else a coarse one) and, after all first looks, for the rest. */
#include "draw/bone_maker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_threads = 4 };

typedef struct job {
  int number;
  sinew_solid *solid;
  bool fine; /* already made, in the first look */
} job;

typedef struct queue {
  void *items;
  size_t size;
  int count, room, next; /* `next` is the first that was not taken */
} queue;

struct bone_maker {
  pthread_t threads[most_threads];
  int thread_count;
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  queue looks, rests, made;
  int looking, working; /* jobs that a thread has */
  unsigned generation;  /* counts what was forgotten */
  bool quit, low;
  char *cache;
  sinew_error wrong; /* the first failure; its status is SINEW_OK if there is none */
};

static void *push(queue *q) {
  if (q->count == q->room) {
    int room = 2 * q->room + 64;
    void *grown = realloc(q->items, (size_t)room * q->size);
    if (!grown) return NULL;
    q->items = grown;
    q->room = room;
  }
  return (char *)q->items + (size_t)q->count++ * q->size;
}

static void *shift(queue *q) {
  return q->next < q->count ? (char *)q->items + (size_t)q->next++ * q->size : NULL;
}

static sinew_mesh *make(const bone_maker *m, const job *j, sinew_solid_level level,
                        bool made_before, sinew_error *error) {
  sinew_solid_options o = sinew_default_solid_options();
  o.level = level;
  o.cache = m->cache;
  o.made_before = made_before;
  return sinew_solid_mesh(j->solid, &o, error);
}

/* hands a mesh over, unless it was forgotten meanwhile; takes the lock */
static void deliver(bone_maker *m, const job *j, sinew_solid_level level, sinew_mesh *mesh,
                    unsigned generation, const sinew_error *error) {
  pthread_mutex_lock(&m->lock);
  bone_made *dest = mesh && generation == m->generation ? push(&m->made) : NULL;
  if (dest)
    *dest = (bone_made){ j->number, level, mesh };
  else
    sinew_mesh_destroy(mesh);
  if (!mesh && m->wrong.status == SINEW_OK) m->wrong = *error;
  pthread_mutex_unlock(&m->lock);
}

static void first_look(bone_maker *m, job *j, unsigned generation) {
  sinew_error error;
  sinew_mesh *mesh = make(m, j, SINEW_SOLID_FINE, true, &error);
  j->fine = mesh != NULL;
  if (!j->fine) mesh = make(m, j, SINEW_SOLID_COARSE, false, &error);
  deliver(m, j, j->fine ? SINEW_SOLID_FINE : SINEW_SOLID_COARSE, mesh, generation, &error);
}

static void rest(bone_maker *m, const job *j, unsigned generation) {
  sinew_error error;
  if (!j->fine)
    deliver(m, j, SINEW_SOLID_FINE, make(m, j, SINEW_SOLID_FINE, false, &error), generation,
            &error);
  if (m->low)
    deliver(m, j, SINEW_SOLID_LOW, make(m, j, SINEW_SOLID_LOW, false, &error), generation, &error);
}

/* one job, with the lock held at start and end; false if there is none */
static bool work(bone_maker *m) {
  const unsigned generation = m->generation;
  const job *next = shift(&m->looks);
  const bool look = next != NULL;
  if (!next) next = shift(&m->rests);
  if (!next) return false;
  job j = *next;
  *(look ? &m->looking : &m->working) += 1;
  pthread_mutex_unlock(&m->lock);
  if (look)
    first_look(m, &j, generation);
  else
    rest(m, &j, generation);
  pthread_mutex_lock(&m->lock);
  *(look ? &m->looking : &m->working) -= 1;
  job *again = look && generation == m->generation ? push(&m->rests) : NULL;
  if (again)
    *again = j;
  else
    sinew_solid_release(j.solid);
  pthread_cond_broadcast(&m->done);
  return true;
}

static void *run(void *user) {
  bone_maker *m = user;
  pthread_mutex_lock(&m->lock);
  while (!m->quit)
    if (!work(m)) pthread_cond_wait(&m->wake, &m->lock);
  pthread_mutex_unlock(&m->lock);
  return NULL;
}

bone_maker *bone_maker_create(const char *cache, bool low) {
  bone_maker *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  pthread_mutex_init(&m->lock, NULL);
  pthread_cond_init(&m->wake, NULL);
  pthread_cond_init(&m->done, NULL);
  m->looks.size = m->rests.size = sizeof(job);
  m->made.size = sizeof(bone_made);
  m->low = low;
  m->cache = cache ? strdup(cache) : NULL;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int threads = cores < 1 ? 1 : cores > most_threads ? most_threads : (int)cores;
  while (m->thread_count < threads &&
         pthread_create(&m->threads[m->thread_count], NULL, run, m) == 0)
    m->thread_count++;
  if (m->thread_count > 0) return m;
  bone_maker_destroy(m);
  return NULL;
}

void bone_maker_destroy(bone_maker *m) {
  if (!m) return;
  bone_maker_forget(m);
  pthread_mutex_lock(&m->lock);
  m->quit = true;
  pthread_cond_broadcast(&m->wake);
  pthread_mutex_unlock(&m->lock);
  for (int i = 0; i < m->thread_count; i++) pthread_join(m->threads[i], NULL);
  bone_maker_forget(m);
  pthread_cond_destroy(&m->wake);
  pthread_cond_destroy(&m->done);
  pthread_mutex_destroy(&m->lock);
  free(m->looks.items);
  free(m->rests.items);
  free(m->made.items);
  free(m->cache);
  free(m);
}

bool bone_maker_ask(bone_maker *m, int number, sinew_solid *solid) {
  pthread_mutex_lock(&m->lock);
  job *j = push(&m->looks);
  if (j) *j = (job){ number, sinew_solid_retain(solid), false };
  pthread_cond_signal(&m->wake);
  pthread_mutex_unlock(&m->lock);
  return j != NULL;
}

static void forget_jobs(queue *q) {
  for (const job *j; (j = shift(q));) sinew_solid_release(j->solid);
  q->count = q->next = 0;
}

void bone_maker_forget(bone_maker *m) {
  pthread_mutex_lock(&m->lock);
  m->generation++;
  forget_jobs(&m->looks);
  forget_jobs(&m->rests);
  for (const bone_made *b; (b = shift(&m->made));) sinew_mesh_destroy(b->mesh);
  m->made.count = m->made.next = 0;
  pthread_mutex_unlock(&m->lock);
}

bool bone_maker_take(bone_maker *m, bone_made *dest) {
  pthread_mutex_lock(&m->lock);
  const bone_made *next = shift(&m->made);
  if (next)
    *dest = *next;
  else
    m->made.count = m->made.next = 0;
  pthread_mutex_unlock(&m->lock);
  return next != NULL;
}

static int waiting(const queue *q) { return q->count - q->next; }

void bone_maker_wait(bone_maker *m, bool all) {
  pthread_mutex_lock(&m->lock);
  while (waiting(&m->looks) || m->looking || (all && (waiting(&m->rests) || m->working)))
    pthread_cond_wait(&m->done, &m->lock);
  pthread_mutex_unlock(&m->lock);
}

int bone_maker_left(bone_maker *m) {
  pthread_mutex_lock(&m->lock);
  int left = waiting(&m->looks) + waiting(&m->rests) + m->looking + m->working;
  pthread_mutex_unlock(&m->lock);
  return left;
}

bool bone_maker_wrong(bone_maker *m, sinew_error *dest) {
  pthread_mutex_lock(&m->lock);
  *dest = m->wrong;
  sinew_error_clear(&m->wrong);
  pthread_mutex_unlock(&m->lock);
  return dest->status != SINEW_OK;
}
