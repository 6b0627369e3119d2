/* What a font file says of itself: which characters it has, and its measures. TrueType, OpenType,
 * and the first font of a collection. */
#ifndef VIEWER_FONT_MAP_H
#define VIEWER_FONT_MAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct font_map {
  int units;            /* of the em */
  int ascent, descent;  /* in units; the descent is negative */
  unsigned char *table; /* from characters to glyphs; NULL: none */
  size_t size;
} font_map;

/* False if the file cannot be read, or has no outlines. Free it with font_map_free. */
bool font_map_read(font_map *m, const char *path);
void font_map_free(font_map *m);
bool font_map_has(const font_map *m, int code);
/* Makes the first font of a collection stand at the start of the file's bytes, as in a file of its
 * own. False if that is not possible. */
bool font_map_unpack(unsigned char *bytes, size_t size);

#endif
