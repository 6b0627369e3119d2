/* Many characters of one rig. */
#include "sinew/batch.h"

#include "error.h"
#include "pose.h"

struct sinew_batch {
  const sinew_rig *rig;
  sinew_pose *pose;
  int threads;
};

sinew_batch_desc sinew_default_batch_desc(void) { return (sinew_batch_desc){ .threads = 1 }; }

sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  sinew_batch *batch = si_alloc(sizeof *batch);
  if (!batch) return si_fail_memory(error), NULL;
  batch->rig = rig;
  batch->threads = desc ? desc->threads : 1;
  batch->pose = sinew_pose_create(rig, error);
  return batch;
}

void sinew_batch_destroy(sinew_batch *batch) {
  if (!batch) return;
  sinew_pose_destroy(batch->pose);
  si_free(batch);
}

const sinew_rig *sinew_batch_rig(const sinew_batch *batch) { return batch->rig; }
int sinew_batch_lanes(const sinew_batch *batch) { return batch ? 4 : 0; }
const char *sinew_batch_instructions(const sinew_batch *batch) { return batch ? "SSE2" : ""; }
int sinew_batch_threads(const sinew_batch *batch) { return batch->threads; }

sinew_status sinew_batch_eval(sinew_batch *batch, const float *dofs, int count, float *worlds,
                              sinew_error *error) {
  sinew_status all = SINEW_OK;
  uint32_t n = batch->rig->model.dof_count, s = 16 * batch->rig->model.segment_count;
  for (int i = 0; i < count; i++) {
    sinew_status status = sinew_pose_set_all(batch->pose, dofs + (size_t)i * n, (int)n, error);
    if (status < 0) return status;
    if (status == SINEW_CLAMPED) all = status;
    status = sinew_pose_eval(batch->pose, error);
    if (status < 0) all = status;
    memcpy(worlds + (size_t)i * s, batch->pose->world, s * sizeof(float));
  }
  return all;
}
