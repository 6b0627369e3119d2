/* Reads formulas. A recursive descent parser; what it has read so far is a sum of registers with
 * weights, in doubles. */
#include "math/formula_code.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

enum { most_terms = 16, quoted = 80 };

typedef struct sum {
  double constant;
  int count;
  struct {
    double weight;
    uint16_t at;
  } terms[most_terms];
} sum;

typedef struct reader {
  const char *text, *at, *end;
  si_formula_draft *dest;
  sinew_error *error;
  sinew_status status;
  int depth;
} reader;

#define fail(r, ...) fail_at(r, (r)->at, __VA_ARGS__)
static void SINEW_PRINTF(3, 4) fail_at(reader *r, const char *at, const char *format, ...) {
  if (r->status < 0) return;
  char words[256];
  va_list list;
  va_start(list, format);
  vsnprintf(words, sizeof words, format, list);
  va_end(list);
  r->status = si_fail(r->error, SINEW_ERR_VALUE, "'%.*s%s', character %d: %s", quoted, r->text,
                      r->end - r->text > quoted ? "..." : "", (int)(at - r->text) + 1, words);
}

static void skip_blanks(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
    r->at++;
}

static bool takes(reader *r, char c) {
  skip_blanks(r);
  bool found = r->at < r->end && *r->at == c;
  r->at += found;
  return found;
}

static void expect(reader *r, char c) {
  if (takes(r, c)) return;
  if (r->at < r->end)
    fail(r, "'%c' expected, not '%c'", c, *r->at);
  else
    fail(r, "'%c' expected, but the formula ends", c);
}

/* --- operations */

static uint32_t registers(const si_formula_draft *f) { return f->inputs + f->constants + f->ops; }

static float rounded(reader *r, double x) {
  if (!(fabs(x) <= (double)FLT_MAX)) fail(r, "the numbers up to here become too large");
  return (float)x + 0.0f; /* no -0 */
}

/* Constants come before operations, whose registers are moved when one is added. So constants are
 * numbered from the top while reading, and renumbered at the end. */
static uint16_t constant(reader *r, double value) {
  si_formula_draft *f = r->dest;
  float x = rounded(r, value);
  for (uint16_t i = 0; i < f->constants; i++)
    if (f->constant[i] == x) return (uint16_t)(UINT16_MAX - i);
  if (registers(f) >= SI_FORMULA_REGISTERS) {
    fail(r, "the formula is too long");
    return 0;
  }
  f->constant[f->constants++] = x;
  return (uint16_t)(UINT16_MAX - (f->constants - 1));
}

/* operations are numbered after the inputs; an equal one is used again */
static uint16_t operate(reader *r, si_op op) {
  si_formula_draft *f = r->dest;
  for (uint16_t i = 0; i < f->ops; i++) {
    const si_op *o = &f->op[i];
    if (o->code == op.code && o->a == op.a && o->b == op.b && o->k[0] == op.k[0] &&
        o->k[1] == op.k[1] && o->k[2] == op.k[2])
      return (uint16_t)(f->inputs + i);
  }
  if (registers(f) >= SI_FORMULA_REGISTERS) {
    fail(r, "the formula is too long");
    return 0;
  }
  f->op[f->ops++] = op;
  return (uint16_t)(f->inputs + f->ops - 1);
}

/* the register that holds a sum */
static uint16_t settle(reader *r, const sum *s) {
  if (s->count == 0) return constant(r, s->constant);
  uint16_t at = s->terms[0].at;
  float k0 = rounded(r, s->constant), k1 = rounded(r, s->terms[0].weight);
  if (s->count == 1) {
    if (k0 == 0 && k1 == 1) return at;
    return operate(r, (si_op){ .code = SI_OP_LINE, .a = at, .b = at, .k = { k0, k1, 0 } });
  }
  at = operate(r, (si_op){ .code = SI_OP_PLANE,
                           .a = at,
                           .b = s->terms[1].at,
                           .k = { k0, k1, rounded(r, s->terms[1].weight) } });
  for (int i = 2; i < s->count; i++)
    at = operate(r, (si_op){ .code = SI_OP_ADD,
                             .a = at,
                             .b = s->terms[i].at,
                             .k = { 0, rounded(r, s->terms[i].weight), 0 } });
  return at;
}

static sum sum_of(uint16_t at) { return (sum){ .count = 1, .terms = { { 1, at } } }; }

static void scale(sum *s, double by) {
  s->constant *= by;
  for (int i = 0; i < s->count; i++) s->terms[i].weight *= by;
  if (by == 0) s->count = 0;
}

/* a += weight b */
static void add(reader *r, sum *a, const sum *b, double weight) {
  a->constant += weight * b->constant;
  for (int i = 0; i < b->count; i++) {
    int k = 0;
    while (k < a->count && a->terms[k].at != b->terms[i].at) k++;
    if (k == most_terms) {
      *a = sum_of(settle(r, a));
      k = 1;
    }
    if (k == a->count) {
      a->terms[k].at = b->terms[i].at;
      a->terms[k].weight = 0;
      a->count++;
    }
    a->terms[k].weight += weight * b->terms[i].weight;
    if (a->terms[k].weight == 0) {
      a->count--;
      memmove(&a->terms[k], &a->terms[k + 1], (size_t)(a->count - k) * sizeof a->terms[0]);
    }
  }
}

/* while reading: whether a register is the result of an operation */
static bool is_operation(const si_formula_draft *f, uint16_t at) {
  return at >= f->inputs && at < f->inputs + f->ops;
}

/* the operation whose result a sum is, NULL if it is anything else */
static const si_op *operation_at(const si_formula_draft *f, const sum *s) {
  bool plain = s->count == 1 && s->constant == 0 && s->terms[0].weight == 1;
  uint16_t at = plain ? s->terms[0].at : 0;
  return plain && is_operation(f, at) ? &f->op[at - f->inputs] : NULL;
}

/* min or max with a constant; one of another joins it */
static sum clamp(reader *r, si_op_code code, const sum *a, double bound) {
  const si_op *before = operation_at(r->dest, a);
  float k = rounded(r, bound);
  si_op op = { .code = SI_OP_CLAMP, .k = { 0, -INFINITY, INFINITY } };
  if (before && before->code == SI_OP_CLAMP)
    op = *before;
  else
    op.a = op.b = settle(r, a);
  for (int i = 1; i < 3; i++)
    op.k[i] = code == SI_OP_MIN ? (k < op.k[i] ? k : op.k[i]) : (k > op.k[i] ? k : op.k[i]);
  return sum_of(operate(r, op));
}

static sum apply(reader *r, si_op_code code, const sum *a, const sum *b) {
  bool bounds = code == SI_OP_MIN || code == SI_OP_MAX;
  if (bounds && b->count == 0) return clamp(r, code, a, b->constant);
  if (bounds && a->count == 0) return clamp(r, code, b, a->constant);
  uint16_t x = settle(r, a), y = settle(r, b);
  return sum_of(operate(r, (si_op){ .code = (uint16_t)code, .a = x, .b = y }));
}

/* takes the weight out of a sum of one term, so that 2 x1 x2 is one product, scaled at the end */
static double weight_of(sum *s) {
  if (s->count != 1 || s->constant != 0) return 1;
  double weight = s->terms[0].weight;
  s->terms[0].weight = 1;
  return weight;
}

static void multiply(reader *r, sum *a, sum *b) {
  if (b->count == 0) {
    scale(a, b->constant);
  } else if (a->count == 0) {
    double by = a->constant;
    *a = *b;
    scale(a, by);
  } else {
    double weight = weight_of(a) * weight_of(b);
    *a = apply(r, SI_OP_MULTIPLY, a, b);
    scale(a, weight);
  }
}

static void divide(reader *r, sum *a, sum *b) {
  if (b->count == 0 && b->constant == 0) {
    fail(r, "this divides by zero");
  } else if (b->count == 0) {
    scale(a, 1 / b->constant);
  } else {
    double weight = weight_of(a) / weight_of(b);
    *a = apply(r, SI_OP_DIVIDE, a, b);
    scale(a, weight);
  }
}

/* --- grammar */

static void read_sum(reader *r, sum *dest);

static const struct {
  const char *name;
  si_op_code code;
  bool many; /* two arguments or more; else one */
} functions[] = { { "min", SI_OP_MIN, true },
                  { "max", SI_OP_MAX, true },
                  { "abs", SI_OP_ABS, false } };
enum { function_count = sizeof functions / sizeof *functions };

/* a function of constants is one */
static double constant_of(si_op_code code, double a, double b) {
  switch (code) {
  case SI_OP_MIN: return b < a ? b : a;
  case SI_OP_MAX: return b > a ? b : a;
  default: return fabs(a);
  }
}

static void read_call(reader *r, int function, sum *dest) {
  si_op_code code = functions[function].code;
  const char *name = r->at;
  int count = 1;
  expect(r, '(');
  read_sum(r, dest);
  if (!functions[function].many) {
    if (dest->count == 0)
      dest->constant = constant_of(code, dest->constant, 0);
    else
      *dest = apply(r, code, dest, dest);
  }
  while (functions[function].many && r->status >= 0 && takes(r, ',')) {
    sum next;
    read_sum(r, &next);
    if (r->status < 0) return;
    if (dest->count == 0 && next.count == 0)
      dest->constant = constant_of(code, dest->constant, next.constant);
    else
      *dest = apply(r, code, dest, &next);
    count++;
  }
  expect(r, ')');
  if (functions[function].many && count < 2)
    fail_at(r, name, "%s takes two numbers or more", functions[function].name);
}

static int word_length(const char *at, const char *end) {
  int n = 0;
  while (at + n < end && ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= 'A' && at[n] <= 'Z') ||
                          (at[n] >= '0' && at[n] <= '9') || at[n] == '_' || at[n] == '.'))
    n++;
  return n;
}

/* the input that a word names, from 0; -1: it names none */
static int input_of(const char *at, int length) {
  int n = 0;
  if (length < 2 || length > 4 || *at != 'x' || at[1] == '0') return -1;
  for (int i = 1; i < length; i++) {
    if (at[i] < '0' || at[i] > '9') return -1;
    n = 10 * n + at[i] - '0';
  }
  return n - 1;
}

static void read_word(reader *r, sum *dest) {
  int length = word_length(r->at, r->end), input = input_of(r->at, length);
  *dest = (sum){ 0 };
  if (input >= 0 && input < r->dest->inputs) {
    r->at += length;
    *dest = sum_of((uint16_t)input);
    return;
  }
  for (int i = 0; i < function_count; i++)
    if ((int)strlen(functions[i].name) == length &&
        strncmp(functions[i].name, r->at, (size_t)length) == 0) {
      r->at += length;
      read_call(r, i, dest);
      return;
    }
  if (input >= 0)
    fail(r, "there is no x%d: it has %d input%s", input + 1, r->dest->inputs,
         r->dest->inputs == 1 ? "" : "s");
  else
    fail(r, "'%.*s' is neither an input (x1, x2 ...) nor a function (min, max, abs)",
         length < quoted ? length : quoted, r->at);
}

static void read_primary(reader *r, sum *dest) {
  *dest = (sum){ 0 };
  skip_blanks(r);
  if (r->status < 0) return;
  if (r->at == r->end) {
    fail(r, "a number or an input such as x1 expected, but the formula ends");
  } else if (takes(r, '(')) {
    read_sum(r, dest);
    expect(r, ')');
  } else if ((*r->at >= '0' && *r->at <= '9') || *r->at == '.') {
    if (!si_number_read(&r->at, r->end, &dest->constant)) fail(r, "a number expected");
  } else if (word_length(r->at, r->end)) {
    read_word(r, dest);
  } else {
    fail(r, "a number or an input such as x1 expected, not '%c'",
         *r->at >= ' ' && *r->at < 127 ? *r->at : '?');
  }
}

static void read_signed(reader *r, sum *dest) {
  bool negative = false;
  while (takes(r, '-')) negative = !negative;
  read_primary(r, dest);
  if (negative) scale(dest, -1);
}

static void read_product(reader *r, sum *dest) {
  read_signed(r, dest);
  while (r->status >= 0) {
    bool times = takes(r, '*'), over = !times && takes(r, '/');
    if (!times && !over) return;
    sum next;
    read_signed(r, &next);
    if (r->status < 0) return;
    if (times)
      multiply(r, dest, &next);
    else
      divide(r, dest, &next);
  }
}

static void read_sum(reader *r, sum *dest) {
  *dest = (sum){ 0 };
  if (r->depth++ >= SI_FORMULA_DEPTH) fail(r, "too many parentheses inside each other");
  if (r->status >= 0) read_product(r, dest);
  while (r->status >= 0) {
    bool plus = takes(r, '+'), minus = !plus && takes(r, '-');
    if (!plus && !minus) break;
    sum next;
    read_product(r, &next);
    if (r->status >= 0) add(r, dest, &next, plus ? 1 : -1);
  }
  r->depth--;
}

/* removes operations whose results nothing uses; they are numbered after the inputs still */
static void drop_unused(si_formula_draft *f) {
  bool used[SI_FORMULA_REGISTERS] = { false };
  uint16_t place[SI_FORMULA_REGISTERS] = { 0 }, count = 0;
  if (is_operation(f, f->result)) used[f->result - f->inputs] = true;
  for (int i = f->ops; i-- > 0;) {
    if (!used[i]) continue;
    if (is_operation(f, f->op[i].a)) used[f->op[i].a - f->inputs] = true;
    if (is_operation(f, f->op[i].b)) used[f->op[i].b - f->inputs] = true;
  }
  for (uint16_t i = 0; i < f->ops; i++) {
    si_op op = f->op[i];
    place[i] = (uint16_t)(f->inputs + count);
    if (is_operation(f, op.a)) op.a = place[op.a - f->inputs];
    if (is_operation(f, op.b)) op.b = place[op.b - f->inputs];
    f->op[count] = op;
    count = (uint16_t)(count + used[i]);
  }
  if (is_operation(f, f->result)) f->result = place[f->result - f->inputs];
  f->ops = count;
}

static uint16_t renumbered(const si_formula_draft *f, uint16_t at) {
  if (at < f->inputs) return at;
  if (at > UINT16_MAX - SI_FORMULA_REGISTERS) return (uint16_t)(f->inputs + (UINT16_MAX - at));
  return (uint16_t)(at + f->constants);
}

sinew_status si_formula_parse(const char *text, uint32_t inputs, si_formula_draft *dest,
                              sinew_error *error) {
  if (inputs > SI_FORMULA_INPUTS)
    return si_fail(error, SINEW_ERR_VALUE, "a formula has %d inputs at most", SI_FORMULA_INPUTS);
  reader r = { text, text, text + strlen(text), dest, error, SINEW_OK, 0 };
  dest->inputs = (uint16_t)inputs;
  dest->constants = dest->ops = dest->result = 0;
  sum all;
  read_sum(&r, &all);
  skip_blanks(&r);
  if (r.at < r.end)
    fail(&r, "an operator (+ - * /) expected, not '%c'", *r.at >= ' ' && *r.at < 127 ? *r.at : '?');
  if (r.status < 0) return r.status;
  dest->result = settle(&r, &all);
  if (r.status < 0) return r.status;
  drop_unused(dest);
  for (uint32_t i = 0; i < dest->ops; i++) {
    dest->op[i].a = renumbered(dest, dest->op[i].a);
    dest->op[i].b = renumbered(dest, dest->op[i].b);
  }
  dest->result = renumbered(dest, dest->result);
  return SINEW_OK;
}

/* constants of the tape: those that are loaded, then three of each operation */
static uint16_t constant_count(const si_formula_draft *draft) {
  return (uint16_t)(draft->constants + 3 * draft->ops);
}

size_t si_formula_bytes(const si_formula_draft *draft) {
  size_t ops = (size_t)draft->constants + draft->ops + 1;
  size_t bytes =
      sizeof(si_formula_code) + constant_count(draft) * sizeof(float) + ops * sizeof(si_tape_op);
  return (bytes + 15) / 16 * 16;
}

/* A register as k0 + k1 x: an input, a constant, or a line of an input. False for anything else. */
static bool line_at(const si_formula_draft *f, uint16_t at, float k[2], uint16_t *input) {
  uint16_t first = (uint16_t)(f->inputs + f->constants);
  const si_op *op = f->op + (at >= first ? at - first : 0);
  k[0] = 0, k[1] = 1;
  *input = 0;
  if (at < f->inputs) {
    *input = at;
  } else if (at < first) {
    k[0] = f->constant[at - f->inputs], k[1] = 0;
  } else {
    if (op->code != SI_OP_LINE || op->a >= f->inputs) return false;
    k[0] = op->k[0], k[1] = op->k[1];
    *input = op->a;
  }
  return true;
}

/* the same with two inputs */
static bool plane_at(const si_formula_draft *f, uint16_t at, float k[3], uint16_t inputs[2]) {
  uint16_t first = (uint16_t)(f->inputs + f->constants);
  const si_op *op = f->op + (at >= first ? at - first : 0);
  k[2] = 0;
  inputs[1] = 0;
  if (line_at(f, at, k, &inputs[0])) return true;
  if (op->code != SI_OP_PLANE || op->a >= f->inputs || op->b >= f->inputs) return false;
  memcpy(k, op->k, sizeof op->k);
  inputs[0] = op->a, inputs[1] = op->b;
  return true;
}

/* whether each operation adds an input to the one before */
static bool is_sum(const si_formula_draft *f) {
  const si_op *op = f->op;
  uint16_t first = (uint16_t)(f->inputs + f->constants);
  if (f->ops < 2 || op->code != SI_OP_PLANE || op->a >= f->inputs || op->b >= f->inputs)
    return false;
  for (uint16_t i = 1; i < f->ops; i++)
    if (op[i].code != SI_OP_ADD || op[i].a != first + i - 1 || op[i].b >= f->inputs) return false;
  return f->result == first + f->ops - 1;
}

static bool is_pair(uint16_t code) {
  return code == SI_OP_MULTIPLY || code == SI_OP_DIVIDE || code == SI_OP_MIN || code == SI_OP_MAX ||
         code == SI_OP_ABS;
}

static void find_shape(const si_formula_draft *draft, si_formula_code *f) {
  uint16_t first = (uint16_t)(draft->inputs + draft->constants);
  const si_op *last = draft->op + (draft->result >= first ? draft->result - first : 0);
  f->shape = SI_SHAPE_PROGRAM;
  if (plane_at(draft, draft->result, f->k, f->at)) {
    f->shape = SI_SHAPE_PLANE;
  } else if (is_sum(draft)) {
    f->shape = SI_SHAPE_SUM;
  } else if (last->code == SI_OP_CLAMP) {
    if (!plane_at(draft, last->a, f->k, f->at)) return;
    f->shape = SI_SHAPE_CLAMPED;
    memcpy(f->m, last->k + 1, sizeof f->m);
  } else if (is_pair(last->code) && line_at(draft, last->a, f->k, &f->at[0]) &&
             line_at(draft, last->b, f->m, &f->at[1])) {
    f->shape = SI_SHAPE_PAIR;
    f->pair = last->code;
  }
}

/* one operation of the tape; its constants are at `k` */
static si_tape_op tape_op(const si_op *op, uint16_t dest, uint16_t at, float *k) {
  bool second = op->code == SI_OP_ADD || op->code == SI_OP_CLAMP; /* their first is not used */
  for (int i = 0; i < 3; i++) k[i] = second ? op->k[(i + 1) % 3] : op->k[i];
  return (si_tape_op){ .code = op->code, .dest = dest, .a = op->a, .b = op->b, .k = at };
}

void si_formula_make(const si_formula_draft *draft, si_formula_code *dest) {
  *dest = (si_formula_code){ .inputs = draft->inputs,
                             .loads = draft->constants,
                             .ops = draft->ops,
                             .registers = (uint16_t)registers(draft),
                             .constants = constant_count(draft),
                             .result = draft->result };
  si_tape_op *op = (si_tape_op *)(void *)(dest->data + dest->constants);
  uint16_t reg = draft->inputs, at = 0;
  for (uint16_t i = 0; i < draft->constants; i++, at++) {
    dest->data[at] = draft->constant[i];
    *op++ = (si_tape_op){ .code = SI_TAPE_LOAD, .dest = reg++, .k = at };
  }
  for (uint16_t i = 0; i < draft->ops; i++, at = (uint16_t)(at + 3))
    *op++ = tape_op(&draft->op[i], reg++, at, dest->data + at);
  *op = (si_tape_op){ .code = SI_TAPE_END };
  find_shape(draft, dest);
}

float si_formula_run(const si_formula_code *f, float *r) {
  si_tape_aids aids = si_formula_aids(f);
  si_tape_run(si_formula_tape(f), si_formula_constants(f), &aids, r);
  return r[f->result];
}

si_v4 si_formula_rates(const si_formula_code *f, float *r, si_v4 *d) {
  si_tape_aids aids = si_formula_aids(f);
  si_tape_rates(si_formula_tape(f), si_formula_constants(f), &aids, r, d);
  return d[f->result];
}

/* --- for people */

void si_formula_say(const char *text, const char *(*name)(void *user, uint32_t input), void *user,
                    si_text *dest) {
  const char *end = text + strlen(text);
  bool number = false; /* the last thing said is a number */
  while (text < end) {
    const char *start = text;
    double value;
    int length = word_length(text, end), input = input_of(text, length);
    if (*text >= '0' && *text <= '9' && si_number_read(&text, end, &value)) {
      si_text_number(dest, (float)value);
      number = true;
      continue;
    }
    text += length ? length : 1;
    if (number && *start == '*' && input_of(text, word_length(text, end)) >= 0)
      si_text_add(dest, " "); /* 55*x1 is said as "55 fold" */
    else if (input >= 0)
      si_text_add(dest, name(user, (uint32_t)input));
    else
      si_text_add_n(dest, start, (size_t)(text - start));
    number = false;
  }
}
