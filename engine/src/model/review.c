/* What is odd about a valid model: warnings of its components, and DOFs that cannot do anything. */
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static void review_components(const si_model *model, sinew_error *warnings) {
  void *kept = NULL;
  for (uint32_t i = 0; i < model->component_count; i++) {
    const sinew_component_class *cls = model->components[i].cls;
    sinew_setup s = { .model = model, .component = i, .kept = &kept };
    if (cls->review) cls->review(&s, warnings);
  }
  si_free(kept);
}

/* Marks the DOFs that a driver of a segment depends on. `seen` and `waiting` have room for all
 * components. */
static void mark_movers(const si_model *m, bool *seen, uint32_t *waiting, bool *moves) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    si_source driver = m->segments[i].source;
    if (driver.kind != SI_FROM_OUTPUT || seen[driver.id - 1]) continue;
    seen[driver.id - 1] = true;
    waiting[count++] = driver.id - 1;
  }
  while (count) {
    const si_component *c = &m->components[waiting[--count]];
    for (uint32_t i = 0; i < c->input_count; i++) {
      si_source from = c->inputs[i];
      if (from.kind == SI_FROM_DOF) moves[from.id - 1] = true;
      if (from.kind != SI_FROM_OUTPUT || seen[from.id - 1]) continue;
      seen[from.id - 1] = true;
      waiting[count++] = from.id - 1;
    }
  }
}

/* a twelfth of pi or a multiple up to a full turn, which nobody gives in degrees */
static bool is_radians(float angle) {
  double twelfths = fabs((double)angle) / 0.26179938779914943;
  return twelfths > 0.5 && twelfths < 24.5 && fabs(twelfths - round(twelfths)) < 1e-5;
}

static void review_dofs(const si_model *m, const bool *moves, sinew_error *warnings) {
  char where[256];
  for (uint32_t i = 0; i < m->dof_count; i++) {
    const si_dof *dof = &m->dofs[i];
    si_origin_prefix(dof->origin, where, sizeof where);
    if (dof->min == dof->max)
      si_add(warnings, SINEW_OK, "%sDOF '%s' cannot move: its min and max are both %g", where,
             dof->name, (double)dof->min);
    else if (strcmp(dof->unit, "deg") == 0 && (is_radians(dof->min) || is_radians(dof->max)))
      si_add(
          warnings, SINEW_OK,
          "%sDOF '%s' goes from %g to %g degrees, which look like radians: write degrees, or give "
          "it unit = 'rad'",
          where, dof->name, (double)dof->min, (double)dof->max);
    else if (!moves[i])
      si_add(warnings, SINEW_OK, "%sDOF '%s' moves nothing: no segment is driven by it", where,
             dof->name);
  }
}

bool si_review_all(const si_model *model, sinew_error *warnings) {
  if (model->warnings) si_add(warnings, SINEW_OK, "%s", model->warnings);
  review_components(model, warnings);
  size_t components = (size_t)model->component_count + 1;
  bool *marks = si_alloc_array(components + model->dof_count, sizeof *marks);
  uint32_t *waiting = si_alloc_array(components, sizeof *waiting);
  bool ok = marks && waiting && si_work(8 * (components + model->dof_count));
  if (ok) {
    mark_movers(model, marks, waiting, marks + components);
    /* without segments it is a network to compute with */
    if (model->segment_count) review_dofs(model, marks + components, warnings);
  }
  si_free(marks);
  si_free(waiting);
  return ok && !si_is_lack(warnings->status);
}
