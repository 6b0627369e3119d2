/* Checks a custom component class when it is registered: valid names and consistent tables. A wrong
 * class would break every rig that uses it. */
#include "build/builder_internal.h"
#include "base/error_internal.h"

#include <math.h>
#include <string.h>

static sinew_status fault(sinew_error *error, const sinew_component_class *cls, const char *what,
                          const char *name, const char *why) {
  return si_fail(error, SINEW_ERR_NAME, "component class '%s' %s '%s': %s", cls->name, what, name,
                 why);
}

static sinew_status check_ports(const sinew_component_class *cls, const sinew_port_desc *ports,
                                const char *what, sinew_error *error) {
  for (const sinew_port_desc *p = ports; p && p->name; p++) {
    const char *why = si_name_fault(p->name);
    if (why)
      return si_fail(error, SINEW_ERR_NAME, "component class '%s' %s '%s': its name %s", cls->name,
                     what, p->name, why);
    for (const sinew_port_desc *q = ports; q < p; q++)
      if (strcmp(q->name, p->name) == 0) return fault(error, cls, what, p->name, "is a duplicate");
    if ((unsigned)p->kind > SINEW_MATRIX) return fault(error, cls, what, p->name, "has no kind");
    if (!isfinite(p->fallback))
      return fault(error, cls, what, p->name, "its fallback is not finite");
    if ((p->flags & SINEW_PORT_LIST) && p[1].name)
      return fault(error, cls, what, p->name, "a list must come last");
  }
  return SINEW_OK;
}

static sinew_status check_param_table(const sinew_component_class *cls, sinew_error *error) {
  for (const sinew_param_desc *p = cls->params; p && p->name; p++) {
    if (!*p->name) return fault(error, cls, "parameter", "", "its name is empty");
    for (const sinew_param_desc *q = cls->params; q < p; q++)
      if (strcmp(q->name, p->name) == 0)
        return fault(error, cls, "parameter", p->name, "is a duplicate");
    if (p->type == SINEW_PARAM_CHOICE && (!p->choices || !p->choices[0]))
      return fault(error, cls, "parameter", p->name, "a choice without words");
  }
  return SINEW_OK;
}

/* checks the ports that the fast paths need */
static sinew_status check_fast_paths(const sinew_component_class *cls, sinew_error *error) {
  uint32_t inputs = si_port_count(cls->inputs), outputs = si_port_count(cls->outputs);
  bool gives = outputs == 1 && !cls->named && cls->outputs[0].kind == SINEW_MATRIX;
  const char *entry = cls->turn         ? "turn"
                      : cls->product    ? "product"
                      : cls->eval_all   ? "eval_all"
                      : cls->eval_lanes ? "eval_lanes"
                                        : NULL;
  if (entry && !cls->eval) return fault(error, cls, "entry", entry, "it needs 'eval'");
  if (cls->turn && !(gives && inputs == 1 && cls->inputs[0].kind == SINEW_SCALAR &&
                     !(cls->inputs[0].flags & SINEW_PORT_LIST)))
    return fault(error, cls, "entry", "turn", "it needs one scalar input and one matrix output");
  if (cls->product &&
      !(gives && inputs == 1 && si_list_input(cls) && cls->inputs[0].kind == SINEW_MATRIX))
    return fault(error, cls, "entry", "product",
                 "it needs a list of matrices as input and one matrix output");
  return SINEW_OK;
}

sinew_status si_class_check(const sinew_component_class *cls, sinew_error *error) {
  const char *why = si_name_fault(cls->name);
  if (why)
    return si_fail(error, SINEW_ERR_NAME, "component class '%s': its name %s", cls->name, why);
  sinew_status status = check_ports(cls, cls->inputs, "input", error);
  if (status == SINEW_OK) status = check_ports(cls, cls->outputs, "output", error);
  if (status == SINEW_OK) status = check_param_table(cls, error);
  if (status == SINEW_OK) status = check_fast_paths(cls, error);
  if (status != SINEW_OK) return status;
  uint32_t outputs = si_port_count(cls->outputs);
  bool listed = outputs && (cls->outputs[outputs - 1].flags & SINEW_PORT_LIST);
  if (listed && cls->named)
    return fault(error, cls, "output", cls->outputs[outputs - 1].name,
                 "a list and named outputs exclude each other");
  if (listed && !si_list_input(cls))
    return fault(error, cls, "output", cls->outputs[outputs - 1].name,
                 "a list of outputs needs a list of inputs");
  return SINEW_OK;
}
