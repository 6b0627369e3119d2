/* Files of every version that Sinew has written still open, from tests/files. A file that claims to
 * be newer is refused with both versions named. */
#include "fixture.h"
#include "minunit.h"

/* the bytes of a stored file, with the first `old` replaced by `changed` */
static char bytes[8192];
static size_t read_changed(const char *path, const char *old, const char *changed) {
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0, length = strlen(old);
  if (file) fclose(file);
  for (size_t i = 0; i + length <= size; i++)
    if (memcmp(bytes + i, old, length) == 0) {
      memcpy(bytes + i, changed, length);
      return size;
    }
  return 0;
}

MU_TEST(version_1_of_the_rig_format_opens) {
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_load("tests/files/rig_1.xml", &error), error.text);
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_compile(sinew_xml_builder(xml), &error), error.text);
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  sinew_pose_set(pose, sinew_rig_find_dof(rig, "joint.flex", NULL), 60, NULL);
  sinew_pose_set(pose, sinew_rig_find_dof(rig, "joint.twist", NULL), 25, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
  /* as that version evaluated them */
  const float *tip = sinew_pose_world(pose, sinew_rig_find_segment(rig, "tip", NULL));
  static const float expected[16] = { 0.417797208f,  0.387786627f,  0.821624696f, 0,
                                      -0.904942751f, 0.0972203016f, 0.414278865f, 0,
                                      0.0807732046f, -0.916607678f, 0.39154309f,  0,
                                      0.0261293836f, 0.364569396f,  -0.32661733f, 1 };
  for (int i = 0; i < 16; i++) MU_NEAR(tip[i], expected[i], 1e-6);
}

/* solids came later, without another version: files without them are the same */
MU_TEST(version_1_of_the_rig_format_opens_with_solids) {
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_load("tests/files/rig_1_solid.xml", &error), error.text);
  static const float places[][3] = { { 0, 0, 0 }, { -0.03f, 0.21f, 0.02f }, { 0.2f, 1.1f, 0 } };
  /* as they were when the file was written */
  static const float expected[2][3] = { { 0.0154993255f, 0.00227014953f, 0.882726073f },
                                        { 0.0154993255f, 0.00227014953f, 0.0110042468f } };
  for (uint32_t i = 0; i < 2; i++) {
    const sinew_solid *solid = sinew_xml_shape_of(xml, (sinew_segment){ i + 1 }).solid;
    for (int k = 0; k < 3; k++)
      MU_NEAR(sinew_solid_distance(solid, places[k]), expected[i][k], 1e-6);
  }
  OWNED(rig) *rig = MU_MADE_OR(sinew_rig_load("tests/files/rig_1_solid.xml", &error), error.text);
}

/* so did masses and stiffness */
MU_TEST(version_1_of_the_rig_format_opens_with_masses) {
  OWNED(rig) *rig = MU_MADE_OR(sinew_rig_load("tests/files/rig_1_mass.xml", &error), error.text);
  sinew_segment_info tip = sinew_rig_segment_info(rig, sinew_rig_find_segment(rig, "tip", NULL));
  MU_CHECK(tip.mass == 1.25f && tip.mass_at[1] == -0.2f);
  MU_NEAR(sinew_rig_dof_info(rig, sinew_rig_find_dof(rig, "joint.flex", NULL)).stiffness, 30, 0);
  MU_NEAR(sinew_rig_dof_info(rig, sinew_rig_find_dof(rig, "joint.twist", NULL)).stiffness, 0, 0);
}

/* programs came with version 2 */
MU_TEST(version_2_of_the_rig_format_opens) {
  OWNED(rig) *rig = MU_MADE_OR(sinew_rig_load("tests/files/rig_2.xml", &error), error.text);
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  sinew_pose_set(pose, sinew_rig_find_dof(rig, "joint.turn", NULL), 70, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
  /* as that version evaluated them */
  const float *tip = sinew_pose_world(pose, sinew_rig_find_segment(rig, "tip", NULL));
  static const float expected[4][4] = { { -0.766044557f, 0, -0.642787635f, 0 },
                                        { 0, 1, 0, 0 },
                                        { 0.642787635f, 0, -0.766044557f, 0 },
                                        { 0.0342020132f, 0.701944411f, -0.0939692706f, 1 } };
  for (int i = 0; i < 16; i++) MU_NEAR(tip[i], expected[i / 4][i % 4], 1e-6);
}

MU_TEST(version_1_of_the_clip_format_opens) {
  OWNED(clip) *clip = MU_MADE_OR(sinew_clip_load("tests/files/clip_1.json", &error), error.text);
  MU_NEAR(sinew_clip_fps(clip), 24, 0);
  MU_CHECK(sinew_clip_loop(clip));
  int flex = sinew_clip_find_channel(clip, "joint.flex");
  int twist = sinew_clip_find_channel(clip, "joint.twist");
  MU_NEAR(sinew_clip_sample(clip, flex, 0.25f), 20.9375, 1e-5);
  MU_NEAR(sinew_clip_sample(clip, twist, 1), 10.0 / 3, 1e-5);
}

MU_TEST(version_1_of_the_field_format_opens) {
  OWNED(field) *field =
      MU_MADE_OR(sinew_field_load("tests/files/field_1.field", 1 << 20, &error), error.text);
  float angles[2] = { 35, 30 };
  sinew_field_project(field, angles, angles);
  MU_NEAR(angles[0], 22.450336456299, 1e-4);
  MU_NEAR(angles[1], 20.65184211731, 1e-4);
}

MU_TEST(files_of_a_newer_version_are_refused_by_number) {
  sinew_error errors[3];
  size_t size = read_changed("tests/files/rig_1.xml", "rig version=\"1\"", "rig version=\"3\"");
  MU_CHECK(size && !sinew_xml_parse("rig", bytes, size, &errors[0]));
  size = read_changed("tests/files/clip_1.json", "\"sinew_clip\": 1", "\"sinew_clip\": 2");
  MU_CHECK(size && !sinew_clip_parse("clip", bytes, size, &errors[1]));
  size = read_changed("tests/files/field_1.field", "SINEWFLD\1", "SINEWFLD\2");
  MU_CHECK(size && !sinew_field_decode("field", bytes, size, 1 << 20, &errors[2]));
  MU_HAS(errors[0].text, "unsupported rig version 3; this program reads versions 1 to 2");
  for (int i = 1; i < 3; i++) {
    MU_HAS(errors[i].text, "version 2");
    MU_HAS(errors[i].text, "version 1");
  }
}

MU_SUITE(versions)
