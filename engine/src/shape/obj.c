/* Wavefront OBJ, as far as a closed surface needs it: `v x y z` and `f`, whose corners are v, v/vt,
 * v//vn or v/vt/vn with indices from 1 or, negative, back from the last vertex. All other lines
 * are passed over. Numbers are read and written the same way in every locale. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file_internal.h"
#include "shape/surface_internal.h"
#include "base/text.h"

enum { TEXT_LIMIT = 256 << 20, CORNER_LIMIT = 1024 };

typedef struct reader {
  const char *name, *at, *end;
  unsigned long line;
  float *vertices;
  size_t vertex_count, vertex_room; /* rooms count numbers */
  uint32_t *triangles, *lines;
  size_t triangle_count, triangle_room, line_room;
  sinew_error *error;
} reader;

static sinew_status fail(const reader *r, sinew_status status, const char *format, ...)
    SI_PRINTF(3, 4);

static sinew_status fail(const reader *r, sinew_status status, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return si_fail(r->error, status, "%s:%lu: %s", r->name, r->line, text);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

/* to the next word of this line, over joined lines; false at its end */
static bool next_word(reader *r) {
  for (; r->at < r->end; r->at++) {
    if (*r->at == '\\' && r->end - r->at > 1 &&
        (r->at[1] == '\n' || (r->at[1] == '\r' && r->end - r->at > 2 && r->at[2] == '\n'))) {
      r->at += r->at[1] == '\r' ? 2 : 1;
      r->line++;
    } else if (!is_blank(*r->at)) {
      return *r->at != '\n' && *r->at != '#';
    }
  }
  return false;
}

static bool at_word_end(const reader *r) {
  return r->at == r->end || is_blank(*r->at) || *r->at == '\n' || *r->at == '\\' || *r->at == '#';
}

/* the word at which reading stopped, for a message */
static int word_length(const reader *r, const char *word) {
  int length = 0;
  while (word + length < r->end && length < 40 && !is_blank(word[length]) && word[length] != '\n')
    length++;
  return length;
}

static bool read_number(reader *r, double *dest) {
  return si_number_read(&r->at, r->end, dest) && at_word_end(r);
}

static sinew_status read_vertex(reader *r) {
  void *items = r->vertices;
  if (r->vertex_count >= SI_SURFACE_LIMIT)
    return fail(r, SINEW_ERR_LIMIT, "more than %d vertices", SI_SURFACE_LIMIT);
  bool grown = si_grow(&items, &r->vertex_room, 3 * r->vertex_count + 3, sizeof(float));
  r->vertices = items;
  if (!grown) return si_fail_memory(r->error);
  for (int i = 0; i < 3; i++) {
    double value;
    if (!next_word(r)) return fail(r, SINEW_ERR_FILE, "a vertex has %d coordinates, expected 3", i);
    const char *word = r->at;
    if (!read_number(r, &value))
      return fail(r, SINEW_ERR_FILE, "'%.*s' is no number", word_length(r, word), word);
    if (!(fabs(value) <= (double)SINEW_SURFACE_EXTENT))
      return fail(r, SINEW_ERR_FILE, "the coordinate %.*s is not within +-%g", word_length(r, word),
                  word, (double)SINEW_SURFACE_EXTENT);
    r->vertices[3 * r->vertex_count + (size_t)i] = (float)value;
  }
  r->vertex_count++;
  return SINEW_OK;
}

/* v, v/vt, v//vn or v/vt/vn: the vertex, counted from 0 */
static sinew_status read_corner(reader *r, uint32_t *dest) {
  const char *word = r->at;
  bool negative = *r->at == '-', good = true;
  long long index = 0;
  if (negative) r->at++;
  if (r->at == r->end || !is_digit(*r->at)) good = false;
  for (; r->at < r->end && is_digit(*r->at); r->at++)
    if (index <= SI_SURFACE_LIMIT) index = index * 10 + (*r->at - '0');
  for (int part = 0; part < 2 && r->at < r->end && *r->at == '/'; part++) {
    r->at++;
    if (r->at < r->end && *r->at == '-') r->at++;
    while (r->at < r->end && is_digit(*r->at)) r->at++;
  }
  if (!good || !at_word_end(r))
    return fail(r, SINEW_ERR_FILE, "'%.*s' is no corner of a face", word_length(r, word), word);
  long long count = (long long)r->vertex_count, from = negative ? count - index : index - 1;
  if (index == 0 || from < 0 || from >= count)
    return fail(r, SINEW_ERR_FILE, "a face has vertex %s%lld, there are %lld so far",
                negative ? "-" : "", index, count);
  *dest = (uint32_t)from;
  return SINEW_OK;
}

static sinew_status add_triangles(reader *r, const uint32_t *corners, uint32_t count,
                                  unsigned long line) {
  uint32_t places[3 * CORNER_LIMIT];
  if (!si_polygon_cut(r->vertices, corners, count, places))
    return fail(r, SINEW_ERR_FILE,
                "a concave face has %lu corners, at most %d can be cut into triangles",
                (unsigned long)count, SI_POLYGON_LIMIT);
  const size_t more = count - 2;
  if (r->triangle_count + more > SI_SURFACE_LIMIT)
    return fail(r, SINEW_ERR_LIMIT, "more than %d triangles", SI_SURFACE_LIMIT);
  void *items = r->triangles, *rows = r->lines;
  bool grown = si_grow(&items, &r->triangle_room, 3 * (r->triangle_count + more), sizeof(uint32_t));
  r->triangles = items;
  bool kept = si_grow(&rows, &r->line_room, r->triangle_count + more, sizeof(uint32_t));
  r->lines = rows;
  if (!grown || !kept) return si_fail_memory(r->error);
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
  const unsigned long line = r->line;
  for (; next_word(r); count++) {
    if (count == CORNER_LIMIT)
      return fail(r, SINEW_ERR_LIMIT, "a face has more than %d corners", CORNER_LIMIT);
    sinew_status status = read_corner(r, &corners[count]);
    if (status != SINEW_OK) return status;
    if (count > 0 && corners[count] == corners[count - 1])
      return fail(r, SINEW_ERR_FILE, "a face has vertex %lu twice in a row",
                  (unsigned long)corners[count] + 1);
  }
  if (count < 3)
    return fail(r, SINEW_ERR_FILE, "a face has %lu corners, expected at least 3",
                (unsigned long)count);
  if (corners[0] == corners[count - 1])
    return fail(r, SINEW_ERR_FILE, "a face ends with the vertex %lu that it starts with",
                (unsigned long)corners[0] + 1);
  return add_triangles(r, corners, count, line);
}

static sinew_status read_line(reader *r) {
  if (!next_word(r)) return SINEW_OK;
  const char *word = r->at++;
  if (!at_word_end(r)) return SINEW_OK;
  return *word == 'v' ? read_vertex(r) : *word == 'f' ? read_face(r) : SINEW_OK;
}

static sinew_status read_text(reader *r) {
  if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) r->at += 3;
  for (r->line = 1; r->at < r->end; r->line++) {
    sinew_status status = read_line(r);
    if (status != SINEW_OK) return status;
    while (r->at < r->end && *r->at != '\n') r->at++;
    if (r->at < r->end) r->at++;
  }
  if (r->triangle_count == 0) return si_fail(r->error, SINEW_ERR_FILE, "%s: has no faces", r->name);
  return SINEW_OK;
}

sinew_surface *sinew_surface_parse_obj(const char *name, const char *text, size_t size,
                                       sinew_error *error) {
  if (!SI_EXPECT(name && (text || size == 0))) {
    si_fail(error, SINEW_ERR_CALL, "surface: no name or no text");
    return NULL;
  }
  reader r = { .name = name, .at = text, .end = text + size, .error = error };
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
  if (!SI_EXPECT(path)) {
    si_fail(error, SINEW_ERR_CALL, "surface: no path");
    return NULL;
  }
  if (si_file_read(path, TEXT_LIMIT, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_surface *surface = sinew_surface_parse_obj(path, (const char *)bytes, size, error);
  si_free(bytes);
  return surface;
}

/* writes one line; the longest has three numbers of 16 bytes */
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
