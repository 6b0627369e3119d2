/* Values in an XML file: attributes and content as numbers, files and parameters. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/names.h"
#include "base/text.h"
#include "sinew/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool si_xml_fail_memory(si_xml_reader *r) {
  si_fail_memory(r->error);
  return false;
}

bool si_xml_expect(si_xml_reader *r, const si_xml_node *node, const si_xml_word *words) {
  for (uint32_t i = 0; i < node->attribute_count; i++) {
    const char *given = node->attributes[i].name;
    const si_xml_word *word = words;
    while (word->name && strcmp(word->name, given) != 0) word++;
    if (word->name) continue;
    char text[400];
    si_nearest near;
    si_nearest_start(&near, given);
    for (word = words; word->name; word++) si_nearest_offer(&near, word->name);
    return si_xml_fail(r, node, SINEW_ERR_NAME, "'%.60s' has no attribute '%.60s'%s", node->name,
                       given, si_nearest_words(&near, text, sizeof text));
  }
  for (; words->name; words++)
    if (words->required && !si_xml_attribute_of(node, words->name))
      return si_xml_fail(r, node, SINEW_ERR_MISSING, "'%.60s' needs the attribute '%s'", node->name,
                         words->name);
  return true;
}

bool si_xml_expect_empty(si_xml_reader *r, const si_xml_node *node) {
  if (!node->child_count) return si_xml_no_text(r, node);
  return si_xml_fail(r, si_xml_first(node), SINEW_ERR_NAME, "'%.60s' has no element '%.60s'",
                     node->name, si_xml_first(node)->name);
}

/* --- numbers */

static size_t skip_blank(const char *text, size_t at) { return at + strspn(text + at, " \t\r\n"); }

static bool bad_number(si_xml_reader *r, const si_xml_node *node, const char *what, size_t index,
                       const char *word, size_t length, const char *why) {
  return si_xml_fail(r, node, SINEW_ERR_VALUE, "number %zu of %s '%.60s' ('%.*s') %s", index + 1,
                     what, node->name, length > 40 ? 40 : (int)length, word, why);
}

/* reads the next number of a text from *at; false at the end, with `done` set, or on failure */
static bool next_number(si_xml_reader *r, const si_xml_node *node, const char *what,
                        const char *text, size_t *at, size_t index, float *dest, bool *done) {
  *at = skip_blank(text, *at);
  const char *word = text + *at;
  size_t length = strcspn(word, " \t\r\n");
  *done = length == 0;
  if (*done) return false;
  if (!si_work(4)) return si_xml_fail_memory(r);
  if (!si_text_float(word, length, dest))
    return bad_number(r, node, what, index, word, length, "is not a number");
  if (!isfinite(*dest))
    return bad_number(r, node, what, index, word, length, "is too large for a float");
  *at += length;
  return true;
}

bool si_xml_numbers(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest,
                    int most, int *count) {
  const char *text = si_xml_attribute_of(node, attribute);
  char what[64];
  snprintf(what, sizeof what, "'%s' of", attribute);
  size_t at = 0;
  float number;
  bool done = false;
  for (*count = 0; next_number(r, node, what, text, &at, (size_t)*count, &number, &done);
       dest[(*count)++] = number)
    if (*count == most)
      return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%s' of '%.60s' has more than %d number%s",
                         attribute, node->name, most, most == 1 ? "" : "s");
  if (done && *count == 0)
    return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%s' of '%.60s' has no numbers", attribute,
                       node->name);
  return done;
}

bool si_xml_exactly(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest,
                    int wanted) {
  int count;
  if (!si_xml_numbers(r, node, attribute, dest, wanted, &count)) return false;
  if (count == wanted) return true;
  return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%s' of '%.60s' has %d number%s, not %d", attribute,
                     node->name, count, count == 1 ? "" : "s", wanted);
}

bool si_xml_number(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest) {
  return !si_xml_attribute_of(node, attribute) || si_xml_exactly(r, node, attribute, dest, 1);
}

bool si_xml_frame(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest) {
  bool at = si_xml_attribute_of(node, "at"), whole = si_xml_attribute_of(node, attribute);
  if (at && whole)
    return si_xml_fail(r, node, SINEW_ERR_VALUE, "give '%s' or 'at', not both", attribute);
  if (at) return si_xml_exactly(r, node, "at", dest + 12, 3);
  return !whole || si_xml_exactly(r, node, attribute, dest, 16);
}

bool si_xml_flag(si_xml_reader *r, const si_xml_node *node, const char *attribute, bool *dest) {
  const char *text = si_xml_attribute_of(node, attribute);
  if (!text) return true;
  *dest = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  if (*dest || strcmp(text, "false") == 0 || strcmp(text, "0") == 0) return true;
  return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%s' of '%.60s' is '%.40s', not true or false",
                     attribute, node->name, text);
}

static bool in_groups(si_xml_reader *r, const si_xml_node *node, size_t count, size_t each) {
  if (count % each == 0) return true;
  return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%.60s' has %zu numbers, not a multiple of %zu",
                     node->name, count, each);
}

bool si_xml_list(si_xml_reader *r, const si_xml_node *node, size_t each, float **dest,
                 size_t *count) {
  size_t room = 0, at = 0;
  float number;
  bool done = false;
  *dest = NULL;
  for (*count = 0; next_number(r, node, "the list", node->text, &at, *count, &number, &done);
       (*dest)[(*count)++] = number)
    if (!si_grow((void **)dest, &room, *count + 1, sizeof number)) return si_xml_fail_memory(r);
  return done && in_groups(r, node, *count, each);
}

/* reads the next index of a text from *at, as next_number does; `why` says what is wrong with one
 * that is too large */
static bool next_index(si_xml_reader *r, const si_xml_node *node, const char *what,
                       const char *text, size_t *at, size_t count, size_t below, const char *why,
                       uint32_t *dest, bool *done) {
  *at = skip_blank(text, *at);
  const char *word = text + *at;
  size_t length = strspn(word, "0123456789"), all = strcspn(word, " \t\r\n");
  uint64_t index = 0;
  *done = all == 0;
  if (*done) return false;
  if (!si_work(2)) return si_xml_fail_memory(r);
  for (size_t i = 0; i < length && index <= UINT32_MAX; i++)
    index = 10 * index + (uint64_t)(word[i] - '0');
  if (length != all || index >= below)
    return bad_number(r, node, what, count, word, all,
                      length != all ? "is not a whole number" : why);
  *dest = (uint32_t)index;
  *at += all;
  return true;
}

bool si_xml_triangles(si_xml_reader *r, const si_xml_node *node, size_t below, uint32_t **dest,
                      size_t *count) {
  size_t room = 0, at = 0;
  uint32_t index;
  bool done = false;
  *dest = NULL;
  for (*count = 0; next_index(r, node, "the list", node->text, &at, *count, below,
                              "is not the index of a vertex", &index, &done);
       (*dest)[(*count)++] = index)
    if (!si_grow((void **)dest, &room, *count + 1, sizeof index)) return si_xml_fail_memory(r);
  return done && in_groups(r, node, *count, 3);
}

bool si_xml_points(si_xml_reader *r, const si_xml_node *node, int below, int *dest, int *count) {
  const char *text = si_xml_attribute_of(node, "points");
  size_t at = 0;
  uint32_t index;
  bool done = false;
  for (*count = 0; next_index(r, node, "'points' of", text, &at, (size_t)*count, (size_t)below,
                              "is not the index of a point", &index, &done);
       dest[(*count)++] = (int)index) {
  }
  return done;
}

/* --- files and bytes */

/* names joined by '/', none of them empty, '.' or '..' */
static bool stays_below(const char *name) {
  if (!*name || strlen(name) > 1000 || strchr(name, '\\')) return false;
  for (;;) {
    size_t letters = strcspn(name, "/");
    if (letters == 0 || (letters <= 2 && strncmp(name, "..", letters) == 0)) return false;
    name += letters;
    if (!*name) return true;
    name++;
  }
}

bool si_xml_file(si_xml_reader *r, const si_xml_node *node, const char **dest) {
  *dest = si_xml_attribute_of(node, "file");
  if (!*dest || stays_below(*dest)) return true;
  return si_xml_fail(r, node, SINEW_ERR_NAME,
                     "the file name '%.200s' is not allowed: it must be relative, such as "
                     "'bones/femur.obj'",
                     *dest);
}

/* base64 content, in a block for the caller to free */
static bool read_bytes(si_xml_reader *r, const si_xml_node *node, unsigned char **dest,
                       size_t *size) {
  const char *text = node->text;
  unsigned char *bytes = si_alloc(strlen(text) / 4 * 3 + 3);
  *dest = bytes;
  *size = 0;
  if (!bytes) return si_xml_fail_memory(r);
  uint32_t bits = 0;
  int held = 0, padding = 0;
  for (size_t i = skip_blank(text, 0); text[i]; i = skip_blank(text, i + 1)) {
    int digit = si_base64_digit(text[i]);
    if (text[i] == '=' && held + padding >= 2) {
      padding++;
      continue;
    }
    if (digit < 0 || padding)
      return si_xml_fail(r, node, SINEW_ERR_FILE, "the content of '%.60s' is not base64",
                         node->name);
    bits = (bits & 0x3ffff) << 6 | (uint32_t)digit;
    if (++held < 4) continue;
    for (int k = 16; k >= 0; k -= 8) bytes[(*size)++] = (unsigned char)(bits >> k);
    held = 0;
  }
  if ((held || padding) && (held < 2 || held + padding != 4))
    return si_xml_fail(r, node, SINEW_ERR_FILE, "the base64 content of '%.60s' is incomplete",
                       node->name);
  if (held >= 2) bytes[(*size)++] = (unsigned char)(bits >> (held == 3 ? 10 : 4));
  if (held == 3) bytes[(*size)++] = (unsigned char)(bits >> 2);
  return true;
}

/* --- parameters */

bool si_xml_word_of(si_xml_reader *r, const si_xml_node *node, const char *attribute,
                    const char *(*name)(int index), int count, int *dest) {
  const char *text = si_xml_attribute_of(node, attribute);
  char words[400];
  si_nearest near;
  si_nearest_start(&near, text);
  for (*dest = 0; *dest < count; ++*dest) {
    if (!name(*dest)) continue;
    if (strcmp(name(*dest), text) == 0) return true;
    si_nearest_offer(&near, name(*dest));
  }
  return si_xml_fail(r, node, SINEW_ERR_VALUE, "'%.60s' has no %s '%.60s'%s", node->name, attribute,
                     text, si_nearest_words(&near, words, sizeof words));
}

static const char *kind_name(int i) { return sinew_curve_kind_name((sinew_curve_kind)i); }
static const char *outside_name(int i) {
  return i == SINEW_OUTSIDE_DEFAULT ? NULL : sinew_outside_name((sinew_outside)i);
}

static bool take_curve(si_xml_reader *r, const si_xml_node *node, sinew_param *dest) {
  sinew_curve_desc desc = sinew_default_curve_desc();
  int kind = 0, outside = SINEW_OUTSIDE_DEFAULT;
  float *numbers = NULL;
  size_t count;
  bool fine =
      si_xml_word_of(r, node, "kind", kind_name, SINEW_CURVE_KIND_COUNT, &kind) &&
      (!si_xml_attribute_of(node, "outside") ||
       si_xml_word_of(r, node, "outside", outside_name, SINEW_OUTSIDE_REPEAT + 1, &outside)) &&
      si_xml_number(r, node, "scale", &desc.scale) &&
      si_xml_number(r, node, "offset", &desc.offset);
  bool points = kind != SINEW_CURVE_CONSTANT && kind != SINEW_CURVE_POLYNOMIAL;
  fine = fine && si_xml_list(r, node, points ? 2 : 1, &numbers, &count);
  if (fine) {
    desc.kind = (sinew_curve_kind)kind;
    desc.outside = (sinew_outside)outside;
    desc.points = points ? numbers : NULL;
    desc.point_count = points ? (int)(count / 2) : 0;
    desc.coefficients = points ? NULL : numbers;
    desc.coefficient_count = points ? 0 : (int)count;
    sinew_error why;
    dest->curve = sinew_curve_create(&desc, &why);
    fine = dest->curve || si_xml_fail(r, node, why.status, "%s", why.text);
  }
  si_free(numbers);
  return fine;
}

static bool take_field(si_xml_reader *r, const si_xml_node *node, sinew_param *dest,
                       const char **file) {
  if (!si_xml_file(r, node, file)) return false;
  if (*file) return si_xml_expect_empty(r, node);
  unsigned char *bytes;
  size_t size;
  char place[512];
  sinew_error why;
  bool fine = read_bytes(r, node, &bytes, &size);
  if (fine) {
    snprintf(place, sizeof place, "%s:%u:%u", r->name, (unsigned)node->line,
             (unsigned)node->column);
    dest->object = sinew_field_decode(place, bytes, size, 0, &why);
    fine = dest->object != NULL;
    if (!fine) si_fail(r->error, why.status, "%s", why.text);
  }
  si_free(bytes);
  return fine;
}

static bool take_list(si_xml_reader *r, const si_xml_node *node, sinew_param *dest) {
  size_t each = (size_t)si_xml_values[dest->type].each, count;
  float *numbers;
  bool fine = si_xml_list(r, node, each, &numbers, &count);
  dest->numbers = numbers;
  dest->count = (int)(count / each);
  return fine;
}

/* a list of one item may be written as an attribute */
static void take_single(const si_xml_node *node, sinew_param *dest) {
  if (!si_xml_attribute_of(node, "value")) return;
  if (dest->type == SINEW_PARAM_NUMBERS) dest->type = SINEW_PARAM_NUMBER;
  if (dest->type == SINEW_PARAM_VECTORS) dest->type = SINEW_PARAM_VECTOR;
}

static bool take_value(si_xml_reader *r, const si_xml_node *node, sinew_param_type type,
                       sinew_param *dest, const char **file) {
  float *matrix;
  size_t count;
  bool flag = false, fine;
  switch (dest->type) {
  case SINEW_PARAM_NUMBER:
  case SINEW_PARAM_VECTOR:
    return si_xml_exactly(r, node, "value", dest->number, si_xml_values[dest->type].each) &&
           si_xml_expect_empty(r, node);
  case SINEW_PARAM_FLAG:
    fine = si_xml_flag(r, node, "value", &flag) && si_xml_expect_empty(r, node);
    dest->number[0] = fine && flag;
    return fine;
  case SINEW_PARAM_MATRIX:
    fine = si_xml_list(r, node, 16, &matrix, &count);
    if (fine && count != 16)
      fine = si_xml_fail(r, node, SINEW_ERR_VALUE, "'%.60s' has %zu numbers, not 16", node->name,
                         count);
    if (fine) memcpy(dest->number, matrix, sizeof dest->number);
    si_free(matrix);
    return fine;
  case SINEW_PARAM_NUMBERS:
  case SINEW_PARAM_VECTORS: return take_list(r, node, dest);
  case SINEW_PARAM_CURVE: return take_curve(r, node, dest);
  case SINEW_PARAM_OBJECT:
    dest->object_class = &sinew_field_class;
    return take_field(r, node, dest, file);
  default:
    dest->type = SINEW_PARAM_TEXT;
    dest->text = si_xml_attribute_of(node, si_xml_values[type].attribute);
    return si_xml_expect_empty(r, node);
  }
}

bool si_xml_param(si_xml_reader *r, const si_xml_node *node, sinew_param_type type, bool named,
                  sinew_param *dest, const char **file) {
  si_xml_word words[SI_XML_PARAM_WORDS];
  si_xml_param_words(type, named, words);
  *dest = (sinew_param){ .name = node->name, .type = type };
  *file = NULL;
  if (!si_xml_expect(r, node, words)) return false;
  if (named) dest->name = si_xml_attribute_of(node, "name");
  if (node->child_count) return si_xml_expect_empty(r, node);
  take_single(node, dest);
  return take_value(r, node, type, dest, file);
}

void si_xml_param_free(sinew_param *param) {
  si_free((void *)(uintptr_t)param->numbers);
  sinew_curve_destroy((sinew_curve *)(uintptr_t)param->curve);
  if (param->object) param->object_class->release(param->object);
  *param = (sinew_param){ 0 };
}
