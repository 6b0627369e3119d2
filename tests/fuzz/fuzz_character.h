/* Mutated characters: each is refused with one message, or gives nodes, parts and a file of its own
 * that reads back, also with the motion and the limits of a rig. The fuzzer uses it and, for a few
 * inputs, the tests. */
#ifndef FUZZ_CHARACTER_H
#define FUZZ_CHARACTER_H

#include "fuzz_gltf.h"
#include "sinew/character.h"

/* the triangle on two joints, with all that a character may have beside them */
static const char fuzz_character_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"name\":\"body\"},"
    "{\"name\":\"root\",\"translation\":[1,0,0],\"children\":[2,3]},"
    "{\"name\":\"tip\",\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,1,0,1],\"children\":[4]},"
    "{\"name\":\"twist\",\"scale\":[1,3,-1]},{\"name\":\"hat\",\"mesh\":0}],"
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":3}],"
    "\"meshes\":[{\"name\":\"m\",\"weights\":[0],\"primitives\":[{\"attributes\":{"
    "\"POSITION\":0,\"WEIGHTS_0\":1,\"JOINTS_0\":2,\"WEIGHTS_1\":1,\"JOINTS_1\":2,"
    "\"TEXCOORD_0\":5},\"targets\":[{\"POSITION\":6}],\"material\":0}]}],"
    "\"materials\":[{\"alphaMode\":\"MASK\",\"alphaCutoff\":0.2,\"doubleSided\":true,"
    "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,1],\"baseColorTexture\":{"
    "\"index\":0,\"texCoord\":0}}}],\"textures\":[{\"source\":1}],"
    "\"images\":[{\"bufferView\":4,\"mimeType\":\"image/png\"},"
    "{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\"},{\"uri\":\"away.png\"},"
    "{\"bufferView\":4}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":2,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},"
    "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":2,\"componentType\":5121},\"values\":{\"bufferView\":0}}}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":84,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":128},"
    "{\"buffer\":1,\"byteLength\":8}],\"buffers\":[{\"byteLength\":224},"
    "{\"byteLength\":9,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAAA\"}],"
    "\"animations\":[{\"name\":\"fuzz\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
    "\"path\":\"translation\"}}],\"samplers\":[{\"input\":4,\"output\":0}]}],"
    "\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":1}}}},"
    "\"VRM\":{\"humanoid\":{\"humanBones\":[{\"bone\":\"jaw\",\"node\":-1}]}}},"
    "\"extras\":{\"own\":[1],\"sinew\":{\"version\":1,\"rig\":\"fuzz\",\"dofs\":[{\"name\":"
    "\"bend\",\"min\":-9,\"max\":9,\"rest\":1,\"value\":2}],\"holds\":[{\"name\":\"bend\","
    "\"port\":\"\",\"amount\":3}],\"joints\":[{\"node\":2,\"parent\":1,\"swing\":[1,2],"
    "\"twist\":[-1,1],\"frame\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"
    "\"centre\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"reached\":1}]}}}";

static const char fuzz_character_binding[] =
    "{\"place\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"joints\":{"
    "\"root\":{\"segment\":\"base\",\"near\":\"boom\"},"
    "\"tip\":{\"segment\":\"boom\",\"toward\":\"base\",\"share\":0.3},"
    "\"twist\":{\"twist\":\"tip\",\"aim\":\"tip\",\"share\":0.5}}}";

static inline sinew_rig *fuzz_character_rig(void) {
  sinew_builder *b = sinew_builder_create("fuzz", NULL);
  if (!b) abort();
  sinew_segment base = sinew_add_bone(b, SINEW_ROOT, "base", (sinew_vec3){ 1, 0, 0 });
  sinew_segment boom = sinew_add_bone(b, base, "boom", (sinew_vec3){ 0, 1, 0 });
  sinew_add_hinge(b, base, "swing", SINEW_Z, -90, 90);
  sinew_add_hinge(b, boom, "bend", SINEW_X, -20, 120);
  sinew_rig *rig = sinew_builder_compile(b, NULL);
  sinew_builder_destroy(b);
  if (!rig) abort();
  return rig;
}

/* a file that reads back */
static inline void fuzz_character_write(const sinew_character *c, const sinew_character_take *take,
                                        const sinew_character_write_desc *desc, int joints) {
  sinew_error error;
  sinew_character_written written;
  size_t size;
  char *file = sinew_character_write(c, &take, take ? 1 : 0, desc, &size, &written, &error);
  if (!file) {
    if (!error.count) abort();
    return;
  }
  if (!isfinite(written.worst) || !isfinite(written.mean)) abort();
  sinew_character *again = sinew_character_parse("again.glb", file, size, &error);
  if (!again || sinew_character_node_count(again) != sinew_character_node_count(c)) abort();
  if (joints && sinew_character_stored_limits(again, NULL, 0) != joints) abort();
  sinew_character_destroy(again);
  sinew_text_free(file);
}

static inline void fuzz_character_move(sinew_character *c, uint32_t *state) {
  sinew_rig *rig = fuzz_character_rig();
  sinew_error error;
  if (sinew_character_restore(c, rig, &error) < 0 && !error.count) abort();
  if (sinew_character_bind_text(c, rig, fuzz_character_binding, &error) >= 0) {
    sinew_pose *pose = sinew_pose_create(rig, &error);
    sinew_character_take *take = sinew_character_take_create(c, "fuzz", &error);
    sinew_character_limit limits[2];
    if (!pose || !take) abort();
    sinew_character_write_desc desc = sinew_default_character_write_desc();
    desc.limits = limits;
    desc.limit_count = sinew_character_limits(c, pose, 3, limits, 2, &error);
    desc.dofs = pose;
    desc.rotations_only = fuzz_random(state) % 2;
    desc.clip_alone = fuzz_random(state) % 2;
    if (desc.limit_count < 0 || desc.limit_count > 2) abort();
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 2; k++)
        sinew_pose_set(pose, sinew_rig_dof(rig, k), (float)fuzz_below(state, 90), NULL);
      if (sinew_pose_eval(pose, &error) < 0 ||
          sinew_character_take_add(take, pose, (float)i, &error) < 0)
        abort();
    }
    fuzz_character_write(c, take, &desc, desc.limit_count);
    sinew_character_take_destroy(take);
    sinew_pose_destroy(pose);
  } else if (!error.count) {
    abort();
  }
  sinew_rig_destroy(rig);
}

static inline bool fuzz_character_use(void *object, uint32_t *state) {
  sinew_character *c = object;
  const int nodes = sinew_character_node_count(c), matrices = sinew_character_matrix_count(c);
  for (int i = 0; i < nodes; i++) {
    sinew_character_node n = sinew_character_node_info(c, i);
    if (n.parent >= i) abort();
    for (int k = 0; k < 16; k++)
      if (!isfinite(n.bind[k]) || !isfinite(n.rest[k])) abort();
  }
  for (int p = 0; p < sinew_character_part_count(c); p++) {
    sinew_character_part part = sinew_character_part_info(c, p);
    for (int i = 0; i < 3 * part.triangle_count; i++)
      if (part.triangles[i] >= (uint32_t)part.vertex_count) abort();
    for (int i = 0; i < 4 * part.vertex_count; i++)
      if (part.joints[i] >= matrices || !(part.weights[i] >= 0 && part.weights[i] <= 1)) abort();
    for (int i = 0; i < 3 * part.vertex_count; i++)
      if (!isfinite(part.positions[i])) abort();
  }
  if (sinew_character_stored_limits(c, NULL, 0) < 0) abort();
  fuzz_character_write(c, NULL, NULL, 0);
  fuzz_character_move(c, state);
  sinew_character_destroy(c);
  return true;
}

static inline void *fuzz_character_read(int form, const unsigned char *bytes, size_t size,
                                        sinew_error *error) {
  return sinew_character_parse(form ? "fuzz.glb" : "fuzz.gltf", bytes, size, error);
}

static inline size_t fuzz_character_make(uint32_t *state, unsigned char *dest, int *form) {
  if (fuzz_random(state) % 3 == 0) return fuzz_gltf_make(state, dest, form);
  *form = 1;
  return fuzz_gltf_mutate(state, dest, fuzz_gltf_skinned_as(fuzz_character_json, dest), 1);
}

static const fuzz_kind fuzz_character_kind = { .salt = 99989,
                                               .make = fuzz_character_make,
                                               .read = fuzz_character_read,
                                               .use = fuzz_character_use,
                                               .forms = 2,
                                               .word = fuzz_gltf_word,
                                               .fix = fuzz_gltf_fix };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_character(uint32_t seed) { return fuzz_one(&fuzz_character_kind, seed); }

#endif
