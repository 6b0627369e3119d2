/* Characters by index: 32 to 126, then 160 to 255. raylib's own font starts the same way. */
#include "ui/fonts.h"

#include <stdio.h>
#include <string.h>

enum { ascii = 95, latin = 96 };

Font font_load(const char *file, int size) {
  int codes[ascii + latin];
  for (int i = 0; i < ascii; i++) codes[i] = 32 + i;
  for (int i = 0; i < latin; i++) codes[ascii + i] = 160 + i;
  if (!file) return GetFontDefault();
  Font font = LoadFontEx(file, size, codes, ascii + latin);
  SetTextureFilter(font.texture, TEXTURE_FILTER_BILINEAR);
  return font;
}

/* the index of the next character, or of '?' if the font lacks it; advances `text` */
static int next_glyph(const Font *font, const char **text) {
  int bytes = 1, code = (unsigned char)**text;
  if (code >= 128) code = GetCodepointNext(*text, &bytes);
  *text += bytes;
  int index = code >= 160 ? code - 160 + ascii : code - 32;
  bool known = (code >= 32 && code < 127) || (code >= 160 && code < 256);
  bool present = known && index < font->glyphCount && font->glyphs[index].value == code;
  return present ? index : '?' - 32;
}

static float advance(const Font *font, int index) {
  int given = font->glyphs[index].advanceX;
  return given ? (float)given : font->recs[index].width + (float)font->glyphs[index].offsetX;
}

float font_width(Font font, const char *text, float size) {
  float width = 0;
  while (*text) width += advance(&font, next_glyph(&font, &text));
  return width * size / (float)font.baseSize;
}

void font_draw(Font font, const char *text, Vector2 at, float size, Color color) {
  float scale = size / (float)font.baseSize, edge = (float)font.glyphPadding;
  while (*text) {
    int index = next_glyph(&font, &text);
    Rectangle box = font.recs[index];
    const GlyphInfo *glyph = &font.glyphs[index];
    Rectangle from = { box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge };
    Rectangle to = { at.x + ((float)glyph->offsetX - edge) * scale,
                     at.y + ((float)glyph->offsetY - edge) * scale, from.width * scale,
                     from.height * scale };
    if (glyph->value != ' ') DrawTexturePro(font.texture, from, to, (Vector2){ 0, 0 }, 0, color);
    at.x += advance(&font, index) * scale;
  }
}

void font_draw_cut(Font font, const char *text, Vector2 at, float width, float size, Color color) {
  char cut[256];
  snprintf(cut, sizeof cut, "%s", text);
  size_t length = strlen(cut) < sizeof cut - 3 ? strlen(cut) : sizeof cut - 3;
  while (length > 0 && font_width(font, cut, size) > width) {
    length--;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    memcpy(cut + length, "..", 3);
  }
  if (length > 0) font_draw(font, cut, at, size, color);
}
