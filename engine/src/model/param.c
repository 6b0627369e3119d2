/* Parameter values: their constructors, and the names of kinds and types. */
#include "sinew/types.h"

#include <string.h>

const char *sinew_kind_name(sinew_kind kind) {
  static const char *const names[] = { "scalar", "vector", "matrix" };
  return (unsigned)kind < 3 ? names[kind] : "unknown";
}

const char *sinew_param_type_name(sinew_param_type type) {
  static const char *const names[] = {
    "number",          "flag",   "vector",  "matrix",    "list of numbers",
    "list of vectors", "choice", "segment", "component", "text",
    "curve",           "object", "none"
  };
  return (unsigned)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

sinew_param sinew_param_number(const char *name, float value) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_NUMBER, .number = { value } };
}

sinew_param sinew_param_flag(const char *name, bool value) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_FLAG, .number = { value } };
}

sinew_param sinew_param_vector(const char *name, float x, float y, float z) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_VECTOR, .number = { x, y, z } };
}

sinew_param sinew_param_matrix(const char *name, const float matrix[16]) {
  sinew_param param = { .name = name, .type = SINEW_PARAM_MATRIX };
  memcpy(param.number, matrix, sizeof param.number);
  return param;
}

sinew_param sinew_param_numbers(const char *name, const float *numbers, int count) {
  return (
      sinew_param){ .name = name, .type = SINEW_PARAM_NUMBERS, .count = count, .numbers = numbers };
}

sinew_param sinew_param_vectors(const char *name, const float *xyz, int count) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_VECTORS, .count = count, .numbers = xyz };
}

sinew_param sinew_param_text(const char *name, const char *text) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_TEXT, .text = text };
}

sinew_param sinew_param_curve(const char *name, const sinew_curve *curve) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_CURVE, .curve = curve };
}

sinew_param sinew_param_object(const char *name, const sinew_object_class *object_class,
                               void *object) {
  return (sinew_param){
    .name = name, .type = SINEW_PARAM_OBJECT, .object_class = object_class, .object = object
  };
}

sinew_param sinew_param_none(const char *name) {
  return (sinew_param){ .name = name, .type = SINEW_PARAM_NONE };
}
