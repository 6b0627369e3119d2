/* From a builder to a rig: checks a draft, plans the program, carves one block of memory, sets up
 * every component in it, and evaluates the components that depend on no DOF. */
#include "base/budget_internal.h"
#include "build/check.h"
#include "math/vector.h"
#include "compile/fuse.h"
#include "compile/hierarchy.h"
#include "compile/plan.h"

#include <stdlib.h>

typedef struct draft {
  si_check check;
  si_model model;
  void *block; /* the model's copy */
  si_plan plan;
  sinew_error found, warnings;
} draft;

static bool draft_make(draft *d, const sinew_builder *builder) {
  si_carver carver = { 0 };
  si_model_copy(&builder->model, &carver, &d->model);
  d->block = si_alloc(carver.used + 1);
  if (!d->block || !si_work(carver.used / 64)) return false;
  carver = (si_carver){ .base = d->block };
  si_model_copy(&builder->model, &carver, &d->model);
  d->check = (si_check){ .builder = builder, .model = &d->model, .error = &d->found };
  d->model.index = &d->check.index;
  d->found = builder->noted;
  return si_check_model(&d->check);
}

static void draft_free(draft *d) {
  if (!d) return;
  si_check_end(&d->check);
  si_plan_free(&d->plan);
  si_free(d->check.inputs);
  si_free(d->check.bad);
  si_free(d->block);
  si_free(d);
}

/* reports cycles; the order that the sort finds is not used */
static bool report_cycles(draft *d) {
  uint32_t *order = si_alloc_array((size_t)d->model.component_count + 1, sizeof *order);
  bool ok = order && si_sort(&d->model, order, &d->found);
  si_free(order);
  return ok;
}

static bool asks_the_tree(const sinew_component_class *cls) {
  for (const sinew_param_desc *p = cls->params; p && p->name; p++)
    if (p->type == SINEW_PARAM_SEGMENT) return true;
  return false;
}

/* when mistakes were found already, sets up the valid components in scratch memory, only to report
 * their mistakes too */
static bool report_setups(draft *d) {
  for (uint32_t i = 0; i < d->model.component_count; i++) {
    if (!si_work(30)) return false;
    if (d->check.bad[i]) continue;
    if (d->check.broken_tree && asks_the_tree(d->model.components[i].cls)) continue;
    void *scratch = si_alloc(si_data_bytes(&d->model, i) + 1);
    if (!scratch) return false;
    si_data_setup(&d->model, i, scratch, &d->found);
    si_free(scratch);
  }
  return true;
}

/* without a base the carver only measures; with one it also places everything. The rig itself comes
 * first */
static void carve(const draft *d, si_carver *carver, sinew_rig *rig) {
  const si_model *m = &d->model;
  size_t text = strlen(d->warnings.text) + 1;
  si_carve(carver, 1, sizeof *rig, SI_ALIGN);
  si_model_copy(m, carver, &rig->model);
  rig->edits = si_carve(carver, m->component_count, sizeof *rig->edits, 16);
  rig->watchers = si_carve(carver, 1, sizeof *rig->watchers, 16);
  rig->segment_names = si_carve(carver, m->segment_count, sizeof *rig->segment_names, 16);
  rig->dof_names = si_carve(carver, m->dof_count, sizeof *rig->dof_names, 16);
  rig->component_names = si_carve(carver, m->component_count, sizeof *rig->component_names, 16);
  char *warnings = si_carve(carver, text, 1, 1);
  if (warnings) memcpy(warnings, d->warnings.text, text);
  rig->warnings = warnings;
  si_tree_carve(m, carver, rig);
  si_program_carve(m, &d->plan, carver, rig);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const si_name_index *)a)->name, ((const si_name_index *)b)->name);
}

static void index_names(sinew_rig *rig) {
  const si_model *m = &rig->model;
  for (uint32_t i = 0; i < m->segment_count; i++)
    rig->segment_names[i] = (si_name_index){ m->segments[i].name, i + 1 };
  for (uint32_t i = 0; i < m->dof_count; i++)
    rig->dof_names[i] = (si_name_index){ m->dofs[i].name, i + 1 };
  for (uint32_t i = 0; i < m->component_count; i++)
    rig->component_names[i] = (si_name_index){ m->components[i].name, i + 1 };
  if (m->segment_count) qsort(rig->segment_names, m->segment_count, sizeof(si_name_index), by_name);
  if (m->dof_count) qsort(rig->dof_names, m->dof_count, sizeof(si_name_index), by_name);
  if (m->component_count)
    qsort(rig->component_names, m->component_count, sizeof(si_name_index), by_name);
}

/* returns NULL when memory runs out or a setup found mistakes, which are then in d->found */
static sinew_rig *assemble(draft *d) {
  sinew_rig measured = { 0 };
  si_carver carver = { 0 };
  carve(d, &carver, &measured);
  size_t bytes = carver.used;
  sinew_rig *rig = si_alloc(bytes);
  if (!rig) return NULL;
  carver = (si_carver){ .base = (unsigned char *)rig };
  carve(d, &carver, rig);
  rig->bytes = bytes;
  const size_t named = (size_t)d->model.segment_count + d->model.dof_count;
  if (!si_work(10 * (named + d->model.component_count))) {
    si_free(rig);
    return NULL;
  }
  index_names(rig);
  si_model_hold_objects(&rig->model, true);
  si_model_hold_classes(&rig->model, true);
  if (!si_tree_fill(rig) || !si_program_fill(&d->plan, rig, &d->found)) {
    sinew_rig_destroy(rig);
    return NULL;
  }
  si_tree_join(rig);
  rig->model.index = NULL; /* freed with the draft */
#ifdef SINEW_CHECK_SCHEDULE
  if (!si_schedule_check(rig, &d->found)) {
    sinew_rig_destroy(rig);
    return NULL;
  }
#endif
  return rig;
}

sinew_rig *sinew_builder_compile(const sinew_builder *builder, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(builder)) return NULL;
  const char *step = si_step_begin("compiling");
  draft *d = si_alloc(sizeof *d);
  sinew_rig *rig = NULL;
  bool memory = d && draft_make(d, builder);
  if (memory && d->found.count)
    memory = report_cycles(d);
  else if (memory)
    memory = si_plan_make(&d->model, &d->plan, &d->found);
  if (memory && d->found.count) {
    memory = report_setups(d);
  } else if (memory) {
    memory = si_review_all(&d->model, &d->warnings);
    if (memory) rig = assemble(d);
    memory = rig || d->found.count;
  }
  if (!memory)
    si_fail_memory(error);
  else if (!rig && error)
    *error = d->found;
  draft_free(d);
  si_step_end(step);
  return rig;
}

sinew_rig *sinew_builder_finish(sinew_builder *builder, sinew_error *error) {
  if (!builder) return si_memory_null(error);
  sinew_rig *rig = sinew_builder_compile(builder, error);
  sinew_builder_destroy(builder);
  return rig;
}
