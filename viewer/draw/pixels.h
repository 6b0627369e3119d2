/* Pictures as the bytes of a file in other formats than PNG. */
#ifndef VIEWER_PIXELS_H
#define VIEWER_PIXELS_H

#include <raylib.h>
#include <stddef.h>

/* The file of a picture of three bytes per pixel, for free(); NULL if memory runs out. */
unsigned char *bmp_bytes(Image image, size_t *size);
unsigned char *qoi_bytes(Image image, size_t *size);
/* The pixels alone. */
unsigned char *raw_bytes(Image image, size_t *size);

#endif
