/* Mutated glTF files, text and binary: each is refused with one message or gives a mesh with valid
 * indices and finite numbers. The fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_GLTF_H
#define FUZZ_GLTF_H

#include <math.h>

#include "fuzz_frame.h"
#include "sinew/mesh.h"

/* a triangle (0 0 0) (1 0 0) (0 1 0) followed by its indices 0 1 2 as two bytes each */
static const char fuzz_gltf_text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\n"
    "\"nodes\":[{\"children\":[1],\"translation\":[1,2,3]},{\"mesh\":0,\"scale\":[2,2,2],"
    "\"rotation\":[0,0,1,0]}],\n"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\n"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\n"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],\n"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
    "\"byteLength\":6}],\n"
    "\"buffers\":[{\"byteLength\":42,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA\"}]}";

static const char fuzz_gltf_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,5,1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":72,\"byteStride\":24},{\"buffer\":0,"
    "\"byteOffset\":72,\"byteLength\":3}],\"buffers\":[{\"byteLength\":75}]}";

static inline void fuzz_put(unsigned char *dest, uint32_t value) {
  for (int i = 0; i < 4; i++) dest[i] = (unsigned char)(value >> 8 * i);
}

/* assembles a .glb; returns its size */
static inline size_t fuzz_glb(const char *json, const void *data, size_t data_size,
                              unsigned char *dest) {
  size_t text = strlen(json), padded = (text + 3) / 4 * 4, binary = (data_size + 3) / 4 * 4;
  memset(dest, 0, 28 + padded + binary);
  memcpy(dest, "glTF", 4);
  fuzz_put(dest + 4, 2);
  fuzz_put(dest + 8, (uint32_t)(28 + padded + binary));
  fuzz_put(dest + 12, (uint32_t)padded);
  memcpy(dest + 16, "JSON", 4);
  memset(dest + 20, ' ', padded);
  memcpy(dest + 20, json, text);
  fuzz_put(dest + 20 + padded, (uint32_t)binary);
  memcpy(dest + 24 + padded, "BIN", 4);
  memcpy(dest + 28 + padded, data, data_size);
  return 28 + padded + binary;
}

/* positions and normals alternating, then the indices */
static inline size_t fuzz_gltf_glb(unsigned char *dest) {
  static const float numbers[18] = { 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1 };
  unsigned char data[75];
  for (int i = 0; i < 18; i++) {
    uint32_t bits;
    memcpy(&bits, &numbers[i], 4);
    fuzz_put(data + 4 * i, bits);
  }
  for (int i = 0; i < 3; i++) data[72 + i] = (unsigned char)i;
  return fuzz_glb(fuzz_gltf_json, data, sizeof data, dest);
}

/* a triangle on two joints: a root at (1 0 0), whose inverse bind matrix places it at the origin,
 * and a tip 1 above it, bound relative to that */
static const char fuzz_gltf_skin[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},"
    "{\"name\":\"root\",\"translation\":[1,0,0],\"children\":[2]},"
    "{\"name\":\"tip\",\"translation\":[0,1,0]}],"
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":3}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":1,\"JOINTS_0\":2}}]"
    "}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":2,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":84,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":128}],\"buffers\":[{\"byteLength\":224}]}";

/* the same data under another description */
static inline size_t fuzz_gltf_skinned_as(const char *json, unsigned char *dest) {
  static const float numbers[21] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, /* positions */
                                     1, 0, 0, 0, 0, 2, 0, 0, 0.5f, 0.5f, 0, 0 };
  unsigned char data[224] = { 0 };
  uint32_t bits;
  for (int i = 0; i < 21; i++) memcpy(&bits, &numbers[i], 4), fuzz_put(data + 4 * i, bits);
  for (int i = 0; i < 3; i++) data[84 + 4 * i + 1] = 1;
  for (int m = 0; m < 2; m++)
    for (int i = 0; i < 16; i++) {
      float value = i % 5 == 0 ? 1 : m == 1 && i == 13 ? -1 : 0;
      memcpy(&bits, &value, 4), fuzz_put(data + 96 + 64 * m + 4 * i, bits);
    }
  return fuzz_glb(json, data, sizeof data, dest);
}
static inline size_t fuzz_gltf_skinned(unsigned char *dest) {
  return fuzz_gltf_skinned_as(fuzz_gltf_skin, dest);
}

/* replaces a number of the text, or inserts a word */
static inline size_t fuzz_gltf_word(uint32_t *state, unsigned char *bytes, size_t size,
                                    size_t room) {
  static const char *const words[] = {
    "0",    "1",     "2",          "3",  "4",   "5121",    "5123",  "5125",  "5126",
    "-1",   "1e400", "4294967295", "[",  "]",   "{",       "}",     ",",     "\"",
    "null", "0.5",   "4294967296", "40", "1e9", "\\u00e9", "[0,1]", "[1,0]", "\"sparse\":{},"
  };
  const char *word = words[fuzz_below(state, sizeof words / sizeof *words)];
  size_t at = fuzz_below(state, size + 1);
  while (at < size && !fuzz_digits(bytes, size, at) && fuzz_random(state) % 16) at++;
  return fuzz_put_word(bytes, size, room, at, fuzz_digits(bytes, size, at), word);
}

static inline bool fuzz_gltf_use(void *object, uint32_t *state) {
  sinew_mesh *mesh = object;
  (void)state;
  if (mesh->vertex_count <= 0 || mesh->triangle_count <= 0) abort();
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    if (mesh->triangles[i] >= (uint32_t)mesh->vertex_count) abort();
  for (int i = 0; i < mesh->vertex_count * mesh->weight_count; i++)
    if (mesh->joints[i] >= (uint32_t)mesh->joint_count || !(mesh->weights[i] >= 0)) abort();
  for (int i = 0; i < mesh->joint_count; i++)
    if (!memchr(sinew_mesh_joint_name(mesh, i), 0, SINEW_MESH_NAME)) abort();
  for (int i = 0; i < mesh->vertex_count; i++) {
    const float *v = mesh->vertices + 3 * i, *n = mesh->normals + 3 * i;
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) abort();
    if (!(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-4f)) abort();
  }
  sinew_mesh_destroy(mesh);
  return true;
}

/* a valid header, so that the rest is read */
static inline void fuzz_gltf_fix(int form, unsigned char *bytes, size_t size) {
  if (!form || size < 20) return;
  uint32_t text = 20;
  while (text + 8 < size && memcmp(bytes + text + 4, "BIN", 4) != 0) text++;
  fuzz_put(bytes + 8, (uint32_t)size);
  fuzz_put(bytes + 12, text - 20);
}

static inline size_t fuzz_gltf_mutate(uint32_t *state, unsigned char *dest, size_t size, int form) {
  for (uint32_t left = 1 + fuzz_random(state) % 3; left > 0; left--)
    size = fuzz_random(state) % 3 ? fuzz_gltf_word(state, dest, size, FUZZ_ROOM)
                                  : fuzz_change(state, dest, size, FUZZ_ROOM);
  /* usually */
  if (form && size >= 20 && fuzz_random(state) % 8) fuzz_gltf_fix(form, dest, size);
  return size;
}

/* form 1 is a .glb */
static inline size_t fuzz_gltf_make(uint32_t *state, unsigned char *dest, int *form) {
  *form = (int)(fuzz_random(state) % 2);
  size_t size = !*form                   ? fuzz_start(fuzz_gltf_text, dest)
                : fuzz_random(state) % 2 ? fuzz_gltf_skinned(dest)
                                         : fuzz_gltf_glb(dest);
  return fuzz_gltf_mutate(state, dest, size, *form);
}

static inline void *fuzz_gltf_read(int form, const unsigned char *bytes, size_t size,
                                   sinew_error *error) {
  const char *name = form ? "fuzz.glb" : "fuzz.gltf";
  sinew_skeleton_destroy(sinew_skeleton_parse(name, bytes, size, error));
  return sinew_mesh_parse(name, bytes, size, error);
}

static const fuzz_kind fuzz_gltf_kind = { .salt = 99991,
                                          .make = fuzz_gltf_make,
                                          .read = fuzz_gltf_read,
                                          .use = fuzz_gltf_use,
                                          .forms = 2,
                                          .word = fuzz_gltf_word,
                                          .fix = fuzz_gltf_fix };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_gltf(uint32_t seed) { return fuzz_one(&fuzz_gltf_kind, seed); }

#endif
