/* The widgets. */
#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Color ink = { 232, 234, 238, 255 };
static const Color faint = { 150, 156, 168, 255 };
static const Color trough = { 62, 67, 78, 255 };
static const Color fill = { 92, 132, 190, 255 };
static const Color warm = { 214, 142, 62, 255 };
static const Color hot_fill = { 78, 86, 102, 255 };

void ui_start(ui *u) {
  static const char *const fonts[] = { "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                       "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                       "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf" };
  *u = (ui){ .font = GetFontDefault() };
  float scale = fmaxf(GetWindowScaleDPI().x, 1);
  u->size = roundf(15 * scale);
  for (size_t i = 0; i < sizeof fonts / sizeof *fonts && !u->own_font; i++) {
    if (!FileExists(fonts[i])) continue;
    u->font = LoadFontEx(fonts[i], (int)u->size, NULL, 0);
    u->own_font = u->font.glyphCount > 0;
    SetTextureFilter(u->font.texture, TEXTURE_FILTER_BILINEAR);
  }
}

void ui_end(ui *u) {
  if (u->own_font) UnloadFont(u->font);
}

void ui_frame_begin(ui *u) {
  u->tip = NULL;
  u->wants_mouse = u->active != 0;
}

float ui_row(const ui *u) { return roundf(u->size * 1.55f); }

float ui_text_width(const ui *u, const char *text) {
  return MeasureTextEx(u->font, text, u->size, 0).x;
}

void ui_label(const ui *u, const char *text, float x, float y, Color color) {
  DrawTextEx(u->font, text, (Vector2){ roundf(x), roundf(y + (ui_row(u) - u->size) / 2) }, u->size,
             0, color);
}

bool ui_hot(const ui *u, Rectangle r) {
  (void)u;
  return CheckCollisionPointRec(GetMousePosition(), r);
}

void ui_panel(ui *u, Rectangle r) {
  DrawRectangleRec(r, (Color){ 34, 37, 44, 236 });
  if (ui_hot(u, r)) u->wants_mouse = true;
}

void ui_frame_end(ui *u) {
  if (u->tip && *u->tip && !u->active) {
    Vector2 m = GetMousePosition();
    float width = ui_text_width(u, u->tip) + 16, row = ui_row(u);
    float x = fminf(m.x + 14, (float)GetScreenWidth() - width - 4);
    DrawRectangleRounded((Rectangle){ x, m.y + 18, width, row + 4 }, 0.25f, 6,
                         (Color){ 20, 22, 26, 245 });
    ui_label(u, u->tip, x + 8, m.y + 20, ink);
  }
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT)) u->active = 0;
}

/* takes the mouse when it is pressed on the widget */
static bool pressed(ui *u, int id, Rectangle r) {
  if (!ui_hot(u, r) || u->active || !IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) return false;
  u->active = id;
  return true;
}

static bool double_clicked(ui *u, int id) {
  double now = GetTime();
  bool twice = u->clicked_id == id && now - u->clicked < 0.35;
  u->clicked = twice ? 0 : now;
  u->clicked_id = id;
  return twice;
}

bool ui_button(ui *u, int id, Rectangle r, const char *text) {
  bool hot = ui_hot(u, r);
  DrawRectangleRounded(r, 0.25f, 4, hot ? hot_fill : trough);
  ui_label(u, text, r.x + (r.width - ui_text_width(u, text)) / 2, r.y + (r.height - ui_row(u)) / 2,
           ink);
  return pressed(u, id, r);
}

/* keys into the text being typed; true on enter, and the focus goes on enter and escape */
static bool type_text(ui *u, char *text, int capacity, bool *changed) {
  int length = (int)strlen(text);
  for (int key = GetCharPressed(); key; key = GetCharPressed())
    if (key >= 32 && key < 127 && length + 1 < capacity) {
      text[length++] = (char)key;
      text[length] = '\0';
      *changed = true;
    }
  bool control = IsKeyDown(KEY_LEFT_CONTROL) || IsKeyDown(KEY_RIGHT_CONTROL);
  if (control && IsKeyPressed(KEY_V)) {
    const char *paste = GetClipboardText();
    snprintf(text + length, (size_t)(capacity - length), "%s", paste ? paste : "");
    *changed = true;
  }
  if (control && IsKeyPressed(KEY_C)) SetClipboardText(text);
  if ((IsKeyPressed(KEY_BACKSPACE) || IsKeyPressedRepeat(KEY_BACKSPACE)) && length) {
    text[length - 1] = '\0';
    *changed = true;
  }
  if (IsKeyPressed(KEY_ESCAPE)) u->focus = 0;
  bool enter = IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER);
  if (enter) u->focus = 0;
  return enter;
}

bool ui_input(ui *u, int id, Rectangle r, const char *hint, char *text, int capacity) {
  bool changed = false;
  if (pressed(u, id, r))
    u->focus = id;
  else if (u->focus == id && IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && !ui_hot(u, r))
    u->focus = 0;
  DrawRectangleRounded(r, 0.25f, 4, u->focus == id ? hot_fill : trough);
  if (u->focus == id) type_text(u, text, capacity, &changed);
  ui_label(u, *text ? text : hint, r.x + 8, r.y + (r.height - ui_row(u)) / 2, *text ? ink : faint);
  if (u->focus == id) {
    float x = r.x + 9 + ui_text_width(u, text);
    DrawLineEx((Vector2){ x, r.y + 5 }, (Vector2){ x, r.y + r.height - 5 }, 1, ink);
  }
  return changed;
}

static float held_in(const ui_slider *s, float value) {
  return value < s->min ? s->min : value > s->max ? s->max : value;
}

/* the number beside the slider: click to type another */
static bool number_box(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  char shown[96];
  bool changed = false, done = false;
  snprintf(shown, sizeof shown, "%.1f %s", (double)*value, s->unit);
  if (pressed(u, id, r)) {
    u->focus = id;
    u->text[0] = '\0';
  }
  if (u->focus == id) {
    bool edited = false;
    done = type_text(u, u->text, (int)sizeof u->text, &edited);
    DrawRectangleRounded(r, 0.25f, 4, hot_fill);
    snprintf(shown, sizeof shown, "%s|", u->text);
  }
  if (done && *u->text) {
    char *end;
    float typed = strtof(u->text, &end);
    if (end != u->text && *end == '\0' && isfinite(typed)) {
      *value = held_in(s, typed);
      changed = true;
    }
  }
  ui_label(u, shown, r.x + r.width - ui_text_width(u, shown) - 6, r.y, s->held ? warm : ink);
  return changed;
}

bool ui_slide(ui *u, int id, Rectangle r, const ui_slider *s, float *value) {
  float box = u->size * 5.2f;
  Rectangle track = { r.x, r.y, r.width - box, r.height };
  Rectangle number = { r.x + r.width - box, r.y, box, r.height };
  bool changed = false;
  float range = s->max > s->min ? s->max - s->min : 1;
  if (pressed(u, id, track)) {
    u->focus = id;
    if (double_clicked(u, id)) {
      *value = s->rest;
      changed = true;
      u->active = 0;
    }
  }
  if (u->active == id) {
    float wanted = s->min + range * (GetMousePosition().x - track.x) / track.width;
    wanted = held_in(s, wanted);
    if (wanted != *value && (GetMouseDelta().x != 0 || IsMouseButtonPressed(MOUSE_BUTTON_LEFT))) {
      *value = wanted;
      changed = true;
    }
  }
  if (u->focus == id) {
    float step = range / (IsKeyDown(KEY_LEFT_SHIFT) ? 2000.0f : 200.0f), by = 0;
    if (IsKeyPressed(KEY_RIGHT) || IsKeyPressedRepeat(KEY_RIGHT)) by = step;
    if (IsKeyPressed(KEY_LEFT) || IsKeyPressedRepeat(KEY_LEFT)) by = -step;
    if (by != 0) {
      *value = held_in(s, *value + by);
      changed = true;
    }
  }
  float middle = r.y + r.height / 2;
  float at = track.x + track.width * (*value - s->min) / range;
  float rest = track.x + track.width * (s->rest - s->min) / range;
  Color bar = s->held ? warm : fill;
  DrawRectangleRounded((Rectangle){ track.x, middle - 3, track.width, 6 }, 1, 4, trough);
  DrawRectangleRec((Rectangle){ fminf(at, rest), middle - 3, fabsf(at - rest), 6 }, bar);
  DrawRectangleRec((Rectangle){ rest - 0.5f, middle - 6, 1, 12 }, faint);
  DrawCircleV((Vector2){ at, middle }, r.height * 0.26f,
              u->active == id || ui_hot(u, track) ? ink : (Color){ 205, 210, 220, 255 });
  if (u->focus == id) DrawCircleLinesV((Vector2){ at, middle }, r.height * 0.34f, bar);
  if (number_box(u, id + (1 << 20), number, s, value)) changed = true;
  return changed;
}
