/* Nodes of glTF files as bones: frames against products in doubles, and what can be wrong. */
#include "field_cases.h"
#include "fuzz/fuzz_gltf.h"
#include "minunit.h"
#include "owned.h"
#include "sinew/skeleton.h"

static sinew_error error;

static sinew_skeleton *parse(const char *text) {
  return sinew_skeleton_parse("a.gltf", text, strlen(text), &error);
}

#define HEAD "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"

MU_TEST(skeleton_has_names_parents_and_counts) {
  OWNED(skeleton) *scene =
      parse(HEAD "\"nodes\":[{\"name\":\"rig\",\"children\":[2,1]},{\"name\":\"a.b\",\"mesh\":0},"
                 "{\"children\":[3]},{\"name\":\"tip\"}],\"skins\":[{\"joints\":[2,3]}],"
                 "\"meshes\":[{}],\"animations\":[{},{}],\"cameras\":[{}],"
                 "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}");
  MU_CHECK_SAY(scene, "%s", error.text);
  MU_INT(scene->node_count, 4);
  MU_TEXT(scene->nodes[0].name, "rig");
  MU_TEXT(scene->nodes[1].name, "");
  MU_TEXT(scene->nodes[2].name, "a.b");
  MU_INT(scene->nodes[0].parent, -1);
  MU_INT(scene->nodes[2].parent, 0);
  MU_INT(scene->nodes[3].parent, 1);
  MU_CHECK(!scene->nodes[0].joint && scene->nodes[1].joint && scene->nodes[3].joint);
  MU_CHECK(scene->nodes[2].mesh && !scene->nodes[3].mesh);
  MU_INT(scene->meshes, 1);
  MU_INT(scene->skins, 1);
  MU_INT(scene->animations, 2);
  MU_INT(scene->cameras, 1);
}

/* an armature scaled by 100 and turned by 90 degrees about x, bones in centimetres */
MU_TEST(skeleton_takes_an_armatures_scale_and_turn_into_the_places) {
  OWNED(skeleton) *scene =
      parse(HEAD "\"nodes\":[{\"scale\":[100,100,100],\"rotation\":[0.70710678,0,0,0.70710678],"
                 "\"children\":[1]},{\"translation\":[0,0,-0.009],\"children\":[2]},"
                 "{\"translation\":[0.002,0.001,0]}]}");
  MU_CHECK_SAY(scene, "%s", error.text);
  const float *hip = scene->nodes[1].world, *tip = scene->nodes[2].world;
  MU_NEAR(hip[13], 0.9, 1e-5);
  MU_NEAR(tip[12], 0.2, 1e-5);
  MU_NEAR(tip[13], 0.9, 1e-5);
  MU_NEAR(tip[14], 0.1, 1e-5);
  /* y looks along z, z down; of length 1 */
  MU_NEAR(tip[6], 1, 1e-6);
  MU_NEAR(tip[9], -1, 1e-6);
  MU_NEAR(scene->nodes[2].scale[0], 100, 1e-3);
}

/* whatever the matrix, the frame is rigid and right-handed, and a rotation stays what it is */
MU_TEST(skeleton_makes_every_frame_rigid) {
  static const char *const matrices[] = {
    "\"scale\":[1,-1,1]",
    "\"scale\":[0,0,0]",
    "\"scale\":[0,3,0]",
    "\"scale\":[0,0,2]",
    "\"scale\":[1,0,1]",
    "\"scale\":[1e-7,1e-7,1e-7]",
    "\"matrix\":[1,0,0,0,1,0,0,0,0,0,1,0,1,2,3,1]",
    "\"matrix\":[1,0,0,0,0.5,1,0,0,0,0.3,1,0,1,2,3,1]",
    "\"rotation\":[1,2,3,4],\"scale\":[5,6,7]",
  };
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
    char text[400];
    snprintf(text, sizeof text, HEAD "\"nodes\":[{%s}]}", matrices[i]);
    OWNED(skeleton) *scene = parse(text);
    MU_CHECK_SAY(scene, "%s", error.text);
    const float *m = scene->nodes[0].world;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b <= a; b++) {
        double dot = 0;
        for (int k = 0; k < 3; k++) dot += (double)m[4 * a + k] * m[4 * b + k];
        MU_NEAR(dot, a == b, 1e-6);
      }
    double z = (double)m[0] * m[5] - (double)m[1] * m[4];
    MU_NEAR(z, m[10], 1e-6);
  }
  OWNED(skeleton) *scene = parse(HEAD "\"nodes\":[{\"scale\":[2,3,-4]}]}");
  MU_NEAR(scene->nodes[0].scale[1], 3, 1e-6);
  MU_NEAR(scene->nodes[0].scale[2], -4, 1e-6);
}

MU_TEST(skeleton_says_what_is_wrong) {
  MU_REFUSED(parse("{}"), "not glTF 2.0");
  MU_REFUSED(parse("{\"asset\":{\"version\":\"2.0\"}}"), "there are no 'scenes'");
  MU_REFUSED(parse(HEAD "\"nodes\":[{\"children\":[0]}]}"), "node 0 is used twice");
  MU_REFUSED(parse(HEAD "\"nodes\":[{\"children\":[7]}]}"), "there is no node 7, there are 1");
  MU_REFUSED(parse(HEAD "\"nodes\":[{}],\"skins\":[{}]}"), "skin 0 has no 'joints'");
  MU_REFUSED(parse(HEAD "\"nodes\":[{}],\"skins\":[{\"joints\":[3]}]}"), "there is no node 3");
  MU_REFUSED(parse(HEAD "\"nodes\":[{\"scale\":[1e8,1,1],\"children\":[1]},"
                        "{\"scale\":[1e8,1,1]}]}"),
             "not within");
  MU_REFUSED(sinew_skeleton_parse("a.vrm", "glTF", 4, &error), "is not a .glb file");
  MU_REFUSED(sinew_skeleton_parse("a.fbx", "x", 1, &error), "ends with .glb, .gltf or .vrm");
  MU_REFUSED(sinew_skeleton_load("nowhere.glb", &error), "nowhere.glb");
}

static bool parse_some(void *context) {
  (void)context;
  OWNED(skeleton) *scene = parse(fuzz_gltf_text);
  bool ok = scene != NULL;
  if (!ok && error.status != SINEW_ERR_MEMORY) abort();
  return ok;
}

MU_TEST(skeleton_survives_failing_memory) {
  MU_CHECK(case_survives_failing_memory(parse_some, NULL));
}

MU_SUITE(skeleton)
