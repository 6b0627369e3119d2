/* A text field: one line of UTF-8 with a cursor, a selection and the clipboard. */
#include "ui/theme.h"
#include "ui/ui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool inside_character(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

static int before(const char *text, int at) {
  if (at > 0) at--;
  while (at > 0 && inside_character(text[at])) at--;
  return at;
}

static int after(const char *text, int at) {
  if (text[at]) at++;
  while (inside_character(text[at])) at++;
  return at;
}

static bool key(int code) { return IsKeyPressed(code) || IsKeyPressedRepeat(code); }

static bool erase(char *text, int from, int to) {
  if (from == to) return false;
  memmove(text + from, text + to, strlen(text + to) + 1);
  return true;
}

static int selection_start(const ui *u) { return u->cursor < u->anchor ? u->cursor : u->anchor; }
static int selection_end(const ui *u) { return u->cursor < u->anchor ? u->anchor : u->cursor; }

static bool erase_selection(ui *u, char *text) {
  int from = selection_start(u), to = selection_end(u);
  u->cursor = u->anchor = from;
  return erase(text, from, to);
}

/* inserts bytes at the cursor, as many whole characters as fit, without control characters */
static bool insert(ui *u, char *text, size_t capacity, const char *bytes, size_t count) {
  bool changed = erase_selection(u, text);
  size_t length = strlen(text), room = capacity - 1 - length;
  if (count > room) {
    count = room;
    while (count > 0 && inside_character(bytes[count])) count--;
  }
  for (size_t i = 0; i < count; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    if (byte < 32 || byte == 127) continue;
    memmove(text + u->cursor + 1, text + u->cursor, strlen(text + u->cursor) + 1);
    text[u->cursor++] = (char)byte;
    changed = true;
  }
  u->anchor = u->cursor;
  return changed;
}

static void copy_selection(const ui *u, const char *text) {
  int from = selection_start(u), to = selection_end(u);
  if (from == to) { /* no selection: copies everything */
    from = 0;
    to = (int)strlen(text);
  }
  char *part = malloc((size_t)(to - from) + 1);
  if (!part) return;
  memcpy(part, text + from, (size_t)(to - from));
  part[to - from] = '\0';
  SetClipboardText(part);
  free(part);
}

static void move_cursor(ui *u, const char *text) {
  int to = -1;
  if (key(KEY_LEFT)) to = before(text, u->cursor);
  if (key(KEY_RIGHT)) to = after(text, u->cursor);
  if (IsKeyPressed(KEY_HOME)) to = 0;
  if (IsKeyPressed(KEY_END)) to = (int)strlen(text);
  if (to < 0) return;
  u->cursor = to;
  if (!ui_shift()) u->anchor = to;
}

bool ui_type(ui *u, char *text, size_t capacity, bool *changed) {
  int length = (int)strlen(text);
  if (u->cursor > length) u->cursor = length;
  if (u->anchor > length) u->anchor = length;
  u->typing_next = true;
  if (ui_control()) {
    if (IsKeyPressed(KEY_A)) {
      u->anchor = 0;
      u->cursor = length;
    }
    if (IsKeyPressed(KEY_C) || IsKeyPressed(KEY_X)) copy_selection(u, text);
    if (IsKeyPressed(KEY_X)) *changed |= erase_selection(u, text);
    if (key(KEY_V)) {
      const char *paste = GetClipboardText();
      if (paste) *changed |= insert(u, text, capacity, paste, strlen(paste));
    }
    while (GetCharPressed()) {
    }
  }
  for (int code = GetCharPressed(); code; code = GetCharPressed()) {
    int bytes = 0;
    const char *utf8 = CodepointToUTF8(code, &bytes);
    *changed |= insert(u, text, capacity, utf8, (size_t)bytes);
  }
  move_cursor(u, text);
  if (key(KEY_BACKSPACE) || key(KEY_DELETE)) {
    if (u->cursor == u->anchor)
      u->anchor = key(KEY_BACKSPACE) ? before(text, u->cursor) : after(text, u->cursor);
    *changed |= erase_selection(u, text);
  }
  bool enter = IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER);
  if (enter || IsKeyPressed(KEY_ESCAPE)) u->focus = 0;
  return enter;
}

static float width_to(const ui *u, const char *text, int at) {
  char part[512];
  size_t bytes = (size_t)at < sizeof part ? (size_t)at : sizeof part - 1;
  memcpy(part, text, bytes);
  part[bytes] = '\0';
  return ui_text_width(u, part);
}

void ui_draw_typed(const ui *u, const char *text, float x, float y, float height) {
  float from = x + width_to(u, text, selection_start(u));
  float to = x + width_to(u, text, selection_end(u));
  if (to > from)
    DrawRectangleRec((Rectangle){ from, y + 3, to - from, height - 6 }, Fade(theme_action, 0.5f));
  ui_label(u, text, x, y, theme_text);
  float at = roundf(x + width_to(u, text, u->cursor)) + 0.5f;
  DrawLineEx((Vector2){ at, y + 4 }, (Vector2){ at, y + height - 4 }, 1, theme_text);
}

/* the position in the text nearest to a point */
static int place_at(const ui *u, const char *text, float x) {
  int at = 0;
  while (text[at]) {
    int next = after(text, at);
    if (x < (width_to(u, text, at) + width_to(u, text, next)) / 2) break;
    at = next;
  }
  return at;
}

bool ui_input(ui *u, int id, Rectangle r, const char *hint, char *text, size_t capacity) {
  bool changed = false, had = u->focus == id;
  /* with the focus a long text is moved to the left, so far that the cursor is seen */
  float pad = ui_px(u, theme_s2), room = r.width - 2 * pad,
        shift = had ? fmaxf(width_to(u, text, u->cursor) - room, 0) : 0;
  float y = r.y + (r.height - ui_row(u)) / 2, at = GetMousePosition().x - r.x - pad + shift;
  if (ui_pressed(u, id, r)) {
    u->focus = id;
    u->cursor = u->anchor = place_at(u, text, at);
    if (ui_double_clicked(u, id)) {
      u->anchor = 0;
      u->cursor = (int)strlen(text);
    }
  } else if (u->active == id && GetMouseDelta().x != 0) {
    u->cursor = place_at(u, text, at);
  } else if (had && IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) {
    u->focus = 0;
  }
  bool focused = ui_focused(u, id);
  ui_field(u, id, r);
  if (focused) ui_type(u, text, capacity, &changed);
  bool clipped = ui_text_width(u, *text ? text : hint) > room; /* a clip has its price */
  if (clipped) ui_clip_push(u, r);
  if (!*text) ui_label(u, hint, r.x + pad, y, theme_hint);
  if (u->focus == id)
    ui_draw_typed(u, text, r.x + pad - fmaxf(width_to(u, text, u->cursor) - room, 0), y, ui_row(u));
  else
    ui_label(u, text, r.x + pad, y, theme_text);
  if (clipped) ui_clip_pop(u);
  return changed;
}
