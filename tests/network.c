/* See network.h. */
#include "network.h"

#include "make.h"

#include <stdio.h>
#include <string.h>

enum { most = 256, room = 48 };

typedef struct network {
  sinew_builder *b;
  uint32_t seed;
  char scalars[most][room], matrices[most][room]; /* what can be wired */
  int scalar_count, matrix_count;
  int segments;
  int parents[most];
} network;

static void offer(char (*list)[room], int *count, const char *name) {
  if (*count < most) snprintf(list[(*count)++], room, "%s", name);
}

static const char *scalar(network *n) { return n->scalars[make_index(&n->seed, n->scalar_count)]; }
static const char *matrix(network *n) { return n->matrices[make_index(&n->seed, n->matrix_count)]; }

static sinew_curve *random_curve(network *n) {
  float p[10], x = make_between(&n->seed, -100, -20);
  int count = 2 + make_index(&n->seed, 4);
  for (int i = 0; i < count; i++) {
    p[2 * i] = x, p[2 * i + 1] = make_between(&n->seed, -60, 60);
    x += make_between(&n->seed, 5, 60);
  }
  return make_curve((sinew_curve_kind)(SINEW_CURVE_PIECEWISE + make_index(&n->seed, 4)),
                    (sinew_outside)make_index(&n->seed, 4), p, count);
}

static void add_map(network *n, const char *name) {
  char wires[64], port[room];
  snprintf(wires, sizeof wires, "x=%s", scalar(n));
  sinew_curve *a = random_curve(n), *b = random_curve(n);
  make_part(n->b, MAKE_NO_SET, "map", name, wires,
            MAKE_PARAMS(sinew_param_curve("a", a), sinew_param_curve("b", b)));
  sinew_curve_destroy(a);
  sinew_curve_destroy(b);
  snprintf(port, sizeof port, "%s.a", name);
  offer(n->scalars, &n->scalar_count, port);
  snprintf(port, sizeof port, "%s.b", name);
  offer(n->scalars, &n->scalar_count, port);
}

static void add_dependency(network *n, const char *name) {
  static const char *const ways[] = { "map", "offset", "lower", "upper" };
  char wires[128];
  snprintf(wires, sizeof wires, "active=%s passive=%s", scalar(n), scalar(n));
  sinew_curve *f = random_curve(n);
  make_part(n->b, MAKE_NO_SET, "dependency", name, wires,
            MAKE_PARAMS(sinew_param_curve(ways[make_index(&n->seed, 4)], f)));
  sinew_curve_destroy(f);
  offer(n->scalars, &n->scalar_count, name);
}

static void make_rotation(network *n, const char *name) {
  char wires[64];
  float axis[3], angles[4], centres[9];
  int intervals = 1 + make_index(&n->seed, 3);
  make_axis(&n->seed, axis);
  angles[0] = make_between(&n->seed, -90, 10);
  for (int i = 0; i < 9; i++) centres[i] = make_between(&n->seed, -0.2f, 0.2f);
  for (int i = 1; i <= intervals; i++) angles[i] = angles[i - 1] + make_between(&n->seed, 5, 50);
  snprintf(wires, sizeof wires, "angle=%s", make_index(&n->seed, 8) ? scalar(n) : "#20");
  make_part(n->b, MAKE_NO_SET, "rotation", name, wires,
            MAKE_PARAMS(sinew_param_vector("axis", axis[0], axis[1], axis[2]),
                        sinew_param_numbers("angles", angles, intervals + 1),
                        sinew_param_vectors("centres", centres, intervals)));
}

static void add_rotation(network *n, const char *name) {
  make_rotation(n, name);
  offer(n->matrices, &n->matrix_count, name);
}

/* a product of rotations that nothing else reads, as most joints have */
static void add_turns(network *n, const char *name) {
  char wires[12 * room] = "", turn[room + 12], wire[2 * room + 12];
  int count = 1 + make_index(&n->seed, 5);
  for (int i = 0; i < count; i++) {
    snprintf(turn, sizeof turn, "%s_%d", name, i);
    make_rotation(n, turn);
    snprintf(wire, sizeof wire, "%smatrix=%s", i ? " " : "", turn);
    strcat(wires, wire);
  }
  make_part(n->b, MAKE_NO_SET, "multiply", name, wires, NULL, 0);
  offer(n->matrices, &n->matrix_count, name);
}

static void add_matrix(network *n, const char *name) {
  static const char *const orders[] = { "xyz", "zyx", "yxy" };
  char wires[160];
  switch (make_index(&n->seed, 4)) {
  case 0:
    /* a single wire too, so that one input alone makes it move */
    if (make_index(&n->seed, 2))
      snprintf(wires, sizeof wires, "z=%s", scalar(n));
    else
      snprintf(wires, sizeof wires, "x=%s z=%s", scalar(n), scalar(n));
    make_part(n->b, MAKE_NO_SET, "translation", name, wires, NULL, 0);
    break;
  case 1:
    snprintf(wires, sizeof wires, "first=%s second=%s third=#12.5", scalar(n), scalar(n));
    make_part(n->b, MAKE_NO_SET, "euler", name, wires,
              MAKE_PARAMS(sinew_param_text("order", orders[make_index(&n->seed, 3)])));
    break;
  case 2: {
    int segment = 1 + make_index(&n->seed, n->segments - 1);
    while (n->parents[segment] < 0) segment = (segment + 1) % n->segments;
    int ancestor = n->parents[segment];
    while (n->parents[ancestor] >= 0 && make_index(&n->seed, 2)) ancestor = n->parents[ancestor];
    char of[16], to[16];
    snprintf(of, sizeof of, "s%d", ancestor);
    snprintf(to, sizeof to, "s%d", segment);
    snprintf(wires, sizeof wires, "matrix=%s", matrix(n));
    make_part(n->b, MAKE_NO_SET, "compensate", name, wires,
              MAKE_PARAMS(sinew_param_text("ancestor", of), sinew_param_text("segment", to)));
    break;
  }
  default:
    snprintf(wires, sizeof wires, "matrix=%s matrix=%s matrix=%s", matrix(n), matrix(n), matrix(n));
    make_part(n->b, MAKE_NO_SET, "multiply", name, wires, NULL, 0);
  }
  offer(n->matrices, &n->matrix_count, name);
}

sinew_rig *network_make(uint32_t seed, int dofs, int components, int segments) {
  static _Thread_local network n;
  memset(&n, 0, sizeof n);
  n.b = sinew_builder_create("network", NULL);
  n.seed = seed;
  n.segments = segments;
  char name[room - 4], parent[room];
  for (int i = 0; i < segments; i++) {
    float frame[16];
    /* the first two make sure that there is a child; then one in ten starts a tree of its own */
    n.parents[i] = i == 0 || (i > 1 && make_index(&n.seed, 10) == 0) ? -1 : make_index(&n.seed, i);
    snprintf(name, sizeof name, "s%d", i);
    snprintf(parent, sizeof parent, "s%d", n.parents[i]);
    make_frame(&n.seed, make_index(&n.seed, MAKE_FRAMES), frame);
    make_placed(n.b, name, n.parents[i] < 0 ? NULL : parent, frame);
  }
  for (int i = 0; i < dofs; i++) {
    snprintf(name, sizeof name, "d%d", i);
    make_dof(n.b, MAKE_NO_SET, name, make_between(&n.seed, -120, 10),
             make_between(&n.seed, 20, 120));
    offer(n.scalars, &n.scalar_count, name);
  }
  for (int i = 0; i < components; i++) {
    snprintf(name, sizeof name, "c%d", i);
    int kind = i == 0 ? 2 : make_index(&n.seed, 6);
    if (kind == 0)
      add_map(&n, name);
    else if (kind == 1)
      add_dependency(&n, name);
    else if (kind == 2)
      add_rotation(&n, name);
    else if (kind == 3)
      add_turns(&n, name);
    else
      add_matrix(&n, name);
  }
  for (int i = 0; i < segments; i++)
    if (make_index(&n.seed, 4))
      sinew_builder_drive(n.b, (sinew_segment){ (uint32_t)i + 1 }, matrix(&n), NULL, NULL);
  return make_rig(n.b, NULL);
}

bool network_same(const sinew_pose *a, const sinew_pose *b) {
  static const size_t numbers[] = { 1, 3, 16 };
  const sinew_rig *rig = sinew_pose_rig(a);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).output_count; k++) {
      size_t bytes = numbers[sinew_rig_output_kind(rig, c, k)] * sizeof(float);
      if (memcmp(sinew_pose_value(a, c, k), sinew_pose_value(b, c, k), bytes) != 0) return false;
    }
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    if (memcmp(sinew_pose_local(a, s), sinew_pose_local(b, s), 16 * sizeof(float)) != 0)
      return false;
    if (memcmp(sinew_pose_world(a, s), sinew_pose_world(b, s), 16 * sizeof(float)) != 0)
      return false;
  }
  return true;
}

uint64_t network_digest(const sinew_pose *pose) {
  const unsigned char *bytes = (const void *)sinew_pose_worlds(pose);
  size_t count = 16 * sizeof(float) * (size_t)sinew_rig_segment_count(sinew_pose_rig(pose));
  uint64_t digest = 1469598103934665603u;
  for (size_t i = 0; i < count; i++) digest = (digest ^ bytes[i]) * 1099511628211u;
  return digest;
}
