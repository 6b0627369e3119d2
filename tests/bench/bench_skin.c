/* Skinning of 60,000 vertices with four weights each, with normals, on one thread, and a plain loop
 * of cglm: for each weight a matrix times a point and a direction, added up. Then the matrices of a
 * crowd of characters of 52 joints on the human. */
#include "bench.h"
#include "bench_count.h"
#include "bench_rigs.h"

#include <sinew/character.h>

#include <cglm/cglm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 60000, WEIGHTS = 4 };

typedef struct skinning {
  sinew_skin *skin;
  const sinew_pose *pose;
  sinew_skin_method method;
  float *vertices, *normals, *moved, *turned, *weights;
  uint32_t *segments;
  mat4 *unbind;
  mat4 *moves;
  int segment_count;
} skinning;

static void run_skin(void *context, int times) {
  skinning *s = context;
  for (int i = 0; i < times; i++) {
    sinew_skin_deform(s->skin, s->pose, s->method, s->moved, s->turned);
    bench_keep(s->moved);
  }
}

static void run_plain(void *context, int times) {
  skinning *s = context;
  for (int round = 0; round < times; round++) {
    for (int i = 0; i < s->segment_count; i++) {
      mat4 world = { 0 };
      memcpy(world, sinew_pose_worlds(s->pose) + 16 * i, sizeof world);
      glm_mat4_mul(world, s->unbind[i], s->moves[i]);
    }
    for (int v = 0; v < VERTICES; v++) {
      const float *p = s->vertices + 3 * v, *n = s->normals + 3 * v;
      vec4 from = { p[0], p[1], p[2], 1 }, rotated = { n[0], n[1], n[2], 0 };
      vec4 place = GLM_VEC4_ZERO_INIT, normal = GLM_VEC4_ZERO_INIT, one;
      for (int i = WEIGHTS * v; i < WEIGHTS * (v + 1); i++) {
        glm_mat4_mulv(s->moves[s->segments[i]], from, one);
        glm_vec4_muladds(one, s->weights[i], place);
        glm_mat4_mulv(s->moves[s->segments[i]], rotated, one);
        glm_vec4_muladds(one, s->weights[i], normal);
      }
      glm_vec3_normalize(normal);
      glm_vec3_copy(place, s->moved + 3 * v);
      glm_vec3_copy(normal, s->turned + 3 * v);
    }
    bench_keep(s->moved);
  }
}

static void *room(size_t count, size_t size) {
  void *block = aligned_alloc(64, (count * size + 63) / 64 * 64);
  if (!block) exit(1);
  return block;
}

enum { PEOPLE = 1000, JOINTS = 52 };

typedef struct crowd {
  const sinew_character *character;
  const float *segments; /* of all, one after another */
  float *worlds, *matrices;
  size_t stride;
} crowd;

static void run_crowd(void *context, int times) {
  const crowd *c = context;
  const size_t room_each = 16 * (size_t)sinew_character_matrix_count(c->character);
  for (int round = 0; round < times; round++)
    for (size_t i = 0; i < PEOPLE; i++) {
      sinew_character_worlds(c->character, c->segments + i * c->stride, c->worlds);
      sinew_character_matrices(c->character, c->worlds, c->matrices + i * room_each);
    }
  bench_keep(c->matrices);
}

/* a tree of joints with a triangle, each on a segment of the rig, as `sinew bind` would write it */
static sinew_character *make_character(const sinew_rig *rig) {
  static char json[16384], binding[16384];
  const int segments = sinew_rig_segment_count(rig);
  int at = snprintf(json, sizeof json,
                    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,%d]}],"
                    "\"buffers\":[{\"byteLength\":60,\"uri\":\"data:;base64,"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "/wAAAP8AAAD/AAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
                    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
                    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],\"accessors\":["
                    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                    "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
                    "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":3,"
                    "\"type\":\"VEC4\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
                    "\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],\"skins\":[{\"joints\":[",
                    JOINTS);
  for (int i = 0; i < JOINTS; i++)
    at += snprintf(json + at, sizeof json - (size_t)at, "%s%d", i ? "," : "", i);
  at += snprintf(json + at, sizeof json - (size_t)at, "]}],\"nodes\":[");
  int to = snprintf(binding, sizeof binding,
                    "{\"place\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"joints\":{");
  for (int i = 0; i < JOINTS; i++) {
    const bool more = 2 * i + 1 < JOINTS, two = 2 * i + 2 < JOINTS;
    at += snprintf(json + at, sizeof json - (size_t)at, "{\"name\":\"%d\",\"translation\":[0,1,0]",
                   i);
    if (more) at += snprintf(json + at, sizeof json - (size_t)at, ",\"children\":[%d", 2 * i + 1);
    if (more) at += snprintf(json + at, sizeof json - (size_t)at, two ? ",%d]" : "]", 2 * i + 2);
    at += snprintf(json + at, sizeof json - (size_t)at, "},");
    const sinew_segment segment = sinew_rig_segment(rig, i * (segments - 1) / JOINTS);
    to += snprintf(binding + to, sizeof binding - (size_t)to, "%s\"%d\":{\"segment\":\"%s\"}",
                   i ? "," : "", i, sinew_rig_segment_info(rig, segment).name);
  }
  at += snprintf(json + at, sizeof json - (size_t)at, "{\"mesh\":0,\"skin\":0}]}");
  snprintf(binding + to, sizeof binding - (size_t)to, "}}");
  sinew_error error;
  sinew_character *made = sinew_character_parse("bench.gltf", json, (size_t)at, &error);
  bench_check(made && sinew_character_bind_text(made, rig, binding, &error) >= 0, &error);
  return made;
}

static void bench_characters(void) {
  sinew_error error;
  sinew_host *host = bench_load("rigs/human.lua");
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_pose *pose = sinew_pose_create(rig, &error);
  bench_check(pose && sinew_pose_eval(pose, &error) >= 0, &error);
  sinew_character *character = make_character(rig);
  crowd c = { character, NULL, NULL, NULL, 16 * (size_t)sinew_rig_segment_count(rig) };
  float *segments = room(PEOPLE * c.stride, sizeof(float));
  for (size_t i = 0; i < PEOPLE; i++)
    memcpy(segments + i * c.stride, sinew_pose_worlds(pose), c.stride * sizeof(float));
  c.segments = segments;
  c.worlds = room(16 * (size_t)sinew_character_node_count(character), sizeof(float));
  c.matrices = room(PEOPLE * 16 * (size_t)sinew_character_matrix_count(character), sizeof(float));
  const double ns = bench_time("joint matrices of 1000 characters, 52 joints", run_crowd, &c);
  printf("  %-60s %8.1f ns\n", "each", ns / PEOPLE);
  free(segments);
  free(c.worlds);
  free(c.matrices);
  sinew_character_destroy(character);
  sinew_pose_destroy(pose);
  sinew_host_destroy(host);
}

void bench_skin(void) {
  bench_characters();
  sinew_error error;
  sinew_rig *rig = bench_body(75, 2);
  const int segments = sinew_rig_segment_count(rig);
  sinew_pose *bind = sinew_pose_create(rig, &error), *pose = sinew_pose_create(rig, &error);
  bench_check(bind && pose, &error);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    sinew_pose_set(pose, dof, info.min + (info.max - info.min) * bench_random(), NULL);
  }
  bench_check(sinew_pose_eval(bind, &error) >= 0 && sinew_pose_eval(pose, &error) >= 0, &error);
  skinning s = { .pose = pose, .segment_count = segments };
  s.vertices = room(3 * VERTICES, sizeof(float));
  s.normals = room(3 * VERTICES, sizeof(float));
  s.moved = room(3 * VERTICES, sizeof(float));
  s.turned = room(3 * VERTICES, sizeof(float));
  s.weights = room(WEIGHTS * VERTICES, sizeof(float));
  s.segments = room(WEIGHTS * VERTICES, sizeof *s.segments);
  s.unbind = room((size_t)segments, sizeof *s.unbind);
  s.moves = room((size_t)segments, sizeof *s.moves);
  for (int i = 0; i < segments; i++) {
    mat4 world = { 0 };
    memcpy(world, sinew_pose_worlds(bind) + 16 * i, sizeof world);
    glm_mat4_inv(world, s.unbind[i]);
  }
  for (int v = 0; v < VERTICES; v++) {
    for (int k = 0; k < 3; k++) {
      s.vertices[3 * v + k] = bench_random();
      s.normals[3 * v + k] = bench_random() + 0.1f;
    }
    /* neighbours follow the same segments, as on a body */
    const uint32_t near = (uint32_t)((int64_t)v * (segments - WEIGHTS) / VERTICES);
    for (int i = 0; i < WEIGHTS; i++) {
      s.weights[WEIGHTS * v + i] = 0.4f - 0.1f * (float)i;
      s.segments[WEIGHTS * v + i] = near + (uint32_t)i;
    }
  }
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = (sinew_shape){ s.vertices, s.normals, NULL, VERTICES, 0 };
  desc.weight_count = WEIGHTS, desc.segments = s.segments, desc.weights = s.weights;
  s.skin = sinew_skin_create(bind, &desc, &error);
  bench_check(s.skin != NULL, &error);
  skinning dual = s;
  dual.method = SINEW_SKIN_DUAL_QUATERNION;
  const char *names[] = { "60,000 vertices, linear", "60,000 vertices, dual quaternions",
                          "60,000 vertices, plain loop of cglm" };
  void (*const run[])(void *, int) = { run_skin, run_skin, run_plain };
  void *const contexts[] = { &s, &dual, &s };
  bench_spent spent[3];
  bench_interleaved(3, names, run, contexts, spent);
  bench_ratio("linear / plain loop of cglm", spent[0].least / spent[2].least, 1.5);
  bench_ratio("dual quaternions / plain loop of cglm", spent[1].least / spent[2].least, 1.5);
  sinew_skin_destroy(s.skin);
  sinew_pose_destroy(bind);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  void *const blocks[] = { s.vertices, s.normals,  s.moved,  s.turned,
                           s.weights,  s.segments, s.unbind, s.moves };
  for (int i = 0; i < 8; i++) free(blocks[i]);
}
