/* Mutated field files: each is refused or gives a field that answers any query. The fuzzer uses it
 * and, for a few inputs, the tests. */
#ifndef FUZZ_FIELD_H
#define FUZZ_FIELD_H

#include <math.h>

#include "fuzz_frame.h"
#include "sinew/field.h"

/* a small field of one to six axes, as a file */
static inline size_t fuzz_field_seed(uint32_t seed, unsigned char *dest) {
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
  if (!field || sinew_field_encoded_bytes(field) > FUZZ_ROOM) abort();
  size_t size = sinew_field_encoded_bytes(field);
  sinew_field_encode(field, dest);
  sinew_field_release(field);
  return size;
}

/* recomputes the checksum, so that the checks after it run too */
static inline void fuzz_field_seal(unsigned char *bytes, size_t size) {
  uint64_t sum = 14695981039346656037u;
  if (size < 8) return;
  for (size_t i = 0; i < size - 8; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
  for (int i = 0; i < 8; i++) bytes[size - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

static inline bool fuzz_field_use(void *object, uint32_t *state) {
  sinew_field *field = object;
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
  sinew_field_release(field);
  return true;
}

static inline size_t fuzz_field_make(uint32_t *state, unsigned char *dest, int *form) {
  static unsigned char seeds[48][FUZZ_ROOM];
  static size_t sizes[48];
  const uint32_t which = fuzz_random(state) % 48;
  (void)form;
  if (sizes[which] == 0) sizes[which] = fuzz_field_seed(which, seeds[which]);
  memcpy(dest, seeds[which], sizes[which]);
  size_t size = fuzz_mutate(state, dest, sizes[which], FUZZ_ROOM);
  if (fuzz_random(state) % 8) fuzz_field_seal(dest, size);
  return size;
}

static inline void *fuzz_field_read(int form, const unsigned char *bytes, size_t size,
                                    sinew_error *error) {
  (void)form;
  return sinew_field_decode("fuzz", bytes, size, 1 << 20, error);
}

static inline void fuzz_field_fix(int form, unsigned char *bytes, size_t size) {
  (void)form;
  fuzz_field_seal(bytes, size);
}

static const fuzz_kind fuzz_field_kind = { .salt = 12345,
                                           .make = fuzz_field_make,
                                           .read = fuzz_field_read,
                                           .use = fuzz_field_use,
                                           .forms = 1,
                                           .fix = fuzz_field_fix };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_field(uint32_t seed) { return fuzz_one(&fuzz_field_kind, seed); }

#endif
