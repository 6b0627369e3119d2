/* The interface by which a component joins the engine: descriptor tables for its ports, parameters
 * and holds, and a few functions. The built-in components use it too; a C program adds its own with
 * sinew_builder_add_class. Everything that shows components (bindings, panels, error texts, files)
 * reads these tables. */
#ifndef SINEW_COMPONENT_H
#define SINEW_COMPONENT_H

#include "sinew/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SINEW_PORT_OPTIONAL = 1, /* an input that may stay unwired and then reads `fallback` */
  SINEW_PORT_LIST = 2,     /* the last input: any number of wires, at least one. An output marked so
                              stands once for each of them. Their names are numbered from 1. */

  /* What a port means, for the solver, the mirror and a viewer. All are optional. */
  SINEW_PORT_PASSED = 4,      /* a scalar that passes through the component, changed only by its
                                 holds: the first input marked so comes out at the first output
                                 marked so, the second at the second. Where the class has
                                 parameters marked SINEW_PARAM_BOUND, one must be given. */
  SINEW_PORT_NEGATED = 8,     /* a scalar whose sign changes when the rig is mirrored */
  SINEW_PORT_EULER = 16,      /* an angle, negated by the mirror unless its letter in the class's
                                 choice of an axis order is x; in the order of the letters */
  SINEW_PORT_BOUNDING = 32,   /* the scalar that a bound is a function of */
  SINEW_PORT_SWING = 64,      /* the matrix that a cone limits */
  SINEW_PORT_TWIST = 128,     /* the angle about the bone that a cone limits */
  SINEW_PORT_ROTATION1 = 256, /* the angle of the component in SINEW_PARAM_ROTATION1 */
  SINEW_PORT_ROTATION2 = 512, /* that of SINEW_PARAM_ROTATION2 */
  SINEW_PORT_SURFACE = 1024,  /* matrix to the segment of the drawn ellipsoid */
  SINEW_PORT_CONTACT = 2048,  /* 1 while it touches the ellipsoid, else 0 */
  SINEW_PORT_TOUCHING = 4096  /* a vector: a point that touches the ellipsoid, on the segment */
};

typedef struct sinew_port_desc {
  const char *name;
  sinew_kind kind;
  unsigned flags;
  float fallback;   /* of an unwired scalar; an unwired vector is 0, a matrix the identity */
  const char *unit; /* "deg", "m", "" */
  const char *doc;
} sinew_port_desc;

enum {
  SINEW_PARAM_REQUIRED = 1,

  /* What a parameter means to those who draw, place or fit it. All are optional. */
  SINEW_PARAM_AXIS = 2,         /* a vector: the axis of a rotation */
  SINEW_PARAM_CENTRE = 4,       /* a vector, or vectors with one for each interval of the range: the
                                   centre of a rotation or an ellipsoid */
  SINEW_PARAM_RANGE = 8,        /* numbers: the rising ends of the intervals of an angle */
  SINEW_PARAM_REST_ANGLE = 16,  /* a number: the angle at which nothing is rotated */
  SINEW_PARAM_RADII = 32,       /* three numbers: an ellipsoid's radii */
  SINEW_PARAM_ORIENTATION = 64, /* a matrix: an ellipsoid's axes */
  SINEW_PARAM_POINTS = 128,     /* vectors: points of the segment to be drawn */
  SINEW_PARAM_BONE = 256,       /* a vector: the bone's direction at rest */
  SINEW_PARAM_ROTATION1 = 512,  /* a component: the outer of two rotations that make a swing */
  SINEW_PARAM_ROTATION2 = 1024, /* the inner one */
  SINEW_PARAM_BOUND = 2048      /* bounds what passes through (SINEW_PORT_PASSED) */
};

typedef struct sinew_param_desc {
  const char *name;
  sinew_param_type type;
  unsigned flags;
  float fallback[3];          /* of a number, flag or vector that is not given; a matrix is then
                                 the identity, a list empty */
  float min, max;             /* numbers and lists of numbers; both 0: unchecked */
  const char *const *choices; /* ended by NULL; the first is the default */
  const char *unit;
  const char *doc;
  const char
      *mirror;      /* what the mirror does with it, a rule of lua/sinew/mirror_rules.lua: "point",
                       "points", "axis", "matrix", "window" ...; NULL: it stays the same */
  const char *like; /* the parameter whose value it takes where it is not given; NULL: none */
} sinew_param_desc;

/* One way in which a component can hold something back. In a pose each is a float: what was given
 * minus what was wanted, 0 while nothing is held. */
typedef struct sinew_hold_desc {
  const char *port; /* the port whose value is held */
  const char *doc;  /* by what: "the rotation's range" */
} sinew_hold_desc;

/* A component in a compiled rig, as its eval function sees it. `ports` tells where each input and
 * then each output starts in the pose's value array. Matrices there are aligned for cglm. */
typedef struct sinew_node sinew_node;
struct sinew_node {
  void (*eval)(const sinew_node *node, float *values);
  const void *data;      /* what setup made, aligned to 32 bytes */
  const uint32_t *ports; /* inputs, then outputs */
  uint32_t input_count, output_count;
  uint32_t hold;      /* where its holds start */
  uint32_t memo;      /* where its memory for hints starts */
  uint32_t component; /* its id */
  void *user;         /* the class's */
};

static inline const float *sinew_node_in(const sinew_node *node, const float *values, uint32_t i) {
  return values + node->ports[i];
}
static inline float *sinew_node_out(const sinew_node *node, float *values, uint32_t i) {
  return values + node->ports[node->input_count + i];
}
static inline float *sinew_node_hold(const sinew_node *node, float *values, uint32_t i) {
  return values + node->hold + i;
}
/* Words that outlive an evaluation, to start a search where the last one ended. They are zero at
 * first, and must never change a result. */
static inline float *sinew_node_memo(const sinew_node *node, float *values, uint32_t i) {
  return values + node->memo + i;
}

/* Derivatives of a node's inputs in several directions at once (a direction is a DOF that is moved;
 * see tangent.h), and room for those of its outputs. A derivative takes as many floats as its value
 * does in the value array: 1 of a scalar, 4 of a vector (the last is 0), 16 of a matrix (its last
 * row is 0), aligned likewise. */
typedef struct sinew_input_rates {
  uint32_t count;          /* directions in which this input moves; 0: none, it stands still */
  const uint32_t *columns; /* for each: which of the node's directions it is; they rise */
  const float *rates;      /* one derivative after the other */
} sinew_input_rates;

typedef struct sinew_rates {
  uint32_t count;                  /* directions in which some input of the node moves */
  const sinew_input_rates *inputs; /* of each input */
  float *const *outputs;           /* of each output: `count` derivatives, all zero at first */
} sinew_rates;

/* The constants of a rotation by an angle about a fixed axis. Every entry of its matrix is
 * p + cos(angle - rest) q + sin(angle - rest) x. The translation may have other constants in each
 * interval of the range, so that the centre moves. sinew_turn_make fills one with one interval; a
 * class with more reserves room behind it for the moves, then for the upper ends of the intervals
 * as floats. The 3 by 3 parts must be those of a rotation about `axis`. */
typedef struct sinew_turn_move {
  __attribute__((aligned(16))) float p[4];
  float q[4], x[4]; /* the translation column of one interval */
} sinew_turn_move;

typedef struct sinew_turn {
  __attribute__((aligned(16))) float p[12];
  float q[12], x[12];    /* three columns each */
  float axis[4];         /* unit */
  float rest, low, high; /* rest angle and range in degrees; -FLT_MAX, FLT_MAX: unlimited */
  uint32_t intervals;
  uint32_t ends_at; /* where the upper ends start, in bytes from the start */
  sinew_turn_move moves[];
} sinew_turn;

/* The bytes that a turn of so many intervals needs; start it on a multiple of 16. */
SINEW_API size_t sinew_turn_bytes(int intervals);
/* Fills a turn of one interval: about `axis` (any length but zero) through `centre`, nothing
 * rotated at `rest`, which is inside `low` to `high`. `dest` has sinew_turn_bytes(1) bytes. Returns
 * false and leaves it as it was where the axis is zero or the rest angle is outside. */
SINEW_API bool sinew_turn_make(const float axis[3], const float centre[3], float rest, float low,
                               float high, sinew_turn *dest);
/* The matrix at an angle inside the range, with the same bits as the engine's own rotation. `dest`
 * starts on a multiple of 16 bytes, as matrices in the value array do. */
SINEW_API void sinew_turn_eval(const sinew_turn *turn, float angle, float dest[16]);

/* What a component's setup sees of the rig while it is compiled. Getters take names from the
 * class's tables; a parameter that was not given reads its default. */
typedef struct sinew_setup {
  const struct si_model *model;
  uint32_t component;
  sinew_error *error;
  bool failed;
  void **kept; /* the engine's own: what reviews of one rig share */
} sinew_setup;

/* What a class has not because it needs none. A built-in class has each of these or says so here; a
 * host's own need not. */
enum {
  SINEW_WITHOUT_TANGENT = 1, /* differences of eval serve as derivative */
  SINEW_WITHOUT_LANES = 2,   /* a batch evaluates it one character after the other */
  SINEW_WITHOUT_VERIFY = 4,  /* it promises nothing but finite values */
  SINEW_WITHOUT_MIRROR = 8   /* nothing of it changes from one side of a body to the other */
};

/* How a viewer shows what a component does to a segment. Built-in classes all say it. */
typedef enum sinew_drawing {
  SINEW_DRAWN_UNSAID,
  SINEW_DRAWN_NOT, /* there is nothing to see */
  SINEW_DRAWN_CONE,
  SINEW_DRAWN_ELLIPSOID,
  SINEW_DRAWN_AXIS,
  SINEW_DRAWN_FIELD
} sinew_drawing;

struct sinew_cone;
struct si_scalar;

typedef struct sinew_component_class {
  const char *name; /* one word; also its name in Lua and in files */
  const char *doc;
  const sinew_port_desc *inputs; /* this and the next four end with an entry without a name; NULL:
                                    none */
  const sinew_port_desc *outputs;
  const sinew_param_desc *params;
  const sinew_hold_desc *holds;
  const sinew_param_desc *named; /* one entry: parameters with names of the author's choosing, each
                                    of which makes a scalar output of that name; NULL: none */
  uint32_t memo_count;

  /* Bytes of constant data that setup will fill; NULL: none. Parameters have been checked against
   * the table by then. */
  size_t (*size)(const sinew_setup *setup);
  /* Checks what the table cannot (sinew_setup_fail) and fills `data`, which is zeroed. NULL:
   * nothing to do. It is called again when a parameter of this component, or of one that it names
   * in a parameter, changes on a compiled rig. */
  void (*setup)(sinew_setup *setup, void *data);
  /* Called once for a whole rig that is right, to add warnings. NULL: none. */
  void (*review)(const sinew_setup *setup, sinew_error *warnings);
  /* A pure function from inputs to outputs and holds; must not allocate. */
  void (*eval)(const sinew_node *node, float *values);
  /* Instead of eval, for a component that can fail. Outputs that are not finite count as failure.
   */
  sinew_status (*try_eval)(const sinew_node *node, float *values, sinew_error *error);
  /* Whether the outputs keep what the component promises; fills `why` when they do not. For tests
   * and tools, after an evaluation. NULL: nothing to check. */
  bool (*verify)(const sinew_node *node, const float *values, sinew_error *why);
  /* Fills the derivatives of the outputs at the inputs in `values`, where the outputs and holds of
   * the same inputs stand as well. On a bound it takes the side on which nothing is held: what
   * stands exactly on a limit moves freely, only what is beyond is stuck. NULL: differences of
   * eval, see tangent.h. Must not allocate. */
  sinew_status (*tangent)(const sinew_node *node, const float *values, const sinew_rates *rates,
                          sinew_error *error);
  unsigned without; /* SINEW_WITHOUT_... */
  sinew_drawing drawing;
  uint32_t color; /* of its box in a drawn network, 0xRRGGBB; 0: one made from its name */
  void *user;

  /* The fast paths, all optional. The engine takes them where it can, and gives the same results as
   * with eval alone (products of turns and batches to 1e-6). They need a pure eval. */

  /* The constants of a rotation in what setup made. The class has one scalar input, one matrix
   * output, and eval gives the turn's matrix at the input held to its range. The engine joins
   * such components in products, and need not call eval. */
  const sinew_turn *(*turn)(const void *data);
  /* It gives the product of its inputs, a list of matrices, as its one output: rotations that it
   * alone reads are joined with it. */
  bool product;
  /* Evaluates several nodes of the class at once, nodes[which[0]] and so on, none of which reads
   * another. Used where the inputs are scalars. */
  void (*eval_all)(const sinew_node *nodes, const uint32_t *which, uint32_t count, float *values);
  /* Evaluates `width` characters of a batch at once: number k of character i, which has its place
   * values[k] in a pose, is values[k * width + i]. Holds, hints and the last row of matrices are
   * neither set nor wanted. NULL: eval, one character after the other. */
  void (*eval_lanes)(const sinew_node *node, float *values, uint32_t width);
  /* The reach cone in what setup made, for a class that has one (sinew_rig_cone). */
  const struct sinew_cone *(*cone)(const void *data);

  /* The engine's own; leave both zero. A kernel is one of evaluate/lanes, written in vector types
   * and compiled once for each width, so that it has a number here instead of an address;
   * eval_lanes does the same over plain floats. A step is an operation of the fused program that
   * saves the call of eval. */
  unsigned kernel;
  void (*step)(const sinew_node *node, struct si_scalar *dest);
} sinew_component_class;

/* Reports a mistake in the component's parameters; further ones may follow. */
SINEW_API void sinew_setup_fail(sinew_setup *setup, sinew_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a parameter was given, and whether an input is wired (how often, for a list). */
SINEW_API bool sinew_setup_has(const sinew_setup *setup, const char *param);
SINEW_API int sinew_setup_wired(const sinew_setup *setup, const char *input);

SINEW_API float sinew_setup_number(const sinew_setup *setup, const char *param);
/* Three numbers of a vector, sixteen of a matrix. */
SINEW_API const float *sinew_setup_numbers(const sinew_setup *setup, const char *param);
/* A list and its length, 0 where it was not given. */
SINEW_API const float *sinew_setup_list(const sinew_setup *setup, const char *param, int *count);
/* A choice's place among the descriptor's words. */
SINEW_API int sinew_setup_choice(const sinew_setup *setup, const char *param);
SINEW_API const char *sinew_setup_text(const sinew_setup *setup, const char *param);
/* A curve, or NULL where it was not given; it lives as long as the rig. */
SINEW_API const sinew_curve *sinew_setup_curve(const sinew_setup *setup, const char *param);
/* An object and its class, NULL where it was not given. */
SINEW_API void *sinew_setup_object(const sinew_setup *setup, const char *param);
SINEW_API const sinew_object_class *sinew_setup_object_class(const sinew_setup *setup,
                                                             const char *param);
/* The parameters with names of the author's choosing, in the order given. */
SINEW_API int sinew_setup_named_count(const sinew_setup *setup);
SINEW_API const sinew_param *sinew_setup_named(const sinew_setup *setup, int index);
/* The segment a parameter names; null where it was not given. */
SINEW_API sinew_segment sinew_setup_segment(const sinew_setup *setup, const char *param);
/* The same getters on the component that a parameter names; false where it was not given. Its class
 * is put into `dest_class`. */
SINEW_API bool sinew_setup_peer(const sinew_setup *setup, const char *param, sinew_setup *dest,
                                const sinew_component_class **dest_class);
/* The tree: a segment's parent (null at a root), rest matrix, name, and whether it is driven. */
SINEW_API sinew_segment sinew_setup_parent(const sinew_setup *setup, sinew_segment segment);
SINEW_API const float *sinew_setup_rest(const sinew_setup *setup, sinew_segment segment);
SINEW_API const char *sinew_setup_segment_name(const sinew_setup *setup, sinew_segment segment);
SINEW_API bool sinew_setup_driven(const sinew_setup *setup, sinew_segment segment);
/* How many components the rig has, and the getters on one of them by its number from 0. */
SINEW_API int sinew_setup_component_count(const sinew_setup *setup);
SINEW_API const sinew_component_class *sinew_setup_component(const sinew_setup *setup, int index,
                                                             sinew_setup *dest);

/* The built-in components, in the order of the documentation; NULL past the end. */
SINEW_API const sinew_component_class *sinew_catalog(int index);
/* The built-in component of that name, or NULL; and whether a class is one of them (NULL is not).
 */
SINEW_API const sinew_component_class *sinew_catalog_find(const char *name);
SINEW_API bool sinew_catalog_has(const sinew_component_class *cls);

/* The first input or output of a class that has one of these flags: its number from 0, or -1. A
 * list counts as one. And the first parameter, or NULL; `after` is NULL, or one that came before.
 */
SINEW_API int sinew_class_input_marked(const sinew_component_class *cls, unsigned flags);
SINEW_API int sinew_class_output_marked(const sinew_component_class *cls, unsigned flags);
SINEW_API const sinew_param_desc *sinew_class_param_marked(const sinew_component_class *cls,
                                                           unsigned flags,
                                                           const sinew_param_desc *after);

/* The description of the parameter or input of that name in a class, or NULL where it has none.
 * Parameters with names of the author's choosing (`named`) are not found. */
SINEW_API const sinew_param_desc *sinew_class_find_param(const sinew_component_class *cls,
                                                         const char *name);
SINEW_API const sinew_port_desc *sinew_class_find_input(const sinew_component_class *cls,
                                                        const char *name);

#ifdef __cplusplus
}
#endif
#endif
