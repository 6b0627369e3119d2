/* Evaluates derivatives and reads them; tangent_internal.h explains what is stored. */
#include "evaluate/tangent_internal.h"

#include "base/error_internal.h"
#include "evaluate/pose_internal.h"
#include "math/rate.h"

/* the pose's values, including those of every node of the tangent's steps */
static const float *values_of(const sinew_tangent *t, const sinew_pose *pose) {
  (void)t; /* the pose stores every node's values, or computes them on demand */
  return si_pose_values(pose);
}

static sinew_status step_failed(const sinew_tangent *t, const si_tangent_step *step,
                                sinew_status status, const sinew_error *why, sinew_error *error) {
  const si_component *k = &t->rig->model.components[step->node->component - 1];
  return si_fail_component(k, status, why->count ? why->text : "its derivative failed", error);
}

/* `inputs_only`: leaves out steps that no other one reads */
static sinew_status run_steps(sinew_tangent *t, const float *values, bool inputs_only,
                              sinew_error *error) {
  for (uint32_t i = 0; i < t->step_count; i++) {
    const si_tangent_step *step = &t->steps[i];
    if (inputs_only && step->last) continue;
    memset(step->room, 0, step->room_count * sizeof *step->room);
    sinew_error why;
    sinew_error_clear(&why);
    sinew_status status = step->tangent ? step->tangent(step->node, values, &step->rates, &why)
                                        : si_tangent_difference(t, step, values, &why);
    if (status < 0) return step_failed(t, step, status, &why, error);
  }
  return SINEW_OK;
}

/* the inverse of an affine matrix; false if it is singular */
static bool invert(const float *m, float *dest) {
  float cross[3][3];
  for (int i = 0; i < 3; i++) si_vec_cross(m + 4 * ((i + 1) % 3), m + 4 * ((i + 2) % 3), cross[i]);
  float det = si_vec_dot(m, cross[0]);
  float size = si_vec_dot(m, m) + si_vec_dot(m + 4, m + 4) + si_vec_dot(m + 8, m + 8);
  if (!(fabsf(det) > 1e-9f * size * sqrtf(size))) return false;
  float scale = 1 / det;
  for (int row = 0; row < 3; row++) {
    float back = 0;
    for (int column = 0; column < 3; column++) {
      dest[4 * column + row] = cross[row][column] * scale;
      back -= cross[row][column] * scale * m[12 + column];
    }
    dest[12 + row] = back;
  }
  dest[3] = dest[7] = dest[11] = 0;
  dest[15] = 1;
  return true;
}

/* world(parent) * rest */
static void frame_of(const sinew_tangent *t, const sinew_pose *pose, uint32_t at, float *dest) {
  const si_slot *slot = &t->rig->slots[at];
  const float *rest = t->rig->rest + 16 * (size_t)at;
  if (slot->parent == SI_NONE)
    si_mat_copy(rest, dest);
  else
    si_mat_mul(pose->world + 16 * (size_t)slot->parent, rest, dest);
}

static sinew_status run_joints(sinew_tangent *t, const sinew_pose *pose, sinew_error *error) {
  CGLM_ALIGN_MAT float frame[16], back[16];
  for (uint32_t i = 0; i < t->joint_count; i++) {
    const si_tangent_joint *joint = &t->joints[i];
    uint32_t segment = t->rig->slots[joint->slot].segment;
    if (!invert(pose->world + 16 * (size_t)segment, back))
      return si_fail(error, SINEW_ERR_VALUE,
                     "segment '%s': its matrix is singular, so that its movement has no derivative",
                     t->rig->model.segments[segment].name);
    frame_of(t, pose, joint->slot, frame);
    for (uint32_t k = 0; k < joint->count; k++) {
      float *dest = t->motions + 16 * (size_t)(joint->first + k);
      uint32_t above = t->above[joint->first + k];
      si_rate_after(frame, joint->rates + 16 * (size_t)k, dest);
      si_rate_before(dest, back, dest);
      if (above != SI_NONE) si_rate_add(1, t->motions + 16 * (size_t)above, dest);
    }
  }
  return SINEW_OK;
}

sinew_status sinew_tangent_eval(sinew_tangent *t, sinew_pose *pose, sinew_error *error) {
  if (!SI_EXPECT(t && pose && pose->rig == t->rig)) return SINEW_ERR_CALL;
  sinew_status status = sinew_pose_eval(pose, error);
  if (status < 0) return status;
  status = run_steps(t, values_of(t, pose), false, error);
  if (status < 0) return status;
  status = run_joints(t, pose, error);
  if (status < 0) return status;
  for (uint32_t i = 0; i < t->rig->model.segment_count; i++)
    if (t->watched[i]) si_mat_copy(pose->world + 16 * (size_t)i, t->world + 16 * (size_t)i);
  return SINEW_OK;
}

sinew_status si_tangent_eval_inputs(sinew_tangent *t, const sinew_pose *pose, sinew_error *error) {
  return run_steps(t, values_of(t, pose), true, error);
}

void si_tangent_input(const sinew_tangent *t, sinew_component component, uint32_t input,
                      float *dest) {
  memset(dest, 0, t->column_count * sizeof *dest);
  uint32_t at = t->step_of[t->rig->node_of[component.id - 1]];
  if (at == SI_NONE) return;
  const si_tangent_step *step = &t->steps[at];
  const sinew_input_rates *in = &step->rates.inputs[input];
  for (uint32_t c = 0; c < in->count; c++) dest[step->columns[in->columns[c]]] = in->rates[c];
}

int sinew_tangent_columns(const sinew_tangent *t) {
  return SI_EXPECT(t) ? (int)t->column_count : 0;
}

sinew_dof sinew_tangent_dof(const sinew_tangent *t, int column) {
  if (!SI_EXPECT(t)) return (sinew_dof){ 0 };
  if (column < 0 || (uint32_t)column >= t->column_count) return (sinew_dof){ 0 };
  return (sinew_dof){ t->dofs[column] + 1 };
}

static bool watches(const sinew_tangent *t, sinew_segment segment) {
  return SI_EXPECT(t && segment.id && segment.id <= t->rig->model.segment_count &&
                   t->watched[segment.id - 1]);
}

int sinew_tangent_reach(const sinew_tangent *t, sinew_segment segment, const uint32_t **columns) {
  if (!watches(t, segment)) return 0;
  uint32_t first = t->reach_first[segment.id - 1];
  if (columns) *columns = t->reach_column + first;
  return (int)(t->reach_first[segment.id] - first);
}

static void clear_rows(const sinew_tangent *t, float *dest, int stride) {
  for (uint32_t c = 0; c < t->column_count; c++)
    memset(dest + (size_t)c * (size_t)stride, 0, 3 * sizeof *dest);
}

/* rows of G * place, where `place` is in world space: a point (w = 1) or a direction (w = 0) */
static void move_rows(const sinew_tangent *t, uint32_t segment, const float *place, float w,
                      float *dest, int stride) {
  const si_v4 x = si_all(place[0]), y = si_all(place[1]), z = si_all(place[2]), one = si_all(w);
  clear_rows(t, dest, stride);
  for (uint32_t i = t->reach_first[segment]; i < t->reach_first[segment + 1]; i++) {
    const float *g = t->motions + 16 * (size_t)t->reach_motion[i];
    si_v4 v = si_load(g) * x + si_load(g + 4) * y + si_load(g + 8) * z + si_load(g + 12) * one;
    float *row = dest + (size_t)t->reach_column[i] * (size_t)stride;
    row[0] = v[0], row[1] = v[1], row[2] = v[2];
  }
}

void sinew_tangent_point(const sinew_tangent *t, sinew_segment segment, const float point[3],
                         float *dest, int stride) {
  if (!watches(t, segment) || !SI_EXPECT(point && dest && stride >= 3)) return;
  float place[3];
  si_mat_point(t->world + 16 * (size_t)(segment.id - 1), point, place);
  move_rows(t, segment.id - 1, place, 1, dest, stride);
}

void sinew_tangent_direction(const sinew_tangent *t, sinew_segment segment,
                             const float direction[3], float *dest, int stride) {
  if (!watches(t, segment) || !SI_EXPECT(direction && dest && stride >= 3)) return;
  float place[3];
  si_mat_direction(t->world + 16 * (size_t)(segment.id - 1), direction, place);
  move_rows(t, segment.id - 1, place, 0, dest, stride);
}

void sinew_tangent_turn(const sinew_tangent *t, sinew_segment segment, float *dest, int stride) {
  if (!watches(t, segment) || !SI_EXPECT(dest && stride >= 3)) return;
  clear_rows(t, dest, stride);
  for (uint32_t i = t->reach_first[segment.id - 1]; i < t->reach_first[segment.id]; i++) {
    const float *g = t->motions + 16 * (size_t)t->reach_motion[i];
    float *row = dest + (size_t)t->reach_column[i] * (size_t)stride;
    row[0] = 0.5f * (g[6] - g[9]), row[1] = 0.5f * (g[8] - g[2]), row[2] = 0.5f * (g[1] - g[4]);
  }
}

void sinew_tangent_world(const sinew_tangent *t, sinew_segment segment, int column,
                         float dest[16]) {
  if (!SI_EXPECT(t)) return;
  memset(dest, 0, 16 * sizeof *dest);
  if (!watches(t, segment) || !SI_EXPECT(column >= 0 && (uint32_t)column < t->column_count)) return;
  for (uint32_t i = t->reach_first[segment.id - 1]; i < t->reach_first[segment.id]; i++) {
    if (t->reach_column[i] != (uint32_t)column) continue;
    CGLM_ALIGN_MAT float rate[16];
    si_rate_before(t->motions + 16 * (size_t)t->reach_motion[i],
                   t->world + 16 * (size_t)(segment.id - 1), rate);
    si_mat_copy(rate, dest);
  }
}

const float *sinew_tangent_value(const sinew_tangent *t, sinew_component component, int output,
                                 int column) {
  if (!SI_EXPECT(t && component.id && component.id <= t->rig->node_count)) return NULL;
  uint32_t node = t->rig->node_of[component.id - 1];
  const si_component *k = &t->rig->model.components[component.id - 1];
  if (!SI_EXPECT(output >= 0 && (uint32_t)output < k->output_count)) return NULL;
  if (t->step_of[node] == SI_NONE) return NULL;
  const si_tangent_step *step = &t->steps[t->step_of[node]];
  for (uint32_t i = 0; i < step->rates.count; i++)
    if (step->columns[i] == (uint32_t)column)
      return step->rates.outputs[output] +
             (size_t)i * si_kind_floats(si_output_kind(k, (uint32_t)output));
  return NULL;
}

bool sinew_tangent_differenced(const sinew_rig *rig, sinew_component component) {
  if (!SI_EXPECT(rig && component.id && component.id <= rig->node_count)) return false;
  return !si_tangent_of(rig->model.components[component.id - 1].cls,
                        &rig->nodes[rig->node_of[component.id - 1]]);
}
