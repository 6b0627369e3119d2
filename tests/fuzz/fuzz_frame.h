/* What the fuzzers share: how an input is tried, and the program around that. */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include "mutate.h"
#include "sinew/sinew.h"

enum { FUZZ_ROOM = 8192 };

/* A kind of input. `form` tells variants of it apart, such as files of different endings. */
typedef struct fuzz_kind {
  uint32_t salt; /* so that a seed is another input to each kind */
  /* A mutated input in FUZZ_ROOM bytes; gives its size. */
  size_t (*make)(uint32_t *state, unsigned char *dest, int *form);
  /* What it is read as; NULL, with one message, where it is refused. */
  void *(*read)(int form, const unsigned char *bytes, size_t size, sinew_error *error);
  /* Aborts where something about it is wrong, and destroys it; whether it counts as taken. */
  bool (*use)(void *object, uint32_t *state);
} fuzz_kind;

/* One input; 1 where it was taken. The input is gone before what was read of it is used, and
 * nothing may be left when that is destroyed. */
static inline long fuzz_one(const fuzz_kind *kind, uint32_t seed) {
  uint32_t state = seed * 2654435761u + kind->salt;
  static unsigned char bytes[FUZZ_ROOM];
  int form = 0;
  const size_t size = kind->make(&state, bytes, &form), before = sinew_live_blocks();
  /* in a block that ends where it ends, so that a sanitizer sees every read behind it; the byte
   * before it keeps the block from being empty */
  unsigned char *exact = malloc(size + 1);
  if (!exact) abort();
  memcpy(exact + 1, bytes, size);
  sinew_error error;
  void *object = kind->read(form, exact + 1, size, &error);
  free(exact);
  if (!object && error.count != 1) abort();
  const bool taken = object && kind->use(object, &state);
  if (sinew_live_blocks() != before) abort();
  return taken;
}

/* The arguments of a fuzzer: how many inputs (100,000 unless given), and the first one's seed. */
static inline int fuzz_main(int argc, char **argv, long (*run)(uint32_t seed)) {
  long count = argc > 1 ? atol(argv[1]) : 100000, taken = 0;
  uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
  if (count <= 0) {
    fprintf(stderr, "usage: %s [COUNT] [SEED]\n", argv[0]);
    return 2;
  }
  for (long i = 0; i < count; i++) taken += run(seed + (uint32_t)i);
  printf("%ld inputs, %ld of them taken\n", count, taken);
  return 0;
}

#endif
