/* The scalars of the fused program; see scalar_steps.h. */
#include "compile/scalar_steps.h"

#include "components/catalog.h"
#include "components/dependency.h"
#include "components/map.h"
#include "compile/fuse.h"

/* whether all of these curves are quick; NULL is none */
static bool quick(const sinew_curve *const *curves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (curves[i] && !curves[i]->quick) return false;
  return true;
}

static void take_map(const sinew_node *node, si_scalar *dest) {
  const si_map_table *table = si_map_table_of(node->data, node->output_count);
  const sinew_curve *const *curves = node->data;
  bool simple = quick(curves, node->output_count);
  if (!table->knots && !simple) return;
  if (simple && node->output_count == 1) {
    dest->kind = SI_CURVE;
    dest->data = curves[0];
    return;
  }
  dest->kind = table->knots ? SI_MAP : SI_CURVES;
  dest->data = table->knots ? (const void *)table : node->data;
  dest->count = node->output_count;
}

static void take_dependency(const sinew_node *node, si_scalar *dest) {
  const si_bounds *b = node->data;
  const sinew_curve *const curves[] = { b->map, b->offset, b->lower, b->upper };
  if (!quick(curves, 4)) return;
  dest->passive = node->ports[1];
  dest->held = node->hold;
  dest->kind = SI_DEPENDENCY;
  dest->data = b;
}

void si_scalars_refresh(sinew_rig *rig) {
  const si_fused *f = rig->fused;
  for (uint32_t i = 0; i < f->early; i++) {
    const sinew_node *node = &rig->nodes[f->steps[i]];
    const sinew_component_class *cls = rig->model.components[node->component - 1].cls;
    si_scalar *dest = &f->scalars[i];
    *dest = (si_scalar){ .kind = SI_BY_NODE, .data = node };
    if (cls != &si_map && cls != &si_dependency) continue;
    dest->x = node->ports[0];
    dest->dest = node->ports[node->input_count];
    (cls == &si_map ? take_map : take_dependency)(node, dest);
  }
}

void si_scalars_run(const sinew_rig *rig, uint32_t from, uint32_t to, float *values) {
  const si_scalar *op = rig->fused->scalars + from, *end = rig->fused->scalars + to;
  for (; op < end; op++) {
    float x = values[op->x], *dest = values + op->dest;
    switch (op->kind) {
    case SI_BY_NODE: {
      const sinew_node *node = op->data;
      node->eval(node, values);
      break;
    }
    case SI_MAP: si_map_eval(op->data, x, dest); break;
    case SI_CURVES: {
      const sinew_curve *const *curves = op->data;
      for (uint32_t i = 0; i < op->count; i++) dest[i] = si_curve_quick(curves[i], x);
      break;
    }
    case SI_CURVE: *dest = si_curve_quick(op->data, x); break;
    case SI_DEPENDENCY:
      si_dependency_eval(op->data, x, values[op->passive], true, dest, values + op->held);
      break;
    }
  }
}
