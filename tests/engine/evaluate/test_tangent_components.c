/* The derivative of each component against differences, at random parameters and poses; exactly on
 * a bound and beyond it; and classes that have no derivative. */
#include <sinew/sinew.h>

#include "cone_cases.h"
#include "field_cases.h"
#include "gliding.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "slopes.h"

#define CLOSE 1e-3

/* collects what was compared over many rigs; destroys each */
static bool compare_rig(sinew_rig *rig, uint32_t seed, int rounds, float parts,
                        slopes_result *all) {
  if (!rig) return mu_fail(__FILE__, __LINE__, "the rig was not made");
  slopes_result r = slopes_at_random(rig, seed, rounds, parts);
  sinew_rig_destroy(rig);
  all->compared += r.compared, all->skipped += r.skipped;
  return r.worst <= CLOSE || mu_fail(__FILE__, __LINE__, "case %u: %s", seed, r.where);
}

#define MOST_WERE_COMPARED(r)                                                                      \
  MU_CHECK_SAY((r).skipped * 3 < (r).compared, "%d skipped of %d", (r).skipped, (r).compared)

MU_TEST(derivatives_of_every_euler_order_agree_with_differences) {
  static const char *const orders[] = { "xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                        "xyx", "xzx", "yxy", "yzy", "zxz", "zyz" };
  slopes_result r = { 0 };
  for (uint32_t i = 0; i < 12; i++) {
    sinew_rig *rig = make_text("dof a -180 180; dof b -180 180; dof c -180 180\n"
                               "euler e first=a second=b third=c order=%s; translation t x=a z=c\n"
                               "multiply m matrix=e matrix=t matrix=e",
                               orders[i]);
    if (!compare_rig(rig, i, 5, 200, &r)) return;
  }
  MOST_WERE_COMPARED(r);
}

/* --- cones */

static sinew_rig *cone_rig(dice *d, int round) {
  cone_case c = make_case(d, roll_int(d, CASE_KINDS), 3 + roll_int(d, 20));
  float(*twist)[2] = malloc((size_t)c.count * sizeof *twist);
  for (int i = 0; i < c.count; i++) {
    twist[i][0] = (float)roll(d, -90, -5);
    twist[i][1] = (float)roll(d, 5, 90);
  }
  sinew_builder *b = sinew_builder_create("cone", NULL);
  for (int i = 0; i < 3; i++)
    sinew_add_dof(b, (const char *[]){ "a", "b", "t" }[i], NULL, -120, 120);
  static const char *const names[] = { "one", "two" }, *const wires[] = { "angle=a", "angle=b" };
  for (int i = 0; i < 2; i++) {
    double axis[3];
    roll_unit(d, axis);
    sinew_param params[] = { sinew_param_vector("axis", (float)axis[0], (float)axis[1],
                                                (float)axis[2]),
                             sinew_param_vector("centre", 0.1f, (float)roll(d, -0.2, 0.2), 0),
                             sinew_param_numbers("angles", (const float[]){ -100, 110 }, 2) };
    make_part(b, MAKE_NO_SET, "rotation", names[i], wires[i], params, 2 + (round & 1));
  }
  sinew_add(b, "multiply", "both",
            SINEW_WIRES(sinew_wire_name("matrix", "one"), sinew_wire_name("matrix", "two")),
            SINEW_NONE);
  sinew_param params[] = {
    sinew_param_vector("rest", c.visible[0], c.visible[1], c.visible[2]),
    sinew_param_vectors("points", c.points[0], c.count),
    sinew_param_numbers("twist_limits", twist[0], 2 * c.count),
    sinew_param_text("rotation1", "one"),
    sinew_param_text("rotation2", "two"),
  };
  bool by_matrix = round % 3 == 0;
  make_part(b, MAKE_NO_SET, "cone", "limit",
            by_matrix ? "swing=both twist=t" : "angle1=a angle2=b twist=t", params,
            by_matrix ? 3 : 5);
  make_lines(b, "segment bone 0.2,0,0; drive bone limit.transform");
  sinew_error error;
  sinew_rig *rig = make_rig(b, &error); /* some have an edge that is not visible from V */
  free(c.points);
  free(twist);
  return rig;
}

MU_TEST(derivatives_of_random_cones_agree_with_differences) {
  dice d = { 88172645463325252u };
  slopes_result r = { 0 };
  int made = 0;
  for (int round = 0; round < mu_rounds(150); round++) {
    sinew_rig *rig = cone_rig(&d, round);
    if (!rig) continue;
    made++;
    if (!compare_rig(rig, (uint32_t)round + 1, 6, 250, &r)) return;
  }
  MU_CHECK_SAY(made * 2 > mu_rounds(150), "only %d", made);
  MOST_WERE_COMPARED(r);
}

/* a diamond of 45 degrees about +z; `a` rotates towards the middle of an edge, which is at 35.26 */
static sinew_rig *diamond_rig(void) {
  return make_text("dof a -120 120; dof t -120 120; rotation one angle=a axis=1,1,0\n"
                   "cone limit swing=one twist=t rest=0,0,1 twist_limits=-30,30"
                   " points=1,0,1,0,1,1,-1,0,1,0,-1,1");
}

/* a tangent of a rig with its pose; `of` is the last component */
typedef struct probe {
  sinew_rig *rig;
  sinew_pose *pose;
  sinew_tangent *t;
  sinew_component of;
} probe;

static probe probe_of(sinew_rig *rig) {
  probe p = { .rig = rig };
  if (!rig) return p;
  p.pose = sinew_pose_create(rig, NULL);
  p.t = sinew_tangent_create(rig, NULL, NULL);
  p.of = sinew_rig_component(rig, sinew_rig_component_count(rig) - 1);
  return p;
}
static void probe_free(probe *p) {
  sinew_tangent_destroy(p->t);
  sinew_pose_destroy(p->pose);
  sinew_rig_destroy(p->rig);
}
/* the derivative of an output's first number by a DOF, with the DOFs at these values */
static float probe_at(probe *p, const float *values, int output, int column) {
  sinew_error error;
  sinew_pose_set_all(p->pose, values, sinew_rig_dof_count(p->rig), NULL);
  if (sinew_tangent_eval(p->t, p->pose, &error) < 0) {
    printf("  %s\n", error.text);
    return NAN;
  }
  const float *d = sinew_tangent_value(p->t, p->of, output, column);
  return d ? *d : 0;
}

/* column 2 of the transform is the bone's direction: how fast it rotates */
static double turning(probe *p, float a) {
  probe_at(p, (const float[]){ a, 0 }, 0, 0);
  const float *d = sinew_tangent_value(p->t, p->of, 0, 0) + 8;
  return sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])) * 180 / CASE_PI;
}

MU_TEST(a_cones_derivative_is_free_inside_and_zero_beyond) {
  probe p = probe_of(diamond_rig());
  MU_CHECK(p.rig);
  const double edge = atan(sqrt(0.5)) * 180 / CASE_PI;
  MU_NEAR(turning(&p, (float)edge - 0.01f), 1, 1e-5);
  MU_NEAR(turning(&p, (float)edge + 0.01f), 0, 1e-3);
  /* exactly on it, either is right */
  double on = turning(&p, (float)edge);
  MU_NEAR(on, *sinew_pose_value(p.pose, p.of, 2), 1e-3);
  /* a twist is free at its limit, and held beyond */
  MU_NEAR(probe_at(&p, (const float[]){ 10, 30 }, 1, 1), 1, 0);
  MU_NEAR(probe_at(&p, (const float[]){ 10, 30.01f }, 1, 1), 0, 0);
  MU_NEAR(probe_at(&p, (const float[]){ 10, -30 }, 1, 1), 1, 0);
  MU_NEAR(probe_at(&p, (const float[]){ 10, -31 }, 1, 1), 0, 0);
  probe_free(&p);
}

MU_TEST(a_rotations_derivative_is_free_at_its_end_and_zero_beyond) {
  sinew_builder *b =
      make_lines(NULL, "dof a -100 100\n"
                       "rotation r angle=a axis=1,1,0 angles=-30,10,40 centres=0,1,0,0,0,2");
  probe p = probe_of(make_rig(b, NULL));
  MU_CHECK(p.rig);
  const float free_at[] = { -30, -29, 10, 40 }, stuck_at[] = { -30.5f, 40.001f, 100 };
  for (int i = 0; i < 4; i++) MU_CHECK(fabsf(probe_at(&p, &free_at[i], 0, 0)) > 1e-4f);
  for (int i = 0; i < 3; i++) {
    probe_at(&p, &stuck_at[i], 0, 0);
    for (int k = 0; k < 16; k++) MU_NEAR(sinew_tangent_value(p.t, p.of, 0, 0)[k], 0, 0);
  }
  /* where the centre changes, the derivative is that for larger angles */
  float at[16], above[16];
  probe_at(&p, &free_at[2], 0, 0);
  memcpy(at, sinew_tangent_value(p.t, p.of, 0, 0), sizeof at);
  probe_at(&p, (const float[]){ 10.001f }, 0, 0);
  memcpy(above, sinew_tangent_value(p.t, p.of, 0, 0), sizeof above);
  for (int k = 0; k < 16; k++) MU_NEAR(at[k], above[k], 1e-5);
  probe_free(&p);
}

MU_TEST(a_dependencys_derivative_is_free_on_its_bound_and_the_bounds_beyond) {
  probe p = probe_of(make_text("dof a -10 10; dof p -100 100\n"
                               "dependency d active=a passive=p lower=line:-10,-30,10,10"
                               " upper=line:-10,50,10,10"));
  MU_CHECK(p.rig);
  const float cases[][4] = {
    /* a, p, derivative by a, derivative by p */
    { 0, 0, 0, 1 },     { 0, -10, 0, 1 },   { 0, 30, 0, 1 }, { 0, -10.5f, 2, 0 }, { 0, 31, -2, 0 },
    { -10, -30, 0, 1 }, { -10, -40, 2, 0 }, { 10, 5, 0, 0 }, { 10, 10, 0, 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int c = 0; c < 2; c++)
      MU_CHECK_SAY(fabsf(probe_at(&p, cases[i], 0, c) - cases[i][2 + c]) < 1e-5f,
                   "at %g, %g by %d: %g", (double)cases[i][0], (double)cases[i][1], c,
                   (double)probe_at(&p, cases[i], 0, c));
  probe_free(&p);
}

MU_TEST(a_curves_derivative_is_right_sided_and_left_sided_at_its_end) {
  probe p = probe_of(make_text("dof x -10 10; map m x=x y=piecewise:-5,0,0,5,5,25"));
  MU_CHECK(p.rig);
  const float cases[][2] = { { -6, 0 }, { -5, 1 }, { -1, 1 }, { 0, 4 }, { 5, 4 }, { 5.5f, 0 } };
  for (int i = 0; i < 6; i++) MU_NEAR(probe_at(&p, cases[i], 0, 0), cases[i][1], 1e-6);
  probe_free(&p);
}

MU_TEST(a_dof_at_an_end_has_the_derivative_inwards) {
  sinew_builder *b = make_lines(NULL, "dof x 0 90; euler e second=x");
  probe p = probe_of(make_rig(b, NULL));
  MU_CHECK(p.rig);
  for (int end = 0; end < 2; end++) {
    float at = 90 * (float)end, inside = end ? 89.5f : 0.5f, m[2][16];
    probe_at(&p, &inside, 0, 0);
    memcpy(m[0], sinew_pose_value(p.pose, p.of, 0), sizeof m[0]);
    probe_at(&p, &at, 0, 0);
    memcpy(m[1], sinew_pose_value(p.pose, p.of, 0), sizeof m[1]);
    for (int k = 0; k < 16; k++)
      MU_NEAR(sinew_tangent_value(p.t, p.of, 0, 0)[k], (m[1][k] - m[0][k]) / (at - inside), 1e-4);
  }
  probe_free(&p);
}

/* --- slides and fields */

MU_TEST(derivatives_of_random_slides_agree_with_differences) {
  slopes_result r = { 0 };
  gliding_seed(50);
  for (int i = 0; i < mu_rounds(60); i++) {
    sinew_error error;
    gliding g = i % 4 ? gliding_at_random() : gliding_of_the_paper();
    if (i % 4 == 0) g.radii[i % 3] *= gliding_random(0.5f, 1.2f); /* part of it is out of reach */
    if (!compare_rig(gliding_shoulder(&g, &error), (uint32_t)i + 9, 4, 400, &r)) return;
  }
  MOST_WERE_COMPARED(r);
}

static sinew_rig *field_rig(int axes) {
  static const char *const names[] = { "a", "b", "c", "d" };
  static float path[4 * 600];
  sinew_field_desc desc = case_desc(axes, 4000);
  for (int i = 0; i < axes; i++)
    if (desc.axes[i].resolution < 8) desc.axes[i].resolution = 8;
  case_path(&desc, 600, path);
  OWNED(field) *field = case_field(&desc, path, 600);
  if (!field) return NULL;
  sinew_builder *b = sinew_builder_create("field", NULL);
  char wires[64] = "";
  for (int i = 0; i < axes; i++) {
    float wide = desc.axes[i].max - desc.axes[i].min;
    sinew_add_dof(b, names[i], NULL, desc.axes[i].min - 0.2f * wide,
                  desc.axes[i].max + 0.2f * wide);
    snprintf(wires + strlen(wires), sizeof wires - strlen(wires), "angle=%s ", names[i]);
  }
  make_part(b, MAKE_NO_SET, "field", "limit", wires,
            SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, field)));
  return make_rig(b, NULL);
}

MU_TEST(derivatives_of_random_fields_agree_with_differences) {
  slopes_result r = { 0 };
  case_seed(12);
  for (int i = 0; i < mu_rounds(40); i++)
    if (!compare_rig(field_rig(1 + i % 4), (uint32_t)i + 1, 20, 3000, &r)) return;
  MOST_WERE_COMPARED(r);
}

/* --- classes without a derivative */

/* a matrix that rotates, translates and scales with x and v; fails above `most` */
static sinew_status bend(const sinew_node *node, float *values, sinew_error *error) {
  float x = *sinew_node_in(node, values, 0), c = cosf(x / 57), s = sinf(x / 57);
  const float *v = sinew_node_in(node, values, 1);
  if (node->user && x > *(const float *)node->user)
    return sinew_error_add(error, SINEW_ERR_SCRIPT, "%g is too much", (double)x);
  float *m = sinew_node_out(node, values, 0);
  const float filled[16] = {
    c * (1 + s), s, 0, 0, -s, c, 0, 0, 0, 0, 1 + c * s, 0, v[0], v[1], x, 1
  };
  memcpy(m, filled, sizeof filled);
  float *w = sinew_node_out(node, values, 1);
  for (int i = 0; i < 3; i++) w[i] = v[i] * v[i] * x;
  return SINEW_OK;
}
static void bend_surely(const sinew_node *node, float *values) { bend(node, values, NULL); }

static void place_eval(const sinew_node *node, float *values) {
  float x = *sinew_node_in(node, values, 0), *v = sinew_node_out(node, values, 0);
  v[0] = x, v[1] = 0.1f * x * x, v[2] = 1;
}
static sinew_status place_tangent(const sinew_node *node, const float *values,
                                  const sinew_rates *rates, sinew_error *error) {
  (void)error;
  float x = *sinew_node_in(node, values, 0);
  for (uint32_t c = 0; c < rates->inputs[0].count; c++) {
    float *out = rates->outputs[0] + 4 * rates->inputs[0].columns[c];
    out[0] = rates->inputs[0].rates[c];
    out[1] = 0.2f * x * rates->inputs[0].rates[c];
  }
  return SINEW_OK;
}

static const sinew_port_desc scalar_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc vector_out[] = { { "v", SINEW_VECTOR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc bend_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" },
                                           { "v", SINEW_VECTOR, 0, 0, "", "" },
                                           { 0 } };
static const sinew_port_desc bend_out[] = { { "m", SINEW_MATRIX, 0, 0, "", "" },
                                            { "w", SINEW_VECTOR, 0, 0, "", "" },
                                            { 0 } };
static float most = 1e9f;
static const sinew_component_class place_class = { .class_size = sizeof(sinew_component_class),
                                                   .name = "put",
                                                   .inputs = scalar_in,
                                                   .outputs = vector_out,
                                                   .eval = place_eval,
                                                   .tangent = place_tangent };
static const sinew_component_class sure_class = { .class_size = sizeof(sinew_component_class),
                                                  .name = "bend",
                                                  .inputs = bend_in,
                                                  .outputs = bend_out,
                                                  .eval = bend_surely };
static const sinew_component_class failing_class = { .class_size = sizeof(sinew_component_class),
                                                     .name = "bend",
                                                     .inputs = bend_in,
                                                     .outputs = bend_out,
                                                     .try_eval = bend,
                                                     .user = &most };

static sinew_rig *own_rig(const sinew_component_class *cls) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, cls, NULL);
  sinew_builder_add_class(b, &place_class, NULL);
  make_lines(b, "dof x -40 40; dof y -1 1; put p x=y; bend b x=x v=p.v; segment root 0,1,0\n"
                "drive root b.m; segment tip root 0,1,0");
  return make_rig(b, NULL);
}

MU_TEST(a_class_without_a_derivative_is_differenced) {
  slopes_result r = { 0 };
  if (!compare_rig(own_rig(&sure_class), 3, 20, 150, &r)) return;
  if (!compare_rig(own_rig(&failing_class), 4, 20, 150, &r)) return;
  MU_CHECK(r.compared > 200 && r.skipped == 0);
  probe p = probe_of(own_rig(&sure_class));
  MU_CHECK(p.rig);
  MU_CHECK(sinew_tangent_differenced(p.rig, p.of));
  MU_CHECK(!sinew_tangent_differenced(p.rig, sinew_rig_component(p.rig, 0)));
  probe_free(&p);
}

MU_TEST(differences_avoid_range_ends_and_failures) {
  sinew_error error;
  probe p = probe_of(own_rig(&failing_class));
  MU_CHECK(p.rig);
  /* the derivatives of w = v v x by x, and of m's z by x, which is 1 everywhere */
  const float at[][2] = { { -40, 0.5f }, { 40, 0.5f }, { 39.95f, -0.5f }, { 10, 0.5f } };
  for (int i = 0; i < 4; i++) {
    most = i == 3 ? 10.01f : 40; /* the last case fails one step further up */
    probe_at(&p, at[i], 0, 0);
    MU_NEAR(sinew_tangent_value(p.t, p.of, 0, 0)[14], 1, 1e-5);
    MU_NEAR(sinew_tangent_value(p.t, p.of, 1, 0)[0], 0.25, 1e-5);
    double x = (double)at[i][0] / 57;
    MU_NEAR(sinew_tangent_value(p.t, p.of, 0, 0)[1], cos(x) / 57, 1e-5);
  }
  /* fails in both directions: the error names the component */
  most = -39.95f;
  sinew_pose_set(p.pose, sinew_rig_dof(p.rig, 0), -40, NULL);
  sinew_status status = sinew_tangent_eval(p.t, p.pose, &error);
  most = 1e9f;
  MU_FAILS(status, SINEW_ERR_SCRIPT, "component 'b' (bend): -39.");
  probe_free(&p);
}

/* a singular matrix: its z axis is zero */
static void flat_eval(const sinew_node *node, float *values) {
  const float m[16] = {
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, *sinew_node_in(node, values, 0), 0, 0, 1
  };
  memcpy(sinew_node_out(node, values, 0), m, sizeof m);
}
static const sinew_port_desc matrix_out[] = { { "m", SINEW_MATRIX, 0, 0, "", "" }, { 0 } };
static const sinew_component_class flat_class = { .class_size = sizeof(sinew_component_class),
                                                  .name = "flat",
                                                  .inputs = scalar_in,
                                                  .outputs = matrix_out,
                                                  .eval = flat_eval };

MU_TEST(a_singular_matrix_has_no_derivative_and_the_error_names_the_segment) {
  sinew_error error;
  sinew_builder *b = sinew_builder_create("flat", NULL);
  sinew_builder_add_class(b, &flat_class, NULL);
  make_lines(b, "dof x -1 1; flat f x=x; segment leaf; drive leaf f");
  probe p = probe_of(make_rig(b, NULL));
  MU_CHECK(p.rig);
  MU_FAILS(sinew_tangent_eval(p.t, p.pose, &error), SINEW_ERR_VALUE,
           "segment 'leaf': its matrix is singular");
  probe_free(&p);
}

MU_SUITE(tangent_components)
