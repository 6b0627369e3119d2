/* Reach cones: the inclusion test along a coherent path against the bare arithmetic for the slice
 * that is hit, and the cost of limits in a solver with random goals for a chain of three segments,
 * two cones and one interval [Wilhelms 2001, 4]. */
#include "bench.h"
#include "limits/cone_internal.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "math/swing.h"

#include <stdlib.h>

enum { path_length = 4096, joints = 7, rows = 6, goals = 64, steps_for_a_goal = 16 };

static sinew_cone *make_cone(int points, const float *rest, const float *right, float wide,
                             float narrow) {
  sinew_cone_ellipse e = {
    .size = sizeof e, .points = points, .has_twist = true, .twist = { -60, 97 }
  };
  sinew_error error;
  sinew_cone *cone = NULL;
  memcpy(e.rest, rest, sizeof e.rest);
  memcpy(e.right, right, sizeof e.right);
  for (int k = 0; k < 4; k++) e.degrees[k] = k % 2 ? narrow : wide;
  bench_check((cone = sinew_cone_create_ellipse(&e, &error)) != NULL, &error);
  return cone;
}

/* a smooth path that winds in and out of the cone, and the slices that it hits */
typedef struct inclusion {
  const sinew_cone *cone;
  float path[path_length][3];
  int slices[path_length];
  float planes[64][3][3]; /* of each slice, as three plain vectors */
} inclusion;

static void inclusion_make(inclusion *in, const sinew_cone *cone) {
  in->cone = cone;
  for (int i = 0; i < path_length; i++) {
    float at = 6.2831853f * (float)i / path_length;
    float off = 0.7f + 0.6f * sinf(3 * at), round = 2 * at + 0.7f * sinf(5 * at);
    float v[3] = { sinf(off) * cosf(round), sinf(off) * sinf(round), cosf(off) };
    si_v4 dots;
    memcpy(in->path[i], v, sizeof v);
    in->slices[i] = si_cone_find(cone, v, -1, &dots);
  }
  for (int i = 0; i < sinew_cone_count(cone); i++) {
    const si_cone_slice *s = si_cone_slices(cone) + i;
    for (int k = 0; k < 3; k++) {
      in->planes[i][k][0] = s->x[k];
      in->planes[i][k][1] = s->y[k];
      in->planes[i][k][2] = s->z[k];
    }
  }
}

static void run_bare(void *context, int times) {
  const inclusion *in = context;
  int inside = 0;
  for (int i = 0; i < times; i++) {
    const float *l = in->path[i % path_length];
    const float(*plane)[3] = in->planes[in->slices[i % path_length]];
    inside +=
        si_vec_dot(plane[0], l) >= 0 && si_vec_dot(plane[1], l) > 0 && si_vec_dot(plane[2], l) >= 0;
  }
  bench_keep(&inside);
}

static void run_inside(void *context, int times) {
  const inclusion *in = context;
  int inside = 0, hint = -1;
  for (int i = 0; i < times; i++)
    inside += sinew_cone_inside(in->cone, in->path[i % path_length], &hint);
  bench_keep(&inside);
}

static void run_search(void *context, int times) {
  const inclusion *in = context;
  int inside = 0;
  for (int i = 0; i < times; i++)
    inside += sinew_cone_inside(in->cone, in->path[i % path_length], NULL);
  bench_keep(&inside);
}

static void run_hold(void *context, int times) {
  const inclusion *in = context;
  int held = 0, hint = -1;
  float dest[3];
  for (int i = 0; i < times; i++)
    held += sinew_cone_hold(in->cone, in->path[i % path_length], &hint, dest);
  bench_keep(&held);
}

/* shoulder and wrist swing about x and y and twist about their bone, -z; the elbow bends about x */
static sinew_rig *make_arm(void) {
  static const char *const bones[] = { "upper arm", "forearm", "hand" };
  static const float lengths[] = { 0, -0.3f, -0.27f };
  static const int rotations[] = { 3, 1, 3 };
  static const float axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 } };
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
  static const char *const turns[] = { "ra", "rb", "rc", "rd", "re", "rf", "rg" };
  sinew_error error;
  sinew_builder *b = sinew_builder_create("arm", &error);
  bench_check(b != NULL, &error);
  for (int s = 0, at = 0; s < 3; s++) {
    sinew_segment_desc bone = sinew_default_segment_desc();
    bone.name = bones[s], bone.parent = s ? bones[s - 1] : NULL, bone.rest[14] = lengths[s];
    sinew_segment segment = sinew_builder_add_segment(b, &bone, &error);
    sinew_wire factors[3];
    for (int r = 0; r < rotations[s]; r++, at++) {
      sinew_dof_desc dof = sinew_default_dof_desc();
      dof.name = names[at], dof.min = -1000, dof.max = 1000;
      sinew_builder_add_dof(b, &dof, &error);
      sinew_param axis = sinew_param_vector("axis", axes[r][0], axes[r][1], axes[r][2]);
      sinew_wire angle = sinew_wire_name("angle", names[at]);
      sinew_builder_add_component(b,
                                  &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                                           .kind = "rotation",
                                                           .name = turns[at],
                                                           .wires = &angle,
                                                           .wire_count = 1,
                                                           .params = &axis,
                                                           .param_count = 1 },
                                  &error);
      factors[r] = sinew_wire_name("matrix", turns[at]);
    }
    sinew_component product =
        sinew_builder_add_component(b,
                                    &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                                             .kind = "multiply",
                                                             .wires = factors,
                                                             .wire_count = rotations[s] },
                                    &error);
    bench_check(product.id != 0, &error);
    sinew_builder_drive(b, segment, sinew_builder_component_name(b, product), NULL, &error);
  }
  sinew_rig *rig = sinew_builder_compile(b, &error);
  bench_check(rig != NULL, &error);
  sinew_builder_destroy(b);
  return rig;
}

typedef struct solver {
  sinew_pose *pose;
  sinew_dof dofs[joints];
  sinew_segment hand;
  bool limited;
  const sinew_cone *cones[2];
  si_swing swings[2];
  int hints[2];
  float targets[goals][12]; /* the target of the hand's tip, and of its three axes */
  int goal, step;           /* the loop's current state */
  float angles[joints];
  long steps, holds;
} solver;

static void hand_frame(const solver *s, float *dest) {
  const float *m = sinew_pose_world(s->pose, s->hand);
  si_mat_point(m, (float[]){ 0, 0, -0.18f }, dest);
  for (int k = 0; k < 9; k++) dest[3 + k] = m[k / 3 * 4 + k % 3];
}

static void solver_make(solver *s, const sinew_rig *rig, const sinew_cone *shoulder,
                        const sinew_cone *wrist, bool limited) {
  sinew_error error;
  memset(s, 0, sizeof *s);
  s->pose = sinew_pose_create(rig, &error);
  bench_check(s->pose != NULL, &error);
  s->hand = sinew_rig_find_segment(rig, "hand", &error);
  s->limited = limited;
  s->cones[0] = shoulder, s->cones[1] = wrist;
  for (int i = 0; i < joints; i++) s->dofs[i] = sinew_rig_dof(rig, i);
  for (int i = 0; i < 2; i++) {
    s->swings[i] = (si_swing){ .axis = { { 1, 0, 0 }, { 0, 1, 0 } },
                               .min = { -180, -180 },
                               .max = { 180, 180 },
                               .bone = { 0, 0, -1 } };
    si_swing_prepare(&s->swings[i]);
  }
  /* frames of the hand at random angles, some beyond the limits; half of them are moved out of
   * reach */
  for (int g = 0; g < goals; g++) {
    float angles[joints];
    for (int k = 0; k < joints; k++) angles[k] = 120 * (bench_random() - 0.5f);
    for (int k = 0; k < 2; k++) angles[k] *= 2;
    angles[3] = 140 * bench_random();
    sinew_pose_set_all(s->pose, angles, joints, NULL);
    sinew_pose_eval(s->pose, NULL);
    hand_frame(s, s->targets[g]);
    for (int k = 0; g % 2 && k < 3; k++) s->targets[g][k] *= 1.3f;
  }
}

/* the difference between two frames: metres, and radians scaled by the length of a hand */
static void difference(const float *from, const float *to, float *dest) {
  float turn[3] = { 0, 0, 0 };
  for (int k = 3; k < 12; k += 3) {
    float c[3];
    si_vec_cross(from + k, to + k, c);
    for (int i = 0; i < 3; i++) turn[i] += 0.5f * c[i];
  }
  for (int i = 0; i < 3; i++) {
    dest[i] = to[i] - from[i];
    dest[3 + i] = 0.18f * turn[i];
  }
}

/* solves m x = y for a symmetric positive m by Cholesky; overwrites m, and y becomes x */
static void solve(float m[rows][rows], float *y) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j <= i; j++) {
      float sum = m[i][j];
      for (int k = 0; k < j; k++) sum -= m[i][k] * m[j][k];
      m[i][j] = i == j ? sqrtf(sum) : sum / m[j][j];
    }
    for (int k = 0; k < i; k++) y[i] -= m[i][k] * y[k];
    y[i] /= m[i][i];
  }
  for (int i = rows - 1; i >= 0; i--) {
    for (int k = i + 1; k < rows; k++) y[i] -= m[k][i] * y[k];
    y[i] /= m[i][i];
  }
}

/* the directions that both pairs of swing angles give: Rx(a) Ry(b) applied to -z */
static void swung(const float *shoulder, const float *wrist, float dest[2][3]) {
  si_v4 s, c;
  si_sincos_four((si_v4){ shoulder[0], shoulder[1], wrist[0], wrist[1] }, &s, &c);
  for (int i = 0; i < 2; i++) {
    dest[i][0] = -s[2 * i + 1];
    dest[i][1] = s[2 * i] * c[2 * i + 1];
    dest[i][2] = -c[2 * i] * c[2 * i + 1];
  }
}

/* applies one cone after a step: clamps the direction, then the twist */
static void limit_joint(solver *s, int which, float *v, float *angles) {
  const sinew_cone *cone = s->cones[which];
  if (si_cone_surely_inside(cone, v) && si_cone_surely_twisted(cone, angles[2])) return;
  si_v4 dots;
  int slice = si_cone_find(cone, v, s->hints[which], &dots);
  if (!(dots[2] >= 0)) {
    slice = si_cone_exit_rest(cone, v, si_cone_beyond_doubt(dots) ? slice : -1, v);
    si_swing_solve(&s->swings[which], v, angles, angles);
    s->holds++;
  }
  s->hints[which] = slice;
  angles[2] = si_cone_hold_twist(cone, v, slice, angles[2]);
}

/* damped least squares for position and orientation of the hand. The Jacobian is made by central
 * differences, as in a solver that knows nothing about the rig's components */
static void solver_step(solver *s) {
  if (s->step == 0) {
    s->goal = (s->goal + 1) % goals;
    for (int k = 0; k < joints; k++) s->angles[k] = k == 3 ? 30 : 0;
  }
  float here[12], less[12], more[12], column[joints][rows], m[rows][rows] = { { 0 } }, y[rows];
  sinew_pose_set_all(s->pose, s->angles, joints, NULL);
  sinew_pose_eval(s->pose, NULL);
  hand_frame(s, here);
  for (int k = 0; k < joints; k++) {
    sinew_pose_set(s->pose, s->dofs[k], s->angles[k] - 0.5f, NULL);
    sinew_pose_eval(s->pose, NULL);
    hand_frame(s, less);
    sinew_pose_set(s->pose, s->dofs[k], s->angles[k] + 0.5f, NULL);
    sinew_pose_eval(s->pose, NULL);
    hand_frame(s, more);
    sinew_pose_set(s->pose, s->dofs[k], s->angles[k], NULL);
    difference(less, more, column[k]);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j <= i; j++) m[i][j] += column[k][i] * column[k][j];
  }
  difference(here, s->targets[s->goal], y);
  for (int i = 0; i < rows; i++) m[i][i] += 2e-6f;
  solve(m, y);
  for (int k = 0; k < joints; k++) {
    float change = 0;
    for (int i = 0; i < rows; i++) change += column[k][i] * y[i];
    s->angles[k] += si_clamp(change, -15, 15);
  }
  if (s->limited) {
    float v[2][3];
    swung(s->angles, s->angles + 4, v);
    limit_joint(s, 0, v[0], s->angles);
    s->angles[3] = si_clamp(s->angles[3], 0, 142);
    limit_joint(s, 1, v[1], s->angles + 4);
  }
  s->step = (s->step + 1) % steps_for_a_goal;
  s->steps++;
}

/* all goals each time, so that every block does the same work */
static void run_solver(void *context, int times) {
  for (int i = 0; i < times * goals * steps_for_a_goal; i++) solver_step(context);
}

void bench_cone(void) {
  static const float up[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 }, x[3] = { 1, 0, 0 };
  sinew_cone *cone = make_cone(25, up, x, 65, 35);
  inclusion *in = malloc(sizeof *in);
  inclusion_make(in, cone);
  double ns[2];
  bench_pair((const char *[]){ "three dots and comparisons, slice known",
                               "inside a cone of 25 points, coherent path" },
             (void (*[])(void *, int)){ run_bare, run_inside }, (void *[]){ in, in }, ns);
  bench_ratio("inside / three dots", ns[1] / ns[0], 2);
  bench_time("inside a cone of 25 points, without hint", run_search, in);
  bench_time("held in a cone of 25 points", run_hold, in);
  sinew_cone *large = make_cone(5000, up, x, 65, 35);
  in->cone = large;
  bench_time("inside a cone of 5000 points, without hint", run_search, in);
  free(in);

  sinew_rig *arm = make_arm();
  sinew_cone *shoulder = make_cone(25, down, x, 110, 80), *wrist = make_cone(8, down, x, 70, 30);
  solver free_arm, limited_arm;
  solver_make(&free_arm, arm, shoulder, wrist, false);
  solver_make(&limited_arm, arm, shoulder, wrist, true);
  memcpy(limited_arm.targets, free_arm.targets, sizeof free_arm.targets);
  bench_pair((const char *[]){ "solver, 1024 steps, three segments, no limits",
                               "solver, 1024 steps, two cones and an interval" },
             (void (*[])(void *, int)){ run_solver, run_solver },
             (void *[]){ &free_arm, &limited_arm }, ns);
  bench_ratio("solver with limits / without", ns[1] / ns[0], 1.06);
  bench_ratio("boundary intersections a step",
              (double)limited_arm.holds / (double)limited_arm.steps, 0);
  sinew_pose_destroy(free_arm.pose);
  sinew_pose_destroy(limited_arm.pose);
  sinew_rig_destroy(arm);
  sinew_cone_destroy(cone);
  sinew_cone_destroy(large);
  sinew_cone_destroy(shoulder);
  sinew_cone_destroy(wrist);
}
