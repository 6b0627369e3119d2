/* The cone component's constants and the bone's swing, shared by its evaluation and its
 * derivative. */
#ifndef SI_CONE_JOINT_H
#define SI_CONE_JOINT_H

#include "limits/cone_internal.h"
#include "components/rotation.h"
#include "math/swing.h"

typedef struct joint {
  _Alignas(16) float twist[3][12];  /* rotation about the bone: three columns each of p, q and x */
  si_swing swing;                   /* used if there are rotations */
  uint32_t cone_at, rotation_at[2]; /* offsets in bytes from the start */
  bool rotations, twists;
  /* copied from the cone: fields that every evaluation reads, side by side in memory */
  int count;
  float visible[3], sure_cosine, sure_twist[2];
} joint;

enum { in_swing, in_twist, in_angle1, in_angle2 };
enum { out_transform, out_twist, out_inside, out_angle1, out_angle2 };
enum { held_swing, held_twist, held_angle1, held_angle2 };

static inline const void *part(const joint *j, uint32_t at) { return (const char *)j + at; }

static inline void make_swing(const joint *j, const float *angles, float *dest) {
  CGLM_ALIGN_MAT float second[16];
  si_rotation_eval(part(j, j->rotation_at[0]), angles[0], dest);
  si_rotation_eval(part(j, j->rotation_at[1]), angles[1], second);
  si_mat_mul(dest, second, dest);
}

/* the bone's direction, made unit if the swing scales */
static inline void make_direction(const joint *j, const float *swing, float *dest) {
  si_mat_direction(swing, j->swing.bone, dest);
  float square = si_vec_dot(dest, dest);
  if (fabsf(square - 1) > 1e-6f && !si_vec_unit(dest, dest))
    memcpy(dest, j->swing.bone, sizeof j->swing.bone);
}

sinew_status si_cone_tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                             sinew_error *error);

#endif
