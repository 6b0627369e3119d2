/* Numbers, vectors, matrices and messages as short text. */
#include "plain/value_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float degrees = 57.2957795f;

/* never "-0.0" */
static void fixed(float value, int decimals, char *dest, size_t capacity) {
  snprintf(dest, capacity, "%.*f", decimals, (double)value);
  if (*dest == '-' && !dest[strspn(dest, "-0.")]) memmove(dest, dest + 1, strlen(dest));
}

/* at most four significant digits, without trailing zeros */
static void number(float value, char *dest, size_t capacity) {
  float size = fabsf(value);
  int decimals = size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  if (size >= 1e6f) {
    snprintf(dest, capacity, "%.3g", (double)value);
    return;
  }
  fixed(value, decimals, dest, capacity);
  char *end = dest + strlen(dest);
  while (end[-1] == '0') end--;
  if (end[-1] == '.') end--;
  *end = '\0';
}

/* how a unit is shown: digits after the point, what multiplies the value, and its sign */
static const struct unit {
  const char *name;
  int decimals;
  float factor;
  const char *sign;
} units[] = { { "deg", 1, 1, "\u00b0" },
              { "m", 3, 1, " m" },
              { "%", 0, 100, " %" },
              { "s", 2, 1, " s" },
              { "mm", 1, 1, " mm" } };

static const struct unit *find_unit(const char *name) {
  for (size_t i = 0; name && i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i].name, name) == 0) return &units[i];
  return NULL;
}

const char *value_unit(const char *unit, float min, float max) {
  return (!unit || !*unit) && min >= -1 && max <= 1 && min < max ? "%" : unit;
}

void value_plain(float value, const char *unit, char *dest, size_t capacity) {
  const struct unit *u = find_unit(unit);
  if (u)
    fixed(value * u->factor, u->decimals, dest, capacity);
  else
    number(value, dest, capacity);
}

void value_number(float value, const char *unit, char *dest, size_t capacity) {
  const struct unit *u = find_unit(unit);
  value_plain(value, unit, dest, capacity);
  size_t used = strlen(dest);
  if (u)
    snprintf(dest + used, capacity - used, "%s", u->sign);
  else if (unit && *unit)
    snprintf(dest + used, capacity - used, " %s", unit);
}

bool value_read(const char *text, const char *unit, float *dest) {
  const struct unit *u = find_unit(unit);
  char *end;
  float value = strtof(text, &end);
  if (end == text || !isfinite(value)) return false;
  while (*end == ' ') end++;
  const char *sign = u ? u->sign : unit ? unit : "";
  while (*sign == ' ') sign++;
  if (*end && strcmp(end, sign) != 0 && !(unit && strcmp(end, unit) == 0)) return false;
  *dest = u ? value / u->factor : value;
  return true;
}

float value_rotation(const float m[16], float axis[3]) {
  float cosine = (m[0] + m[5] + m[10] - 1) / 2;
  float raw[3] = { m[6] - m[9], m[8] - m[2], m[1] - m[4] };
  float length = sqrtf(raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2]);
  float angle = atan2f(length / 2, fmaxf(-1, fminf(1, cosine))) * degrees;
  if (length > 1e-4f) {
    for (int i = 0; i < 3; i++) axis[i] = raw[i] / length;
  } else if (cosine < 0) {
    /* 180 degrees: m + 1 is twice the outer product of the axis with itself; use its longest
     * column */
    int c = m[0] > m[5] ? 0 : 1;
    if (m[10] >= m[c * 5]) c = 2;
    float scale = 1 / sqrtf(2 * (m[c * 5] + 1));
    for (int i = 0; i < 3; i++) axis[i] = (m[c * 4 + i] + (float)(i == c)) * scale;
  } else {
    axis[0] = axis[1] = 0;
    axis[2] = 1;
  }
  return angle;
}

/* three numbers, rounded to a millimetre */
static void position(const float *v, char *dest, size_t capacity) {
  char text[3][32];
  for (int i = 0; i < 3; i++) fixed(v[i], 3, text[i], sizeof text[i]);
  snprintf(dest, capacity, "%s %s %s", text[0], text[1], text[2]);
}

void value_short(sinew_kind kind, const float *value, const char *unit, char *dest,
                 size_t capacity) {
  char where[120], turn[32];
  float axis[3];
  *dest = '\0';
  if (!value) return;
  switch (kind) {
  case SINEW_SCALAR: value_number(*value, unit, dest, capacity); break;
  case SINEW_VECTOR: position(value, dest, capacity); break;
  case SINEW_MATRIX:
    position(value + 12, where, sizeof where);
    fixed(value_rotation(value, axis), 1, turn, sizeof turn);
    snprintf(dest, capacity, "%s  %s\u00b0", where, turn);
    break;
  }
}

void value_long(sinew_kind kind, const float *value, const char *unit, char *dest,
                size_t capacity) {
  value_short(kind, value, unit, dest, capacity);
  if (!value || kind != SINEW_MATRIX) return;
  float axis[3];
  char about[120];
  size_t used = strlen(dest);
  if (value_rotation(value, axis) < 0.05f) return;
  position(axis, about, sizeof about);
  snprintf(dest + used, capacity - used, " about %s", about);
}

const char *value_widest(sinew_kind kind) {
  static const char *const widest[] = { "-000.0\u00b0", "-0.000 -0.000 0.000",
                                        "-0.000 -0.000 0.000  00.0\u00b0" };
  return widest[kind];
}

/* appends what one parameter says; `bounds` counts the bounds before it */
static void add_formula(const sinew_rig *rig, sinew_component component,
                        const sinew_param_desc *param, int bounds, char *dest, size_t capacity) {
  char text[256];
  size_t used = strlen(dest);
  if (!sinew_rig_formula(rig, component, param->name, text, sizeof text)) return;
  const char *way = !(param->flags & SINEW_PARAM_BOUND) ? "=" : bounds ? "at most" : "at least";
  snprintf(dest + used, capacity - used, "%s%s %s", used ? ", " : "", way, text);
}

bool formula_text(const sinew_rig *rig, sinew_component component, char *dest, size_t capacity) {
  const sinew_component_class *cls = sinew_rig_component_info(rig, component).component_class;
  int bounds = 0;
  *dest = '\0';
  for (const sinew_param_desc *p = sinew_class_param_marked(cls, SINEW_PARAM_FORMULA, NULL); p;
       p = sinew_class_param_marked(cls, SINEW_PARAM_FORMULA, p)) {
    add_formula(rig, component, p, bounds, dest, capacity);
    bounds += (p->flags & SINEW_PARAM_BOUND) != 0;
  }
  return *dest != '\0';
}

bool bound_text(const sinew_rig *rig, const sinew_hold *hold, char *dest, size_t capacity) {
  *dest = '\0';
  if (!hold->component.id) return false;
  const sinew_component_class *cls = sinew_rig_component_info(rig, hold->component).component_class;
  const sinew_param_desc *p = sinew_class_param_marked(cls, SINEW_PARAM_BOUND, NULL);
  if (p && hold->amount < 0) p = sinew_class_param_marked(cls, SINEW_PARAM_BOUND, p);
  if (p) add_formula(rig, hold->component, p, hold->amount < 0, dest, capacity);
  return *dest != '\0';
}

/* the length of "FILE:LINE:" at the start of a line, up to the file's name; 0: it is none, or the
 * path is short already */
static size_t place_path(const char *line) {
  size_t end = strcspn(line, ":\n"), name = end;
  if (*line != '/' && strncmp(line, "...", 3) != 0) return 0;
  if (line[end] != ':' || line[end + 1] < '0' || line[end + 1] > '9') return 0;
  while (name > 0 && line[name - 1] != '/') name--;
  return name;
}

void message_short(const char *text, const char *folder, char *dest, size_t capacity) {
  size_t length = folder ? strlen(folder) : 0, used = 0;
  if (length == 1) length = 0;     /* "." or "/" */
  bool fresh = true, start = true; /* of a word, of a line */
  while (*text && used + 1 < capacity) {
    bool within = length && fresh && strncmp(text, folder, length) == 0 && text[length] == '/';
    if (within)
      text += length + 1;
    else if (start)
      text += place_path(text);
    start = *text == '\n';
    fresh = start || *text == ' ' || *text == '\'' || *text == '"' || *text == '(';
    dest[used++] = *text++;
  }
  dest[used] = '\0';
}

const char *message_reason(const char *text) {
  static const char before[] = ": component '";
  const char *name = strstr(text, before);
  if (!name) return text;
  name += sizeof before - 1;
  const char *end = strchr(name, '\'');
  return end && strncmp(end, "': ", 3) == 0 ? end + 3 : text;
}
