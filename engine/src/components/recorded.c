/* program: a component whose formula was recorded from a script, or read from a file. The tape that
 * runs is made in math/tape_make.c; its operations and their derivatives are in math/kernels. */
#include "components/recorded.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "components/catalog.h"
#include "components/rotation.h"
#include "math/matrix.h"
#include "math/rate.h"

#include <string.h>

/* --- the object */

static void destroy(sinew_program *p) {
  si_graph_text_free(&p->graph);
  si_tapes_free(&p->tapes);
  si_free(p->text);
  si_free(p);
}

sinew_program *sinew_program_create(const char *text, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(text)) return NULL;
  sinew_program *p = si_alloc(sizeof *p);
  if (p) *p = (sinew_program){ .refs = 1, .text = si_strdup(text) };
  if (!p || !p->text) {
    si_free(p);
    si_fail_memory(error);
    return NULL;
  }
  if (si_graph_read(text, &p->graph, error) < 0 || si_tapes_make(&p->graph, &p->tapes, error) < 0) {
    destroy(p);
    return NULL;
  }
  p->shape = si_program_shape_of(&p->tapes.pose);
  return p;
}

sinew_program *sinew_program_retain(sinew_program *program) {
  if (program) __atomic_add_fetch(&program->refs, 1, __ATOMIC_RELAXED);
  return program;
}

void sinew_program_release(sinew_program *program) {
  if (program && __atomic_sub_fetch(&program->refs, 1, __ATOMIC_ACQ_REL) == 0) destroy(program);
}

const char *sinew_program_text(const sinew_program *program) {
  return SI_EXPECT(program) ? program->text : "";
}

int sinew_program_operations(const sinew_program *program) {
  return SI_EXPECT(program) ? (int)program->tapes.pose.op_count : 0;
}

static void retain_object(void *object) { sinew_program_retain(object); }
static void release_object(void *object) { sinew_program_release(object); }
const sinew_object_class sinew_program_object = { "program", retain_object, release_object };

/* --- its data */

static size_t padded(size_t bytes) { return (bytes + 31) / 32 * 32; }

static size_t windows_at(void) { return padded(sizeof(si_program_data)); }
/* those of the pose's tape, then those of the one that says why there is no result */
static size_t curves_at(const sinew_program *p) {
  size_t count = p->tapes.pose.window_count + p->tapes.fail.window_count;
  return windows_at() + count * sizeof(si_window);
}
static size_t constants_at(const sinew_program *p) {
  return padded(curves_at(p) + p->graph.desc.curve_count * sizeof(const sinew_curve *));
}
static size_t fail_at(const sinew_program *p) {
  return padded(constants_at(p) + p->tapes.pose.constant_count * sizeof(float));
}
static size_t turn_at(const sinew_program *p) {
  return padded(fail_at(p) + p->tapes.fail.constant_count * sizeof(float));
}

size_t sinew_program_size(const sinew_setup *setup, const sinew_program *program) {
  (void)setup;
  if (!SI_EXPECT(program)) return 0;
  return turn_at(program) + (program->shape.plane < 0 ? 0 : sinew_turn_bytes(2));
}

/* entry i of a parameter that has numbers */
static bool param_entry(const sinew_setup *setup, const sinew_param_desc *d, uint32_t entry,
                        double *dest) {
  int count = 0;
  const float *numbers;
  switch (d->type) {
  case SINEW_PARAM_NUMBER:
  case SINEW_PARAM_FLAG: count = 1; break;
  case SINEW_PARAM_VECTOR: count = 3; break;
  case SINEW_PARAM_MATRIX: count = 16; break;
  case SINEW_PARAM_NUMBERS:
  case SINEW_PARAM_VECTORS: break;
  default: return false;
  }
  if (count) {
    numbers = sinew_setup_numbers(setup, d->name);
  } else {
    numbers = sinew_setup_list(setup, d->name, &count);
    if (d->type == SINEW_PARAM_VECTORS) count *= 3;
  }
  if (entry >= (uint32_t)count) return false;
  *dest = (double)numbers[entry];
  return true;
}

static const sinew_component_class *class_of(const sinew_setup *setup) {
  sinew_setup same;
  return sinew_setup_component(setup, (int)setup->component, &same);
}

static bool read_params(sinew_setup *setup, const sinew_program *p, double *dest) {
  const si_graph_desc *d = &p->graph.desc;
  for (uint32_t i = 0; i < d->param_count; i++) {
    const sinew_param_desc *desc = sinew_class_find_param(class_of(setup), d->params[i].name);
    if (desc && param_entry(setup, desc, d->params[i].entry, &dest[i])) continue;
    sinew_setup_fail(setup, SINEW_ERR_VALUE,
                     "its program reads number %u of parameter '%s', which it has not",
                     d->params[i].entry + 1, d->params[i].name);
    return false;
  }
  return true;
}

static bool read_curves(sinew_setup *setup, const sinew_program *p, const sinew_curve **dest) {
  const si_graph_desc *d = &p->graph.desc;
  for (uint32_t i = 0; i < d->curve_count; i++) {
    const sinew_param_desc *desc = sinew_class_find_param(class_of(setup), d->curves[i]);
    dest[i] =
        desc && desc->type == SINEW_PARAM_CURVE ? sinew_setup_curve(setup, d->curves[i]) : NULL;
    if (dest[i]) continue;
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "its program needs the curve '%s'", d->curves[i]);
    return false;
  }
  return true;
}

/* whether the kinds of the class's ports are those of the program */
static bool fits(const sinew_port_desc *ports, const sinew_hold_desc *holds, const uint8_t *kinds,
                 uint32_t count) {
  static const uint8_t kind_of[] = { [SINEW_SCALAR] = SI_PORT_SCALAR,
                                     [SINEW_VECTOR] = SI_PORT_VECTOR,
                                     [SINEW_MATRIX] = SI_PORT_MATRIX };
  uint32_t at = 0;
  for (; ports && ports->name; ports++, at++)
    if (at >= count || (ports->flags & SINEW_PORT_LIST) || kinds[at] != kind_of[ports->kind])
      return false;
  for (; holds && holds->port; holds++, at++)
    if (at >= count || kinds[at] != SI_PORT_HOLD) return false;
  return at == count;
}

static bool check_ports(sinew_setup *setup, const sinew_program *p) {
  const sinew_component_class *cls = class_of(setup);
  const si_graph_desc *d = &p->graph.desc;
  if (fits(cls->inputs, NULL, d->takes, d->take_count) &&
      fits(cls->outputs, cls->holds, d->gives, d->give_count))
    return true;
  sinew_setup_fail(setup, SINEW_ERR_VALUE, "its program has other ports than its kind");
  return false;
}

static void fill(sinew_setup *setup, const sinew_program *p, char *data, double *params,
                 double *results) {
  si_program_data *d = (si_program_data *)(void *)data;
  si_window *windows = (si_window *)(void *)(data + windows_at());
  const sinew_curve **curves = (const sinew_curve **)(void *)(data + curves_at(p));
  float *k = (float *)(void *)(data + constants_at(p));
  sinew_error error;
  sinew_error_clear(&error);
  const si_tape *tape = &p->tapes.pose;
  if (!check_ports(setup, p) || !read_params(setup, p, params) || !read_curves(setup, p, curves))
    return;
  sinew_status status = si_tape_params(&p->tapes.params, params, curves, results, &error);
  if (status >= 0 && !(si_tape_windows(tape, results, windows) &&
                       si_tape_windows(&p->tapes.fail, results, windows + tape->window_count)))
    status = si_fail(&error, SINEW_ERR_VALUE, "%s", si_tape_window_fault);
  if (status < 0) {
    sinew_setup_fail(setup, status, "%s", error.text);
    return;
  }
  si_tape_fill(tape, results, k);
  if (p->tapes.fail.ops)
    si_tape_fill(&p->tapes.fail, results, (float *)(void *)(data + fail_at(p)));
  sinew_turn *turn = p->shape.plane < 0 ? NULL : (sinew_turn *)(void *)(data + turn_at(p));
  bool turns = turn && si_program_turn(p, k, turn);
  *d = (si_program_data){ .program = p,
                          .fail = (uint32_t)(fail_at(p) / sizeof(float)),
                          .turn = turns ? (uint32_t)(turn_at(p) / sizeof(float)) : 0 };
  si_tape_bind(tape, k, curves, windows, &d->tape);
}

/* room for what setup computes; NULL when memory is out */
static double *numbers_for(const sinew_program *p) {
  return si_alloc_array(p->graph.desc.param_count + p->tapes.params.result_count + 2,
                        sizeof(double));
}

bool sinew_program_turns(const sinew_setup *setup, const sinew_program *program) {
  if (!SI_EXPECT(setup && program) || program->shape.plane < 0) return false;
  const si_tape *tape = &program->tapes.pose;
  double *params = numbers_for(program), *results;
  float *k = si_alloc_array(tape->constant_count + 4, sizeof *k);
  sinew_error ignored;
  sinew_error_clear(&ignored);
  sinew_setup quiet = *setup;
  quiet.error = &ignored;
  bool turns = false;
  if (params && k && program->graph.desc.curve_count == 0 && read_params(&quiet, program, params)) {
    results = params + program->graph.desc.param_count + 1;
    if (si_tape_params(&program->tapes.params, params, NULL, results, &ignored) >= 0) {
      si_tape_fill(tape, results, k);
      turns = si_program_turn(program, k, NULL);
    }
  }
  si_free(params);
  si_free(k);
  return turns;
}

void sinew_program_setup(sinew_setup *setup, const sinew_program *program, void *data) {
  if (!SI_EXPECT(setup && program && data)) return;
  double *room = numbers_for(program);
  if (!room) {
    sinew_setup_fail(setup, SINEW_ERR_MEMORY, "out of memory");
    return;
  }
  fill(setup, program, data, room, room + program->graph.desc.param_count + 1);
  si_free(room);
}

/* --- evaluation */

static inline const sinew_turn *turn_in(const si_program_data *d) {
  return (const sinew_turn *)(const void *)((const float *)(const void *)d + d->turn);
}

static const sinew_turn *turn_of(const void *data) {
  const si_program_data *d = data;
  return d->program && d->turn ? turn_in(d) : NULL;
}

static void eval(const sinew_node *node, float *values) {
  const si_program_data *d = node->data;
  if (!d->turn) {
    si_tape_eval_one(node, values);
    return;
  }
  const sinew_turn *turn = turn_in(d);
  float angle = si_rotation_angle_one(values[node->ports[0]], turn->low, turn->high);
  si_rotation_eval(turn, angle, values + node->ports[1]);
}

/* --- derivatives */

/* floats of a number or column in the arrays of derivatives */
static size_t stride_of(uint8_t kind) {
  return kind == SI_PORT_MATRIX ? 16 : kind == SI_PORT_VECTOR ? 4 : 1;
}

/* adds `weight` times the derivatives `by` of the results to those of column `column` */
static inline void add_rates(const si_program_data *d, const sinew_rates *rates, uint32_t column,
                             float weight, const float *by) {
  const uint8_t *kinds = d->program->graph.desc.gives;
  const si_i4 rows = { -1, -1, -1, 0 };
  for (const si_tape_move *m = d->tape.stores; m < d->tape.stores_end; m++) {
    if (m->kind == SI_MOVE_HOLD) continue;
    if (m->kind == SI_MOVE_ONE) {
      rates->outputs[m->port][column] += weight * by[m->reg];
    } else if (m->kind == SI_MOVE_MATRIX) {
      si_rate_add(weight, by + m->reg, rates->outputs[m->port] + 16 * (size_t)column);
    } else {
      float *to = rates->outputs[m->port] + stride_of(kinds[m->port]) * column + m->offset;
      si_v4 more = (si_v4)((si_i4)(si_all(weight) * si_load(by + m->reg)) & rows);
      si_store(to, si_load(to) + more);
    }
  }
}

/* the same of four directions, for the first `count` columns from `first` on */
static void add_four_rates(const si_program_data *d, const sinew_rates *rates, uint32_t first,
                           uint32_t count, const si_v4 *by) {
  const uint8_t *kinds = d->program->graph.desc.gives;
  for (const si_tape_move *m = d->tape.stores; m < d->tape.stores_end; m++) {
    if (m->kind == SI_MOVE_HOLD) continue;
    size_t stride = stride_of(kinds[m->port]);
    float *to = rates->outputs[m->port] + stride * first + m->offset;
    for (uint32_t n = 0; n < si_move_numbers(m); n++) {
      uint32_t at = si_move_offset(n);
      for (uint32_t c = 0; c < count; c++) to[stride * c + at] += by[m->reg + at][c];
    }
  }
}

/* the derivative of input `m` in one direction, into the registers' derivatives, `step` floats
 * apart */
static void seed(const si_program_data *d, const sinew_rates *rates, const si_tape_move *m,
                 uint32_t column, float *to, uint32_t step) {
  const sinew_input_rates *in = &rates->inputs[m->port];
  size_t stride = stride_of(d->program->graph.desc.takes[m->port]);
  uint32_t rows = m->kind == SI_MOVE_ONE ? 1 : 3, at = 0;
  while (at < in->count && in->columns[at] < column) at++;
  bool moves = at < in->count && in->columns[at] == column;
  for (uint32_t row = 0; row < rows; row++)
    to[(size_t)(m->reg + row) * step] = moves ? in->rates[stride * at + m->offset + row] : 0;
}

static inline bool one_scalar(const si_program_data *d) {
  return d->tape.loads + 1 == d->tape.loads_of_four && d->tape.loads + 1 == d->tape.loads_end;
}

/* one scalar in: its derivative serves all directions */
static inline void rate_by_one(const si_program_data *d, const sinew_node *node,
                               const float *values, const sinew_rates *rates, float *r, float *by) {
  const sinew_input_rates *in = &rates->inputs[d->tape.loads->port];
  by[d->tape.loads->reg] = 1;
  si_tape_fill_one(&d->tape, node, values, r);
  si_tape_rate(d->tape.ops, d->tape.k, &d->tape.aids, r, by);
  for (uint32_t i = 0; i < in->count; i++) add_rates(d, rates, in->columns[i], in->rates[i], by);
}

/* one direction */
static inline void rate_once(const si_program_data *d, const sinew_node *node, const float *values,
                             const sinew_rates *rates, float *r, float *by) {
  for (const si_tape_move *m = d->tape.loads; m < d->tape.loads_end; m++) {
    const sinew_input_rates *in = &rates->inputs[m->port];
    if (m->kind == SI_MOVE_ONE)
      by[m->reg] = in->count ? in->rates[m->offset] : 0;
    else
      seed(d, rates, m, 0, by, 1);
  }
  si_tape_fill_one(&d->tape, node, values, r);
  si_tape_rate(d->tape.ops, d->tape.k, &d->tape.aids, r, by);
  add_rates(d, rates, 0, 1, by);
}

static inline __attribute__((always_inline)) void
rate_all(const si_program_data *d, const sinew_node *node, const float *values,
         const sinew_rates *rates, float *r, float *by) {
  if (one_scalar(d))
    rate_by_one(d, node, values, rates, r, by);
  else
    rate_once(d, node, values, rates, r, by);
}

static __attribute__((noinline)) void rate(const si_program_data *d, const sinew_node *node,
                                           const float *values, const sinew_rates *rates) {
  _Alignas(16) float r[SI_TAPE_FEW], by[SI_TAPE_FEW];
  rate_all(d, node, values, rates, r, by);
}

static __attribute__((noinline)) void rate_long(const si_program_data *d, const sinew_node *node,
                                                const float *values, const sinew_rates *rates) {
  _Alignas(16) float r[SI_TAPE_REGISTERS], by[SI_TAPE_REGISTERS];
  rate_all(d, node, values, rates, r, by);
}

/* directions in fours */
static __attribute__((noinline)) void rate_fours(const si_program_data *d, const sinew_node *node,
                                                 const float *values, const sinew_rates *rates) {
  const float *k = d->tape.k;
  _Alignas(16) float r[SI_TAPE_REGISTERS];
  si_v4 by[SI_TAPE_REGISTERS];
  si_tape_fill_one(&d->tape, node, values, r);
  for (uint32_t first = 0; first < rates->count; first += 4) {
    uint32_t count = rates->count - first < 4 ? rates->count - first : 4;
    for (const si_tape_move *m = d->tape.loads; m < d->tape.loads_end; m++) {
      for (int row = 0; row < (m->kind == SI_MOVE_ONE ? 1 : 3); row++) by[m->reg + row] = si_all(0);
      for (uint32_t c = 0; c < count; c++) seed(d, rates, m, first + c, (float *)by + c, 4);
    }
    si_tape_rates(d->tape.ops, k, &d->tape.aids, r, by);
    add_four_rates(d, rates, first, count, by);
  }
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  const si_program_data *d = node->data;
  (void)error;
  if (d->turn) {
    const sinew_turn *turn = turn_in(d);
    float angle = values[node->ports[0]];
    _Alignas(16) float by_angle[16];
    if (angle < turn->low || angle > turn->high) return SINEW_OK;
    si_rotation_rate(turn, angle, by_angle);
    si_rate_spread(rates, 0, by_angle, 0);
    return SINEW_OK;
  }
  if (rates->count != 1 && !one_scalar(d))
    rate_fours(d, node, values, rates);
  else if (d->tape.aids.registers > SI_TAPE_FEW)
    rate_long(d, node, values, rates);
  else
    rate(d, node, values, rates);
  return SINEW_OK;
}

/* why the outputs are not finite: what the script raised, if it did */
static bool reason(const sinew_node *node, const float *values, sinew_error *why) {
  const si_program_data *d = node->data;
  const sinew_program *p = d->program;
  const si_tape *tape = p ? &p->tapes.fail : NULL;
  if (!p || !tape->ops) return false;
  _Alignas(16) float r[SI_TAPE_REGISTERS];
  si_tape_bound fail;
  si_tape_bind(tape, (const float *)(const void *)d + d->fail, d->tape.aids.curves,
               d->tape.aids.windows + p->tapes.pose.window_count, &fail);
  si_tape_take(&fail, node, values, r);
  si_tape_run(fail.ops, fail.k, &fail.aids, r);
  float which = r[tape->stores[0].reg];
  if (!(which >= 1 && which <= (float)p->graph.desc.message_count)) return false;
  si_fail(why, SINEW_ERR_SCRIPT, "%s", p->graph.desc.messages[(uint32_t)which - 1]);
  return true;
}

void sinew_program_fill_class(sinew_component_class *dest) {
  if (!SI_EXPECT(dest)) return;
  dest->tangent = tangent;
  dest->reason = reason;
  dest->kernel = SI_KERNEL_PROGRAM;
  const sinew_port_desc *in = dest->inputs, *out = dest->outputs;
  bool may_turn = in && in[0].name && !in[1].name && in->kind == SINEW_SCALAR && out &&
                  out[0].name && !out[1].name && out->kind == SINEW_MATRIX;
  dest->eval = may_turn ? eval : si_tape_eval_one;
  if (may_turn) dest->turn = turn_of;
}

const sinew_program *sinew_program_of(const sinew_node *node) {
  if (!SI_EXPECT(node) || (node->eval != eval && node->eval != si_tape_eval_one)) return NULL;
  return ((const si_program_data *)node->data)->program;
}
