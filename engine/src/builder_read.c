/* Reading back what a builder was told. */
#include "builder.h"

#include <string.h>

const char *sinew_builder_name(const sinew_builder *b) { return b->model.name; }

sinew_counts sinew_builder_counts(const sinew_builder *b) {
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

const float *sinew_builder_segment_rest(const sinew_builder *b, sinew_segment segment) {
  const si_segment *s = segment_of(b, segment);
  return s ? s->rest : NULL;
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

const sinew_param *sinew_builder_param(const sinew_builder *b, sinew_component component,
                                       const char *name) {
  const si_component *k = component_of(b, component);
  return k && SI_EXPECT(name) ? si_find_param(k, name) : NULL;
}

/* the component with its ports counted; without a class it has none */
static si_component counted(const sinew_builder *b, sinew_component component) {
  const si_component *found = component_of(b, component);
  si_component k = found ? *found : (si_component){ 0 };
  if (found) k.cls = sinew_builder_class(b, k.kind);
  if (k.cls) si_count_ports(&k);
  return k;
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
