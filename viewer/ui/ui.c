/* The widgets. */
#include "ui/ui.h"
#include "plain/value_text.h"
#include "ui/fonts.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char cut[512]; /* the label under the mouse, if there was no room for all of it */

bool ui_start(ui *u) {
  *u = (ui){ .size = theme_body };
  return fonts_start() && icons_start();
}

void ui_end(ui *u) {
  (void)u;
  icons_end();
  fonts_end();
}

void ui_frame_begin(ui *u) {
  fonts_frame();
  u->tip[0] = '\0';
  u->cursor_shape = MOUSE_CURSOR_DEFAULT;
  u->wants_mouse = u->active != 0;
  u->typing = u->typing_next;
  u->typing_next = false;
  u->blocked = u->faint = false;
  u->clip_count = 0;
  u->focusable_count = 0;
  u->widget_count = 0;
  ui_menu_begin(u);
}

static void draw_tip(const ui *u) {
  Vector2 m = GetMousePosition();
  float width = 0, row = ui_row(u);
  int lines = 0;
  char text[sizeof u->tip];
  snprintf(text, sizeof text, "%s", u->tip);
  char *save = NULL;
  for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save), lines++)
    width = fmaxf(width, ui_text_width(u, l));
  width += ui_px(u, 2 * theme_s2);
  float height = (float)lines * row + ui_px(u, theme_s1);
  float x = fmaxf(4, fminf(m.x + 14, (float)GetScreenWidth() - width - 4));
  float y = m.y + 18 + height < (float)GetScreenHeight() ? m.y + 18 : m.y - height - 6;
  ui_float(u, (Rectangle){ x, y, width, height });
  snprintf(text, sizeof text, "%s", u->tip);
  int i = 0;
  for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save), i++)
    ui_label(u, l, x + ui_px(u, theme_s2), y + 2 + (float)i * row, i ? theme_second : theme_text);
}

void ui_frame_end(ui *u) {
  ui_menu_end(u);
  if (*cut && !u->tip[0]) ui_tip(u, "%s", cut);
  cut[0] = '\0';
  if (u->tip[0] && !u->active) draw_tip(u);
  if (u->cursor_shape != u->shape_shown) SetMouseCursor(u->shape_shown = u->cursor_shape);
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT)) u->active = 0;
  if (IsKeyPressed(KEY_TAB) && u->focusable_count) {
    int at = 0, step = ui_shift() ? -1 : 1;
    while (at < u->focusable_count && u->focusable[at] != u->focus) at++;
    if (at < u->focusable_count)
      at = (at + step + u->focusable_count) % u->focusable_count;
    else
      at = step > 0 ? 0 : u->focusable_count - 1;
    u->focus = u->focusable[at];
    u->cursor = (int)sizeof u->text;
    u->anchor = 0;
    u->text[0] = '\0';
  }
}

int ui_id(const char *scope, int number) {
  unsigned hash = 2166136261u;
  for (; *scope; scope++) hash = (hash ^ (unsigned char)*scope) * 16777619u;
  for (int i = 0; i < 4; i++) hash = (hash ^ ((unsigned)number >> (8 * i) & 255)) * 16777619u;
  return (int)(hash & 0x3fffffff) + 1;
}

float ui_px(const ui *u, float pixels) { return roundf(pixels * u->size / theme_body); }

float ui_row(const ui *u) { return ui_px(u, theme_row); }

Rectangle ui_next_row(const ui *u, Rectangle *part) {
  Rectangle row = { part->x, part->y, part->width, ui_row(u) };
  part->y += row.height;
  part->height -= row.height;
  return row;
}

static float type_size(const ui *u, int type) { return (float)type * u->size / theme_body; }

float ui_width_as(const ui *u, int type, const char *text) {
  return font_width(text, type_size(u, type));
}

void ui_label_as(const ui *u, int type, const char *text, float x, float y, float width,
                 Color color) {
  float size = type_size(u, type);
  if (ui_hot(u, (Rectangle){ x, y, width, ui_row(u) }) && font_width(text, size) > width)
    snprintf(cut, sizeof cut, "%s", text);
  font_draw_cut(text, (Vector2){ x, y + (ui_row(u) - size) / 2 }, width, size, color);
}

float ui_text_width(const ui *u, const char *text) { return font_width(text, u->size); }

void ui_label(const ui *u, const char *text, float x, float y, Color color) {
  font_draw(text, (Vector2){ x, y + (ui_row(u) - u->size) / 2 }, u->size, color);
}

void ui_label_in(const ui *u, const char *text, float x, float y, float width, Color color) {
  ui_label_as(u, theme_body, text, x, y, width, color);
}

float ui_wrapped(const ui *u, const char *text, float x, float y, float width, Color color) {
  return ui_wrapped_as(u, theme_body, text, x, y, width, color);
}

float ui_wrapped_as(const ui *u, int type, const char *text, float x, float y, float width,
                    Color color) {
  float top = y, size = type_size(u, type);
  char line[256];
  while (*text) {
    size_t take = 0, fits = 0, whole = 0; /* up to a space; up to a character */
    while (text[take] && text[take] != '\n' && take + 5 < sizeof line) {
      size_t next = take + 1;
      while (next < take + 4 && ((unsigned char)text[next] & 0xC0) == 0x80) next++;
      memcpy(line + take, text + take, next - take);
      line[next] = '\0';
      if (text[take] == ' ') fits = take;
      /* a line ends after a word; only one that is too long is measured letter by letter */
      bool word_ends = strchr(" \n", text[next]) || next + 5 >= sizeof line;
      if ((word_ends || !fits) && (fits || whole) && font_width(line, size) > width) break;
      whole = take = next;
    }
    if (text[take] && text[take] != '\n') take = fits ? fits : whole;
    snprintf(line, sizeof line, "%.*s", (int)take, text);
    font_draw(line, (Vector2){ x, y + (ui_row(u) - size) / 2 }, size, color);
    y += ui_row(u);
    text += take;
    while (*text == ' ' || *text == '\n') text++;
  }
  return y - top;
}

void ui_title(const ui *u, const char *text, float x, float y, float width) {
  ui_label_as(u, theme_head, text, x, y, width, theme_text);
}

void ui_box(const ui *u, Rectangle r, Color color) { icon_box(r, ui_px(u, theme_radius), color); }

static void ringed(const ui *u, Rectangle r, float thick, Color ring, Color color) {
  icon_box((Rectangle){ r.x - thick, r.y - thick, r.width + 2 * thick, r.height + 2 * thick },
           ui_px(u, theme_radius) + thick, ring);
  ui_box(u, r, color);
}

void ui_float(const ui *u, Rectangle r) { ringed(u, r, 1, theme_line, theme_window); }

void ui_over_scene(const ui *u, Rectangle r) { ui_box(u, r, Fade(theme_window, 0.72f)); }

bool ui_hot(const ui *u, Rectangle r) {
  Vector2 mouse = GetMousePosition();
  if (u->blocked || ui_menu_hot(u) || !CheckCollisionPointRec(mouse, r)) return false;
  return !u->clip_count || CheckCollisionPointRec(mouse, u->clips[u->clip_count - 1]);
}

void ui_panel(ui *u, Rectangle r) {
  DrawRectangleRec(r, theme_panel);
  /* a line where it meets something else */
  if (r.x > 0) DrawRectangleRec((Rectangle){ r.x, r.y, 1, r.height }, theme_line);
  if (r.x + r.width < (float)GetScreenWidth())
    DrawRectangleRec((Rectangle){ r.x + r.width - 1, r.y, 1, r.height }, theme_line);
  if (r.y > 0) DrawRectangleRec((Rectangle){ r.x, r.y, r.width, 1 }, theme_line);
  if (ui_hot(u, r)) u->wants_mouse = true;
}

void ui_tip(ui *u, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(u->tip, sizeof u->tip, format, args);
  va_end(args);
}

bool ui_control(void) {
  return IsKeyDown(KEY_LEFT_CONTROL) || IsKeyDown(KEY_RIGHT_CONTROL) || IsKeyDown(KEY_LEFT_SUPER) ||
         IsKeyDown(KEY_RIGHT_SUPER);
}

bool ui_shift(void) { return IsKeyDown(KEY_LEFT_SHIFT) || IsKeyDown(KEY_RIGHT_SHIFT); }

static bool same_clip(Rectangle a, Rectangle b) {
  return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

/* every change draws what waits, so there is none where the next clip is as large */
static void scissor(const ui *u, Rectangle before) {
  if (u->clip_count && same_clip(u->clips[u->clip_count - 1], before)) return;
  if (!u->clip_count) {
    EndScissorMode();
    return;
  }
  Rectangle r = u->clips[u->clip_count - 1];
  BeginScissorMode((int)r.x, (int)r.y, (int)r.width, (int)r.height);
}

void ui_clip_push(ui *u, Rectangle r) {
  Rectangle before = { 0 };
  if (u->clip_count) {
    before = u->clips[u->clip_count - 1];
    r = GetCollisionRec(r, before);
  }
  if (u->clip_count < ui_most_clips) u->clips[u->clip_count++] = r;
  scissor(u, before);
}

void ui_clip_pop(ui *u) {
  Rectangle before = u->clips[--u->clip_count];
  scissor(u, before);
}

float ui_scroll_begin(ui *u, Rectangle r, const float *scroll) {
  ui_clip_push(u, r);
  return r.y - *scroll;
}

void ui_scroll_end(ui *u, Rectangle r, float content_height, float *scroll) {
  float most = fmaxf(content_height - r.height, 0);
  if (ui_hot(u, r)) *scroll -= GetMouseWheelMoveV().y * ui_row(u) * 2;
  *scroll = fmaxf(0, fminf(*scroll, most));
  if (most > 0) {
    float bar = fmaxf(r.height * r.height / content_height, 20);
    Rectangle thumb = { r.x + r.width - 5, r.y + (r.height - bar) * *scroll / most, 3, bar };
    ui_box(u, thumb, ui_hot(u, r) ? theme_hint : theme_line);
  }
  ui_clip_pop(u);
}

void ui_reveal(Rectangle r, Rectangle row, float *scroll) {
  *scroll += fmaxf(row.y + row.height - r.y - r.height, 0);
  *scroll -= fmaxf(r.y - row.y, 0);
}

int ui_number_id(int slider) { return slider ^ 0x40000000; }

Rectangle ui_where(const ui *u, int id) {
  for (int i = 0; i < u->widget_count; i++)
    if (u->widgets[i].id == id) return u->widgets[i].place;
  return (Rectangle){ 0 };
}

void ui_note_widget(ui *u, int id, Rectangle r) {
  if (u->widget_count == ui_most_widgets) return;
  u->widgets[u->widget_count].id = id;
  u->widgets[u->widget_count++].place = r;
}

bool ui_pressed(ui *u, int id, Rectangle r) {
  ui_note_widget(u, id, r);
  if (!ui_hot(u, r) || u->active || !IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) return false;
  u->active = id;
  return true;
}

bool ui_double_clicked(ui *u, int id) {
  double now = GetTime();
  /* allow more time if frames are slow */
  bool twice = u->clicked_id == id && now - u->clicked < fmax(0.35, 8 * (double)GetFrameTime());
  u->clicked = twice ? 0 : now;
  u->clicked_id = id;
  return twice;
}

bool ui_focused(ui *u, int id) {
  if (u->focusable_count < ui_most_focusable && !u->blocked)
    u->focusable[u->focusable_count++] = id;
  return u->focus == id;
}

/* a field at rest, under the mouse or pressed, with a ring if it has the focus */
void ui_field(const ui *u, int id, Rectangle r) {
  bool hot = ui_hot(u, r);
  Color color = hot && u->active == id ? theme_pressed : hot ? theme_hover : theme_field;
  if (u->focus == id)
    ringed(u, r, ui_px(u, theme_ring), theme_action, color);
  else
    ui_box(u, r, color);
}

/* clicked, or Enter or Space while it has the focus */
static bool chosen(ui *u, int id, Rectangle r) {
  bool focused = ui_focused(u, id);
  if (ui_pressed(u, id, r)) return true;
  return focused && (IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_SPACE));
}

bool ui_button(ui *u, int id, Rectangle r, const char *text) {
  bool was = chosen(u, id, r);
  ui_field(u, id, r);
  ui_label(u, text, r.x + (r.width - ui_text_width(u, text)) / 2, r.y + (r.height - ui_row(u)) / 2,
           theme_text);
  return was;
}

bool ui_icon_button(ui *u, int id, Rectangle r, icon which, bool lit) {
  bool was = chosen(u, id, r), hot = ui_hot(u, r);
  if (hot || lit || u->focus == id) ui_field(u, id, r);
  icon_draw(which, (Vector2){ r.x + r.width / 2, r.y + r.height / 2 }, ui_px(u, theme_icon - 2),
            lit   ? theme_action
            : hot ? theme_text
                  : theme_second);
  return was;
}

bool ui_toggle(ui *u, int id, Rectangle r, const char *text, bool *value) {
  bool was = chosen(u, id, r);
  if (was) *value = !*value;
  float side = ui_px(u, 14);
  Rectangle box = { r.x, r.y + roundf((r.height - side) / 2), side, side };
  Color color = *value ? theme_action : ui_hot(u, r) ? theme_hover : theme_field;
  bool focused = u->focus == id;
  ringed(u, box, focused ? ui_px(u, theme_ring) : 1, focused ? theme_text : theme_line, color);
  if (*value)
    icon_draw(ICON_CHECK, (Vector2){ box.x + side / 2, box.y + side / 2 }, side * 0.62f,
              theme_on_light);
  ui_label_in(u, text, r.x + side + ui_px(u, theme_s2), r.y + (r.height - ui_row(u)) / 2,
              r.width - side - ui_px(u, theme_s2), *value ? theme_text : theme_second);
  return was;
}

void ui_chevron(const ui *u, float x, float y, bool down, Color color) {
  icon_draw_turned(ICON_CHEVRON, (Vector2){ x, y }, ui_px(u, 8), down ? 90 : 0, color);
}

bool ui_fold(ui *u, int id, Rectangle r, float taken, const char *text, bool *folded) {
  bool was = chosen(u, id, r), lit = ui_hot(u, r) || u->focus == id;
  if (was) *folded = !*folded;
  if (u->focus == id)
    ringed(u, (Rectangle){ r.x - 2, r.y + 2, r.width + 4, r.height - 4 }, ui_px(u, theme_ring),
           theme_action, theme_panel);
  ui_chevron(u, r.x + ui_px(u, 6), r.y + r.height / 2, !*folded, lit ? theme_text : theme_hint);
  ui_label_in(u, text, r.x + ui_px(u, theme_s4), r.y + (r.height - ui_row(u)) / 2,
              r.width - ui_px(u, theme_s4) - taken, lit || !*folded ? theme_text : theme_second);
  return was;
}

bool ui_item(ui *u, int id, Rectangle r, const char *text, bool marked) {
  bool was = ui_pressed(u, id, r);
  if (marked || ui_hot(u, r)) ui_box(u, r, marked ? theme_field : theme_hover);
  if (marked) ui_box(u, (Rectangle){ r.x, r.y + 4, ui_px(u, 3), r.height - 8 }, theme_action);
  ui_label_in(u, text, r.x + ui_px(u, theme_s2), r.y + (r.height - ui_row(u)) / 2,
              r.width - ui_px(u, 2 * theme_s2), theme_text);
  return was;
}

static float held_in(const ui_slider *s, float value) {
  return value < s->min ? s->min : value > s->max ? s->max : value;
}

/* reads a typed number; whether it changed */
static bool typed_number(ui *u, const char *unit, float *value) {
  bool edited = false;
  if (!ui_type(u, u->text, sizeof u->text, &edited) || !*u->text) return false;
  return value_read(u->text, unit, value);
}

static void start_typing(ui *u, int id) {
  u->focus = id;
  u->text[0] = '\0';
  u->cursor = u->anchor = 0;
}

/* the number beside the slider: click it to type another */
static bool number_box(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  char shown[96];
  float typed = 0, pad = ui_px(u, theme_s1 + 2);
  if (ui_pressed(u, id, r))
    start_typing(u, id);
  else if (u->focus == id && IsMouseButtonPressed(MOUSE_BUTTON_LEFT))
    u->focus = 0;
  Rectangle box = { r.x, r.y + 1, r.width, r.height - 2 };
  if (ui_focused(u, id)) {
    ui_field(u, id, box);
    bool changed = typed_number(u, s->unit, &typed);
    if (changed) *value = held_in(s, typed);
    if (u->focus == id) ui_draw_typed(u, u->text, r.x + pad, r.y, r.height);
    if (u->focus == id || changed) return changed;
  }
  if (ui_hot(u, r)) ui_box(u, box, theme_hover);
  value_number(*value, s->unit, shown, sizeof shown);
  float x = r.x + r.width - ui_text_width(u, shown) - pad;
  ui_label(u, shown, x, r.y, s->held ? theme_held : *value != s->rest ? theme_text : theme_second);
  if (s->held)
    icon_draw(ICON_LOCK, (Vector2){ x - ui_px(u, theme_s2), r.y + r.height / 2 }, ui_px(u, 10),
              theme_held);
  return false;
}

static bool slide_keys(const ui_slider *s, float *value) {
  float range = s->max - s->min, step = range / (ui_shift() ? 2000.0f : 200.0f), by = 0;
  if (IsKeyPressed(KEY_RIGHT) || IsKeyPressedRepeat(KEY_RIGHT)) by = step;
  if (IsKeyPressed(KEY_LEFT) || IsKeyPressedRepeat(KEY_LEFT)) by = -step;
  if (IsKeyPressed(KEY_HOME)) by = s->rest - *value;
  if (by == 0) return false;
  *value = held_in(s, *value + by);
  return true;
}

static void draw_slider(const ui *u, int id, Rectangle r, const ui_slider *s, float value) {
  float range = s->max > s->min ? s->max - s->min : 1, middle = roundf(r.y + r.height / 2);
  float at = r.x + r.width * (value - s->min) / range;
  float rest = r.x + r.width * (s->rest - s->min) / range;
  bool split = s->held && !isnan(s->given); /* it has another value than the wanted one */
  float given = split ? r.x + r.width * (held_in(s, s->given) - s->min) / range : at;
  float high = ui_px(u, 3), knob = ui_px(u, 5);
  bool lit = u->active == id || u->focus == id || ui_hot(u, r);
  Rectangle track = { r.x, middle - high / 2, r.width, high };
  ui_box(u, track, s->held ? Fade(theme_held, 0.45f) : theme_line);
  float from = split ? given : rest;
  ui_box(u, (Rectangle){ fminf(at, from), track.y, fabsf(at - from), high },
         s->held ? theme_held : theme_action);
  DrawRectangleRec((Rectangle){ roundf(rest), middle - 2 * high / 2 - 1, 1, 2 * high + 2 },
                   theme_hint);
  Vector2 wanted = { at, middle }, is = { given, middle };
  if (u->focus == id)
    icon_draw(ICON_DISC, wanted, 2 * (knob + 1 + ui_px(u, 2 * theme_ring)), theme_action);
  if (u->focus == id) icon_draw(ICON_DISC, wanted, 2 * (knob + 3), theme_panel);
  icon_draw(ICON_DISC, wanted, 2 * (lit ? knob + 1 : knob), lit ? theme_text : theme_second);
  if (!split) return;
  icon_draw(ICON_DISC, is, 2 * (knob + 1), theme_panel);
  icon_draw(ICON_RING, is, 2 * (knob + 1), theme_held);
}

bool ui_slide(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  float box = ui_px(u, 58);
  return ui_slide_in(u, id, (Rectangle){ r.x, r.y, r.width - box - ui_px(u, theme_s1), r.height },
                     (Rectangle){ r.x + r.width - box, r.y, box, r.height }, s, value);
}

bool ui_slide_in(ui *u, int id, Rectangle track, Rectangle number, const ui_slider *s,
                 float *value) {
  bool changed = false;
  float range = s->max > s->min ? s->max - s->min : 1;
  if (ui_pressed(u, id, track)) {
    u->focus = id;
    if (ui_double_clicked(u, id)) {
      *value = s->rest;
      changed = true;
      u->active = 0;
    }
  }
  if (u->active == id) {
    float wanted = held_in(s, s->min + range * (GetMousePosition().x - track.x) / track.width);
    if (wanted != *value && (GetMouseDelta().x != 0 || IsMouseButtonPressed(MOUSE_BUTTON_LEFT))) {
      *value = wanted;
      changed = true;
    }
  }
  if (ui_focused(u, id) && slide_keys(s, value)) changed = true;
  draw_slider(u, id, track, s, *value);
  if (number_box(u, ui_number_id(id), number, s, value)) changed = true;
  return changed;
}

bool ui_number(ui *u, int id, Rectangle r, const char *unit, float step, float *value) {
  bool changed = false;
  float y = r.y + (r.height - ui_row(u)) / 2;
  if (u->focus != id && ui_pressed(u, id, r)) {
    u->pull = *value;
    u->pulled = false;
    if (u->focus != id) u->focus = 0;
  } else if (u->active == id && GetMouseDelta().x != 0) {
    u->pull += GetMouseDelta().x * step * (ui_shift() ? 0.1f : 1);
    u->pulled = true;
    changed = u->pull != *value;
    *value = u->pull;
  } else if (u->active == id && IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && !u->pulled) {
    start_typing(u, id);
  } else if (u->focus == id && IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && !ui_hot(u, r)) {
    u->focus = 0;
  }
  ui_field(u, id, r);
  if (ui_focused(u, id)) changed |= typed_number(u, unit, value);
  ui_clip_push(u, r);
  if (u->focus == id)
    ui_draw_typed(u, u->text, r.x + ui_px(u, 6), y, ui_row(u));
  else {
    char shown[48];
    value_plain(*value, unit, shown, sizeof shown);
    /* fewer digits rather than half of a number, or one without its sign */
    bool scaled = unit && strcmp(unit, "%") == 0;
    float most = r.width - ui_px(u, 6);
    for (int d = 3; d >= 0 && !scaled && ui_text_width(u, shown) > most; d--)
      snprintf(shown, sizeof shown, "%.*f", d, (double)*value);
    ui_label(u, shown, r.x + r.width - ui_text_width(u, shown) - ui_px(u, 6), y,
             u->faint ? theme_hint : theme_text);
    if (ui_hot(u, r)) ui_tip(u, "%.6g", (double)*value); /* all digits */
  }
  ui_clip_pop(u);
  return changed;
}

bool ui_numbers(ui *u, const char *scope, int first, Rectangle r, const char *unit, float step,
                int count, float *values) {
  bool changed = false;
  float gap = 3, wide = (r.width - gap * (float)(count - 1)) / (float)count;
  for (int i = 0; i < count; i++) {
    Rectangle box = { r.x + (wide + gap) * (float)i, r.y, wide, r.height };
    changed |= ui_number(u, ui_id(scope, first + i), box, unit, step, &values[i]);
  }
  return changed;
}
