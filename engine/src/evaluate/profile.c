/* Public access to the steps of the fused program. */
#include "sinew/profile.h"

#include "components/catalog.h"
#include "evaluate/fused_run.h"
#include "compile/hierarchy.h"

int sinew_rig_step_count(const sinew_rig *rig) {
  return SI_EXPECT(rig) ? (int)rig->fused->step_count : 0;
}

sinew_step sinew_rig_step(const sinew_rig *rig, int index) {
  if (!SI_EXPECT(rig)) return (sinew_step){ 0 };
  const si_fused *f = rig->fused;
  if (!SI_EXPECT(index >= 0 && (uint32_t)index < f->step_count)) return (sinew_step){ .turns = 0 };
  uint32_t i = (uint32_t)index, turns = 0;
  if (i >= f->early && i < f->product_end[SI_TURN_GROUPS - 1])
    turns = f->first_turn[i - f->early + 1] - f->first_turn[i - f->early];
  return (sinew_step){ .component = { rig->nodes[f->steps[i]].component }, .turns = (int)turns };
}

int sinew_rig_unused_count(const sinew_rig *rig) {
  if (!SI_EXPECT(rig)) return 0;
  int used = sinew_rig_step_count(rig);
  for (int i = 0; i < sinew_rig_step_count(rig); i++) {
    sinew_step step = sinew_rig_step(rig, i);
    if (!si_component_turns(&rig->model, step.component.id - 1)) used += step.turns;
  }
  return (int)(rig->node_count - rig->constant_nodes) - used;
}

sinew_status sinew_pose_repeat_steps(sinew_pose *pose, int first, int count, sinew_error *error) {
  if (!SI_EXPECT(pose && first >= 0 && count >= 0)) return SINEW_ERR_CALL;
  const sinew_rig *rig = pose->rig;
  uint32_t steps = rig->fused->step_count, from = (uint32_t)first, to = from + (uint32_t)count;
  if (!SI_EXPECT(to <= steps + 1)) return SINEW_ERR_CALL;
  sinew_status status = si_fused_steps(pose, from, to < steps ? to : steps, error);
  if (to > steps) si_tree_world(rig, pose->values, pose->world, 0, rig->model.segment_count);
  return status;
}
