/* A function as a graph of operations on numbers, while it is recorded or read from text.
 *
 * A value is the number of a node. Nodes are only added: equal ones are found again, and what is
 * constant or trivial (x + 0, a choice between equals) is simplified at once. math/tape.h turns a
 * graph into a short program that runs.
 *
 * Numbers are of three stages: literals, what depends on parameters alone, and what depends on
 * inputs. All angles are degrees. Comparisons give 1 or 0. */
#ifndef SI_GRAPH_H
#define SI_GRAPH_H

#include "base/arena.h"
#include "base/error_internal.h"
#include "base/text.h"

typedef uint32_t si_value; /* 0: none; adding failed, see si_graph_full */

typedef enum si_graph_code {
  SI_G_NUMBER,
  SI_G_INPUT,   /* of the component: number a of its flat list of inputs */
  SI_G_PARAM,   /* number a of the flat list of parameters */
  SI_G_UNKNOWN, /* unknown b of the iteration at depth a */
  SI_G_PART,    /* result b of the iteration or contact a */
  SI_G_CURVE,   /* curve b at a */
  SI_G_SLOPE,   /* its derivative there */
  /* of one value */
  SI_G_NEGATE,
  SI_G_ABS,
  SI_G_SQRT,
  SI_G_SIN,
  SI_G_COS,
  SI_G_EXP,
  SI_G_LOG,
  SI_G_FLOOR,
  /* of two */
  SI_G_ADD,
  SI_G_SUB,
  SI_G_MUL,
  SI_G_DIV,
  SI_G_MIN, /* b < a ? b : a */
  SI_G_MAX, /* b > a ? b : a */
  SI_G_POW,
  SI_G_ATAN2, /* the angle of (x = b, y = a) */
  SI_G_LESS,  /* a < b */
  SI_G_LEAST, /* a <= b */
  SI_G_EQUAL,
  /* of three */
  SI_G_SELECT, /* a ? b : c */
  SI_G_COUNT
} si_graph_code;

enum {
  SI_GRAPH_UNKNOWNS = 3,    /* most unknowns of one iteration */
  SI_GRAPH_DEPTH = 4,       /* most iterations inside each other */
  SI_GRAPH_STEPS = 64,      /* most steps of an iteration */
  SI_GRAPH_ITERATIONS = 256 /* most iterations and contacts in a graph */
};

typedef enum si_many_kind {
  SI_MANY_ROOT,    /* a zero between args[0] and args[1] */
  SI_MANY_NEWTON,  /* as many zeros as unknowns, from the start in args */
  SI_MANY_CONTACT, /* math/contact.h: a + b cos t + c sin t + d cos 2t + e sin 2t = 0 in a window;
                      results: cosine and sine of t, and what is left of the sum there */
  SI_MANY_COUNT
} si_many_kind;

/* an operation with several arguments or results */
typedef struct si_many {
  si_many_kind kind;
  uint32_t arg_count, count; /* count: of unknowns */
  uint32_t depth, steps;
  uint32_t stage, loops; /* of its results, as in a node */
  si_value args[7];
  si_value zeros[SI_GRAPH_UNKNOWNS];
} si_many;

typedef struct si_graph_node {
  uint8_t code;
  uint8_t stage;    /* 0: literal, 1: parameters, 2: inputs */
  uint8_t loops;    /* a bit for each depth of iterations whose unknowns it depends on */
  uint32_t a, b, c; /* values, or what the code says */
  double number;    /* of SI_G_NUMBER */
} si_graph_node;

typedef struct si_graph {
  si_graph_node *nodes; /* from 1 on */
  uint32_t count, limit;
  bool full; /* a node could not be added: over the limit, or out of memory */
  uint32_t *table, table_size;
  size_t room;
  si_many *many;
  uint32_t many_count;
  size_t many_room;
  uint32_t depth; /* of iterations that are being recorded; set it back when recording f fails */
} si_graph;

/* An empty graph of at most `limit` nodes. */
void si_graph_start(si_graph *graph, uint32_t limit);
void si_graph_free(si_graph *graph);

si_value si_graph_number(si_graph *graph, double number);
si_value si_graph_input(si_graph *graph, uint32_t index);
si_value si_graph_param(si_graph *graph, uint32_t index);
/* SI_G_CURVE or SI_G_SLOPE */
si_value si_graph_curve(si_graph *graph, si_graph_code code, uint32_t curve, si_value x);
/* An operation of one to three values; what it does not take is 0. If one of its values is 0, so is
 * the result. */
si_value si_graph_add(si_graph *graph, si_graph_code code, si_value a, si_value b, si_value c);

/* One operation in doubles; a SELECT takes three. */
double si_graph_compute(si_graph_code code, double a, double b, double c);

/* Iterations: si_graph_iterate begins one and returns its depth, or -1 if too many are inside each
 * other. Then the values that must vanish are recorded from its unknowns; si_graph_solved ends it.
 * `args` has two bounds (root) or as many starts as unknowns (newton), `zeros` as many values as
 * unknowns. Fills `dest` with as many results. Returns false if there are too many. */
int si_graph_iterate(si_graph *graph);
si_value si_graph_unknown(si_graph *graph, int depth, uint32_t index);
bool si_graph_solved(si_graph *graph, int depth, si_many_kind kind, uint32_t unknowns,
                     uint32_t steps, const si_value *args, const si_value *zeros, si_value *dest);
/* `args`: a, b, c, d, e, low, high; the last two may depend on parameters alone. `dest`: cosine,
 * sine, and the sum. */
bool si_graph_contact(si_graph *graph, const si_value args[7], si_value dest[3]);

static inline const si_graph_node *si_graph_at(const si_graph *graph, si_value value) {
  return &graph->nodes[value];
}
/* The value of a node that is there already, or 0; stage and loops are not compared. */
si_value si_graph_find(const si_graph *graph, const si_graph_node *node);
/* whether a value is a literal, and which */
static inline bool si_graph_literal(const si_graph *graph, si_value value, double *dest) {
  const si_graph_node *n = si_graph_at(graph, value);
  if (n->code != SI_G_NUMBER) return false;
  *dest = n->number;
  return true;
}

/* What a graph says beyond its values: where parameters and curves come from, its results, and why
 * it has none. Names are borrowed. */
typedef struct si_graph_param_name {
  const char *name;
  uint32_t entry;
} si_graph_param_name;

/* The kind of a port: how many numbers it has, and where they are. */
typedef enum si_port_kind {
  SI_PORT_SCALAR,
  SI_PORT_VECTOR, /* 3 */
  SI_PORT_MATRIX, /* 12: columns without the last row */
  SI_PORT_HOLD,   /* of results only, after all others */
  SI_PORT_KINDS
} si_port_kind;

static inline uint32_t si_port_numbers(uint8_t kind) {
  return kind == SI_PORT_VECTOR ? 3 : kind == SI_PORT_MATRIX ? 12 : 1;
}

typedef struct si_graph_desc {
  const uint8_t *takes; /* si_port_kind of each input, whose numbers SI_G_INPUT counts through */
  uint32_t take_count;
  const uint8_t *gives; /* of each output and hold, whose numbers `outs` has */
  uint32_t give_count;
  const si_graph_param_name *params; /* of each SI_G_PARAM */
  uint32_t param_count;
  const char *const *curves; /* of each curve: the parameter's name */
  uint32_t curve_count;
  const si_value *outs;
  uint32_t out_count;
  si_value fail; /* 0: it never fails */
  const char *const *messages;
  uint32_t message_count;
} si_graph_desc;

/* Appends the text of sinew/program.h: the values that the results need, in order. */
void si_graph_write(const si_graph *graph, const si_graph_desc *desc, si_text *dest);

/* A graph read from text, with its own names. Zeroed, it is empty. */
typedef struct si_graph_text {
  si_graph graph;
  si_graph_desc desc;
  si_arena arena;
} si_graph_text;

/* Most values of a program, and most numbers in or out. */
enum { SI_GRAPH_MOST = 20000, SI_GRAPH_NUMBERS = 2048 };

/* Reads it; errors name the line. Free it also after a failure. */
sinew_status si_graph_read(const char *text, si_graph_text *dest, sinew_error *error);
void si_graph_text_free(si_graph_text *text);

/* The name of an operation in text, "add"; and how many values it takes. */
const char *si_graph_code_name(si_graph_code code);
int si_graph_code_arity(si_graph_code code);

#endif
