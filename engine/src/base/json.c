/* A strict JSON reader: one pass with a stack of open lists and objects. Strings are checked, but
 * their escapes are kept. Numbers do not depend on the locale. */
#include "base/budget_internal.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

typedef struct reader {
  const char *name, *at, *end, *line_start;
  unsigned long line;
  size_t limit;
  si_json *json;
  sinew_error *error;
  uint32_t open[SI_JSON_DEPTH];
  int depth;
} reader;

/* in bytes, from 1 */
static unsigned long column(const reader *r) { return (unsigned long)(r->at - r->line_start) + 1; }

#define fail(r, ...)                                                                               \
  si_fail_at((r)->error, SINEW_ERR_FILE, (r)->name, (r)->line, column(r), __VA_ARGS__)

static sinew_status unexpected(const reader *r, const char *expected) {
  if (r->at == r->end) return fail(r, "the text ends where %s is expected", expected);
  unsigned char c = (unsigned char)*r->at;
  if (c > ' ' && c < 127) return fail(r, "'%c' where %s is expected", c, expected);
  return fail(r, "byte 0x%02x where %s is expected", c, expected);
}

static void skip_blank(reader *r) {
  for (; r->at < r->end; r->at++) {
    if (*r->at == '\n') {
      r->line++;
      r->line_start = r->at + 1;
    } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
      return;
    }
  }
}

static bool is_digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* a string with its quotes */
static sinew_status read_string(reader *r, const char **text, uint32_t *length) {
  if (r->at == r->end || *r->at != '"') return unexpected(r, "a string");
  const char *start = ++r->at;
  for (; r->at < r->end && *r->at != '"'; r->at++) {
    if ((unsigned char)*r->at < ' ') return unexpected(r, "a character of a string");
    if (*r->at != '\\') continue;
    r->at++;
    if (r->at == r->end || !*r->at || !strchr("\"\\/bfnrtu", *r->at))
      return unexpected(r, "an escaped character");
    for (int left = *r->at == 'u' ? 4 : 0; left > 0; left--)
      if (++r->at == r->end || !is_hex(*r->at)) return unexpected(r, "a hexadecimal digit");
  }
  if (r->at == r->end) return unexpected(r, "the end of a string");
  *text = start;
  *length = (uint32_t)(r->at++ - start);
  return SINEW_OK;
}

static sinew_status skip_digits(reader *r) {
  if (!is_digit(r)) return unexpected(r, "a digit");
  while (is_digit(r)) r->at++;
  return SINEW_OK;
}

/* checks the grammar of JSON, which is stricter than that of si_number_read */
static sinew_status read_number(reader *r, double *dest) {
  const char *start = r->at;
  if (*r->at == '-') r->at++;
  if (is_digit(r) && *r->at == '0' && r->at + 1 < r->end && r->at[1] >= '0' && r->at[1] <= '9')
    return fail(r, "a number has a leading 0");
  sinew_status status = skip_digits(r);
  if (status == SINEW_OK && r->at < r->end && *r->at == '.') {
    r->at++;
    status = skip_digits(r);
  }
  if (status == SINEW_OK && r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    if (r->at < r->end && (*r->at == '-' || *r->at == '+')) r->at++;
    status = skip_digits(r);
  }
  if (status != SINEW_OK) return status;
  si_number_read(&start, r->at, dest);
  return isfinite(*dest) ? SINEW_OK : fail(r, "a number is too large");
}

static sinew_status read_word(reader *r, si_json_value *value) {
  static const struct {
    const char *text;
    si_json_kind kind;
  } words[] = { { "null", SI_JSON_NULL }, { "false", SI_JSON_FALSE }, { "true", SI_JSON_TRUE } };
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(words[i].text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i].text, length) != 0) continue;
    r->at += length;
    value->kind = words[i].kind;
    return SINEW_OK;
  }
  return unexpected(r, "a value");
}

/* one value with its key, if it is a member; of a list or an object only the opening bracket */
static sinew_status read_value(reader *r) {
  si_json *json = r->json;
  if (json->count >= r->limit) return fail(r, "more than %zu values", r->limit);
  if (!si_work(8) || !si_grow(&json->values, &json->room, json->count + 1, sizeof *json->values))
    return si_fail_memory(r->error);
  si_json_value *value = &json->values[json->count];
  *value = (si_json_value){ .line = (uint32_t)r->line, .column = (uint32_t)column(r) };
  if (r->depth > 0) {
    si_json_value *parent = &json->values[r->open[r->depth - 1]];
    parent->count++;
    if (parent->kind == SI_JSON_OBJECT) {
      if (parent->count > SI_JSON_MEMBERS)
        return fail(r, "an object has more than %d members", SI_JSON_MEMBERS);
      sinew_status status = read_string(r, &value->key, &value->key_length);
      if (status < 0) return status;
      skip_blank(r);
      if (r->at == r->end || *r->at != ':') return unexpected(r, "':'");
      r->at++;
      skip_blank(r);
    }
  }
  value->next = (uint32_t)++json->count;
  if (r->at == r->end) return unexpected(r, "a value");
  if (*r->at == '{' || *r->at == '[') {
    if (r->depth == SI_JSON_DEPTH) return fail(r, "more than %d deep", SI_JSON_DEPTH);
    value->kind = *r->at++ == '{' ? SI_JSON_OBJECT : SI_JSON_LIST;
    r->open[r->depth++] = value->next - 1;
    return SINEW_OK;
  }
  if (*r->at == '"') {
    value->kind = SI_JSON_STRING;
    return read_string(r, &value->text, &value->text_length);
  }
  if (*r->at == '-' || is_digit(r)) {
    value->kind = SI_JSON_NUMBER;
    value->text = r->at;
    sinew_status status = read_number(r, &value->number);
    value->text_length = (uint32_t)(r->at - value->text);
    return status;
  }
  return read_word(r, value);
}

static sinew_status read_text(reader *r) {
  skip_blank(r);
  sinew_status status = read_value(r);
  while (status == SINEW_OK && r->depth > 0) {
    si_json_value *open = &r->json->values[r->open[r->depth - 1]];
    const char *close = open->kind == SI_JSON_OBJECT ? "}" : "]";
    skip_blank(r);
    if (r->at < r->end && *r->at == *close) {
      r->at++;
      r->depth--;
      open->next = (uint32_t)r->json->count;
      continue;
    }
    /* no comma before the first item */
    if (open->count > 0) {
      if (r->at == r->end || *r->at != ',')
        return unexpected(r, *close == '}' ? "',' or '}'" : "',' or ']'");
      r->at++;
      skip_blank(r);
    }
    status = read_value(r);
  }
  if (status != SINEW_OK) return status;
  skip_blank(r);
  return r->at == r->end ? SINEW_OK : unexpected(r, "the end");
}

sinew_status si_json_read(const char *name, const char *text, size_t size, size_t limit,
                          si_json *dest, sinew_error *error) {
  *dest = (si_json){ NULL, 0, 0 };
  reader r = { .name = name,
               .at = text,
               .end = text + size,
               .line_start = text,
               .line = 1,
               .limit = limit,
               .json = dest,
               .error = error };
  sinew_status status = si_work(size / 16) ? read_text(&r) : si_fail_memory(error);
  if (status < 0) si_json_free(dest);
  return status;
}

void si_json_free(si_json *json) {
  si_free(json->values);
  *json = (si_json){ NULL, 0, 0 };
}

const si_json_value *si_json_find(const si_json *json, const si_json_value *object,
                                  const char *key) {
  if (!object || object->kind != SI_JSON_OBJECT) return NULL;
  size_t length = strlen(key);
  const si_json_value *value = si_json_first(object);
  if (object->count > 64) si_work(object->count / 4); /* who asks for many stops elsewhere */
  for (uint32_t i = 0; i < object->count; i++, value = si_json_after(json, value))
    if (value->key_length == length && memcmp(value->key, key, length) == 0) return value;
  return NULL;
}

bool si_json_is(const si_json_value *value, const char *text) {
  return value && value->kind == SI_JSON_STRING && value->text_length == strlen(text) &&
         memcmp(value->text, text, value->text_length) == 0;
}

static unsigned hex_of(const char *digits) {
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned c = (unsigned char)digits[i];
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return value;
}

/* one code point as UTF-8, up to four bytes */
static size_t put_code(unsigned code, char *dest) {
  const int tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char heads[] = { 0, 0xc0, 0xe0, 0xf0 };
  dest[0] = (char)(heads[tail] | code >> 6 * tail);
  for (int i = 1; i <= tail; i++) dest[i] = (char)(0x80 | (code >> 6 * (tail - i) & 0x3f));
  return (size_t)tail + 1;
}

bool si_json_plain(const char *text, uint32_t length, char *dest, size_t room) {
  static const char marks[] = "bfnrt", meant[] = "\b\f\n\r\t";
  size_t used = 0;
  for (const char *end = text + length; text < end; text++) {
    if (used + 5 > room) return false;
    if (*text != '\\') {
      dest[used++] = *text;
    } else if (*++text != 'u') {
      const char *mark = strchr(marks, *text);
      dest[used++] = mark ? meant[mark - marks] : *text;
    } else {
      unsigned code = hex_of(text + 1);
      text += 4;
      bool pair = code >= 0xd800 && code < 0xdc00 && end - text > 6 && text[1] == '\\' &&
                  text[2] == 'u' && hex_of(text + 3) >> 10 == 0xdc00 >> 10;
      if (pair) {
        code = 0x10000 + ((code & 0x3ff) << 10) + (hex_of(text + 3) & 0x3ff);
        text += 6;
      }
      if (code == 0 || (code >= 0xd800 && code < 0xe000)) return false;
      used += put_code(code, dest + used);
    }
  }
  dest[used] = '\0';
  return true;
}
