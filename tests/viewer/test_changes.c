/* What a reload says: every number that can move a bone counts as a change. */
#include "plain/changes.h"

#include "minunit.h"

#include <sinew/sinew.h>

#include <string.h>

/* what can be different between two versions of a rig */
typedef struct version {
  float at, stroke, offset;
  bool second;
} version;

static sinew_rig *make(version v) {
  sinew_builder *b = sinew_builder_create("arm", NULL);
  sinew_segment arm = sinew_add_bone(b, SINEW_ROOT, "arm", (sinew_vec3){ 0, v.at, 0 });
  sinew_dof bend = sinew_add_dof(b, "arm.bend", "deg", 0, 90);
  sinew_curve_desc desc = sinew_default_curve_desc();
  desc.kind = SINEW_CURVE_LINEAR;
  desc.points = (float[]){ 0, 0, 90, 1 };
  desc.point_count = 2;
  desc.offset = v.offset;
  sinew_curve *curve = sinew_curve_create(&desc, NULL);
  sinew_component by = sinew_add(b, "map", "arm.by", SINEW_WIRES(sinew_wire_dof("x", bend)),
                                 SINEW_PARAMS(sinew_param_curve("out", curve)));
  sinew_component one = sinew_add(
      b, "translation", "arm.one",
      SINEW_WIRES(sinew_wire_output("x", by, "out"), sinew_wire_number("y", v.stroke)), SINEW_NONE);
  sinew_component two = sinew_add(b, "translation", "arm.two",
                                  SINEW_WIRES(sinew_wire_output("z", by, "out")), SINEW_NONE);
  sinew_add_driver(b, arm, v.second ? two : one, NULL);
  sinew_rig *rig = sinew_builder_finish(b, NULL);
  sinew_curve_destroy(curve);
  return rig;
}

/* what is said of the change from the first version to this one */
static const char *said(version v) {
  static char text[200];
  sinew_rig *before = make((version){ .at = 1 }), *after = make(v);
  changes *known = changes_note(before);
  changes_say(known, after, text, sizeof text);
  changes_free(known);
  sinew_rig_destroy(before);
  sinew_rig_destroy(after);
  return text;
}

MU_TEST(changes_name_what_moves_bones) {
  MU_TEXT(said((version){ .at = 1 }), "no bone, DOF or component has changed");
  MU_TEXT(said((version){ .at = 2 }), "bone arm changed");
  MU_TEXT(said((version){ .at = 1, .stroke = 0.5f }), "component arm.one changed");
  MU_TEXT(said((version){ .at = 1, .offset = 0.5f }), "component arm.by changed");
  MU_TEXT(said((version){ .at = 1, .second = true }), "bone arm changed");
}

MU_SUITE(changes)
