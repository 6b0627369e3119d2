/* JSON (RFC 8259) as a flat array of values in the order of the text: a list or an object is
 * followed by its items, and `next` is the index after the last of them. No recursion. */
#ifndef SI_JSON_H
#define SI_JSON_H

#include "base/error_internal.h"

enum { SI_JSON_DEPTH = 64, SI_JSON_VALUES = 1 << 20, SI_JSON_MEMBERS = 4096 };

typedef enum si_json_kind {
  SI_JSON_NULL,
  SI_JSON_FALSE,
  SI_JSON_TRUE,
  SI_JSON_NUMBER,
  SI_JSON_STRING,
  SI_JSON_LIST,
  SI_JSON_OBJECT
} si_json_kind;

typedef struct si_json_value {
  const char *key, *text; /* slices of the text, still escaped; key: of a member of an object, text:
                             of a string or a number */
  uint32_t key_length, text_length;
  double number;
  si_json_kind kind;
  uint32_t line, column; /* from 1; the column counts bytes */
  uint32_t count;        /* items or members */
  uint32_t next;         /* index of the value after this one and its items */
} si_json_value;

typedef struct si_json {
  si_json_value *values; /* the first is the root */
  size_t count, room;
} si_json;

/* Reads at most `limit` values from `text`, which must outlive them. Messages start with `name`,
 * line and column. */
sinew_status si_json_read(const char *name, const char *text, size_t size, size_t limit,
                          si_json *dest, sinew_error *error);
void si_json_free(si_json *json);

/* The member `key` of an object; NULL if there is none, or `object` is NULL or not an object. */
const si_json_value *si_json_find(const si_json *json, const si_json_value *object,
                                  const char *key);
/* The first item of a list or object that is not empty, and the item after `value`. */
static inline const si_json_value *si_json_first(const si_json_value *list) { return list + 1; }
static inline const si_json_value *si_json_after(const si_json *json, const si_json_value *value) {
  return json->values + value->next;
}
/* Whether it is this string. */
bool si_json_is(const si_json_value *value, const char *text);
/* Unescapes a key or a string to zero-terminated UTF-8; false if it does not fit with four bytes to
 * spare, or holds a NUL or half of a surrogate pair. */
bool si_json_plain(const char *text, uint32_t length, char *dest, size_t room);

#endif
