/* Ids, the kinds of value that travel on wires, and parameter values.
 *
 * An id is a one-field struct; zero is null. Ids of a builder are valid for every rig compiled from
 * it. Angles are degrees, lengths metres, matrices 16 floats in column-major order. All functions
 * here may be called from any thread. */
#ifndef SINEW_TYPES_H
#define SINEW_TYPES_H

#include "sinew/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_segment {
  uint32_t id;
} sinew_segment;

typedef struct sinew_dof {
  uint32_t id;
} sinew_dof;

typedef struct sinew_component {
  uint32_t id;
} sinew_component;

typedef struct sinew_joint_set {
  uint32_t id;
} sinew_joint_set;

/* No parent, for sinew_add_bone. */
#define SINEW_ROOT ((sinew_segment){ 0 })

typedef struct sinew_vec3 {
  float x, y, z;
} sinew_vec3;

#define SINEW_X ((sinew_vec3){ 1, 0, 0 })
#define SINEW_Y ((sinew_vec3){ 0, 1, 0 })
#define SINEW_Z ((sinew_vec3){ 0, 0, 1 })

/* What a port carries. */
typedef enum sinew_kind {
  SINEW_SCALAR, /* one float */
  SINEW_VECTOR, /* three floats */
  SINEW_MATRIX  /* sixteen floats, affine */
} sinew_kind;

/* "scalar", "vector" or "matrix". */
SINEW_API const char *sinew_kind_name(sinew_kind kind);

/* What a parameter holds. */
typedef enum sinew_param_type {
  SINEW_PARAM_NUMBER,
  SINEW_PARAM_FLAG,      /* a number that is 0 or 1 */
  SINEW_PARAM_VECTOR,    /* three numbers */
  SINEW_PARAM_MATRIX,    /* sixteen numbers, rigid */
  SINEW_PARAM_NUMBERS,   /* a list */
  SINEW_PARAM_VECTORS,   /* a list, three numbers each */
  SINEW_PARAM_CHOICE,    /* one of the descriptor's choices */
  SINEW_PARAM_SEGMENT,   /* a segment's name */
  SINEW_PARAM_COMPONENT, /* a component's name */
  SINEW_PARAM_TEXT,
  SINEW_PARAM_CURVE,
  SINEW_PARAM_OBJECT, /* a reference-counted object, opaque to the engine, such as a field */
  SINEW_PARAM_NONE    /* no value: removes a parameter that was given before */
} sinew_param_type;

/* "number", "list of vectors" ... */
SINEW_API const char *sinew_param_type_name(sinew_param_type type);

/* A kind of reference-counted object. A builder and its rigs retain the objects that they are
 * given. Both functions must be safe to call from every thread that compiles or destroys such a
 * rig. */
typedef struct sinew_object_class {
  const char *name;
  void (*retain)(void *object);
  void (*release)(void *object);
} sinew_object_class;

/* A parameter with its value. Fill it with the functions below. What it points to is copied
 * (objects are retained). `text` also holds choices and the names of segments and components. */
typedef struct sinew_param {
  const char *name;
  sinew_param_type type;
  int count;            /* of numbers or vectors in a list */
  float number[16];     /* number, flag, vector, matrix */
  const float *numbers; /* lists */
  const char *text;
  const sinew_curve *curve;
  const sinew_object_class *object_class;
  void *object;
} sinew_param;

SINEW_API sinew_param sinew_param_number(const char *name, float value);
SINEW_API sinew_param sinew_param_flag(const char *name, bool value);
SINEW_API sinew_param sinew_param_vector(const char *name, float x, float y, float z);
SINEW_API sinew_param sinew_param_matrix(const char *name, const float matrix[16]);
SINEW_API sinew_param sinew_param_numbers(const char *name, const float *numbers, int count);
SINEW_API sinew_param sinew_param_vectors(const char *name, const float *xyz, int count);
SINEW_API sinew_param sinew_param_text(const char *name, const char *text);
SINEW_API sinew_param sinew_param_curve(const char *name, const sinew_curve *curve);
SINEW_API sinew_param sinew_param_object(const char *name, const sinew_object_class *object_class,
                                         void *object);
/* For the functions that change parameters: removes it. */
SINEW_API sinew_param sinew_param_none(const char *name);

#ifdef __cplusplus
}
#endif
#endif
