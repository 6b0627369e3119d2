#include "state/workspace.h"
#include "state/state.h"
#include "ui/theme.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { header = 28, most_banner = 8 };

#define EACH for (tool_slot *s = st->tools, *end = s + st->tool_count; s < end; s++)

static Rectangle rectangle(frame_box b) { return (Rectangle){ b.x, b.y, b.width, b.height }; }

const char *layout_name(layout_kind layout) {
  static const char *const names[] = { "Pose", "Rig", "Animate" };
  return names[layout];
}

/* --- what is remembered */

static const char *const size_names[] = { "left", "right" };

static void read_settings(state *st) {
  workspace *w = &st->workspace;
  char path[PATH_MAX], name[64];
  if (!settings_path(path, sizeof path)) return;
  settings_read(&w->settings, path);
  for (int i = 0; i < 2; i++) w->sizes[i] = settings_number(&w->settings, size_names[i], 0);
  w->scale = settings_number(&w->settings, "scale", 0);
  if (w->scale < 0.5f || w->scale > 4) w->scale = 0;
  EACH {
    if (s->tool->dock != DOCK_BOTTOM) continue;
    snprintf(name, sizeof name, "height_%s", s->tool->name);
    s->size = settings_number(&w->settings, name, 0);
  }
  const char *layout = settings_text(&w->settings, "layout", "");
  for (int k = 0; k < layout_count; k++)
    if (strcmp(layout, layout_name((layout_kind)k)) == 0) workspace_show(st, (layout_kind)k);
}

void workspace_start(state *st) {
  const char *given = getenv("SINEW_SETTINGS");
  bool unseen = st->options.render || st->options.remote;
  st->workspace.remembers = !unseen || (given && *given);
  if (st->workspace.remembers) read_settings(st);
}

static void keep_settings(state *st) {
  workspace *w = &st->workspace;
  char name[64];
  for (int i = 0; i < 2; i++)
    if (w->sizes[i] > 0) settings_set_number(&w->settings, size_names[i], roundf(w->sizes[i]));
  if (w->scale > 0 || settings_number(&w->settings, "scale", 0) > 0)
    settings_set_number(&w->settings, "scale", w->scale);
  settings_set(&w->settings, "layout", layout_name(w->layout));
  EACH {
    if (s->tool->dock != DOCK_BOTTOM || !(s->size > 0)) continue;
    snprintf(name, sizeof name, "height_%s", s->tool->name);
    settings_set_number(&w->settings, name, roundf(s->size));
  }
}

bool workspace_end(state *st) {
  char path[PATH_MAX];
  sinew_error error;
  if (!st->workspace.remembers) return true;
  keep_settings(st);
  if (!st->workspace.settings.changed || !settings_path(path, sizeof path) ||
      settings_write(&st->workspace.settings, path, &error))
    return true;
  fprintf(stderr, "sinew-viewer: settings: %s\n", error.text);
  return false;
}

/* --- layout */

void workspace_show(state *st, layout_kind layout) {
  workspace *w = &st->workspace;
  EACH {
    if (!s->tool->panel || layout == w->layout) continue;
    s->kept[w->layout] = s->open;
    s->open = s->kept[layout];
  }
  w->layout = layout;
  w->bare = false;
}

int workspace_banner_lines(const state *st) {
  if (loading_shown(st)) return 1;
  int lines = st->banner[0] != '\0';
  for (const char *c = st->banner; *c; c++) lines += *c == '\n';
  return lines < most_banner ? lines : most_banner;
}

/* what the display asks for, in quarters: 1 up to 144 pixels an inch. 1 also where the system
 * enlarges windows by itself, or does not know how large the display is */
static float display_scale(workspace *w) {
  int monitor = GetCurrentMonitor();
  if (w->display_scale > 0 && monitor == w->display) return w->display_scale;
  w->display = monitor;
  float inches = (float)GetMonitorPhysicalWidth(monitor) / 25.4f;
  float dpi = inches > 4 ? (float)GetMonitorWidth(monitor) / inches : 96;
  w->display_scale = dpi < 144 ? 1 : fmaxf(1, fminf(floorf(dpi / 120 * 4) / 4, 2.5f));
  if (GetWindowScaleDPI().x > 1) w->display_scale = 1;
  return w->display_scale;
}

static float scale_of(workspace *w) { return w->scale > 0 ? w->scale : display_scale(w); }

void workspace_scale(state *st, int step) {
  workspace *w = &st->workspace;
  float now = scale_of(w);
  w->scale = step ? fmaxf(0.75f, fminf(now + 0.25f * (float)step, 2.5f)) : 0;
  state_say(st, "text at %.0f %%", (double)scale_of(w) * 100);
}

/* the open panel at a side; NULL: none */
static tool_slot *slot_at(state *st, tool_dock dock) {
  EACH if (s->open && s->tool->panel && s->tool->dock == dock) return s;
  return NULL;
}

static void dock(const state *st, tool_slot *s, frame_box place) {
  s->docked = s->place = rectangle(place);
  if (!(place.width > 0)) return;
  s->place.y += ui_px(&st->ui, header);
  s->place.height = fmaxf(s->place.height - ui_px(&st->ui, header), 1);
}

void workspace_lay_out(state *st) {
  workspace *w = &st->workspace;
  float scale = scale_of(w);
  st->ui.size = theme_body * scale;
  int lines = workspace_banner_lines(st);
  frame_plan f = { .width = (float)GetScreenWidth(),
                   .height = (float)GetScreenHeight(),
                   .scale = scale,
                   .notice = lines ? (float)lines * ui_row(&st->ui) + ui_px(&st->ui, theme_s3) : 0,
                   .bare = w->bare,
                   .last = w->last };
  tool_slot *sides[] = { slot_at(st, DOCK_LEFT), slot_at(st, DOCK_RIGHT) };
  tool_slot *bottoms[most_bottoms];
  for (int i = 0; i < 2; i++) {
    f.sides[i] = (frame_panel){ .open = sides[i], .size = w->sizes[i] };
    if (sides[i]) f.sides[i].least = sides[i]->tool->room;
  }
  EACH {
    s->docked = s->place = (Rectangle){ 0 };
    if (!s->open || !s->tool->panel || s->tool->dock != DOCK_BOTTOM) continue;
    if (f.bottom_count == most_bottoms) continue;
    bottoms[f.bottom_count] = s;
    f.bottoms[f.bottom_count++] = (frame_panel){ .open = true,
                                                 .whole = s->tool->whole,
                                                 .size = s->size > 0 ? s->size : s->tool->room };
  }
  frame_lay_out(&f);
  for (int i = 0; i < 2; i++)
    if (sides[i]) dock(st, sides[i], f.sides[i].place);
  for (int i = 0; i < f.bottom_count; i++) dock(st, bottoms[i], f.bottoms[i].place);
  w->bar = rectangle(f.bar);
  w->status = rectangle(f.status);
  w->strip = rectangle(f.strip);
  st->place = rectangle(f.scene);
}

/* --- panels */

/* the title of a panel; a click on it offers the others of its dock, the cross closes it */
static void draw_header(state *st, tool_slot *s, Rectangle r) {
  ui *u = &st->ui;
  const char *title = s->tool->title ? s->tool->title : s->tool->name;
  float pad = ui_px(u, theme_s3), side = ui_px(u, theme_s5);
  Rectangle cross = { r.x + r.width - side - ui_px(u, theme_s1), r.y + (r.height - side) / 2, side,
                      side };
  Rectangle name = { r.x, r.y, cross.x - r.x, r.height };
  float wide = ui_width_as(u, theme_head, title);
  DrawRectangleRec((Rectangle){ r.x + 1, r.y + 1, r.width - 2, r.height - 1 }, theme_window);
  ui_label_as(u, theme_head, title, r.x + pad, r.y + (r.height - ui_row(u)) / 2,
              name.width - 2 * pad, theme_text);
  if (ui_pressed(u, ui_id("panel", (int)(s - st->tools)), name)) {
    popup_open(st, NULL, r.x, r.y + r.height);
    for (int i = 0; i < st->tool_count; i++) {
      tool_slot *other = &st->tools[i];
      if (other->tool->panel && other->tool->dock == s->tool->dock)
        popup_add_one(st, &other->toggle, other);
    }
  }
  bool hot = ui_hot(u, name);
  ui_chevron(u, fminf(r.x + pad + wide + ui_px(u, theme_s3), name.x + name.width - pad / 2),
             r.y + r.height / 2, true, hot ? theme_text : theme_hint);
  if (hot) command_tip(st, &s->toggle);
  if (ui_icon_button(u, ui_id("close", (int)(s - st->tools)), cross, ICON_CROSS, false))
    slot_set_open(st, s, false);
  if (ui_hot(u, cross)) ui_tip(u, "Close");
}

void workspace_panels(state *st) {
  EACH {
    Rectangle r = s->docked;
    if (!(r.width > 0)) continue;
    ui_panel(&st->ui, r);
    ui_clip_push(&st->ui, r);
    draw_header(st, s, (Rectangle){ r.x, r.y, r.width, ui_px(&st->ui, header) });
    if (s->open) s->tool->panel(st, s->self, s->place);
    ui_clip_pop(&st->ui);
  }
  DrawRectangleRec(st->workspace.lit, theme_action);
}

/* the line at the inner edge of a panel: drags change its size, a double click resets it */
static void splitter(state *st, tool_slot *s) {
  ui *u = &st->ui;
  workspace *w = &st->workspace;
  tool_dock dock = s->tool->dock;
  bool bottom = dock == DOCK_BOTTOM;
  float grip = ui_px(u, 8), scale = u->size / theme_body;
  Rectangle r = s->docked, edge = r;
  if (bottom) {
    edge.y -= grip / 2;
    edge.height = grip;
  } else {
    edge.x = (dock == DOCK_LEFT ? r.x + r.width : r.x) - grip / 2;
    edge.width = grip;
  }
  float *size = bottom ? &s->size : &w->sizes[dock == DOCK_RIGHT];
  int id = ui_id("splitter", (int)(s - st->tools));
  if (ui_pressed(u, id, edge)) {
    w->pulled = (bottom ? r.height : r.width) / scale;
    if (ui_double_clicked(u, id)) {
      *size = 0;
      u->active = 0;
    }
  }
  bool lit = u->active == id || (ui_hot(u, edge) && !u->active);
  if (!lit) return;
  u->wants_mouse = true;
  u->cursor_shape = bottom ? MOUSE_CURSOR_RESIZE_NS : MOUSE_CURSOR_RESIZE_EW;
  w->lit = bottom ? (Rectangle){ edge.x, r.y, edge.width, 2 }
                  : (Rectangle){ edge.x + grip / 2 - 1, r.y, 2, r.height };
  if (u->active != id) return;
  Vector2 by = GetMouseDelta();
  if (by.x == 0 && by.y == 0) return;
  w->pulled += (bottom ? -by.y : dock == DOCK_LEFT ? by.x : -by.x) / scale;
  frame_side side = bottom ? FRAME_BOTTOM : dock == DOCK_LEFT ? FRAME_LEFT : FRAME_RIGHT;
  *size = frame_size(side, fmaxf(w->pulled, 1));
}

void workspace_splitters(state *st) {
  st->workspace.lit = (Rectangle){ 0 };
  EACH if (s->docked.width > 0) splitter(st, s);
}
