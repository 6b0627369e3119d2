/* The tables `cmap`, `head` and `hhea` of font files [OpenType 1.9]. */
#include "plain/font_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned u16(const unsigned char *b) { return (unsigned)b[0] << 8 | b[1]; }
static unsigned u32(const unsigned char *b) { return u16(b) << 16 | u16(b + 2); }
static int i16(const unsigned char *b) { return (int)u16(b) - (b[0] & 128 ? 65536 : 0); }

static bool read_at(FILE *file, unsigned long at, void *dest, size_t size) {
  return fseek(file, (long)at, SEEK_SET) == 0 && fread(dest, 1, size, file) == size;
}

/* the place of a table; 0: there is none */
static unsigned find_table(const unsigned char *records, unsigned count, const char *name) {
  for (unsigned i = 0; i < count; i++)
    if (memcmp(records + 16 * i, name, 4) == 0) return u32(records + 16 * i + 8);
  return 0;
}

/* how well a table of characters suits: all of Unicode, its first plane, none of it */
static int rank(unsigned platform, unsigned encoding) {
  if ((platform == 3 && encoding == 10) || (platform == 0 && (encoding == 4 || encoding == 6)))
    return 2;
  return (platform == 3 && encoding == 1) || (platform == 0 && encoding < 4);
}

static bool read_characters(font_map *m, FILE *file, unsigned at) {
  enum { most = 1 << 22 };
  unsigned char head[4], record[8], start[12];
  int best = 0;
  unsigned from = 0;
  if (!read_at(file, at, head, sizeof head)) return false;
  for (unsigned i = 0; i < u16(head + 2); i++) {
    if (!read_at(file, at + 4 + 8 * i, record, sizeof record)) return false;
    int fit = rank(u16(record), u16(record + 2));
    if (fit <= best) continue;
    best = fit;
    from = at + u32(record + 4);
  }
  if (!best || !read_at(file, from, start, sizeof start)) return false;
  unsigned format = u16(start);
  m->size = format == 4 ? u16(start + 2) : format == 12 ? u32(start + 4) : 0;
  if (m->size < 16 || m->size > most) return false;
  m->table = malloc(m->size);
  return m->table && read_at(file, from, m->table, m->size);
}

static bool read_font(font_map *m, FILE *file) {
  unsigned char start[16], head[20], hhea[8], *records;
  unsigned at = 0;
  if (!read_at(file, 0, start, sizeof start)) return false;
  if (memcmp(start, "ttcf", 4) == 0) at = u32(start + 12);
  if (at && !read_at(file, at, start, sizeof start)) return false;
  unsigned count = u16(start + 4);
  if (!count || count > 256 || !(records = malloc(16 * count))) return false;
  bool fine = read_at(file, at + 12, records, 16 * count);
  bool outlines =
      fine && (find_table(records, count, "glyf") || find_table(records, count, "CFF "));
  unsigned of_head = fine ? find_table(records, count, "head") : 0;
  unsigned of_hhea = fine ? find_table(records, count, "hhea") : 0;
  unsigned of_cmap = fine ? find_table(records, count, "cmap") : 0;
  free(records);
  if (!outlines || !of_head || !of_hhea || !of_cmap) return false;
  if (!read_at(file, of_head, head, sizeof head) || !read_at(file, of_hhea, hhea, sizeof hhea))
    return false;
  m->units = (int)u16(head + 18);
  m->ascent = i16(hhea + 4);
  m->descent = i16(hhea + 6);
  return m->units > 0 && m->ascent > m->descent && read_characters(m, file, of_cmap);
}

bool font_map_read(font_map *m, const char *path) {
  *m = (font_map){ 0 };
  FILE *file = fopen(path, "rb");
  bool fine = file && read_font(m, file);
  if (file) fclose(file);
  if (!fine) font_map_free(m);
  return fine;
}

void font_map_free(font_map *m) {
  free(m->table);
  *m = (font_map){ 0 };
}

/* format 4: segments of the first plane */
static bool in_segments(const font_map *m, unsigned code) {
  unsigned twice = u16(m->table + 6) & ~1u;
  const unsigned char *ends = m->table + 14, *starts = ends + twice + 2;
  if (code > 0xFFFE || 16 + 4 * (size_t)twice > m->size) return false;
  for (unsigned i = 0; i < twice; i += 2) {
    if (code > u16(ends + i)) continue;
    if (code < u16(starts + i)) return false;
    const unsigned char *offset = starts + 2 * twice + i;
    unsigned delta = u16(starts + twice + i),
             skip = (size_t)(offset - m->table) + 1 < m->size ? u16(offset) : 0;
    if (!skip) return ((code + delta) & 0xFFFF) != 0;
    size_t at = (size_t)(offset - m->table) + skip + 2 * (size_t)(code - u16(starts + i));
    return at + 1 < m->size && u16(m->table + at) != 0;
  }
  return false;
}

/* format 12: groups of all planes */
static bool in_groups(const font_map *m, unsigned code) {
  size_t low = 0, high = u32(m->table + 12);
  if (high > (m->size - 16) / 12) high = (m->size - 16) / 12;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const unsigned char *group = m->table + 16 + 12 * middle;
    if (code < u32(group))
      high = middle;
    else if (code > u32(group + 4))
      low = middle + 1;
    else
      return u32(group + 8) + (code - u32(group)) != 0;
  }
  return false;
}

bool font_map_has(const font_map *m, int code) {
  if (!m->table || code < 0) return false;
  return u16(m->table) == 4 ? in_segments(m, (unsigned)code) : in_groups(m, (unsigned)code);
}

bool font_map_unpack(unsigned char *bytes, size_t size) {
  if (size < 16 || memcmp(bytes, "ttcf", 4) != 0) return size >= 16;
  size_t at = u32(bytes + 12);
  if (at > size - 12) return false;
  size_t head = 12 + 16 * (size_t)u16(bytes + at + 4);
  if (head > size - at) return false;
  /* places of tables count from the start of the file: what is overwritten must be no table */
  for (size_t i = 12; i < head; i += 16)
    if (u32(bytes + at + i + 8) < head) return false;
  memmove(bytes, bytes + at, head);
  return true;
}
