/* Mutated OBJ files: each is refused or gives a surface that can be checked and, if closed, made
 * into a field. The fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_OBJ_H
#define FUZZ_OBJ_H

#include "fuzz_frame.h"
#include "sinew/field.h"

static const char fuzz_obj_tetrahedron[] =
    "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static const char fuzz_obj_box[] =
    "# box\r\no box\r\nv -60 -60 -60\r\nv 60 -60 -60\r\nv 60 60 -60\r\nv -60 60 -60\r\n"
    "v -60 -60 60\r\nv 60 -60 60\r\nv 60 60 60\r\nv -60 60 60\r\nvn 0 0 1\r\nvt 0.5 0.5\r\n"
    "f 1/1/1 4/1/1 3/1/1 2/1/1\r\nf 5//1 6//1 7//1 8//1\r\nf 1/1 2/1 6/1 5/1\r\n"
    "f 2 3 7 6\r\nf 3 4 8 \\\r\n 7\r\nf 4 1 5 8\r\n";

static const char fuzz_obj_corner[] =
    "v 0 0 0\nv 120 0 0\nv 120 40 0\nv 40 40 0\nv 40 120 0\nv 0 120 0\n"
    "v 0 0 90\nv 120 0 90\nv 120 40 90\nv 40 40 90\nv 40 120 90\nv 0 120 90\n"
    "f -7 -8 -9 -10 -11 -12\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\n"
    "f 5 6 12 11\nf 6 1 7 12\n";

static const char fuzz_obj_odd[] = "\xef\xbb\xbfv 1e1 -.5E+1 +3.25 0.5 0.5 0.5\nv 1 2 3\nv 4 5 "
                                   "6e-3\ng a b\ns 1\nusemtl x\nf 1 2 3\n"
                                   "l 1 2\nf 3 2 1\n";

/* words of the OBJ format, inserted anywhere */
static const char *const fuzz_obj_words[] = {
  "f ",          "v ",          "\n",
  " 1",          " -1",         "/",
  "//",          "\\\n",        "#",
  "1e30",        "1e-400",      "nan",
  "-",           ".",           "\r\n",
  " 0 ",         " 2147483648", " 99999999999999999999 ",
  "f 1 2 3 4\n", "v 0 0 0\n",   "\xef\xbb\xbf",
  "40000"
};

static inline void fuzz_obj_ask(const sinew_field *field, uint32_t *state) {
  float angles[3], dest[3];
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < 3; i++) angles[i] = (float)(fuzz_random(state) % 800) - 400;
    sinew_field_project(field, angles, dest);
    if (!sinew_field_feasible(field, dest)) abort();
  }
}

static inline bool fuzz_obj_use(void *object, uint32_t *state) {
  sinew_surface *surface = object;
  sinew_error error;
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++)
    desc.axes[i] = (sinew_field_axis){ -180, 180, 5, fuzz_random(state) % 2 };
  sinew_field *field = sinew_field_from_surface(&desc, surface, NULL, &error);
  if (!field && error.count == 0) abort();
  if (field) fuzz_obj_ask(field, state);
  sinew_field_release(field);
  sinew_surface_destroy(surface);
  return true;
}

static inline size_t fuzz_obj_make(uint32_t *state, unsigned char *dest, int *form) {
  static const char *const texts[] = { fuzz_obj_tetrahedron, fuzz_obj_box, fuzz_obj_corner,
                                       fuzz_obj_odd };
  (void)form;
  const char *text = texts[fuzz_random(state) % 4];
  return fuzz_mutate_words(state, dest, fuzz_start(text, dest), FUZZ_ROOM, fuzz_obj_words,
                           sizeof fuzz_obj_words / sizeof *fuzz_obj_words);
}

static inline void *fuzz_obj_read(int form, const unsigned char *bytes, size_t size,
                                  sinew_error *error) {
  (void)form;
  return sinew_surface_parse_obj("fuzz", (const char *)bytes, size, error);
}

static inline size_t fuzz_obj_word(uint32_t *state, unsigned char *bytes, size_t size,
                                   size_t room) {
  const char *word =
      fuzz_obj_words[fuzz_below(state, sizeof fuzz_obj_words / sizeof *fuzz_obj_words)];
  return fuzz_put_word(bytes, size, room, fuzz_below(state, size + 1), 0, word);
}

static const fuzz_kind fuzz_obj_kind = { .salt = 54321,
                                         .make = fuzz_obj_make,
                                         .read = fuzz_obj_read,
                                         .use = fuzz_obj_use,
                                         .forms = 1,
                                         .word = fuzz_obj_word };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_obj(uint32_t seed) { return fuzz_one(&fuzz_obj_kind, seed); }

#endif
