/* Models that researchers use, where they are at hand (see ../shared/data): they load, and their
 * knees, patella, ankle and subtalar joint stand where the formulas of their joints put them. */
#include "fixture.h"
#include "minunit.h"
#include "osim_cases.h"
#include "patient.h"
#include "sinew/host.h"

#include <stdio.h>
#include <unistd.h>

static sinew_host *host;

static bool open_model(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "../shared/data/osim/%s.osim", name);
  if (access(path, R_OK) != 0) {
    mu_skip(name, "there is no such file in ../shared/data/osim");
    return false;
  }
  sinew_host_desc desc = patient_host_desc();
  desc.load_seconds = desc.eval_seconds = 600;
  host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, path, &error) == SINEW_OK) return true;
  mu_fail(__FILE__, __LINE__, "%s", error.text);
  sinew_host_destroy(host);
  return false;
}

static void set(const char *dof, double value) {
  sinew_dof found = sinew_rig_find_dof(sinew_host_rig(host), dof, &error);
  if (!found.id || sinew_pose_set(sinew_host_pose(host), found, (float)value, &error) < 0)
    mu_fail(__FILE__, __LINE__, "%s", error.text);
}

static osim_mat world(const char *segment) {
  osim_mat m = osim_move(0, 0, 0);
  sinew_segment found = sinew_rig_find_segment(sinew_host_rig(host), segment, &error);
  if (!found.id || sinew_host_eval(host, sinew_host_pose(host), &error) < 0) {
    mu_fail(__FILE__, __LINE__, "%s", error.text);
    return m;
  }
  const float *w = sinew_pose_world(sinew_host_pose(host), found);
  for (int i = 0; i < 16; i++) m.m[i % 4][i / 4] = (double)w[i];
  return m;
}

/* the difference between the transform of `child` relative to `parent` and `expected` */
static double off(const char *parent, const char *child, osim_mat expected) {
  osim_mat got = osim_mul(osim_rigid_inverse(world(parent)), world(child));
  float columns[16];
  for (int i = 0; i < 16; i++) columns[i] = (float)got.m[i % 4][i / 4];
  return osim_difference(expected, columns);
}

static double degrees(double radians) { return radians * 180 / M_PI; }

MU_TEST(osim_gait2392_moves_by_its_formulas) {
  static const double xx[12] = { -2.0944,   -1.74533, -1.39626, -1.0472,  -0.698132, -0.349066,
                                 -0.174533, 0.197344, 0.337395, 0.490178, 1.52146,   2.0944 };
  static const double xy[12] = { -0.0032, 0.00179,   0.00411,   0.0041,    0.00212,   -0.001,
                                 -0.0031, -0.005227, -0.005435, -0.005574, -0.005435, -0.00525 };
  static const double yx[7] = {
    -2.0944, -1.22173, -0.523599, -0.349066, -0.174533, 0.159149, 2.0944
  };
  static const double yy[7] = { -0.4226, -0.4082, -0.399, -0.3976, -0.3966, -0.395264, -0.396 };
  if (!open_model("gait2392_thelen2003muscle")) return;
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 23);
  for (int i = 0; i <= 20 && !mu_current_failed; i++) {
    double q = -2.0943951 + i * (0.17453293 + 2.0943951) / 20;
    set("knee_r.knee_angle_r", degrees(q));
    set("knee_l.knee_angle_l", degrees(q / 2));
    osim_mat knee = osim_mul(osim_move(osim_simm(12, xx, xy, q), osim_simm(7, yx, yy, q), 0),
                             osim_turn(0, 0, 1, q));
    MU_NEAR(off("femur_r", "tibia_r", knee), 0, 1e-6 * 2);
    set("subtalar_r.subtalar_angle_r", degrees(q / 2));
    osim_mat subtalar = osim_mul(osim_move(-0.04877, -0.04195, 0.00792),
                                 osim_turn(0.78717961, 0.60474746, -0.12094949, q / 2));
    MU_NEAR(off("talus_r", "calcn_r", subtalar), 0, 1e-5);
  }
  sinew_host_destroy(host);
}

static const double rajagopal_x[13] = { 0,       .174533, .349066, .523599, .698132,
                                        .872665, 1.0472,  1.22173, 1.39626, 1.5708,
                                        1.74533, 1.91986, 2.0944 };

static double table(const double y[13], double q) { return osim_simm(13, rajagopal_x, y, q); }

static osim_mat rajagopal_knee(double q) {
  static const double adduction[13] = { 0,         .0126809,   .0226969, .0296054, .0332049,
                                        .0335354,  .0308779,   .0257548, .0189295, .011407,
                                        .00443314, -.00050475, -.0016782 };
  static const double rotation[13] = { 0,      .059461, .109399, .150618, .18392,  .210107, .229983,
                                       .24435, .254012, .25977,  .262428, .262788, .261654 };
  static const double y[13] = { 0,       .000479, .000835, .001086, .001251, .001346, .001391,
                                .001403, .0014,   .0014,   .001421, .001481, .001599 };
  static const double z[13] = { 0,       .000988, .001899, .002734, .003492, .004173, .004777,
                                .005305, .005756, .00613,  .006427, .006648, .006792 };
  const double near[6] = { -0.00809, -0.40796, -0.00275, -1.64157, 1.44618, 1.5708 };
  const double far[6] = { -0.00808954, -0.0035348, -0.00148474, -1.64157, 1.44618, 1.5708 };
  osim_mat turned =
      osim_mul(osim_mul(osim_turn(1, 0, 0, q), osim_turn(0, 0, 1, table(adduction, q))),
               osim_turn(0, 1, 0, table(rotation, q)));
  osim_mat joint = osim_mul(osim_move(0, table(y, q), table(z, q)), turned);
  return osim_mul(osim_mul(osim_offset(near), joint), osim_rigid_inverse(osim_offset(far)));
}

static osim_mat rajagopal_patella(double q) {
  static const double turn[13] = { .00113686, -.00629212, -.105582, -.253683, -.414245,
                                   -.579047,  -.747244,   -.91799,  -1.09044, -1.26379,
                                   -1.43763,  -1.61186,   -1.78634 };
  static const double x[13] = { .0524, .0488,  .0437,  .0371,  .0296,  .0216, .0136,
                                .0057, -.0019, -.0088, -.0148, -.0196, -.0227 };
  static const double y[13] = { -.0108, -.019,  -.0263, -.0322, -.0367, -.0395, -.0408,
                                -.0404, -.0384, -.0349, -.0301, -.0245, -.0187 };
  osim_mat moved = osim_move(-0.00809 + table(x, q), -0.40796 + table(y, q), -0.00275 + 0.00275);
  return osim_mul(moved, osim_turn(0, 0, 1, table(turn, q)));
}

MU_TEST(osim_rajagopal2016_moves_by_its_formulas) {
  if (!open_model("Rajagopal2016")) return;
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 37); /* 39, of which two are coupled */
  const double ankle[6] = { -0.01, -0.4, 0, 0.175895, -0.105208, 0.0186622 };
  const double back[6] = { 0, 0, 0, 0.175895, -0.105208, 0.0186622 };
  for (int i = 0; i <= 20 && !mu_current_failed; i++) {
    double q = i * 2.0944 / 20, bend = -0.6 + i * 0.05;
    set("walker_knee_r.knee_angle_r", degrees(q));
    MU_NEAR(off("femur_r", "tibia_r", rajagopal_knee(q)), 0, 1e-5);
    MU_NEAR(off("femur_r", "patella_r", rajagopal_patella(q)), 0, 1e-5);
    set("ankle_r.ankle_angle_r", degrees(bend));
    osim_mat expected =
        osim_mul(osim_mul(osim_offset(ankle), osim_turn(0, 0, 1, fmin(bend, 0.52359878))),
                 osim_rigid_inverse(osim_offset(back)));
    MU_NEAR(off("tibia_r", "talus_r", expected), 0, 1e-5);
  }
  sinew_host_destroy(host);
}

MU_TEST(osim_arm26_moves_by_its_formulas) {
  if (!open_model("arm26")) return;
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 2);
  for (double q = 0; q < 2.2 && !mu_current_failed; q += 0.1) {
    set("r_shoulder.r_shoulder_elev", degrees(q));
    set("r_elbow.r_elbow_flex", degrees(q));
    osim_mat shoulder =
        osim_mul(osim_move(-0.017545, -0.007, 0.17), osim_turn(-0.05889802, 0.0023, 0.99826136, q));
    osim_mat elbow = osim_mul(osim_move(0.0061, -0.2904, -0.0123),
                              osim_turn(0.04940001, 0.03660001, 0.99810825, q));
    MU_NEAR(off("base", "r_humerus", shoulder), 0, 1e-5);
    MU_NEAR(off("r_humerus", "r_ulna_radius_hand", elbow), 0, 1e-5);
  }
  sinew_host_destroy(host);
}

MU_SUITE(osim_models)
