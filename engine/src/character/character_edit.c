/* Copies of JSON values: strings keep their escapes, numbers their digits. */
#include "character/character_edit.h"

#include <string.h>

void si_edit_key(si_text *out, const char *key, bool *first) {
  if (!*first) si_text_add(out, ",");
  *first = false;
  si_text_quoted(out, key);
  si_text_add(out, ":");
}

void si_edit_copy(si_text *out, const si_json *json, const si_json_value *value, bool *first) {
  if (!*first) si_text_add(out, ",");
  *first = false;
  if (value->key) {
    si_text_add(out, "\"");
    si_text_add_n(out, value->key, value->key_length);
    si_text_add(out, "\":");
  }
  si_edit_put(out, json, value);
}

void si_edit_put(si_text *out, const si_json *json, const si_json_value *value) {
  static const char *const words[] = {
    [SI_JSON_NULL] = "null", [SI_JSON_FALSE] = "false", [SI_JSON_TRUE] = "true"
  };
  bool first = true;
  switch (value->kind) {
  case SI_JSON_NUMBER: si_text_add_n(out, value->text, value->text_length); return;
  case SI_JSON_STRING:
    si_text_add(out, "\"");
    si_text_add_n(out, value->text, value->text_length);
    si_text_add(out, "\"");
    return;
  case SI_JSON_LIST:
  case SI_JSON_OBJECT: {
    const si_json_value *item = si_json_first(value);
    si_text_add(out, value->kind == SI_JSON_LIST ? "[" : "{");
    for (uint32_t i = 0; i < value->count; i++, item = si_json_after(json, item))
      si_edit_copy(out, json, item, &first);
    si_text_add(out, value->kind == SI_JSON_LIST ? "]" : "}");
    return;
  }
  default: si_text_add(out, words[value->kind]);
  }
}

bool si_edit_is(const si_json_value *member, const char *const *keys) {
  for (; *keys; keys++)
    if (member->key_length == strlen(*keys) && memcmp(member->key, *keys, member->key_length) == 0)
      return true;
  return false;
}

void si_edit_numbers(si_text *out, const float *numbers, int count) {
  si_text_add(out, "[");
  for (int i = 0; i < count; i++) {
    if (i) si_text_add(out, ",");
    si_text_number(out, numbers[i]);
  }
  si_text_add(out, "]");
}
