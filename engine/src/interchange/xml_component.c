/* Reading components from XML. The tables of a class say which elements are wires, which are
 * parameters, and of what type. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "model/model.h"

enum { most_wires = 1 << 18, most_params = 512 };

/* the parts of one component */
typedef struct parts {
  const si_xml_node *node;
  const sinew_component_class *cls; /* NULL: a script, or recorded */
  si_xml_kind *kind;                /* NULL: not recorded */
  sinew_param *params; /* room for one for each child, at most most_params, and the program */
  const char **files;
  int param_count;
} parts;

static bool unknown_part(si_xml_reader *r, const parts *d, const si_xml_node *part) {
  si_nearest near;
  si_nearest_start(&near, part->name);
  const sinew_component_class *cls = d->cls;
  for (const sinew_port_desc *p = cls ? cls->inputs : NULL; p && p->name; p++)
    si_nearest_offer(&near, p->name);
  for (const sinew_param_desc *p = cls ? cls->params : NULL; p && p->name; p++)
    si_nearest_offer(&near, p->name);
  if (cls && cls->named) si_nearest_offer(&near, cls->named->name);
  for (int type = 0; !cls && type <= SINEW_PARAM_OBJECT; type++)
    si_nearest_offer(&near, si_xml_values[type].word);
  if (!cls) si_nearest_offer(&near, "input");
  if (d->kind) si_nearest_offer(&near, SI_XML_PROGRAM);
  return si_xml_unknown(r, part, d->node, &near);
}

static bool is_program(const parts *d, const si_xml_node *part) {
  return d->kind && si_xml_is(part, SI_XML_PROGRAM);
}

/* whether an element is a wire; wires are added after the component */
static bool is_wire(const parts *d, const si_xml_node *part) {
  return d->cls ? sinew_class_find_input(d->cls, part->name) != NULL : si_xml_is(part, "input");
}

/* the type of a parameter; false if the element is not one */
static bool param_type(const parts *d, const si_xml_node *part, sinew_param_type *type,
                       bool *named) {
  *named = false;
  if (d->cls) {
    const sinew_param_desc *desc = sinew_class_find_param(d->cls, part->name);
    *named = !desc && d->cls->named && si_xml_is(part, d->cls->named->name);
    if (*named) desc = d->cls->named;
    if (desc) *type = desc->type;
    return desc != NULL;
  }
  *named = true;
  /* the last match: choices and names are texts here */
  for (*type = SINEW_PARAM_CURVE; !si_xml_is(part, si_xml_values[*type].word); (*type)--)
    if (*type == SINEW_PARAM_NUMBER) return false;
  return true;
}

static bool read_param(si_xml_reader *r, parts *d, const si_xml_node *part) {
  sinew_param_type type;
  bool named;
  if (!param_type(d, part, &type, &named)) return unknown_part(r, d, part);
  if (d->param_count == most_params)
    return si_xml_fail(r, part, SINEW_ERR_LIMIT, "'%.60s' has more than %d parameters",
                       d->node->name, most_params);
  sinew_param *param = &d->params[d->param_count];
  if (!si_xml_param(r, part, type, named, param, &d->files[d->param_count++])) return false;
  if (d->kind && strcmp(param->name, SI_XML_SELF) == 0)
    return si_xml_fail(r, part, SINEW_ERR_NAME, "a parameter cannot be named '%s'", param->name);
  /* a script's numbers are doubles, which its module reads from the text */
  if (!d->cls && !d->kind && param->type == SINEW_PARAM_NUMBER)
    param->text = si_xml_attribute_of(part, "value");
  return true;
}

/* the last parameter of a recorded component is its program */
static bool read_program(si_xml_reader *r, parts *d) {
  const si_xml_node *own = NULL, *part = si_xml_first(d->node);
  sinew_program *program;
  for (uint32_t i = 0; i < d->node->child_count; i++, part = si_xml_after(&r->tree, part)) {
    if (!is_program(d, part)) continue;
    if (own) return si_xml_fail(r, part, SINEW_ERR_FILE, "a component has at most one program");
    own = part;
  }
  if (!si_xml_program(r, d->node, d->kind, own, &program)) return false;
  d->params[d->param_count++] = sinew_param_object(SI_XML_SELF, &sinew_program_object, program);
  return true;
}

/* the class of the component, or NULL: that of a script is not known here */
static const sinew_component_class *class_of(const parts *d) {
  return d->kind ? &d->kind->cls : d->cls;
}

static bool read_wire(si_xml_reader *r, const parts *d, const si_xml_node *part,
                      sinew_component to) {
  char source[512];
  int count = 0;
  sinew_wire wire = { .input = part->name };
  const char *from = si_xml_attribute_of(part, "from");
  if (!si_xml_expect(r, part, d->cls ? si_xml_wire_words + 1 : si_xml_wire_words) ||
      !si_xml_expect_empty(r, part))
    return false;
  if (!d->cls) wire.input = si_xml_attribute_of(part, "name");
  if (++r->wire_count > most_wires)
    return si_xml_fail(r, part, SINEW_ERR_LIMIT, "there are more than %d wires", most_wires);
  if (from) {
    if (si_xml_attribute_of(part, "value"))
      return si_xml_fail(r, part, SINEW_ERR_VALUE, "give 'from' or 'value', not both");
    if (!si_xml_source(r, part, from, source, sizeof source)) return false;
    wire.from = source;
  } else if (!si_xml_attribute_of(part, "value")) {
    return si_xml_fail(r, part, SINEW_ERR_MISSING, "'%.60s' needs 'from' or 'value'", part->name);
  } else {
    if (!si_xml_numbers(r, part, "value", wire.constant, 16, &count)) return false;
    const sinew_port_desc *input =
        class_of(d) ? sinew_class_find_input(class_of(d), wire.input) : NULL;
    sinew_kind kind = input ? input->kind : SINEW_SCALAR;
    static const int wanted[] = { 1, 3, 16 };
    if (input ? count != wanted[kind] : count != 1 && count != 3 && count != 16)
      return si_xml_fail(r, part, SINEW_ERR_VALUE,
                         "'value' of '%.60s' has %d number%s, "
                         "not %d",
                         part->name, count, count == 1 ? "" : "s", wanted[kind]);
  }
  return sinew_builder_connect(r->xml->builder, to, &wire, r->error) == SINEW_OK;
}

/* notes the module and the field files that the component needs */
static bool note_needs(si_xml_reader *r, const parts *d, sinew_component component) {
  sinew_xml *xml = r->xml;
  if (!class_of(d)) {
    if (!si_grow(&xml->foreigners, &xml->foreign_room, xml->foreign_count + 1,
                 sizeof *xml->foreigners))
      return si_xml_fail_memory(r);
    si_foreign *f = &xml->foreigners[xml->foreign_count++];
    f->component = component;
    if (!si_xml_keep(r, si_xml_attribute_of(d->node, "module"), &f->module)) return false;
  }
  for (int i = 0; i < d->param_count; i++) {
    if (!d->files[i]) continue;
    if (!si_grow(&xml->files, &xml->file_room, xml->file_count + 1, sizeof *xml->files))
      return si_xml_fail_memory(r);
    si_field_file *f = &xml->files[xml->file_count++];
    f->component = component;
    if (!si_xml_keep(r, d->files[i], &f->name) || !si_xml_keep(r, d->params[i].name, &f->param))
      return false;
  }
  return true;
}

/* parameters first, because adding the component needs them; then its wires */
static bool read_parts(si_xml_reader *r, parts *d, const sinew_component_desc *wanted) {
  const si_xml_node *part = si_xml_first(d->node);
  for (uint32_t i = 0; i < d->node->child_count; i++, part = si_xml_after(&r->tree, part))
    if (!is_wire(d, part) && !is_program(d, part) && !read_param(r, d, part)) return false;
  if (d->kind && !read_program(r, d)) return false;
  sinew_component_desc desc = *wanted;
  desc.params = d->params;
  desc.param_count = d->param_count;
  sinew_component component = sinew_builder_add_component(r->xml->builder, &desc, r->error);
  if (!component.id || !note_needs(r, d, component)) return false;
  part = si_xml_first(d->node);
  for (uint32_t i = 0; i < d->node->child_count; i++, part = si_xml_after(&r->tree, part))
    if (is_wire(d, part) && !read_wire(r, d, part, component)) return false;
  return true;
}

static bool unknown_component(si_xml_reader *r, const si_xml_node *node) {
  char words[400];
  si_nearest near;
  si_nearest_start(&near, node->name);
  for (int i = 0; sinew_catalog(i); i++) si_nearest_offer(&near, sinew_catalog(i)->name);
  si_nearest_offer(&near, SI_XML_SCRIPT);
  si_nearest_offer(&near, SI_XML_RECORDED);
  return si_xml_fail(r, node, SINEW_ERR_NAME, "unknown kind of component '%.60s'%s", node->name,
                     si_nearest_words(&near, words, sizeof words));
}

bool si_xml_component(si_xml_reader *r, const si_xml_node *node) {
  char origin[SI_XML_ORIGIN];
  sinew_component_desc desc = { .size = sizeof desc,
                                .kind = node->name,
                                .origin = si_xml_origin(r, node, origin) };
  const sinew_component_class *cls = sinew_catalog_find(node->name);
  bool recorded = si_xml_is(node, SI_XML_RECORDED);
  si_xml_kind *kind = NULL;
  if (!cls && !recorded && !si_xml_is(node, SI_XML_SCRIPT)) return unknown_component(r, node);
  if (!si_xml_expect(r, node,
                     cls        ? si_xml_component_words
                     : recorded ? si_xml_recorded_words
                                : si_xml_script_words) ||
      !si_xml_no_text(r, node) || !si_xml_set(r, node, &desc.joint_set) ||
      (recorded && !si_xml_find_kind(r, node, &kind)))
    return false;
  if (!cls) desc.kind = si_xml_attribute_of(node, "kind");
  if (!cls && sinew_catalog_find(desc.kind))
    return si_xml_fail(r, node, SINEW_ERR_NAME, "the kind '%s' is built in: write <%s>", desc.kind,
                       desc.kind);
  if (!cls && !recorded && si_names_find(&r->kind_names, desc.kind))
    return si_xml_fail(r, node, SINEW_ERR_NAME,
                       "the kind '%.60s' is in 'kinds': write <" SI_XML_RECORDED ">", desc.kind);
  desc.name = si_xml_attribute_of(node, "name");
  size_t room = 1 + (node->child_count < most_params ? node->child_count : most_params);
  parts d = { .node = node,
              .cls = cls,
              .kind = kind,
              .params = si_alloc_array(room, sizeof *d.params),
              .files = si_alloc_array(room, sizeof *d.files) };
  bool fine = d.params && d.files ? read_parts(r, &d, &desc) : si_xml_fail_memory(r);
  for (int i = 0; i < d.param_count; i++) si_xml_param_free(&d.params[i]);
  si_free(d.params);
  si_free(d.files);
  return fine;
}
