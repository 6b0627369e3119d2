/* Counted, aligned memory from the host's allocator. Each block has a small header with its size,
 * so that freeing it can update the count of live bytes. */
#include "base/alloc.h"

#include "base/budget_internal.h"
#include "base/platform.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x)   #x
#define NUMBER_OF(x) TEXT_OF(x)

typedef struct header {
  size_t bytes;
  uint32_t budget; /* its number, or 0 */
} header;

_Static_assert(sizeof(header) <= SI_ALIGN, "the header must fit before an aligned block");

static void *default_alloc(size_t bytes, size_t align, void *user) {
  (void)user;
  return si_platform_alloc(bytes, align);
}

static void default_release(void *block, void *user) {
  (void)user;
  si_platform_free(block);
}

static void default_assert(const char *expression, const char *file, int line) {
  fprintf(stderr, "sinew: %s:%d: expected %s\n", file, line, expression);
  abort();
}

static sinew_allocator allocator = { default_alloc, default_release, NULL };
static sinew_assert_handler on_assert = default_assert;
static atomic_size_t live_bytes;
static atomic_size_t live_blocks;

const char *sinew_version(void) {
  return NUMBER_OF(SINEW_VERSION_MAJOR) "." NUMBER_OF(SINEW_VERSION_MINOR) "." NUMBER_OF(
      SINEW_VERSION_PATCH);
}

void sinew_set_allocator(const sinew_allocator *hooks) {
  static const sinew_allocator plain = { default_alloc, default_release, NULL };
  allocator = hooks ? *hooks : plain;
}

size_t sinew_live_bytes(void) { return atomic_load(&live_bytes); }
size_t sinew_live_blocks(void) { return atomic_load(&live_blocks); }

void sinew_set_assert_handler(sinew_assert_handler handler) {
  on_assert = handler ? handler : default_assert;
}

bool si_expect_failed(const char *expression, const char *file, int line) {
  on_assert(expression, file, line);
  return false;
}

/* zeroes a block, which takes time where it is large; false: stopped meanwhile */
static bool clear(unsigned char *block, size_t bytes, bool spends) {
  for (; bytes > SI_BUDGET_PIECE; block += SI_BUDGET_PIECE, bytes -= SI_BUDGET_PIECE) {
    memset(block, 0, SI_BUDGET_PIECE);
    if (spends && !si_work(SI_BUDGET_PIECE / 64)) return false;
  }
  memset(block, 0, bytes);
  return true;
}

void *si_alloc(size_t bytes) {
  uint32_t budget;
  if (bytes > SIZE_MAX / 2 || !si_budget_take(bytes, &budget)) return NULL;
  unsigned char *block = allocator.alloc(bytes + SI_ALIGN, SI_ALIGN, allocator.user);
  if (!block || !clear(block, bytes + SI_ALIGN, budget)) {
    if (block) allocator.release(block, allocator.user);
    if (budget) si_budget_give_back(bytes, budget);
    return NULL;
  }
  *(header *)(void *)block = (header){ bytes, budget };
  atomic_fetch_add(&live_bytes, bytes);
  atomic_fetch_add(&live_blocks, 1);
  return block + SI_ALIGN;
}

void *si_alloc_array(size_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size) return NULL;
  return si_alloc(count * size);
}

void si_free(void *block) {
  if (!block) return;
  unsigned char *start = (unsigned char *)block - SI_ALIGN;
  header head = *(header *)(void *)start;
  if (head.budget) si_budget_give_back(head.bytes, head.budget);
  atomic_fetch_sub(&live_bytes, head.bytes);
  atomic_fetch_sub(&live_blocks, 1);
  allocator.release(start, allocator.user);
}

bool si_grow(void *items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return true;
  void *old;
  memcpy(&old, items, sizeof old);
  size_t wider = *capacity ? *capacity * 2 : 8;
  if (wider < needed) wider = needed;
  void *bigger = si_alloc_array(wider, size);
  if (!bigger) return false;
  if (old) memcpy(bigger, old, *capacity * size);
  si_free(old);
  memcpy(items, &bigger, sizeof bigger);
  *capacity = wider;
  return true;
}

char *si_strdup(const char *text) {
  if (!text) return NULL;
  size_t bytes = strlen(text) + 1;
  char *copy = si_alloc(bytes);
  if (copy) memcpy(copy, text, bytes);
  return copy;
}

void *si_carve(si_carver *carver, size_t count, size_t size, size_t align) {
  if (carver->used > SIZE_MAX / 2 || (size && count > SIZE_MAX / 4 / size)) {
    carver->used = SIZE_MAX;
    return NULL;
  }
  size_t start = (carver->used + align - 1) / align * align;
  carver->used = start + count * size;
  return carver->base ? carver->base + start : NULL;
}
