/* Mutated field files: each is refused or gives a field that can be asked anything. Shared by the
 * fuzzer and, for a few inputs, by the tests. */
#ifndef FUZZ_FIELD_H
#define FUZZ_FIELD_H

#include <math.h>

#include "mutate.h"
#include "sinew/field.h"

enum { FUZZ_FIELD_ROOM = 4096 };

/* a small field of one to six axes, as a file */
static size_t fuzz_field_seed(uint32_t seed, unsigned char *dest) {
  static const int resolutions[] = { 9, 5, 4, 3, 2, 2 };
  int axes = 1 + (int)(seed % 6);
  sinew_field_desc desc = sinew_default_field_desc(axes);
  float samples[4 * SINEW_FIELD_AXES];
  if (axes >= 3 && seed % 4 == 0) desc.orders[0] = "zyz";
  for (int i = 0; i < axes; i++)
    desc.axes[i] = (sinew_field_axis){ -180, 180, resolutions[axes - 1], (seed >> i) % 3 == 0 };
  for (int i = 0; i < 4 * axes; i++)
    samples[i] = (float)((int)(seed * 37u + (uint32_t)i * 61u) % 150);
  sinew_field_clip clip = { samples, 4 };
  sinew_field_motion motion = sinew_default_field_motion();
  motion.clips = &clip, motion.clip_count = 1;
  sinew_field *field = sinew_field_from_motion(&desc, &motion, NULL, NULL);
  if (!field || sinew_field_encoded_bytes(field) > FUZZ_FIELD_ROOM) abort();
  size_t size = sinew_field_encoded_bytes(field);
  sinew_field_encode(field, dest);
  sinew_field_release(field);
  return size;
}

/* the checksum made anew, so that what is behind it is tried too */
static void fuzz_field_seal(unsigned char *bytes, size_t size) {
  uint64_t sum = 14695981039346656037u;
  if (size < 8) return;
  for (size_t i = 0; i < size - 8; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
  for (int i = 0; i < 8; i++) bytes[size - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

static void fuzz_field_ask(const sinew_field *field, uint32_t *state) {
  float angles[SINEW_FIELD_AXES], dest[SINEW_FIELD_AXES], gradient[SINEW_FIELD_AXES];
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < SINEW_FIELD_AXES; i++) {
      uint32_t bits = fuzz_random(state);
      angles[i] = (float)(bits % 1000) - 500;
      if (k == 3) memcpy(&angles[i], &bits, sizeof bits);
    }
    sinew_field_lookup(field, angles, gradient);
    sinew_field_project(field, angles, dest);
    for (int i = 0; i < sinew_field_axis_count(field); i++)
      if (!isfinite(dest[i])) abort();
  }
  sinew_error error;
  if (sinew_field_axis_count(field) == 3) sinew_surface_destroy(sinew_field_surface(field, &error));
}

/* one input; 1 where it was taken */
static long fuzz_field(uint32_t seed) {
  static unsigned char seeds[48][FUZZ_FIELD_ROOM];
  static size_t sizes[48];
  uint32_t state = seed * 2654435761u + 12345, which = fuzz_random(&state) % 48;
  if (sizes[which] == 0) sizes[which] = fuzz_field_seed(which, seeds[which]);
  const size_t before = sinew_live_blocks();
  unsigned char bytes[FUZZ_FIELD_ROOM];
  memcpy(bytes, seeds[which], sizes[which]);
  size_t size = fuzz_mutate(&state, bytes, sizes[which], sizeof bytes);
  if (fuzz_random(&state) % 8) fuzz_field_seal(bytes, size);
  /* a block of its very size, so that a sanitizer sees every read behind it */
  unsigned char *exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  sinew_error error;
  sinew_field *field = sinew_field_decode("fuzz", exact, size, 1 << 20, &error);
  free(exact);
  if (field) fuzz_field_ask(field, &state);
  if (!field && error.count != 1) abort();
  sinew_field_release(field);
  if (sinew_live_blocks() != before) abort();
  return field != NULL;
}

#endif
