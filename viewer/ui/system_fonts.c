/* Font files are looked for in the usual folders, when the first character needs one. */
#include "ui/system_fonts.h"

#include <raylib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_fonts = 4096 };
static system_font *fonts;
static int font_count;
static bool looked;

/* what a name says of the style */
static int plainness_of(const char *name) {
  static const char *const plain[] = { "Sans", "Regular", "Gothic" };
  static const char *const other[] = { "Bold",   "Black", "Heavy",     "Light", "Thin",
                                       "Italic", "Mono",  "Condensed", "Serif", "Oblique" };
  int sum = 0;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) sum += strstr(name, plain[i]) != NULL;
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    sum -= 2 * (strstr(name, other[i]) != NULL);
  return sum;
}

static int plainest_first(const void *a, const void *b) {
  const system_font *p = a, *q = b;
  if (p->plainness != q->plainness) return p->plainness < q->plainness ? 1 : -1;
  return strcmp(p->path, q->path);
}

static void add(const char *path) {
  system_font f = { .plainness = plainness_of(GetFileName(path)) };
  if (font_count == most_fonts || !font_map_read(&f.map, path)) return;
  f.path = strdup(path);
  if (f.path)
    fonts[font_count++] = f;
  else
    font_map_free(&f.map);
}

static void look_in(const char *folder) {
  if (!DirectoryExists(folder)) return;
  FilePathList files = LoadDirectoryFilesEx(folder, ".ttf;.otf;.ttc", true);
  for (unsigned i = 0; i < files.count; i++) add(files.paths[i]);
  UnloadDirectoryFiles(files);
}

static void look(void) {
  static const char *const folders[] = { "/usr/share/fonts",          "/usr/local/share/fonts",
                                         "/opt/homebrew/share/fonts", "/Library/Fonts",
                                         "/System/Library/Fonts",     "C:/Windows/Fonts" };
  static const char *const at_home[] = { ".local/share/fonts", ".fonts", "Library/Fonts" };
  const char *home = getenv("HOME"), *given = getenv("SINEW_FONTS");
  looked = true;
  fonts = calloc(most_fonts, sizeof *fonts);
  if (!fonts) return;
  if (given) look_in(given); /* only this folder; for tests */
  for (int i = 0; !given && i < (int)(sizeof folders / sizeof *folders); i++) look_in(folders[i]);
  for (int i = 0; !given && home && *home && i < 3; i++)
    look_in(TextFormat("%s/%s", home, at_home[i]));
  qsort(fonts, (size_t)font_count, sizeof *fonts, plainest_first);
}

const system_font *system_font_with(int code) {
  if (!looked) look();
  for (int i = 0; i < font_count; i++) {
    system_font *f = &fonts[i];
    if (!font_map_has(&f->map, code)) continue;
    if (!f->bytes) f->bytes = LoadFileData(f->path, &f->size);
    if (f->bytes && font_map_unpack(f->bytes, (size_t)f->size)) return f;
    font_map_free(&f->map); /* it is not asked again */
  }
  return NULL;
}

void system_fonts_end(void) {
  for (int i = 0; i < font_count; i++) {
    font_map_free(&fonts[i].map);
    if (fonts[i].bytes) UnloadFileData(fonts[i].bytes);
    free(fonts[i].path);
  }
  free(fonts);
  fonts = NULL;
  font_count = 0;
  looked = false;
}
