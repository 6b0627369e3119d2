/* A field that opens a list. The list is drawn last, above everything, and gets the mouse first. */
#include "ui/theme.h"
#include "ui/ui.h"

#include <math.h>
#include <string.h>

static Rectangle list_place(const ui *u) {
  const ui_menu *m = &u->menu;
  float row = ui_row(u), width = m->field.width, most = (float)GetScreenHeight() * 0.6f;
  for (int i = 0; i < m->count; i++) width = fmaxf(width, ui_text_width(u, m->items[i]) + 24);
  float height = fminf(row * (float)m->count + 8, most);
  float below = (float)GetScreenHeight() - m->field.y - m->field.height;
  float y = below >= height + 6 ? m->field.y + m->field.height + 2 : m->field.y - height - 2;
  float x = fminf(m->field.x, (float)GetScreenWidth() - width - 4);
  return (Rectangle){ fmaxf(x, 2), fmaxf(y, 2), width, height };
}

bool ui_menu_hot(const ui *u) {
  return u->menu.id && CheckCollisionPointRec(GetMousePosition(), u->menu.place);
}

void ui_menu_begin(ui *u) {
  if (!u->menu.asked) u->menu.id = 0; /* its field was not drawn */
  u->menu.asked = false;
  if (ui_menu_hot(u)) u->wants_mouse = true;
}

void ui_menu_end(ui *u) {
  ui_menu *m = &u->menu;
  if (!m->id || !m->asked) return;
  Rectangle r = m->place = list_place(u);
  Vector2 mouse = GetMousePosition();
  float row = ui_row(u), most = row * (float)m->count + 8 - r.height;
  bool hot = CheckCollisionPointRec(mouse, r);
  if (hot) m->scroll -= GetMouseWheelMoveV().y * row * 2;
  m->scroll = fmaxf(0, fminf(m->scroll, most));
  ui_float(u, r);
  ui_clip_push(u, r);
  for (int i = 0; i < m->count; i++) {
    Rectangle line = { r.x + 2, r.y + 4 + row * (float)i - m->scroll, r.width - 4, row };
    if (line.y + row < r.y || line.y > r.y + r.height) continue;
    bool over = hot && CheckCollisionPointRec(mouse, line);
    if (over || i == m->chosen) ui_box(u, line, over ? theme_hover : theme_field);
    if (i == m->chosen)
      ui_box(u, (Rectangle){ line.x, line.y + 4, ui_px(u, 3), row - 8 }, theme_action);
    ui_label(u, m->items[i], line.x + ui_px(u, theme_s2), line.y, theme_text);
    if (over && IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && m->again) m->picked = i;
  }
  ui_clip_pop(u);
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && !m->fresh) m->again = true;
  m->fresh = false;
  bool outside = !hot && !CheckCollisionPointRec(mouse, m->field);
  if ((outside && IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) || IsKeyPressed(KEY_ESCAPE)) m->id = 0;
}

static void open_list(ui *u, int id, int chosen) {
  u->menu = (ui_menu){ .id = id, .picked = -1, .fresh = true };
  u->menu.scroll = ui_row(u) * (float)(chosen - 4);
}

bool ui_choose(ui *u, int id, Rectangle r, const char *const *items, int count, int *chosen) {
  bool focused = ui_focused(u, id), changed = false;
  int was = *chosen;
  if (ui_pressed(u, id, r) || (focused && IsKeyPressed(KEY_ENTER))) {
    if (u->menu.id == id)
      u->menu.id = 0;
    else
      open_list(u, id, *chosen);
  }
  if (focused && IsKeyPressed(KEY_DOWN) && *chosen + 1 < count) ++*chosen;
  if (focused && IsKeyPressed(KEY_UP) && *chosen > 0) --*chosen;
  if (u->menu.id == id && u->menu.picked >= 0) {
    if (u->menu.picked < count) *chosen = u->menu.picked;
    u->menu.id = 0;
  }
  changed = *chosen != was;
  if (u->menu.id == id) {
    u->menu.asked = true;
    u->menu.field = r;
    u->menu.items = items;
    u->menu.count = count;
    u->menu.chosen = *chosen;
  }
  ui_field(u, id, r);
  ui_chevron(u, r.x + r.width - ui_px(u, theme_s3), r.y + r.height / 2, true, theme_second);
  ui_label_in(u, *chosen >= 0 && *chosen < count ? items[*chosen] : "", r.x + ui_px(u, theme_s2),
              r.y + (r.height - ui_row(u)) / 2, r.width - ui_px(u, 28),
              u->faint ? theme_hint : theme_text);
  return changed;
}
