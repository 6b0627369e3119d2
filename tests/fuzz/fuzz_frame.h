/* Shared by the fuzzers: how an input is run, and the main program. */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include "mutate.h"
#include "sinew/sinew.h"

enum { FUZZ_ROOM = 8192 };

/* A kind of input. `form` selects a variant, such as a file extension. */
typedef struct fuzz_kind {
  uint32_t salt; /* makes a seed give different inputs for each kind */
  /* Writes a mutated input to FUZZ_ROOM bytes; returns its size. */
  size_t (*make)(uint32_t *state, unsigned char *dest, int *form);
  /* Reads it; NULL, with one message, if it is refused. */
  void *(*read)(int form, const unsigned char *bytes, size_t size, sinew_error *error);
  /* Aborts if something about the result is wrong, and destroys it; returns whether it counts as
   * accepted. */
  bool (*use)(void *object, uint32_t *state);
} fuzz_kind;

/* Runs one input; returns 1 if it was accepted. The input is freed before the result is used, and
 * nothing may leak after the result is destroyed. */
static inline long fuzz_one(const fuzz_kind *kind, uint32_t seed) {
  uint32_t state = seed * 2654435761u + kind->salt;
  static unsigned char bytes[FUZZ_ROOM];
  int form = 0;
  const size_t size = kind->make(&state, bytes, &form), before = sinew_live_blocks();
  /* in a block of exactly its size, so that a sanitizer sees every read past its end; one extra
   * byte in front keeps the block from being empty */
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

/* Arguments of a fuzzer: the number of inputs (default 100,000) and the seed of the first. */
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
