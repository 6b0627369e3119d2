/* Which characters a font file has, in fonts that are made here. */
#include "plain/font_map.h"

#include "minunit.h"
#include "support/cone_cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct bytes {
  unsigned char at[512];
  size_t count;
} bytes;

static void put(bytes *b, unsigned long value, int size) {
  for (int i = size - 1; i >= 0; i--) b->at[b->count++] = (unsigned char)(value >> 8 * i);
}

static void put_all(bytes *b, const int *values, int count, int size) {
  for (int i = 0; i < count; i++) put(b, (unsigned long)values[i], size);
}

static void record(bytes *b, const char *name, size_t place, size_t size) {
  for (int i = 0; i < 4; i++) put(b, (unsigned char)name[i], 1);
  put(b, 0, 4);
  put(b, (unsigned long)place, 4);
  put(b, (unsigned long)size, 4);
}

/* A font with the tables that are read, `before` bytes behind the start of its file: capitals
 * (offsets by a list of glyphs, where B has none), Cyrillic from 0x410 to 0x44F (by a delta), and
 * in the format 12 also 0x1F600 to 0x1F602. */
static bytes make_font(size_t before, int format, const char *outlines) {
  enum { head = 12 + 4 * 16 };
  bytes b = { .count = 0 }, map = { .count = 0 };
  put_all(&map, (int[]){ 0, 1, format == 4 ? 3 : 0, format == 4 ? 1 : 4 }, 4, 2);
  put(&map, 12, 4);
  if (format == 4) {
    const int start[] = { 4, 46, 0, 6, 0, 0, 0 }, ends[] = { 'C', 0x44F, 0xFFFF, 0 };
    const int starts[] = { 'A', 0x410, 0xFFFF }, deltas[] = { 0, 100, 1 };
    const int offsets[] = { 6, 0, 0 }, glyphs[] = { 5, 0, 6 };
    put_all(&map, start, 7, 2);
    put_all(&map, ends, 4, 2);
    put_all(&map, starts, 3, 2);
    put_all(&map, deltas, 3, 2);
    put_all(&map, offsets, 3, 2);
    put_all(&map, glyphs, 3, 2);
  } else {
    const int groups[] = { 'A', 'A', 5, 'C', 'C', 6, 0x410, 0x44F, 9, 0x1F600, 0x1F602, 90 };
    put_all(&map, (int[]){ 12, 0 }, 2, 2);
    put_all(&map, (int[]){ 16 + 4 * 12, 0, 4 }, 3, 4);
    put_all(&map, groups, 12, 4);
  }
  size_t from = before + head;
  put_all(&b, (int[]){ 1, 0, 4, 0, 0, 0 }, 6, 2);
  record(&b, "cmap", from, map.count);
  record(&b, outlines, from, 4);
  record(&b, "head", from + map.count, 20);
  record(&b, "hhea", from + map.count + 20, 8);
  memcpy(b.at + b.count, map.at, map.count);
  b.count += map.count;
  put_all(&b, (int[]){ 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000 }, 10, 2);
  put_all(&b, (int[]){ 1, 0, 950, -250 & 0xFFFF }, 4, 2);
  return b;
}

static bool read_bytes(font_map *m, const unsigned char *at, size_t count) {
  char path[] = "/tmp/sinew-font-XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return false;
  bool fine = write(file, at, count) == (ssize_t)count;
  close(file);
  fine = fine && font_map_read(m, path);
  unlink(path);
  return fine;
}

static void check_characters(const font_map *m, bool more) {
  MU_CHECK(m->units == 1000 && m->ascent == 950 && m->descent == -250);
  MU_CHECK(font_map_has(m, 'A') && font_map_has(m, 'C') && !font_map_has(m, 'B'));
  MU_CHECK(font_map_has(m, 0x410) && font_map_has(m, 0x44F));
  MU_CHECK(!font_map_has(m, 0x40F) && !font_map_has(m, 0x450) && !font_map_has(m, '@'));
  MU_CHECK(!font_map_has(m, 0x9996) && !font_map_has(m, 0xFFFF) && !font_map_has(m, -1));
  MU_CHECK(font_map_has(m, 0x1F601) == more && !font_map_has(m, 0x1F603));
}

MU_TEST(font_map_knows_the_characters_of_both_formats) {
  for (int format = 4; format <= 12; format += 8) {
    bytes b = make_font(0, format, "glyf");
    font_map m;
    MU_CHECK(read_bytes(&m, b.at, b.count));
    check_characters(&m, format == 12);
    font_map_free(&m);
    MU_CHECK(!font_map_has(&m, 'A'));
  }
}

MU_TEST(font_map_leaves_out_fonts_without_outlines) {
  bytes b = make_font(0, 4, "CBDT");
  font_map m;
  MU_CHECK(!read_bytes(&m, b.at, b.count));
  MU_CHECK(!font_map_read(&m, "/no/such/font.ttf"));
}

MU_TEST(font_map_takes_the_first_font_of_a_collection) {
  bytes b = { .count = 0 }, one = make_font(16, 12, "CFF ");
  put_all(&b, (int[]){ 0x74746366, 0x10000, 1, 16 }, 4, 4);
  memcpy(b.at + b.count, one.at, one.count);
  b.count += one.count;
  font_map m;
  MU_CHECK(read_bytes(&m, b.at, b.count));
  check_characters(&m, true);
  font_map_free(&m);
  MU_CHECK(font_map_unpack(b.at, b.count));
  MU_CHECK(read_bytes(&m, b.at, b.count));
  check_characters(&m, true);
  font_map_free(&m);
  MU_CHECK(!font_map_unpack((unsigned char *)"ttcf", 4));
}

MU_TEST(font_map_survives_broken_files) {
  dice d = { 5 };
  for (int i = 0; i < 3000; i++) {
    bytes b = make_font(0, roll_int(&d, 2) ? 4 : 12, "glyf");
    size_t count = roll_int(&d, 2) ? b.count : (size_t)roll_int(&d, (int)b.count);
    for (int k = roll_int(&d, 4); k > 0; k--)
      b.at[roll_int(&d, (int)b.count)] = (unsigned char)roll_int(&d, 256);
    font_map m;
    if (!read_bytes(&m, b.at, count)) continue;
    for (int k = 0; k < 40; k++) font_map_has(&m, roll_int(&d, 0x20000));
    font_map_free(&m);
  }
}

MU_SUITE(font_map)
