/* Writes values as Lua source; see lua_text.h. */
#include "lua/base/lua_text.h"

#include "math/matrix.h"

void si_print_number(si_text *t, float value) {
  si_text_number(t, value);
  if (value == 0 && signbit(value)) si_text_add(t, ".0"); /* Lua's integers have no -0 */
}

void si_print_numbers(si_text *t, const float *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    si_text_add(t, i ? ", " : "{");
    si_print_number(t, numbers[i]);
  }
  si_text_add(t, count ? "}" : "{}");
}

void si_print_string(si_text *t, const char *value) {
  si_text_add(t, "\"");
  for (const char *c = value; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"' || byte == '\\')
      si_text_format(t, "\\%c", byte);
    else if (byte < 32 || byte == 127)
      si_text_format(t, "\\%03d", byte);
    else
      si_text_format(t, "%c", byte);
  }
  si_text_add(t, "\"");
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_plain(const char *name) {
  static const char *const reserved[] = { "and",   "break", "do",       "else", "elseif", "end",
                                          "false", "for",   "function", "goto", "if",     "in",
                                          "local", "nil",   "not",      "or",   "repeat", "return",
                                          "then",  "true",  "until",    "while" };
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (strcmp(name, reserved[i]) == 0) return false;
  for (const char *c = name; *c; c++)
    if (!is_letter(*c) && (c == name || *c < '0' || *c > '9')) return false;
  return *name != '\0';
}

void si_print_key(si_text *t, const char *name) {
  if (is_plain(name)) {
    si_text_add(t, name);
    return;
  }
  si_text_add(t, "[");
  si_print_string(t, name);
  si_text_add(t, "]");
}

void si_print_field(si_text *t, const char *table, const char *name) {
  si_text_add(t, table);
  if (is_plain(name)) si_text_add(t, ".");
  si_print_key(t, name);
}

static void add_option(si_text *t, const char *name, float value, float plain) {
  if (value == plain) return;
  si_text_format(t, ", %s = ", name);
  si_print_number(t, value);
}

static void print_curve(si_text *t, const sinew_curve *curve) {
  sinew_curve_desc d = sinew_curve_describe(curve);
  si_text_format(t, "sinew.%s", sinew_curve_kind_name(d.kind));
  if (d.kind == SINEW_CURVE_CONSTANT) {
    si_text_add(t, "(");
    si_print_number(t, sinew_curve_eval(curve, 0, NULL));
    si_text_add(t, ")");
    return;
  }
  si_text_add(t, " { ");
  for (int i = 0; i < d.point_count + d.coefficient_count; i++) {
    if (i) si_text_add(t, ", ");
    if (d.point_count)
      si_print_numbers(t, d.points + 2 * i, 2);
    else
      si_print_number(t, d.coefficients[i]);
  }
  sinew_outside usual = d.kind == SINEW_CURVE_SIMM ? SINEW_OUTSIDE_EXTEND : SINEW_OUTSIDE_CLAMP;
  if (d.point_count && d.outside != usual)
    si_text_format(t, ", outside = \"%s\"", sinew_outside_name(d.outside));
  add_option(t, "scale", d.scale, 1);
  add_option(t, "offset", d.offset, 0);
  si_text_add(t, " }");
}

static void add_vectors(si_text *t, const sinew_param *p, int indent) {
  enum { in_line = 3 };
  bool lines = p->count > in_line;
  si_text_add(t, "{");
  for (int i = 0; i < p->count; i++) {
    if (lines)
      si_text_format(t, "\n%*s", indent + 2, "");
    else
      si_text_add(t, " ");
    si_print_numbers(t, p->numbers + 3 * i, 3);
    if (lines || i + 1 < p->count) si_text_add(t, ",");
  }
  if (lines)
    si_text_format(t, "\n%*s}", indent, "");
  else
    si_text_add(t, p->count ? " }" : "}");
}

bool si_print_has_words(const sinew_param *p) { return p->type != SINEW_PARAM_OBJECT; }

void si_print_param(si_text *t, const sinew_param *p, int indent) {
  switch (p->type) {
  case SINEW_PARAM_NUMBER: si_print_number(t, p->number[0]); break;
  case SINEW_PARAM_FLAG: si_text_add(t, p->number[0] != 0 ? "true" : "false"); break;
  case SINEW_PARAM_VECTOR: si_print_numbers(t, p->number, 3); break;
  case SINEW_PARAM_MATRIX: si_print_numbers(t, p->number, 16); break;
  case SINEW_PARAM_NUMBERS: si_print_numbers(t, p->numbers, (size_t)p->count); break;
  case SINEW_PARAM_VECTORS: add_vectors(t, p, indent); break;
  case SINEW_PARAM_CURVE: print_curve(t, p->curve); break;
  case SINEW_PARAM_OBJECT: break;
  case SINEW_PARAM_NONE: si_text_add(t, "false"); break;
  default: si_print_string(t, p->text); break;
  }
}

void si_print_rest(si_text *t, const float rest[16]) {
  CGLM_ALIGN_MAT float unit[16];
  si_mat_identity(unit);
  bool plain = memcmp(rest, unit, 12 * sizeof(float)) == 0;
  si_text_add(t, plain ? "at = " : "rest = ");
  si_print_numbers(t, plain ? rest + 12 : rest, plain ? 3 : 16);
  if (plain) si_text_add(t, ", turn = {0, 0, 0, 1}");
}
