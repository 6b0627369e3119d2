/* Adding to a builder. Every function copies its arguments into the builder's arena, and notes why
 * it failed. */
#include "build/builder_internal.h"

#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/matrix.h"

#include <stdio.h>

enum { most_items = 1 << 26 };

sinew_segment_desc sinew_default_segment_desc(void) {
  sinew_segment_desc desc = { .size = sizeof desc };
  for (int i = 0; i < 16; i += 5) desc.rest[i] = 1;
  return desc;
}

sinew_dof_desc sinew_default_dof_desc(void) {
  return (sinew_dof_desc){ .size = sizeof(sinew_dof_desc), .min = -180, .max = 180 };
}

sinew_component_desc sinew_default_component_desc(void) {
  return (sinew_component_desc){ .size = sizeof(sinew_component_desc) };
}

/* memory that lives as long as the builder */
static void *keep(sinew_builder *b, size_t bytes) { return si_arena_take(&b->arena, bytes); }

static const char *keep_text(sinew_builder *b, const char *text) {
  return si_arena_text(&b->arena, text, strlen(text));
}

/* replaces *from by a copy of it in one block of the arena; false when memory runs out */
#define KEEP(b, from, copy_one)                                                                    \
  (measured = (si_carver){ 0 }, copy_one((from), &measured, NULL),                                 \
   measured.base = keep((b), measured.used), measured.used = 0,                                    \
   measured.base ? (copy_one((from), &measured, (from)), true) : false)

sinew_status si_note(sinew_builder *b, const sinew_error *error) {
  if (b) si_add(&b->noted, error->status, "%s", error->text);
  return error->status;
}

static sinew_status note_memory(sinew_builder *b, sinew_error *error) {
  si_fail_memory(error);
  return si_note(b, error);
}

bool si_skip(const sinew_builder *b, uint32_t id, sinew_error *error) {
  if (!b || id || !b->noted.count) return false;
  if (error) *error = b->noted;
  return true;
}

const sinew_error *sinew_builder_error(const sinew_builder *b) {
  return SI_EXPECT(b) ? &b->noted : NULL;
}

sinew_builder *sinew_builder_create(const char *name, sinew_error *error) {
  sinew_error_clear(error);
  sinew_builder *b = si_alloc(sizeof *b);
  if (b) b->model.name = keep_text(b, name ? name : "");
  if (!b || !b->model.name) {
    sinew_builder_destroy(b);
    return si_memory_null(error);
  }
  return b;
}

void sinew_builder_destroy(sinew_builder *b) {
  if (!b) return;
  /* first, since an object may be what keeps a class alive */
  for (size_t i = 0; i < b->class_count; i++) si_class_hold(b->classes[i], false);
  si_model_hold_objects(&b->model, false);
  si_arena_free(&b->arena);
  si_names_free(&b->taken);
  si_names_free(&b->class_names);
  si_names_free(&b->set_names);
  si_free(b->model.joint_sets);
  si_free(b->model.segments);
  si_free(b->model.dofs);
  si_free(b->model.components);
  si_free(b->classes);
  si_free(b);
}

static bool known_set(const sinew_builder *b, sinew_joint_set set) {
  return set.id <= b->model.joint_set_count;
}

/* "set.name", or "name" outside of joint sets; in the builder's memory */
static const char *full_name(sinew_builder *b, uint32_t joint_set, const char *name) {
  if (!name) name = "";
  if (!joint_set) return keep_text(b, name);
  const char *set = b->model.joint_sets[joint_set - 1].name;
  size_t bytes = strlen(set) + strlen(name) + 2;
  char *text = keep(b, bytes);
  if (text) snprintf(text, bytes, "%s.%s", set, name);
  return text;
}

/* replaces a text of the model; "" and NULL remove it */
static sinew_status set_text(sinew_builder *b, const char *text, const char **dest) {
  if (strcmp(*dest ? *dest : "", text ? text : "") == 0) return SINEW_OK;
  const char *kept = text && *text ? keep_text(b, text) : NULL;
  if (!kept && text && *text) return SINEW_ERR_MEMORY;
  *dest = kept;
  return SINEW_OK;
}

sinew_status sinew_builder_set_warnings(sinew_builder *b, const char *warnings) {
  return SI_EXPECT(b) ? set_text(b, warnings, &b->model.warnings) : SINEW_ERR_CALL;
}

sinew_status sinew_builder_set_binding(sinew_builder *b, const char *binding) {
  return SI_EXPECT(b) ? set_text(b, binding, &b->model.binding) : SINEW_ERR_CALL;
}

sinew_joint_set sinew_builder_add_joint_set(sinew_builder *b, const char *name, const char *origin,
                                            sinew_error *error) {
  SI_OWN_ERROR(error);
  sinew_joint_set none = { 0 };
  if (!SI_EXPECT(b)) return none;
  si_model *m = &b->model;
  si_joint_set item = { name ? name : "", origin };
  si_carver measured;
  if (m->joint_set_count >= most_items ||
      !si_grow(&m->joint_sets, &b->joint_set_room, m->joint_set_count + 1u, sizeof item) ||
      !KEEP(b, &item, si_joint_set_copy) ||
      !si_names_add(&b->set_names, item.name, m->joint_set_count + 1))
    return note_memory(b, error), none;
  m->joint_sets[m->joint_set_count++] = item;
  return (sinew_joint_set){ m->joint_set_count };
}

sinew_segment sinew_builder_add_segment(sinew_builder *b, const sinew_segment_desc *desc,
                                        sinew_error *error) {
  SI_OWN_ERROR(error);
  sinew_segment none = { 0 };
  sinew_segment_desc whole = sinew_default_segment_desc();
  if (!SI_EXPECT(b && desc)) return none;
  if (!SI_TAKE_DESC(segment_desc, desc, &whole, error)) return si_note(b, error), none;
  if (!si_work(20)) return note_memory(b, error), none;
  if (!SI_EXPECT(known_set(b, desc->joint_set))) return none;
  si_model *m = &b->model;
  si_segment item = { .name = desc->name ? desc->name : "",
                      .parent_name = desc->parent,
                      .origin = desc->origin,
                      .joint_set = desc->joint_set.id,
                      .mass = desc->mass };
  si_mat_copy(desc->rest, item.rest);
  memcpy(item.mass_at, desc->mass_at, sizeof item.mass_at);
  si_carver measured;
  if (m->segment_count >= most_items ||
      !si_grow(&m->segments, &b->segment_room, m->segment_count + 1u, sizeof item) ||
      !KEEP(b, &item, si_segment_copy))
    return note_memory(b, error), none;
  m->segments[m->segment_count++] = item;
  return (sinew_segment){ m->segment_count };
}

sinew_dof sinew_builder_add_dof(sinew_builder *b, const sinew_dof_desc *desc, sinew_error *error) {
  SI_OWN_ERROR(error);
  sinew_dof none = { 0 };
  sinew_dof_desc whole = sinew_default_dof_desc();
  if (!SI_EXPECT(b && desc)) return none;
  if (!SI_TAKE_DESC(dof_desc, desc, &whole, error)) return si_note(b, error), none;
  if (!SI_EXPECT(known_set(b, desc->joint_set))) return none;
  si_model *m = &b->model;
  si_dof item = { .unit = desc->unit ? desc->unit : "deg",
                  .origin = desc->origin,
                  .joint_set = desc->joint_set.id,
                  .min = desc->min,
                  .max = desc->max,
                  .rest = desc->rest_given ? desc->rest : si_clamp(0, desc->min, desc->max),
                  .stiffness = desc->stiffness };
  si_carver measured;
  item.name = full_name(b, item.joint_set, desc->name);
  if (!item.name || m->dof_count >= most_items ||
      !si_grow(&m->dofs, &b->dof_room, m->dof_count + 1u, sizeof item) ||
      !KEEP(b, &item, si_dof_copy) ||
      !si_names_add(&b->taken, item.name, si_taken_dof(m->dof_count + 1)))
    return note_memory(b, error), none;
  m->dofs[m->dof_count++] = item;
  return (sinew_dof){ m->dof_count };
}

/* "set.kind3": the first free number after the last one given to this kind */
static const char *number_name(sinew_builder *b, uint32_t joint_set, const char *kind) {
  const char *stem = full_name(b, joint_set, kind);
  if (!stem) return NULL;
  size_t bytes = strlen(stem) + 16;
  char *name = keep(b, bytes);
  if (!name) return NULL;
  /* the counter's key is the stem and a character that no name can contain */
  snprintf(name, bytes, "%s\x01", stem);
  uint32_t number = si_names_find(&b->taken, name);
  if (!number) {
    const char *key = keep_text(b, name);
    if (!key || !si_names_add(&b->taken, key, 1)) return NULL;
    number = 1;
  }
  for (;; number++) {
    snprintf(name, bytes, "%s%u", stem, number);
    if (!si_names_find(&b->taken, name)) break;
  }
  snprintf(name, bytes, "%s\x01", stem);
  si_names_set(&b->taken, name, number + 1);
  snprintf(name, bytes, "%s%u", stem, number);
  return name;
}

/* converts a desc; the result points into the caller's memory */
static si_component describe(const sinew_component_desc *desc, const char *name) {
  return (si_component){ .name = name,
                         .kind = desc->kind ? desc->kind : "",
                         .origin = desc->origin,
                         .joint_set = desc->joint_set.id,
                         .param_count = desc->param_count > 0 ? (uint32_t)desc->param_count : 0,
                         .params = (sinew_param *)(uintptr_t)desc->params };
}

/* the full name of a source that is given by id, as a wire would name it; NULL: memory is out */
static const char *given_text(sinew_builder *b, sinew_dof dof, sinew_component component,
                              const char *output, si_given *given) {
  const char *name =
      dof.id ? b->model.dofs[dof.id - 1].name : b->model.components[component.id - 1].name;
  size_t bytes = strlen(name) + (output ? strlen(output) + 1 : 0) + 2;
  char *text = keep(b, bytes);
  *given = (si_given){ .dof = dof.id, .component = dof.id ? 0 : component.id };
  if (!text) return NULL;
  snprintf(text, bytes, output && !dof.id ? ".%s.%s" : ".%s", name, output);
  if (output && !dof.id) given->port = (uint32_t)strlen(name) + 2;
  return text;
}

/* converts a wire; its texts are the caller's, or in the builder's memory. False: memory is out */
static bool wire_from(sinew_builder *b, const sinew_wire *wire, si_wire *dest) {
  bool by_id = wire->dof.id || wire->component.id;
  *dest = (si_wire){ .input = wire->input ? wire->input : "", .from = wire->from };
  memcpy(dest->constant, wire->constant, sizeof dest->constant);
  if (by_id) dest->from = given_text(b, wire->dof, wire->component, wire->output, &dest->given);
  return !by_id || dest->from;
}

static bool wires_from(sinew_builder *b, const sinew_wire *wires, int count, si_component *item) {
  item->wire_count = count > 0 ? (uint32_t)count : 0;
  item->wires = item->wire_count ? keep(b, item->wire_count * sizeof *item->wires) : NULL;
  if (item->wire_count && !item->wires) return false;
  for (uint32_t i = 0; i < item->wire_count; i++)
    if (!wire_from(b, &wires[i], &item->wires[i])) return false;
  return true;
}

/* 0 for a wire from a null id */
static uint32_t wire_id(const sinew_wire *wire) {
  return !wire->from || *wire->from || wire->dof.id || wire->component.id;
}

static bool known_wire(const sinew_builder *b, const sinew_wire *wire) {
  return wire->dof.id <= b->model.dof_count && wire->component.id <= b->model.component_count;
}

static void hold_objects(const si_component *item, bool retain) {
  si_component *items = (si_component *)(uintptr_t)item;
  si_model_hold_objects(&(si_model){ .components = items, .component_count = 1 }, retain);
}

sinew_component sinew_builder_add_component(sinew_builder *b, const sinew_component_desc *desc,
                                            sinew_error *error) {
  SI_OWN_ERROR(error);
  sinew_component none = { 0 };
  sinew_component_desc whole = sinew_default_component_desc();
  if (!SI_EXPECT(b && desc)) return none;
  if (!SI_TAKE_DESC(component_desc, desc, &whole, error)) return si_note(b, error), none;
  if (!SI_EXPECT(known_set(b, desc->joint_set))) return none;
  if (!SI_EXPECT(desc->wire_count <= 0 || desc->wires)) return none;
  if (!SI_EXPECT(desc->param_count <= 0 || desc->params)) return none;
  for (int i = 0; i < desc->param_count; i++)
    if (!SI_EXPECT(desc->params[i].name)) return none;
  for (int i = 0; i < desc->wire_count; i++) {
    if (!SI_EXPECT(known_wire(b, &desc->wires[i]))) return none;
    if (si_skip(b, wire_id(&desc->wires[i]), error)) return none;
  }
  si_model *m = &b->model;
  const char *name = desc->name ? full_name(b, desc->joint_set.id, desc->name)
                                : number_name(b, desc->joint_set.id, desc->kind ? desc->kind : "");
  if (!name) return note_memory(b, error), none;
  si_component item = describe(desc, name);
  si_carver measured;
  if (m->component_count >= most_items || !wires_from(b, desc->wires, desc->wire_count, &item) ||
      !si_grow(&m->components, &b->component_room, m->component_count + 1u, sizeof item) ||
      !KEEP(b, &item, si_component_copy) ||
      !si_names_add(&b->taken, item.name, si_taken_component(m->component_count + 1)))
    return note_memory(b, error), none;
  hold_objects(&item, true);
  m->components[m->component_count++] = item;
  return (sinew_component){ m->component_count };
}

sinew_status sinew_builder_connect(sinew_builder *b, sinew_component component,
                                   const sinew_wire *wire, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && wire)) return SINEW_ERR_CALL;
  if (si_skip(b, component.id && wire_id(wire), error)) return error->status;
  if (!SI_EXPECT(component.id && component.id <= b->model.component_count && known_wire(b, wire)))
    return SINEW_ERR_CALL;
  si_component *item = &b->model.components[component.id - 1];
  si_wire made;
  if (!wire_from(b, wire, &made) || !(made.input = keep_text(b, made.input)) ||
      (made.from && !(made.from = keep_text(b, made.from))))
    return note_memory(b, error);
  if (item->wire_count >= item->wire_room) {
    uint32_t room = 2 * item->wire_count + 4;
    si_wire *wires = keep(b, room * sizeof *wires);
    if (!wires) return note_memory(b, error);
    if (item->wire_count) memcpy(wires, item->wires, item->wire_count * sizeof *wires);
    item->wires = wires;
    item->wire_room = room;
  }
  item->wires[item->wire_count++] = made;
  return SINEW_OK;
}

sinew_status sinew_builder_drive(sinew_builder *b, sinew_segment segment, const char *from,
                                 const char *origin, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && from)) return SINEW_ERR_CALL;
  if (si_skip(b, segment.id, error)) return error->status;
  if (!SI_EXPECT(segment.id && segment.id <= b->model.segment_count)) return SINEW_ERR_CALL;
  si_segment *item = &b->model.segments[segment.id - 1];
  const char *driver = keep_text(b, from);
  const char *where = origin ? keep_text(b, origin) : NULL;
  if (!driver || (origin && !where)) return note_memory(b, error);
  if (item->driver) item->driven_twice = true;
  item->driver = driver;
  item->driver_given = (si_given){ 0 };
  item->driver_origin = where;
  return SINEW_OK;
}

sinew_status si_drive_by(sinew_builder *b, uint32_t segment, sinew_component component,
                         const char *output, sinew_error *error) {
  si_segment *item = &b->model.segments[segment - 1];
  si_given given;
  const char *driver = given_text(b, (sinew_dof){ 0 }, component, output, &given);
  if (!driver) return note_memory(b, error);
  item->driver = driver;
  item->driver_given = given;
  return SINEW_OK;
}

sinew_status sinew_builder_add_class(sinew_builder *b, const sinew_component_class *cls,
                                     sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && cls)) return SINEW_ERR_CALL;
  sinew_component_class whole = { 0 };
  if (!si_sized_take(cls, sizeof whole, "sinew_component_class",
                     "needs .class_size = sizeof(sinew_component_class)", &whole, error))
    return si_note(b, error);
  if (!SI_EXPECT(whole.name && (whole.eval || whole.try_eval))) return SINEW_ERR_CALL;
  const sinew_component_class *known = sinew_builder_class(b, cls->name);
  bool older = cls->class_size < sizeof whole;
  if (known == cls || (known && older && memcmp(known, cls, cls->class_size) == 0)) return SINEW_OK;
  if (known) {
    si_fail(error, SINEW_ERR_NAME, "component class '%s' is there already", cls->name);
    return si_note(b, error);
  }
  if (si_class_check(&whole, error) != SINEW_OK) return si_note(b, error);
  if (older) {
    /* of an older version: a copy has the fields that it lacks, and keeps its size, so that rigs
     * copy it too */
    sinew_component_class *copy = keep(b, sizeof *copy);
    if (!copy) return note_memory(b, error);
    whole.class_size = cls->class_size;
    *copy = whole;
    cls = copy;
  }
  if (!si_grow(&b->classes, &b->class_room, b->class_count + 1, sizeof *b->classes) ||
      !si_names_add(&b->class_names, cls->name, (uint32_t)b->class_count + 1))
    return note_memory(b, error);
  b->classes[b->class_count++] = cls;
  si_class_hold(cls, true);
  return SINEW_OK;
}

const sinew_component_class *sinew_builder_class(const sinew_builder *b, const char *kind) {
  if (!SI_EXPECT(b && kind)) return NULL;
  uint32_t own = si_names_find(&b->class_names, kind);
  return own ? b->classes[own - 1] : sinew_catalog_find(kind);
}

sinew_status sinew_builder_set_param(sinew_builder *b, sinew_component component,
                                     const sinew_param *param, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && param && param->name)) return SINEW_ERR_CALL;
  if (si_skip(b, component.id, error)) return error->status;
  if (!SI_EXPECT(component.id && component.id <= b->model.component_count)) return SINEW_ERR_CALL;
  si_component *item = &b->model.components[component.id - 1];
  uint32_t at = 0;
  while (at < item->param_count && strcmp(item->params[at].name, param->name) != 0) at++;
  if (param->type == SINEW_PARAM_NONE) {
    if (at == item->param_count) return SINEW_OK;
    hold_objects(&(si_component){ .params = &item->params[at], .param_count = 1 }, false);
    item->param_count--;
    memmove(item->params + at, item->params + at + 1,
            (item->param_count - at) * sizeof *item->params);
    return SINEW_OK;
  }
  sinew_param *params = item->params, copy = *param;
  si_carver measured;
  if (!KEEP(b, &copy, si_param_copy)) return note_memory(b, error);
  if (at == item->param_count && at >= item->param_room) {
    uint32_t room = 2 * item->param_count + 4;
    params = keep(b, room * sizeof *params);
    if (!params) return note_memory(b, error);
    if (item->param_count) memcpy(params, item->params, item->param_count * sizeof *params);
    item->param_room = room;
  }
  hold_objects(&(si_component){ .params = &copy, .param_count = 1 }, true);
  if (at < item->param_count)
    hold_objects(&(si_component){ .params = &params[at], .param_count = 1 }, false);
  else
    item->param_count++;
  params[at] = copy;
  item->params = params;
  return SINEW_OK;
}

sinew_status sinew_builder_set_rest(sinew_builder *b, sinew_segment segment, const float rest[16],
                                    sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && rest)) return SINEW_ERR_CALL;
  if (si_skip(b, segment.id, error)) return error->status;
  if (!SI_EXPECT(segment.id && segment.id <= b->model.segment_count)) return SINEW_ERR_CALL;
  si_mat_copy(rest, b->model.segments[segment.id - 1].rest);
  return SINEW_OK;
}

sinew_status sinew_builder_set_mass(sinew_builder *b, sinew_segment segment, float mass,
                                    const float at[3], sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b)) return SINEW_ERR_CALL;
  if (si_skip(b, segment.id, error)) return error->status;
  if (!SI_EXPECT(segment.id && segment.id <= b->model.segment_count)) return SINEW_ERR_CALL;
  si_segment *item = &b->model.segments[segment.id - 1];
  item->mass = mass;
  if (at) memcpy(item->mass_at, at, sizeof item->mass_at);
  return SINEW_OK;
}

sinew_status sinew_builder_set_stiffness(sinew_builder *b, sinew_dof dof, float stiffness,
                                         sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b)) return SINEW_ERR_CALL;
  if (si_skip(b, dof.id, error)) return error->status;
  if (!SI_EXPECT(dof.id && dof.id <= b->model.dof_count)) return SINEW_ERR_CALL;
  b->model.dofs[dof.id - 1].stiffness = stiffness;
  return SINEW_OK;
}

sinew_status sinew_builder_set_dof_range(sinew_builder *b, sinew_dof dof, float min, float max,
                                         float rest, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b)) return SINEW_ERR_CALL;
  if (si_skip(b, dof.id, error)) return error->status;
  if (!SI_EXPECT(dof.id && dof.id <= b->model.dof_count)) return SINEW_ERR_CALL;
  si_dof *item = &b->model.dofs[dof.id - 1];
  item->min = min;
  item->max = max;
  item->rest = rest;
  return SINEW_OK;
}

sinew_status sinew_builder_set_constant(sinew_builder *b, sinew_component component, int wire,
                                        const float value[16], sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(b && value)) return SINEW_ERR_CALL;
  if (si_skip(b, component.id, error)) return error->status;
  if (!SI_EXPECT(component.id && component.id <= b->model.component_count)) return SINEW_ERR_CALL;
  si_component *item = &b->model.components[component.id - 1];
  if (!SI_EXPECT(wire >= 0 && (uint32_t)wire < item->wire_count)) return SINEW_ERR_CALL;
  if (item->wires[wire].from) {
    si_fail(error, SINEW_ERR_VALUE,
            "component '%s' input '%s': is wired to '%s', so it has no constant", item->name,
            item->wires[wire].input, item->wires[wire].from);
    return si_note(b, error);
  }
  memcpy(item->wires[wire].constant, value, sizeof item->wires[wire].constant);
  return SINEW_OK;
}

void sinew_builder_rewind(sinew_builder *b, sinew_counts counts) {
  si_model *m = SI_EXPECT(b) ? &b->model : NULL;
  if (!m ||
      !SI_EXPECT(counts.joint_sets >= 0 && (uint32_t)counts.joint_sets <= m->joint_set_count &&
                 counts.segments >= 0 && (uint32_t)counts.segments <= m->segment_count &&
                 counts.dofs >= 0 && (uint32_t)counts.dofs <= m->dof_count &&
                 counts.components >= 0 && (uint32_t)counts.components <= m->component_count))
    return;
  if ((uint32_t)counts.joint_sets < m->joint_set_count) {
    m->joint_set_count = (uint32_t)counts.joint_sets;
    si_names_clear(&b->set_names);
    for (uint32_t i = 0; i < m->joint_set_count; i++)
      si_names_add(&b->set_names, m->joint_sets[i].name, i + 1);
  }
  m->segment_count = (uint32_t)counts.segments;
  if ((uint32_t)counts.dofs == m->dof_count && (uint32_t)counts.components == m->component_count)
    return;
  while (m->component_count > (uint32_t)counts.components)
    hold_objects(&m->components[--m->component_count], false);
  m->dof_count = (uint32_t)counts.dofs;
  /* numbering of unnamed components starts again, past the names that are left; there is room for
   * all of them */
  si_names_clear(&b->taken);
  for (uint32_t i = 0; i < m->dof_count; i++)
    si_names_add(&b->taken, m->dofs[i].name, si_taken_dof(i + 1));
  for (uint32_t i = 0; i < m->component_count; i++)
    si_names_add(&b->taken, m->components[i].name, si_taken_component(i + 1));
}
