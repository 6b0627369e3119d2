/* Frames of a rig as positions and Euler angles.
 *
 * A rotation R = Rz(a) Rx(b) Ry(c) is decomposed from its last angle: c from R's third row, then a
 * from R Ry(-c), then b from Rz(-a) R. Each step uses the angles found before, so in gimbal lock (b
 * near +-90), where any c will do, a noisy c does no harm. Of the two solutions the one nearer to
 * the previous frame is used, and full turns are added to stay near it. */
#include "motion/recording_internal.h"

#include <math.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "sinew/motion.h"

sinew_recording *sinew_recording_create(const sinew_rig *rig, float rate, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig)) return NULL;
  if (!(rate >= 1e-6f && rate <= 1e6f))
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "recording: the rate is %g frames per second, must be from 1e-6 to 1e6",
                        (double)rate);
  if (sinew_rig_segment_count(rig) == 0)
    return si_fail_null(error, SINEW_ERR_VALUE, "recording: rig '%s' has no segments",
                        sinew_rig_name(rig));
  sinew_recording *r = si_alloc(sizeof *r);
  if (!r) return si_memory_null(error);
  r->rig = rig;
  si_rig_watch(rig, &r->watcher, "recording");
  r->rate = rate;
  r->segments = (size_t)sinew_rig_segment_count(rig);
  r->dofs = (size_t)sinew_rig_dof_count(rig);
  return r;
}

void sinew_recording_destroy(sinew_recording *r) {
  if (!r) return;
  si_rig_unwatch(r->rig, &r->watcher);
  si_free(r->placings);
  si_free(r->values);
  si_free(r);
}

int sinew_recording_frame_count(const sinew_recording *r) {
  return SI_EXPECT(r) ? (int)r->frames : 0;
}

/* `angle` plus the full turns that bring it nearest to `near` */
static double unwound(double angle, double near) {
  return angle + 360 * round((near - angle) / 360);
}

static double angle_of(double y, double x) { return atan2(y, x) / SI_DEG; }

/* R's columns are m[0..], m[4..], m[8..] */
static void decompose(const float *m, const float *before, float *dest) {
  double c = before[2];
  if (hypot(m[2], m[10]) > 1e-4) {
    c = unwound(angle_of(-(double)m[2], m[10]), c);
    double other = unwound(c + 180, before[2]);
    if (fabs(other - (double)before[2]) < fabs(c - (double)before[2])) c = other;
  }
  double sine = sin(c * SI_DEG), cosine = cos(c * SI_DEG);
  double a = angle_of(m[1] * cosine + m[9] * sine, m[0] * cosine + m[8] * sine);
  double b = angle_of(m[6], cos(a * SI_DEG) * m[5] - sin(a * SI_DEG) * m[4]);
  dest[0] = (float)unwound(a, before[0]);
  dest[1] = (float)unwound(b, before[1]);
  dest[2] = (float)c;
}

sinew_status sinew_recording_add(sinew_recording *r, const sinew_pose *pose, sinew_error *error) {
  static const si_placing start = { { 0 }, { 0 } };
  sinew_error_clear(error);
  if (!SI_EXPECT(r && pose && sinew_pose_rig(pose) == r->rig))
    return si_fail(error, SINEW_ERR_CALL, "recording: the pose is of another rig");
  if (r->frames >= SINEW_MOTION_FRAMES ||
      (r->frames + 1) * (6 * r->segments + r->dofs) > SINEW_MOTION_VALUES)
    return si_fail(error, SINEW_ERR_LIMIT, "recording: more than %d frames, or %d numbers in them",
                   SINEW_MOTION_FRAMES, SINEW_MOTION_VALUES);
  const size_t frames = r->frames + 1;
  if (!si_work(30 * r->segments) ||
      !si_grow(&r->placings, &r->placing_room, frames * r->segments, sizeof *r->placings) ||
      !si_grow(&r->values, &r->value_room, frames * r->dofs + 1, sizeof *r->values))
    return si_fail_memory(error);
  si_placing *frame = r->placings + r->frames * r->segments;
  for (size_t i = 0; i < r->segments; i++) {
    CGLM_ALIGN_MAT float local[16], rest[16], driven[16];
    sinew_segment segment = sinew_rig_segment(r->rig, (int)i);
    sinew_segment_info info = sinew_rig_segment_info(r->rig, segment);
    si_mat_copy(info.rest, rest);
    si_mat_copy(sinew_pose_local(pose, segment), driven);
    si_mat_mul(rest, driven, local);
    float cross[3];
    si_vec_cross(local, local + 4, cross);
    if (!(si_vec_dot(cross, local + 8) > 0))
      return si_fail(error, SINEW_ERR_VALUE,
                     "recording: segment '%s' is mirrored, which Euler angles cannot represent",
                     info.name);
    for (int k = 0; k < 3; k++) frame[i].place[k] = local[12 + k];
    const si_placing *before = r->frames ? &frame[i] - r->segments : &start;
    decompose(local, before->angles, frame[i].angles);
  }
  if (r->dofs)
    memcpy(r->values + r->frames * r->dofs, sinew_pose_dofs(pose), r->dofs * sizeof(float));
  r->frames++;
  return SINEW_OK;
}
