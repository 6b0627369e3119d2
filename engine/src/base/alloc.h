/* Memory inside the engine: counted blocks from the host's allocator, and a carver that puts
 * several arrays into one block. The same layout code runs twice: first to measure, then to place.
 */
#ifndef SI_ALLOC_H
#define SI_ALLOC_H

#include "sinew/base.h"

#define SI_ALIGN 32 /* cglm's AVX loads want 32, SSE and NEON 16 */

/* Zeroed, aligned to SI_ALIGN; NULL when memory runs out, `bytes` is above SIZE_MAX / 2, or the
 * thread's budget has stopped (base/budget_internal.h). */
void *si_alloc(size_t bytes);
/* `count * size` with the overflow checked. */
void *si_alloc_array(size_t count, size_t size);
/* NULL is allowed. */
void si_free(void *block);
/* Grows an array to hold at least `needed` items of `size` bytes; the new part is zeroed. `items`
 * is the address of the pointer to it (any `T **`). False, and nothing changed, when memory runs
 * out.
 */
bool si_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* A copy of `text`, or NULL when memory runs out or `text` is NULL. */
char *si_strdup(const char *text);

typedef struct si_carver {
  unsigned char *base; /* NULL while measuring */
  size_t used;
} si_carver;

/* The next `count * size` bytes, aligned to `align`; NULL while measuring. On overflow `used` stays
 * at SIZE_MAX, which si_alloc refuses. */
void *si_carve(si_carver *carver, size_t count, size_t size, size_t align);

/* Checks for bugs of the caller: calls the assert handler and returns false when the check fails.
 */
bool si_expect_failed(const char *expression, const char *file, int line);
static inline bool si_expect(bool ok, const char *expression, const char *file, int line) {
  return ok || si_expect_failed(expression, file, line);
}
#define SI_EXPECT(cond) si_expect((cond), #cond, __FILE__, __LINE__)

#endif
