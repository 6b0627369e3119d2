/* Writes PNG files. raylib's own are almost twice as large: its deflate has no Huffman trees. */
#ifndef VIEWER_PNG_H
#define VIEWER_PNG_H

#include <raylib.h>
#include <stdbool.h>

/* Writes a picture of three bytes per pixel. */
bool png_write(Image image, const char *path);

#endif
