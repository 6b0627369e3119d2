/* Which DOFs a component may hold back. A DOF beyond a limit inside the rig has no effect any more.
 * Moving it back to the value that the component lets through changes no transform, and then it can
 * move again. DOFs are followed through ports that are marked SINEW_PORT_PASSED: dependencies that
 * only bound them, cones and fields. */
#include "solve/solve_internal.h"

#include "evaluate/pose_internal.h"

#include <string.h>

/* the index of the hold on a port, or -1 */
static int hold_on(const si_component *k, uint32_t input) {
  char name[64];
  si_input_name(k, input, name, sizeof name);
  for (int h = 0; k->cls->holds && k->cls->holds[h].port; h++)
    if (strcmp(k->cls->holds[h].port, name) == 0) return h;
  return -1;
}

/* the DOF whose value, except for limits on the way, arrives at an input; 0: none */
static uint32_t dof_behind(const si_model *m, si_source source, int depth) {
  if (source.kind == SI_FROM_DOF) return source.id;
  if (source.kind != SI_FROM_OUTPUT || depth == 0) return 0;
  const si_component *k = &m->components[source.id - 1];
  for (uint32_t i = 0; i < k->input_count; i++) {
    const sinew_port_desc *port = si_input_desc(k, i);
    if (port->kind != SINEW_SCALAR) continue;
    if (si_passed_to(k, i) != (int)source.output) continue;
    uint32_t dof = dof_behind(m, k->inputs[i], depth - 1);
    if (dof) return dof;
  }
  return 0;
}

int si_settle_find(const sinew_rig *rig, const uint32_t *column_of, si_settle *dest) {
  const si_model *m = &rig->model;
  int count = 0;
  for (uint32_t i = 0; i < m->component_count; i++) {
    const si_component *k = &m->components[i];
    const sinew_node *node = &rig->nodes[rig->node_of[i]];
    if (!k->cls->holds) continue;
    for (uint32_t in = 0; in < k->input_count; in++) {
      if (si_input_desc(k, in)->kind != SINEW_SCALAR) continue;
      int out = si_passed_to(k, in), hold = hold_on(k, in);
      if (out < 0 && hold < 0) continue;
      uint32_t dof = dof_behind(m, k->inputs[in], 8);
      if (!dof || column_of[dof - 1] == UINT32_MAX) continue;
      if (dest) {
        dest[count] = (si_settle){
          .component = i, .column = column_of[dof - 1], .in = node->ports[in], .passed = out >= 0
        };
        if (out >= 0) dest[count].out = node->ports[node->input_count + (uint32_t)out];
        if (hold >= 0) dest[count].hold = node->hold + (uint32_t)hold;
      }
      count++;
    }
  }
  return count;
}

int si_settle_next(const si_settle *settles, int count, int at) {
  uint32_t component = settles[at].component;
  while (at < count && settles[at].component == component) at++;
  return at;
}

float si_settle_amount(const si_settle *s, const float *values) {
  return s->passed ? values[s->out] - values[s->in] : values[s->hold];
}
