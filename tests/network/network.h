/* Random networks over the whole catalogue, all ways to evaluate one, and the reduction of a
 * failing network to what the failure needs.
 *
 * A network is made from the class tables of the components (sinew/component.h). A new component
 * joins automatically; if its table is not enough to make valid parameters, the test fails and asks
 * for a small function in network_make.c. */
#ifndef NETWORK_H
#define NETWORK_H

#include <sinew/sinew.h>

/* A rig's description, and rows of DOF values at which it is evaluated. */
typedef struct network {
  sinew_builder *builder;
  uint32_t seed;
  int dofs, rows;
  float *values; /* `rows` times `dofs` */
} network;

typedef struct network_size {
  int dofs, components, segments, rows;
  bool custom; /* also the C classes of the tests, see network_classes */
  bool smooth; /* only components whose small changes have small effects: no limits, no fields */
} network_size;

/* A random size, small or large. */
network_size network_any_size(uint32_t seed);
/* `builder` is NULL, with a message printed, if a component cannot be made. */
network network_create(uint32_t seed, const network_size *size);
void network_destroy(network *n);
/* Compiles it; returns NULL, with `error` filled, on failure. */
sinew_rig *network_compile(const network *n, sinew_error *error);
/* Ends with NULL: `mix` (eval, differenced) and `guard` (try_eval, can fail). A script from
 * network_print has scripted components with the same formulas. */
extern const sinew_component_class *const network_classes[];
/* A message if a component cannot be made from its table, else NULL. */
const char *network_cannot_make(const sinew_component_class *cls);
/* Calls `use` with other valid values for those parameters of a component that are given now.
 * Returns false if it has none that could change. */
bool network_remake(const sinew_builder *builder, sinew_component component, uint32_t *seed,
                    void (*use)(const sinew_param *params, int count, void *context),
                    void *context);
/* A chain of three segments, s0 to s2, and a component of this kind with constant inputs, after the
 * components that it names. Every seed gives other parameters. */
sinew_builder *network_one(const char *kind, uint32_t seed, sinew_component *dest);
/* All networks share their fields: the Lua code that makes a field, and their release. */
const char *network_field_text(const void *field);
/* The unit of an output, or "". */
const char *network_output_unit(const sinew_component_class *cls, int output);
void network_fields_free(void);

/* The ways of evaluation. */
enum {
  NETWORK_PLAIN = 1,    /* component by component */
  NETWORK_FUSED = 2,    /* the fused program */
  NETWORK_HISTORY = 4,  /* both, after random changes, against a fresh pose: the same bits */
  NETWORK_BATCH = 8,    /* 4 and 8 lanes, full blocks and remainders */
  NETWORK_XML = 16,     /* written as XML and read again: the same bits */
  NETWORK_EDIT = 32,    /* parameters, rests, ranges and constants changed on the compiled rig */
  NETWORK_TANGENT = 64, /* derivatives against central differences */
  NETWORK_LUA = 128,    /* printed as a Lua script and loaded by the script host */
  NETWORK_ALL = 255
};

typedef struct network_finding {
  unsigned way;     /* which of the above; 0: nothing found */
  char text[512];   /* what differs and where */
  float values[64]; /* the DOFs at which it differs */
} network_finding;

/* Evaluates the network in these ways; returns false if one differs. */
bool network_check(const network *n, unsigned ways, network_finding *found);
/* How much was compared since the program started: a test that compares nothing must fail. */
typedef struct network_counts {
  long networks, rows, tangents, kinks, batches, edits, scripts, jumps;
} network_counts;
extern network_counts network_counted;

/* A copy of a description. */
sinew_builder *network_copy(const sinew_builder *builder);
/* Removes segments, components, DOFs, wires, parameters and list items as long as the same way
 * still differs. Updates `found`. */
void network_reduce(network *n, network_finding *found);
/* The network as a Lua script that returns the rig; the caller frees it. */
char *network_print(const network *n);
/* Reduces a network that failed, and prints it with the finding. */
void network_report(network *n, network_finding *found);

/* A smooth rig for tests that need any rig. NULL, with a message printed, if it cannot be made. */
sinew_rig *network_make(uint32_t seed, int dofs, int components, int segments);
/* Whether two poses of one rig agree in every bit of every output, driven matrix and world matrix.
 */
bool network_same(const sinew_pose *a, const sinew_pose *b);
/* A hash of every bit of every world matrix. */
uint64_t network_digest(const sinew_pose *pose);

#endif
