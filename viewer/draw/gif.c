/* GIF89a. A frame's palette is made by median cut: the box of colours with the widest side is cut
 * in two at its median until there are 256; each pixel takes its box's mean, with its error spread
 * over its neighbours (Floyd and Steinberg). The pixels are packed by LZW with codes of 9 to 12
 * bits. */
#include "draw/gif.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { palette_size = 256, levels = 32, bins = levels * levels * levels };
enum { clear_code = 256, end_code = 257, most_codes = 4096 };

struct gif {
  int width, height;
  unsigned delay; /* hundredths of a second */
  unsigned char *bytes;
  size_t size, room;
  bool failed, ended;
};

static void put(gif *g, const void *bytes, size_t count) {
  if (g->failed) return;
  if (g->size + count > g->room) {
    size_t room = (g->size + count) * 2;
    unsigned char *more = realloc(g->bytes, room);
    if (!more) {
      g->failed = true;
      return;
    }
    g->bytes = more;
    g->room = room;
  }
  memcpy(g->bytes + g->size, bytes, count);
  g->size += count;
}

static void put_byte(gif *g, unsigned value) {
  unsigned char byte = (unsigned char)value;
  put(g, &byte, 1);
}

static void put_word(gif *g, unsigned value) {
  put_byte(g, value & 255);
  put_byte(g, value >> 8 & 255);
}

gif *gif_start(int width, int height, float seconds) {
  gif *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->width = width;
  g->height = height;
  g->delay = (unsigned)fmaxf(2, roundf(seconds * 100));
  put(g, "GIF89a", 6);
  put_word(g, (unsigned)width);
  put_word(g, (unsigned)height);
  put(g, "\x70\0\0", 3);                               /* no global palette */
  put(g, "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19); /* loops forever */
  if (g->failed) {
    gif_end(g);
    return NULL;
  }
  return g;
}

/* --- palette */

typedef struct bin {
  uint32_t count;
  unsigned char at[3]; /* index in the cube of levels */
} bin;

typedef struct box {
  int first, count; /* a box of bins */
  uint32_t pixels;
  int axis, side; /* its longest side */
} box;

static int bin_of(const unsigned char *p) {
  return (p[0] >> 3) << 10 | (p[1] >> 3) << 5 | p[2] >> 3;
}

static int sort_axis;
static int by_axis(const void *a, const void *b) {
  const bin *p = a, *q = b;
  return (int)p->at[sort_axis] - (int)q->at[sort_axis];
}

static box measure(const bin *all, int first, int count) {
  box b = { .first = first, .count = count };
  for (int k = 0; k < 3; k++) {
    int low = 255, high = 0;
    for (int i = first; i < first + count; i++) {
      if (all[i].at[k] < low) low = all[i].at[k];
      if (all[i].at[k] > high) high = all[i].at[k];
    }
    if (high - low >= b.side) {
      b.side = high - low;
      b.axis = k;
    }
  }
  for (int i = first; i < first + count; i++) b.pixels += all[i].count;
  return b;
}

/* fills the palette, and the palette index of each bin in use */
static void choose_palette(const unsigned char *rgb, size_t pixels, bin *all, int *count_of,
                           unsigned char *palette) {
  static const bin none;
  int used = 0, boxes = 1;
  box cut[palette_size];
  memset(count_of, 0, bins * sizeof *count_of);
  for (size_t i = 0; i < pixels; i++) count_of[bin_of(rgb + 3 * i)]++;
  for (int i = 0; i < bins; i++) {
    if (!count_of[i]) continue;
    all[used] = none;
    all[used].count = (uint32_t)count_of[i];
    all[used].at[0] = (unsigned char)(i >> 10);
    all[used].at[1] = (unsigned char)(i >> 5 & 31);
    all[used++].at[2] = (unsigned char)(i & 31);
  }
  cut[0] = measure(all, 0, used);
  while (boxes < palette_size) {
    int widest = -1;
    double most = 0;
    for (int i = 0; i < boxes; i++) {
      double weight = cut[i].count > 1 ? (double)cut[i].side * sqrt((double)cut[i].pixels) : 0;
      if (weight > most) {
        most = weight;
        widest = i;
      }
    }
    if (widest < 0) break;
    box b = cut[widest];
    sort_axis = b.axis;
    qsort(all + b.first, (size_t)b.count, sizeof *all, by_axis);
    uint32_t half = 0;
    int at = b.first;
    while (at < b.first + b.count - 1 && (half += all[at].count) < b.pixels / 2) at++;
    int left = at - b.first + 1;
    if (left == b.count) left--;
    cut[widest] = measure(all, b.first, left);
    cut[boxes++] = measure(all, b.first + left, b.count - left);
  }
  memset(palette, 0, 3 * palette_size);
  for (int i = 0; i < boxes; i++) {
    double sum[3] = { 0 };
    for (int k = cut[i].first; k < cut[i].first + cut[i].count; k++)
      for (int c = 0; c < 3; c++) sum[c] += (double)all[k].count * (all[k].at[c] * 8 + 4);
    for (int c = 0; c < 3; c++)
      palette[3 * i + c] = (unsigned char)(cut[i].pixels ? sum[c] / cut[i].pixels : 0);
  }
}

static int nearest(const unsigned char *palette, const int *color) {
  int best = 0, least = 1 << 30;
  for (int i = 0; i < palette_size; i++) {
    int r = color[0] - palette[3 * i], gr = color[1] - palette[3 * i + 1],
        b = color[2] - palette[3 * i + 2];
    int d = 2 * r * r + 4 * gr * gr + b * b;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

/* writes the palette index of every pixel; `cache` has the nearest index of each bin, plus one */
static void dither(const gif *g, const unsigned char *rgb, const unsigned char *palette, int *cache,
                   int *errors, unsigned char *dest) {
  int width = g->width;
  memset(cache, 0, bins * sizeof *cache);
  memset(errors, 0, (size_t)(width + 2) * 6 * sizeof *errors);
  int *now = errors, *next = errors + 3 * (width + 2);
  for (int y = 0; y < g->height; y++) {
    for (int x = 0; x < width; x++) {
      const unsigned char *p = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
      int color[3];
      unsigned char held[3];
      for (int c = 0; c < 3; c++) {
        int v = p[c] + now[3 * (x + 1) + c] / 16;
        color[c] = v < 0 ? 0 : v > 255 ? 255 : v;
        held[c] = (unsigned char)color[c];
      }
      int *known = &cache[bin_of(held)];
      if (!*known) *known = nearest(palette, color) + 1;
      int entry = *known - 1;
      dest[(size_t)y * (size_t)width + (size_t)x] = (unsigned char)entry;
      for (int c = 0; c < 3; c++) {
        int e = color[c] - palette[3 * entry + c];
        now[3 * (x + 2) + c] += e * 7;
        next[3 * x + c] += e * 3;
        next[3 * (x + 1) + c] += e * 5;
        next[3 * (x + 2) + c] += e;
      }
    }
    int *swap = now;
    now = next;
    next = swap;
    memset(next, 0, (size_t)(width + 2) * 3 * sizeof *next);
  }
}

/* --- LZW */

typedef struct bit_writer {
  gif *g;
  unsigned char block[255];
  unsigned used;
  uint32_t bits;
  int bit_count;
} bit_writer;

static void flush_block(bit_writer *w) {
  if (!w->used) return;
  put_byte(w->g, w->used);
  put(w->g, w->block, w->used);
  w->used = 0;
}

static void put_code(bit_writer *w, unsigned code, int width) {
  w->bits |= code << w->bit_count;
  w->bit_count += width;
  while (w->bit_count >= 8) {
    w->block[w->used++] = (unsigned char)(w->bits & 255);
    w->bits >>= 8;
    w->bit_count -= 8;
    if (w->used == sizeof w->block) flush_block(w);
  }
}

/* `next` is the code table: the longer code for a code and the byte after it, or 0 */
static void pack(gif *g, const unsigned char *pixels, size_t count, uint16_t (*next)[256]) {
  bit_writer w = { .g = g };
  int width = 9, codes = end_code + 1;
  memset(next, 0, most_codes * sizeof *next);
  put_byte(g, 8);
  put_code(&w, clear_code, width);
  unsigned prefix = pixels[0];
  for (size_t i = 1; i < count; i++) {
    unsigned byte = pixels[i];
    if (next[prefix][byte]) {
      prefix = next[prefix][byte];
      continue;
    }
    put_code(&w, prefix, width);
    if (codes == most_codes) {
      put_code(&w, clear_code, width);
      memset(next, 0, most_codes * sizeof *next);
      width = 9;
      codes = end_code + 1;
    } else {
      if (codes == 1 << width) width++;
      next[prefix][byte] = (uint16_t)codes++;
    }
    prefix = byte;
  }
  put_code(&w, prefix, width);
  if (codes == 1 << width && width < 12) width++;
  put_code(&w, end_code, width);
  if (w.bit_count) put_code(&w, 0, 8 - w.bit_count);
  flush_block(&w);
  put_byte(g, 0);
}

typedef struct workspace {
  bin all[bins];
  int table[bins];
  unsigned char palette[3 * palette_size];
  uint16_t next[most_codes][256];
} workspace;

bool gif_add(gif *g, const unsigned char *rgb) {
  size_t pixels = (size_t)g->width * (size_t)g->height;
  workspace *w = malloc(sizeof *w);
  int *errors = malloc((size_t)(g->width + 2) * 6 * sizeof *errors);
  unsigned char *indices = malloc(pixels);
  if (w && errors && indices) {
    choose_palette(rgb, pixels, w->all, w->table, w->palette);
    dither(g, rgb, w->palette, w->table, errors, indices);
    put(g, "\x21\xf9\x04\0", 4);
    put_word(g, g->delay);
    put(g, "\0\0\x2c\0\0\0\0", 7);
    put_word(g, (unsigned)g->width);
    put_word(g, (unsigned)g->height);
    put_byte(g, 0x87); /* a local palette of 256 colours */
    put(g, w->palette, sizeof w->palette);
    pack(g, indices, pixels, w->next);
  } else {
    g->failed = true;
  }
  free(w);
  free(errors);
  free(indices);
  return !g->failed;
}

const unsigned char *gif_bytes(gif *g, size_t *size) {
  if (!g->ended) put_byte(g, 0x3b);
  g->ended = true;
  *size = g->size;
  return g->failed ? NULL : g->bytes;
}

void gif_end(gif *g) {
  if (!g) return;
  free(g->bytes);
  free(g);
}
