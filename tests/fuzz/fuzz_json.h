/* Mutated JSON: each text is refused with one message, or gives values that lie inside the text and
 * one after the other. The fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_JSON_H
#define FUZZ_JSON_H

#include "base/json.h"
#include "fuzz_frame.h"

static const char fuzz_json_text[] =
    "{\"a\": [1, -2.5e3, 0.125, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\"],\n"
    " \"b\": {\"\": {}, \"c\\\"d\": []},\t\"e\": 1e-300}\n";

static const char *const fuzz_json_words[] = { "[",        "]",     "{",      "}",
                                               ",",        ":",     "\"",     "\\u0000",
                                               "\\ud800",  "1e999", "-",      "0",
                                               "null",     "true",  "\"a\":", "\xef\xbb\xbf",
                                               "[[[[[[[[", "\n",    "\xff",   "\"\"" };

/* checks a value and returns the index after it */
static inline uint32_t fuzz_json_check(const si_json *json, uint32_t at) {
  const si_json_value *v = &json->values[at];
  if (v->next <= at || v->next > json->count || !v->line || !v->column) abort();
  static char plain[4 * FUZZ_ROOM];
  if (v->key && v->key_length > FUZZ_ROOM) abort();
  if (v->kind == SI_JSON_STRING) si_json_plain(v->text, v->text_length, plain, sizeof plain);
  if (v->kind == SI_JSON_NUMBER && !(v->number - v->number == 0)) abort();
  if (v->kind < SI_JSON_LIST) {
    if (v->next != at + 1) abort();
    return v->next;
  }
  uint32_t inside = at + 1;
  for (uint32_t i = 0; i < v->count; i++) inside = fuzz_json_check(json, inside);
  if (inside != v->next) abort();
  return v->next;
}

static inline bool fuzz_json_use(void *object, uint32_t *state) {
  (void)object, (void)state;
  return true;
}

/* the values point into the text, so they are checked while it is there */
static inline void *fuzz_json_read(int form, const unsigned char *bytes, size_t size,
                                   sinew_error *error) {
  static char taken;
  si_json json;
  (void)form;
  if (si_json_read("fuzz.json", (const char *)bytes, size, SI_JSON_VALUES, &json, error) < 0)
    return NULL;
  if (fuzz_json_check(&json, 0) != json.count) abort();
  si_json_free(&json);
  return &taken;
}

static inline size_t fuzz_json_word(uint32_t *state, unsigned char *bytes, size_t size,
                                    size_t room) {
  const size_t count = sizeof fuzz_json_words / sizeof *fuzz_json_words;
  return fuzz_put_word(bytes, size, room, fuzz_below(state, size + 1), 0,
                       fuzz_json_words[fuzz_below(state, count)]);
}

static inline size_t fuzz_json_make(uint32_t *state, unsigned char *dest, int *form) {
  (void)form;
  return fuzz_mutate_words(state, dest, fuzz_start(fuzz_json_text, dest), FUZZ_ROOM,
                           fuzz_json_words, sizeof fuzz_json_words / sizeof *fuzz_json_words);
}

static const fuzz_kind fuzz_json_kind = { .salt = 4242,
                                          .make = fuzz_json_make,
                                          .read = fuzz_json_read,
                                          .use = fuzz_json_use,
                                          .word = fuzz_json_word };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_json(uint32_t seed) { return fuzz_one(&fuzz_json_kind, seed); }

#endif
