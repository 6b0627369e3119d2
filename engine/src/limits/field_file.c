/* The field file, version 1. All numbers are little-endian, floats are IEEE 754 singles:
 *
 *   "SINEWFLD", u32 version, u32 axes, u32 flags (1: sculpted), u32 components, f32 epsilon,
 *   2 x 4 bytes Euler orders (zeros: plain),
 *   for each axis: f32 min, f32 max, u32 resolution, u32 wrap,
 *   f32 distance of each node, f32 nearest feasible point of each node on each axis,
 *   u64 FNV-1a of all bytes before.
 *
 * The checksum detects every change of a single byte, since each step of FNV-1a is one-to-one. */
#include <math.h>
#include <string.h>

#include "limits/field_internal.h"
#include "base/file_internal.h"
#include "base/names.h"

enum { HEAD = 36, AXIS = 16, TAIL = 8, VERSION = 1, SCULPTED = 1 };

static const char magic[8] = { 'S', 'I', 'N', 'E', 'W', 'F', 'L', 'D' };

static unsigned char *put(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
  return to + 4;
}

static unsigned char *put_float(unsigned char *to, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return put(to, bits);
}

static uint32_t get(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static float get_float(const unsigned char *from) {
  uint32_t bits = get(from);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static size_t encoded_bytes(const si_grid *grid) {
  size_t n = (size_t)grid->axis_count;
  return HEAD + n * AXIS + (size_t)grid->nodes * (1 + n) * 4 + TAIL;
}

size_t sinew_field_encoded_bytes(const sinew_field *field) {
  return SI_EXPECT(field) ? encoded_bytes(&field->grid) : 0;
}

void sinew_field_encode(const sinew_field *field, void *dest) {
  if (!SI_EXPECT(field && dest)) return;
  const si_grid *grid = &field->grid;
  const size_t n = (size_t)grid->axis_count;
  unsigned char *start = dest, *to = start;
  memcpy(to, magic, sizeof magic);
  to = put(to + sizeof magic, VERSION);
  to = put(to, (uint32_t)n);
  to = put(to, field->sculpted ? SCULPTED : 0);
  to = put(to, (uint32_t)field->components);
  to = put_float(to, field->epsilon);
  memcpy(to, field->orders, sizeof field->orders);
  to += sizeof field->orders;
  for (size_t i = 0; i < n; i++) {
    to = put_float(to, grid->min[i]);
    to = put_float(to, grid->max[i]);
    to = put(to, (uint32_t)grid->resolution[i]);
    to = put(to, grid->wrap[i]);
  }
  for (size_t i = 0; i < grid->nodes; i++) to = put_float(to, field->phi[i]);
  for (size_t i = 0; i < grid->nodes * n; i++) to = put_float(to, field->nearest[i]);
  uint64_t sum = si_hash(SI_HASH_START, start, (size_t)(to - start));
  put(put(to, (uint32_t)sum), (uint32_t)(sum >> 32));
}

/* reads the header as a desc; only its size was checked so far */
static void read_head(const unsigned char *bytes, sinew_field_desc *desc,
                      char orders[SI_FIELD_ORDERS][5]) {
  uint32_t axes = get(bytes + 12);
  desc->axis_count = axes <= INT32_MAX ? (int)axes : -1;
  desc->epsilon = get_float(bytes + 24);
  for (int i = 0; i < SI_FIELD_ORDERS; i++) {
    memcpy(orders[i], bytes + 28 + 4 * i, 4);
    desc->orders[i] = get(bytes + 28 + 4 * i) ? orders[i] : NULL;
  }
  for (int i = 0; i < desc->axis_count && i < SI_AXES; i++) {
    const unsigned char *from = bytes + HEAD + AXIS * i;
    uint32_t resolution = get(from + 8);
    desc->axes[i] =
        (sinew_field_axis){ get_float(from), get_float(from + 4),
                            resolution <= INT32_MAX ? (int)resolution : -1, get(from + 12) == 1 };
  }
}

/* every check that is possible before the field exists; fills `desc` and `grid` */
static sinew_status check(const char *name, const unsigned char *bytes, size_t size,
                          sinew_field_desc *desc, char orders[SI_FIELD_ORDERS][5], si_grid *grid,
                          sinew_error *error) {
  sinew_error why;
  if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return si_fail(error, SINEW_ERR_FILE, "%s: not a field file", name);
  uint32_t axes = size < HEAD ? 0 : get(bytes + 12);
  if (size < HEAD + AXIS * (size_t)(axes < SI_AXES ? axes : SI_AXES) + TAIL)
    return si_fail(error, SINEW_ERR_FILE, "%s: is cut short at %zu bytes", name, size);
  if (get(bytes + 8) != VERSION)
    return si_fail(error, SINEW_ERR_FILE,
                   "%s: unsupported field version %lu; this program reads version %d", name,
                   (unsigned long)get(bytes + 8), VERSION);
  read_head(bytes, desc, orders);
  if (!si_field_check(desc, grid, &why))
    return si_fail(error, SINEW_ERR_FILE, "%s: is damaged: %s", name, why.text);
  const size_t whole = encoded_bytes(grid);
  if (size != whole)
    return si_fail(error, SINEW_ERR_FILE, "%s: is %s: it has %zu bytes, its head tells of %zu",
                   name, size < whole ? "cut short" : "too long", size, whole);
  const unsigned char *tail = bytes + size - TAIL;
  const uint64_t sum = get(tail) | (uint64_t)get(tail + 4) << 32;
  if (sum != si_hash(SI_HASH_START, bytes, size - TAIL))
    return si_fail(error, SINEW_ERR_FILE, "%s: is damaged: its checksum does not fit", name);
  bool possible =
      get(bytes + 16) <= SCULPTED && get(bytes + 20) <= grid->nodes && desc->epsilon >= 0;
  for (uint32_t i = 0; i < axes; i++) possible &= get(bytes + HEAD + AXIS * i + 12) <= 1;
  if (!possible)
    return si_fail(error, SINEW_ERR_FILE, "%s: is damaged: a number in its head is impossible",
                   name);
  return SINEW_OK;
}

/* the checks that need the data: every number that queries rely on */
static bool sound(const sinew_field *field) {
  const si_grid *grid = &field->grid;
  const int n = grid->axis_count;
  for (uint32_t i = 0; i < grid->nodes; i++) {
    if (!(fabsf(field->phi[i]) <= 1e6f)) return false;
    for (int k = 0; k < n; k++) {
      float x = field->nearest[(size_t)i * (size_t)n + (size_t)k];
      if (!(x >= grid->min[k] && x <= grid->max[k])) return false;
    }
  }
  return true;
}

static sinew_field *decode(const char *name, const unsigned char *bytes, size_t size, size_t limit,
                           sinew_error *error) {
  char orders[SI_FIELD_ORDERS][5] = { "", "" };
  sinew_field_desc desc = { .size = sizeof desc };
  si_grid grid;
  if (check(name, bytes, size, &desc, orders, &grid, error) != SINEW_OK) return NULL;
  if (si_field_size(&grid) > si_field_limit(limit)) {
    si_fail(error, SINEW_ERR_LIMIT, "%s: its field takes %zu bytes, the limit is %zu", name,
            si_field_size(&grid), si_field_limit(limit));
    return NULL;
  }
  sinew_field *field = si_field_create(&grid, desc.orders, desc.epsilon, error);
  if (!field) return NULL;
  field->sculpted = get(bytes + 16) & SCULPTED;
  field->components = (int)get(bytes + 20);
  const unsigned char *from = bytes + HEAD + AXIS * desc.axis_count;
  for (size_t i = 0; i < grid.nodes; i++, from += 4) field->phi[i] = get_float(from);
  for (size_t i = 0; i < (size_t)grid.nodes * (size_t)desc.axis_count; i++, from += 4)
    field->nearest[i] = get_float(from);
  if (sound(field)) return field;
  si_fail(error, SINEW_ERR_FILE, "%s: is damaged: a distance or place in it is impossible", name);
  sinew_field_release(field);
  return NULL;
}

sinew_field *sinew_field_decode(const char *name, const void *bytes, size_t size,
                                size_t memory_limit, sinew_error *error) {
  if (!SI_EXPECT(name && (bytes || size == 0))) {
    si_fail(error, SINEW_ERR_CALL, "field: no name or no bytes");
    return NULL;
  }
  return decode(name, bytes, size, memory_limit, error);
}

sinew_field *sinew_field_load(const char *path, size_t memory_limit, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  if (!SI_EXPECT(path)) {
    si_fail(error, SINEW_ERR_CALL, "field: no path");
    return NULL;
  }
  /* a file is smaller than its field */
  if (si_file_read(path, si_field_limit(memory_limit), &bytes, &size, error) != SINEW_OK)
    return NULL;
  sinew_field *field = decode(path, bytes, size, memory_limit, error);
  si_free(bytes);
  return field;
}

sinew_status sinew_field_save(const sinew_field *field, const char *path, sinew_error *error) {
  if (!SI_EXPECT(field && path)) return si_fail(error, SINEW_ERR_CALL, "field: nothing to save");
  const size_t size = sinew_field_encoded_bytes(field);
  unsigned char *bytes = si_alloc(size);
  if (!bytes) return si_fail_memory(error);
  sinew_field_encode(field, bytes);
  sinew_status status = sinew_file_write(path, bytes, size, error);
  si_free(bytes);
  return status;
}
