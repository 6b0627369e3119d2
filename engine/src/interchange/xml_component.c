/* Reading components from XML by their classes' tables: which elements are wires, which parameters,
 * and of what type. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "model/model.h"
#include "interchange/xml_words.h"

enum { most_wires = 1 << 18, most_params = 512 };

/* what is collected of one component */
typedef struct parts {
  const si_xml_node *node;
  const sinew_component_class *cls; /* NULL: a script */
  sinew_param params[most_params];
  const char *files[most_params];
  int param_count;
} parts;

static bool unknown_part(si_xml_draft *r, const parts *d, const si_xml_node *part) {
  si_nearest near;
  si_nearest_start(&near, part->name);
  const sinew_component_class *cls = d->cls;
  for (const sinew_port_desc *p = cls ? cls->inputs : NULL; p && p->name; p++)
    si_nearest_offer(&near, p->name);
  for (const sinew_param_desc *p = cls ? cls->params : NULL; p && p->name; p++)
    si_nearest_offer(&near, p->name);
  if (cls && cls->named) si_nearest_offer(&near, cls->named->name);
  for (int type = 0; !cls && type <= SINEW_PARAM_OBJECT; type++)
    si_nearest_offer(&near, si_xml_type((sinew_param_type)type));
  if (!cls) si_nearest_offer(&near, "input");
  return si_xml_unknown(r, part, d->node, &near);
}

/* whether the element is a wire; those are added once the component is there */
static bool is_wire(const parts *d, const si_xml_node *part) {
  return d->cls ? sinew_class_find_input(d->cls, part->name) != NULL : si_xml_is(part, "input");
}

/* the type of the parameter that an element is; false where it is none */
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
  for (int i = SINEW_PARAM_NUMBER; i <= SINEW_PARAM_CURVE; i++) {
    *type = (sinew_param_type)i;
    /* words and names are texts here */
    if (i != SINEW_PARAM_CHOICE && i != SINEW_PARAM_SEGMENT && i != SINEW_PARAM_COMPONENT &&
        si_xml_is(part, si_xml_type(*type)))
      return true;
  }
  return false;
}

static bool read_param(si_xml_draft *r, parts *d, const si_xml_node *part) {
  sinew_param_type type;
  bool named;
  if (!param_type(d, part, &type, &named)) return unknown_part(r, d, part);
  if (d->param_count == most_params)
    return si_xml_fail(&r->base, part, SINEW_ERR_LIMIT, "'%.60s' has more than %d parameters",
                       d->node->name, most_params);
  sinew_param *param = &d->params[d->param_count];
  if (!si_xml_param(&r->base, part, type, named, param, &d->files[d->param_count++])) return false;
  /* a script's numbers are more exact than floats: its own reader takes them from the text */
  if (!d->cls && param->type == SINEW_PARAM_NUMBER)
    param->text = si_xml_attribute_of(part, "value");
  return true;
}

static bool read_wire(si_xml_draft *r, const parts *d, const si_xml_node *part,
                      sinew_component to) {
  static const char *const attributes[] = { "name", "from", "value", NULL };
  const char *const *allowed = d->cls ? attributes + 1 : attributes;
  char source[512];
  int count = 0;
  sinew_wire wire = { .input = part->name };
  const char *from = si_xml_attribute_of(part, "from");
  if (!si_xml_expect(&r->base, part, allowed) || !si_xml_expect_empty(&r->base, part)) return false;
  if (!d->cls && !si_xml_want(&r->base, part, "name", &wire.input)) return false;
  if (++r->wire_count > most_wires)
    return si_xml_fail(&r->base, part, SINEW_ERR_LIMIT, "there are more than %d wires", most_wires);
  if (from) {
    if (si_xml_attribute_of(part, "value"))
      return si_xml_fail(&r->base, part, SINEW_ERR_VALUE, "give 'from' or 'value', not both");
    if (!si_xml_source(r, part, from, source, sizeof source)) return false;
    wire.from = source;
  } else if (!si_xml_attribute_of(part, "value")) {
    return si_xml_fail(&r->base, part, SINEW_ERR_MISSING, "'%.60s' lacks 'from' or 'value'",
                       part->name);
  } else {
    if (!si_xml_numbers(&r->base, part, "value", wire.constant, 16, &count)) return false;
    sinew_kind kind = d->cls ? sinew_class_find_input(d->cls, part->name)->kind : SINEW_SCALAR;
    static const int wanted[] = { 1, 3, 16 };
    if (d->cls ? count != wanted[kind] : count != 1 && count != 3 && count != 16)
      return si_xml_fail(&r->base, part, SINEW_ERR_VALUE,
                         "'value' of '%.60s' has %d number%s, "
                         "not %d",
                         part->name, count, count == 1 ? "" : "s", wanted[kind]);
  }
  return sinew_builder_connect(r->xml->builder, to, &wire, r->base.error) == SINEW_OK;
}

/* what the component needs from outside: its module, fields in files */
static bool note_needs(si_xml_draft *r, const parts *d, sinew_component component) {
  sinew_xml *xml = r->xml;
  if (!d->cls) {
    if (!si_grow((void **)&xml->foreigners, &xml->foreign_room, xml->foreign_count + 1,
                 sizeof *xml->foreigners))
      return si_xml_fail_memory(r);
    si_foreign *f = &xml->foreigners[xml->foreign_count++];
    f->component = component;
    f->module = si_strdup(si_xml_attribute_of(d->node, "module"));
    if (!f->module) return si_xml_fail_memory(r);
  }
  for (int i = 0; i < d->param_count; i++) {
    if (!d->files[i]) continue;
    if (!si_grow((void **)&xml->files, &xml->file_room, xml->file_count + 1, sizeof *xml->files))
      return si_xml_fail_memory(r);
    si_field_file *f = &xml->files[xml->file_count++];
    f->component = component;
    f->name = si_strdup(d->files[i]);
    f->param = si_strdup(d->params[i].name);
    if (!f->name || !f->param) return si_xml_fail_memory(r);
  }
  return true;
}

/* parameters first, since they come with the component, then its wires */
static bool read_parts(si_xml_draft *r, parts *d, const sinew_component_desc *wanted) {
  const si_xml_node *part = si_xml_first(d->node);
  for (uint32_t i = 0; i < d->node->child_count; i++, part = si_xml_after(&r->base.tree, part))
    if (!is_wire(d, part) && !read_param(r, d, part)) return false;
  sinew_component_desc desc = *wanted;
  desc.params = d->params;
  desc.param_count = d->param_count;
  sinew_component component = sinew_builder_add_component(r->xml->builder, &desc, r->base.error);
  if (!component.id || !note_needs(r, d, component)) return false;
  part = si_xml_first(d->node);
  for (uint32_t i = 0; i < d->node->child_count; i++, part = si_xml_after(&r->base.tree, part))
    if (is_wire(d, part) && !read_wire(r, d, part, component)) return false;
  return true;
}

static bool unknown_component(si_xml_draft *r, const si_xml_node *node) {
  char words[400];
  si_nearest near;
  si_nearest_start(&near, node->name);
  for (int i = 0; sinew_catalog(i); i++) si_nearest_offer(&near, sinew_catalog(i)->name);
  si_nearest_offer(&near, SI_XML_SCRIPT);
  return si_xml_fail(&r->base, node, SINEW_ERR_NAME, "there is no kind of component '%.60s'%s",
                     node->name, si_nearest_words(&near, words, sizeof words));
}

bool si_xml_component(si_xml_draft *r, const si_xml_node *node) {
  static const char *const attributes[] = { "name", "set", NULL };
  static const char *const script[] = { "name", "set", "module", "kind", NULL };
  char origin[SI_XML_ORIGIN];
  const char *module;
  sinew_component_desc desc = { .kind = node->name, .origin = si_xml_origin(r, node, origin) };
  const sinew_component_class *cls = sinew_catalog_find(node->name);
  if (!cls && !si_xml_is(node, SI_XML_SCRIPT)) return unknown_component(r, node);
  if (!si_xml_expect(&r->base, node, cls ? attributes : script) || !si_xml_no_text(r, node) ||
      !si_xml_set(r, node, &desc.joint_set))
    return false;
  if (!cls && (!si_xml_want(&r->base, node, "module", &module) ||
               !si_xml_want(&r->base, node, "kind", &desc.kind)))
    return false;
  if (!cls && sinew_catalog_find(desc.kind))
    return si_xml_fail(&r->base, node, SINEW_ERR_NAME, "the kind '%s' is built in: write <%s>",
                       desc.kind, desc.kind);
  desc.name = si_xml_attribute_of(node, "name");
  parts *d = si_alloc(sizeof *d);
  if (!d) return si_xml_fail_memory(r);
  d->node = node;
  d->cls = cls;
  bool fine = read_parts(r, d, &desc);
  for (int i = 0; i < d->param_count; i++) si_xml_param_free(&d->params[i]);
  si_free(d);
  return fine;
}
