/* Where components act: frames against the worlds that result from them, rotations against the
 * engine's own, directions of cones, and the screw axis between two transforms. */
#include "plain/acting.h"
#include "plain/space.h"

#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

static const float square[] = { -1, -1, 1, -1, -1, -1, 1, -1, -1, 1, -1, 1 }; /* about -y */

typedef struct arm {
  sinew_rig *rig;
  sinew_pose *pose;
  acting_place *places;
} arm;

/* shoulder: multiply(before, cone over two rotations, turn); `by_matrix`: the cone takes a product
 */
static bool open_arm(arm *dest, uint32_t *seed, int frame, bool by_matrix) {
  static const float angles[] = { -120, -20, 40, 120 };
  float rest[2][16], axes[3][3], centres[9];
  sinew_builder *b = sinew_builder_create("arm", NULL);
  for (int i = 0; i < 2; i++) make_frame(seed, frame, rest[i]);
  for (int i = 0; i < 3; i++) make_axis(seed, axes[i]);
  for (int i = 0; i < 9; i++) centres[i] = make_between(seed, -0.1f, 0.1f);
  sinew_add_bone_frame(b, SINEW_ROOT, "trunk", rest[0]);
  make_placed(b, "bone", "trunk", rest[1]);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "joint", NULL, NULL);
  make_dof(b, set, "a", -120, 120);
  make_dof(b, set, "b", -100, 100);
  make_dof(b, set, "t", -60, 60);
  make_part(b, set, "translation", "before", "x=#0.1 y=#0.05 z=#-0.2", NULL, 0);
  make_part(b, set, "rotation", "one", "angle=a",
            SINEW_PARAMS(sinew_param_vector("axis", axes[0][0], axes[0][1], axes[0][2]),
                         sinew_param_numbers("angles", angles, 4),
                         sinew_param_vectors("centres", centres, 3),
                         sinew_param_number("rest", 10)));
  make_part(b, set, "rotation", "two", "angle=b",
            SINEW_PARAMS(sinew_param_vector("axis", axes[1][0], axes[1][1], axes[1][2]),
                         sinew_param_vector("centre", centres[0], centres[1], centres[2])));
  sinew_param params[5] = { sinew_param_vector("rest", 0, -1, 0),
                            sinew_param_vectors("points", square, 4) };
  if (by_matrix) {
    make_part(b, set, "multiply", "swing", "matrix=one matrix=two", NULL, 0);
    make_part(b, set, "cone", "reach", "swing=swing twist=t", params, 2);
  } else {
    params[2] = sinew_param_text("rotation1", "one");
    params[3] = sinew_param_text("rotation2", "two");
    params[2].type = params[3].type = SINEW_PARAM_COMPONENT;
    make_part(b, set, "cone", "reach", "angle1=a angle2=b twist=t", params, 4);
  }
  make_part(b, set, "rotation", "turn", "angle=t",
            SINEW_PARAMS(sinew_param_vector("axis", axes[2][0], axes[2][1], axes[2][2])));
  make_part(b, set, "multiply", "all", "matrix=before matrix=reach.transform matrix=turn", NULL, 0);
  sinew_builder_drive(b, (sinew_segment){ 2 }, "joint.all", NULL, NULL);
  dest->rig = make_rig(b, NULL);
  if (!dest->rig) return false;
  dest->pose = sinew_pose_create(dest->rig, NULL);
  dest->places = calloc((size_t)sinew_rig_component_count(dest->rig), sizeof *dest->places);
  acting_find(dest->rig, dest->places);
  return dest->pose && dest->places;
}

static void close_arm(arm *a) {
  free(a->places);
  sinew_pose_destroy(a->pose);
  sinew_rig_destroy(a->rig);
}

static void pose_arm(arm *a, uint32_t *seed) {
  for (int i = 0; i < 3; i++)
    sinew_pose_set(a->pose, sinew_rig_dof(a->rig, i), make_between(seed, -150, 150), NULL);
  sinew_pose_eval(a->pose, NULL);
}

static sinew_component find(const arm *a, const char *name) {
  return sinew_rig_find_component(a->rig, name, NULL);
}

/* frame(c) times the output of c, times the factors to its right, is the bone's world transform */
static double misplaced(const arm *a, const char *name, const float *gives, const float *right) {
  float frame[16];
  if (!acting_frame(a->pose, a->places, find(a, name), frame)) return 1e9;
  space_mul(frame, gives, frame);
  if (right) space_mul(frame, right, frame);
  return dmat_off(dmat_of(sinew_pose_world(a->pose, (sinew_segment){ 2 })), frame);
}

MU_TEST(acting_frames_give_the_bones_transform) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(200); round++) {
    arm a;
    bool by_matrix = round & 1;
    MU_CHECK(open_arm(&a, &seed, round % MAKE_FRAMES, by_matrix));
    pose_arm(&a, &seed);
    const float *turn = sinew_pose_value(a.pose, find(&a, "joint.turn"), 0);
    const float *cone = sinew_pose_value(a.pose, find(&a, "joint.reach"), 0);
    double worst = misplaced(&a, "joint.reach", cone, turn);
    worst = fmax(worst, misplaced(&a, "joint.turn", turn, NULL));
    float right[16], gives[16], twist[16];
    space_mul(cone, turn, right);
    worst = fmax(worst, misplaced(&a, "joint.before",
                                  sinew_pose_value(a.pose, find(&a, "joint.before"), 0), right));
    /* the swing's rotations are at the cone's frame, at the angles that it solved for */
    acting_hinge one, two;
    MU_CHECK(acting_hinge_read(a.rig, find(&a, "joint.one"), &one));
    MU_CHECK(acting_hinge_read(a.rig, find(&a, "joint.two"), &two));
    if (!by_matrix && *sinew_pose_value(a.pose, find(&a, "joint.reach"), 2) > 0) {
      float angle = *sinew_pose_value(a.pose, find(&a, "joint.reach"), 4);
      acting_hinge_matrix(&two, angle, gives);
      space_turn((float[]){ 0, -1, 0 }, *sinew_pose_value(a.pose, find(&a, "joint.reach"), 1),
                 twist);
      space_mul(twist, turn, right);
      worst = fmax(worst, misplaced(&a, "joint.two", gives, right));
    }
    MU_INT(a.places[find(&a, "joint.one").id - 1].segment.id, 2);
    MU_INT(a.places[find(&a, "joint.two").id - 1].segment.id, 2);
    close_arm(&a);
    MU_NEAR(worst, 0, 2e-5);
  }
}

MU_TEST(acting_hinges_rotate_as_the_engine_does) {
  uint32_t seed = 8;
  for (int round = 0; round < mu_rounds(200); round++) {
    arm a;
    float m[16], centre[3], moved[3], before[16], step[16];
    MU_CHECK(open_arm(&a, &seed, MAKE_TURNED, false));
    pose_arm(&a, &seed);
    sinew_component one = find(&a, "joint.one");
    acting_hinge h;
    MU_CHECK(acting_hinge_read(a.rig, one, &h) &&
             !acting_hinge_read(a.rig, find(&a, "joint.all"), &h));
    float angle = *sinew_pose_input(a.pose, one, 0);
    acting_hinge_matrix(&h, angle, m);
    double off = dmat_off(dmat_of(sinew_pose_value(a.pose, one, 0)), m);
    /* the centre does not move when the angle changes a little */
    float near = fminf(fmaxf(angle, -119), 118);
    if (fabsf(near + 20) < 0.2f || fabsf(near - 40) < 0.2f) near += 0.5f;
    acting_hinge_matrix(&h, near, before);
    acting_hinge_matrix(&h, near + 0.1f, step);
    acting_hinge_centre(&h, near, centre);
    space_inverse(before, before);
    space_mul(step, before, step);
    space_point(step, centre, moved);
    close_arm(&a);
    MU_NEAR(off, 0, 1e-5);
    for (int k = 0; k < 3; k++) MU_NEAR(moved[k], centre[k], 1e-6);
  }
}

MU_TEST(acting_directions_are_what_the_cone_sees) {
  uint32_t seed = 21;
  int outside = 0;
  for (int round = 0; round < mu_rounds(400); round++) {
    arm a;
    float wanted[3], given[3], held[3];
    MU_CHECK(open_arm(&a, &seed, MAKE_TURNED, round & 1));
    pose_arm(&a, &seed);
    sinew_component reach = find(&a, "joint.reach");
    const sinew_cone *cone = sinew_rig_cone(a.rig, reach);
    MU_CHECK(acting_cone_directions(a.pose, reach, wanted, given));
    MU_CHECK(!acting_cone_directions(a.pose, find(&a, "joint.all"), wanted, held));
    bool out = sinew_cone_hold(cone, wanted, NULL, held);
    bool said = *sinew_pose_value(a.pose, reach, 2) == 0;
    double off = (double)space_degrees_between(held, given);
    outside += out;
    close_arm(&a);
    MU_CHECK(out == said);
    MU_NEAR(off, 0, 0.02);
  }
  MU_CHECK(outside > 0);
}

MU_TEST(acting_upstream_marks_what_a_component_depends_on) {
  uint32_t seed = 2;
  arm a;
  bool marked[8] = { false };
  MU_CHECK(open_arm(&a, &seed, MAKE_MOVED, true));
  acting_upstream(a.rig, find(&a, "joint.reach"), marked);
  MU_CHECK(marked[find(&a, "joint.one").id - 1] && marked[find(&a, "joint.swing").id - 1]);
  MU_CHECK(!marked[find(&a, "joint.all").id - 1] && !marked[find(&a, "joint.turn").id - 1]);
  close_arm(&a);
}

/* far more nested products than the stack could hold */
MU_SLOW_TEST(acting_follows_a_chain_of_a_hundred_thousand_components) {
  enum { count = 100000 };
  sinew_builder *b = sinew_builder_create("row", NULL);
  char name[32], inputs[64];
  make_lines(b, "segment bone; dof x 0 1; translation p0 x=x y=#0 z=#0\n"
                "translation up x=#0 y=#1 z=#0");
  for (int i = 1; i < count; i++) {
    snprintf(name, sizeof name, "p%d", i);
    snprintf(inputs, sizeof inputs, i == 1 ? "matrix=up matrix=p%d" : "matrix=p%d", i - 1);
    make_part(b, MAKE_NO_SET, "multiply", name, inputs, NULL, 0);
  }
  sinew_builder_drive(b, (sinew_segment){ 1 }, name, NULL, NULL);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  MU_CHECK(sinew_pose_eval(pose, NULL) >= 0);
  FREED acting_place *places = calloc((size_t)count + 1, sizeof *places);
  FREED bool *marked = calloc((size_t)count + 1, sizeof *marked);
  sinew_component first = sinew_rig_find_component(rig, "p0", NULL);
  float frame[16];
  acting_find(rig, places);
  MU_INT(places[first.id - 1].input, 1);
  MU_INT(places[first.id - 1].segment.id, 1);
  MU_CHECK(acting_frame(pose, places, first, frame));
  MU_NEAR(frame[13], 1, 0);
  acting_upstream(rig, sinew_rig_segment_info(rig, (sinew_segment){ 1 }).driver, marked);
  int reached = 0;
  for (int i = 0; i < sinew_rig_component_count(rig); i++) reached += marked[i];
  MU_INT(reached, count + 1);
}

MU_TEST(acting_sight_leads_from_a_bone_to_what_it_sees) {
  OWNED(rig) *rig = make_text("dof x -1 1; segment a 1,0,0; segment b a 0,1,0; segment c 0,0,2\n"
                              "translation t x=x; drive c t\n"
                              "aim look segment=a at=c point=#0,0,1\n"
                              "distance far of=c to=b point=#0,0,1 to_point=#0,0.5,0\n"
                              "ik2 reach upper=a lower=b tip=0,1,0 goal=#0,0,3 pole=0,0,9\n"
                              "swing_twist other matrix=t axis=1,0,0");
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  static const char *const names[] = { "look", "far", "reach" };
  static const float right[][6] = { { 1, 0, 0, 0.5f, 0, 3 },
                                    { 1, 1.5f, 0, 0.5f, 0, 3 },
                                    { 1, 0, 0, 0, 0, 3 } };
  float ends[6];
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.5f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  for (int i = 0; i < 3; i++) {
    sinew_component c = sinew_rig_find_component(rig, names[i], NULL);
    MU_CHECK(acting_sight(pose, c, ends, ends + 3));
    for (int k = 0; k < 6; k++) MU_NEAR(ends[k], right[i][k], 1e-6);
  }
  MU_CHECK(!acting_sight(pose, sinew_rig_find_component(rig, "other", NULL), ends, ends + 3));
}

/* two bones read the same clamp, and the second a clamp of its own */
MU_TEST(acting_segments_follow_the_readers_of_a_scalar) {
  static const char *const names[] = { "s.both", "s.own", "s.one", "s.two", "s.idle" };
  static const uint32_t right[] = { 2, 3, 2, 3, 0 };
  sinew_builder *b = sinew_builder_create("pair", NULL);
  acting_place places[5] = { 0 };
  sinew_segment found[5] = { { 9 }, { 9 }, { 9 }, { 9 }, { 9 } };
  make_segment(b, "root", NULL, 0, 0, 0);
  make_segment(b, "first", "root", 0, 1, 0);
  make_segment(b, "second", "root", 1, 0, 0);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "s", NULL, NULL);
  make_dof(b, set, "a", -90, 90);
  sinew_curve *line = make_line(0, 0, 1, 1);
  make_part(b, set, "map", "both", "x=a", SINEW_PARAMS(sinew_param_curve("y", line)));
  make_part(b, set, "map", "own", "x=both", SINEW_PARAMS(sinew_param_curve("y", line)));
  make_part(b, set, "map", "idle", "x=a", SINEW_PARAMS(sinew_param_curve("y", line)));
  sinew_curve_destroy(line);
  make_part(b, set, "rotation", "one", "angle=both",
            SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  make_part(b, set, "rotation", "two", "angle=own",
            SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  sinew_builder_drive(b, (sinew_segment){ 2 }, "s.one", NULL, NULL);
  sinew_builder_drive(b, (sinew_segment){ 3 }, "s.two", NULL, NULL);
  OWNED(rig) *rig = make_rig(b, NULL);
  MU_MADE(rig);
  MU_INT(sinew_rig_component_count(rig), 5);
  acting_find(rig, places);
  acting_segments(rig, places, found);
  for (int i = 0; i < 5; i++)
    MU_CHECK_SAY(found[sinew_rig_find_component(rig, names[i], NULL).id - 1].id == right[i], "%s",
                 names[i]);
}

MU_TEST(acting_screw_finds_axis_and_centre) {
  uint32_t seed = 77;
  for (int round = 0; round < mu_rounds(500); round++) {
    float from[16], to[16], axis[3], turn[16], centre[3], moved[3], found[3], point[3];
    make_frame(&seed, round % MAKE_FRAMES, from);
    make_axis(&seed, axis);
    space_unit(axis);
    float degrees = make_between(&seed, 0.3f, 170), along = make_between(&seed, -0.1f, 0.1f);
    for (int k = 0; k < 3; k++) centre[k] = make_between(&seed, -1, 1);
    space_turn(axis, degrees, turn);
    space_direction(turn, centre, moved);
    for (int k = 0; k < 3; k++) turn[12 + k] = centre[k] - moved[k] + along * axis[k];
    space_mul(turn, from, to);
    MU_NEAR(acting_screw(from, to, found, point), degrees, 2e-3);
    for (int k = 0; k < 3; k++) MU_NEAR(found[k], axis[k], 2e-4);
    /* the point is on the axis: the vector to it from the centre is parallel to the axis */
    float off[3], side[3];
    for (int k = 0; k < 3; k++) off[k] = point[k] - centre[k];
    space_cross(off, axis, side);
    MU_NEAR(space_length(side), 0, 5e-4);
    MU_NEAR(acting_screw(from, from, found, point), 0, 0);
  }
}

MU_SUITE(acting)
