/* Graphs as text: a statement on each line, see sinew/program.h.
 *
 * Reading adds the same operations in the same order, so it gives the same graph. */
#include "math/graph.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  uint32_t results;
} many_names[SI_MANY_COUNT] = {
  [SI_MANY_ROOT] = { "root", 1 },
  [SI_MANY_NEWTON] = { "newton", SI_GRAPH_UNKNOWNS },
  [SI_MANY_CONTACT] = { "contact", 3 },
};

static const char *const port_names[SI_PORT_KINDS] = { "scalar", "vector", "matrix", "hold" };

/* --- writing */

typedef struct writer {
  const si_graph *g;
  const si_graph_desc *desc;
  si_text *dest;
  bool *needed;
  uint32_t *number; /* of each value in the text */
} writer;

static void need(writer *w, si_value v) {
  if (v) w->needed[v] = true;
}

/* marks what each needed value takes; values come after what they take */
static void mark(writer *w) {
  for (uint32_t i = 0; i < w->desc->out_count; i++) need(w, w->desc->outs[i]);
  need(w, w->desc->fail);
  for (si_value v = w->g->count; v > 0; v--) {
    const si_graph_node *n = si_graph_at(w->g, v);
    if (!w->needed[v]) continue;
    if (n->code == SI_G_PART) {
      const si_many *m = &w->g->many[n->a];
      for (uint32_t i = 0; i < m->arg_count; i++) need(w, m->args[i]);
      for (uint32_t i = 0; i < m->count; i++) need(w, m->zeros[i]);
      continue;
    }
    const si_value taken[] = { n->a, n->b, n->c };
    for (int i = 0; i < si_graph_code_arity((si_graph_code)n->code); i++) need(w, taken[i]);
  }
}

static void write_number(si_text *dest, double number) {
  char text[SI_NUMBER_TEXT];
  if (isfinite(number))
    si_double_text(number, text);
  else
    snprintf(text, sizeof text, "%s", isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
  si_text_format(dest, " %s", text);
}

static void write_many(const writer *w, const si_many *m, uint32_t part) {
  si_text_format(w->dest, "%s %u %u %u %u", many_names[m->kind].name, part, m->depth, m->count,
                 m->steps);
  for (uint32_t i = 0; i < m->arg_count; i++) si_text_format(w->dest, " %u", w->number[m->args[i]]);
  for (uint32_t i = 0; i < m->count; i++) si_text_format(w->dest, " %u", w->number[m->zeros[i]]);
}

static void write_node(const writer *w, const si_graph_node *n) {
  const char *name = si_graph_code_name((si_graph_code)n->code);
  if (n->code == SI_G_PART) {
    write_many(w, &w->g->many[n->a], n->b);
    return;
  }
  si_text_add(w->dest, name);
  switch (n->code) {
  case SI_G_NUMBER: write_number(w->dest, n->number); break;
  case SI_G_INPUT: si_text_format(w->dest, " %u", n->a); break;
  case SI_G_UNKNOWN: si_text_format(w->dest, " %u %u", n->a, n->b); break;
  case SI_G_PARAM:
    si_text_format(w->dest, " %u %s", w->desc->params[n->a].entry, w->desc->params[n->a].name);
    break;
  case SI_G_CURVE:
  case SI_G_SLOPE: si_text_format(w->dest, " %u %s", w->number[n->a], w->desc->curves[n->b]); break;
  default: {
    const si_value taken[] = { n->a, n->b, n->c };
    for (int i = 0; i < si_graph_code_arity((si_graph_code)n->code); i++)
      si_text_format(w->dest, " %u", w->number[taken[i]]);
  }
  }
}

static void write_ports(si_text *dest, const char *word, const uint8_t *kinds, uint32_t count) {
  si_text_add(dest, word);
  for (uint32_t i = 0; i < count; i++) si_text_format(dest, " %s", port_names[kinds[i]]);
  si_text_add(dest, "\n");
}

/* a message on one line */
static void write_message(si_text *dest, const char *message) {
  si_text_add(dest, "message ");
  for (; *message; message++) si_text_add_n(dest, (unsigned char)*message < 32 ? " " : message, 1);
  si_text_add(dest, "\n");
}

void si_graph_write(const si_graph *graph, const si_graph_desc *desc, si_text *dest) {
  writer w = { graph, desc, dest, NULL, NULL };
  w.needed = si_alloc_array((size_t)graph->count + 1, sizeof *w.needed);
  w.number = si_alloc_array((size_t)graph->count + 1, sizeof *w.number);
  if (!w.needed || !w.number) {
    dest->failed = true;
  } else {
    memset(w.needed, 0, ((size_t)graph->count + 1) * sizeof *w.needed);
    mark(&w);
    write_ports(dest, "takes", desc->takes, desc->take_count);
    write_ports(dest, "gives", desc->gives, desc->give_count);
    uint32_t count = 0;
    for (si_value v = 1; v <= graph->count; v++) {
      if (!w.needed[v]) continue;
      w.number[v] = ++count;
      write_node(&w, si_graph_at(graph, v));
      si_text_add(dest, "\n");
    }
    si_text_add(dest, "out");
    for (uint32_t i = 0; i < desc->out_count; i++)
      si_text_format(dest, " %u", w.number[desc->outs[i]]);
    si_text_add(dest, "\n");
    if (desc->fail) si_text_format(dest, "fail %u\n", w.number[desc->fail]);
    for (uint32_t i = 0; desc->fail && i < desc->message_count; i++)
      write_message(dest, desc->messages[i]);
  }
  si_free(w.needed);
  si_free(w.number);
}

/* --- reading */

typedef struct reader {
  si_scan scan;
  si_graph_text *dest;
  si_value *values; /* of each statement, from 1 */
  uint32_t count;
  si_graph_param_name *params;
  const char **curves, **messages;
  si_value *outs;
  uint8_t *takes, *gives;
  uint32_t inputs, results;           /* numbers that they have */
  bool takes_read, gives_read, ended; /* `takes`, `gives`, `out` were read */
} reader;

static bool fits(reader *r, const char *what, long most, uint32_t *dest) {
  long read = 0;
  if (si_scan_whole(&r->scan, what, 0, most, &read) < 0) return false;
  *dest = (uint32_t)read;
  return true;
}

static bool take(reader *r, si_value *dest) {
  uint32_t at = 0;
  if (!fits(r, "a value", SI_GRAPH_MOST, &at)) return false;
  if (at == 0 || at > r->count)
    return si_scan_fail(&r->scan, "there is no value %u before this one", at) >= 0;
  *dest = r->values[at];
  return true;
}

/* the rest of the line as a name, in the arena */
static const char *name_of(reader *r) {
  si_word word = si_scan_rest(&r->scan);
  char *name = word.length ? si_arena_text(&r->dest->arena, word.at, (size_t)word.length) : NULL;
  if (!word.length)
    si_scan_fail(&r->scan, "a name expected");
  else if (!name)
    si_fail_memory(r->scan.error);
  return name;
}

static bool read_number(reader *r, si_value *dest) {
  si_word word;
  double number = 0;
  if (!si_scan_word(&r->scan, &word)) return si_scan_fail(&r->scan, "a number expected") >= 0;
  if (si_word_is(word, "nan"))
    number = NAN;
  else if (si_word_is(word, "inf"))
    number = INFINITY;
  else if (si_word_is(word, "-inf"))
    number = -INFINITY;
  else if (!si_text_double(word.at, (size_t)word.length, &number))
    return si_scan_fail(&r->scan, "'%.*s' is not a number", SI_SHOWN(word)) >= 0;
  *dest = si_graph_number(&r->dest->graph, number);
  return true;
}

static bool read_param(reader *r, si_value *dest) {
  si_graph_desc *d = &r->dest->desc;
  uint32_t entry = 0, at = 0;
  if (!fits(r, "an entry of a parameter", SI_GRAPH_NUMBERS, &entry)) return false;
  const char *name = name_of(r);
  if (!name) return false;
  while (at < d->param_count &&
         (r->params[at].entry != entry || strcmp(r->params[at].name, name) != 0))
    at++;
  if (at == SI_GRAPH_NUMBERS) return si_scan_fail(&r->scan, "too many parameters") >= 0;
  if (at == d->param_count) r->params[d->param_count++] = (si_graph_param_name){ name, entry };
  *dest = si_graph_param(&r->dest->graph, at);
  return true;
}

static bool read_curve(reader *r, si_graph_code code, si_value *dest) {
  si_graph_desc *d = &r->dest->desc;
  si_value x = 0;
  uint32_t at = 0;
  const char *name = take(r, &x) ? name_of(r) : NULL;
  if (!name) return false;
  while (at < d->curve_count && strcmp(r->curves[at], name) != 0) at++;
  if (at == SI_GRAPH_NUMBERS) return si_scan_fail(&r->scan, "too many curves") >= 0;
  if (at == d->curve_count) r->curves[d->curve_count++] = name;
  *dest = si_graph_curve(&r->dest->graph, code, at, x);
  return true;
}

static bool read_many(reader *r, si_many_kind kind, si_value *dest) {
  uint32_t part = 0, depth = 0, count = 0, steps = 0;
  si_value args[7] = { 0 }, zeros[SI_GRAPH_UNKNOWNS] = { 0 }, results[3] = { 0 };
  if (!fits(r, "a part", many_names[kind].results - 1, &part) ||
      !fits(r, "a depth", SI_GRAPH_DEPTH - 1, &depth) ||
      !fits(r, "a number of unknowns", SI_GRAPH_UNKNOWNS, &count) ||
      !fits(r, "a number of steps", SI_GRAPH_STEPS, &steps))
    return false;
  if (kind == SI_MANY_ROOT ? count != 1 : kind == SI_MANY_NEWTON ? count < 1 : count != 0)
    return si_scan_fail(&r->scan, "a %s has no %u unknowns", many_names[kind].name, count) >= 0;
  if (kind == SI_MANY_NEWTON && part >= count)
    return si_scan_fail(&r->scan, "there is no part %u", part) >= 0;
  uint32_t taken = kind == SI_MANY_ROOT ? 2 : kind == SI_MANY_NEWTON ? count : 7;
  for (uint32_t i = 0; i < taken; i++)
    if (!take(r, &args[i])) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!take(r, &zeros[i])) return false;
  si_graph *g = &r->dest->graph;
  for (int i = 5; kind == SI_MANY_CONTACT && i < 7; i++)
    if (si_graph_at(g, args[i])->stage > 1 || si_graph_at(g, args[i])->loops)
      return si_scan_fail(&r->scan, "the window of a contact depends on inputs") >= 0;
  if (kind == SI_MANY_CONTACT)
    si_graph_contact(g, args, results);
  else
    si_graph_solved(g, (int)depth, kind, count, steps, args, zeros, results);
  *dest = results[part];
  return true;
}

static bool read_operation(reader *r, si_word word, si_value *dest) {
  si_value v[3] = { 0 };
  for (int kind = 0; kind < SI_MANY_COUNT; kind++)
    if (si_word_is(word, many_names[kind].name)) return read_many(r, (si_many_kind)kind, dest);
  for (int code = SI_G_NEGATE; code < SI_G_COUNT; code++) {
    if (!si_word_is(word, si_graph_code_name((si_graph_code)code))) continue;
    for (int i = 0; i < si_graph_code_arity((si_graph_code)code); i++)
      if (!take(r, &v[i])) return false;
    *dest = si_graph_add(&r->dest->graph, (si_graph_code)code, v[0], v[1], v[2]);
    return true;
  }
  return si_scan_fail(&r->scan, "'%.*s' is no operation", SI_SHOWN(word)) >= 0;
}

static bool read_value(reader *r, si_word word, si_value *dest) {
  uint32_t a = 0, b = 0;
  if (si_word_is(word, "number")) return read_number(r, dest);
  if (si_word_is(word, "param")) return read_param(r, dest);
  if (si_word_is(word, "curve")) return read_curve(r, SI_G_CURVE, dest);
  if (si_word_is(word, "slope")) return read_curve(r, SI_G_SLOPE, dest);
  if (si_word_is(word, "input")) {
    if (!fits(r, "an input", SI_GRAPH_NUMBERS - 1, &a)) return false;
    if (a >= r->inputs)
      return si_scan_fail(&r->scan, "there is no input %u: the inputs have %u numbers", a,
                          r->inputs) >= 0;
    *dest = si_graph_input(&r->dest->graph, a);
    return true;
  }
  if (si_word_is(word, "unknown")) {
    if (!fits(r, "a depth", SI_GRAPH_DEPTH - 1, &a) ||
        !fits(r, "an unknown", SI_GRAPH_UNKNOWNS - 1, &b))
      return false;
    *dest = si_graph_unknown(&r->dest->graph, (int)a, b);
    return true;
  }
  return read_operation(r, word, dest);
}

static bool read_ports(reader *r, bool *done, uint8_t most, uint8_t *kinds, uint32_t *count,
                       uint32_t *numbers) {
  si_word word;
  if (*done || r->count) return si_scan_fail(&r->scan, "ports are named once, at the start") >= 0;
  *done = true;
  while (si_scan_word(&r->scan, &word)) {
    uint8_t kind = 0;
    while (kind <= most && !si_word_is(word, port_names[kind])) kind++;
    if (kind > most) return si_scan_fail(&r->scan, "'%.*s' is no kind", SI_SHOWN(word)) >= 0;
    if (*count && kinds[*count - 1] == SI_PORT_HOLD && kind != SI_PORT_HOLD)
      return si_scan_fail(&r->scan, "holds come last") >= 0;
    *numbers += si_port_numbers(kind);
    if (*numbers > SI_GRAPH_NUMBERS) return si_scan_fail(&r->scan, "too many ports") >= 0;
    kinds[(*count)++] = kind;
  }
  return true;
}

static bool read_outs(reader *r) {
  si_graph_desc *d = &r->dest->desc;
  while (!si_scan_line_done(&r->scan)) {
    if (d->out_count == SI_GRAPH_NUMBERS) return si_scan_fail(&r->scan, "too many results") >= 0;
    if (!take(r, &r->outs[d->out_count])) return false;
    if (si_graph_at(&r->dest->graph, r->outs[d->out_count])->loops)
      return si_scan_fail(&r->scan, "a result depends on an unknown") >= 0;
    d->out_count++;
  }
  if (d->out_count != r->results)
    return si_scan_fail(&r->scan, "%u results expected, not %u", r->results, d->out_count) >= 0;
  r->ended = true;
  return true;
}

static bool read_statement(reader *r) {
  si_graph_desc *d = &r->dest->desc;
  si_word word;
  if (!si_scan_word(&r->scan, &word)) return true;
  if (si_word_is(word, "takes"))
    return read_ports(r, &r->takes_read, SI_PORT_MATRIX, r->takes, &d->take_count, &r->inputs);
  if (si_word_is(word, "gives"))
    return read_ports(r, &r->gives_read, SI_PORT_HOLD, r->gives, &d->give_count, &r->results);
  if (!r->ended && si_word_is(word, "out")) return read_outs(r);
  if (r->ended && si_word_is(word, "fail")) return take(r, &d->fail);
  if (r->ended && si_word_is(word, "message")) {
    if (d->message_count == SI_GRAPH_NUMBERS) return si_scan_fail(&r->scan, "too many") >= 0;
    r->messages[d->message_count] = name_of(r);
    return r->messages[d->message_count++] != NULL;
  }
  if (r->ended) return si_scan_fail(&r->scan, "nothing but 'fail' expected after 'out'") >= 0;
  si_value made = 0;
  if (!read_value(r, word, &made)) return false;
  if (!made || r->count == SI_GRAPH_MOST)
    return si_scan_fail(&r->scan, "the program is too long") >= 0;
  r->values[++r->count] = made;
  if (!si_scan_line_done(&r->scan)) return si_scan_fail(&r->scan, "too many arguments") >= 0;
  return true;
}

sinew_status si_graph_read(const char *text, si_graph_text *dest, sinew_error *error) {
  reader r = { .scan = si_scan_start("program", text, strlen(text), error), .dest = dest };
  si_arena *arena = &dest->arena;
  si_graph_start(&dest->graph, SI_GRAPH_MOST);
  /* a short text needs little: a value takes at least two characters, also in `out` */
  size_t length = strlen(text) / 2 + 2, few = length < SI_GRAPH_NUMBERS ? length : SI_GRAPH_NUMBERS;
  r.values = si_arena_take(arena, ((length < SI_GRAPH_MOST ? length : SI_GRAPH_MOST) + 1) *
                                      sizeof *r.values);
  r.params = si_arena_take(arena, few * sizeof *r.params);
  r.curves = si_arena_take(arena, few * sizeof *r.curves);
  r.messages = si_arena_take(arena, few * sizeof *r.messages);
  r.outs = si_arena_take(arena, few * sizeof *r.outs);
  r.takes = si_arena_take(arena, few);
  r.gives = si_arena_take(arena, few);
  if (!r.takes || !r.gives || !r.values || !r.params || !r.curves || !r.messages || !r.outs)
    return si_fail_memory(error);
  dest->desc.takes = r.takes;
  dest->desc.gives = r.gives;
  dest->desc.params = r.params;
  dest->desc.curves = r.curves;
  dest->desc.messages = r.messages;
  dest->desc.outs = r.outs;
  do
    if (!read_statement(&r)) return SINEW_ERR_FILE;
  while (si_scan_line(&r.scan));
  if (si_stopped()) return si_fail_memory(error);
  if (!r.ended || !dest->desc.out_count)
    return si_scan_fail(&r.scan, "'out' with the results expected");
  return SINEW_OK;
}

void si_graph_text_free(si_graph_text *text) {
  si_graph_free(&text->graph);
  si_arena_free(&text->arena);
  *text = (si_graph_text){ 0 };
}
