/* One line of text. raylib looks every letter up by walking through the font's list; here its place
 * is known, since ui_font loads Latin-1 in order. */
#ifndef VIEWER_LETTERS_H
#define VIEWER_LETTERS_H

#include <raylib.h>

enum { letters_ascii = 95, letters_latin = 96, letters_count = letters_ascii + letters_latin };

/* The letters that ui_font loads, in their order. */
void letters_list(int list[letters_count]);
float letters_width(Font font, const char *text, float size);
void letters_draw(Font font, const char *text, Vector2 at, float size, Color color);

#endif
