/* The bar at the top: the menu, the rig with a star while it differs from its files, the layouts,
 * undo and redo, exporting, and the panels. */
#include "app/app.h"
#include "plain/side.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bar {
  state *st;
  ui *u;
  float y, high; /* of its widgets */
  float x, end;  /* the left end of what is free, and the right */
} bar;

static Rectangle take(bar *b, float width) {
  Rectangle r = { b->x, b->y, width, b->high };
  b->x += width + ui_px(b->u, theme_s1);
  return r;
}

static Rectangle take_right(bar *b, float width) {
  b->end -= width;
  Rectangle r = { b->end, b->y, width, b->high };
  b->end -= ui_px(b->u, theme_s1);
  return r;
}

/* an icon that runs a command */
static void button(bar *b, const char *name, Rectangle r) {
  const command_at *c = command_find(b->st, name);
  if (!c) return;
  bool lit = command_checked(b->st, c);
  if (ui_icon_button(b->u, ui_id(name, 2000), r, c->command->icon, lit)) command_run(b->st, c);
  if (ui_hot(b->u, r)) command_tip(b->st, c->command);
}

/* a line of the main menu, which leads to the commands of one menu; `self` is that menu */
static void open_menu(state *st, void *self) {
  const command_menu *menu = self;
  popup_open(st, menu_title(*menu), st->popup.x, st->popup.y);
  popup_add_menu(st, *menu);
}

static void main_menu(bar *b) {
  static command_menu menus[menu_count];
  static command lines[menu_count];
  Rectangle r = take(b, b->high);
  if (ui_hot(b->u, r)) ui_tip(b->u, "Menu");
  if (!ui_icon_button(b->u, ui_id("bar", 1), r, ICON_MENU, false)) return;
  popup_open(b->st, NULL, r.x, r.y + r.height + 2);
  for (int i = MENU_NONE + 1; i < menu_count; i++) {
    menus[i] = (command_menu)i;
    lines[i] = (command){ .name = menu_title(menus[i]),
                          .title = menu_title(menus[i]),
                          .icon = ICON_CHEVRON,
                          .run = open_menu };
    popup_add_one(b->st, &lines[i], &menus[i]);
  }
}

static void rig_name(bar *b) {
  const char *path = sinew_host_path(b->st->host), *file = path ? GetFileName(path) : "";
  bool unsaved = state_unsaved(b->st);
  const char *text = TextFormat("%s%s", file, unsaved ? " *" : "");
  float wide =
      fminf(ui_width_as(b->u, theme_head, text) + ui_px(b->u, theme_s4), fmaxf(b->end - b->x, 0));
  Rectangle r = take(b, wide);
  ui_label_as(b->u, theme_head, text, r.x + ui_px(b->u, theme_s1),
              r.y + (r.height - ui_row(b->u)) / 2, r.width - ui_px(b->u, theme_s2), theme_text);
  if (ui_hot(b->u, r))
    ui_tip(b->u, "%s%s", path, unsaved ? "\nwith changes that are not saved" : "");
}

static float tabs_width(const bar *b) {
  float wide = 0;
  for (int k = 0; k < layout_count; k++)
    wide += ui_text_width(b->u, layout_name((layout_kind)k)) + ui_px(b->u, theme_s5);
  return wide;
}

static void tabs(bar *b, float x) {
  static const char *const commands[] = { "layout_pose", "layout_rig", "layout_animate" };
  Rectangle all = { x, b->y, tabs_width(b), b->high };
  ui_box(b->u, all, theme_window);
  for (int k = 0; k < layout_count; k++) {
    const char *name = layout_name((layout_kind)k);
    Rectangle r = { x, b->y, ui_text_width(b->u, name) + ui_px(b->u, theme_s5), b->high };
    const command_at *c = command_find(b->st, commands[k]);
    bool now = b->st->workspace.layout == (layout_kind)k;
    bool hot = ui_hot(b->u, r);
    if (ui_pressed(b->u, ui_id("layout", k), r)) command_run(b->st, c);
    if (now || hot) ui_box(b->u, r, now ? theme_hover : theme_field);
    ui_label(b->u, name, r.x + ui_px(b->u, theme_s3), r.y + (r.height - ui_row(b->u)) / 2,
             now ? theme_text : theme_second);
    if (hot && c) command_tip(b->st, c->command);
    x += r.width;
  }
}

void bar_draw(state *st) {
  ui *u = &st->ui;
  Rectangle r = st->workspace.bar;
  if (r.height <= 0) return;
  float pad = ui_px(u, theme_s2), high = ui_px(u, 28);
  ui_panel(u, r);
  DrawRectangleRec((Rectangle){ r.x, r.y + r.height - 1, r.width, 1 }, theme_line);
  bar b = { st, u, r.y + (r.height - high) / 2, high, r.x + pad, r.x + r.width - pad };
  main_menu(&b);
  float export = ui_text_width(u, "Export") + ui_px(u, theme_s5 + theme_s4);
  Rectangle place = take_right(&b, export);
  if (ui_button(u, ui_id("bar", 2), place, "")) {
    popup_open(st, NULL, place.x, place.y + place.height + 2);
    popup_add_menu(st, MENU_EXPORT);
  }
  ui_label(u, "Export", place.x + ui_px(u, theme_s3), place.y + (high - ui_row(u)) / 2, theme_text);
  ui_chevron(u, place.x + place.width - ui_px(u, theme_s3), place.y + high / 2, true, theme_second);
  button(&b, "find", take_right(&b, high));
  button(&b, "redo", take_right(&b, high));
  button(&b, "undo", take_right(&b, high));
  float wide = tabs_width(&b), x = roundf(r.x + (r.width - wide) / 2);
  x = fminf(x, b.end - wide - pad);
  float end = b.end;
  b.end = x - pad;
  rig_name(&b);
  b.end = end;
  tabs(&b, x);
}
