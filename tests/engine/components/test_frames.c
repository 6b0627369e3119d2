/* relative, distance, aim, swing_twist and ik2 in random trees, against world matrices multiplied
 * and inverted in doubles. What a rotation must do is checked by what it does to points, or made by
 * Rodrigues' formula; derivatives by differences of poses. Also the awkward places of each. */
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "slopes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vec {
  double x, y, z;
} vec;

static vec minus(vec a, vec b) { return (vec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static vec times(double k, vec a) { return (vec){ k * a.x, k * a.y, k * a.z }; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) {
  return (vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static double length(vec a) { return sqrt(dot(a, a)); }
static vec unit(vec a) { return times(1 / length(a), a); }
static double angle_of(vec a, vec b) {
  return atan2(length(cross(a, b)), dot(a, b)) * 57.295779513;
}
static vec vec_of(const float *v) { return (vec){ (double)v[0], (double)v[1], (double)v[2] }; }
static vec point(dmat m, vec p) {
  return (vec){ m.m[0] * p.x + m.m[4] * p.y + m.m[8] * p.z + m.m[12],
                m.m[1] * p.x + m.m[5] * p.y + m.m[9] * p.z + m.m[13],
                m.m[2] * p.x + m.m[6] * p.y + m.m[10] * p.z + m.m[14] };
}
static vec direction(dmat m, vec v) { return minus(point(m, v), point(m, (vec){ 0, 0, 0 })); }
static dmat turn(vec axis, double degrees) {
  const float a[3] = { (float)axis.x, (float)axis.y, (float)axis.z };
  return dmat_turn(a, degrees);
}
/* how far a matrix is from a rotation about the origin */
static double not_rotation(const float *m) {
  double worst = fabs((double)m[15] - 1);
  vec x = vec_of(m), y = vec_of(m + 4), z = vec_of(m + 8);
  worst = fmax(worst, length(minus(cross(x, y), z)));
  worst = fmax(worst, fmax(fabs(length(x) - 1), fabs(dot(x, y))));
  for (int i = 3; i < 15; i++)
    if (i % 4 == 3 || i > 11) worst = fmax(worst, fabs((double)m[i]));
  return worst;
}

/* --- random trees */

enum { segments = 9, drivers = 6 };

typedef struct tree {
  sinew_builder *b;
  int parents[segments];
} tree;

static sinew_segment at(int i) { return (sinew_segment){ (uint32_t)i + 1 }; }
static const char *name_of(int i) {
  static const char *const names[segments] = {
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"
  };
  return names[i];
}

/* two trees: 0 to 5 and 6 to 8. 2, 5 and 8 are left undriven; some rest frames mirror */
static tree make_tree(uint32_t *seed) {
  tree t = { .b = sinew_builder_create("tree", NULL) };
  for (int i = 0; i < segments; i++) {
    float rest[16];
    make_frame(seed, make_index(seed, MAKE_FRAMES), rest);
    for (int k = 12; k < 15; k++) rest[k] = make_between(seed, -1, 1);
    t.parents[i] = i == 0 || i == 6 ? -1 : i < 6 ? make_index(seed, i) : 6;
    make_placed(t.b, name_of(i), t.parents[i] < 0 ? NULL : name_of(t.parents[i]), rest);
  }
  for (int i = 0; i < drivers; i++) {
    float axis[3];
    make_axis(seed, axis);
    make_lines(t.b, "dof d%d -100 100; rotation r%d angle=d%d axis=%g,%g,%g centre=%g,0,%g", i, i,
               i, (double)axis[0], (double)axis[1], (double)axis[2],
               (double)make_between(seed, -1, 1), (double)make_between(seed, -1, 1));
  }
  return t;
}

static void drive(tree *t) {
  static const int driven[drivers] = { 0, 1, 3, 4, 6, 7 };
  for (int i = 0; i < drivers; i++) {
    char name[16];
    snprintf(name, sizeof name, "r%d", i);
    sinew_builder_drive(t->b, at(driven[i]), name, NULL, NULL);
  }
}

static bool is_below(const tree *t, int segment, int ancestor) {
  while (segment >= 0 && segment != ancestor) segment = t->parents[segment];
  return segment >= 0;
}

static sinew_pose *random_pose(const sinew_rig *rig, uint32_t *seed) {
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  slopes_pose_at_random(pose, seed);
  sinew_pose_eval(pose, NULL);
  return pose;
}

static dmat world(const sinew_pose *pose, int i) { return dmat_of(sinew_pose_world(pose, at(i))); }
static const float *value(const sinew_pose *pose, const char *name, int output) {
  sinew_component c = sinew_rig_find_component(sinew_pose_rig(pose), name, NULL);
  return sinew_pose_value(pose, c, output);
}
/* the rest frame of a segment, where its parent carries it */
static dmat base(const tree *t, const sinew_pose *pose, int i) {
  dmat rest = dmat_of(sinew_rig_segment_info(sinew_pose_rig(pose), at(i)).rest);
  return t->parents[i] < 0 ? rest : dmat_mul(world(pose, t->parents[i]), rest);
}

static void check_slopes(const sinew_rig *rig, uint32_t seed) {
  slopes_result r = slopes_at_random(rig, seed, 4, 2000);
  MU_CHECK(r.compared > 0);
  MU_CHECK_SAY(r.worst < 5e-3, "%g at %s", r.worst, r.where);
}

/* --- relative and distance */

MU_TEST(relative_and_distance_are_those_of_the_world_matrices) {
  uint32_t seed = 21;
  for (int round = 0; round < mu_rounds(300); round++) {
    tree t = make_tree(&seed);
    int of = make_index(&seed, segments), to = make_index(&seed, segments);
    float p[3], q[3];
    make_axis(&seed, p), make_axis(&seed, q);
    make_lines(t.b, "relative f of=%s to=%s", name_of(of), name_of(to));
    make_lines(t.b, "distance d of=%s to=%s point=#%.9g,%.9g,%.9g to_point=#%.9g,%.9g,%.9g",
               name_of(of), name_of(to), (double)p[0], (double)p[1], (double)p[2], (double)q[0],
               (double)q[1], (double)q[2]);
    drive(&t);
    OWNED(rig) *rig = make_rig(t.b, NULL);
    OWNED(pose) *pose = random_pose(rig, &seed);
    dmat right = dmat_mul(dmat_inverse(world(pose, to)), world(pose, of));
    MU_NEAR(dmat_off(right, value(pose, "f", 0)), 0, 4e-6);
    vec apart = minus(point(world(pose, of), vec_of(p)), point(world(pose, to), vec_of(q)));
    MU_NEAR(value(pose, "d", 0)[0], length(apart), 4e-6);
    if (round % 8 == 0) check_slopes(rig, seed);
  }
}

MU_TEST(relative_moves_only_with_what_lies_between) {
  OWNED(rig) *rig = make_text("dof a -90 90; dof b -90 90; dof c -90 90\n"
                              "segment hip 0,1,0; segment l hip 0.1,0,0; segment r hip -0.1,0,0\n"
                              "rotation x angle=a axis=0,1,0; rotation y angle=b axis=1,0,0\n"
                              "rotation z angle=c axis=1,0,0\n"
                              "relative f of=l to=r; relative g of=hip to=l; relative h of=r to=r\n"
                              "drive hip x; drive l y; drive r z");
  sinew_component f = sinew_rig_find_component(rig, "f", NULL);
  sinew_component g = sinew_rig_find_component(rig, "g", NULL);
  sinew_component h = sinew_rig_find_component(rig, "h", NULL);
  static const bool f_moves[] = { false, true, true }, g_moves[] = { false, true, false };
  for (int i = 0; i < 3; i++) {
    MU_INT(sinew_rig_depends(rig, f, sinew_rig_dof(rig, i)), f_moves[i]);
    MU_INT(sinew_rig_depends(rig, g, sinew_rig_dof(rig, i)), g_moves[i]);
    MU_INT(sinew_rig_depends(rig, h, sinew_rig_dof(rig, i)), false);
  }
  char name[16];
  MU_INT(sinew_rig_component_info(rig, f).input_count, 2);
  sinew_rig_input_name(rig, f, 1, name, sizeof name);
  MU_TEXT(name, "path2");
  MU_INT((int)sinew_rig_input(rig, f, 0).component.id,
         (int)sinew_rig_find_component(rig, "z", NULL).id);
}

/* --- aim */

/* the smallest rotation from a to b, then about b until `up` is nearest to r */
static dmat slow_aim(vec a, vec b, const vec *up, vec r) {
  vec axis = cross(a, b);
  dmat least = length(axis) > 0 ? turn(axis, angle_of(a, b)) : dmat_identity();
  if (!up) return least;
  vec is = direction(least, *up), x = unit(minus(is, times(dot(is, b), b))), y = cross(b, x);
  return dmat_mul(turn(b, atan2(dot(y, r), dot(x, r)) * 57.29577951308232), least);
}

MU_TEST(aim_points_at_the_target_and_keeps_up) {
  uint32_t seed = 22;
  for (int round = 0; round < mu_rounds(400); round++) {
    tree t = make_tree(&seed);
    /* 5 is aimed; the target and what carries up do not hang on it */
    int target = make_index(&seed, segments), carrier = make_index(&seed, segments),
        way = round % 3;
    if (is_below(&t, target, 5)) target = 7;
    if (is_below(&t, carrier, 5)) carrier = 0;
    float along[3], up[3], p[3];
    make_axis(&seed, along), make_axis(&seed, up), make_axis(&seed, p);
    vec a = unit(vec_of(along)), u = unit(vec_of(up));
    if (length(cross(a, u)) < 0.3) way = 0;
    char more[160] = "";
    if (way)
      snprintf(more, sizeof more, " up=%.9g,%.9g,%.9g", (double)up[0], (double)up[1],
               (double)up[2]);
    if (way == 2) snprintf(more + strlen(more), 40, " up_of=%s", name_of(carrier));
    make_lines(t.b, "aim m segment=s5 at=%s along=%.9g,%.9g,%.9g point=#%.9g,%.9g,%.9g%s",
               name_of(target), (double)along[0], (double)along[1], (double)along[2], (double)p[0],
               (double)p[1], (double)p[2], more);
    sinew_builder_drive(t.b, at(5), "m", NULL, NULL);
    drive(&t);
    OWNED(rig) *rig = make_rig(t.b, NULL);
    /* at rest, for what carries up: all drivers at the identity */
    OWNED(pose) *still = sinew_pose_create(rig, NULL);
    MU_INT(sinew_pose_eval(still, NULL), SINEW_OK);
    OWNED(pose) *pose = random_pose(rig, &seed);
    dmat into = dmat_inverse(base(&t, pose, 5));
    vec seen = point(into, point(world(pose, target), vec_of(p))), d = unit(seen), r = u;
    if (way == 2) {
      vec kept = direction(dmat_inverse(world(still, carrier)), direction(base(&t, still, 5), u));
      r = direction(into, direction(world(pose, carrier), kept));
    }
    const float *given = value(pose, "m", 0);
    double steep = way ? length(cross(d, r)) : length(minus(d, times(-1, a)));
    double close = 4e-6 * (1 + 1 / length(seen)) / fmax(steep, 1e-3);
    MU_NEAR(not_rotation(given), 0, 1e-5);
    MU_NEAR(length(minus(direction(dmat_of(given), a), d)), 0, 4e-6 * (1 + 1 / length(seen)));
    MU_NEAR(dmat_off(slow_aim(a, d, way ? &u : NULL, r), given), 0, close);
    if (round % 8 == 0 && steep > 0.1 && length(seen) > 0.1) check_slopes(rig, seed);
  }
}

/* a bone along y at the origin, and a target on DOFs */
#define AIM_SCENE                                                                                  \
  "dof x -2 2; dof y -2 2; dof z -2 2\n"                                                           \
  "segment bone 0,0,0; segment target 0,0,0\n"                                                     \
  "translation move x=x y=y z=z; drive target move\n"

static void aim_at(const sinew_rig *rig, float x, float y, float z, float *dest) {
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  const float to[3] = { x, y, z };
  sinew_pose_set_all(pose, to, 3, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  memcpy(dest, value(pose, "m", 0), 16 * sizeof *dest);
  OWNED(tangent) *tangent = sinew_tangent_create(rig, NULL, NULL);
  MU_CHECK(sinew_tangent_eval(tangent, pose, NULL) >= 0);
}

MU_TEST(aim_is_defined_at_awkward_places) {
  OWNED(rig) *plain = make_text(AIM_SCENE "aim m segment=bone at=target; drive bone m");
  OWNED(rig) *upright = make_text(AIM_SCENE "aim m segment=bone at=target up=0,0,1; drive bone m");
  const sinew_rig *rigs[] = { plain, upright };
  const float along[3] = { 0, 1, 0 };
  for (int i = 0; i < 2; i++) {
    float m[16];
    /* at the joint, and as good as there: nothing is rotated */
    aim_at(rigs[i], 0, 0, 0, m);
    MU_NEAR(dmat_off(dmat_identity(), m), 0, 0);
    aim_at(rigs[i], 3e-7f, 0, -3e-7f, m);
    MU_NEAR(dmat_off(dmat_identity(), m), 0, 0);
    /* along and opposite to the bone, and along and opposite to up */
    static const float ways[][3] = { { 0, 2, 0 },     { 0, -1, 0 },     { 0, 0, 1 },
                                     { 0, 0, -1 },    { 1e-5f, -1, 0 }, { 0, -1, -1e-6f },
                                     { 1e-7f, 0, 1 }, { 1e-4f, 0, -1 }, { 0, -1, 1e-3f } };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
      aim_at(rigs[i], ways[k][0], ways[k][1], ways[k][2], m);
      MU_NEAR(not_rotation(m), 0, 2e-6);
      vec d = unit(vec_of(ways[k]));
      MU_NEAR(length(minus(direction(dmat_of(m), vec_of(along)), d)), 0, 1e-6);
    }
  }
}

MU_TEST(aim_says_what_is_wrong) {
  static const char *const cases[][2] = {
    { "aim m segment=bone at=target along=0,0,0", "component 'm': 'along' has no length" },
    { "aim m segment=bone at=target up=0,0,0", "component 'm': 'up' has no length" },
    { "aim m segment=bone at=target up=0,-3,0", "component 'm': 'up' lies along 'along'" },
    { "aim m segment=bone at=target up_of=target",
      "component 'm': 'up_of' needs 'up', the direction that it carries" },
    { "aim m segment=bone at=targte",
      "component 'm' parameter 'at': no segment named 'targte' (did you mean 'target'?)" },
    { "aim m at=target",
      "component 'm' parameter 'segment': is missing (a segment: the segment that is aimed)" },
    { "aim m segment=bone at=tip; drive bone m",
      "component 'm' reads the frame of segment 'bone', which it moves" },
    { "aim m segment=bone at=bone; drive bone m",
      "component 'm' reads the frame of segment 'bone', which it moves" },
    { "aim m segment=bone at=side; drive bone m; aim n segment=side at=bone; drive side n",
      "components wait for each other: m -> segment 'bone' -> n -> segment 'side' -> m" },
    { "aim m segment=bone at=target path=move", "component 'm': a aim has no input 'path'" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error;
    sinew_rig *rig = make_rig(make_lines(NULL,
                                         AIM_SCENE "segment tip bone 0,1,0\n"
                                                   "segment side 1,0,0\n%s",
                                         cases[i][0]),
                              &error);
    MU_CHECK_SAY(!rig, "%s", cases[i][0]);
    MU_TEXT(error.text, cases[i][1]);
    sinew_rig_destroy(rig);
  }
}

MU_TEST(a_path_keeps_up_with_rests_but_not_with_other_segments) {
  sinew_error error;
  OWNED(rig) *rig = make_text(AIM_SCENE "segment other 1,1,0\n"
                                        "aim m segment=bone at=target; drive bone m");
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component m = sinew_rig_find_component(rig, "m", NULL);
  sinew_param other = sinew_param_text("at", "other"), same = sinew_param_text("at", "target");
  MU_CHECK(sinew_rig_set_param(rig, m, &other, &error) < 0);
  MU_TEXT(error.text,
          "component 'm': 'at' decides what it waits for and cannot change in a compiled "
          "rig");
  MU_INT(sinew_rig_set_param(rig, m, &same, &error), SINEW_OK);
  dmat rest = dmat_move(1, 0, 0);
  float moved[16];
  for (int i = 0; i < 16; i++) moved[i] = (float)rest.m[i];
  MU_INT(sinew_rig_set_rest(rig, (sinew_segment){ 2 }, moved, &error), SINEW_OK);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(sinew_pose_value(pose, m, 0)[4], 1, 1e-6);
}

/* --- swing_twist */

MU_TEST(swing_twist_gives_the_matrix_back_and_swings_the_least) {
  static const double tilts[] = { 0, 1e-6, 1e-3, 30, 90, 150, 179, 179.99, 179.9999, 180 };
  uint32_t seed = 23;
  for (int round = 0; round < mu_rounds(1000); round++) {
    float axis[3], side[3];
    make_axis(&seed, axis), make_axis(&seed, side);
    vec a = unit(vec_of(axis)), across = unit(cross(a, vec_of(side)));
    double tilt = round % 2 ? (double)make_between(&seed, 0, 180) : tilts[round / 2 % 10];
    double twist = (double)make_between(&seed, -179, 179);
    dmat m = dmat_mul(turn(across, tilt), turn(a, twist));
    m.m[12] = 0.5, m.m[14] = -2;
    sinew_builder *b = sinew_builder_create("swing", NULL);
    sinew_wire wire = { .input = "matrix" };
    for (int i = 0; i < 16; i++) wire.constant[i] = (float)m.m[i];
    sinew_param param = sinew_param_vector("axis", axis[0], axis[1], axis[2]);
    sinew_component_desc d = { .size = sizeof d,
                               .kind = "swing_twist",
                               .name = "w",
                               .wires = &wire,
                               .wire_count = 1,
                               .params = &param,
                               .param_count = 1 };
    sinew_builder_add_component(b, &d, NULL);
    OWNED(rig) *rig = make_rig(b, NULL);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    dmat swing = dmat_of(value(pose, "w", 0));
    double given = (double)value(pose, "w", 1)[0], angle = (double)value(pose, "w", 2)[0];
    dmat back = dmat_mul(swing, turn(a, given));
    MU_NEAR(dmat_off(back, wire.constant), 0, 2e-6);
    MU_NEAR(angle, tilt, 4e-5);
    /* the swing turns about an axis across a: the vector of its skew part */
    vec skew = { swing.m[6] - swing.m[9], swing.m[8] - swing.m[2], swing.m[1] - swing.m[4] };
    MU_NEAR(dot(skew, a), 0, 1e-6);
    /* a tilt of so much moves the axis of the swing by what rounds the matrix, over the rest */
    if (tilt < 179.9) MU_NEAR(given, twist, 2e-4 / fmax(cos(tilt / 2 / 57.2957795), 0.02));
  }
}

MU_TEST(swing_twist_has_exact_derivatives) {
  OWNED(rig) *rig = make_text("dof p -80 80; dof q -80 80; dof r -80 80\n"
                              "euler e first=p second=q third=r\n"
                              "swing_twist w matrix=e axis=1,2,-0.5; segment s; drive s w.swing");
  slopes_result r = slopes_at_random(rig, 5, 40, 2000);
  MU_CHECK(r.compared > 100);
  MU_CHECK_SAY(r.worst < 2e-3, "%g at %s", r.worst, r.where);
}

/* --- ik2 */

static double tip_off(const sinew_pose *pose, int lower, vec tip, vec goal) {
  return length(minus(point(world(pose, lower), tip), goal));
}

MU_TEST(ik2_reaches_goals_and_bends_towards_the_pole) {
  uint32_t seed = 24;
  int reached = 0, held = 0;
  for (int round = 0; round < mu_rounds(600); round++) {
    tree t = make_tree(&seed);
    /* 8 hangs on 6; the limb is 8 and a new segment */
    float rest[16], tip[3], p[3], pole[3];
    make_frame(&seed, make_index(&seed, MAKE_FRAMES), rest);
    make_axis(&seed, rest + 12), make_axis(&seed, tip), make_axis(&seed, p), make_axis(&seed, pole);
    make_placed(t.b, "shin", "s8", rest);
    int target = make_index(&seed, 8), carrier = make_index(&seed, 8);
    bool wired = round % 3 == 0, own = round % 4 == 0;
    char more[240] = "";
    if (!wired) snprintf(more, sizeof more, " at=%s", name_of(target));
    if (!own)
      snprintf(more + strlen(more), 120, " pole=%.9g,%.9g,%.9g pole_at=%s", (double)pole[0],
               (double)pole[1], (double)pole[2], name_of(carrier));
    double soft = round % 2 ? 0 : 0.3;
    make_lines(t.b, "ik2 k upper=s8 lower=shin tip=%.9g,%.9g,%.9g goal=#%.9g,%.9g,%.9g soft=%g%s",
               (double)tip[0], (double)tip[1], (double)tip[2], (double)p[0], (double)p[1],
               (double)p[2], soft, more);
    sinew_builder_drive(t.b, at(8), "k.upper", NULL, NULL);
    sinew_builder_drive(t.b, at(9), "k.lower", NULL, NULL);
    drive(&t);
    OWNED(rig) *rig = make_rig(t.b, NULL);
    OWNED(pose) *still = sinew_pose_create(rig, NULL);
    OWNED(pose) *pose = random_pose(rig, &seed);
    dmat in = base(&t, pose, 8);
    vec goal = point(world(pose, wired ? 6 : target), vec_of(p)),
        origin = point(in, (vec){ 0, 0, 0 });
    vec elbow = point(world(pose, 9), (vec){ 0, 0, 0 }), end = point(world(pose, 9), vec_of(tip));
    double a = length(vec_of(rest + 12)), b = length(vec_of(tip));
    double wanted = length(minus(goal, origin)), given = wanted;
    if (wanted > a + b - soft)
      given = soft > 0 ? a + b - soft * soft / (wanted - (a + b) + 2 * soft) : a + b;
    given = fmax(given, fabs(a - b));
    sinew_hold hold = { 0 };
    int holds = sinew_pose_holds(pose, &hold, 1);
    MU_NEAR(not_rotation(value(pose, "k", 0)), 0, 2e-5);
    MU_NEAR(not_rotation(value(pose, "k", 1)), 0, 2e-5);
    MU_NEAR(length(minus(elbow, origin)), a, 1e-5);
    MU_NEAR(value(pose, "k", 3)[0], given, 1e-5);
    vec right = minus(times(given / wanted, minus(goal, origin)), minus(end, origin));
    MU_NEAR(length(right), 0, 2e-5 * (1 + 1 / wanted));
    MU_NEAR(value(pose, "k", 2)[0], angle_of(minus(elbow, origin), minus(end, elbow)), 0.1);
    if (fabs(given - wanted) > 1e-4) {
      MU_NEAR(hold.amount, given - wanted, 1e-5);
      held++;
    }
    if (holds == 0) {
      MU_NEAR(tip_off(pose, 9, vec_of(tip), goal), 0, 2e-5);
      reached++;
    }
    if (!own) {
      /* the elbow is in the plane of goal and pole, on the pole's side */
      vec g = unit(minus(goal, origin)),
          q = minus(point(world(pose, carrier), vec_of(pole)), origin);
      vec side = minus(q, times(dot(g, q), g)), e = minus(elbow, origin);
      if (length(side) > 0.05) {
        MU_NEAR(dot(unit(cross(g, unit(side))), e), 0, 1e-4);
        MU_CHECK(dot(side, e) > -1e-4);
      }
    }
    if (round % 8 == 0) check_slopes(rig, seed);
  }
  MU_CHECK(reached > 0 && held > 0);
}

#define LIMB                                                                                       \
  "dof x -3 3; dof y -3 3; dof z -3 3\n"                                                           \
  "segment body; segment upper body 0,0,0; segment lower upper 0,-1,0; segment goal body\n"        \
  "translation move x=x y=y z=z; drive goal move\n"

static sinew_pose *limb_at(const sinew_rig *rig, float x, float y, float z) {
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  const float to[3] = { x, y, z };
  sinew_pose_set_all(pose, to, 3, NULL);
  sinew_pose_eval(pose, NULL);
  return pose;
}

/* both matrices rotate, and the derivatives are finite */
static void check_limb(sinew_pose *pose) {
  OWNED(tangent) *tangent = sinew_tangent_create(sinew_pose_rig(pose), NULL, NULL);
  MU_NEAR(not_rotation(value(pose, "k", 0)), 0, 2e-6);
  MU_NEAR(not_rotation(value(pose, "k", 1)), 0, 2e-6);
  MU_CHECK(sinew_tangent_eval(tangent, pose, NULL) >= 0);
}

MU_TEST(ik2_is_defined_at_awkward_places) {
  static const float equal[] = { -1, -0.6f };
  static const float places[][3] = { { 0, 0, 0 },     { 0, -2, 0 },    { 0, -3, 0 },
                                     { 0, 0, 1 },     { 0, 0, -1 },    { 0, 0, 2.5f },
                                     { 0, 2, 0 },     { 1e-7f, 0, 0 }, { 0, 1e-5f, 0 },
                                     { 0, -1.6f, 0 }, { 0, -0.4f, 0 } };
  const vec none = { 0, 0, 0 };
  for (int i = 0; i < 2; i++) {
    OWNED(rig) *rig = make_text(LIMB "ik2 k upper=upper lower=lower tip=0,%g,0 at=goal pole=0,0,1\n"
                                     "drive upper k.upper; drive lower k.lower",
                                (double)equal[i]);
    vec tip = { 0, (double)equal[i], 0 };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
      OWNED(pose) *pose = limb_at(rig, places[k][0], places[k][1], places[k][2]);
      check_limb(pose);
      vec goal = vec_of(places[k]), end = point(world(pose, 2), tip);
      double wanted = length(goal), given = fmax(fmin(wanted, 1 - tip.y), 1 + tip.y);
      MU_NEAR(length(end), given, 2e-6);
      MU_NEAR(length(minus(point(world(pose, 2), none), none)), 1, 1e-6);
      if (wanted > 1e-4) MU_NEAR(length(minus(end, times(given / wanted, goal))), 0, 2e-6);
    }
  }
}

MU_TEST(ik2_keeps_to_its_bend_and_softens_full_stretch) {
  OWNED(rig) *rig = make_text(LIMB "ik2 k upper=upper lower=lower tip=0,-1,0 at=goal pole=0,0,1 "
                                   "min_bend=20 max_bend=140\n"
                                   "drive upper k.upper; drive lower k.lower");
  OWNED(pose) *far = limb_at(rig, 0, -3, 0);
  OWNED(pose) *near = limb_at(rig, 0, 0, 0.1f);
  OWNED(pose) *inside = limb_at(rig, 0, -1.2f, 0.3f);
  sinew_hold hold;
  MU_NEAR(value(far, "k", 2)[0], 20, 1e-3);
  MU_INT(sinew_pose_holds(far, &hold, 1), 1);
  MU_TEXT(hold.port, "reach");
  MU_NEAR(hold.amount, sqrt(2 + 2 * cos(20 / 57.29577951)) - 3, 1e-6);
  MU_NEAR(value(near, "k", 2)[0], 140, 1e-3);
  MU_INT(sinew_pose_holds(inside, &hold, 1), 0);

  /* hard, the bend changes by 5 degrees in the last millimetres; soft, by less than one */
  for (int soft = 0; soft < 2; soft++) {
    OWNED(rig) *limb = make_text(LIMB "ik2 k upper=upper lower=lower tip=0,-1,0 at=goal pole=0,0,1 "
                                      "soft=%g; drive upper k.upper; drive lower k.lower",
                                 soft * 0.2);
    double most = 0, last = 180;
    for (int i = 0; i <= 200; i++) {
      OWNED(pose) *pose = limb_at(limb, 0, -1.7f - 0.004f * (float)i, 0);
      double bend = (double)value(pose, "k", 2)[0];
      if (i) most = fmax(most, last - bend);
      MU_CHECK(bend <= last + 1e-4);
      last = bend;
    }
    MU_CHECK_SAY(soft ? most < 1 && last > 5 : most > 4 && last < 1e-2, "%g, %g", most, last);
  }
}

/* at rest with the goal at the tip, a bent limb stays as it is */
MU_TEST(ik2_leaves_a_bent_limb_at_rest) {
  uint32_t seed = 25;
  for (int round = 0; round < mu_rounds(50); round++) {
    float rest[16], tip[3];
    make_frame(&seed, make_index(&seed, MAKE_FRAMES), rest);
    make_axis(&seed, rest + 12), make_axis(&seed, tip);
    sinew_builder *b = make_lines(NULL, "segment upper");
    make_placed(b, "lower", "upper", rest);
    vec goal = point(dmat_of(rest), vec_of(tip));
    make_lines(b, "ik2 k upper=upper lower=lower tip=%.9g,%.9g,%.9g goal=#%.9g,%.9g,%.9g",
               (double)tip[0], (double)tip[1], (double)tip[2], goal.x, goal.y, goal.z);
    OWNED(rig) *rig = make_rig(b, NULL);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    double bend = (double)value(pose, "k", 2)[0];
    double close = bend < 5 || bend > 175 ? 1e-3 : 2e-5;
    MU_NEAR(dmat_off(dmat_identity(), value(pose, "k", 0)), 0, close);
    MU_NEAR(dmat_off(dmat_identity(), value(pose, "k", 1)), 0, close);
  }
}

MU_TEST(ik2_says_what_is_wrong) {
  static const char *const cases[][2] = {
    { "lower=goal tip=0,1,0 at=goal", "component 'k': 'goal' is no child of 'upper'" },
    { "lower=lower tip=0,-1,0 pole=0,0,1",
      "component 'k': give a 'goal', or 'at', the segment to reach" },
    { "lower=lower tip=0,0,0 at=goal",
      "component 'k': the lower bone has no length: 'tip' is at its origin" },
    { "lower=lower tip=0,-1,0 at=goal",
      "component 'k': the bones are straight at rest: give a 'pole' to which they bend" },
    { "lower=lower tip=0,-1,0 at=goal pole=0,3,0",
      "component 'k': the bones are straight at rest, and the pole lies along them: give a 'pole' "
      "beside them, to which they bend" },
    { "lower=lower tip=0,-1,0 at=goal pole=0,0,1 min_bend=90 max_bend=20",
      "component 'k': 'min_bend' 90 is above 'max_bend' 20" },
    { "lower=lower tip=0,-1,0 at=lower pole=0,0,1; drive upper k.upper",
      "component 'k' reads the frame of segment 'upper', which it moves" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error;
    sinew_rig *rig = make_rig(make_lines(NULL, LIMB "ik2 k upper=upper %s", cases[i][0]), &error);
    MU_CHECK_SAY(!rig, "%s", cases[i][0]);
    MU_TEXT(error.text, cases[i][1]);
    sinew_rig_destroy(rig);
  }
}

MU_SUITE(frames)
