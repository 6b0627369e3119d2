/* Live parameters: one parameter of a compiled rig changed in place. The component's description
 * and data are made anew in a block of their own, and so is the data of components that read it by
 * name; only when all of them are right do they replace the old. */
#include "check.h"
#include "rig.h"

#include <string.h>

typedef struct edit {
  uint32_t component;
  void *block;
  void *data;
  si_component description;
  struct edit *next;
} edit;

/* whether a parameter of k names the component `id` */
static bool names_component(const si_model *m, const si_component *k, uint32_t id) {
  for (const sinew_param_desc *d = k->cls->params; d && d->name; d++) {
    const sinew_param *p = d->type == SINEW_PARAM_COMPONENT ? si_find_param(k, d->name) : NULL;
    if (p && si_find_component(m, k->joint_set, p->text) == id) return true;
  }
  return false;
}

/* a copy of `from` with room for its data, measured and placed in one block */
static bool copy_with_data(const si_component *from, size_t data_bytes, edit *e) {
  si_carver carver = { 0 };
  for (int pass = 0; pass < 2; pass++) {
    carver.used = 0;
    si_component_copy(from, &carver, pass ? &e->description : NULL);
    e->data = si_carve(&carver, data_bytes + 1, 1, SI_ALIGN);
    if (pass) return true;
    carver.base = e->block = si_alloc(carver.used);
    if (!e->block) return false;
  }
  return false;
}

/* builds the new version of component `index` from `given`, with the model showing it meanwhile */
static sinew_status rebuild(sinew_rig *rig, uint32_t index, const si_component *given, edit *e,
                            sinew_error *error) {
  si_component *slot = &rig->model.components[index];
  si_component old = *slot;
  e->component = index;
  *slot = *given;
  bool memory = copy_with_data(given, si_data_bytes(&rig->model, index), e);
  if (!memory) {
    *slot = old;
    return si_fail_memory(error);
  }
  /* names given out once stay good for as long as the rig */
  e->description.name = old.name;
  e->description.kind = old.kind;
  e->description.origin = old.origin;
  *slot = e->description;
  e->description = old; /* what to put back */
  return si_data_setup(&rig->model, index, e->data, error) ? SINEW_OK : error->status;
}

static void undo(sinew_rig *rig, edit *list) {
  while (list) {
    edit *next = list->next;
    if (list->block) {
      rig->model.components[list->component] = list->description;
      si_free(list->block);
    }
    si_free(list);
    list = next;
  }
}

static void commit(sinew_rig *rig, edit *list) {
  while (list) {
    edit *next = list->next;
    rig->nodes[rig->node_of[list->component]].data = list->data;
    si_free(rig->edits[list->component]);
    rig->edits[list->component] = list->block;
    si_free(list);
    list = next;
  }
  si_rig_changed(rig);
}

static sinew_status push(edit **list, sinew_error *error) {
  edit *e = si_alloc(sizeof *e);
  if (!e) return si_fail_memory(error);
  e->next = *list;
  *list = e;
  return SINEW_OK;
}

static sinew_status change(sinew_rig *rig, uint32_t index, const si_component *given, edit **list,
                           sinew_error *error) {
  sinew_status status = push(list, error);
  if (status == SINEW_OK) status = rebuild(rig, index, given, *list, error);
  for (uint32_t i = 0; status == SINEW_OK && i < rig->model.component_count; i++) {
    if (i == index || !names_component(&rig->model, &rig->model.components[i], index + 1)) continue;
    si_component reader = rig->model.components[i];
    status = push(list, error);
    if (status == SINEW_OK) status = rebuild(rig, i, &reader, *list, error);
  }
  return status;
}

sinew_status sinew_rig_set_param(sinew_rig *rig, sinew_component component,
                                 const sinew_param *param, sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(rig && param && param->name && component.id &&
                 component.id <= rig->model.component_count))
    return SINEW_ERR_CALL;
  uint32_t index = component.id - 1;
  si_component given = rig->model.components[index];
  bool known = si_find_param(&given, param->name) != NULL;
  if (!known && given.cls->named && !si_param_desc_of(given.cls, param->name))
    return si_fail(error, SINEW_ERR_NAME,
                   "component '%s': an output '%s' cannot be added to a compiled rig", given.name,
                   param->name);
  sinew_param *params = si_alloc_array((size_t)given.param_count + 1, sizeof *params);
  if (!params) return si_fail_memory(error);
  if (given.param_count) memcpy(params, given.params, given.param_count * sizeof *params);
  uint32_t at = 0;
  while (at < given.param_count && strcmp(params[at].name, param->name) != 0) at++;
  sinew_param old = at < given.param_count ? params[at] : (sinew_param){ 0 };
  if (at == given.param_count) given.param_count++;
  params[at] = *param;
  given.params = params;

  sinew_status status = si_check_params(&given, &rig->model, error) ? SINEW_OK : error->status;
  edit *list = NULL;
  if (status == SINEW_OK) status = change(rig, index, &given, &list, error);
  if (status == SINEW_OK) {
    if (param->type == SINEW_PARAM_OBJECT) param->object_class->retain(param->object);
    commit(rig, list);
    if (old.type == SINEW_PARAM_OBJECT && old.object) old.object_class->release(old.object);
  } else {
    undo(rig, list);
  }
  si_free(params);
  return status;
}
