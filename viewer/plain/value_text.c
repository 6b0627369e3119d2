/* Numbers, vectors and matrices as short text. */
#include "plain/value_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float degrees = 57.2957795f;

static void fixed(float value, int places, char *dest, size_t capacity) {
  snprintf(dest, capacity, "%.*f", places, (double)value);
  if (strchr(dest, '.')) {
    char *end = dest + strlen(dest);
    while (end[-1] == '0') end--;
    if (end[-1] == '.') end--;
    *end = '\0';
  }
  if (strcmp(dest, "-0") == 0) snprintf(dest, capacity, "0");
}

/* at most four significant digits, without zeros at the end */
static void number(float value, char *dest, size_t capacity) {
  float size = fabsf(value);
  if (size >= 1e6f)
    snprintf(dest, capacity, "%.3g", (double)value);
  else
    fixed(value, size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4, dest, capacity);
}

float value_turn(const float m[16], float axis[3]) {
  float cosine = (m[0] + m[5] + m[10] - 1) / 2;
  float raw[3] = { m[6] - m[9], m[8] - m[2], m[1] - m[4] };
  float length = sqrtf(raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2]);
  float angle = atan2f(length / 2, fmaxf(-1, fminf(1, cosine))) * degrees;
  if (length > 1e-4f) {
    for (int i = 0; i < 3; i++) axis[i] = raw[i] / length;
  } else if (cosine < 0) {
    /* 180 degrees: m + 1 is twice the axis times its transpose; use its longest column */
    int c = m[0] > m[5] ? (m[0] > m[10] ? 0 : 2) : (m[5] > m[10] ? 1 : 2);
    float scale = 1 / sqrtf(2 * (m[c * 5] + 1));
    for (int i = 0; i < 3; i++) axis[i] = (m[c * 4 + i] + (float)(i == c)) * scale;
  } else {
    axis[0] = axis[1] = 0, axis[2] = 1;
  }
  return angle;
}

/* three numbers to the millimetre */
static void place(const float *v, char *dest, size_t capacity) {
  char text[3][32];
  for (int i = 0; i < 3; i++) fixed(v[i], fabsf(v[i]) >= 10 ? 1 : 3, text[i], sizeof text[i]);
  snprintf(dest, capacity, "%s %s %s", text[0], text[1], text[2]);
}

void value_short(sinew_kind kind, const float *value, char *dest, size_t capacity) {
  char where[100], turn[32];
  float axis[3];
  *dest = '\0';
  if (!value) return;
  switch (kind) {
  case SINEW_SCALAR: number(*value, dest, capacity); break;
  case SINEW_VECTOR: place(value, dest, capacity); break;
  case SINEW_MATRIX:
    place(value + 12, where, sizeof where);
    fixed(value_turn(value, axis), 1, turn, sizeof turn);
    snprintf(dest, capacity, "%s  %s\u00b0", where, turn);
    break;
  }
}

void value_long(sinew_kind kind, const float *value, char *dest, size_t capacity) {
  *dest = '\0';
  if (!value) return;
  if (kind == SINEW_SCALAR) {
    snprintf(dest, capacity, "%.7g", (double)*value);
  } else if (kind == SINEW_VECTOR) {
    snprintf(dest, capacity, "%.6g %.6g %.6g", (double)value[0], (double)value[1],
             (double)value[2]);
  } else {
    float axis[3], angle = value_turn(value, axis);
    const float *at = value + 12;
    snprintf(dest, capacity, "%.4f %.4f %.4f   turned %.2f about %.3f %.3f %.3f", (double)at[0],
             (double)at[1], (double)at[2], (double)angle, (double)axis[0], (double)axis[1],
             (double)axis[2]);
  }
}

const char *value_widest(sinew_kind kind) {
  static const char *const widest[] = { "-000.00", "-0.000 -0.000 0.000",
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
