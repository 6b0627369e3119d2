/* Graphs of operations: adding nodes, with constants folded and equal nodes found again. */
#include "math/graph.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "math/angle.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  int arity;
} codes[SI_G_COUNT] = {
  [SI_G_NUMBER] = { "number", 0 },   [SI_G_INPUT] = { "input", 0 }, [SI_G_PARAM] = { "param", 0 },
  [SI_G_UNKNOWN] = { "unknown", 0 }, [SI_G_PART] = { "part", 0 },   [SI_G_CURVE] = { "curve", 1 },
  [SI_G_SLOPE] = { "slope", 1 },     [SI_G_NEGATE] = { "neg", 1 },  [SI_G_ABS] = { "abs", 1 },
  [SI_G_SQRT] = { "sqrt", 1 },       [SI_G_SIN] = { "sin", 1 },     [SI_G_COS] = { "cos", 1 },
  [SI_G_EXP] = { "exp", 1 },         [SI_G_LOG] = { "log", 1 },     [SI_G_FLOOR] = { "floor", 1 },
  [SI_G_ADD] = { "add", 2 },         [SI_G_SUB] = { "sub", 2 },     [SI_G_MUL] = { "mul", 2 },
  [SI_G_DIV] = { "div", 2 },         [SI_G_MIN] = { "min", 2 },     [SI_G_MAX] = { "max", 2 },
  [SI_G_POW] = { "pow", 2 },         [SI_G_ATAN2] = { "atan2", 2 }, [SI_G_LESS] = { "lt", 2 },
  [SI_G_LEAST] = { "le", 2 },        [SI_G_EQUAL] = { "eq", 2 },    [SI_G_SELECT] = { "select", 3 },
};

const char *si_graph_code_name(si_graph_code code) { return codes[code].name; }
int si_graph_code_arity(si_graph_code code) { return codes[code].arity; }

void si_graph_start(si_graph *graph, uint32_t limit) { *graph = (si_graph){ .limit = limit }; }

void si_graph_free(si_graph *graph) {
  si_free(graph->nodes);
  si_free(graph->table);
  si_free(graph->many);
  *graph = (si_graph){ 0 };
}

/* --- nodes */

static uint64_t hash_of(const si_graph_node *n) {
  uint64_t bits, h = n->code;
  memcpy(&bits, &n->number, sizeof bits);
  const uint64_t parts[] = { n->a, n->b, n->c, bits };
  for (int i = 0; i < 4; i++) {
    h = (h ^ parts[i]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

static bool same(const si_graph_node *x, const si_graph_node *y) {
  return x->code == y->code && x->a == y->a && x->b == y->b && x->c == y->c &&
         memcmp(&x->number, &y->number, sizeof x->number) == 0;
}

static bool grow_table(si_graph *g) {
  uint32_t size = g->table_size ? 2 * g->table_size : 256;
  uint32_t *table = si_alloc_array(size, sizeof *table);
  if (!table) return false;
  memset(table, 0, size * sizeof *table);
  for (uint32_t i = 1; i <= g->count; i++) {
    uint32_t at = (uint32_t)hash_of(&g->nodes[i]) & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = i;
  }
  si_free(g->table);
  g->table = table;
  g->table_size = size;
  return true;
}

si_value si_graph_find(const si_graph *g, const si_graph_node *node) {
  if (!g->table_size) return 0;
  uint32_t at = (uint32_t)hash_of(node) & (g->table_size - 1);
  for (; g->table[at]; at = (at + 1) & (g->table_size - 1))
    if (same(&g->nodes[g->table[at]], node)) return g->table[at];
  return 0;
}

/* the value of a node, which is found again or added */
static si_value intern(si_graph *g, const si_graph_node *node) {
  if (!si_work(4)) g->full = true;
  if (g->full) return 0;
  if (2 * (g->count + 1) >= g->table_size && !grow_table(g)) {
    g->full = true;
    return 0;
  }
  uint32_t at = (uint32_t)hash_of(node) & (g->table_size - 1);
  for (; g->table[at]; at = (at + 1) & (g->table_size - 1))
    if (same(&g->nodes[g->table[at]], node)) return g->table[at];
  if (g->count >= g->limit ||
      !si_grow(&g->nodes, &g->room, (size_t)g->count + 2, sizeof *g->nodes)) {
    g->full = true;
    return 0;
  }
  g->nodes[++g->count] = *node;
  g->table[at] = g->count;
  return g->count;
}

si_value si_graph_number(si_graph *g, double number) {
  if (number == 0) number = 0; /* no -0 */
  return intern(g, &(si_graph_node){ .code = SI_G_NUMBER, .number = number });
}

si_value si_graph_input(si_graph *g, uint32_t index) {
  return intern(g, &(si_graph_node){ .code = SI_G_INPUT, .stage = 2, .a = index });
}

si_value si_graph_param(si_graph *g, uint32_t index) {
  return intern(g, &(si_graph_node){ .code = SI_G_PARAM, .stage = 1, .a = index });
}

si_value si_graph_curve(si_graph *g, si_graph_code code, uint32_t curve, si_value x) {
  if (!x) return 0;
  const si_graph_node *n = si_graph_at(g, x);
  uint8_t stage = n->stage ? n->stage : 1;
  return intern(g,
                &(si_graph_node){
                    .code = (uint8_t)code, .stage = stage, .loops = n->loops, .a = x, .b = curve });
}

/* --- simplification */

double si_graph_compute(si_graph_code code, double a, double b, double c) {
  switch (code) {
  case SI_G_NEGATE: return -a;
  case SI_G_ABS: return fabs(a);
  case SI_G_SQRT: return sqrt(a);
  case SI_G_SIN: return sin(a * SI_DEG);
  case SI_G_COS: return cos(a * SI_DEG);
  case SI_G_EXP: return exp(a);
  case SI_G_LOG: return log(a);
  case SI_G_FLOOR: return floor(a);
  case SI_G_ADD: return a + b;
  case SI_G_SUB: return a - b;
  case SI_G_MUL: return a * b;
  case SI_G_DIV: return a / b;
  case SI_G_MIN: return b < a ? b : a;
  case SI_G_MAX: return b > a ? b : a;
  case SI_G_POW: return pow(a, b);
  case SI_G_ATAN2: return atan2(a, b) / SI_DEG;
  case SI_G_LESS: return a < b;
  case SI_G_LEAST: return a <= b;
  case SI_G_EQUAL: return a == b;
  default: return a != 0 ? b : c;
  }
}

/* Copies of nodes, not pointers: adding one may move them all. */
static bool is_number(const si_graph *g, si_value v, double number) {
  const si_graph_node *n = si_graph_at(g, v);
  return n->code == SI_G_NUMBER && n->number == number;
}
static bool is_code(const si_graph *g, si_value v, si_graph_code code) {
  return si_graph_at(g, v)->code == code;
}
static bool is_literal(const si_graph *g, si_value v) { return is_code(g, v, SI_G_NUMBER); }

static si_value add(si_graph *g, si_graph_code code, si_value a, si_value b) {
  return si_graph_add(g, code, a, b, 0);
}

static si_value simple_add(si_graph *g, si_value a, si_value b) {
  if (is_number(g, a, 0)) return b;
  if (is_number(g, b, 0)) return a;
  if (is_code(g, b, SI_G_NEGATE)) return add(g, SI_G_SUB, a, si_graph_at(g, b)->a);
  if (is_code(g, a, SI_G_NEGATE)) return add(g, SI_G_SUB, b, si_graph_at(g, a)->a);
  return 0;
}

static si_value simple_sub(si_graph *g, si_value a, si_value b) {
  if (is_number(g, b, 0)) return a;
  if (is_number(g, a, 0)) return add(g, SI_G_NEGATE, b, 0);
  if (a == b) return si_graph_number(g, 0);
  if (is_code(g, b, SI_G_NEGATE)) return add(g, SI_G_ADD, a, si_graph_at(g, b)->a);
  if (is_literal(g, b)) return add(g, SI_G_ADD, a, si_graph_number(g, -si_graph_at(g, b)->number));
  return 0;
}

/* A product of literals that is 1 up to rounding is 1, so that degrees to radians and back is
 * nothing. */
static double snapped(double x) {
  if (fabs(x - 1) < 1e-15) return 1;
  return fabs(x + 1) < 1e-15 ? -1 : x;
}

static si_value simple_mul(si_graph *g, si_value a, si_value b) {
  if (is_literal(g, a)) {
    si_value other = a;
    a = b, b = other;
  }
  if (is_number(g, b, 0)) return b;
  if (is_number(g, b, 1)) return a;
  if (is_number(g, b, -1)) return add(g, SI_G_NEGATE, a, 0);
  const si_graph_node x = *si_graph_at(g, a), y = *si_graph_at(g, b);
  if (y.code == SI_G_NUMBER && x.code == SI_G_MUL && is_literal(g, x.b)) {
    double k = snapped(y.number * si_graph_at(g, x.b)->number);
    return add(g, SI_G_MUL, x.a, si_graph_number(g, k));
  }
  if (x.code == SI_G_NEGATE && y.code == SI_G_NUMBER)
    return add(g, SI_G_MUL, x.a, si_graph_number(g, -y.number));
  if (x.code == SI_G_NEGATE && y.code == SI_G_NEGATE) return add(g, SI_G_MUL, x.a, y.a);
  if (y.code == SI_G_NEGATE) return add(g, SI_G_NEGATE, add(g, SI_G_MUL, a, y.a), 0);
  if (x.code == SI_G_NEGATE) return add(g, SI_G_NEGATE, add(g, SI_G_MUL, x.a, b), 0);
  return 0;
}

static si_value simple_div(si_graph *g, si_value a, si_value b) {
  if (is_number(g, b, 1) || is_number(g, a, 0)) return a;
  /* by what inputs do not change: a product with its inverse */
  const si_graph_node x = *si_graph_at(g, a), y = *si_graph_at(g, b);
  if (y.stage < 2 && !y.loops && x.stage == 2)
    return add(g, SI_G_MUL, a, add(g, SI_G_DIV, si_graph_number(g, 1), b));
  if (y.code == SI_G_NUMBER) return add(g, SI_G_MUL, a, si_graph_number(g, 1 / y.number));
  return 0;
}

static si_value simple_pow(si_graph *g, si_value a, si_value b) {
  if (is_number(g, b, 0)) return si_graph_number(g, 1);
  if (is_number(g, b, 1)) return a;
  if (is_number(g, b, 2)) return add(g, SI_G_MUL, a, a);
  if (is_number(g, b, 3)) return add(g, SI_G_MUL, add(g, SI_G_MUL, a, a), a);
  if (is_number(g, b, 0.5)) return add(g, SI_G_SQRT, a, 0);
  if (is_number(g, b, -1)) return add(g, SI_G_DIV, si_graph_number(g, 1), a);
  return 0;
}

/* select(c, f(x, k), f(y, k)) is f(select(c, x, y), k): what follows a branch is computed once */
static si_value sink(si_graph *g, si_value c, si_value a, si_value b) {
  si_graph_node x = *si_graph_at(g, a), y = *si_graph_at(g, b);
  int arity = codes[x.code].arity;
  if (x.code != y.code || x.code == SI_G_SELECT || arity == 0) return 0;
  if (x.code == SI_G_CURVE || x.code == SI_G_SLOPE) {
    if (x.b != y.b) return 0;
    return si_graph_curve(g, (si_graph_code)x.code, x.b, si_graph_add(g, SI_G_SELECT, c, x.a, y.a));
  }
  if (arity == 1) return add(g, x.code, si_graph_add(g, SI_G_SELECT, c, x.a, y.a), 0);
  if (x.b == y.b) return add(g, x.code, si_graph_add(g, SI_G_SELECT, c, x.a, y.a), x.b);
  if (x.a == y.a) return add(g, x.code, x.a, si_graph_add(g, SI_G_SELECT, c, x.b, y.b));
  return 0;
}

static si_value simple_select(si_graph *g, si_value c, si_value a, si_value b) {
  const si_graph_node n = *si_graph_at(g, c);
  if (n.code == SI_G_NUMBER) return n.number != 0 ? a : b;
  if (a == b) return a;
  if (n.code == SI_G_LESS && a == n.a && b == n.b) return add(g, SI_G_MIN, b, a);
  if (n.code == SI_G_LESS && a == n.b && b == n.a) return add(g, SI_G_MAX, b, a);
  if (n.code == SI_G_LEAST && a == n.a && b == n.b) return add(g, SI_G_MIN, a, b);
  if (n.code == SI_G_LEAST && a == n.b && b == n.a) return add(g, SI_G_MAX, a, b);
  /* the same condition inside */
  const si_graph_node x = *si_graph_at(g, a), y = *si_graph_at(g, b);
  if (x.code == SI_G_SELECT && x.a == c) return si_graph_add(g, SI_G_SELECT, c, x.b, b);
  if (y.code == SI_G_SELECT && y.a == c) return si_graph_add(g, SI_G_SELECT, c, a, y.c);
  return sink(g, c, a, b);
}

/* a simpler value that is the same, or 0 */
static si_value simpler(si_graph *g, si_graph_code code, si_value a, si_value b, si_value c) {
  const si_graph_node x = *si_graph_at(g, a);
  switch (code) {
  case SI_G_ADD: return simple_add(g, a, b);
  case SI_G_SUB: return simple_sub(g, a, b);
  case SI_G_MUL: return simple_mul(g, a, b);
  case SI_G_DIV: return simple_div(g, a, b);
  case SI_G_POW: return simple_pow(g, a, b);
  case SI_G_SELECT: return simple_select(g, a, b, c);
  case SI_G_MIN:
  case SI_G_MAX: return a == b ? a : 0;
  case SI_G_NEGATE:
    if (x.code == SI_G_NEGATE) return x.a;
    return x.code == SI_G_SUB ? add(g, SI_G_SUB, x.b, x.a) : 0;
  case SI_G_ABS: return x.code == SI_G_ABS ? a : 0;
  case SI_G_COS: return x.code == SI_G_NEGATE ? add(g, SI_G_COS, x.a, 0) : 0;
  case SI_G_SIN:
    return x.code == SI_G_NEGATE ? add(g, SI_G_NEGATE, add(g, SI_G_SIN, x.a, 0), 0) : 0;
  case SI_G_LESS: return a == b ? si_graph_number(g, 0) : 0;
  case SI_G_LEAST:
  case SI_G_EQUAL: return a == b ? si_graph_number(g, 1) : 0;
  default: return 0;
  }
}

si_value si_graph_add(si_graph *g, si_graph_code code, si_value a, si_value b, si_value c) {
  int arity = codes[code].arity;
  if (g->full || !a || (arity > 1 && !b) || (arity > 2 && !c)) return 0;
  const si_graph_node *x = si_graph_at(g, a), *y = arity > 1 ? si_graph_at(g, b) : x;
  const si_graph_node *z = arity > 2 ? si_graph_at(g, c) : x;
  if (x->code == SI_G_NUMBER && y->code == SI_G_NUMBER && z->code == SI_G_NUMBER)
    return si_graph_number(g, si_graph_compute(code, x->number, y->number, z->number));
  si_graph_node node = { .code = (uint8_t)code,
                         .loops = (uint8_t)(x->loops | y->loops | z->loops),
                         .a = a,
                         .b = arity > 1 ? b : 0,
                         .c = arity > 2 ? c : 0 };
  node.stage = x->stage > y->stage ? x->stage : y->stage;
  if (z->stage > node.stage) node.stage = z->stage;
  si_value simple = simpler(g, code, a, b, c);
  if (simple || g->full) return simple;
  /* an order for sums and products: literals last */
  if (code == SI_G_ADD || code == SI_G_MUL) {
    bool swap = is_literal(g, a) || (a > b && !is_literal(g, b));
    node.a = swap ? b : a;
    node.b = swap ? a : b;
  }
  return intern(g, &node);
}

/* --- operations with several results */

int si_graph_iterate(si_graph *g) {
  return g->full || g->depth >= SI_GRAPH_DEPTH ? -1 : (int)g->depth++;
}

/* Iterations at one depth share their unknowns: none is inside another. So a function that is
 * recorded again, for another path, gives the same values. */
si_value si_graph_unknown(si_graph *g, int depth, uint32_t index) {
  return intern(g, &(si_graph_node){ .code = SI_G_UNKNOWN,
                                     .loops = (uint8_t)(1u << depth),
                                     .a = (uint32_t)depth,
                                     .b = index });
}

/* the number of an operation, which is found again or added; -1 if there are too many */
static int intern_many(si_graph *g, const si_many *m) {
  for (uint32_t i = 0; i < g->many_count; i++)
    if (memcmp(&g->many[i], m, sizeof *m) == 0) return (int)i;
  if (g->many_count >= SI_GRAPH_ITERATIONS ||
      !si_grow(&g->many, &g->many_room, (size_t)g->many_count + 1, sizeof *m))
    return -1;
  g->many[g->many_count] = *m;
  return (int)g->many_count++;
}

static bool finish(si_graph *g, si_many *m, uint32_t inside, uint32_t results, si_value *dest) {
  for (uint32_t i = 0; i < m->arg_count + m->count; i++) {
    si_value v = i < m->arg_count ? m->args[i] : m->zeros[i - m->arg_count];
    if (!v) return false;
    const si_graph_node *n = si_graph_at(g, v);
    m->loops |= n->loops;
    if (n->stage > m->stage) m->stage = n->stage;
  }
  m->loops &= ~inside;
  if (!m->stage) m->stage = 1; /* literals only: computed once, with the parameters */
  int at = intern_many(g, m);
  if (at < 0) g->full = true;
  for (uint32_t i = 0; i < results; i++)
    dest[i] = intern(g, &(si_graph_node){ .code = SI_G_PART,
                                          .stage = (uint8_t)m->stage,
                                          .loops = (uint8_t)m->loops,
                                          .a = (uint32_t)at,
                                          .b = i });
  return !g->full;
}

bool si_graph_solved(si_graph *g, int depth, si_many_kind kind, uint32_t unknowns, uint32_t steps,
                     const si_value *args, const si_value *zeros, si_value *dest) {
  si_many m;
  memset(&m, 0, sizeof m); /* compared as bytes */
  g->depth = (uint32_t)depth;
  m.kind = kind;
  m.arg_count = kind == SI_MANY_ROOT ? 2 : unknowns;
  m.count = unknowns;
  m.depth = (uint32_t)depth;
  m.steps = steps;
  memcpy(m.args, args, m.arg_count * sizeof *args);
  memcpy(m.zeros, zeros, unknowns * sizeof *zeros);
  return finish(g, &m, 1u << depth, unknowns, dest);
}

bool si_graph_contact(si_graph *g, const si_value args[7], si_value dest[3]) {
  si_many m;
  memset(&m, 0, sizeof m);
  m.kind = SI_MANY_CONTACT;
  m.arg_count = 7;
  memcpy(m.args, args, sizeof m.args);
  return finish(g, &m, 0, 3, dest);
}
