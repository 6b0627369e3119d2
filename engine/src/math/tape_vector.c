/* Columns of matrices and vectors as vectors of registers: three values that are computed alike are
 * computed together. */
#include "math/tape_make.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

enum { most_packs = 4096, most_atoms = 4 };

/* the atoms of three sums together, and each sum's weights of them */
typedef struct common {
  uint32_t count;
  si_value atom[most_atoms];
  si_value constant[3], weight[most_atoms][3];
} common;

static uint32_t pack(si_tape_maker *m, const si_value of[3]);

static bool find_common(si_tape_maker *m, const si_value of[3], common *dest) {
  *dest = (common){ 0 };
  for (int row = 0; row < 3; row++) {
    si_affine s = si_affine_of(m, of[row]);
    dest->constant[row] = s.constant;
    for (uint32_t i = 0; i < s.count; i++) {
      uint32_t at = 0;
      while (at < dest->count && dest->atom[at] != s.atom[i]) at++;
      if (at == most_atoms) return false;
      if (at == dest->count) dest->atom[dest->count++] = s.atom[i];
      dest->weight[at][row] = s.weight[i];
    }
  }
  return true;
}

/* appends the four constants of a row of constants for each of the first two atoms */
static void list_plane(const common *s, si_value dest[12]) {
  for (int row = 0; row < 3; row++) {
    dest[row] = s->constant[row];
    dest[4 + row] = s->weight[0][row];
    dest[8 + row] = s->weight[1][row];
  }
  dest[3] = dest[7] = dest[11] = 0;
}

static uint32_t emit(si_tape_maker *m, si_tape_op op) {
  op.dest = (uint16_t)si_tape_fresh(m, 4);
  return si_tape_emit(m, op);
}

/* a sum of constant columns, each times a scalar */
static uint32_t emit_sum(si_tape_maker *m, const common *s) {
  si_value list[12];
  uint32_t reg[most_atoms + 1] = { 0 };
  for (uint32_t i = 0; i < s->count; i++) reg[i] = si_tape_scalar(m, s->atom[i]);
  list_plane(s, list);
  si_tape_op op = { .code = s->count == 0   ? SI_TAPE_V_LOAD
                            : s->count == 1 ? SI_TAPE_V_LINE
                                            : SI_TAPE_V_PLANE,
                    .a = (uint16_t)reg[0],
                    .b = (uint16_t)reg[s->count > 1] };
  op.k = si_tape_constants(m, list, s->count == 0 ? 4 : s->count == 1 ? 8 : 12, true);
  uint32_t at = emit(m, op);
  for (uint32_t i = 2; i < s->count; i += 2) {
    bool pair = i + 1 < s->count;
    for (int row = 0; row < 3; row++) {
      list[row] = s->weight[i][row];
      list[4 + row] = pair ? s->weight[i + 1][row] : 0;
    }
    at = emit(m, (si_tape_op){ .code = SI_TAPE_V_ADD,
                               .a = (uint16_t)reg[i],
                               .b = (uint16_t)reg[pair ? i + 1 : i],
                               .c = (uint16_t)at,
                               .k = si_tape_constants(m, list, 8, true) });
  }
  return at;
}

/* three numbers as they are, of one column of an input */
static uint32_t input_column(const si_tape_maker *m, const si_value of[3]) {
  uint32_t reg[3];
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    if (n->code != SI_G_INPUT || m->stage != 2 || m->plain) return SI_TAPE_NONE;
    reg[i] = m->input_reg[n->a];
  }
  return reg[0] % 4 == 0 && reg[1] == reg[0] + 1 && reg[2] == reg[0] + 2 ? reg[0] : SI_TAPE_NONE;
}

static bool is_single(const si_tape_maker *m, si_value v) {
  return v < m->affine_room && m->uses[v] <= 1;
}

static bool is_scalar_made(const si_tape_maker *m, si_value v) {
  return v < m->affine_room && m->reg[v] && !si_tape_constant_at(m, v);
}

static uint32_t gather(si_tape_maker *m, const si_value of[3]) {
  uint32_t reg[3];
  for (int i = 0; i < 3; i++) reg[i] = si_tape_scalar(m, of[i]);
  return emit(m, (si_tape_op){ .code = SI_TAPE_V_GATHER,
                               .a = (uint16_t)reg[0],
                               .b = (uint16_t)reg[1],
                               .c = (uint16_t)reg[2] });
}

/* a choice between two columns by one condition */
static uint32_t pack_select(si_tape_maker *m, const si_value of[3]) {
  si_value condition = 0, side[2][3];
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    if (n->code == SI_G_SELECT && !condition) condition = n->a;
  }
  if (!condition) return SI_TAPE_NONE;
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    bool chosen = n->code == SI_G_SELECT && n->a == condition;
    side[0][i] = chosen ? n->b : of[i];
    side[1][i] = chosen ? n->c : of[i];
  }
  /* sums of the same two scalars: the condition chooses the constants */
  common yes, no;
  if (find_common(m, side[0], &yes) && find_common(m, side[1], &no) && yes.count == 2 &&
      no.count == 2 && yes.atom[0] + yes.atom[1] == no.atom[0] + no.atom[1] &&
      (yes.atom[0] == no.atom[0] || yes.atom[0] == no.atom[1])) {
    if (yes.atom[0] != no.atom[0])
      for (int row = 0; row < 3; row++) {
        si_value other = no.weight[0][row];
        no.weight[0][row] = no.weight[1][row];
        no.weight[1][row] = other;
      }
    si_value list[24];
    list_plane(&yes, list);
    list_plane(&no, list + 12);
    uint32_t a = si_tape_scalar(m, yes.atom[0]), b = si_tape_scalar(m, yes.atom[1]);
    uint32_t c = si_tape_scalar(m, condition);
    return emit(m, (si_tape_op){ .code = SI_TAPE_V_PLANE_IF,
                                 .a = (uint16_t)a,
                                 .b = (uint16_t)b,
                                 .c = (uint16_t)c,
                                 .k = si_tape_constants(m, list, 24, true) });
  }
  uint32_t b = pack(m, side[0]), c = pack(m, side[1]);
  if (b == SI_TAPE_NONE && c == SI_TAPE_NONE) return SI_TAPE_NONE;
  if (b == SI_TAPE_NONE) b = gather(m, side[0]);
  if (c == SI_TAPE_NONE) c = gather(m, side[1]);
  uint32_t a = si_tape_scalar(m, condition);
  return emit(m,
              (si_tape_op){
                  .code = SI_TAPE_V_SELECT, .a = (uint16_t)a, .b = (uint16_t)b, .c = (uint16_t)c });
}

/* a value that all three products share; `other` are the factors besides it. 0: there is none */
static si_value shared_factor(const si_tape_maker *m, const si_value of[3], si_value other[3]) {
  const si_graph_node *first = si_graph_at(m->g, of[0]);
  const si_value candidates[] = { first->a, first->b };
  for (int c = 0; c < 2; c++) {
    bool all = true;
    for (int i = 0; i < 3 && all; i++) {
      const si_graph_node *n = si_graph_at(m->g, of[i]);
      all = n->code == SI_G_MUL && (n->a == candidates[c] || n->b == candidates[c]);
      other[i] = n->a == candidates[c] ? n->b : n->a;
    }
    if (all && first->code == SI_G_MUL) return candidates[c];
  }
  return 0;
}

/* sums of one scalar each, which is not the same: constants besides three values that are alike */
static uint32_t pack_weighted(si_tape_maker *m, const si_value of[3]) {
  si_value atoms[3], list[8] = { 0 };
  for (int i = 0; i < 3; i++) {
    si_affine s = si_affine_of(m, of[i]);
    if (s.count != 1) return SI_TAPE_NONE;
    atoms[i] = s.atom[0];
    list[i] = s.constant;
    list[4 + i] = s.weight[0];
  }
  if (memcmp(atoms, of, sizeof atoms) == 0) return SI_TAPE_NONE;
  uint32_t a = pack(m, atoms);
  if (a == SI_TAPE_NONE) return SI_TAPE_NONE;
  return emit(m, (si_tape_op){ .code = SI_TAPE_V_AFFINE,
                               .a = (uint16_t)a,
                               .k = si_tape_constants(m, list, 8, true) });
}

/* a cross product: differences of products, as a[1] b[2] - a[2] b[1] */
static uint32_t pack_cross(si_tape_maker *m, const si_value of[3]) {
  si_value plus[3][2], minus[3][2], a[3] = { 0 }, b[3] = { 0 };
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    if (n->code != SI_G_SUB) return SI_TAPE_NONE;
    const si_graph_node *x = si_graph_at(m->g, n->a), *y = si_graph_at(m->g, n->b);
    if (x->code != SI_G_MUL || y->code != SI_G_MUL) return SI_TAPE_NONE;
    plus[i][0] = x->a, plus[i][1] = x->b;
    minus[i][0] = y->a, minus[i][1] = y->b;
  }
  for (unsigned way = 0; way < 8; way++) {
    bool same = true;
    for (int i = 0; i < 3; i++) {
      a[(i + 1) % 3] = plus[i][way >> i & 1];
      b[(i + 2) % 3] = plus[i][~way >> i & 1];
    }
    for (int i = 0; i < 3; i++) {
      si_value x = a[(i + 2) % 3], y = b[(i + 1) % 3];
      same &= (minus[i][0] == x && minus[i][1] == y) || (minus[i][0] == y && minus[i][1] == x);
    }
    if (!same) continue;
    uint32_t x = pack(m, a), y = pack(m, b);
    if (x == SI_TAPE_NONE && y == SI_TAPE_NONE) return SI_TAPE_NONE;
    if (x == SI_TAPE_NONE) x = gather(m, a);
    if (y == SI_TAPE_NONE) y = gather(m, b);
    return emit(m, (si_tape_op){ .code = SI_TAPE_V_CROSS, .a = (uint16_t)x, .b = (uint16_t)y });
  }
  return SI_TAPE_NONE;
}

/* quotients by one scalar */
static uint32_t pack_quotient(si_tape_maker *m, const si_value of[3]) {
  si_value a[3], by = 0;
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    if (n->code != SI_G_DIV || (by && n->b != by)) return SI_TAPE_NONE;
    a[i] = n->a;
    by = n->b;
  }
  uint32_t x = pack(m, a);
  if (x == SI_TAPE_NONE) x = gather(m, a);
  return emit(m, (si_tape_op){ .code = SI_TAPE_V_DIVIDE,
                               .a = (uint16_t)x,
                               .b = (uint16_t)si_tape_scalar(m, by) });
}

/* Three products by vectors' numbers are added, as in a matrix times a vector: the factors are a
 * vector that should be computed as such. */
static void pack_factors(si_tape_maker *m, const si_value of[3]) {
  si_value factors[3], rest[3], other[3];
  memcpy(rest, of, sizeof rest);
  for (int n = 2; n >= 0; n--) {
    si_value product[3];
    for (int i = 0; i < 3; i++) {
      const si_graph_node *sum = si_graph_at(m->g, rest[i]);
      if (n > 0 && sum->code != SI_G_ADD) return;
      product[i] = n > 0 ? sum->b : rest[i];
      if (n > 0) rest[i] = sum->a;
    }
    factors[n] = shared_factor(m, product, other);
    if (!factors[n]) return;
  }
  if (!si_tape_constant_at(m, factors[0]) || !si_tape_constant_at(m, factors[1])) pack(m, factors);
}

/* how alike two values are computed */
static int likeness(const si_tape_maker *m, si_value x, si_value y) {
  if (x == y) return 3;
  const si_graph_node *a = si_graph_at(m->g, x), *b = si_graph_at(m->g, y);
  if (a->code != b->code) return 0;
  return a->code == SI_G_INPUT && m->input_reg[a->a] / 4 == m->input_reg[b->a] / 4 ? 2 : 1;
}

/* three operations with the same code and operands that are alike */
static uint32_t pack_alike(si_tape_maker *m, const si_value of[3]) {
  si_value a[3], b[3], other[3];
  si_graph_node first = *si_graph_at(m->g, of[0]);
  if (first.code != SI_G_ADD && first.code != SI_G_SUB && first.code != SI_G_MUL)
    return SI_TAPE_NONE;
  for (int i = 0; i < 3; i++) {
    const si_graph_node *n = si_graph_at(m->g, of[i]);
    if (n->code != first.code) return SI_TAPE_NONE;
    bool swap = n->code != SI_G_SUB && likeness(m, first.a, n->b) + likeness(m, first.b, n->a) >
                                           likeness(m, first.a, n->a) + likeness(m, first.b, n->b);
    a[i] = swap ? n->b : n->a;
    b[i] = swap ? n->a : n->b;
  }
  if (first.code == SI_G_MUL) {
    si_value factor = shared_factor(m, of, other);
    uint32_t x = pack(m, factor ? other : a), y = factor ? SI_TAPE_NONE : pack(m, b);
    if (x == SI_TAPE_NONE && y == SI_TAPE_NONE) return SI_TAPE_NONE;
    if (x == SI_TAPE_NONE) x = gather(m, a);
    if (factor)
      return emit(m, (si_tape_op){ .code = SI_TAPE_V_SCALE,
                                   .a = (uint16_t)x,
                                   .b = (uint16_t)si_tape_scalar(m, factor) });
    if (y == SI_TAPE_NONE) y = gather(m, b);
    return emit(m, (si_tape_op){ .code = SI_TAPE_V_MULTIPLY, .a = (uint16_t)x, .b = (uint16_t)y });
  }
  if (first.code == SI_G_ADD && !m->plain) pack_factors(m, of);
  /* a sum or difference with products by one scalar */
  for (int side = first.code == SI_G_SUB; side < 2; side++) {
    bool minus = first.code == SI_G_SUB, second = minus || !side;
    const si_value *product = second ? b : a, *rest = second ? a : b;
    si_value factor = shared_factor(m, product, other);
    if (!factor || !is_single(m, product[0]) || !is_single(m, product[1])) continue;
    uint32_t x = pack(m, other);
    if (x == SI_TAPE_NONE) continue;
    uint32_t y = pack(m, rest);
    if (y == SI_TAPE_NONE) y = gather(m, rest);
    return emit(m, (si_tape_op){ .code = minus ? SI_TAPE_V_NMADD : SI_TAPE_V_MADD,
                                 .a = (uint16_t)x,
                                 .b = (uint16_t)si_tape_scalar(m, factor),
                                 .c = (uint16_t)y });
  }
  uint32_t x = pack(m, a), y = pack(m, b);
  if (x == SI_TAPE_NONE && y == SI_TAPE_NONE) return SI_TAPE_NONE;
  if (x == SI_TAPE_NONE) x = gather(m, a);
  if (y == SI_TAPE_NONE) y = gather(m, b);
  return emit(m, (si_tape_op){ .code = first.code == SI_G_ADD ? SI_TAPE_V_SUM : SI_TAPE_V_DIFF,
                               .a = (uint16_t)x,
                               .b = (uint16_t)y });
}

static uint32_t make(si_tape_maker *m, const si_value of[3]) {
  uint32_t at = input_column(m, of);
  if (at != SI_TAPE_NONE) return at;
  common s;
  bool sum = find_common(m, of, &s);
  /* values that have nothing in common are gathered */
  uint32_t terms = 0;
  for (int i = 0; i < 3; i++) terms += si_affine_of(m, of[i]).count;
  bool apart = sum && s.count > 1 && terms == s.count;
  if (sum && !apart) return emit_sum(m, &s);
  at = m->plain ? SI_TAPE_NONE : pack_weighted(m, of);
  if (at == SI_TAPE_NONE) at = pack_select(m, of);
  if (at == SI_TAPE_NONE && !m->plain) at = pack_cross(m, of);
  if (at == SI_TAPE_NONE && !m->plain) at = pack_quotient(m, of);
  return at == SI_TAPE_NONE ? pack_alike(m, of) : at;
}

/* the registers of three values that were computed, if they lie side by side as in a vector */
static uint32_t side_by_side(const si_tape_maker *m, const si_value of[3]) {
  uint32_t at = m->reg[of[0]] - 1;
  return at % 4 == 0 && m->reg[of[1]] == at + 2 && m->reg[of[2]] == at + 3 ? at : SI_TAPE_NONE;
}

static bool note(si_tape_maker *m, const si_value of[3], bool dot, uint32_t reg) {
  if (!si_grow(&m->packs, &m->pack_room, (size_t)m->pack_count + 1, sizeof *m->packs)) {
    si_tape_refuse(m, NULL);
    return false;
  }
  si_tape_pack *pack = &m->packs[m->pack_count++];
  *pack = (si_tape_pack){ .dot = dot, .reg = reg };
  memcpy(pack->of, of, sizeof pack->of);
  return true;
}

static si_tape_pack *noted(const si_tape_maker *m, const si_value of[3], bool dot) {
  si_work(m->pack_count / 8); /* who emits the operation stops */
  for (uint32_t i = 0; i < m->pack_count; i++)
    if (m->packs[i].dot == dot && memcmp(m->packs[i].of, of, sizeof m->packs[i].of) == 0)
      return &m->packs[i];
  return NULL;
}

/* A vector of three values, or SI_TAPE_NONE if they are not alike. Scalars that were computed are
 * not computed again, and its numbers serve as scalars. */
static uint32_t pack(si_tape_maker *m, const si_value of[3]) {
  const si_tape_pack *found = noted(m, of, false);
  if (found) return found->reg;
  if (m->failed || m->pack_count >= most_packs || m->depth >= SI_TAPE_DEPTH) return SI_TAPE_NONE;
  bool made[3];
  for (int i = 0; i < 3; i++) made[i] = is_scalar_made(m, of[i]);
  if (made[0] && made[1] && made[2]) return side_by_side(m, of);
  /* noted as none meanwhile, so that it does not wait for itself */
  if (!note(m, of, false, SI_TAPE_NONE)) return SI_TAPE_NONE;
  m->depth++;
  uint32_t reg = make(m, of);
  m->depth--;
  if (reg == SI_TAPE_NONE || m->failed) return SI_TAPE_NONE;
  si_tape_pack *own = noted(m, of, false);
  if (own) own->reg = reg;
  for (uint32_t i = 0; i < 3; i++)
    if (!si_tape_constant_at(m, of[i]) && !is_scalar_made(m, of[i]))
      si_tape_keep(m, of[i], reg + i);
  return reg;
}

/* the values of a vector that has this one, and which of them it is; NULL: there is none */
static const si_value *vector_of(const si_tape_maker *m, si_value v, uint32_t *at) {
  enum { recent = 64 };
  for (uint32_t i = m->pack_count, last = i > recent ? i - recent : 0; i-- > last;)
    for (uint32_t n = 0; n < 3 && !m->packs[i].dot; n++) {
      *at = n;
      if (m->packs[i].of[n] == v && m->reg[v] == m->packs[i].reg + n + 1) return m->packs[i].of;
    }
  return NULL;
}

uint32_t si_tape_sibling(si_tape_maker *m, si_value v) {
  const si_graph_node n = *si_graph_at(m->g, v);
  if ((n.code != SI_G_MUL && n.code != SI_G_DIV) || m->stage != 2 || m->plain) return SI_TAPE_NONE;
  /* a length comes first: it may make the vector that it divides */
  if (n.code == SI_G_DIV) si_tape_scalar(m, n.b);
  for (int side = 0; side < (n.code == SI_G_DIV ? 1 : 2); side++) {
    uint32_t at;
    const si_value *vector = vector_of(m, side ? n.b : n.a, &at);
    si_value of[3];
    for (uint32_t i = 0; vector && i < 3; i++) {
      si_graph_node other = { .code = n.code, .a = vector[i], .b = side ? n.a : n.b };
      of[i] = si_graph_find(m->g, &other);
      if (!of[i] && n.code == SI_G_MUL) {
        other.a = other.b;
        other.b = vector[i];
        of[i] = si_graph_find(m->g, &other);
      }
      if (!of[i] || of[i] >= m->affine_room || !m->uses[of[i]] || is_scalar_made(m, of[i]))
        vector = NULL;
    }
    if (vector && pack(m, of) != SI_TAPE_NONE && is_scalar_made(m, v)) return m->reg[v] - 1;
  }
  return SI_TAPE_NONE;
}

/* --- dot products */

/* how much three values look like a vector */
static int promise(const si_tape_maker *m, const si_value of[3]) {
  const si_tape_pack *found = noted(m, of, false);
  if (found) return 20;
  if (input_column(m, of) != SI_TAPE_NONE) return 20;
  return likeness(m, of[0], of[1]) + likeness(m, of[1], of[2]) + likeness(m, of[0], of[2]);
}

uint32_t si_tape_dot(si_tape_maker *m, const si_value products[3]) {
  si_value x[3], y[3], best[2][3];
  const si_tape_pack *found = noted(m, products, true);
  if (found) return found->reg;
  int most = -1;
  for (int i = 0; i < 3; i++)
    if (is_scalar_made(m, products[i]) || !is_single(m, products[i])) return SI_TAPE_NONE;
  for (unsigned way = 0; way < 4; way++) {
    for (int i = 0; i < 3; i++) {
      const si_graph_node *n = si_graph_at(m->g, products[i]);
      bool swap = i > 0 && (way >> (i - 1) & 1);
      x[i] = swap ? n->b : n->a;
      y[i] = swap ? n->a : n->b;
    }
    int score = promise(m, x) + promise(m, y);
    if (score <= most) continue;
    most = score;
    memcpy(best[0], x, sizeof x);
    memcpy(best[1], y, sizeof y);
  }
  uint32_t a = pack(m, best[0]), b = pack(m, best[1]);
  if (a == SI_TAPE_NONE && b == SI_TAPE_NONE) return SI_TAPE_NONE;
  if (a == SI_TAPE_NONE) a = gather(m, best[0]);
  if (b == SI_TAPE_NONE) b = gather(m, best[1]);
  uint32_t reg = si_tape_emit(m, (si_tape_op){ .code = SI_TAPE_DOT,
                                               .dest = (uint16_t)si_tape_fresh(m, 1),
                                               .a = (uint16_t)a,
                                               .b = (uint16_t)b });
  return !m->failed && note(m, products, true, reg) ? reg : SI_TAPE_NONE;
}

void si_tape_forget(si_tape_maker *m, uint8_t loops) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < m->pack_count; i++) {
    uint8_t of = 0;
    for (int n = 0; n < 3; n++) of |= si_graph_at(m->g, m->packs[i].of[n])->loops;
    if (!(of & loops)) m->packs[left++] = m->packs[i];
  }
  m->pack_count = left;
}

/* --- whole matrices */

/* The columns of a matrix as sums of the same two scalars, and their constants in the order of
 * M_PLANE; false if they are not. */
static bool list_matrix(si_tape_maker *m, const si_value of[12], si_value atoms[2],
                        uint32_t *atom_count, si_value dest[48]) {
  for (int i = 0; i < 48; i++) dest[i] = 0;
  dest[15] = si_graph_number(m->g, 1);
  for (int n = 0; n < 12; n++) {
    si_affine s = si_affine_of(m, of[n]);
    int at = n / 3 * 4 + n % 3;
    dest[at] = s.constant;
    for (uint32_t i = 0; i < s.count; i++) {
      uint32_t which = 0;
      while (which < *atom_count && atoms[which] != s.atom[i]) which++;
      if (which == 2) return false;
      if (which == *atom_count) atoms[(*atom_count)++] = s.atom[i];
      dest[16 + 16 * which + (uint32_t)at] = s.weight[i];
    }
  }
  return true;
}

uint32_t si_tape_matrix(si_tape_maker *m, const si_value of[12]) {
  si_value atoms[2] = { 0 }, list[96], condition = 0, side[2][12];
  uint32_t count = 0;
  bool plain = list_matrix(m, of, atoms, &count, list);
  if (!plain) {
    for (int i = 0; i < 12 && !condition; i++)
      if (si_graph_at(m->g, of[i])->code == SI_G_SELECT) condition = si_graph_at(m->g, of[i])->a;
    if (!condition) return SI_TAPE_NONE;
    for (int i = 0; i < 12; i++) {
      const si_graph_node *n = si_graph_at(m->g, of[i]);
      bool chosen = n->code == SI_G_SELECT && n->a == condition;
      side[0][i] = chosen ? n->b : of[i];
      side[1][i] = chosen ? n->c : of[i];
    }
    count = 0;
    if (!list_matrix(m, side[0], atoms, &count, list) ||
        !list_matrix(m, side[1], atoms, &count, list + 48))
      return SI_TAPE_NONE;
  }
  if (count == 0) return SI_TAPE_NONE;
  uint32_t a = si_tape_scalar(m, atoms[0]), b = count > 1 ? si_tape_scalar(m, atoms[1]) : a;
  uint32_t c = condition ? si_tape_scalar(m, condition) : 0;
  return si_tape_emit(m,
                      (si_tape_op){ .code = condition ? SI_TAPE_M_PLANE_IF : SI_TAPE_M_PLANE,
                                    .dest = (uint16_t)si_tape_fresh(m, 16),
                                    .a = (uint16_t)a,
                                    .b = (uint16_t)b,
                                    .c = (uint16_t)c,
                                    .k = si_tape_constants(m, list, condition ? 96 : 48, true) });
}

uint32_t si_tape_vector(si_tape_maker *m, const si_value of[3]) {
  uint32_t reg = pack(m, of);
  return reg == SI_TAPE_NONE ? gather(m, of) : reg;
}
