/* Each row is stored as differences from its neighbours, by the one of five filters whose
 * differences are smallest; all rows are one stream of zlib [PNG specification, 9 and 10]. */
#include "draw/png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { pixel = 3, filters = 5 };

static int paeth(int left, int above, int corner) {
  int a = abs(above - corner), b = abs(left - corner), c = abs(left + above - 2 * corner);
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/* filters one row; returns the sum of the differences */
static long filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t bytes,
                       uint8_t *dest) {
  long sum = 0;
  for (size_t i = 0; i < bytes; i++) {
    int a = i < pixel ? 0 : row[i - pixel], b = above ? above[i] : 0;
    int c = i < pixel || !above ? 0 : above[i - pixel];
    const int guess[filters] = { 0, a, b, (a + b) / 2, paeth(a, b, c) };
    dest[i] = (uint8_t)(row[i] - guess[filter]);
    sum += dest[i] < 128 ? dest[i] : 256 - dest[i];
  }
  return sum;
}

/* all rows, each after the number of its filter; malloc'ed */
static uint8_t *filter_rows(Image image) {
  size_t bytes = (size_t)image.width * pixel, height = (size_t)image.height;
  uint8_t *rows = malloc((bytes + 1) * height), *trial = malloc(bytes);
  const uint8_t *from = image.data;
  for (size_t y = 0; rows && trial && y < height; y++) {
    uint8_t *dest = rows + y * (bytes + 1);
    long best = -1;
    for (int filter = 0; filter < filters; filter++) {
      long sum =
          filter_row(filter, from + y * bytes, y ? from + (y - 1) * bytes : NULL, bytes, trial);
      if (best >= 0 && sum >= best) continue;
      best = sum;
      dest[0] = (uint8_t)filter;
      memcpy(dest + 1, trial, bytes);
    }
  }
  if (!trial) free(rows);
  free(trial);
  return trial ? rows : NULL;
}

static uint8_t *put_word(uint8_t *dest, uint32_t value) {
  for (int i = 0; i < 4; i++) dest[i] = (uint8_t)(value >> (24 - 8 * i));
  return dest + 4;
}

static uint8_t *put_chunk(uint8_t *dest, const char *name, const void *bytes, size_t count) {
  uint8_t *start = put_word(dest, (uint32_t)count);
  memcpy(start, name, 4);
  if (count) memcpy(start + 4, bytes, count);
  return put_word(start + 4 + count, ComputeCRC32(start, (int)(count + 4)));
}

static uint32_t adler(const uint8_t *bytes, size_t count) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/* a stream of zlib around raylib's deflate; malloc'ed */
static uint8_t *pack(const uint8_t *bytes, size_t count, size_t *size) {
  int packed = 0;
  uint8_t *raw = CompressData(bytes, (int)count, &packed);
  uint8_t *stream = raw && packed > 0 ? malloc((size_t)packed + 6) : NULL;
  if (stream) {
    stream[0] = 0x78, stream[1] = 0x9c;
    memcpy(stream + 2, raw, (size_t)packed);
    put_word(stream + 2 + packed, adler(bytes, count));
    *size = (size_t)packed + 6;
  }
  MemFree(raw);
  return stream;
}

unsigned char *png_bytes(Image image, size_t *size) {
  uint8_t head[13] = { 0 };
  size_t packed = 0;
  uint8_t *rows = filter_rows(image);
  uint8_t *stream =
      rows ? pack(rows, ((size_t)image.width * pixel + 1) * (size_t)image.height, &packed) : NULL;
  uint8_t *file = stream ? malloc(packed + 64) : NULL, *at = file;
  if (file) {
    put_word(put_word(head, (uint32_t)image.width), (uint32_t)image.height);
    head[8] = 8, head[9] = 2; /* eight bits of red, green and blue */
    memcpy(at, "\x89PNG\r\n\x1a\n", 8);
    at = put_chunk(at + 8, "IHDR", head, sizeof head);
    at = put_chunk(at, "IDAT", stream, packed);
    at = put_chunk(at, "IEND", NULL, 0);
    *size = (size_t)(at - file);
  }
  free(rows);
  free(stream);
  return file;
}
