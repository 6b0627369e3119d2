/* What a joint does in a motion or a clip, as samples for limits; see sinew/limits.h.
 *
 * A motion's joint rotates by R relative to its parent, in axes that are the world's in the zero
 * pose. The bone has direction d in the zero pose and r in the rest pose of the rig. With S the
 * shortest arc from d to r, and W the segment's orientation at rest, its rotation from rest in its
 * own frame is W^-1 R S^-1 W. */
#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "sinew/limits.h"

#include <math.h>

static void quat_of(const float *m, float dest[4]) {
  CGLM_ALIGN_MAT mat4 copy;
  versor q;
  si_mat_copy(m, copy[0]);
  glm_mat4_quat(copy, q);
  memcpy(dest, q, 4 * sizeof(float));
}

static bool make_room(sinew_limit_samples *s, size_t count, bool turns, int angles) {
  *s = (sinew_limit_samples){ .count = count, .angle_count = angles };
  s->turns = turns ? si_alloc_array(count, sizeof *s->turns) : NULL;
  s->angles = angles ? si_alloc_array(count * (size_t)angles, sizeof(float)) : NULL;
  if ((!turns || s->turns) && (!angles || s->angles)) return true;
  sinew_limits_free(s);
  return false;
}

void sinew_limits_free(sinew_limit_samples *samples) {
  if (!samples) return;
  si_free(samples->turns);
  si_free(samples->angles);
  *samples = (sinew_limit_samples){ 0 };
}

/* the offset of the first child that is not at the joint itself */
static bool motion_bone(const sinew_motion *motion, int joint, float dest[3]) {
  for (int i = 0; i < sinew_motion_joint_count(motion); i++) {
    sinew_motion_joint child = sinew_motion_joint_info(motion, i);
    if (child.parent == joint && si_vec_unit(child.offset, dest)) return true;
  }
  return false;
}

static bool rig_bone(const sinew_rig *rig, sinew_segment segment, float dest[3]) {
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info child = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    if (child.parent.id == segment.id && si_vec_unit(child.rest + 12, dest)) return true;
  }
  return false;
}

static void rest_world(const sinew_rig *rig, sinew_segment segment, float *dest) {
  CGLM_ALIGN_MAT float rest[16];
  si_mat_identity(dest);
  for (; segment.id; segment = sinew_rig_segment_info(rig, segment).parent) {
    si_mat_copy(sinew_rig_segment_info(rig, segment).rest, rest);
    si_mat_mul(rest, dest, dest);
  }
  dest[12] = dest[13] = dest[14] = 0;
}

/* the rotation along the shortest arc from `from` to `to` */
static void shortest_arc(const float *from, const float *to, float *dest) {
  float axis[3], side[3] = { 0 };
  si_vec_cross(from, to, axis);
  if (!si_vec_unit(axis, axis)) {
    side[fabsf(from[0]) < 0.7f ? 0 : 1] = 1;
    si_vec_cross(from, side, axis);
    si_vec_unit(axis, axis);
  }
  si_mat_turn(axis, (float)(acos((double)si_clamp(si_vec_dot(from, to), -1, 1)) / SI_DEG), dest);
}

sinew_status sinew_limits_from_motion(const sinew_motion *motion, const char *name,
                                      const sinew_rig *rig, sinew_segment segment,
                                      sinew_limit_samples *dest, sinew_error *error) {
  *dest = (sinew_limit_samples){ 0 };
  if (sinew_motion_kind_of(motion) != SINEW_MOTION_SKELETON)
    return si_fail(error, SINEW_ERR_VALUE,
                   "limits: a motion of markers has no joints; fit the rig to it, and use "
                   "the fitted clip");
  const int joint = sinew_motion_find(motion, name, error);
  if (joint < 0) return SINEW_ERR_NAME;
  CGLM_ALIGN_MAT float after[16], before[16], m[16];
  float bone[3] = { 0 }, aim[3];
  const bool known = motion_bone(motion, joint, bone);
  si_mat_identity(before);
  si_mat_identity(after);
  if (segment.id) {
    if (!known || !rig_bone(rig, segment, aim))
      return si_fail(error, SINEW_ERR_VALUE,
                     "limits: %s '%s' has no child, so the direction of its bone is unknown",
                     known ? "segment" : "joint",
                     known ? sinew_rig_segment_info(rig, segment).name : name);
    float r[3];
    rest_world(rig, segment, m);
    si_mat_direction(m, aim, r);
    shortest_arc(bone, r, after);
    si_mat_inverse_rigid(after, after);
    si_mat_mul(after, m, after);
    si_mat_inverse_rigid(m, before);
  }
  if (!make_room(dest, (size_t)sinew_motion_frame_count(motion), true, 0))
    return si_fail_memory(error);
  memcpy(dest->rest, segment.id ? aim : bone, sizeof dest->rest);
  if (!si_work(50 * dest->count)) {
    sinew_limits_free(dest);
    return si_fail_memory(error);
  }
  for (size_t f = 0; f < dest->count; f++) {
    sinew_motion_joint_local(motion, (int)f, joint, m);
    m[12] = m[13] = m[14] = 0;
    si_mat_mul(before, m, m);
    si_mat_mul(m, after, m);
    quat_of(m, dest->turns[f]);
  }
  return SINEW_OK;
}

/* the source of a clip's samples */
typedef struct source {
  const sinew_rig *rig;
  sinew_segment segment;
  sinew_component component;
  int scalars[SINEW_FIELD_AXES], scalar_count; /* wired inputs */
  int swing, twist;                            /* wired inputs of a cone; -1: none */
  sinew_component turns[2];                    /* a cone's rotations; null: none */
  float rest[3], axes[2][3];
} source;

/* the parameter that the component's class marks with the flag; NULL if it was not given */
static const sinew_param *marked_param(const sinew_rig *rig, sinew_component component,
                                       unsigned flag) {
  const sinew_component_class *cls = sinew_rig_component_info(rig, component).component_class;
  const sinew_param_desc *desc = sinew_class_param_marked(cls, flag, NULL);
  return desc ? sinew_rig_find_param(rig, component, desc->name) : NULL;
}

static void look_at_cone(source *s) {
  static const unsigned rotations[] = { SINEW_PARAM_ROTATION1, SINEW_PARAM_ROTATION2 };
  const sinew_param *rest = marked_param(s->rig, s->component, SINEW_PARAM_BONE);
  if (rest) memcpy(s->rest, rest->number, sizeof s->rest);
  for (int i = 0; i < 2; i++) {
    const sinew_param *turn = marked_param(s->rig, s->component, rotations[i]);
    if (!turn) continue;
    s->turns[i] = sinew_rig_find_component(s->rig, turn->text, NULL);
    const sinew_param *axis =
        s->turns[i].id ? marked_param(s->rig, s->turns[i], SINEW_PARAM_AXIS) : NULL;
    if (axis) memcpy(s->axes[i], axis->number, sizeof s->axes[i]);
  }
}

static sinew_status find_source(source *s, const char *name, sinew_error *error) {
  s->swing = s->twist = -1;
  s->component = sinew_rig_find_component(s->rig, name, error);
  if (!s->component.id) {
    s->segment = sinew_rig_find_segment(s->rig, name, NULL);
    if (!s->segment.id) return SINEW_ERR_NAME;
    rig_bone(s->rig, s->segment, s->rest);
    return SINEW_OK;
  }
  const sinew_component_info info = sinew_rig_component_info(s->rig, s->component);
  const bool cone = info.component_class->drawing == SINEW_DRAWN_CONE;
  const int swing = sinew_class_input_marked(info.component_class, SINEW_PORT_SWING);
  const int twist = sinew_class_input_marked(info.component_class, SINEW_PORT_TWIST);
  for (int i = 0; i < info.input_count; i++) {
    const sinew_source from = sinew_rig_input(s->rig, s->component, i);
    if (!from.dof.id && !from.component.id) continue;
    const bool scalar =
        from.dof.id || sinew_rig_output_kind(s->rig, from.component, from.output) == SINEW_SCALAR;
    if (cone && i == swing) {
      s->swing = i;
      continue;
    }
    if (cone && i == twist) s->twist = i;
    if (scalar && s->scalar_count < SINEW_FIELD_AXES) s->scalars[s->scalar_count++] = i;
  }
  if (cone) look_at_cone(s);
  if (s->scalar_count || s->swing >= 0) return SINEW_OK;
  return si_fail(error, SINEW_ERR_VALUE, "limits: '%s', a %s, has no angle input", name,
                 info.component_class->name);
}

/* the rotation from rest at the inputs of the cone */
static void cone_turn(const source *s, const sinew_pose *pose, float *dest) {
  CGLM_ALIGN_MAT float m[16];
  float bone[3];
  si_mat_identity(dest);
  if (s->swing >= 0) si_mat_rotation_part(sinew_pose_input(pose, s->component, s->swing), dest);
  for (int i = 0; s->swing < 0 && i < 2; i++)
    if (s->turns[i].id) {
      si_mat_rotation_part(sinew_pose_value(pose, s->turns[i], 0), m);
      si_mat_mul(dest, m, dest);
    }
  if (s->twist < 0 || !si_vec_unit(s->rest, bone)) return;
  si_mat_turn(bone, *sinew_pose_input(pose, s->component, s->twist), m);
  si_mat_mul(dest, m, dest);
}

sinew_status sinew_limits_from_clip(sinew_host *host, const sinew_clip *clip, float fps,
                                    const char *name, sinew_limit_samples *dest,
                                    sinew_error *error) {
  *dest = (sinew_limit_samples){ 0 };
  sinew_pose *pose = sinew_host_pose(host);
  source s = { .rig = sinew_host_rig(host) };
  sinew_status status = find_source(&s, name, error);
  if (status < 0) return status;
  if (!(fps > 0)) fps = sinew_clip_fps(clip);
  const bool turns = s.segment.id || s.swing >= 0 || s.turns[0].id;
  if (!make_room(dest, (size_t)sinew_clip_frame_count(clip, fps), turns, s.scalar_count))
    return si_fail_memory(error);
  memcpy(dest->rest, s.rest, sizeof s.rest);
  memcpy(dest->axes, s.axes, sizeof s.axes);
  dest->two_axes = s.swing < 0 && s.turns[0].id && s.turns[1].id;
  sinew_pose_reset(pose);
  for (size_t f = 0; f < dest->count; f++) {
    CGLM_ALIGN_MAT float m[16];
    sinew_clip_apply(clip, pose, (float)((double)f / (double)fps), NULL);
    status = si_work(20 + 8 * (size_t)sinew_rig_component_count(s.rig))
                 ? sinew_host_eval(host, pose, error)
                 : si_fail_memory(error);
    if (status < 0) {
      sinew_limits_free(dest);
      return status;
    }
    if (s.segment.id)
      si_mat_rotation_part(sinew_pose_local(pose, s.segment), m);
    else if (turns)
      cone_turn(&s, pose, m);
    if (turns) quat_of(m, dest->turns[f]);
    for (int i = 0; i < s.scalar_count; i++)
      dest->angles[f * (size_t)s.scalar_count + (size_t)i] =
          *sinew_pose_input(pose, s.component, s.scalars[i]);
  }
  return SINEW_OK;
}
