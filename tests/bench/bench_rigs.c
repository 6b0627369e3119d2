/* Rigs for the benchmarks; see bench_rigs.h. */
#include "bench_rigs.h"

#include "bench.h"
#include "bench_body.h"

#include <stdio.h>

static sinew_component add(sinew_builder *b, const sinew_component_desc *desc) {
  sinew_error error;
  sinew_component c = sinew_builder_add_component(b, desc, &error);
  bench_check(c.id != 0, &error);
  return c;
}

static sinew_segment add_segment(sinew_builder *b, const char *name, const char *parent, float y) {
  sinew_error error;
  sinew_segment_desc desc = sinew_default_segment_desc();
  desc.name = name, desc.parent = parent, desc.rest[13] = y;
  desc.rest[14] = 0.01f * bench_random();
  sinew_segment s = sinew_builder_add_segment(b, &desc, &error);
  bench_check(s.id != 0, &error);
  return s;
}

static void add_dof(sinew_builder *b, sinew_joint_set set, const char *name, float range) {
  sinew_error error;
  sinew_dof_desc desc = sinew_default_dof_desc();
  desc.name = name, desc.joint_set = set, desc.min = -range, desc.max = range;
  bench_check(sinew_builder_add_dof(b, &desc, &error).id != 0, &error);
}

static void add_rotation(sinew_builder *b, sinew_joint_set set, const char *name, const char *from,
                         int axis) {
  float v[3] = { 0.1f * bench_random(), 0.1f * bench_random(), 0.1f * bench_random() };
  v[axis] = 1;
  sinew_param params[] = { sinew_param_vector("axis", v[0], v[1], v[2]),
                           sinew_param_vector("centre", 0, 0.01f * bench_random(), -0.01f) };
  sinew_wire wire = sinew_wire_name("angle", from);
  add(b, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                  .kind = "rotation",
                                  .name = name,
                                  .joint_set = set,
                                  .wires = &wire,
                                  .wire_count = 1,
                                  .params = params,
                                  .param_count = 2 });
}

static void add_product(sinew_builder *b, sinew_joint_set set, const char *name,
                        const char (*factors)[64], int count, sinew_segment segment) {
  sinew_error error;
  sinew_wire wires[8];
  for (int i = 0; i < count; i++) wires[i] = sinew_wire_name("matrix", factors[i]);
  sinew_component product = add(b, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                                            .kind = "multiply",
                                                            .name = name,
                                                            .joint_set = set,
                                                            .wires = wires,
                                                            .wire_count = count });
  const char *full = sinew_builder_component_name(b, product);
  bench_check(sinew_builder_drive(b, segment, full, NULL, &error) == SINEW_OK, &error);
}

static sinew_rig *finish(sinew_builder *b) {
  sinew_error error;
  sinew_rig *rig = sinew_builder_compile(b, &error);
  bench_check(rig != NULL, &error);
  sinew_builder_destroy(b);
  return rig;
}

static void spine_set(sinew_builder *b, sinew_joint_set set, int first, int count) {
  static const char *const dofs[] = { "flexion", "bend", "twist" };
  sinew_error error;
  char names[32][16];
  sinew_param curves[32];
  sinew_curve *made[32];
  for (int d = 0; d < 3; d++) {
    add_dof(b, set, dofs[d], 1);
    for (int i = 0; i < count; i++) {
      const float points[] = { -1, -4 - 8 * bench_random(), 0, 0, 1, 4 + 2 * bench_random() };
      sinew_curve_desc desc = sinew_default_curve_desc();
      desc.points = points, desc.point_count = 3;
      made[i] = sinew_curve_create(&desc, &error);
      bench_check(made[i] != NULL, &error);
      snprintf(names[i], sizeof names[i], "v%d", first + i);
      curves[i] = sinew_param_curve(names[i], made[i]);
    }
    char name[16];
    snprintf(name, sizeof name, "map%d", d);
    sinew_wire wire = sinew_wire_name("x", dofs[d]);
    add(b, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                    .kind = "map",
                                    .name = name,
                                    .joint_set = set,
                                    .wires = &wire,
                                    .wire_count = 1,
                                    .params = curves,
                                    .param_count = count });
    for (int i = 0; i < count; i++) sinew_curve_destroy(made[i]);
  }
  for (int i = 0; i < count; i++) {
    char factors[3][64], name[32], segment[32], parent[32], from[32];
    snprintf(segment, sizeof segment, "v%d", first + i);
    snprintf(parent, sizeof parent, "v%d", first + i - 1);
    sinew_segment s = add_segment(b, segment, first + i ? parent : NULL, 0.03f);
    for (int d = 0; d < 3; d++) {
      snprintf(factors[d], sizeof factors[d], "r%d_%d", first + i, d);
      snprintf(from, sizeof from, "map%d.v%d", d, first + i);
      add_rotation(b, set, factors[d], from, d);
    }
    snprintf(name, sizeof name, "m%d", first + i);
    add_product(b, set, name, (const char(*)[64])factors, 3, s);
  }
}

sinew_rig *bench_spine(int sets, int vertebrae) {
  static const char *const names[] = { "lumbar", "thoracic", "cervical" };
  static const int share[] = { 5, 12, 7 };
  sinew_error error;
  sinew_builder *b = sinew_builder_create("spine", &error);
  bench_check(b != NULL, &error);
  int first = 0;
  for (int i = 0; i < sets; i++) {
    int at = 3 - sets + i, count = sets == 1 ? vertebrae : share[at];
    sinew_joint_set set = sinew_builder_add_joint_set(b, names[at], NULL, &error);
    bench_check(set.id != 0, &error);
    spine_set(b, set, first, count);
    first += count;
  }
  return finish(b);
}

sinew_rig *bench_body(int segments, int rotations) {
  body b = body_make(segments, rotations, 15);
  sinew_rig *rig = body_rig(&b);
  body_free(&b);
  return rig;
}
