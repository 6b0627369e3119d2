// Orocos KDL on body75: a tree of 150 hinges, every second one without length. KDL places one
// segment at a time, each time from the root.
#include "peer.h"

#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

KDL::Vector vector(const float *v) { return KDL::Vector(v[0], v[1], v[2]); }

// the last hinge of a segment carries its name
std::string name_of(int segment) { return segment < 0 ? "root" : "s" + std::to_string(segment); }

KDL::Tree make_tree(const body *b) {
  KDL::Tree tree("root");
  for (int s = 0; s < b->segments; s++)
    for (int r = 0; r < b->rotations; r++) {
      int i = s * b->rotations + r;
      KDL::Vector offset = r ? KDL::Vector::Zero() : vector(b->offset[s]);
      std::string name = name_of(s), above = r ? name + "a" : name_of(b->parent[s]);
      if (r == 0) name += "a";
      KDL::Joint joint("j" + std::to_string(i), offset + vector(b->centre[i]), vector(b->axis[i]),
                       KDL::Joint::RotAxis);
      if (!tree.addSegment(KDL::Segment(name, joint, KDL::Frame(offset)), above)) std::abort();
    }
  return tree;
}

struct Task {
  KDL::TreeFkSolverPos_recursive *solver;
  KDL::JntArray angles;
  std::vector<std::string> names;
  std::vector<KDL::Frame> frames;
};

void run(void *context, int times) {
  Task *t = static_cast<Task *>(context);
  for (int n = 0; n < times; n++) {
    const double *angles = peer_angles(n);
    for (int i = 0; i < peer_turns; i++) t->angles(i) = angles[i];
    for (size_t s = 0; s < t->names.size(); s++)
      if (t->solver->JntToCart(t->angles, t->frames[s], t->names[s]) < 0) std::abort();
  }
  bench_keep(t->frames.data());
}

peer_place place(void *context, int segment) {
  const KDL::Frame &frame = static_cast<Task *>(context)->frames[segment];
  peer_place p;
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) p.turn[row][col] = frame.M(row, col);
    p.at[row] = frame.p(row);
  }
  return p;
}

} // namespace

int main(int argc, char **argv) {
  const body *b = peer_body();
  KDL::Tree tree = make_tree(b);
  KDL::TreeFkSolverPos_recursive solver(tree);
  Task t = { &solver, KDL::JntArray(tree.getNrOfJoints()), {}, {} };
  if (tree.getNrOfJoints() != peer_turns) std::abort();
  for (int s = 0; s < b->segments; s++) t.names.push_back(name_of(s));
  t.frames.resize(b->segments);
  const peer kdl = { "Orocos KDL, tree", 0, &t, run, place };
  return peer_compare("build/peers/kdl_tree.csv", &kdl, 1, argc, argv);
}
