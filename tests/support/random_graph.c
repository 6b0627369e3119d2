#include "random_graph.h"

#include "base/alloc.h"
#include "math/angle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { operations = 40, vectors = 16 };

double graph_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 16777216.0;
}

graph_case graph_random_case(uint32_t *seed) {
  graph_case c;
  for (int i = 0; i < graph_inputs; i++) c.inputs[i] = (float)(graph_random(seed) * 8 - 4);
  return c;
}

static double apply(si_graph_code code, double a, double b, double c) {
  return si_graph_compute(code, a, b, c);
}

/* one node of the graph, given those before it */
static bool step(const random_graph *r, const graph_case *at, const si_graph_node *n,
                 const graph_number *v, graph_number *dest) {
  const double eps = 1.2e-7;
  bool leaf = si_graph_code_arity(n->code) == 0; /* a leaf's a is no value */
  graph_number a = v[leaf ? 0 : n->a], b = v[n->b], c = v[n->c], d;
  switch (n->code) {
  case SI_G_NUMBER: d = (graph_number){ n->number, fabs(n->number) * eps, fabs(n->number) }; break;
  case SI_G_INPUT: d = (graph_number){ at->inputs[n->a], 0, fabs(at->inputs[n->a]) }; break;
  case SI_G_PARAM:
    d = (graph_number){ r->params[n->a], 6e-8 * fabs(r->params[n->a]), fabs(r->params[n->a]) };
    break;
  case SI_G_ADD:
  case SI_G_SUB:
    d.is = apply(n->code, a.is, b.is, 0);
    d.size = a.size + b.size;
    d.off = a.off + b.off + eps * d.size;
    break;
  case SI_G_NEGATE: d = (graph_number){ -a.is, a.off, a.size }; break;
  case SI_G_MUL:
    d.is = a.is * b.is;
    d.size = a.size * b.size;
    d.off = a.size * b.off + b.size * a.off + a.off * b.off + eps * d.size;
    break;
  case SI_G_SELECT: d = a.is != 0 ? b : c; break;
  case SI_G_LESS:
  case SI_G_LEAST:
  case SI_G_EQUAL:
    if (fabs(a.is - b.is) <= a.off + b.off + eps * (a.size + b.size)) return false;
    d = (graph_number){ apply(n->code, a.is, b.is, 0), 0, 1 };
    break;
  case SI_G_MIN:
  case SI_G_MAX: {
    bool second = n->code == SI_G_MIN ? b.is < a.is : b.is > a.is;
    d = second ? b : a;
    d.off = fmax(a.off, b.off);
    break;
  }
  case SI_G_FLOOR:
    if (fabs(a.is - nearbyint(a.is)) <= a.off + eps * a.size) return false;
    d = (graph_number){ floor(a.is), 0, fabs(floor(a.is)) };
    break;
  default: {
    /* by differences over what the arguments may be off */
    d.is = apply(n->code, a.is, b.is, c.is);
    double low = 0, high = 0;
    for (int i = 0; i < 4; i++) {
      double x = a.is + (i & 1 ? a.off : -a.off), y = b.is + (i & 2 ? b.off : -b.off);
      double by = fabs(apply(n->code, x, y, 0) - d.is);
      if (!isfinite(by)) return false;
      high = fmax(high, by);
    }
    /* the arctangent is off by 2e-5 degrees, the sine of a large angle by its rounding */
    if (n->code == SI_G_ATAN2) low = 3e-5;
    if (n->code == SI_G_ATAN2 && high > 90) return false;
    if (n->code == SI_G_SIN || n->code == SI_G_COS) low = 3e-7 + eps * a.size * SI_DEG;
    d.off = 2 * high + low + 4 * eps * fabs(d.is);
    d.size = fabs(d.is);
  }
  }
  *dest = d;
  return fabs(d.is) < 1e30 && isfinite(d.off); /* no float overflows */
}

bool graph_slowly(const random_graph *r, const graph_case *at, graph_number dest[12]) {
  const si_graph *g = &r->graph;
  graph_number *v = calloc(g->count + 1, sizeof *v);
  bool *known = calloc(g->count + 1, sizeof *known);
  known[0] = true;
  for (si_value i = 1; i <= g->count; i++) {
    const si_graph_node *n = si_graph_at(g, i);
    int arity = si_graph_code_arity(n->code);
    bool ready = (arity < 1 || known[n->a]) && (arity < 2 || known[n->b]);
    ready &= arity < 3 || known[n->c];
    si_graph_node taken = *n;
    if (arity == 0) taken.b = taken.c = 0;
    if (arity < 2) taken.b = 0;
    if (arity < 3) taken.c = 0;
    known[i] = ready && step(r, at, &taken, v, &v[i]);
  }
  bool all = true;
  for (int i = 0; i < 12; i++) {
    all &= known[r->outs[i]];
    dest[i] = v[r->outs[i]];
  }
  free(v);
  free(known);
  return all;
}

/* whether a value is finite and of a moderate size at random inputs */
static bool moderate(random_graph *r, si_value v, uint32_t seed) {
  for (int i = 0; i < 12; i++) r->outs[i] = v;
  int good = 0;
  for (int i = 0; i < graph_samples; i++) {
    graph_case at = graph_random_case(&seed);
    graph_number n[12];
    if (!graph_slowly(r, &at, n)) continue;
    if (fabs(n[0].is) > 1000 || n[0].off > 1e-2) return false;
    good++;
  }
  return good > graph_samples / 2;
}

/* three numbers from operations on vectors, as scripts make them */
typedef struct triple {
  si_value v[3];
} triple;

static si_value two(si_graph *g, si_graph_code code, si_value a, si_value b) {
  return si_graph_add(g, code, a, b, 0);
}

static si_value dot(si_graph *g, const triple *a, const triple *b) {
  si_value p[3];
  for (int i = 0; i < 3; i++) p[i] = two(g, SI_G_MUL, a->v[i], b->v[i]);
  return two(g, SI_G_ADD, two(g, SI_G_ADD, p[0], p[1]), p[2]);
}

static triple random_vector(si_graph *g, uint32_t kind, const triple *a, const triple *b,
                            const triple *c, si_value x, si_value y) {
  triple d;
  si_value length = two(g, SI_G_ADD, dot(g, a, a), si_graph_number(g, 0.5));
  if (kind == 0) length = si_graph_add(g, SI_G_SQRT, length, 0, 0);
  si_value less = two(g, SI_G_LESS, x, y);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    si_value scaled = two(g, SI_G_MUL, a->v[i], x), number = si_graph_number(g, 0.75 * i - 0.5);
    switch (kind) {
    case 0:
    case 1: d.v[i] = two(g, SI_G_DIV, a->v[i], length); break;
    case 2:
      d.v[i] =
          two(g, SI_G_SUB, two(g, SI_G_MUL, a->v[j], b->v[k]), two(g, SI_G_MUL, a->v[k], b->v[j]));
      break;
    case 3: d.v[i] = two(g, SI_G_ADD, b->v[i], scaled); break;
    case 4: d.v[i] = two(g, SI_G_SUB, b->v[i], scaled); break;
    case 5: d.v[i] = two(g, SI_G_SUB, scaled, b->v[i]); break;
    case 6: d.v[i] = two(g, SI_G_MUL, two(g, SI_G_ADD, a->v[i], number), number); break;
    case 7: d.v[i] = si_graph_add(g, SI_G_SELECT, less, a->v[i], b->v[i]); break;
    case 8: /* a matrix of these columns times one of them */
      d.v[i] =
          two(g, SI_G_ADD, two(g, SI_G_MUL, b->v[i], a->v[0]), two(g, SI_G_MUL, c->v[i], a->v[1]));
      d.v[i] = two(g, SI_G_ADD, d.v[i], two(g, SI_G_MUL, a->v[i], a->v[2]));
      break;
    case 9: /* and a constant one */
      d.v[i] = two(g, SI_G_ADD, two(g, SI_G_MUL, number, a->v[0]), a->v[j]);
      d.v[i] = two(g, SI_G_SUB, d.v[i], two(g, SI_G_MUL, si_graph_param(g, (uint32_t)i), a->v[2]));
      break;
    case 10: d.v[i] = si_graph_add(g, SI_G_NEGATE, a->v[i], 0, 0); break;
    default: d.v[i] = two(g, SI_G_MUL, dot(g, a, b), c->v[i]); break;
    }
  }
  return d;
}

/* vectors made of the values so far, of which the last columns of the result are */
static void add_vectors(uint32_t *seed, random_graph *r, const si_value *made, uint32_t count,
                        si_value dest[12]) {
  triple list[vectors] = { { { 0 } } };
  int size = 0;
  for (int tries = 0; size < vectors && tries < 10 * vectors; tries++) {
    si_value any[3];
    for (int i = 0; i < 3; i++) any[i] = made[(uint32_t)(graph_random(seed) * count)];
    triple of[3], next = { { 0 } };
    for (int i = 0; i < 3; i++) of[i] = size ? list[(int)(graph_random(seed) * size)] : next;
    next = (triple){ { any[0], any[1], any[2] } };
    if (size > 2)
      next = random_vector(&r->graph, (uint32_t)(graph_random(seed) * 12), &of[0], &of[1], &of[2],
                           any[0], any[1]);
    bool good = true;
    for (int i = 0; i < 3; i++) good = good && next.v[i] && moderate(r, next.v[i], *seed);
    if (good) list[size++] = next;
  }
  for (int column = graph_random(seed) < 0.5 ? 0 : 2; column < 4 && size > 0; column++)
    memcpy(dest + 3 * column, list[(int)(graph_random(seed) * size)].v, sizeof list->v);
}

void graph_random_make(uint32_t *seed, random_graph *r) {
  si_value made[operations + graph_inputs + graph_params + 4];
  uint32_t count = 0;
  si_graph *g = &r->graph;
  si_graph_start(g, SI_GRAPH_MOST);
  for (int i = 0; i < graph_params; i++) r->params[i] = (float)(graph_random(seed) * 4 - 2);
  for (uint32_t i = 0; i < graph_inputs; i++) made[count++] = si_graph_input(g, i);
  for (uint32_t i = 0; i < graph_params; i++) made[count++] = si_graph_param(g, i);
  for (int i = 0; i < 4; i++) made[count++] = si_graph_number(g, graph_random(seed) * 6 - 3);
  uint32_t first = count;
  for (int tries = 0; count < first + operations && tries < 20 * operations; tries++) {
    uint32_t range = SI_G_COUNT - SI_G_NEGATE;
    si_graph_code code = SI_G_NEGATE + (si_graph_code)(graph_random(seed) * range);
    si_value v[3];
    for (int i = 0; i < 3; i++) v[i] = made[(uint32_t)(graph_random(seed) * count)];
    /* angles of any size, and conditions that are comparisons */
    if (code == SI_G_SIN || code == SI_G_COS)
      v[0] = si_graph_add(g, SI_G_MUL, v[0], si_graph_number(g, 20), 0);
    if (code == SI_G_SELECT) v[0] = si_graph_add(g, SI_G_LESS, v[0], v[2], 0);
    if (code == SI_G_SELECT) v[2] = made[(uint32_t)(graph_random(seed) * count)];
    si_value x = si_graph_add(g, code, v[0], v[1], v[2]);
    if (x && moderate(r, x, *seed)) made[count++] = x;
  }
  for (int i = 0; i < 12; i++) {
    uint32_t latest = count > 14 ? count - 14 : 0;
    r->outs[i] = made[latest + (uint32_t)(graph_random(seed) * (count - latest))];
  }
  if (graph_random(seed) < 0.5) return;
  si_value outs[12];
  memcpy(outs, r->outs, sizeof outs);
  add_vectors(seed, r, made, count, outs);
  memcpy(r->outs, outs, sizeof outs);
}

void graph_random_free(random_graph *r) { si_graph_free(&r->graph); }

char *graph_text(const random_graph *r) {
  static const uint8_t takes[graph_inputs] = { SI_PORT_SCALAR, SI_PORT_SCALAR, SI_PORT_SCALAR,
                                               SI_PORT_SCALAR };
  static const uint8_t gives[] = { SI_PORT_MATRIX };
  static const si_graph_param_name params[graph_params] = {
    { "list", 0 }, { "list", 1 }, { "list", 2 }, { "list", 3 }
  };
  si_graph_desc desc = { .takes = takes,
                         .take_count = graph_inputs,
                         .gives = gives,
                         .give_count = 1,
                         .params = params,
                         .param_count = graph_params,
                         .outs = r->outs,
                         .out_count = 12 };
  si_text text = { 0 };
  si_graph_write(&r->graph, &desc, &text);
  return text.failed ? NULL : text.at;
}
