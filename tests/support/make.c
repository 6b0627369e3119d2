/* See make.h. */
#include "make.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t make_random(uint32_t *seed) {
  uint32_t x = *seed * 2654435769u + 1013904223u;
  *seed = x;
  x ^= x >> 16;
  x *= 2246822519u;
  return x ^ x >> 13;
}

float make_between(uint32_t *seed, float low, float high) {
  return low + (high - low) * ((float)(make_random(seed) >> 8) / 16777216.0f);
}

int make_index(uint32_t *seed, int count) { return (int)(make_random(seed) % (uint32_t)count); }

void make_axis(uint32_t *seed, float *dest) {
  float square;
  do {
    square = 0;
    for (int i = 0; i < 3; i++) {
      dest[i] = make_between(seed, -2, 2);
      square += dest[i] * dest[i];
    }
  } while (square < 0.01f);
}

void make_frame(uint32_t *seed, int kind, float *dest) {
  dmat frame = dmat_identity();
  float axis[3];
  make_axis(seed, axis);
  if (kind >= MAKE_TURNED) frame = dmat_turn(axis, (double)make_between(seed, -180, 180));
  if (kind == MAKE_MIRRORED)
    for (int i = 0; i < 3; i++) frame.m[4 + i] = -frame.m[4 + i];
  for (int i = 0; i < 16; i++) dest[i] = (float)frame.m[i];
  for (int i = 12; i < 15 && kind != MAKE_IDENTITY; i++) dest[i] = make_between(seed, -1, 1);
}

sinew_curve *make_curve(sinew_curve_kind kind, sinew_outside outside, const float *points,
                        int point_count) {
  sinew_curve_desc d = sinew_default_curve_desc();
  d.kind = kind;
  d.outside = outside;
  d.points = points;
  d.point_count = point_count;
  return sinew_curve_create(&d, NULL);
}

sinew_curve *make_line(float x0, float y0, float x1, float y1) {
  const float points[] = { x0, y0, x1, y1 };
  return make_curve(SINEW_CURVE_LINEAR, SINEW_OUTSIDE_EXTEND, points, 2);
}

sinew_curve *make_constant(float value) {
  sinew_curve_desc d = sinew_default_curve_desc();
  d.kind = SINEW_CURVE_CONSTANT;
  d.coefficients = &value;
  d.coefficient_count = 1;
  return sinew_curve_create(&d, NULL);
}

sinew_segment make_placed(sinew_builder *b, const char *name, const char *parent,
                          const float *rest) {
  sinew_segment_desc d = sinew_default_segment_desc();
  d.name = name;
  d.parent = parent;
  memcpy(d.rest, rest, sizeof d.rest);
  return sinew_builder_add_segment(b, &d, NULL);
}

sinew_segment make_segment(sinew_builder *b, const char *name, const char *parent, float x, float y,
                           float z) {
  sinew_segment_desc d = sinew_default_segment_desc();
  d.rest[12] = x, d.rest[13] = y, d.rest[14] = z;
  return make_placed(b, name, parent, d.rest);
}

sinew_dof make_dof(sinew_builder *b, sinew_joint_set set, const char *name, float min, float max) {
  sinew_dof_desc d = sinew_default_dof_desc();
  d.name = name;
  d.joint_set = set;
  d.min = min;
  d.max = max;
  return sinew_builder_add_dof(b, &d, NULL);
}

sinew_component make_part(sinew_builder *b, sinew_joint_set set, const char *kind, const char *name,
                          const char *wires, const sinew_param *params, int param_count) {
  enum { most = 64 };
  static _Thread_local char text[4096];
  sinew_wire list[most];
  int count = 0;
  snprintf(text, sizeof text, "%s", wires ? wires : "");
  for (char *token = strtok(text, " "); token && count < most; token = strtok(NULL, " ")) {
    char *equals = strchr(token, '=');
    *equals = '\0';
    list[count] = (sinew_wire){ .input = token, .from = equals + 1 };
    if (equals[1] == '#') {
      list[count].from = NULL;
      list[count].constant[0] = strtof(equals + 2, NULL);
    }
    count++;
  }
  sinew_component_desc d = { .size = sizeof d,
                             .kind = kind,
                             .name = name,
                             .joint_set = set,
                             .wires = list,
                             .wire_count = count,
                             .params = params,
                             .param_count = param_count };
  return sinew_builder_add_component(b, &d, NULL);
}

sinew_rig *make_rig(sinew_builder *b, sinew_error *error) {
  sinew_error local;
  sinew_rig *rig = sinew_builder_finish(b, error ? error : &local);
  if (!rig && !error) printf("%s\n", local.text);
  return rig;
}

/* --- rigs as text */

enum { most_numbers = 64, most_words = 32 };

/* A mistake in a test's own text: nothing that comes after it could be trusted. */
static void bad_line(int line, const char *word, const char *why) {
  printf("make_lines: line %d: '%s': %s\n", line, word, why);
  fflush(stdout);
  abort();
}

/* "1,-2.5,3"; -1 where it is anything else */
static int read_numbers(const char *text, float *dest) {
  char *end;
  for (int count = 0; count < most_numbers; text = end + 1) {
    dest[count++] = strtof(text, &end);
    if (end == text || (*end && *end != ',')) return -1;
    if (!*end) return count;
  }
  return -1;
}

/* "line:x,y,x,y", "piecewise:x,y,..." or the coefficients of "polynomial:a,b,..."; else NULL */
static sinew_curve *read_curve(const char *text) {
  float v[most_numbers];
  sinew_curve_desc d = sinew_default_curve_desc();
  const char *colon = strchr(text, ':');
  int count = colon ? read_numbers(colon + 1, v) : -1;
  if (count < 1) return NULL;
  if (*text == 'l') return make_curve(SINEW_CURVE_LINEAR, SINEW_OUTSIDE_EXTEND, v, count / 2);
  if (*text != 'p') return NULL;
  if (text[1] == 'i') return make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, v, count / 2);
  d.kind = SINEW_CURVE_POLYNOMIAL, d.coefficients = v, d.coefficient_count = count;
  return sinew_curve_create(&d, NULL);
}

static sinew_param read_param(const char *key, const char *value, sinew_param_type type,
                              const float *v, int count) {
  if (count < 0) return sinew_param_text(key, value);
  if (type == SINEW_PARAM_VECTORS) return sinew_param_vectors(key, v, count / 3);
  if (type == SINEW_PARAM_NUMBERS) return sinew_param_numbers(key, v, count);
  return count == 3 ? sinew_param_vector(key, v[0], v[1], v[2]) : sinew_param_number(key, *v);
}

/* KIND NAME key=value ...: a parameter where the class has one of that name or the value is
 * numbers or a curve, else a wire */
static void component_line(sinew_builder *b, sinew_joint_set set, char **words, int count,
                           int line) {
  const sinew_component_class *cls = sinew_builder_class(b, words[0]);
  sinew_curve *curves[most_words] = { NULL };
  float numbers[most_words][most_numbers];
  sinew_param params[most_words];
  sinew_wire wires[most_words];
  sinew_component_desc d = {
    .size = sizeof d, .kind = words[0], .joint_set = set, .params = params, .wires = wires
  };
  if (count > 1 && strcmp(words[1], "-") != 0) d.name = words[1];
  for (int i = 2; i < count; i++) {
    char *value = strchr(words[i], '='), *key = words[i];
    if (!value) bad_line(line, key, "neither a wire nor a parameter");
    *value++ = '\0';
    bool constant = *value == '#';
    int n = read_numbers(value + constant, numbers[i]);
    const sinew_param_desc *desc = cls ? sinew_class_find_param(cls, key) : NULL;
    if ((curves[i] = read_curve(value))) {
      params[d.param_count++] = sinew_param_curve(key, curves[i]);
    } else if (!constant && (desc || n > 0)) {
      params[d.param_count++] = read_param(key, value, desc ? desc->type : 0, numbers[i], n);
    } else {
      sinew_wire *wire = &wires[d.wire_count++];
      *wire = (sinew_wire){ .input = key, .from = constant ? NULL : value };
      for (int k = 0; constant && k < n && k < 16; k++) wire->constant[k] = numbers[i][k];
    }
  }
  sinew_builder_add_component(b, &d, NULL);
  for (int i = 0; i < count; i++) sinew_curve_destroy(curves[i]);
}

static void add_line(sinew_builder *b, sinew_joint_set *set, char **words, int count, int line) {
  const char *kind = words[0], *name = count > 1 ? words[1] : NULL;
  float v[5][most_numbers] = { { 0 } };
  bool at_end = count > 2 && count < 6 && read_numbers(words[count - 1], v[0]) == 3;
  if (strcmp(kind, "set") == 0) {
    set->id = name ? (uint32_t)sinew_builder_counts(b).joint_sets : 0;
    while (set->id && strcmp(sinew_builder_joint_set_name(b, *set), name) != 0) set->id--;
    if (name && !set->id) *set = sinew_builder_add_joint_set(b, name, NULL, NULL);
  } else if (strcmp(kind, "dof") == 0) {
    sinew_dof_desc d = sinew_default_dof_desc();
    if (count != 4 && count != 5) bad_line(line, "dof", "wants a name, min, max and maybe rest");
    for (int i = 2; i < count; i++)
      if (read_numbers(words[i], v[i]) != 1) bad_line(line, words[i], "not a number");
    d.name = name, d.joint_set = *set, d.min = *v[2], d.max = *v[3];
    if (count == 5) d.rest = *v[4], d.rest_given = true;
    sinew_builder_add_dof(b, &d, NULL);
  } else if (strcmp(kind, "segment") == 0) {
    if (count - at_end > 3) bad_line(line, words[3], "not a position");
    make_segment(b, name, count - at_end > 2 ? words[2] : NULL, v[0][0], v[0][1], v[0][2]);
  } else if (strcmp(kind, "drive") == 0) {
    sinew_segment s = { (uint32_t)sinew_builder_counts(b).segments };
    while (s.id && name && strcmp(sinew_builder_segment_name(b, s), name) != 0) s.id--;
    if (!s.id || count != 3) bad_line(line, name ? name : "drive", "wants a segment and a source");
    sinew_builder_drive(b, s, words[2], NULL, NULL);
  } else {
    component_line(b, *set, words, count, line);
  }
}

sinew_builder *make_lines(sinew_builder *b, const char *format, ...) {
  char text[8192], *rest = text, *state;
  sinew_joint_set set = MAKE_NO_SET;
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(text, sizeof text, format, arguments) >= (int)sizeof text)
    bad_line(0, format, "too long");
  va_end(arguments);
  if (!b) b = sinew_builder_create("rig", NULL);
  for (int line = 1, next = 1; rest; line = next) {
    char *words[most_words], *row = rest, *end = strpbrk(row, "\n;");
    int count = 0;
    next += end && *end == '\n';
    rest = end ? end + 1 : NULL;
    if (end) *end = '\0';
    for (char *word = strtok_r(row, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
      if (count == most_words) bad_line(line, word, "too many words");
      words[count++] = word;
    }
    if (count) add_line(b, &set, words, count, line);
  }
  return b;
}

dmat dmat_identity(void) { return (dmat){ { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } }; }

dmat dmat_of(const float *m) {
  dmat r;
  for (int i = 0; i < 16; i++) r.m[i] = (double)m[i];
  return r;
}

dmat dmat_mul(dmat a, dmat b) {
  dmat r;
  for (int col = 0; col < 4; col++)
    for (int row = 0; row < 4; row++) {
      r.m[4 * col + row] = 0;
      for (int k = 0; k < 4; k++) r.m[4 * col + row] += a.m[4 * k + row] * b.m[4 * col + k];
    }
  return r;
}

dmat dmat_move(double x, double y, double z) {
  dmat r = dmat_identity();
  r.m[12] = x, r.m[13] = y, r.m[14] = z;
  return r;
}

dmat dmat_turn(const float *axis, double degrees) {
  double x[3], length = 0, radians = degrees * 3.14159265358979323846 / 180;
  for (int i = 0; i < 3; i++) length += (double)axis[i] * (double)axis[i];
  for (int i = 0; i < 3; i++) x[i] = (double)axis[i] / sqrt(length);
  /* I + sin K + (1 - cos) K K, with K the matrix of the cross product by the axis */
  const double k[3][3] = { { 0, -x[2], x[1] }, { x[2], 0, -x[0] }, { -x[1], x[0], 0 } };
  dmat r = dmat_identity();
  for (int row = 0; row < 3; row++)
    for (int col = 0; col < 3; col++) {
      double square = 0;
      for (int i = 0; i < 3; i++) square += k[row][i] * k[i][col];
      r.m[4 * col + row] += sin(radians) * k[row][col] + (1 - cos(radians)) * square;
    }
  return r;
}

dmat dmat_inverse(dmat a) {
  dmat r = dmat_identity();
  const double *m = a.m;
  double det = 0;
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++) {
      int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (col + 1) % 3, c2 = (col + 2) % 3;
      double minor = m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c2 + r1] * m[4 * c1 + r2];
      r.m[4 * row + col] = minor;
      if (row == 0) det += m[4 * col] * minor;
    }
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++) r.m[4 * col + row] /= det;
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 3; k++) r.m[12 + row] -= r.m[4 * k + row] * m[12 + k];
  return r;
}

double dmat_off(dmat a, const float *m) {
  double worst = 0;
  for (int i = 0; i < 16; i++) {
    double off = fabs(a.m[i] - (double)m[i]);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}
