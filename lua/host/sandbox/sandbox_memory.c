/* The allocator of a sandbox. Blocks up to 512 bytes come from pages, with one free list for each
 * size; larger ones are allocated one by one. Above the script's limit, an allocation still
 * succeeds: it arms the hook, which looks at the next instruction. It is refused, and the script
 * killed, only where a single instruction could do harm:
 * - a string above the limit, or memory of more than 7/6 of the limit;
 * - a hash of very many keys: if keys are chosen to collide, Lua's rehash takes quadratic time
 *   (8 s for 65536 of them) inside one instruction.
 *
 * The work of one instruction can also be proportional to the largest block (comparing two strings,
 * traversing an empty table), so live large blocks shorten the step between hooks. A string counts
 * 64 times as much as other blocks: comparing two strings of zeros calls strcoll for every byte. */
#include "lua/host/sandbox/sandbox_core.h"

#include "base/alloc.h"

#include <string.h>

enum {
  page_bytes = 16384,
  light_bytes = 16384,      /* strings up to this size keep the full step */
  weight_of_others = 64,    /* a table may be this many times larger */
  slack_bytes = 512 * 1024, /* garbage that triggers a full collection */
  full_step = 1000,
  node_bytes = 24,       /* size of a hash node in Lua 5.4; the number of nodes is a power of two */
  notable_bytes = 16384, /* a new hash of this size is checked */
  grown = 100            /* kind of a block that is reallocated; not an object type */
};

/* header of each large block */
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

/* allocates outside of the budget: the pool has its own limits, and says itself what it holds */
static void *take_plain(size_t bytes) {
  sinew_budget *budget = sinew_budget_enter(NULL);
  void *block = si_alloc(bytes);
  sinew_budget_leave(budget);
  return block;
}

static void hold(si_sandbox *sandbox, ptrdiff_t bytes) {
  sandbox->pool.held += (size_t)bytes;
  si_budget_hold(&sandbox->budget, bytes);
}

static void *take_cell(si_sandbox *sandbox, size_t bytes) {
  si_pool *pool = &sandbox->pool;
  size_t class = (bytes + SI_POOL_STEP - 1) / SI_POOL_STEP - 1, cell = (class + 1) * SI_POOL_STEP;
  si_pool_cell *first = pool->free[class];
  if (first) {
    pool->free[class] = first->next;
    return first;
  }
  if ((size_t)(pool->fresh_end - pool->fresh) < cell) {
    si_pool_cell *page = take_plain(page_bytes);
    if (!page) return NULL;
    page->next = pool->pages;
    pool->pages = page;
    hold(sandbox, page_bytes);
    pool->fresh = (unsigned char *)page + SI_POOL_STEP;
    pool->fresh_end = (unsigned char *)page + page_bytes;
  }
  void *block = pool->fresh;
  pool->fresh += cell;
  return block;
}

static bool is_hash(size_t bytes, size_t most) {
  size_t nodes = bytes / node_bytes;
  return nodes > most && bytes % node_bytes == 0 && (nodes & (nodes - 1)) == 0;
}

/* A little more than the script may hold is allowed, since the next look collects garbage. Beyond
 * that Lua is refused: it collects at once and asks again. */
static bool is_too_much(si_sandbox *sandbox, size_t bytes) {
  size_t most = sandbox->desc.memory + sandbox->desc.memory / 6;
  size_t held = si_sandbox_memory(sandbox);
  bool again = sandbox->refused;
  sandbox->refused = bytes > most || held > most - bytes;
  if (!sandbox->refused) return false;
  if (!again)
    si_budget_defuse(sandbox);
  else
    si_budget_refuse(sandbox, "stopped: the script holds more than %zu bytes of memory",
                     sandbox->desc.memory);
  return true;
}

/* `kind` is what Lua passes for a new block: the type of an object, or 0 */
static bool is_allowed(si_sandbox *sandbox, size_t bytes, size_t kind) {
  const si_sandbox_desc *desc = &sandbox->desc;
  if (bytes <= SI_POOL_MAX) return true;
  if (kind == LUA_TSTRING && bytes > desc->text + 64)
    si_budget_refuse(sandbox, "stopped: a string of more than %zu bytes", desc->text);
  else if (is_too_much(sandbox, bytes))
    return false;
  else if (kind == 0 && is_hash(bytes, sandbox->most_keys))
    si_budget_refuse(sandbox, "stopped: more than %zu %s", sandbox->most_keys,
                     sandbox->most_keys == SI_MOST_CONSTANTS
                         ? "different constants in one text"
                         : "keys outside the list part of a table");
  else
    return true;
  return false;
}

static void *take_large(si_sandbox *sandbox, size_t bytes, size_t kind) {
  large *head = take_plain(sizeof(large) + bytes);
  if (!head) {
    si_budget_defuse(sandbox);
    return NULL;
  }
  head->weight = kind == LUA_TSTRING ? bytes : bytes / weight_of_others;
  hold(sandbox, (ptrdiff_t)(sizeof(large) + bytes));
  /* who makes a userdata pays for filling it */
  si_budget_spend(&sandbox->budget, bytes / (kind == LUA_TUSERDATA ? 64 : 16));
  weigh(sandbox, head->weight, 1);
  if (kind == 0 && bytes >= notable_bytes) si_budget_arm(sandbox);
  return head + 1;
}

static void *take(si_sandbox *sandbox, size_t bytes, size_t kind) {
  si_pool *pool = &sandbox->pool;
  void *block = bytes <= SI_POOL_MAX ? take_cell(sandbox, bytes) : take_large(sandbox, bytes, kind);
  if (!block) return NULL;
  pool->used += bytes;
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
    hold(sandbox, -(ptrdiff_t)(sizeof(large) + bytes));
    weigh(sandbox, head->weight, -1);
    si_free(head);
  }
}

void *si_pool_realloc(void *user, void *block, size_t old_bytes, size_t bytes) {
  si_sandbox *sandbox = user;
  if (!block) {
    if (bytes == 0 || !is_allowed(sandbox, bytes, old_bytes)) return NULL;
    return take(sandbox, bytes, old_bytes);
  }
  if (bytes == 0) {
    give_back(sandbox, block, old_bytes);
    return NULL;
  }
  if (bytes <= SI_POOL_MAX && old_bytes <= SI_POOL_MAX &&
      (bytes - 1) / SI_POOL_STEP == (old_bytes - 1) / SI_POOL_STEP) {
    sandbox->pool.used += bytes - old_bytes;
    return block;
  }
  if (bytes > old_bytes && !is_allowed(sandbox, bytes, grown)) return NULL;
  void *moved = take(sandbox, bytes, grown);
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
