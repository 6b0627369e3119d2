/* Mirrored poses: of random poses of whole figures, every bone is the mirror image of its
 * counterpart; and names change sides as the module changes them. */
#include "make.h"
#include "minunit.h"
#include "patient.h"

#include "plain/limbs.h"
#include "plain/mirror_pose.h"
#include "plain/side.h"
#include "plain/space.h"

#include <stdlib.h>
#include <string.h>

static sinew_host *open_rig(const char *path) {
  sinew_host_desc desc = patient_host_desc();
  sinew_error error;
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, path, &error) >= 0) return host;
  fprintf(stderr, "%s\n", error.text);
  sinew_host_destroy(host);
  return NULL;
}

/* the largest distance between a bone's origin, mirrored, and that of its counterpart; and how far
 * any bone is from its place at rest */
static float apart(const sinew_pose *one, const sinew_pose *other) {
  const sinew_rig *rig = sinew_pose_rig(one);
  float most = 0;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i), there = segment;
    char name[256];
    if (side_other(sinew_rig_segment_info(rig, segment).name, name, sizeof name))
      there = sinew_rig_find_segment(rig, name, NULL);
    const float *a = sinew_pose_world(one, segment) + 12;
    const float mirrored[3] = { -a[0], a[1], a[2] };
    most = fmaxf(most, space_distance(mirrored, sinew_pose_world(other, there) + 12));
  }
  return most;
}

static void check_mirror(const char *path, uint32_t seed) {
  sinew_host *host = open_rig(path);
  MU_CHECK(host != NULL);
  if (!host) return;
  const sinew_rig *rig = sinew_host_rig(host);
  int count = sinew_rig_dof_count(rig);
  mirror_dof *mirror = calloc((size_t)count, sizeof *mirror);
  float *values = calloc(2 * (size_t)count, sizeof *values), *turned = values + count;
  sinew_pose *one = sinew_pose_create(rig, NULL), *other = sinew_pose_create(rig, NULL);
  MU_CHECK(mirror_learn(host, mirror));
  for (int round = 0; round < mu_rounds(20); round++) {
    for (int i = 0; i < count; i++) {
      sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      values[i] = make_between(&seed, info.min, info.max);
    }
    sinew_pose_set_all(one, values, count, NULL);
    MU_CHECK(sinew_host_eval(host, one, NULL) >= 0);
    MU_INT(mirror_values(rig, mirror, sinew_pose_dofs(one), turned), 0);
    sinew_pose_set_all(other, turned, count, NULL);
    MU_CHECK(sinew_host_eval(host, other, NULL) >= 0);
    MU_NEAR(apart(one, other), 0, 1e-3f);
    MU_CHECK(apart(one, one) > 0.05f); /* the pose is not symmetric by itself */
  }
  sinew_pose_destroy(one);
  sinew_pose_destroy(other);
  free(mirror);
  free(values);
  sinew_host_destroy(host);
}

MU_TEST(a_mirrored_human_is_the_mirror_image) { check_mirror("rigs/human.lua", 1); }
MU_TEST(a_mirrored_creature_is_the_mirror_image) { check_mirror("rigs/creature.lua", 2); }

MU_TEST(a_dof_without_a_mirror_image_keeps_its_value) {
  sinew_host *host = open_rig("rigs/knee.lua");
  MU_CHECK(host != NULL);
  if (!host) return;
  const sinew_rig *rig = sinew_host_rig(host);
  int count = sinew_rig_dof_count(rig), lost = 0;
  mirror_dof mirror[64];
  float values[64], turned[64];
  MU_CHECK(count <= 64 && mirror_learn(host, mirror));
  for (int i = 0; i < count; i++) {
    values[i] = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).max;
    lost += mirror[i].sign == 0;
  }
  MU_CHECK(lost > 0);
  MU_INT(mirror_values(rig, mirror, values, turned), lost);
  for (int i = 0; i < count; i++)
    if (mirror[i].sign == 0) MU_NEAR(turned[i], values[i], 0);
  sinew_host_destroy(host);
}

MU_TEST(names_change_their_side) {
  static const char *const pairs[][2] = { { "left_hand", "right_hand" },
                                          { "femur_r", "femur_l" },
                                          { "Foot.L", "Foot.R" },
                                          { "LeftArm", "RightArm" },
                                          { "J_Bip_L_Hand", "J_Bip_R_Hand" },
                                          { "ARM RIGHT", "ARM LEFT" },
                                          { "right_knee.flexion", "left_knee.flexion" } };
  char name[64];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int k = 0; k < 2; k++) {
      MU_CHECK(side_other(pairs[i][k], name, sizeof name));
      MU_TEXT(name, pairs[i][1 - k]);
    }
  MU_CHECK(!side_other("pelvis", name, sizeof name));
  MU_TEXT(name, "pelvis");
}

static bool has_limb(const sinew_rig *rig, const limb *list, int count, const char *upper,
                     const char *lower, const char *tip, const char *end) {
  for (int i = 0; i < count; i++) {
    const sinew_segment parts[] = { list[i].upper, list[i].lower, list[i].tip, list[i].end };
    const char *const names[] = { upper, lower, tip, end };
    bool same = true;
    for (int k = 0; k < 4; k++)
      same &= strcmp(sinew_rig_segment_info(rig, parts[k]).name, names[k]) == 0;
    if (same) return true;
  }
  return false;
}

MU_TEST(limbs_are_found_by_their_shape) {
  static const char *const human[][4] = { { "humerus_r", "ulna_r", "carpus_r", "carpus_r" },
                                          { "femur_l", "tibia_l", "talus_l", "tarsus_l" } };
  static const char *const creature[][4] = { { "humerus_l", "forearm_l", "wrist_l", "wrist_l" },
                                             { "femur_r", "tibia_r", "metatarsus_r",
                                               "metatarsus_r" } };
  limb list[limb_most];
  for (int k = 0; k < 2; k++) {
    sinew_host *host = open_rig(k ? "rigs/creature.lua" : "rigs/human.lua");
    MU_CHECK(host != NULL);
    if (!host) return;
    int count = limb_find(host, list);
    MU_INT(count, 4);
    for (int i = 0; i < 2; i++) {
      const char *const *n = k ? creature[i] : human[i];
      MU_CHECK(has_limb(sinew_host_rig(host), list, count, n[0], n[1], n[2], n[3]));
    }
    /* the handle of a knee is in front of it, that of an elbow behind */
    for (int i = 0; i < count && !k; i++) {
      const char *upper = sinew_rig_segment_info(sinew_host_rig(host), list[i].upper).name;
      MU_CHECK(strncmp(upper, "femur", 5) == 0 ? list[i].handle[2] > 0.05f
                                               : list[i].handle[2] < -0.05f);
    }
    sinew_host_destroy(host);
  }
}

MU_SUITE(mirror_pose)
