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
  sinew_component_desc d = { .kind = kind,
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
  sinew_rig *rig = sinew_builder_compile(b, error ? error : &local);
  if (!rig && !error) printf("%s\n", local.text);
  sinew_builder_destroy(b);
  return rig;
}

/* --- rigs as text */

enum { most_numbers = 256, most_words = 64 };

/* A mistake in a test's own text: nothing that comes after it could be trusted. */
static void bad_line(int line, const char *word, const char *why) {
  printf("make_lines: line %d: '%s': %s\n", line, word, why);
  fflush(stdout);
  abort();
}

/* "1,-2.5,3"; -1 where it is anything else */
static int read_numbers(const char *text, float *dest) {
  int count = 0;
  for (char *end; count < most_numbers; text = end + 1) {
    dest[count++] = strtof(text, &end);
    if (end == text || (*end && *end != ',')) return -1;
    if (!*end) return count;
  }
  return -1;
}

/* "line:x,y,x,y" goes on beyond its ends, "piecewise:" and "spline:" keep their last value,
 * "polynomial:" and "constant:" have coefficients; NULL where it is anything else */
static sinew_curve *read_curve(const char *text) {
  static const struct {
    const char *word;
    sinew_curve_kind kind;
    sinew_outside outside;
  } kinds[] = { { "line:", SINEW_CURVE_LINEAR, SINEW_OUTSIDE_EXTEND },
                { "piecewise:", SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP },
                { "spline:", SINEW_CURVE_SPLINE, SINEW_OUTSIDE_CLAMP },
                { "polynomial:", SINEW_CURVE_POLYNOMIAL, SINEW_OUTSIDE_EXTEND },
                { "constant:", SINEW_CURVE_CONSTANT, SINEW_OUTSIDE_EXTEND } };
  float numbers[most_numbers];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].word);
    if (strncmp(text, kinds[i].word, length) != 0) continue;
    int count = read_numbers(text + length, numbers);
    if (count < 1) return NULL;
    if (i < 3) return make_curve(kinds[i].kind, kinds[i].outside, numbers, count / 2);
    sinew_curve_desc d = sinew_default_curve_desc();
    d.kind = kinds[i].kind, d.coefficients = numbers, d.coefficient_count = count;
    return sinew_curve_create(&d, NULL);
  }
  return NULL;
}

/* KIND NAME key=value ...: a parameter where the class has one of that name or the value is
 * numbers or a curve, else a wire */
static void component_line(sinew_builder *b, sinew_joint_set set, char **words, int count,
                           int line) {
  static _Thread_local float numbers[most_words][most_numbers];
  const sinew_component_class *cls = sinew_builder_class(b, words[0]);
  sinew_param params[most_words];
  sinew_wire wires[most_words];
  sinew_component_desc d = { .kind = words[0], .joint_set = set, .params = params, .wires = wires };
  if (count > 1 && strcmp(words[1], "-") != 0) d.name = words[1];
  for (int i = 2; i < count; i++) {
    char *value = strchr(words[i], '=');
    if (!value) bad_line(line, words[i], "neither a wire nor a parameter");
    *value++ = '\0';
    const char *key = words[i];
    const sinew_param_desc *desc = cls ? sinew_class_find_param(cls, key) : NULL;
    sinew_curve *curve = read_curve(value);
    int n = curve ? 0 : read_numbers(value, numbers[i]);
    sinew_param *param = &params[d.param_count];
    const float *v = numbers[i];
    if (*value == '#') {
      sinew_wire *wire = &wires[d.wire_count++];
      *wire = (sinew_wire){ .input = key };
      n = read_numbers(value + 1, numbers[i]);
      if (n < 1 || n > 16) bad_line(line, value, "not a constant");
      memcpy(wire->constant, v, (size_t)n * sizeof *v);
      continue;
    }
    if (!desc && !curve && n < 0) {
      wires[d.wire_count++] = (sinew_wire){ .input = key, .from = value };
      continue;
    }
    d.param_count++;
    if (curve)
      *param = sinew_param_curve(key, curve);
    else if (n < 0)
      *param = sinew_param_text(key, value);
    else if (desc && desc->type == SINEW_PARAM_VECTORS)
      *param = sinew_param_vectors(key, v, n / 3);
    else if (desc && desc->type == SINEW_PARAM_NUMBERS)
      *param = sinew_param_numbers(key, v, n);
    else if (n == 1)
      *param = sinew_param_number(key, *v);
    else if (n == 3)
      *param = sinew_param_vector(key, v[0], v[1], v[2]);
    else
      bad_line(line, value, "neither a number nor a vector");
  }
  sinew_builder_add_component(b, &d, NULL);
  for (int i = 0; i < d.param_count; i++)
    if (params[i].type == SINEW_PARAM_CURVE) sinew_curve_destroy((sinew_curve *)params[i].curve);
}

static void add_lines(sinew_builder *b, char *text) {
  sinew_joint_set set = MAKE_NO_SET;
  char *rest = text;
  for (int line = 1, next = 1; rest; line = next) {
    char *words[most_words], *row = rest, *state;
    int count = 0;
    rest = strpbrk(row, "\n;");
    if (rest) {
      next += *rest == '\n';
      *rest++ = '\0';
    }
    for (char *word = strtok_r(row, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
      if (count == most_words) bad_line(line, word, "too many words");
      words[count++] = word;
    }
    float v[most_numbers] = { 0 };
    if (!count) continue;
    const char *name = count > 1 ? words[1] : NULL;
    if (strcmp(words[0], "set") == 0) {
      set = sinew_builder_add_joint_set(b, name, NULL, NULL);
    } else if (strcmp(words[0], "in") == 0) {
      set = MAKE_NO_SET;
      for (uint32_t i = (uint32_t)sinew_builder_counts(b).joint_sets; i && name && !set.id; i--)
        if (strcmp(sinew_builder_joint_set_name(b, (sinew_joint_set){ i }), name) == 0) set.id = i;
      if (name && !set.id) bad_line(line, name, "no such joint set");
    } else if (strcmp(words[0], "dof") == 0) {
      sinew_dof_desc d = sinew_default_dof_desc();
      for (int i = 2; i < count; i++)
        if (read_numbers(words[i], v + i) != 1) bad_line(line, words[i], "not a number");
      if (count != 4 && count != 5) bad_line(line, "dof", "wants a name, min, max and maybe rest");
      d.name = name, d.joint_set = set, d.min = v[2], d.max = v[3], d.rest = v[4];
      d.rest_given = count == 5;
      sinew_builder_add_dof(b, &d, NULL);
    } else if (strcmp(words[0], "segment") == 0) {
      bool placed = count > 2 && read_numbers(words[count - 1], v) == 3;
      if (count - placed > 3) bad_line(line, words[3], "not a position");
      make_segment(b, name, count - placed > 2 ? words[2] : NULL, placed ? v[0] : 0,
                   placed ? v[1] : 0, placed ? v[2] : 0);
    } else if (strcmp(words[0], "drive") == 0) {
      uint32_t id = (uint32_t)sinew_builder_counts(b).segments;
      while (id && name && strcmp(sinew_builder_segment_name(b, (sinew_segment){ id }), name)) id--;
      if (!id || count != 3) bad_line(line, name ? name : "drive", "wants a segment and a source");
      sinew_builder_drive(b, (sinew_segment){ id }, words[2], NULL, NULL);
    } else {
      component_line(b, set, words, count, line);
    }
  }
}

static sinew_builder *format_lines(sinew_builder *b, const char *format, va_list arguments) {
  char text[8192];
  if (!b) b = sinew_builder_create("rig", NULL);
  if (vsnprintf(text, sizeof text, format, arguments) >= (int)sizeof text)
    bad_line(0, format, "too long");
  add_lines(b, text);
  return b;
}

sinew_builder *make_lines(sinew_builder *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  b = format_lines(b, format, arguments);
  va_end(arguments);
  return b;
}

sinew_rig *make_text(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sinew_builder *b = format_lines(NULL, format, arguments);
  va_end(arguments);
  return make_rig(b, NULL);
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
