/* Fonts, and one line of text. raylib searches the font for every character; here its index is
 * known, since font_load loads Latin-1 in order. */
#ifndef VIEWER_FONTS_H
#define VIEWER_FONTS_H

#include <raylib.h>

/* A font of a size in pixels, which the caller unloads; with NULL raylib's own, which need not be
 * unloaded. */
Font font_load(const char *file, int size);
float font_width(Font font, const char *text, float size);
void font_draw(Font font, const char *text, Vector2 at, float size, Color color);
/* Cut to a width; dots replace what does not fit. */
void font_draw_cut(Font font, const char *text, Vector2 at, float width, float size, Color color);

#endif
