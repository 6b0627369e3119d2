/* Recording a script's function: it is called with recorded values, and what it does with them
 * becomes operations of a graph (math/graph.h). A recorded value is a number, vec3, quat or mat4
 * whose entries are values of the graph. A comparison needs a boolean, so the function is called
 * once for each path through its branches, and the results are joined by choices.
 *
 * While a recording runs, the functions of `math`, of the module and of its types are replaced by
 * ones that take recorded values (swap_lua.c), so that nothing is slower when none runs. */
#ifndef SI_RECORD_H
#define SI_RECORD_H

#include "lua/math/dual_lua.h"
#include "math/graph.h"

enum {
  SI_RECORD_PATHS = 256,      /* most paths through one function */
  SI_RECORD_BRANCHES = 64,    /* most branches of one path */
  SI_RECORD_RUNS = 4096,      /* most calls in a recording */
  SI_RECORD_VALUES = 1 << 15, /* most recorded values in a run */
  SI_RECORD_WORK = 500000,    /* most instructions of Lua in a recording, which is less than one
                                 evaluation may take in a host */
  SI_RECORD_RESULTS = 64,     /* most results of a function */
  SI_RECORD_DEPTH = 16        /* most joined functions inside each other */
};

typedef struct si_recorded {
  int count; /* 1, 3, 4 or 16: a number, vec3, quat or mat4; 0: a text with a value in it */
  union {
    si_value v[16];
    const char *text; /* in the recording's memory */
  };
} si_recorded;

/* what a call gave on one path, or on several that were joined */
typedef struct si_leaf {
  int results, numbers;
  uint8_t shape[SI_RECORD_RESULTS]; /* count of each result */
  si_value *v;                      /* their entries */
  si_value fail;                    /* as in si_graph_desc; never 0 */
  bool raised;                      /* there are no results */
} si_leaf;

typedef struct si_branch {
  si_value condition;
  bool taken;
  si_leaf when_true;
} si_branch;

/* the paths through one function: that being tried, which replays the branches up to `count` */
typedef struct si_paths {
  struct si_paths *outer;
  int count, at;
  si_branch branches[SI_RECORD_BRANCHES];
} si_paths;

typedef struct si_recording {
  si_graph graph;
  uint32_t run; /* recorded values of other runs are not valid */
  si_recorded *slots;
  size_t slot_room;
  uint32_t slot_count, runs, depth;
  uint32_t work; /* in instructions of Lua, roughly */
  si_paths *paths;
  si_value fail;  /* of joined functions in this run; 0: none */
  int texts;      /* made of values on this path, less those that became messages */
  si_arena arena; /* leaves, names and messages */
  si_graph_param_name *params;
  const char **curves, **messages;
  size_t param_room, curve_room, message_room;
  uint32_t param_count, curve_count, message_count;
  bool dirty; /* second pass: what the first left behind stays */
  lua_Hook outer_hook;
  int outer_mask, outer_count;
  bool jit;          /* LuaJIT's compiler was on */
  char place[160];   /* where the function is, "knee.lua:12: " */
  char where[160];   /* where the last error was raised */
  char text_at[160]; /* where the last text was made of a value */
  bool freeze;       /* whole numbers without a unit are parts of the program */
  uint64_t frozen;   /* those of the first 64 parameters that were read so */
  char refusal[600]; /* why it cannot be recorded; "": not yet known */
} si_recording;

extern const si_lua_type si_recorded_type; /* on Lua 5.4 */

/* The recording that runs in this Lua state, or NULL. */
si_recording *si_recording_of(lua_State *L);
/* Starts a recording in zeroed memory; it must be ended, also after an error. */
void si_recording_begin(lua_State *L, si_recording *r);
/* Nothing of it is left then, whatever the script did. Does not raise. */
void si_recording_end(lua_State *L, si_recording *r);
/* Frees the memory of one that may not have come to its end. */
void si_recording_free(si_recording *r);
/* A second pass over the same function, to compare: the graph starts anew, but what the function
 * kept stays. */
void si_recording_again(lua_State *L, si_recording *r);
/* A new run: all recorded values so far become invalid. */
void si_recording_next_run(lua_State *L, si_recording *r);
/* Notes why the function cannot be recorded, unless it is known already, and raises. The text
 * starts with the script's line. */
int si_recording_refuse(lua_State *L, const char *format, ...) SINEW_PRINTF(2, 3);
/* Counts work, and refuses when it is too much. */
void si_recording_work(lua_State *L, si_recording *r, uint32_t amount);
/* Notes why the function cannot be recorded, if the text is what Lua or a library says of a
 * recorded value that a plain number would not cause; false if it is not. */
bool si_recording_note_cause(si_recording *r, const char *text);
/* Writes where the script is, "knee.lua:12: ", and returns the length; outside of its calls, where
 * the function is. */
size_t si_recording_where(lua_State *L, char *dest, size_t room);
/* Whether a message says where it comes from, "knee.lua:12: ...". */
bool si_recording_has_place(const char *text);
/* The outcome of a condition on the path being tried. */
bool si_recording_decide(lua_State *L, si_recording *r, si_value condition);

/* Calls `call` for each path, in protected mode, with the values on top of the stack, which it
 * finds from 1 on; they are popped at the end. It makes a call and puts the results into a leaf
 * with si_leaf_take. Fills `dest` with the joined results. Returns false, with the error on top of
 * the stack, if it is refused or raises on all paths. */
typedef void (*si_record_call)(lua_State *L, si_recording *r, void *user, si_leaf *dest);
bool si_recording_enumerate(lua_State *L, si_recording *r, int arguments, si_record_call call,
                            void *user, si_leaf *dest);
/* Adds a result to a leaf. */
void si_leaf_take(lua_State *L, si_recording *r, const si_recorded *value, si_leaf *dest);
/* Calls the function at `function`, with all values above it as arguments, on all its paths; its
 * results are in `dest`. */
void si_recording_join(lua_State *L, si_recording *r, int function, si_leaf *dest);

/* An entry of a parameter. */
si_value si_recording_param(lua_State *L, si_recording *r, const char *name, uint32_t entry);
/* A parameter that is a curve, at a value: its value or its slope, SI_G_CURVE or SI_G_SLOPE. */
si_value si_recording_curve(lua_State *L, si_recording *r, si_graph_code code, const char *name,
                            si_value x);

/* The curve userdata at `index` is the parameter of that name, which must outlive the recording. */
void si_recorded_curve_add(lua_State *L, int index, const char *name);
void si_recorded_curves_clear(lua_State *L);

/* The recorded value at `index`, or NULL; raises for one that is not valid any more. */
si_recorded *si_recorded_test(lua_State *L, int index);
/* Reads a recorded or a plain value: number, vec3, quat, mat4, or a table of their numbers. `count`
 * is what is wanted, 0 for any. */
bool si_recorded_read(lua_State *L, int index, int count, si_recorded *dest);
/* The same, but raises. */
si_recorded si_recorded_want(lua_State *L, int index, int count);
int si_recorded_push(lua_State *L, const si_recorded *value);
int si_recorded_push_number(lua_State *L, si_value value);
/* Replaces the plain text on top of the stack by one that may only become a message: it has a value
 * in it. `used` texts of this kind are parts of it. */
int si_recorded_text(lua_State *L, int used);
extern const char si_recording_no_text[]; /* says so */
/* "number", "vec3", ... of a recorded value too. */
const char *si_recorded_typename(lua_State *L, int index);

/* Opens the type in this Lua state; false, with a reason on the stack, if it cannot be had. */
bool si_recorded_open(lua_State *L);
/* Keeps the module's table, which is on top of the stack; adds sinew.join. */
void si_open_swaps(lua_State *L);
void si_open_joined(lua_State *L);
/* Adds sinew.root, newton and contact. */
void si_open_solve(lua_State *L);

/* Replaces the functions of `math`, of the module and of its types by those that record, and puts
 * them back. */
void si_swap_begin(lua_State *L, si_recording *r);
void si_swap_end(lua_State *L, si_recording *r);
/* After a run: puts back what functions of the script captured, which was replaced as they were
 * called. In a second pass it stays as it is. And before one. */
void si_swap_end_run(lua_State *L);
void si_swap_start_run(lua_State *L, si_recording *r);
/* The script's budget may have taken our hook away. */
void si_swap_keep_hook(lua_State *L, si_recording *r);

/* Comparisons that Lua 5.4 answers without asking: finds those of the Lua function at `function`,
 * and pushes a userdata for si_scan_compare, or nil if it has none. */
void si_scan_function(lua_State *L, int function);
/* Before a line of such a function runs. Raises if it compares a recorded number with another. */
void si_scan_compare(lua_State *L, lua_Debug *frame, const void *scan);

/* functions that record, by name: operators, methods, of numbers, of types */
typedef struct si_recorded_reg {
  const char *name;
  lua_CFunction function;
  unsigned counts; /* bits of the kinds that have the method */
} si_recorded_reg;
enum { SI_OF_NUMBER = 1, SI_OF_VEC3 = 2, SI_OF_QUAT = 4, SI_OF_MAT4 = 8 };
extern const luaL_Reg si_recorded_meta[], si_recorded_math[], si_recorded_base[];
extern const luaL_Reg si_recorded_string[], si_recorded_os[];
extern const luaL_Reg si_recorded_module[], si_recorded_curve[];
extern const luaL_Reg si_recorded_vec3[], si_recorded_quat[], si_recorded_mat4[],
    si_recorded_dual[];
extern const si_recorded_reg si_recorded_methods[];

/* --- operations of the graph */

static inline si_value si_rec_number(si_recording *r, double x) {
  return si_graph_number(&r->graph, x);
}
static inline si_value si_rec1(si_recording *r, si_graph_code code, si_value a) {
  return si_graph_add(&r->graph, code, a, 0, 0);
}
static inline si_value si_rec2(si_recording *r, si_graph_code code, si_value a, si_value b) {
  return si_graph_add(&r->graph, code, a, b, 0);
}
static inline si_value si_rec3(si_recording *r, si_graph_code code, si_value a, si_value b,
                               si_value c) {
  return si_graph_add(&r->graph, code, a, b, c);
}
static inline si_value si_rec_add(si_recording *r, si_value a, si_value b) {
  return si_rec2(r, SI_G_ADD, a, b);
}
static inline si_value si_rec_sub(si_recording *r, si_value a, si_value b) {
  return si_rec2(r, SI_G_SUB, a, b);
}
static inline si_value si_rec_mul(si_recording *r, si_value a, si_value b) {
  return si_rec2(r, SI_G_MUL, a, b);
}
static inline si_value si_rec_div(si_recording *r, si_value a, si_value b) {
  return si_rec2(r, SI_G_DIV, a, b);
}
/* the products of vec3, quats and matrices; false if there is none */
bool si_recorded_product(si_recording *r, const si_recorded *a, const si_recorded *b,
                         si_recorded *dest);
/* the sum of a[i] b[i]; the strides say how far entries are apart */
si_value si_rec_dot(si_recording *r, const si_value *a, int a_stride, const si_value *b,
                    int b_stride, int count);

#endif
