/* Loading a character, and what can be asked of it. */
#include "character/character_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/names.h"

void si_character_warn(sinew_character *c, const char *format, ...) {
  char line[400];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  si_text_format(&c->warnings, "%s%s", c->warnings.size ? "\n" : "", line);
}

bool si_affine_inverse(const float *m, float *dest) {
  double c[9], determinant = 0, largest = 0;
  float out[16];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[3 * i + j] =
          (double)m[4 * j1 + i1] * m[4 * j2 + i2] - (double)m[4 * j2 + i1] * m[4 * j1 + i2];
      largest = fmax(largest, fabs((double)m[4 * i + j]));
    }
  for (int j = 0; j < 3; j++) determinant += (double)m[4 * j] * c[j];
  if (!(fabs(determinant) > 1e-12 * largest * largest * largest)) return false;
  for (int row = 0; row < 3; row++) {
    double sum = 0;
    for (int column = 0; column < 3; column++) {
      double value = c[3 * column + row] / determinant;
      out[4 * column + row] = (float)value;
      sum += value * (double)m[12 + column];
    }
    out[12 + row] = (float)-sum;
    out[4 * row + 3] = 0;
  }
  out[15] = 1;
  if (!si_finite(out, 16)) return false;
  memcpy(dest, out, sizeof out);
  return true;
}

void si_affine_mul(const float *a, const float *b, float *dest) {
  float out[16];
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 4; row++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += (double)a[4 * k + row] * (double)b[4 * column + k];
      out[4 * column + row] = (float)sum;
    }
  memcpy(dest, out, sizeof out);
}

/* --- reading */

/* what nobody can draw without decoding it; other extensions only add to what is drawn, and one
 * that is needed and not read here is worth a warning */
static sinew_status check_extensions(sinew_character *c) {
  const si_gltf_reader *r = &c->reader;
  static const struct {
    const char *name, *words;
  } refused[] = {
    { "KHR_draco_mesh_compression", "its meshes are compressed (Draco); save it uncompressed" },
    { "EXT_meshopt_compression", "its buffers are compressed (meshopt); save it uncompressed" },
    { "KHR_meshopt_compression", "its buffers are compressed (meshopt); save it uncompressed" },
  };
  static const char *const read[] = { "KHR_mesh_quantization", "KHR_texture_transform",
                                      "KHR_materials_", "VRM" };
  const si_json_value *needed = si_json_find(&r->json, r->json.values, "extensionsRequired");
  if (!needed || needed->kind != SI_JSON_LIST) return SINEW_OK;
  const si_json_value *value = si_json_first(needed);
  for (uint32_t i = 0; i < needed->count; i++, value = si_json_after(&r->json, value)) {
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
      if (si_json_is(value, refused[k].name)) return si_gltf_fail(r, value, "%s", refused[k].words);
    char name[64];
    bool known = value->kind != SI_JSON_STRING ||
                 !si_json_plain(value->text, value->text_length, name, sizeof name);
    for (size_t k = 0; !known && k < sizeof read / sizeof *read; k++)
      known = strncmp(name, read[k], strlen(read[k])) == 0;
    if (!known) si_character_warn(c, "it needs the extension '%s', which is not read", name);
  }
  return SINEW_OK;
}

const char *si_character_text(sinew_character *c, const si_json_value *value) {
  char text[SI_CHARACTER_NAME];
  if (!value || value->kind != SI_JSON_STRING ||
      !si_json_plain(value->text, value->text_length, text, sizeof text))
    return "";
  return si_arena_text(&c->arena, text, strlen(text));
}

static sinew_status read_nodes(sinew_character *c) {
  si_gltf_reader *r = &c->reader;
  if (r->visit_count > SINEW_CHARACTER_NODES)
    return si_fail(r->error, SINEW_ERR_LIMIT, "%s: has more than %d nodes", r->name,
                   SINEW_CHARACTER_NODES);
  if (r->visit_count == 0)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: its scene has no nodes", r->name);
  c->node_count = r->visit_count;
  c->nodes = si_arena_take(&c->arena, c->node_count * sizeof *c->nodes);
  if (!c->nodes) return si_fail_memory(r->error);
  for (size_t i = 0; i < r->nodes.count; i++)
    if (r->reached[i]) c->nodes[r->reached[i] - 1].index = (uint32_t)i;
  for (size_t i = 0; i < c->node_count; i++) {
    const si_gltf_visit *v = &r->visits[i];
    si_character_node *n = &c->nodes[i];
    n->parent = (int)v->parent - 1;
    n->name = si_character_text(c, si_json_find(&r->json, v->node, "name"));
    if (!n->name) return si_fail_memory(r->error);
    for (int k = 0; k < 16; k++)
      if (!(fabsf(v->world[k]) <= SI_GLTF_EXTENT))
        return si_gltf_fail(r, v->node, "the frame of a node is not within +-%g",
                            (double)SI_GLTF_EXTENT);
    si_mat_copy(v->world, n->rest);
  }
  return SINEW_OK;
}

static sinew_status note_human(sinew_character *c, const si_json_value *node, const char *bone,
                               uint32_t length) {
  si_gltf_reader *r = &c->reader;
  uint32_t index;
  if (!node) return SINEW_OK;
  /* VRM 0 writes -1 for bones that it does not have */
  if (node->kind == SI_JSON_NUMBER && node->number == -1) return SINEW_OK;
  sinew_status status = si_gltf_pick(r, node, &r->nodes, "node", &index);
  if (status < 0 || !r->reached[index]) return status;
  char text[64];
  if (!si_json_plain(bone, length, text, sizeof text)) return SINEW_OK;
  const char *kept = si_arena_text(&c->arena, text, strlen(text));
  c->nodes[r->reached[index] - 1].human = kept;
  return kept ? SINEW_OK : si_fail_memory(r->error);
}

/* the humanoid maps of VRM 1 (an object) and VRM 0 (a list) */
static sinew_status read_humans(sinew_character *c) {
  const si_json *json = &c->reader.json;
  const si_json_value *all = si_json_find(json, json->values, "extensions");
  static const char *const names[] = { "VRMC_vrm", "VRM" };
  for (int i = 0; i < 2; i++) {
    const si_json_value *bones = si_json_find(
        json, si_json_find(json, si_json_find(json, all, names[i]), "humanoid"), "humanBones");
    if (!bones || (bones->kind != SI_JSON_OBJECT && bones->kind != SI_JSON_LIST)) continue;
    const si_json_value *bone = si_json_first(bones);
    for (uint32_t k = 0; k < bones->count; k++, bone = si_json_after(json, bone)) {
      const si_json_value *name = si_json_find(json, bone, "bone");
      bool named = bones->kind == SI_JSON_OBJECT;
      if (!named && (!name || name->kind != SI_JSON_STRING)) continue;
      sinew_status status =
          note_human(c, si_json_find(json, bone, "node"), named ? bone->key : name->text,
                     named ? bone->key_length : name->text_length);
      if (status < 0) return status;
    }
    return SINEW_OK;
  }
  return SINEW_OK;
}

static void measure_height(sinew_character *c) {
  static const float up[3] = { 0, 1, 0 };
  float low = INFINITY, high = -INFINITY, range[2];
  for (size_t i = 0; i < c->node_count; i++) {
    if (c->nodes[i].parent >= 0 || !sinew_character_extent(c, (int)i, up, range)) continue;
    low = fminf(low, range[0]);
    high = fmaxf(high, range[1]);
  }
  for (size_t i = 0; i < c->node_count && !c->part_count; i++) {
    low = fminf(low, c->nodes[i].bind[13]);
    high = fmaxf(high, c->nodes[i].bind[13]);
  }
  c->height = high > low ? high - low : 0;
}

static sinew_status read_all(sinew_character *c, size_t size, bool binary) {
  si_gltf_reader *r = &c->reader;
  sinew_status status;
  if ((status = si_gltf_open(r, c->bytes, size, binary)) < 0 ||
      (status = check_extensions(c)) < 0 || (status = si_gltf_start(r)) < 0 ||
      (status = si_gltf_walk(r)) < 0 || (status = read_nodes(c)) < 0 ||
      (status = read_humans(c)) < 0 || (status = si_character_bind_pose(c)) < 0 ||
      (status = si_character_read_parts(c)) < 0 || (status = si_character_read_extras(c)) < 0)
    return status;
  measure_height(c);
  return c->warnings.failed || si_stopped() ? si_fail_memory(r->error) : SINEW_OK;
}

/* takes `bytes` over */
static sinew_character *read_bytes(const char *name, unsigned char *bytes, size_t size, bool beside,
                                   sinew_error *error) {
  sinew_error own;
  if (!error) error = &own;
  const bool binary = si_ends_with(name, ".glb") || si_ends_with(name, ".vrm");
  sinew_character *c = si_alloc(sizeof *c);
  if (!c || !(c->name = si_strdup(name))) {
    si_free(bytes);
    si_free(c);
    return si_memory_null(error);
  }
  c->bytes = bytes;
  c->reader = (si_gltf_reader){ .name = c->name, .beside = beside, .error = error };
  sinew_status status =
      binary || si_ends_with(name, ".gltf")
          ? read_all(c, size, binary)
          : si_fail(error, SINEW_ERR_FILE, "%s: a character ends with .glb, .gltf or .vrm", name);
  c->reader.error = NULL;
  if (status >= 0) return c;
  sinew_character_destroy(c);
  return NULL;
}

sinew_character *sinew_character_parse(const char *name, const void *bytes, size_t size,
                                       sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (bytes || size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "character: no name or no bytes");
  if (size > SINEW_CHARACTER_BYTES)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name,
                        SINEW_CHARACTER_BYTES);
  unsigned char *copy = si_alloc(size + 1);
  if (!copy) return si_memory_null(error);
  if (size) memcpy(copy, bytes, size);
  return read_bytes(name, copy, size, false, error);
}

sinew_character *sinew_character_load(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "character: no path");
  if (si_file_read(path, SINEW_CHARACTER_BYTES, &bytes, &size, error) != SINEW_OK) return NULL;
  return read_bytes(path, bytes, size, true, error);
}

void sinew_character_destroy(sinew_character *c) {
  if (!c) return;
  si_gltf_close(&c->reader);
  si_arena_free(&c->arena);
  si_free(c->matrices);
  si_free(c->parts);
  si_free(c->drives);
  si_free(c->warnings.at);
  si_free(c->bytes);
  si_free(c->name);
  si_free(c);
}

/* --- asking */

const char *sinew_character_warnings(const sinew_character *c) {
  return SI_EXPECT(c) && c->warnings.at ? c->warnings.at : "";
}

float sinew_character_height(const sinew_character *c) { return SI_EXPECT(c) ? c->height : 0; }

int sinew_character_node_count(const sinew_character *c) {
  return SI_EXPECT(c) ? (int)c->node_count : 0;
}

bool si_character_has(const sinew_character *c, int node) {
  return node >= 0 && (size_t)node < c->node_count;
}

static bool is_node(const sinew_character *c, int node) {
  return SI_EXPECT(c && si_character_has(c, node));
}

sinew_character_node sinew_character_node_info(const sinew_character *c, int node) {
  if (!is_node(c, node)) return (sinew_character_node){ .name = "", .parent = -1 };
  const si_character_node *n = &c->nodes[node];
  return (sinew_character_node){ .name = n->name,
                                 .parent = n->parent,
                                 .joint = n->joint,
                                 .human = n->human,
                                 .weight = n->weight,
                                 .rest = n->rest,
                                 .bind = n->bind };
}

int sinew_character_find(const sinew_character *c, const char *name, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && name)) return -1;
  for (size_t i = 0; i < c->node_count; i++)
    if (strcmp(c->nodes[i].name, name) == 0) return (int)i;
  if (name[0] == '#') {
    char *end;
    long number = strtol(name + 1, &end, 10);
    if (name[1] && !*end && number >= 0 && (size_t)number < c->node_count) return (int)number;
  }
  if (error) {
    si_nearest near;
    char words[400];
    si_nearest_start(&near, name);
    for (size_t i = 0; i < c->node_count; i++) si_nearest_offer(&near, c->nodes[i].name);
    si_fail(error, SINEW_ERR_NAME, "%.200s: has no joint named '%.100s'%s", c->name, name,
            si_nearest_words(&near, words, sizeof words));
  }
  return -1;
}

static bool is_below(const sinew_character *c, int node, int above) {
  while (node > above) node = c->nodes[node].parent;
  return node == above;
}

bool sinew_character_extent(const sinew_character *c, int node, const float direction[3],
                            float dest[2]) {
  if (!is_node(c, node)) return false;
  bool found = false;
  for (size_t p = 0; p < c->part_count; p++) {
    const sinew_character_part *part = &c->parts[p];
    int last = -1;
    bool inside = false;
    if (!si_work(2 * (size_t)part->vertex_count)) return false;
    for (size_t v = 0; v < (size_t)part->vertex_count; v++) {
      int most = 0;
      for (int k = 1; k < 4; k++)
        if (part->weights[4 * v + (size_t)k] > part->weights[4 * v + (size_t)most]) most = k;
      const si_character_matrix *m = &c->matrices[part->joints[4 * v + (size_t)most]];
      if ((int)m->node != last) inside = is_below(c, last = (int)m->node, node);
      if (!inside) continue;
      float skin[3], world[3];
      si_mat_point(m->offset, part->positions + 3 * v, skin);
      si_mat_point(c->nodes[m->node].bind, skin, world);
      float along = si_vec_dot(world, direction);
      dest[0] = found ? fminf(dest[0], along) : along;
      dest[1] = found ? fmaxf(dest[1], along) : along;
      found = true;
    }
  }
  return found;
}

int sinew_character_part_count(const sinew_character *c) {
  return SI_EXPECT(c) ? (int)c->part_count : 0;
}

sinew_character_part sinew_character_part_info(const sinew_character *c, int part) {
  if (!SI_EXPECT(c && part >= 0 && (size_t)part < c->part_count))
    return (sinew_character_part){ .name = "", .image = -1 };
  return c->parts[part];
}

int sinew_character_image_count(const sinew_character *c) {
  return SI_EXPECT(c) ? (int)c->image_count : 0;
}

sinew_character_image sinew_character_image_info(const sinew_character *c, int image) {
  if (!SI_EXPECT(c && image >= 0 && (size_t)image < c->image_count))
    return (sinew_character_image){ .type = "" };
  return c->images[image];
}

int sinew_character_matrix_count(const sinew_character *c) {
  return SI_EXPECT(c) ? (int)c->matrix_count : 0;
}
