/* The cone component in a rig: the swing as a matrix or as two rotations, holds, awkward cases. */
#include "cone_cases.h"
#include "fixture.h"
#include "make.h"
#include "owned.h"
#include "math/matrix.h"
#include "scarce.h"

#include <sinew/sinew.h>

static const float diamond[] = { 1, 0, 1, 0, 1, 1, -1, 0, 1, 0, -1, 1 }; /* 45 degrees about +z */

/* DOFs a, b and t; rotations about x1 and x2; the cone's swing varies */
typedef struct joint_case {
  sinew_param cone[12];
  int cone_params;
  sinew_param rotation[2][4];
  int rotation_params[2];
  bool by_matrix; /* the cone sees only their product */
  bool twist_unwired;
} joint_case;

static joint_case plain_case(void) {
  joint_case c = { .cone_params = 2, .rotation_params = { 1, 1 } };
  c.cone[0] = sinew_param_vector("rest", 0, 0, 1);
  c.cone[1] = sinew_param_vectors("points", diamond, 4);
  c.rotation[0][0] = sinew_param_vector("axis", 1, 0, 0);
  c.rotation[1][0] = sinew_param_vector("axis", 0, 1, 0);
  return c;
}

static void add(joint_case *c, sinew_param param) { c->cone[c->cone_params++] = param; }
static void add_to(joint_case *c, int which, sinew_param param) {
  c->rotation[which][c->rotation_params[which]++] = param;
}

static sinew_rig *compile(const joint_case *c) {
  sinew_builder *b = sinew_builder_create("joint", &error);
  if (!b) return NULL;
  sinew_segment segment = sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0, 0, 0 });
  for (int i = 0; i < 3; i++)
    sinew_add_dof(b, (const char *[]){ "a", "b", "t" }[i], NULL, -1000, 1000);
  /* the rotations, and the same again at the angles that the cone has solved */
  static const char *const parts[][2] = {
    { "one", "angle=a" },
    { "two", "angle=b" },
    { "both", "matrix=one matrix=two" },
    { "one_again", "angle=limit.angle1" },
    { "two_again", "angle=limit.angle2" },
    { "both_again", "matrix=one_again matrix=two_again" },
  };
  for (int i = 0; i < 6; i++) {
    bool turn = i % 3 < 2;
    make_part(b, MAKE_NO_SET, turn ? "rotation" : "multiply", parts[i][0], parts[i][1],
              turn ? c->rotation[i % 3] : NULL, turn ? c->rotation_params[i % 3] : 0);
  }
  sinew_param params[14];
  memcpy(params, c->cone, sizeof c->cone);
  int count = c->cone_params;
  if (!c->by_matrix) {
    params[count++] = sinew_param_text("rotation1", "one");
    params[count++] = sinew_param_text("rotation2", "two");
  }
  const char *wires = c->by_matrix ? "twist=t swing=both" : "twist=t angle1=a angle2=b";
  make_part(b, MAKE_NO_SET, "cone", "limit", wires + (c->twist_unwired ? 8 : 0), params, count);
  if (segment.id) sinew_builder_drive(b, segment, "limit.transform", NULL, &error);
  sinew_error_clear(&error);
  return make_rig(b, &error);
}

typedef struct joint {
  sinew_rig *rig;
  sinew_pose *pose;
  sinew_component limit, both, both_again;
} joint;

static bool open_joint(const joint_case *c, joint *dest) {
  memset(dest, 0, sizeof *dest);
  dest->rig = compile(c);
  if (!dest->rig) {
    printf("%s\n", error.text);
    return false;
  }
  dest->pose = sinew_pose_create(dest->rig, &error);
  dest->limit = sinew_rig_find_component(dest->rig, "limit", &error);
  dest->both = sinew_rig_find_component(dest->rig, "both", &error);
  dest->both_again = sinew_rig_find_component(dest->rig, "both_again", &error);
  return dest->pose != NULL;
}

static void close_joint(joint *j) {
  sinew_pose_destroy(j->pose);
  sinew_rig_destroy(j->rig);
}

static void pose_joint(joint *j, double a, double b, double t) {
  sinew_pose_set_all(j->pose, (float[]){ (float)a, (float)b, (float)t }, 3, NULL);
  sinew_pose_eval(j->pose, &error);
}

static const float *out(const joint *j, int output) {
  return sinew_pose_value(j->pose, j->limit, output);
}

enum { transform, twist, inside, angle1, angle2 };

static float held(const joint *j, const char *port) {
  sinew_hold holds[16];
  int n = sinew_pose_holds(j->pose, holds, 16);
  for (int i = 0; i < n && i < 16; i++)
    if (strcmp(holds[i].name, "limit") == 0 && strcmp(holds[i].port, port) == 0)
      return holds[i].amount;
  return 0;
}

static void direction(const float *m, const float *rest, double *dest) {
  float v[3];
  si_mat_direction(m, rest, v);
  widen3(v, dest);
}

static bool near_matrix(const float *a, const float *b, double tolerance) {
  for (int i = 0; i < 16; i++)
    if (!(fabs((double)a[i] - (double)b[i]) <= tolerance))
      return mu_fail(__FILE__, __LINE__, "entry %d is %g, expected %g", i, (double)a[i],
                     (double)b[i]);
  return true;
}

MU_TEST(cone_component_passes_directions_inside) {
  for (int by_matrix = 0; by_matrix < 2; by_matrix++) {
    joint_case c = plain_case();
    c.by_matrix = by_matrix;
    joint j;
    MU_CHECK(open_joint(&c, &j));
    CGLM_ALIGN_MAT float turn[16], expected[16];
    for (int a = -20; a <= 20; a += 5)
      for (int b = -20; b <= 20; b += 5) {
        pose_joint(&j, a, b, 30 + a);
        si_mat_turn((float[]){ 0, 0, 1 }, (float)(30 + a), turn);
        si_mat_mul(sinew_pose_value(j.pose, j.both, 0), turn, expected);
        MU_CHECK(near_matrix(out(&j, transform), expected, 1e-6));
        MU_NEAR(*out(&j, inside), 1, 0);
        MU_NEAR(*out(&j, twist), 30 + a, 0);
        MU_NEAR(*out(&j, angle1), by_matrix ? 0 : a, 0);
        MU_NEAR(*out(&j, angle2), by_matrix ? 0 : b, 0);
        MU_INT(sinew_pose_holds(j.pose, NULL, 0), 0);
      }
    close_joint(&j);
  }
}

MU_TEST(cone_component_clamps_the_swing_to_the_boundary) {
  joint_case c = plain_case();
  joint j;
  MU_CHECK(open_joint(&c, &j));
  /* about y only, the boundary is the corner at 45 */
  pose_joint(&j, 0, 70, 0);
  MU_NEAR(*out(&j, inside), 0, 0);
  MU_NEAR(*out(&j, angle1), 0, 1e-3);
  MU_NEAR(*out(&j, angle2), 45, 1e-3);
  MU_NEAR(held(&j, "swing"), 25, 1e-3);
  MU_NEAR(held(&j, "twist"), 0, 0);
  /* back inside: nothing is held any more */
  pose_joint(&j, 0, 44, 0);
  MU_NEAR(*out(&j, inside), 1, 0);
  MU_NEAR(held(&j, "swing"), 0, 0);
  close_joint(&j);
}

/* random cones, axes, centres and angles: results are on the boundary, keep the centres, and do not
 * depend on earlier poses */
MU_TEST(cone_component_stays_on_the_boundary_and_keeps_centres) {
  dice d = { 61 };
  int solved = 0, corrected = 0;
  for (int round = 0; round < 120; round++) {
    cone_case shape = make_case(&d, roll_int(&d, CASE_KINDS), 3 + roll_int(&d, 30));
    sinew_cone *alone = MU_MADE(build_case(&shape, NULL));
    float rest[3];
    roll_inside(&d, alone, rest);
    sinew_cone_destroy(alone);
    alone = build_case(&shape, rest);
    MU_CHECK(alone);
    sinew_cone_rest(alone, rest);
    joint_case c = plain_case();
    c.by_matrix = round % 3 == 0;
    c.cone_params = 0;
    add(&c, sinew_param_vector("rest", rest[0], rest[1], rest[2]));
    add(&c, sinew_param_vectors("points", shape.points[0], shape.count));
    add(&c, sinew_param_vector("visible", shape.visible[0], shape.visible[1], shape.visible[2]));
    float angles[2][3], centres[2][6];
    for (int i = 0; i < 2; i++) {
      double x[3];
      roll_unit(&d, x);
      c.rotation_params[i] = 0;
      add_to(&c, i, sinew_param_vector("axis", (float)x[0], (float)x[1], (float)x[2]));
      angles[i][0] = (float)roll(&d, -170, -20);
      angles[i][1] = (float)roll(&d, -10, 10);
      angles[i][2] = (float)roll(&d, 20, 170);
      for (int k = 0; k < 6; k++) centres[i][k] = (float)roll(&d, -0.1, 0.1);
      add_to(&c, i, sinew_param_numbers("angles", angles[i], 3));
      add_to(&c, i, sinew_param_vectors("centres", centres[i], 2));
    }
    joint j;
    MU_CHECK(open_joint(&c, &j));
    for (int i = 0; i < 120; i++) {
      double a = roll(&d, -200, 200), b = roll(&d, -200, 200), v[3], w[3];
      if (i % 8 == 0) a = (double)angles[0][i % 3], b = (double)angles[1][(i / 8) % 3];
      pose_joint(&j, a, b, 0);
      MU_CHECK(si_mat_is_rigid(out(&j, transform), 1e-5f));
      direction(out(&j, transform), rest, v);
      direction(sinew_pose_value(j.pose, j.both, 0), rest, w);
      unit3(v, v), unit3(w, w);
      if (*out(&j, inside) == 1) {
        MU_CHECK(near_matrix(out(&j, transform), sinew_pose_value(j.pose, j.both, 0), 1e-6));
        MU_NEAR(held(&j, "swing"), 0, 0);
        continue;
      }
      MU_CHECK_SAY(boundary_distance(alone, v) < 1e-4, "%g off the boundary",
                   boundary_distance(alone, v));
      MU_NEAR(held(&j, "swing"), angle3(v, w) * 180 / CASE_PI, 6e-3);
      if (!c.by_matrix &&
          (*out(&j, angle1) != (float)fmax(fmin(a, (double)angles[0][2]), (double)angles[0][0]) ||
           *out(&j, angle2) != (float)fmax(fmin(b, (double)angles[1][2]), (double)angles[1][0]))) {
        solved++;
        MU_CHECK(near_matrix(out(&j, transform), sinew_pose_value(j.pose, j.both_again, 0), 2e-6));
      } else {
        corrected += !c.by_matrix;
        for (int k = 12; k < 15; k++)
          MU_NEAR(out(&j, transform)[k], sinew_pose_value(j.pose, j.both, 0)[k], 1e-6);
      }
      /* a fresh pose agrees to the bit */
      OWNED(pose) *fresh = sinew_pose_create(j.rig, &error);
      sinew_pose_set_all(fresh, (float[]){ (float)a, (float)b, 0 }, 3, NULL);
      sinew_pose_eval(fresh, &error);
      MU_CHECK(memcmp(sinew_pose_value(fresh, j.limit, transform), out(&j, transform),
                      16 * sizeof(float)) == 0);
    }
    close_joint(&j);
    sinew_cone_destroy(alone);
    free(shape.points);
  }
  MU_CHECK(solved > 500 && corrected > 100);
}

MU_TEST(cone_component_counts_from_the_rest_angles) {
  static const float ends[] = { 60, 90 };
  joint_case c = plain_case();
  add_to(&c, 1, sinew_param_numbers("angles", ends, 2));
  add_to(&c, 1, sinew_param_number("rest", 60));
  add_to(&c, 1, sinew_param_vector("centre", 0.1f, 0, 0));
  joint j;
  MU_CHECK(open_joint(&c, &j));
  /* angles count from the rest angle: 60 does not rotate at all, and 90 rotates by 30 */
  pose_joint(&j, 0, 90, 0);
  MU_NEAR(*out(&j, inside), 1, 0);
  close_joint(&j);

  static const float range[] = { 50, 90 };
  c = plain_case();
  c.rotation_params[1] = 1;
  add_to(&c, 1, sinew_param_numbers("angles", range, 2));
  add_to(&c, 1, sinew_param_number("rest", 50));
  add_to(&c, 1, sinew_param_vector("centre", 0.1f, 0.2f, 0));
  static const float narrow[] = { 0.1f, 0, 1, -0.3f, 0.3f, 1, -0.3f, -0.3f, 1 };
  c.cone[1] = sinew_param_vectors("points", narrow, 3);
  add_to(&c, 0, sinew_param_numbers("angles", (float[]){ -1, 1 }, 2));
  MU_CHECK(open_joint(&c, &j));
  /* 40 degrees about y tilt to +x, where the corner is at 5.7: in range at 55.7 */
  pose_joint(&j, 0, 90, 0);
  MU_NEAR(*out(&j, angle2), 50 + atan(0.1) * 180 / CASE_PI, 2e-3);
  close_joint(&j);
}

MU_TEST(cone_component_reports_what_the_rotations_hold) {
  joint_case c = plain_case();
  add_to(&c, 0, sinew_param_numbers("angles", (float[]){ -10, 20 }, 2));
  joint j;
  MU_CHECK(open_joint(&c, &j));
  pose_joint(&j, 33, 0, 0);
  MU_NEAR(held(&j, "angle1"), -13, 1e-5);
  MU_NEAR(*out(&j, angle1), 20, 0);
  MU_NEAR(*out(&j, inside), 1, 0);
  close_joint(&j);
}

MU_TEST(cone_component_clamps_the_twist_by_direction) {
  static const float limits[] = { -10, 10, -20, 20, -30, 30, 40, 40 };
  joint_case c = plain_case();
  add(&c, sinew_param_numbers("twist_limits", limits, 8));
  add(&c, sinew_param_numbers("visible_twist", (float[]){ -50, 60 }, 2));
  for (int by_matrix = 0; by_matrix < 2; by_matrix++) {
    c.by_matrix = by_matrix;
    joint j;
    MU_CHECK(open_joint(&c, &j));
    pose_joint(&j, 0, 0, 90);
    MU_NEAR(*out(&j, twist), 60, 1e-3);
    MU_NEAR(held(&j, "twist"), -30, 1e-3);
    pose_joint(&j, 0, 0, -90);
    MU_NEAR(*out(&j, twist), -50, 1e-3);
    MU_NEAR(held(&j, "twist"), 40, 1e-3);
    /* far beyond the first corner the limits are those of that corner */
    pose_joint(&j, 0, 80, 90);
    MU_NEAR(*out(&j, twist), 10, 1e-2);
    /* and beyond the last one the range is a single angle */
    pose_joint(&j, 80, 0, 90);
    MU_NEAR(*out(&j, twist), 40, 1e-2);
    pose_joint(&j, 80, 0, -90);
    MU_NEAR(*out(&j, twist), 40, 1e-2);
    MU_NEAR(held(&j, "twist"), 130, 1e-2);
    /* twist is innermost: the direction does not move with it */
    double v[3];
    direction(out(&j, transform), (float[]){ 0, 0, 1 }, v);
    MU_NEAR(v[1], -sqrt(0.5), 1e-5);
    close_joint(&j);
  }
}

MU_TEST(cone_component_clamps_an_unwired_twist) {
  joint_case c = plain_case();
  add(&c, sinew_param_numbers("twist_limits", (float[]){ 15, 30 }, 2));
  c.twist_unwired = true;
  joint j;
  MU_CHECK(open_joint(&c, &j));
  pose_joint(&j, 0, 0, 0);
  MU_NEAR(*out(&j, twist), 15, 1e-4);
  MU_NEAR(held(&j, "twist"), 15, 1e-4);
  MU_NEAR(out(&j, transform)[1], sin(15 * CASE_PI / 180), 1e-6);
  close_joint(&j);
}

MU_TEST(cone_component_is_defined_opposite_to_rest) {
  joint_case c = plain_case();
  joint j;
  MU_CHECK(open_joint(&c, &j));
  for (int i = -3; i <= 3; i++) {
    pose_joint(&j, 0, 180 + i * 1e-5, 0);
    double v[3];
    direction(out(&j, transform), (float[]){ 0, 0, 1 }, v);
    /* towards the first point */
    MU_NEAR(v[0], sqrt(0.5), 1e-4);
    MU_NEAR(v[2], sqrt(0.5), 1e-4);
    MU_NEAR(held(&j, "swing"), 135, 1e-3);
  }
  close_joint(&j);
}

MU_TEST(cone_component_accepts_ellipses) {
  joint_case c = plain_case();
  c.cone_params = 1;
  add(&c, sinew_param_numbers("ellipse", (float[]){ 30, 15, 60, 45 }, 4));
  add(&c, sinew_param_vector("right", 1, 0, 0));
  add(&c, sinew_param_number("count", 40));
  add(&c, sinew_param_numbers("twist_limits", (float[]){ -5, 5 }, 2));
  joint j;
  MU_CHECK(open_joint(&c, &j));
  pose_joint(&j, 0, 80, 9);
  MU_NEAR(*out(&j, angle2), 30, 1e-2);
  MU_NEAR(*out(&j, twist), 5, 1e-4);
  pose_joint(&j, 0, -80, 9);
  MU_NEAR(*out(&j, angle2), -60, 1e-2);
  /* rest x right is +y: tilting to +y is rotating about -x */
  pose_joint(&j, -80, 0, 9);
  MU_NEAR(*out(&j, angle1), -15, 1e-2);
  pose_joint(&j, 80, 0, 9);
  MU_NEAR(*out(&j, angle1), 45, 1e-2);
  close_joint(&j);
}

static bool says(const joint_case *c, const char *part) {
  sinew_rig *rig = compile(c);
  sinew_rig_destroy(rig);
  if (rig) return mu_fail(__FILE__, __LINE__, "compiled, expected '%s'", part);
  if (error.count != 1)
    return mu_fail(__FILE__, __LINE__, "%d mistakes: %s", error.count, error.text);
  if (!strstr(error.text, part))
    return mu_fail(__FILE__, __LINE__, "'%s' lacks '%s'", error.text, part);
  return true;
}

MU_TEST(cone_component_reports_mistakes_with_its_name) {
  static const float clockwise[] = { 0, -1, 1, -1, 0, 1, 0, 1, 1, 1, 0, 1 };
  joint_case c = plain_case();
  c.cone[1] = sinew_param_vectors("points", clockwise, 4);
  MU_CHECK(says(&c, "component 'limit': reach cone: the points run clockwise"));
  c = plain_case();
  add(&c, sinew_param_numbers("twist_limits", diamond, 5));
  MU_CHECK(says(&c, "'twist_limits' needs min and max, or a pair for each of 4 points; it has 5"));
  c = plain_case();
  add(&c, sinew_param_numbers("twist_limits", (float[]){ 5, 4 }, 2));
  MU_CHECK(says(&c, "min 5 is above max 4"));
  c = plain_case();
  add(&c, sinew_param_numbers("visible_twist", (float[]){ 5, 4, 3 }, 3));
  MU_CHECK(says(&c, "'visible_twist' needs min and max, has 3 numbers"));
  c = plain_case();
  c.cone_params = 1;
  MU_CHECK(says(&c, "takes 'points' or 'ellipse'"));
  add(&c, sinew_param_numbers("ellipse", diamond, 4));
  MU_CHECK(says(&c, "needs 'right'"));
  add(&c, sinew_param_vector("right", 1, 0, 0));
  MU_CHECK(says(&c, "half angle 2 is 0 degrees"));
  c = plain_case();
  c.cone[0] = sinew_param_vector("rest", 0, 0, -1);
  MU_CHECK(says(&c, "reach cone: "));
  c = plain_case();
  add(&c, sinew_param_number("smooth", 15));
  MU_CHECK(says(&c, "more than 65536 points"));
  c = plain_case();
  add(&c, sinew_param_vector("visible", 0, 0, 1));
  add(&c, sinew_param_flag("provisional", true));
  MU_CHECK(says(&c, "'visible' or 'provisional'"));
  c = plain_case();
  c.by_matrix = true;
  add(&c, sinew_param_text("rotation1", "one"));
  MU_CHECK(says(&c, "has 'rotation1' but not 'rotation2'"));
  add(&c, sinew_param_text("rotation2", "two"));
  compile(&c);
  MU_HAS(error.text, "input 'angle1' is not wired");
  MU_HAS(error.text, "input 'angle2' is not wired");
  MU_HAS(error.text, "input 'swing' must stay unwired");
  c = plain_case();
  c.by_matrix = true;
  add(&c, sinew_param_text("rotation1", "both"));
  add(&c, sinew_param_text("rotation2", "two"));
  compile(&c);
  MU_HAS(error.text, "'rotation1' must name a rotation");
  /* a mistake in the rotation is reported only once */
  c = plain_case();
  c.rotation[0][0] = sinew_param_vector("axis", 0, 0, 0);
  MU_CHECK(!compile(&c));
  for (const char *at = error.text; (at = strstr(at, "component 'limit'")); at++)
    MU_CHECK_SAY(false, "the cone repeats: %s", error.text);
}

MU_TEST(cone_component_follows_its_rotation_when_that_is_edited) {
  joint_case c = plain_case();
  joint j;
  MU_CHECK(open_joint(&c, &j));
  pose_joint(&j, 0, 80, 0);
  MU_NEAR(*out(&j, angle2), 45, 1e-3);
  sinew_component two = sinew_rig_find_component(j.rig, "two", &error);
  sinew_param turned = sinew_param_vector("axis", 0, -1, 0);
  MU_CHECK(sinew_rig_set_param(j.rig, two, &turned, &error) == SINEW_OK);
  sinew_pose_eval(j.pose, &error);
  MU_NEAR(*out(&j, angle2), 45, 1e-3);
  MU_NEAR(out(&j, transform)[8], -sqrt(0.5), 1e-4);
  /* and when the cone itself is edited, with more points than before */
  sinew_param smooth = sinew_param_number("smooth", 3);
  MU_CHECK(sinew_rig_set_param(j.rig, j.limit, &smooth, &error) == SINEW_OK);
  sinew_pose_eval(j.pose, &error);
  MU_NEAR(*out(&j, angle2), 45, 1e-3);
  smooth.number[0] = 15;
  MU_CHECK(sinew_rig_set_param(j.rig, j.limit, &smooth, &error) == SINEW_ERR_LIMIT);
  sinew_pose_eval(j.pose, &error);
  MU_NEAR(*out(&j, angle2), 45, 1e-3);
  close_joint(&j);
}

MU_TEST(cone_component_shows_its_cone) {
  joint_case c = plain_case();
  joint j;
  float p[3], expected[3];
  const float rest[3] = { 0, 0, 1 };
  MU_CHECK(open_joint(&c, &j));
  const sinew_cone *cone = sinew_rig_cone(j.rig, j.limit);
  MU_CHECK(cone && !sinew_rig_cone(j.rig, j.both));
  MU_INT(sinew_cone_count(cone), 4);
  /* the clamped direction is on the boundary, the wanted one outside */
  pose_joint(&j, 10, 70, 0);
  si_mat_direction(sinew_pose_value(j.pose, j.both, 0), rest, p);
  MU_CHECK(sinew_cone_hold(cone, p, NULL, expected));
  si_mat_direction(out(&j, transform), rest, p);
  for (int k = 0; k < 3; k++) MU_NEAR(p[k], expected[k], 1e-4);
  sinew_param smooth = sinew_param_number("smooth", 1);
  MU_CHECK(sinew_rig_set_param(j.rig, j.limit, &smooth, &error) == SINEW_OK);
  MU_INT(sinew_cone_count(sinew_rig_cone(j.rig, j.limit)), 8);
  close_joint(&j);
}

MU_TEST(cone_component_survives_every_failing_allocation) {
  joint_case c = plain_case();
  add(&c, sinew_param_number("smooth", 2));
  size_t before = sinew_live_bytes();
  int failed = 0;
  bool made = false;
  for (int n = 0; n < 2000 && !made; n++) {
    scarce_memory(n);
    OWNED(rig) *rig = compile(&c);
    made = rig != NULL;
    failed += !made;
  }
  plenty_of_memory();
  MU_CHECK(made && failed > 10);
  MU_INT(sinew_live_bytes(), before);
}

MU_SUITE(cone)
