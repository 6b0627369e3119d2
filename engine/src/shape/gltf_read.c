/* glTF 2.0 (Khronos, ISO/IEC 12113), as far as a mesh to draw needs it: the triangles of the meshes
 * that the nodes of the default scene reach. */
#include "shape/gltf_read.h"

#include <string.h>

#include "base/alloc.h"

sinew_status si_gltf_start(si_gltf_reader *r) {
  const si_json_value *root = r->json.values;
  const si_json_value *version =
      si_json_find(&r->json, si_json_find(&r->json, root, "asset"), "version");
  if (!version || version->kind != SI_JSON_STRING || version->text_length < 2 ||
      memcmp(version->text, "2.", 2) != 0)
    return si_gltf_fail(r, version ? version : root,
                        "not glTF 2.0 according to the version in 'asset'");
  sinew_status status;
  if ((status = si_gltf_table_read(r, "nodes", &r->nodes)) < 0 ||
      (status = si_gltf_table_read(r, "meshes", &r->meshes)) < 0 ||
      (status = si_gltf_table_read(r, "accessors", &r->accessors)) < 0 ||
      (status = si_gltf_table_read(r, "bufferViews", &r->views)) < 0 ||
      (status = si_gltf_table_read(r, "buffers", &r->buffers)) < 0 ||
      (status = si_gltf_table_read(r, "skins", &r->skins)) < 0)
    return status;
  r->quantized = si_gltf_lists(r, "extensionsUsed", "KHR_mesh_quantization");
  r->loaded = si_arena_take(&r->arena, (r->buffers.count + 1) * sizeof *r->loaded);
  r->visits = si_arena_take(&r->arena, (r->nodes.count + 1) * sizeof *r->visits);
  r->reached = si_arena_take(&r->arena, (r->nodes.count + 1) * sizeof *r->reached);
  r->joint_of = si_arena_take(&r->arena, (r->nodes.count + 1) * sizeof *r->joint_of);
  if (!r->loaded || !r->visits || !r->reached || !r->joint_of) return si_fail_memory(r->error);
  return SINEW_OK;
}

bool si_gltf_lists(const si_gltf_reader *r, const char *key, const char *text) {
  const si_json_value *list = si_json_find(&r->json, r->json.values, key);
  if (!list || list->kind != SI_JSON_LIST) return false;
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value))
    if (si_json_is(value, text)) return true;
  return false;
}

static sinew_status check_extensions(const si_gltf_reader *r) {
  const si_json_value *needed = si_json_find(&r->json, r->json.values, "extensionsRequired");
  if (!needed || needed->kind != SI_JSON_LIST) return SINEW_OK;
  const si_json_value *value = si_json_first(needed);
  for (uint32_t i = 0; i < needed->count; i++, value = si_json_after(&r->json, value)) {
    if (si_json_is(value, "KHR_mesh_quantization")) continue;
    int length = value->kind != SI_JSON_STRING ? 0 : (int)value->text_length;
    return si_gltf_fail(r, value, "the required extension '%.*s' is not supported",
                        length < 60 ? length : 60, length ? value->text : "");
  }
  return SINEW_OK;
}

/* the two chunks of a .glb */
static sinew_status open_glb(si_gltf_reader *r, const unsigned char *bytes, size_t size,
                             const char **text, size_t *length) {
  if (size < 20 || memcmp(bytes, "glTF", 4) != 0)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: is not a .glb file", r->name);
  if (si_gltf_little(bytes + 4, 4) != 2)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: unsupported glTF version %u; only 2 is supported",
                   r->name, si_gltf_little(bytes + 4, 4));
  if (si_gltf_little(bytes + 8, 4) != size)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: has %zu bytes, but its header says %u", r->name,
                   size, si_gltf_little(bytes + 8, 4));
  *length = si_gltf_little(bytes + 12, 4);
  if (memcmp(bytes + 16, "JSON", 4) != 0 || *length > size - 20)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: the first chunk is not JSON, or truncated",
                   r->name);
  *text = (const char *)bytes + 20;
  const unsigned char *rest = bytes + 20 + *length;
  size_t left = size - 20 - *length;
  if (left < 8 || memcmp(rest + 4, "BIN\0", 4) != 0) return SINEW_OK;
  if (si_gltf_little(rest, 4) > left - 8)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: the binary chunk is truncated", r->name);
  r->chunk = rest + 8;
  r->chunk_size = si_gltf_little(rest, 4);
  return SINEW_OK;
}

sinew_status si_gltf_open(si_gltf_reader *r, const unsigned char *bytes, size_t size, bool binary) {
  const char *text = (const char *)bytes;
  size_t length = size;
  sinew_status status = binary ? open_glb(r, bytes, size, &text, &length) : SINEW_OK;
  if (status >= 0) status = si_json_read(r->name, text, length, SI_JSON_VALUES, &r->json, r->error);
  return status;
}

void si_gltf_close(si_gltf_reader *r) {
  for (size_t i = 0; r->loaded && i < r->buffers.count; i++) si_free(r->loaded[i].owned);
  si_free(r->joints);
  si_free(r->joint_moves);
  si_arena_free(&r->arena);
  si_json_free(&r->json);
}

sinew_status si_gltf_read(const char *name, const unsigned char *bytes, size_t size, bool binary,
                          si_mesh_parts *dest, sinew_error *error) {
  si_gltf_reader r = { .name = name, .dest = dest, .error = error };
  sinew_status status = si_gltf_open(&r, bytes, size, binary);
  if (status >= 0) status = check_extensions(&r);
  if (status >= 0) status = si_gltf_start(&r);
  if (status >= 0) status = si_gltf_walk(&r);
  if (status >= 0) status = si_gltf_add_meshes(&r);
  si_gltf_close(&r);
  return status;
}
