/* The field component in a rig: its outputs, its holds, and what it refuses. */
#include "field_cases.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

static sinew_field *ring_field(void) {
  static float ring[2 * 400];
  for (int i = 0; i < 400; i++) {
    float turn = 6.2831853f * (float)i / 400;
    ring[2 * i] = 60 * cosf(turn), ring[2 * i + 1] = 40 * sinf(turn);
  }
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ -120, 120, 25, false };
  return case_field(&desc, ring, 400);
}

static sinew_rig *rig_of(const sinew_object_class *object_class, void *object, const char *wires,
                         sinew_component *part, sinew_error *error) {
  sinew_builder *b = make_lines(NULL, "dof swing -180 180; dof turn -180 180");
  *part = make_part(b, MAKE_NO_SET, "field", "limit", wires,
                    SINEW_PARAMS(sinew_param_object("field", object_class, object)));
  return make_rig(b, error);
}

MU_TEST(field_component_outputs_the_projection) {
  OWNED(field) *field = ring_field();
  sinew_component part;
  OWNED(rig) *rig =
      MU_MADE(rig_of(&sinew_field_class, field, "angle=swing angle=turn", &part, NULL));
  char name[32];
  sinew_rig_output_name(rig, part, 3, name, sizeof name);
  MU_TEXT(name, "angle2");
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  int held = 0;
  case_seed(60);
  for (int k = 0; k < mu_rounds(4000); k++) {
    const float wanted[2] = { case_random(-180, 180), case_random(-180, 180) };
    float given[2];
    sinew_field_project(field, wanted, given);
    sinew_pose_set_all(pose, wanted, 2, NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_NEAR(*sinew_pose_value(pose, part, 0), sinew_field_feasible(field, wanted), 0);
    MU_NEAR(*sinew_pose_value(pose, part, 1), sinew_field_lookup(field, wanted, NULL), 0);
    sinew_hold holds[8];
    int count = sinew_pose_holds(pose, holds, 8), seen = 0;
    for (int i = 0; i < 2; i++) {
      MU_NEAR(*sinew_pose_value(pose, part, 2 + i), given[i], 0);
      if (given[i] == wanted[i]) continue;
      MU_CHECK(seen < count);
      MU_TEXT(holds[seen].name, "limit");
      MU_TEXT(holds[seen].port, i ? "angle2" : "angle1");
      MU_TEXT(holds[seen].doc, "the field's feasible region");
      MU_NEAR(holds[seen].amount, given[i] - wanted[i], 0);
      seen++;
    }
    MU_INT(count, seen);
    held += seen;
  }
  MU_CHECK(held > 100);
}

MU_TEST(a_rig_keeps_its_field_and_gives_it_back) {
  size_t before = sinew_live_blocks();
  sinew_field *field = ring_field();
  sinew_component part;
  sinew_rig *rig = rig_of(&sinew_field_class, field, "angle=swing angle=turn", &part, NULL);
  MU_CHECK(rig);
  sinew_field_release(field);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set_all(pose, (float[]){ 150, 0 }, 2, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, part, 2), 67, 2);
  /* replaces the field */
  sinew_field_desc desc = sinew_default_field_desc(2);
  sinew_field *point = case_field(&desc, (float[]){ 0, 0 }, 1);
  sinew_param param = sinew_param_object("field", &sinew_field_class, point);
  MU_INT(sinew_rig_set_param(rig, part, &param, NULL), SINEW_OK);
  sinew_field_release(point);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_CHECK(*sinew_pose_value(pose, part, 2) < 25);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  MU_INT(sinew_live_blocks(), before);
}

static void keep(void *object) { (void)object; }

MU_TEST(field_component_refuses_wrong_angles_and_objects) {
  static const sinew_object_class other = { "tune", keep, keep };
  OWNED(field) *field = ring_field();
  sinew_component part;
  sinew_error error;
  int tune = 0;
  MU_REFUSED_AS(rig_of(&sinew_field_class, field, "angle=swing", &part, &error),
                "component 'limit': has 1 angle for a field of 2 axes");
  MU_REFUSED_AS(
      rig_of(&sinew_field_class, field, "angle=swing angle=turn angle=swing", &part, &error),
      "component 'limit': has 3 angles for a field of 2 axes");
  MU_REFUSED_AS(rig_of(&other, &tune, "angle=swing angle=turn", &part, &error),
                "component 'limit': 'field' is a tune, expected a field");
  MU_REFUSED(rig_of(&sinew_field_class, NULL, "angle=swing angle=turn", &part, &error),
             "no object is given");
}

MU_SUITE(field_component)
