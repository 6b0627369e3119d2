/* See model.h. */
#include "model.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { sides = 48 };

model_tube model_make_tube(int rings) {
  model_tube t = { .vertex_count = rings * sides + 2, .triangle_count = 2 * rings * sides };
  t.vertices = calloc((size_t)t.vertex_count, 3 * sizeof(float));
  t.normals = calloc((size_t)t.vertex_count, 3 * sizeof(float));
  t.triangles = calloc((size_t)t.triangle_count, 3 * sizeof(uint32_t));
  if (!t.vertices || !t.normals || !t.triangles) abort();
  uint32_t *to = t.triangles, low = (uint32_t)(rings * sides), high = low + 1;
  for (int r = 0; r < rings; r++)
    for (int s = 0; s < sides; s++) {
      const int v = r * sides + s;
      const uint32_t a = (uint32_t)v, b = (uint32_t)(r * sides + (s + 1) % sides);
      const float turn = 6.2831853f * (float)s / sides;
      float *n = t.normals + 3 * v, *p = t.vertices + 3 * v;
      n[0] = cosf(turn), n[2] = sinf(turn);
      p[0] = 0.05f * n[0], p[1] = (float)r / (float)(rings - 1), p[2] = 0.05f * n[2];
      const uint32_t corners[6] = { a,           r + 1 < rings ? a + sides : high,
                                    b,           b,
                                    r ? a : low, r ? b - sides : a };
      if (r == 0) memcpy(to, (uint32_t[3]){ low, a, b }, 3 * sizeof *to), to += 3;
      if (r + 1 == rings) {
        memcpy(to, corners, 3 * sizeof *to), to += 3;
        continue;
      }
      memcpy(to, corners, 3 * sizeof *to), to += 3;
      memcpy(to, (uint32_t[3]){ b, a + sides, b + sides }, 3 * sizeof *to), to += 3;
    }
  t.vertices[3 * high + 1] = 1;
  t.normals[3 * low + 1] = -1, t.normals[3 * high + 1] = 1;
  return t;
}

void model_free_tube(model_tube *t) {
  free(t->vertices);
  free(t->normals);
  free(t->triangles);
}

static void put(unsigned char **to, const void *from, size_t size) {
  memcpy(*to, from, size);
  *to += size;
}

/* a skinned tube whose joints turn, as a .glb */
unsigned char *model_make_glb(const model_tube *tube, size_t *size) {
  const size_t v = (size_t)tube->vertex_count, t = (size_t)tube->triangle_count, keys = 400;
  const size_t offsets[] = { 0, 12 * v, 24 * v, 28 * v, 44 * v, 44 * v + 12 * t };
  const size_t times = offsets[5], turns = times + 4 * keys, bytes = turns + 16 * keys;
  si_text j = { 0 };
  si_text_add(&j, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
                  "\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":4}]}],\"nodes\":[{\"mesh\":0,"
                  "\"skin\":0}");
  for (int i = 0; i < model_bones; i++)
    si_text_format(&j, ",{\"name\":\"j%d\",\"translation\":[0,0.08,0]%s%.0d%s}", i,
                   i + 1 < model_bones ? ",\"children\":[" : "", i + 1 < model_bones ? i + 2 : 0,
                   i + 1 < model_bones ? "]" : "");
  si_text_add(&j, "],\"skins\":[{\"joints\":[");
  for (int i = 0; i < model_bones; i++) si_text_format(&j, "%s%d", i ? "," : "", i + 1);
  si_text_format(&j, "]}],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[", bytes);
  for (int i = 0; i < 7; i++) {
    const size_t from = i < 5 ? offsets[i] : i == 5 ? times : turns;
    const size_t to = i < 5 ? offsets[i + 1] : i == 5 ? turns : bytes;
    si_text_format(&j, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : "", from,
                   to - from);
  }
  static const struct {
    int component;
    const char *type;
  } kinds[7] = { { 5126, "VEC3" },   { 5126, "VEC3" },   { 5121, "VEC4" }, { 5126, "VEC4" },
                 { 5125, "SCALAR" }, { 5126, "SCALAR" }, { 5126, "VEC4" } };
  si_text_add(&j, "],\"accessors\":[");
  for (int i = 0; i < 7; i++)
    si_text_format(&j, "%s{\"bufferView\":%d,\"count\":%zu,\"componentType\":%d,\"type\":\"%s\"}",
                   i ? "," : "", i,
                   i == 4  ? 3 * t
                   : i < 4 ? v
                           : keys,
                   kinds[i].component, kinds[i].type);
  si_text_add(&j, "],\"animations\":[{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[");
  for (int i = 0; i < model_bones; i++)
    si_text_format(&j, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                   i ? "," : "", i + 1);
  si_text_add(&j, "]}]}");
  while (j.size % 4) si_text_add(&j, " ");
  *size = 20 + j.size + 8 + bytes;
  unsigned char *glb = calloc(1, *size), *to = glb;
  if (!glb) abort();
  put(&to, "glTF", 4);
  put(&to, (uint32_t[]){ 2, (uint32_t)*size, (uint32_t)j.size }, 12);
  put(&to, "JSON", 4);
  put(&to, j.at, j.size);
  put(&to, (uint32_t[]){ (uint32_t)bytes }, 4);
  put(&to, "BIN\0", 4);
  put(&to, tube->vertices, 12 * v);
  put(&to, tube->normals, 12 * v);
  for (size_t i = 0; i < v; i++) put(&to, (uint8_t[]){ (uint8_t)(i % model_bones), 0, 0, 0 }, 4);
  for (size_t i = 0; i < v; i++) put(&to, (float[]){ 1, 0, 0, 0 }, 16);
  put(&to, tube->triangles, 12 * t);
  for (size_t i = 0; i < keys; i++) put(&to, (float[]){ (float)i / 4 }, 4);
  for (size_t i = 0; i < keys; i++) put(&to, (float[]){ sinf((float)i), 0, 0, cosf((float)i) }, 16);
  si_free(j.at);
  return glb;
}
