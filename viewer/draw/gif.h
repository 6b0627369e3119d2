/* Animated GIF: one palette of 256 colours a frame, chosen for it. */
#ifndef VIEWER_GIF_H
#define VIEWER_GIF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gif gif;

/* NULL when memory is out. Each frame lasts `seconds`, in steps of 0.01; the animation loops. */
gif *gif_start(int width, int height, float seconds);
/* Adds a frame of three bytes a pixel, rows from the top. False when memory is out. */
bool gif_add(gif *g, const unsigned char *rgb);
/* The whole file, borrowed until gif_end; NULL when memory was out. */
const unsigned char *gif_bytes(gif *g, size_t *size);
void gif_end(gif *g); /* NULL is allowed */

#endif
