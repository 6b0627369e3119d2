/* Kinds of scripted components whose script is in another process; see isolate_kind.h. */
#include "lua/host/isolate/isolate_kind.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "lua/host/isolate/isolate.h"
#include "lua/rig/script_lua.h"
#include "sinew/builder.h"
#include "sinew/rig.h"

#include <math.h>
#include <string.h>

#define SELF "self"

enum { most_params = 512 };

/* --- writing */

static void put_ports(si_wire *w, const sinew_port_desc *ports) {
  int count = 0;
  while (ports && ports[count].name) count++;
  si_wire_int(w, count);
  for (int i = 0; i < count; i++) {
    si_wire_text(w, ports[i].name);
    si_wire_int(w, ports[i].kind);
    si_wire_int(w, (ports[i].flags & SINEW_PORT_OPTIONAL) != 0);
    si_wire_number(w, (double)ports[i].fallback);
    si_wire_text(w, ports[i].unit);
    si_wire_text(w, ports[i].doc);
  }
}

static void put_params(si_wire *w, const sinew_param_desc *params) {
  int count = 0;
  for (const sinew_param_desc *p = params; p && p->name; p++)
    count += p->type != SINEW_PARAM_OBJECT;
  si_wire_int(w, count);
  for (const sinew_param_desc *p = params; p && p->name; p++) {
    if (p->type == SINEW_PARAM_OBJECT) continue;
    bool low = p->min < p->max && isfinite(p->min), high = p->min < p->max && isfinite(p->max);
    si_wire_text(w, p->name);
    si_wire_int(w, p->type);
    si_wire_int(w, (p->flags & SINEW_PARAM_REQUIRED) != 0);
    si_wire_floats(w, p->fallback, 3);
    si_wire_int(w, low);
    si_wire_number(w, low ? (double)p->min : 0);
    si_wire_int(w, high);
    si_wire_number(w, high ? (double)p->max : 0);
    si_wire_text(w, p->unit);
    si_wire_text(w, p->doc);
    si_wire_text(w, p->mirror);
  }
}

void si_wire_kind(si_wire *w, const sinew_component_class *cls, const char *module) {
  si_wire_text(w, cls->name);
  si_wire_text(w, cls->doc);
  si_wire_text(w, module);
  si_wire_int(w, cls->verify != NULL);
  si_wire_int(w, cls->drawing == SINEW_DRAWN_MARKS);
  put_ports(w, cls->inputs);
  put_ports(w, cls->outputs);
  put_params(w, cls->params);
  int holds = 0;
  while (cls->holds && cls->holds[holds].port) holds++;
  si_wire_int(w, holds);
  for (int i = 0; i < holds; i++) {
    si_wire_text(w, cls->holds[i].port);
    si_wire_text(w, cls->holds[i].doc);
  }
}

/* --- reading */

static const char *keep(si_unwire *r, si_remote_kind *kind, const char *text) {
  const char *copy = text ? si_arena_text(&kind->arena, text, strlen(text)) : NULL;
  if (text && !copy) r->failed = true;
  return copy;
}

/* a text of a table, "" if none was sent */
static const char *keep_text(si_unwire *r, si_remote_kind *kind) {
  const char *text = si_unwire_text(r);
  return keep(r, kind, text ? text : "");
}

static const char *keep_name(si_unwire *r, si_remote_kind *kind) {
  return keep(r, kind, si_unwire_name(r));
}

static sinew_port_desc *take_ports(si_unwire *r, si_remote_kind *kind, bool inputs, int *count) {
  *count = (int)si_unwire_int(r, 0, SI_SCRIPT_PORTS);
  sinew_port_desc *ports = si_arena_take(&kind->arena, ((size_t)*count + 1) * sizeof *ports);
  if (!ports) r->failed = true;
  for (int i = 0; i < *count && !r->failed; i++) {
    sinew_port_desc *p = &ports[i];
    p->name = keep_name(r, kind);
    p->kind = (sinew_kind)si_unwire_int(r, 0, SINEW_MATRIX);
    if (si_unwire_int(r, 0, inputs)) p->flags = SINEW_PORT_OPTIONAL;
    p->fallback = (float)si_unwire_number(r);
    p->unit = keep_text(r, kind);
    p->doc = keep_text(r, kind);
    if (!isfinite(p->fallback)) r->failed = true;
  }
  return ports;
}

static bool can_be_param(sinew_param_type type) {
  return type != SINEW_PARAM_CHOICE && type < SINEW_PARAM_OBJECT;
}

static sinew_param_desc *take_params(si_unwire *r, si_remote_kind *kind) {
  int count = (int)si_unwire_int(r, 0, most_params);
  sinew_param_desc *params = si_arena_take(&kind->arena, ((size_t)count + 2) * sizeof *params);
  if (!params) r->failed = true;
  for (int i = 0; i < count && !r->failed; i++) {
    sinew_param_desc *p = &params[i];
    p->name = keep_name(r, kind);
    p->type = (sinew_param_type)si_unwire_int(r, 0, SINEW_PARAM_CURVE);
    if (si_unwire_int(r, 0, 1)) p->flags = SINEW_PARAM_REQUIRED;
    si_unwire_floats(r, p->fallback, 3);
    bool low = si_unwire_int(r, 0, 1);
    p->min = (float)si_unwire_number(r);
    bool high = si_unwire_int(r, 0, 1);
    p->max = (float)si_unwire_number(r);
    p->unit = keep_text(r, kind);
    p->doc = keep_text(r, kind);
    const char *mirror = si_unwire_text(r);
    p->mirror = mirror && *mirror ? keep(r, kind, mirror) : NULL;
    if (low != high) *(low ? &p->max : &p->min) = low ? INFINITY : -INFINITY;
    if (r->failed) break;
    if (!can_be_param(p->type) || strcmp(p->name, SELF) == 0 ||
        ((low || high) && !(p->min < p->max)))
      r->failed = true;
  }
  if (!r->failed)
    params[count] = (sinew_param_desc){ .name = SELF,
                                        .type = SINEW_PARAM_OBJECT,
                                        .unit = "the script's own",
                                        .doc = "the instance in its process" };
  return params;
}

static bool has_port(const sinew_port_desc *ports, const char *name) {
  for (; ports->name; ports++)
    if (strcmp(ports->name, name) == 0) return true;
  return false;
}

static sinew_hold_desc *take_holds(si_unwire *r, si_remote_kind *kind) {
  kind->hold_count = (int)si_unwire_int(r, 0, 2 * SI_SCRIPT_PORTS);
  sinew_hold_desc *holds =
      si_arena_take(&kind->arena, ((size_t)kind->hold_count + 1) * sizeof *holds);
  if (!holds) r->failed = true;
  for (int i = 0; i < kind->hold_count && !r->failed; i++) {
    holds[i].port = keep_name(r, kind);
    holds[i].doc = keep_text(r, kind);
    if (!r->failed && !has_port(kind->cls.inputs, holds[i].port) &&
        !has_port(kind->cls.outputs, holds[i].port))
      r->failed = true;
  }
  return holds;
}

static si_remote_part *part_of(const sinew_setup *setup) {
  if (sinew_setup_object_class(setup, SELF) != &si_remote_object) return NULL;
  return sinew_setup_object(setup, SELF);
}

static const sinew_program *program_of(const sinew_setup *setup) {
  const si_remote_part *part = part_of(setup);
  return part ? part->program : NULL;
}

static bool node_pure(const sinew_setup *setup) { return program_of(setup) != NULL; }

static bool node_turns(const sinew_setup *setup) {
  const sinew_program *program = program_of(setup);
  return program && sinew_program_turns(setup, program);
}

/* without a program the data is an empty place for one */
static size_t node_size(const sinew_setup *setup) {
  const sinew_program *program = program_of(setup);
  return program ? sinew_program_size(setup, program) : sizeof program;
}

static void node_setup(sinew_setup *setup, void *data) {
  const sinew_program *program = program_of(setup);
  if (program)
    sinew_program_setup(setup, program, data);
  else if (!part_of(setup))
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "was not made by its script");
}

/* as for scripts in this process: the first component of a kind that runs in Lua without need */
static void node_review(const sinew_setup *setup, sinew_error *warnings) {
  const si_remote_part *part = part_of(setup);
  if (!part || !part->refusal || !*part->refusal) return;
  for (int i = 0; i < (int)setup->component; i++) {
    sinew_setup other;
    if (sinew_setup_component(setup, i, &other) != &part->kind->cls) continue;
    const si_remote_part *before = part_of(&other);
    if (before && before->refusal && strcmp(before->refusal, part->refusal) == 0) return;
  }
  sinew_error_add(warnings, SINEW_OK, "kind '%s' runs in Lua: %s", part->kind->cls.name,
                  part->refusal);
}

static const si_remote_kind *kind_of(const sinew_node *node) { return node->user; }

static size_t floats_of(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
}

static bool all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

static sinew_status take_output(const sinew_port_desc *port, const float *given, float *dest,
                                sinew_error *error) {
  size_t count = floats_of(port->kind);
  float copy[16]; /* the other process can still write to `given` */
  memcpy(copy, given, count * sizeof *copy);
  if (port->kind == SINEW_MATRIX &&
      !(copy[3] == 0 && copy[7] == 0 && copy[11] == 0 && copy[15] == 1))
    return si_fail(error, SINEW_ERR_SCRIPT,
                   "output '%s' must be an affine matrix: its last row is not 0 0 0 1", port->name);
  memcpy(dest, copy, count * sizeof *copy);
  return SINEW_OK;
}

static void put_inputs(const si_remote_kind *kind, const sinew_node *node, const float *values,
                       float *dest) {
  for (int i = 0; i < kind->input_count; i++)
    memcpy(dest + (size_t)SI_ISOLATE_PORT * (size_t)i, sinew_node_in(node, values, (uint32_t)i),
           floats_of(kind->cls.inputs[i].kind) * sizeof *dest);
}

static sinew_status fail_ended(const si_remote_kind *kind, sinew_error *error) {
  const char *why = kind->process ? si_isolate_ended(kind->process) : NULL;
  return si_fail(error, SINEW_ERR_SCRIPT, "%s", why ? why : "the rig's process was closed");
}

static sinew_status node_eval(const sinew_node *node, float *values, sinew_error *error) {
  const si_remote_kind *kind = kind_of(node);
  float *shared = kind->process ? si_isolate_values(kind->process) : NULL;
  if (!shared) return fail_ended(kind, error);
  put_inputs(kind, node, values, shared);
  sinew_status status = si_isolate_eval(kind->process, node->component, error);
  const float *given = shared + (size_t)SI_ISOLATE_PORT * (size_t)kind->input_count;
  for (int i = 0; status >= 0 && i < kind->output_count; i++, given += SI_ISOLATE_PORT)
    status =
        take_output(&kind->cls.outputs[i], given, sinew_node_out(node, values, (uint32_t)i), error);
  if (status < 0 || !kind->hold_count) return status;
  float *holds = sinew_node_hold(node, values, 0);
  memcpy(holds, given, (size_t)kind->hold_count * sizeof *holds);
  return all_finite(holds, (size_t)kind->hold_count)
             ? SINEW_OK
             : si_fail(error, SINEW_ERR_SCRIPT, "what it holds is not finite");
}

static bool node_verify(const sinew_node *node, const float *values, sinew_error *why) {
  const si_remote_kind *kind = kind_of(node);
  float *shared = kind->process ? si_isolate_values(kind->process) : NULL;
  if (!shared) return fail_ended(kind, why) >= 0;
  put_inputs(kind, node, values, shared);
  float *dest = shared + (size_t)SI_ISOLATE_PORT * (size_t)kind->input_count;
  for (int i = 0; i < kind->output_count; i++, dest += SI_ISOLATE_PORT)
    memcpy(dest, values + node->ports[node->input_count + (uint32_t)i],
           floats_of(kind->cls.outputs[i].kind) * sizeof *dest);
  return si_isolate_verify(kind->process, node->component, why) >= 0;
}

static void retain_class(const sinew_component_class *cls) {
  si_remote_kind *kind = cls->user;
  __atomic_add_fetch(&kind->refs, 1, __ATOMIC_RELAXED);
}

static void release_class(const sinew_component_class *cls) { si_remote_kind_release(cls->user); }

void si_remote_kind_release(si_remote_kind *kind) {
  if (!kind || __atomic_sub_fetch(&kind->refs, 1, __ATOMIC_ACQ_REL)) return;
  si_arena_free(&kind->arena);
  si_free(kind);
}

si_remote_kind *si_unwire_kind(si_unwire *r) {
  si_remote_kind *kind = si_alloc(sizeof *kind);
  if (!kind) {
    r->failed = true;
    return NULL;
  }
  *kind = (si_remote_kind){ .refs = 1 };
  sinew_component_class *cls = &kind->cls;
  *cls = (sinew_component_class){ .class_size = sizeof *cls,
                                  .size = node_size,
                                  .setup = node_setup,
                                  .review = node_review,
                                  .try_eval = node_eval,
                                  .pure = node_pure,
                                  .turns = node_turns,
                                  .user = kind,
                                  .retain = retain_class,
                                  .release = release_class };
  cls->name = keep_name(r, kind);
  cls->doc = keep_text(r, kind);
  const char *module = si_unwire_text(r);
  kind->module = keep(r, kind, module);
  if (si_unwire_int(r, 0, 1)) cls->verify = node_verify;
  if (si_unwire_int(r, 0, 1)) cls->drawing = SINEW_DRAWN_MARKS;
  cls->inputs = take_ports(r, kind, true, &kind->input_count);
  cls->outputs = r->failed ? NULL : take_ports(r, kind, false, &kind->output_count);
  cls->params = r->failed ? NULL : take_params(r, kind);
  const sinew_hold_desc *holds = r->failed ? NULL : take_holds(r, kind);
  if (kind->hold_count) cls->holds = holds;
  sinew_program_fill_class(cls);
  if (!r->failed && kind->output_count) return kind;
  r->failed = true;
  si_remote_kind_release(kind);
  return NULL;
}

/* --- components */

static void part_retain(void *object) {
  __atomic_add_fetch(&((si_remote_part *)object)->refs, 1, __ATOMIC_RELAXED);
}

static void part_release(void *object) {
  si_remote_part *part = object;
  if (__atomic_sub_fetch(&part->refs, 1, __ATOMIC_ACQ_REL)) return;
  sinew_program_release(part->program);
  si_remote_kind_release(part->kind);
  si_free(part->refusal);
  si_free(part);
}

const sinew_object_class si_remote_object = { "script elsewhere", part_retain, part_release };

si_remote_part *si_remote_part_create(si_remote_kind *kind, sinew_program *program,
                                      const char *refusal) {
  si_remote_part *part = si_alloc(sizeof *part);
  char *copy = si_strdup(refusal);
  if (!part || (refusal && !copy)) {
    sinew_program_release(program);
    si_free(part);
    si_free(copy);
    return NULL;
  }
  retain_class(&kind->cls);
  *part = (si_remote_part){ .refs = 1, .kind = kind, .program = program, .refusal = copy };
  return part;
}

const si_remote_part *si_remote_part_in(const sinew_rig *rig, sinew_component component) {
  const sinew_param *self = sinew_rig_find_param(rig, component, SELF);
  return self && self->object_class == &si_remote_object ? self->object : NULL;
}
