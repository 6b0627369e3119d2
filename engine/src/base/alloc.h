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

/* A quota on what this thread does for somebody else, such as a script that is not trusted: asked
 * before each allocation and by long loops. Once it refuses it goes on to, so that the work ends.
 */
typedef struct si_quota {
  bool (*take)(void *user, size_t bytes); /* whether so many bytes more may be allocated */
  bool (*work)(void *user, size_t units); /* whether to go on; a unit is about an instruction */
  void *user;
} si_quota;

/* Sets the quota of this thread, NULL for none, and gives the one before. */
const si_quota *si_quota_set(const si_quota *quota);
/* Called in loops as long as a caller chose; false: give up, as if memory were out. */
bool si_quota_work(size_t units);

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
bool si_expect_failed(const char *expression, const char *file, int line);
static inline bool si_expect(bool ok, const char *expression, const char *file, int line) {
  return ok || si_expect_failed(expression, file, line);
}
#define SI_EXPECT(cond) si_expect((cond), #cond, __FILE__, __LINE__)

#endif
