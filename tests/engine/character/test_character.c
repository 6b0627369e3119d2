/* Characters: what is read, what is wrong with files, following a rig against products in doubles,
 * limits of joints that are known, and files that read back. */
#include "fuzz/fuzz_character.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scarce.h"

#include <cglm/cglm.h>
#include <math.h>

static sinew_error error;

/* hips, with a leg of two joints; boxes hang on all three */
#define NODES                                                                                      \
  "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":["                      \
  "{\"name\":\"hips\",\"translation\":[0,1,0],\"children\":[1,3]},"                                \
  "{\"name\":\"thigh\",\"translation\":[0,-0.1,0],\"children\":[2]},"                              \
  "{\"name\":\"shin\",\"translation\":[0,-0.4,0],\"rotation\":[0,0.70710678,0,0.70710678],"        \
  "\"scale\":[2,2,2]},{\"name\":\"tail\",\"translation\":[0,0,-0.2]}]"
static const char plain[] = NODES "}";
static const char vrm1[] = NODES ",\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{"
                                 "\"hips\":{\"node\":0},\"leftUpperLeg\":{\"node\":1}}}}}}";
static const char vrm0[] =
    NODES ",\"extensions\":{\"VRM\":{\"humanoid\":{\"humanBones\":["
          "{\"bone\":\"leftLowerLeg\",\"node\":2},{\"bone\":\"jaw\",\"node\":-1}"
          "]}}}}";
static const char binding[] =
    "{\"file\":\"a.glb\",\"place\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"pose\":{\"leg.bend\":10},"
    "\"joints\":{\"hips\":{\"segment\":\"pelvis\"},\"thigh\":{\"segment\":\"femur\"},"
    "\"shin\":{\"segment\":\"tibia\"}}}";

static sinew_character *parse(const char *text) {
  return sinew_character_parse("a.gltf", text, strlen(text), &error);
}

static sinew_rig *make_leg_with(bool spread) {
  OWNED(builder) *b = sinew_builder_create("leg", &error);
  sinew_segment pelvis = sinew_add_bone(b, SINEW_ROOT, "pelvis", (sinew_vec3){ 0, 1, 0 });
  sinew_segment femur = sinew_add_bone(b, pelvis, "femur", (sinew_vec3){ 0, -0.1f, 0 });
  sinew_segment tibia = sinew_add_bone(b, femur, "tibia", (sinew_vec3){ 0, -0.4f, 0 });
  sinew_add_hinge(b, femur, "leg.swing", SINEW_X, -30, 60);
  if (spread) sinew_add_hinge(b, femur, "leg.spread", SINEW_Z, -10, 50);
  sinew_add_hinge(b, femur, "leg.roll", SINEW_Y, -20, 40);
  sinew_add_hinge(b, tibia, "leg.bend", SINEW_X, 0, 120);
  return sinew_builder_compile(b, &error);
}
static sinew_rig *make_leg(void) { return make_leg_with(false); }

MU_TEST(character_has_nodes_names_and_humanoid_maps) {
  OWNED(character) *c = MU_MADE_OR(parse(plain), error.text);
  MU_INT(sinew_character_node_count(c), 4);
  MU_INT(sinew_character_find(c, "shin", &error), 3);
  MU_INT(sinew_character_find(c, "#2", &error), 2);
  MU_INT(sinew_character_find(c, "shim", &error), -1);
  MU_HAS(error.text, "did you mean 'shin'");
  MU_NEAR(sinew_character_node_info(c, 3).bind[13], 0.5, 1e-6);
  MU_NEAR(sinew_character_height(c), 0.5, 1e-6);
  OWNED(character) *one = MU_MADE_OR(parse(vrm1), error.text);
  MU_TEXT(sinew_character_node_info(one, 1).human, "leftUpperLeg");
  MU_CHECK(!sinew_character_node_info(one, 2).human);
  OWNED(character) *zero = MU_MADE_OR(parse(vrm0), error.text);
  MU_TEXT(sinew_character_node_info(zero, 3).human, "leftLowerLeg");
}

/* the root's bind matrix places it at the origin, while its node rests at (1 0 0) */
MU_TEST(character_takes_its_bind_pose_from_the_bind_matrices) {
  unsigned char bytes[FUZZ_ROOM];
  size_t size = fuzz_gltf_skinned(bytes);
  OWNED(character) *c = MU_MADE_OR(sinew_character_parse("a.glb", bytes, size, &error), error.text);
  int root = sinew_character_find(c, "root", &error), tip = sinew_character_find(c, "tip", &error);
  const float *a = sinew_character_node_info(c, root).bind;
  const float *b = sinew_character_node_info(c, tip).bind;
  for (int k = 0; k < 3; k++) MU_NEAR(b[12 + k] - a[12 + k], k == 1, 1e-6);
  MU_INT(sinew_character_part_count(c), 1);
  MU_INT(sinew_character_matrix_count(c), 2);
  MU_HAS(sinew_character_warnings(c), "the weights of 1 vertices do not sum to one");
  MU_NEAR(sinew_character_node_info(c, root).weight, 1.5, 1e-6);
}

/* a joint in two sets counts once, with the sum of its weights; texture coordinates are moved */
MU_TEST(character_adds_weights_of_a_joint_and_moves_texture_coordinates) {
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":[{},{},"
      "{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0,1]}],\"buffers\":[{\"byteLength\":72}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,"
      "\"JOINTS_1\":1,\"WEIGHTS_1\":2,\"TEXCOORD_0\":3},\"material\":0}]}],"
      "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
      "\"extensions\":{\"KHR_texture_transform\":{\"offset\":[1,2],\"scale\":[2,4],"
      "\"rotation\":1.57079633}}}}}],\"textures\":[{}],\"accessors\":["
      "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
      "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
      "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"},"
      "{\"bufferView\":3,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC2\"}]"
      ","
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
      "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
      "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
      "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":12,\"byteStride\":4}]}";
  unsigned char data[72] = { 0 }, glb[4000];
  for (int i = 0; i < 3; i++) {
    data[36 + 4 * i + 1] = 1;
    data[48 + 4 * i] = 51, data[48 + 4 * i + 1] = 204;
    data[60 + 4 * i] = 255;
  }
  const size_t size = fuzz_glb(text, data, sizeof data, glb);
  OWNED(character) *c = MU_MADE_OR(sinew_character_parse("a.glb", glb, size, &error), error.text);
  const sinew_character_part part = sinew_character_part_info(c, 0);
  MU_INT(part.joints[0], 1);
  MU_NEAR(part.weights[0], 0.8, 1e-6);
  MU_NEAR(part.weights[1], 0.2, 1e-6);
  MU_NEAR(part.weights[2], 0, 0);
  MU_CHECK(!strstr(sinew_character_warnings(c), "left out"));
  MU_NEAR(part.uvs[0], 1, 1e-6);
  MU_NEAR(part.uvs[1], 0, 1e-6);
}

MU_TEST(character_files_that_are_wrong_say_so) {
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "{", "a.gltf:1" },
    { "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},"
      "{\"children\":[0]}]}",
      "node 0 is used twice" },
    { "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[]}],\"nodes\":[]}", "no nodes" },
    { "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
      "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
      "\"texCoord\":4294967295}}}],\"textures\":[{}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":"
      "\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}",
      "'texCoord' is 4294967295" },
    { "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
      "compressed (Draco)" },
    { "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_meshopt_compression\"]}",
      "compressed (meshopt)" },
    { NODES ",\"skins\":[{\"joints\":[]}]}", "skin 0 has no 'joints'" },
    { NODES ",\"skins\":[{\"joints\":[9]}]}", "there is no node 9" },
    { NODES
      ",\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":0}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5126,\"count\":2147483648,\"type\":\"MAT4\"}],\"bufferViews\":[{"
      "\"buffer\":0,\"byteLength\":64}],\"buffers\":[{\"byteLength\":64,\"uri\":\"data:;base64,"
      "AAAA\"}]}",
      "buffer 0 has 3 bytes" },
    { NODES
      ",\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":0}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5126,\"count\":2147483648,\"type\":\"MAT4\"}],\"bufferViews\":[{"
      "\"buffer\":0,\"byteLength\":3}],\"buffers\":[{\"byteLength\":3,\"uri\":\"data:;base64,"
      "AAAA\"}]}",
      "accessor 0 reaches past the end" },
    { NODES
      ",\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":0}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}],\"bufferViews\":[{\"buffer\":0,"
      "\"byteLength\":64}],\"buffers\":[{\"byteLength\":64,\"uri\":\"away.bin\"}]}",
      "'away.bin' is in another file" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MU_CHECK_SAY(!parse(cases[i].text), "case %zu", i);
    MU_HAS(error.text, cases[i].message);
  }
  /* a NaN in a bind matrix */
  unsigned char bytes[FUZZ_ROOM];
  size_t size = fuzz_gltf_skinned(bytes);
  memset(bytes + size - 64, 0xff, 4);
  MU_CHECK(!sinew_character_parse("a.glb", bytes, size, &error));
  MU_HAS(error.text, "is not finite");
}

/* files beside it are only those of its folder */
MU_TEST(character_does_not_read_outside_its_folder) {
  static const char *const uris[] = { "../a.bin", "/etc/hostname", "x/../../a", "%2e%2e/a",
                                      "file:a" };
  for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
    char text[512], path[] = "/tmp/sinew_character_XXXXXX.gltf";
    snprintf(
        text, sizeof text,
        "%s,\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":0}],\"accessors\":[{\"bufferView\":"
        "0,"
        "\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":64}],\"buffers\":[{\"byteLength\":64,\"uri\":\"%s\"}]}",
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]"
        "},{}]",
        uris[i]);
    MU_OK(sinew_file_write(path, text, strlen(text), &error));
    sinew_character *c = sinew_character_load(path, &error);
    remove(path);
    MU_CHECK_SAY(!c, "%s", uris[i]);
    MU_HAS(error.text, "folder of the glTF");
  }
}

MU_TEST(character_follows_its_rig) {
  OWNED(rig) *rig = MU_MADE_OR(make_leg(), error.text);
  OWNED(character) *c = MU_MADE_OR(parse(plain), error.text);
  MU_FAILS(sinew_character_bind(c, rig, &error), SINEW_ERR_MISSING, "bound to no character");
  MU_OK(sinew_character_bind_text(c, rig, binding, &error));
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  _Alignas(32) float worlds[4 * 16], bind[4 * 16];
  sinew_character_worlds(c, NULL, bind);
  sinew_dof bend = sinew_rig_find_dof(rig, "leg.bend", &error);
  sinew_pose_set(pose, bend, 10, NULL);
  MU_OK(sinew_pose_eval(pose, &error));
  sinew_character_worlds(c, sinew_pose_worlds(pose), worlds);
  for (int i = 0; i < 64; i++) MU_NEAR(worlds[i], bind[i], 1e-6);
  /* 90 degrees further: the shin's axes turn about x, its scale of 2 stays, the tail follows */
  sinew_pose_set(pose, bend, 100, NULL);
  MU_OK(sinew_pose_eval(pose, &error));
  sinew_character_worlds(c, sinew_pose_worlds(pose), worlds);
  const float *shin = worlds + 16 * 3, *was = bind + 16 * 3;
  for (int k = 0; k < 3; k++) {
    MU_NEAR(shin[4 * k], was[4 * k], 1e-5);
    MU_NEAR(shin[4 * k + 1], -was[4 * k + 2], 1e-5);
    MU_NEAR(shin[4 * k + 2], was[4 * k + 1], 1e-5);
  }
  for (int i = 16 * 2; i < 16 * 3; i++) MU_NEAR(worlds[i], bind[i], 1e-6);
}

MU_TEST(character_bindings_that_are_wrong_say_so) {
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "[]", "'place' must be a list of 16 numbers" },
    { "{\"place\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1],\"joints\":{}}", "has an inverse" },
    { "{\"place\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}", "'joints' must be an object" },
#define PLACED "{\"place\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"
    { PLACED "\"joints\":{\"hip\":{\"segment\":\"pelvis\"}}}", "did you mean 'hips'" },
    { PLACED "\"joints\":{\"hips\":{\"segment\":\"pelvi\"}}}", "did you mean 'pelvis'" },
    { PLACED "\"joints\":{\"hips\":{}}}", "needs a 'segment'" },
    { PLACED "\"joints\":{\"hips\":{\"segment\":\"pelvis\",\"aim\":\"tail\"}}}",
      "which the rig does not drive" },
    { PLACED "\"pose\":{\"leg.bent\":1},\"joints\":{}}", "leg.bend" },
  };
  OWNED(rig) *rig = MU_MADE_OR(make_leg(), error.text);
  OWNED(character) *c = MU_MADE_OR(parse(plain), error.text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    MU_CHECK_SAY(sinew_character_bind_text(c, rig, cases[i].text, &error) < 0, "case %zu", i);
    MU_HAS(error.text, cases[i].message);
  }
  MU_CHECK(!sinew_character_is_bound(c));
}

/* a thigh that swings and rolls, a shin that only bends */
MU_TEST(character_limits_are_those_of_the_rig) {
  OWNED(rig) *rig = MU_MADE_OR(make_leg(), error.text);
  OWNED(character) *c = MU_MADE_OR(parse(plain), error.text);
  MU_OK(sinew_character_bind_text(c, rig, binding, &error));
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_character_limit limits[4];
  MU_INT(sinew_character_limits(c, pose, 4000, limits, 4, &error), 2);
  const sinew_character_limit *thigh = &limits[0], *shin = &limits[1];
  MU_INT(thigh->node, 1);
  MU_INT(shin->parent, 1);
  MU_NEAR(fmaxf(thigh->swing_y, thigh->swing_z), 45, 2);
  MU_NEAR(fminf(thigh->swing_y, thigh->swing_z), 0, 0.5);
  MU_NEAR(thigh->twist_max - thigh->twist_min, 60, 2);
  MU_NEAR(fmaxf(shin->swing_y, shin->swing_z), 60, 2);
  MU_NEAR(shin->twist_max - shin->twist_min, 0, 0.5);
  MU_CHECK(thigh->reached > 0.97f && shin->reached > 0.97f);
  sinew_character_limit one;
  MU_OK(sinew_character_limit_of(c, pose, 3, 4000, &one, &error));
  MU_NEAR(one.swing_y, shin->swing_y, 1e-4);
  MU_FAILS(sinew_character_limit_of(c, pose, 0, 0, &one, &error), SINEW_ERR_MISSING, "no limit");
}

/* the rotation between the two frames of a limit, as a physics engine has it, in a pose of the
 * nodes */
static void between(const sinew_character *c, const sinew_character_limit *l, const float *worlds,
                    versor dest) {
  mat4 above = GLM_MAT4_ZERO_INIT, own = GLM_MAT4_ZERO_INIT, m = GLM_MAT4_ZERO_INIT;
  memcpy(above, worlds + 16 * l->parent, sizeof above);
  memcpy(m, sinew_character_node_info(c, l->parent).bind, sizeof m);
  glm_mat4_inv(m, m);
  glm_mat4_mul(above, m, above);
  memcpy(m, l->centre, sizeof m);
  glm_mat4_mul(above, m, above);
  memcpy(own, worlds + 16 * l->node, sizeof own);
  memcpy(m, sinew_character_node_info(c, l->node).bind, sizeof m);
  glm_mat4_inv(m, m);
  glm_mat4_mul(own, m, own);
  memcpy(m, l->frame, sizeof m);
  glm_mat4_mul(own, m, own);
  glm_mat4_inv(above, above);
  glm_mat4_mul(above, own, m);
  glm_mat4_quat(m, dest);
}

/* swing about y and z, and twist, in degrees, of swing * twist */
static void split(versor q, float dest[3]) {
  if (q[3] < 0) glm_vec4_negate(q);
  const float n = hypotf(q[0], q[3]), x = q[0] / n, w = q[3] / n;
  const float y = q[1] * w - q[2] * x, z = q[2] * w + q[1] * x, sine = hypotf(y, z);
  const float angle = glm_deg(2 * atan2f(sine, n));
  dest[0] = sine > 0 ? angle * y / sine : 0;
  dest[1] = sine > 0 ? angle * z / sine : 0;
  dest[2] = glm_deg(2 * atan2f(x, w));
}

MU_TEST(character_limits_hold_as_physics_engines_split_rotations) {
  OWNED(rig) *rig = MU_MADE_OR(make_leg_with(true), error.text);
  OWNED(character) *c = MU_MADE_OR(parse(plain), error.text);
  MU_OK(sinew_character_bind_text(c, rig, binding, &error));
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_character_limit l;
  MU_OK(sinew_character_limit_of(c, pose, 1, 4000, &l, &error));
  MU_CHECK(l.reached > 0.85f && l.swing_y > 20 && l.swing_z > 20);
  _Alignas(32) float worlds[4 * 16];
  float at[3];
  versor q = GLM_QUAT_IDENTITY_INIT;
  sinew_character_worlds(c, NULL, worlds);
  between(c, &l, worlds, q);
  split(q, at);
  MU_NEAR(at[2], 0, 1e-3);
  MU_CHECK(hypotf(at[0], at[1]) > 10); /* the cone's middle is elsewhere */
  uint32_t state = 7;
  int inside = 0;
  const int count = 4000;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < sinew_rig_dof_count(rig); k++) {
      const sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, k));
      const float share = (float)fuzz_below(&state, 10001) / 10000;
      sinew_pose_set(pose, sinew_rig_dof(rig, k), dof.min + share * (dof.max - dof.min), NULL);
    }
    MU_OK(sinew_pose_eval(pose, &error));
    sinew_character_worlds(c, sinew_pose_worlds(pose), worlds);
    between(c, &l, worlds, q);
    split(q, at);
    const float y = at[0] / l.swing_y, z = at[1] / l.swing_z;
    inside += y * y + z * z <= 1 && at[2] >= l.twist_min && at[2] <= l.twist_max;
  }
  MU_NEAR((float)inside / (float)count, l.reached, 0.02);
}

/* the file has the frames, the limits and the DOFs, and the rest is as it was */
MU_TEST(character_files_read_back) {
  OWNED(rig) *rig = MU_MADE_OR(make_leg(), error.text);
  OWNED(character) *c = MU_MADE_OR(parse(vrm1), error.text);
  MU_OK(sinew_character_bind_text(c, rig, binding, &error));
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_character_limit limits[4], back[4];
  const int count = sinew_character_limits(c, pose, 100, limits, 4, &error);
  sinew_pose_reset(pose);
  OWNED(character_take) *take = sinew_character_take_create(c, "kick", &error);
  for (int i = 0; i < 5; i++) {
    sinew_pose_set(pose, sinew_rig_find_dof(rig, "leg.bend", NULL), 25.0f * (float)i, NULL);
    MU_OK(sinew_pose_eval(pose, &error));
    MU_OK(sinew_character_take_add(take, pose, 0.1f * (float)i, &error));
  }
  MU_FAILS(sinew_character_take_add(take, pose, 0.1f, &error), SINEW_ERR_VALUE, "ascend");
  sinew_character_write_desc desc = sinew_default_character_write_desc();
  sinew_character_written written;
  desc.dofs = pose;
  desc.limits = limits;
  desc.limit_count = count;
  size_t size;
  char *file = MU_MADE_OR(sinew_character_write(c, &(const sinew_character_take *){ take }, 1,
                                                &desc, &size, &written, &error),
                          error.text);
  MU_INT(written.animations, 1);
  MU_INT(written.channels, 1);
  MU_INT(written.keys, 5);
  MU_CHECK(written.worst < 1e-6f);
  OWNED(character) *again = sinew_character_parse("b.glb", file, size, &error);
  sinew_text_free(file);
  MU_CHECK_SAY(again, "%s", error.text);
  MU_TEXT(sinew_character_node_info(again, 1).human, "leftUpperLeg");
  MU_INT(sinew_character_stored_limits(again, back, 4), 2);
  MU_NEAR(back[1].swing_y, limits[1].swing_y, 1e-4);
  MU_NEAR(back[0].twist_max, limits[0].twist_max, 1e-4);
  OWNED(rig) *other = MU_MADE_OR(make_leg(), error.text);
  sinew_dof bend = sinew_rig_find_dof(other, "leg.bend", NULL);
  MU_OK(sinew_rig_set_dof_range(other, bend, -5, 5, 0, &error));
  MU_INT(sinew_character_restore(again, other, &error), 3);
  sinew_character_dof dofs[4];
  MU_INT(sinew_character_stored_dofs(again, dofs, 4), 3);
  MU_TEXT(dofs[2].name, "leg.bend");
  MU_TEXT(dofs[2].unit, "deg");
  MU_NEAR(dofs[2].value, 100, 1e-6);
  MU_INT(sinew_character_stored_dofs(c, NULL, 0), 0);
  MU_NEAR(sinew_rig_dof_info(other, bend).max, 120, 1e-6);
}

MU_TEST(character_warns_of_extras_that_cannot_be_read) {
  static const struct {
    const char *extras, *message;
  } cases[] = {
    { "\"version\":2", "of a version of Sinew that is not known" },
    { "\"version\":1,\"dofs\":[{\"name\":\"a\",\"min\":0}]", "1 of the 'dofs'" },
    { "\"version\":1,\"holds\":[{\"name\":\"\",\"port\":\"\",\"amount\":1}]", "1 of the 'holds'" },
    { "\"version\":1,\"joints\":[{\"node\":99,\"parent\":0}]", "1 of the 'joints'" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text, "%s,\"extras\":{\"sinew\":{%s}}}", NODES, cases[i].extras);
    OWNED(character) *c = MU_MADE_OR(parse(text), error.text);
    MU_HAS(sinew_character_warnings(c), cases[i].message);
  }
}

/* two images of one short buffer: it is asked for twice */
MU_TEST(character_warns_of_extensions_that_it_does_not_read) {
  OWNED(character) *c =
      MU_MADE_OR(parse(NODES ",\"extensionsRequired\":[\"KHR_materials_unlit\",7,\"EXT_cloud\"]}"),
                 error.text);
  MU_TEXT(sinew_character_warnings(c), "it needs the extension 'EXT_cloud', which is not read");
}

MU_TEST(character_warns_of_images_that_cannot_be_read) {
  static const char text[] =
      NODES ",\"images\":[{\"bufferView\":0},{\"bufferView\":0},{\"uri\":\"away.png\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":3}],\"buffers\":[{\"byteLength\":99,"
            "\"uri\":\"data:;base64,AAAA\"}]}";
  OWNED(character) *c = MU_MADE_OR(parse(text), error.text);
  MU_INT(sinew_character_image_count(c), 3);
  for (int i = 0; i < 3; i++) MU_CHECK(!sinew_character_image_info(c, i).bytes);
  MU_HAS(sinew_character_warnings(c), "image 1 is left out: a.gltf:1: buffer 0 has 3 bytes");
  MU_HAS(sinew_character_warnings(c), "image 2 is left out: a.gltf:1: the buffer 'away.png'");
}

/* what the fuzzer changes is accepted as it is */
MU_TEST(character_of_the_fuzzer_is_bound_and_written) {
  unsigned char bytes[FUZZ_ROOM];
  const size_t size = fuzz_gltf_skinned_as(fuzz_character_json, bytes);
  OWNED(rig) *rig = fuzz_character_rig();
  OWNED(character) *c = MU_MADE_OR(sinew_character_parse("a.glb", bytes, size, &error), error.text);
  MU_INT(sinew_character_image_count(c), 4);
  MU_INT(sinew_character_part_count(c), 2);
  MU_OK(sinew_character_bind_text(c, rig, fuzz_character_binding, &error));
  MU_INT(sinew_character_restore(c, rig, &error), 1);
  MU_INT(sinew_character_stored_limits(c, NULL, 0), 1);
  sinew_hold hold;
  MU_INT(sinew_character_stored_holds(c, &hold, 1), 1);
  MU_TEXT(hold.name, "bend");
  MU_NEAR(hold.amount, 3, 0);
  size_t written;
  char *file =
      MU_MADE_OR(sinew_character_write(c, NULL, 0, NULL, &written, NULL, &error), error.text);
  sinew_text_free(file);
}

MU_TEST(character_survives_mutated_files) {
  for (uint32_t i = 0, count = (uint32_t)mu_rounds(3000); i < count; i++) fuzz_character(i);
  MU_CHECK(true);
}

MU_TEST(character_reports_every_failing_allocation) {
  unsigned char bytes[FUZZ_ROOM];
  size_t size = fuzz_gltf_skinned(bytes), before = sinew_live_blocks();
  sinew_character *c = NULL;
  for (long allowed = 0; !c && allowed < 1000; allowed++) {
    scarce_memory(allowed);
    c = sinew_character_parse("a.glb", bytes, size, &error);
    size_t written;
    char *file = c ? sinew_character_write(c, NULL, 0, NULL, &written, NULL, &error) : NULL;
    if (c && !file) {
      sinew_character_destroy(c);
      c = NULL;
    }
    sinew_text_free(file);
    if (!c) MU_INT(error.status, SINEW_ERR_MEMORY);
  }
  MU_CHECK(c);
  sinew_character_destroy(c);
  plenty_of_memory();
  MU_INT(sinew_live_blocks() - before, 0);
}

MU_TEST(the_corpus_of_character_is_read_or_refused) {
  MU_CHECK(fuzz_corpus(&fuzz_character_kind, "tests/fuzz/corpus/character.pack") > 0);
}

MU_SUITE(character)
