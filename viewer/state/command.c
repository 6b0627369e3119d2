#include "state/command.h"
#include "state/state.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void commands_add(state *st, const command *table, void *self) {
  command_list *list = &st->commands;
  for (; table && table->name && list->count < most_commands; table++)
    list->all[list->count++] = (command_at){ table, self };
}

const command_at *command_find(const state *st, const char *name) {
  for (int i = 0; i < st->commands.count; i++)
    if (strcmp(st->commands.all[i].command->name, name) == 0) return &st->commands.all[i];
  return NULL;
}

bool command_enabled(const state *st, const command_at *c) {
  return c && (!c->command->enabled || c->command->enabled(st, c->self));
}

bool command_checked(const state *st, const command_at *c) {
  return c && c->command->checked && c->command->checked(st, c->self);
}

bool command_run(state *st, const command_at *c) {
  if (!command_enabled(st, c)) return false;
  c->command->run(st, c->self);
  return true;
}

/* runs the command of a key with WITH_CTRL and others; false if there is none that can run */
static bool run_key(state *st, int key, bool repeated) {
  for (int i = 0; i < st->commands.count; i++) {
    const command_at *c = &st->commands.all[i];
    const int keys[] = { c->command->key, c->command->also };
    for (int k = 0; k < 2; k++)
      if ((keys[k] & ~KEY_REPEATS) == key && (!repeated || keys[k] & KEY_REPEATS) &&
          command_run(st, c))
        return true;
  }
  return false;
}

/* those with which a slider, a list or a button is used that has the focus */
static bool for_widgets(int key) {
  static const int keys[] = { KEY_SPACE, KEY_ENTER, KEY_KP_ENTER, KEY_LEFT, KEY_RIGHT,
                              KEY_UP,    KEY_DOWN,  KEY_HOME,     KEY_TAB };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i] == key) return true;
  return false;
}

void commands_keyboard(state *st) {
  if (st->ui.typing) return;
  int with = (ui_control() ? WITH_CTRL : 0) | (ui_shift() ? WITH_SHIFT : 0) |
             (IsKeyDown(KEY_LEFT_ALT) || IsKeyDown(KEY_RIGHT_ALT) ? WITH_ALT : 0);
  for (int key = KEY_SPACE; key <= KEY_KB_MENU; key++) {
    bool repeated = IsKeyPressedRepeat(key);
    if (!IsKeyPressed(key) && !repeated) continue;
    if (st->ui.focus && !(with & ~WITH_SHIFT) && for_widgets(key)) continue;
    /* on most keyboards a plus is an equals sign with Shift */
    run_key(st, key | (key == KEY_EQUAL ? with & ~WITH_SHIFT : with), repeated);
  }
}

const char *key_text(int key, char *dest, size_t capacity) {
  static const struct {
    int key;
    const char *name;
  } names[] = { { KEY_SPACE, "Space" },     { KEY_DELETE, "Delete" },
                { KEY_ESCAPE, "Esc" },      { KEY_ENTER, "Enter" },
                { KEY_TAB, "Tab" },         { KEY_BACKSPACE, "Backspace" },
                { KEY_HOME, "Home" },       { KEY_END, "End" },
                { KEY_PAGE_UP, "Page up" }, { KEY_PAGE_DOWN, "Page down" },
                { KEY_LEFT, "Left" },       { KEY_RIGHT, "Right" },
                { KEY_UP, "Up" },           { KEY_DOWN, "Down" },
                { KEY_EQUAL, "+" },         { KEY_KP_ADD, "+" },
                { KEY_KP_SUBTRACT, "-" },   { KEY_KP_0, "0" } };
  int alone = key & key_alone;
  const char *name = "";
  char letter[8] = "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].key == alone) name = names[i].name;
  if (alone >= KEY_F1 && alone <= KEY_F12)
    snprintf(letter, sizeof letter, "F%d", alone - KEY_F1 + 1);
  else if (!*name && alone > ' ' && alone < 127)
    snprintf(letter, sizeof letter, "%c", alone);
  if (key == (KEY_SLASH | WITH_SHIFT))
    snprintf(dest, capacity, "?");
  else
    snprintf(dest, capacity, "%s%s%s%s%s", key & WITH_CTRL ? "Ctrl+" : "",
             key & WITH_SHIFT ? "Shift+" : "", key & WITH_ALT ? "Alt+" : "", name, letter);
  return dest;
}

void command_tip(state *st, const command *c) {
  char key[48];
  key_text(c->key, key, sizeof key);
  ui_tip(&st->ui, "%s%s%s%s%s%s", c->title, *key ? " (" : "", key, *key ? ")" : "",
         c->doc ? "\n" : "", c->doc ? c->doc : "");
}

const char *menu_title(command_menu menu) {
  static const char *const titles[] = { "More", "File",    "Edit",   "View",   "Pose",
                                        "Rig",  "Animate", "Export", "Panels", "Help" };
  _Static_assert(sizeof titles / sizeof *titles == menu_count, "a title for each menu");
  return titles[menu];
}

/* --- menus */

void popup_open(state *st, const char *title, float x, float y) {
  st->popup = (command_popup){ .x = x, .y = y, .open = true, .fresh = true };
  snprintf(st->popup.title, sizeof st->popup.title, "%s", title ? title : "");
}

void popup_add_one(state *st, const command *c, void *self) {
  command_popup *p = &st->popup;
  if (p->count < most_menu_lines) p->lines[p->count++] = (command_at){ c, self };
}

void popup_add_on(state *st, unsigned on) {
  for (int i = 0; i < st->commands.count; i++) {
    const command_at *c = &st->commands.all[i];
    if (c->command->on & on) popup_add_one(st, c->command, c->self);
  }
}

void popup_add_menu(state *st, command_menu menu) {
  for (int i = 0; i < st->commands.count; i++) {
    const command_at *c = &st->commands.all[i];
    if (c->command->menu == menu) popup_add_one(st, c->command, c->self);
  }
}

bool popup_context(state *st, Rectangle r, unsigned on, selection what) {
  if (!IsMouseButtonPressed(MOUSE_BUTTON_RIGHT) || !ui_hot(&st->ui, r)) return false;
  char title[160];
  Vector2 at = GetMousePosition();
  state_select(st, what);
  state_words(st, what, true, title, sizeof title);
  popup_open(st, title, at.x, at.y);
  popup_add_on(st, on);
  return true;
}

static Rectangle popup_place(const state *st) {
  const ui *u = &st->ui;
  const command_popup *p = &st->popup;
  float row = ui_row(u), wide = *p->title ? ui_text_width(u, p->title) : 0;
  char key[48];
  for (int i = 0; i < p->count; i++) {
    const command *c = p->lines[i].command;
    float keys = ui_width_as(u, theme_note, key_text(c->key, key, sizeof key));
    wide = fmaxf(wide, ui_text_width(u, c->title) + keys + ui_px(u, *key ? 24 : 0));
  }
  wide += ui_px(u, 24 + 2 * theme_s2);
  float high = row * (float)(p->count + (*p->title != 0)) + ui_px(u, theme_s2);
  high = fminf(high, (float)GetScreenHeight() - 4);
  float x = fminf(p->x, (float)GetScreenWidth() - wide - 2);
  float y = fminf(p->y, (float)GetScreenHeight() - high - 2);
  return (Rectangle){ fmaxf(x, 2), fmaxf(y, 2), wide, high };
}

static void draw_line(state *st, const command_at *at, Rectangle r, bool over) {
  ui *u = &st->ui;
  const command *c = at->command;
  char key[48];
  bool can = command_enabled(st, at);
  float middle = r.y + r.height / 2, left = r.x + ui_px(u, 24 + theme_s1);
  Color text = can ? theme_text : Fade(theme_text, theme_off);
  if (over && can) ui_box(u, r, theme_hover);
  if (command_checked(st, at))
    icon_draw(ICON_CHECK, (Vector2){ r.x + ui_px(u, 14), middle }, ui_px(u, 10), theme_action);
  else if (c->icon)
    icon_draw(c->icon, (Vector2){ r.x + ui_px(u, 14), middle }, ui_px(u, 14), text);
  ui_label(u, c->title, left, r.y, text);
  key_text(c->key, key, sizeof key);
  float wide = ui_width_as(u, theme_note, key);
  ui_label_as(u, theme_note, key, r.x + r.width - wide - ui_px(u, theme_s2), r.y, wide + 1,
              Fade(theme_hint, can ? 1 : theme_off));
  if (over && c->doc) ui_tip(u, "%s", c->doc);
}

void popup_draw(state *st) {
  command_popup *p = &st->popup;
  ui *u = &st->ui;
  if (!p->open || !p->count) {
    p->open = false;
    return;
  }
  Rectangle r = popup_place(st),
            line = { r.x + 2, r.y + ui_px(u, theme_s1), r.width - 4, ui_row(u) };
  Vector2 mouse = GetMousePosition();
  bool inside = CheckCollisionPointRec(mouse, r);
  const command_at *chosen = NULL;
  u->tip[0] = '\0'; /* of what lies below it */
  ui_float(u, r);
  if (*p->title) {
    ui_label_in(u, p->title, line.x + ui_px(u, theme_s2), line.y, line.width, theme_hint);
    line.y += line.height;
  }
  Rectangle list = { r.x, line.y, r.width, r.y + r.height - line.y };
  line.y = ui_scroll_begin(u, list, &p->scroll);
  for (int i = 0; i < p->count; i++, line.y += line.height) {
    bool over = CheckCollisionPointRec(mouse, line) && CheckCollisionPointRec(mouse, list);
    draw_line(st, &p->lines[i], line, over);
    ui_note_widget(u, ui_id(p->lines[i].command->name, 1000), line);
    if (over && IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && p->pressed) chosen = &p->lines[i];
  }
  ui_scroll_end(u, list, ui_row(u) * (float)p->count + ui_px(u, theme_s1), &p->scroll);
  bool press = !p->fresh && (IsMouseButtonPressed(MOUSE_BUTTON_LEFT) ||
                             IsMouseButtonPressed(MOUSE_BUTTON_RIGHT));
  bool away = press && !inside;
  u->wants_mouse = true;
  p->pressed |= press;
  p->fresh = false;
  if (away || IsKeyPressed(KEY_ESCAPE)) p->open = false;
  if (!chosen || !command_enabled(st, chosen)) return;
  command_at run = *chosen;
  p->open = false;
  command_run(st, &run);
}
