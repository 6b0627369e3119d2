/* Writes PNG files. raylib's own are almost twice as large: its deflate has no Huffman trees. */
#ifndef VIEWER_PNG_H
#define VIEWER_PNG_H

#include <raylib.h>
#include <stddef.h>

/* The file of a picture of three bytes per pixel, for free(); NULL if memory runs out. */
unsigned char *png_bytes(Image image, size_t *size);

#endif
