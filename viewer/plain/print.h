/* Hashes of bytes (FNV-1a), to notice that something has changed. */
#ifndef VIEWER_PRINT_H
#define VIEWER_PRINT_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t print_start = 14695981039346656037u;

static inline uint64_t print_bytes(uint64_t print, const void *bytes, size_t count) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < count; i++) print = (print ^ b[i]) * 1099511628211u;
  return print;
}

#define PRINT(print, value) print_bytes(print, &(value), sizeof(value))

#endif
