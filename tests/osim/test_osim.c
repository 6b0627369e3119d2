/* OpenSim files against the formulas: every kind of joint and function in both versions, with
 * random offsets and coordinates, through the rig that the host makes of them. */
#include "fixture.h"
#include "minunit.h"
#include "osim_cases.h"
#include "owned.h"
#include "patient.h"
#include "scratch.h"
#include "sinew/host.h"
#include "sinew/osim.h"

#include <stdlib.h>

static sinew_host *host;
static unsigned state;

static double random_in(double low, double high) {
  state = state * 1664525u + 1013904223u;
  return low + (high - low) * (state >> 8) / (double)(1 << 24);
}

static void random_offset(double o[6]) {
  for (int i = 0; i < 6; i++) o[i] = i < 3 ? random_in(-0.5, 0.5) : random_in(-3, 3);
}

/* loads the model; the scratch folder stays open while it exists */
static bool load(void) {
  sinew_host_desc desc = patient_host_desc();
  desc.load_seconds = desc.eval_seconds = 600;
  if (!scratch_open()) return false;
  scratch_text("case.osim", osim_end());
  host = sinew_host_create(&desc, &error);
  bool fine = host && sinew_host_load(host, scratch_path("case.osim"), &error) == SINEW_OK;
  if (!fine) mu_fail(__FILE__, __LINE__, "%s", error.text);
  return fine;
}

static void unload(void) {
  sinew_host_destroy(host);
  host = NULL;
  scratch_close();
}

static void set(const char *dof, double value) {
  sinew_rig *rig = sinew_host_rig(host);
  sinew_dof found = sinew_rig_find_dof(rig, dof, &error);
  if (!found.id || sinew_pose_set(sinew_host_pose(host), found, (float)value, &error) < 0)
    mu_fail(__FILE__, __LINE__, "%s", error.text);
}

static const float *world(const char *segment) {
  sinew_segment found = sinew_rig_find_segment(sinew_host_rig(host), segment, &error);
  if (!found.id || sinew_host_eval(host, sinew_host_pose(host), &error) < 0) {
    mu_fail(__FILE__, __LINE__, "%s", error.text);
    return NULL;
  }
  return sinew_pose_world(sinew_host_pose(host), found);
}

static double degrees(double radians) { return radians * 180 / M_PI; }

/* the transform of each kind of joint from its coordinates, in radians and metres */
static osim_mat xyz(const double *q) {
  return osim_mul(osim_mul(osim_turn(1, 0, 0, q[0]), osim_turn(0, 1, 0, q[1])),
                  osim_turn(0, 0, 1, q[2]));
}
static osim_mat weld(const double *q) { return (void)q, osim_move(0, 0, 0); }
static osim_mat pin(const double *q) { return osim_turn(0, 0, 1, q[0]); }
static osim_mat slider(const double *q) { return osim_move(q[0], 0, 0); }
static osim_mat universal(const double *q) {
  return osim_mul(osim_turn(1, 0, 0, q[0]), osim_turn(0, 1, 0, q[1]));
}
static osim_mat planar(const double *q) {
  return osim_mul(osim_move(q[1], q[2], 0), osim_turn(0, 0, 1, q[0]));
}
static osim_mat free_joint(const double *q) {
  return osim_mul(osim_move(q[3], q[4], q[5]), xyz(q));
}
/* rotated as a ball joint, and placed on the ellipsoid where its normal is the rotated z: radii
 * times it */
static osim_mat on_ellipsoid(const double *q, double rx, double ry, double rz) {
  osim_mat r = xyz(q);
  double radii[3] = { rx, ry, rz };
  for (int i = 0; i < 3; i++) r.m[i][3] = radii[i] * r.m[i][2];
  return r;
}
static osim_mat ellipsoid(const double *q) { return on_ellipsoid(q, 0.07, 0.15, 0.09); }
/* the ellipsoid joint between rotations of 90 degrees about z, then winging about an axis in the
 * plane of the scapula, through its origin there */
static osim_mat scapulothoracic(const double *q) {
  osim_mat quarter = osim_turn(0, 0, 1, M_PI / 2), back = osim_turn(0, 0, 1, -M_PI / 2);
  osim_mat slid = osim_mul(osim_mul(quarter, on_ellipsoid(q, 0.15, 0.07, 0.09)), back);
  osim_mat wing =
      osim_mul(osim_mul(osim_move(-0.06, 0.02, 0), osim_turn(-sin(0.4), cos(0.4), 0, q[3])),
               osim_move(0.06, -0.02, 0));
  return osim_mul(slid, wing);
}

static const struct joint_row {
  const char *kind;
  int count;
  unsigned lengths; /* bits of the coordinates that are lengths */
  osim_mat (*formula)(const double *q);
  const char *inner;
} rows[] = {
  { "WeldJoint", 0, 0, weld, "" },
  { "PinJoint", 1, 0, pin, "" },
  { "SliderJoint", 1, 1, slider, "" },
  { "UniversalJoint", 2, 0, universal, "" },
  { "BallJoint", 3, 0, xyz, "" },
  { "GimbalJoint", 3, 0, xyz, "" },
  { "PlanarJoint", 3, 6, planar, "" },
  { "FreeJoint", 6, 0x38, free_joint, "" },
  { "EllipsoidJoint", 3, 0, ellipsoid, "<radii_x_y_z>0.07 0.15 0.09</radii_x_y_z>" },
  { "ScapulothoracicJoint", 4, 0, scapulothoracic,
    "<thoracic_ellipsoid_radii_x_y_z>0.07 0.15 0.09</thoracic_ellipsoid_radii_x_y_z>"
    "<scapula_winging_axis_origin>-0.06 0.02</scapula_winging_axis_origin>"
    "<scapula_winging_axis_direction>0.4</scapula_winging_axis_direction>" },
};

/* first at rest, then at random; `inverse` if the file's joint places the parent */
static void compare(const struct joint_row *row, const osim_joint_case *j, const double *rests,
                    bool inverse) {
  char name[32];
  for (int pose = 0; pose < mu_rounds(20) + 2 && !mu_current_failed; pose++) {
    double q[6];
    for (int i = 0; i < row->count; i++) {
      bool angle = !(row->lengths >> i & 1);
      q[i] = pose == 0 ? rests[i] : angle ? random_in(-2.5, 2.5) : random_in(-0.9, 0.9);
      snprintf(name, sizeof name, "joint.q%d", i);
      if (pose > 0) set(name, angle ? degrees(q[i]) : q[i]);
    }
    osim_mat does = row->formula(q);
    if (inverse) does = osim_rigid_inverse(does);
    osim_mat near = osim_mul(osim_ground(), osim_offset(j->in_parent));
    osim_mat expected =
        osim_mul(osim_mul(near, does), osim_rigid_inverse(osim_offset(j->in_child)));
    const float *got = world("limb");
    if (got && osim_difference(expected, got) > 1e-5)
      mu_fail(__FILE__, __LINE__, "%s, pose %d: off by %g", row->kind, pose,
              osim_difference(expected, got));
  }
}

static void try_joint(const struct joint_row *row, int version, bool inverse) {
  osim_joint_case j = { row->kind, "joint", "ground", "limb", { 0 }, { 0 }, "", row->inner };
  double rests[6] = { 0 };
  char name[32];
  osim_begin(version);
  for (int i = 0; i < row->count; i++) {
    snprintf(name, sizeof name, "q%d", i);
    double most = row->lengths >> i & 1 ? 1 : 3;
    rests[i] = random_in(-0.5, 0.5);
    j.coordinates =
        osim_text("%s%s", j.coordinates,
                  osim_coordinate(name, -most, most, rests[i], "<clamped>true</clamped>"));
  }
  if (inverse) j.inner = osim_text("%s<reverse>true</reverse>", row->inner);
  random_offset(j.in_parent);
  random_offset(j.in_child);
  osim_joint(&j);
  if (load()) compare(row, &j, rests, inverse);
  unload();
}

MU_TEST(osim_joints_follow_their_formulas_in_both_versions) {
  state = 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int version = 3; version <= 4; version++) try_joint(&rows[i], version, false);
}

MU_TEST(osim_reversed_joints_of_version_3_place_the_parent_in_the_child) {
  state = 2;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) try_joint(&rows[i], 3, true);
}

MU_TEST(osim_joints_towards_the_ground_are_reversed) {
  /* the joint's child is the ground, its parent the limb: it must be reversed */
  osim_begin(4);
  osim_add("<Body name=\"limb\"/>\n</objects></BodySet><JointSet><objects>"
           "<FreeJoint name=\"joint\"><socket_parent_frame>/bodyset/limb</socket_parent_frame>"
           "<socket_child_frame>/ground</socket_child_frame><coordinates>");
  for (int i = 0; i < 6; i++) osim_add("%s", osim_coordinate(osim_text("q%d", i), -3, 3, 0, ""));
  osim_add("</coordinates></FreeJoint></objects></JointSet><BodySet><objects>");
  if (load()) {
    const double q[6] = { 0.3, -0.5, 1.1, 0.2, -0.4, 0.7 };
    for (int i = 0; i < 6; i++) {
      char name[32];
      snprintf(name, sizeof name, "joint.q%d", i);
      set(name, i < 3 ? degrees(q[i]) : q[i]);
    }
    const float *got = world("limb");
    osim_mat expected = osim_mul(osim_ground(), osim_rigid_inverse(free_joint(q)));
    if (got) MU_NEAR(osim_difference(expected, got), 0, 1e-5);
  }
  unload();
}

/* --- functions, as the axes of a custom joint */

static const double knots_x[7] = { -2.0944,   -1.22173, -0.523599, -0.349066,
                                   -0.174533, 0.159149, 2.0944 };
static const double knots_y[7] = { -0.4226, -0.4082, -0.399, -0.3976, -0.3966, -0.395264, -0.396 };
static const char simm_text[] =
    "<SimmSpline><x>-2.0944 -1.22173 -0.523599 -0.349066 -0.174533 0.159149 2.0944</x>"
    "<y> -0.4226 -0.4082\n -0.399 -0.3976 -0.3966 -0.395264 -0.396 </y></SimmSpline>";

static double constant(double x) { return (void)x, 0.3; }
static double linear(double x) { return -0.7 * x + 0.2; }
static double straight(double x) { return x; }
static double simm(double x) { return osim_simm(7, knots_x, knots_y, x); }
static double multiplied(double x) { return -1.5 * simm(x); }
static double twice_multiplied(double x) { return 2 * -0.25 * (3 * x - 1); }
static double three_points(double x) {
  const double xs[3] = { -1, 0.2, 1.3 }, ys[3] = { 0.1, 0.5, -0.2 };
  return osim_simm(3, xs, ys, x);
}
static double two_points(double x) { return 0.1 + 0.4 * (x + 1) / 1.2; }
static double polynomial(double x) { return 0.1 * x * x * x - 0.2 * x * x + 0.5 * x - 0.3; }
static double piecewise(double x) {
  if (x < 0) return 0.1 + 0.2 * (x + 1);
  return x < 0.5 ? 0.3 - 0.8 * x : -0.1 + 0.4 * (x - 0.5);
}

static const struct function_row {
  const char *text;
  double (*formula)(double x);
} functions[] = {
  { "<Constant><value>0.3</value></Constant>", constant },
  { "<LinearFunction><coefficients>-0.7 0.2</coefficients></LinearFunction>", linear },
  { "<LinearFunction/>", straight },
  { "", straight },
  { simm_text, simm },
  { "<MultiplierFunction><scale>-1.5</scale><function>%s</function></MultiplierFunction>",
    multiplied },
  { "<MultiplierFunction><function><MultiplierFunction><function><LinearFunction><coefficients>3 "
    "-1</coefficients></LinearFunction></function><scale>2</scale></MultiplierFunction></function>"
    "<scale>-0.25</scale></MultiplierFunction>",
    twice_multiplied },
  { "<NaturalCubicSpline><x>-1 0.2 1.3</x><y>0.1 0.5 -0.2</y></NaturalCubicSpline>", three_points },
  { "<natCubicSpline><x>-1 0.2</x><y>0.1 0.5</y></natCubicSpline>", two_points },
  { "<PolynomialFunction><coefficients>0.1 -0.2 0.5 -0.3</coefficients></PolynomialFunction>",
    polynomial },
  { "<PiecewiseLinearFunction><x>-1 0 0.5 1</x><y>0.1 0.3 -0.1 0.1</y></PiecewiseLinearFunction>",
    piecewise },
};

static const char *function_text(const struct function_row *row) {
  return strstr(row->text, "%s") ? osim_text(row->text, simm_text) : row->text;
}

/* two rotations about oblique axes and two translations, one of them oblique too, from one function
 */
static void try_function(const struct function_row *row, int version) {
  const char *motion = version == 3 ? "<motion_type>rotational</motion_type>" : "";
  osim_begin(version);
  const char *f = function_text(row);
  osim_joint_case j = { "CustomJoint",
                        "joint",
                        "ground",
                        "limb",
                        { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 },
                        { 0 },
                        osim_coordinate("q", -2.6, 2.6, 0, motion),
                        "" };
  j.inner = osim_text(
      "<SpatialTransform>%s%s%s%s%s%s</SpatialTransform>", osim_axis("rotation1", "q", "0 3 4", f),
      osim_axis("rotation2", "", "0 1 0", "<Constant/>"),
      osim_axis("rotation3", "q", "1 0.5 -1", f), osim_axis("translation1", "q", "0 0 -2", f),
      osim_axis("translation2", "q", "1 1 0", f),
      osim_axis("translation3", "", "1 0 0", "<Constant><value>0.25</value></Constant>"));
  osim_joint(&j);
  if (load()) {
    for (int i = 0; i <= 26 && !mu_current_failed; i++) {
      double q = -2.6 + 0.2 * i, v = row->formula(q), s = sqrt(0.5) * v;
      set("joint.q", degrees(q));
      osim_mat turned = osim_mul(osim_turn(0, 0.6, 0.8, v), osim_turn(1, 0.5, -1, v));
      osim_mat expected = osim_mul(osim_mul(osim_ground(), osim_offset(j.in_parent)),
                                   osim_mul(osim_move(s + 0.25, s, -v), turned));
      const float *got = world("limb");
      if (got && osim_difference(expected, got) > 1e-5)
        mu_fail(__FILE__, __LINE__, "version %d, %.60s at %g: off by %g", version, row->text, q,
                osim_difference(expected, got));
    }
  }
  unload();
}

MU_TEST(osim_functions_follow_their_formulas_in_both_versions) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (int version = 3; version <= 4; version++) try_function(&functions[i], version);
}

MU_TEST(osim_simm_splines_meet_the_values_known_of_opensim) {
  static const double check[4][2] = {
    { -2.3, -0.425756793 }, { -1.5, -0.412795467 }, { -1.0, -0.404800040 }, { 0, -0.395820696 }
  };
  osim_begin(4);
  osim_joint_case j = { "CustomJoint",
                        "knee",
                        "ground",
                        "tibia",
                        { 0 },
                        { 0 },
                        osim_coordinate("q", -2.5, 2.5, 0, ""),
                        "" };
  j.inner = osim_text("<SpatialTransform>%s%s</SpatialTransform>",
                      osim_axis("rotation1", "q", "0 0 1", ""),
                      osim_axis("translation2", "q", "0 1 0", simm_text));
  osim_joint(&j);
  if (load())
    for (int i = 0; i < 4; i++) {
      set("knee.q", degrees(check[i][0]));
      const float *got = world("tibia");
      if (got) MU_NEAR(got[13], check[i][1], 1e-6);
      MU_NEAR(osim_simm(7, knots_x, knots_y, check[i][0]), check[i][1], 1e-8); /* and the oracle */
    }
  unload();
}

MU_TEST(osim_functions_of_several_coordinates_add_up) {
  for (int version = 3; version <= 4; version++) {
    osim_begin(version);
    osim_joint_case j = { "CustomJoint", "joint", "ground", "limb", { 0 }, { 0 }, "", "" };
    j.coordinates =
        osim_text("%s%s%s", osim_coordinate("a", -1, 1, 0.1, ""),
                  osim_coordinate("b", -1, 1, 0, ""), osim_coordinate("t", -1, 1, 0.2, ""));
    j.inner = osim_text(
        "<SpatialTransform>%s%s%s%s</SpatialTransform>", osim_axis("rotation1", "a", "1 0 0", ""),
        osim_axis("rotation2", "a b", "0 1 0",
                  "<LinearFunction><coefficients>0.5 -2 0.3</coefficients></LinearFunction>"),
        osim_axis("translation1", "t", "1 0 0", ""),
        osim_axis("translation2", "a t", "0 1 0",
                  "<LinearFunction><coefficients>0.1 3 -0.2</coefficients></LinearFunction>"));
    osim_joint(&j);
    if (load()) {
      set("joint.a", degrees(0.7));
      set("joint.b", degrees(-0.4));
      set("joint.t", 0.35);
      const float *got = world("limb");
      osim_mat turned =
          osim_mul(osim_turn(1, 0, 0, 0.7), osim_turn(0, 1, 0, 0.5 * 0.7 + 2 * 0.4 + 0.3));
      osim_mat moved = osim_move(0.35, 0.1 * 0.7 + 3 * 0.35 - 0.2, 0);
      osim_mat expected = osim_mul(osim_ground(), osim_mul(moved, turned));
      if (got) MU_NEAR(osim_difference(expected, got), 0, 1e-5);
    }
    unload();
  }
}

/* --- couplings, ranges, frames, markers */

static void coupled_model(int version) {
  const char *on =
      version == 3 ? "<isDisabled>false</isDisabled>" : "<isEnforced>true</isEnforced>";
  osim_begin(version);
  osim_joint_case first = { "PinJoint", "first", "ground", "upper", { 0 }, { 0 }, "", "" };
  /* it depends on the second, which comes later, and that depends on the third */
  first.coordinates = osim_coordinate("a", -1, 1, 0, "");
  osim_joint(&first);
  osim_joint_case second = {
    "SliderJoint", "second", "upper", "lower", { 0, 1, 0 }, { 0 }, "", ""
  };
  second.coordinates = osim_coordinate("b", -1, 1, 0, "");
  osim_joint(&second);
  osim_joint_case third = { "PinJoint", "third", "lower", "hand", { 0 }, { 0 }, "", "" };
  third.coordinates = osim_coordinate("c", -1, 1, 0.2, "");
  osim_joint(&third);
  osim_tail(osim_text(
      "<ConstraintSet><objects><CoordinateCouplerConstraint name=\"x\">%s"
      "<coupled_coordinates_function><SimmSpline><x>0 0.1 0.2 0.4 1</x><y>0 0.2 0.1 0.5 "
      "0.4</y></SimmSpline></coupled_coordinates_function>"
      "<independent_coordinate_names> b </independent_coordinate_names>"
      "<dependent_coordinate_name>a</dependent_coordinate_name></CoordinateCouplerConstraint>"
      "<CoordinateCouplerConstraint name=\"y\">%s"
      "<coupled_coordinates_function><LinearFunction><coefficients>0.3 0.1</coefficients>"
      "</LinearFunction></coupled_coordinates_function>"
      "<independent_coordinate_names>c</independent_coordinate_names>"
      "<dependent_coordinate_name>b</dependent_coordinate_name><scale_factor>1.5</scale_factor>"
      "</CoordinateCouplerConstraint></objects></ConstraintSet>",
      on, on));
}

MU_TEST(osim_coupled_coordinates_follow_the_others) {
  static const double xs[5] = { 0, 0.1, 0.2, 0.4, 1 }, ys[5] = { 0, 0.2, 0.1, 0.5, 0.4 };
  for (int version = 3; version <= 4; version++) {
    coupled_model(version);
    if (load()) {
      MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 1);
      for (double c = -1; c <= 1 && !mu_current_failed; c += 0.25) {
        double b = 1.5 * (0.3 * c + 0.1), a = osim_simm(5, xs, ys, b);
        set("third.c", degrees(c));
        osim_mat upper = osim_mul(osim_ground(), osim_turn(0, 0, 1, a));
        osim_mat lower = osim_mul(upper, osim_move(b, 1, 0));
        const float *got = world("hand");
        osim_mat expected = osim_mul(lower, osim_turn(0, 0, 1, c));
        if (got && osim_difference(expected, got) > 1e-5)
          mu_fail(__FILE__, __LINE__, "off by %g", osim_difference(expected, got));
      }
    }
    unload();
  }
}

static sinew_dof_info dof(const char *name) {
  sinew_dof found = sinew_rig_find_dof(sinew_host_rig(host), name, NULL);
  return found.id ? sinew_rig_dof_info(sinew_host_rig(host), found) : (sinew_dof_info){ 0 };
}

MU_TEST(osim_ranges_defaults_and_locks_are_kept) {
  for (int version = 3; version <= 4; version++) {
    osim_begin(version);
    osim_joint_case j = { "FreeJoint", "root", "ground", "limb", { 0 }, { 0 }, "", "" };
    j.coordinates = osim_text(
        "%s%s%s%s%s%s", osim_coordinate("clamped", -M_PI / 2, M_PI, 0.5, "<clamped>true</clamped>"),
        osim_coordinate("locked", -1, 1, 0.25, "<locked>true</locked>"),
        osim_coordinate("loose", -99999.9, 99999.9, 0, "<clamped>false</clamped>"),
        osim_coordinate("x", -5, 5, 0.125, "<clamped>true</clamped>"),
        osim_coordinate("y", 1, 2, 2.5, "<clamped>false</clamped>"),
        osim_coordinate("z", -99999.9, 99999.9, 0, ""));
    osim_joint(&j);
    if (load()) {
      MU_NEAR(dof("root.clamped").min, -90, 1e-5);
      MU_NEAR(dof("root.clamped").max, 180, 1e-5);
      MU_NEAR(dof("root.clamped").rest, degrees(0.5), 1e-5);
      MU_TEXT(dof("root.clamped").unit, "deg");
      MU_NEAR(dof("root.locked").min, degrees(0.25), 1e-5);
      MU_NEAR(dof("root.locked").max, degrees(0.25), 1e-5);
      MU_NEAR(dof("root.loose").min, -360, 0);
      MU_NEAR(dof("root.loose").max, 360, 0);
      MU_NEAR(dof("root.x").max, 5, 0);
      MU_NEAR(dof("root.x").rest, 0.125, 0);
      MU_TEXT(dof("root.x").unit, "m");
      MU_NEAR(dof("root.y").min, 1, 0);
      MU_NEAR(dof("root.y").max, 2.5, 0);
      MU_NEAR(dof("root.z").max, 100, 0);
    }
    unload();
  }
}

MU_TEST(osim_rigs_rest_at_the_default_coordinates) {
  coupled_model(4);
  if (load()) {
    MU_CHECK(sinew_host_eval(host, sinew_host_pose(host), &error) == SINEW_OK);
    for (int i = 0; i < sinew_rig_segment_count(sinew_host_rig(host)); i++) {
      const float *driven =
          sinew_pose_local(sinew_host_pose(host), sinew_rig_segment(sinew_host_rig(host), i));
      MU_NEAR(osim_difference(osim_move(0, 0, 0), driven), 0, 1e-6);
    }
  }
  unload();
}

MU_TEST(osim_frames_may_be_nested_and_become_segments) {
  const double on_limb[6] = { 0.1, 0.2, 0.3, 0.4, -0.5, 0.6 },
               on_that[6] = { 0, 0.5, 0, 0, 0, 1.2 };
  osim_begin(4);
  osim_add("<Body name=\"limb\"><components><PhysicalOffsetFrame name=\"sensor\">"
           "<socket_parent>..</socket_parent><translation>0.1 0.2 0.3</translation>"
           "<orientation>0.4 -0.5 0.6</orientation><components>"
           "<PhysicalOffsetFrame name=\"tip\"><socket_parent>../../sensor</socket_parent>"
           "<translation>0 0.5 0</translation><orientation>0 0 1.2</orientation>"
           "</PhysicalOffsetFrame></components></PhysicalOffsetFrame></components></Body>\n"
           "</objects></BodySet><JointSet><objects><PinJoint name=\"joint\">"
           "<socket_parent_frame>/ground</socket_parent_frame>"
           "<socket_child_frame>/bodyset/limb/sensor/tip</socket_child_frame></PinJoint>"
           "</objects></JointSet><BodySet><objects>");
  osim_tail("<MarkerSet><objects><Marker name=\"M\"><socket_parent_frame>/bodyset/limb/sensor"
            "</socket_parent_frame><location>1 2 3</location></Marker></objects></MarkerSet>");
  if (load()) {
    set("joint.joint_coord_0", degrees(0.9));
    osim_mat sensor = osim_offset(on_limb), tip = osim_mul(sensor, osim_offset(on_that));
    osim_mat limb =
        osim_mul(osim_mul(osim_ground(), osim_turn(0, 0, 1, 0.9)), osim_rigid_inverse(tip));
    const float *got = world("limb");
    if (got) MU_NEAR(osim_difference(limb, got), 0, 1e-5);
    if ((got = world("tip"))) MU_NEAR(osim_difference(osim_mul(limb, tip), got), 0, 1e-5);
    if ((got = world("sensor"))) MU_NEAR(osim_difference(osim_mul(limb, sensor), got), 0, 1e-5);
    /* the marker is given in the body's own frame */
    OWNED(osim) *osim = MU_MADE(sinew_osim_read(scratch_path("case.osim"), &error));
    osim_mat at = osim_mul(sensor, osim_move(1, 2, 3));
    double x, y, z;
    const char *found = strstr(sinew_osim_markers(osim), "M = { segment = \"limb\", at = { ");
    MU_CHECK(found && sscanf(strstr(found, "at = "), "at = { %lf, %lf, %lf", &x, &y, &z) == 3);
    MU_NEAR(x, at.m[0][3], 1e-6);
    MU_NEAR(y, at.m[1][3], 1e-6);
    MU_NEAR(z, at.m[2][3], 1e-6);
  }
  unload();
}

MU_TEST(osim_older_element_names_are_read) {
  /* sockets as spelled in the betas of version 4, and values from prototypes in <defaults> */
  scratch_open();
  scratch_text("case.osim",
               "<OpenSimDocument Version=\"30515\"><Model><defaults><Coordinate name=\"default\">"
               "<clamped>true</clamped><range>-1 2</range></Coordinate></defaults>"
               "<BodySet><objects><Body name=\"limb\"/></objects></BodySet><JointSet><objects>"
               "<PinJoint name=\"joint\">"
               "<socket_parent_frame_connectee_name>ground</socket_parent_frame_connectee_name>"
               "<socket_child_frame_connectee_name>../limb</socket_child_frame_connectee_name>"
               "<coordinates><Coordinate name=\"q\"/></coordinates></PinJoint></objects></JointSet>"
               "</Model></OpenSimDocument>");
  OWNED(osim) *osim = sinew_osim_read(scratch_path("case.osim"), &error);
  scratch_close();
  MU_CHECK_SAY(osim, "%s", error.text);
  MU_HAS(sinew_osim_script(osim), ":dof(\"q\", { min = -57.29578, max = 114.59156 })");
  MU_TEXT(sinew_osim_losses(osim), "");
}

MU_SUITE(osim)
