/* The help: what the mouse does, and every command that has a key, by menu. */
#include "app/app.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const mouse[] = {
  "Drag beside a bone: turn the view",
  "Shift or middle drag: move it",
  "Wheel: zoom to the mouse",
  "Click a bone: select it; beside it: nothing",
  "Right click a bone or a DOF: a menu",
  "Slider: drag; double click to reset; click the number to type",
  "Slider: arrows for fine steps, with Shift for finer ones",
  "Tab: the next widget",
  NULL
};

typedef struct sheet {
  const state *st;
  float x, y, row, column; /* where the next line is, and how wide a column is */
  float lowest;
  bool draw;
} sheet;

static void next_line(sheet *s) {
  s->y += s->row;
  s->lowest = fmaxf(s->lowest, s->y);
}

static void head(sheet *s, const char *text) {
  s->y += s->row / 4;
  if (s->draw) ui_label_as(&s->st->ui, theme_head, text, s->x, s->y, s->column, theme_text);
  next_line(s);
}

/* as many lines as the text needs */
static void text_line(sheet *s, const char *text, float from) {
  const ui *u = &s->st->ui;
  float wide = s->column - from - ui_px(u, theme_s3);
  float high = ui_wrapped(u, text, s->x + from, s->y, wide, s->draw ? theme_second : BLANK);
  s->y += high - ui_row(u);
  next_line(s);
}

static void line(sheet *s, const char *key, const char *text) {
  const ui *u = &s->st->ui;
  float keys = ui_px(u, 136);
  if (s->draw) ui_label_in(u, key, s->x, s->y, keys, theme_action);
  text_line(s, text, keys);
}

static void commands_of(sheet *s, command_menu menu) {
  const state *st = s->st;
  bool headed = false;
  for (int i = 0; i < st->commands.count; i++) {
    const command *c = st->commands.all[i].command;
    char key[48], also[48], both[100];
    if (c->menu != menu || !c->key) continue;
    if (!headed) head(s, menu_title(menu));
    headed = true;
    key_text(c->key, key, sizeof key);
    key_text(c->also, also, sizeof also);
    bool two = *also && strcmp(key, also) != 0;
    snprintf(both, sizeof both, "%s%s%s", key, two ? ", " : "", two ? also : "");
    line(s, both, c->title);
  }
}

static void mouse_of(sheet *s) {
  head(s, "Mouse");
  for (const char *const *text = mouse; *text; text++) text_line(s, *text, 0);
  for (int i = 0; i < s->st->tool_count; i++)
    for (const char *const *text = s->st->tools[i].tool->keys; text && *text; text++)
      text_line(s, *text, 0);
}

/* two columns where the window is wide enough, else one */
static float write_all(const state *st, Rectangle r, float y, bool draw) {
  const ui *u = &st->ui;
  bool two = r.width > ui_px(u, 620);
  sheet s = { .st = st, .x = r.x, .y = y, .row = ui_px(u, 22), .lowest = y, .draw = draw };
  s.column = two ? r.width / 2 : r.width;
  for (int menu = MENU_FILE; menu < menu_count; menu++)
    if (menu != MENU_PANELS) commands_of(&s, (command_menu)menu);
  commands_of(&s, MENU_NONE);
  if (two) {
    s.x += s.column;
    s.y = y;
  }
  commands_of(&s, MENU_PANELS);
  mouse_of(&s);
  return s.lowest - y;
}

void help_draw(state *st) {
  static float scroll;
  ui *u = &st->ui;
  const float width = (float)GetScreenWidth(), height = (float)GetScreenHeight();
  float pad = ui_px(u, theme_s4), high = ui_px(u, 36);
  Rectangle r = { 0, 0, fminf(width - 2 * pad, ui_px(u, 820)), 0 };
  Rectangle inner = { 0, 0, r.width - 2 * pad, 0 };
  float lines = write_all(st, inner, 0, false);
  r.height = fminf(height - 2 * pad, lines + high + pad);
  r.x = roundf((width - r.width) / 2);
  r.y = roundf((height - r.height) / 2);
  inner = (Rectangle){ r.x + pad, r.y + high, inner.width, r.height - high - pad / 2 };
  ui_float(u, r);
  ui_label_as(u, theme_head, "Keys and mouse", inner.x, r.y + (high - ui_row(u)) / 2, inner.width,
              theme_text);
  Rectangle cross = { r.x + r.width - high, r.y + (high - ui_row(u)) / 2, ui_row(u), ui_row(u) };
  bool away =
      IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && !CheckCollisionPointRec(GetMousePosition(), r);
  if (ui_icon_button(u, ui_id("help", 1), cross, ICON_CROSS, false) || away) st->show_help = false;
  float y = ui_scroll_begin(u, inner, &scroll);
  write_all(st, inner, y, true);
  ui_scroll_end(u, inner, lines, &scroll);
  u->wants_mouse = true;
}
