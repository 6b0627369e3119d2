/* Skinning against plain sums in doubles and rotations composed by hand, properties of automatic
 * weights, and bodies made around bones. */
#include "field_cases.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"

#include <stdlib.h>

/* an arm along x: two bones of 1 m and a hand; the elbow bends about z and twists about x */
static sinew_rig *arm(const float *root) {
  sinew_builder *b = sinew_builder_create("arm", NULL);
  sinew_add_bone_frame(b, SINEW_ROOT, "upper", root);
  make_lines(b, "segment lower upper 1,0,0; segment hand lower 1,0,0; set elbow\n"
                "dof bend -170 170; dof twist -170 170\n"
                "euler both first=bend second=twist third=#0 order=zxz; drive lower elbow.both");
  return make_rig(b, NULL);
}

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static sinew_pose *posed(const sinew_rig *rig, float bend, float twist) {
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_find_dof(rig, "elbow.bend", NULL), bend, NULL);
  sinew_pose_set(pose, sinew_rig_find_dof(rig, "elbow.twist", NULL), twist, NULL);
  sinew_pose_eval(pose, NULL);
  return pose;
}

enum { AROUND = 12, ALONG = 41, TUBE = AROUND * ALONG };

/* a tube of 0.1 m about the x axis, from 0 to 2 */
static sinew_shape tube(void) {
  static float vertices[3 * TUBE], normals[3 * TUBE];
  static uint32_t triangles[6 * AROUND * (ALONG - 1)];
  int corner = 0;
  for (int i = 0; i < ALONG; i++)
    for (int k = 0; k < AROUND; k++) {
      double turn = 2 * 3.14159265358979 * k / AROUND;
      float *v = vertices + 3 * (i * AROUND + k), *n = normals + 3 * (i * AROUND + k);
      v[0] = 2.0f * (float)i / (ALONG - 1), n[0] = 0;
      n[1] = (float)cos(turn), n[2] = (float)sin(turn);
      v[1] = 0.1f * n[1], v[2] = 0.1f * n[2];
      if (i + 1 == ALONG) continue;
      uint32_t a = (uint32_t)(i * AROUND + k), b = (uint32_t)(i * AROUND + (k + 1) % AROUND);
      const uint32_t two[6] = { a, b, b + AROUND, a, b + AROUND, a + AROUND };
      memcpy(triangles + corner, two, sizeof two);
      corner += 6;
    }
  return (sinew_shape){ vertices, normals, triangles, TUBE, 2 * AROUND * (ALONG - 1) };
}

/* both bones at one place, each with half the weight */
static sinew_skin *halves(const sinew_pose *bind, const sinew_shape *mesh) {
  static uint32_t segments[2 * TUBE];
  static float weights[2 * TUBE];
  for (int i = 0; i < mesh->vertex_count; i++) {
    segments[2 * i] = 0, segments[2 * i + 1] = 1;
    weights[2 * i] = weights[2 * i + 1] = 3; /* the sum need not be 1 */
  }
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = *mesh, desc.weight_count = 2, desc.segments = segments, desc.weights = weights;
  return sinew_skin_create(bind, &desc, &error);
}

MU_TEST(skin_linear_is_the_plain_weighted_sum) {
  uint32_t seed = 5;
  for (int round = 0; round < mu_rounds(60); round++) {
    OWNED(rig) *rig = MU_MADE(network_make(100 + (uint32_t)round, 4, 12, 6));
    OWNED(pose) *bind = sinew_pose_create(rig, NULL), *pose = sinew_pose_create(rig, NULL);
    float vertices[30], normals[30], weights[80], moved[30], turned[30];
    uint32_t segments[80];
    for (int i = 0; i < 30; i++) vertices[i] = make_between(&seed, -1, 1);
    for (int i = 0; i < 30; i++) normals[i] = make_between(&seed, -1, 1);
    for (int i = 0; i < 80; i++) weights[i] = i % 3 ? make_between(&seed, 0, 1) : 0;
    for (int i = 0; i < 80; i++) segments[i] = (uint32_t)make_index(&seed, 6);
    for (int i = 0; i < sinew_rig_dof_count(rig); i++)
      sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(&seed, -90, 90), NULL);
    sinew_pose_eval(bind, NULL), sinew_pose_eval(pose, NULL);
    sinew_skin_desc desc = sinew_default_skin_desc();
    desc.mesh = (sinew_shape){ vertices, normals, NULL, 10, 0 };
    desc.weight_count = 8, desc.segments = segments, desc.weights = weights;
    OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
    MU_INT(sinew_skin_deform(skin, pose, SINEW_SKIN_LINEAR, moved, turned), SINEW_OK);
    for (int v = 0; v < 10; v++) {
      double sum = 0, place[3] = { 0 }, normal[3] = { 0 }, size = 1;
      for (int i = 0; i < 8; i++) sum += (double)weights[8 * v + i];
      for (int i = 0; i < 8; i++) {
        const uint32_t s = segments[8 * v + i];
        dmat m = dmat_mul(dmat_of(sinew_pose_worlds(pose) + 16 * s),
                          dmat_inverse(dmat_of(sinew_pose_worlds(bind) + 16 * s)));
        for (int k = 0; k < 3; k++) {
          double w = (double)weights[8 * v + i] / sum, p = m.m[12 + k], n = 0;
          for (int c = 0; c < 3; c++) p += m.m[4 * c + k] * (double)vertices[3 * v + c];
          for (int c = 0; c < 3; c++) n += m.m[4 * c + k] * (double)normals[3 * v + c];
          place[k] += w * p, normal[k] += w * n;
          size = fmax(size, fabs(m.m[12 + k]));
        }
      }
      double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      for (int k = 0; k < 3; k++) MU_NEAR(moved[3 * v + k], place[k], 2e-5 * size);
      for (int k = 0; k < 3 && length > 0.01; k++)
        MU_NEAR(turned[3 * v + k], normal[k] / length, 1e-3);
    }
    double size = 1;
    for (int i = 0; i < 6 * 16; i++) size = fmax(size, fabs((double)sinew_pose_worlds(bind)[i]));
    /* at the bind pose the mesh is as given, by either method */
    for (int method = 0; method < 2; method++) {
      sinew_skin_deform(skin, bind, (sinew_skin_method)method, moved, NULL);
      for (int i = 0; i < 30; i++) MU_NEAR(moved[i], vertices[i], 1e-5 * size);
    }
  }
}

/* a single bone moves its vertices rigidly, by both methods, in frames of every kind */
MU_TEST(skin_with_one_weight_moves_rigidly) {
  uint32_t seed = 8;
  for (int kind = 0; kind < MAKE_FRAMES; kind++) {
    float root[16], linear[3 * TUBE], dual[3 * TUBE], normals[3 * TUBE];
    make_frame(&seed, kind, root);
    OWNED(rig) *rig = MU_MADE(arm(root));
    OWNED(pose) *bind = posed(rig, 0, 0), *pose = posed(rig, 115, -70);
    static uint32_t segments[TUBE];
    static float weights[TUBE];
    for (int i = 0; i < TUBE; i++) segments[i] = 1, weights[i] = 1;
    sinew_skin_desc desc = sinew_default_skin_desc();
    desc.mesh = tube(), desc.weight_count = 1, desc.segments = segments, desc.weights = weights;
    OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
    sinew_skin_deform(skin, pose, SINEW_SKIN_LINEAR, linear, NULL);
    sinew_skin_deform(skin, pose, SINEW_SKIN_DUAL_QUATERNION, dual, normals);
    dmat m = dmat_mul(dmat_of(sinew_pose_worlds(pose) + 16),
                      dmat_inverse(dmat_of(sinew_pose_worlds(bind) + 16)));
    for (int v = 0; v < TUBE; v++)
      for (int k = 0; k < 3; k++) {
        double p = m.m[12 + k], n = 0;
        for (int c = 0; c < 3; c++) p += m.m[4 * c + k] * (double)desc.mesh.vertices[3 * v + c];
        for (int c = 0; c < 3; c++) n += m.m[4 * c + k] * (double)desc.mesh.normals[3 * v + c];
        MU_NEAR(linear[3 * v + k], p, 1e-5);
        MU_NEAR(dual[3 * v + k], p, 1e-5);
        MU_NEAR(normals[3 * v + k], n, 1e-5);
      }
  }
}

MU_TEST(skin_dual_quaternions_rotate_halfway_and_keep_the_radius) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0);
  sinew_shape mesh = tube();
  OWNED(skin) *skin = MU_MADE_OR(halves(bind, &mesh), error.text);
  static float moved[3 * TUBE], normals[3 * TUBE];
  for (float twist = -170; twist <= 170; twist += 20) {
    OWNED(pose) *pose = posed(rig, 0, twist);
    sinew_skin_deform(skin, pose, SINEW_SKIN_DUAL_QUATERNION, moved, normals);
    const float x[3] = { 1, 0, 0 };
    dmat half = dmat_turn(x, (double)twist / 2);
    for (int v = 0; v < TUBE; v++)
      for (int k = 0; k < 3; k++) {
        double want = 0, normal = 0;
        for (int c = 0; c < 3; c++) want += half.m[4 * c + k] * (double)mesh.vertices[3 * v + c];
        for (int c = 0; c < 3; c++) normal += half.m[4 * c + k] * (double)mesh.normals[3 * v + c];
        MU_NEAR(moved[3 * v + k], want, 1e-5);
        MU_NEAR(normals[3 * v + k], normal, 1e-5);
      }
    /* linear blend skinning shrinks the tube by the cosine of half the angle */
    sinew_skin_deform(skin, pose, SINEW_SKIN_LINEAR, moved, NULL);
    for (int v = 0; v < TUBE; v++)
      MU_NEAR(hypotf(moved[3 * v + 1], moved[3 * v + 2]),
              0.1 * cos((double)twist / 2 * 3.14159265358979 / 180), 1e-5);
  }
  /* when bent, a vertex rotates by half the angle about the elbow */
  OWNED(pose) *pose = posed(rig, 120, 0);
  sinew_skin_deform(skin, pose, SINEW_SKIN_DUAL_QUATERNION, moved, NULL);
  const float z[3] = { 0, 0, 1 };
  dmat half = dmat_mul(dmat_mul(dmat_move(1, 0, 0), dmat_turn(z, 60)), dmat_move(-1, 0, 0));
  for (int v = 0; v < TUBE; v++)
    for (int k = 0; k < 3; k++) {
      double want = half.m[12 + k];
      for (int c = 0; c < 3; c++) want += half.m[4 * c + k] * (double)mesh.vertices[3 * v + c];
      MU_NEAR(moved[3 * v + k], want, 1e-5);
    }
}

/* along the whole arm with automatic weights: the radius stays, linear blend skinning loses it */
MU_TEST(skin_dual_quaternions_keep_the_volume_of_a_twisted_arm) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0), *pose = posed(rig, 0, 160);
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = tube();
  OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
  static float moved[3 * TUBE];
  double least[2] = { 1, 1 }, most = 0;
  for (int method = 0; method < 2; method++) {
    sinew_skin_deform(skin, pose, (sinew_skin_method)method, moved, NULL);
    for (int v = 0; v < TUBE; v++) {
      double radius = (double)hypotf(moved[3 * v + 1], moved[3 * v + 2]);
      least[method] = fmin(least[method], radius), most = fmax(most, radius);
    }
  }
  MU_CHECK(least[SINEW_SKIN_LINEAR] < 0.03);
  MU_NEAR(least[SINEW_SKIN_DUAL_QUATERNION], 0.1, 1e-3);
  MU_NEAR(most, 0.1, 1e-3);
}

/* the rotation of each ring about x, in degrees */
static double ring_turn(const float *moved, const sinew_shape *mesh, int ring) {
  const float *p = moved + 3 * AROUND * ring, *q = mesh->vertices + 3 * AROUND * ring;
  return (atan2((double)p[2], (double)p[1]) - atan2((double)q[2], (double)q[1])) * 180 /
         3.14159265358979;
}

MU_TEST(skin_spreads_twist_along_a_bone) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0), *pose = posed(rig, 0, 100);
  sinew_segment upper = sinew_rig_segment(rig, 0), lower = sinew_rig_segment(rig, 1);
  static uint32_t segments[TUBE];
  static float weights[TUBE], moved[3 * TUBE];
  for (int i = 0; i < TUBE; i++) segments[i] = i < 20 * AROUND ? 0 : 1, weights[i] = 1;
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = tube(), desc.weight_count = 1, desc.segments = segments, desc.weights = weights;
  const sinew_skin_twist own = { lower, lower }, child = { upper, lower };
  desc.twist_count = 1;
  for (int method = 0; method < 2; method++) {
    desc.twists = &own; /* from zero at the elbow to the whole twist at the hand */
    sinew_skin *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
    sinew_skin_deform(skin, pose, (sinew_skin_method)method, moved, NULL);
    for (int i = 0; i < ALONG; i++)
      MU_NEAR(ring_turn(moved, &desc.mesh, i), i < 20 ? 0 : 100.0 * (i - 20) / 20, 1e-3);
    sinew_skin_destroy(skin);
    desc.twists = &child; /* the upper arm already has it */
    skin = sinew_skin_create(bind, &desc, &error);
    MU_CHECK_SAY(skin, "%s", error.text);
    sinew_skin_deform(skin, pose, (sinew_skin_method)method, moved, NULL);
    for (int i = 0; i < ALONG; i++)
      MU_NEAR(ring_turn(moved, &desc.mesh, i), i < 20 ? 100.0 * i / 20 : 100, 1e-3);
    sinew_skin_destroy(skin);
  }
  sinew_skin_twist found[4];
  MU_INT(sinew_skin_long_bones(bind, found, 4), 1);
  MU_INT(found[0].segment.id, lower.id);
}

static float weight_of(const sinew_skin *skin, int vertex, uint32_t segment) {
  float sum = 0;
  for (int i = 0; i < sinew_skin_weight_count(skin); i++) {
    int at = vertex * sinew_skin_weight_count(skin) + i;
    if (sinew_skin_segments(skin)[at] == segment) sum += sinew_skin_weights(skin)[at];
  }
  return sum;
}

MU_TEST(skin_automatic_weights_are_local_smooth_and_sum_to_one) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0);
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = tube(), desc.falloff = 0.1f, desc.smoothing = 4;
  OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
  MU_INT(sinew_skin_weight_count(skin), 4);
  for (int v = 0; v < TUBE; v++) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      float w = sinew_skin_weights(skin)[4 * v + i];
      MU_CHECK(w >= 0 && (i == 0 || w <= sinew_skin_weights(skin)[4 * v + i - 1]));
      sum += (double)w;
    }
    MU_NEAR(sum, 1, 1e-6);
    /* within the falloff of the elbow, plus four rounds of smoothing */
    float x = desc.mesh.vertices[3 * v];
    if (x < 0.6f) MU_CHECK(weight_of(skin, v, 1) == 0);
    if (x > 1.4f) MU_CHECK(weight_of(skin, v, 0) == 0);
    if (x < 0.6f) MU_CHECK(weight_of(skin, v, 0) == 1);
    /* no step along the tube changes a weight by more than a third */
    if (v + AROUND < TUBE)
      MU_CHECK(fabsf(weight_of(skin, v, 0) - weight_of(skin, v + AROUND, 0)) < 0.34f);
  }
}

/* a triangle with one corner at the upper arm and two at the lower */
MU_TEST(skin_smoothing_goes_halfway_to_the_mean_of_the_neighbours) {
  static const float vertices[] = { 0.1f, 0, 0, 1.8f, 0, 0, 1.8f, 0.1f, 0 };
  static const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };
  static const uint32_t triangle[] = { 0, 1, 2 };
  /* the first corner, and each of the others, after this many rounds */
  static const float expected[][2] = { { 1, 0 }, { 0.5f, 0.25f }, { 0.375f, 0.3125f } };
  OWNED(rig) *rig = arm(identity);
  OWNED(pose) *bind = posed(rig, 0, 0);
  for (int rounds = 0; rounds < 3; rounds++) {
    sinew_skin_desc desc = sinew_default_skin_desc();
    desc.mesh = (sinew_shape){ vertices, normals, triangle, 3, 1 };
    desc.falloff = 0.1f, desc.smoothing = rounds;
    OWNED(skin) *skin = sinew_skin_create(bind, &desc, &error);
    MU_CHECK_SAY(skin, "%s", error.text);
    for (int v = 0; v < 3; v++) MU_NEAR(weight_of(skin, v, 0), expected[rounds][v > 0], 1e-6);
  }
}

/* two arms from one shoulder, with a mesh that is its own mirror image, triangles included */
MU_TEST(skin_of_a_symmetric_mesh_has_symmetric_weights) {
  OWNED(rig) *rig = MU_MADE(
      make_text("segment middle; segment left middle 0.2,0,0; segment right middle -0.2,0,0\n"
                "segment left_hand left 0.3,-0.2,0; segment right_hand right -0.3,-0.2,0"));
  OWNED(pose) *bind = sinew_pose_create(rig, NULL);
  sinew_pose_eval(bind, NULL);
  enum { WIDE = 41, HIGH = 9, COUNT = WIDE * HIGH };
  static float vertices[3 * COUNT], normals[3 * COUNT];
  static uint32_t triangles[6 * COUNT];
  int corners = 0;
  for (int y = 0; y < HIGH; y++)
    for (int x = 0; x < WIDE; x++) {
      float *v = vertices + 3 * (y * WIDE + x);
      v[0] = 0.025f * (float)(x - 20), v[1] = 0.04f * (float)(y - 6), v[2] = 0.02f;
      normals[3 * (y * WIDE + x) + 2] = 1;
      if (x + 1 == WIDE || y + 1 == HIGH) continue;
      uint32_t a = (uint32_t)(y * WIDE + x);
      const uint32_t one[6] = { a, a + 1, a + WIDE + 1, a, a + WIDE + 1, a + WIDE };
      const uint32_t other[6] = { a + 1, a + WIDE + 1, a + WIDE, a + 1, a + WIDE, a };
      memcpy(triangles + corners, x < 20 ? one : other, sizeof one);
      corners += 6;
    }
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = (sinew_shape){ vertices, normals, triangles, COUNT, corners / 3 };
  desc.falloff = 0.3f, desc.smoothing = 8;
  OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
  static const uint32_t mirrored[5] = { 0, 2, 1, 4, 3 };
  int mixed = 0;
  for (int y = 0; y < HIGH; y++)
    for (int x = 0; x < WIDE; x++)
      for (uint32_t s = 0; s < 5; s++) {
        float here = weight_of(skin, y * WIDE + x, s);
        MU_NEAR(here, weight_of(skin, y * WIDE + WIDE - 1 - x, mirrored[s]), 2e-5);
        mixed += here > 0 && here < 1;
      }
  MU_CHECK(mixed > COUNT);
}

/* vertices at the same position, as at a seam, stay together */
MU_TEST(skin_does_not_tear_at_seams) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0);
  sinew_shape whole = tube();
  static float vertices[9 * TUBE * 2], normals[9 * TUBE * 2];
  static uint32_t triangles[3 * TUBE * 2];
  const int corners = 3 * whole.triangle_count;
  for (int i = 0; i < corners; i++) {
    memcpy(vertices + 3 * i, whole.vertices + 3 * whole.triangles[i], 3 * sizeof(float));
    memcpy(normals + 3 * i, whole.normals + 3 * whole.triangles[i], 3 * sizeof(float));
    triangles[i] = (uint32_t)i;
  }
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = whole;
  OWNED(skin) *one = sinew_skin_create(bind, &desc, &error);
  desc.mesh = (sinew_shape){ vertices, normals, triangles, corners, corners / 3 };
  OWNED(skin) *cut = sinew_skin_create(bind, &desc, &error);
  MU_CHECK(one && cut);
  for (int i = 0; i < corners; i++)
    for (uint32_t s = 0; s < 3; s++)
      MU_NEAR(weight_of(cut, i, s), weight_of(one, (int)whole.triangles[i], s), 1e-6);
}

MU_TEST(skin_envelope_has_the_given_distance_from_the_bones) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 90, 0);
  sinew_mesh *mesh = MU_MADE_OR(sinew_skin_envelope(bind, NULL, 0.1f, 0.03f, &error), error.text);
  double volume = 0;
  for (int i = 0; i < mesh->vertex_count; i++) {
    const float *p = mesh->vertices + 3 * i;
    /* from (0 0 0) over (1 0 0) to (1 1 0) */
    double x = fmin(fmax((double)p[0], 0), 1), y = fmin(fmax((double)p[1], 0), 1), z = (double)p[2];
    double first = hypot(hypot((double)p[0] - x, (double)p[1]), z);
    double second = hypot(hypot((double)p[0] - 1, (double)p[1] - y), z);
    MU_NEAR(fmin(first, second), 0.1, 0.01); /* a third of a cell */
  }
  for (int i = 0; i < mesh->triangle_count; i++) {
    const uint32_t *t = mesh->triangles + 3 * i;
    const float *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1];
    const float *c = mesh->vertices + 3 * t[2];
    for (int k = 0; k < 3; k++) {
      int m = (k + 1) % 3, n = (k + 2) % 3;
      volume += (double)a[k] * ((double)b[m] * c[n] - (double)b[n] * c[m]) / 6;
    }
  }
  /* two cylinders with round ends that meet: facing outwards, closed */
  MU_NEAR(volume, 3.14159 * 0.01 * 2 + 4.0 / 3 * 3.14159 * 0.001, 0.004);
  sinew_mesh_destroy(mesh);
  /* around a shape: only a small triangle at the hand */
  static const float vertices[9] = { 0, 0, 0, 0.1f, 0, 0, 0, 0.1f, 0 }, normals[9] = { 0 };
  static const uint32_t triangle[3] = { 0, 1, 2 };
  const sinew_shape shapes[3] = { [2] = { vertices, normals, triangle, 3, 1 } };
  mesh = sinew_skin_envelope(bind, shapes, 0.1f, 0.03f, &error);
  MU_CHECK_SAY(mesh, "%s", error.text);
  for (int i = 0; i < mesh->vertex_count; i++)
    MU_CHECK(mesh->vertices[3 * i + 1] > 0.85f && mesh->vertices[3 * i] < 1.15f);
  sinew_mesh_destroy(mesh);
  MU_REFUSED(sinew_skin_envelope(bind, NULL, 0, 0.03f, &error), "above 0");
  MU_REFUSED(sinew_skin_envelope(bind, NULL, 0.01f, 0.03f, &error), "too large");
  MU_REFUSED(sinew_skin_envelope(bind, NULL, 0.1f, 0.0001f, &error), "too small");
}

/* Two limbs that hang side by side, 0.1 m apart, from a bar; each swings on its own. */
static sinew_rig *two_limbs(void) {
  return make_text("segment bar; segment left bar 0.05,0,0; segment left_end left 0,-1,0\n"
                   "segment right bar -0.05,0,0; segment right_end right 0,-1,0; set swing\n"
                   "dof l -90 90; dof r -90 90; rotation lt angle=l axis=1,0,0; drive left swing.lt\n"
                   "rotation rt angle=r axis=1,0,0; drive right swing.rt");
}

/* an upright box with closed ends, divided along its height */
static void add_box(float *vertices, float *normals, uint32_t *triangles, int *vertex_count,
                    int *triangle_count, float x, float half) {
  enum { RINGS = 12 };
  const uint32_t first = (uint32_t)*vertex_count;
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k < 4; k++) {
      const float sx = k == 1 || k == 2 ? 1.0f : -1.0f, sz = k >= 2 ? 1.0f : -1.0f;
      float *v = vertices + 3 * *vertex_count, *n = normals + 3 * (*vertex_count)++;
      v[0] = x + sx * half, v[1] = 0.05f - 1.1f * (float)i / (RINGS - 1), v[2] = sz * half;
      n[0] = sx * 0.7f, n[1] = 0, n[2] = sz * 0.7f;
    }
  uint32_t *t = triangles + 3 * *triangle_count;
  for (uint32_t i = 0; i + 1 < RINGS; i++)
    for (uint32_t k = 0; k < 4; k++) {
      const uint32_t a = first + 4 * i + k, b = first + 4 * i + (k + 1) % 4;
      const uint32_t two[6] = { a, b, b + 4, a, b + 4, a + 4 };
      memcpy(t, two, sizeof two);
      t += 6, *triangle_count += 2;
    }
  const uint32_t end = first + 4 * (RINGS - 1);
  const uint32_t caps[12] = { first, first + 2, first + 1, first, first + 3, first + 2,
                              end,   end + 1,   end + 2,   end,   end + 2,   end + 3 };
  memcpy(t, caps, sizeof caps);
  *triangle_count += 4;
}

/* straight lines would bind each limb to both bones: the other one is within the falloff */
MU_TEST(skin_keeps_limbs_that_nearly_touch_to_their_own_bones) {
  OWNED(rig) *rig = MU_MADE(two_limbs());
  OWNED(pose) *bind = sinew_pose_create(rig, NULL);
  sinew_pose_eval(bind, NULL);
  float vertices[600], normals[600];
  uint32_t triangles[1200];
  int vertex_count = 0, triangle_count = 0, count = -1;
  add_box(vertices, normals, triangles, &vertex_count, &triangle_count, 0.05f, 0.045f);
  add_box(vertices, normals, triangles, &vertex_count, &triangle_count, -0.05f, 0.045f);
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = (sinew_shape){ vertices, normals, triangles, vertex_count, triangle_count };
  desc.falloff = 0.3f;
  OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
  for (int v = 0; v < vertex_count; v++)
    for (uint32_t s = 1; s < 5; s++) {
      bool left = s < 3;
      if (left != (vertices[3 * v] > 0)) MU_NEAR(weight_of(skin, v, s), 0, 0);
    }
  MU_INT(sinew_skin_find_fused(skin, bind, &desc, NULL, 0, &count, &error), SINEW_OK);
  MU_INT(count, 0);
  /* a bridge between them is found */
  const uint32_t bridge[6] = { 20, 21, 48 + 23, 21, 48 + 22, 48 + 23 };
  memcpy(triangles + 3 * triangle_count, bridge, sizeof bridge);
  desc.mesh.triangle_count += 2;
  OWNED(skin) *fused = MU_MADE_OR(sinew_skin_create(bind, &desc, &error), error.text);
  sinew_skin_fusion most[2];
  MU_INT(sinew_skin_find_fused(fused, bind, &desc, most, 2, &count, &error), SINEW_OK);
  MU_CHECK(count >= 1 && most[0].edges >= 1);
  MU_TEXT(sinew_rig_segment_info(rig, most[0].first).name, "left");
  MU_TEXT(sinew_rig_segment_info(rig, most[0].second).name, "right");
}

/* vertices of one piece of a mesh, from one vertex on */
static int piece_size(const sinew_mesh *mesh) {
  unsigned char *seen = calloc((size_t)mesh->vertex_count, 1);
  int count = 1;
  seen[0] = 1;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < mesh->triangle_count; i++) {
      const uint32_t *t = mesh->triangles + 3 * i;
      if (!(seen[t[0]] | seen[t[1]] | seen[t[2]])) continue;
      for (int k = 0; k < 3; k++)
        if (!seen[t[k]]) seen[t[k]] = 1, more = true, count++;
    }
  }
  free(seen);
  return count;
}

/* around two limbs alone, which are nearer to each other than twice the distance */
MU_TEST(skin_envelope_parts_limbs_that_poses_take_apart) {
  static const float corners[9] = { 0, -0.2f, 0, 0.001f, -0.2f, 0, 0, -1, 0 }, normals[9] = { 0 };
  static const uint32_t triangle[3] = { 0, 1, 2 };
  const sinew_shape one = { corners, normals, triangle, 3, 1 };
  const sinew_shape shapes[5] = { [1] = one, [3] = one };
  for (int still = 0; still < 2; still++) {
    OWNED(rig) *rig = MU_MADE(still ? make_text("segment bar; segment left bar 0.05,0,0\n"
                                                "segment left_end left 0,-1,0\n"
                                                "segment right bar -0.05,0,0\n"
                                                "segment right_end right 0,-1,0")
                                    : two_limbs());
    OWNED(pose) *bind = sinew_pose_create(rig, NULL);
    sinew_pose_eval(bind, NULL);
    sinew_mesh *mesh =
        MU_MADE_OR(sinew_skin_envelope(bind, shapes, 0.07f, 0.02f, &error), error.text);
    const bool one_piece = piece_size(mesh) == mesh->vertex_count;
    sinew_mesh_destroy(mesh);
    MU_INT(one_piece, still);
  }
}

MU_TEST(skin_envelope_fills_hollows) {
  /* a box of bone: the surface inside of it is left out */
  float vertices[150], normals[150];
  uint32_t triangles[600];
  int vertex_count = 0, triangle_count = 0;
  add_box(vertices, normals, triangles, &vertex_count, &triangle_count, 0, 0.3f);
  OWNED(rig) *rig = MU_MADE(make_text("segment bar"));
  OWNED(pose) *bind = sinew_pose_create(rig, NULL);
  sinew_pose_eval(bind, NULL);
  const sinew_shape shape = { vertices, normals, triangles, vertex_count, triangle_count };
  sinew_mesh *mesh =
      MU_MADE_OR(sinew_skin_envelope(bind, &shape, 0.06f, 0.03f, &error), error.text);
  MU_INT(piece_size(mesh), mesh->vertex_count);
  sinew_mesh_destroy(mesh);
}

MU_TEST(skin_refuses_invalid_input) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0);
  float vertices[3] = { 0 }, normals[3] = { 0 }, weights[9] = { 1 };
  uint32_t segments[9] = { 0 }, triangle[3] = { 0, 0, 1 };
  const sinew_segment upper = sinew_rig_segment(rig, 0), hand = sinew_rig_segment(rig, 2);
  sinew_skin_twist twists[2] = { { hand, hand }, { upper, hand } };
  struct {
    const char *text;
    sinew_skin_desc desc;
    float vertex, weight;
    uint32_t segment;
  } cases[] = {
    { "no vertices", { .mesh = { vertices, normals, NULL, 0, 0 } }, 0, 1, 0 },
    { "not finite", { .mesh = { vertices, normals, NULL, 1, 0 } }, NAN, 1, 0 },
    { "triangle 0 has vertex 1", { .mesh = { vertices, normals, triangle, 1, 1 } }, 0, 1, 0 },
    { "9 weights", { .weight_count = 9, .segments = segments, .weights = weights }, 0, 1, 0 },
    { "weight of -1", { .weight_count = 1, .segments = segments, .weights = weights }, 0, -1, 0 },
    { "weight of", { .weight_count = 1, .segments = segments, .weights = weights }, 0, NAN, 0 },
    { "no weight", { .weight_count = 1, .segments = segments, .weights = weights }, 0, 0, 0 },
    { "segment 3", { .weight_count = 1, .segments = segments, .weights = weights }, 0, 1, 3 },
    { "falloff", { .falloff = 0 }, 0, 1, 0 },
    { "0 to 100", { .falloff = 1, .smoothing = 101 }, 0, 1, 0 },
    { "has no child", { .falloff = 1, .twists = twists, .twist_count = 1 }, 0, 1, 0 },
    { "is neither", { .falloff = 1, .twists = twists + 1, .twist_count = 1 }, 0, 1, 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vertices[0] = cases[i].vertex, weights[0] = cases[i].weight, segments[0] = cases[i].segment;
    cases[i].desc.size = sizeof cases[i].desc;
    if (i > 2) cases[i].desc.mesh = (sinew_shape){ vertices, normals, NULL, 1, 0 };
    MU_REFUSED(sinew_skin_create(bind, &cases[i].desc, &error), cases[i].text);
  }
}

MU_SLOW_TEST(skin_survives_failing_allocations) {
  bool made = false;
  for (long allowed = 0; allowed < 200 && !made; allowed++) {
    const size_t before = sinew_live_blocks();
    scarce_memory(100000);
    sinew_rig *rig = arm(identity);
    sinew_pose *bind = posed(rig, 0, 0);
    sinew_skin_desc desc = sinew_default_skin_desc();
    const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, normals[9] = { 0 };
    const uint32_t triangle[3] = { 0, 1, 2 };
    const sinew_shape shapes[3] = { [1] = { corners, normals, triangle, 3, 1 } };
    desc.mesh = tube(), desc.shapes = shapes;
    scarce_memory(allowed);
    sinew_skin *skin = sinew_skin_create(bind, &desc, &error);
    sinew_mesh *mesh = skin ? sinew_skin_envelope(bind, shapes, 0.3f, 0.2f, &error) : NULL;
    made = skin && mesh;
    if (!made) MU_HAS(error.text, "memory");
    sinew_skin_destroy(skin);
    sinew_mesh_destroy(mesh);
    sinew_pose_destroy(bind);
    sinew_rig_destroy(rig);
    MU_INT(sinew_live_blocks(), before);
  }
  plenty_of_memory();
  MU_CHECK(made);
}

MU_TEST(skin_deform_allocates_nothing) {
  OWNED(rig) *rig = MU_MADE(arm(identity));
  OWNED(pose) *bind = posed(rig, 0, 0), *pose = posed(rig, 30, 40);
  sinew_shape mesh = tube();
  OWNED(skin) *skin = MU_MADE(halves(bind, &mesh));
  static float moved[3 * TUBE], normals[3 * TUBE];
  const size_t bytes = sinew_live_bytes();
  for (int method = 0; method < 2; method++) {
    sinew_skin_deform(skin, pose, (sinew_skin_method)method, moved, normals);
    MU_INT(sinew_live_bytes(), bytes);
  }
}

MU_SUITE(skin)
