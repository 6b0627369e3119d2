/* Checks an evaluated pose: DOFs in range, finite outputs, each component's own check, and rigid
 * world matrices. */
#include "base/error_internal.h"
#include "math/matrix.h"
#include "evaluate/pose_internal.h"

static sinew_status verify_node(const sinew_pose *pose, const sinew_node *node,
                                sinew_error *error) {
  const si_component *k = &pose->rig->model.components[node->component - 1];
  char name[128];
  for (uint32_t i = 0; i < node->output_count; i++) {
    const float *value = si_pose_values(pose) + node->ports[node->input_count + i];
    if (si_finite(value, (size_t)si_kind_numbers(si_output_kind(k, i)))) continue;
    si_output_name(k, i, name, sizeof name);
    return si_fail(error, SINEW_ERR_NOT_FINITE, "component '%s': output '%s' is not finite",
                   k->name, name);
  }
  sinew_error why;
  sinew_error_clear(&why);
  if (k->cls->verify && !k->cls->verify(node, si_pose_values(pose), &why))
    return si_fail(error, SINEW_ERR_VALUE, "component '%s' (%s): %s", k->name, k->cls->name,
                   why.text);
  return SINEW_OK;
}

sinew_status sinew_pose_verify(const sinew_pose *pose, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(pose)) return SINEW_ERR_CALL;
  const sinew_rig *rig = pose->rig;
  for (uint32_t i = 0; i < rig->model.dof_count; i++) {
    const si_dof *dof = &rig->model.dofs[i];
    if (!(pose->values[i] >= dof->min && pose->values[i] <= dof->max))
      return si_fail(error, SINEW_ERR_VALUE, "DOF '%s': %g is outside %g to %g", dof->name,
                     (double)pose->values[i], (double)dof->min, (double)dof->max);
  }
  for (uint32_t i = 0; i < rig->node_count; i++) {
    sinew_status status = verify_node(pose, &rig->nodes[i], error);
    if (status < 0) return status;
  }
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    const float *world = pose->world + 16 * (size_t)i;
    if (!si_finite(world, 16) || !si_mat_is_rigid(world, 1e-3f))
      return si_fail(error, SINEW_ERR_VALUE, "segment '%s': its world matrix is not rigid",
                     rig->model.segments[i].name);
  }
  return SINEW_OK;
}
