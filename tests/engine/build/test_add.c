/* The short calls: they make what the builder's own calls make, joints move as the product of their
 * matrices says, and what goes wrong sticks until the builder is finished. */
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scarce.h"

#include <math.h>

static sinew_error error;

/* as in lua/examples/crane.c */
static sinew_builder *crane(void) {
  sinew_builder *b = sinew_builder_create("crane", NULL);
  sinew_segment boom = sinew_add_bone(b, SINEW_ROOT, "boom", (sinew_vec3){ 0, 1, 0 });
  sinew_segment arm = sinew_add_bone(b, boom, "arm", (sinew_vec3){ 0, 0, 1.6f });
  sinew_segment head = sinew_add_bone(b, arm, "head", (sinew_vec3){ 0, 0, 0.8f });
  sinew_add_hinge(b, boom, "crane.pan", SINEW_Y, -180, 180);
  sinew_add_hinge(b, boom, "crane.lift", SINEW_X, -75, 20);
  sinew_add_hinge(b, arm, "crane.fold", SINEW_X, 0, 130);
  sinew_add_slider(b, head, "crane.reach", SINEW_Z, 0, 0.6f);
  return b;
}

MU_TEST(short_calls_make_the_rig_of_the_file) {
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_finish(crane(), &error), error.text);
  OWNED(rig) *loaded = MU_MADE_OR(sinew_rig_load("lua/examples/crane.xml", &error), error.text);
  char *text = NULL, *expected = NULL;
  size_t size;
  MU_INT(sinew_xml_write(rig, NULL, &text, &size, &error), SINEW_OK);
  MU_INT(sinew_xml_write(loaded, NULL, &expected, &size, &error), SINEW_OK);
  MU_TEXT(text, expected);
  sinew_text_free(text);
  sinew_text_free(expected);
}

/* one call for each line, and the names that the joints give their parts */
MU_TEST(short_calls_make_what_long_ones_make) {
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_finish(crane(), &error), error.text);
  char *text = NULL, *expected = NULL;
  size_t size;
  sinew_builder *b = sinew_builder_create("crane", NULL);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "crane", NULL, NULL);
  static const char *const drivers[] = { "boom_motion", "arm_fold", "head_reach" };
  static const char *const names[] = { "boom", "arm", "head" };
  const float places[][2] = { { 1, 0 }, { 0, 1.6f }, { 0, 0.8f } };
  for (int i = 0; i < 3; i++) {
    sinew_segment_desc bone = sinew_default_segment_desc();
    bone.name = names[i], bone.joint_set = set, bone.parent = i ? names[i - 1] : NULL;
    bone.rest[13] = places[i][0], bone.rest[14] = places[i][1];
    sinew_builder_drive(b, sinew_builder_add_segment(b, &bone, NULL), drivers[i], NULL, NULL);
  }
  make_lines(b, "set crane\ndof pan -180 180\ndof lift -75 20\ndof fold 0 130\n"
                "rotation boom_pan angle=pan axis=0,1,0\nrotation boom_lift angle=lift axis=1,0,0\n"
                "multiply boom_motion matrix=boom_pan matrix=boom_lift\n"
                "rotation arm_fold angle=fold axis=1,0,0");
  sinew_dof_desc reach = sinew_default_dof_desc();
  reach.name = "reach", reach.joint_set = set, reach.min = 0, reach.max = 0.6f, reach.unit = "m";
  sinew_builder_add_dof(b, &reach, NULL);
  make_lines(b, "set crane\ntranslation head_reach z=reach");
  OWNED(rig) *same = MU_MADE(make_rig(b, NULL));
  MU_INT(sinew_xml_write(rig, NULL, &text, &size, &error), SINEW_OK);
  MU_INT(sinew_xml_write(same, NULL, &expected, &size, &error), SINEW_OK);
  MU_TEXT(text, expected);
  sinew_text_free(text);
  sinew_text_free(expected);
}

/* the head of the crane goes where it is pulled, or as near as it can */
MU_TEST(reach_pulls_a_bone_to_a_place) {
  OWNED(rig) *rig = MU_MADE(sinew_builder_finish(crane(), &error));
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  sinew_segment head = sinew_rig_find_segment(rig, "head", NULL);
  OWNED(solver) *solver = MU_MADE(sinew_reach_create(rig, head, &error));
  for (int i = 0; i < 20; i++) sinew_reach(solver, pose, (sinew_vec3){ 0.5f, 1.4f, 1.6f });
  MU_CHECK(sinew_reach(solver, pose, (sinew_vec3){ 0.5f, 1.4f, 1.6f }) < 1e-3f);
  const float *m = sinew_pose_world(pose, head);
  MU_CHECK(fabsf(m[12] - 0.5f) < 1e-3f && fabsf(m[13] - 1.4f) < 1e-3f &&
           fabsf(m[14] - 1.6f) < 1e-3f);
  MU_CHECK(sinew_reach(solver, pose, (sinew_vec3){ 0, 1, 9 }) > 5);
  MU_CHECK(isinf(sinew_reach(solver, pose, (sinew_vec3){ NAN, 0, 0 })));
  MU_REFUSED(sinew_reach_create(rig, SINEW_ROOT, &error), "");
}

/* up to four joints of any kind on each bone of a chain, against products in doubles */
MU_TEST(joints_of_a_bone_are_multiplied_in_their_order) {
  enum { bones = 4, most = 4 };
  uint32_t seed = 11;
  for (int round = 0; round < mu_rounds(200); round++) {
    sinew_builder *b = sinew_builder_create("chain", NULL);
    sinew_segment parent = SINEW_ROOT, bone[bones];
    sinew_dof dofs[bones * most];
    float axes[bones * most][3], frames[bones][16], values[bones * most];
    int counts[bones], count = 0;
    bool slides[bones * most];
    for (int i = 0; i < bones; i++) {
      char name[32];
      snprintf(name, sizeof name, "bone%d", i);
      make_frame(&seed, make_index(&seed, MAKE_FRAMES), frames[i]);
      parent = bone[i] = sinew_add_bone_frame(b, parent, name, frames[i]);
      counts[i] = make_index(&seed, most + 1);
      for (int k = 0; k < counts[i]; k++, count++) {
        /* some along x, y or z, which a slider takes straight */
        make_axis(&seed, axes[count]);
        if (make_index(&seed, 2)) memset(axes[count], 0, sizeof axes[count]);
        if (!axes[count][0] && !axes[count][1]) axes[count][make_index(&seed, 3)] = 1;
        sinew_vec3 axis = { axes[count][0], axes[count][1], axes[count][2] };
        snprintf(name, sizeof name, make_index(&seed, 2) ? "d%d" : "set%d.d", count);
        slides[count] = make_index(&seed, 2);
        dofs[count] = slides[count] ? sinew_add_slider(b, bone[i], name, axis, -2, 2)
                                    : sinew_add_hinge(b, bone[i], name, axis, -170, 170);
      }
    }
    OWNED(rig) *rig = MU_MADE_OR(sinew_builder_finish(b, &error), error.text);
    OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
    for (int i = 0; i < count; i++) {
      values[i] = slides[i] ? make_between(&seed, -2, 2) : make_between(&seed, -170, 170);
      sinew_pose_set(pose, dofs[i], values[i], NULL);
    }
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    dmat world = dmat_identity();
    for (int i = 0, at = 0; i < bones; i++) {
      world = dmat_mul(world, dmat_of(frames[i]));
      for (int k = 0; k < counts[i]; k++, at++) {
        const float *a = axes[at];
        double length = sqrt((double)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
        double d = (double)values[at] / length;
        world = dmat_mul(
            world, slides[at] ? dmat_move(d * (double)a[0], d * (double)a[1], d * (double)a[2])
                              : dmat_turn(a, (double)values[at]));
      }
      MU_CHECK_SAY(dmat_off(world, sinew_pose_world(pose, bone[i])) < 1e-5, "round %d bone %d",
                   round, i);
    }
  }
}

/* inside its cone a ball turns by both swings and the twist; outside, its bone stays at the cone */
MU_TEST(a_ball_swings_inside_its_cone) {
  uint32_t seed = 5;
  for (int round = 0; round < mu_rounds(200); round++) {
    float along[3], cone = make_between(&seed, 5, 150), length = 0;
    make_axis(&seed, along);
    if (round < 3) along[0] = along[1] = along[2] = 0, along[round] = round == 1 ? -2 : 1;
    sinew_builder *b = sinew_builder_create("ball", NULL);
    sinew_segment bone = sinew_add_bone(b, SINEW_ROOT, "femur", (sinew_vec3){ 0, 1, 0 });
    sinew_ball hip =
        sinew_add_ball(b, bone, "hip", (sinew_vec3){ along[0], along[1], along[2] }, cone, -30, 45);
    OWNED(rig) *rig = MU_MADE_OR(sinew_builder_finish(b, &error), error.text);
    OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
    MU_TEXT(sinew_rig_dof_info(rig, hip.swing1).name, "hip.swing1");
    MU_TEXT(sinew_rig_dof_info(rig, hip.twist).name, "hip.twist");
    for (int i = 0; i < 3; i++) length += along[i] * along[i];
    for (int i = 0; i < 3; i++) along[i] /= sqrtf(length);
    /* the first axis of the three that is farthest from it, and the cross product */
    int far = 0;
    for (int i = 1; i < 3; i++)
      if (fabsf(along[i]) < fabsf(along[far])) far = i;
    float u[3], v[3];
    for (int i = 0; i < 3; i++) u[i] = (i == far ? 1 : 0) - along[far] * along[i];
    for (int i = 0; i < 3; i++)
      v[i] = along[(i + 1) % 3] * u[(i + 2) % 3] - along[(i + 2) % 3] * u[(i + 1) % 3];
    for (int trial = 0; trial < 4; trial++) {
      float a = make_between(&seed, -cone, cone), c = make_between(&seed, -cone, cone);
      float t = make_between(&seed, -30, 45);
      sinew_pose_set(pose, hip.swing1, a, NULL);
      sinew_pose_set(pose, hip.swing2, c, NULL);
      sinew_pose_set(pose, hip.twist, t, NULL);
      MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
      MU_INT(sinew_pose_verify(pose, &error), SINEW_OK);
      const float *m = sinew_pose_world(pose, bone);
      dmat swing = dmat_mul(dmat_turn(u, (double)a), dmat_turn(v, (double)c));
      double wanted = 0, given = 0;
      for (int row = 0; row < 3; row++)
        for (int col = 0; col < 3; col++) {
          wanted += (double)along[row] * swing.m[4 * col + row] * (double)along[col];
          given += (double)along[row] * (double)m[4 * col + row] * (double)along[col];
        }
      wanted = acos(wanted) * 180 / 3.14159265358979, given = acos(given) * 180 / 3.14159265358979;
      if (wanted < 0.97 * (double)cone) /* the cone is a polygon inside a circle */
        MU_CHECK(
            dmat_off(dmat_mul(dmat_move(0, 1, 0), dmat_mul(swing, dmat_turn(along, (double)t))),
                     m) < 1e-4);
      MU_CHECK_SAY(given < (double)cone + 0.1, "%g beyond a cone of %g", given, (double)cone);
    }
  }
}

MU_TEST(mistakes_of_short_calls_stick_until_the_end) {
  sinew_builder *b = sinew_builder_create("wrong", NULL);
  sinew_segment hip = sinew_add_bone(b, SINEW_ROOT, "hip", (sinew_vec3){ 0, 0, 0 });
  MU_INT(sinew_builder_error(b)->count, 0);
  sinew_ball ball = sinew_add_ball(b, hip, "leg", SINEW_Y, 200, -10, 10);
  MU_CHECK(!ball.swing1.id && !ball.twist.id);
  MU_INT(sinew_builder_error(b)->count, 1);
  /* whatever follows from it is passed over: its cause is known */
  sinew_component turn =
      sinew_add(b, "rotation", "turn", SINEW_WIRES(sinew_wire_dof("angle", ball.twist)),
                SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  MU_CHECK(!turn.id);
  sinew_param axis = sinew_param_vector("axis", 0, 0, 1);
  sinew_add_driver(b, hip, turn, NULL);
  MU_INT(sinew_builder_set_param(b, turn, &axis, &error), SINEW_ERR_VALUE);
  MU_HAS(error.text, "ball 'leg'");
  MU_INT(sinew_builder_set_dof_range(b, ball.twist, 0, 1, 0, NULL), SINEW_ERR_VALUE);
  MU_CHECK(!sinew_add_hinge(b, (sinew_segment){ 0 }, "h", SINEW_X, 0, 1).id);
  MU_INT(sinew_builder_error(b)->count, 1);
  /* other mistakes are still found */
  sinew_add_slider(b, hip, "slip", (sinew_vec3){ 0, 0, 0 }, 0, 1);
  sinew_add_ball(b, hip, "leg", (sinew_vec3){ 0, NAN, 0 }, 20, 0, 1);
  sinew_add_ball(b, hip, "left.leg", SINEW_X, 20, 0, 1);
  sinew_add_hinge(b, hip, "flexion", (sinew_vec3){ 0, 0, 0 }, 0, 90);
  sinew_add(b, "rotatoin", NULL, SINEW_NONE, SINEW_NONE);
  MU_REFUSED_AS(sinew_builder_finish(b, &error),
                "ball 'leg': its cone must be above 0 and below 180\n"
                "slider 'slip': its axis is zero or not finite\n"
                "ball 'leg': its direction 'along' is zero or not finite\n"
                "ball 'left.leg': its name is that of its joint set, so it has no dot\n"
                "component 'rotatoin1': no kind of component named 'rotatoin' (did you mean "
                "'rotation'?)\n"
                "component 'hip_flexion': 'axis' is zero");
}

MU_TEST(a_null_id_without_a_cause_is_a_mistake_of_its_own) {
  sinew_builder *b = sinew_builder_create("null", NULL);
  sinew_add(b, "rotation", "turn", SINEW_WIRES(sinew_wire_dof("angle", (sinew_dof){ 0 })),
            SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  sinew_add_hinge(b, SINEW_ROOT, "pan", SINEW_Y, 0, 1);
  MU_REFUSED_AS(sinew_builder_finish(b, &error),
                "hinge 'pan': its bone is a null id\n"
                "component 'turn' input 'angle': is wired to a null id or an empty name");
}

MU_TEST(a_bone_driven_by_name_takes_no_joint) {
  sinew_builder *b = sinew_builder_create("driven", NULL);
  sinew_segment bone = sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0, 0, 0 });
  sinew_builder_drive(b, bone, "turn", NULL, NULL);
  sinew_add_hinge(b, bone, "bend", SINEW_X, 0, 1);
  sinew_dof x = sinew_add_dof(b, "x", NULL, -1, 1);
  sinew_component turn = sinew_add(b, "rotation", "turn", SINEW_WIRES(sinew_wire_dof("angle", x)),
                                   SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  sinew_add_driver(b, bone, turn, NULL);
  MU_REFUSED_AS(sinew_builder_finish(b, &error),
                "hinge 'bend': its bone is driven by name already; joints go before a driver\n"
                "segment 'bone': is driven twice");
}

/* "a.b" is both a DOF of the set "a" and the output "b" of a component "a" */
MU_TEST(a_wire_by_id_needs_no_name) {
  sinew_builder *b = sinew_builder_create("ids", NULL);
  OWNED(curve) *line = make_line(0, 0, 1, 3);
  sinew_dof x = sinew_add_dof(b, "x", NULL, -10, 10), shadow = sinew_add_dof(b, "a.b", NULL, -9, 9);
  sinew_component a = sinew_add(b, "map", "a", SINEW_WIRES(sinew_wire_dof("x", x)),
                                SINEW_PARAMS(sinew_param_curve("b", line)));
  sinew_component t =
      sinew_add(b, "translation", "s.t",
                SINEW_WIRES(sinew_wire_output("x", a, "b"), sinew_wire_output("y", a, NULL),
                            sinew_wire_dof("z", shadow)),
                SINEW_NONE);
  sinew_wire first = sinew_builder_wire(b, t, 0);
  MU_INT(first.component.id, a.id);
  MU_TEXT(first.output, "b");
  MU_TEXT(first.from, ".a.b");
  MU_INT(sinew_builder_wire_source(b, t, 0).component.id, a.id);
  MU_INT(sinew_builder_wire_source(b, t, 1).component.id, a.id);
  MU_INT(sinew_builder_wire_source(b, t, 2).dof.id, shadow.id);
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_finish(b, &error), error.text);
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  sinew_pose_set(pose, x, 2, NULL);
  sinew_pose_set(pose, shadow, 5, NULL);
  sinew_pose_eval(pose, NULL);
  const float *m = sinew_pose_value(pose, t, 0);
  MU_CHECK(m[12] == 6 && m[13] == 6 && m[14] == 5);
}

MU_TEST(a_wire_by_id_names_what_it_cannot_have) {
  sinew_builder *b = sinew_builder_create("ids", NULL);
  sinew_dof x = sinew_add_dof(b, "x", NULL, -10, 10);
  sinew_component e =
      sinew_add(b, "euler", "e", SINEW_WIRES(sinew_wire_dof("first", x)), SINEW_NONE);
  sinew_add(b, "translation", "t",
            SINEW_WIRES(sinew_wire_output("x", e, NULL), sinew_wire_output("y", e, "transfrom")),
            SINEW_NONE);
  MU_REFUSED_AS(sinew_builder_finish(b, &error),
                "component 't' input 'x': 'e' is a matrix, a scalar is wanted\n"
                "component 't' input 'y': component 'e' has no port named 'transfrom' (did you "
                "mean 'transform'?)");
}

MU_TEST(a_builder_that_was_not_made_is_reported_once) {
  sinew_segment bone = sinew_add_bone(NULL, SINEW_ROOT, "b", (sinew_vec3){ 0, 0, 0 });
  MU_INT(bone.id, 0);
  MU_INT(sinew_add_hinge(NULL, bone, "h", SINEW_X, 0, 1).id, 0);
  MU_INT(sinew_add_ball(NULL, bone, "h", SINEW_X, 0, 1, 1).twist.id, 0);
  MU_INT(sinew_add(NULL, "rotation", "r", SINEW_NONE, SINEW_NONE).id, 0);
  sinew_add_driver(NULL, bone, (sinew_component){ 0 }, NULL);
  MU_REFUSED_AS(sinew_builder_finish(NULL, &error), "out of memory");
}

MU_TEST(short_calls_survive_every_failing_allocation) {
  size_t blocks = sinew_live_blocks();
  sinew_rig *rig = NULL;
  int failed = 0;
  for (long n = 0; !rig && n < 500; n++) {
    scarce_memory(n);
    sinew_builder *b = crane();
    sinew_add_ball(b, sinew_add_bone(b, SINEW_ROOT, "leg", (sinew_vec3){ 0, 0, 1 }), "leg", SINEW_Z,
                   40, -20, 20);
    sinew_add_slider(b, sinew_add_bone(b, SINEW_ROOT, "ram", (sinew_vec3){ 0, 0, 1 }), "stroke",
                     (sinew_vec3){ 1, 2, 3 }, 0, 1);
    rig = sinew_builder_finish(b, &error);
    failed += !rig;
    if (!rig) MU_INT(error.status, SINEW_ERR_MEMORY);
    if (!rig) MU_INT(sinew_live_blocks(), blocks);
  }
  MU_CHECK(rig && failed > 10);
  sinew_rig_destroy(rig);
  plenty_of_memory();
  MU_INT(sinew_live_blocks(), blocks);
}

MU_TEST(a_dof_that_cannot_move_is_reported) {
  OWNED(rig) *rig = MU_MADE(make_text("dof stiff 5 5; segment bone"));
  MU_TEXT(sinew_rig_warnings(rig), "DOF 'stiff' cannot move: its min and max are both 5");
}

MU_SUITE(add)
