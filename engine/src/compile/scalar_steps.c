/* The scalars of the fused program; see scalar_steps.h. */
#include "compile/scalar_steps.h"

#include "compile/fuse.h"
#include "components/dependency.h"
#include "components/formula.h"
#include "components/map.h"

void si_scalars_refresh(sinew_rig *rig) {
  const si_fused *f = rig->fused;
  for (uint32_t i = 0; i < f->early; i++) {
    const sinew_node *node = &rig->nodes[f->steps[i]];
    const sinew_component_class *cls = rig->model.components[node->component - 1].cls;
    si_scalar *dest = &f->scalars[i];
    *dest = (si_scalar){ .kind = SI_BY_NODE, .data = node };
    if (cls->step) cls->step(node, dest);
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
    case SI_PLANE:
      *dest = si_formula_plane_one(((const si_formula_code *)op->data)->k, x, values[op->passive]);
      values[op->held] = 0;
      break;
    case SI_SHAPED:
      *dest = si_formula_shaped_one(op->data, x, values[op->passive]);
      values[op->held] = 0;
      break;
    case SI_SUM: {
      const sinew_node *node = op->data;
      const si_formula_data *d = node->data;
      *dest = si_formula_sum(si_formula_at(d, d->value), node, values);
      values[op->held] = 0;
      break;
    }
    case SI_LIMIT:
      si_formula_limit(op->data, x, values[op->passive], dest, values + op->held);
      break;
    }
  }
}
