/* Products of four against the nodes one by one, with awkward axes: equal, opposite, nearly so, and
 * along the coordinate axes. */
#include "compile/products_of_four.h"

#include "compile/fuse.h"
#include "evaluate/pose_internal.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <float.h>

/* a random axis, one equal or nearly equal to the last one, or a coordinate axis */
static void next_axis(uint32_t *seed, float *axis) {
  static const float off[] = { 0, 1e-8f, 1e-6f, 1e-4f, 1e-2f };
  int way = make_index(seed, 4);
  if (way == 0) {
    make_axis(seed, axis);
  } else if (way == 1) {
    int which = make_index(seed, 3);
    for (int i = 0; i < 3; i++) axis[i] = i == which ? (make_index(seed, 2) ? 1.0f : -1.0f) : 0;
  } else {
    float length = sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), much;
    much = off[make_index(seed, 5)];
    for (int i = 0; i < 3; i++)
      axis[i] = (way == 2 ? 1.0f : -1.0f) * axis[i] / length + make_between(seed, -much, much);
  }
}

static void add_turn(sinew_builder *b, uint32_t *seed, const char *name, float *axis, bool many) {
  char wire[64];
  next_axis(seed, axis);
  const float angles[] = { -100, make_between(seed, -50, 50), 110 };
  snprintf(wire, sizeof wire, "angle=%s_angle", name);
  sinew_param params[4] = {
    sinew_param_vector("axis", axis[0], axis[1], axis[2]),
    sinew_param_number("rest", make_between(seed, -90, 90)),
    sinew_param_vector("centre", make_between(seed, -1, 1), make_between(seed, -1, 1),
                       make_between(seed, -1, 1)),
    sinew_param_numbers("angles", angles, 3),
  };
  make_part(b, MAKE_NO_SET, "rotation", name, wire, params, many ? 4 : 3);
}

/* `products` of `turns` rotations each, every one driving a segment; if `many`, some rotations have
 * two intervals */
static sinew_rig *products_rig(uint32_t *seed, int products, int turns, float range, bool many) {
  sinew_builder *b = sinew_builder_create("products", NULL);
  for (int i = 0; i < products; i++) {
    char name[32], wires[192] = "", parent[32];
    float rest[16], axis[3] = { 1, 0, 0 };
    make_frame(seed, make_index(seed, MAKE_FRAMES), rest);
    snprintf(name, sizeof name, "s%d", i);
    snprintf(parent, sizeof parent, "s%d", i - 1);
    sinew_segment s = make_placed(b, name, i ? parent : NULL, rest);
    for (int k = 0; k < turns; k++) {
      snprintf(name, sizeof name, "r%d_%d_angle", i, k);
      sinew_add_dof(b, name, NULL, -range, range);
      snprintf(name, sizeof name, "r%d_%d", i, k);
      add_turn(b, seed, name, axis, many && make_index(seed, 6) == 0);
      snprintf(wires + strlen(wires), 48, "%smatrix=%s", k ? " " : "", name);
    }
    snprintf(name, sizeof name, "m%d", i);
    make_part(b, MAKE_NO_SET, "multiply", name, wires, NULL, 0);
    sinew_builder_drive(b, s, name, NULL, NULL);
  }
  return make_rig(b, NULL);
}

/* the fused program's matrix of each segment, against rest times the node's own matrix */
static double products_off(const sinew_rig *rig, const sinew_pose *pose) {
  double off = 0;
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    const si_slot *slot = &rig->slots[i];
    const sinew_node *node =
        &rig->nodes[rig->node_of[rig->model.segments[slot->segment].source.id - 1]];
    dmat product = dmat_of(rig->rest + 16 * (size_t)i);
    for (uint32_t k = 0; k < node->input_count; k++)
      product = dmat_mul(product, dmat_of(sinew_node_in(node, si_pose_values(pose), k)));
    off = fmax(off, dmat_off(product, pose->values + slot->placed));
  }
  return off;
}

static int quads_that_work(const sinew_rig *rig, int products) {
  int works = 0;
  for (int i = 0; i < (products + 3) / 4; i++) works += rig->fused->quads[i].works;
  return works;
}

MU_TEST(products_of_four_agree_with_their_rotations) {
  uint32_t seed = 1201;
  int together = 0, singly = 0;
  for (int round = 0; round < mu_rounds(200); round++) {
    int products = 1 + make_index(&seed, 11), turns = 2 + round % 2;
    float range = round % 3 == 0 ? 40 : round % 3 == 1 ? 200 : 1e9f;
    OWNED(rig) *rig = MU_MADE(products_rig(&seed, products, turns, range, round % 4 == 3));
    int works = quads_that_work(rig, products);
    together += works, singly += (products + 3) / 4 - works;
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    for (int step = 0; step < 10; step++) {
      /* moves all, or one: then its neighbours are recomputed too */
      int dofs = sinew_rig_dof_count(rig), from = step % 2 ? make_index(&seed, dofs) : 0;
      for (int i = from; i < (step % 2 ? from + 1 : dofs); i++)
        sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(&seed, -range, range), NULL);
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      MU_NEAR(products_off(rig, pose), 0, 1e-6);
    }
  }
  MU_CHECK(together > 0 && singly > 0); /* otherwise nothing was tested */
}

MU_TEST(a_product_does_not_depend_on_which_neighbours_moved) {
  uint32_t seed = 1203;
  for (int round = 0; round < mu_rounds(60); round++) {
    int turns = 2 + round % 2;
    OWNED(rig) *rig = products_rig(&seed, 1 + make_index(&seed, 11), turns, 120, round % 4 == 3);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL), *whole = sinew_pose_create(rig, NULL);
    int dofs = sinew_rig_dof_count(rig), segments = sinew_rig_segment_count(rig);
    sinew_pose_eval(pose, NULL);
    for (int step = 0; step < 12; step++) {
      /* of as many products as that, one after the other */
      int first = make_index(&seed, dofs), last = first + turns * make_index(&seed, 6);
      for (int i = first; i <= last && i < dofs; i++)
        sinew_pose_set(pose, sinew_rig_dof(rig, i),
                       i % 5 ? make_between(&seed, -120, 120) : 45.0f * (float)make_index(&seed, 3),
                       NULL);
      sinew_pose_set_all(whole, sinew_pose_dofs(pose), dofs, NULL);
      whole->fresh = true;
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      MU_INT(sinew_pose_eval(whole, NULL), SINEW_OK);
      MU_CHECK(memcmp(sinew_pose_worlds(pose), sinew_pose_worlds(whole),
                      16 * sizeof(float) * (size_t)segments) == 0);
      /* zeros in the last row must have the same sign too */
      for (int i = 0; i < segments; i++)
        MU_CHECK(memcmp(pose->values + rig->slots[i].placed, whole->values + rig->slots[i].placed,
                        16 * sizeof(float)) == 0);
    }
  }
}

MU_TEST(a_product_that_overflows_fails_and_keeps_its_last_transform) {
  uint32_t seed = 1202;
  OWNED(rig) *rig = products_rig(&seed, 5, 3, 90, false);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  float before[16];
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  memcpy(before, sinew_pose_world(pose, sinew_rig_segment(rig, 2)), sizeof before);
  sinew_param far = sinew_param_vector("centre", FLT_MAX, FLT_MAX, FLT_MAX);
  sinew_component r = sinew_rig_find_component(rig, "r2_1", NULL);
  MU_INT(sinew_rig_set_param(rig, r, &far, NULL), SINEW_OK);
  sinew_pose_set(pose, sinew_rig_dof(rig, 7), 60, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_ERR_NOT_FINITE);
  MU_CHECK(memcmp(before, sinew_pose_world(pose, sinew_rig_segment(rig, 2)), sizeof before) == 0);
}

MU_SUITE(products_of_four)
