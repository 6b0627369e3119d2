/* Rigs as glTF: the engine's reader gets the meshes back at the segments' positions; a slow player
 * in doubles plays the animations from the written bytes. */
#include "base/alloc.h"
#include "base/json.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"

#include <stdlib.h>

static sinew_error error;

enum { SEGMENTS = 6 };

/* a tetrahedron about the origin, counter-clockwise seen from outside */
static const float corners[12] = { 0.1f,  0.1f, 0.1f,  -0.1f, -0.1f, 0.1f,
                                   -0.1f, 0.1f, -0.1f, 0.1f,  -0.1f, -0.1f };
static const float outwards[12] = { 2, 2, 2, -1, -1, 1, -1, 1, -1, 1, -1, -1 };
static const uint32_t faces[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
static const sinew_shape tetrahedron = { corners, outwards, faces, 4, 4 };

static sinew_gltf *scene_of(const sinew_pose *pose) {
  sinew_gltf *gltf = sinew_gltf_create(pose, &error);
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; gltf && i < sinew_rig_segment_count(rig); i++)
    sinew_gltf_set_shape(gltf, sinew_rig_segment(rig, i), tetrahedron);
  return gltf;
}

static sinew_pose *random_pose(const sinew_rig *rig, uint32_t *seed) {
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(seed, -150, 150), NULL);
  sinew_pose_eval(pose, NULL);
  return pose;
}

/* the distance from the nearest vertex of a mesh to a corner of a segment's shape */
static double nearest(const sinew_mesh *mesh, dmat world, const float *corner, double *scale) {
  double best = INFINITY;
  *scale = 1;
  for (int i = 0; i < mesh->vertex_count; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double want = world.m[12 + k];
      for (int j = 0; j < 3; j++) want += world.m[4 * j + k] * (double)corner[j];
      double off = want - (double)mesh->vertices[3 * i + k];
      square += off * off;
      *scale = fmax(*scale, fabs(want));
    }
    best = fmin(best, sqrt(square));
  }
  return best;
}

/* whether a triangle is counter-clockwise as seen from where its normals point */
static bool faces_out(const sinew_mesh *mesh, int triangle) {
  const uint32_t *t = mesh->triangles + 3 * triangle;
  double a[3], b[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    a[k] = (double)mesh->vertices[3 * t[1] + k] - (double)mesh->vertices[3 * t[0] + k];
    b[k] = (double)mesh->vertices[3 * t[2] + k] - (double)mesh->vertices[3 * t[0] + k];
  }
  for (int k = 0; k < 3; k++) {
    double cross = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    for (int c = 0; c < 3; c++) sum += cross * (double)mesh->normals[3 * t[c] + k];
  }
  return sum > 0;
}

MU_TEST(gltf_meshes_read_back_at_the_segments_positions) {
  uint32_t seed = 21;
  for (int round = 0; round < mu_rounds(200); round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 5, 25, 2 + make_index(&seed, SEGMENTS - 1));
    OWNED(pose) *pose = random_pose(rig, &seed);
    const int segments = sinew_rig_segment_count(rig);
    const bool binary = round % 2, skinned = round / 2 % 2;
    OWNED(gltf) *gltf = MU_MADE_OR(scene_of(pose), error.text);
    sinew_gltf_set_skinned(gltf, skinned);
    size_t size, again;
    sinew_gltf_counts counts;
    char *file = sinew_gltf_write(gltf, binary, &size, &counts, &error);
    char *twin = sinew_gltf_write(gltf, binary, &again, NULL, &error);
    MU_CHECK_SAY(file && twin, "%s", error.text);
    MU_CHECK(size == again && memcmp(file, twin, size) == 0);
    MU_INT(counts.nodes, segments + 1 + skinned);
    MU_INT(counts.meshes, skinned ? 1 : segments);
    OWNED(mesh) *mesh = sinew_mesh_parse(binary ? "r.glb" : "r.gltf", file, size, &error);
    MU_CHECK_SAY(mesh, "%s", error.text);
    MU_INT(mesh->vertex_count, 4 * segments);
    MU_INT(mesh->triangle_count, 4 * segments);
    for (int i = 0; i < segments; i++) {
      dmat world = dmat_of(sinew_pose_world(pose, sinew_rig_segment(rig, i)));
      for (int c = 0; c < 4; c++) {
        double scale, off = nearest(mesh, world, corners + 3 * c, &scale);
        MU_CHECK_SAY(off <= 2e-5 * scale, "round %d, segment %d: off by %g", round, i, off);
      }
    }
    for (int i = 0; i < mesh->triangle_count; i++)
      MU_CHECK_SAY(faces_out(mesh, i), "round %d: triangle %d is inside out", round, i);
    sinew_text_free(twin);
    sinew_text_free(file);
  }
}

/* a skin of eight weights: the file has the four largest, with a sum of 1 */
MU_TEST(gltf_has_the_four_largest_weights_of_a_skin) {
  enum { CORNERS = 60 };
  uint32_t seed = 4;
  for (int round = 0; round < mu_rounds(20); round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 5, 25, 9);
    OWNED(pose) *pose = random_pose(rig, &seed);
    float vertices[3 * CORNERS], normals[3 * CORNERS], weights[8 * CORNERS];
    uint32_t triangles[CORNERS], segments[8 * CORNERS];
    for (int i = 0; i < 3 * CORNERS; i++) vertices[i] = make_between(&seed, -1, 1);
    for (int i = 0; i < 3 * CORNERS; i++) normals[i] = i % 3 == 1;
    for (uint32_t i = 0; i < CORNERS; i++) triangles[i] = i;
    for (int i = 0; i < 8 * CORNERS; i++) {
      weights[i] = round % 2 && i % 8 > 2 ? 0 : make_between(&seed, 0.1f, 1);
      segments[i] = (uint32_t)(i + i / 8) % 9;
    }
    sinew_skin_desc desc = sinew_default_skin_desc();
    desc.mesh = (sinew_shape){ vertices, normals, triangles, CORNERS, CORNERS / 3 };
    desc.weight_count = 8, desc.segments = segments, desc.weights = weights;
    OWNED(skin) *skin = MU_MADE_OR(sinew_skin_create(pose, &desc, &error), error.text);
    OWNED(gltf) *gltf = MU_MADE_OR(scene_of(pose), error.text);
    MU_OK(sinew_gltf_set_skin(gltf, skin, desc.mesh, &error));
    size_t size;
    sinew_gltf_counts counts;
    char *file = sinew_gltf_write(gltf, round % 2, &size, &counts, &error);
    OWNED(mesh) *mesh = MU_MADE_OR(
        sinew_mesh_parse(round % 2 ? "r.glb" : "r.gltf", file, size, &error), error.text);
    MU_INT(counts.meshes, 1);
    MU_INT(mesh->vertex_count, CORNERS);
    MU_INT(mesh->weight_count, 4);
    for (int v = 0; v < CORNERS; v++) {
      double sum = 0, kept = 0;
      for (int i = 0; i < 4; i++) sum += (double)mesh->weights[4 * v + i];
      for (int i = 0; i < 4; i++) kept += (double)sinew_skin_weights(skin)[8 * v + i];
      MU_NEAR(sum, 1, 1e-6);
      for (int i = 0; i < 4; i++) {
        const float w = sinew_skin_weights(skin)[8 * v + i];
        MU_NEAR(mesh->weights[4 * v + i], (double)w / kept, 1e-6);
        if (w == 0) continue;
        const char *joint = sinew_mesh_joint_name(mesh, (int)mesh->joints[4 * v + i]);
        sinew_segment segment = sinew_rig_segment(rig, (int)sinew_skin_segments(skin)[8 * v + i]);
        MU_TEXT(joint, sinew_rig_segment_info(rig, segment).name);
      }
      for (int k = 0; k < 3; k++) MU_NEAR(mesh->vertices[3 * v + k], vertices[3 * v + k], 1e-4);
    }
    sinew_text_free(file);
  }
}

/* --- a player for .glb files */

typedef struct player {
  si_json json;
  const char *buffer;
} player;

static bool player_open(player *p, const char *file, size_t size) {
  uint32_t words[5];
  *p = (player){ 0 };
  memcpy(words, file, sizeof words);
  if (words[0] != 0x46546c67 || words[1] != 2 || words[2] != size || words[4] != 0x4e4f534a)
    return false;
  p->buffer = file + 28 + words[3];
  return si_json_read("r.glb", file + 20, words[3], 1 << 20, &p->json, &error) == SINEW_OK;
}

static const si_json_value *member(const player *p, const si_json_value *of, const char *key) {
  return si_json_find(&p->json, of ? of : p->json.values, key);
}

static const si_json_value *item(const player *p, const si_json_value *list, int index) {
  const si_json_value *value = si_json_first(list);
  while (index-- > 0) value = si_json_after(&p->json, value);
  return value;
}

static int whole(const player *p, const si_json_value *of, const char *key) {
  return (int)member(p, of, key)->number;
}

/* the floats of an accessor */
static const float *accessor(const player *p, int index, int *count) {
  const si_json_value *a = item(p, member(p, NULL, "accessors"), index);
  const si_json_value *view = item(p, member(p, NULL, "bufferViews"), whole(p, a, "bufferView"));
  *count = whole(p, a, "count");
  return (const float *)(const void *)(p->buffer + whole(p, view, "byteOffset"));
}

static dmat matrix_of(const double *place, const double *q, double side) {
  double x = q[0], y = q[1], z = q[2], w = q[3];
  /* rotates each axis by a quaternion, as q v q* */
  dmat m = { { side * (w * w + x * x - y * y - z * z), side * 2 * (x * y + w * z),
               side * 2 * (x * z - w * y), 0, 2 * (x * y - w * z), w * w - x * x + y * y - z * z,
               2 * (y * z + w * x), 0, 2 * (x * z + w * y), 2 * (y * z - w * x),
               w * w - x * x - y * y + z * z, 0, place[0], place[1], place[2], 1 } };
  return m;
}

/* one track at a time, as in the standard: linear, or along the shorter arc */
static void sample(const player *p, const si_json_value *sampler, double time, int width,
                   double *dest) {
  int count, values;
  const float *times = accessor(p, whole(p, sampler, "input"), &count);
  const float *keys = accessor(p, whole(p, sampler, "output"), &values);
  int k = 0;
  while (k + 1 < count && (double)times[k + 1] <= time) k++;
  const float *a = keys + k * width, *b = k + 1 < count ? a + width : a;
  double u = 0, dot = 0, from, to;
  if (b != a && time > (double)times[k])
    u = (time - (double)times[k]) / ((double)times[k + 1] - (double)times[k]);
  for (int i = 0; i < width; i++) dot += (double)a[i] * (double)b[i];
  from = 1 - u, to = u;
  if (width == 4) {
    double angle = acos(fmin(1, fabs(dot)));
    if (angle > 1e-6) from = sin((1 - u) * angle) / sin(angle), to = sin(u * angle) / sin(angle);
    if (dot < 0) to = -to;
  }
  for (int i = 0; i < width; i++) dest[i] = from * (double)a[i] + to * (double)b[i];
}

/* the world matrices of the segments at a time in the first animation */
static void player_worlds(const player *p, double time, int segments, const int *parents,
                          dmat *dest) {
  double places[SEGMENTS][3], turns[SEGMENTS][4], sides[SEGMENTS];
  const si_json_value *nodes = member(p, NULL, "nodes");
  for (int i = 0; i < segments; i++) {
    const si_json_value *node = item(p, nodes, i);
    for (int k = 0; k < 3; k++) places[i][k] = item(p, member(p, node, "translation"), k)->number;
    for (int k = 0; k < 4; k++) turns[i][k] = item(p, member(p, node, "rotation"), k)->number;
    sides[i] = member(p, node, "scale") ? item(p, member(p, node, "scale"), 0)->number : 1;
  }
  const si_json_value *animations = member(p, NULL, "animations");
  const si_json_value *channels = animations ? member(p, item(p, animations, 0), "channels") : NULL;
  for (int i = 0; channels && i < (int)channels->count; i++) {
    const si_json_value *channel = item(p, channels, i), *target = member(p, channel, "target");
    const si_json_value *sampler =
        item(p, member(p, item(p, animations, 0), "samplers"), whole(p, channel, "sampler"));
    const int node = whole(p, target, "node");
    if (si_json_is(member(p, target, "path"), "rotation"))
      sample(p, sampler, time, 4, turns[node]);
    else
      sample(p, sampler, time, 3, places[node]);
  }
  for (int i = 0; i < segments; i++) {
    dest[i] = matrix_of(places[i], turns[i], sides[i]);
    if (parents[i] >= 0) dest[i] = dmat_mul(dest[parents[i]], dest[i]);
  }
}

/* the largest distance of a corner or origin, and the largest difference of the rotations */
static double off_by(dmat found, const float *want, double *turned) {
  double worst = 0;
  for (int c = 0; c < 5; c++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double off = found.m[12 + k] - (double)want[12 + k];
      for (int j = 0; j < 3 && c < 4; j++)
        off += (found.m[4 * j + k] - (double)want[4 * j + k]) * (double)corners[3 * c + j];
      square += off * off;
    }
    worst = fmax(worst, sqrt(square));
  }
  for (int k = 0; k < 11; k++) *turned = fmax(*turned, fabs(found.m[k] - (double)want[k]));
  return worst;
}

static double pace = 1;

/* every DOF swings at a different rate */
static void swing(sinew_pose *pose, double time) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    sinew_pose_set(pose, sinew_rig_dof(rig, i), (float)(70 * sin((2 + i) * pace * time + i)), NULL);
  sinew_pose_eval(pose, NULL);
}

/* Writes `frames` frames to a file and compares it with the rig at its frames, and `between` times
 * between two of them. */
static void check_tolerance(sinew_rig *rig, int frames, double rate, int between, float tolerance,
                            sinew_gltf_counts *counts) {
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  const int segments = sinew_rig_segment_count(rig);
  int parents[SEGMENTS];
  dmat worlds[SEGMENTS];
  double worst[2] = { 0 }, turned = 0, scale = 1; /* at frames, and between them */
  size_t size;
  player p;
  for (int i = 0; i < segments; i++)
    parents[i] = (int)sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).parent.id - 1;
  sinew_pose_eval(pose, NULL);
  OWNED(gltf) *gltf = scene_of(pose);
  MU_INT(sinew_gltf_set_tolerance(gltf, tolerance, &error), SINEW_OK);
  MU_INT(sinew_gltf_begin(gltf, "swing", &error), SINEW_OK);
  for (int f = 0; f < frames; f++) {
    float time = (float)(f / rate);
    swing(pose, (double)time);
    MU_CHECK_SAY(sinew_gltf_add(gltf, pose, time, &error) == SINEW_OK, "%s", error.text);
  }
  char *file = MU_MADE_OR(sinew_gltf_write(gltf, true, &size, counts, &error), error.text);
  MU_CHECK_SAY(player_open(&p, file, size), "%s", error.text);
  for (int f = 0; f < frames * between - between + 1; f++) {
    double time = (double)(float)(f / (rate * between));
    swing(pose, time);
    player_worlds(&p, time, segments, parents, worlds);
    for (int i = 0; i < segments; i++) {
      const float *want = sinew_pose_world(pose, sinew_rig_segment(rig, i));
      for (int k = 12; k < 15; k++) scale = fmax(scale, fabs((double)want[k]));
      double *most = &worst[f % between != 0];
      *most = fmax(*most, off_by(worlds[i], want, &turned));
    }
  }
  for (int k = 0; k < 2; k++)
    MU_CHECK_SAY(worst[k] <= (k ? 1.25 : 1) * (double)tolerance + 2e-6 * scale,
                 "%s frames: off by %g of %g", k ? "between" : "at", worst[k], (double)tolerance);
  MU_CHECK_SAY(turned <= 1.25 * 500 * 3.1416 / 180 * (double)tolerance + 1e-5, "turned by %g",
               turned);
  si_json_free(&p.json);
  sinew_text_free(file);
}

MU_TEST(gltf_keyframes_are_within_the_tolerance_at_every_frame) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(60); round++) {
    sinew_gltf_counts counts;
    sinew_rig *rig = network_make(make_random(&seed), 4, 20, 2 + make_index(&seed, SEGMENTS - 1));
    const float tolerance = powf(10, make_between(&seed, -5, -1));
    check_tolerance(rig, 40, 30, 1, tolerance, &counts);
    sinew_rig_destroy(rig);
    if (mu_current_failed) return;
  }
}

/* a tree of arms, each rotated by a DOF about its own axis and centre */
static sinew_rig *chain(float range) {
  static const char *const parents[SEGMENTS] = { "", "a", "b", "c", "d", "e" };
  sinew_builder *b = sinew_builder_create("chain", NULL);
  uint32_t seed = 12;
  for (int i = 0; i < SEGMENTS; i++) {
    float axis[3];
    make_axis(&seed, axis);
    make_lines(b,
               "segment %c %s 0,0.3,0; dof q%d %.9g %.9g\n"
               "rotation turn%d angle=q%d axis=%.9g,%.9g,%.9g angles=%.9g,%.9g"
               " centres=0.1,0.05,-0.07; drive %c turn%d",
               'a' + i, parents[i], i, (double)-range, (double)range, i, i, (double)axis[0],
               (double)axis[1], (double)axis[2], (double)-range, (double)range, 'a' + i, i);
  }
  return make_rig(b, NULL);
}

MU_TEST(gltf_keyframes_are_few_and_accurate_between_frames) {
  OWNED(rig) *rig = chain(180);
  sinew_gltf_counts fine, coarse;
  MU_CHECK(rig);
  pace = 0.15;
  check_tolerance(rig, 481, 240, 3, SINEW_GLTF_TOLERANCE, &fine);
  if (mu_current_failed) return;
  check_tolerance(rig, 481, 240, 3, 1e-2f, &coarse);
  if (mu_current_failed) return;
  pace = 1;
  MU_INT(fine.samples, 481 * 2 * SEGMENTS);
  MU_CHECK_SAY(fine.keys < fine.samples / 2, "%d keys for %d samples", fine.keys, fine.samples);
  MU_CHECK_SAY(coarse.keys < fine.keys / 4, "%d keys, and %d", coarse.keys, fine.keys);
}

/* sweeps one DOF from -range to range in this many frames; returns the number of keyframes needed
 */
static int sweep_keys(const char *kind, float range, int frames, player *p, char **file) {
  sinew_builder *b = sinew_builder_create("hinge", NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 1, 0 });
  make_lines(b, "segment still s 0,1,0; dof q %.9g %.9g", (double)(-range), (double)range);
  if (strcmp(kind, "translation") == 0)
    sinew_add(b, kind, "m", SINEW_WIRES(sinew_wire_name("x", "q")), SINEW_NONE);
  else
    sinew_add(b, kind, "m",
              SINEW_WIRES(sinew_wire_name("first", "q"), sinew_wire_number("second", 0),
                          sinew_wire_number("third", 0)),
              SINEW_PARAMS(sinew_param_text("order", "xyz")));
  sinew_builder_drive(b, s, "m", NULL, NULL);
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  OWNED(gltf) *gltf = sinew_gltf_create(pose, &error);
  sinew_gltf_begin(gltf, "q", &error);
  for (int f = 0; f <= frames; f++) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), range * (float)(2 * f - frames) / (float)frames,
                   NULL);
    sinew_pose_eval(pose, NULL);
    sinew_gltf_add(gltf, pose, (float)f / 100, &error);
  }
  size_t size;
  sinew_gltf_counts counts = { 0 };
  *file = sinew_gltf_write(gltf, true, &size, &counts, &error);
  if (!*file || !player_open(p, *file, size)) counts.keys = -1;
  return counts.keys;
}

MU_TEST(gltf_steady_motion_needs_two_keyframes_or_one_per_block) {
  player p;
  char *file;
  MU_INT(sweep_keys("translation", 3, 500, &p, &file), 2);
  si_json_free(&p.json);
  sinew_text_free(file);
  MU_INT(sweep_keys("euler", 80, 500, &p, &file), 2);
  si_json_free(&p.json);
  sinew_text_free(file);
  MU_INT(sweep_keys("translation", 3, 3000, &p, &file), 4);
  si_json_free(&p.json);
  sinew_text_free(file);
}

MU_TEST(gltf_quaternions_do_not_change_sign) {
  player p;
  char *file;
  int keys = sweep_keys("euler", 1000, 800, &p, &file), count, width;
  MU_CHECK_SAY(keys > 11 && keys < 100, "%d keys", keys);
  const si_json_value *sampler =
      item(&p, member(&p, item(&p, member(&p, NULL, "animations"), 0), "samplers"), 0);
  const float *turns = accessor(&p, whole(&p, sampler, "output"), &count);
  const float *times = accessor(&p, whole(&p, sampler, "input"), &width);
  for (int i = 1; i < count; i++) {
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += (double)turns[4 * i + k] * (double)turns[4 * i + k - 4];
    MU_CHECK_SAY(dot > 0 && times[i] > times[i - 1], "key %d", i);
  }
  /* between keyframes, the angle is the one asked for */
  for (int f = 0; f <= 800; f++) {
    double q[4], want = 1000 * (2.0 * f - 800) / 800, turned;
    sample(&p, sampler, (double)((float)f / 100), 4, q);
    turned = 2 * atan2(q[0], q[3]) * 180 / 3.14159265358979;
    MU_NEAR(remainder(turned - want, 360), 0, 0.05);
  }
  si_json_free(&p.json);
  sinew_text_free(file);
}

/* --- extras */

static sinew_rig *told(void) {
  sinew_builder *b = sinew_builder_create("told \"rig\"", NULL);
  make_lines(b, "set knee; segment femur 0,1,0; segment tibia femur 0,-0.4,0\n"
                "dof flexion -5 120; translation move x=knee.flexion; drive tibia knee.move");
  static const float at[3] = { 0, -0.2f, 0 };
  sinew_builder_set_mass(b, (sinew_segment){ 2 }, 3.5f, at, NULL);
  sinew_builder_set_stiffness(b, (sinew_dof){ 1 }, 4, NULL);
  return make_rig(b, NULL);
}

MU_TEST(gltf_extras_have_limits_joint_sets_and_drivers) {
  OWNED(rig) *rig = told();
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  char plain[64];
  player p;
  size_t size;
  const char *label = "bend\t\"\\\xc3\xa9\xff\xed\xa0\x80\xf0\x9f\xa6\xb4\xe2\x82";
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 30, NULL);
  sinew_pose_eval(pose, NULL);
  OWNED(gltf) *gltf = sinew_gltf_create(pose, &error);
  MU_INT(sinew_gltf_set_label(gltf, sinew_rig_dof(rig, 0), "old", &error), SINEW_OK);
  MU_INT(sinew_gltf_set_label(gltf, sinew_rig_dof(rig, 0), label, &error), SINEW_OK);
  char *file = sinew_gltf_write(gltf, true, &size, NULL, &error);
  MU_CHECK_SAY(player_open(&p, file, size), "%s", error.text);
  const si_json_value *nodes = member(&p, NULL, "nodes");
  MU_INT(nodes->count, 3);
  const si_json_value *root = member(&p, member(&p, item(&p, nodes, 2), "extras"), "sinew");
  MU_INT(whole(&p, root, "version"), 1);
  MU_CHECK(si_json_plain(member(&p, root, "rig")->text, member(&p, root, "rig")->text_length, plain,
                         sizeof plain));
  MU_TEXT(plain, "told \"rig\"");
  const si_json_value *dof = item(&p, member(&p, root, "dofs"), 0);
  MU_CHECK(si_json_is(member(&p, dof, "name"), "knee.flexion"));
  MU_CHECK(si_json_is(member(&p, dof, "unit"), "deg"));
  MU_NEAR(member(&p, dof, "min")->number, -5, 0);
  MU_NEAR(member(&p, dof, "max")->number, 120, 0);
  MU_NEAR(member(&p, dof, "rest")->number, 0, 0);
  MU_NEAR(member(&p, dof, "value")->number, 30, 0);
  MU_NEAR(member(&p, dof, "stiffness")->number, 4, 0);
  const si_json_value *found = member(&p, dof, "label");
  MU_CHECK(si_json_plain(found->text, found->text_length, plain, sizeof plain));
  MU_TEXT(plain, "bend\t\"\\\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                 "\xf0\x9f\xa6\xb4\xef\xbf\xbd\xef\xbf\xbd");
  const si_json_value *set = item(&p, member(&p, root, "joint_sets"), 0);
  MU_CHECK(si_json_is(member(&p, set, "name"), "knee"));
  MU_CHECK(si_json_is(item(&p, member(&p, set, "dofs"), 0), "knee.flexion"));
  MU_INT(member(&p, set, "segments")->count, 1);
  MU_CHECK(si_json_is(item(&p, member(&p, set, "segments"), 0), "tibia"));
  const si_json_value *femur = member(&p, member(&p, item(&p, nodes, 0), "extras"), "sinew");
  MU_INT(femur->count, 1);
  const si_json_value *tibia = member(&p, member(&p, item(&p, nodes, 1), "extras"), "sinew");
  MU_CHECK(si_json_is(member(&p, tibia, "driver"), "knee.move"));
  MU_NEAR(member(&p, tibia, "mass")->number, 3.5, 0);
  MU_NEAR(item(&p, member(&p, tibia, "mass_at"), 1)->number, -0.2f, 1e-7);
  MU_CHECK(si_json_is(member(&p, tibia, "joint_set"), "knee"));
  MU_CHECK(si_json_is(item(&p, member(&p, tibia, "dofs"), 0), "knee.flexion"));
  MU_CHECK(
      si_json_is(member(&p, item(&p, member(&p, tibia, "components"), 0), "kind"), "translation"));
  si_json_free(&p.json);
  sinew_text_free(file);
}

/* --- mistakes */

/* the identity, scaled or mirrored along x by its input */
static void stretch_eval(const sinew_node *node, float *values) {
  float *m = sinew_node_out(node, values, 0);
  memset(m, 0, 16 * sizeof *m);
  m[0] = *sinew_node_in(node, values, 0);
  m[5] = m[10] = m[15] = 1;
}
static const sinew_port_desc stretch_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc stretch_out[] = { { "m", SINEW_MATRIX, 0, 0, "", "" }, { 0 } };
static const sinew_component_class stretch_class = { .class_size = sizeof(sinew_component_class),
                                                     .name = "stretch",
                                                     .inputs = stretch_in,
                                                     .outputs = stretch_out,
                                                     .eval = stretch_eval };

MU_TEST(gltf_names_what_it_cannot_represent) {
  sinew_builder *b = sinew_builder_create("odd", NULL);
  sinew_builder_add_class(b, &stretch_class, NULL);
  make_lines(b, "segment rubber 0,1,0; dof q -2 2; stretch m x=q; drive rubber m");
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_dof q = sinew_rig_dof(rig, 0);
  for (int i = 0; i < 2; i++) {
    sinew_pose_set(pose, q, i ? 1.5f : 0, NULL);
    sinew_pose_eval(pose, NULL);
    MU_REFUSED(sinew_gltf_create(pose, &error), "segment 'rubber' is scaled or sheared");
  }
  sinew_pose_set(pose, q, -1, NULL);
  sinew_pose_eval(pose, NULL);
  OWNED(gltf) *gltf = MU_MADE_OR(sinew_gltf_create(pose, &error), error.text);
  for (int i = 0; i < 4; i++) {
    const float wrong[] = { 0, -1, NAN, INFINITY };
    MU_FAILS(sinew_gltf_set_tolerance(gltf, wrong[i], &error), SINEW_ERR_VALUE, "must be above 0");
  }
  MU_INT(sinew_gltf_begin(gltf, "stretching", &error), SINEW_OK);
  const float times[] = { -1, NAN, INFINITY, 0, 0, 1, 0.5f };
  const bool good[] = { false, false, false, true, false, true, false };
  for (int i = 0; i < 7; i++) {
    MU_INT(sinew_gltf_add(gltf, pose, times[i], &error), good[i] ? SINEW_OK : SINEW_ERR_VALUE);
    if (!good[i]) MU_HAS(error.text, "the times of 'stretching' must increase from 0");
  }
  sinew_pose_set(pose, q, 1, NULL);
  sinew_pose_eval(pose, NULL);
  MU_FAILS(sinew_gltf_add(gltf, pose, 2, &error), SINEW_ERR_VALUE,
           "segment 'rubber' becomes mirrored during 'stretching'");
  sinew_pose_set(pose, q, 2, NULL);
  sinew_pose_eval(pose, NULL);
  MU_FAILS(sinew_gltf_add(gltf, pose, 2, &error), SINEW_ERR_VALUE, "segment 'rubber' is scaled");
  /* two identical frames are not an animation */
  size_t size;
  sinew_gltf_counts counts;
  char *file = sinew_gltf_write(gltf, false, &size, &counts, &error);
  MU_CHECK(file && !strstr(file, "animations"));
  MU_HAS(file, "\"scale\":[-1,1,1]");
  MU_INT(counts.animations, 0);
  sinew_text_free(file);
}

MU_TEST(gltf_of_a_rig_without_segments_is_a_root) {
  OWNED(rig) *rig = make_rig(sinew_builder_create("empty", NULL), &error);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  OWNED(gltf) *gltf = sinew_gltf_create(pose, &error);
  sinew_gltf_set_skinned(gltf, true);
  MU_INT(sinew_gltf_begin(gltf, "nothing", &error), SINEW_OK);
  MU_INT(sinew_gltf_add(gltf, pose, 0, &error), SINEW_OK);
  size_t size;
  char *file = MU_MADE_OR(sinew_gltf_write(gltf, true, &size, NULL, &error), error.text);
  sinew_mesh *mesh = sinew_mesh_parse("r.glb", file, size, &error);
  MU_CHECK(!mesh);
  sinew_text_free(file);
}

/* all steps, until memory runs out */
static char *write_all(const sinew_pose *pose, sinew_pose *moving, size_t *size) {
  char *file = NULL;
  OWNED(gltf) *gltf = scene_of(pose);
  if (gltf && sinew_gltf_set_label(gltf, (sinew_dof){ 1 }, "bend", &error) >= 0 &&
      sinew_gltf_begin(gltf, "swing", &error) >= 0) {
    sinew_status status = SINEW_OK;
    for (int f = 0; f < 12 && status == SINEW_OK; f++) {
      swing(moving, f / 10.0);
      status = sinew_gltf_add(gltf, moving, (float)f / 10, &error);
    }
    if (status == SINEW_OK) file = sinew_gltf_write(gltf, true, size, NULL, &error);
  }
  return file;
}

MU_TEST(gltf_survives_every_failing_allocation) {
  OWNED(rig) *rig = chain(180);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *moving = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  const size_t before = sinew_live_bytes();
  size_t size;
  char *file = NULL;
  int allowed = 0;
  for (; allowed < 2000 && !file; allowed++) {
    scarce_memory(allowed);
    file = write_all(pose, moving, &size);
    plenty_of_memory();
    if (!file) {
      MU_INT(error.status, SINEW_ERR_MEMORY);
      MU_INT(sinew_live_bytes(), before);
    }
  }
  MU_CHECK_SAY(file && allowed > 20, "%d allocations", allowed);
  sinew_text_free(file);
  MU_INT(sinew_live_bytes(), before);
}

MU_SUITE(gltf_write)
