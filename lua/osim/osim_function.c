/* Reads numbers and functions of an OpenSim file. Some functions have an older name too: the
 * SimmSpline was once called natural cubic spline. */
#include "base/text.h"
#include "lua/osim/osim_model.h"

#include <math.h>

si_osim_node *si_osim_property(si_osim_model *m, si_osim_node *object, const char *tag) {
  si_osim_node *node = si_osim_child(object, tag);
  if (!node) {
    si_osim_node *prototype = si_osim_child(m->defaults, object->tag);
    node = si_osim_child(prototype, tag);
    if (node) m->defaults->seen = prototype->seen = true;
  }
  if (node) node->seen = true;
  return node;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static sinew_status read_list(si_osim_model *m, const si_osim_node *node, int least, double **dest,
                              int *count) {
  const char *at = node->text, *end = at + strlen(at);
  size_t words = 0;
  for (const char *c = at; c < end; c++) words += !is_blank(*c) && (c == at || is_blank(c[-1]));
  if (words < (size_t)least)
    return si_osim_fail(m, node, "'%s' has %zu numbers, expected %d", node->tag, words, least);
  if (words > 2 * SI_OSIM_POINTS)
    return si_osim_fail(m, node, "'%s' has %zu numbers, more than %d", node->tag, words,
                        2 * SI_OSIM_POINTS);
  *dest = si_arena_take(&m->tree.arena, (words + 1) * sizeof **dest);
  if (!*dest) return si_fail_memory(m->error);
  *count = 0;
  for (;;) {
    while (at < end && is_blank(*at)) at++;
    if (at == end) return SINEW_OK;
    const char *word = at;
    double *number = *dest + (*count)++;
    if (!si_number_read(&at, end, number) || (at < end && !is_blank(*at)) || !isfinite(*number)) {
      int length = 0;
      while (word + length < end && !is_blank(word[length]) && length < 40) length++;
      return si_osim_fail(m, node, "'%s': '%.*s' is not a finite number", node->tag, length, word);
    }
  }
}

sinew_status si_osim_numbers(si_osim_model *m, si_osim_node *object, const char *tag, int count,
                             double *dest) {
  const si_osim_node *node = si_osim_property(m, object, tag);
  if (!node) return SINEW_OK;
  double *numbers;
  int found;
  sinew_status status = read_list(m, node, count, &numbers, &found);
  if (status != SINEW_OK) return status;
  if (found != count)
    return si_osim_fail(m, node, "'%s' has %d numbers, expected %d", tag, found, count);
  memcpy(dest, numbers, (size_t)count * sizeof *dest);
  return SINEW_OK;
}

sinew_status si_osim_flag(si_osim_model *m, si_osim_node *object, const char *tag, bool *dest) {
  const si_osim_node *node = si_osim_property(m, object, tag);
  static const char *const words[] = {
    "false", "true", "False", "True", "FALSE", "TRUE", "0", "1"
  };
  if (!node || !*node->text) return SINEW_OK;
  for (int i = 0; i < 8; i++)
    if (strcmp(node->text, words[i]) == 0) {
      *dest = i % 2;
      return SINEW_OK;
    }
  return si_osim_fail(m, node, "'%s' is '%.40s', not true or false", tag, node->text);
}

si_osim_node *si_osim_object(si_osim_node *node, const char *const *properties) {
  for (si_osim_node *child = node ? node->child : NULL; child; child = child->next) {
    bool is_property = false;
    for (const char *const *p = properties; *p; p++) is_property |= si_osim_is(child, *p);
    if (!is_property) return child;
  }
  return NULL;
}

/* reads x and y of a curve, interleaved; leaves out points whose x does not rise */
static sinew_status read_points(si_osim_model *m, si_osim_node *node, const char *what,
                                si_osim_function *f) {
  si_osim_node *nodes[2] = { si_osim_property(m, node, "x"), si_osim_property(m, node, "y") };
  double *lists[2];
  int counts[2];
  for (int i = 0; i < 2; i++) {
    if (!nodes[i]) return si_osim_fail(m, node, "a %s has no '%s'", node->tag, i ? "y" : "x");
    sinew_status status = read_list(m, nodes[i], 2, &lists[i], &counts[i]);
    if (status != SINEW_OK) return status;
  }
  if (counts[0] != counts[1])
    return si_osim_fail(m, node, "a %s has %d numbers in 'x' and %d in 'y'", node->tag, counts[0],
                        counts[1]);
  if (counts[0] > SI_OSIM_POINTS)
    return si_osim_fail(m, node, "a %s has more than %d points", node->tag, SI_OSIM_POINTS);
  f->numbers = si_arena_take(&m->tree.arena, 2 * (size_t)counts[0] * sizeof *f->numbers);
  if (!f->numbers) return si_fail_memory(m->error);
  double last = -INFINITY;
  unsigned left_out = 0;
  for (int i = 0; i < counts[0]; i++) {
    /* x must also differ as floats, in radians and in degrees */
    double x = lists[0][i], gap = 1e-6 * (fabs(x) > 1 ? fabs(x) : 1);
    if (!(x > last + gap)) {
      left_out++;
      continue;
    }
    f->numbers[f->count++] = last = x;
    f->numbers[f->count++] = lists[1][i];
  }
  if (f->count < 4) return si_osim_fail(m, node, "a %s has fewer than two points", node->tag);
  return left_out
             ? si_osim_lose_named(m, "points whose x does not rise", "%u of %s", left_out, what)
             : SINEW_OK;
}

static sinew_status read_coefficients(si_osim_model *m, si_osim_node *node, si_osim_function *f) {
  const si_osim_node *list = si_osim_property(m, node, "coefficients");
  static const double straight[2] = { 1, 0 };
  if (list) return read_list(m, list, 1, &f->numbers, &f->count);
  f->numbers = si_arena_take(&m->tree.arena, sizeof straight);
  if (!f->numbers) return si_fail_memory(m->error);
  memcpy(f->numbers, straight, sizeof straight);
  f->count = f->kind == SI_OSIM_LINEAR ? 2 : 1; /* the defaults of OpenSim's classes */
  return SINEW_OK;
}

static sinew_status read_constant(si_osim_model *m, si_osim_node *node, si_osim_value *value) {
  double constant = 0;
  sinew_status status = si_osim_numbers(m, node, "value", 1, &constant);
  value->constant = value->scale * constant;
  value->scale = 1;
  value->count = 0;
  return status;
}

static sinew_status drop(si_osim_model *m, const si_osim_node *node, const char *what,
                         si_osim_value *value) {
  value->count = 0;
  value->constant = 0;
  value->function = NULL;
  return si_osim_lose_named(m, "functions, 0 instead", "%s of %s", node->tag, what);
}

sinew_status si_osim_function_read(si_osim_model *m, si_osim_node *node, const char *what,
                                   si_osim_value *value) {
  static const struct {
    const char *tag;
    si_osim_kind kind;
  } kinds[] = {
    { "LinearFunction", SI_OSIM_LINEAR },
    { "PolynomialFunction", SI_OSIM_POLYNOMIAL },
    { "SimmSpline", SI_OSIM_SIMM },
    { "NaturalCubicSpline", SI_OSIM_SIMM },
    { "natCubicSpline", SI_OSIM_SIMM },
    { "PiecewiseLinear", SI_OSIM_PIECEWISE },
    { "PiecewiseLinearFunction", SI_OSIM_PIECEWISE },
  };
  static const char *const of_multiplier[] = { "scale", NULL };
  static const char *const none[] = { NULL };
  sinew_status status = SINEW_OK;
  /* multipliers around it */
  while (si_osim_is(node, "MultiplierFunction")) {
    double scale = 1;
    node->seen = true;
    if ((status = si_osim_numbers(m, node, "scale", 1, &scale)) != SINEW_OK) return status;
    value->scale *= scale;
    si_osim_node *inner = si_osim_object(node, of_multiplier);
    if (inner && si_osim_is(inner, "function")) {
      inner->seen = true;
      inner = si_osim_object(inner, none);
    }
    if (!inner) return si_osim_fail(m, node, "a MultiplierFunction has no function");
    node = inner;
  }
  if (!isfinite(value->scale)) return si_osim_fail(m, node, "the scale is too large");
  node->seen = true;
  if (si_osim_is(node, "Constant")) return read_constant(m, node, value);
  size_t kind = 0;
  while (kind < sizeof kinds / sizeof *kinds && !si_osim_is(node, kinds[kind].tag)) kind++;
  if (kind == sizeof kinds / sizeof *kinds || value->count == 0) return drop(m, node, what, value);

  si_osim_function *f = si_arena_take(&m->tree.arena, sizeof *f);
  if (!f) return si_fail_memory(m->error);
  f->kind = kinds[kind].kind;
  bool points = f->kind == SI_OSIM_SIMM || f->kind == SI_OSIM_PIECEWISE;
  status = points ? read_points(m, node, what, f) : read_coefficients(m, node, f);
  if (status != SINEW_OK) return status;
  int arguments = f->kind == SI_OSIM_LINEAR ? f->count - 1 : 1;
  if (arguments != value->count) return drop(m, node, what, value);
  if (f->kind == SI_OSIM_POLYNOMIAL && f->count > 32)
    return si_osim_fail(m, node, "a polynomial has more than 32 coefficients");
  value->function = f;
  return SINEW_OK;
}
