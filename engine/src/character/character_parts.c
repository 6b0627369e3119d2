/* What a character shows: triangles with joints and weights, materials and images. */
#include "character/character_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"

enum { most_parts = 16384, most_vertices = 1 << 24 };

/* one primitive, or rather what its skin and node have in common */
typedef struct source {
  const si_json_value *at, *attributes;
  uint32_t node, first, joints; /* its matrices; joints 0: it hangs on its node */
  /* vertices whose weights do not sum to 1, without weights; weights beyond four */
  size_t normalized, loose, extra;
} source;

static void *take(sinew_character *c, size_t count, size_t size) {
  return count <= SIZE_MAX / size ? si_arena_take(&c->arena, count * size + 1) : NULL;
}

/* an attribute of floats; NULL in `dest` if it is missing */
static sinew_status read_floats(sinew_character *c, const source *s, const char *key, int parts,
                                size_t count, const float **dest) {
  si_gltf_reader *r = &c->reader;
  si_gltf_span span;
  *dest = NULL;
  if (!si_json_find(&r->json, s->attributes, key)) return SINEW_OK;
  sinew_status status =
      si_gltf_accessor(r, s->attributes, key, parts == 2 ? "VEC2" : "VEC3", &span);
  if (status < 0) return status;
  if (span.count != count)
    return si_gltf_fail(r, s->at, "a primitive has %zu positions and %zu of %s", count, span.count,
                        key);
  float *values = take(c, count * (size_t)parts, sizeof *values);
  if (!values) return si_fail_memory(r->error);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < parts; k++) {
      float value = si_gltf_float(span.bytes + i * span.stride + (size_t)(4 * k));
      if (!(fabsf(value) <= SI_GLTF_EXTENT))
        return si_gltf_fail(r, s->at, "%s of vertex %zu is not within +-%g", key, i,
                            (double)SI_GLTF_EXTENT);
      values[i * (size_t)parts + (size_t)k] = value;
    }
  *dest = values;
  return SINEW_OK;
}

/* keeps the four largest weights of a vertex; returns false if one with a weight is left out */
static bool insert(float weight, uint32_t joint, float *weights, uint16_t *joints) {
  int at = 4;
  for (int k = 0; k < 4; k++) { /* a joint that is there already gets the sum */
    if (weights[k] == 0 || joints[k] != joint) continue;
    weight += weights[k];
    for (; k < 3; k++) weights[k] = weights[k + 1], joints[k] = joints[k + 1];
    weights[3] = 0;
  }
  const bool all = weights[3] == 0;
  while (at > 0 && weight > weights[at - 1]) at--;
  for (int k = 3; k > at; k--) weights[k] = weights[k - 1], joints[k] = joints[k - 1];
  if (at < 4) weights[at] = weight, joints[at] = (uint16_t)joint;
  return all;
}

/* the sets JOINTS_0, WEIGHTS_0, JOINTS_1 ... */
static sinew_status read_sets(sinew_character *c, source *s, size_t count, float *weights,
                              uint16_t *joints, double *sums) {
  si_gltf_reader *r = &c->reader;
  char keys[2][16] = { "JOINTS_0", "WEIGHTS_0" };
  for (int set = 0; set < 4; set++) {
    si_gltf_span spans[2];
    keys[0][7] = keys[1][8] = (char)('0' + set);
    if (!si_json_find(&r->json, s->attributes, keys[0])) break;
    for (int k = 0; k < 2; k++) {
      sinew_status status = si_gltf_accessor(r, s->attributes, keys[k], "VEC4", &spans[k]);
      if (status < 0) return status;
      if (spans[k].count != count)
        return si_gltf_fail(r, s->at, "a primitive has %zu positions and %zu of %s", count,
                            spans[k].count, keys[k]);
    }
    const int joint_size = si_gltf_component_size(&spans[0]);
    const int size = si_gltf_component_size(&spans[1]);
    if (!si_work(2 * count)) return si_fail_memory(r->error);
    for (size_t i = 0; i < count; i++)
      for (int k = 0; k < 4; k++) {
        const unsigned char *at = spans[1].bytes + i * spans[1].stride + (size_t)(size * k);
        uint32_t joint = si_gltf_little(
            spans[0].bytes + i * spans[0].stride + (size_t)(joint_size * k), joint_size);
        float weight = size == 4
                           ? si_gltf_float(at)
                           : (float)si_gltf_little(at, size) / (size == 1 ? 255.0f : 65535.0f);
        if (!(weight >= 0 && weight <= SI_GLTF_EXTENT))
          return si_gltf_fail(r, s->at, "vertex %zu has a weight of %g", i, (double)weight);
        if (weight == 0) continue;
        if (joint >= s->joints)
          return si_gltf_fail(r, s->at, "vertex %zu follows joint %u of its skin, there are %u", i,
                              joint, s->joints);
        if (!insert(weight, s->first + joint, weights + 4 * i, joints + 4 * i)) s->extra++;
        sums[i] += (double)weight;
      }
  }
  return SINEW_OK;
}

static sinew_status read_weights(sinew_character *c, source *s, sinew_character_part *part) {
  const size_t count = (size_t)part->vertex_count;
  float *weights = take(c, 4 * count, sizeof *weights);
  uint16_t *joints = take(c, 4 * count, sizeof *joints);
  double *sums = si_alloc_array(count, sizeof *sums);
  sinew_status status =
      weights && joints && sums && si_work(count) ? SINEW_OK : si_fail_memory(c->reader.error);
  for (size_t i = 0; status >= 0 && i < 4 * count; i++) joints[i] = (uint16_t)s->first;
  if (status >= 0 && s->joints) status = read_sets(c, s, count, weights, joints, sums);
  for (size_t i = 0; status >= 0 && i < count; i++) {
    double sum = 0;
    s->normalized += s->joints && !(fabs(sums[i] - 1) < 0.01);
    for (int k = 0; k < 4; k++) sum += (double)weights[4 * i + (size_t)k];
    if (!(sum > 1e-6)) {
      s->loose += s->joints > 0;
      s->normalized -= s->joints > 0;
      weights[4 * i] = 1;
      sum = 1;
    }
    for (size_t k = 4 * i; k < 4 * i + 4; k++) {
      weights[k] = (float)((double)weights[k] / sum);
      if (s->joints) c->nodes[c->matrices[joints[k]].node].weight += weights[k];
    }
  }
  si_free(sums);
  part->weights = weights;
  part->joints = joints;
  return status;
}

static sinew_status read_triangles(sinew_character *c, const source *s,
                                   sinew_character_part *part) {
  si_gltf_reader *r = &c->reader;
  si_gltf_span span = { .count = (size_t)part->vertex_count };
  const bool indexed = si_json_find(&r->json, s->at, "indices");
  sinew_status status = SINEW_OK;
  if (indexed) status = si_gltf_accessor(r, s->at, "indices", "SCALAR", &span);
  if (status < 0) return status;
  if (span.count % 3 != 0 || span.count / 3 > most_vertices)
    return si_gltf_fail(r, s->at, "%zu corners are not a multiple of 3, or too many", span.count);
  uint32_t *triangles = take(c, span.count, sizeof *triangles);
  if (!triangles) return si_fail_memory(r->error);
  const int size = indexed ? si_gltf_component_size(&span) : 0;
  for (size_t i = 0; i < span.count; i++) {
    triangles[i] = indexed ? si_gltf_little(span.bytes + i * span.stride, size) : (uint32_t)i;
    if (triangles[i] >= (uint32_t)part->vertex_count)
      return si_gltf_fail(r, s->at, "a triangle has vertex %u, there are %d", triangles[i],
                          part->vertex_count);
  }
  part->triangles = triangles;
  part->triangle_count = (int)(span.count / 3);
  return SINEW_OK;
}

static float number_of(const si_json *json, const si_json_value *object, const char *key,
                       float missing) {
  const si_json_value *value = si_json_find(json, object, key);
  return value && value->kind == SI_JSON_NUMBER ? (float)value->number : missing;
}

/* KHR_texture_transform: scaled, turned and moved texture coordinates */
static sinew_status move_uvs(sinew_character *c, const si_json_value *transform,
                             sinew_character_part *part) {
  float offset[2] = { 0, 0 }, scale[2] = { 1, 1 };
  sinew_status status = si_gltf_numbers(&c->reader, transform, "offset", 2, offset);
  if (status >= 0) status = si_gltf_numbers(&c->reader, transform, "scale", 2, scale);
  if (status < 0 || !part->uvs) return status;
  const float turn = number_of(&c->reader.json, transform, "rotation", 0);
  const float sine = sinf(turn), cosine = cosf(turn);
  const size_t count = (size_t)part->vertex_count;
  float *moved = take(c, 2 * count, sizeof *moved);
  if (!moved) return si_fail_memory(c->reader.error);
  for (size_t i = 0; i < 2 * count; i += 2) {
    const float u = scale[0] * part->uvs[i], v = scale[1] * part->uvs[i + 1];
    moved[i] = cosine * u + sine * v + offset[0];
    moved[i + 1] = cosine * v - sine * u + offset[1];
  }
  part->uvs = moved;
  return si_finite(moved, 2 * count)
             ? SINEW_OK
             : si_gltf_fail(&c->reader, transform, "a texture transform is not finite");
}

static sinew_status read_material(sinew_character *c, const source *s,
                                  const si_gltf_table *materials, const si_gltf_table *textures,
                                  sinew_character_part *part) {
  si_gltf_reader *r = &c->reader;
  const si_json *json = &r->json;
  for (int k = 0; k < 4; k++) part->color[k] = 1;
  part->image = -1;
  part->cutoff = 0.5f;
  uint32_t index;
  if (!si_json_find(json, s->at, "material")) return SINEW_OK;
  sinew_status status = si_gltf_pick_member(r, s->at, "material", materials, "material", &index);
  if (status < 0) return status;
  const si_json_value *m = materials->items[index];
  const si_json_value *mode = si_json_find(json, m, "alphaMode");
  const si_json_value *sided = si_json_find(json, m, "doubleSided");
  const si_json_value *surface = si_json_find(json, m, "pbrMetallicRoughness");
  const si_json_value *texture = si_json_find(json, surface, "baseColorTexture");
  if (si_json_is(mode, "MASK")) part->alpha = SINEW_ALPHA_MASK;
  if (si_json_is(mode, "BLEND")) part->alpha = SINEW_ALPHA_BLEND;
  const si_json_value *cutoff = si_json_find(json, m, "alphaCutoff");
  if (cutoff && cutoff->kind == SI_JSON_NUMBER)
    part->cutoff = (float)fmax(0, fmin(1, cutoff->number));
  part->double_sided = sided && sided->kind == SI_JSON_TRUE;
  if ((status = si_gltf_numbers(r, surface, "baseColorFactor", 4, part->color)) < 0) return status;
  if (!texture) return SINEW_OK;
  if ((status = si_gltf_pick_member(r, texture, "index", textures, "texture", &index)) < 0)
    return status;
  const si_json_value *image = si_json_find(json, textures->items[index], "source");
  if (image && image->kind == SI_JSON_NUMBER && image->number >= 0 &&
      image->number < (double)c->image_count)
    part->image = (int)image->number;
  const si_json_value *transform =
      si_json_find(json, si_json_find(json, texture, "extensions"), "KHR_texture_transform");
  uint32_t set;
  if ((status = si_gltf_whole(r, texture, "texCoord", 0, &set)) < 0 ||
      (transform && (status = si_gltf_whole(r, transform, "texCoord", set, &set)) < 0))
    return status;
  if (set > 9) return si_gltf_fail(r, texture, "'texCoord' is %u, at most 9 is supported", set);
  char key[] = "TEXCOORD_0";
  key[9] = (char)('0' + set);
  status = read_floats(c, s, key, 2, (size_t)part->vertex_count, &part->uvs);
  return status < 0 || !transform ? status : move_uvs(c, transform, part);
}

static sinew_status read_primitive(sinew_character *c, source *s, const si_gltf_table *materials,
                                   const si_gltf_table *textures, sinew_character_part *part) {
  si_gltf_reader *r = &c->reader;
  si_gltf_span places;
  sinew_status status = si_gltf_accessor(r, s->attributes, "POSITION", "VEC3", &places);
  if (status < 0) return status;
  if (places.count > most_vertices)
    return si_gltf_fail(r, s->at, "a primitive has more than %d vertices", most_vertices);
  part->vertex_count = (int)places.count;
  part->node = (int)s->node;
  if ((status = read_floats(c, s, "POSITION", 3, places.count, &part->positions)) < 0 ||
      (status = read_floats(c, s, "NORMAL", 3, places.count, &part->normals)) < 0 ||
      (status = read_material(c, s, materials, textures, part)) < 0 ||
      (status = read_weights(c, s, part)) < 0)
    return status;
  return read_triangles(c, s, part);
}

/* the matrices of the node's mesh: those of its skin, or its own */
static sinew_status open_matrices(sinew_character *c, uint32_t *skins, source *s) {
  si_gltf_reader *r = &c->reader;
  const si_json_value *node = r->visits[s->node].node;
  uint32_t skin;
  if (si_json_find(&r->json, node, "skin")) {
    sinew_status status = si_gltf_pick_member(r, node, "skin", &r->skins, "skin", &skin);
    if (status < 0) return status;
    if (!skins[2 * skin + 1]) {
      const size_t said = c->warnings.size; /* already said with the bind pose */
      status = si_character_read_skin(c, skin, &skins[2 * skin], &skins[2 * skin + 1]);
      if (c->warnings.at && !c->warnings.failed) c->warnings.at[c->warnings.size = said] = '\0';
    }
    s->first = skins[2 * skin];
    s->joints = skins[2 * skin + 1];
    return status;
  }
  if (c->matrix_count >= UINT16_MAX)
    return si_gltf_fail(r, node, "there are too many joints and meshes");
  if (!si_grow(&c->matrices, &c->matrix_room, c->matrix_count + 1, sizeof *c->matrices))
    return si_fail_memory(r->error);
  s->first = (uint32_t)c->matrix_count++;
  s->joints = 0;
  si_mat_identity(c->matrices[s->first].offset);
  c->matrices[s->first].node = s->node;
  c->nodes[s->node].weight += 1;
  return SINEW_OK;
}

static sinew_status read_mesh(sinew_character *c, source *s, const si_gltf_table *materials,
                              const si_gltf_table *textures, size_t *skipped) {
  si_gltf_reader *r = &c->reader;
  uint32_t mesh, mode;
  sinew_status status =
      si_gltf_pick_member(r, r->visits[s->node].node, "mesh", &r->meshes, "mesh", &mesh);
  if (status < 0) return status;
  const si_json_value *object = r->meshes.items[mesh];
  const si_json_value *list = si_json_find(&r->json, object, "primitives");
  const si_json_value *named = si_json_find(&r->json, object, "name");
  if (!list || list->kind != SI_JSON_LIST)
    return si_gltf_fail(r, object, "a mesh has no 'primitives'");
  char name[SI_CHARACTER_NAME] = "";
  if (named && named->kind == SI_JSON_STRING &&
      !si_json_plain(named->text, named->text_length, name, sizeof name))
    name[0] = '\0';
  const char *kept = si_arena_text(&c->arena, name, strlen(name));
  if (!kept) return si_fail_memory(r->error);
  const uint32_t joints = s->joints;
  s->at = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, s->at = si_json_after(&r->json, s->at)) {
    s->attributes = si_json_find(&r->json, s->at, "attributes");
    if ((status = si_gltf_whole(r, s->at, "mode", 4, &mode)) < 0) return status;
    if (!s->attributes || s->attributes->kind != SI_JSON_OBJECT)
      return si_gltf_fail(r, s->at, "a primitive has no 'attributes'");
    if (mode != 4) {
      ++*skipped;
      continue;
    }
    if (c->part_count >= most_parts)
      return si_gltf_fail(r, s->at, "the scene has more than %d primitives", most_parts);
    if (!si_grow(&c->parts, &c->part_room, c->part_count + 1, sizeof *c->parts))
      return si_fail_memory(r->error);
    /* a primitive without joints follows the first one of its skin */
    s->joints = si_json_find(&r->json, s->attributes, "JOINTS_0") ? joints : 0;
    sinew_character_part part = { .name = kept };
    status = read_primitive(c, s, materials, textures, &part);
    if (status < 0) return status;
    c->parts[c->part_count++] = part;
  }
  return SINEW_OK;
}

static sinew_status read_images(sinew_character *c) {
  si_gltf_reader *r = &c->reader;
  si_gltf_table images = { NULL, 0 };
  sinew_status status = si_gltf_table_read(r, "images", &images);
  if (status < 0) return status;
  c->image_count = images.count;
  c->images = si_arena_take(&c->arena, (images.count + 1) * sizeof *c->images);
  if (!c->images) return si_fail_memory(r->error);
  sinew_error *const error = r->error;
  for (size_t i = 0; i < images.count; i++) {
    sinew_error why;
    sinew_character_image *image = &c->images[i];
    const si_json_value *view = si_json_find(&r->json, images.items[i], "bufferView");
    const si_json_value *uri = si_json_find(&r->json, images.items[i], "uri");
    const si_json_value *type = si_json_find(&r->json, images.items[i], "mimeType");
    char name[64] = "";
    if (type && type->kind == SI_JSON_STRING &&
        !si_json_plain(type->text, type->text_length, name, sizeof name))
      name[0] = '\0';
    image->type = si_arena_text(&c->arena, name, strlen(name));
    if (!image->type) return si_fail_memory(error);
    sinew_error_clear(&why);
    r->error = &why; /* a picture that is missing is only a warning */
    if (view) {
      uint32_t index;
      const unsigned char *bytes;
      status = si_gltf_pick(r, view, &r->views, "bufferView", &index);
      if (status >= 0) status = si_gltf_view(r, index, &bytes, &image->size);
      if (status >= 0) image->bytes = bytes;
    } else if (uri) {
      si_gltf_buffer b = { 0 };
      status = si_gltf_fetch(r, uri, &b);
      unsigned char *kept = status >= 0 ? take(c, b.size, 1) : NULL;
      if (kept) memcpy(kept, b.bytes, b.size);
      image->bytes = kept;
      image->size = kept ? b.size : 0;
      si_free(b.owned);
      if (status >= 0 && !kept) status = si_fail_memory(&why);
    }
    r->error = error;
    if (si_is_lack(status)) return si_fail_memory(error);
    if (status < 0) si_character_warn(c, "image %zu is left out: %.300s", i, why.text);
  }
  return SINEW_OK;
}

sinew_status si_character_read_parts(sinew_character *c) {
  si_gltf_reader *r = &c->reader;
  si_gltf_table materials = { NULL, 0 }, textures = { NULL, 0 };
  uint32_t *skins = si_arena_take(&c->arena, (r->skins.count + 1) * 2 * sizeof *skins);
  source s = { 0 };
  size_t skipped = 0;
  sinew_status status = skins ? read_images(c) : si_fail_memory(r->error);
  if (status >= 0) status = si_gltf_table_read(r, "materials", &materials);
  if (status >= 0) status = si_gltf_table_read(r, "textures", &textures);
  for (size_t i = 0; status >= 0 && i < c->node_count; i++) {
    if (!si_json_find(&r->json, r->visits[i].node, "mesh")) continue;
    s.node = (uint32_t)i;
    status = open_matrices(c, skins, &s);
    if (status >= 0) status = read_mesh(c, &s, &materials, &textures, &skipped);
  }
  if (status < 0) return status;
  if (skipped) si_character_warn(c, "%zu primitives are no triangles and are left out", skipped);
  if (s.normalized)
    si_character_warn(c, "the weights of %zu vertices do not sum to one; they are scaled",
                      s.normalized);
  if (s.loose)
    si_character_warn(c, "%zu vertices of a skin have no weight; they follow its first joint",
                      s.loose);
  if (s.extra)
    si_character_warn(c, "%zu weights beyond the four largest of a vertex are left out", s.extra);
  return SINEW_OK;
}
