/* Memory inside the engine: counted blocks from the host's hooks, and a carver that lays several
 * arrays into one block by running the same layout twice, once to measure and once to place. */
#ifndef SI_ALLOC_H
#define SI_ALLOC_H

#include "sinew/base.h"

#define SI_ALIGN 32 /* cglm's AVX loads want 32, SSE and NEON 16 */

/* Zeroed, aligned to SI_ALIGN; NULL when memory is out or `bytes` is absurd. */
void *si_alloc(size_t bytes);
/* `count * size` with the overflow checked. */
void *si_alloc_array(size_t count, size_t size);
/* NULL is allowed. */
void si_free(void *block);
/* Grows `*items` (of `*capacity` items of `size` bytes) to hold at least `needed`; the new part is
 * zeroed. False, and nothing changed, when memory is out. */
bool si_grow(void **items, size_t *capacity, size_t needed, size_t size);
/* A copy of `text`, or NULL when memory is out or `text` is NULL. */
char *si_strdup(const char *text);

typedef struct si_carver {
  unsigned char *base; /* NULL while measuring */
  size_t used;
} si_carver;

/* The next `count * size` bytes, aligned to `align`; NULL while measuring. A sum that no memory can
 * hold stays at SIZE_MAX, for which si_alloc gives NULL. */
void *si_carve(si_carver *carver, size_t count, size_t size, size_t align);

/* A caller's bug: calls the assert handler; false when the check failed. */
bool si_expect(bool ok, const char *expression, const char *file, int line);
#define SI_EXPECT(cond) si_expect((cond), #cond, __FILE__, __LINE__)

#endif
