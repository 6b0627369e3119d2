/* Reading a compiled rig. */
#include "compile/rig_internal.h"

#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "base/names.h"
#include "compile/fuse.h"
#include "components/catalog.h"
#include "limits/cone_internal.h"
#include "math/formula_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lock(si_watchers *w) {
  while (atomic_flag_test_and_set_explicit(&w->busy, memory_order_acquire)) {
  }
}

static void unlock(si_watchers *w) { atomic_flag_clear_explicit(&w->busy, memory_order_release); }

void sinew_rig_detach(sinew_rig *rig) {
  if (!SI_EXPECT(rig)) return;
  si_watchers *w = rig->watchers;
  lock(w);
  for (si_watcher *at = w->first; at; at = at->next) at->what = NULL;
  w->first = NULL;
  unlock(w);
}

/* reports what was created for the rig and is still alive */
static bool is_in_use(const sinew_rig *rig) {
  char text[512];
  int count = 0;
  si_watchers *w = rig->watchers;
  if (!w) return false; /* a rig that failed to compile */
  lock(w);
  const char *what = w->first ? w->first->what : "";
  for (const si_watcher *at = w->first; at; at = at->next) count++;
  unlock(w);
  if (!count) return false;
  if (count == 1)
    snprintf(text, sizeof text, "rig '%.200s' is destroyed before its %s", rig->model.name, what);
  else
    snprintf(text, sizeof text, "rig '%.200s' is destroyed before its %s and %d more of its users",
             rig->model.name, what, count - 1);
  return !si_expect_failed(text, __FILE__, __LINE__);
}

void sinew_rig_destroy(sinew_rig *rig) {
  if (!rig || is_in_use(rig)) return;
  /* first, since an object may be what keeps a class alive */
  si_model_hold_classes(&rig->model, false);
  si_model_hold_objects(&rig->model, false);
  for (uint32_t i = 0; i < rig->model.component_count; i++) si_free(rig->edits[i]);
  si_free(rig->new_warnings);
  si_free(rig);
}

void si_rig_changed(sinew_rig *rig) {
  si_fuse_refresh(rig);
  rig->revision++;
}

void si_rig_watch(const sinew_rig *rig, si_watcher *watcher, const char *what) {
  si_watchers *w = rig->watchers;
  watcher->what = what;
  lock(w);
  watcher->next = w->first;
  watcher->link = &w->first;
  if (w->first) w->first->link = &watcher->next;
  w->first = watcher;
  unlock(w);
}

void si_rig_unwatch(const sinew_rig *rig, si_watcher *watcher) {
  if (!watcher->what) return;
  lock(rig->watchers);
  *watcher->link = watcher->next;
  if (watcher->next) watcher->next->link = watcher->link;
  unlock(rig->watchers);
}

const char *sinew_rig_name(const sinew_rig *rig) { return SI_EXPECT(rig) ? rig->model.name : ""; }
int sinew_rig_segment_count(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? (int)rig->model.segment_count : 0;
}

int sinew_rig_dof_count(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? (int)rig->model.dof_count : 0;
}

int sinew_rig_component_count(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? (int)rig->model.component_count : 0;
}

int sinew_rig_joint_set_count(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? (int)rig->model.joint_set_count : 0;
}

size_t sinew_rig_bytes(const sinew_rig *rig) { return SI_EXPECT(rig) ? rig->bytes : 0; }
uint32_t sinew_rig_revision(const sinew_rig *rig) { return SI_EXPECT(rig) ? rig->revision : 0; }
bool sinew_rig_can_fail(const sinew_rig *rig) { return SI_EXPECT(rig) ? rig->can_fail : false; }
const char *sinew_rig_binding(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? rig->model.binding : NULL;
}

const char *sinew_rig_warnings(const sinew_rig *rig) {
  if (!SI_EXPECT(rig)) return "";
  return rig->new_warnings ? rig->new_warnings : rig->warnings;
}

static uint32_t id_of(int index, uint32_t count) {
  return index >= 0 && (uint32_t)index < count ? (uint32_t)index + 1 : 0;
}

sinew_segment sinew_rig_segment(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_segment){ 0 };
  return (sinew_segment){ id_of(index, rig->model.segment_count) };
}

sinew_dof sinew_rig_dof(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_dof){ 0 };
  return (sinew_dof){ id_of(index, rig->model.dof_count) };
}

sinew_component sinew_rig_component(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_component){ 0 };
  return (sinew_component){ id_of(index, rig->model.component_count) };
}

sinew_joint_set sinew_rig_joint_set(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_joint_set){ 0 };
  return (sinew_joint_set){ id_of(index, rig->model.joint_set_count) };
}

static int by_name(const void *key, const void *item) {
  return strcmp(key, ((const si_name_index *)item)->name);
}

static uint32_t find(const si_name_index *index, uint32_t count, const char *what, const char *name,
                     sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name)) return 0;
  const si_name_index *found = count ? bsearch(name, index, count, sizeof *index, by_name) : NULL;
  if (found) return found->id;
  if (error) {
    si_work(8 * (size_t)count); /* the caller stops */
    si_nearest near;
    char words[400];
    si_nearest_start(&near, name);
    for (uint32_t i = 0; i < count; i++) si_nearest_offer(&near, index[i].name);
    si_fail(error, SINEW_ERR_NAME, "no %s named '%s'%s", what, name,
            si_nearest_words(&near, words, sizeof words));
  }
  return 0;
}

sinew_segment sinew_rig_find_segment(const sinew_rig *rig, const char *name, sinew_error *error) {
  if (!SI_EXPECT(rig)) return (sinew_segment){ 0 };
  return (
      sinew_segment){ find(rig->segment_names, rig->model.segment_count, "segment", name, error) };
}

sinew_dof sinew_rig_find_dof(const sinew_rig *rig, const char *name, sinew_error *error) {
  if (!SI_EXPECT(rig)) return (sinew_dof){ 0 };
  return (sinew_dof){ find(rig->dof_names, rig->model.dof_count, "DOF", name, error) };
}

sinew_component sinew_rig_find_component(const sinew_rig *rig, const char *name,
                                         sinew_error *error) {
  if (!SI_EXPECT(rig)) return (sinew_component){ 0 };
  return (sinew_component){ find(rig->component_names, rig->model.component_count, "component",
                                 name, error) };
}

sinew_segment_info sinew_rig_segment_info(const sinew_rig *rig, sinew_segment segment) {
  if (!SI_EXPECT(segment.id && segment.id <= rig->model.segment_count))
    return (sinew_segment_info){ .name = "" };
  const si_segment *s = &rig->model.segments[segment.id - 1];
  bool driven = s->source.kind == SI_FROM_OUTPUT;
  return (sinew_segment_info){ .name = s->name,
                               .parent = { s->parent },
                               .rest = s->rest,
                               .joint_set = { s->joint_set },
                               .driver = { driven ? s->source.id : 0 },
                               .driver_output = driven ? (int)s->source.output : 0,
                               .mass = s->mass,
                               .mass_at = s->mass_at,
                               .origin = s->origin };
}

sinew_dof_info sinew_rig_dof_info(const sinew_rig *rig, sinew_dof dof) {
  if (!SI_EXPECT(dof.id && dof.id <= rig->model.dof_count))
    return (sinew_dof_info){ .name = "", .unit = "" };
  return si_dof_info(&rig->model.dofs[dof.id - 1]);
}

static const si_component *component_of(const sinew_rig *rig, sinew_component component) {
  bool ok = SI_EXPECT(component.id && component.id <= rig->model.component_count);
  return ok ? &rig->model.components[component.id - 1] : NULL;
}

sinew_component_info sinew_rig_component_info(const sinew_rig *rig, sinew_component component) {
  const si_component *k = component_of(rig, component);
  if (!k) return (sinew_component_info){ .name = "" };
  return (sinew_component_info){ .name = k->name,
                                 .component_class = k->cls,
                                 .joint_set = { k->joint_set },
                                 .origin = k->origin,
                                 .input_count = (int)k->input_count,
                                 .output_count = (int)k->output_count,
                                 .param_count = (int)k->param_count };
}

const char *sinew_rig_joint_set_name(const sinew_rig *rig, sinew_joint_set joint_set) {
  if (!SI_EXPECT(joint_set.id && joint_set.id <= rig->model.joint_set_count)) return "";
  return rig->model.joint_sets[joint_set.id - 1].name;
}

sinew_source sinew_rig_input(const sinew_rig *rig, sinew_component component, int input) {
  const si_component *k = component_of(rig, component);
  sinew_source none = { { 0 }, { 0 }, 0 };
  if (!k || !SI_EXPECT(input >= 0 && (uint32_t)input < k->input_count)) return none;
  const si_source *s = &k->inputs[input];
  if (s->kind == SI_FROM_DOF) return (sinew_source){ .dof = { s->id } };
  if (s->kind == SI_FROM_OUTPUT)
    return (sinew_source){ .component = { s->id }, .output = (int)s->output };
  return none;
}

int sinew_rig_passed_to(const sinew_rig *rig, sinew_component component, int input) {
  const si_component *k = component_of(rig, component);
  if (!k || !SI_EXPECT(input >= 0 && (uint32_t)input < k->input_count)) return -1;
  return si_passed_to(k, (uint32_t)input);
}

sinew_kind sinew_rig_output_kind(const sinew_rig *rig, sinew_component component, int output) {
  const si_component *k = component_of(rig, component);
  if (!k || !SI_EXPECT(output >= 0 && (uint32_t)output < k->output_count)) return SINEW_SCALAR;
  return si_output_kind(k, (uint32_t)output);
}

void sinew_rig_input_name(const sinew_rig *rig, sinew_component component, int input, char *dest,
                          size_t capacity) {
  const si_component *k = component_of(rig, component);
  if (capacity) dest[0] = '\0';
  if (k && SI_EXPECT(input >= 0 && (uint32_t)input < k->input_count))
    si_input_name(k, (uint32_t)input, dest, capacity);
}

void sinew_rig_output_name(const sinew_rig *rig, sinew_component component, int output, char *dest,
                           size_t capacity) {
  const si_component *k = component_of(rig, component);
  if (capacity) dest[0] = '\0';
  if (k && SI_EXPECT(output >= 0 && (uint32_t)output < k->output_count))
    si_output_name(k, (uint32_t)output, dest, capacity);
}

const sinew_param *sinew_rig_param(const sinew_rig *rig, sinew_component component, int index) {
  const si_component *k = component_of(rig, component);
  if (!k || !SI_EXPECT(index >= 0 && (uint32_t)index < k->param_count)) return NULL;
  return &k->params[index];
}

const sinew_param *sinew_rig_find_param(const sinew_rig *rig, sinew_component component,
                                        const char *name) {
  const si_component *k = component_of(rig, component);
  return k && SI_EXPECT(name) ? si_find_param(k, name) : NULL;
}

/* the sources of a formula's inputs */
typedef struct formula_names {
  const si_model *model;
  const si_component *component;
  char name[256];
} formula_names;

/* an input's source: a DOF, a component with one output, a port or a constant; without the
 * component's own joint set */
static const char *formula_name(void *user, uint32_t input) {
  formula_names *n = user;
  const si_component *k = n->component;
  if (input >= k->input_count) return "?";
  const si_source *s = &k->inputs[input];
  const char *full = s->kind == SI_FROM_DOF      ? n->model->dofs[s->id - 1].name
                     : s->kind == SI_FROM_OUTPUT ? n->model->components[s->id - 1].name
                                                 : NULL;
  if (!full) {
    snprintf(n->name, sizeof n->name, "%g", (double)k->wires[s->id - 1].constant[0]);
    return n->name;
  }
  const char *set = k->joint_set ? n->model->joint_sets[k->joint_set - 1].name : "";
  size_t length = strlen(set);
  if (length && strncmp(full, set, length) == 0 && full[length] == '.') full += length + 1;
  snprintf(n->name, sizeof n->name, "%s", full);
  if (s->kind == SI_FROM_OUTPUT && n->model->components[s->id - 1].output_count > 1) {
    char port[128];
    si_output_name(&n->model->components[s->id - 1], s->output, port, sizeof port);
    snprintf(n->name, sizeof n->name, "%.120s.%.120s", full, port);
  }
  return n->name;
}

bool sinew_rig_formula(const sinew_rig *rig, sinew_component component, const char *param,
                       char *dest, size_t capacity) {
  const si_component *k = component_of(rig, component);
  if (!SI_EXPECT(dest && capacity)) return false;
  *dest = '\0';
  if (!k || !SI_EXPECT(param)) return false;
  const sinew_param_desc *desc = sinew_class_find_param(k->cls, param);
  const sinew_param *given = si_find_param(k, param);
  if (!desc || !(desc->flags & SINEW_PARAM_FORMULA) || !given || !given->text) return false;
  formula_names names = { .model = &rig->model, .component = k };
  si_text text = { 0 };
  si_formula_say(given->text, formula_name, &names, &text);
  bool fits = !text.failed && text.at && text.size < capacity;
  if (fits) memcpy(dest, text.at, text.size + 1);
  si_free(text.at);
  return fits;
}

const sinew_cone *sinew_rig_cone(const sinew_rig *rig, sinew_component component) {
  const si_component *k = component_of(rig, component);
  if (!k || !k->cls->cone) return NULL;
  return k->cls->cone(rig->nodes[rig->node_of[component.id - 1]].data);
}

const float *sinew_rig_constant(const sinew_rig *rig, sinew_component component, int input) {
  const si_component *k = component_of(rig, component);
  if (!k || !SI_EXPECT(input >= 0 && (uint32_t)input < k->input_count)) return NULL;
  const si_source *s = &k->inputs[input];
  return s->kind == SI_FROM_CONSTANT ? k->wires[s->id - 1].constant : NULL;
}

sinew_component sinew_rig_order(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_component){ 0 };
  if (index < 0 || (uint32_t)index >= rig->node_count) return (sinew_component){ 0 };
  return (sinew_component){ rig->nodes[index].component };
}

/* follows the marks from the DOF; nodes are marked in order, so one pass is enough */
void si_rig_reach(const sinew_rig *rig, uint32_t dof, bool *reached) {
  memset(reached, 0, rig->node_count);
  for (uint32_t i = rig->dof_first[dof]; i < rig->dof_first[dof + 1]; i++)
    if (rig->marks[i] < rig->node_count) reached[rig->marks[i]] = true;
  for (uint32_t n = 0; n < rig->node_count; n++) {
    if (!reached[n]) continue;
    for (uint32_t i = rig->node_first[n]; i < rig->node_first[n + 1]; i++)
      if (rig->marks[i] < rig->node_count) reached[rig->marks[i]] = true;
  }
}

/* whether one of these marks is a node that is in `nodes`, which end before `end` */
static bool marks_any(const sinew_rig *rig, const uint32_t *first, const bool *nodes,
                      uint32_t end) {
  for (uint32_t i = first[0]; i < first[1]; i++)
    if (rig->marks[i] < end && nodes[rig->marks[i]]) return true;
  return false;
}

void si_rig_sources(const sinew_rig *rig, uint32_t node, bool *nodes, bool *dofs) {
  nodes[node] = true;
  for (uint32_t n = node; n-- > 0;) nodes[n] = marks_any(rig, rig->node_first + n, nodes, node + 1);
  for (uint32_t d = 0; d < rig->model.dof_count; d++)
    dofs[d] = marks_any(rig, rig->dof_first + d, nodes, node + 1);
}

bool sinew_rig_depends(const sinew_rig *rig, sinew_component component, sinew_dof dof) {
  if (!component_of(rig, component) || !SI_EXPECT(dof.id && dof.id <= rig->model.dof_count))
    return false;
  bool *reached = si_alloc((size_t)rig->node_count + 1);
  if (!reached) return true; /* if memory runs out, assume that it depends */
  si_rig_reach(rig, dof.id - 1, reached);
  bool result = reached[rig->node_of[component.id - 1]];
  si_free(reached);
  return result;
}
