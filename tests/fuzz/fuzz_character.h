/* Mutated characters: each is refused with one message, or gives nodes, parts and a file of its own
 * that reads back. The fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_CHARACTER_H
#define FUZZ_CHARACTER_H

#include "fuzz_gltf.h"
#include "sinew/character.h"

static inline bool fuzz_character_use(void *object, uint32_t *state) {
  sinew_character *c = object;
  sinew_error error;
  (void)state;
  const int nodes = sinew_character_node_count(c), matrices = sinew_character_matrix_count(c);
  for (int i = 0; i < nodes; i++) {
    sinew_character_node n = sinew_character_node_info(c, i);
    if (n.parent >= i) abort();
    for (int k = 0; k < 16; k++)
      if (!isfinite(n.bind[k]) || !isfinite(n.rest[k])) abort();
  }
  for (int p = 0; p < sinew_character_part_count(c); p++) {
    sinew_character_part part = sinew_character_part_info(c, p);
    for (int i = 0; i < 3 * part.triangle_count; i++)
      if (part.triangles[i] >= (uint32_t)part.vertex_count) abort();
    for (int i = 0; i < 4 * part.vertex_count; i++)
      if (part.joints[i] >= matrices || !(part.weights[i] >= 0 && part.weights[i] <= 1)) abort();
    for (int i = 0; i < 3 * part.vertex_count; i++)
      if (!isfinite(part.positions[i])) abort();
  }
  if (sinew_character_stored_limits(c, NULL, 0) < 0) abort();
  size_t size;
  char *file = sinew_character_write(c, NULL, NULL, &size, NULL, &error);
  if (file) {
    sinew_character *again = sinew_character_parse("again.glb", file, size, &error);
    if (!again || sinew_character_node_count(again) != nodes) abort();
    sinew_character_destroy(again);
    sinew_text_free(file);
  } else if (!error.count) {
    abort();
  }
  sinew_character_destroy(c);
  return true;
}

static inline void *fuzz_character_read(int form, const unsigned char *bytes, size_t size,
                                        sinew_error *error) {
  return sinew_character_parse(form ? "fuzz.glb" : "fuzz.gltf", bytes, size, error);
}

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_character(uint32_t seed) {
  static const fuzz_kind kind = { 99989, fuzz_gltf_make, fuzz_character_read, fuzz_character_use };
  return fuzz_one(&kind, seed);
}

#endif
