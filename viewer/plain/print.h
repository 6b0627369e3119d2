/* Hashes of bytes, to notice that something has changed: FNV-1a by words of eight bytes. */
#ifndef VIEWER_PRINT_H
#define VIEWER_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t print_start = 14695981039346656037u;

static inline uint64_t print_bytes(uint64_t print, const void *bytes, size_t count) {
  const unsigned char *b = bytes;
  for (; count; b += sizeof(uint64_t)) {
    uint64_t word = 0;
    size_t length = count < sizeof word ? count : sizeof word;
    memcpy(&word, b, length);
    count -= length;
    print = (print ^ word) * 1099511628211u;
    print ^= print >> 32; /* else two changes of a highest bit, a sign, would cancel out */
  }
  return print;
}

#define PRINT(print, value) print_bytes(print, &(value), sizeof(value))

#endif
