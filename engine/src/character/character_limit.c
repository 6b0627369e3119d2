/* Limits of a character's joints as a physics engine wants them: a swing of the bone inside an
 * elliptic cone and a twist about it. The rig is posed at random over the ranges of its DOFs, and
 * its own limits hold what they hold. The rotation that leads from the cone's frame, fixed to the
 * joint above, to the joint's own is split into a twist about the bone and then a swing. The cone
 * has the middle and the second moments of the swings, but is never wider than they are; the twist
 * range is that of all but one pose in a hundred. */
#include "character/character_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { usual_poses = 2000, most_poses = 1000000, seed = 1 };

/* how one pose turns one joint against the one above, in the joint's frame at bind */
typedef struct sample {
  float bone[3], side[3]; /* where x and y go */
} sample;

typedef struct task {
  const sinew_character *c;
  sinew_character_limit *limits;
  int count;
  sample *samples; /* joint by joint */
  size_t poses;
  float *worlds;
} task;

/* the nearest joint above that has a segment */
static int above(const sinew_character *c, int node) {
  do node = c->nodes[node].parent;
  while (node >= 0 && !c->drives[node].segment);
  return node;
}

static void unit_columns(const float *m, float *dest) {
  si_mat_identity(dest);
  float x[3], y[3], z[3];
  if (!si_vec_unit(m, x)) return;
  si_vec_cross(x, m + 4, z);
  if (!si_vec_unit(z, z)) return;
  si_vec_cross(z, x, y);
  memcpy(dest, x, sizeof x);
  memcpy(dest + 4, y, sizeof y);
  memcpy(dest + 8, z, sizeof z);
}

/* a frame at the joint with x along its bone */
static void make_frame(const sinew_character *c, int node, int parent, float *dest) {
  float axis[3] = { 0, 0, 0 }, side[3];
  int children = 0;
  for (size_t i = (size_t)node + 1; i < c->node_count; i++) {
    if (!c->drives[i].segment || above(c, (int)i) != node) continue;
    for (int k = 0; k < 3; k++) axis[k] += c->nodes[i].bind[12 + k] - c->nodes[node].bind[12 + k];
    children++;
  }
  if (!children && parent >= 0)
    for (int k = 0; k < 3; k++)
      axis[k] = c->nodes[node].bind[12 + k] - c->nodes[parent].bind[12 + k];
  if (!si_vec_unit(axis, axis)) memcpy(axis, (float[3]){ 0, 1, 0 }, sizeof axis);
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabsf(axis[k]) < fabsf(axis[least])) least = k;
  for (int k = 0; k < 3; k++) side[k] = k == least;
  CGLM_ALIGN_MAT float rough[16] = { axis[0], axis[1], axis[2], 0, side[0], side[1], side[2] };
  CGLM_ALIGN_MAT float clean[16];
  unit_columns(rough, clean);
  memcpy(clean + 12, c->nodes[node].bind + 12, 3 * sizeof(float));
  memcpy(dest, clean, sizeof clean);
}

/* the rotation part of world * inverse(bind) */
static void turn_of(const task *t, int node, float *dest) {
  CGLM_ALIGN_MAT float inverse[16], whole[16];
  si_mat_identity(dest);
  if (node < 0 || !si_affine_inverse(t->c->nodes[node].bind, inverse)) return;
  si_affine_mul(t->worlds + 16 * (size_t)node, inverse, whole);
  unit_columns(whole, dest);
}

static void take_sample(const task *t, int joint, size_t pose) {
  const sinew_character_limit *limit = &t->limits[joint];
  CGLM_ALIGN_MAT float own[16], parent[16], frame[16], turn[16];
  turn_of(t, limit->node, own);
  turn_of(t, limit->parent, parent);
  si_mat_rotation_part(limit->frame, frame);
  si_mat_inverse_rigid(parent, parent);
  si_affine_mul(parent, own, turn);
  si_affine_mul(turn, frame, turn);
  si_mat_inverse_rigid(frame, frame);
  si_affine_mul(frame, turn, turn);
  sample *s = &t->samples[(size_t)joint * t->poses + pose];
  memcpy(s->bone, turn, sizeof s->bone);
  memcpy(s->side, turn + 4, sizeof s->side);
}

/* turns `v` by the least rotation that leads from one direction to another */
static void turn_along(const float from[3], const float to[3], const float v[3], float dest[3]) {
  const float cosine = si_vec_dot(from, to), k = 1 / fmaxf(1e-6f, 1 + cosine);
  float axis[3], cross[3];
  si_vec_cross(from, to, axis);
  si_vec_cross(axis, v, cross);
  const float along = si_vec_dot(axis, v) * k;
  for (int i = 0; i < 3; i++) dest[i] = cosine * v[i] + cross[i] + axis[i] * along;
}

/* the twist about the bone, in degrees, that is left of a sample after the least turn from the
 * middle of the cone to the bone; at bind it is 0 */
static float twist_of(const float *inside, const float own[3], const sample *s) {
  float side[3], back[3], z[3];
  si_vec_cross(s->bone, s->side, z);
  for (int k = 0; k < 3; k++) side[k] = own[1] * s->side[k] + own[2] * z[k];
  turn_along(s->bone, inside, side, back);
  return atan2f(si_vec_dot(back, inside + 8), si_vec_dot(back, inside + 4)) * 57.29578f;
}

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* the angles of a direction about y and z of the frame, as a vector of rotation from x */
static void angles(const float *frame, const float bone[3], float dest[2]) {
  float x = si_vec_dot(frame, bone), y = si_vec_dot(frame + 4, bone),
        z = si_vec_dot(frame + 8, bone), sine = hypotf(y, z);
  float angle = atan2f(sine, x) * 57.29578f;
  dest[0] = sine > 1e-9f ? -angle * z / sine : 0; /* about y */
  dest[1] = sine > 1e-9f ? angle * y / sine : 0;  /* about z */
}

/* turns y and z about x so that the two angles do not depend on each other */
static void align_axes(float *frame, const sample *s, size_t count) {
  double yy = 0, zz = 0, yz = 0;
  for (size_t i = 0; i < count; i++) {
    float a[2];
    angles(frame, s[i].bone, a);
    yy += (double)a[0] * a[0];
    zz += (double)a[1] * a[1];
    yz += (double)a[0] * a[1];
  }
  const float half = (float)(0.5 * atan2(2 * yz, yy - zz));
  float y[3], z[3];
  for (int k = 0; k < 3; k++) {
    y[k] = cosf(half) * frame[4 + k] + sinf(half) * frame[8 + k];
    z[k] = cosf(half) * frame[8 + k] - sinf(half) * frame[4 + k];
  }
  memcpy(frame + 4, y, sizeof y);
  memcpy(frame + 8, z, sizeof z);
}

/* the middle of the bone's directions as x of `inside` */
static void find_middle(const sample *s, size_t count, float *inside) {
  double middle[3] = { 0 };
  float mean[3];
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) middle[k] += (double)s[i].bone[k];
  for (int k = 0; k < 3; k++) mean[k] = (float)(middle[k] / (double)count);
  si_mat_identity(inside);
  if (!si_vec_unit(mean, mean)) return;
  CGLM_ALIGN_MAT float rough[16] = { mean[0], mean[1], mean[2] };
  rough[4] = fabsf(mean[1]) > 0.9f;
  rough[5] = fabsf(mean[1]) <= 0.9f;
  unit_columns(rough, inside);
}

/* the range around its mean that holds all but one in a hundred; `twists` are brought near it */
static void find_range(float *twists, size_t count, float dest[2]) {
  double sine = 0, cosine = 0;
  for (size_t i = 0; i < count; i++) {
    sine += sin((double)twists[i] / 57.29578);
    cosine += cos((double)twists[i] / 57.29578);
  }
  const float mean = (float)atan2(sine, cosine) * 57.29578f;
  for (size_t i = 0; i < count; i++) twists[i] = mean + remainderf(twists[i] - mean, 360);
  qsort(twists, count, sizeof *twists, by_value);
  dest[0] = twists[count / 200];
  dest[1] = twists[count - 1 - count / 200];
}

static sinew_status fit_limit(const task *t, int joint) {
  sinew_character_limit *limit = &t->limits[joint];
  const sample *s = t->samples + (size_t)joint * t->poses;
  double squares[2] = { 0 };
  float widest[2] = { 0 }, range[2];
  CGLM_ALIGN_MAT float inside[16], frame[16], own[16], dest[16];
  float *twists = si_work(50 * t->poses) ? si_alloc_array(t->poses, sizeof *twists) : NULL;
  if (!twists) return SINEW_ERR_MEMORY;
  find_middle(s, t->poses, inside);
  align_axes(inside, s, t->poses);
  /* the joint's own axes: those of the cone, turned from its middle to the bone at bind */
  static const float x[3] = { 1, 0, 0 };
  si_mat_identity(own);
  turn_along(inside, x, inside + 4, own + 4);
  turn_along(inside, x, inside + 8, own + 8);
  for (size_t i = 0; i < t->poses; i++) {
    float a[2];
    angles(inside, s[i].bone, a);
    for (int k = 0; k < 2; k++) {
      squares[k] += (double)a[k] * a[k];
      widest[k] = fmaxf(widest[k], fabsf(a[k]));
    }
    twists[i] = twist_of(inside, own + 4, &s[i]);
  }
  limit->swing_y = fminf(widest[0], 2 * (float)sqrt(squares[0] / (double)t->poses));
  limit->swing_z = fminf(widest[1], 2 * (float)sqrt(squares[1] / (double)t->poses));
  find_range(twists, t->poses, range);
  si_free(twists);
  limit->twist_min = range[0];
  limit->twist_max = range[1];
  size_t reached = 0;
  for (size_t i = 0; i < t->poses; i++) {
    const float middle = (range[0] + range[1]) / 2;
    float a[2], twist = middle + remainderf(twist_of(inside, own + 4, &s[i]) - middle, 360);
    angles(inside, s[i].bone, a);
    float y = a[0] / fmaxf(1e-3f, limit->swing_y), z = a[1] / fmaxf(1e-3f, limit->swing_z);
    reached += y * y + z * z <= 1.001f && twist >= range[0] && twist <= range[1];
  }
  limit->reached = (float)reached / (float)t->poses;
  si_mat_rotation_part(limit->frame, frame);
  si_affine_mul(frame, inside, dest);
  memcpy(limit->centre, dest, 12 * sizeof *dest);
  memcpy(limit->centre + 12, limit->frame + 12, 4 * sizeof *dest);
  si_affine_mul(frame, own, dest);
  memcpy(limit->frame, dest, 12 * sizeof *dest);
  return SINEW_OK;
}

/* small and the same everywhere [Marsaglia 2003] */
static float random_of(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return (float)(*state >> 8) / 16777216.0f;
}

static sinew_status pose_all(task *t, sinew_pose *pose, sinew_error *error) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  uint32_t state = seed;
  const size_t work = 10 + 8 * (size_t)sinew_rig_component_count(rig) + 5 * t->c->node_count +
                      20 * (size_t)t->count;
  for (size_t i = 0; i < t->poses; i++) {
    if (!si_work(work)) return si_fail_memory(error);
    for (int k = 0; k < sinew_rig_dof_count(rig); k++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, k));
      sinew_pose_set(pose, sinew_rig_dof(rig, k), dof.min + (dof.max - dof.min) * random_of(&state),
                     NULL);
    }
    sinew_status status = sinew_pose_eval(pose, error);
    if (status < 0) return status;
    sinew_character_worlds(t->c, sinew_pose_worlds(pose), t->worlds);
    for (int k = 0; k < t->count; k++) take_sample(t, k, i);
  }
  return SINEW_OK;
}

static sinew_status measure(task *t, sinew_pose *pose, sinew_error *error) {
  t->samples = si_alloc_array((size_t)t->count * t->poses + 1, sizeof *t->samples);
  t->worlds = si_alloc_array(t->c->node_count, 16 * sizeof *t->worlds);
  sinew_status status = t->samples && t->worlds ? SINEW_OK : si_fail_memory(error);
  if (status >= 0) status = pose_all(t, pose, error);
  for (int k = 0; status >= 0 && k < t->count; k++) {
    status = fit_limit(t, k);
    if (status < 0) si_fail_memory(error);
  }
  si_free(t->samples);
  si_free(t->worlds);
  return status < 0 ? status : SINEW_OK;
}

static sinew_status check(const sinew_character *c, const sinew_pose *pose, int count,
                          sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && pose)) return si_fail(error, SINEW_ERR_CALL, "character: no pose");
  if (!c->drives) return si_fail(error, SINEW_ERR_MISSING, "the character is not bound to a rig");
  if (!SI_EXPECT((size_t)sinew_rig_segment_count(sinew_pose_rig(pose)) == c->segment_count))
    return si_fail(error, SINEW_ERR_CALL, "character: the pose is of another rig");
  if (count < 0 || count > most_poses)
    return si_fail(error, SINEW_ERR_LIMIT, "character: %d poses, at most %d", count, most_poses);
  return SINEW_OK;
}

int sinew_character_limits(const sinew_character *c, sinew_pose *pose, int count,
                           sinew_character_limit *dest, int capacity, sinew_error *error) {
  sinew_status status = check(c, pose, count, error);
  if (status < 0) return status;
  task t = { .c = c, .poses = (size_t)(count ? count : usual_poses) };
  sinew_character_limit *all = si_alloc_array(c->node_count, sizeof *all);
  if (!all) return si_fail_memory(error);
  for (size_t i = 0; i < c->node_count; i++) {
    if (!c->drives[i].segment || above(c, (int)i) < 0) continue;
    sinew_character_limit *limit = &all[t.count++];
    limit->node = (int)i;
    limit->parent = above(c, (int)i);
    make_frame(c, (int)i, limit->parent, limit->frame);
  }
  t.limits = all;
  status = measure(&t, pose, error);
  if (status >= 0 && dest)
    memcpy(dest, all, (size_t)(t.count < capacity ? t.count : capacity) * sizeof *all);
  si_free(all);
  return status < 0 ? (int)status : t.count;
}

sinew_status sinew_character_limit_of(const sinew_character *c, sinew_pose *pose, int node,
                                      int count, sinew_character_limit *dest, sinew_error *error) {
  sinew_status status = check(c, pose, count, error);
  if (status < 0) return status;
  if (!SI_EXPECT(dest && si_character_has(c, node)))
    return si_fail(error, SINEW_ERR_CALL, "character: there is no node %d", node);
  if (!c->drives[node].segment || above(c, node) < 0)
    return si_fail(error, SINEW_ERR_MISSING,
                   "joint '%s' has no limit: the rig does not drive it, "
                   "or nothing above it",
                   c->nodes[node].name);
  *dest = (sinew_character_limit){ .node = node, .parent = above(c, node) };
  make_frame(c, node, dest->parent, dest->frame);
  task t = { .c = c, .poses = (size_t)(count ? count : usual_poses), .limits = dest, .count = 1 };
  return measure(&t, pose, error);
}
