/* Name tables (open addressing, FNV-1a), and the nearest names by edit distance. Swapping two
 * neighbouring letters counts as one edit; case is ignored. */
#include "base/budget_internal.h"
#include "base/names.h"

#include "base/alloc.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { longest_name = 100, longest_compared = 2 * longest_name + 1 };

uint64_t si_hash(uint64_t from, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++) from = (from ^ at[i]) * 1099511628211u;
  return from;
}

static struct si_name_slot *slot_of(const si_names *names, const char *name, size_t length) {
  size_t at = si_hash(SI_HASH_START, name, length) & (names->capacity - 1);
  for (;; at = (at + 1) & (names->capacity - 1)) {
    struct si_name_slot *slot = &names->slots[at];
    if (!slot->name) return slot;
    if (strncmp(slot->name, name, length) == 0 && slot->name[length] == '\0') return slot;
  }
}

static bool widen(si_names *names) {
  si_names wider = { .capacity = names->capacity ? names->capacity * 2 : 64 };
  wider.slots = si_alloc_array(wider.capacity, sizeof *wider.slots);
  if (!wider.slots) return false;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i].name)
      *slot_of(&wider, names->slots[i].name, strlen(names->slots[i].name)) = names->slots[i];
  wider.count = names->count;
  si_free(names->slots);
  *names = wider;
  return true;
}

bool si_names_add(si_names *names, const char *name, uint32_t value) {
  if ((names->count + 1) * 2 > names->capacity && !widen(names)) return false;
  struct si_name_slot *slot = slot_of(names, name, strlen(name));
  if (slot->name) return true;
  slot->name = name;
  slot->value = value;
  names->count++;
  return true;
}

void si_names_set(si_names *names, const char *name, uint32_t value) {
  struct si_name_slot *slot = slot_of(names, name, strlen(name));
  if (slot->name) slot->value = value;
}

uint32_t si_names_find_n(const si_names *names, const char *name, size_t length) {
  if (!names->capacity) return 0;
  const struct si_name_slot *slot = slot_of(names, name, length);
  return slot->name ? slot->value : 0;
}

uint32_t si_names_find(const si_names *names, const char *name) {
  return si_names_find_n(names, name, strlen(name));
}

void si_names_clear(si_names *names) {
  if (names->count) memset(names->slots, 0, names->capacity * sizeof *names->slots);
  names->count = 0;
}

void si_names_free(si_names *names) {
  si_free(names->slots);
  *names = (si_names){ 0 };
}

const char *si_name_fault(const char *name) {
  if (!name || !*name) return "is empty";
  size_t length = strlen(name);
  if (length > longest_name) return "is longer than 100 bytes";
  if (name[0] == ' ' || name[length - 1] == ' ') return "begins or ends with a space";
  for (size_t i = 0; i < length;) {
    uint32_t code;
    const size_t bytes = si_utf8_read(name + i, &code);
    if (!bytes) return "is not UTF-8";
    if (code == '.') return "has a dot";
    if (si_is_control(code)) return "has a control character";
    i += bytes;
  }
  return NULL;
}

const char *si_name_show(const char *name, char dest[SI_NAME_SHOWN]) {
  int length = snprintf(dest, SI_NAME_SHOWN, "%s", name);
  if (length >= SI_NAME_SHOWN) memcpy(dest + SI_NAME_SHOWN - 4, "...", 4);
  for (char *at = dest; *at; at++)
    if (*at == '\n' || *at == '\t') *at = '?';
  return dest;
}

/* the edit distance of a and b, or `most` + 1 if it is larger than `most` */
static int edits(const char *a, const char *b, int most) {
  int row[3][longest_compared + 1];
  int m = (int)strlen(a), n = (int)strlen(b);
  if (m > longest_compared || n > longest_compared || m - n > most || n - m > most) return most + 1;
  int *before = row[0], *above = row[1], *here = row[2];
  for (int j = 0; j <= n; j++) {
    above[j] = j;
    before[j] = 0;
  }
  for (int i = 1; i <= m; i++) {
    here[0] = i;
    int least = i;
    for (int j = 1; j <= n; j++) {
      int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
      int best = above[j - 1] + (p != q);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (here[j - 1] + 1 < best) best = here[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2]) &&
                     q == tolower((unsigned char)a[i - 2]);
      if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      here[j] = best;
      if (best < least) least = best;
    }
    if (least > most) return most + 1;
    int *spare = before;
    before = above;
    above = here;
    here = spare;
  }
  return above[n];
}

void si_nearest_start(si_nearest *nearest, const char *wanted) {
  *nearest = (si_nearest){ .wanted = wanted };
}

void si_nearest_offer(si_nearest *nearest, const char *candidate) {
  enum { kept = sizeof nearest->best / sizeof nearest->best[0] };
  size_t length = strlen(nearest->wanted);
  int most = length < 4 ? 1 : length < 8 ? 2 : 3;
  si_work(8); /* who asks for many stops */
  int distance = edits(nearest->wanted, candidate, most);
  /* a name without its joint set, or the first half of a name, is close too */
  const char *tail = strrchr(candidate, '.');
  if (tail && strcmp(tail + 1, nearest->wanted) == 0) distance = 1;
  if (length >= 3 && distance > most && strncmp(candidate, nearest->wanted, length) == 0)
    distance = most;
  if (distance > most) return;
  for (int i = 0; i < kept; i++)
    if (nearest->best[i].name && strcmp(nearest->best[i].name, candidate) == 0) return;
  for (int i = 0; i < kept; i++) {
    if (nearest->best[i].name && nearest->best[i].distance <= distance) continue;
    for (int j = kept - 1; j > i; j--) nearest->best[j] = nearest->best[j - 1];
    nearest->best[i].name = candidate;
    nearest->best[i].distance = distance;
    return;
  }
}

const char *si_nearest_words(const si_nearest *nearest, char *dest, size_t capacity) {
  enum { kept = sizeof nearest->best / sizeof nearest->best[0] };
  dest[0] = '\0';
  if (!nearest->best[0].name) return dest;
  size_t used = (size_t)snprintf(dest, capacity, " (did you mean '%s'", nearest->best[0].name);
  for (int i = 1; i < kept && nearest->best[i].name && used < capacity; i++)
    used += (size_t)snprintf(dest + used, capacity - used, " or '%s'", nearest->best[i].name);
  if (used < capacity) snprintf(dest + used, capacity - used, "?)");
  return dest;
}
