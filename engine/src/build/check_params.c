/* Checks a component's parameters against its class's table: names, types, ranges, finiteness. */
#include "build/check.h"

#include "math/matrix.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct param_check {
  const si_component *component;
  const sinew_param *param;
  sinew_error *error;
  bool ok;
} param_check;

static void wrong(param_check *p, sinew_status status, const char *format, ...) SINEW_PRINTF(3, 4);
static void wrong(param_check *p, sinew_status status, const char *format, ...) {
  char prefix[256], text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  si_add(p->error, status, "%scomponent '%s' parameter '%s': %s",
         si_origin_prefix(p->component->origin, prefix, sizeof prefix), p->component->name,
         p->param->name, text);
  p->ok = false;
}

/* whether a value of type `given` is accepted for a parameter of type `wanted` */
static bool serves(sinew_param_type given, sinew_param_type wanted) {
  if (given == wanted) return true;
  switch (wanted) {
  case SINEW_PARAM_NUMBERS: return given == SINEW_PARAM_NUMBER;
  case SINEW_PARAM_VECTORS: return given == SINEW_PARAM_VECTOR;
  case SINEW_PARAM_CHOICE:
  case SINEW_PARAM_SEGMENT:
  case SINEW_PARAM_COMPONENT: return given == SINEW_PARAM_TEXT;
  default: return false;
  }
}

static void check_choice(param_check *p, const sinew_param_desc *d) {
  si_nearest near;
  char words[400], all[256];
  size_t used = 0;
  all[0] = '\0';
  si_nearest_start(&near, p->param->text);
  for (const char *const *word = d->choices; *word; word++) {
    if (strcmp(*word, p->param->text) == 0) return;
    si_nearest_offer(&near, *word);
    if (used < sizeof all)
      used += (size_t)snprintf(all + used, sizeof all - used, "%s'%s'", used ? ", " : "", *word);
  }
  wrong(p, SINEW_ERR_VALUE, "'%s' is none of %s%s", p->param->text, all,
        si_nearest_words(&near, words, sizeof words));
}

static void check_reference(param_check *p, const sinew_param_desc *d, const si_model *m) {
  si_nearest near;
  char words[400];
  const char *name = p->param->text;
  bool segment = d->type == SINEW_PARAM_SEGMENT;
  if (segment ? si_find_segment(m, name) : si_find_component(m, p->component->joint_set, name))
    return;
  si_nearest_start(&near, name);
  uint32_t count = segment ? m->segment_count : m->component_count;
  for (uint32_t i = 0; i < count && !si_error_full(p->error); i++)
    si_nearest_offer(&near, segment ? m->segments[i].name : m->components[i].name);
  wrong(p, SINEW_ERR_NAME, "no %s named '%s'%s", segment ? "segment" : "component", name,
        si_nearest_words(&near, words, sizeof words));
}

static void check_numbers(param_check *p, const sinew_param_desc *d, const float *numbers,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    double x = (double)numbers[i];
    if (!isfinite(x)) {
      if (count == 1)
        wrong(p, SINEW_ERR_NOT_FINITE, "%g is not finite", x);
      else
        wrong(p, SINEW_ERR_NOT_FINITE, "number %zu is %g, not finite", i + 1, x);
      return;
    }
    bool ranged = d->type == SINEW_PARAM_NUMBER || d->type == SINEW_PARAM_NUMBERS;
    if (ranged && d->min < d->max && (x < (double)d->min || x > (double)d->max)) {
      wrong(p, SINEW_ERR_VALUE, "%g is outside %g to %g", x, (double)d->min, (double)d->max);
      return;
    }
  }
}

static void check_value(param_check *p, const sinew_param_desc *d, const si_model *m) {
  const sinew_param *v = p->param;
  if (v->type == SINEW_PARAM_NONE) {
    wrong(p, SINEW_ERR_MISSING, "is given without a value");
    return;
  }
  if (!serves(v->type, d->type)) {
    wrong(p, SINEW_ERR_TYPE, "is a %s, a %s is wanted", sinew_param_type_name(v->type),
          sinew_param_type_name(d->type));
    return;
  }
  switch (v->type) {
  case SINEW_PARAM_NUMBER:
  case SINEW_PARAM_FLAG: check_numbers(p, d, v->number, 1); break;
  case SINEW_PARAM_VECTOR: check_numbers(p, d, v->number, 3); break;
  case SINEW_PARAM_MATRIX:
    check_numbers(p, d, v->number, 16);
    if (p->ok && !si_mat_is_rigid(v->number, 1e-3f)) wrong(p, SINEW_ERR_VALUE, "is not rigid");
    break;
  case SINEW_PARAM_NUMBERS:
  case SINEW_PARAM_VECTORS: {
    if (v->count < 0 || (v->count > 0 && !v->numbers)) {
      wrong(p, SINEW_ERR_VALUE, "a list of %d items without numbers", v->count);
      break;
    }
    check_numbers(p, d, v->numbers, (size_t)v->count * (v->type == SINEW_PARAM_VECTORS ? 3 : 1));
    break;
  }
  case SINEW_PARAM_CURVE:
    if (!v->curve) wrong(p, SINEW_ERR_MISSING, "no curve is given");
    break;
  case SINEW_PARAM_OBJECT:
    if (!v->object || !v->object_class) wrong(p, SINEW_ERR_MISSING, "no object is given");
    break;
  default:
    if (!v->text)
      wrong(p, SINEW_ERR_MISSING, "no text is given");
    else if (d->type == SINEW_PARAM_CHOICE)
      check_choice(p, d);
    else if (d->type == SINEW_PARAM_SEGMENT || d->type == SINEW_PARAM_COMPONENT)
      check_reference(p, d, m);
    break;
  }
}

static void unknown_name(param_check *p) {
  const sinew_component_class *cls = p->component->cls;
  si_nearest near;
  char words[400], prefix[256];
  si_nearest_start(&near, p->param->name);
  for (const sinew_param_desc *d = cls->params; d && d->name; d++) si_nearest_offer(&near, d->name);
  for (const sinew_port_desc *d = cls->inputs; d && d->name; d++) si_nearest_offer(&near, d->name);
  si_add(p->error, SINEW_ERR_NAME, "%scomponent '%s': a %s has no parameter '%s'%s",
         si_origin_prefix(p->component->origin, prefix, sizeof prefix), p->component->name,
         cls->name, p->param->name, si_nearest_words(&near, words, sizeof words));
  p->ok = false;
}

/* a name of the author's choosing becomes a port, so it must be valid and unique */
static void check_port_name(param_check *p) {
  const char *fault = si_name_fault(p->param->name);
  if (fault) wrong(p, SINEW_ERR_NAME, "its name %s", fault);
  for (const sinew_port_desc *d = p->component->cls->outputs; d && d->name; d++)
    if (strcmp(d->name, p->param->name) == 0)
      wrong(p, SINEW_ERR_NAME, "there is already an output of that name");
}

bool si_check_params(const si_component *k, const si_model *m, sinew_error *error) {
  param_check p = { .component = k, .error = error, .ok = true };
  for (uint32_t i = 0; i < k->param_count; i++) {
    p.param = &k->params[i];
    bool doubled = false;
    for (uint32_t j = 0; j < i; j++) doubled |= strcmp(k->params[j].name, p.param->name) == 0;
    if (doubled) {
      wrong(&p, SINEW_ERR_NAME, "is given twice");
      continue;
    }
    const sinew_param_desc *d = sinew_class_find_param(k->cls, p.param->name);
    if (!d && k->cls->named) {
      d = k->cls->named;
      check_port_name(&p);
    }
    if (d)
      check_value(&p, d, m);
    else
      unknown_name(&p);
  }
  for (const sinew_param_desc *d = k->cls->params; d && d->name; d++) {
    if (!(d->flags & SINEW_PARAM_REQUIRED) || si_find_param(k, d->name)) continue;
    p.param = &(sinew_param){ .name = d->name };
    wrong(&p, SINEW_ERR_MISSING, "is missing (a %s%s%s)", sinew_param_type_name(d->type),
          d->doc ? ": " : "", d->doc ? d->doc : "");
  }
  return p.ok;
}
