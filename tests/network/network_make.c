/* Makes random networks from the class tables; see network.h. A new component needs no code here,
 * unless its parameters depend on each other or are lists, objects or names. Then add a function to
 * `makers` below. */
#include "network.h"

#include "make.h"
#include "owned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float wide_range = 1e9f;

enum { most_ports = 1024, most_wires = 24, most_params = 16, room = 96, field_kinds = 4 };

/* Something that can be wired. */
typedef struct port {
  char name[room];
  sinew_kind kind;
  const sinew_component_class *cls; /* NULL: a DOF */
  const char *unit;                 /* "" if it has none */
} port;

typedef struct maker {
  sinew_builder *b;
  uint32_t seed;
  network_size size;
  port ports[most_ports];
  int port_count, part_count;
  bool alike; /* rotations have one interval */
  int parents[256];
  char segments[256][16];
  bool reaches[256];  /* it is a child that does not start where its parent does */
  bool mirrored[256]; /* its rest frame in the world mirrors */
  bool settled[256];  /* whether it is driven, and by what, is decided */
} maker;

/* A component under construction: what sinew_component_desc points to. */
typedef struct part {
  const sinew_component_class *cls;
  const char *name;
  sinew_wire wires[most_wires];
  char sources[most_wires][room];
  int wire_count;
  sinew_param params[most_params];
  int param_count;
  float numbers[512];
  int number_count;
  char texts[4][room];
  sinew_curve *curves[most_params];
  int curve_count;
} part;

static void name_copy(char *dest, const char *from) {
  snprintf(dest, room, "%.*s", room - 1, from);
}
static int any(maker *m, int count) { return make_index(&m->seed, count); }
static bool chance(maker *m, int percent) { return any(m, 100) < percent; }
static float between(maker *m, float low, float high) { return make_between(&m->seed, low, high); }

/* --- classes for the tests */

enum { mix_y, mix_w, mix_t };

static size_t mix_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(float);
}
static void mix_setup(sinew_setup *setup, void *data) {
  *(float *)data = sinew_setup_number(setup, "gain");
}

/* y = gain a + b / 4, at most 150; w = gain v + (y / 100, 0, 0); t = m translated by w */
static void mix_eval(const sinew_node *node, float *values) {
  float gain = *(const float *)node->data;
  float wanted = gain * *sinew_node_in(node, values, 0) + 0.25f * *sinew_node_in(node, values, 1);
  float y = wanted > 150 ? 150 : wanted;
  const float *v = sinew_node_in(node, values, 2), *m = sinew_node_in(node, values, 3);
  float *w = sinew_node_out(node, values, mix_w), *t = sinew_node_out(node, values, mix_t);
  *sinew_node_out(node, values, mix_y) = y;
  *sinew_node_hold(node, values, 0) = y - wanted;
  for (int i = 0; i < 3; i++) w[i] = gain * v[i] + (i == 0 ? 0.01f * y : 0);
  memcpy(t, m, 16 * sizeof *t);
  for (int i = 0; i < 3; i++) t[12 + i] += w[i];
  *sinew_node_memo(node, values, 0) += 1; /* a hint, which must not change a result */
}

static const sinew_port_desc mix_inputs[] = {
  { "a", SINEW_SCALAR, 0, 0, "", "" },
  { "b", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 5, "", "" },
  { "v", SINEW_VECTOR, SINEW_PORT_OPTIONAL, 0, "", "" },
  { "m", SINEW_MATRIX, SINEW_PORT_OPTIONAL, 0, "", "" },
  { 0 },
};
static const sinew_port_desc mix_outputs[] = {
  { "y", SINEW_SCALAR, 0, 0, "", "" },
  { "w", SINEW_VECTOR, 0, 0, "", "" },
  { "t", SINEW_MATRIX, 0, 0, "", "" },
  { 0 },
};
static const sinew_param_desc mix_params[] = {
  { .name = "gain", .type = SINEW_PARAM_NUMBER, .fallback = { 0.5f }, .max = 2 },
  { 0 },
};
static const sinew_hold_desc mix_holds[] = { { "a", "150" }, { 0 } };
static const sinew_component_class mix = { .class_size = sizeof(sinew_component_class),
                                           .name = "mix",
                                           .doc = "",
                                           .inputs = mix_inputs,
                                           .outputs = mix_outputs,
                                           .params = mix_params,
                                           .holds = mix_holds,
                                           .memo_count = 1,
                                           .size = mix_size,
                                           .setup = mix_setup,
                                           .eval = mix_eval };

/* y = x / 2, and fails above its limit */
static void guard_setup(sinew_setup *setup, void *data) {
  *(float *)data = sinew_setup_number(setup, "limit");
}
static sinew_status guard_try(const sinew_node *node, float *values, sinew_error *error) {
  float x = *sinew_node_in(node, values, 0), limit = *(const float *)node->data;
  if (x > limit) return sinew_error_add(error, SINEW_ERR_SCRIPT, "above its limit");
  *sinew_node_out(node, values, 0) = 0.5f * x;
  return SINEW_OK;
}
static sinew_status guard_tangent(const sinew_node *node, const float *values,
                                  const sinew_rates *rates, sinew_error *error) {
  (void)node, (void)values, (void)error;
  for (uint32_t k = 0; k < rates->inputs[0].count; k++)
    rates->outputs[0][rates->inputs[0].columns[k]] += 0.5f * rates->inputs[0].rates[k];
  return SINEW_OK;
}
static const sinew_port_desc guard_inputs[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc guard_outputs[] = { { "y", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_param_desc guard_params[] = {
  { .name = "limit", .type = SINEW_PARAM_NUMBER, .fallback = { 1e9f }, .min = 60, .max = 1e9f },
  { 0 },
};
static const sinew_component_class guard = { .class_size = sizeof(sinew_component_class),
                                             .name = "guard",
                                             .doc = "",
                                             .inputs = guard_inputs,
                                             .outputs = guard_outputs,
                                             .params = guard_params,
                                             .size = mix_size,
                                             .setup = guard_setup,
                                             .try_eval = guard_try,
                                             .tangent = guard_tangent };

const sinew_component_class *const network_classes[] = { &mix, &guard, NULL };

/* --- fields, made once and shared */

static struct {
  sinew_field *field;
  char text[4096];
} fields[field_kinds];

/* 1 to 3 axes: the region around a closed path; the last wraps */
static sinew_field *shared_field(int kind) {
  if (fields[kind].field) return fields[kind].field;
  static const int axes_of[field_kinds] = { 1, 2, 3, 2 };
  enum { count = 24 };
  int axes = axes_of[kind], at = 0;
  float samples[3 * count];
  sinew_field_desc desc = sinew_default_field_desc(axes);
  char *text = fields[kind].text;
  const int size = sizeof fields[kind].text;
  at += snprintf(text + at, (size_t)(size - at), "sinew.field { axes = {");
  for (int i = 0; i < axes; i++) {
    desc.axes[i] = (sinew_field_axis){ -120, 120, 9 + 2 * i, kind == 3 };
    at += snprintf(text + at, (size_t)(size - at),
                   " { min = -120, max = 120, resolution = %d, wrap = %s },", 9 + 2 * i,
                   kind == 3 ? "true" : "false");
  }
  at += snprintf(text + at, (size_t)(size - at), " }, depth = 4, samples = {");
  for (int k = 0; k < count; k++) {
    at += snprintf(text + at, (size_t)(size - at), " {");
    for (int i = 0; i < axes; i++) {
      double turn = 6.2831853 * k / count;
      float x = (float)(10 * i + (70 - 10 * i) * sin((1 + i / 2) * turn + 1.3 * i));
      samples[axes * k + i] = x;
      at += snprintf(text + at, (size_t)(size - at), "%s%.9g", i ? ", " : " ", (double)x);
    }
    at += snprintf(text + at, (size_t)(size - at), " },");
  }
  snprintf(text + at, (size_t)(size - at), " } }");
  sinew_field_clip clip = { samples, count };
  sinew_field_motion motion = sinew_default_field_motion();
  motion.clips = &clip, motion.clip_count = 1, motion.depth = 4;
  fields[kind].field = sinew_field_from_motion(&desc, &motion, NULL, NULL);
  return fields[kind].field;
}

const char *network_field_text(const void *field) {
  for (int i = 0; i < field_kinds; i++)
    if (fields[i].field == field) return fields[i].text;
  return "nil";
}

void network_fields_free(void) {
  for (int i = 0; i < field_kinds; i++) {
    sinew_field_release(fields[i].field);
    fields[i].field = NULL;
  }
}

/* --- wires */

const char *network_output_unit(const sinew_component_class *cls, int output) {
  const sinew_port_desc *desc = cls->outputs;
  if (cls->named || !desc) return "";
  while (output-- > 0 && desc[1].name) desc++;
  return desc->unit ? desc->unit : "";
}

/* a port of this kind that may be wired to an input of this unit: one of the same class, to make
 * chains of one kind; a recent one, to make long chains; or any; NULL if there is none */
static const port *source(maker *m, sinew_kind kind, const char *unit,
                          const sinew_component_class *cls) {
  int fit[most_ports], count = 0, own[most_ports], own_count = 0;
  for (int i = 0; i < m->port_count; i++) {
    if (m->ports[i].kind != kind) continue;
    if (*unit && *m->ports[i].unit && strcmp(unit, m->ports[i].unit) != 0) continue;
    fit[count++] = i;
    if (m->ports[i].cls == cls) own[own_count++] = i;
  }
  if (!count) return NULL;
  if (own_count && chance(m, 25))
    return &m->ports[own[own_count - 1 - any(m, (own_count + 1) / 2)]];
  if (chance(m, 35)) return &m->ports[fit[count - 1 - any(m, count < 5 ? count : 5)]];
  return &m->ports[fit[any(m, count)]];
}

static void wire_from(part *p, const char *input, const char *from) {
  name_copy(p->sources[p->wire_count], from);
  p->wires[p->wire_count] = (sinew_wire){ .input = input, .from = p->sources[p->wire_count] };
  p->wire_count++;
}

static void wire_constant(maker *m, part *p, const sinew_port_desc *input) {
  sinew_wire *w = &p->wires[p->wire_count++];
  *w = (sinew_wire){ .input = input->name };
  if (input->kind == SINEW_MATRIX)
    make_frame(&m->seed, any(m, MAKE_TURNED + 1), w->constant);
  else
    for (int i = 0; i < (input->kind == SINEW_SCALAR ? 1 : 3); i++)
      w->constant[i] = input->kind == SINEW_SCALAR ? between(m, -60, 60) : between(m, -1, 1);
}

static void wire(maker *m, part *p, const sinew_port_desc *input) {
  const port *from =
      chance(m, 8) ? NULL : source(m, input->kind, input->unit ? input->unit : "", p->cls);
  if (from)
    wire_from(p, input->name, from->name);
  else
    wire_constant(m, p, input);
}

static const sinew_port_desc *input_of(const part *p, const char *name) {
  const sinew_port_desc *input = p->cls->inputs;
  while (strcmp(input->name, name) != 0) input++;
  return input;
}

static bool is_wired(const part *p, const char *input) {
  for (int i = 0; i < p->wire_count; i++)
    if (strcmp(p->wires[i].input, input) == 0) return true;
  return false;
}

static void unwire(part *p, const char *input) {
  int kept = 0;
  for (int i = 0; i < p->wire_count; i++) {
    if (strcmp(p->wires[i].input, input) == 0) continue;
    sinew_wire w = p->wires[i];
    if (w.from) {
      memmove(p->sources[kept], p->sources[i], room);
      w.from = p->sources[kept];
    }
    p->wires[kept++] = w;
  }
  p->wire_count = kept;
}

static void wire_inputs(maker *m, part *p) {
  for (const sinew_port_desc *input = p->cls->inputs; input && input->name; input++) {
    int count = 1;
    if (input->flags & SINEW_PORT_LIST) count = 1 + any(m, 5);
    if ((input->flags & SINEW_PORT_OPTIONAL) && chance(m, 35)) count = 0;
    while (count-- > 0) wire(m, p, input);
  }
}

/* --- parameters */

static float *numbers(part *p, int count) {
  float *dest = p->numbers + p->number_count;
  p->number_count += count;
  return dest;
}

static void put(part *p, sinew_param param) {
  if (p->param_count < most_params) p->params[p->param_count++] = param;
}

static const sinew_curve *curve(maker *m, part *p) {
  sinew_curve_desc d = sinew_default_curve_desc();
  float points[16], coefficients[3], x = between(m, -100, -20);
  d.kind = (sinew_curve_kind)any(m, SINEW_CURVE_KIND_COUNT);
  if (d.kind != SINEW_CURVE_CONSTANT && chance(m, 20))
    d.scale = between(m, 0.5f, 1.5f), d.offset = between(m, -5, 5);
  if (d.kind == SINEW_CURVE_CONSTANT || d.kind == SINEW_CURVE_POLYNOMIAL) {
    for (int i = 0; i < 3; i++)
      coefficients[i] = between(m, -1, 1) * (i == 0 ? 30 : i == 1 ? 1 : 0.004f);
    d.coefficients = coefficients;
    d.coefficient_count = d.kind == SINEW_CURVE_CONSTANT ? 1 : 1 + any(m, 3);
  } else {
    d.points = points;
    d.point_count = d.kind == SINEW_CURVE_LINEAR ? 2 : 2 + any(m, 7);
    /* many maps have the same x values in all their curves */
    bool even = chance(m, 50);
    for (int i = 0; i < d.point_count; i++) {
      points[2 * i] = even ? (float)(30 * i - 90) : x;
      points[2 * i + 1] = between(m, -60, 60);
      x += between(m, 5, 60);
    }
    d.outside = chance(m, 60) ? SINEW_OUTSIDE_DEFAULT : (sinew_outside)any(m, 4);
    /* which jumps at the ends */
    if (m->size.smooth && d.outside == SINEW_OUTSIDE_REPEAT) d.outside = SINEW_OUTSIDE_CLAMP;
  }
  return p->curves[p->curve_count++] = sinew_curve_create(&d, NULL);
}

/* whether the table is enough to make a value */
static bool tabled(const sinew_param_desc *d) {
  switch (d->type) {
  case SINEW_PARAM_NUMBER:
  case SINEW_PARAM_FLAG:
  case SINEW_PARAM_VECTOR:
  case SINEW_PARAM_MATRIX:
  case SINEW_PARAM_CHOICE:
  case SINEW_PARAM_CURVE: return true;
  default: return false;
  }
}

static void param_from_table(maker *m, part *p, const sinew_param_desc *d) {
  bool bounded = d->min != 0 || d->max != 0;
  float axis[3], frame[16];
  int choices = 0;
  switch (d->type) {
  case SINEW_PARAM_NUMBER:
    put(p, sinew_param_number(d->name, bounded ? between(m, d->min, d->max) : between(m, -60, 60)));
    break;
  case SINEW_PARAM_FLAG: put(p, sinew_param_flag(d->name, chance(m, 50))); break;
  case SINEW_PARAM_VECTOR:
    make_axis(&m->seed, axis);
    put(p, sinew_param_vector(d->name, axis[0], axis[1], axis[2]));
    break;
  case SINEW_PARAM_MATRIX:
    make_frame(&m->seed, any(m, MAKE_TURNED + 1), frame);
    put(p, sinew_param_matrix(d->name, frame));
    break;
  case SINEW_PARAM_CHOICE:
    while (d->choices[choices]) choices++;
    put(p, sinew_param_text(d->name, d->choices[any(m, choices)]));
    break;
  case SINEW_PARAM_CURVE: put(p, sinew_param_curve(d->name, curve(m, p))); break;
  default: break;
  }
}

static void make_from_table(maker *m, part *p) {
  static const char *const names[] = { "p", "q", "r", "s" };
  wire_inputs(m, p);
  for (const sinew_param_desc *d = p->cls->params; d && d->name; d++)
    if ((d->flags & SINEW_PARAM_REQUIRED) || chance(m, 50)) param_from_table(m, p, d);
  sinew_param_desc named = { 0 };
  /* in the order of their names, as a script makes them */
  for (int i = 0, count = p->cls->named ? 1 + any(m, 4) : 0; i < count; i++) {
    named = *p->cls->named;
    named.name = names[i];
    param_from_table(m, p, &named);
  }
}

/* `count` increasing numbers, 5 to 60 apart */
static float *rising(maker *m, part *p, int count) {
  float *dest = numbers(p, count);
  dest[0] = between(m, -100, 0);
  for (int i = 1; i < count; i++) dest[i] = dest[i - 1] + between(m, 5, 60);
  return dest;
}

static float *points(maker *m, part *p, int count, float reach) {
  float *dest = numbers(p, 3 * count);
  for (int i = 0; i < 3 * count; i++) dest[i] = between(m, -reach, reach);
  return dest;
}

static void rotation_params(maker *m, part *p) {
  float axis[3] = { 0, 0, 0 };
  if (chance(m, 50))
    make_axis(&m->seed, axis);
  else
    axis[any(m, 3)] = chance(m, 50) ? -3 : 0.5f;
  /* nearly parallel to a coordinate axis, so that its matrix has entries close to one */
  if (chance(m, 15)) axis[any(m, 3)] += 5e-5f;
  put(p, sinew_param_vector("axis", axis[0], axis[1], axis[2]));
  int intervals = chance(m, 50) ? 1 + any(m, m->alike ? 1 : 3) : 0;
  float low = -90, high = 90;
  if (intervals) {
    float *angles = rising(m, p, intervals + 1);
    put(p, sinew_param_numbers("angles", angles, intervals + 1));
    low = angles[0], high = angles[intervals];
  }
  if (intervals > 1 || chance(m, 30))
    put(p, sinew_param_vectors("centres", points(m, p, intervals ? intervals : 1, 0.3f),
                               intervals ? intervals : 1));
  else if (chance(m, 50))
    put(p, sinew_param_vector("centre", between(m, -0.3f, 0.3f), 0.1f, between(m, -0.3f, 0.3f)));
  if (chance(m, 30)) put(p, sinew_param_number("rest", between(m, low, high)));
}

static void make_rotation(maker *m, part *p) {
  wire_inputs(m, p);
  rotation_params(m, p);
}

static void make_dependency(maker *m, part *p) {
  static const char *const ways[] = { "map", "offset", "lower", "upper" };
  wire_inputs(m, p);
  int way = any(m, 5);
  const sinew_curve *first = curve(m, p);
  put(p, sinew_param_curve(ways[way < 4 ? way : 2], first));
  if (way == 4) {
    /* an upper bound must not cross the lower one */
    sinew_curve_desc above = sinew_curve_describe(first);
    above.offset += between(m, 0, 30);
    p->curves[p->curve_count++] = sinew_curve_create(&above, NULL);
    put(p, sinew_param_curve("upper", p->curves[p->curve_count - 1]));
  }
  if (way > 0 && !is_wired(p, "passive")) wire(m, p, input_of(p, "passive"));
}

/* a formula of `inputs` inputs; numbers short enough that they are exact in Lua too */
static const char *formula(maker *m, char *dest, int inputs) {
  float k[3];
  int x = 1 + any(m, inputs), y = 1 + any(m, inputs), z = 1 + any(m, inputs);
  for (int i = 0; i < 3; i++) k[i] = (float)(any(m, 33) - 16) / 8;
  switch (any(m, 8)) {
  case 0: snprintf(dest, room, "%g", (double)(8 * k[0])); break;
  case 1: snprintf(dest, room, "x%d", x); break;
  case 2: snprintf(dest, room, "%g + %g*x%d", (double)(8 * k[0]), (double)k[1], x); break;
  case 3: snprintf(dest, room, "%g*x%d - x%d", (double)k[0], x, y); break;
  case 4:
    snprintf(dest, room, "%g - (x%d + %g*x%d)/2 - x%d", (double)k[0], x, (double)k[1], y, z);
    break;
  case 5: snprintf(dest, room, "x%d*max(-2, min(0.125*x%d, 2)) - %g", x, y, (double)k[1]); break;
  case 6: snprintf(dest, room, "abs(x%d - %g)/(2 + abs(0.5*x%d))", x, (double)k[0], y); break;
  default: snprintf(dest, room, "max(x%d, -x%d, %g - x%d)", x, y, (double)k[2], z); break;
  }
  return dest;
}

static void make_formula(maker *m, part *p) {
  wire_inputs(m, p);
  if (chance(m, 60)) {
    put(p, sinew_param_text("text", formula(m, p->texts[0], p->wire_count)));
    return;
  }
  /* the bounds may cross, unless both are numbers */
  int way = any(m, 3);
  if (way != 1) put(p, sinew_param_text("min", formula(m, p->texts[1], p->wire_count)));
  if (way != 0) {
    formula(m, p->texts[2], p->wire_count);
    snprintf(p->texts[3], room, "%.80s + 40", p->texts[2]);
    put(p, sinew_param_text("max", p->texts[3]));
  }
}

/* a vector, or scalars */
static void make_translation(maker *m, part *p) {
  static const char *const axes[] = { "x", "y", "z" };
  wire_inputs(m, p);
  if (!is_wired(p, "vector")) return;
  if (chance(m, 50))
    unwire(p, "vector");
  else
    for (int i = 0; i < 3; i++) unwire(p, axes[i]);
}

static void make_compensate(maker *m, part *p) {
  int segment = any(m, m->size.segments);
  wire_inputs(m, p);
  while (m->parents[segment] < 0) segment = (segment + 1) % m->size.segments;
  int ancestor = m->parents[segment];
  while (m->parents[ancestor] >= 0 && chance(m, 50)) ancestor = m->parents[ancestor];
  put(p, sinew_param_text("ancestor", m->segments[ancestor]));
  put(p, sinew_param_text("segment", m->segments[segment]));
}

/* Decides what drives a segment and all above it: a port that is there already, or nothing. A
 * component that reads their frames, and comes later, then waits for none that waits for it. */
static const char *settle(maker *m, int segment) {
  for (int i = segment; i >= 0; i = m->parents[i]) {
    if (m->settled[i]) continue;
    m->settled[i] = true;
    const port *from = source(m, SINEW_MATRIX, "", NULL);
    if (from && chance(m, 70))
      sinew_builder_drive(m->b, (sinew_segment){ (uint32_t)i + 1 }, from->name, NULL, NULL);
  }
  return m->segments[segment];
}
static const char *settle_any(maker *m) { return settle(m, any(m, m->size.segments)); }

/* the same for a segment of which only the rest frame is read */
static const char *settle_above(maker *m, int segment) {
  if (m->parents[segment] >= 0) settle(m, m->parents[segment]);
  return m->segments[segment];
}

/* relative and distance */
static void make_seen(maker *m, part *p) {
  int of = any(m, m->size.segments), to = any(m, m->size.segments);
  wire_inputs(m, p);
  /* a frame that mirrors is not for components that expect rotations */
  if (m->mirrored[of] != m->mirrored[to]) to = of;
  put(p, sinew_param_text("of", settle(m, of)));
  put(p, sinew_param_text("to", settle(m, to)));
}

static void make_aim(maker *m, part *p) {
  float along[3], up[3];
  wire_inputs(m, p);
  make_axis(&m->seed, along);
  up[0] = along[1] + 0.5f, up[1] = -along[0], up[2] = along[2] == 0 ? 1 : -0.3f * along[2];
  put(p, sinew_param_text("segment", settle_above(m, any(m, m->size.segments))));
  put(p, sinew_param_text("at", settle_any(m)));
  if (chance(m, 70)) put(p, sinew_param_vector("along", along[0], along[1], along[2]));
  if (p->param_count == 2 || chance(m, 50)) return;
  put(p, sinew_param_vector("up", up[0], up[1], up[2]));
  if (chance(m, 50)) put(p, sinew_param_text("up_of", settle_any(m)));
}

static void make_ik2(maker *m, part *p) {
  int lower = any(m, m->size.segments);
  float tip[3], pole[3], least = between(m, 0, 90);
  if (!m->reaches[lower]) lower = 1;
  wire(m, p, p->cls->inputs);
  make_axis(&m->seed, tip);
  make_axis(&m->seed, pole);
  put(p, sinew_param_text("upper", settle_above(m, m->parents[lower])));
  put(p, sinew_param_text("lower", m->segments[lower]));
  put(p, sinew_param_vector("tip", tip[0], tip[1], tip[2]));
  put(p, sinew_param_vector("pole", pole[0], pole[1], pole[2]));
  if (chance(m, 50)) put(p, sinew_param_text("at", settle_any(m)));
  if (chance(m, 50)) put(p, sinew_param_text("pole_at", settle_any(m)));
  if (chance(m, 50)) put(p, sinew_param_number("soft", between(m, 0, 0.5f)));
  if (chance(m, 30)) put(p, sinew_param_number("min_bend", least));
  if (chance(m, 30)) put(p, sinew_param_number("max_bend", between(m, 90, 180)));
}

static const char *add_part(maker *m, const char *kind, const char *wire_from_port);

/* a boundary about the rest direction, at random angles from it */
static void cone_points(maker *m, part *p, const float *rest) {
  int count = 3 + any(m, 8);
  bool even = chance(m, 40);
  float *dest = numbers(p, 3 * count), polar = between(m, 0.3f, 1.8f);
  double v[3], e[3], f[3], lean[3] = { fabsf(rest[0]) < 0.6f, fabsf(rest[0]) >= 0.6f, 0 };
  double length = sqrt((double)(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2])), n = 0;
  for (int i = 0; i < 3; i++) v[i] = (double)rest[i] / length;
  for (int i = 0; i < 3; i++)
    e[i] = v[(i + 1) % 3] * lean[(i + 2) % 3] - v[(i + 2) % 3] * lean[(i + 1) % 3];
  for (int i = 0; i < 3; i++) n += e[i] * e[i];
  for (int i = 0; i < 3; i++) e[i] /= sqrt(n);
  for (int i = 0; i < 3; i++)
    f[i] = v[(i + 1) % 3] * e[(i + 2) % 3] - v[(i + 2) % 3] * e[(i + 1) % 3];
  for (int k = 0; k < count; k++) {
    double at = 6.2831853 * ((double)k + (double)between(m, -0.1f, 0.1f)) / count;
    double off = (double)(even ? polar : between(m, 0.2f, 2));
    for (int i = 0; i < 3; i++)
      dest[3 * k + i] = (float)(cos(off) * v[i] + sin(off) * (cos(at) * e[i] + sin(at) * f[i]));
  }
  put(p, sinew_param_vectors("points", dest, count));
  if (even && chance(m, 30)) put(p, sinew_param_number("smooth", (float)any(m, 3)));
  if (!chance(m, 60)) return;
  float *twist = numbers(p, 2 * count);
  for (int k = 0; k < count; k++) {
    twist[2 * k] = between(m, -80, -5);
    twist[2 * k + 1] = between(m, 5, 80);
  }
  put(p, sinew_param_numbers("twist_limits", twist, 2 * count));
  if (chance(m, 50))
    put(p, sinew_param_numbers("visible_twist", memcpy(numbers(p, 2), twist, 8), 2));
}

static void cone_params(maker *m, part *p) {
  float rest[3], right[3];
  make_axis(&m->seed, rest);
  put(p, sinew_param_vector("rest", rest[0], rest[1], rest[2]));
  if (chance(m, 50)) {
    cone_points(m, p, rest);
    return;
  }
  /* a direction that is not parallel to the other */
  right[0] = rest[1] + 0.5f, right[1] = -rest[0], right[2] = rest[2] == 0 ? 1 : -0.3f * rest[2];
  float *half = numbers(p, 4), *twist = numbers(p, 2);
  for (int i = 0; i < 4; i++) half[i] = between(m, 10, 110);
  twist[0] = between(m, -60, -5), twist[1] = between(m, 5, 60);
  put(p, sinew_param_numbers("ellipse", half, chance(m, 70) ? 4 : 1));
  put(p, sinew_param_vector("right", right[0], right[1], right[2]));
  if (chance(m, 50)) put(p, sinew_param_number("count", (float)(4 + any(m, 28))));
  if (chance(m, 60)) put(p, sinew_param_numbers("twist_limits", twist, 2));
}

/* the swing is two rotations, or a matrix */
static void make_cone(maker *m, part *p) {
  static const char *const names[] = { "rotation1", "rotation2" };
  static const char *const angles[] = { "angle1", "angle2" };
  if (chance(m, 60)) wire(m, p, input_of(p, "twist"));
  cone_params(m, p);
  if (chance(m, 40)) {
    wire(m, p, input_of(p, "swing"));
    return;
  }
  for (int i = 0; i < 2; i++) {
    const port *from = source(m, SINEW_SCALAR, "deg", p->cls);
    char name[room];
    if (from) name_copy(name, from->name);
    name_copy(p->texts[i], add_part(m, "rotation", from ? name : NULL));
    put(p, sinew_param_text(names[i], p->texts[i]));
    if (from)
      wire_from(p, angles[i], name);
    else
      wire_constant(m, p, input_of(p, angles[i]));
  }
}

static void make_slide(maker *m, part *p) {
  float axis[3], *radii = numbers(p, 3), *window = numbers(p, 4), *range = numbers(p, 4);
  float frame[16];
  wire_inputs(m, p);
  make_axis(&m->seed, axis);
  for (int i = 0; i < 3; i++) radii[i] = between(m, 0.4f, 1.6f);
  put(p, sinew_param_numbers("radii", radii, 3));
  put(p, sinew_param_vector("axis", axis[0], axis[1], axis[2]));
  put(p, sinew_param_vectors("pair1", points(m, p, 2, 1.2f), 2));
  if (is_wired(p, "lift") && chance(m, 70))
    put(p, sinew_param_vectors("pair2", points(m, p, 2, 1.2f), 2));
  if (is_wired(p, "rotation") && chance(m, 70))
    put(p, sinew_param_vectors("pair3", points(m, p, 2, 1.2f), 2));
  if (chance(m, 60))
    put(p, sinew_param_vector("centre", between(m, -0.5f, 0.5f), between(m, -0.5f, 0.5f), 0.2f));
  if (chance(m, 40)) {
    make_frame(&m->seed, MAKE_TURNED, frame);
    memset(frame + 12, 0, 3 * sizeof *frame);
    put(p, sinew_param_matrix("orientation", frame));
  }
  range[0] = between(m, -60, 0), range[1] = between(m, 10, 60);
  range[2] = between(m, 10, 60), range[3] = between(m, -60, 0);
  if (chance(m, 70)) put(p, sinew_param_numbers("lift_range", range, 2));
  if (chance(m, 70)) put(p, sinew_param_numbers("rotation_range", range + 2, 2));
  window[0] = between(m, -170, -20), window[1] = between(m, 20, 170);
  window[2] = between(m, 20, 120);
  if (chance(m, 50)) put(p, sinew_param_numbers("window", window, 2));
  if (chance(m, 30)) put(p, sinew_param_numbers("psi_window", window + 2, 1));
}

static void make_field(maker *m, part *p) {
  sinew_field *field = shared_field(any(m, field_kinds));
  for (int i = sinew_field_axis_count(field); i > 0; i--) wire(m, p, p->cls->inputs);
  put(p, sinew_param_object("field", &sinew_field_class, field));
}

/* Components whose tables are not enough. */
static const struct {
  const char *kind;
  void (*make)(maker *m, part *p);
  bool jumps; /* not for networks that must be smooth */
} makers[] = {
  { "rotation", make_rotation, false },
  { "dependency", make_dependency, false },
  { "formula", make_formula, false },
  { "translation", make_translation, false },
  { "compensate", make_compensate, false },
  { "cone", make_cone, true },
  { "slide", make_slide, true },
  { "field", make_field, true },
  { "relative", make_seen, false },
  { "distance", make_seen, true },
  { "aim", make_aim, true },
  { "swing_twist", make_from_table, true },
  { "ik2", make_ik2, true },
};
enum { maker_count = sizeof makers / sizeof *makers };

static int maker_of(const sinew_component_class *cls) {
  for (int i = 0; i < maker_count; i++)
    if (strcmp(makers[i].kind, cls->name) == 0) return i;
  return -1;
}

const char *network_cannot_make(const sinew_component_class *cls) {
  static char text[256];
  if (maker_of(cls) >= 0) return NULL;
  for (const sinew_param_desc *d = cls->params; d && d->name; d++) {
    if (tabled(d)) continue;
    snprintf(text, sizeof text,
             "the table of '%s' does not say how to make parameter '%s' (a %s): add a function to "
             "`makers` in tests/network/network_make.c",
             cls->name, d->name, sinew_param_type_name(d->type));
    return text;
  }
  return NULL;
}

static void make_part_of(maker *m, part *p) {
  int at = maker_of(p->cls);
  if (at >= 0)
    makers[at].make(m, p);
  else
    make_from_table(m, p);
}

static void free_part(part *p) {
  for (int i = 0; i < p->curve_count; i++) sinew_curve_destroy(p->curves[i]);
  free(p);
}

/* --- assembling a network */

static void offer(maker *m, const char *name, sinew_kind kind, const char *unit,
                  const sinew_component_class *cls) {
  if (m->port_count == most_ports) return;
  port *p = &m->ports[m->port_count++];
  name_copy(p->name, name);
  p->kind = kind;
  p->unit = unit;
  p->cls = cls;
}

static void add_made(maker *m, part *p, bool offered) {
  sinew_component_desc d = { .size = sizeof d,
                             .kind = p->cls->name,
                             .name = p->name,
                             .wires = p->wires,
                             .wire_count = p->wire_count,
                             .params = p->params,
                             .param_count = p->param_count };
  sinew_component c = sinew_builder_add_component(m->b, &d, NULL);
  char output[40], name[room];
  for (int i = 0; offered && i < sinew_builder_output_count(m->b, c); i++) {
    sinew_builder_output_name(m->b, c, i, output, sizeof output);
    snprintf(name, sizeof name, "%s.%s", p->name, output);
    offer(m, name, sinew_builder_output_kind(m->b, c, i), network_output_unit(p->cls, i), p->cls);
  }
  free_part(p);
}

static part *new_part(maker *m, const char *kind) {
  static _Thread_local char names[8][room];
  char *name = names[m->part_count % 8];
  part *p = calloc(1, sizeof *p);
  snprintf(name, room, "c%d", m->part_count++);
  p->cls = sinew_builder_class(m->b, kind);
  p->name = name;
  return p;
}

/* adds a component of this kind, with its first input wired to this port, if one is given; returns
 * its name */
static const char *add_part(maker *m, const char *kind, const char *from) {
  part *p = new_part(m, kind);
  const char *name = p->name;
  make_part_of(m, p);
  if (from) {
    unwire(p, p->cls->inputs[0].name);
    wire_from(p, p->cls->inputs[0].name, from);
  }
  /* usually nothing else reads it */
  add_made(m, p, !from || chance(m, 30));
  return name;
}

/* a product of rotations that nothing else reads, as in most joints; some read one twice */
static const char *add_turns(maker *m, int count) {
  char turns[8][room];
  for (int i = 0; i < count; i++) {
    const port *from = source(m, SINEW_SCALAR, "deg", NULL);
    name_copy(turns[i], add_part(m, "rotation", from ? from->name : NULL));
  }
  part *p = new_part(m, "multiply");
  const char *name = p->name;
  for (int i = 0; i < count; i++) wire_from(p, "matrix", turns[i]);
  if (chance(m, 8)) wire_from(p, "matrix", turns[any(m, count)]);
  add_made(m, p, true);
  return name;
}

/* enough joints of one kind that the fused program takes them in fours, and one product of all */
static void add_joints(maker *m) {
  char joints[9][room];
  int turns = 1 + any(m, 3), count = 4 + any(m, 6);
  m->alike = chance(m, 80);
  for (int i = 0; i < count; i++) name_copy(joints[i], add_turns(m, turns));
  m->alike = false;
  if (chance(m, 30)) return;
  part *p = new_part(m, "multiply");
  for (int i = 0; i < count; i++) wire_from(p, "matrix", joints[i]);
  add_made(m, p, true);
}

static const sinew_component_class *any_class(maker *m) {
  const sinew_component_class *list[64];
  int count = 0;
  for (int i = 0; sinew_catalog(i) && count < 60; i++) {
    int at = maker_of(sinew_catalog(i));
    if (at < 0 || !makers[at].jumps || !m->size.smooth) list[count++] = sinew_catalog(i);
  }
  for (int i = 0; m->size.custom && network_classes[i] && count < 64; i++)
    list[count++] = network_classes[i];
  return list[any(m, count)];
}

/* a random rest frame, sometimes rotated by multiples of 90 degrees, which leave zeros and ones in
 * the matrix */
static void any_rest(maker *m, float *dest) {
  make_frame(&m->seed, any(m, MAKE_FRAMES), dest);
  if (!chance(m, 30)) return;
  float axis[3] = { 0, 0, 0 };
  axis[any(m, 3)] = 1;
  dmat turn = dmat_turn(axis, 90 * (1 + any(m, 2)));
  for (int i = 0; i < 12; i++) dest[i] = (float)round(turn.m[i]);
  if (chance(m, 30)) memset(dest + 12, 0, 3 * sizeof *dest);
}

/* whether a rigid matrix mirrors: the sign of its determinant */
static bool mirrors(const float *f) {
  return f[0] * (f[5] * f[10] - f[6] * f[9]) - f[4] * (f[1] * f[10] - f[2] * f[9]) +
             f[8] * (f[1] * f[6] - f[2] * f[5]) <
         0;
}

static void add_tree(maker *m) {
  for (int i = 0; i < m->size.segments; i++) {
    float frame[16];
    /* the second is a child of the first; later ones start a new tree with a chance of one in ten
     */
    m->parents[i] = i == 0 || (i > 1 && chance(m, 10)) ? -1 : any(m, i);
    snprintf(m->segments[i], sizeof m->segments[i], "s%d", i);
    any_rest(m, frame);
    if (i == 1) frame[13] += frame[12] == 0 && frame[13] == 0 && frame[14] == 0;
    m->mirrored[i] = mirrors(frame) != (m->parents[i] >= 0 && m->mirrored[m->parents[i]]);
    m->reaches[i] = m->parents[i] >= 0 && (frame[12] != 0 || frame[13] != 0 || frame[14] != 0);
    make_placed(m->b, m->segments[i], m->parents[i] < 0 ? NULL : m->segments[m->parents[i]], frame);
  }
}

static void drive_segments(maker *m) {
  char last[room] = "";
  for (int i = 0; i < m->size.segments; i++) {
    const port *from = m->settled[i] ? NULL : source(m, SINEW_MATRIX, "", NULL);
    if (!from || chance(m, 20)) continue;
    if (!*last || !chance(m, 15)) name_copy(last, from->name);
    sinew_builder_drive(m->b, (sinew_segment){ (uint32_t)i + 1 }, last, NULL, NULL);
  }
}

/* at rest, at an end, beyond it, at multiples of five, zero of either sign, or anywhere; in a wide
 * range also huge */
static float any_value(maker *m, sinew_dof_info d) {
  bool wide = d.max > wide_range / 2;
  float low = wide ? -400 : d.min, high = wide ? 400 : d.max, inside = between(m, low, high);
  switch (any(m, 8)) {
  case 0: return d.rest;
  case 1: return chance(m, 50) ? low : high;
  case 2: return inside + between(m, -1, 1) * (high - low);
  case 3: return 5 * roundf(inside / 5);
  case 4: return chance(m, 50) ? -0.0f : 0;
  case 5: return wide ? (chance(m, 50) ? -1 : 1) * powf(10, between(m, 3, 9)) : inside;
  default: return inside;
  }
}

network_size network_any_size(uint32_t seed) {
  int large = make_index(&seed, 4) == 0 ? 4 : 1;
  return (network_size){ .dofs = 1 + make_index(&seed, 4 * large),
                         .components = 1 + make_index(&seed, 12 * large),
                         .segments = 2 + make_index(&seed, 6 * large),
                         .rows = 6 + make_index(&seed, 6),
                         .custom = make_index(&seed, 3) == 0 };
}

network network_create(uint32_t seed, const network_size *size) {
  network n = { .seed = seed, .rows = size->rows, .dofs = size->dofs };
  FREED maker *m = calloc(1, sizeof *m);
  m->seed = seed * 2654435761u + 12345;
  m->size = *size;
  m->b = sinew_builder_create("network", NULL);
  for (int i = 0; network_classes[i]; i++) sinew_builder_add_class(m->b, network_classes[i], NULL);
  add_tree(m);
  for (int i = 0; i < size->dofs; i++) {
    char name[room];
    snprintf(name, sizeof name, "d%d", i);
    bool wide = !size->smooth && chance(m, 10);
    sinew_add_dof(m->b, name, NULL, wide ? -wide_range : between(m, -120, 10),
                  wide ? wide_range : between(m, 20, 120));
    offer(m, name, SINEW_SCALAR, "", NULL);
  }
  add_part(m, "rotation", "d0");
  while (m->part_count < size->components) {
    if (chance(m, 2))
      add_joints(m);
    else if (chance(m, 14))
      add_turns(m, 1 + any(m, 6));
    else
      add_part(m, any_class(m)->name, NULL);
  }
  drive_segments(m);
  n.values = calloc((size_t)(size->rows * size->dofs) + 1, sizeof *n.values);
  for (int r = 0; r < size->rows; r++)
    for (int d = 0; d < size->dofs; d++)
      n.values[r * size->dofs + d] =
          any_value(m, sinew_builder_dof_info(m->b, (sinew_dof){ (uint32_t)d + 1 }));
  n.builder = m->b;
  return n;
}

void network_destroy(network *n) {
  sinew_builder_destroy(n->builder);
  free(n->values);
  *n = (network){ 0 };
}

sinew_rig *network_compile(const network *n, sinew_error *error) {
  return sinew_builder_compile(n->builder, error);
}

bool network_remake(const sinew_builder *builder, sinew_component component, uint32_t *seed,
                    void (*use)(const sinew_param *params, int count, void *context),
                    void *context) {
  FREED maker *m = calloc(1, sizeof *m);
  part *p = calloc(1, sizeof *p);
  m->seed = *seed;
  make_random(seed);
  /* makers may wire inputs and add rotations; these are discarded */
  m->b = sinew_builder_create("scratch", NULL);
  m->size.segments = 2;
  m->parents[0] = -1;
  memset(m->settled, true, sizeof m->settled);
  snprintf(m->segments[0], sizeof *m->segments, "s0");
  snprintf(m->segments[1], sizeof *m->segments, "s1");
  p->cls = sinew_builder_class(builder, sinew_builder_component_kind(builder, component));
  p->name = "scratch";
  make_part_of(m, p);
  int kept = 0;
  for (int i = 0; i < p->param_count; i++) {
    const sinew_param *given = sinew_builder_param(builder, component, p->params[i].name);
    const sinew_param_desc *d = p->cls->params;
    while (d && d->name && strcmp(d->name, p->params[i].name) != 0) d++;
    bool chosen = !d || !d->name; /* an output of that name, which cannot be added */
    bool names = !chosen && (d->type == SINEW_PARAM_SEGMENT || d->type == SINEW_PARAM_COMPONENT);
    if (!names && (given || (!chosen && chance(m, 30)))) p->params[kept++] = p->params[i];
  }
  if (kept) use(p->params, kept, context);
  free_part(p);
  sinew_builder_destroy(m->b);
  return kept > 0;
}

sinew_builder *network_one(const char *kind, uint32_t seed, sinew_component *dest) {
  FREED maker *m = calloc(1, sizeof *m);
  m->seed = seed * 2654435761u + 12345;
  m->size = (network_size){ .segments = 3 };
  m->b = sinew_builder_create("one", NULL);
  for (int i = 0; network_classes[i]; i++) sinew_builder_add_class(m->b, network_classes[i], NULL);
  for (int i = 0; i < m->size.segments; i++) {
    m->parents[i] = i - 1;
    m->reaches[i] = i > 0;
    snprintf(m->segments[i], sizeof m->segments[i], "s%d", i);
    const sinew_segment above = { (uint32_t)i }; /* the one before; of the first, the root */
    sinew_add_bone(m->b, above, m->segments[i], (sinew_vec3){ 0, 0.1f, 0 });
  }
  add_part(m, kind, NULL);
  dest->id = (uint32_t)sinew_builder_counts(m->b).components;
  return m->b;
}

sinew_rig *network_make(uint32_t seed, int dofs, int components, int segments) {
  network n = network_create(seed, &(network_size){ dofs, components, segments, 0, false, true });
  sinew_error error;
  sinew_rig *rig = network_compile(&n, &error);
  if (!rig) printf("network %u: %s\n", seed, error.text);
  network_destroy(&n);
  return rig;
}

bool network_same(const sinew_pose *a, const sinew_pose *b) {
  static const size_t counts[] = { 1, 3, 16 };
  const sinew_rig *rig = sinew_pose_rig(a);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).output_count; k++) {
      size_t bytes = counts[sinew_rig_output_kind(rig, c, k)] * sizeof(float);
      if (memcmp(sinew_pose_value(a, c, k), sinew_pose_value(b, c, k), bytes) != 0) return false;
    }
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    if (memcmp(sinew_pose_local(a, s), sinew_pose_local(b, s), 16 * sizeof(float)) != 0)
      return false;
    if (memcmp(sinew_pose_world(a, s), sinew_pose_world(b, s), 16 * sizeof(float)) != 0)
      return false;
  }
  return true;
}

uint64_t network_digest(const sinew_pose *pose) {
  const unsigned char *bytes = (const void *)sinew_pose_worlds(pose);
  size_t count = 16 * sizeof(float) * (size_t)sinew_rig_segment_count(sinew_pose_rig(pose));
  uint64_t digest = 1469598103934665603u;
  for (size_t i = 0; i < count; i++) digest = (digest ^ bytes[i]) * 1099511628211u;
  return digest;
}
