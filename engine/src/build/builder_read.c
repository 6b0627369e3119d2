/* Reading back what was added to a builder. */
#include "build/builder_internal.h"

#include <stdio.h>
#include <string.h>

const char *sinew_builder_binding(const sinew_builder *b) {
  return SI_EXPECT(b) ? b->model.binding : NULL;
}

const char *sinew_builder_name(const sinew_builder *b) { return SI_EXPECT(b) ? b->model.name : ""; }

sinew_counts sinew_builder_counts(const sinew_builder *b) {
  if (!SI_EXPECT(b)) return (sinew_counts){ 0 };
  const si_model *m = &b->model;
  return (sinew_counts){ (int)m->joint_set_count, (int)m->segment_count, (int)m->dof_count,
                         (int)m->component_count };
}

const char *sinew_builder_joint_set_name(const sinew_builder *b, sinew_joint_set joint_set) {
  if (!SI_EXPECT(b && joint_set.id && joint_set.id <= b->model.joint_set_count)) return "";
  return b->model.joint_sets[joint_set.id - 1].name;
}

static const si_segment *segment_of(const sinew_builder *b, sinew_segment segment) {
  bool ok = SI_EXPECT(b && segment.id && segment.id <= b->model.segment_count);
  return ok ? &b->model.segments[segment.id - 1] : NULL;
}

const char *sinew_builder_segment_name(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return s ? s->name : "";
}

const char *sinew_builder_segment_parent(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return s ? s->parent_name : NULL;
}

sinew_joint_set sinew_builder_segment_joint_set(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return (sinew_joint_set){ s ? s->joint_set : 0 };
}

const float *sinew_builder_segment_rest(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return s ? s->rest : NULL;
}

float sinew_builder_segment_mass(const sinew_builder *b, sinew_segment segment, float dest_at[3]) {
  const si_segment *s = segment_of(b, segment);
  if (s && dest_at) memcpy(dest_at, s->mass_at, sizeof s->mass_at);
  return s ? s->mass : 0;
}

sinew_dof_info sinew_builder_dof_info(const sinew_builder *b, sinew_dof dof) {
  if (!SI_EXPECT(b && dof.id && dof.id <= b->model.dof_count))
    return (sinew_dof_info){ .name = "", .unit = "" };
  return si_dof_info(&b->model.dofs[dof.id - 1]);
}

static const si_component *component_of(const sinew_builder *b, sinew_component component) {
  bool ok = SI_EXPECT(b && component.id && component.id <= b->model.component_count);
  return ok ? &b->model.components[component.id - 1] : NULL;
}

const char *sinew_builder_component_name(const sinew_builder *b, sinew_component component) {
  const si_component *k = component_of(b, component);
  return k ? k->name : "";
}

const char *sinew_builder_component_kind(const sinew_builder *b, sinew_component component) {
  const si_component *k = component_of(b, component);
  return k ? k->kind : "";
}

sinew_joint_set sinew_builder_component_joint_set(const sinew_builder *b,
                                                  sinew_component component) {
  const si_component *k = component_of(b, component);
  return (sinew_joint_set){ k ? k->joint_set : 0 };
}

const sinew_param *sinew_builder_param_at(const sinew_builder *b, sinew_component component,
                                          int index) {
  const si_component *k = component_of(b, component);
  return k && index >= 0 && (uint32_t)index < k->param_count ? &k->params[index] : NULL;
}

const sinew_param *sinew_builder_param(const sinew_builder *b, sinew_component component,
                                       const char *name) {
  const si_component *k = component_of(b, component);
  return k && SI_EXPECT(name) ? si_find_param(k, name) : NULL;
}

/* a copy of the component with its ports counted, but not those of paths; it has none without a
 * class */
static si_component counted(const sinew_builder *b, sinew_component component) {
  const si_component *found = component_of(b, component);
  si_component k = found ? *found : (si_component){ 0 };
  if (found) k.cls = sinew_builder_class(b, k.kind);
  if (k.cls) si_count_ports(NULL, &k);
  return k;
}

int sinew_builder_passed_to(const sinew_builder *b, sinew_component component, int wire) {
  si_component k = counted(b, component);
  if (!k.cls || !SI_EXPECT(wire >= 0 && (uint32_t)wire < k.wire_count)) return -1;
  const char *name = k.wires[wire].input;
  uint32_t input = 0, listed = 0;
  while (input < k.fixed_inputs && strcmp(k.cls->inputs[input].name, name) != 0) input++;
  if (input == k.fixed_inputs) {
    const sinew_port_desc *list = si_list_input(k.cls);
    if (!list || strcmp(list->name, name) != 0) return -1;
    for (int w = 0; w < wire; w++) listed += strcmp(k.wires[w].input, name) == 0;
  }
  return si_passed_to(&k, input + listed);
}

int sinew_builder_output_count(const sinew_builder *b, sinew_component component) {
  return (int)counted(b, component).output_count;
}

void sinew_builder_output_name(const sinew_builder *b, sinew_component component, int output,
                               char *dest, size_t capacity) {
  si_component k = counted(b, component);
  if (SI_EXPECT(output >= 0 && (uint32_t)output < k.output_count))
    si_output_name(&k, (uint32_t)output, dest, capacity);
}

sinew_kind sinew_builder_output_kind(const sinew_builder *b, sinew_component component,
                                     int output) {
  si_component k = counted(b, component);
  if (!SI_EXPECT(output >= 0 && (uint32_t)output < k.output_count)) return SINEW_SCALAR;
  return si_output_kind(&k, (uint32_t)output);
}

/* the output of that name */
static sinew_source output_named(const sinew_builder *b, uint32_t id, const char *name) {
  si_component k = counted(b, (sinew_component){ id });
  for (uint32_t i = 0; i < k.output_count; i++) {
    char output[128];
    si_output_name(&k, i, output, sizeof output);
    if (strcmp(output, name) == 0) return (sinew_source){ .component = { id }, .output = (int)i };
  }
  return (sinew_source){ .output = 0 };
}

/* finds a full name: a DOF, a component with one output, or a port after the last dot */
static sinew_source look_up(const sinew_builder *b, const char *name) {
  uint32_t taken = si_names_find(&b->taken, name);
  if (taken && si_taken_is_dof(taken)) return (sinew_source){ .dof = { taken >> 1 } };
  if (taken && counted(b, (sinew_component){ taken >> 1 }).output_count == 1)
    return (sinew_source){ .component = { taken >> 1 } };
  const char *dot = strrchr(name, '.');
  taken = dot ? si_names_find_n(&b->taken, name, (size_t)(dot - name)) : 0;
  if (!taken || si_taken_is_dof(taken)) return (sinew_source){ .output = 0 };
  return output_named(b, taken >> 1, dot + 1);
}

/* the same for a name as an author wrote it inside a joint set, or for an id */
static sinew_source source_of(const sinew_builder *b, uint32_t joint_set, const char *from,
                              si_given given) {
  sinew_source found = { .output = 0 };
  if (!from) return found;
  if (given.dof) return (sinew_source){ .dof = { given.dof } };
  if (given.component && given.port) return output_named(b, given.component, from + given.port);
  if (given.component)
    return (sinew_source){ .component = {
                               counted(b, (sinew_component){ given.component }).output_count == 1
                                   ? given.component
                                   : 0 } };
  if (*from == '.') return look_up(b, from + 1);
  if (joint_set) {
    char full[512];
    snprintf(full, sizeof full, "%s.%s", b->model.joint_sets[joint_set - 1].name, from);
    found = look_up(b, full);
  }
  return found.dof.id || found.component.id ? found : look_up(b, from);
}

sinew_source sinew_builder_segment_driver(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return s ? source_of(b, s->joint_set, s->driver, s->driver_given) : (sinew_source){ .output = 0 };
}

int sinew_builder_wire_count(const sinew_builder *b, sinew_component component) {
  const si_component *k = component_of(b, component);
  return k ? (int)k->wire_count : 0;
}

static const si_wire *wire_of(const si_component *k, int wire) {
  return k && SI_EXPECT(wire >= 0 && (uint32_t)wire < k->wire_count) ? &k->wires[wire] : NULL;
}

sinew_wire sinew_builder_wire(const sinew_builder *b, sinew_component component, int wire) {
  const si_wire *w = wire_of(component_of(b, component), wire);
  sinew_wire copy = { .input = w ? w->input : "", .from = w ? w->from : NULL };
  if (!w) return copy;
  memcpy(copy.constant, w->constant, sizeof copy.constant);
  copy.dof.id = w->given.dof;
  copy.component.id = w->given.component;
  copy.output = w->given.port ? w->from + w->given.port : NULL;
  return copy;
}

sinew_source sinew_builder_wire_source(const sinew_builder *b, sinew_component component,
                                       int wire) {
  const si_component *k = component_of(b, component);
  const si_wire *w = wire_of(k, wire);
  return w ? source_of(b, k->joint_set, w->from, w->given) : (sinew_source){ .output = 0 };
}

sinew_joint_set sinew_builder_find_joint_set(const sinew_builder *b, const char *name) {
  return (sinew_joint_set){ SI_EXPECT(b && name) ? si_names_find(&b->set_names, name) : 0 };
}

sinew_source sinew_builder_find(const sinew_builder *b, const char *name) {
  if (!SI_EXPECT(b && name)) return (sinew_source){ .output = 0 };
  uint32_t taken = si_names_find(&b->taken, name);
  if (!taken || strchr(name, '\x01')) return (sinew_source){ .output = 0 };
  if (si_taken_is_dof(taken)) return (sinew_source){ .dof = { taken >> 1 } };
  return (sinew_source){ .component = { taken >> 1 } };
}
