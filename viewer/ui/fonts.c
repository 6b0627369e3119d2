/* raylib rounds glyphs and their widths to whole pixels, which spaces small text badly. So each
 * glyph is rasterised several times larger and averaged down here, once for each fraction of a
 * pixel at which it may start. */
#include "ui/fonts.h"

#include <math.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char font_bytes[]; /* of build/font.c */
extern const int font_size;

static const int others[] = { 0x2013, 0x2022, 0x2026, 0x2192 }; /* dash, bullet, dots, arrow */
enum {
  ascii = 95, /* 32 to 126 */
  latin = 96, /* 160 to 255 */
  other_count = sizeof others / sizeof *others,
  glyph_count = ascii + latin + other_count,
  most_atlases = 16,
  most_phases = 4,
  atlas_width = 1024,
};
static const float line_of_em = 1.2102f; /* Inter's ascent and descent, by which raylib scales */
static const float largest = 120;        /* em in pixels; larger text is scaled up */

typedef struct cell {
  short x, y, width, height; /* in the atlas */
  short left, top;           /* from the pen on the baseline */
} cell;

typedef struct glyph {
  float advance;
  cell at[most_phases];
} glyph;

/* the glyphs of one size */
typedef struct atlas {
  int line;       /* raylib's size of the large glyphs; 0: unused */
  int finer;      /* how many times larger they are, and how many phases there are */
  float capital;  /* height of a capital letter in pixels */
  long last_used; /* to unload the one that was not used for longest */
  Texture2D texture;
  glyph glyphs[glyph_count];
} atlas;

static atlas *atlases; /* most_atlases */
static long uses;
static float dpi = 1; /* pixels of the screen for each of the window */

static int code_of(int index) {
  if (index < ascii) return 32 + index;
  return index < ascii + latin ? 160 + index - ascii : others[index - ascii - latin];
}

/* the index of the next character, or of '?' if there is no such glyph; advances `text` */
static int next_glyph(const char **text) {
  int bytes = 1, code = (unsigned char)**text;
  if (code >= 128) code = GetCodepointNext(*text, &bytes);
  *text += bytes;
  if (code >= 32 && code < 127) return code - 32;
  if (code >= 160 && code < 256) return ascii + code - 160;
  for (int i = 0; i < other_count; i++)
    if (others[i] == code) return ascii + latin + i;
  return '?' - 32;
}

static int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/* gives every glyph and phase its place; returns the height that the atlas needs */
static int place_glyphs(atlas *a, const GlyphInfo *large, int baseline) {
  int x = 1, y = 1, row = 0, n = a->finer;
  for (int i = 0; i < glyph_count; i++) {
    int left = large[i].offsetX, top = large[i].offsetY - baseline;
    for (int phase = 0; phase < n; phase++) {
      cell *c = &a->glyphs[i].at[phase];
      c->left = (short)floor_div(left + phase, n);
      c->top = (short)floor_div(top, n);
      c->width = (short)(floor_div(left + phase + large[i].image.width - 1, n) - c->left + 1);
      c->height = (short)(floor_div(top + large[i].image.height - 1, n) - c->top + 1);
      if (x + c->width + 1 > atlas_width) {
        x = 1;
        y += row + 1;
        row = 0;
      }
      c->x = (short)x;
      c->y = (short)y;
      x += c->width + 1;
      row = c->height > row ? c->height : row;
    }
  }
  return y + row + 1;
}

/* sums a large glyph, `phase` of its pixels to the right, into the pixels of its cell */
static void add_up(const GlyphInfo *from, int n, int phase, int baseline, const cell *c,
                   unsigned short *sums) {
  const unsigned char *alpha = (const unsigned char *)from->image.data + 1; /* after the grey */
  for (int row = 0; row < from->image.height; row++)
    for (int column = 0; column < from->image.width; column++, alpha += 2) {
      int x = c->x - c->left + floor_div(from->offsetX + column + phase, n);
      int y = c->y - c->top + floor_div(from->offsetY + row - baseline, n);
      unsigned short *sum = &sums[y * atlas_width + x];
      *sum = (unsigned short)(*sum + *alpha);
    }
}

static Texture2D upload(const unsigned short *sums, int height, int finer) {
  size_t count = (size_t)atlas_width * (size_t)height;
  unsigned char *pixels = malloc(2 * count);
  if (!pixels) return (Texture2D){ 0 };
  for (size_t i = 0; i < count; i++) {
    pixels[2 * i] = 255;
    pixels[2 * i + 1] = (unsigned char)(sums[i] / (finer * finer));
  }
  Image image = { pixels, atlas_width, height, 1, PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA };
  Texture2D texture = LoadTextureFromImage(image);
  free(pixels);
  SetTextureFilter(texture, TEXTURE_FILTER_BILINEAR); /* for text that is turned or scaled */
  return texture;
}

/* all digits get the width of the widest, and stand in the middle of it */
static void align_digits(GlyphInfo *digits) {
  int widest = 0;
  for (int i = 0; i < 10; i++) widest = digits[i].advanceX > widest ? digits[i].advanceX : widest;
  for (int i = 0; i < 10; i++) {
    digits[i].offsetX += (widest - digits[i].advanceX) / 2;
    digits[i].advanceX = widest;
  }
}

static bool fill(atlas *a) {
  int codes[glyph_count];
  for (int i = 0; i < glyph_count; i++) codes[i] = code_of(i);
  const char *type = memcmp(font_bytes, "OTTO", 4) == 0 ? ".otf" : ".ttf";
  Font large = LoadFontFromMemory(type, font_bytes, font_size, a->line, codes, glyph_count);
  if (large.glyphCount != glyph_count) return false; /* raylib gave its own font */
  align_digits(large.glyphs + ('0' - 32));
  const GlyphInfo *capital = &large.glyphs['H' - 32];
  int baseline = capital->offsetY + capital->image.height;
  a->capital = (float)capital->image.height / (float)a->finer;
  int height = place_glyphs(a, large.glyphs, baseline);
  unsigned short *sums = calloc((size_t)atlas_width * (size_t)height, sizeof *sums);
  for (int i = 0; i < glyph_count; i++) {
    /* raylib has cut off the fraction, which is a half on average */
    a->glyphs[i].advance = ((float)large.glyphs[i].advanceX + 0.5f) / (float)a->finer;
    for (int phase = 0; sums && phase < a->finer; phase++)
      add_up(&large.glyphs[i], a->finer, phase, baseline, &a->glyphs[i].at[phase], sums);
  }
  if (sums) a->texture = upload(sums, height, a->finer);
  free(sums);
  UnloadFont(large);
  return a->texture.id != 0;
}

/* the glyphs of a size, made when they are first needed; NULL if that fails */
static const atlas *atlas_of(float size) {
  float em = fminf(size * dpi, largest);
  int finer = em <= 26 ? 4 : em <= 52 ? 2 : 1;
  int line = (int)roundf(em * (float)finer * line_of_em);
  atlas *oldest = atlases;
  for (int i = 0; i < most_atlases; i++) {
    atlas *a = &atlases[i];
    if (a->line == line && a->finer == finer) {
      a->last_used = ++uses;
      return a;
    }
    if (a->last_used < oldest->last_used) oldest = a;
  }
  if (oldest->line) {
    rlDrawRenderBatchActive(); /* what waits to be drawn still needs it */
    UnloadTexture(oldest->texture);
  }
  *oldest = (atlas){ .line = line, .finer = finer, .last_used = ++uses };
  if (fill(oldest)) return oldest;
  *oldest = (atlas){ 0 };
  return NULL;
}

bool fonts_start(void) {
  atlases = calloc(most_atlases, sizeof *atlases);
  fonts_frame();
  if (atlases && atlas_of(13)) return true;
  fprintf(stderr, "sinew-viewer: the font that was built in cannot be read; build again with the "
                  "font Inter installed (./dev build installs it)\n");
  return false;
}

void fonts_end(void) {
  for (int i = 0; atlases && i < most_atlases; i++)
    if (atlases[i].line) UnloadTexture(atlases[i].texture);
  free(atlases);
  atlases = NULL;
}

void fonts_frame(void) { dpi = fmaxf(GetWindowScaleDPI().x, 1); }

/* pixels of the window for each of the atlas */
static float scale_of(float size) { return size * dpi > largest ? size / largest : 1 / dpi; }

float font_width(const char *text, float size) {
  const atlas *a = atlas_of(size);
  float width = 0;
  while (a && *text) width += a->glyphs[next_glyph(&text)].advance;
  return width * scale_of(size);
}

void font_draw(const char *text, Vector2 at, float size, Color color) {
  const atlas *a = atlas_of(size);
  if (!a) return;
  float scale = scale_of(size), pen = at.x / scale;
  float baseline = roundf((at.y + size / 2) / scale + a->capital / 2);
  const float u = 1 / (float)a->texture.width, v = 1 / (float)a->texture.height;
  rlSetTexture(a->texture.id);
  rlBegin(RL_QUADS);
  rlColor4ub(color.r, color.g, color.b, color.a);
  while (*text) {
    bool space = *text == ' ';
    const glyph *g = &a->glyphs[next_glyph(&text)];
    float steps = roundf(pen * (float)a->finer), whole = floorf(steps / (float)a->finer);
    const cell *c = &g->at[(int)(steps - whole * (float)a->finer)];
    float left = (whole + c->left) * scale, right = left + c->width * scale;
    float top = (baseline + c->top) * scale, low = top + c->height * scale;
    pen += g->advance;
    if (space) continue;
    rlTexCoord2f(c->x * u, c->y * v);
    rlVertex2f(left, top);
    rlTexCoord2f(c->x * u, (float)(c->y + c->height) * v);
    rlVertex2f(left, low);
    rlTexCoord2f((float)(c->x + c->width) * u, (float)(c->y + c->height) * v);
    rlVertex2f(right, low);
    rlTexCoord2f((float)(c->x + c->width) * u, c->y * v);
    rlVertex2f(right, top);
  }
  rlEnd();
  rlSetTexture(0);
}

void font_draw_up(const char *text, Vector2 at, float size, Color color) {
  rlPushMatrix();
  rlTranslatef(at.x, at.y, 0);
  rlRotatef(-90, 0, 0, 1);
  font_draw(text, (Vector2){ 0, 0 }, size, color);
  rlPopMatrix();
}

void font_draw_cut(const char *text, Vector2 at, float width, float size, Color color) {
  if (font_width(text, size) <= width) {
    font_draw(text, at, size, color);
    return;
  }
  char cut[256];
  snprintf(cut, sizeof cut, "%s", text);
  size_t length = strlen(cut) < sizeof cut - 4 ? strlen(cut) : sizeof cut - 4;
  while (length > 0 && font_width(cut, size) > width) {
    length--;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    memcpy(cut + length, "\u2026", 4);
  }
  if (length > 0) font_draw(cut, at, size, color);
}
