/* A small immediate-mode interface: one call draws a widget and returns its input. Positions are in
 * window pixels; sizes follow the font. Widgets that use the mouse or the keyboard have an id, made
 * by ui_id. */
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include "ui/icons.h"

#include <raylib.h>
#include <stdbool.h>
#include <stddef.h>

enum { ui_most_clips = 16, ui_most_focusable = 512, ui_most_widgets = 1024 };

/* The open list. */
typedef struct ui_menu {
  int id; /* id of its field; 0: no list is open */
  Rectangle field, place;
  const char *const *items;
  int count, chosen;
  int picked; /* index; -1: none yet */
  float scroll;
  bool asked; /* its field was drawn in this frame */
  bool fresh; /* opened in this frame */
  bool again; /* the mouse was pressed since then: releasing it chooses */
} ui_menu;

typedef struct ui {
  float size;  /* of the text, in pixels; everything is scaled with it */
  int active;  /* the widget that captured the mouse; 0: none */
  int focus;   /* the widget that has the keyboard focus; 0: none */
  bool typing; /* a text field has the focus: keys type characters */
  bool typing_next;
  char text[64];      /* a number being typed */
  int cursor, anchor; /* byte positions of cursor and selection in the focused text */
  double clicked;     /* time of the last click, to detect double clicks */
  int clicked_id;
  float pull;       /* the unrounded value of a number being dragged */
  bool pulled;      /* it was dragged since the mouse was pressed on it */
  char tip[1024];   /* shown at the end of the frame; may have line ends */
  int cursor_shape; /* of the mouse in this frame, a MouseCursor */
  int shape_shown;
  bool wants_mouse;
  bool faint; /* values are drawn faintly, since they are defaults */
  ui_menu menu;
  bool blocked; /* something covers the widgets: they ignore the mouse */
  Rectangle clips[ui_most_clips];
  int clip_count;
  int focusable[ui_most_focusable];
  int focusable_count;
  struct {
    int id;
    Rectangle place;
  } widgets[ui_most_widgets]; /* widgets of this frame, for ui_where */
  int widget_count;
} ui;

bool ui_start(ui *u); /* false, with a message, if there is no font */
void ui_end(ui *u);
void ui_frame_begin(ui *u);
void ui_frame_end(ui *u); /* draws the tooltip, moves the focus on Tab */

/* Never 0; the same scope and number give the same id. */
int ui_id(const char *scope, int number);

float ui_px(const ui *u, float pixels); /* a length of theme.h, scaled */
float ui_row(const ui *u);              /* height of one line of widgets */
void ui_label(const ui *u, const char *text, float x, float y, Color color);
/* Cut to the width; dots replace what does not fit. */
void ui_label_in(const ui *u, const char *text, float x, float y, float width, Color color);
/* Broken into lines at spaces; returns their height. */
float ui_wrapped(const ui *u, const char *text, float x, float y, float width, Color color);
float ui_wrapped_as(const ui *u, int type, const char *text, float x, float y, float width,
                    Color color);
float ui_text_width(const ui *u, const char *text);
/* The same in another size of type of theme.h. */
void ui_label_as(const ui *u, int type, const char *text, float x, float y, float width,
                 Color color);
float ui_width_as(const ui *u, int type, const char *text);
void ui_title(const ui *u, const char *text, float x, float y, float width);
/* A rectangle with round corners; as a field that reacts to the mouse. */
void ui_box(const ui *u, Rectangle r, Color color);
void ui_field(const ui *u, int id, Rectangle r);
/* The background of menus and tooltips, and of text over the scene. */
void ui_float(const ui *u, Rectangle r);
void ui_over_scene(const ui *u, Rectangle r);
void ui_chevron(const ui *u, float x, float y, bool down, Color color);
/* Cuts the next line of widgets off the top of `part`. */
Rectangle ui_next_row(const ui *u, Rectangle *part);
/* A background that blocks mouse input to the scene. */
void ui_panel(ui *u, Rectangle r);
/* Whether the mouse is over the visible part of the rectangle. */
bool ui_hot(const ui *u, Rectangle r);
void ui_tip(ui *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ui_control(void); /* Ctrl, or Cmd on a Mac */
bool ui_shift(void);

/* Clips drawing and mouse input to the rectangle, inside the clips pushed before. */
void ui_clip_push(ui *u, Rectangle r);
void ui_clip_pop(ui *u);
/* A scrolling area: returns where its content starts; pass the content's height at the end. */
float ui_scroll_begin(ui *u, Rectangle r, const float *scroll);
void ui_scroll_end(ui *u, Rectangle r, float content_height, float *scroll);
/* Scrolls, for the next frame, so far that a row of the area is in it. */
void ui_reveal(Rectangle r, Rectangle row, float *scroll);

/* The rectangle of a widget in this frame; its width is 0 if it was not drawn. */
Rectangle ui_where(const ui *u, int id);
/* Lets ui_where find a widget that draws and asks for its own input. */
void ui_note_widget(ui *u, int id, Rectangle r);
/* The id of the number beside a slider. */
int ui_number_id(int slider);

/* Whether the mouse was pressed on the widget, which then captures it. */
bool ui_pressed(ui *u, int id, Rectangle r);
bool ui_double_clicked(ui *u, int id);
/* Makes a widget reachable by Tab; returns whether it has the focus. */
bool ui_focused(ui *u, int id);

/* Returns whether it was clicked. */
bool ui_button(ui *u, int id, Rectangle r, const char *text);
/* The same with an icon; `lit`: what it stands for is switched on. */
bool ui_icon_button(ui *u, int id, Rectangle r, icon which, bool lit);
/* A check box; returns whether it changed. */
bool ui_toggle(ui *u, int id, Rectangle r, const char *text, bool *value);
/* A header that folds what follows, with `taken` pixels at its right end for something else than
 * the text; returns whether it changed. */
bool ui_fold(ui *u, int id, Rectangle r, float taken, const char *text, bool *folded);
/* A line of a list; returns whether it was clicked. */
bool ui_item(ui *u, int id, Rectangle r, const char *text, bool chosen);

typedef struct ui_slider {
  float min, max, rest;
  const char *unit; /* as value_unit gives it */
  bool held;        /* a limit holds it back: drawn with a lock */
  float given;      /* then: the value that it has, drawn as a second knob; NAN: unknown */
} ui_slider;

/* Drag to change, double click to reset to rest, click the number to type one, arrow keys for fine
 * steps while it has the focus. Returns whether the value changed. */
bool ui_slide(ui *u, int id, Rectangle r, const ui_slider *s, float *value);
/* The same with places for its track and its number. */
bool ui_slide_in(ui *u, int id, Rectangle track, Rectangle number, const ui_slider *s,
                 float *value);
/* A number: click to type one, drag sideways to change it in steps. Returns whether it changed.
 * `unit` decides its digits; NULL: none. */
bool ui_number(ui *u, int id, Rectangle r, const char *unit, float step, float *value);
/* Several numbers side by side, with ids from `first` on. Returns whether one changed. */
bool ui_numbers(ui *u, const char *scope, int first, Rectangle r, const char *unit, float step,
                int count, float *values);
/* One of several items: click to open a list, or use the arrow keys. Returns whether another was
 * chosen. `items` must live until the frame ends. */
bool ui_choose(ui *u, int id, Rectangle r, const char *const *items, int count, int *chosen);
/* Whether the mouse is over the open list; the start and end of the list in a frame. */
bool ui_menu_hot(const ui *u);
void ui_menu_begin(ui *u);
void ui_menu_end(ui *u);
/* A text field with cursor, selection, copy, cut and paste; returns whether it changed. */
bool ui_input(ui *u, int id, Rectangle r, const char *hint, char *text, size_t capacity);
/* Keyboard input for the text with the focus; returns true on Enter. Enter and Escape end the
 * focus. */
bool ui_type(ui *u, char *text, size_t capacity, bool *changed);
/* Draws the text that has the focus, with cursor and selection. */
void ui_draw_typed(const ui *u, const char *text, float x, float y, float height);

#endif
