/* Following the indices of a glTF file: items of its arrays, and accessors with their bytes. A
 * buffer is decoded on first use; nothing is read past its end. */
#include "shape/gltf_read.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/text.h"

enum { BYTE = 5120, UBYTE = 5121, SHORT = 5122, USHORT = 5123, UINT = 5125, FLOAT = 5126 };
/* bytes of arrays that are no part of a buffer, in all accessors of a file */
enum { most_made = 256 << 20 };

sinew_status si_gltf_whole(const si_gltf_reader *r, const si_json_value *object, const char *key,
                           int64_t missing, uint32_t *dest) {
  const si_json_value *value = si_json_find(&r->json, object, key);
  if (!value && missing < 0) return si_gltf_fail(r, object, "'%s' is missing", key);
  int64_t whole;
  if ((value && value->kind != SI_JSON_NUMBER) ||
      !si_whole(value ? value->number : (double)missing, 0, UINT32_MAX, &whole))
    return si_gltf_fail(r, value ? value : object, "'%s' must be a whole number", key);
  *dest = (uint32_t)whole;
  return SINEW_OK;
}

sinew_status si_gltf_pick(const si_gltf_reader *r, const si_json_value *value,
                          const si_gltf_table *from, const char *what, uint32_t *dest) {
  if (value->kind != SI_JSON_NUMBER || !(value->number >= 0) ||
      value->number != floor(value->number))
    return si_gltf_fail(r, value, "the index of a %s must be a whole number", what);
  if (value->number >= (double)from->count)
    return si_gltf_fail(r, value, "there is no %s %.0f, there are %zu", what, value->number,
                        from->count);
  *dest = (uint32_t)value->number;
  return SINEW_OK;
}

sinew_status si_gltf_pick_member(const si_gltf_reader *r, const si_json_value *object,
                                 const char *key, const si_gltf_table *from, const char *what,
                                 uint32_t *dest) {
  const si_json_value *value = si_json_find(&r->json, object, key);
  if (!value) return si_gltf_fail(r, object, "'%s' is missing", key);
  return si_gltf_pick(r, value, from, what, dest);
}

sinew_status si_gltf_table_read(si_gltf_reader *r, const char *key, si_gltf_table *dest) {
  const si_json_value *list = si_json_find(&r->json, r->json.values, key);
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST) return si_gltf_fail(r, list, "'%s' must be a list", key);
  dest->items = si_arena_take(&r->arena, ((size_t)list->count + 1) * sizeof *dest->items);
  if (!dest->items) return si_fail_memory(r->error);
  const si_json_value *value = si_json_first(list);
  for (; dest->count < list->count; value = si_json_after(&r->json, value)) {
    if (value->kind != SI_JSON_OBJECT) return si_gltf_fail(r, value, "'%s' must hold objects", key);
    dest->items[dest->count++] = value;
  }
  return SINEW_OK;
}

/* base64 in a JSON string, where '/' may be escaped as "\/" */
static sinew_status decode(const si_gltf_reader *r, const si_json_value *uri, const char *at,
                           si_gltf_buffer *b) {
  const char *end = uri->text + uri->text_length;
  b->owned = si_work((size_t)(end - at) / 8) ? si_alloc((size_t)(end - at) / 4 * 3 + 4) : NULL;
  if (!b->owned) return si_fail_memory(r->error);
  b->bytes = b->owned;
  uint32_t bits = 0, filled = 0;
  for (; at < end && *at != '='; at++) {
    if (*at == '\\' && end - at > 1 && at[1] == '/') at++;
    int digit = si_base64_digit(*at);
    if (digit < 0) return si_gltf_fail(r, uri, "the data of a buffer is not base64");
    bits = bits << 6 | (uint32_t)digit;
    filled += 6;
    if (filled < 8) continue;
    filled -= 8;
    b->owned[b->size++] = (unsigned char)(bits >> filled);
  }
  for (; at < end; at++)
    if (*at != '=') return si_gltf_fail(r, uri, "the data of a buffer continues after its padding");
  return SINEW_OK;
}

/* the path of a file beside the glTF, with %20 and the like decoded; NULL when memory runs out */
static char *beside(const si_gltf_reader *r, const char *name) {
  const char *slash = strrchr(r->name, '/');
  const size_t folder = slash ? (size_t)(slash - r->name) + 1 : 0;
  char *path = si_alloc(folder + strlen(name) + 1), *to = path ? path + folder : NULL;
  if (!path) return NULL;
  memcpy(path, r->name, folder);
  for (; *name; name++) {
    static const char digits[] = "0123456789abcdef";
    const char *high = name[0] == '%' && name[1] ? strchr(digits, name[1] | 32) : NULL;
    const char *low = high && name[2] ? strchr(digits, name[2] | 32) : NULL;
    *to++ = low ? (char)((high - digits) << 4 | (low - digits)) : *name;
    if (low) name += 2;
  }
  return path;
}

/* a relative path that stays in the folder */
static bool is_beside(const char *name) {
  for (const char *at = name; at; at = strchr(at, '/')) {
    if (*at == '/' && at++ == name) return false;
    if (strncmp(at, "..", 2) == 0) return false;
  }
  return *name && !strchr(name, ':') && !strchr(name, '\\');
}

static sinew_status read_beside(const si_gltf_reader *r, const si_json_value *uri,
                                si_gltf_buffer *b) {
  char name[1024];
  if (!si_json_plain(uri->text, uri->text_length, name, sizeof name) || !is_beside(name))
    return si_gltf_fail(r, uri, "the file '%.*s' is not in the folder of the glTF",
                        (int)(uri->text_length < 60 ? uri->text_length : 60), uri->text);
  char *path = beside(r, name);
  if (!path) return si_fail_memory(r->error);
  sinew_error why;
  sinew_status status =
      is_beside(path + (strrchr(r->name, '/') ? strrchr(r->name, '/') + 1 - r->name : 0))
          ? si_file_read(path, SI_GLTF_FILE, &b->owned, &b->size, &why)
          : si_fail(&why, SINEW_ERR_FILE, "it is not in the folder of the glTF");
  si_free(path);
  if (status < 0) return si_gltf_fail(r, uri, "the file '%.100s': %.300s", name, why.text);
  b->bytes = b->owned;
  return SINEW_OK;
}

sinew_status si_gltf_fetch(const si_gltf_reader *r, const si_json_value *uri, si_gltf_buffer *b) {
  if (uri->kind != SI_JSON_STRING) return si_gltf_fail(r, uri, "'uri' must be a string");
  const char *text = uri->text, *comma;
  if (uri->text_length < 5 || memcmp(text, "data:", 5) != 0)
    return r->beside ? read_beside(r, uri, b)
                     : si_gltf_fail(r, uri,
                                    "the buffer '%.*s' is in another file, which is not supported; "
                                    "save it as .glb or with its buffers inside",
                                    (int)(uri->text_length < 60 ? uri->text_length : 60), text);
  comma = memchr(text, ',', uri->text_length);
  if (!comma || comma - text < 7 || memcmp(comma - 7, ";base64", 7) != 0)
    return si_gltf_fail(r, uri, "the data of a buffer is not base64");
  return decode(r, uri, comma + 1, b);
}

static sinew_status read_buffer(const si_gltf_reader *r, uint32_t index, si_gltf_buffer *b) {
  const si_json_value *object = r->buffers.items[index];
  const si_json_value *uri = si_json_find(&r->json, object, "uri");
  uint32_t length;
  sinew_status status = si_gltf_whole(r, object, "byteLength", -1, &length);
  if (status < 0) return status;
  if (!uri) {
    if (index > 0 || !r->chunk) return si_gltf_fail(r, object, "buffer %u has no data", index);
    b->bytes = r->chunk;
    b->size = r->chunk_size;
  } else if ((status = si_gltf_fetch(r, uri, b)) < 0) {
    return status;
  }
  if (b->size < length)
    return si_gltf_fail(r, object, "buffer %u has %zu bytes, its byteLength is %u", index, b->size,
                        length);
  b->size = length;
  b->known = true;
  return SINEW_OK;
}

/* A buffer that cannot be read may be asked for again: an image that is missing is a warning. */
static sinew_status open_buffer(const si_gltf_reader *r, uint32_t index) {
  if (r->loaded[index].known) return SINEW_OK;
  si_gltf_buffer b = { 0 };
  sinew_status status = read_buffer(r, index, &b);
  if (status < 0)
    si_free(b.owned);
  else
    r->loaded[index] = b;
  return status;
}

sinew_status si_gltf_view(const si_gltf_reader *r, uint32_t index, const unsigned char **bytes,
                          size_t *size) {
  const si_json_value *v = r->views.items[index];
  uint32_t buffer_index, offset, length;
  sinew_status status;
  if ((status = si_gltf_pick_member(r, v, "buffer", &r->buffers, "buffer", &buffer_index)) < 0 ||
      (status = si_gltf_whole(r, v, "byteOffset", 0, &offset)) < 0 ||
      (status = si_gltf_whole(r, v, "byteLength", -1, &length)) < 0 ||
      (status = open_buffer(r, buffer_index)) < 0)
    return status;
  if ((uint64_t)offset + length > r->loaded[buffer_index].size)
    return si_gltf_fail(r, v, "bufferView %u reaches past the end of buffer %u", index,
                        buffer_index);
  *bytes = r->loaded[buffer_index].bytes + offset;
  *size = length;
  return SINEW_OK;
}

static size_t component_size(uint32_t component) {
  if (component == BYTE || component == UBYTE) return 1;
  return component == SHORT || component == USHORT ? 2 : 4;
}

/* an array of our own */
static sinew_status make_array(si_gltf_reader *r, const si_json_value *at, uint64_t size,
                               unsigned char **dest) {
  if (size > most_made || (r->made += (size_t)size) > most_made)
    return si_gltf_fail(r, at, "the sparse or quantized accessors have more than %d MB",
                        most_made >> 20);
  *dest = si_arena_take(&r->arena, (size_t)size);
  return *dest ? SINEW_OK : si_fail_memory(r->error);
}

/* `count` elements of `size` bytes, as an accessor or one of the two parts of a sparse one has
 * them */
static sinew_status find_bytes(const si_gltf_reader *r, const si_json_value *a, uint32_t index,
                               size_t size, uint32_t count, si_gltf_span *dest) {
  uint32_t view_index, offset, stride;
  sinew_status status;
  if ((status = si_gltf_pick_member(r, a, "bufferView", &r->views, "bufferView", &view_index)) <
          0 ||
      (status = si_gltf_whole(r, a, "byteOffset", 0, &offset)) < 0)
    return status;
  const si_json_value *v = r->views.items[view_index];
  size_t length;
  if ((status = si_gltf_whole(r, v, "byteStride", (int64_t)size, &stride)) < 0 ||
      (status = si_gltf_view(r, view_index, &dest->bytes, &length)) < 0)
    return status;
  if (stride < size || stride > 252)
    return si_gltf_fail(r, v, "bufferView %u has a byteStride of %u", view_index, stride);
  /* all of these are below 2^32, so that 64 bits hold the sums */
  if ((uint64_t)offset + (uint64_t)(count - 1) * stride + size > length)
    return si_gltf_fail(r, a, "accessor %u reaches past the end of bufferView %u", index,
                        view_index);
  dest->bytes += offset;
  dest->stride = stride;
  return SINEW_OK;
}

/* a sparse accessor: a copy, zeros without a bufferView, in which some elements are replaced */
static sinew_status read_sparse(si_gltf_reader *r, const si_json_value *a, uint32_t index,
                                size_t size, si_gltf_span *dest) {
  const si_json_value *sparse = si_json_find(&r->json, a, "sparse");
  const si_json_value *at = si_json_find(&r->json, sparse, "indices");
  const si_json_value *with = si_json_find(&r->json, sparse, "values");
  si_gltf_span base = { 0 }, places, values;
  unsigned char *made = NULL;
  uint32_t count, component;
  if (!at || !with)
    return si_gltf_fail(r, a, "the sparse accessor %u has no 'indices' or no 'values'", index);
  sinew_status status = SINEW_OK;
  if (si_json_find(&r->json, a, "bufferView"))
    status = find_bytes(r, a, index, size, (uint32_t)dest->count, &base);
  if (status < 0 || (status = si_gltf_whole(r, sparse, "count", -1, &count)) < 0 ||
      (status = si_gltf_whole(r, at, "componentType", -1, &component)) < 0)
    return status;
  const size_t place_size = component_size(component);
  if ((component != UBYTE && component != USHORT && component != UINT) || count == 0 ||
      count > dest->count)
    return si_gltf_fail(r, sparse, "accessor %u replaces %u of its %zu elements", index, count,
                        dest->count);
  if ((status = find_bytes(r, at, index, place_size, count, &places)) < 0 ||
      (status = find_bytes(r, with, index, size, count, &values)) < 0 ||
      (status = make_array(r, a, (uint64_t)dest->count * size, &made)) < 0)
    return status;
  for (size_t i = 0; base.bytes && i < dest->count; i++)
    memcpy(made + i * size, base.bytes + i * base.stride, size);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = si_gltf_little(places.bytes + i * places.stride, (int)place_size);
    if (place >= dest->count)
      return si_gltf_fail(r, sparse, "accessor %u replaces element %u of %zu", index, place,
                          dest->count);
    memcpy(made + place * size, values.bytes + i * values.stride, size);
  }
  dest->bytes = made;
  dest->stride = size;
  return SINEW_OK;
}

/* whole numbers as floats */
static sinew_status spread(si_gltf_reader *r, const si_json_value *a, size_t parts,
                           si_gltf_span *dest) {
  const si_json_value *flag = si_json_find(&r->json, a, "normalized");
  const bool normalized = flag && flag->kind == SI_JSON_TRUE;
  const bool is_signed = dest->component == BYTE || dest->component == SHORT;
  const int size = (int)component_size(dest->component);
  const float most = (float)((1 << (8 * size - is_signed)) - 1);
  unsigned char *made;
  sinew_status status = make_array(r, a, (uint64_t)dest->count * parts * sizeof(float), &made);
  if (status < 0) return status;
  for (size_t i = 0; i < dest->count; i++)
    for (size_t k = 0; k < parts; k++) {
      uint32_t bits = si_gltf_little(dest->bytes + i * dest->stride + k * (size_t)size, size);
      float value = (float)bits;
      if (is_signed) value = size == 1 ? (float)(int8_t)bits : (float)(int16_t)bits;
      if (normalized) value = fmaxf(value / most, -1);
      /* in the order of the file's bytes, as all other arrays */
      uint32_t word;
      memcpy(&word, &value, sizeof word);
      for (size_t e = 0; e < 4; e++) made[4 * (i * parts + k) + e] = (unsigned char)(word >> 8 * e);
    }
  dest->bytes = made;
  dest->stride = 4 * parts;
  dest->component = FLOAT;
  return SINEW_OK;
}

sinew_status si_gltf_accessor(si_gltf_reader *r, const si_json_value *object, const char *key,
                              const char *type, si_gltf_span *dest) {
  uint32_t index, count;
  sinew_status status = si_gltf_pick_member(r, object, key, &r->accessors, "accessor", &index);
  if (status < 0) return status;
  const si_json_value *a = r->accessors.items[index];
  if (!si_json_is(si_json_find(&r->json, a, "type"), type))
    return si_gltf_fail(r, a, "accessor %u of '%s' must be a %s", index, key, type);
  const size_t parts = type[0] == 'S' ? 1 : type[0] == 'M' ? 16 : (size_t)(type[3] - '0');
  if ((status = si_gltf_whole(r, a, "count", -1, &count)) < 0 ||
      (status = si_gltf_whole(r, a, "componentType", -1, &dest->component)) < 0)
    return status;
  const uint32_t component = dest->component;
  const size_t size = component_size(component) * parts;
  const bool small = component == UBYTE || component == USHORT;
  const bool whole = small || (component == UINT && parts == 1);
  const bool tiny = small || component == BYTE || component == SHORT;
  const bool real = component == FLOAT;
  /* indices and joints are whole, weights, texture coordinates and animations may be, and with
   * KHR_mesh_quantization positions and normals; all else is not */
  const bool animated = strcmp(key, "output") == 0, uvs = key[0] == 'T';
  const bool vectors = key[0] == 'P' || key[0] == 'N' || uvs;
  bool fits = real;
  if ((parts == 1 && strcmp(key, "input") != 0) || key[0] == 'J')
    fits = whole;
  else if (key[0] == 'W')
    fits = small || real;
  else if (animated || (vectors && r->quantized))
    fits = tiny || real;
  else if (uvs)
    fits = small || real;
  if (!fits)
    return si_gltf_fail(r, a, "accessor %u of '%s' has components of type %u", index, key,
                        component);
  if (count == 0) return si_gltf_fail(r, a, "accessor %u is empty", index);
  if (!si_work(10 + (size_t)count * parts / 4)) return si_fail_memory(r->error);
  dest->count = count;
  status = si_json_find(&r->json, a, "sparse") ? read_sparse(r, a, index, size, dest)
                                               : find_bytes(r, a, index, size, count, dest);
  if (status < 0 || real || !(vectors || animated)) return status;
  return spread(r, a, parts, dest);
}

uint32_t si_gltf_little(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) value |= (uint32_t)bytes[i] << 8 * i;
  return value;
}

int si_gltf_component_size(const si_gltf_span *s) { return (int)component_size(s->component); }

float si_gltf_float(const unsigned char *bytes) {
  uint32_t bits = si_gltf_little(bytes, 4);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
