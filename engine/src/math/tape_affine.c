/* Values of a graph as sums: k0 + k1 u + k2 v ..., with constants that inputs do not change.
 * Products with constant matrices vanish in them, and sin(a + k) becomes a sum of sin a and cos a.
 */
#include "math/tape_make.h"

#include <math.h>

static si_value number(si_tape_maker *m, double x) { return si_graph_number(m->g, x); }

static bool is_zero(const si_tape_maker *m, si_value v) {
  double x;
  return si_graph_literal(m->g, v, &x) && x == 0;
}

/* adds weight * atom; false if there are too many terms */
static bool add_term(si_tape_maker *m, si_affine *s, si_value atom, si_value weight) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->atom[i] != atom) continue;
    s->weight[i] = si_graph_add(m->g, SI_G_ADD, s->weight[i], weight, 0);
    if (!s->weight[i] || !is_zero(m, s->weight[i])) return true;
    s->count--;
    for (; i < s->count; i++) {
      s->atom[i] = s->atom[i + 1];
      s->weight[i] = s->weight[i + 1];
    }
    return true;
  }
  if (s->count == SI_AFFINE_TERMS) return false;
  uint32_t at = s->count++; /* in the order of the atoms */
  for (; at > 0 && s->atom[at - 1] > atom; at--) {
    s->atom[at] = s->atom[at - 1];
    s->weight[at] = s->weight[at - 1];
  }
  s->atom[at] = atom;
  s->weight[at] = weight;
  return true;
}

/* a + sign b */
static bool combine(si_tape_maker *m, si_value a, si_value b, bool minus, si_affine *dest) {
  *dest = si_affine_of(m, a);
  si_affine other = si_affine_of(m, b);
  dest->constant =
      si_graph_add(m->g, minus ? SI_G_SUB : SI_G_ADD, dest->constant, other.constant, 0);
  for (uint32_t i = 0; i < other.count; i++) {
    si_value weight = other.weight[i];
    if (minus) weight = si_graph_add(m->g, SI_G_NEGATE, weight, 0, 0);
    if (!add_term(m, dest, other.atom[i], weight)) return false;
  }
  return true;
}

static void scale(si_tape_maker *m, si_affine *s, si_value by) {
  s->constant = si_graph_add(m->g, SI_G_MUL, s->constant, by, 0);
  for (uint32_t i = 0; i < s->count; i++)
    s->weight[i] = si_graph_add(m->g, SI_G_MUL, s->weight[i], by, 0);
}

/* sin(w u + k): the sine and cosine of w u serve all of these */
static bool phase(si_tape_maker *m, si_graph_code code, si_value angle, si_affine *dest) {
  si_affine x = si_affine_of(m, angle);
  if (x.count != 1 || is_zero(m, x.constant)) return false;
  si_graph *g = m->g;
  si_value base = si_graph_add(g, SI_G_MUL, x.atom[0], x.weight[0], 0);
  si_value sine = si_graph_add(g, SI_G_SIN, base, 0, 0);
  si_value cosine = si_graph_add(g, SI_G_COS, base, 0, 0);
  si_value s = si_graph_add(g, SI_G_SIN, x.constant, 0, 0);
  si_value c = si_graph_add(g, SI_G_COS, x.constant, 0, 0);
  *dest = (si_affine){ .constant = number(m, 0) };
  if (code == SI_G_SIN) return add_term(m, dest, sine, c) && add_term(m, dest, cosine, s);
  return add_term(m, dest, cosine, c) &&
         add_term(m, dest, sine, si_graph_add(g, SI_G_NEGATE, s, 0, 0));
}

/* a choice by parameters between a value and no result: a sum with 0 or NaN */
static bool poison(si_tape_maker *m, const si_graph_node *n, si_affine *dest) {
  double literal;
  if (!si_tape_constant_at(m, n->a)) return false;
  bool first = si_graph_literal(m->g, n->b, &literal) && isnan(literal);
  if (!first && !(si_graph_literal(m->g, n->c, &literal) && isnan(literal))) return false;
  *dest = si_affine_of(m, first ? n->c : n->b);
  si_value none = number(m, (double)NAN), zero = number(m, 0);
  si_value add = si_graph_add(m->g, SI_G_SELECT, n->a, first ? none : zero, first ? zero : none);
  dest->constant = si_graph_add(m->g, SI_G_ADD, dest->constant, add, 0);
  return true;
}

static bool find(si_tape_maker *m, const si_graph_node *n, si_affine *dest) {
  switch (n->code) {
  case SI_G_SELECT: return poison(m, n, dest);
  case SI_G_ADD: return combine(m, n->a, n->b, false, dest);
  case SI_G_SUB: return combine(m, n->a, n->b, true, dest);
  case SI_G_NEGATE:
    *dest = si_affine_of(m, n->a);
    scale(m, dest, number(m, -1));
    return true;
  case SI_G_MUL: {
    bool first = si_tape_constant_at(m, n->a);
    if (!first && !si_tape_constant_at(m, n->b)) return false;
    *dest = si_affine_of(m, first ? n->b : n->a);
    scale(m, dest, first ? n->a : n->b);
    return true;
  }
  case SI_G_SIN:
  case SI_G_COS: return phase(m, (si_graph_code)n->code, n->a, dest);
  default: return false;
  }
}

si_affine si_affine_of(si_tape_maker *m, si_value v) {
  si_affine found;
  if (!v || si_tape_constant_at(m, v)) return (si_affine){ .constant = v };
  if (v < m->affine_room && m->affine[v].constant) return m->affine[v];
  const si_graph_node n = *si_graph_at(m->g, v);
  bool deep = m->depth >= SI_TAPE_DEPTH;
  m->depth++;
  if (deep || !find(m, &n, &found) || m->g->full)
    found = (si_affine){
      .count = 1, .constant = number(m, 0), .atom = { v }, .weight = { number(m, 1) }
    };
  m->depth--;
  if (deep) m->failed = si_tape_too_deep;
  if (!si_tape_room(m, v)) return found;
  m->affine[v] = found;
  return found;
}
