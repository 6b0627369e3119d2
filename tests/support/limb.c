/* See limb.h. */
#include "limb.h"

#include "field_cases.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

static int evaluations;
static float worst_seen, fails_above = INFINITY;

static float most_elbow(float lift) {
  return lift < -60 ? 140 : lift > 60 ? 50 : 140 + (lift + 60) * (50.0f - 140) / 120;
}

/* passes the elbow through; reads lift and the shoulder's matrix only to check them */
static sinew_status look(const sinew_node *node, float *values, sinew_error *error) {
  float lift = *sinew_node_in(node, values, 0), elbow = *sinew_node_in(node, values, 1);
  const float *bone =
      sinew_node_in(node, values, 2) + 8; /* the z axis; the cone is |x| + |y| < z */
  evaluations++;
  worst_seen = fmaxf(worst_seen, elbow - most_elbow(lift));
  worst_seen = fmaxf(worst_seen, fabsf(bone[0]) + fabsf(bone[1]) - bone[2]);
  *sinew_node_out(node, values, 0) = elbow;
  if (elbow <= fails_above) return SINEW_OK;
  sinew_error_add(error, SINEW_ERR_SCRIPT, "the elbow hurts");
  return SINEW_ERR_SCRIPT;
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  const sinew_input_rates *elbow = &rates->inputs[1];
  (void)node, (void)values, (void)error;
  for (uint32_t i = 0; i < elbow->count; i++)
    rates->outputs[0][elbow->columns[i]] = elbow->rates[i];
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = { { "lift", SINEW_SCALAR, 0, 0, "", "of the shoulder" },
                                          { "elbow", SINEW_SCALAR, 0, 0, "", "bounded" },
                                          { "shoulder", SINEW_MATRIX, 0, 0, "", "held" },
                                          { 0 } };
static const sinew_port_desc outputs[] = { { "angle", SINEW_SCALAR, 0, 0, "", "the elbow" },
                                           { 0 } };
static const sinew_component_class guard = { .class_size = sizeof(sinew_component_class),
                                             .name = "guard",
                                             .doc = "looks at every evaluation",
                                             .inputs = inputs,
                                             .outputs = outputs,
                                             .try_eval = look,
                                             .tangent = tangent };

int limb_evaluations(float *worst) {
  int count = evaluations;
  *worst = worst_seen;
  evaluations = 0, worst_seen = 0;
  return count;
}

void limb_fail_above(float elbow) { fails_above = elbow; }

static sinew_field *wrist_field(void) {
  static float ring[2 * 400];
  for (int i = 0; i < 400; i++) {
    float turn = 6.2831853f * (float)i / 400;
    ring[2 * i] = 60 * cosf(turn), ring[2 * i + 1] = 30 * sinf(turn);
  }
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ -120, 120, 33, false };
  return case_field(&desc, ring, 400);
}

static void turn(sinew_builder *b, const char *name, const char *wire, float x, float y, float z) {
  make_part(b, MAKE_NO_SET, "rotation", name, wire,
            SINEW_PARAMS(sinew_param_vector("axis", x, y, z)));
}

limb limb_open(void) {
  static const float diamond[] = { 1, 0, 1, 0, 1, 1, -1, 0, 1, 0, -1, 1 };
  static const float least_at[] = { -60, 140, 60, 50 },
                     curling[] = { 0, 0, 30, 30, 60, 30, 100, 80 };
  sinew_builder *b = sinew_builder_create("limb", NULL);
  sinew_builder_add_class(b, &guard, NULL);
  static const struct {
    const char *name;
    float min, max;
  } dofs[LIMB_DOFS] = { { "lift", -65, 65 }, { "side", -65, 65 }, { "twist", -90, 120 },
                        { "elbow", 0, 150 }, { "flex", -90, 90 }, { "sway", -70, 70 },
                        { "curl", 0, 100 } };
  for (int i = 0; i < LIMB_DOFS; i++)
    sinew_add_dof(b, dofs[i].name, NULL, dofs[i].min, dofs[i].max);
  turn(b, "lifting", "angle=lift", 1, 0, 0);
  turn(b, "siding", "angle=side", 0, 1, 0);
  sinew_add(b, "cone", "shoulder",
            SINEW_WIRES(sinew_wire_name("twist", "twist"), sinew_wire_name("angle1", "lift"),
                        sinew_wire_name("angle2", "side")),
            SINEW_PARAMS(
                sinew_param_vector("rest", 0, 0, 1), sinew_param_vectors("points", diamond, 4),
                sinew_param_numbers("twist_limits", (float[]){ -40, 70 }, 2),
                sinew_param_text("rotation1", "lifting"), sinew_param_text("rotation2", "siding")));
  OWNED(curve) *bound = make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, least_at, 2);
  OWNED(curve) *curl = make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, curling, 4);
  sinew_field *field = wrist_field();
  sinew_add(b, "dependency", "bounded",
            SINEW_WIRES(sinew_wire_name("active", "shoulder.angle1"),
                        sinew_wire_name("passive", "elbow")),
            SINEW_PARAMS(sinew_param_curve("upper", bound)));
  sinew_add(b, "guard", "guarded",
            SINEW_WIRES(sinew_wire_name("lift", "shoulder.angle1"),
                        sinew_wire_name("elbow", "bounded"),
                        sinew_wire_name("shoulder", "shoulder.transform")),
            SINEW_NONE);
  turn(b, "bending", "angle=guarded", -1, 0, 0);
  sinew_add(b, "field", "wrist",
            SINEW_WIRES(sinew_wire_name("angle", "flex"), sinew_wire_name("angle", "sway")),
            SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, field)));
  turn(b, "flexing", "angle=wrist.angle1", 1, 0, 0);
  turn(b, "swaying", "angle=wrist.angle2", 0, 1, 0);
  sinew_add(b, "multiply", "both",
            SINEW_WIRES(sinew_wire_name("matrix", "flexing"), sinew_wire_name("matrix", "swaying")),
            SINEW_NONE);
  sinew_add(b, "map", "curled", SINEW_WIRES(sinew_wire_name("x", "curl")),
            SINEW_PARAMS(sinew_param_curve("angle", curl)));
  turn(b, "curling", "angle=curled.angle", 1, 0, 0);
  sinew_field_release(field);

  limb l = { .upper = sinew_add_bone(b, SINEW_ROOT, "upper", (sinew_vec3){ 0, 1.2f, 0 }),
             .lower = make_segment(b, "lower", "upper", 0, 0, 0.3f),
             .hand = make_segment(b, "hand", "lower", 0, 0, 0.25f),
             .finger = make_segment(b, "finger", "hand", 0, 0, 0.1f) };
  sinew_builder_drive(b, l.upper, "shoulder.transform", NULL, NULL);
  sinew_builder_drive(b, l.lower, "bending", NULL, NULL);
  sinew_builder_drive(b, l.hand, "both", NULL, NULL);
  sinew_builder_drive(b, l.finger, "curling", NULL, NULL);
  l.rig = make_rig(b, NULL);
  l.pose = l.rig ? sinew_pose_create(l.rig, NULL) : NULL;
  return l;
}

void limb_close(limb *l) {
  sinew_pose_destroy(l->pose);
  sinew_rig_destroy(l->rig);
}
