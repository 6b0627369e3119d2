/* Collects live changes and writes them as Lua; see sinew/tuning.h. */
#include "sinew/tuning.h"

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/names.h"
#include "lua/base/lua_text.h"
#include "lua/host/tuned.h"

#include <string.h>

struct sinew_tuning {
  const sinew_host *host;
  si_tuned_list notes;
  si_text text;
};

static sinew_rig *rig_of(const sinew_tuning *t) { return sinew_host_rig(t->host); }

sinew_status sinew_tuning_clear(sinew_tuning *t, sinew_error *error) {
  sinew_error_clear(error);
  const si_tuned_list *said = si_host_tuned(t->host);
  si_tuned_list fresh = { 0 };
  for (size_t i = 0; i < said->count; i++) {
    const si_tuned *s = &said->items[i];
    if (si_tuned_add(&fresh, s->kind, s->name, s->param)) continue;
    si_tuned_free(&fresh);
    return si_fail_memory(error);
  }
  si_tuned_free(&t->notes);
  t->notes = fresh;
  return SINEW_OK;
}

sinew_tuning *sinew_tuning_create(const sinew_host *host, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(host && sinew_host_rig(host))) return NULL;
  sinew_tuning *t = si_alloc(sizeof *t);
  if (!t) {
    si_fail_memory(error);
    return NULL;
  }
  t->host = host;
  if (sinew_tuning_clear(t, error) == SINEW_OK) return t;
  sinew_tuning_destroy(t);
  return NULL;
}

void sinew_tuning_destroy(sinew_tuning *t) {
  if (!t) return;
  si_tuned_free(&t->notes);
  si_free(t->text.at);
  si_free(t);
}

static const char *component_name(const sinew_tuning *t, sinew_component c) {
  return sinew_rig_component_info(rig_of(t), c).name;
}
static const char *segment_name(const sinew_tuning *t, sinew_segment s) {
  return sinew_rig_segment_info(rig_of(t), s).name;
}
static const char *dof_name(const sinew_tuning *t, sinew_dof d) {
  return sinew_rig_dof_info(rig_of(t), d).name;
}

/* the constant of the input with that name, or NULL, and its number of floats */
static const float *find_constant(const sinew_rig *rig, sinew_component c, const char *name,
                                  size_t *count) {
  const sinew_component_info info = sinew_rig_component_info(rig, c);
  const sinew_port_desc *inputs = info.component_class->inputs;
  for (int i = 0; inputs && inputs[i].name && i < info.input_count; i++) {
    if (strcmp(inputs[i].name, name) != 0 || (inputs[i].flags & SINEW_PORT_LIST)) continue;
    *count = inputs[i].kind == SINEW_SCALAR ? 1 : inputs[i].kind == SINEW_VECTOR ? 3 : 16;
    return sinew_rig_constant(rig, c, i);
  }
  return NULL;
}

/* one parameter or constant to be written as Lua */
typedef struct value {
  const sinew_param *param; /* as given */
  const float *constant;
  size_t count;
  sinew_param none; /* if neither is given: the default of a flag, or no value */
} value;

static sinew_status unknown(const sinew_rig *rig, sinew_component c, const char *name,
                            sinew_error *error) {
  const sinew_component_info info = sinew_rig_component_info(rig, c);
  const sinew_param_desc *params = info.component_class->params;
  si_nearest near;
  char words[400];
  si_nearest_start(&near, name);
  for (int i = 0; params && params[i].name; i++) si_nearest_offer(&near, params[i].name);
  for (int i = 0; i < info.param_count; i++)
    if (!sinew_class_find_param(info.component_class, sinew_rig_param(rig, c, i)->name))
      si_nearest_offer(&near, sinew_rig_param(rig, c, i)->name);
  return si_fail(error, SINEW_ERR_NAME, "component '%s' has no parameter or constant '%s'%s",
                 info.name, name, si_nearest_words(&near, words, sizeof words));
}

static sinew_status resolve(const sinew_rig *rig, sinew_component c, const char *name, value *dest,
                            sinew_error *error) {
  const sinew_component_info info = sinew_rig_component_info(rig, c);
  const sinew_param_desc *desc = sinew_class_find_param(info.component_class, name);
  *dest = (value){ .param = sinew_rig_find_param(rig, c, name) };
  if (dest->param && !si_print_has_words(dest->param))
    return si_fail(error, SINEW_ERR_TYPE,
                   "component '%s' parameter '%s': a %s cannot be written as Lua", info.name, name,
                   dest->param->object_class->name);
  if (dest->param) return SINEW_OK;
  if (!desc) dest->constant = find_constant(rig, c, name, &dest->count);
  dest->none = desc && desc->type == SINEW_PARAM_FLAG
                   ? sinew_param_flag(name, desc->fallback[0] != 0)
                   : sinew_param_none(name);
  return desc || dest->constant ? SINEW_OK : unknown(rig, c, name, error);
}

/* `name = value` */
static void add_value(si_text *text, const char *name, const value *v, int indent) {
  si_print_key(text, name);
  si_text_add(text, " = ");
  if (v->constant && v->count == 1)
    si_print_number(text, *v->constant);
  else if (v->constant)
    si_print_numbers(text, v->constant, v->count);
  else
    si_print_param(text, v->param ? v->param : &v->none, indent);
}

static sinew_status note(sinew_tuning *t, si_tuned_kind kind, const char *name, const char *param,
                         sinew_error *error) {
  return si_tuned_add(&t->notes, kind, name, param) ? SINEW_OK : si_fail_memory(error);
}

sinew_status sinew_tuning_note_param(sinew_tuning *t, sinew_component component, const char *param,
                                     sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(t && param)) return SINEW_ERR_CALL;
  value v;
  sinew_status status = resolve(rig_of(t), component, param, &v, error);
  if (status < 0) return status;
  return note(t, SI_TUNED_COMPONENT, component_name(t, component), param, error);
}

sinew_status sinew_tuning_note_rest(sinew_tuning *t, sinew_segment segment, sinew_error *error) {
  sinew_error_clear(error);
  return note(t, SI_TUNED_SEGMENT, segment_name(t, segment), NULL, error);
}

sinew_status sinew_tuning_note_dof(sinew_tuning *t, sinew_dof dof, sinew_error *error) {
  sinew_error_clear(error);
  return note(t, SI_TUNED_DOF, dof_name(t, dof), NULL, error);
}

static void forget(sinew_tuning *t, const si_tuned *found) {
  if (!found) return;
  size_t at = (size_t)(found - t->notes.items);
  si_free(t->notes.items[at].name);
  si_free(t->notes.items[at].param);
  t->notes.count--;
  memmove(t->notes.items + at, t->notes.items + at + 1,
          (t->notes.count - at) * sizeof *t->notes.items);
}

void sinew_tuning_forget_param(sinew_tuning *t, sinew_component component, const char *param) {
  forget(t, si_tuned_find(&t->notes, SI_TUNED_COMPONENT, component_name(t, component), param));
}
void sinew_tuning_forget_rest(sinew_tuning *t, sinew_segment segment) {
  forget(t, si_tuned_find(&t->notes, SI_TUNED_SEGMENT, segment_name(t, segment), NULL));
}
void sinew_tuning_forget_dof(sinew_tuning *t, sinew_dof dof) {
  forget(t, si_tuned_find(&t->notes, SI_TUNED_DOF, dof_name(t, dof), NULL));
}

bool sinew_tuning_has_param(const sinew_tuning *t, sinew_component component, const char *param) {
  const char *name = component_name(t, component);
  if (param) return si_tuned_find(&t->notes, SI_TUNED_COMPONENT, name, param) != NULL;
  for (size_t i = 0; i < t->notes.count; i++) {
    const si_tuned *n = &t->notes.items[i];
    if (n->kind == SI_TUNED_COMPONENT && strcmp(n->name, name) == 0) return true;
  }
  return false;
}
bool sinew_tuning_has_rest(const sinew_tuning *t, sinew_segment segment) {
  return si_tuned_find(&t->notes, SI_TUNED_SEGMENT, segment_name(t, segment), NULL) != NULL;
}
bool sinew_tuning_has_dof(const sinew_tuning *t, sinew_dof dof) {
  return si_tuned_find(&t->notes, SI_TUNED_DOF, dof_name(t, dof), NULL) != NULL;
}
int sinew_tuning_count(const sinew_tuning *t) { return (int)t->notes.count; }

/* calls visit for the parameters and constants of a component, always in the same order: the
 * class's parameters, inputs, then parameters whose names the author chose */
typedef sinew_status each_visit(sinew_tuning *t, sinew_component c, const char *name, void *user,
                                sinew_error *error);
static sinew_status each_value(sinew_tuning *t, sinew_component c, each_visit *visit, void *user,
                               sinew_error *error) {
  const sinew_rig *rig = rig_of(t);
  const sinew_component_info info = sinew_rig_component_info(rig, c);
  const sinew_component_class *cls = info.component_class;
  sinew_status status = SINEW_OK;
  for (int i = 0; status >= 0 && cls->params && cls->params[i].name; i++)
    status = visit(t, c, cls->params[i].name, user, error);
  for (int i = 0; status >= 0 && cls->inputs && cls->inputs[i].name; i++)
    if (!sinew_rig_find_param(rig, c, cls->inputs[i].name))
      status = visit(t, c, cls->inputs[i].name, user, error);
  for (int i = 0; status >= 0 && i < info.param_count; i++)
    if (!sinew_class_find_param(cls, sinew_rig_param(rig, c, i)->name))
      status = visit(t, c, sinew_rig_param(rig, c, i)->name, user, error);
  return status;
}

static sinew_status add_noted(sinew_tuning *t, sinew_component c, const char *name, void *user,
                              sinew_error *error) {
  (void)user;
  if (!sinew_tuning_has_param(t, c, name)) return SINEW_OK;
  value v;
  sinew_status status = resolve(rig_of(t), c, name, &v, error);
  if (status == SINEW_ERR_NAME) return SINEW_OK; /* the input is wired now */
  if (status < 0) return status;
  si_text_add(&t->text, "      ");
  add_value(&t->text, name, &v, 6);
  si_text_add(&t->text, ",\n");
  return SINEW_OK;
}

static sinew_status add_components(sinew_tuning *t, sinew_error *error) {
  const sinew_rig *rig = rig_of(t);
  sinew_status status = SINEW_OK;
  bool any = false;
  for (int i = 0; status >= 0 && i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    if (!sinew_tuning_has_param(t, c, NULL)) continue;
    si_text_add(&t->text, any ? "    " : "  components = {\n    ");
    si_print_key(&t->text, component_name(t, c));
    si_text_add(&t->text, " = {\n");
    status = each_value(t, c, add_noted, NULL, error);
    si_text_add(&t->text, "    },\n");
    any = true;
  }
  if (any) si_text_add(&t->text, "  },\n");
  return status;
}

static void add_dof(si_text *text, const sinew_dof_info *d) {
  si_text_add(text, "min = ");
  si_print_number(text, d->min);
  si_text_add(text, ", max = ");
  si_print_number(text, d->max);
  si_text_add(text, ", rest = ");
  si_print_number(text, d->rest);
}

/* starts an entry, preceded by its table if it is the first */
static void open_entry(si_text *text, bool *any, const char *table, const char *name) {
  if (!*any) si_text_format(text, "  %s = {\n", table);
  *any = true;
  si_text_add(text, "    ");
  si_print_key(text, name);
  si_text_add(text, " = { ");
}

static void add_segments(sinew_tuning *t) {
  const sinew_rig *rig = rig_of(t);
  bool any = false;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    if (!sinew_tuning_has_rest(t, s)) continue;
    open_entry(&t->text, &any, "segments", segment_name(t, s));
    si_print_rest(&t->text, sinew_rig_segment_info(rig, s).rest);
    si_text_add(&t->text, " },\n");
  }
  if (any) si_text_add(&t->text, "  },\n");
}

static void add_dofs(sinew_tuning *t) {
  const sinew_rig *rig = rig_of(t);
  bool any = false;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    if (!sinew_tuning_has_dof(t, dof)) continue;
    sinew_dof_info d = sinew_rig_dof_info(rig, dof);
    open_entry(&t->text, &any, "dofs", d.name);
    add_dof(&t->text, &d);
    si_text_add(&t->text, " },\n");
  }
  if (any) si_text_add(&t->text, "  },\n");
}

static bool has_curves(const sinew_tuning *t) {
  const sinew_rig *rig = rig_of(t);
  for (size_t i = 0; i < t->notes.count; i++) {
    const si_tuned *n = &t->notes.items[i];
    if (n->kind != SI_TUNED_COMPONENT) continue;
    sinew_component c = sinew_rig_find_component(rig, n->name, NULL);
    const sinew_param *p = c.id ? sinew_rig_find_param(rig, c, n->param) : NULL;
    if (p && p->type == SINEW_PARAM_CURVE) return true;
  }
  return false;
}

/* empties the text but keeps its memory */
static void start(sinew_tuning *t) {
  t->text.size = 0;
  t->text.failed = false;
  si_text_add(&t->text, "");
}

/* the finished text; NULL when memory ran out */
static const char *whole(const sinew_tuning *t, sinew_error *error) {
  if (!t->text.failed) return t->text.at;
  si_fail_memory(error);
  return NULL;
}

const char *sinew_tuning_text(sinew_tuning *t, sinew_error *error) {
  sinew_error_clear(error);
  start(t);
  si_text_add(&t->text, "-- Values for a rig other than its script gives; see rig:tune.\n");
  if (has_curves(t)) si_text_add(&t->text, "local sinew = require \"sinew\"\n\n");
  si_text_add(&t->text, "return {\n");
  if (add_components(t, error) < 0) return NULL;
  add_segments(t);
  add_dofs(t);
  si_text_add(&t->text, "}\n");
  return whole(t, error);
}

static sinew_status add_given(sinew_tuning *t, sinew_component c, const char *name, void *user,
                              sinew_error *error) {
  (void)user;
  (void)error;
  value v;
  if (resolve(rig_of(t), c, name, &v, NULL) < 0 || !(v.param || v.constant)) return SINEW_OK;
  add_value(&t->text, name, &v, 0);
  si_text_add(&t->text, ",\n");
  return SINEW_OK;
}

const char *sinew_tuning_param_text(sinew_tuning *t, sinew_component component, const char *param,
                                    sinew_error *error) {
  sinew_error_clear(error);
  start(t);
  value v;
  if (!param)
    each_value(t, component, add_given, NULL, error);
  else if (resolve(rig_of(t), component, param, &v, error) < 0)
    return NULL;
  else
    add_value(&t->text, param, &v, 0);
  return whole(t, error);
}

const char *sinew_tuning_rest_text(sinew_tuning *t, sinew_segment segment, sinew_error *error) {
  sinew_error_clear(error);
  start(t);
  si_print_rest(&t->text, sinew_rig_segment_info(rig_of(t), segment).rest);
  return whole(t, error);
}

const char *sinew_tuning_dof_text(sinew_tuning *t, sinew_dof dof, sinew_error *error) {
  sinew_error_clear(error);
  start(t);
  sinew_dof_info d = sinew_rig_dof_info(rig_of(t), dof);
  add_dof(&t->text, &d);
  return whole(t, error);
}

sinew_status sinew_tuning_write(sinew_tuning *t, const char *path, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(t)) return SINEW_ERR_CALL;
  if (!path) path = sinew_host_tuning(t->host);
  if (!path)
    return si_fail(error, SINEW_ERR_FILE,
                   "cannot save the tuning: no path is given, and the host reads no tuning file");
  if (!sinew_tuning_text(t, error)) return error ? error->status : SINEW_ERR_FILE;
  return sinew_file_write(path, t->text.at, t->text.size, error);
}
