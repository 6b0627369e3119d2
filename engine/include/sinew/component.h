/* The interface of a component: descriptor tables for its ports, parameters and holds, and a few
 * functions. The built-in components use it too; a C program adds its own with
 * sinew_builder_add_class. Everything that shows components (bindings, panels, messages, files)
 * reads these tables.
 *
 * Threads: classes are const. Several threads may call a class's eval, eval_all, eval_lanes,
 * tangent and verify at a time, so these must not write to shared data. A rig that has a component
 * with try_eval is evaluated by one thread at a time. A sinew_setup belongs to the thread that
 * compiles or changes the rig. */
#ifndef SINEW_COMPONENT_H
#define SINEW_COMPONENT_H

#include "sinew/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SINEW_PORT_OPTIONAL = 1, /* an input that may be left unwired; it then reads `fallback` */
  SINEW_PORT_LIST = 2,     /* the last input: any number of wires, at least one. A list output has
                              one value for each of them. Their names are numbered from 1. */

  /* What a port means to the solver, the mirror and the viewer. All are optional. */
  SINEW_PORT_PASSED = 4,      /* a scalar that passes through the component, changed only by its
                                 holds: the first input marked so comes out at the first output
                                 marked so, the second at the second. If the class has
                                 parameters marked SINEW_PARAM_BOUND, one must be given. */
  SINEW_PORT_NEGATED = 8,     /* a scalar whose sign changes when the rig is mirrored */
  SINEW_PORT_EULER = 16,      /* one angle of an axis order, which is a choice parameter of the
                                 class. These ports are in the order of its letters. The mirror
                                 negates the angle unless its letter is x. */
  SINEW_PORT_BOUNDING = 32,   /* the scalar that a bound is a function of */
  SINEW_PORT_SWING = 64,      /* the matrix that a cone limits */
  SINEW_PORT_TWIST = 128,     /* the angle about the bone that a cone limits */
  SINEW_PORT_ROTATION1 = 256, /* the angle of the component in SINEW_PARAM_ROTATION1 */
  SINEW_PORT_ROTATION2 = 512, /* that of SINEW_PARAM_ROTATION2 */
  SINEW_PORT_SURFACE = 1024,  /* matrix to the segment of the drawn ellipsoid */
  SINEW_PORT_CONTACT = 2048,  /* 1 while it touches the ellipsoid, else 0 */
  SINEW_PORT_TOUCHING = 4096, /* a vector: a point that touches the ellipsoid, on the segment */
  SINEW_PORT_SEEN = 8192,     /* a vector: a point of the segment in the first SINEW_PARAM_PATH */
  SINEW_PORT_EYE = 16384      /* a vector: the point of the segment in SINEW_PARAM_FROM from which
                                 that one is seen; without such a port, its origin */
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

  /* What a parameter means to code that draws, places or fits it. All are optional. */
  SINEW_PARAM_AXIS = 2,         /* a vector: the axis of a rotation */
  SINEW_PARAM_CENTRE = 4,       /* a vector, or vectors with one for each interval of the range: the
                                   centre of a rotation or an ellipsoid */
  SINEW_PARAM_RANGE = 8,        /* numbers: the ascending ends of the intervals of an angle */
  SINEW_PARAM_REST_ANGLE = 16,  /* a number: the angle at which nothing is rotated */
  SINEW_PARAM_RADII = 32,       /* three numbers: an ellipsoid's radii */
  SINEW_PARAM_ORIENTATION = 64, /* a matrix: an ellipsoid's axes */
  SINEW_PARAM_POINTS = 128,     /* vectors: points of the segment to be drawn */
  SINEW_PARAM_BONE = 256,       /* a vector: the bone's direction at rest */
  SINEW_PARAM_ROTATION1 = 512,  /* a component: the outer of two rotations that make a swing */
  SINEW_PARAM_ROTATION2 = 1024, /* the inner one */
  SINEW_PARAM_BOUND = 2048,   /* bounds what passes through (SINEW_PORT_PASSED); a lower bound comes
                                 before an upper one */
  SINEW_PARAM_FORMULA = 4096, /* a text: a formula of the inputs, x1, x2 ...; see
                                 sinew_rig_formula */

  /* Segments whose frames a component reads; for built-in components only. The compiler adds an
   * input for every driven segment between the two, so that the component runs after all that move
   * them. A class with such parameters has no list of inputs. */
  SINEW_PARAM_FROM = 8192,       /* the segment from which others are seen */
  SINEW_PARAM_FROM_REST = 16384, /* the same, seen from its rest frame: where its parent carries it
                                   before it is driven */
  SINEW_PARAM_PATH = 32768       /* a segment that is seen from there; not given: the parent of the
                                    one from which it is seen */
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
  /* What the mirror does with it, a rule of lua/sinew/mirror_rules.lua: "point", "points", "axis",
   * "matrix", "window" ...; NULL: it stays the same. */
  const char *mirror;
  const char *like; /* the parameter whose value it takes if it is not given; NULL: none */
} sinew_param_desc;

/* One way in which a component can hold a value back. In a pose each hold is a float: the value
 * given minus the value wanted, 0 while nothing is held. */
typedef struct sinew_hold_desc {
  const char *port; /* the port whose value is held */
  const char *doc;  /* by what: "the rotation's range" */
} sinew_hold_desc;

/* A component in a compiled rig, as its eval function sees it. `ports` has the index in the pose's
 * value array of each input, then of each output. Matrices there are aligned for cglm. */
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
/* Hints that are kept between evaluations, to start a search where the last one ended. They are
 * zero at first, and must never change a result. */
static inline float *sinew_node_memo(const sinew_node *node, float *values, uint32_t i) {
  return values + node->memo + i;
}

/* Derivatives of a node's inputs in several directions at once (a direction is a DOF that moves;
 * see tangent.h), and space for those of its outputs. A derivative takes as many floats as its
 * value does in the value array, with the same alignment: 1 for a scalar, 4 for a vector (the last
 * is 0), 16 for a matrix (its last row is 0). */
typedef struct sinew_input_rates {
  uint32_t count;          /* directions in which this input moves; 0: it does not move */
  const uint32_t *columns; /* for each: the index of the node's direction, ascending */
  const float *rates;      /* one derivative after the other */
} sinew_input_rates;

typedef struct sinew_rates {
  uint32_t count;                  /* directions in which some input of the node moves */
  const sinew_input_rates *inputs; /* of each input */
  float *const *outputs;           /* of each output: `count` derivatives, all zero at first */
} sinew_rates;

/* The constants of a rotation by an angle about a fixed axis. Every entry of its matrix is p +
 * cos(angle - rest) q + sin(angle - rest) x. The translation may have different constants in each
 * interval of the range, so that the centre moves. sinew_turn_make fills a turn of one interval. A
 * class with more intervals reserves space after the struct, first for the moves, then for the
 * upper ends of the intervals as floats. The 3 by 3 parts must be those of a rotation about
 * `axis`. */
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

/* The bytes that a turn of `intervals` intervals needs. Align it to 16 bytes. */
SINEW_API size_t sinew_turn_bytes(int intervals);
/* Fills a turn of one interval: about `axis` (of any length above 0) through `centre`. At `rest`,
 * which must be between `low` and `high`, nothing is rotated. `dest` has sinew_turn_bytes(1) bytes.
 * Returns false, and leaves `dest` as it is, if the axis is zero or the rest angle is outside. */
SINEW_API bool sinew_turn_make(const float axis[3], const float centre[3], float rest, float low,
                               float high, sinew_turn *dest);
/* The matrix at an angle inside the range, with the same bits as the engine's own rotation. `dest`
 * is aligned to 16 bytes, as matrices in the value array are. */
SINEW_API void sinew_turn_eval(const sinew_turn *turn, float angle, float dest[16]);

/* What a component's setup sees of the rig while it is compiled. Getters take names from the
 * class's tables; a parameter that was not given reads its default. */
typedef struct sinew_setup {
  const struct si_model *model;
  uint32_t component;
  sinew_error *error;
  bool failed;
  void **kept; /* internal: what the reviews of one rig share */
} sinew_setup;

/* What a class lacks on purpose. A built-in class has each of these or is marked here; a custom
 * class need not be. */
enum {
  SINEW_WITHOUT_TANGENT = 1, /* its derivative comes from finite differences of eval */
  SINEW_WITHOUT_LANES = 2,   /* a batch evaluates it one character after the other */
  SINEW_WITHOUT_VERIFY = 4,  /* it guarantees nothing but finite values */
  SINEW_WITHOUT_MIRROR = 8   /* nothing of it differs between the sides of a body */
};

/* How a viewer draws what a component does to a segment. Every built-in class sets it. */
typedef enum sinew_drawing {
  SINEW_DRAWN_UNSAID,
  SINEW_DRAWN_NOT, /* there is nothing to see */
  SINEW_DRAWN_CONE,
  SINEW_DRAWN_ELLIPSOID,
  SINEW_DRAWN_AXIS,
  SINEW_DRAWN_FIELD,
  SINEW_DRAWN_SIGHT, /* a line from one segment to a point of another */
  SINEW_DRAWN_MARKS  /* by a function of the script that made the class */
} sinew_drawing;

struct sinew_cone;
struct si_scalar;

/* The class may grow at its end; its tables are arrays, so their entries stay as they are. */
typedef struct sinew_component_class {
  size_t class_size; /* sizeof(sinew_component_class) */
  const char *name;  /* one word; also its name in Lua and in files */
  const char *doc;
  const sinew_port_desc *inputs; /* each of the five tables ends with an entry without a name; NULL:
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
  /* Called for each component when the rig has compiled, or was changed, without mistakes, to add
   * warnings. NULL: none. */
  void (*review)(const sinew_setup *setup, sinew_error *warnings);
  /* A pure function from inputs to outputs and holds; must not allocate. */
  void (*eval)(const sinew_node *node, float *values);
  /* Replaces eval for a component that can fail. Outputs that are not finite count as failure. */
  sinew_status (*try_eval)(const sinew_node *node, float *values, sinew_error *error);
  /* Whether the outputs have the properties that the component guarantees; fills `why` if they do
   * not. For tests and tools, after an evaluation. NULL: nothing to check. */
  bool (*verify)(const sinew_node *node, const float *values, sinew_error *why);
  /* Fills the derivatives of the outputs at the inputs in `values`, which also has the outputs and
   * holds for these inputs. On a bound it takes the side on which nothing is held: a value exactly
   * on a limit moves freely, only a value beyond it is held. NULL: finite differences of eval, see
   * tangent.h. Must not allocate. */
  sinew_status (*tangent)(const sinew_node *node, const float *values, const sinew_rates *rates,
                          sinew_error *error);
  unsigned without; /* SINEW_WITHOUT_... */
  sinew_drawing drawing;
  uint32_t color; /* of its box in a drawn network, 0xRRGGBB; 0: derived from its name */
  void *user;

  /* The fast paths, all optional. The engine uses them where it can, with the same results as eval
   * alone (products of turns and batches to 1e-6). They need a pure eval. */

  /* The constants of a rotation in the data that setup filled. The class has one scalar input and
   * one matrix output, and eval gives the turn's matrix at the input clamped to its range. The
   * engine fuses such components into products, and need not call eval. */
  const sinew_turn *(*turn)(const void *data);
  /* Its one output is the product of its inputs, a list of matrices. Rotations that no other
   * component reads are fused with it. */
  bool product;
  /* Evaluates several nodes of the class at once, nodes[which[0]] and so on, none of which reads
   * another. Used where the inputs are scalars. */
  void (*eval_all)(const sinew_node *nodes, const uint32_t *which, uint32_t count, float *values);
  /* Evaluates `width` characters of a batch at once: what is values[k] in a pose is values[k *
   * width + i] for character i. Holds, hints and the last row of matrices are neither read nor
   * written. NULL: eval, one character after the other. */
  void (*eval_lanes)(const sinew_node *node, float *values, uint32_t width);
  /* The reach cone in the data that setup filled, for a class that has one (sinew_rig_cone). */
  const struct sinew_cone *(*cone)(const void *data);

  /* Internal; leave both zero. `kernel` is the number of a kernel in evaluate/lanes. These use
   * vector types and are compiled once for each width, so a number selects them, not an address;
   * eval_lanes does the same with plain floats. `step` makes an operation of the fused program that
   * replaces the call of eval. */
  unsigned kernel;
  void (*step)(const sinew_node *node, struct si_scalar *dest);

  /* For a class with both eval and try_eval: whether a component is evaluated by eval, and so
   * differentiated by tangent. The others use try_eval and try_tangent (NULL: differences). NULL:
   * all use try_eval, if there is one. */
  bool (*pure)(const sinew_setup *setup);
  sinew_status (*try_tangent)(const sinew_node *node, const float *values, const sinew_rates *rates,
                              sinew_error *error);
  /* For a class with `turn`: whether a component is such a rotation. For the others `turn` gives
   * NULL. NULL: all are, or none if the class has `pure`. */
  bool (*turns)(const sinew_setup *setup);
  /* Why the outputs that eval gave are not finite: fills `why` and returns true if it knows. NULL:
   * it never does. */
  bool (*reason)(const sinew_node *node, const float *values, sinew_error *why);
  /* For a class that is made while the program runs: takes another reference, and gives one back.
   * A builder that knows the class and a rig that uses it hold references. Several threads may call
   * them at a time. NULL: the class outlives all of them. */
  void (*retain)(const struct sinew_component_class *cls);
  void (*release)(const struct sinew_component_class *cls);
} sinew_component_class;

/* Reports a mistake in the component's parameters; further ones may follow. */
SINEW_API void sinew_setup_fail(sinew_setup *setup, sinew_status status, const char *format, ...)
    SINEW_PRINTF(3, 4);

/* Whether a parameter was given; whether an input is wired (for a list: how many wires). */
SINEW_API bool sinew_setup_has(const sinew_setup *setup, const char *param);
SINEW_API int sinew_setup_wired(const sinew_setup *setup, const char *input);

SINEW_API float sinew_setup_number(const sinew_setup *setup, const char *param);
/* Three numbers of a vector, sixteen of a matrix. */
SINEW_API const float *sinew_setup_numbers(const sinew_setup *setup, const char *param);
/* A list and its length, 0 if it was not given. */
SINEW_API const float *sinew_setup_list(const sinew_setup *setup, const char *param, int *count);
/* The index of a choice among the descriptor's `choices`. */
SINEW_API int sinew_setup_choice(const sinew_setup *setup, const char *param);
SINEW_API const char *sinew_setup_text(const sinew_setup *setup, const char *param);
/* A curve, or NULL if it was not given; valid as long as the rig. */
SINEW_API const sinew_curve *sinew_setup_curve(const sinew_setup *setup, const char *param);
/* An object and its class, NULL if it was not given. */
SINEW_API void *sinew_setup_object(const sinew_setup *setup, const char *param);
SINEW_API const sinew_object_class *sinew_setup_object_class(const sinew_setup *setup,
                                                             const char *param);
/* The parameters with names of the author's choosing, in the order given. */
SINEW_API int sinew_setup_named_count(const sinew_setup *setup);
SINEW_API const sinew_param *sinew_setup_named(const sinew_setup *setup, int index);
/* The segment that a parameter names; null if it was not given. */
SINEW_API sinew_segment sinew_setup_segment(const sinew_setup *setup, const char *param);
/* Fills `dest`, to use these getters on the component that a parameter names, and `dest_class` with
 * its class. Returns false if the parameter was not given. */
SINEW_API bool sinew_setup_peer(const sinew_setup *setup, const char *param, sinew_setup *dest,
                                const sinew_component_class **dest_class);
/* The tree: a segment's parent (null at a root), rest matrix, name, and whether it is driven. */
SINEW_API sinew_segment sinew_setup_parent(const sinew_setup *setup, sinew_segment segment);
SINEW_API const float *sinew_setup_rest(const sinew_setup *setup, sinew_segment segment);
SINEW_API const char *sinew_setup_segment_name(const sinew_setup *setup, sinew_segment segment);
SINEW_API bool sinew_setup_driven(const sinew_setup *setup, sinew_segment segment);
/* How many components the rig has, and the class of one by its index from 0; fills `dest`, to use
 * these getters on it. */
SINEW_API int sinew_setup_component_count(const sinew_setup *setup);
SINEW_API const sinew_component_class *sinew_setup_component(const sinew_setup *setup, int index,
                                                             sinew_setup *dest);

/* The built-in components, in the order of the documentation; NULL past the end. */
SINEW_API const sinew_component_class *sinew_catalog(int index);
/* The built-in component of that name, or NULL; and whether a class is one of them (NULL is not).
 */
SINEW_API const sinew_component_class *sinew_catalog_find(const char *name);
SINEW_API bool sinew_catalog_has(const sinew_component_class *cls);

/* The first input or output of a class with one of these flags: its index from 0, or -1. A list
 * counts as one. The first parameter with one of these flags, or NULL; with `after`, the next one
 * after that. */
SINEW_API int sinew_class_input_marked(const sinew_component_class *cls, unsigned flags);
SINEW_API int sinew_class_output_marked(const sinew_component_class *cls, unsigned flags);
SINEW_API const sinew_param_desc *sinew_class_param_marked(const sinew_component_class *cls,
                                                           unsigned flags,
                                                           const sinew_param_desc *after);

/* The descriptor of the parameter or input of that name, or NULL if the class has none. Parameters
 * with names of the author's choosing (`named`) are not found. */
SINEW_API const sinew_param_desc *sinew_class_find_param(const sinew_component_class *cls,
                                                         const char *name);
SINEW_API const sinew_port_desc *sinew_class_find_input(const sinew_component_class *cls,
                                                        const char *name);

#ifdef __cplusplus
}
#endif
#endif
