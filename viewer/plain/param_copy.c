/* Copies of parameters. */
#include "plain/param_copy.h"

#include <stdlib.h>
#include <string.h>

static size_t list_floats(const sinew_param *p) {
  if (p->type == SINEW_PARAM_VECTORS) return (size_t)p->count * 3;
  return p->type == SINEW_PARAM_NUMBERS ? (size_t)p->count : 0;
}

size_t param_floats(const sinew_param *p) {
  switch (p->type) {
  case SINEW_PARAM_NUMBER:
  case SINEW_PARAM_FLAG: return 1;
  case SINEW_PARAM_VECTOR: return 3;
  case SINEW_PARAM_MATRIX: return 16;
  default: return list_floats(p);
  }
}

static const float *floats_of(const sinew_param *p) {
  return list_floats(p) ? p->numbers : p->number;
}

void param_drop(sinew_param *param) {
  free((void *)param->name);
  free((void *)param->numbers);
  free((void *)param->text);
  sinew_curve_destroy((sinew_curve *)param->curve);
  if (param->object && param->object_class) param->object_class->release(param->object);
  *param = (sinew_param){ .type = SINEW_PARAM_NONE };
}

static char *copy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (copy) strcpy(copy, text);
  return copy;
}

bool param_keep(const sinew_param *param, sinew_param *dest) {
  size_t floats = list_floats(param);
  *dest = (sinew_param){ .type = param->type, .count = param->count };
  memcpy(dest->number, param->number, sizeof dest->number);
  dest->name = copy_text(param->name);
  bool fine = dest->name != NULL;
  if (floats) {
    float *numbers = malloc(floats * sizeof *numbers);
    if (numbers) memcpy(numbers, param->numbers, floats * sizeof *numbers);
    dest->numbers = numbers;
    fine = fine && numbers;
  }
  if (param->text) fine = (dest->text = copy_text(param->text)) && fine;
  if (param->curve) {
    sinew_curve_desc desc = sinew_curve_describe(param->curve);
    fine = (dest->curve = sinew_curve_create(&desc, NULL)) && fine;
  }
  if (param->object && param->object_class) {
    param->object_class->retain(param->object);
    dest->object_class = param->object_class;
    dest->object = param->object;
  }
  if (!fine) param_drop(dest);
  return fine;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_floats(const float *a, const float *b, size_t count) {
  return !count || memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_curve(const sinew_curve *a, const sinew_curve *b) {
  if (!a || !b) return a == b;
  sinew_curve_desc x = sinew_curve_describe(a), y = sinew_curve_describe(b);
  return x.kind == y.kind && x.outside == y.outside && x.scale == y.scale && x.offset == y.offset &&
         x.point_count == y.point_count && x.coefficient_count == y.coefficient_count &&
         same_floats(x.points, y.points, (size_t)x.point_count * 2) &&
         same_floats(x.coefficients, y.coefficients, (size_t)x.coefficient_count);
}

bool param_same(const sinew_param *a, const sinew_param *b) {
  return same_text(a->name, b->name) && a->type == b->type && param_floats(a) == param_floats(b) &&
         same_floats(floats_of(a), floats_of(b), param_floats(a)) && same_text(a->text, b->text) &&
         same_curve(a->curve, b->curve) && a->object == b->object;
}
