/* See gliding.h. */
#include "gliding.h"
#include "owned.h"

#include "math/angle.h"
#include "math/matrix.h"

static uint32_t state;

void gliding_seed(uint32_t seed) { state = seed; }

float gliding_random(float low, float high) {
  state = state * 1664525u + 1013904223u;
  return low + (high - low) * (float)(state >> 8) / 16777216.0f;
}

static void random_turn(float *dest) {
  float axis[3] = { gliding_random(-1, 1), gliding_random(-1, 1), gliding_random(-1, 1) + 2 };
  si_vec_unit(axis, axis);
  si_mat_turn(axis, gliding_random(-180, 180), dest);
}

gliding gliding_at_random(void) {
  gliding g = { .window = { -90, 90 }, .lift_range = { 0, 1 }, .rotation_range = { 0, 1 } };
  for (int i = 0; i < 3; i++) {
    g.radii[i] = gliding_random(0.05f, 0.2f);
    g.centre[i] = gliding_random(-0.1f, 0.1f);
    g.axis[i] = gliding_random(-1, 1);
    for (int k = 0; k < 6; k++) g.pairs[i][k] = gliding_random(-0.15f, 0.15f);
  }
  random_turn(g.orientation);
  random_turn(g.frame);
  for (int i = 0; i < 3; i++) g.frame[12 + i] = gliding_random(-0.1f, 0.1f);
  return g;
}

gliding gliding_of_the_paper(void) {
  gliding g = {
    .pairs = { { 8.5f, -4, -0.3f, 8.7f, -2.4f, -0.1f },
               { 8.2f, 0, -0.1f, 7.5f, 2, 0 },
               { 8, 2, -0.8f, 7, 3, -0.6f } },
    .radii = { 9, 15, 10 },
    .centre = { 6, -4, 10 },
    .axis = { 0.263f, -0.912f, 0.314f },
    .window = { -90, 90 },
    .lift_range = { 0, 1 },
    .rotation_range = { 0, 1 },
  };
  si_mat_identity(g.orientation);
  si_mat_identity(g.frame);
  return g;
}

void gliding_describe(const gliding *g, sinew_param *dest) {
  dest[0] = sinew_param_numbers("radii", g->radii, 3);
  dest[1] = sinew_param_vector("axis", g->axis[0], g->axis[1], g->axis[2]);
  dest[2] = sinew_param_vectors("pair1", g->pairs[0], 2);
  dest[3] = sinew_param_vectors("pair2", g->pairs[1], 2);
  dest[4] = sinew_param_vectors("pair3", g->pairs[2], 2);
  dest[5] = sinew_param_vector("centre", g->centre[0], g->centre[1], g->centre[2]);
  dest[6] = sinew_param_matrix("orientation", g->orientation);
  dest[7] = sinew_param_numbers("window", g->window, 2);
  dest[8] = sinew_param_numbers("lift_range", g->lift_range, 2);
  dest[9] = sinew_param_numbers("rotation_range", g->rotation_range, 2);
}

void gliding_add_dof(sinew_builder *b, const char *name, float min, float max) {
  sinew_dof_desc desc = sinew_default_dof_desc();
  desc.name = name, desc.min = min, desc.max = max;
  sinew_builder_add_dof(b, &desc, NULL);
}

sinew_rig *gliding_compile(const sinew_param *params, int count, const float *frame,
                           sinew_error *error) {
  OWNED(builder) *b = sinew_builder_create("slide", error);
  gliding_add_dof(b, "lift", -1000, 1000);
  gliding_add_dof(b, "rotation", -1000, 1000);
  sinew_wire wires[] = { sinew_wire_numbers("frame", frame, 16), sinew_wire_name("lift", "lift"),
                         sinew_wire_name("rotation", "rotation") };
  sinew_component_desc slide = { .size = sizeof slide,
                                 .kind = "slide",
                                 .name = "glide",
                                 .wires = wires,
                                 .wire_count = 3,
                                 .params = params,
                                 .param_count = count };
  sinew_builder_add_component(b, &slide, error);
  sinew_rig *rig = sinew_builder_compile(b, error);
  return rig;
}

void gliding_turn(const double *axis, double degrees, const double *v, double *dest) {
  double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double x[3] = { axis[0] / n, axis[1] / n, axis[2] / n };
  double c = cos(degrees * SI_DEG), s = sin(degrees * SI_DEG);
  double d = x[0] * v[0] + x[1] * v[1] + x[2] * v[2], out[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = c * v[i] + s * (x[j] * v[k] - x[k] * v[j]) + (1 - c) * d * x[i];
  }
  memcpy(dest, out, sizeof out);
}

double gliding_ellipsoid(const gliding *g, const float *frame, const double *p) {
  double sum = -1;
  for (int axis = 0; axis < 3; axis++) {
    double along = 0;
    for (int i = 0; i < 3; i++) {
      double q = (double)frame[i] * p[0] + (double)frame[4 + i] * p[1] +
                 (double)frame[8 + i] * p[2] + (double)frame[12 + i] - (double)g->centre[i];
      along += (double)g->orientation[4 * axis + i] * q;
    }
    sum += along * along / ((double)g->radii[axis] * (double)g->radii[axis]);
  }
  return sum;
}

void gliding_blend(const gliding *g, double l, double r, double *dest) {
  for (int i = 0; i < 6; i++)
    dest[i] = (1 - r) * l * (double)g->pairs[0][i] + (1 - r) * (1 - l) * (double)g->pairs[1][i] +
              r * (double)g->pairs[2][i];
}

const float gliding_clavicle_at[3] = { -2, 3, 4 }, gliding_scapula_at[3] = { -14, 1, -6 };

void gliding_add(sinew_builder *b, const char *kind, const char *name, const sinew_wire *wires,
                 int wire_number, const sinew_param *params, int param_number) {
  sinew_component_desc desc = { .size = sizeof desc,
                                .kind = kind,
                                .name = name,
                                .wires = wires,
                                .wire_count = wire_number,
                                .params = params,
                                .param_count = param_number };
  sinew_builder_add_component(b, &desc, NULL);
}

static sinew_wire constant_place(const float *at) {
  const float m[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at[0], at[1], at[2], 1 };
  return sinew_wire_numbers("matrix", m, 16);
}

sinew_rig *gliding_shoulder(const gliding *g, sinew_error *error) {
  OWNED(builder) *b = sinew_builder_create("shoulder", error);
  static const char *const names[] = { "thorax", "clavicle", "scapula" };
  const float *places[] = { (const float[]){ 0, 0, 0 }, gliding_clavicle_at, gliding_scapula_at };
  sinew_segment segments[3];
  for (int i = 0; i < 3; i++) {
    sinew_segment_desc desc = sinew_default_segment_desc();
    desc.name = names[i], desc.parent = i ? names[i - 1] : NULL;
    memcpy(desc.rest + 12, places[i], 3 * sizeof(float));
    segments[i] = sinew_builder_add_segment(b, &desc, error);
  }
  gliding_add_dof(b, "elevation", -10, 23);
  gliding_add_dof(b, "protraction", -15, 15);
  gliding_add_dof(b, "abduction", 0, 180);
  sinew_param axis = sinew_param_vector("axis", 0, 0, -1);
  gliding_add(b, "rotation", "raise", (sinew_wire[]){ sinew_wire_name("angle", "elevation") }, 1,
              &axis, 1);
  axis = sinew_param_vector("axis", 0, 1, 0);
  gliding_add(b, "rotation", "swing", (sinew_wire[]){ sinew_wire_name("angle", "protraction") }, 1,
              &axis, 1);
  const sinew_wire clavicle[] = { sinew_wire_name("matrix", "raise"),
                                  sinew_wire_name("matrix", "swing") };
  gliding_add(b, "multiply", "clavicle", clavicle, 2, NULL, 0);
  const sinew_param who[] = { sinew_param_text("ancestor", "clavicle"),
                              sinew_param_text("segment", "scapula") };
  gliding_add(b, "compensate", "level", (sinew_wire[]){ sinew_wire_name("matrix", "clavicle") }, 1,
              who, 2);
  sinew_curve_desc curve = sinew_default_curve_desc();
  const float points[] = { 0, 0, 180, 60 };
  curve.points = points, curve.point_count = 2;
  OWNED(curve) *third = sinew_curve_create(&curve, error);
  sinew_param map = sinew_param_curve("map", third);
  gliding_add(b, "dependency", "rhythm", (sinew_wire[]){ sinew_wire_name("active", "abduction") },
              1, &map, 1);
  axis = sinew_param_vector("axis", 0, 0, -1);
  gliding_add(b, "rotation", "turn", (sinew_wire[]){ sinew_wire_name("angle", "rhythm") }, 1, &axis,
              1);
  const sinew_wire frame[] = { constant_place(gliding_clavicle_at),
                               sinew_wire_name("matrix", "clavicle"),
                               constant_place(gliding_scapula_at),
                               sinew_wire_name("matrix", "level"),
                               sinew_wire_name("matrix", "turn") };
  gliding_add(b, "multiply", "frame", frame, 5, NULL, 0);
  sinew_param params[gliding_params];
  gliding_describe(g, params);
  const sinew_wire inputs[] = { sinew_wire_name("frame", "frame"),
                                sinew_wire_name("lift", "elevation"),
                                sinew_wire_name("rotation", "rhythm") };
  gliding_add(b, "slide", "glide", inputs, 3, params, gliding_params);
  const sinew_wire product[] = { sinew_wire_name("matrix", "level"),
                                 sinew_wire_name("matrix", "turn"),
                                 sinew_wire_name("matrix", "glide.transform") };
  gliding_add(b, "multiply", "scapula", product, 3, NULL, 0);
  sinew_builder_drive(b, segments[1], "clavicle", NULL, error);
  sinew_builder_drive(b, segments[2], "scapula", NULL, error);
  sinew_rig *rig = sinew_builder_compile(b, error);
  return rig;
}
