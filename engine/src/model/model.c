/* Copying a model into one block, and reading ports from the descriptor tables. */
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "model/path.h"

#include "math/curve_internal.h"

#include <stdio.h>
#include <string.h>

static const char *copy_text(const char *text, si_carver *carver) {
  if (!text) return NULL;
  size_t bytes = strlen(text) + 1;
  char *dest = si_carve(carver, bytes, 1, 1);
  if (dest) memcpy(dest, text, bytes);
  return dest;
}

static void *copy_block(const void *from, si_carver *carver, size_t count, size_t size) {
  if (!count) return NULL;
  void *dest = si_carve(carver, count, size, 16);
  if (dest) memcpy(dest, from, count * size);
  return dest;
}

static size_t list_floats(const sinew_param *param) {
  size_t each = param->type == SINEW_PARAM_VECTORS ? 3 : 1;
  return param->numbers && param->count > 0 ? each * (size_t)param->count : 0;
}

void si_param_copy(const sinew_param *from, si_carver *carver, sinew_param *dest) {
  sinew_param copy = *from;
  copy.name = copy_text(from->name, carver);
  copy.text = copy_text(from->text, carver);
  copy.numbers = copy_block(from->numbers, carver, list_floats(from), sizeof(float));
  if (from->curve) {
    copy.curve = si_carve(carver, si_curve_bytes(from->curve), 1, SI_CURVE_ALIGN);
    if (copy.curve) memcpy((void *)(uintptr_t)copy.curve, from->curve, si_curve_bytes(from->curve));
  }
  if (dest) *dest = copy;
}

void si_joint_set_copy(const si_joint_set *from, si_carver *carver, si_joint_set *dest) {
  si_joint_set copy = { copy_text(from->name, carver), copy_text(from->origin, carver) };
  if (dest) *dest = copy;
}

void si_segment_copy(const si_segment *from, si_carver *carver, si_segment *dest) {
  si_segment copy = *from;
  copy.name = copy_text(from->name, carver);
  copy.parent_name = copy_text(from->parent_name, carver);
  copy.origin = copy_text(from->origin, carver);
  copy.driver = copy_text(from->driver, carver);
  copy.driver_origin = copy_text(from->driver_origin, carver);
  if (dest) *dest = copy;
}

void si_dof_copy(const si_dof *from, si_carver *carver, si_dof *dest) {
  si_dof copy = *from;
  copy.name = copy_text(from->name, carver);
  copy.unit = copy_text(from->unit, carver);
  copy.origin = copy_text(from->origin, carver);
  if (dest) *dest = copy;
}

void si_component_copy(const si_component *from, si_carver *carver, si_component *dest) {
  si_component copy = *from;
  copy.name = copy_text(from->name, carver);
  copy.kind = copy_text(from->kind, carver);
  copy.origin = copy_text(from->origin, carver);
  copy.wires = copy_block(from->wires, carver, from->wire_count, sizeof *from->wires);
  for (uint32_t i = 0; i < from->wire_count; i++) {
    const char *input = copy_text(from->wires[i].input, carver);
    const char *source = copy_text(from->wires[i].from, carver);
    if (copy.wires) {
      copy.wires[i].input = input;
      copy.wires[i].from = source;
    }
  }
  copy.params = copy_block(from->params, carver, from->param_count, sizeof *from->params);
  for (uint32_t i = 0; i < from->param_count; i++)
    si_param_copy(&from->params[i], carver, copy.params ? &copy.params[i] : NULL);
  copy.inputs = copy_block(from->inputs, carver, from->input_count, sizeof *from->inputs);
  /* a class of an older version was completed in the builder's memory */
  if (from->cls && from->cls->class_size < sizeof *from->cls)
    copy.cls = copy_block(from->cls, carver, 1, sizeof *from->cls);
  if (dest) *dest = copy;
}

/* copies an array: its items first, then what each of them points to */
#define COPY_ITEMS(copy, from, items, count, copy_one)                                             \
  do {                                                                                             \
    (copy).items = copy_block((from)->items, carver, (from)->count, sizeof *(from)->items);        \
    for (uint32_t i = 0; i < (from)->count; i++)                                                   \
      copy_one(&(from)->items[i], carver, (copy).items ? &(copy).items[i] : NULL);                 \
  } while (0)

void si_model_copy(const si_model *from, si_carver *carver, si_model *dest) {
  si_model copy = *from;
  copy.name = copy_text(from->name, carver);
  copy.warnings = copy_text(from->warnings, carver);
  copy.binding = copy_text(from->binding, carver);
  COPY_ITEMS(copy, from, joint_sets, joint_set_count, si_joint_set_copy);
  COPY_ITEMS(copy, from, segments, segment_count, si_segment_copy);
  COPY_ITEMS(copy, from, dofs, dof_count, si_dof_copy);
  COPY_ITEMS(copy, from, components, component_count, si_component_copy);
  if (carver->base) *dest = copy;
}

void si_model_hold_objects(const si_model *model, bool retain) {
  for (uint32_t i = 0; i < model->component_count; i++) {
    const si_component *c = &model->components[i];
    for (uint32_t k = 0; k < c->param_count; k++) {
      const sinew_param *p = &c->params[k];
      if (p->type != SINEW_PARAM_OBJECT || !p->object || !p->object_class) continue;
      if (retain)
        p->object_class->retain(p->object);
      else
        p->object_class->release(p->object);
    }
  }
}

void si_class_hold(const sinew_component_class *cls, bool retain) {
  if (!cls->retain) return;
  if (retain)
    cls->retain(cls);
  else
    cls->release(cls);
}

void si_model_hold_classes(const si_model *model, bool retain) {
  for (uint32_t i = 0; i < model->component_count; i++)
    si_class_hold(model->components[i].cls, retain);
}

uint32_t si_port_count(const sinew_port_desc *ports) {
  uint32_t n = 0;
  while (ports && ports[n].name) n++;
  return n;
}

uint32_t si_hold_count(const sinew_hold_desc *holds) {
  uint32_t n = 0;
  while (holds && holds[n].port) n++;
  return n;
}

const sinew_param_desc *sinew_class_find_param(const sinew_component_class *cls, const char *name) {
  if (!SI_EXPECT(cls && name)) return NULL;
  for (const sinew_param_desc *d = cls->params; d && d->name; d++)
    if (strcmp(d->name, name) == 0) return d;
  return NULL;
}

const sinew_port_desc *sinew_class_find_input(const sinew_component_class *cls, const char *name) {
  if (!SI_EXPECT(cls && name)) return NULL;
  for (const sinew_port_desc *d = cls->inputs; d && d->name; d++)
    if (strcmp(d->name, name) == 0) return d;
  return NULL;
}

static int port_marked(const sinew_port_desc *ports, unsigned flags) {
  for (int i = 0; ports && ports[i].name; i++)
    if (ports[i].flags & flags) return i;
  return -1;
}

int sinew_class_input_marked(const sinew_component_class *cls, unsigned flags) {
  return SI_EXPECT(cls) ? port_marked(cls->inputs, flags) : -1;
}

int sinew_class_output_marked(const sinew_component_class *cls, unsigned flags) {
  return SI_EXPECT(cls) ? port_marked(cls->outputs, flags) : -1;
}

const sinew_param_desc *sinew_class_param_marked(const sinew_component_class *cls, unsigned flags,
                                                 const sinew_param_desc *after) {
  if (!SI_EXPECT(cls)) return NULL;
  for (const sinew_param_desc *d = after ? after + 1 : cls->params; d && d->name; d++)
    if (d->flags & flags) return d;
  return NULL;
}

const sinew_port_desc *si_list_input(const sinew_component_class *cls) {
  uint32_t n = si_port_count(cls->inputs);
  return n && (cls->inputs[n - 1].flags & SINEW_PORT_LIST) ? &cls->inputs[n - 1] : NULL;
}

void si_count_ports(const si_model *model, si_component *k) {
  const sinew_port_desc *list = si_list_input(k->cls);
  uint32_t inputs = si_port_count(k->cls->inputs), wired = 0;
  si_work(1 + (k->wire_count + k->param_count) / 2); /* who needs the ports stops */
  for (uint32_t i = 0; list && i < k->wire_count; i++)
    wired += strcmp(k->wires[i].input, list->name) == 0;
  k->fixed_inputs = list ? inputs - 1 : inputs;
  k->input_count = k->fixed_inputs + wired + (model ? si_path_inputs(model, k) : 0);

  uint32_t outputs = si_port_count(k->cls->outputs), named = 0;
  bool listed = outputs && (k->cls->outputs[outputs - 1].flags & SINEW_PORT_LIST);
  for (uint32_t i = 0; k->cls->named && i < k->param_count; i++)
    named += !sinew_class_find_param(k->cls, k->params[i].name);
  k->fixed_outputs = listed ? outputs - 1 : outputs;
  k->output_count = k->fixed_outputs + (listed ? wired : 0) + named;
}

const sinew_port_desc *si_input_desc(const si_component *c, uint32_t input) {
  if (input < c->fixed_inputs) return &c->cls->inputs[input];
  const sinew_port_desc *list = si_list_input(c->cls);
  return list ? list : &si_path_port;
}

void si_input_name(const si_component *c, uint32_t input, char *dest, size_t capacity) {
  const char *name = si_input_desc(c, input)->name;
  if (input < c->fixed_inputs)
    snprintf(dest, capacity, "%s", name);
  else
    snprintf(dest, capacity, "%s%u", name, (unsigned)(input - c->fixed_inputs + 1));
}

void si_output_name(const si_component *c, uint32_t output, char *dest, size_t capacity) {
  if (output < c->fixed_outputs) {
    snprintf(dest, capacity, "%s", c->cls->outputs[output].name);
  } else if (c->cls->named) {
    const sinew_param *param = si_named_param(c, output - c->fixed_outputs);
    snprintf(dest, capacity, "%s", param ? param->name : "");
  } else {
    snprintf(dest, capacity, "%s%u", c->cls->outputs[c->fixed_outputs].name,
             (unsigned)(output - c->fixed_outputs + 1));
  }
}

const sinew_param *si_named_param(const si_component *c, uint32_t n) {
  if (!c->cls->named) return NULL;
  for (uint32_t i = 0; i < c->param_count; i++)
    if (!sinew_class_find_param(c->cls, c->params[i].name) && n-- == 0) return &c->params[i];
  return NULL;
}

const sinew_param *si_find_param(const si_component *c, const char *name) {
  for (uint32_t i = 0; i < c->param_count; i++)
    if (strcmp(c->params[i].name, name) == 0) return &c->params[i];
  return NULL;
}

sinew_dof_info si_dof_info(const si_dof *d) {
  return (sinew_dof_info){ .name = d->name,
                           .joint_set = { d->joint_set },
                           .min = d->min,
                           .max = d->max,
                           .rest = d->rest,
                           .unit = d->unit,
                           .stiffness = d->stiffness,
                           .origin = d->origin };
}

const char *si_origin_prefix(const char *origin, char *dest, size_t capacity) {
  if (origin && *origin)
    snprintf(dest, capacity, "%s: ", origin);
  else
    dest[0] = '\0';
  return dest;
}

int si_passed_to(const si_component *k, uint32_t input) {
  if (!(si_input_desc(k, input)->flags & SINEW_PORT_PASSED)) return -1;
  const sinew_param_desc *bound = sinew_class_param_marked(k->cls, SINEW_PARAM_BOUND, NULL);
  bool given = !bound;
  for (; bound; bound = sinew_class_param_marked(k->cls, SINEW_PARAM_BOUND, bound))
    given |= si_find_param(k, bound->name) != NULL;
  if (!given) return -1;
  uint32_t before = 0;
  for (uint32_t i = 0; i < input; i++)
    before += (si_input_desc(k, i)->flags & SINEW_PORT_PASSED) != 0;
  for (uint32_t o = 0; o < k->output_count; o++) {
    const sinew_port_desc *port = si_output_desc(k, o);
    if (port && (port->flags & SINEW_PORT_PASSED) && before-- == 0) return (int)o;
  }
  return -1;
}

/* the length of "knee.lua:12: " at the start of a text, or 0 */
static size_t place_length(const char *text) {
  const char *end = strstr(text, ": ");
  if (!end || memchr(text, '\n', (size_t)(end - text))) return 0;
  const char *digits = end;
  while (digits > text && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  if (digits == end || digits < text + 2 || digits[-1] != ':') return 0;
  return (size_t)(end - text) + 2;
}

sinew_status si_fail_component(const si_component *k, sinew_status status, const char *text,
                               sinew_error *error) {
  char prefix[256];
  size_t place = place_length(text);
  if (!place)
    return si_fail(error, status, "%scomponent '%s' (%s): %s",
                   si_origin_prefix(k->origin, prefix, sizeof prefix), k->name, k->cls->name, text);
  bool made = k->origin && *k->origin;
  return si_fail(error, status, "%.*scomponent '%s' (%s)%s%s: %s", (int)place, text, k->name,
                 k->cls->name, made ? ", made at " : "", made ? k->origin : "", text + place);
}

uint32_t si_find_segment(const si_model *m, const char *name) {
  if (m->index) return si_names_find(&m->index->segments, name);
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (strcmp(m->segments[i].name, name) == 0) return i + 1;
  return 0;
}

/* the component of that full name in the table of DOFs and components */
static uint32_t component_in(const si_index *index, const char *full) {
  uint32_t point = si_names_find(&index->points, full);
  return point & SI_POINT_COMPONENT ? point & ~SI_POINT_COMPONENT : 0;
}

uint32_t si_find_component(const si_model *m, uint32_t joint_set, const char *name) {
  if (m->index) {
    char full[512];
    const char *prefix = joint_set ? m->joint_sets[joint_set - 1].name : "";
    snprintf(full, sizeof full, "%s.%s", prefix, name);
    uint32_t inside = joint_set ? component_in(m->index, full) : 0;
    return inside ? inside : component_in(m->index, name);
  }
  const char *set = joint_set ? m->joint_sets[joint_set - 1].name : "";
  size_t length = strlen(set);
  uint32_t in_full = 0;
  for (uint32_t i = 0; i < m->component_count; i++) {
    const char *full = m->components[i].name;
    if (joint_set && strncmp(full, set, length) == 0 && full[length] == '.' &&
        strcmp(full + length + 1, name) == 0)
      return i + 1;
    if (!in_full && strcmp(full, name) == 0) in_full = i + 1;
  }
  return in_full;
}
