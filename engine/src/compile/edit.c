/* Live changes of a compiled rig: parameters, rest frames, ranges and constants are changed in
 * place. A component's description and data are built again in a block of their own. So is the data
 * of every component that refers to it by name, directly or through others. They replace the old
 * ones only when all of them are valid. */
#include "base/budget_internal.h"
#include "build/check.h"
#include "math/matrix.h"
#include "compile/hierarchy.h"
#include "compile/rig_internal.h"

#include <stdio.h>
#include <string.h>

/* a rebuilt component; while an edit is in progress, the model holds the new one */
typedef struct renewed {
  uint32_t component;
  void *block;
  void *data;
  si_component before;
  struct renewed *next;
} renewed;

typedef struct edit {
  sinew_rig *rig;
  renewed *list;
  bool *done; /* for each component: it was rebuilt */
  char *warnings;
  sinew_error *error;
} edit;

/* a copy of `from` with room for its data, measured and placed in one block */
static bool copy_with_data(const si_component *from, size_t data_bytes, renewed *r,
                           si_component *dest) {
  si_carver carver = { 0 };
  for (int pass = 0; pass < 2; pass++) {
    carver.used = 0;
    si_component_copy(from, &carver, pass ? dest : NULL);
    r->data = si_carve(&carver, data_bytes + 1, 1, SI_ALIGN);
    if (pass) break;
    carver.base = r->block = si_alloc(carver.used);
    if (!r->block) return false;
  }
  return true;
}

/* rebuilds component `index` from the description `given` */
static sinew_status renew(edit *e, uint32_t index, const si_component *given) {
  si_model *m = &e->rig->model;
  si_component *slot = &m->components[index], made;
  renewed *r = si_alloc(sizeof *r);
  if (!r) return si_fail_memory(e->error);
  *r = (renewed){ .component = index, .before = *slot, .next = e->list };
  bool turned = si_component_turns(m, index);
  *slot = *given;
  if (si_component_turns(m, index) != turned) {
    *slot = r->before;
    si_free(r);
    return si_fail(
        e->error, SINEW_ERR_VALUE,
        "component '%s': with this it %s a rotation about a fixed axis, which decides how "
        "it is evaluated; compile the rig again",
        slot->name, turned ? "is no longer" : "becomes");
  }
  bool memory = copy_with_data(given, si_data_bytes(m, index), r, &made);
  *slot = r->before;
  if (!memory) {
    si_free(r);
    return si_fail_memory(e->error);
  }
  e->list = r;
  e->done[index] = true;
  /* a name that a caller has got stays valid as long as the rig */
  made.name = r->before.name;
  made.kind = r->before.kind;
  made.origin = r->before.origin;
  *slot = made;
  return si_data_setup(m, index, r->data, e->error) ? SINEW_OK : e->error->status;
}

/* whether a parameter of k names a component that was rebuilt */
static bool names_renewed(const edit *e, const si_component *k) {
  for (const sinew_param_desc *d = k->cls->params; d && d->name; d++) {
    const sinew_param *p = d->type == SINEW_PARAM_COMPONENT ? si_find_param(k, d->name) : NULL;
    uint32_t id = p ? si_find_component(&e->rig->model, k->joint_set, p->text) : 0;
    if (id && e->done[id - 1]) return true;
  }
  return false;
}

static bool names_segment(const edit *e, const si_component *k) {
  (void)e;
  for (const sinew_param_desc *d = k->cls->params; d && d->name; d++)
    if (d->type == SINEW_PARAM_SEGMENT && si_find_param(k, d->name)) return true;
  return false;
}

/* rebuilds every other component for which `reads` is true, and repeats until there are no more */
static sinew_status renew_where(edit *e, bool (*reads)(const edit *e, const si_component *k)) {
  const si_model *m = &e->rig->model;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < m->component_count; i++) {
      if (e->done[i] || !reads(e, &m->components[i])) continue;
      si_component same = m->components[i];
      sinew_status status = renew(e, i, &same);
      if (status != SINEW_OK) return status;
      more = true;
    }
  }
  return SINEW_OK;
}

static sinew_status review(edit *e) {
  sinew_error found;
  sinew_error_clear(&found);
  e->warnings = si_review_all(&e->rig->model, &found) ? si_strdup(found.text) : NULL;
  return e->warnings ? SINEW_OK : si_fail_memory(e->error);
}

static sinew_status begin(edit *e, sinew_rig *rig, sinew_error *error) {
  *e = (edit){ .rig = rig, .error = error };
  e->done = si_alloc_array((size_t)rig->model.component_count + 1, sizeof *e->done);
  return e->done ? SINEW_OK : si_fail_memory(error);
}

/* keeps the rebuilt components, or after a failure restores the old ones */
static sinew_status finish(edit *e, sinew_status status) {
  sinew_rig *rig = e->rig;
  if (status == SINEW_OK) status = renew_where(e, names_renewed);
  if (status == SINEW_OK) status = review(e);
  for (si_watcher *w = status == SINEW_OK ? rig->watchers->first : NULL; w; w = w->next)
    if (w->before_change) w->before_change(w);
  for (renewed *r = e->list, *next; r; r = next) {
    next = r->next;
    if (status == SINEW_OK) {
      rig->nodes[rig->node_of[r->component]].data = r->data;
      si_free(rig->edits[r->component]);
      rig->edits[r->component] = r->block;
    } else {
      rig->model.components[r->component] = r->before;
      si_free(r->block);
    }
    si_free(r);
  }
  if (status == SINEW_OK) {
    si_free(rig->new_warnings);
    rig->new_warnings = e->warnings;
  }
  si_free(e->done);
  return status;
}

/* after an edit the constants of the fused program are computed again */
static bool may_change(const sinew_rig *rig, sinew_error *error) {
  return si_work(8 * (size_t)rig->node_count) || si_memory_false(error);
}

static void hold_object(const sinew_param *p, bool retain) {
  if (p->type != SINEW_PARAM_OBJECT || !p->object || !p->object_class) return;
  if (retain)
    p->object_class->retain(p->object);
  else
    p->object_class->release(p->object);
}

/* writes one change into a component's parameters, and the replaced value into `old` */
static sinew_status put_param(si_component *k, const sinew_param *param, sinew_param *old,
                              sinew_error *error) {
  uint32_t at = 0;
  while (at < k->param_count && strcmp(k->params[at].name, param->name) != 0) at++;
  bool known = at < k->param_count, none = param->type == SINEW_PARAM_NONE;
  bool chosen = k->cls->named && !sinew_class_find_param(k->cls, param->name);
  *old = known ? k->params[at] : (sinew_param){ .type = SINEW_PARAM_NONE };
  if (chosen && (!known || none))
    return si_fail(error, SINEW_ERR_NAME,
                   "component '%s': an output '%s' cannot be %s a compiled rig", k->name,
                   param->name, known ? "removed from" : "added to");
  const sinew_param_desc *d = sinew_class_find_param(k->cls, param->name);
  const unsigned path = SINEW_PARAM_FROM | SINEW_PARAM_FROM_REST | SINEW_PARAM_PATH;
  bool same = known && param->text && old->text && strcmp(param->text, old->text) == 0;
  if (d && (d->flags & path) && !same)
    return si_fail(error, SINEW_ERR_VALUE,
                   "component '%s': '%s' decides what it waits for and cannot change in a compiled "
                   "rig",
                   k->name, param->name);
  if (known && none) {
    k->param_count--;
    memmove(k->params + at, k->params + at + 1, (k->param_count - at) * sizeof *k->params);
  } else if (!none) {
    k->param_count += !known;
    k->params[at] = *param;
  }
  return SINEW_OK;
}

static sinew_status change_params(sinew_rig *rig, uint32_t index, const si_component *given,
                                  sinew_error *error) {
  edit e;
  if (!si_check_params(given, &rig->model, error) || !may_change(rig, error)) return error->status;
  sinew_status status = begin(&e, rig, error);
  if (status != SINEW_OK) return status;
  status = finish(&e, renew(&e, index, given));
  if (status == SINEW_OK) si_rig_changed(rig);
  return status;
}

static sinew_status set_params(sinew_rig *rig, uint32_t index, const sinew_param *params,
                               size_t count, sinew_error *error) {
  si_component given = rig->model.components[index];
  sinew_param *room = si_alloc_array(given.param_count + 2 * count + 1, sizeof *room);
  if (!room) return si_fail_memory(error);
  if (given.param_count) memcpy(room, given.params, given.param_count * sizeof *room);
  sinew_param *old = room + given.param_count + count;
  given.params = room;
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < count && status == SINEW_OK; i++)
    status = put_param(&given, &params[i], &old[i], error);
  if (status == SINEW_OK) status = change_params(rig, index, &given, error);
  for (size_t i = 0; i < count && status == SINEW_OK; i++) {
    hold_object(&params[i], true);
    hold_object(&old[i], false);
  }
  si_free(room);
  return status;
}

sinew_status sinew_rig_set_params(sinew_rig *rig, sinew_component component,
                                  const sinew_param *params, int count, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && component.id && component.id <= rig->model.component_count))
    return SINEW_ERR_CALL;
  if (!SI_EXPECT(count >= 0 && (params || !count))) return SINEW_ERR_CALL;
  for (int i = 0; i < count; i++)
    if (!SI_EXPECT(params[i].name)) return SINEW_ERR_CALL;
  return set_params(rig, component.id - 1, params, (size_t)count, error);
}

sinew_status sinew_rig_set_param(sinew_rig *rig, sinew_component component,
                                 const sinew_param *param, sinew_error *error) {
  if (!SI_EXPECT(param)) return SINEW_ERR_CALL;
  return sinew_rig_set_params(rig, component, param, 1, error);
}

sinew_status sinew_rig_set_rest(sinew_rig *rig, sinew_segment segment, const float rest[16],
                                sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && rest && segment.id && segment.id <= rig->model.segment_count))
    return SINEW_ERR_CALL;
  si_segment *slot = &rig->model.segments[segment.id - 1], given = *slot;
  si_mat_copy(rest, given.rest);
  if (!si_check_rest(&given, error) || !may_change(rig, error)) return error->status;
  edit e;
  sinew_status status = begin(&e, rig, error);
  if (status != SINEW_OK) return status;
  float before[16];
  si_mat_copy(slot->rest, before);
  si_mat_copy(rest, slot->rest);
  /* a component that names a segment may read any rest frame above and below it */
  status = finish(&e, renew_where(&e, names_segment));
  if (status != SINEW_OK) {
    si_mat_copy(before, slot->rest);
    return status;
  }
  si_tree_place(rig, segment.id - 1);
  si_rig_changed(rig);
  return SINEW_OK;
}

sinew_status sinew_rig_set_dof_range(sinew_rig *rig, sinew_dof dof, float min, float max,
                                     float rest, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && dof.id && dof.id <= rig->model.dof_count)) return SINEW_ERR_CALL;
  si_dof *slot = &rig->model.dofs[dof.id - 1], given = *slot;
  given.min = min;
  given.max = max;
  given.rest = rest;
  if (!si_check_dof(&given, error) || !may_change(rig, error)) return error->status;
  *slot = given;
  rig->initial[dof.id - 1] = rest + 0.0f; /* no -0 */
  si_rig_changed(rig);
  return SINEW_OK;
}

sinew_status sinew_rig_set_constant(sinew_rig *rig, sinew_component component, int input,
                                    const float *value, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && value && component.id && component.id <= rig->model.component_count))
    return SINEW_ERR_CALL;
  si_component *k = &rig->model.components[component.id - 1];
  if (!SI_EXPECT(input >= 0 && (uint32_t)input < k->input_count)) return SINEW_ERR_CALL;
  char name[128], who[384];
  si_input_name(k, (uint32_t)input, name, sizeof name);
  snprintf(who, sizeof who, "component '%s' input '%s'", k->name, name);
  sinew_kind kind = si_input_desc(k, (uint32_t)input)->kind;
  const si_source *source = &k->inputs[input];
  if (source->kind != SI_FROM_CONSTANT)
    return si_fail(error, SINEW_ERR_VALUE, "%s: was not given a constant", who);
  if (!si_check_constant(who, k->origin, kind, value, error) || !may_change(rig, error))
    return error->status;
  size_t bytes = (size_t)si_kind_numbers(kind) * sizeof *value;
  const sinew_node *node = &rig->nodes[rig->node_of[component.id - 1]];
  memcpy(k->wires[source->id - 1].constant, value, bytes);
  memcpy(rig->initial + node->ports[input], value, bytes);
  si_rig_changed(rig);
  return SINEW_OK;
}
