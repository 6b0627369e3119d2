/* Reduces a failing network and prints it as a Lua script; see network.h. */
#include "network.h"
#include "owned.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thing that can be removed. */
typedef enum cut_kind {
  CUT_NOTHING,
  CUT_SEGMENT,   /* its children move to its parent */
  CUT_DRIVE,     /* a segment becomes undriven */
  CUT_REST,      /* a segment's rest frame becomes the identity */
  CUT_COMPONENT, /* its readers get a constant */
  CUT_DOF,       /* its readers get its value as a constant */
  CUT_WIRE,      /* an input becomes unwired */
  CUT_SOURCE,    /* an input gets a constant instead of a wire */
  CUT_BYPASS,    /* an input gets the first DOF instead of a component */
  CUT_PARAM,     /* a parameter is removed */
  CUT_LISTS,     /* all lists of a component lose their last item */
  CUT_ROW,       /* a row of DOF values */
  CUT_KINDS
} cut_kind;

typedef struct cut {
  cut_kind kind;
  int item, part; /* the index of a component's wire or parameter */
} cut;

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static sinew_segment segment_at(int i) { return (sinew_segment){ (uint32_t)i + 1 }; }
static sinew_component component_at(int i) { return (sinew_component){ (uint32_t)i + 1 }; }

static void copy_segments(const sinew_builder *from, const cut *c, sinew_builder *to) {
  for (int i = 0; i < sinew_builder_counts(from).segments; i++) {
    sinew_segment s = segment_at(i);
    sinew_segment_desc d = sinew_default_segment_desc();
    d.name = sinew_builder_segment_name(from, s);
    d.parent = sinew_builder_segment_parent(from, s);
    const char *gone =
        c->kind == CUT_SEGMENT ? sinew_builder_segment_name(from, segment_at(c->item)) : "";
    if (strcmp(d.name, gone) == 0) continue;
    if (d.parent && strcmp(d.parent, gone) == 0)
      d.parent = sinew_builder_segment_parent(from, segment_at(c->item));
    memcpy(d.rest, sinew_builder_segment_rest(from, s), sizeof d.rest);
    if (c->kind == CUT_REST && c->item == i) memcpy(d.rest, identity, sizeof d.rest);
    sinew_segment made = sinew_builder_add_segment(to, &d, NULL);
    sinew_source source = sinew_builder_segment_driver(from, s);
    if (!source.component.id || (c->kind == CUT_DRIVE && c->item == i)) continue;
    if (c->kind == CUT_COMPONENT && source.component.id == (uint32_t)c->item + 1) continue;
    char output[64], name[192];
    sinew_builder_output_name(from, source.component, source.output, output, sizeof output);
    snprintf(name, sizeof name, "%s.%s", sinew_builder_component_name(from, source.component),
             output);
    sinew_builder_drive(to, made, name, NULL, NULL);
  }
}

static void copy_dofs(const sinew_builder *from, const cut *c, sinew_builder *to) {
  for (int i = 0; i < sinew_builder_counts(from).dofs; i++) {
    sinew_dof_info info = sinew_builder_dof_info(from, (sinew_dof){ (uint32_t)i + 1 });
    if (c->kind == CUT_DOF && c->item == i) continue;
    sinew_dof_desc d = sinew_default_dof_desc();
    d.name = info.name, d.min = info.min, d.max = info.max, d.unit = info.unit;
    d.rest = info.rest, d.rest_given = true;
    sinew_builder_add_dof(to, &d, NULL);
  }
}

static sinew_kind input_kind(const sinew_builder *b, sinew_component component, const char *name) {
  const sinew_component_class *cls =
      sinew_builder_class(b, sinew_builder_component_kind(b, component));
  for (const sinew_port_desc *p = cls->inputs; p && p->name; p++)
    if (strcmp(p->name, name) == 0) return p->kind;
  return SINEW_SCALAR;
}

/* false: the wire is left out */
static bool cut_wire(const sinew_builder *from, sinew_component component, int at, const cut *c,
                     const float *values, sinew_wire *wire) {
  sinew_source source = sinew_builder_wire_source(from, component, at);
  bool here = component.id == (uint32_t)c->item + 1 && at == c->part;
  bool gone = c->kind == CUT_COMPONENT && source.component.id == (uint32_t)c->item + 1;
  bool still = c->kind == CUT_DOF && source.dof.id == (uint32_t)c->item + 1;
  if (here && c->kind == CUT_WIRE) return false;
  if (here && c->kind == CUT_BYPASS)
    wire->from = sinew_builder_dof_info(from, (sinew_dof){ 1 }).name;
  if (!(here && c->kind == CUT_SOURCE) && !gone && !still) return true;
  wire->from = NULL;
  memset(wire->constant, 0, sizeof wire->constant);
  if (input_kind(from, component, wire->input) == SINEW_MATRIX)
    memcpy(wire->constant, identity, sizeof wire->constant);
  if (still) wire->constant[0] = values[c->item];
  return true;
}

static void copy_components(const sinew_builder *from, const cut *c, const float *values,
                            sinew_builder *to) {
  enum { most = 64 };
  for (int i = 0; i < sinew_builder_counts(from).components; i++) {
    sinew_component k = component_at(i);
    sinew_wire wires[most];
    sinew_param params[most];
    int wire_count = 0, param_count = 0;
    if (c->kind == CUT_COMPONENT && c->item == i) continue;
    for (int w = 0; w < sinew_builder_wire_count(from, k) && wire_count < most; w++) {
      wires[wire_count] = sinew_builder_wire(from, k, w);
      wire_count += cut_wire(from, k, w, c, values, &wires[wire_count]);
    }
    for (int p = 0; sinew_builder_param_at(from, k, p) && param_count < most; p++) {
      if (c->kind == CUT_PARAM && c->item == i && c->part == p) continue;
      sinew_param *param = &params[param_count++];
      *param = *sinew_builder_param_at(from, k, p);
      if (c->kind == CUT_LISTS && c->item == i && param->count > 1) param->count--;
    }
    sinew_component_desc d = { .size = sizeof d,
                               .kind = sinew_builder_component_kind(from, k),
                               .name = sinew_builder_component_name(from, k),
                               .wires = wires,
                               .wire_count = wire_count,
                               .params = params,
                               .param_count = param_count };
    sinew_builder_add_component(to, &d, NULL);
  }
}

static sinew_builder *copy_cut(const sinew_builder *from, const cut *c, const float *values) {
  sinew_builder *to = sinew_builder_create(sinew_builder_name(from), NULL);
  for (int i = 0; network_classes[i]; i++) sinew_builder_add_class(to, network_classes[i], NULL);
  copy_segments(from, c, to);
  copy_dofs(from, c, to);
  copy_components(from, c, values, to);
  return to;
}

sinew_builder *network_copy(const sinew_builder *builder) {
  return copy_cut(builder, &(cut){ CUT_NOTHING, 0, 0 }, NULL);
}

/* a copy of the network without one thing; a removed DOF keeps its value at `values` */
static network without(const network *n, const cut *c, const float *values) {
  network made = { .seed = n->seed, .rows = n->rows, .dofs = n->dofs };
  made.builder = copy_cut(n->builder, c, values);
  made.values = calloc((size_t)(n->rows * n->dofs) + 1, sizeof *made.values);
  if (c->kind == CUT_ROW) made.rows--;
  if (c->kind == CUT_DOF) made.dofs--;
  float *to = made.values;
  for (int r = 0; r < n->rows; r++)
    for (int d = 0; d < n->dofs; d++)
      if (!(c->kind == CUT_ROW && r == c->item) && !(c->kind == CUT_DOF && d == c->item))
        *to++ = n->values[r * n->dofs + d];
  return made;
}

/* whether the same way still differs, and the network itself is valid */
static bool still_fails(const network *n, unsigned way, network_finding *found) {
  sinew_error error;
  sinew_rig *rig = network_compile(n, &error);
  sinew_rig_destroy(rig);
  return rig && n->rows > 0 && !network_check(n, way, found) && found->way == way;
}

/* how many things of a kind can be removed, and the parts of one */
static int item_count(const network *n, cut_kind kind) {
  sinew_counts counts = sinew_builder_counts(n->builder);
  switch (kind) {
  case CUT_SEGMENT:
  case CUT_DRIVE:
  case CUT_REST: return counts.segments;
  case CUT_DOF: return counts.dofs;
  case CUT_ROW: return n->rows;
  default: return counts.components;
  }
}

static int part_count(const network *n, cut_kind kind, int item) {
  int count = 0;
  if (kind == CUT_WIRE || kind == CUT_SOURCE || kind == CUT_BYPASS)
    return sinew_builder_wire_count(n->builder, component_at(item));
  if (kind == CUT_PARAM) {
    while (sinew_builder_param_at(n->builder, component_at(item), count)) count++;
    return count;
  }
  return 1;
}

/* whether removing it would change anything */
static bool is_cut(const network *n, const cut *c) {
  const sinew_builder *b = n->builder;
  if (c->kind == CUT_REST)
    return memcmp(sinew_builder_segment_rest(b, segment_at(c->item)), identity, 64) != 0;
  if (c->kind == CUT_DRIVE)
    return sinew_builder_segment_driver(b, segment_at(c->item)).component.id != 0;
  sinew_component k = component_at(c->item);
  if (c->kind == CUT_SOURCE) return sinew_builder_wire(b, k, c->part).from != NULL;
  if (c->kind == CUT_BYPASS)
    return n->dofs > 0 && sinew_builder_wire_source(b, k, c->part).component.id != 0 &&
           input_kind(b, k, sinew_builder_wire(b, k, c->part).input) == SINEW_SCALAR;
  if (c->kind != CUT_LISTS) return true;
  for (int p = 0; sinew_builder_param_at(b, k, p); p++)
    if (sinew_builder_param_at(b, k, p)->count > 1) return true;
  return false;
}

/* tries everything once; returns whether something was removed */
static bool reduce_once(network *n, network_finding *found, int *tries) {
  bool any = false;
  for (cut_kind kind = CUT_SEGMENT; kind < CUT_KINDS; kind++)
    for (int item = item_count(n, kind); item-- > 0;)
      for (int part = item < item_count(n, kind) ? part_count(n, kind, item) : 0; part-- > 0;) {
        cut c = { kind, item, part };
        if (*tries <= 0 || item >= item_count(n, kind) || !is_cut(n, &c)) continue;
        network_finding now;
        network less = without(n, &c, found->values);
        --*tries;
        if (still_fails(&less, found->way, &now)) {
          network_destroy(n);
          *n = less;
          *found = now;
          any = true;
        } else {
          network_destroy(&less);
        }
      }
  return any;
}

void network_reduce(network *n, network_finding *found) {
  int tries = 20000;
  network_finding again;
  /* a failure that does not happen again cannot be reduced */
  if (!still_fails(n, found->way, &again)) return;
  while (reduce_once(n, found, &tries)) continue;
}

/* --- printing a script */

typedef struct script {
  char *text;
  size_t used, size;
} script;

static void say(script *s, const char *format, ...) SINEW_PRINTF(2, 3);
static void say(script *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (s->used + (size_t)length + 1 > s->size) {
    s->size = 2 * s->size + (size_t)length + 4096;
    s->text = realloc(s->text, s->size);
  }
  va_start(args, format);
  vsnprintf(s->text + s->used, s->size - s->used, format, args);
  va_end(args);
  s->used += (size_t)length;
}

static void say_numbers(script *s, const float *numbers, int count) {
  for (int i = 0; i < count; i++) {
    /* -0 would be an integer, which has no sign */
    bool minus = numbers[i] == 0 && signbit(numbers[i]);
    say(s, "%s%.9g%s", i ? ", " : "", (double)numbers[i], minus ? ".0" : "");
  }
}

static void say_constant(script *s, sinew_kind kind, const float *numbers) {
  if (kind == SINEW_SCALAR) {
    say_numbers(s, numbers, 1);
    return;
  }
  say(s, "sinew.%s(", kind == SINEW_MATRIX ? "mat4" : "vec3");
  say_numbers(s, numbers, kind == SINEW_MATRIX ? 16 : 3);
  say(s, ")");
}

static void say_curve(script *s, const sinew_curve *curve) {
  sinew_curve_desc d = sinew_curve_describe(curve);
  say(s, "sinew.%s", sinew_curve_kind_name(d.kind));
  if (d.kind == SINEW_CURVE_CONSTANT) {
    /* a script can give it neither scale nor offset */
    say(s, "(%.9g)", (double)(d.offset + d.scale * d.coefficients[0]));
    return;
  }
  say(s, " { ");
  if (d.kind == SINEW_CURVE_POLYNOMIAL) {
    say_numbers(s, d.coefficients, d.coefficient_count);
    say(s, ", ");
  }
  for (int i = 0; i < d.point_count; i++)
    say(s, "{ %.9g, %.9g }, ", (double)d.points[2 * i], (double)d.points[2 * i + 1]);
  if (d.outside != SINEW_OUTSIDE_DEFAULT && d.kind != SINEW_CURVE_POLYNOMIAL)
    say(s, "outside = '%s', ", sinew_outside_name(d.outside));
  if (d.scale != 1) say(s, "scale = %.9g, ", (double)d.scale);
  if (d.offset != 0) say(s, "offset = %.9g, ", (double)d.offset);
  say(s, "}");
}

static void say_param(script *s, const sinew_param *p) {
  say(s, ", %s = ", p->name);
  switch (p->type) {
  case SINEW_PARAM_NUMBER: say_numbers(s, p->number, 1); break;
  case SINEW_PARAM_FLAG: say(s, p->number[0] != 0 ? "true" : "false"); break;
  case SINEW_PARAM_VECTOR: say_constant(s, SINEW_VECTOR, p->number); break;
  case SINEW_PARAM_MATRIX: say_constant(s, SINEW_MATRIX, p->number); break;
  case SINEW_PARAM_NUMBERS:
    say(s, "{ ");
    say_numbers(s, p->numbers, p->count);
    say(s, " }");
    break;
  case SINEW_PARAM_VECTORS:
    say(s, "{ ");
    for (int i = 0; i < p->count; i++) {
      say(s, "{ ");
      say_numbers(s, p->numbers + 3 * i, 3);
      say(s, " }, ");
    }
    say(s, "}");
    break;
  case SINEW_PARAM_CURVE: say_curve(s, p->curve); break;
  case SINEW_PARAM_OBJECT: say(s, "%s", network_field_text(p->object)); break;
  default: say(s, "'%s'", p->text); break;
  }
}

static void say_source(script *s, const sinew_builder *b, sinew_component k, int wire) {
  sinew_source source = sinew_builder_wire_source(b, k, wire);
  sinew_wire w = sinew_builder_wire(b, k, wire);
  char output[64];
  if (source.dof.id) {
    say(s, "%s", sinew_builder_dof_info(b, source.dof).name);
  } else if (source.component.id) {
    sinew_builder_output_name(b, source.component, source.output, output, sizeof output);
    say(s, "%s:port '%s'", sinew_builder_component_name(b, source.component), output);
  } else {
    say_constant(s, input_kind(b, k, w.input), w.constant);
  }
}

/* the tests' own classes as scripted components with the same formulas */
static const char *const scripted[] = {
  "mix",
  "local mix = sinew.component { name = 'mix', inputs = { 'a', 'b', 'v: vector', 'm: matrix' },\n"
  "  outputs = { 'y', 'w: vector', 't: matrix' }, params = { gain = 0.5 },\n"
  "  eval = function(self, a, b, v, m)\n"
  "    local y = math.min(self.gain * a + 0.25 * b, 150)\n"
  "    local w = { self.gain * v[1] + 0.01 * y, self.gain * v[2], self.gain * v[3] }\n"
  "    local t = {}\n"
  "    for i = 1, 16 do t[i] = m[i] end\n"
  "    for i = 1, 3 do t[12 + i] = t[12 + i] + w[i] end\n"
  "    return y, w, t\n"
  "  end }\n",
  "guard",
  "local guard = sinew.component { name = 'guard', inputs = { 'x' }, outputs = { 'y' },\n"
  "  params = { limit = 1e9 }, tangent = 'dual',\n"
  "  eval = function(self, x)\n"
  "    if x > self.limit then error 'above its limit' end\n"
  "    return 0.5 * x\n"
  "  end }\n",
};

/* the index of a class among them; -1: none */
static int scripted_at(const char *kind) {
  for (int i = 0; i < 4; i += 2)
    if (strcmp(scripted[i], kind) == 0) return i;
  return -1;
}

static bool uses(const sinew_builder *b, const char *kind) {
  for (int i = 0; i < sinew_builder_counts(b).components; i++)
    if (strcmp(sinew_builder_component_kind(b, component_at(i)), kind) == 0) return true;
  return false;
}

static void say_component(script *s, const sinew_builder *b, sinew_component k) {
  const char *kind = sinew_builder_component_kind(b, k), *name = sinew_builder_component_name(b, k);
  const sinew_component_class *cls = sinew_builder_class(b, kind);
  bool script_kind = scripted_at(kind) >= 0;
  say(s, script_kind ? "%s = rig:add(%s { name = '%s'" : "%s = rig:%s { name = '%s'", name, kind,
      name);
  for (const sinew_port_desc *input = cls->inputs; input && input->name; input++) {
    int count = 0;
    bool list = input->flags & SINEW_PORT_LIST;
    for (int w = 0; w < sinew_builder_wire_count(b, k); w++) {
      if (strcmp(sinew_builder_wire(b, k, w).input, input->name) != 0) continue;
      if (!count++ && !list) say(s, ", %s = ", input->name);
      if (list) say(s, ", ");
      say_source(s, b, k, w);
    }
    /* inputs of scripted components must all be wired */
    if (count || !script_kind) continue;
    float zero[16] = { input->fallback };
    say(s, ", %s = ", input->name);
    say_constant(s, input->kind, input->kind == SINEW_MATRIX ? identity : zero);
  }
  for (int p = 0; sinew_builder_param_at(b, k, p); p++)
    say_param(s, sinew_builder_param_at(b, k, p));
  say(s, script_kind ? " })\n" : " }\n");
}

char *network_print(const network *n) {
  const sinew_builder *b = n->builder;
  sinew_counts counts = sinew_builder_counts(b);
  script s = { 0 };
  say(&s, "local sinew = require 'sinew'\n");
  for (int i = 0; i < 4; i += 2)
    if (uses(b, scripted[i])) say(&s, "%s", scripted[i + 1]);
  say(&s, "local rig = sinew.rig '%s'\n", sinew_builder_name(b));
  for (int i = 0; i < counts.segments; i++) {
    const char *parent = sinew_builder_segment_parent(b, segment_at(i));
    const float *rest = sinew_builder_segment_rest(b, segment_at(i));
    const char *name = sinew_builder_segment_name(b, segment_at(i));
    say(&s, "%s = rig:segment('%s', {%s%s%s", name, name, parent ? " parent = " : "",
        parent ? parent : "", parent ? "," : "");
    if (memcmp(rest, identity, sizeof identity) != 0) {
      say(&s, " rest = ");
      say_constant(&s, SINEW_MATRIX, rest);
    }
    say(&s, " })\n");
  }
  for (int i = 0; i < counts.dofs; i++) {
    sinew_dof_info d = sinew_builder_dof_info(b, (sinew_dof){ (uint32_t)i + 1 });
    say(&s, "%s = rig:dof('%s', { min = %.9g, max = %.9g, rest = %.9g, unit = '' })\n", d.name,
        d.name, (double)d.min, (double)d.max, (double)d.rest);
  }
  /* a component comes after those that it reads */
  for (int i = 0; i < counts.components; i++) say_component(&s, b, component_at(i));
  for (int i = 0; i < counts.segments; i++) {
    sinew_source source = sinew_builder_segment_driver(b, segment_at(i));
    char output[64];
    if (!source.component.id) continue;
    sinew_builder_output_name(b, source.component, source.output, output, sizeof output);
    say(&s, "%s:drive(%s:port '%s')\n", sinew_builder_segment_name(b, segment_at(i)),
        sinew_builder_component_name(b, source.component), output);
  }
  say(&s, "return rig\n");
  return s.text;
}

void network_report(network *n, network_finding *found) {
  printf("network %u: %s\n", n->seed, found->text);
  network_reduce(n, found);
  FREED char *text = network_print(n);
  printf("reduced to: %s\n-- with", found->text);
  for (int i = 0; i < n->dofs && i < 64; i++)
    printf(" %s = %.9g", sinew_builder_dof_info(n->builder, (sinew_dof){ (uint32_t)i + 1 }).name,
           (double)found->values[i]);
  printf("\n%s", text);
  if (n->rows > 1) {
    printf("-- rows of DOFs:");
    for (int i = 0; i < n->rows * n->dofs; i++)
      printf("%s%.9g", i % (n->dofs ? n->dofs : 1) ? " " : "\n--   ", (double)n->values[i]);
    printf("\n");
  }
}
