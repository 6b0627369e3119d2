/* A scene as glTF 2.0 (Khronos, ISO/IEC 12113). Node i is segment i; then comes the root of all
 * trees, then the skinned mesh, if there is one. All arrays are in one little-endian buffer, each
 * with its own view that starts at a multiple of four bytes. */
#include "interchange/gltf_write.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "math/wide.h"
#include "skin/skin_internal.h"

enum { BYTES = 0, VERTICES = 34962, INDICES = 34963 }; /* targets of views */
enum { USHORT = 5123, UINT = 5125, FLOAT = 5126 };

typedef struct writer {
  const sinew_gltf *g;
  si_text bytes; /* the buffer */
  si_text views, accessors, meshes, nodes, animations;
  int view_count, accessor_count, inverse_binds;
  int *mesh_of; /* each segment's, or -1 */
  unsigned char *seen;
  bool *sources;
  sinew_gltf_counts counts;
} writer;

static void put(si_text *t, uint32_t word, int size) {
  char bytes[4];
  for (int i = 0; i < size; i++) bytes[i] = (char)(word >> 8 * i & 255);
  si_text_add_n(t, bytes, (size_t)size);
}

static void put_float(si_text *t, float value) {
  uint32_t word;
  value += 0.0f; /* -0 becomes 0: otherwise text and bytes would differ */
  memcpy(&word, &value, sizeof word);
  put(t, word, 4);
}

static void put_floats(si_text *t, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) put_float(t, values[i]);
}

static void numbers(si_text *t, const float *values, int count) {
  si_text_add(t, "[");
  for (int i = 0; i < count; i++) {
    if (i) si_text_add(t, ",");
    si_text_number(t, values[i] + 0.0f);
  }
  si_text_add(t, "]");
}

/* Adds a view of the buffer from `start` to its end, and an accessor of it; returns its index. */
static int close_view(writer *w, size_t start, int target, int component, const char *type,
                      size_t count, const float *min, const float *max, int dimensions) {
  size_t size = w->bytes.size - start;
  while (w->bytes.size % 4 && !w->bytes.failed) si_text_add_n(&w->bytes, "", 1);
  si_text_format(&w->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                 w->view_count ? ",\n" : "", start, size);
  if (target) si_text_format(&w->views, ",\"target\":%d", target);
  si_text_add(&w->views, "}");
  si_text_format(&w->accessors,
                 "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                 w->accessor_count ? ",\n" : "", w->view_count++, component, count, type);
  if (min) {
    si_text_add(&w->accessors, ",\"min\":");
    numbers(&w->accessors, min, dimensions);
    si_text_add(&w->accessors, ",\"max\":");
    numbers(&w->accessors, max, dimensions);
  }
  si_text_add(&w->accessors, "}");
  return w->accessor_count++;
}

/* --- meshes */

/* the vertices of a shape, transformed by `world` unless it is NULL */
static void put_places(writer *w, const sinew_shape *s, const double *world, float *min,
                       float *max) {
  for (int i = 0; i < s->vertex_count; i++) {
    const float *v = s->vertices + 3 * i;
    for (int k = 0; k < 3; k++) {
      float value = v[k];
      if (world)
        value = (float)(world[k] * v[0] + world[3 + k] * v[1] + world[6 + k] * v[2] + world[9 + k]);
      put_float(&w->bytes, value);
      min[k] = fminf(min[k], value);
      max[k] = fmaxf(max[k], value);
    }
  }
}

static void put_normals(writer *w, const sinew_shape *s, const double *world) {
  for (int i = 0; i < s->vertex_count; i++) {
    const float *v = s->normals + 3 * i;
    double n[3], length = 0;
    for (int k = 0; k < 3; k++) {
      n[k] = world ? world[k] * v[0] + world[3 + k] * v[1] + world[6 + k] * v[2] : (double)v[k];
      length += n[k] * n[k];
    }
    length = sqrt(length);
    /* normals from a script may have any length, even 0 */
    for (int k = 0; k < 3; k++)
      put_float(&w->bytes, length > 1e-30 ? (float)(n[k] / length) : (float)(k == 1));
  }
}

static void put_indices(writer *w, const sinew_shape *s, uint32_t first, int size, bool flipped) {
  for (int i = 0; i < s->triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      /* a mirrored triangle has the opposite winding */
      int corner = flipped ? (3 - k) % 3 : k;
      put(&w->bytes, first + s->triangles[3 * i + corner], size);
    }
}

/* Writes the arrays that every mesh has, of one node or of several in world space. Starts
 * the mesh and leaves its list of attributes open; returns the accessor of the indices. */
static int put_mesh(writer *w, const char *name, const si_gltf_node *nodes, size_t count,
                    bool moved) {
  size_t vertices = 0, triangles = 0, start = w->bytes.size;
  float min[3] = { FLT_MAX, FLT_MAX, FLT_MAX }, max[3] = { -FLT_MAX, -FLT_MAX, -FLT_MAX };
  for (size_t i = 0; i < count; i++) {
    vertices += (size_t)nodes[i].shape.vertex_count;
    triangles += (size_t)nodes[i].shape.triangle_count;
    put_places(w, &nodes[i].shape, moved ? nodes[i].world : NULL, min, max);
  }
  int places = close_view(w, start, VERTICES, FLOAT, "VEC3", vertices, min, max, 3);
  start = w->bytes.size;
  for (size_t i = 0; i < count; i++) put_normals(w, &nodes[i].shape, moved ? nodes[i].world : NULL);
  int normals = close_view(w, start, VERTICES, FLOAT, "VEC3", vertices, NULL, NULL, 0);
  /* the highest index of each size is reserved for primitive restart */
  const int size = vertices <= 0xffff ? 2 : 4;
  uint32_t first = 0;
  start = w->bytes.size;
  for (size_t i = 0; i < count; i++) {
    const double *m = nodes[i].world;
    bool mirrored = si_wide_triple(m, m + 3, m + 6) < 0;
    put_indices(w, &nodes[i].shape, first, size, moved && mirrored);
    first += (uint32_t)nodes[i].shape.vertex_count;
  }
  int indices = close_view(w, start, INDICES, size == 2 ? USHORT : UINT, "SCALAR", 3 * triangles,
                           NULL, NULL, 0);
  si_text_add(&w->meshes, w->counts.meshes++ ? ",\n{\"name\":" : "{\"name\":");
  si_text_quoted(&w->meshes, name);
  si_text_format(&w->meshes, ",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                 places, normals);
  return indices;
}

static void end_mesh(writer *w, int indices) {
  si_text_format(&w->meshes, "},\"indices\":%d,\"material\":0}]}", indices);
}

static const char *segment_name(const sinew_gltf *g, size_t index) {
  return sinew_rig_segment_info(g->rig, sinew_rig_segment(g->rig, (int)index)).name;
}

static void put_segment_meshes(writer *w) {
  for (size_t i = 0; i < w->g->segments; i++) {
    if (!w->g->nodes[i].shape.vertex_count) continue;
    w->mesh_of[i] = w->counts.meshes;
    end_mesh(w, put_mesh(w, segment_name(w->g, i), &w->g->nodes[i], 1, false));
  }
}

/* the four largest weights of a vertex, with a sum of 1 */
static void put_weights(writer *w, const sinew_skin *skin, bool joints) {
  const size_t each = (size_t)skin->weight_count;
  for (size_t v = 0; v < (size_t)skin->vertex_count; v++) {
    float four[4] = { 0 }, sum = 0;
    for (size_t i = 0; i < 4 && i < each; i++) sum += four[i] = skin->weights[each * v + i];
    for (size_t i = 0; i < 4; i++)
      if (joints)
        put(&w->bytes, four[i] > 0 ? skin->segments[each * v + i] : 0, 2);
      else
        put_float(&w->bytes, four[i] / sum);
  }
}

/* the mesh of a skin, as it is in the world at its bind pose */
static void put_body(writer *w) {
  const sinew_skin *skin = w->g->skin;
  const size_t vertices = (size_t)skin->vertex_count;
  const si_gltf_node whole = { .shape = w->g->body, .world = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  int indices = put_mesh(w, sinew_rig_name(w->g->rig), &whole, 1, false);
  size_t start = w->bytes.size;
  put_weights(w, skin, true);
  int joints = close_view(w, start, VERTICES, USHORT, "VEC4", vertices, NULL, NULL, 0);
  start = w->bytes.size;
  put_weights(w, skin, false);
  int weights = close_view(w, start, VERTICES, FLOAT, "VEC4", vertices, NULL, NULL, 0);
  si_text_format(&w->meshes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joints, weights);
  end_mesh(w, indices);
}

/* all shapes in world space, each bound to its segment with a weight of 1 */
static void put_skinned_mesh(writer *w) {
  const sinew_gltf *g = w->g;
  size_t vertices = 0, start;
  for (size_t i = 0; i < g->segments; i++) vertices += (size_t)g->nodes[i].shape.vertex_count;
  if (!vertices) return;
  int indices = put_mesh(w, sinew_rig_name(g->rig), g->nodes, g->segments, true);
  start = w->bytes.size;
  for (size_t i = 0; i < g->segments; i++)
    for (int k = 0; k < g->nodes[i].shape.vertex_count; k++) {
      put(&w->bytes, (uint32_t)i, 4); /* two shorts: the joint, then 0 */
      put(&w->bytes, 0, 4);
    }
  int joints = close_view(w, start, VERTICES, USHORT, "VEC4", vertices, NULL, NULL, 0);
  start = w->bytes.size;
  for (size_t i = 0; i < vertices; i++) put_floats(&w->bytes, (const float[]){ 1, 0, 0, 0 }, 4);
  int weights = close_view(w, start, VERTICES, FLOAT, "VEC4", vertices, NULL, NULL, 0);
  si_text_format(&w->meshes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joints, weights);
  end_mesh(w, indices);
}

/* from the world to each segment in the bind pose; the inverse of a rotation is its transpose */
static void put_inverse_binds(writer *w) {
  size_t start = w->bytes.size;
  for (size_t i = 0; i < w->g->segments; i++) {
    if (w->g->skin) {
      put_floats(&w->bytes, w->g->skin->unbind + 16 * i, 16);
      continue;
    }
    const double *m = w->g->nodes[i].world;
    for (int c = 0; c < 3; c++)
      put_floats(&w->bytes, (const float[]){ (float)m[c], (float)m[3 + c], (float)m[6 + c], 0 }, 4);
    for (int r = 0; r < 3; r++)
      put_float(&w->bytes, (float)-(m[3 * r] * m[9] + m[3 * r + 1] * m[10] + m[3 * r + 2] * m[11]));
    put_float(&w->bytes, 1);
  }
  w->inverse_binds = close_view(w, start, BYTES, FLOAT, "MAT4", w->g->segments, NULL, NULL, 0);
}

/* --- nodes */

static void add_children(writer *w, int parent) {
  bool any = false;
  for (size_t i = 0; i < w->g->segments; i++) {
    if (w->g->nodes[i].parent != parent) continue;
    si_text_format(&w->nodes, any ? ",%zu" : ",\"children\":[%zu", i);
    any = true;
  }
  if (any) si_text_add(&w->nodes, "]");
}

static void put_nodes(writer *w) {
  const sinew_gltf *g = w->g;
  for (size_t i = 0; i < g->segments; i++) {
    const si_gltf_node *n = &g->nodes[i];
    si_text_add(&w->nodes, "{\"name\":");
    si_text_quoted(&w->nodes, segment_name(g, i));
    si_text_add(&w->nodes, ",\"translation\":");
    numbers(&w->nodes, n->rest.place, 3);
    si_text_add(&w->nodes, ",\"rotation\":");
    numbers(&w->nodes, n->rest.turn, 4);
    if (n->mirrored) si_text_add(&w->nodes, ",\"scale\":[-1,1,1]");
    if (w->mesh_of[i] >= 0) si_text_format(&w->nodes, ",\"mesh\":%d", w->mesh_of[i]);
    add_children(w, (int)i);
    si_text_add(&w->nodes, ",\"extras\":{");
    si_gltf_segment_extras(g, (int)i, w->seen, w->sources, &w->nodes);
    si_text_add(&w->nodes, "}},\n");
  }
  si_text_add(&w->nodes, "{\"name\":");
  si_text_quoted(&w->nodes, sinew_rig_name(g->rig));
  add_children(w, -1);
  si_text_add(&w->nodes, ",\"extras\":{");
  si_gltf_rig_extras(g, &w->nodes);
  si_text_add(&w->nodes, "}}");
  w->counts.nodes = (int)g->segments + 1;
  if (!g->skinned || !w->counts.meshes) return;
  si_text_add(&w->nodes, ",\n{\"name\":\"skin\",\"mesh\":0,\"skin\":0}");
  w->counts.nodes++;
}

/* --- animations */

static void put_track(writer *w, const si_gltf_take *take, const unsigned char *kept,
                      size_t segment, int track, int *samplers, si_text *sampler_list,
                      si_text *channels) {
  const size_t count = w->g->segments;
  size_t keys = 0, start = w->bytes.size;
  float first = 0, last = 0;
  if (!(kept[segment] & track)) return;
  for (size_t f = 0; f < take->frames; f++) {
    if (!(kept[f * count + segment] & track)) continue;
    last = take->times[f];
    if (!keys++) first = last;
    put_float(&w->bytes, last);
  }
  int input = close_view(w, start, BYTES, FLOAT, "SCALAR", keys, &first, &last, 1);
  start = w->bytes.size;
  for (size_t f = 0; f < take->frames; f++) {
    const si_placing_trs *p = take->placings + f * count + segment;
    if (!(kept[f * count + segment] & track)) continue;
    put_floats(&w->bytes, track == SI_GLTF_TURN ? p->turn : p->place,
               track == SI_GLTF_TURN ? 4 : 3);
  }
  int output = close_view(w, start, BYTES, FLOAT, track == SI_GLTF_TURN ? "VEC4" : "VEC3", keys,
                          NULL, NULL, 0);
  const char *comma = *samplers ? ",\n" : "";
  si_text_format(sampler_list, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", comma,
                 input, output);
  si_text_format(channels, "%s{\"sampler\":%d,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", comma,
                 (*samplers)++, segment, track == SI_GLTF_TURN ? "rotation" : "translation");
  w->counts.keys += (int)keys;
  w->counts.samples += (int)take->frames;
}

static sinew_status put_animation(writer *w, const si_gltf_take *take, sinew_error *error) {
  unsigned char *kept = si_alloc_array(take->frames + 1, w->g->segments + 1);
  if (!kept) return si_fail_memory(error);
  si_text samplers = { 0 }, channels = { 0 };
  int count = 0;
  sinew_status status = si_gltf_choose_keys(w->g, take, kept, error);
  for (size_t i = 0; i < w->g->segments && status == SINEW_OK; i++)
    for (int track = SI_GLTF_PLACE; track <= SI_GLTF_TURN; track++)
      put_track(w, take, kept, i, track, &count, &samplers, &channels);
  if (count && !samplers.failed && !channels.failed) {
    si_text_add(&w->animations, w->counts.animations++ ? ",\n{\"name\":" : "{\"name\":");
    si_text_quoted(&w->animations, take->name);
    si_text_add(&w->animations, ",\"samplers\":[");
    si_text_add_n(&w->animations, samplers.at, samplers.size);
    si_text_add(&w->animations, "],\n\"channels\":[");
    si_text_add_n(&w->animations, channels.at, channels.size);
    si_text_add(&w->animations, "]}");
  }
  if (status == SINEW_OK && (samplers.failed || channels.failed)) status = si_fail_memory(error);
  si_free(samplers.at);
  si_free(channels.at);
  si_free(kept);
  return status;
}

/* --- the file */

static void add_list(si_text *t, const char *key, const si_text *list) {
  if (!list->size) return;
  si_text_format(t, ",\n\"%s\":[\n", key);
  si_text_add_n(t, list->at, list->size);
  si_text_add(t, "]");
}

static void add_document(const writer *w, bool binary, si_text *t) {
  const sinew_gltf *g = w->g;
  const bool skin_node = g->skinned && w->counts.meshes;
  si_text_add(t, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"},\n\"scene\":0,\n"
                 "\"scenes\":[{\"name\":");
  si_text_quoted(t, sinew_rig_name(g->rig));
  si_text_format(t, ",\"nodes\":[%zu", g->segments);
  if (skin_node) si_text_format(t, ",%zu", g->segments + 1);
  si_text_add(t, "]}]");
  add_list(t, "nodes", &w->nodes);
  if (g->segments) {
    si_text_format(t, ",\n\"skins\":[{\"inverseBindMatrices\":%d,\"skeleton\":%zu,\"joints\":[",
                   w->inverse_binds, g->segments);
    for (size_t i = 0; i < g->segments; i++) si_text_format(t, i ? ",%zu" : "%zu", i);
    si_text_add(t, "]}]");
  }
  add_list(t, "meshes", &w->meshes);
  if (w->counts.meshes)
    si_text_format(t,
                   ",\n\"materials\":[{\"name\":\"%s\",\"pbrMetallicRoughness\":{"
                   "\"baseColorFactor\":[%s,1],\"metallicFactor\":0,\"roughnessFactor\":0.7}}]",
                   g->skin ? "skin" : "bone", g->skin ? "0.8,0.62,0.52" : "0.89,0.85,0.76");
  add_list(t, "animations", &w->animations);
  add_list(t, "accessors", &w->accessors);
  add_list(t, "bufferViews", &w->views);
  if (w->bytes.size) {
    si_text_format(t, ",\n\"buffers\":[{\"byteLength\":%zu", w->bytes.size);
    if (!binary) {
      si_text_add(t, ",\"uri\":\"data:application/octet-stream;base64,");
      si_text_base64(t, (const unsigned char *)w->bytes.at, w->bytes.size);
      si_text_add(t, "\"");
    }
    si_text_add(t, "}]");
  }
  si_text_add(t, "}\n");
}

/* a header of three words, then two chunks, each preceded by its size and kind */
static void add_binary(const writer *w, si_text *document, si_text *t) {
  while (document->size % 4 && !document->failed) si_text_add(document, " ");
  if (document->failed) return;
  const size_t buffer = w->bytes.size ? 8 + w->bytes.size : 0;
  si_text_add_n(t, "glTF", 4);
  put(t, 2, 4);
  put(t, (uint32_t)(20 + document->size + buffer), 4);
  put(t, (uint32_t)document->size, 4);
  si_text_add_n(t, "JSON", 4);
  si_text_add_n(t, document->at, document->size);
  if (!buffer) return;
  put(t, (uint32_t)w->bytes.size, 4);
  si_text_add_n(t, "BIN\0", 4);
  si_text_add_n(t, w->bytes.at, w->bytes.size);
}

static bool failed(const writer *w) {
  return w->bytes.failed || w->views.failed || w->accessors.failed || w->meshes.failed ||
         w->nodes.failed || w->animations.failed;
}

static sinew_status gather(writer *w, sinew_error *error) {
  const sinew_gltf *g = w->g;
  w->mesh_of = si_alloc_array(g->segments + 1, sizeof *w->mesh_of);
  w->seen = si_alloc_array((size_t)sinew_rig_component_count(g->rig) + 1, 1);
  w->sources = si_alloc((size_t)g->rig->node_count + g->dofs + 1);
  if (!w->mesh_of || !w->seen || !w->sources) return si_fail_memory(error);
  for (size_t i = 0; i < g->segments; i++) w->mesh_of[i] = -1;
  if (g->skinned && g->segments > 0xffff)
    return si_fail(error, SINEW_ERR_LIMIT, "glTF: a skin has at most 65535 joints, not %zu",
                   g->segments);
  if (g->skin)
    put_body(w);
  else if (g->skinned)
    put_skinned_mesh(w);
  else
    put_segment_meshes(w);
  if (g->segments) put_inverse_binds(w);
  put_nodes(w);
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < g->take_count && status == SINEW_OK; i++)
    status = put_animation(w, &g->takes[i], error);
  if (status == SINEW_OK && failed(w)) return si_fail_memory(error);
  if (status == SINEW_OK && w->bytes.size > 1u << 30)
    return si_fail(error, SINEW_ERR_LIMIT, "glTF: more than a gigabyte of meshes and keys");
  return status;
}

char *sinew_gltf_write(const sinew_gltf *g, bool binary, size_t *size, sinew_gltf_counts *counts,
                       sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g)) return NULL;
  writer w = { .g = g };
  si_text document = { 0 }, file = { 0 };
  char *result = NULL;
  if (gather(&w, error) == SINEW_OK) {
    add_document(&w, binary, &document);
    if (binary) {
      add_binary(&w, &document, &file);
      file.failed = file.failed || document.failed;
    }
    result = si_text_finish(binary ? &file : &document, size, error);
    if (counts) *counts = w.counts;
  }
  si_text *const texts[] = { &w.bytes, &w.views, &w.accessors, &w.meshes, &w.nodes, &w.animations };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) si_free(texts[i]->at);
  if (document.at != result) si_free(document.at);
  si_free(w.mesh_of);
  si_free(w.seen);
  si_free(w.sources);
  return result;
}
