/* The bare body and its rig; see bench_body.h. */
#include "bench_body.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_rotations = 8 };

/* a separate random sequence, so that a body does not depend on what ran before */
static float from_0_to_1(uint32_t *state) {
  *state ^= *state << 13, *state ^= *state >> 17, *state ^= *state << 5;
  return (float)(*state >> 8) / 16777216.0f;
}

body body_make(int segments, int rotations, int limb) {
  size_t n = (size_t)segments, turns = n * (size_t)rotations;
  uint32_t state = 2463534242u;
  body b = { .segments = segments,
             .rotations = rotations,
             .parent = malloc(n * sizeof *b.parent),
             .offset = malloc(n * sizeof *b.offset),
             .axis = malloc(turns * sizeof *b.axis),
             .centre = malloc(turns * sizeof *b.centre) };
  for (int s = 0; s < segments; s++) {
    b.parent[s] = s == 0 ? -1 : s % limb ? s - 1 : 0;
    b.offset[s][0] = 0, b.offset[s][1] = 0.1f, b.offset[s][2] = 0.01f * from_0_to_1(&state);
    for (int r = 0; r < rotations; r++) {
      float *axis = b.axis[s * rotations + r], *centre = b.centre[s * rotations + r];
      for (int k = 0; k < 3; k++) axis[k] = k == r % 3 ? 1 : 0.1f * from_0_to_1(&state);
      float length = sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      for (int k = 0; k < 3; k++) axis[k] /= length;
      centre[0] = 0, centre[1] = 0.01f * from_0_to_1(&state), centre[2] = -0.01f;
    }
  }
  return b;
}

void body_free(body *b) {
  free(b->parent);
  free(b->offset);
  free(b->axis);
  free(b->centre);
}

static void add_rotation(sinew_builder *to, sinew_joint_set set, int r, const float *axis,
                         const float *centre) {
  sinew_error error;
  char dof_name[16], name[16];
  snprintf(dof_name, sizeof dof_name, "q%d", r);
  snprintf(name, sizeof name, "r%d", r);
  sinew_dof_desc dof = sinew_default_dof_desc();
  dof.name = dof_name, dof.joint_set = set, dof.min = -body_range, dof.max = body_range;
  bench_check(sinew_builder_add_dof(to, &dof, &error).id != 0, &error);
  sinew_param params[] = { sinew_param_vector("axis", axis[0], axis[1], axis[2]),
                           sinew_param_vector("centre", centre[0], centre[1], centre[2]) };
  sinew_wire wire = sinew_wire_name("angle", dof_name);
  sinew_component_desc desc = { .size = sizeof desc,
                                .kind = "rotation",
                                .name = name,
                                .joint_set = set,
                                .wires = &wire,
                                .wire_count = 1,
                                .params = params,
                                .param_count = 2 };
  bench_check(sinew_builder_add_component(to, &desc, &error).id != 0, &error);
}

static void add_segment(sinew_builder *to, const body *b, int s) {
  sinew_error error;
  char name[16], parent[16], set_name[16], factors[most_rotations][16];
  snprintf(name, sizeof name, "s%d", s);
  snprintf(parent, sizeof parent, "s%d", b->parent[s]);
  snprintf(set_name, sizeof set_name, "j%d", s);
  sinew_joint_set set = sinew_builder_add_joint_set(to, set_name, NULL, &error);
  bench_check(set.id != 0, &error);
  sinew_segment_desc desc = sinew_default_segment_desc();
  desc.name = name, desc.parent = s ? parent : NULL;
  for (int k = 0; k < 3; k++) desc.rest[12 + k] = b->offset[s][k];
  sinew_segment segment = sinew_builder_add_segment(to, &desc, &error);
  bench_check(segment.id != 0, &error);
  sinew_wire wires[most_rotations];
  for (int r = 0; r < b->rotations; r++) {
    int at = s * b->rotations + r;
    add_rotation(to, set, r, b->axis[at], b->centre[at]);
    snprintf(factors[r], sizeof factors[r], "r%d", r);
    wires[r] = sinew_wire_name("matrix", factors[r]);
  }
  sinew_component_desc product = { .size = sizeof product,
                                   .kind = "multiply",
                                   .name = "m",
                                   .joint_set = set,
                                   .wires = wires,
                                   .wire_count = b->rotations };
  sinew_component driver = sinew_builder_add_component(to, &product, &error);
  bench_check(driver.id != 0, &error);
  const char *full = sinew_builder_component_name(to, driver);
  bench_check(sinew_builder_drive(to, segment, full, NULL, &error) == SINEW_OK, &error);
}

sinew_rig *body_rig(const body *b) {
  sinew_error error;
  sinew_builder *builder = sinew_builder_create("body", &error);
  bench_check(builder != NULL, &error);
  for (int s = 0; s < b->segments; s++) add_segment(builder, b, s);
  sinew_rig *rig = sinew_builder_compile(builder, &error);
  bench_check(rig != NULL, &error);
  sinew_builder_destroy(builder);
  return rig;
}
