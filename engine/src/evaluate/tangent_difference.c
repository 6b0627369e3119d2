/* The derivative of a component whose class has none: finite differences of its eval along each
 * direction.
 *
 * The step is 1/256 of the DOF's range. For degrees and floats this balances rounding against
 * truncation error. Inside the range the difference is central, (f(h) - f(-h)) / 2h. If one side is
 * outside the range or the component fails there, it takes three points of the other side, (4 f(h)
 * - f(2h) - 3 f(0)) / 2h. */
#include "evaluate/tangent_internal.h"

#include "base/error_internal.h"
#include "math/vector.h"

/* moves every input along one of the node's columns by `by` */
static void place_inputs(const sinew_tangent *t, const si_tangent_step *step, const float *values,
                         uint32_t column, float by) {
  const sinew_node *node = step->node;
  const si_component *k = &t->rig->model.components[node->component - 1];
  for (uint32_t i = 0; i < node->input_count; i++) {
    const sinew_input_rates *in = &step->rates.inputs[i];
    size_t count = si_kind_floats(si_input_desc(k, i)->kind);
    const float *from = values + node->ports[i];
    float *to = t->scratch + node->ports[i];
    memcpy(to, from, count * sizeof *to);
    for (uint32_t c = 0; c < in->count; c++)
      if (in->columns[c] == column)
        for (size_t n = 0; n < count; n++) to[n] = from[n] + by * in->rates[count * c + n];
  }
}

/* evaluates the outputs with the inputs moved, and stores them one after the other */
static bool sample(const sinew_tangent *t, const si_tangent_step *step, const float *values,
                   uint32_t column, float by, float *dest, sinew_status *status,
                   sinew_error *error) {
  const sinew_node *node = step->node;
  const si_component *k = &t->rig->model.components[node->component - 1];
  place_inputs(t, step, values, column, by);
  *status = SINEW_OK;
  if (node->eval)
    node->eval(node, t->scratch);
  else
    *status = k->cls->try_eval(node, t->scratch, error);
  bool finite = true;
  for (uint32_t i = 0; i < node->output_count && *status >= 0; i++) {
    size_t count = si_kind_floats(si_output_kind(k, i));
    memcpy(dest, t->scratch + node->ports[node->input_count + i], count * sizeof *dest);
    finite &= si_finite(dest, (size_t)si_kind_numbers(si_output_kind(k, i)));
    dest += count;
  }
  if (!finite)
    *status = si_fail(error, SINEW_ERR_NOT_FINITE,
                      "gave a value that is not finite when it was differentiated numerically");
  return *status >= 0;
}

static float step_of(const si_dof *dof) {
  float range = dof->max - dof->min;
  return range > 0 && range < 1e6f ? range / 256 : 0.25f;
}

static void combine(const sinew_tangent *t, const si_tangent_step *step, const float *values,
                    uint32_t column, float by_a, float by_b) {
  const sinew_node *node = step->node;
  const si_component *k = &t->rig->model.components[node->component - 1];
  const float *a = t->samples, *b = t->samples + t->sample_room;
  for (uint32_t i = 0; i < node->output_count; i++) {
    size_t count = si_kind_floats(si_output_kind(k, i));
    const float *here = values + node->ports[node->input_count + i];
    float *dest = step->rates.outputs[i] + count * column;
    for (int n = 0; n < si_kind_numbers(si_output_kind(k, i)); n++)
      dest[n] = by_a * (a[n] - here[n]) + by_b * (b[n] - here[n]);
    a += count, b += count;
  }
}

sinew_status si_tangent_difference(const sinew_tangent *t, const si_tangent_step *step,
                                   const float *values, sinew_error *error) {
  float *a = t->samples, *b = t->samples + t->sample_room;
  for (uint32_t c = 0; c < step->rates.count; c++) {
    uint32_t index = t->dofs[step->columns[c]];
    const si_dof *dof = &t->rig->model.dofs[index];
    float h = step_of(dof), at = values[index];
    bool fixed = !(dof->max > dof->min), up = fixed || at + h <= dof->max,
         down = fixed || at - h >= dof->min;
    sinew_status status = SINEW_OK, other;
    if (up && down) {
      sinew_error why;
      sinew_error_clear(&why);
      up = sample(t, step, values, c, h, a, &status, &why);
      down = sample(t, step, values, c, -h, b, &other, &why);
      if (up && down) {
        combine(t, step, values, c, 0.5f / h, -0.5f / h);
        continue;
      }
    }
    float s = up ? h : -h;
    if (!sample(t, step, values, c, s, a, &status, error)) return status;
    if (!sample(t, step, values, c, 2 * s, b, &status, error)) return status;
    combine(t, step, values, c, 2 / s, -0.5f / s);
  }
  return SINEW_OK;
}

/* the length of some holds with the inputs moved along a column; NaN where the component fails */
static float hold_length(const sinew_tangent *t, const si_tangent_step *step, const float *values,
                         uint32_t column, float by, uint32_t first, uint32_t count) {
  const sinew_node *node = step->node;
  place_inputs(t, step, values, column, by);
  const sinew_component_class *cls = t->rig->model.components[node->component - 1].cls;
  sinew_error why;
  if (cls->eval)
    cls->eval(node, t->scratch);
  else if (cls->try_eval(node, t->scratch, &why) < 0)
    return NAN;
  float square = 0;
  for (uint32_t i = first; i < first + count; i++) {
    float held = *sinew_node_hold(node, t->scratch, i);
    square += held * held;
  }
  return sqrtf(square);
}

void si_tangent_hold(const sinew_tangent *t, const float *values, sinew_component component,
                     uint32_t first, uint32_t count, float *dest) {
  memset(dest, 0, t->column_count * sizeof *dest);
  uint32_t at = t->step_of[t->rig->node_of[component.id - 1]];
  if (at == SI_NONE) return;
  const si_tangent_step *step = &t->steps[at];
  float here = hold_length(t, step, values, 0, 0, first, count);
  for (uint32_t c = 0; c < step->rates.count; c++) {
    float h = step_of(&t->rig->model.dofs[t->dofs[step->columns[c]]]) / 4;
    float up = hold_length(t, step, values, c, h, first, count);
    float down = hold_length(t, step, values, c, -h, first, count);
    float rate;
    if (up > 0 && down > 0)
      rate = (up - down) / (2 * h);
    else
      rate = up > down || isnan(down) ? (up - here) / h : (here - down) / h;
    dest[step->columns[c]] = isfinite(rate) ? rate : 0;
  }
}
