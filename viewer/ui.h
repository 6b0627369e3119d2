/* Widgets, drawn and asked in the same call: a small immediate-mode interface. Positions are in
 * pixels of the window; sizes follow the font. */
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include <raylib.h>
#include <stdbool.h>

typedef struct ui {
  Font font;
  bool own_font;
  float size;     /* font size in pixels */
  int active;     /* the widget that holds the mouse; 0: none */
  int focus;      /* the widget that holds the keyboard; 0: none */
  char text[64];  /* what is being typed */
  double clicked; /* when the last click was, for double clicks */
  int clicked_id;
  const char *tip; /* shown at the end of the frame */
  bool wants_mouse;
} ui;

void ui_start(ui *u);
void ui_end(ui *u);
void ui_frame_begin(ui *u);
void ui_frame_end(ui *u); /* draws the tip */

float ui_row(const ui *u); /* height of one line of widgets */
void ui_label(const ui *u, const char *text, float x, float y, Color color);
float ui_text_width(const ui *u, const char *text);
void ui_panel(ui *u, Rectangle r);
bool ui_hot(const ui *u, Rectangle r);

/* Whether it was clicked. */
bool ui_button(ui *u, int id, Rectangle r, const char *text);

typedef struct ui_slider {
  float min, max, rest;
  const char *unit;
  bool held; /* something holds it back: drawn in another colour */
} ui_slider;

/* Drag to change, double click to go to rest, click the number to type one, arrow keys for fine
 * steps while it has the focus. Whether the value changed. */
bool ui_slide(ui *u, int id, Rectangle r, const ui_slider *s, float *value);
/* A line of text to type into; whether it changed. */
bool ui_input(ui *u, int id, Rectangle r, const char *hint, char *text, int capacity);

#endif
