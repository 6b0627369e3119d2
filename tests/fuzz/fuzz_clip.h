/* Mutated clip files, JSON and tables: each is refused with one message or gives a clip that
 * samples within its keys and comes back from its own text. Shared by the fuzzer and, for a few
 * inputs, by the tests. */
#ifndef FUZZ_CLIP_H
#define FUZZ_CLIP_H

#include "mutate.h"
#include "sinew/clip.h"
#include "sinew/file.h"

#include <math.h>

enum { FUZZ_CLIP_ROOM = 2048 };

static const char fuzz_clip_plain[] =
    "{\n  \"sinew_clip\": 1,\n  \"fps\": 24,\n  \"loop\": true,\n  \"channels\": {\n"
    "    \"knee.flexion\": [[0, 12.5], [0.5, 60, \"linear\"], [1.25, -3e1, \"hold\"], [2, 12.5]],\n"
    "    \"hip.bend\": [[0.1, 0.25, \"smooth\"]]\n  }\n}\n";

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

static void fuzz_clip_use(const sinew_clip *clip, uint32_t *state) {
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
}

/* one input; 1 where it was taken */
static long fuzz_clip(uint32_t seed) {
  uint32_t state = seed * 2654435761u + 777;
  static const char *const texts[] = { fuzz_clip_plain, fuzz_clip_odd, fuzz_clip_table };
  const uint32_t which = fuzz_random(&state) % 3;
  const char *text = texts[which];
  const size_t before = sinew_live_blocks();
  unsigned char bytes[FUZZ_CLIP_ROOM];
  size_t size = strlen(text);
  memcpy(bytes, text, size);
  size = fuzz_mutate_words(&state, bytes, size, sizeof bytes, fuzz_clip_words,
                           sizeof fuzz_clip_words / sizeof *fuzz_clip_words);
  char *exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  sinew_error error;
  sinew_clip *clip = sinew_clip_parse(which == 2 ? "fuzz.csv" : "fuzz", exact, size, &error);
  free(exact);
  if (clip) fuzz_clip_use(clip, &state);
  if (!clip && error.count != 1) abort();
  bool taken = clip != NULL;
  sinew_clip_destroy(clip);
  if (sinew_live_blocks() != before) abort();
  return taken;
}

#endif
