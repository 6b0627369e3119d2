/* Memory for many small objects with one lifetime, allocated from a few blocks and freed together.
 * A zeroed arena is empty. */
#ifndef SI_ARENA_H
#define SI_ARENA_H

#include <stddef.h>

typedef struct si_arena {
  struct si_arena_block *blocks; /* the newest first */
  size_t used, room;             /* of the newest */
} si_arena;

/* Zeroed, aligned to SI_ALIGN, and never moved; NULL, with the arena unchanged, when memory runs
 * out or `bytes` is above SIZE_MAX / 2. */
void *si_arena_take(si_arena *arena, size_t bytes);
/* A zero-terminated copy of `length` bytes, or NULL. */
char *si_arena_text(si_arena *arena, const char *text, size_t length);
/* Frees everything and leaves an empty arena. */
void si_arena_free(si_arena *arena);

#endif
