/* A compiled rig as XML. The tables of its class say how a component is written; parameters that
 * were not given are left out. The rig has compiled, so its names and numbers are valid. */
#include "sinew/xml.h"

#include "base/alloc.h"
#include "base/file_internal.h"
#include "compile/rig_internal.h"
#include "interchange/xml_out.h"
#include "interchange/xml_words.h"
#include "sinew/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
  si_text out;
  const si_model *model;
  const sinew_xml_desc *desc;
  const char *path; /* of the file; NULL: a text in memory */
  int field_count;  /* field files written so far */
  /* of each component, the program that is written; NULL: it is not written by a program. The
   * others: each class with such components, and the text of its first. */
  const sinew_program **programs;
  const sinew_component_class **kinds;
  const char **kind_texts;
  uint32_t kind_count;
  uint32_t *slots; /* a table from classes to kinds plus one */
  uint32_t slot_bits;
  sinew_error *error;
  sinew_status status;
} writer;

/* writes an attribute after checking its text; `what` and `name` say whose it is */
static void put(writer *w, const char *attribute, const char *value, const char *what,
                const char *name) {
  const char *fault = si_xml_fault(value);
  if (!fault)
    si_out_attribute(&w->out, attribute, value);
  else if (w->status == SINEW_OK)
    w->status = si_fail(w->error, SINEW_ERR_NAME, "%s '%s': its %s %s, so it cannot be written",
                        what, name, attribute, fault);
}

static void put_origin(writer *w, const char *origin, const char *what, const char *name) {
  if (w->desc->origins && origin) put(w, "origin", origin, what, name);
}

static void put_set(writer *w, uint32_t set) {
  if (set) si_out_attribute(&w->out, "set", w->model->joint_sets[set - 1].name);
}

/* "name" of "set.name" */
static const char *local_name(const writer *w, const char *full, uint32_t set) {
  return set ? full + strlen(w->model->joint_sets[set - 1].name) + 1 : full;
}

/* ` from="knee.bend.angle"`; the port is left out if it is the only one */
static void put_source(writer *w, const char *attribute, const si_source *source) {
  const si_model *m = w->model;
  if (source->kind == SI_FROM_DOF) {
    si_out_attribute(&w->out, attribute, m->dofs[source->id - 1].name);
    return;
  }
  const si_component *from = &m->components[source->id - 1];
  char name[512], port[128] = "";
  if (from->output_count > 1) si_output_name(from, source->output, port, sizeof port);
  snprintf(name, sizeof name, "%s%s%s", from->name, *port ? "." : "", port);
  si_out_attribute(&w->out, attribute, name);
}

/* --- joint sets, segments, DOFs */

static void put_shape(writer *w, const sinew_xml_shape *shape, const char *segment) {
  const sinew_shape *s = &shape->mesh;
  si_text *out = &w->out;
  if (shape->file) {
    si_text_add(out, ">\n      <shape");
    put(w, "file", shape->file, "the shape of segment", segment);
    si_text_add(out, shape->mirrored ? " mirrored=\"true\"/>" : "/>");
  } else if (shape->solid) {
    si_text_add(out, ">\n      <shape>\n");
    si_out_solid(out, shape->solid, 8);
    si_text_add(out, "      </shape>");
  } else {
    si_text_add(out, ">\n      <shape>\n        <vertices>");
    si_out_list(out, s->vertices, 3 * (size_t)s->vertex_count, 3, 10);
    si_text_add(out, "</vertices>\n        <normals>");
    si_out_list(out, s->normals, 3 * (size_t)s->vertex_count, 3, 10);
    si_text_add(out, "</normals>\n        <triangles>");
    si_out_indices(out, s->triangles, 3 * (size_t)s->triangle_count, 10);
    si_text_add(out, "</triangles>\n      </shape>");
  }
  si_text_add(out, "\n    </segment>\n");
}

static void put_segment(writer *w, uint32_t index) {
  static const float nowhere[3];
  const si_segment *s = &w->model->segments[index];
  const sinew_xml_shape *shape = w->desc->shapes ? &w->desc->shapes[index] : NULL;
  si_text_add(&w->out, "    <segment");
  put(w, "name", s->name, "segment", s->name);
  if (s->parent) si_out_attribute(&w->out, "parent", s->parent_name);
  put_set(w, s->joint_set);
  si_out_frame(&w->out, "rest", s->rest);
  if (s->source.kind == SI_FROM_OUTPUT) put_source(w, "driver", &s->source);
  if (s->mass > 0) si_out_numbers(&w->out, "mass", &s->mass, 1);
  if (s->mass > 0 && memcmp(s->mass_at, nowhere, sizeof nowhere) != 0)
    si_out_numbers(&w->out, "mass_at", s->mass_at, 3);
  put_origin(w, s->origin, "segment", s->name);
  if (shape && (shape->file || shape->solid || shape->mesh.vertices))
    put_shape(w, shape, s->name);
  else
    si_text_add(&w->out, "/>\n");
}

static void put_dof(writer *w, uint32_t index) {
  const si_dof *d = &w->model->dofs[index];
  const char *label = w->desc->labels ? w->desc->labels[index] : NULL;
  si_text_add(&w->out, "    <dof");
  put(w, "name", local_name(w, d->name, d->joint_set), "DOF", d->name);
  put_set(w, d->joint_set);
  si_out_numbers(&w->out, "min", &d->min, 1);
  si_out_numbers(&w->out, "max", &d->max, 1);
  si_out_numbers(&w->out, "rest", &d->rest, 1);
  put(w, "unit", d->unit, "DOF", d->name);
  if (label) put(w, "label", label, "DOF", d->name);
  if (d->stiffness > 0) si_out_numbers(&w->out, "stiffness", &d->stiffness, 1);
  put_origin(w, d->origin, "DOF", d->name);
  si_text_add(&w->out, "/>\n");
}

/* --- components */

/* the input of a wire: the one of its name, or the next one of a list */
static uint32_t input_of(const si_component *c, uint32_t wire) {
  uint32_t input = 0, before = 0;
  while (strcmp(c->cls->inputs[input].name, c->wires[wire].input) != 0) input++;
  if (input < c->fixed_inputs) return input;
  for (uint32_t i = 0; i < wire; i++)
    before += strcmp(c->wires[i].input, c->wires[wire].input) == 0;
  return input + before;
}

static void put_wire(writer *w, const si_component *c, uint32_t input, const si_wire *wire,
                     bool foreign) {
  si_text_format(&w->out, "      <%s", foreign ? "input" : wire->input);
  if (foreign) put(w, "name", wire->input, "component", c->name);
  if (wire->from)
    put_source(w, "from", &c->inputs[input]);
  else
    si_out_numbers(&w->out, "value", wire->constant,
                   (size_t)si_kind_numbers(si_input_desc(c, input)->kind));
  si_text_add(&w->out, "/>\n");
}

/* inputs of a list are counted here, because input_of would take quadratic time */
static void put_wires(writer *w, const si_component *c, bool foreign) {
  uint32_t listed = c->fixed_inputs;
  const sinew_port_desc *list = si_list_input(c->cls);
  for (uint32_t i = 0; i < c->wire_count; i++) {
    bool in_list = list && strcmp(c->wires[i].input, list->name) == 0;
    put_wire(w, c, in_list ? listed++ : input_of(c, i), &c->wires[i], foreign);
  }
}

static void put_curve(writer *w, const sinew_curve *curve) {
  sinew_curve_desc d = sinew_curve_describe(curve);
  sinew_outside usual = d.kind == SINEW_CURVE_SIMM ? SINEW_OUTSIDE_EXTEND : SINEW_OUTSIDE_CLAMP;
  si_out_attribute(&w->out, "kind", sinew_curve_kind_name(d.kind));
  if (d.outside != usual) si_out_attribute(&w->out, "outside", sinew_outside_name(d.outside));
  if (d.scale != 1) si_out_numbers(&w->out, "scale", &d.scale, 1);
  if (d.offset != 0 || signbit(d.offset)) si_out_numbers(&w->out, "offset", &d.offset, 1);
  si_text_add(&w->out, ">");
  if (d.point_count)
    si_out_list(&w->out, d.points, 2 * (size_t)d.point_count, 2, 8);
  else
    si_out_list(&w->out, d.coefficients, (size_t)d.coefficient_count, 1, 8);
}

/* saves the field as rig.1.field next to rig.xml and writes that name as an attribute */
static void put_field_file(writer *w, const sinew_field *field) {
  const char *slash = strrchr(w->path, '/'), *base = slash ? slash + 1 : w->path;
  const char *dot = strrchr(base, '.');
  size_t stem = dot && dot != base ? (size_t)(dot - w->path) : strlen(w->path);
  size_t room = stem + 32;
  char *name = si_alloc(room);
  if (!name) {
    w->out.failed = true;
    return;
  }
  snprintf(name, room, "%.*s.%d.field", (int)stem, w->path, ++w->field_count);
  if (w->status == SINEW_OK) w->status = sinew_field_save(field, name, w->error);
  put(w, "file", name + (base - w->path), "the file of field", name);
  si_free(name);
}

/* writes an object up to its closing tag; false: it needs no closing tag */
static bool put_object(writer *w, const si_component *c, const sinew_param *p) {
  if (p->object_class != &sinew_field_class) {
    if (w->status == SINEW_OK)
      w->status = si_fail(w->error, SINEW_ERR_TYPE,
                          "component '%s' parameter '%s': an object of the class '%s' cannot be "
                          "written",
                          c->name, p->name, p->object_class->name);
    return false;
  }
  if (w->path && w->desc->fields_beside) {
    put_field_file(w, p->object);
    return false;
  }
  size_t size = sinew_field_encoded_bytes(p->object);
  unsigned char *bytes = si_alloc(size);
  if (!bytes) {
    w->out.failed = true;
    return false;
  }
  sinew_field_encode(p->object, bytes);
  si_text_add(&w->out, ">");
  si_out_base64(&w->out, bytes, size, 8);
  si_free(bytes);
  return true;
}

static const char *exact_number(const writer *w, uint32_t component, const char *param) {
  for (int i = 0; i < w->desc->number_count; i++) {
    const sinew_xml_number *n = &w->desc->numbers[i];
    if (n->component.id == component && strcmp(n->param, param) == 0) return n->text;
  }
  return NULL;
}

static void put_value(writer *w, uint32_t component, const sinew_param *p, sinew_param_type wanted,
                      const char *element) {
  const si_component *c = &w->model->components[component - 1];
  const si_xml_value *how = &si_xml_values[p->type];
  /* a program reads numbers as floats */
  const char *exact = p->type == SINEW_PARAM_NUMBER && !w->programs[component - 1]
                          ? exact_number(w, component, p->name)
                          : NULL;
  bool content = how->content != NULL;
  if (exact) {
    put(w, "value", exact, "component", c->name);
  } else if (p->type == SINEW_PARAM_FLAG) {
    si_out_attribute(&w->out, "value", p->number[0] != 0 ? "true" : "false");
  } else if (p->type == SINEW_PARAM_CURVE) {
    put_curve(w, p->curve);
  } else if (p->type == SINEW_PARAM_OBJECT) {
    content = put_object(w, c, p);
  } else if (content) {
    bool matrix = p->type == SINEW_PARAM_MATRIX;
    si_text_add(&w->out, ">");
    si_out_list(&w->out, matrix ? p->number : p->numbers,
                matrix ? 16 : (size_t)how->each * (size_t)p->count, how->each, 8);
  } else if (how->each) {
    si_out_numbers(&w->out, "value", p->number, (size_t)how->each);
  } else {
    put(w, si_xml_values[wanted].attribute, p->text, "component", c->name);
  }
  if (content)
    si_text_format(&w->out, "</%s>\n", element);
  else
    si_text_add(&w->out, "/>\n");
}

/* --- recorded components */

/* the program that is given for a component, or that it has as an object; NULL: none */
static const sinew_program *given_program(const writer *w, uint32_t index) {
  const si_component *c = &w->model->components[index];
  if (sinew_catalog_has(c->cls)) return NULL;
  if (w->desc->programs && w->desc->programs[index]) return w->desc->programs[index];
  for (uint32_t i = 0; i < c->param_count; i++)
    if (c->params[i].type == SINEW_PARAM_OBJECT &&
        c->params[i].object_class == &sinew_program_object)
      return c->params[i].object;
  return NULL;
}

/* the place of a class in the table of classes: that of its kind, or an empty one */
static uint32_t *slot_of(const writer *w, const sinew_component_class *cls) {
  uint32_t at = (uint32_t)((uintptr_t)cls >> 4) * 2654435761u >> (32 - w->slot_bits);
  while (w->slots[at] && w->kinds[w->slots[at] - 1] != cls)
    at = (at + 1) & ((UINT32_C(1) << w->slot_bits) - 1);
  return &w->slots[at];
}

/* the kind of a class; kind_count: none */
static uint32_t kind_of(const writer *w, const sinew_component_class *cls) {
  uint32_t kind = w->kind_count ? *slot_of(w, cls) : 0;
  return kind ? kind - 1 : w->kind_count;
}

/* finds the classes whose components all have programs; false when memory runs out */
static bool find_kinds(writer *w) {
  const si_model *m = w->model;
  uint32_t found = 0;
  w->programs = si_alloc_array(m->component_count + 1u, sizeof *w->programs);
  w->kinds = si_alloc_array(m->component_count + 1u, sizeof *w->kinds);
  w->kind_texts = si_alloc_array(m->component_count + 1u, sizeof *w->kind_texts);
  w->slot_bits = 4;
  while (UINT32_C(1) << w->slot_bits < 2 * m->component_count) w->slot_bits++;
  w->slots = si_alloc_array((size_t)1 << w->slot_bits, sizeof *w->slots);
  if (!w->programs || !w->kinds || !w->kind_texts || !w->slots) return false;
  for (uint32_t i = 0; i < m->component_count; i++) {
    w->programs[i] = given_program(w, i);
    if (!w->programs[i]) continue;
    uint32_t *slot = slot_of(w, m->components[i].cls);
    if (*slot) continue;
    w->kinds[w->kind_count] = m->components[i].cls;
    w->kind_texts[w->kind_count++] = sinew_program_text(w->programs[i]);
    *slot = w->kind_count;
  }
  if (!w->kind_count) return true;
  for (uint32_t i = 0; i < m->component_count; i++) {
    uint32_t kind = w->programs[i] ? w->kind_count : kind_of(w, m->components[i].cls);
    if (kind < w->kind_count) w->kind_texts[kind] = NULL; /* by module, as this one */
  }
  for (uint32_t i = 0; i < m->component_count; i++)
    if (w->programs[i] && !w->kind_texts[kind_of(w, m->components[i].cls)]) w->programs[i] = NULL;
  memset(w->slots, 0, ((size_t)1 << w->slot_bits) * sizeof *w->slots);
  for (uint32_t i = 0; i < w->kind_count; i++) {
    if (!w->kind_texts[i]) continue;
    *slot_of(w, w->kinds[i]) = found + 1;
    w->kinds[found] = w->kinds[i];
    w->kind_texts[found++] = w->kind_texts[i];
  }
  w->kind_count = found;
  return true;
}

static void put_kind(writer *w, uint32_t index) {
  if (!si_out_kind(&w->out, w->kinds[index], w->kind_texts[index], w->error))
    w->status = w->error ? w->error->status : SINEW_ERR_NAME;
}

/* the program of a component, unless its kind has the same */
static void put_program(writer *w, uint32_t index) {
  const si_component *c = &w->model->components[index];
  const char *text = sinew_program_text(w->programs[index]), *fault = si_xml_fault(text);
  if (fault)
    w->status = si_fail(w->error, SINEW_ERR_NAME,
                        "component '%s': its program %s, so it cannot be written", c->name, fault);
  else if (strcmp(text, w->kind_texts[kind_of(w, c->cls)]) != 0)
    si_out_program(&w->out, text, 6);
}

static void put_params(writer *w, uint32_t component, bool foreign) {
  const si_component *c = &w->model->components[component - 1];
  for (uint32_t i = 0; i < c->param_count && w->status == SINEW_OK; i++) {
    const sinew_param *p = &c->params[i];
    const sinew_param_desc *d = sinew_class_find_param(c->cls, p->name);
    /* the object behind a component of a script is created again by its module; a program is
     * written apart */
    if (foreign && p->type == SINEW_PARAM_OBJECT &&
        (strcmp(p->name, SI_XML_SELF) == 0 || p->object_class == &sinew_program_object ||
         (w->desc->without_objects && !w->programs[component - 1])))
      continue;
    const char *element = d ? d->name : c->cls->named->name;
    if (foreign) element = si_xml_values[p->type].word;
    si_text_format(&w->out, "      <%s", element);
    if (foreign || !d) put(w, "name", p->name, "component", c->name);
    sinew_param_type wanted = d ? d->type : c->cls->named->type;
    put_value(w, component, p, foreign ? p->type : wanted, element);
  }
}

static void put_component(writer *w, uint32_t index) {
  const si_component *c = &w->model->components[index];
  bool foreign = !sinew_catalog_has(c->cls), recorded = w->programs[index] != NULL;
  const char *module = w->desc->modules ? w->desc->modules[index] : NULL;
  if (foreign && !recorded && !module) {
    w->status = si_fail(w->error, SINEW_ERR_NAME,
                        "component '%s': its kind '%s' is neither built in nor from a module, so "
                        "it cannot be written",
                        c->name, c->cls->name);
    return;
  }
  const char *element = recorded ? SI_XML_RECORDED : foreign ? SI_XML_SCRIPT : c->cls->name;
  si_text_format(&w->out, "    <%s", element);
  put(w, "name", local_name(w, c->name, c->joint_set), "component", c->name);
  put_set(w, c->joint_set);
  if (foreign && !recorded) put(w, "module", module, "component", c->name);
  if (foreign) put(w, "kind", c->cls->name, "component", c->name);
  put_origin(w, c->origin, "component", c->name);
  si_text_add(&w->out, ">\n");
  put_wires(w, c, foreign);
  put_params(w, index + 1, foreign);
  if (recorded) put_program(w, index);
  si_text_format(&w->out, "    </%s>\n", element);
}

/* --- the whole */

static void put_joint_set(writer *w, uint32_t index) {
  const char *name = w->model->joint_sets[index].name;
  si_text_add(&w->out, "    <joint_set");
  put(w, "name", name, "joint set", name);
  si_text_add(&w->out, "/>\n");
}

static void put_list(writer *w, int list, uint32_t count,
                     void (*put_one)(writer *w, uint32_t index)) {
  const char *name = si_xml_lists[list].list;
  si_text_format(&w->out, "  <%s>\n", name);
  for (uint32_t i = 0; i < count && w->status == SINEW_OK && !w->out.failed; i++) put_one(w, i);
  si_text_format(&w->out, "  </%s>\n", name);
}

sinew_xml_desc sinew_default_xml_desc(void) {
  return (sinew_xml_desc){ .size = sizeof(sinew_xml_desc) };
}

static void put_rig(writer *w) {
  const si_model *m = w->model;
  si_text_format(&w->out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<" SI_XML_RIG " version=\"%d\"",
                 w->kind_count ? 2 : 1);
  put(w, "name", m->name, "rig", m->name);
  if (m->binding) put(w, "binding", m->binding, "rig", m->name);
  si_text_add(&w->out, " length=\"m\" angle=\"deg\">\n");
  put_list(w, SI_XML_JOINT_SETS, m->joint_set_count, put_joint_set);
  put_list(w, SI_XML_SEGMENTS, m->segment_count, put_segment);
  put_list(w, SI_XML_DOFS, m->dof_count, put_dof);
  if (w->kind_count) put_list(w, SI_XML_KINDS, w->kind_count, put_kind);
  put_list(w, SI_XML_COMPONENTS, m->component_count, put_component);
  si_text_add(&w->out, "</" SI_XML_RIG ">\n");
}

static sinew_status write_rig(const sinew_rig *rig, const sinew_xml_desc *desc, const char *path,
                              char **dest, size_t *size, sinew_error *error) {
  sinew_xml_desc whole = sinew_default_xml_desc();
  if (!SI_TAKE_DESC(xml_desc, desc, &whole, error)) return SINEW_ERR_CALL;
  writer w = { .model = &rig->model, .desc = desc, .path = path, .error = error };
  if (find_kinds(&w))
    put_rig(&w);
  else
    w.out.failed = true;
  si_free(w.programs);
  si_free(w.kinds);
  si_free(w.kind_texts);
  si_free(w.slots);
  *dest = NULL;
  if (w.status == SINEW_OK) {
    *dest = si_text_finish(&w.out, size, error);
    return *dest ? SINEW_OK : SINEW_ERR_MEMORY;
  }
  si_free(w.out.at);
  return w.status;
}

sinew_status sinew_xml_write(const sinew_rig *rig, const sinew_xml_desc *desc, char **dest,
                             size_t *size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig && dest && size)) return SINEW_ERR_CALL;
  return write_rig(rig, desc, NULL, dest, size, error);
}

sinew_status sinew_xml_save(const sinew_rig *rig, const sinew_xml_desc *desc, const char *path,
                            sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig && path)) return SINEW_ERR_CALL;
  char *text;
  size_t size;
  sinew_status status = write_rig(rig, desc, path, &text, &size, error);
  if (status != SINEW_OK) return status;
  status = sinew_file_write(path, text, size, error);
  si_free(text);
  return status;
}
