/* See scarce.h. */
#include "scarce.h"

#include <sinew/base.h>
#include <stdlib.h>

static long left;

static void *take(size_t bytes, size_t align, void *user) {
  (void)user;
  if (left-- <= 0) return NULL;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void give_back(void *block, void *user) {
  (void)user;
  free(block);
}

void scarce_memory(long allowed) {
  static const sinew_allocator hooks = { take, give_back, NULL };
  left = allowed;
  sinew_set_allocator(&hooks);
}

void plenty_of_memory(void) { sinew_set_allocator(NULL); }
