/* raylib rounds glyphs and their widths to whole pixels, which spaces small text badly. So each
 * glyph is rasterised several times larger and averaged down here, once for each fraction of a
 * pixel at which it may start. */
#include "ui/fonts.h"
#include "ui/system_fonts.h"

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
  most_more = 1024, /* other characters, made when they are first drawn */
  most_atlases = 16,
  most_phases = 4,
  atlas_width = 1024,
  more_height = 1024, /* of the texture of other characters */
};
static const float line_of_em = 1.2102f; /* Inter's ascent and descent, by which raylib scales */
static const float largest = 120;        /* em in pixels; larger text is scaled up */

typedef struct cell {
  short x, y, width, height; /* in the atlas */
  short left, top;           /* from the pen on the baseline */
} cell;

typedef struct glyph {
  float advance;
  bool made;
  cell at[most_phases];
} glyph;

/* the glyphs of one size */
typedef struct atlas {
  int line;       /* raylib's size of the large glyphs; 0: unused */
  int finer;      /* how many times larger they are, and how many phases there are */
  float capital;  /* height of a capital letter in pixels */
  int baseline;   /* of the large glyphs, from the top of the line */
  long last_used; /* to unload the one that was not used for longest */
  Texture2D texture, more;
  int x, y, row; /* where the next of the other characters goes */
  glyph glyphs[glyph_count + most_more];
} atlas;

static atlas *atlases; /* most_atlases */
static long uses;
static float dpi = 1; /* pixels of the screen for each of the window */

/* the other characters that were met, in that order, and where a search for one begins */
static int more_codes[most_more], more_count;
static short more_slots[2 * most_more];

static int code_of(int index) {
  if (index < ascii) return 32 + index;
  return index < ascii + latin ? 160 + index - ascii : others[index - ascii - latin];
}

/* the index of one of the other characters; the last one stands for those that are too many */
static int more_index(int code) {
  unsigned slot = (unsigned)code * 2654435761u % (2 * most_more);
  for (; more_slots[slot]; slot = (slot + 1) % (2 * most_more))
    if (more_codes[more_slots[slot] - 1] == code) return glyph_count + more_slots[slot] - 1;
  if (more_count == most_more) return glyph_count + most_more - 1;
  more_codes[more_count++] = code;
  more_slots[slot] = (short)more_count;
  return glyph_count + more_count - 1;
}

/* the index of the next character; advances `text` */
static int next_glyph(const char **text) {
  int bytes = 1, code = (unsigned char)**text;
  if (code >= 128) code = GetCodepointNext(*text, &bytes);
  *text += bytes;
  if (code >= 32 && code < 127) return code - 32;
  if (code >= 160 && code < 256) return ascii + code - 160;
  for (int i = 0; i < other_count; i++)
    if (others[i] == code) return ascii + latin + i;
  return more_index(code);
}

static int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/* gives a glyph, `phase` of its pixels to the right, the next place */
static void place_cell(atlas *a, const GlyphInfo *large, int baseline, int phase, cell *c) {
  int n = a->finer, left = large->offsetX + phase, top = large->offsetY - baseline;
  c->left = (short)floor_div(left, n);
  c->top = (short)floor_div(top, n);
  c->width = (short)(floor_div(left + large->image.width - 1, n) - c->left + 1);
  c->height = (short)(floor_div(top + large->image.height - 1, n) - c->top + 1);
  if (a->x + c->width + 1 > atlas_width) {
    a->x = 1;
    a->y += a->row + 1;
    a->row = 0;
  }
  c->x = (short)a->x;
  c->y = (short)a->y;
  a->x += c->width + 1;
  a->row = c->height > a->row ? c->height : a->row;
}

/* starts at the top of a texture */
static void place_first(atlas *a) {
  a->x = a->y = 1;
  a->row = 0;
}

/* gives every glyph and phase its place; returns the height that the atlas needs */
static int place_glyphs(atlas *a, const GlyphInfo *large) {
  place_first(a);
  for (int i = 0; i < glyph_count; i++)
    for (int phase = 0; phase < a->finer; phase++)
      place_cell(a, &large[i], a->baseline, phase, &a->glyphs[i].at[phase]);
  int height = a->y + a->row + 1;
  place_first(a);
  return height;
}

/* sums a large glyph, `phase` of its pixels to the right, into the pixels of its cell, which is in
 * rows of `wide` pixels */
static void add_up(const GlyphInfo *from, int n, int phase, int baseline, const cell *c, int wide,
                   unsigned short *sums) {
  const unsigned char *alpha = (const unsigned char *)from->image.data + 1; /* after the grey */
  for (int row = 0; row < from->image.height; row++)
    for (int column = 0; column < from->image.width; column++, alpha += 2) {
      int x = c->x - c->left + floor_div(from->offsetX + column + phase, n);
      int y = c->y - c->top + floor_div(from->offsetY + row - baseline, n);
      unsigned short *sum = &sums[y * wide + x];
      *sum = (unsigned short)(*sum + *alpha);
    }
}

/* white, as opaque as the sums say; without them transparent */
static unsigned char *pixels_of(const unsigned short *sums, size_t count, int finer) {
  unsigned char *pixels = malloc(2 * count);
  for (size_t i = 0; pixels && i < count; i++) {
    pixels[2 * i] = 255;
    pixels[2 * i + 1] = sums ? (unsigned char)(sums[i] / (finer * finer)) : 0;
  }
  return pixels;
}

static Texture2D upload(const unsigned short *sums, int height, int finer) {
  unsigned char *pixels = pixels_of(sums, (size_t)atlas_width * (size_t)height, finer);
  if (!pixels) return (Texture2D){ 0 };
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

static Font load(const unsigned char *bytes, int size, int line, int *codes, int count) {
  const char *type = memcmp(bytes, "OTTO", 4) == 0 ? ".otf" : ".ttf";
  return LoadFontFromMemory(type, bytes, size, line, codes, count);
}

static void unload(atlas *a) {
  UnloadTexture(a->texture);
  if (a->more.id) UnloadTexture(a->more);
}

static bool fill(atlas *a) {
  int codes[glyph_count];
  for (int i = 0; i < glyph_count; i++) codes[i] = code_of(i);
  Font large = load(font_bytes, font_size, a->line, codes, glyph_count);
  if (large.glyphCount != glyph_count) return false; /* raylib gave its own font */
  align_digits(large.glyphs + ('0' - 32));
  const GlyphInfo *capital = &large.glyphs['H' - 32];
  a->baseline = capital->offsetY + capital->image.height;
  a->capital = (float)capital->image.height / (float)a->finer;
  int height = place_glyphs(a, large.glyphs);
  unsigned short *sums = calloc((size_t)atlas_width * (size_t)height, sizeof *sums);
  for (int i = 0; i < glyph_count; i++) {
    /* raylib has cut off the fraction, which is a half on average */
    a->glyphs[i].advance = ((float)large.glyphs[i].advanceX + 0.5f) / (float)a->finer;
    a->glyphs[i].made = true;
    for (int phase = 0; sums && phase < a->finer; phase++)
      add_up(&large.glyphs[i], a->finer, phase, a->baseline, &a->glyphs[i].at[phase], atlas_width,
             sums);
  }
  if (sums) a->texture = upload(sums, height, a->finer);
  free(sums);
  UnloadFont(large);
  return a->texture.id != 0;
}

/* empties the texture of other characters; creates it at first */
static void more_start(atlas *a) {
  if (a->more.id) rlDrawRenderBatchActive(); /* what waits to be drawn still needs it */
  for (int i = glyph_count; i < glyph_count + most_more; i++) a->glyphs[i].made = false;
  if (!a->more.id) a->more = upload(NULL, more_height, 1);
  place_first(a);
}

/* puts a large glyph into the texture, for each phase; letters of large alphabets, which are wide,
 * start at whole pixels only */
static void add_more(atlas *a, glyph *g, const GlyphInfo *large, int baseline, bool phases) {
  int tall = large->image.height / a->finer + 4; /* what is left of a row, and the next */
  if (a->y + (a->row > tall ? a->row : tall) + tall > more_height) more_start(a);
  for (int phase = 0; phase < a->finer; phase++) {
    cell *c = &g->at[phase];
    if (phase && !phases) {
      *c = g->at[0];
      continue;
    }
    place_cell(a, large, baseline, phase, c);
    if (c->y + c->height + 1 > more_height || c->width + 2 > atlas_width) continue;
    int wide = c->width + 2, high = c->height + 2; /* with a clear border */
    cell own = { 1, 1, c->width, c->height, c->left, c->top };
    unsigned short *sums = calloc((size_t)(wide * high), sizeof *sums);
    if (sums) add_up(large, a->finer, phase, baseline, &own, wide, sums);
    unsigned char *pixels = pixels_of(sums, (size_t)(wide * high), a->finer);
    Rectangle place = { (float)c->x - 1, (float)c->y - 1, (float)wide, (float)high };
    if (sums && pixels) UpdateTextureRec(a->more, place, pixels);
    free(pixels);
    free(sums);
  }
}

/* Glyphs without raylib's atlas, which is too small for few. Their images are like its own: white,
 * with alpha. `count` becomes how many there are. */
static GlyphInfo *load_some(const unsigned char *bytes, int size, int line, int *codes,
                            int *count) {
#if RAYLIB_VERSION_MAJOR > 5
  GlyphInfo *found = LoadFontData(bytes, size, line, codes, *count, FONT_DEFAULT, count);
#else
  GlyphInfo *found = LoadFontData(bytes, size, line, codes, *count, FONT_DEFAULT);
#endif
  if (!found) *count = 0;
  for (int i = 0; i < *count; i++) {
    Image *image = &found[i].image;
    size_t pixels = image->data ? (size_t)image->width * (size_t)image->height : 0;
    unsigned char *white = MemAlloc((unsigned)(2 * pixels + 2)), *grey = image->data;
    if (!white) pixels = 0;
    for (size_t k = 0; k < pixels; k++) {
      white[2 * k] = 255;
      white[2 * k + 1] = grey[k];
    }
    MemFree(grey);
    if (!pixels) image->width = image->height = 0;
    image->data = white;
    image->format = PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA;
  }
  return found;
}

static bool has_ink(const GlyphInfo *large) {
  const unsigned char *pixels = large->image.data;
  for (int i = 0; pixels && i < large->image.width * large->image.height; i++)
    if (pixels[2 * i + 1]) return true;
  return false;
}

/* spaces, and marks that are not seen */
static bool blank(int code) {
  return (code >= 0x2000 && code <= 0x200F) || (code >= 0x2028 && code <= 0x202F) ||
         (code >= 0x205F && code <= 0x206F) || (code >= 0xFE00 && code <= 0xFE0F) ||
         code == 0x3000 || code == 0xFEFF;
}

/* from a font of the system, or the built-in one; false if that has no such glyph */
static bool add_from(atlas *a, glyph *g, int code, const system_font *from) {
  int line = a->line, baseline = a->baseline;
  if (from) {
    float em = (float)a->line / line_of_em, high = (float)(from->map.ascent - from->map.descent);
    line = (int)roundf(em * high / (float)from->map.units);
    baseline = (int)((float)from->map.ascent * (float)line / high); /* as raylib cuts it off */
  }
  int codes[] = { code, 'H' }; /* raylib needs one that is there */
  int count = 2;
  GlyphInfo *found = load_some(from ? from->bytes : font_bytes, from ? from->size : font_size, line,
                               codes, &count);
  bool fine = count > 0 && found->value == code && has_ink(found);
  if (fine) {
    g->advance = ((float)found->advanceX + 0.5f) / (float)a->finer;
    add_more(a, g, found, baseline, code < 0x1100);
  }
  if (found) UnloadFontData(found, count);
  return fine;
}

/* a box with the digits of the code in two rows, for a character that no font has */
static void add_box(atlas *a, glyph *g, int code) {
  char digits[8];
  int columns = code > 0xFFFF ? 3 : 2, hex[16], n = a->finer;
  for (int i = 0; i < 16; i++) hex[i] = "0123456789ABCDEF"[i];
  snprintf(digits, sizeof digits, "%0*X", 2 * columns, (unsigned)code);
  int count = 16;
  GlyphInfo *small = load_some(font_bytes, font_size, a->line * 9 / 20, hex, &count);
  if (count != 16) return;
  int wide = small[0].image.width + 2 * n, high = small[0].image.height + 2 * n;
  GlyphInfo box = { .offsetX = n };
  box.image = GenImageColor(columns * wide + 3 * n, 2 * high + 3 * n, BLANK);
  ImageDrawRectangleLines(&box.image,
                          (Rectangle){ 0, 0, (float)box.image.width, (float)box.image.height }, n,
                          Fade(WHITE, 0.6f));
  ImageFormat(&box.image, PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA);
  unsigned char *to = box.image.data;
  for (int i = 0; i < 2 * columns; i++) {
    const char *at = strchr("0123456789ABCDEF", digits[i]);
    const Image *from = &small[at ? at - "0123456789ABCDEF" : 0].image;
    int left = 2 * n + i % columns * wide, top = 2 * n + i / columns * high;
    for (int y = 0; y < from->height && y < high; y++)
      for (int x = 0; x < from->width && x < wide; x++)
        to[2 * ((top + y) * box.image.width + left + x) + 1] =
            ((const unsigned char *)from->data)[2 * (y * from->width + x) + 1];
  }
  box.offsetY = a->baseline - (int)((a->capital * (float)n + (float)box.image.height) / 2);
  g->advance = (float)(box.image.width + 2 * n) / (float)n;
  add_more(a, g, &box, a->baseline, false);
  UnloadImage(box.image);
  UnloadFontData(small, count);
}

static void make_more(atlas *a, int index) {
  glyph *g = &a->glyphs[index];
  int code = more_codes[index - glyph_count];
  if (!a->more.id) more_start(a);
  *g = (glyph){ .advance = code == 0x3000 ? (float)a->line / line_of_em / (float)a->finer : 0 };
  if (!a->more.id) return;
  if (!blank(code) && !add_from(a, g, code, NULL)) {
    const system_font *from = system_font_with(code);
    if (!from || !add_from(a, g, code, from)) add_box(a, g, code);
  }
  g->made = true;
}

/* the glyphs of a size, made when they are first needed; NULL if that fails */
static atlas *atlas_of(float size) {
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
    unload(oldest);
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
    if (atlases[i].line) unload(&atlases[i]);
  free(atlases);
  atlases = NULL;
  system_fonts_end();
}

void fonts_frame(void) { dpi = fmaxf(GetWindowScaleDPI().x, 1); }

/* pixels of the window for each of the atlas */
static float scale_of(float size) { return size * dpi > largest ? size / largest : 1 / dpi; }

float font_width(const char *text, float size) {
  atlas *a = atlas_of(size);
  float width = 0;
  while (a && *text) {
    int index = next_glyph(&text);
    if (!a->glyphs[index].made) make_more(a, index);
    width += a->glyphs[index].advance;
  }
  return width * scale_of(size);
}

void font_draw(const char *text, Vector2 at, float size, Color color) {
  atlas *a = atlas_of(size);
  if (!a) return;
  float scale = scale_of(size), pen = at.x / scale;
  float baseline = roundf((at.y + size / 2) / scale + a->capital / 2);
  const float u = 1 / (float)atlas_width;
  float v = 0;
  unsigned now = 0;
  while (*text) {
    bool space = *text == ' ';
    int index = next_glyph(&text);
    const glyph *g = &a->glyphs[index];
    if (!g->made) {
      if (now) rlEnd();
      now = 0; /* making it may draw what waits */
      make_more(a, index);
    }
    float steps = roundf(pen * (float)a->finer), whole = floorf(steps / (float)a->finer);
    const cell *c = &g->at[(int)(steps - whole * (float)a->finer)];
    float left = (whole + c->left) * scale, right = left + c->width * scale;
    float top = (baseline + c->top) * scale, low = top + c->height * scale;
    pen += g->advance;
    if (space || !c->width) continue;
    const Texture2D *in = index < glyph_count ? &a->texture : &a->more;
    if (in->id != now) {
      if (now) rlEnd();
      now = in->id;
      v = 1 / (float)in->height;
      rlSetTexture(now);
      rlBegin(RL_QUADS);
      rlColor4ub(color.r, color.g, color.b, color.a);
    }
    rlTexCoord2f(c->x * u, c->y * v);
    rlVertex2f(left, top);
    rlTexCoord2f(c->x * u, (float)(c->y + c->height) * v);
    rlVertex2f(left, low);
    rlTexCoord2f((float)(c->x + c->width) * u, (float)(c->y + c->height) * v);
    rlVertex2f(right, low);
    rlTexCoord2f((float)(c->x + c->width) * u, c->y * v);
    rlVertex2f(right, top);
  }
  if (now) rlEnd();
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
