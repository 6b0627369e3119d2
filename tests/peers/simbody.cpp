// Simbody on body75, in two ways: two pins for each segment, the quickest that it has, and one
// function-based joint, which is how OpenSim makes joints with moving centres. Of a step only the
// position stage is realized.
#include "peer.h"

#include <Simbody.h>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

using namespace SimTK;

Vec3 vector(const float *v) { return Vec3(v[0], v[1], v[2]); }

struct Model {
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  Body::Rigid rigid;
  std::vector<MobilizedBody> segments;
  State state;

  Model() : matter(system), rigid(MassProperties(1, Vec3(0), Inertia(1))) {}

  MobilizedBody &above(int parent) { return parent < 0 ? matter.updGround() : segments[parent]; }

  void finish() {
    state = system.realizeTopology();
    system.realizeModel(state);
    if (state.getNQ() != peer_turns) std::abort();
  }
};

void run(void *context, int times) {
  Model *m = static_cast<Model *>(context);
  for (int n = 0; n < times; n++) {
    const double *angles = peer_angles(n);
    Vector &q = m->state.updQ();
    for (int i = 0; i < peer_turns; i++) q[i] = angles[i];
    m->system.realize(m->state, Stage::Position);
  }
  bench_keep(&m->state);
}

peer_place place(void *context, int segment) {
  const Model *m = static_cast<Model *>(context);
  const Transform &x = m->segments[segment].getBodyTransform(m->state);
  peer_place p;
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) p.turn[row][col] = x.R()[row][col];
    p.at[row] = x.p()[row];
  }
  return p;
}

// a pin turns about z
void make_pins(Model *m, const body *b) {
  for (int s = 0; s < b->segments; s++) {
    MobilizedBody last = m->above(b->parent[s]);
    for (int i = s * b->rotations; i < (s + 1) * b->rotations; i++) {
      Rotation about(UnitVec3(vector(b->axis[i])), ZAxis);
      Vec3 centre = vector(b->centre[i]);
      Vec3 offset = i == s * b->rotations ? vector(b->offset[s]) : Vec3(0);
      last = MobilizedBody::Pin(last, Transform(about, offset + centre), m->rigid,
                                Transform(about, centre));
    }
    m->segments.push_back(last);
  }
  m->finish();
}

// One joint that turns about two axes with a centre each. With M's origin at the second centre and
// F's where the first axis comes nearest to it, that origin goes round the first axis: a cosine and
// a sine of the first angle across it.
void make_functions(Model *m, const body *b) {
  for (int s = 0; s < b->segments; s++) {
    int i = s * b->rotations;
    Vec3 first = vector(b->axis[i]).normalize(), second = vector(b->axis[i + 1]).normalize();
    Vec3 apart = vector(b->centre[i + 1]) - vector(b->centre[i]), along = dot(first, apart) * first;
    Vec3 across = apart - along;
    double radius = across.norm();
    Vec3 x = across / radius, y = first % x;
    std::vector<const Function *> functions = {
      new Function::Linear(Vector(Vec2(1, 0))), // the angle as it is
      new Function::Linear(Vector(Vec2(1, 0))),
      new Function::Constant(0, 0),
      new Function::Sinusoid(radius, 1, Pi / 2),
      new Function::Sinusoid(radius, 1, 0),
      new Function::Constant(0, 0),
    };
    std::vector<std::vector<int>> angles = { { 0 }, { 1 }, {}, { 0 }, { 0 }, {} };
    std::vector<Vec3> axes = { first, second, (first % second).normalize(), x, y, first };
    Vec3 from = vector(b->offset[s]) + vector(b->centre[i]) + along;
    m->segments.push_back(MobilizedBody::FunctionBased(
        m->above(b->parent[s]), Transform(from), m->rigid, Transform(vector(b->centre[i + 1])), 2,
        functions, angles, axes));
  }
  m->finish();
}

} // namespace

int main(int argc, char **argv) {
  Model pins, functions;
  make_pins(&pins, peer_body());
  make_functions(&functions, peer_body());
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  std::printf("Simbody %d.%d.%d\n", major, minor, build);
  const peer simbody[] = { { "Simbody, pins", 0, &pins, run, place },
                           { "Simbody, function-based", 0.015, &functions, run, place } };
  return peer_compare("build/peers/simbody.csv", simbody, 2, argc, argv);
}
