/* A thread pool: threads that wait for work and share it with whoever calls. */
#ifndef SI_THREAD_POOL_H
#define SI_THREAD_POOL_H

#include "sinew/error.h"

typedef struct si_thread_pool si_thread_pool;

/* `count` threads, the calling one included: it is number 0. NULL when threads or memory are out.
 */
si_thread_pool *si_thread_pool_create(int count, sinew_error *error);
void si_thread_pool_destroy(si_thread_pool *pool); /* NULL is allowed */

/* Calls `work` once on every thread, and returns when all have. */
void si_thread_pool_run(si_thread_pool *pool, void (*work)(void *context, int thread),
                        void *context);

#endif
