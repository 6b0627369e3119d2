/* Makes tapes of graphs: which operations run, in which registers, with which constants. */
#include "math/tape_make.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

#include <math.h>
#include <string.h>

static const char out_of_memory[] = "out of memory";
const char si_tape_too_deep[] = "more than a thousand operations follow each other, as in a long "
                                "loop whose rounds need the last";

void si_tape_refuse(si_tape_maker *m, const char *why) {
  if (!m->failed) m->failed = why ? why : out_of_memory;
}

bool si_tape_room(si_tape_maker *m, si_value v) {
  if (v < m->affine_room) return true;
  uint32_t room = m->affine_room;
  while (room <= v) room = room ? 2 * room : 256;
  si_affine *affine = si_alloc_array(room, sizeof *affine);
  uint32_t *reg = si_alloc_array(room, sizeof *reg), *uses = si_alloc_array(room, sizeof *uses);
  if (!affine || !reg || !uses) {
    si_free(affine);
    si_free(reg);
    si_free(uses);
    si_tape_refuse(m, NULL);
    return false;
  }
  size_t old = m->affine_room;
  memset(affine + old, 0, (room - old) * sizeof *affine);
  memset(reg + old, 0, (room - old) * sizeof *reg);
  memset(uses + old, 0, (room - old) * sizeof *uses);
  if (old) {
    memcpy(affine, m->affine, old * sizeof *affine);
    memcpy(reg, m->reg, old * sizeof *reg);
    memcpy(uses, m->uses, old * sizeof *uses);
  }
  si_free(m->affine);
  si_free(m->reg);
  si_free(m->uses);
  m->affine = affine;
  m->reg = reg;
  m->uses = uses;
  m->affine_room = room;
  return true;
}

/* --- registers, operations, constants */

uint32_t si_tape_fresh(si_tape_maker *m, uint32_t count) {
  uint32_t at = count == 4 || count == 16 ? (m->registers + 3) / 4 * 4 : m->registers;
  if (at + count > SI_TAPE_REGISTERS) {
    si_tape_refuse(m, "it has too many operations");
    return 0;
  }
  m->registers = at + count;
  return at;
}

uint32_t si_tape_emit(si_tape_maker *m, si_tape_op op) {
  if (!si_work(10)) si_tape_refuse(m, NULL);
  if (m->op_count >= UINT16_MAX) si_tape_refuse(m, "it has too many operations");
  if (m->failed) return 0;
  if (!si_grow(&m->ops, &m->op_room, (size_t)m->op_count + 1, sizeof *m->ops)) {
    si_tape_refuse(m, NULL);
    return 0;
  }
  m->ops[m->op_count++] = op;
  return op.dest;
}

uint16_t si_tape_constants(si_tape_maker *m, const si_value *values, uint32_t count, bool aligned) {
  if (!si_work(4 + m->constant_count / 8)) si_tape_refuse(m, NULL);
  uint32_t align = aligned ? 4 : 1, at = 0;
  /* the same constants may be there already */
  for (; at + count <= m->constant_count; at += align)
    if (memcmp(m->constants + at, values, count * sizeof *values) == 0) return (uint16_t)at;
  at = (m->constant_count + align - 1) / align * align;
  if (at + count > SI_TAPE_CONSTANTS) {
    si_tape_refuse(m, "it has too many constants");
    return 0;
  }
  if (!si_grow(&m->constants, &m->constant_room, (size_t)at + count, sizeof *m->constants)) {
    si_tape_refuse(m, NULL);
    return 0;
  }
  for (uint32_t i = m->constant_count; i < at; i++) m->constants[i] = 0;
  memcpy(m->constants + at, values, count * sizeof *values);
  m->constant_count = at + count;
  return (uint16_t)at;
}

uint32_t si_tape_keep(si_tape_maker *m, si_value v, uint32_t reg) {
  if (!si_tape_room(m, v)) return reg;
  if (!si_grow(&m->kept, &m->kept_room, (size_t)m->kept_count + 1, sizeof *m->kept)) {
    si_tape_refuse(m, NULL);
    return reg;
  }
  m->kept[m->kept_count++] = v;
  m->reg[v] = reg + 1;
  return reg;
}

static uint32_t emit(si_tape_maker *m, si_tape_code code, uint32_t a, uint32_t b, uint32_t c,
                     uint16_t k) {
  return si_tape_emit(m, (si_tape_op){ .code = (uint16_t)code,
                                       .dest = (uint16_t)si_tape_fresh(m, 1),
                                       .a = (uint16_t)a,
                                       .b = (uint16_t)b,
                                       .c = (uint16_t)c,
                                       .k = k });
}

/* a constant in a register: loaded once, before all else */
static uint32_t load(si_tape_maker *m, si_value v) {
  if (v < m->affine_room && m->reg[v]) return m->reg[v] - 1;
  if (!si_grow(&m->loads, &m->load_room, (size_t)m->load_count + 1, sizeof *m->loads)) {
    si_tape_refuse(m, NULL);
    return 0;
  }
  uint32_t reg = si_tape_fresh(m, 1);
  m->loads[m->load_count++] = (si_tape_op){ .code = SI_TAPE_LOAD,
                                            .dest = (uint16_t)reg,
                                            .k = si_tape_constants(m, &v, 1, false) };
  return si_tape_keep(m, v, reg);
}

/* --- sums */

static bool is_literal(const si_tape_maker *m, si_value v, double number) {
  double x;
  return si_graph_literal(m->g, v, &x) && x == number;
}

/* 1 or -1, if the weight of a term is that; else 0 */
static int sign_of(const si_tape_maker *m, const si_affine *s, uint32_t term) {
  return is_literal(m, s->weight[term], 1) ? 1 : is_literal(m, s->weight[term], -1) ? -1 : 0;
}

/* a product that only one sum uses is part of its operation */
static bool is_product(const si_tape_maker *m, si_value v) {
  return si_graph_at(m->g, v)->code == SI_G_MUL && v < m->affine_room && m->uses[v] <= 1 &&
         !m->reg[v];
}

static void drop_term(si_affine *s, uint32_t term) {
  s->count--;
  for (; term < s->count; term++) {
    s->atom[term] = s->atom[term + 1];
    s->weight[term] = s->weight[term + 1];
  }
}

/* Takes three products with the same weight out of a sum, if they are a dot product, and returns
 * its register. `weight` is set to theirs. */
static uint32_t take_dot(si_tape_maker *m, si_affine *s, si_value *weight) {
  if (m->stage != 2 || m->plain) return SI_TAPE_NONE;
  for (uint32_t left = 0; left < s->count; left++) { /* of four terms, one is left out */
    if (s->count == 3 && left > 0) break;
    si_value three[3];
    uint32_t count = 0;
    bool fits = true;
    *weight = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->count == 4 && i == left) continue;
      if (!*weight) *weight = s->weight[i];
      fits &= s->weight[i] == *weight && si_graph_at(m->g, s->atom[i])->code == SI_G_MUL;
      if (count < 3) three[count++] = s->atom[i];
    }
    uint32_t reg = fits && count == 3 ? si_tape_dot(m, three) : SI_TAPE_NONE;
    if (reg == SI_TAPE_NONE) continue;
    for (uint32_t i = s->count; i-- > 0;)
      if (s->atom[i] == three[0] || s->atom[i] == three[1] || s->atom[i] == three[2])
        drop_term(s, i);
    return reg;
  }
  return SI_TAPE_NONE;
}

/* the sum of all terms that are not products with weight 1 or -1, and of the constant */
static uint32_t plain_sum(si_tape_maker *m, const si_affine *s) {
  bool zero = is_literal(m, s->constant, 0);
  si_value list[3] = { s->constant, s->weight[0], s->count > 1 ? s->weight[1] : 0 };
  int first = s->count > 0 ? sign_of(m, s, 0) : 0, second = s->count > 1 ? sign_of(m, s, 1) : 0;
  if (s->count == 0) return zero ? SI_TAPE_NONE : load(m, s->constant);
  uint32_t at, a = si_tape_scalar(m, s->atom[0]);
  if (s->count == 1)
    return zero && first == 1
               ? a
               : emit(m, SI_TAPE_LINE, a, a, 0, si_tape_constants(m, list, 2, false));
  uint32_t b = si_tape_scalar(m, s->atom[1]);
  if (zero && first && second && first + second >= 0)
    at = first < 0    ? emit(m, SI_TAPE_DIFF, b, a, 0, 0)
         : second < 0 ? emit(m, SI_TAPE_DIFF, a, b, 0, 0)
                      : emit(m, SI_TAPE_SUM, a, b, 0, 0);
  else
    at = emit(m, SI_TAPE_PLANE, a, b, 0, si_tape_constants(m, list, 3, false));
  for (uint32_t i = 2; i < s->count; i++) {
    b = si_tape_scalar(m, s->atom[i]);
    int sign = sign_of(m, s, i);
    at = sign ? emit(m, sign > 0 ? SI_TAPE_SUM : SI_TAPE_DIFF, at, b, 0, 0)
              : emit(m, SI_TAPE_ADD, at, b, 0, si_tape_constants(m, &s->weight[i], 1, false));
  }
  return at;
}

static uint32_t sum(si_tape_maker *m, const si_affine *of) {
  si_affine s = *of, products = { .count = 0 };
  si_value weight;
  uint32_t dot = take_dot(m, &s, &weight);
  for (uint32_t i = 0; i < s.count;) {
    if (!sign_of(m, &s, i) || !is_product(m, s.atom[i])) {
      i++;
      continue;
    }
    products.atom[products.count] = s.atom[i];
    products.weight[products.count++] = s.weight[i];
    drop_term(&s, i);
  }
  uint32_t at;
  if (dot == SI_TAPE_NONE && s.count == 1 && is_literal(m, s.constant, 0) &&
      sign_of(m, &s, 0) < 0 && products.count && sign_of(m, &products, 0) > 0) {
    const si_graph_node n = *si_graph_at(m->g, products.atom[0]);
    uint32_t less = si_tape_scalar(m, s.atom[0]);
    uint32_t x = si_tape_scalar(m, n.a), y = si_tape_scalar(m, n.b);
    at = emit(m, SI_TAPE_MSUB, x, y, less, 0);
    drop_term(&products, 0);
  } else if (dot != SI_TAPE_NONE && is_literal(m, weight, 1)) {
    bool alone = s.count == 0 && !is_literal(m, s.constant, 0);
    si_value list[2] = { s.constant, weight };
    uint32_t rest = alone ? SI_TAPE_NONE : plain_sum(m, &s);
    at = alone ? emit(m, SI_TAPE_LINE, dot, dot, 0, si_tape_constants(m, list, 2, false))
         : rest == SI_TAPE_NONE ? dot
                                : emit(m, SI_TAPE_SUM, dot, rest, 0, 0);
  } else if (dot != SI_TAPE_NONE) {
    si_value list[2] = { s.count ? si_graph_number(m->g, 0) : s.constant, weight };
    uint32_t rest = s.count ? plain_sum(m, &s) : SI_TAPE_NONE;
    at = rest == SI_TAPE_NONE
             ? emit(m, SI_TAPE_LINE, dot, dot, 0, si_tape_constants(m, list, 2, false))
             : emit(m, SI_TAPE_ADD, rest, dot, 0, si_tape_constants(m, &weight, 1, false));
  } else {
    at = plain_sum(m, &s);
  }
  /* a product to start with, one that is added if there is one */
  if (at == SI_TAPE_NONE) {
    uint32_t start = 0;
    while (start + 1 < products.count && sign_of(m, &products, start) < 0) start++;
    bool minus = sign_of(m, &products, start) < 0;
    at = si_tape_scalar(m, products.atom[minus ? 0 : start]);
    si_value list[2] = { si_graph_number(m->g, 0), si_graph_number(m->g, -1) };
    if (minus) at = emit(m, SI_TAPE_LINE, at, at, 0, si_tape_constants(m, list, 2, false));
    drop_term(&products, minus ? 0 : start);
  }
  for (uint32_t i = 0; i < products.count; i++) {
    const si_graph_node n = *si_graph_at(m->g, products.atom[i]);
    uint32_t x = si_tape_scalar(m, n.a), y = si_tape_scalar(m, n.b);
    at = emit(m, sign_of(m, &products, i) > 0 ? SI_TAPE_MADD : SI_TAPE_NMADD, x, y, at, 0);
  }
  return at;
}

/* --- iterations */

/* Computes what the body of an iteration needs and its unknowns do not change, so that this is done
 * once. `seen` has a mark for each value. */
static void hoist(si_tape_maker *m, si_value v, uint8_t bit, bool *seen) {
  if (seen[v]) return;
  seen[v] = true;
  const si_graph_node n = *si_graph_at(m->g, v);
  if (!(n.loops & bit)) {
    if (!si_tape_constant_at(m, v)) si_tape_scalar(m, v);
    return;
  }
  if (m->depth++ >= SI_TAPE_DEPTH) si_tape_refuse(m, si_tape_too_deep);
  if (!m->failed && n.code == SI_G_PART) {
    const si_many many = m->g->many[n.a];
    for (uint32_t i = 0; i < many.arg_count; i++) hoist(m, many.args[i], bit, seen);
    /* what depends on the inner unknowns is computed inside */
  } else if (!m->failed) {
    const si_value taken[] = { n.a, n.b, n.c };
    for (int i = 0; i < si_graph_code_arity((si_graph_code)n.code); i++)
      hoist(m, taken[i], bit, seen);
  }
  m->depth--;
}

/* registers side by side with these values; `count` of them */
static uint32_t side_by_side(si_tape_maker *m, const si_value *values, uint32_t count) {
  uint32_t reg[8];
  for (uint32_t i = 0; i < count; i++) reg[i] = si_tape_scalar(m, values[i]);
  uint32_t at = si_tape_fresh(m, count == 4 ? 5 : count);
  for (uint32_t i = 0; i < count; i++)
    si_tape_emit(
        m, (si_tape_op){ .code = SI_TAPE_COPY, .dest = (uint16_t)(at + i), .a = (uint16_t)reg[i] });
  return at;
}

static uint32_t contact(si_tape_maker *m, const si_many *many) {
  if (!si_tape_constant_at(m, many->args[5]) || !si_tape_constant_at(m, many->args[6]))
    si_tape_refuse(m, "the window of a contact depends on inputs");
  uint32_t a = side_by_side(m, many->args, 5); /* which may need another contact */
  if (!si_grow(&m->windows, &m->window_room, (size_t)m->window_count + 1, sizeof *m->windows))
    si_tape_refuse(m, NULL);
  if (m->failed) return 0;
  uint32_t window = m->window_count++;
  m->windows[window][0] = si_tape_constants(m, &many->args[5], 1, false);
  m->windows[window][1] = si_tape_constants(m, &many->args[6], 1, false);
  return si_tape_emit(m, (si_tape_op){ .code = SI_TAPE_CONTACT,
                                       .dest = (uint16_t)si_tape_fresh(m, 3),
                                       .a = (uint16_t)a,
                                       .n = (uint16_t)window });
}

static uint32_t iteration(si_tape_maker *m, const si_many *many) {
  bool newton = many->kind == SI_MANY_NEWTON;
  uint8_t bit = (uint8_t)(1u << many->depth);
  uint32_t count = many->count, a, b = count;
  if (newton) {
    a = side_by_side(m, many->args, count);
  } else {
    a = si_tape_scalar(m, many->args[0]);
    b = si_tape_scalar(m, many->args[1]);
  }
  bool *seen = si_alloc_array((size_t)m->g->limit + 1, sizeof *seen);
  if (!seen) {
    si_tape_refuse(m, NULL);
    return 0;
  }
  memset(seen, 0, ((size_t)m->g->limit + 1) * sizeof *seen);
  for (uint32_t i = 0; i < count; i++) hoist(m, many->zeros[i], bit, seen);
  si_free(seen);

  uint32_t unknown = si_tape_fresh(m, count == 4 ? 5 : count), before = m->kept_count;
  for (uint32_t i = 0; i < count; i++)
    si_tape_keep(m, si_graph_unknown(m->g, (int)many->depth, i), unknown + i);
  uint32_t dest = si_tape_fresh(m, count), at = m->op_count;
  si_tape_emit(m, (si_tape_op){ .code = newton ? SI_TAPE_NEWTON : SI_TAPE_ROOT,
                                .dest = (uint16_t)dest,
                                .a = (uint16_t)a,
                                .b = (uint16_t)b,
                                .c = (uint16_t)unknown,
                                .m = (uint16_t)many->steps });
  uint32_t zero = newton ? side_by_side(m, many->zeros, count) : si_tape_scalar(m, many->zeros[0]);
  si_tape_emit(m, (si_tape_op){ .code = SI_TAPE_END });
  if (m->failed) return 0;
  m->ops[at].k = (uint16_t)zero;
  m->ops[at].n = (uint16_t)(m->op_count - at - 1);
  /* what depends on the unknowns belongs to the body; other iterations have their own */
  uint32_t left = before;
  for (uint32_t i = before; i < m->kept_count; i++) {
    si_value v = m->kept[i];
    if (si_graph_at(m->g, v)->loops & bit)
      m->reg[v] = 0;
    else
      m->kept[left++] = v;
  }
  m->kept_count = left;
  si_tape_forget(m, bit);
  return dest;
}

static uint32_t part(si_tape_maker *m, const si_graph_node *n) {
  const si_many many = m->g->many[n->a];
  uint32_t at = many.kind == SI_MANY_CONTACT ? contact(m, &many) : iteration(m, &many);
  uint32_t results = many.kind == SI_MANY_CONTACT ? 3 : many.count;
  for (uint32_t i = 0; i < results && !m->failed; i++) {
    si_graph_node other = *n;
    other.b = i;
    si_value v = si_graph_find(m->g, &other);
    if (v && i != n->b) si_tape_keep(m, v, at + i);
  }
  return at + n->b;
}

/* --- operations of one to three values */

static uint32_t sine(si_tape_maker *m, const si_graph_node *n) {
  uint32_t a = si_tape_scalar(m, n->a), at = si_tape_fresh(m, 2);
  si_tape_emit(m, (si_tape_op){ .code = SI_TAPE_SINCOS, .dest = (uint16_t)at, .a = (uint16_t)a });
  si_value other = si_graph_add(m->g, n->code == SI_G_SIN ? SI_G_COS : SI_G_SIN, n->a, 0, 0);
  if (other) si_tape_keep(m, other, at + (n->code == SI_G_SIN));
  return at + (n->code == SI_G_COS);
}

/* Min and max with a constant bound; max, then min is one operation. What is not a number stays it
 * there, as in Lua where the bound is the second argument; where it is the first, the bound comes
 * out. */
static uint32_t extreme(si_tape_maker *m, const si_graph_node *n) {
  bool min = n->code == SI_G_MIN;
  si_value x = n->a;
  if (!si_tape_constant_at(m, n->b)) {
    uint32_t a = si_tape_scalar(m, n->a), b = si_tape_scalar(m, n->b);
    return emit(m, min ? SI_TAPE_MIN : SI_TAPE_MAX, a, b, 0, 0);
  }
  si_value list[2] = { si_graph_number(m->g, -INFINITY), si_graph_number(m->g, INFINITY) };
  list[min] = n->b;
  const si_graph_node inner = *si_graph_at(m->g, x);
  if (min && inner.code == SI_G_MAX && m->uses[x] <= 1 && !m->reg[x] &&
      si_tape_constant_at(m, inner.b)) {
    list[0] = inner.b;
    x = inner.a;
  }
  uint32_t a = si_tape_scalar(m, x);
  return emit(m, SI_TAPE_CLAMP, a, a, 0, si_tape_constants(m, list, 2, false));
}

static uint32_t operation(si_tape_maker *m, const si_graph_node *n) {
  static const uint16_t codes[SI_G_COUNT] = {
    [SI_G_ABS] = SI_TAPE_ABS,     [SI_G_SQRT] = SI_TAPE_SQRT,    [SI_G_EXP] = SI_TAPE_EXP,
    [SI_G_LOG] = SI_TAPE_LOG,     [SI_G_FLOOR] = SI_TAPE_FLOOR,  [SI_G_ADD] = SI_TAPE_SUM,
    [SI_G_SUB] = SI_TAPE_DIFF,    [SI_G_MUL] = SI_TAPE_MULTIPLY, [SI_G_DIV] = SI_TAPE_DIVIDE,
    [SI_G_POW] = SI_TAPE_POW,     [SI_G_ATAN2] = SI_TAPE_ATAN2,  [SI_G_LESS] = SI_TAPE_LESS,
    [SI_G_LEAST] = SI_TAPE_LEAST, [SI_G_EQUAL] = SI_TAPE_EQUAL,  [SI_G_SELECT] = SI_TAPE_SELECT,
  };
  if (n->code == SI_G_DIV && si_tape_constant_at(m, n->a)) {
    uint32_t x = si_tape_scalar(m, n->b);
    return emit(m, SI_TAPE_OVER, x, x, 0, si_tape_constants(m, &n->a, 1, false));
  }
  if (n->code == SI_G_LESS && si_tape_constant_at(m, n->b)) {
    uint32_t x = si_tape_scalar(m, n->a);
    return emit(m, SI_TAPE_BELOW, x, x, 0, si_tape_constants(m, &n->b, 1, false));
  }
  if (n->code == SI_G_LESS && si_tape_constant_at(m, n->a)) {
    uint32_t x = si_tape_scalar(m, n->b);
    return emit(m, SI_TAPE_ABOVE, x, x, 0, si_tape_constants(m, &n->a, 1, false));
  }
  int arity = si_graph_code_arity((si_graph_code)n->code);
  uint32_t a = si_tape_scalar(m, n->a), b = arity > 1 ? si_tape_scalar(m, n->b) : a;
  uint32_t c = arity > 2 ? si_tape_scalar(m, n->c) : a;
  return emit(m, (si_tape_code)codes[n->code], a, b, c, 0);
}

static uint32_t make(si_tape_maker *m, si_value v) {
  const si_graph_node n = *si_graph_at(m->g, v);
  switch (n.code) {
  case SI_G_INPUT:
  case SI_G_PARAM: return m->input_reg[n.a];
  case SI_G_UNKNOWN: si_tape_refuse(m, "an unknown is used outside its iteration"); return 0;
  case SI_G_PART: return part(m, &n);
  case SI_G_SIN:
  case SI_G_COS: return sine(m, &n);
  case SI_G_MIN:
  case SI_G_MAX: return extreme(m, &n);
  case SI_G_CURVE:
  case SI_G_SLOPE: {
    si_tape_code code = n.code == SI_G_CURVE ? SI_TAPE_CURVE : SI_TAPE_SLOPE;
    uint32_t a = si_tape_scalar(m, n.a), at = emit(m, code, a, a, 0, 0);
    if (!m->failed) m->ops[m->op_count - 1].n = (uint16_t)n.b;
    return at;
  }
  default: return operation(m, &n);
  }
}

static bool is_made(const si_tape_maker *m, si_value v) { return v < m->affine_room && m->reg[v]; }

/* A long sum of something that was computed already and of little else: that plus the rest. Else
 * SI_TAPE_NONE */
static uint32_t short_sum(si_tape_maker *m, si_value v, const si_affine *s) {
  const si_graph_node n = *si_graph_at(m->g, v);
  bool minus = n.code == SI_G_SUB;
  if (s->count < 3 || (!minus && n.code != SI_G_ADD)) return SI_TAPE_NONE;
  if (is_made(m, n.a) && is_made(m, n.b))
    return emit(m, minus ? SI_TAPE_DIFF : SI_TAPE_SUM, m->reg[n.a] - 1, m->reg[n.b] - 1, 0, 0);
  bool first = is_made(m, n.a);
  si_value made = first ? n.a : n.b, other = first ? n.b : n.a;
  if (!is_made(m, made) || !is_product(m, other) || si_tape_constant_at(m, other))
    return SI_TAPE_NONE;
  const si_graph_node p = *si_graph_at(m->g, other);
  if (si_tape_constant_at(m, p.a) || si_tape_constant_at(m, p.b)) return SI_TAPE_NONE;
  uint32_t x = si_tape_scalar(m, p.a), y = si_tape_scalar(m, p.b);
  return emit(m,
              !minus  ? SI_TAPE_MADD
              : first ? SI_TAPE_NMADD
                      : SI_TAPE_MSUB,
              x, y, m->reg[made] - 1, 0);
}

uint32_t si_tape_scalar(si_tape_maker *m, si_value v) {
  if (m->failed || m->g->full || !v) {
    si_tape_refuse(m, "it has too many operations");
    return 0;
  }
  if (si_tape_constant_at(m, v)) return load(m, v);
  if (v < m->affine_room && m->reg[v]) return m->reg[v] - 1;
  if (m->depth >= SI_TAPE_DEPTH) {
    si_tape_refuse(m, si_tape_too_deep);
    return 0;
  }
  m->depth++;
  si_affine s = si_affine_of(m, v);
  bool atom = s.count == 1 && s.atom[0] == v && is_literal(m, s.weight[0], 1);
  uint32_t reg = atom ? si_tape_sibling(m, v) : short_sum(m, v, &s);
  if (reg == SI_TAPE_NONE) reg = atom ? make(m, v) : s.count ? sum(m, &s) : load(m, s.constant);
  m->depth--;
  return m->failed ? 0 : si_tape_keep(m, v, reg);
}

/* --- whole tapes */

static void maker_free(si_tape_maker *m) {
  void *const blocks[] = { m->affine,    m->reg,   m->uses,    m->ops,       m->loads,
                           m->constants, m->packs, m->windows, m->input_reg, m->kept };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) si_free(blocks[i]);
}

/* counts how often the values that the results need are used */
static void count_uses(si_tape_maker *m, const si_value *results, uint32_t count) {
  uint32_t last = m->g->count;
  if (!si_tape_room(m, last)) return;
  for (uint32_t i = 0; i < count; i++) m->uses[results[i]]++;
  for (si_value v = last; v > 0; v--) {
    const si_graph_node *n = si_graph_at(m->g, v);
    if (!m->uses[v]) continue;
    if (n->code == SI_G_PART) {
      const si_many *many = &m->g->many[n->a];
      for (uint32_t i = 0; i < many->arg_count; i++) m->uses[many->args[i]]++;
      for (uint32_t i = 0; i < many->count; i++) m->uses[many->zeros[i]]++;
    } else {
      const si_value taken[] = { n->a, n->b, n->c };
      for (int i = 0; i < si_graph_code_arity((si_graph_code)n->code); i++) m->uses[taken[i]]++;
    }
  }
}

static bool start(si_tape_maker *m, si_graph_text *text, unsigned stage, uint32_t numbers,
                  const si_value *results, uint32_t count) {
  *m = (si_tape_maker){ .g = &text->graph, .desc = &text->desc, .stage = stage };
  m->input_reg = si_alloc_array((size_t)numbers + 1, sizeof *m->input_reg);
  if (!m->input_reg) si_tape_refuse(m, NULL);
  if (!m->failed) count_uses(m, results, count);
  return !m->failed;
}

/* sums of the values in order, so that finding one never goes deep */
static void find_sums(si_tape_maker *m) {
  for (si_value v = 1, last = m->g->count; v <= last && !m->failed; v++)
    if (m->uses[v]) si_affine_of(m, v);
}

static void *copied(si_arena *arena, si_tape_maker *m, const void *from, size_t bytes) {
  void *to = si_arena_take(arena, bytes + 1);
  if (!to)
    si_tape_refuse(m, NULL);
  else if (bytes)
    memcpy(to, from, bytes);
  return to;
}

/* loads first, then all else */
static void take_ops(si_tape_maker *m, si_arena *arena, si_tape *dest) {
  size_t size = sizeof *dest->ops;
  dest->op_count = m->load_count + m->op_count;
  dest->ops = si_arena_take(arena, (dest->op_count + 1) * size);
  if (!dest->ops) {
    si_tape_refuse(m, NULL);
    return;
  }
  if (m->load_count) memcpy(dest->ops, m->loads, m->load_count * size);
  if (m->op_count) memcpy(dest->ops + m->load_count, m->ops, m->op_count * size);
  dest->ops[dest->op_count] = (si_tape_op){ .code = SI_TAPE_END };
  dest->registers = (m->registers + 3) / 4 * 4;
  dest->window_count = m->window_count;
  dest->windows = copied(arena, m, m->windows, m->window_count * sizeof *dest->windows);
}

/* what the tape of parameters must compute: values, and the place of each among them, from 1 */
typedef struct wanted {
  si_value *values;
  uint32_t count, *place;
} wanted;

/* the constants, of which those that are no literals are wanted */
static void take_constants(si_tape_maker *m, si_arena *arena, si_tape *dest, wanted *w) {
  dest->constant_count = (m->constant_count + 3) / 4 * 4;
  dest->constants = si_arena_take(arena, (dest->constant_count + 1) * sizeof *dest->constants);
  if (!dest->constants) {
    si_tape_refuse(m, NULL);
    return;
  }
  for (uint32_t i = 0; i < m->constant_count; i++) {
    si_value v = m->constants[i];
    if (!v || si_graph_literal(m->g, v, &dest->constants[i].literal)) continue;
    if (!w->place[v]) {
      w->values[w->count++] = v;
      w->place[v] = w->count;
    }
    dest->constants[i].result = w->place[v];
  }
}

/* registers for the inputs, aligned by columns, and the moves that fill those that are used */
static void place_inputs(si_tape_maker *m, si_arena *arena, si_tape *dest) {
  const si_graph_desc *d = m->desc;
  uint32_t number = 0;
  dest->loads = si_arena_take(arena, (4 * (size_t)d->take_count + 1) * sizeof *dest->loads);
  if (!dest->loads) {
    si_tape_refuse(m, NULL);
    return;
  }
  for (uint32_t port = 0; port < d->take_count && !m->failed; port++) {
    uint32_t numbers = si_port_numbers(d->takes[port]), step = numbers == 1 ? 1 : 3;
    for (uint32_t i = 0; i < numbers; i += step, number += step) {
      bool used = false;
      for (uint32_t row = 0; row < step; row++) {
        si_value v = si_graph_find(m->g, &(si_graph_node){ .code = SI_G_INPUT, .a = number + row });
        used |= v && m->uses[v];
      }
      if (!used) continue;
      uint32_t reg = si_tape_fresh(m, step == 1 ? 1 : 4);
      for (uint32_t row = 0; row < step; row++) m->input_reg[number + row] = reg + row;
      dest->loads[dest->load_count++] =
          (si_tape_move){ .reg = (uint16_t)reg,
                          .port = (uint16_t)port,
                          .offset = (uint8_t)(i / 3 * 4),
                          .number = (uint16_t)number,
                          .kind = step == 1 ? SI_MOVE_ONE : SI_MOVE_COLUMN };
    }
  }
}

static void place_results(si_tape_maker *m, si_arena *arena, si_tape *dest) {
  const si_graph_desc *d = m->desc;
  const si_value *out = d->outs;
  dest->stores = si_arena_take(arena, (4 * (size_t)d->give_count + 1) * sizeof *dest->stores);
  if (!dest->stores) {
    si_tape_refuse(m, NULL);
    return;
  }
  uint32_t outputs = 0;
  for (uint32_t port = 0; port < d->give_count && !m->failed; port++) {
    bool hold = d->gives[port] == SI_PORT_HOLD;
    outputs += !hold;
    uint32_t numbers = si_port_numbers(d->gives[port]), step = numbers == 1 ? 1 : 3;
    uint32_t whole = numbers == 12 ? si_tape_matrix(m, out) : SI_TAPE_NONE;
    if (whole != SI_TAPE_NONE) {
      dest->stores[dest->store_count++] = (si_tape_move){ .reg = (uint16_t)whole,
                                                          .port = (uint16_t)port,
                                                          .number = (uint16_t)(out - d->outs),
                                                          .kind = SI_MOVE_MATRIX };
      out += 12;
      continue;
    }
    for (uint32_t i = 0; i < numbers; i += step, out += step) {
      uint32_t reg = step == 1 ? si_tape_scalar(m, *out) : si_tape_vector(m, out);
      dest->stores[dest->store_count++] =
          (si_tape_move){ .reg = (uint16_t)reg,
                          .port = (uint16_t)(hold ? port - outputs : port),
                          .offset = (uint8_t)(i / 3 * 4),
                          .number = (uint16_t)(out - d->outs),
                          .kind = hold        ? SI_MOVE_HOLD
                                  : step == 1 ? SI_MOVE_ONE
                                  : i == 9    ? SI_MOVE_LAST
                                              : SI_MOVE_COLUMN };
    }
  }
}

/* scalars first, which are moved in a loop of their own; returns how many */
static uint32_t ones_first(si_tape_move *moves, uint32_t count) {
  uint32_t ones = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (moves[i].kind != SI_MOVE_ONE) continue;
    si_tape_move one = moves[i];
    memmove(moves + ones + 1, moves + ones, (i - ones) * sizeof *moves);
    moves[ones++] = one;
  }
  return ones;
}

static sinew_status end(si_tape_maker *m, sinew_error *error) {
  const char *why = m->failed ? m->failed : m->g->full ? "it has too many operations" : NULL;
  maker_free(m);
  if (si_stopped()) return si_fail_memory(error);
  if (!why) return SINEW_OK;
  return why == out_of_memory ? si_fail_memory(error)
                              : si_fail(error, SINEW_ERR_VALUE, "the program cannot run: %s", why);
}

static sinew_status try_pose(si_graph_text *text, si_arena *arena, wanted *w, bool plain,
                             si_tape *dest, sinew_error *error) {
  si_tape_maker m;
  uint32_t numbers = 0;
  for (uint32_t i = 0; i < text->desc.take_count; i++)
    numbers += si_port_numbers(text->desc.takes[i]);
  *dest = (si_tape){ 0 };
  bool started = start(&m, text, 2, numbers, text->desc.outs, text->desc.out_count);
  m.plain = plain;
  if (started) place_inputs(&m, arena, dest);
  find_sums(&m);
  if (!m.failed) place_results(&m, arena, dest);
  if (!m.failed) take_ops(&m, arena, dest);
  if (!m.failed) take_constants(&m, arena, dest, w);
  dest->load_ones = ones_first(dest->loads, dest->load_count);
  dest->store_ones = ones_first(dest->stores, dest->store_count);
  return end(&m, error);
}

/* vectors are quick, but take more registers */
static sinew_status make_pose(si_graph_text *text, si_arena *arena, wanted *w, si_tape *dest,
                              sinew_error *error) {
  sinew_status status = try_pose(text, arena, w, false, dest, error);
  if (status != SINEW_ERR_VALUE) return status;
  sinew_error_clear(error);
  return try_pose(text, arena, w, true, dest, error);
}

/* the tape that says why there is no result */
static sinew_status make_fail(si_graph_text *text, si_arena *arena, wanted *w, si_tape *dest,
                              sinew_error *error) {
  static const uint8_t scalar[] = { SI_PORT_SCALAR };
  si_graph_desc all = text->desc;
  if (!all.fail) return SINEW_OK;
  text->desc.gives = scalar;
  text->desc.give_count = text->desc.out_count = 1;
  text->desc.outs = &all.fail;
  sinew_status status = make_pose(text, arena, w, dest, error);
  text->desc = all;
  return status;
}

static sinew_status make_params(si_graph_text *text, si_arena *arena, const wanted *w,
                                si_tape *dest, sinew_error *error) {
  si_tape_maker m;
  uint32_t count = text->desc.param_count;
  dest->loads = si_arena_take(arena, ((size_t)count + 1) * sizeof *dest->loads);
  dest->results = si_arena_take(arena, ((size_t)w->count + 1) * sizeof *dest->results);
  if (!dest->loads || !dest->results) return si_fail_memory(error);
  start(&m, text, 1, count, w->values, w->count);
  for (uint32_t i = 0; i < count && !m.failed; i++) {
    uint32_t reg = m.input_reg[i] = si_tape_fresh(&m, 1);
    dest->loads[dest->load_count++] = (si_tape_move){ .reg = (uint16_t)reg, .number = (uint16_t)i };
  }
  find_sums(&m);
  for (uint32_t i = 0; i < w->count && !m.failed; i++)
    dest->results[i] = (uint16_t)si_tape_scalar(&m, w->values[i]);
  dest->result_count = w->count;
  if (!m.failed) take_ops(&m, arena, dest);
  if (!m.failed) take_constants(&m, arena, dest, NULL); /* all are literals */
  return end(&m, error);
}

sinew_status si_tapes_make(si_graph_text *text, si_tapes *dest, sinew_error *error) {
  *dest = (si_tapes){ 0 };
  text->graph.limit = 4 * SI_GRAPH_MOST; /* sums add values */
  wanted w = { si_alloc_array(2 * SI_TAPE_CONSTANTS, sizeof *w.values), 0,
               si_alloc_array((size_t)text->graph.limit + 1, sizeof *w.place) };
  if (w.place) memset(w.place, 0, ((size_t)text->graph.limit + 1) * sizeof *w.place);
  sinew_status status = w.values && w.place ? SINEW_OK : si_fail_memory(error);
  if (status >= 0) status = make_pose(text, &dest->arena, &w, &dest->pose, error);
  if (status >= 0) status = make_fail(text, &dest->arena, &w, &dest->fail, error);
  if (status >= 0) status = make_params(text, &dest->arena, &w, &dest->params, error);
  si_free(w.values);
  si_free(w.place);
  return status;
}

void si_tapes_free(si_tapes *tapes) {
  si_arena_free(&tapes->arena);
  *tapes = (si_tapes){ 0 };
}
