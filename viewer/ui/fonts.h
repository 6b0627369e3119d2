/* Text in Inter, which the build embeds (viewer/font.sh). Glyphs are drawn at the size they are
 * seen in, at quarters of a pixel, so that text is sharp and evenly spaced at every size. All
 * digits are equally wide, so that numbers in columns align. Characters that Inter lacks come from
 * a font of the system; without one they are boxes with their code. Text goes from left to right,
 * one character after the other, in every script. */
#ifndef VIEWER_FONTS_H
#define VIEWER_FONTS_H

#include <raylib.h>
#include <stdbool.h>

/* Needs a window. False, with a message on standard error, if the font cannot be read. */
bool fonts_start(void);
void fonts_end(void);
void fonts_frame(void); /* once a frame: the window may have moved to a finer screen */

/* Sizes are those of the em, in pixels. `at` is the left end of a line that is `size` high;
 * capitals are in its middle. */
float font_width(const char *text, float size);
void font_draw(const char *text, Vector2 at, float size, Color color);
/* Cut to a width; dots replace what does not fit. */
void font_draw_cut(const char *text, Vector2 at, float width, float size, Color color);
/* Upwards, from the lower end of the line. */
void font_draw_up(const char *text, Vector2 at, float size, Color color);

#endif
