/* Kinds of recorded components in XML: the tables of a class that a script defined, and programs.
 * Reading makes a class of its own for each kind of a file, so that two files may use one name for
 * two kinds. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "interchange/xml_out.h"
#include "model/model.h"

#include <math.h>

/* --- writing */

/* writes a text that may be missing or empty, after checking it */
static bool put(si_text *out, const char *attribute, const char *value,
                const sinew_component_class *cls, sinew_error *error) {
  if (!value || !*value) return true;
  const char *fault = si_xml_fault(value);
  if (!fault) {
    si_out_attribute(out, attribute, value);
    return true;
  }
  return si_fail_false(error, SINEW_ERR_NAME, "kind '%s': a %s of it %s, so it cannot be written",
                       cls->name, attribute, fault);
}

static bool put_port(si_text *out, const char *element, const sinew_port_desc *p,
                     const sinew_component_class *cls, sinew_error *error) {
  if (p->flags & SINEW_PORT_LIST)
    return si_fail_false(error, SINEW_ERR_TYPE,
                         "kind '%s': a kind with a list of ports cannot be written with a program",
                         cls->name);
  si_text_format(out, "      <%s", element);
  bool fine = put(out, "name", p->name, cls, error);
  si_out_attribute(out, "kind", sinew_kind_name(p->kind));
  fine = fine && put(out, "unit", p->unit, cls, error) && put(out, "doc", p->doc, cls, error);
  if (p->flags & SINEW_PORT_OPTIONAL) {
    si_out_attribute(out, "optional", "true");
    if (p->kind == SINEW_SCALAR && p->fallback != 0)
      si_out_numbers(out, "default", &p->fallback, 1);
  }
  si_text_add(out, "/>\n");
  return fine;
}

/* numbers in the default of a parameter */
static int default_count(sinew_param_type type) {
  return type == SINEW_PARAM_VECTOR ? 3 : type <= SINEW_PARAM_FLAG ? 1 : 0;
}

static bool put_param(si_text *out, const sinew_param_desc *p, const sinew_component_class *cls,
                      sinew_error *error) {
  sinew_param_type type = p->type == SINEW_PARAM_CHOICE ? SINEW_PARAM_TEXT : p->type;
  const char *word = si_xml_type_word(type);
  if (!word) return true;
  si_text_add(out, "      <parameter");
  bool fine = put(out, "name", p->name, cls, error);
  si_out_attribute(out, "type", word);
  fine = fine && put(out, "unit", p->unit, cls, error) && put(out, "doc", p->doc, cls, error);
  if (p->flags & SINEW_PARAM_REQUIRED) si_out_attribute(out, "required", "true");
  if (p->min < p->max && isfinite(p->min)) si_out_numbers(out, "min", &p->min, 1);
  if (p->min < p->max && isfinite(p->max)) si_out_numbers(out, "max", &p->max, 1);
  int count = default_count(type);
  bool given = false;
  for (int i = 0; i < count; i++) given |= p->fallback[i] != 0;
  if (given) si_out_numbers(out, "default", p->fallback, (size_t)count);
  fine = fine && put(out, "mirror", p->mirror, cls, error);
  si_text_add(out, "/>\n");
  return fine;
}

/* how many parts a kind has in a file */
static uint32_t part_count(const sinew_component_class *cls) {
  uint32_t count = si_port_count(cls->inputs) + si_port_count(cls->outputs) + 1;
  for (const sinew_param_desc *p = cls->params; p && p->name; p++) count++;
  for (const sinew_hold_desc *h = cls->holds; h && h->port; h++) count++;
  return count;
}

bool si_out_kind(si_text *out, const sinew_component_class *cls, const char *program,
                 sinew_error *error) {
  if (cls->named || part_count(cls) > SI_XML_KIND_MOST)
    return si_fail_false(error, SINEW_ERR_TYPE,
                         "kind '%s': a kind with %s cannot be written with a program", cls->name,
                         cls->named ? "outputs that an author names" : "so many ports");
  si_text_add(out, "    <kind");
  bool fine = put(out, "name", cls->name, cls, error) && put(out, "doc", cls->doc, cls, error);
  si_text_add(out, ">\n");
  for (const sinew_port_desc *p = cls->inputs; fine && p && p->name; p++)
    fine = put_port(out, "input", p, cls, error);
  for (const sinew_port_desc *p = cls->outputs; fine && p && p->name; p++)
    fine = put_port(out, "output", p, cls, error);
  for (const sinew_param_desc *p = cls->params; fine && p && p->name; p++)
    fine = put_param(out, p, cls, error);
  for (const sinew_hold_desc *h = cls->holds; fine && h && h->port; h++) {
    si_text_add(out, "      <hold");
    fine = put(out, "port", h->port, cls, error) && put(out, "doc", h->doc, cls, error);
    si_text_add(out, "/>\n");
  }
  si_out_program(out, program, 6);
  si_text_add(out, "    </kind>\n");
  return fine;
}

/* the next line of a text without blanks around it; empty lines are left out */
static bool next_line(const char **at, size_t *length) {
  *at += strspn(*at, " \t\r\n");
  *length = strcspn(*at, "\r\n");
  size_t all = *length;
  while (*length && strchr(" \t", (*at)[*length - 1])) --*length;
  return all != 0;
}

void si_out_program(si_text *out, const char *program, int indent) {
  si_text_format(out, "%*s<" SI_XML_PROGRAM ">\n", indent, "");
  size_t length;
  for (const char *at = program; next_line(&at, &length); at += length) {
    si_text_format(out, "%*s", indent + 2, "");
    si_out_escaped_n(out, at, length);
    si_text_add(out, "\n");
  }
  si_text_format(out, "%*s</" SI_XML_PROGRAM ">\n", indent, "");
}

/* --- the class of a kind */

static void retain_class(const sinew_component_class *cls) {
  si_xml_kind *kind = cls->user;
  __atomic_add_fetch(&kind->refs, 1, __ATOMIC_RELAXED);
}

static void release_class(const sinew_component_class *cls) {
  si_xml_kind *kind = cls->user;
  if (__atomic_sub_fetch(&kind->refs, 1, __ATOMIC_ACQ_REL)) return;
  si_arena_free(&kind->arena);
  si_free(kind);
}

static const sinew_program *program_of(const sinew_setup *setup) {
  if (sinew_setup_object_class(setup, SI_XML_SELF) != &sinew_program_object) return NULL;
  return sinew_setup_object(setup, SI_XML_SELF);
}

static bool kind_turns(const sinew_setup *setup) {
  const sinew_program *program = program_of(setup);
  return program && sinew_program_turns(setup, program);
}

static size_t kind_size(const sinew_setup *setup) {
  const sinew_program *program = program_of(setup);
  return program ? sinew_program_size(setup, program) : 0;
}

static void kind_setup(sinew_setup *setup, void *data) {
  const sinew_program *program = program_of(setup);
  if (program)
    sinew_program_setup(setup, program, data);
  else
    sinew_setup_fail(setup, SINEW_ERR_TYPE, "its '" SI_XML_SELF "' is not a program");
}

/* --- reading a kind */

/* tables that are being filled; each part of the kind is in one of them */
typedef struct tables {
  si_xml_kind *kind;
  sinew_port_desc *inputs, *outputs;
  sinew_param_desc *params;
  sinew_hold_desc *holds;
  uint32_t counts[SI_XML_KIND_PARTS];
} tables;

/* a text in the kind's memory; "" if the attribute is missing */
static bool keep(si_xml_reader *r, si_xml_kind *kind, const si_xml_node *node,
                 const char *attribute, const char **dest) {
  const char *text = si_xml_attribute_of(node, attribute);
  *dest = text ? si_arena_text(&kind->arena, text, strlen(text)) : "";
  return *dest || si_xml_fail_memory(r);
}

static const char *kind_word(int i) { return sinew_kind_name((sinew_kind)i); }
static const char *type_word(int i) { return si_xml_type_word((sinew_param_type)i); }

static bool read_port(si_xml_reader *r, tables *t, const si_xml_node *node, bool input,
                      sinew_port_desc *dest) {
  int kind;
  bool optional = false;
  if (!keep(r, t->kind, node, "name", &dest->name) ||
      !keep(r, t->kind, node, "unit", &dest->unit) || !keep(r, t->kind, node, "doc", &dest->doc) ||
      !si_xml_word_of(r, node, "kind", kind_word, SINEW_MATRIX + 1, &kind))
    return false;
  dest->kind = (sinew_kind)kind;
  if (!input) return true;
  if (!si_xml_flag(r, node, "optional", &optional) ||
      !si_xml_number(r, node, "default", &dest->fallback))
    return false;
  if (optional) dest->flags = SINEW_PORT_OPTIONAL;
  return !si_xml_attribute_of(node, "default") || (optional && kind == SINEW_SCALAR) ||
         si_xml_fail(r, node, SINEW_ERR_VALUE,
                     "input '%.60s': only an optional scalar has a 'default'", dest->name);
}

static bool read_param(si_xml_reader *r, tables *t, const si_xml_node *node,
                       sinew_param_desc *dest) {
  int type;
  bool required = false, low = si_xml_attribute_of(node, "min") != NULL,
       high = si_xml_attribute_of(node, "max") != NULL;
  if (!keep(r, t->kind, node, "name", &dest->name) ||
      !keep(r, t->kind, node, "unit", &dest->unit) || !keep(r, t->kind, node, "doc", &dest->doc) ||
      !keep(r, t->kind, node, "mirror", &dest->mirror) ||
      !si_xml_word_of(r, node, "type", type_word, SINEW_PARAM_NONE, &type) ||
      !si_xml_flag(r, node, "required", &required))
    return false;
  dest->type = (sinew_param_type)type;
  if (required) dest->flags = SINEW_PARAM_REQUIRED;
  if (!*dest->mirror) dest->mirror = NULL;
  if (strcmp(dest->name, SI_XML_SELF) == 0)
    return si_xml_fail(r, node, SINEW_ERR_NAME, "a parameter cannot be named '%s'", dest->name);
  if (low || high) {
    dest->min = -INFINITY;
    dest->max = INFINITY;
    if (!si_xml_number(r, node, "min", &dest->min) || !si_xml_number(r, node, "max", &dest->max))
      return false;
    if (!(dest->min < dest->max))
      return si_xml_fail(r, node, SINEW_ERR_VALUE,
                         "parameter '%.60s': 'min' must be less than 'max'", dest->name);
  }
  int count = default_count(dest->type);
  if (!si_xml_attribute_of(node, "default")) return true;
  if (!count)
    return si_xml_fail(r, node, SINEW_ERR_VALUE,
                       "parameter '%.60s': a %s has no 'default'; give it to each component",
                       dest->name, si_xml_type_word(dest->type));
  return si_xml_exactly(r, node, "default", dest->fallback, count);
}

static bool read_hold(si_xml_reader *r, tables *t, const si_xml_node *node, sinew_hold_desc *dest) {
  if (!keep(r, t->kind, node, "port", &dest->port) || !keep(r, t->kind, node, "doc", &dest->doc))
    return false;
  char words[400];
  si_nearest near;
  si_nearest_start(&near, dest->port);
  for (int i = 0; i < 2; i++)
    for (const sinew_port_desc *p = i ? t->outputs : t->inputs; p->name; p++) {
      if (strcmp(p->name, dest->port) == 0) return true;
      si_nearest_offer(&near, p->name);
    }
  return si_xml_fail(r, node, SINEW_ERR_NAME, "kind '%.60s': no input or output named '%.60s'%s",
                     t->kind->cls.name, dest->port, si_nearest_words(&near, words, sizeof words));
}

/* lines of the file's text as a program; messages name the file's line and the program's */
static bool make_program(si_xml_reader *r, const si_xml_node *node, sinew_program **dest) {
  static const si_xml_word none = { .name = NULL };
  if (!si_xml_expect(r, node, &none)) return false;
  if (node->child_count) return si_xml_expect_empty(r, node);
  char *text = si_alloc(strlen(node->text) + 2), *end = text;
  if (!text) return si_xml_fail_memory(r);
  size_t length;
  for (const char *at = node->text; next_line(&at, &length); at += length) {
    memcpy(end, at, length);
    end += length;
    *end++ = '\n';
  }
  *end = '\0';
  sinew_error why;
  *dest = sinew_program_create(text, &why);
  si_free(text);
  return *dest || si_xml_fail(r, node, why.status, "%s", why.text);
}

static bool read_part(si_xml_reader *r, tables *t, const si_xml_node *node, int which) {
  uint32_t at = t->counts[which]++;
  if (!si_xml_expect(r, node, si_xml_kind_parts[which].words)) return false;
  if (which != SI_XML_KIND_PROGRAM && !si_xml_expect_empty(r, node)) return false;
  switch (which) {
  case SI_XML_KIND_INPUT: return read_port(r, t, node, true, &t->inputs[at]);
  case SI_XML_KIND_OUTPUT: return read_port(r, t, node, false, &t->outputs[at]);
  case SI_XML_KIND_PARAMETER: return read_param(r, t, node, &t->params[at]);
  case SI_XML_KIND_HOLD: return read_hold(r, t, node, &t->holds[at]);
  default:
    if (at)
      return si_xml_fail(r, node, SINEW_ERR_FILE, "kind '%.60s' has more than one program",
                         t->kind->cls.name);
    return make_program(r, node, &t->kind->program);
  }
}

static bool read_parts(si_xml_reader *r, tables *t, const si_xml_node *node) {
  const si_xml_node *part = si_xml_first(node);
  int last = 0;
  for (uint32_t i = 0; i < node->child_count; i++, part = si_xml_after(&r->tree, part)) {
    int which = 0;
    si_nearest near;
    si_nearest_start(&near, part->name);
    while (which < SI_XML_KIND_PARTS && !si_xml_is(part, si_xml_kind_parts[which].item))
      si_nearest_offer(&near, si_xml_kind_parts[which++].item);
    if (which == SI_XML_KIND_PARTS) return si_xml_unknown(r, part, node, &near);
    if (which < last)
      return si_xml_fail(r, part, SINEW_ERR_FILE,
                         "'%s' is out of order: a kind has inputs, outputs, parameters, holds, "
                         "then a program",
                         part->name);
    last = which;
    if (!read_part(r, t, part, which)) return false;
  }
  return true;
}

static bool read_class(si_xml_reader *r, si_xml_kind *kind, const si_xml_node *node) {
  sinew_component_class *cls = &kind->cls;
  size_t room = node->child_count + 2u; /* of each table, with its end; params also have the self */
  tables t = { .kind = kind,
               .inputs = si_arena_take(&kind->arena, room * sizeof *t.inputs),
               .outputs = si_arena_take(&kind->arena, room * sizeof *t.outputs),
               .params = si_arena_take(&kind->arena, room * sizeof *t.params),
               .holds = si_arena_take(&kind->arena, room * sizeof *t.holds) };
  if (!t.inputs || !t.outputs || !t.params || !t.holds) return si_xml_fail_memory(r);
  if (!keep(r, kind, node, "name", &cls->name) || !keep(r, kind, node, "doc", &cls->doc) ||
      !read_parts(r, &t, node))
    return false;
  t.params[t.counts[SI_XML_KIND_PARAMETER]] = (sinew_param_desc){ .name = SI_XML_SELF,
                                                                  .type = SINEW_PARAM_OBJECT,
                                                                  .flags = SINEW_PARAM_REQUIRED,
                                                                  .unit = "a program",
                                                                  .doc = "what it computes" };
  cls->inputs = t.inputs;
  cls->outputs = t.outputs;
  cls->params = t.params;
  if (t.counts[SI_XML_KIND_HOLD]) cls->holds = t.holds;
  sinew_program_fill_class(cls);
  return true;
}

/* adds the kind to the reader, which then frees it */
static si_xml_kind *new_kind(si_xml_reader *r) {
  if (!si_grow(&r->kinds, &r->kind_room, r->kind_count + 1, sizeof *r->kinds)) return NULL;
  si_xml_kind *kind = si_alloc(sizeof *kind);
  if (!kind) return NULL;
  *kind = (si_xml_kind){ .refs = 1 };
  kind->cls = (sinew_component_class){ .class_size = sizeof kind->cls,
                                       .turns = kind_turns,
                                       .size = kind_size,
                                       .setup = kind_setup,
                                       .retain = retain_class,
                                       .release = release_class,
                                       .user = kind };
  r->kinds[r->kind_count++] = kind;
  return kind;
}

bool si_xml_read_kind(si_xml_reader *r, const si_xml_node *node) {
  const char *name = si_xml_attribute_of(node, "name");
  if (r->kind_count == SI_XML_MOST_KINDS || node->child_count > SI_XML_KIND_MOST)
    return r->kind_count == SI_XML_MOST_KINDS
               ? si_xml_fail(r, node, SINEW_ERR_LIMIT, "there are more than %d kinds",
                             SI_XML_MOST_KINDS)
               : si_xml_fail(r, node, SINEW_ERR_LIMIT, "kind '%.60s' has more than %d elements",
                             name, SI_XML_KIND_MOST);
  if (sinew_catalog_find(name))
    return si_xml_fail(r, node, SINEW_ERR_NAME, "the kind '%s' is built in", name);
  if (si_names_find(&r->kind_names, name))
    return si_xml_fail(r, node, SINEW_ERR_NAME, "duplicate kind '%.60s'", name);
  if (!si_xml_no_text(r, node)) return false;
  si_xml_kind *kind = new_kind(r);
  if (!kind) return si_xml_fail_memory(r);
  if (!read_class(r, kind, node)) return false;
  /* checks its names */
  sinew_error why;
  if (sinew_builder_add_class(r->xml->builder, &kind->cls, &why) != SINEW_OK)
    return si_xml_fail(r, node, why.status, "%s", why.text);
  return si_names_add(&r->kind_names, kind->cls.name, (uint32_t)r->kind_count) ||
         si_xml_fail_memory(r);
}

void si_xml_kinds_free(si_xml_reader *r) {
  for (size_t i = 0; i < r->kind_count; i++) {
    sinew_program_release(r->kinds[i]->program);
    r->kinds[i]->program = NULL;
    release_class(&r->kinds[i]->cls);
  }
  si_free(r->kinds);
  si_names_free(&r->kind_names);
}

/* --- components */

bool si_xml_find_kind(si_xml_reader *r, const si_xml_node *node, si_xml_kind **dest) {
  const char *name = si_xml_attribute_of(node, "kind");
  uint32_t number = si_names_find(&r->kind_names, name);
  *dest = number ? r->kinds[number - 1] : NULL;
  if (number) return true;
  if (sinew_catalog_find(name))
    return si_xml_fail(r, node, SINEW_ERR_NAME, "the kind '%s' is built in: write <%s>", name,
                       name);
  char words[400];
  si_nearest near;
  si_nearest_start(&near, name);
  for (size_t i = 0; i < r->kind_count; i++) si_nearest_offer(&near, r->kinds[i]->cls.name);
  return si_xml_fail(r, node, SINEW_ERR_NAME, "no kind named '%.60s' in 'kinds'%s", name,
                     si_nearest_words(&near, words, sizeof words));
}

bool si_xml_program(si_xml_reader *r, const si_xml_node *component, const si_xml_kind *kind,
                    const si_xml_node *own, sinew_program **dest) {
  *dest = NULL;
  if (own && !make_program(r, own, dest)) return false;
  if (!own) *dest = sinew_program_retain(kind->program);
  if (!*dest)
    return si_xml_fail(r, component, SINEW_ERR_MISSING,
                       "neither the component nor its kind '%.60s' has a program", kind->cls.name);
  /* many components of one kind may have its one program, and each needs memory for it */
  r->program_bytes += strlen(sinew_program_text(*dest));
  if (r->program_bytes <= SINEW_XML_BYTES) return true;
  sinew_program_release(*dest);
  *dest = NULL;
  return si_xml_fail(r, component, SINEW_ERR_LIMIT,
                     "the programs of all components have more than %d bytes", SINEW_XML_BYTES);
}
