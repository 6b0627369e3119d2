/* Columns of matrices and vectors as vectors of registers: three values that are computed alike are
 * computed together. */
#include "math/tape_make.h"

#include "base/alloc.h"

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
    if (n->code != SI_G_INPUT || m->stage != 2) return SI_TAPE_NONE;
    reg[i] = m->input_reg[n->a];
  }
  return reg[0] % 4 == 0 && reg[1] == reg[0] + 1 && reg[2] == reg[0] + 2 ? reg[0] : SI_TAPE_NONE;
}

static bool is_single(const si_tape_maker *m, si_value v) {
  return v < m->affine_room && m->uses[v] <= 1;
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
  /* a sum with products by one scalar */
  for (int side = 0; side < 2 && first.code == SI_G_ADD; side++) {
    const si_value *product = side ? a : b, *rest = side ? b : a;
    si_value factor = shared_factor(m, product, other);
    if (!factor || !is_single(m, product[0]) || !is_single(m, product[1])) continue;
    uint32_t x = pack(m, other);
    if (x == SI_TAPE_NONE) continue;
    uint32_t y = pack(m, rest);
    if (y == SI_TAPE_NONE) y = gather(m, rest);
    return emit(m, (si_tape_op){ .code = SI_TAPE_V_MADD,
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
  if (sum && !apart && s.count <= 2) return emit_sum(m, &s);
  at = pack_select(m, of);
  if (at == SI_TAPE_NONE && sum && !apart) at = emit_sum(m, &s);
  return at == SI_TAPE_NONE ? pack_alike(m, of) : at;
}

/* a vector of three values, or SI_TAPE_NONE if they are not alike */
static uint32_t pack(si_tape_maker *m, const si_value of[3]) {
  for (uint32_t i = 0; i < m->pack_count; i++)
    if (memcmp(m->packs[i].of, of, sizeof m->packs[i].of) == 0) return m->packs[i].reg;
  if (m->failed || m->pack_count >= most_packs || m->depth >= SI_TAPE_DEPTH) return SI_TAPE_NONE;
  m->depth++;
  uint32_t reg = make(m, of);
  m->depth--;
  if (!si_grow(&m->packs, &m->pack_room, (size_t)m->pack_count + 1, sizeof *m->packs)) {
    si_tape_refuse(m, NULL);
    return SI_TAPE_NONE;
  }
  m->packs[m->pack_count].reg = reg;
  memcpy(m->packs[m->pack_count++].of, of, sizeof m->packs->of);
  return reg;
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
