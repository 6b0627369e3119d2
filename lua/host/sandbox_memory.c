/* The allocator of a sandbox. Blocks up to 512 bytes are cells of pages, one free list for each
 * size; larger ones come one by one. Nothing is refused at the script's limit: the hook is armed
 * instead, so that the script stops at its next instruction with file and line, and the collector
 * is never driven by Lua's own emergency. Only far beyond the limit memory is out.
 *
 * One instruction can do work in proportion to the largest block (compare two strings, walk an
 * empty table), so live large blocks shorten the step between hooks. A string counts 64 times as
 * much as other blocks: comparing two strings of zeros calls strcoll for every byte. */
#include "sandbox_core.h"

#include "alloc.h"

#include <string.h>

enum {
  page_bytes = 16384,
  light_bytes = 16384,      /* strings up to this keep the full step */
  weight_of_others = 64,    /* a table may be this many times larger */
  slack_bytes = 512 * 1024, /* garbage made before the collector is called at once */
  beyond_bytes = 256 << 20, /* above the limit */
  full_step = 1000
};

/* before each large block */
typedef struct large {
  size_t weight;
  size_t padding;
} large;

static int heavy_class(size_t weight) {
  int class = -1;
  for (size_t w = weight; w > light_bytes && class < SI_HEAVY_CLASSES - 1; w /= 2) class ++;
  return class;
}

void si_pool_reset_step(si_sandbox *sandbox) {
  int top = SI_HEAVY_CLASSES - 1;
  while (top >= 0 && sandbox->pool.heavy[top] == 0) top--;
  int step = full_step >> (top + 1);
  sandbox->step = step > 0 ? step : 1;
}

static void weigh(si_sandbox *sandbox, size_t weight, int change) {
  int class = heavy_class(weight), step = sandbox->step;
  if (class < 0) return;
  sandbox->pool.heavy[class] += change;
  si_pool_reset_step(sandbox);
  if (sandbox->step < step) si_budget_arm(sandbox);
}

static void *take_cell(si_pool *pool, size_t bytes) {
  size_t class = (bytes + SI_POOL_STEP - 1) / SI_POOL_STEP - 1, cell = (class + 1) * SI_POOL_STEP;
  si_pool_cell *first = pool->free[class];
  if (first) {
    pool->free[class] = first->next;
    return first;
  }
  if ((size_t)(pool->fresh_end - pool->fresh) < cell) {
    si_pool_cell *page = si_alloc(page_bytes);
    if (!page) return NULL;
    page->next = pool->pages;
    pool->pages = page;
    pool->held += page_bytes;
    pool->fresh = (unsigned char *)page + SI_POOL_STEP;
    pool->fresh_end = (unsigned char *)page + page_bytes;
  }
  void *block = pool->fresh;
  pool->fresh += cell;
  return block;
}

static void *take(si_sandbox *sandbox, size_t bytes, bool is_string) {
  si_pool *pool = &sandbox->pool;
  void *block;
  if (bytes <= SI_POOL_MAX) {
    block = take_cell(pool, bytes);
    if (!block) return NULL;
  } else {
    if (bytes > sandbox->desc.memory + beyond_bytes ||
        pool->held > sandbox->desc.memory + beyond_bytes - bytes)
      return NULL;
    large *head = si_alloc(sizeof(large) + bytes);
    if (!head) return NULL;
    head->weight = is_string ? bytes : bytes / weight_of_others;
    pool->held += sizeof(large) + bytes;
    sandbox->left -= (int64_t)(bytes / 16);
    weigh(sandbox, head->weight, 1);
    block = head + 1;
  }
  pool->used += bytes;
  if (is_string && bytes > sandbox->desc.text + 64) {
    sandbox->overlong = true;
    si_budget_arm(sandbox);
  }
  if (pool->used > sandbox->collect_at + slack_bytes || pool->held > sandbox->desc.memory)
    si_budget_arm(sandbox);
  return block;
}

static void give_back(si_sandbox *sandbox, void *block, size_t bytes) {
  si_pool *pool = &sandbox->pool;
  pool->used -= bytes;
  if (bytes <= SI_POOL_MAX) {
    si_pool_cell *cell = block;
    size_t class = (bytes + SI_POOL_STEP - 1) / SI_POOL_STEP - 1;
    cell->next = pool->free[class];
    pool->free[class] = cell;
  } else {
    large *head = (large *)block - 1;
    pool->held -= sizeof(large) + bytes;
    weigh(sandbox, head->weight, -1);
    si_free(head);
  }
}

void *si_pool_realloc(void *user, void *block, size_t old_bytes, size_t bytes) {
  si_sandbox *sandbox = user;
  if (!block) return bytes ? take(sandbox, bytes, old_bytes == LUA_TSTRING) : NULL;
  if (bytes == 0) {
    give_back(sandbox, block, old_bytes);
    return NULL;
  }
  if (bytes <= SI_POOL_MAX && old_bytes <= SI_POOL_MAX &&
      (bytes - 1) / SI_POOL_STEP == (old_bytes - 1) / SI_POOL_STEP) {
    sandbox->pool.used += bytes - old_bytes;
    return block;
  }
  void *moved = take(sandbox, bytes, false);
  if (!moved) return NULL;
  memcpy(moved, block, bytes < old_bytes ? bytes : old_bytes);
  give_back(sandbox, block, old_bytes);
  return moved;
}

void si_pool_clear(si_pool *pool) {
  while (pool->pages) {
    si_pool_cell *next = pool->pages->next;
    si_free(pool->pages);
    pool->pages = next;
  }
  memset(pool, 0, sizeof *pool);
}
