/* Mesh files: a glTF's nodes, accessors and buffers against numbers computed here, and every
 * mistake in such a file. */
#include "base/alloc.h"
#include "base/json.h"
#include "field_cases.h"
#include "fuzz/fuzz_gltf.h"
#include "fuzz/fuzz_json.h"
#include "fuzzed.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scratch.h"

static sinew_error error;

static sinew_mesh *parse(const char *name, const char *text) {
  return sinew_mesh_parse(name, text, strlen(text), &error);
}

/* `text` with `from` replaced, which must occur in it */
static const char *with(const char *text, const char *from, const char *to) {
  static char dest[FUZZ_ROOM];
  const char *at = strstr(text, from);
  if (!at) return "";
  snprintf(dest, sizeof dest, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return dest;
}

#define CHECK_TRIPLE(list, i, x, y, z)                                                             \
  do {                                                                                             \
    MU_NEAR((list)[3 * (i)], x, 1e-6);                                                             \
    MU_NEAR((list)[3 * (i) + 1], y, 1e-6);                                                         \
    MU_NEAR((list)[3 * (i) + 2], z, 1e-6);                                                         \
  } while (0)

MU_TEST(mesh_reads_an_obj_with_smooth_normals) {
  OWNED(mesh) *mesh = parse("roof.OBJ", "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 4 2\n");
  MU_CHECK_SAY(mesh, "%s", error.text);
  MU_INT(mesh->vertex_count, 4);
  MU_INT(mesh->triangle_count, 2);
  CHECK_TRIPLE(mesh->vertices, 2, 1, 0, 0);
  CHECK_TRIPLE(mesh->normals, 2, 0, 1, 0);
  CHECK_TRIPLE(mesh->normals, 3, 1, 0, 0);
  CHECK_TRIPLE(mesh->normals, 0, sqrt(0.5), sqrt(0.5), 0);
}

MU_TEST(mesh_transforms_a_gltf_triangle_by_its_nodes) {
  sinew_mesh *mesh = MU_MADE_OR(parse("a.gltf", fuzz_gltf_text), error.text);
  MU_INT(mesh->vertex_count, 3);
  MU_INT(mesh->triangle_count, 1);
  /* scaled by 2, rotated by 180 degrees about z, translated */
  CHECK_TRIPLE(mesh->vertices, 0, 1, 2, 3);
  CHECK_TRIPLE(mesh->vertices, 1, -1, 2, 3);
  CHECK_TRIPLE(mesh->vertices, 2, 1, 0, 3);
  CHECK_TRIPLE(mesh->normals, 1, 0, 0, 1);
  sinew_mesh_destroy(mesh);
  /* 90 degrees about x, as a quaternion that is not normalised: y becomes z */
  mesh = parse("a.gltf", with(fuzz_gltf_text, "[0,0,1,0]", "[3,0,0,3]"));
  MU_CHECK_SAY(mesh, "%s", error.text);
  CHECK_TRIPLE(mesh->vertices, 2, 1, 2, 5);
  CHECK_TRIPLE(mesh->normals, 1, 0, -1, 0);
  sinew_mesh_destroy(mesh);
}

MU_TEST(mesh_flips_mirrored_triangles) {
  unsigned char bytes[FUZZ_ROOM];
  OWNED(mesh) *mesh = sinew_mesh_parse("a.glb", bytes, fuzz_gltf_glb(bytes), &error);
  MU_CHECK_SAY(mesh, "%s", error.text);
  CHECK_TRIPLE(mesh->vertices, 0, 0, 0, 5);
  CHECK_TRIPLE(mesh->vertices, 1, -1, 0, 5);
  CHECK_TRIPLE(mesh->normals, 0, 0, 0, 1);
  MU_INT(mesh->triangles[0], 0);
  MU_INT(mesh->triangles[1], 2);
  MU_INT(mesh->triangles[2], 1);
}

/* both joints moved by (1 0 0) since they were bound; the mesh's own node is ignored */
MU_TEST(mesh_reads_the_weights_of_a_skinned_gltf) {
  unsigned char bytes[FUZZ_ROOM];
  size_t size = fuzz_gltf_skinned(bytes);
  sinew_mesh *mesh = MU_MADE_OR(sinew_mesh_parse("a.glb", bytes, size, &error), error.text);
  CHECK_TRIPLE(mesh->vertices, 0, 1, 0, 0);
  CHECK_TRIPLE(mesh->vertices, 1, 2, 0, 0);
  CHECK_TRIPLE(mesh->vertices, 2, 1, 1, 0);
  MU_INT(mesh->weight_count, 4);
  MU_INT(mesh->joint_count, 2);
  MU_TEXT(sinew_mesh_joint_name(mesh, 0), "root");
  MU_TEXT(sinew_mesh_joint_name(mesh, 1), "tip");
  static const float weights[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0.5f, 0, 0 };
  for (int i = 0; i < 12; i++) MU_NEAR(mesh->weights[i], weights[i], 1e-7);
  MU_INT(mesh->joints[4 + 1], 1);
  MU_INT(mesh->joints[8 + 1], 1);
  /* as segments of a rig that has another order */
  sinew_builder *b = sinew_builder_create("rig", NULL);
  make_lines(b, "segment tip; segment root");
  sinew_rig *rig = make_rig(b, NULL);
  uint32_t segments[12];
  MU_INT(sinew_skin_take_joints(rig, mesh, segments, &error), SINEW_OK);
  MU_INT(segments[0], 1);
  MU_INT(segments[5], 0);
  sinew_rig_destroy(rig);
  b = sinew_builder_create("rig", NULL);
  sinew_add_bone(b, SINEW_ROOT, "roof", (sinew_vec3){ 0, 0, 0 });
  rig = make_rig(b, NULL);
  MU_FAILS(sinew_skin_take_joints(rig, mesh, segments, &error), SINEW_ERR_NAME, "roof");
  mesh->weights[0] = 0;
  MU_INT(sinew_skin_take_joints(rig, mesh, segments, &error), SINEW_ERR_MISSING);
  sinew_rig_destroy(rig);
  sinew_mesh_destroy(mesh);
  mesh = parse("a.gltf", fuzz_gltf_text);
  MU_CHECK(mesh && mesh->weight_count == 0);
  sinew_mesh_destroy(mesh);
  /* possible mistakes */
  static const struct {
    const char *from, *to, *text;
  } wrong[] = {
    { "\"joints\":[1,2]", "\"joints\":[1]  ", "follows joint 1 of its skin, there are 1" },
    { "\"joints\":[1,2]", "\"joints\":[]   ", "has no 'joints'" },
    { "\"joints\":[1,2]", "\"joints\":[1,7]", "there is no node 7" },
    { "\"count\":2,", "\"count\":1,", "2 joints and 1 matrices" },
    { "\"WEIGHTS_0\":1", "\"WEIGHTS_0\":0", "must be a VEC4" },
    { "\"JOINTS_0\":2", "\"JOINTS_0\":1", "components of type 5126" },
    { "\"nodes\":[0,1]", "\"nodes\":[0]  ", "joint 1 is not in the scene" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fuzz_gltf_skinned(bytes);
    char *at = MU_MADE(strstr((char *)bytes + 20, wrong[i].from));
    memcpy(at, wrong[i].to, strlen(wrong[i].to));
    MU_REFUSED(sinew_mesh_parse("a.glb", bytes, size, &error), wrong[i].text);
  }
}

/* a cube of 8 corners and 12 triangles with byte indices, scaled unevenly: the normal at each
 * corner points outwards, and the volume is the product of the sizes */
MU_TEST(mesh_reads_a_cube_from_glb) {
  static const char json[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[1]}],"
      "\"nodes\":[{\"mesh\":0,\"scale\":[1,2,3]},{\"children\":[0],\"translation\":[10,0,0]}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":4},"
      "{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
      "{\"bufferView\":1,\"componentType\":5121,\"count\":36,\"type\":\"SCALAR\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,"
      "\"byteLength\":36}],\"buffers\":[{\"byteLength\":132}]}";
  static const unsigned char faces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                             { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
  unsigned char data[132], bytes[FUZZ_ROOM];
  for (int i = 0; i < 24; i++)
    fuzz_put(data + 4 * i, (i / 3) >> (i % 3) & 1 ? 0x3f000000u : 0xbf000000u); /* +-0.5 */
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) data[96 + 6 * i + k] = faces[i][k < 3 ? k : k == 3 ? 0 : k - 2];
  OWNED(mesh) *mesh = sinew_mesh_parse("cube.glb", bytes, fuzz_glb(json, data, 132, bytes), &error);
  MU_CHECK_SAY(mesh, "%s", error.text);
  MU_INT(mesh->vertex_count, 8);
  MU_INT(mesh->triangle_count, 12);
  double volume = 0;
  for (int i = 0; i < 12; i++) {
    const uint32_t *t = mesh->triangles + 3 * i;
    const float *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1],
                *c = mesh->vertices + 3 * t[2];
    for (int k = 0; k < 3; k++)
      volume +=
          a[k] *
          ((double)b[(k + 1) % 3] * c[(k + 2) % 3] - (double)b[(k + 2) % 3] * c[(k + 1) % 3]) / 6;
  }
  MU_NEAR(volume, 6, 1e-4);
  for (int i = 0; i < 8; i++) {
    CHECK_TRIPLE(mesh->vertices, i, i & 1 ? 10.5 : 9.5, i & 2 ? 1 : -1, i & 4 ? 1.5 : -1.5);
    const float *n = mesh->normals + 3 * i;
    for (int k = 0; k < 3; k++) MU_CHECK((n[k] > 0) == (i >> k & 1));
  }
}

/* a triangle of which two corners are put into zeros, and the same in bytes */
MU_TEST(mesh_reads_sparse_and_quantized_arrays) {
#define HEAD(used)                                                                                 \
  "{\"asset\":{\"version\":\"2.0\"}," used "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"    \
  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{"                 \
  "\"byteLength\":40}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":2},{\"buffer\":0,"              \
  "\"byteOffset\":4,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":28,\"byteLength\":12,"           \
  "\"byteStride\":4}],\"accessors\":["
  static const char sparse[] =
      HEAD("") "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":2,"
               "\"indices\":{\"bufferView\":0,\"componentType\":5121},"
               "\"values\":{\"bufferView\":1}}}]}";
  static const char bytes[] =
      HEAD("\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
           "\"extensionsRequired\":[\"KHR_mesh_quantization\"],")
      "{\"bufferView\":2,\"componentType\":5120,\"normalized\":true,\"count\":3,"
      "\"type\":\"VEC3\"}]}";
  unsigned char data[40] = { 1, 2 }, glb[FUZZ_ROOM];
  fuzz_put(data + 4, 0x3f800000u);      /* 1 0 0 */
  fuzz_put(data + 4 + 16, 0xbf800000u); /* 0 -1 0 */
  data[32] = 127, data[37] = 128;       /* the same as signed bytes, -128 is -1 as well */
  static const char *const texts[] = { sparse, bytes };
  for (int i = 0; i < 2; i++) {
    OWNED(mesh) *mesh = MU_MADE_OR(
        sinew_mesh_parse("a.glb", glb, fuzz_glb(texts[i], data, 40, glb), &error), error.text);
    CHECK_TRIPLE(mesh->vertices, 0, 0, 0, 0);
    CHECK_TRIPLE(mesh->vertices, 1, 1, 0, 0);
    CHECK_TRIPLE(mesh->vertices, 2, 0, -1, 0);
  }
  static const struct {
    const char *from, *to, *message;
  } wrong[] = {
    { "\"count\":2", "\"count\":4", "accessor 0 replaces 4 of its 3 elements" },
    { "\"count\":3", "\"count\":2", "accessor 0 replaces element 2 of 2" },
    { "\"count\":3", "\"count\":4294967295", "accessors have more than 256 MB" },
    { "\"byteLength\":24", "\"byteLength\":20", "reaches past the end of bufferView 1" },
    { "\"componentType\":5121", "\"componentType\":5126", "accessor 0 replaces 2" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *text = with(sparse, wrong[i].from, wrong[i].to);
    MU_REFUSED(sinew_mesh_parse("a.glb", glb, fuzz_glb(text, data, 40, glb), &error),
               wrong[i].message);
  }
#undef HEAD
}

MU_TEST(mesh_refuses_every_truncation) {
  unsigned char bytes[FUZZ_ROOM];
  size_t size = fuzz_gltf_glb(bytes), before = sinew_live_blocks();
  for (size_t i = 0; i < size; i++) {
    MU_CHECK_SAY(!sinew_mesh_parse("a.glb", bytes, i, &error), "%zu bytes", i);
    MU_INT(error.count, 1);
  }
  for (size_t i = 0; i < strlen(fuzz_gltf_text); i++)
    MU_CHECK_SAY(!sinew_mesh_parse("a.gltf", fuzz_gltf_text, i, &error), "%zu bytes", i);
  MU_INT(sinew_live_blocks() - before, 0);
}

MU_TEST(mesh_reports_mistakes_in_a_gltf) {
  static const struct {
    const char *from, *to, *message;
  } cases[] = {
    { "\"2.0\"", "\"1.0\"", "a.gltf:1: not glTF 2.0" },
    { "\"scene\":0", "\"scene\":1", "there is no scene 1, there are 1" },
    { "\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
      "the required extension 'KHR_draco_mesh_compression'" },
    { "[{\"nodes\":[0]}]", "[]", "there are no 'scenes'" },
    { "\"nodes\":[0]", "\"nodes\":[2]", "there is no node 2, there are 2" },
    { "\"nodes\":[0]", "\"nodes\":[0,0]", "node 0 is used twice" },
    { "\"children\":[1]", "\"children\":[0]", "a.gltf:2: node 0 is used twice" },
    { "{\"mesh\":0", "{\"children\":[0],\"mesh\":0", "node 0 is used twice" },
    { "[2,2,2]", "[2,2]", "'scale' must be a list of 3 numbers" },
    { "[2,2,2]", "[2,2,[2]]", "'scale' must be a list of 3 numbers" },
    { "[0,0,1,0]", "[0,0,0,0]", "the 'rotation' of a node is zero" },
    { "\"scale\":[2,2,2]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]", "the last row" },
    { "\"mesh\":0", "\"mesh\":-1", "the index of a mesh must be a whole number" },
    { "\"mesh\":0", "\"m\":0", "has no triangles in its scene" },
    { "\"POSITION\"", "\"P\"", "'POSITION' is missing" },
    { "\"indices\":1", "\"indices\":0", "must be a SCALAR" },
    { "\"VEC3\"}", "\"VEC3\",\"sparse\":{}}", "accessor 0 has no 'indices' or no 'values'" },
    { "5126", "5123", "components of type 5123" },
    { "5123", "5126", "components of type 5126" },
    { "5123", "5125", "accessor 1 reaches past the end of bufferView 1" },
    { "\"count\":3", "\"count\":4", "a.gltf:4: accessor 0 reaches past the end" },
    { "\"count\":3", "\"count\":4294967295", "accessor 0 reaches past the end" },
    { "\"count\":3", "\"count\":2", "a triangle has vertex 2, there are 2" },
    { "\"count\":3", "\"count\":0", "accessor 0 is empty" },
    { "\"count\":3", "\"count\":2.5", "'count' must be a whole number" },
    { "\"count\":3,\"type\":\"SCALAR\"", "\"count\":2,\"type\":\"SCALAR\"", "2 corners are no" },
    { "\"byteLength\":36}", "\"byteLength\":36,\"byteStride\":8}", "a byteStride of 8" },
    { "\"byteLength\":36}", "\"byteLength\":43}", "bufferView 0 reaches past the end of buffer 0" },
    { "\"byteOffset\":36", "\"byteOffset\":4294967295", "bufferView 1 reaches past the end" },
    { "\"byteLength\":42", "\"byteLength\":43", "buffer 0 has 42 bytes, its byteLength is 43" },
    { "data:application/octet-stream;base64,", "femur.bin?", "is in another file" },
    { ";base64,", ",", "is not base64" },
    { "AAAAAAA", "AAA*AAA", "is not base64" },
    { "AAAAAAAAAAAAAAAAAACAPw", "AADAfwAAAAAAAAAAAACAPw", "a coordinate of vertex 0 is not" },
  };
  size_t before = sinew_live_blocks();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_mesh *mesh = parse("a.gltf", with(fuzz_gltf_text, cases[i].from, cases[i].to));
    MU_CHECK_SAY(!mesh, "case %zu is taken", i);
    MU_HAS(error.text, cases[i].message);
    MU_INT(error.count, 1);
  }
  MU_INT(sinew_live_blocks() - before, 0);
  MU_REFUSED(parse("a.stl", "solid"), "a.stl: a mesh file ends with .obj, .glb or .gltf");
  MU_CHECK(!sinew_mesh_parse("a.obj", "", (size_t)SINEW_MESH_BYTES + 1, &error));
  MU_INT(error.status, SINEW_ERR_LIMIT);
}

MU_TEST(mesh_limits_the_size_that_a_small_file_can_claim) {
  /* 400 nodes that each show a mesh of 400 lists of points */
  enum { room = 32000 };
  char *text = MU_MADE(si_alloc(room));
  int at = snprintf(text, room, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0");
  for (int i = 1; i < 400; i++) at += snprintf(text + at, room - (size_t)at, ",%d", i);
  at += snprintf(text + at, room - (size_t)at, "]}],\"nodes\":[{\"mesh\":0}");
  for (int i = 1; i < 400; i++) at += snprintf(text + at, room - (size_t)at, ",{\"mesh\":0}");
  at += snprintf(text + at, room - (size_t)at, "],\"meshes\":[{\"primitives\":[{\"mode\":0}");
  for (int i = 1; i < 400; i++) at += snprintf(text + at, room - (size_t)at, ",{\"mode\":0}");
  snprintf(text + at, room - (size_t)at, "]}]}");
  sinew_mesh *mesh = parse("a.gltf", text);
  si_free(text);
  MU_REFUSED(mesh, "the scene has more than 16384 primitives");
}

MU_TEST(json_is_read_strictly) {
  static const char *const good[] = {
    "0", "-0.5e+3", " [ ] ", "{\"a\":[1,{}],\"b\":null}", "true", "\"\\u00e9\\/\"", "[[[]],\"x\"]"
  };
  static const char *const bad[] = { "",      "01",      "+1",          ".5",     "1.",
                                     "1e",    "-",       "[1,]",        "[,1]",   "[1 2]",
                                     "{",     "[}",      "{\"a\"}",     "{a:1}",  "{\"a\":1,}",
                                     "nul",   "\"\\x\"", "\"a",         "\"\n\"", "1 1",
                                     "1e999", "NaN",     "\"\\u12g4\"", "]" };
  si_json json;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    MU_CHECK_SAY(si_json_read("j", good[i], strlen(good[i]), SI_JSON_VALUES, &json, &error) ==
                     SINEW_OK,
                 "%s: %s", good[i], error.text);
    MU_INT(json.values[0].next, json.count);
    si_json_free(&json);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    MU_CHECK_SAY(si_json_read("j", bad[i], strlen(bad[i]), SI_JSON_VALUES, &json, &error) < 0, "%s",
                 bad[i]);
  const char *text = "{\"a\":[1,[2],3],\n\"b\":-12.5e-1}";
  MU_INT(si_json_read("j", text, strlen(text), SI_JSON_VALUES, &json, &error), SINEW_OK);
  const si_json_value *b = si_json_find(&json, json.values, "b");
  MU_CHECK(b && b->line == 2);
  MU_NEAR(b->number, -1.25, 0);
  MU_CHECK(!si_json_find(&json, json.values, "c") && !si_json_find(&json, b, "a"));
  si_json_free(&json);
  char deep[200];
  memset(deep, '[', sizeof deep);
  MU_CHECK(si_json_read("j", deep, sizeof deep, SI_JSON_VALUES, &json, &error) < 0);
  MU_TEXT(error.text, "j:1:65: more than 64 deep");
}

MU_TEST(mesh_loads_files) {
  MU_CHECK(scratch_open());
  scratch_text("a.gltf", fuzz_gltf_text);
  OWNED(mesh) *mesh = sinew_mesh_load(scratch_path("a.gltf"), &error);
  bool missing = !sinew_mesh_load(scratch_path("b.glb"), &error);
  scratch_close();
  MU_CHECK(mesh && missing);
  MU_HAS(error.text, "b.glb: cannot open");
}

static bool parse_some(void *context) {
  (void)context;
  OWNED(mesh) *mesh = parse("a.gltf", fuzz_gltf_text);
  bool ok = mesh != NULL;
  if (!ok && error.status != SINEW_ERR_MEMORY) abort();
  return ok;
}

MU_TEST(mesh_survives_failing_memory) { MU_CHECK(case_survives_failing_memory(parse_some, NULL)); }

FUZZED(gltf, 4000)

MU_TEST(the_corpus_of_json_is_read_or_refused) {
  MU_CHECK(fuzz_corpus(&fuzz_json_kind, "tests/fuzz/corpus/json.pack") > 0);
}

MU_SUITE(mesh)
