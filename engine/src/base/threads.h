/* A crew: threads that wait for work and share it with whoever calls. */
#ifndef SI_THREADS_H
#define SI_THREADS_H

#include "sinew/error.h"

typedef struct si_crew si_crew;

/* `count` threads, the calling one included: it is number 0. NULL when threads or memory are out.
 */
si_crew *si_crew_create(int count, sinew_error *error);
void si_crew_destroy(si_crew *crew); /* NULL is allowed */

/* Calls `work` once on every thread, and returns when all have. */
void si_crew_run(si_crew *crew, void (*work)(void *context, int thread), void *context);

#endif
