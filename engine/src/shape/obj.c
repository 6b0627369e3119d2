/* Wavefront OBJ, as far as a closed surface needs it: `v x y z` and `f`, whose corners are v, v/vt,
 * v//vn or v/vt/vn with indices from 1 or, if negative, counted back from the last vertex. Other
 * lines are ignored. Numbers do not depend on the locale. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/scan.h"
#include "base/text.h"
#include "shape/surface_internal.h"

enum { TEXT_LIMIT = 256 << 20, CORNER_LIMIT = 1024 };

typedef struct reader {
  si_scan scan;
  float *vertices;
  size_t vertex_count, vertex_room; /* rooms count numbers */
  uint32_t *triangles, *lines;
  size_t triangle_count, triangle_room, line_room;
} reader;

static bool is_digit(const char *at, const char *end) {
  return at < end && *at >= '0' && *at <= '9';
}

static sinew_status read_vertex(reader *r) {
  if (r->vertex_count >= SI_SURFACE_LIMIT)
    return si_scan_fail_as(&r->scan, SINEW_ERR_LIMIT, "more than %d vertices", SI_SURFACE_LIMIT);
  if (!si_grow(&r->vertices, &r->vertex_room, 3 * r->vertex_count + 3, sizeof *r->vertices))
    return si_fail_memory(r->scan.error);
  for (int i = 0; i < 3; i++) {
    double value;
    si_word word;
    if (!si_scan_word(&r->scan, &word))
      return si_scan_fail(&r->scan, "a vertex has %d coordinates, expected 3", i);
    const char *at = word.at, *end = word.at + word.length;
    if (!si_number_read(&at, end, &value) || at != end)
      return si_scan_fail(&r->scan, "'%.*s' is not a number", SI_SHOWN(word));
    if (!(fabs(value) <= (double)SINEW_SURFACE_EXTENT))
      return si_scan_fail(&r->scan, "the coordinate %.*s is not within +-%g", SI_SHOWN(word),
                          (double)SINEW_SURFACE_EXTENT);
    r->vertices[3 * r->vertex_count + (size_t)i] = (float)value;
  }
  r->vertex_count++;
  return SINEW_OK;
}

/* v, v/vt, v//vn or v/vt/vn: the index of the vertex, from 0 */
static sinew_status read_corner(reader *r, si_word word, uint32_t *dest) {
  const char *at = word.at, *end = word.at + word.length;
  const bool negative = *at == '-';
  long long index = 0;
  if (negative) at++;
  const bool numbered = is_digit(at, end);
  for (; is_digit(at, end); at++)
    if (index <= SI_SURFACE_LIMIT) index = index * 10 + (*at - '0');
  for (int part = 0; part < 2 && at < end && *at == '/'; part++) {
    at++;
    if (at < end && *at == '-') at++;
    while (is_digit(at, end)) at++;
  }
  if (!numbered || at != end)
    return si_scan_fail(&r->scan, "'%.*s' is not a corner of a face", SI_SHOWN(word));
  long long count = (long long)r->vertex_count, from = negative ? count - index : index - 1;
  if (index == 0 || from < 0 || from >= count)
    return si_scan_fail(&r->scan, "a face has vertex %s%lld, there are %lld so far",
                        negative ? "-" : "", index, count);
  *dest = (uint32_t)from;
  return SINEW_OK;
}

static sinew_status add_triangles(reader *r, const uint32_t *corners, uint32_t count,
                                  unsigned long line) {
  uint32_t places[3 * CORNER_LIMIT];
  if (!si_polygon_cut(r->vertices, corners, count, places))
    return si_scan_fail(&r->scan,
                        "a concave face has %lu corners, at most %d can be cut into triangles",
                        (unsigned long)count, SI_POLYGON_LIMIT);
  const size_t more = count - 2;
  if (r->triangle_count + more > SI_SURFACE_LIMIT)
    return si_scan_fail_as(&r->scan, SINEW_ERR_LIMIT, "more than %d triangles", SI_SURFACE_LIMIT);
  const size_t total = r->triangle_count + more;
  if (!si_grow(&r->triangles, &r->triangle_room, 3 * total, sizeof *r->triangles) ||
      !si_grow(&r->lines, &r->line_room, total, sizeof *r->lines))
    return si_fail_memory(r->scan.error);
  for (size_t i = 0; i < more; i++) {
    for (size_t k = 0; k < 3; k++)
      r->triangles[3 * (r->triangle_count + i) + k] = corners[places[3 * i + k]];
    r->lines[r->triangle_count + i] = (uint32_t)line;
  }
  r->triangle_count += more;
  return SINEW_OK;
}

static sinew_status read_face(reader *r) {
  uint32_t corners[CORNER_LIMIT], count = 0;
  const unsigned long line = r->scan.line;
  for (si_word word; si_scan_word(&r->scan, &word); count++) {
    if (count == CORNER_LIMIT)
      return si_scan_fail_as(&r->scan, SINEW_ERR_LIMIT, "a face has more than %d corners",
                             CORNER_LIMIT);
    sinew_status status = read_corner(r, word, &corners[count]);
    if (status != SINEW_OK) return status;
    if (count > 0 && corners[count] == corners[count - 1])
      return si_scan_fail(&r->scan, "a face has vertex %lu twice in a row",
                          (unsigned long)corners[count] + 1);
  }
  if (count < 3)
    return si_scan_fail(&r->scan, "a face has %lu corners, expected at least 3",
                        (unsigned long)count);
  if (corners[0] == corners[count - 1])
    return si_scan_fail(&r->scan, "a face ends with the vertex %lu that it starts with",
                        (unsigned long)corners[0] + 1);
  return add_triangles(r, corners, count, line);
}

static sinew_status read_text(reader *r) {
  sinew_status status = SINEW_OK;
  do {
    si_word word;
    if (!si_scan_word(&r->scan, &word) || word.length != 1) continue;
    if (*word.at == 'v') status = read_vertex(r);
    if (*word.at == 'f') status = read_face(r);
  } while (status == SINEW_OK && si_scan_line(&r->scan));
  if (si_stopped()) return si_fail_memory(r->scan.error);
  if (status == SINEW_OK && r->triangle_count == 0)
    return si_fail(r->scan.error, SINEW_ERR_FILE, "%s: has no faces", r->scan.name);
  return status;
}

sinew_surface *sinew_surface_parse_obj(const char *name, const char *text, size_t size,
                                       sinew_error *error) {
  if (!SI_EXPECT(name && (text || size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "surface: no name or no text");
  reader r = { .scan = si_scan_start(name, text, size, error) };
  r.scan.comments = r.scan.joined_lines = true;
  sinew_surface *surface = NULL;
  if (read_text(&r) == SINEW_OK)
    surface =
        si_surface_make(r.vertices, r.vertex_count, r.triangles, r.lines, r.triangle_count, error);
  si_free(r.vertices);
  si_free(r.triangles);
  si_free(r.lines);
  return surface;
}

sinew_surface *sinew_surface_load_obj(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "surface: no path");
  if (si_file_read(path, TEXT_LIMIT, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_surface *surface = sinew_surface_parse_obj(path, (const char *)bytes, size, error);
  si_free(bytes);
  return surface;
}

/* writes one line of at most 64 bytes: three numbers have 16 bytes each */
static size_t write_vertex(char *to, const float *v) {
  int length = snprintf(to, 64, "v %.9g %.9g %.9g\n", (double)v[0], (double)v[1], (double)v[2]);
  for (int i = 0; i < length; i++)
    if (to[i] == ',') to[i] = '.';
  return (size_t)length;
}

sinew_status sinew_surface_save_obj(const sinew_surface *surface, const char *path,
                                    sinew_error *error) {
  if (!SI_EXPECT(surface && path))
    return si_fail(error, SINEW_ERR_CALL, "surface: nothing to save");
  char *text = si_alloc_array(surface->vertex_count + surface->triangle_count + 1, 64);
  if (!text) return si_fail_memory(error);
  size_t size = (size_t)snprintf(text, 64, "# sinew: x y z are three angles in degrees\n");
  for (size_t i = 0; i < surface->vertex_count; i++)
    size += write_vertex(text + size, surface->vertices + 3 * i);
  for (size_t i = 0; i < surface->triangle_count; i++) {
    const uint32_t *t = surface->triangles + 3 * i;
    size +=
        (size_t)snprintf(text + size, 64, "f %lu %lu %lu\n", t[0] + 1ul, t[1] + 1ul, t[2] + 1ul);
  }
  sinew_status status = sinew_file_write(path, text, size, error);
  si_free(text);
  return status;
}
