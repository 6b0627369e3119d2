/* JSON (RFC 8259) as a flat list of values in the order of the text: a list or an object is
 * followed by what is in it, and `next` leads past that. Nothing is recursive, neither reading nor
 * looking. */
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
  const char *key, *text; /* in the text, escapes as they stand; key: of a member of an object */
  uint32_t key_length, text_length;
  double number;
  si_json_kind kind;
  uint32_t line, column; /* from 1; the column in bytes */
  uint32_t count;        /* of items or members */
  uint32_t next;         /* the place of the value after this one and all in it */
} si_json_value;

typedef struct si_json {
  si_json_value *values; /* the first is the whole */
  size_t count, room;
} si_json;

/* Reads `text`, which must outlive the values, of which there are at most `limit`; `name` stands
 * before messages, with line and column. */
sinew_status si_json_read(const char *name, const char *text, size_t size, size_t limit,
                          si_json *dest, sinew_error *error);
void si_json_free(si_json *json);

/* The member `key` of an object; NULL where there is none, or `object` is NULL or no object. */
const si_json_value *si_json_find(const si_json *json, const si_json_value *object,
                                  const char *key);
/* The first value in a list or an object that is not empty, and the one after `value`. */
static inline const si_json_value *si_json_first(const si_json_value *list) { return list + 1; }
static inline const si_json_value *si_json_after(const si_json *json, const si_json_value *value) {
  return json->values + value->next;
}
/* Whether it is this string. */
bool si_json_is(const si_json_value *value, const char *text);
/* A key or a string as UTF-8 with its escapes undone and a zero behind it; false where it does not
 * fit (four bytes to spare), or stands for a zero or half a character. */
bool si_json_plain(const char *text, uint32_t length, char *dest, size_t room);

#endif
