// Orocos KDL's Newton-Raphson solver against Sinew's, on the human's right arm without the spine:
// the shoulder's three axes, the elbow's, the forearm's and the wrist's two as they stand at rest,
// a chain of seven turns. From seeds 0.1 rad away in every joint to 1e-5 m and rad.
#include "bench.h"

#include <sinew/host.h>

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_nr.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

enum { joints = 7, targets = 64 };
const double degrees = 180 / M_PI;

struct Arm {
  float axis[joints][3], at[joints + 1][3]; // in the world at rest; the last is the hand
};

// the line about which a DOF turns a segment, from its derivatives at rest
void find_axis(const sinew_rig *rig, sinew_pose *pose, const char *dof, const char *segment,
               float *axis, float *at) {
  sinew_error error;
  sinew_dof d = sinew_rig_find_dof(rig, dof, &error);
  bench_check(d.id != 0, &error);
  sinew_segment s = sinew_rig_find_segment(rig, segment, &error);
  bench_check(s.id != 0, &error);
  sinew_tangent_desc desc = sinew_default_tangent_desc();
  desc.dofs = &d, desc.dof_count = 1, desc.segments = &s, desc.segment_count = 1;
  sinew_tangent *tangent = sinew_tangent_create(rig, &desc, &error);
  bench_check(tangent && sinew_tangent_eval(tangent, pose, &error) >= 0, &error);
  float w[3], v[3], square = 0;
  const float origin[3] = { 0, 0, 0 }, *p = sinew_pose_world(pose, s) + 12;
  sinew_tangent_turn(tangent, s, w, 3);
  sinew_tangent_point(tangent, s, origin, v, 3);
  for (int k = 0; k < 3; k++) square += w[k] * w[k];
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    axis[k] = w[k] / std::sqrt(square);
    at[k] = p[k] + (w[a] * v[b] - w[b] * v[a]) / square;
  }
  sinew_tangent_destroy(tangent);
}

Arm find_arm() {
  static const struct {
    const char *dof, *segment;
  } turns[] = { { "right_elbow.flexion", "ulna_r" },
                { "right_elbow.twist", "radius_r" },
                { "right_wrist.flexion", "carpus_r" },
                { "right_wrist.deviation", "carpus_r" } };
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  bench_check(host && sinew_host_load(host, "rigs/human.lua", &error) >= 0, &error);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_pose *pose = sinew_host_pose(host);
  Arm arm = {};
  sinew_segment humerus = sinew_rig_find_segment(rig, "humerus_r", &error);
  sinew_segment hand = sinew_rig_find_segment(rig, "metacarpal_middle_r", &error);
  bench_check(humerus.id && hand.id, &error);
  for (int i = 0; i < 3; i++) {
    static const int order[] = { 0, 2, 1 }; // forward, outward, about the bone
    arm.axis[i][order[i]] = 1;
    std::memcpy(arm.at[i], sinew_pose_world(pose, humerus) + 12, sizeof arm.at[i]);
  }
  for (int i = 3; i < joints; i++)
    find_axis(rig, pose, turns[i - 3].dof, turns[i - 3].segment, arm.axis[i], arm.at[i]);
  std::memcpy(arm.at[joints], sinew_pose_world(pose, hand) + 12, sizeof arm.at[joints]);
  sinew_host_destroy(host);
  return arm;
}

float offset(const Arm &arm, int i, int k) { return arm.at[i + 1][k] - arm.at[i][k]; }

KDL::Chain make_chain(const Arm &arm) {
  KDL::Chain chain;
  for (int i = 0; i < joints; i++) {
    KDL::Vector axis(arm.axis[i][0], arm.axis[i][1], arm.axis[i][2]);
    KDL::Vector to(offset(arm, i, 0), offset(arm, i, 1), offset(arm, i, 2));
    chain.addSegment(
        KDL::Segment(KDL::Joint(KDL::Vector::Zero(), axis, KDL::Joint::RotAxis), KDL::Frame(to)));
  }
  return chain;
}

sinew_rig *make_rig(const Arm &arm) {
  sinew_error error;
  sinew_builder *b = sinew_builder_create("arm", &error);
  for (int i = 0; i < joints; i++) {
    char dof[8], turn[8], bone[8], above[8];
    std::snprintf(dof, sizeof dof, "q%d", i);
    std::snprintf(turn, sizeof turn, "r%d", i);
    std::snprintf(bone, sizeof bone, "s%d", i);
    std::snprintf(above, sizeof above, "s%d", i - 1);
    sinew_dof_desc d = sinew_default_dof_desc();
    d.name = dof;
    sinew_builder_add_dof(b, &d, &error);
    sinew_wire wire = {};
    wire.input = "angle", wire.from = dof;
    sinew_param axis = sinew_param_vector("axis", arm.axis[i][0], arm.axis[i][1], arm.axis[i][2]);
    sinew_component_desc c = sinew_default_component_desc();
    c.kind = "rotation", c.name = turn, c.wires = &wire, c.wire_count = 1;
    c.params = &axis, c.param_count = 1;
    sinew_builder_add_component(b, &c, &error);
    sinew_segment_desc s = sinew_default_segment_desc();
    s.name = bone, s.parent = i ? above : nullptr;
    for (int k = 0; k < 3 && i; k++) s.rest[12 + k] = offset(arm, i - 1, k);
    sinew_segment segment = sinew_builder_add_segment(b, &s, &error);
    sinew_builder_drive(b, segment, turn, nullptr, &error);
  }
  sinew_rig *rig = sinew_builder_compile(b, &error);
  bench_check(rig != nullptr, &error);
  sinew_builder_destroy(b);
  return rig;
}

struct Task {
  double seed[targets][joints]; // radians
  KDL::Frame frame[targets];
  int solved;

  // KDL's
  KDL::ChainIkSolverPos_NR *kdl;
  KDL::JntArray from, to;

  // Sinew's
  sinew_solver *solver;
  sinew_pose *pose;
  sinew_goal goals[2];
  sinew_solve_options how;
};

void run_kdl(void *context, int times) {
  Task *t = static_cast<Task *>(context);
  for (int n = 0; n < times; n++) {
    t->solved = 0;
    for (int i = 0; i < targets; i++) {
      for (int k = 0; k < joints; k++) t->from(k) = t->seed[i][k];
      t->solved += t->kdl->CartToJnt(t->from, t->frame[i], t->to) >= 0;
    }
  }
}

void run_sinew(void *context, int times) {
  Task *t = static_cast<Task *>(context);
  for (int n = 0; n < times; n++) {
    t->solved = 0;
    for (int i = 0; i < targets; i++) {
      float values[joints];
      for (int k = 0; k < joints; k++) values[k] = float(t->seed[i][k] * degrees);
      for (int k = 0; k < 3; k++) {
        t->goals[0].target[k] = float(t->frame[i].p(k));
        for (int c = 0; c < 3; c++) t->goals[1].frame[4 * c + k] = float(t->frame[i].M(k, c));
      }
      sinew_pose_set_all(t->pose, values, joints, nullptr);
      for (int g = 0; g < 2; g++) sinew_solver_set_goal(t->solver, g, &t->goals[g], nullptr);
      sinew_solve_result r;
      sinew_solver_solve(t->solver, t->pose, &t->how, &r, nullptr);
      t->solved += r.end == SINEW_SOLVE_REACHED;
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  bench_open("build/bench-kdl.csv", argc > 1 && std::strcmp(argv[1], "--smoke") == 0);
  Arm arm = find_arm();
  KDL::Chain chain = make_chain(arm);
  KDL::ChainFkSolverPos_recursive forward(chain);
  KDL::ChainIkSolverVel_pinv velocity(chain);
  KDL::ChainIkSolverPos_NR newton(chain, forward, velocity, 100, 1e-5);
  sinew_error error;
  sinew_rig *rig = make_rig(arm);
  static Task t;
  t.kdl = &newton;
  t.from = t.to = KDL::JntArray(joints);
  t.pose = sinew_pose_create(rig, &error);
  sinew_segment hand = sinew_rig_segment(rig, joints - 1);
  t.goals[0] = sinew_default_goal(SINEW_GOAL_POINT, hand);
  for (int k = 0; k < 3; k++) t.goals[0].point[k] = offset(arm, joints - 1, k);
  t.goals[1] = sinew_default_goal(SINEW_GOAL_TURN, hand);
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = t.goals, desc.goal_count = 2;
  t.solver = sinew_solver_create(rig, &desc, &error);
  bench_check(t.pose && t.solver, &error);
  t.how = sinew_default_solve_options();
  t.how.restarts = false;
  t.how.tolerance = 1e-5f;
  t.how.tolerance_turn = float(1e-5 * degrees);

  // both chains are the same one
  double apart = 0;
  for (int i = 0; i < targets; i++) {
    KDL::JntArray q(joints);
    float values[joints];
    for (int k = 0; k < joints; k++) {
      q(k) = 2 * double(bench_random()) - 1 + (k == 3 ? 1.2 : 0);
      t.seed[i][k] = q(k) + (bench_random() < 0.5f ? -0.1 : 0.1);
      values[k] = float(q(k) * degrees);
    }
    forward.JntToCart(q, t.frame[i]);
    sinew_pose_set_all(t.pose, values, joints, nullptr);
    sinew_pose_eval(t.pose, nullptr);
    const float *m = sinew_pose_world(t.pose, hand);
    for (int k = 0; k < 3; k++) {
      double tip = m[12 + k];
      for (int c = 0; c < 3; c++) {
        tip += double(m[4 * c + k]) * double(t.goals[0].point[c]);
        apart = std::fmax(apart, std::fabs(double(m[4 * c + k]) - t.frame[i].M(k, c)));
      }
      apart = std::fmax(apart, std::fabs(tip - t.frame[i].p(k)));
    }
  }
  std::printf("kdl\n");
  bench_ratio("how far the two chains are apart, over 1e-5", apart / 1e-5, 1);
  const char *const names[2] = { "Sinew, 64 targets of a seven-DOF arm to 1e-5",
                                 "Orocos KDL's Newton-Raphson, in turn with it" };
  void (*const run[2])(void *, int) = { run_sinew, run_kdl };
  void *const contexts[2] = { &t, &t };
  double ns[2];
  bench_pair(names, run, contexts, ns);
  bench_ratio("Sinew / KDL", ns[0] / ns[1], 0.1);
  run_kdl(&t, 1);
  bench_ratio("targets that KDL missed", targets - t.solved, 0);
  run_sinew(&t, 1);
  bench_ratio("targets that Sinew missed", targets - t.solved, 1e-9);
  sinew_solver_destroy(t.solver);
  sinew_pose_destroy(t.pose);
  sinew_rig_destroy(rig);
  return bench_close();
}
