/* Names: a hash table from name to number, the rules for a valid name, and suggestions for misspelt
 * names. */
#ifndef SI_NAMES_H
#define SI_NAMES_H

#include "sinew/base.h"

/* FNV-1a of some bytes, on from the hash of those before them or SI_HASH_START. */
#define SI_HASH_START 14695981039346656037u
uint64_t si_hash(uint64_t from, const void *bytes, size_t size);

typedef struct si_names {
  struct si_name_slot {
    const char *name; /* borrowed */
    uint32_t value;
  } * slots;
  size_t capacity, count; /* capacity is a power of two, or 0 */
} si_names;

/* False when memory runs out. An existing entry keeps its value. */
bool si_names_add(si_names *names, const char *name, uint32_t value);
/* Changes the value of an existing entry. */
void si_names_set(si_names *names, const char *name, uint32_t value);
/* The value, or 0. */
uint32_t si_names_find(const si_names *names, const char *name);
uint32_t si_names_find_n(const si_names *names, const char *name, size_t length);
/* Removes all entries and keeps the memory. */
void si_names_clear(si_names *names);
void si_names_free(si_names *names);

/* What is wrong with a name ("is empty", "has a dot" ...), or NULL if it is valid. */
const char *si_name_fault(const char *name);
/* A name that may be wrong, for a message: in one line, and cut where no valid name, also one with
 * its joint set's, is as long. Returns `dest`. */
enum { SI_NAME_SHOWN = 208 };
const char *si_name_show(const char *name, char dest[SI_NAME_SHOWN]);

/* Collects candidates and suggests the nearest: " (did you mean 'knee'?)", or "" if none is near.
 */
typedef struct si_nearest {
  const char *wanted;
  struct {
    const char *name;
    int distance;
  } best[3];
} si_nearest;

void si_nearest_start(si_nearest *nearest, const char *wanted);
void si_nearest_offer(si_nearest *nearest, const char *candidate);
/* Returns dest. */
const char *si_nearest_words(const si_nearest *nearest, char *dest, size_t capacity);

#endif
