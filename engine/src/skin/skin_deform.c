/* Skinning of a mesh. Linear blend: p' = sum w M p. Dual quaternions (Kavan, Collins, Zara and
 * O'Sullivan, "Geometric skinning with approximate dual quaternion blending", 2008): the weighted
 * sum of the M as unit dual quaternions, each with the sign that is nearer to the one of the
 * largest weight, divided by the length of its real part. Spread twist applies a rotation about the
 * bone, in the bind pose, before M. */
#include "math/angle.h"
#include "math/matrix.h"
#include "skin/skin_internal.h"

#include <math.h>
#include <string.h>

/* the unit quaternion of the rotation in m, computed from its largest component */
static void quat_of(const float *m, float *q) {
  const float trace = m[0] + m[5] + m[10];
  const float squares[4] = { 1 + 2 * m[0] - trace, 1 + 2 * m[5] - trace, 1 + 2 * m[10] - trace,
                             1 + trace };
  const float xy = m[1] + m[4], xz = m[2] + m[8], yz = m[6] + m[9];
  const float wx = m[6] - m[9], wy = m[8] - m[2], wz = m[1] - m[4];
  const float rows[4][4] = { { squares[0], xy, xz, wx },
                             { xy, squares[1], yz, wy },
                             { xz, yz, squares[2], wz },
                             { wx, wy, wz, squares[3] } };
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[best]) best = i;
  float sum = 0;
  for (int i = 0; i < 4; i++) sum += rows[best][i] * rows[best][i];
  sum = sqrtf(sum);
  for (int i = 0; i < 4; i++) q[i] = rows[best][i] / sum;
}

static void quat_mul(const float *a, const float *b, float *dest) {
  const float q[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                       a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                       a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                       a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
  memcpy(dest, q, sizeof q);
}

static si_dual dual_of(const float *m) {
  si_dual d = { { 0 }, { 0 } };
  const float half[4] = { 0.5f * m[12], 0.5f * m[13], 0.5f * m[14], 0 };
  quat_of(m, d.real);
  quat_mul(half, d.real, d.part);
  return d;
}

/* computes M of each segment, and the angle of each twist */
static void prepare(sinew_skin *s, const sinew_pose *pose, bool duals) {
  const float *worlds = sinew_pose_worlds(pose);
  for (size_t i = 0; i < (size_t)s->segment_count; i++) {
    float *m = s->moves + 16 * i, cross[3];
    si_mat_mul(worlds + 16 * i, s->unbind + 16 * i, m);
    if (!duals) continue;
    si_vec_cross(m, m + 4, cross);
    s->mirrored[i] = si_vec_dot(cross, m + 8) < 0;
    s->duals[i] = dual_of(m);
  }
  for (int i = 0; i < s->twist_count; i++) {
    si_twist *t = &s->twists[i];
    CGLM_ALIGN_MAT float back[16], relative[16];
    float q[4];
    si_mat_identity(back);
    if (t->base >= 0) si_mat_inverse_rigid(s->moves + 16 * (size_t)t->base, back);
    si_mat_mul(back, s->moves + 16 * (size_t)t->source, relative);
    quat_of(relative, q);
    t->degrees = 2 * si_atan2(si_vec_dot(q, t->axis), q[3]);
    if (t->degrees > 180) t->degrees -= 360;
    if (t->degrees < -180) t->degrees += 360;
  }
}

/* the rotation by a share of a twist about its bone */
static void twist_move(const si_twist *t, float share, float *dest) {
  float at[3];
  si_mat_turn(t->axis, share * t->degrees, dest);
  si_mat_direction(dest, t->origin, at);
  for (int k = 0; k < 3; k++) dest[12 + k] = t->origin[k] - at[k];
}

/* the first three of four floats */
static inline void store_three(si_v4 v, float *dest) {
  dest[0] = v[0];
  dest[1] = v[1];
  dest[2] = v[2];
}

/* by the weighted sum of the matrices, column by column */
static void linear(const sinew_skin *s, size_t v, float *place, float *normal) {
  const size_t first = v * (size_t)s->weight_count, end = first + (size_t)s->weight_count;
  si_v4 x = si_all(0), y = x, z = x, at = x;
  for (size_t i = first; i < end && s->weights[i] > 0; i++) {
    const float *m = s->moves + 16 * (size_t)s->segments[i];
    CGLM_ALIGN_MAT float twisted[16];
    if (s->shares[i] != 0) {
      twist_move(&s->twists[s->twist_of[s->segments[i]]], s->shares[i], twisted);
      si_mat_mul(m, twisted, twisted);
      m = twisted;
    }
    const si_v4 w = si_all(s->weights[i]);
    x += w * si_load(m);
    y += w * si_load(m + 4);
    z += w * si_load(m + 8);
    at += w * si_load(m + 12);
  }
  const float *p = s->vertices + 3 * v, *n = s->normals + 3 * v;
  store_three(x * si_all(p[0]) + y * si_all(p[1]) + z * si_all(p[2]) + at, place);
  if (!normal) return;
  const si_v4 turned = x * si_all(n[0]) + y * si_all(n[1]) + z * si_all(n[2]);
  const si_v4 square = turned * turned;
  const float length = sqrtf(square[0] + square[1] + square[2]);
  if (length > 1e-20f)
    store_three(turned / si_all(length), normal);
  else
    memcpy(normal, n, 3 * sizeof *n);
}

static inline float sum_of_four(si_v4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

static bool blend(const sinew_skin *s, size_t v, si_dual *dest) {
  const size_t first = v * (size_t)s->weight_count, end = first + (size_t)s->weight_count;
  const si_v4 lead = si_load(s->duals[s->segments[first]].real);
  si_v4 real = si_all(0), part = real;
  for (size_t i = first; i < end && s->weights[i] > 0; i++) {
    if (s->mirrored[s->segments[i]]) return false;
    const si_dual *d = &s->duals[s->segments[i]];
    si_dual own;
    if (s->shares[i] != 0) {
      CGLM_ALIGN_MAT float twisted[16];
      twist_move(&s->twists[s->twist_of[s->segments[i]]], s->shares[i], twisted);
      si_mat_mul(s->moves + 16 * (size_t)s->segments[i], twisted, twisted);
      own = dual_of(twisted);
      d = &own;
    }
    const si_v4 turn = si_load(d->real);
    const float side = sum_of_four(lead * turn);
    const si_v4 w = si_all(side < 0 ? -s->weights[i] : s->weights[i]);
    real += w * turn;
    part += w * si_load(d->part);
  }
  const float length = sqrtf(sum_of_four(real * real));
  if (!(length > 1e-6f)) return false;
  si_store(dest->real, real / si_all(length));
  si_store(dest->part, part / si_all(length));
  return true;
}

/* a with its first three lanes moved round: y z x */
static inline si_v4 round_three(si_v4 a) {
#ifdef SI_HAS_SHUFFLE
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
#else
  return (si_v4){ a[1], a[2], a[0], a[3] };
#endif
}

static inline si_v4 cross_four(si_v4 a, si_v4 b) {
  return round_three(a * round_three(b) - round_three(a) * b);
}

/* q v q^-1 as v + 2 r x (r x v + w v) */
static inline si_v4 turn_by(si_v4 r, si_v4 w, si_v4 v) {
  const si_v4 twice = cross_four(r, cross_four(r, v) + w * v);
  return v + twice + twice;
}

/* by a dual quaternion: the translation is 2 (w d - dw r + r x d) */
static void rigid(const sinew_skin *s, size_t v, const si_dual *by, float *place, float *normal) {
  const si_v4 r = si_load(by->real), d = si_load(by->part), w = SI_LANE(r, 3);
  const si_v4 half = w * d - SI_LANE(d, 3) * r + cross_four(r, d);
  const float *p = s->vertices + 3 * v, *n = s->normals + 3 * v;
  store_three(turn_by(r, w, (si_v4){ p[0], p[1], p[2], 0 }) + half + half, place);
  if (normal) store_three(turn_by(r, w, (si_v4){ n[0], n[1], n[2], 0 }), normal);
}

sinew_status sinew_skin_deform(sinew_skin *s, const sinew_pose *pose, sinew_skin_method method,
                               float *vertices, float *normals) {
  if (!SI_EXPECT(s && pose && vertices && sinew_pose_rig(pose) == s->rig)) return SINEW_ERR_CALL;
  const bool duals = method == SINEW_SKIN_DUAL_QUATERNION;
  prepare(s, pose, duals);
  for (size_t v = 0; v < (size_t)s->vertex_count; v++) {
    float *normal = normals ? normals + 3 * v : NULL;
    si_dual by;
    /* linear if a matrix is mirrored or the sum cancels out: there is no dual quaternion then */
    if (duals && blend(s, v, &by))
      rigid(s, v, &by, vertices + 3 * v, normal);
    else
      linear(s, v, vertices + 3 * v, normal);
  }
  return SINEW_OK;
}
