/* The widgets. */
#include "ui/ui.h"
#include "ui/fonts.h"
#include "ui/theme.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ui_start(ui *u) {
  static const char *const fonts[] = { "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                       "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                       "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf" };
  *u = (ui){ .font = GetFontDefault(), .size = 15 };
  for (size_t i = 0; i < sizeof fonts / sizeof *fonts && !u->own_font; i++) {
    if (!FileExists(fonts[i])) continue;
    u->font_file = fonts[i];
    u->font = font_load(u->font_file, (int)roundf(u->size * fmaxf(GetWindowScaleDPI().x, 1)));
    u->own_font = u->font.glyphCount > 0;
  }
  if (!u->own_font) u->font_file = NULL;
}

void ui_end(ui *u) {
  if (u->own_font) UnloadFont(u->font);
}

void ui_frame_begin(ui *u) {
  u->tip[0] = '\0';
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
  width += 16;
  float height = (float)lines * row + 4;
  float x = fmaxf(4, fminf(m.x + 14, (float)GetScreenWidth() - width - 4));
  float y = m.y + 18 + height < (float)GetScreenHeight() ? m.y + 18 : m.y - height - 6;
  DrawRectangleRounded((Rectangle){ x, y, width, height }, 0.2f, 6, theme_float);
  snprintf(text, sizeof text, "%s", u->tip);
  int i = 0;
  for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save), i++)
    ui_label(u, l, x + 8, y + 2 + (float)i * row, theme_ink);
}

void ui_frame_end(ui *u) {
  ui_menu_end(u);
  if (u->tip[0] && !u->active) draw_tip(u);
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

float ui_row(const ui *u) { return roundf(u->size * 1.55f); }

Rectangle ui_next_row(const ui *u, Rectangle *part) {
  Rectangle row = { part->x, part->y, part->width, ui_row(u) };
  part->y += row.height;
  part->height -= row.height;
  return row;
}

float ui_text_width(const ui *u, const char *text) { return font_width(u->font, text, u->size); }

static Vector2 label_place(const ui *u, float x, float y) {
  return (Vector2){ roundf(x), roundf(y + (ui_row(u) - u->size) / 2) };
}

void ui_label(const ui *u, const char *text, float x, float y, Color color) {
  font_draw(u->font, text, label_place(u, x, y), u->size, color);
}

void ui_label_in(const ui *u, const char *text, float x, float y, float width, Color color) {
  font_draw_cut(u->font, text, label_place(u, x, y), width, u->size, color);
}

bool ui_hot(const ui *u, Rectangle r) {
  Vector2 mouse = GetMousePosition();
  if (u->blocked || ui_menu_hot(u) || !CheckCollisionPointRec(mouse, r)) return false;
  return !u->clip_count || CheckCollisionPointRec(mouse, u->clips[u->clip_count - 1]);
}

void ui_panel(ui *u, Rectangle r) {
  DrawRectangleRec(r, theme_panel);
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

static void scissor(const ui *u) {
  if (!u->clip_count) {
    EndScissorMode();
    return;
  }
  Rectangle r = u->clips[u->clip_count - 1];
  BeginScissorMode((int)r.x, (int)r.y, (int)r.width, (int)r.height);
}

void ui_clip_push(ui *u, Rectangle r) {
  if (u->clip_count) r = GetCollisionRec(r, u->clips[u->clip_count - 1]);
  if (u->clip_count < ui_most_clips) u->clips[u->clip_count++] = r;
  scissor(u);
}

void ui_clip_pop(ui *u) {
  u->clip_count--;
  scissor(u);
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
    DrawRectangleRec(
        (Rectangle){ r.x + r.width - 4, r.y + (r.height - bar) * *scroll / most, 3, bar },
        theme_hot);
  }
  ui_clip_pop(u);
}

int ui_number_id(int slider) { return slider ^ 0x40000000; }

Rectangle ui_where(const ui *u, int id) {
  for (int i = 0; i < u->widget_count; i++)
    if (u->widgets[i].id == id) return u->widgets[i].place;
  return (Rectangle){ 0 };
}

bool ui_pressed(ui *u, int id, Rectangle r) {
  if (u->widget_count < ui_most_widgets) {
    u->widgets[u->widget_count].id = id;
    u->widgets[u->widget_count++].place = r;
  }
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

static void ring(Rectangle r) { DrawRectangleRoundedLines(r, 0.25f, 4, theme_fill); }

/* clicked, or Enter or Space while it has the focus */
static bool chosen(ui *u, int id, Rectangle r) {
  bool focused = ui_focused(u, id);
  if (ui_pressed(u, id, r)) return true;
  return focused && (IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_SPACE));
}

bool ui_button(ui *u, int id, Rectangle r, const char *text) {
  bool was = chosen(u, id, r);
  DrawRectangleRounded(r, 0.25f, 4, ui_hot(u, r) ? theme_hot : theme_trough);
  if (u->focus == id) ring(r);
  ui_label(u, text, r.x + (r.width - ui_text_width(u, text)) / 2, r.y + (r.height - ui_row(u)) / 2,
           theme_ink);
  return was;
}

bool ui_toggle(ui *u, int id, Rectangle r, const char *text, bool *value) {
  bool was = chosen(u, id, r);
  if (was) *value = !*value;
  float side = roundf(u->size * 0.85f);
  Rectangle box = { r.x, r.y + roundf((r.height - side) / 2), side, side };
  DrawRectangleRounded(box, 0.3f, 4, ui_hot(u, r) ? theme_hot : theme_trough);
  if (u->focus == id) ring(box);
  if (*value)
    DrawRectangleRounded((Rectangle){ box.x + 3, box.y + 3, side - 6, side - 6 }, 0.3f, 4,
                         theme_title);
  ui_label_in(u, text, r.x + side + 6, r.y + (r.height - ui_row(u)) / 2, r.width - side - 6,
              theme_ink);
  return was;
}

bool ui_fold(ui *u, int id, Rectangle r, const char *text, bool *folded) {
  bool was = chosen(u, id, r);
  if (was) *folded = !*folded;
  float h = u->size * 0.28f, x = r.x + h + 2, y = r.y + r.height / 2;
  Color color = ui_hot(u, r) || u->focus == id ? theme_ink : theme_faint;
  if (*folded)
    DrawTriangle((Vector2){ x - h * 0.6f, y - h }, (Vector2){ x - h * 0.6f, y + h },
                 (Vector2){ x + h, y }, color);
  else
    DrawTriangle((Vector2){ x - h, y - h * 0.6f }, (Vector2){ x, y + h },
                 (Vector2){ x + h, y - h * 0.6f }, color);
  ui_label_in(u, text, r.x + u->size, r.y + (r.height - ui_row(u)) / 2, r.width - u->size,
              theme_title);
  return was;
}

bool ui_item(ui *u, int id, Rectangle r, const char *text, bool marked) {
  bool was = ui_pressed(u, id, r);
  if (marked || ui_hot(u, r)) DrawRectangleRec(r, marked ? theme_fill : theme_hot);
  ui_label_in(u, text, r.x + 8, r.y + (r.height - ui_row(u)) / 2, r.width - 16, theme_ink);
  return was;
}

static float held_in(const ui_slider *s, float value) {
  return value < s->min ? s->min : value > s->max ? s->max : value;
}

static int decimals_of(float range) { return range > 20 ? 1 : range > 2 ? 2 : 4; }

/* reads a typed number; whether it changed */
static bool typed_number(ui *u, float *value) {
  bool edited = false;
  if (!ui_type(u, u->text, sizeof u->text, &edited) || !*u->text) return false;
  char *end;
  float typed = strtof(u->text, &end);
  if (end == u->text || *end || !isfinite(typed)) return false;
  *value = typed;
  return true;
}

static void start_typing(ui *u, int id) {
  u->focus = id;
  u->text[0] = '\0';
  u->cursor = u->anchor = 0;
}

/* the number beside the slider: click it to type another */
static bool number_box(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  char shown[96];
  float typed = 0;
  if (ui_pressed(u, id, r))
    start_typing(u, id);
  else if (u->focus == id && IsMouseButtonPressed(MOUSE_BUTTON_LEFT))
    u->focus = 0;
  if (ui_focused(u, id)) {
    DrawRectangleRounded(r, 0.25f, 4, theme_hot);
    bool changed = typed_number(u, &typed);
    if (changed) *value = held_in(s, typed);
    if (u->focus == id) ui_draw_typed(u, u->text, r.x + 6, r.y, r.height);
    if (u->focus == id || changed) return changed;
  }
  snprintf(shown, sizeof shown, "%.*f %s", decimals_of(s->max - s->min), (double)*value, s->unit);
  ui_label(u, shown, r.x + r.width - ui_text_width(u, shown) - 6, r.y,
           s->held ? theme_held : theme_ink);
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

bool ui_slide(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  float box = u->size * 5.2f;
  Rectangle track = { r.x, r.y, r.width - box, r.height };
  Rectangle number = { r.x + r.width - box, r.y, box, r.height };
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
  float middle = r.y + r.height / 2;
  float at = track.x + track.width * (*value - s->min) / range;
  float rest = track.x + track.width * (s->rest - s->min) / range;
  Color bar = s->held ? theme_held : theme_fill;
  DrawRectangleRounded((Rectangle){ track.x, middle - 3, track.width, 6 }, 1, 4, theme_trough);
  DrawRectangleRec((Rectangle){ fminf(at, rest), middle - 3, fabsf(at - rest), 6 }, bar);
  DrawRectangleRec((Rectangle){ rest - 0.5f, middle - 6, 1, 12 }, theme_faint);
  DrawCircleV((Vector2){ at, middle }, r.height * 0.26f,
              u->active == id || ui_hot(u, track) ? theme_ink : (Color){ 205, 210, 220, 255 });
  if (u->focus == id) DrawCircleLinesV((Vector2){ at, middle }, r.height * 0.34f, bar);
  if (number_box(u, ui_number_id(id), number, s, value)) changed = true;
  return changed;
}

bool ui_number(ui *u, int id, Rectangle r, float step, float *value) {
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
  DrawRectangleRounded(r, 0.25f, 4, ui_hot(u, r) || u->focus == id ? theme_hot : theme_trough);
  if (ui_focused(u, id)) changed |= typed_number(u, value);
  ui_clip_push(u, r);
  if (u->focus == id)
    ui_draw_typed(u, u->text, r.x + 6, y, ui_row(u));
  else {
    char shown[48];
    snprintf(shown, sizeof shown, "%.5g", *value == 0 ? 0.0 : (double)*value);
    ui_label(u, shown, r.x + r.width - ui_text_width(u, shown) - 6, y,
             u->faint ? theme_faint : theme_ink);
  }
  ui_clip_pop(u);
  return changed;
}

bool ui_numbers(ui *u, const char *scope, int first, Rectangle r, float step, int count,
                float *values) {
  bool changed = false;
  float gap = 3, wide = (r.width - gap * (float)(count - 1)) / (float)count;
  for (int i = 0; i < count; i++) {
    Rectangle box = { r.x + (wide + gap) * (float)i, r.y, wide, r.height };
    changed |= ui_number(u, ui_id(scope, first + i), box, step, &values[i]);
  }
  return changed;
}
