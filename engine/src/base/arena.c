/* See arena.h. Each block is twice as large as the last, up to a limit, so that a small arena stays
 * small and a large one needs few blocks. Texts are not aligned. */
#include "base/arena.h"

#include "base/alloc.h"

#include <string.h>

enum { least_room = 1 << 10, most_room = 1 << 16 };

struct si_arena_block {
  struct si_arena_block *before;
};

static void *take(si_arena *arena, size_t bytes, size_t align) {
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t start = (arena->used + align - 1) / align * align;
  if (!arena->blocks || start > arena->room || arena->room - start < bytes) {
    size_t room = arena->room ? 2 * arena->room : least_room;
    if (room > most_room) room = most_room;
    if (room < bytes) room = bytes;
    struct si_arena_block *block = si_alloc(SI_ALIGN + room);
    if (!block) return NULL;
    block->before = arena->blocks;
    arena->blocks = block;
    arena->room = room;
    start = 0;
  }
  arena->used = start + bytes;
  return (unsigned char *)arena->blocks + SI_ALIGN + start;
}

void *si_arena_take(si_arena *arena, size_t bytes) { return take(arena, bytes, SI_ALIGN); }

char *si_arena_text(si_arena *arena, const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;
  if (copy) memcpy(copy, text, length); /* blocks are zeroed, so it is terminated */
  return copy;
}

void si_arena_free(si_arena *arena) {
  for (struct si_arena_block *block = arena->blocks; block;) {
    struct si_arena_block *before = block->before;
    si_free(block);
    block = before;
  }
  *arena = (si_arena){ 0 };
}
