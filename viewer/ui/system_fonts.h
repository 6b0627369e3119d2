/* Fonts of the system, for characters that the built-in one lacks. */
#ifndef VIEWER_SYSTEM_FONTS_H
#define VIEWER_SYSTEM_FONTS_H

#include "plain/font_map.h"

typedef struct system_font {
  char *path;
  font_map map;
  int plainness;        /* the higher, the more like a regular sans serif */
  unsigned char *bytes; /* read when it is first needed */
  int size;
} system_font;

/* The plainest font that has the character; NULL: there is none. */
const system_font *system_font_with(int code);
void system_fonts_end(void);

#endif
