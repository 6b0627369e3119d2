/* Shared by the fuzzers: how an input is run, and the main program. */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include <dirent.h>

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
  /* The rest is for libFuzzer and for files of a corpus, whose first byte is the form if there are
   * several. */
  int forms;
  /* Inserts a word of the format, or puts it in place of something; NULL: there are none. */
  size_t (*word)(uint32_t *state, unsigned char *bytes, size_t size, size_t room);
  /* Repairs what a mutation breaks and what hides everything behind it, such as a checksum. NULL:
   * nothing is. */
  void (*fix)(int form, unsigned char *bytes, size_t size);
} fuzz_kind;

/* Runs one input; returns 1 if it was accepted. The input is freed before the result is used, and
 * nothing may leak after the result is destroyed. */
static inline long fuzz_bytes(const fuzz_kind *kind, int form, const unsigned char *bytes,
                              size_t size, uint32_t *state) {
  const size_t before = sinew_live_blocks();
  /* in a block of exactly its size, so that a sanitizer sees every read past its end; one extra
   * byte in front keeps the block from being empty */
  unsigned char *exact = malloc(size + 1);
  if (!exact) abort();
  if (size) memcpy(exact + 1, bytes, size);
  sinew_error error;
  void *object = kind->read(form, exact + 1, size, &error);
  free(exact);
  if (!object && error.count != 1) abort();
  const bool taken = object && kind->use(object, state);
  if (sinew_live_blocks() != before) abort();
  return taken;
}

static inline long fuzz_one(const fuzz_kind *kind, uint32_t seed) {
  uint32_t state = seed * 2654435761u + kind->salt;
  static unsigned char bytes[FUZZ_ROOM];
  int form = 0;
  const size_t size = kind->make(&state, bytes, &form);
  return fuzz_bytes(kind, form, bytes, size, &state);
}

/* An input of libFuzzer, or a file of a corpus. */
static inline long fuzz_input(const fuzz_kind *kind, const unsigned char *bytes, size_t size) {
  uint32_t state = 2166136261u;
  int form = 0;
  for (size_t i = 0; i < size; i++) state = (state ^ bytes[i]) * 16777619u;
  state |= !state;
  if (kind->forms > 1 && size) form = *bytes++ % kind->forms, size--;
  return fuzz_bytes(kind, form, bytes, size, &state);
}

/* Runs a file; -1 if it cannot be read or is too long. */
static inline long fuzz_file(const fuzz_kind *kind, const char *path) {
  static unsigned char bytes[FUZZ_ROOM + 1];
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  const bool fine = !ferror(file) && size <= FUZZ_ROOM;
  fclose(file);
  return fine ? fuzz_input(kind, bytes, size) : -1;
}

/* Runs every file of a folder; returns how many, -1 if one cannot be read. */
static inline long fuzz_folder(const fuzz_kind *kind, const char *folder) {
  long count = 0;
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open)) != NULL;) {
    char path[1024];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (fuzz_file(kind, path) < 0) count = -1;
    if (count < 0) break;
    count++;
  }
  if (open) closedir(open);
  return count;
}

/* Runs every input of a corpus (pack.lua); returns how many, -1 if it cannot be read. */
static inline long fuzz_corpus(const fuzz_kind *kind, const char *path) {
  static unsigned char bytes[FUZZ_ROOM];
  unsigned char head[4];
  long count = 0;
  FILE *file = fopen(path, "rb");
  while (file && fread(head, 1, 4, file) == 4) {
    const size_t size = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
    const bool whole = size <= FUZZ_ROOM && fread(bytes, 1, size, file) == size;
    if (whole) fuzz_input(kind, bytes, size);
    count = whole ? count + 1 : -1;
    if (!whole) break;
  }
  if (file) fclose(file);
  return count;
}

/* Writes what a seed makes to a file of a folder; false if that fails. */
static inline bool fuzz_write(const fuzz_kind *kind, uint32_t seed, const char *folder) {
  uint32_t state = seed * 2654435761u + kind->salt;
  static unsigned char bytes[FUZZ_ROOM];
  char path[1024];
  int form = 0;
  const size_t size = kind->make(&state, bytes, &form);
  snprintf(path, sizeof path, "%s/%u", folder, (unsigned)seed);
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  if (kind->forms > 1) fputc(form, file);
  bool fine = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && fine;
}

#ifdef FUZZ_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

static inline size_t fuzz_mutant(const fuzz_kind *kind, uint8_t *bytes, size_t size, size_t room,
                                 uint32_t seed) {
  uint32_t state = seed * 2654435761u + 1;
  const size_t head = kind->forms > 1;
  state |= !state;
  if (kind->word && size > head && fuzz_random(&state) % 3 == 0)
    size = head + kind->word(&state, bytes + head, size - head, room - head);
  else
    size = LLVMFuzzerMutate(bytes, size, room);
  if (kind->fix && size > head && fuzz_random(&state) % 8)
    kind->fix(head ? *bytes % kind->forms : 0, bytes + head, size - head);
  return size;
}

#define FUZZ_PROGRAM(kind)                                                                         \
  int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);                                   \
  size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);         \
  int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {                                  \
    fuzz_input(&(kind), bytes, size);                                                              \
    return 0;                                                                                      \
  }                                                                                                \
  size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed) {        \
    return fuzz_mutant(&(kind), bytes, size, room, seed);                                          \
  }
#else
#define FUZZ_PROGRAM(kind)                                                                         \
  int main(int argc, char **argv) { return fuzz_main(argc, argv, &(kind)); }
#endif

/* Arguments of a fuzzer: the number of inputs (default 100,000) and the seed of the first; or files
 * and folders of inputs; or --write, a folder and a number, to write that many inputs. */
static inline int fuzz_main(int argc, char **argv, const fuzz_kind *kind) {
  long count = argc > 1 ? atol(argv[1]) : 100000, taken = 0;
  uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
  if (argc == 4 && strcmp(argv[1], "--write") == 0) {
    for (count = atol(argv[3]); count > 0; count--)
      if (!fuzz_write(kind, (uint32_t)count, argv[2])) return 1;
    return 0;
  }
  if (argc > 1 && count <= 0 && argv[1][0] != '-') {
    for (int i = 1; i < argc; i++) {
      DIR *folder = opendir(argv[i]);
      if (folder) closedir(folder);
      long found = folder ? fuzz_folder(kind, argv[i]) : fuzz_file(kind, argv[i]) < 0 ? -1 : 1;
      if (found < 0) fprintf(stderr, "%s: cannot be read, or is too long\n", argv[i]);
      if (found < 0) return 1;
      taken += found;
    }
    printf("%ld files\n", taken);
    return 0;
  }
  if (count <= 0) {
    fprintf(stderr, "usage: %s [COUNT] [SEED] | FILE... | --write FOLDER COUNT\n", argv[0]);
    return 2;
  }
  for (long i = 0; i < count; i++) taken += fuzz_one(kind, seed + (uint32_t)i);
  printf("%ld inputs, %ld of them taken\n", count, taken);
  return 0;
}

#endif
