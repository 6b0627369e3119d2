/* Wires: resolves the names that the author wrote to DOFs and ports, and checks their kinds. */
#include "base/budget_internal.h"
#include "build/check.h"

#include "math/matrix.h"
#include "model/path.h"

#include <stdio.h>

/* the end of a wire, for messages: "component 'knee.bend' input 'x'" or "segment 'tibia'" */
typedef struct end {
  char who[320];
  const char *origin;
  uint32_t joint_set;
  sinew_kind kind;
} end;

/* the output names of a component as text: 'a', 'b', 'c' */
static void list_outputs(const si_component *k, char *dest, size_t capacity) {
  size_t used = 0;
  dest[0] = '\0';
  for (uint32_t i = 0; i < k->output_count && used + 1 < capacity; i++) {
    char name[128];
    if (i == 6) {
      snprintf(dest + used, capacity - used, " ...");
      return;
    }
    si_output_name(k, i, name, sizeof name);
    used += (size_t)snprintf(dest + used, capacity - used, "%s'%s'", i ? ", " : "", name);
  }
}

/* the output of that name plus one; 0: none */
static uint32_t find_output(const si_component *k, const char *port) {
  char name[128];
  for (uint32_t i = 0; i < k->fixed_outputs; i++)
    if (strcmp(k->cls->outputs[i].name, port) == 0) return i + 1;
  uint32_t at = k->fixed_outputs;
  for (uint32_t i = 0; k->cls->named && i < k->param_count; i++) {
    if (sinew_class_find_param(k->cls, k->params[i].name)) continue;
    at++;
    if (strcmp(k->params[i].name, port) == 0) return at;
  }
  if (k->cls->named) return 0;
  for (; at < k->output_count; at++) {
    si_output_name(k, at, name, sizeof name);
    if (strcmp(name, port) == 0) return at + 1;
  }
  return 0;
}

static void unknown_port(si_check *c, const end *e, const si_component *k, const char *port) {
  si_nearest near;
  char words[400], ports[360], all[400] = "";
  si_nearest_start(&near, port);
  for (uint32_t i = 0; i < k->fixed_outputs; i++) si_nearest_offer(&near, k->cls->outputs[i].name);
  for (uint32_t i = 0; k->cls->named && i < k->param_count; i++)
    if (!sinew_class_find_param(k->cls, k->params[i].name))
      si_nearest_offer(&near, k->params[i].name);
  si_nearest_words(&near, words, sizeof words);
  if (!words[0]) {
    list_outputs(k, ports, sizeof ports);
    snprintf(all, sizeof all, " (it has %s)", ports[0] ? ports : "none");
  }
  si_mistake(c, e->origin, SINEW_ERR_NAME, "%s: component '%s' has no port named '%s'%s%s", e->who,
             k->name, port, words, all);
}

/* the result of looking up a name */
typedef enum found { NOTHING, WRONG, RIGHT } found;

/* The output of a component by its name; NULL: its only output. With `say`, reports that there is
 * none. */
static found find_port(si_check *c, const end *e, uint32_t id, const char *port, bool say,
                       si_source *dest) {
  const si_component *k = &c->model->components[id - 1];
  if (!k->cls) return WRONG; /* its kind is unknown, which was reported before */
  uint32_t output = port ? find_output(k, port) : k->output_count == 1;
  if (output) {
    *dest = (si_source){ SI_FROM_OUTPUT, id, output - 1 };
    return RIGHT;
  }
  if (say && port) {
    unknown_port(c, e, k, port);
  } else if (say) {
    char ports[360];
    list_outputs(k, ports, sizeof ports);
    si_mistake(c, e->origin, SINEW_ERR_NAME, "%s: component '%s' has %u outputs%s%s", e->who,
               k->name, k->output_count, k->output_count ? ": name one of " : "", ports);
  }
  return WRONG;
}

/* Finds the DOF or component of exactly this name, or the port after its last dot. With `say`,
 * reports a component that exists but has no such port. */
static found look_up(si_check *c, const end *e, const char *text, bool say, si_source *dest) {
  uint32_t point = si_names_find(&c->index.points, text);
  const char *port = NULL, *dot = strrchr(text, '.');
  if (!point && dot) {
    point = si_names_find_n(&c->index.points, text, (size_t)(dot - text));
    port = dot + 1;
  }
  uint32_t id = point & ~SI_POINT_COMPONENT;
  if (!point || (port && id == point)) return NOTHING; /* a DOF has no ports */
  if (id == point) {
    *dest = (si_source){ SI_FROM_DOF, id, 0 };
    return RIGHT;
  }
  return find_port(c, e, id, port, say, dest);
}

/* adds every DOF and component as a suggestion, those of the same joint set also by their short
 * names */
static void offer_points(const si_check *c, const end *e, si_nearest *near) {
  const si_model *m = c->model;
  size_t set = e->joint_set ? strlen(m->joint_sets[e->joint_set - 1].name) + 1 : 0;
  for (uint32_t i = 0; i < m->dof_count + m->component_count; i++) {
    bool dof = i < m->dof_count;
    const char *name = dof ? m->dofs[i].name : m->components[i - m->dof_count].name;
    uint32_t in = dof ? m->dofs[i].joint_set : m->components[i - m->dof_count].joint_set;
    si_nearest_offer(near, name);
    if (set && in == e->joint_set) si_nearest_offer(near, name + set);
  }
}

static void unknown_source(si_check *c, const end *e, const char *text) {
  si_nearest near;
  char words[400] = "", head[256];
  if (!si_error_full(c->error)) {
    si_nearest_start(&near, text);
    offer_points(c, e, &near);
    si_nearest_words(&near, words, sizeof words);
  }
  const char *dot = strrchr(text, '.');
  if (!words[0] && dot && (size_t)(dot - text) < sizeof head && !si_error_full(c->error)) {
    /* perhaps the component is misspelled, and the rest is its port */
    snprintf(head, sizeof head, "%.*s", (int)(dot - text), text);
    si_nearest_start(&near, head);
    offer_points(c, e, &near);
    si_nearest_words(&near, words, sizeof words);
  }
  si_mistake(c, e->origin, SINEW_ERR_NAME, "%s: no DOF or component named '%s'%s", e->who, text,
             words);
}

/* tries the name inside the joint set, then as a full name. A valid full name wins over a member of
 * the set that only has the first part of the name. */
static found resolve_name(si_check *c, const end *e, const char *text, bool absolute,
                          si_source *dest) {
  char full[512] = "";
  found inside = NOTHING;
  if (e->joint_set && !absolute) {
    snprintf(full, sizeof full, "%s.%s", c->model->joint_sets[e->joint_set - 1].name, text);
    inside = look_up(c, e, full, false, dest);
  }
  found result = inside;
  if (inside != RIGHT) result = look_up(c, e, text, inside == NOTHING, dest);
  if (inside == WRONG && result != RIGHT)
    look_up(c, e, full, true, dest);
  else if (result == NOTHING)
    unknown_source(c, e, text);
  return result;
}

static void resolve(si_check *c, const end *e, const char *text, si_given given, si_source *dest) {
  bool absolute = text[0] == '.';
  found result = RIGHT;
  if (given.dof)
    *dest = (si_source){ SI_FROM_DOF, given.dof, 0 };
  else if (given.component)
    result = find_port(c, e, given.component, given.port ? text + given.port : NULL, true, dest);
  else if (text[0])
    result = resolve_name(c, e, text + absolute, absolute, dest);
  else
    si_mistake(c, e->origin, SINEW_ERR_MISSING, "%s: is wired to a null id or an empty name",
               e->who);
  if (result != RIGHT || !text[0]) return;
  text += absolute;
  sinew_kind kind = dest->kind == SI_FROM_DOF
                        ? SINEW_SCALAR
                        : si_output_kind(&c->model->components[dest->id - 1], dest->output);
  if (kind != e->kind)
    si_mistake(c, e->origin, SINEW_ERR_TYPE, "%s: '%s' is a %s, a %s is wanted", e->who, text,
               sinew_kind_name(kind), sinew_kind_name(e->kind));
}

bool si_check_constant(const char *who, const char *origin, sinew_kind kind, const float *value,
                       sinew_error *error) {
  char prefix[256];
  const char *where = si_origin_prefix(origin, prefix, sizeof prefix);
  if (!si_finite(value, (size_t)si_kind_numbers(kind)))
    si_add(error, SINEW_ERR_NOT_FINITE, "%s%s: the constant is not finite", where, who);
  else if (kind == SINEW_MATRIX && !si_mat_is_rigid(value, 1e-3f))
    si_add(error, SINEW_ERR_VALUE, "%s%s: the constant matrix is not rigid", where, who);
  else
    return true;
  return false;
}

static void unknown_input(si_check *c, const si_component *k, const si_wire *wire) {
  si_nearest near;
  char words[400];
  si_nearest_start(&near, wire->input);
  for (const sinew_port_desc *d = k->cls->inputs; d && d->name; d++)
    si_nearest_offer(&near, d->name);
  si_mistake(c, k->origin, SINEW_ERR_NAME, "component '%s': a %s has no input '%s'%s", k->name,
             k->cls->name, wire->input, si_nearest_words(&near, words, sizeof words));
}

static void wire_component(si_check *c, si_component *k) {
  uint32_t listed = 0;
  for (uint32_t w = 0; w < k->wire_count; w++) {
    const si_wire *wire = &k->wires[w];
    uint32_t input = 0;
    while (input < si_port_count(k->cls->inputs) &&
           strcmp(k->cls->inputs[input].name, wire->input) != 0)
      input++;
    if (input == si_port_count(k->cls->inputs)) {
      unknown_input(c, k, wire);
      continue;
    }
    end e = { .origin = k->origin, .joint_set = k->joint_set, .kind = k->cls->inputs[input].kind };
    snprintf(e.who, sizeof e.who, "component '%s' input '%s'", k->name, wire->input);
    if (input == k->fixed_inputs) input += listed++;
    si_source *source = &k->inputs[input];
    if (source->kind != SI_FROM_NONE) {
      si_mistake(c, k->origin, SINEW_ERR_NAME, "%s: is wired twice", e.who);
      continue;
    }
    if (wire->from) {
      resolve(c, &e, wire->from, wire->given, source);
    } else {
      *source = (si_source){ SI_FROM_CONSTANT, w + 1, 0 };
      si_check_constant(e.who, e.origin, e.kind, wire->constant, c->error);
    }
  }
}

static void check_missing(si_check *c, const si_component *k) {
  for (uint32_t i = 0; i < si_port_count(k->cls->inputs); i++) {
    const sinew_port_desc *d = &k->cls->inputs[i];
    bool tried = false;
    for (uint32_t w = 0; w < k->wire_count; w++) tried |= strcmp(k->wires[w].input, d->name) == 0;
    if (!tried && !(d->flags & SINEW_PORT_OPTIONAL))
      si_mistake(c, k->origin, SINEW_ERR_MISSING,
                 "component '%s' input '%s': is not wired (a %s%s%s)", k->name, d->name,
                 sinew_kind_name(d->kind), d->doc && *d->doc ? ": " : "", d->doc ? d->doc : "");
  }
}

bool si_check_wires(si_check *c) {
  si_model *m = c->model;
  for (uint32_t i = 0; i < m->component_count; i++) {
    si_component *k = &m->components[i];
    if (!k->cls) continue;
    if (!si_work(20 + 10 * (size_t)k->wire_count)) return false;
    wire_component(c, k);
    check_missing(c, k);
  }
  for (uint32_t i = 0; i < m->segment_count; i++) {
    si_segment *s = &m->segments[i];
    if (!s->driver) continue;
    if (!si_work(15)) return false;
    end e = { .origin = s->driver_origin, .joint_set = s->joint_set, .kind = SINEW_MATRIX };
    snprintf(e.who, sizeof e.who, "segment '%s'", s->name);
    if (s->driven_twice)
      si_mistake(c, s->driver_origin, SINEW_ERR_NAME, "%s: is driven twice", e.who);
    resolve(c, &e, s->driver, s->driver_given, &s->source);
  }
  for (uint32_t i = 0; i < m->component_count; i++) {
    if (m->components[i].cls) si_path_wire(m, &m->components[i]);
    if (!si_work(2)) return false;
  }
  return true;
}
