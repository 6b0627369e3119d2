/* Mutation of inputs for the fuzzers: deterministic, so that a seed reproduces an input. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t fuzz_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

/* from 0 to below `count`, which is not 0 */
static inline size_t fuzz_below(uint32_t *state, size_t count) {
  return fuzz_random(state) % (uint32_t)count;
}

/* Makes one change to `size` bytes in a buffer of `room`: a bit, a byte, an extreme word, a piece
 * removed, duplicated, or copied from elsewhere. Returns the new size. */
static inline size_t fuzz_change(uint32_t *state, unsigned char *bytes, size_t size, size_t room) {
  static const uint32_t words[] = { 0,          1,          2,          3,          7,
                                    0x7f,       0x80,       0xff,       0xffff,     0x10000,
                                    0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0xff800000,
                                    0x7fc00000, 0x3f800000, 0x00000001, 0x7f7fffff, 0x43b40000 };
  if (size == 0) return 0;
  size_t at = fuzz_below(state, size), length = 1 + fuzz_below(state, 24);
  if (at + length > size) length = size - at;
  switch (fuzz_random(state) % 7) {
  case 0: bytes[at] ^= (unsigned char)(1u << fuzz_random(state) % 8); return size;
  case 1: bytes[at] = (unsigned char)fuzz_random(state); return size;
  case 2: {
    uint32_t word = words[fuzz_below(state, sizeof words / sizeof *words)];
    if (fuzz_random(state) % 2) at = at / 4 * 4;
    for (size_t i = 0; i < 4 && at + i < size; i++) bytes[at + i] = (unsigned char)(word >> 8 * i);
    return size;
  }
  case 3: memmove(bytes + at, bytes + at + length, size - at - length); return size - length;
  case 4:
    if (size + length > room) return size;
    memmove(bytes + at + length, bytes + at, size - at);
    return size + length;
  case 5: memmove(bytes + fuzz_below(state, size - length + 1), bytes + at, length); return size;
  default: return fuzz_random(state) % 4 ? size : at;
  }
}

/* Copies a text into the bytes to change. Returns its size. */
static inline size_t fuzz_start(const char *text, unsigned char *dest) {
  const size_t size = strlen(text);
  memcpy(dest, text, size);
  return size;
}

/* Makes a few changes. */
static inline size_t fuzz_mutate(uint32_t *state, unsigned char *bytes, size_t size, size_t room) {
  for (uint32_t left = 1 + fuzz_random(state) % 4; left > 0; left--)
    size = fuzz_change(state, bytes, size, room);
  return size;
}

/* Replaces `cut` bytes by a word, if there is room. Returns the new size. */
static inline size_t fuzz_put_word(unsigned char *bytes, size_t size, size_t room, size_t at,
                                   size_t cut, const char *word) {
  const size_t length = strlen(word);
  if (size - cut + length > room) return size;
  memmove(bytes + at + length, bytes + at + cut, size - at - cut);
  memcpy(bytes + at, word, length);
  return size - cut + length;
}

/* The number of digits at `at`. */
static inline size_t fuzz_digits(const unsigned char *bytes, size_t size, size_t at) {
  size_t count = 0;
  while (at + count < size && bytes[at + count] >= '0' && bytes[at + count] <= '9') count++;
  return count;
}

/* Makes a few changes, half of which insert one of `count` words of the format. */
static inline size_t fuzz_mutate_words(uint32_t *state, unsigned char *bytes, size_t size,
                                       size_t room, const char *const *words, size_t count) {
  for (uint32_t left = 1 + fuzz_random(state) % 4; left > 0; left--) {
    const char *word = words[fuzz_below(state, count)];
    size_t at = fuzz_below(state, size + 1);
    size = fuzz_random(state) % 2 ? fuzz_change(state, bytes, size, room)
                                  : fuzz_put_word(bytes, size, room, at, 0, word);
  }
  return size;
}

#endif
