/* BMP: rows from below, blue first. QOI: runs, pixels seen before, small differences, and whole
 * pixels [The Quite OK Image format, specification 1.0]. */
#include "draw/pixels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { pixel = 3, bmp_head = 54, qoi_head = 14, qoi_tail = 8 };

static size_t size_of(Image image) { return (size_t)image.width * (size_t)image.height * pixel; }

static void put_low(uint8_t *dest, uint32_t value) {
  for (int i = 0; i < 4; i++) dest[i] = (uint8_t)(value >> (8 * i));
}

static void put_high(uint8_t *dest, uint32_t value) {
  for (int i = 0; i < 4; i++) dest[i] = (uint8_t)(value >> (24 - 8 * i));
}

unsigned char *bmp_bytes(Image image, size_t *size) {
  const size_t row = ((size_t)image.width * pixel + 3) / 4 * 4;
  *size = bmp_head + row * (size_t)image.height;
  uint8_t *file = calloc(*size, 1);
  if (!file) return NULL;
  memcpy(file, "BM", 2);
  put_low(file + 2, (uint32_t)*size);
  put_low(file + 10, bmp_head);
  put_low(file + 14, bmp_head - 14);
  put_low(file + 18, (uint32_t)image.width);
  put_low(file + 22, (uint32_t)image.height);
  put_low(file + 26, 1 | 8 * pixel << 16); /* one plane */
  put_low(file + 34, (uint32_t)(*size - bmp_head));
  const uint8_t *from = image.data;
  for (int y = image.height - 1; y >= 0; y--) {
    uint8_t *to = file + bmp_head + (size_t)y * row;
    for (int x = 0; x < image.width; x++, from += pixel, to += pixel)
      for (int i = 0; i < pixel; i++) to[i] = from[pixel - 1 - i];
  }
  return file;
}

/* one pixel that differs from the one before; returns the end */
static uint8_t *put_qoi(uint8_t *at, const uint8_t now[pixel], const uint8_t before[pixel],
                        uint8_t seen[64][pixel + 1]) {
  const int slot = (now[0] * 3 + now[1] * 5 + now[2] * 7 + 255 * 11) % 64;
  const int8_t red = (int8_t)(now[0] - before[0]), green = (int8_t)(now[1] - before[1]),
               blue = (int8_t)(now[2] - before[2]);
  const int8_t more_red = (int8_t)(red - green), more_blue = (int8_t)(blue - green);
  if (seen[slot][pixel] && memcmp(seen[slot], now, pixel) == 0) {
    *at++ = (uint8_t)slot;
    return at;
  }
  memcpy(seen[slot], now, pixel);
  seen[slot][pixel] = 255;
  if (red >= -2 && red <= 1 && green >= -2 && green <= 1 && blue >= -2 && blue <= 1) {
    *at++ = (uint8_t)(0x40 | (red + 2) << 4 | (green + 2) << 2 | (blue + 2));
  } else if (green >= -32 && green <= 31 && more_red >= -8 && more_red <= 7 && more_blue >= -8 &&
             more_blue <= 7) {
    *at++ = (uint8_t)(0x80 | (green + 32));
    *at++ = (uint8_t)((more_red + 8) << 4 | (more_blue + 8));
  } else {
    *at++ = 0xfe;
    memcpy(at, now, pixel);
    at += pixel;
  }
  return at;
}

unsigned char *qoi_bytes(Image image, size_t *size) {
  const size_t count = size_of(image);
  uint8_t *file = malloc(qoi_head + count / pixel * (pixel + 1) + qoi_tail), *at = file;
  uint8_t seen[64][pixel + 1] = { { 0 } }, before[pixel] = { 0 };
  if (!file) return NULL;
  memcpy(at, "qoif", 4);
  put_high(at + 4, (uint32_t)image.width);
  put_high(at + 8, (uint32_t)image.height);
  at[12] = pixel;
  at[13] = 0;
  at += qoi_head;
  const uint8_t *from = image.data, *end = from + count;
  for (int run = 0; from < end; from += pixel) {
    const bool same = memcmp(from, before, pixel) == 0;
    if (same) run++;
    if (run && (!same || run == 62 || from + pixel == end)) {
      *at++ = (uint8_t)(0xc0 | (run - 1));
      run = 0;
    }
    if (!same) at = put_qoi(at, from, before, seen);
    memcpy(before, from, pixel);
  }
  memcpy(at, "\0\0\0\0\0\0\0\1", qoi_tail);
  *size = (size_t)(at + qoi_tail - file);
  return file;
}

unsigned char *raw_bytes(Image image, size_t *size) {
  *size = size_of(image);
  uint8_t *file = malloc(*size + 1);
  if (file) memcpy(file, image.data, *size);
  return file;
}
