/* A thread pool. The calling thread takes part in the work. */
#ifndef SI_THREAD_POOL_H
#define SI_THREAD_POOL_H

#include "sinew/error.h"

typedef struct si_thread_pool si_thread_pool;

/* `count` threads including the caller, which is number 0. NULL if threads or memory run out. */
si_thread_pool *si_thread_pool_create(int count, sinew_error *error);
void si_thread_pool_destroy(si_thread_pool *pool); /* NULL is allowed */

/* Calls `work` once on every thread and returns when all calls have returned. */
void si_thread_pool_run(si_thread_pool *pool, void (*work)(void *context, int thread),
                        void *context);

#endif
