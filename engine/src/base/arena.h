/* Memory for many small things that live and die together: taken from a few blocks, never given
 * back one by one, and freed all at once. A zeroed arena is an empty one. */
#ifndef SI_ARENA_H
#define SI_ARENA_H

#include <stddef.h>

typedef struct si_arena {
  struct si_arena_block *blocks; /* the newest first */
  size_t used, room;             /* of the newest */
} si_arena;

/* Zeroed, aligned to SI_ALIGN, and stays where it is; NULL, and the arena as it was, when memory is
 * out or `bytes` is absurd. */
void *si_arena_take(si_arena *arena, size_t bytes);
/* A copy of `length` bytes with a zero behind them; NULL likewise. */
char *si_arena_text(si_arena *arena, const char *text, size_t length);
/* Everything; the arena is empty then. */
void si_arena_free(si_arena *arena);

#endif
