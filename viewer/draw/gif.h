/* Animated GIF; each frame has its own palette of 256 colours. */
#ifndef VIEWER_GIF_H
#define VIEWER_GIF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gif gif;

/* Returns NULL if memory runs out. Each frame lasts `seconds`, rounded to 0.01; the animation
 * loops. */
gif *gif_start(int width, int height, float seconds);
/* Adds a frame of three bytes per pixel, top row first. Returns false if memory runs out. */
bool gif_add(gif *g, const unsigned char *rgb);
/* The whole file, borrowed until gif_end; NULL if memory ran out. */
const unsigned char *gif_bytes(gif *g, size_t *size);
void gif_end(gif *g); /* NULL is allowed */

#endif
