/* The getters for a component's setup function. They read the model by the class's tables. */
#include "base/error_internal.h"
#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const si_component *self(const sinew_setup *s) {
  return &s->model->components[s->component];
}

static const sinew_param_desc *desc_of(const sinew_setup *s, const char *param) {
  const sinew_param_desc *d = sinew_class_find_param(self(s)->cls, param);
  SI_EXPECT(d != NULL);
  return d;
}

void sinew_setup_fail(sinew_setup *s, sinew_status status, const char *format, ...) {
  char prefix[256], text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  s->failed = true;
  si_add(s->error, status, "%scomponent '%s': %s",
         si_origin_prefix(self(s)->origin, prefix, sizeof prefix), self(s)->name, text);
}

bool sinew_setup_has(const sinew_setup *s, const char *param) {
  return si_find_param(self(s), param) != NULL;
}

int sinew_setup_wired(const sinew_setup *s, const char *input) {
  int count = 0;
  for (uint32_t i = 0; i < self(s)->wire_count; i++)
    count += strcmp(self(s)->wires[i].input, input) == 0;
  return count;
}

const float *sinew_setup_numbers(const sinew_setup *s, const char *param) {
  static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  const sinew_param *p = si_find_param(self(s), param);
  if (p) return p->number;
  const sinew_param_desc *d = desc_of(s, param);
  return d && d->type != SINEW_PARAM_MATRIX ? d->fallback : identity;
}

float sinew_setup_number(const sinew_setup *s, const char *param) {
  return sinew_setup_numbers(s, param)[0];
}

const float *sinew_setup_list(const sinew_setup *s, const char *param, int *count) {
  const sinew_param *p = si_find_param(self(s), param);
  *count = 0;
  if (!p) return NULL;
  bool list = p->type == SINEW_PARAM_NUMBERS || p->type == SINEW_PARAM_VECTORS;
  if (list && (!p->numbers || p->count < 0)) return NULL;
  *count = list ? p->count : 1;
  return list ? p->numbers : p->number;
}

int sinew_setup_choice(const sinew_setup *s, const char *param) {
  const sinew_param *p = si_find_param(self(s), param);
  const sinew_param_desc *d = desc_of(s, param);
  for (int i = 0; p && p->text && d && d->choices[i]; i++)
    if (strcmp(d->choices[i], p->text) == 0) return i;
  return 0;
}

const char *sinew_setup_text(const sinew_setup *s, const char *param) {
  const sinew_param *p = si_find_param(self(s), param);
  return p ? p->text : NULL;
}

const sinew_curve *sinew_setup_curve(const sinew_setup *s, const char *param) {
  const sinew_param *p = si_find_param(self(s), param);
  return p ? p->curve : NULL;
}

void *sinew_setup_object(const sinew_setup *s, const char *param) {
  const sinew_param *p = si_find_param(self(s), param);
  return p ? p->object : NULL;
}

const sinew_object_class *sinew_setup_object_class(const sinew_setup *s, const char *param) {
  const sinew_param *p = si_find_param(self(s), param);
  return p ? p->object_class : NULL;
}

int sinew_setup_named_count(const sinew_setup *s) {
  return (int)(self(s)->output_count - self(s)->fixed_outputs);
}

const sinew_param *sinew_setup_named(const sinew_setup *s, int index) {
  return si_named_param(self(s), (uint32_t)index);
}

sinew_segment sinew_setup_segment(const sinew_setup *s, const char *param) {
  const char *name = sinew_setup_text(s, param);
  return (sinew_segment){ name ? si_find_segment(s->model, name) : 0 };
}

bool sinew_setup_peer(const sinew_setup *s, const char *param, sinew_setup *dest,
                      const sinew_component_class **dest_class) {
  const char *name = sinew_setup_text(s, param);
  uint32_t id = name ? si_find_component(s->model, self(s)->joint_set, name) : 0;
  if (!id) return false;
  *dest = *s;
  dest->component = id - 1;
  *dest_class = self(dest)->cls;
  return *dest_class != NULL;
}

static const si_segment *segment_of(const sinew_setup *s, sinew_segment segment) {
  bool ok = SI_EXPECT(segment.id && segment.id <= s->model->segment_count);
  return ok ? &s->model->segments[segment.id - 1] : NULL;
}

sinew_segment sinew_setup_parent(const sinew_setup *s, sinew_segment segment) {
  const si_segment *found = segment_of(s, segment);
  return (sinew_segment){ found ? found->parent : 0 };
}

const float *sinew_setup_rest(const sinew_setup *s, sinew_segment segment) {
  const si_segment *found = segment_of(s, segment);
  return found ? found->rest : NULL;
}

const char *sinew_setup_segment_name(const sinew_setup *s, sinew_segment segment) {
  const si_segment *found = segment_of(s, segment);
  return found ? found->name : "";
}

bool sinew_setup_driven(const sinew_setup *s, sinew_segment segment) {
  const si_segment *found = segment_of(s, segment);
  return found && found->source.kind != SI_FROM_NONE;
}

int sinew_setup_component_count(const sinew_setup *s) { return (int)s->model->component_count; }

const sinew_component_class *sinew_setup_component(const sinew_setup *s, int index,
                                                   sinew_setup *dest) {
  *dest = *s;
  dest->component = (uint32_t)index;
  return self(dest)->cls;
}

bool si_component_fails(const si_model *model, uint32_t component) {
  const sinew_component_class *cls = model->components[component].cls;
  sinew_setup s = { .model = model, .component = component };
  return cls->try_eval && !(cls->pure && cls->pure(&s));
}

bool si_component_turns(const si_model *model, uint32_t component) {
  const sinew_component_class *cls = model->components[component].cls;
  sinew_setup s = { .model = model, .component = component };
  return cls->turn && (cls->turns ? cls->turns(&s) : !cls->pure);
}

size_t si_data_bytes(const si_model *model, uint32_t component) {
  const sinew_component_class *cls = model->components[component].cls;
  sinew_setup s = { .model = model, .component = component };
  return cls->size ? cls->size(&s) : 0;
}

bool si_data_setup(const si_model *model, uint32_t component, void *data, sinew_error *error) {
  const sinew_component_class *cls = model->components[component].cls;
  sinew_setup s = { .model = model, .component = component, .error = error };
  if (cls->setup) cls->setup(&s, data);
  return !s.failed;
}
