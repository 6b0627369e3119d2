/* Mutated clip files, JSON and tables: each is refused with one message, or gives a clip that
 * samples between its keyframes and is restored from its own text. The fuzzer uses it and, for a
 * few inputs, the tests. */
#ifndef FUZZ_CLIP_H
#define FUZZ_CLIP_H

#include "fuzz_frame.h"
#include "sinew/clip.h"
#include "sinew/file.h"

#include <math.h>

static const char fuzz_clip_plain[] =
    "{\n  \"sinew_clip\": 1,\n  \"fps\": 24,\n  \"loop\": true,\n  \"channels\": {\n"
    "    \"knee.flexion\": [[0, 12.5], [0.5, 60, \"linear\"], [1.25, -3e1, \"hold\"], [2, 12.5]],\n"
    "    \"hip.bend\": [[0.1, 0.25, \"smooth\"]]\n  },\n"
    "  \"pins\": {\n    \"foot_r\": [\"turn\"],\n    \"skull\": [\"look\", 0, 1.5, 2]\n  }\n}\n";

static const char fuzz_clip_odd[] =
    "{\"channels\":{\"a "
    "\\\"b\\\\\":[[0,0],[1e-3,1E2],[7,-0.0]],\"\\u00e9.\\ud83d\\ude00\":[[3,4]]},"
    "\"sinew_clip\":1}";

static const char fuzz_clip_table[] = "time,knee.flexion,\"a, \"\"b\"\"\" ,c\r\n0, 1 ,2,-3e1\n"
                                      "0.5,4,5,6\n\n1,.25,+7,8e-3";

static const char *const fuzz_clip_words[] = {
  "[",        "]",           "{",  "}",       ",",       ":",         "\"",    "[1,2]",
  "\"hold\"", "1e39",        "-1", "\\u0000", "\\ud800", "null",      "1e-46", "\"fps\"",
  "\n",       "\n2,1,1,1\n", ",",  "\"\"",    "time",    "\"loop\":", "0.5",   "[0,0],"
};

static inline bool fuzz_clip_use(void *object, uint32_t *state) {
  sinew_clip *clip = object;
  const float duration = sinew_clip_duration(clip);
  for (int c = 0; c < sinew_clip_channel_count(clip); c++) {
    float low = INFINITY, high = -INFINITY;
    for (int k = 0; k < sinew_clip_key_count(clip, c); k++) {
      float value = sinew_clip_key_at(clip, c, k).value;
      low = fminf(low, value);
      high = fmaxf(high, value);
    }
    for (int i = 0; i < 8; i++) {
      float time = (float)(int32_t)fuzz_random(state) / 1e9f * (duration + 1);
      float value = sinew_clip_sample(clip, c, time);
      if (!(value >= low && value <= high)) abort();
    }
  }
  size_t size, again;
  char *text = sinew_clip_format(clip, &size, NULL);
  sinew_error error;
  sinew_clip *back = sinew_clip_parse("again", text, size, &error);
  char *second = back ? sinew_clip_format(back, &again, NULL) : NULL;
  if (!second || again != size || memcmp(text, second, size) != 0) abort();
  sinew_text_free(text);
  sinew_text_free(second);
  sinew_clip_destroy(back);
  sinew_clip_destroy(clip);
  return true;
}

static inline size_t fuzz_clip_make(uint32_t *state, unsigned char *dest, int *form) {
  static const char *const texts[] = { fuzz_clip_plain, fuzz_clip_odd, fuzz_clip_table };
  *form = (int)(fuzz_random(state) % 3);
  return fuzz_mutate_words(state, dest, fuzz_start(texts[*form], dest), FUZZ_ROOM, fuzz_clip_words,
                           sizeof fuzz_clip_words / sizeof *fuzz_clip_words);
}

static inline void *fuzz_clip_read(int form, const unsigned char *bytes, size_t size,
                                   sinew_error *error) {
  return sinew_clip_parse(form == 2 ? "fuzz.csv" : "fuzz", (const char *)bytes, size, error);
}

static inline size_t fuzz_clip_word(uint32_t *state, unsigned char *bytes, size_t size,
                                    size_t room) {
  const char *word =
      fuzz_clip_words[fuzz_below(state, sizeof fuzz_clip_words / sizeof *fuzz_clip_words)];
  return fuzz_put_word(bytes, size, room, fuzz_below(state, size + 1), 0, word);
}

static const fuzz_kind fuzz_clip_kind = { .salt = 777,
                                          .make = fuzz_clip_make,
                                          .read = fuzz_clip_read,
                                          .use = fuzz_clip_use,
                                          .forms = 3,
                                          .word = fuzz_clip_word };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_clip(uint32_t seed) { return fuzz_one(&fuzz_clip_kind, seed); }

#endif
