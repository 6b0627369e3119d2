/* Builds the knee of the documentation in C, bends it, and prints where the bones are: the shortest
 * way through the engine, from builder to pose. */
#include <sinew/sinew.h>
#include <stdio.h>

static int fail(const sinew_error *error) {
  fprintf(stderr, "%s\n", error->text);
  return 1;
}

static sinew_rig *knee_rig(sinew_error *error) {
  static const float angle_points[] = { 0, 0, 120, -120 };
  static const float slide_points[] = { 0, 0, 40, -0.004f, 120, -0.012f };
  sinew_curve_desc line = sinew_default_curve_desc();
  line.kind = SINEW_CURVE_LINEAR, line.points = angle_points, line.point_count = 2;
  sinew_curve_desc spline = sinew_default_curve_desc();
  spline.kind = SINEW_CURVE_SPLINE, spline.points = slide_points, spline.point_count = 3;
  sinew_curve *angle = sinew_curve_create(&line, error);
  sinew_curve *slide = sinew_curve_create(&spline, error);
  sinew_builder *b = sinew_builder_create("knee", error);
  sinew_rig *rig = NULL;
  if (angle && slide && b) {
    sinew_joint_set knee = sinew_builder_add_joint_set(b, "knee", NULL, error);
    sinew_segment_desc femur = sinew_default_segment_desc();
    femur.name = "femur", femur.rest[13] = 0.9f;
    sinew_builder_add_segment(b, &femur, error);
    sinew_segment_desc tibia = sinew_default_segment_desc();
    tibia.name = "tibia", tibia.parent = "femur", tibia.rest[13] = -0.42f;
    sinew_segment shin = sinew_builder_add_segment(b, &tibia, error);
    sinew_dof_desc flexion = sinew_default_dof_desc();
    flexion.name = "flexion", flexion.joint_set = knee, flexion.min = 0, flexion.max = 120;
    sinew_builder_add_dof(b, &flexion, error);

    const sinew_component_desc parts[] = {
      { .kind = "map",
        .name = "bend",
        .joint_set = knee,
        .wires = (sinew_wire[]){ { "x", "flexion", { 0 } } },
        .wire_count = 1,
        .params =
            (sinew_param[]){ sinew_param_curve("angle", angle), sinew_param_curve("slide", slide) },
        .param_count = 2 },
      { .kind = "translation",
        .name = "glide",
        .joint_set = knee,
        .wires = (sinew_wire[]){ { "y", "bend.slide", { 0 } } },
        .wire_count = 1 },
      { .kind = "rotation",
        .name = "turn",
        .joint_set = knee,
        .wires = (sinew_wire[]){ { "angle", "bend.angle", { 0 } } },
        .wire_count = 1,
        .params = (sinew_param[]){ sinew_param_vector("axis", 1, 0, 0.08f) },
        .param_count = 1 },
      { .kind = "multiply",
        .name = "shin",
        .joint_set = knee,
        .wires = (sinew_wire[]){ { "matrix", "glide", { 0 } }, { "matrix", "turn", { 0 } } },
        .wire_count = 2 },
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      sinew_builder_add_component(b, &parts[i], error);
    sinew_builder_drive(b, shin, "knee.shin", NULL, error);
    rig = sinew_builder_compile(b, error);
  }
  sinew_builder_destroy(b);
  sinew_curve_destroy(angle);
  sinew_curve_destroy(slide);
  return rig;
}

int main(void) {
  sinew_error error;
  sinew_rig *rig = knee_rig(&error);
  if (!rig) return fail(&error);
  sinew_pose *pose = sinew_pose_create(rig, &error);
  if (!pose) return fail(&error);
  sinew_dof flexion = sinew_rig_find_dof(rig, "knee.flexion", &error);
  printf("%-10s %10s %10s %10s   of the tibia's far end\n", "flexion", "x", "y", "z");
  for (int degrees = 0; degrees <= 120; degrees += 20) {
    sinew_pose_set(pose, flexion, (float)degrees, NULL);
    if (sinew_pose_eval(pose, &error) < 0) return fail(&error);
    const float *m = sinew_pose_world(pose, sinew_rig_find_segment(rig, "tibia", NULL));
    float end[3];
    for (int i = 0; i < 3; i++) end[i] = m[12 + i] - 0.4f * m[4 + i];
    printf("%-10d %10.4f %10.4f %10.4f\n", degrees, (double)end[0], (double)end[1], (double)end[2]);
  }
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  return 0;
}
