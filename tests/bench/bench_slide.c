/* The scapula constraint on smooth motion, on random input, and where nothing touches: one
 * evaluation of the component, and one root only. */
#include "bench.h"
#include "bench_motion.h"
#include "math/contact.h"
#include "math/matrix.h"
#include "evaluate/pose_internal.h"

#include <stdio.h>

enum { moments = 256 };

typedef struct moment {
  _Alignas(32) float frame[16];
  float lift, rotation;
} moment;

typedef struct gliding {
  sinew_rig *rig;
  sinew_pose *pose;
  moment at[moments];
  si_circle circles[moments];
  si_window window;
} gliding;

/* the right scapula of [Shao 2003] on an ellipsoid behind it, in metres */
static void gliding_make(gliding *g) {
  static const float pairs[3][6] = { { 0.085f, -0.04f, -0.003f, 0.087f, -0.024f, -0.001f },
                                     { 0.082f, 0, -0.001f, 0.075f, 0.02f, 0 },
                                     { 0.08f, 0.02f, -0.008f, 0.07f, 0.03f, -0.006f } };
  static const float radii[3] = { 0.09f, 0.15f, 0.1f };
  const sinew_param params[] = { sinew_param_vectors("pair1", pairs[0], 2),
                                 sinew_param_vectors("pair2", pairs[1], 2),
                                 sinew_param_vectors("pair3", pairs[2], 2),
                                 sinew_param_numbers("radii", radii, 3),
                                 sinew_param_vector("centre", 0.06f, -0.04f, 0.1f),
                                 sinew_param_vector("axis", 0.263f, -0.912f, 0.314f) };
  const sinew_wire wires[] = {
    { .input = "frame", .constant = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    sinew_wire_name("lift", "lift"),
    sinew_wire_name("rotation", "rotation"),
  };
  sinew_error error;
  sinew_builder *b = sinew_builder_create("slide", &error);
  bench_check(b != NULL, &error);
  sinew_dof_desc dof = sinew_default_dof_desc();
  dof.name = "lift";
  bench_check(sinew_builder_add_dof(b, &dof, &error).id != 0, &error);
  dof.name = "rotation";
  bench_check(sinew_builder_add_dof(b, &dof, &error).id != 0, &error);
  const sinew_component_desc slide = { .size = sizeof slide,
                                       .kind = "slide",
                                       .wires = wires,
                                       .wire_count = 3,
                                       .params = params,
                                       .param_count = 6 };
  bench_check(sinew_builder_add_component(b, &slide, &error).id != 0, &error);
  g->rig = sinew_builder_compile(b, &error);
  bench_check(g->rig != NULL, &error);
  g->pose = sinew_pose_create(g->rig, &error);
  bench_check(g->pose != NULL, &error);
  sinew_builder_destroy(b);
  si_window_set(&g->window, -90, 90);
}

/* the clavicle moves the joint: rotates by degrees about three axes and lifts it by `away` */
static void moment_set(moment *m, const float *turns, float lift, float rotation, float away) {
  CGLM_ALIGN_MAT float turn[16];
  si_mat_identity(m->frame);
  for (int i = 0; i < 3; i++) {
    const float axis[3] = { i == 0, i == 1, i == 2 };
    si_mat_turn(axis, turns[i], turn);
    si_mat_mul(m->frame, turn, m->frame);
  }
  m->frame[14] = -away;
  m->lift = lift, m->rotation = rotation;
}

/* a circle like the first one at each step, from the same numbers */
static void circle_set(const moment *m, si_circle *dest) {
  float axis[3], p[3] = { 0.082f, 0.02f * m->lift, -0.001f }, q[3][3];
  si_vec_unit((float[]){ 0.263f, -0.912f, 0.314f }, axis);
  float along = si_vec_dot(axis, p);
  si_dvec y[3];
  for (int i = 0; i < 3; i++) q[0][i] = along * axis[i], q[1][i] = p[i] - q[0][i];
  si_vec_cross(axis, p, q[2]);
  for (int k = 0; k < 3; k++) {
    (k ? si_mat_direction : si_mat_point)(m->frame, q[k], q[k]);
    double keep = k == 0;
    y[k] =
        (si_dvec){ ((double)q[k][0] - keep * 0.06) / 0.09, ((double)q[k][1] + keep * 0.04) / 0.15,
                   ((double)q[k][2] - keep * 0.1) / 0.1 };
  }
  *dest = si_circle_of(y[0], y[1], y[2]);
}

static void run_slide(void *context, int times) {
  gliding *g = context;
  const sinew_node *node = &g->rig->nodes[0];
  float *values = g->pose->values;
  for (int i = 0; i < times; i++) {
    const moment *m = &g->at[i % moments];
    si_mat_copy(m->frame, values + node->ports[0]);
    values[node->ports[1]] = m->lift, values[node->ports[2]] = m->rotation;
    node->eval(node, values);
  }
  bench_keep(values);
}

static void run_root(void *context, int times) {
  gliding *g = context;
  for (int i = 0; i < times; i++) {
    si_contact contact = si_circle_contact(&g->circles[i % moments], &g->window);
    bench_keep(&contact);
  }
}

/* at how many steps both points touch */
static int touching(gliding *g) {
  int count = 0;
  const sinew_node *node = &g->rig->nodes[0];
  for (int i = 0; i < moments; i++) {
    float *values = g->pose->values;
    si_mat_copy(g->at[i].frame, values + node->ports[0]);
    values[node->ports[1]] = g->at[i].lift, values[node->ports[2]] = g->at[i].rotation;
    node->eval(node, values);
    count += *sinew_node_out(node, values, 3) > 0;
  }
  return count;
}

static double bench_moments(gliding *g, const char *what) {
  char name[96];
  for (int i = 0; i < moments; i++) circle_set(&g->at[i], &g->circles[i]);
  snprintf(name, sizeof name, "slide, %s (%d%% touch)", what, touching(g) * 100 / moments);
  double ns = bench_time(name, run_slide, g);
  snprintf(name, sizeof name, "one root, %s", what);
  bench_time(name, run_root, g);
  return ns;
}

static void move_smoothly(gliding *g) {
  for (int i = 0; i < moments; i++) {
    float phase = 6.2832f * (float)i / moments;
    moment_set(&g->at[i], (float[]){ 10 * sinf(phase), 15 * cosf(phase), 8 * sinf(2 * phase) },
               0.5f + 0.5f * sinf(phase), 0.5f - 0.5f * cosf(phase), 0.004f * cosf(phase));
  }
}

double bench_slide_root(void) {
  static gliding g;
  gliding_make(&g);
  move_smoothly(&g);
  for (int i = 0; i < moments; i++) circle_set(&g.at[i], &g.circles[i]);
  double ns = bench_time("one root, smooth motion", run_root, &g);
  sinew_pose_destroy(g.pose);
  sinew_rig_destroy(g.rig);
  return ns;
}

void bench_slide(void) {
  static gliding g;
  gliding_make(&g);
  move_smoothly(&g);
  bench_moments(&g, "smooth motion");
  for (int i = 0; i < moments; i++) {
    float turns[3];
    for (int k = 0; k < 3; k++) turns[k] = 50 * bench_random() - 25;
    moment_set(&g.at[i], turns, bench_random(), bench_random(), 0.02f * bench_random());
  }
  bench_moments(&g, "random input");
  for (int i = 0; i < moments; i++) {
    float turns[3];
    for (int k = 0; k < 3; k++) turns[k] = 50 * bench_random() - 25;
    moment_set(&g.at[i], turns, bench_random(), bench_random(), 0.15f + 0.1f * bench_random());
  }
  bench_moments(&g, "out of reach");
  sinew_pose_destroy(g.pose);
  sinew_rig_destroy(g.rig);
}
