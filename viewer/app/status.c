/* What is drawn over the scene: the banner, the last message, the help, the figures. */
#include "app/app.h"
#include "tools/crowd/crowd.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void draw_banner(state *st) {
  if (!st->banner[0]) return;
  float row = ui_row(&st->ui);
  int lines = 1;
  for (const char *c = st->banner; *c; c++) lines += *c == '\n';
  if (lines > 8) lines = 8;
  Rectangle r = { st->place.x, 0, st->place.width, (float)lines * row + 10 };
  DrawRectangleRec(r, theme_wrong);
  ui_clip_push(&st->ui, r);
  const char *at = st->banner;
  for (int i = 0; i < lines; i++) {
    const char *end = strchr(at, '\n');
    ui_label(&st->ui, TextFormat("%.*s", end ? (int)(end - at) : (int)strlen(at), at), r.x + 12,
             5 + (float)i * row, WHITE);
    if (!end) break;
    at = end + 1;
  }
  if (ui_hot(&st->ui, r)) {
    ui_tip(&st->ui, st->waiting ? "waiting for a save that mends the rig; click to copy the message"
                                : "the old rig stays; click to copy the message");
    st->ui.wants_mouse = true;
    if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) state_copy(st, st->banner, "the message");
  }
  ui_clip_pop(&st->ui);
}

static const char *const keys[] = {
  "drag: turn the view;  shift or middle drag: move it;  wheel: zoom",
  "click a bone: select it",
  "F: frame all;  1 2 3 4: front, side, top, three-quarter",
  "G: grid;  A: axes;  P: screenshot;  F1 or ?: this help",
  "Ctrl+Z: undo;  Ctrl+Shift+Z or Ctrl+Y: redo;  Tab: next widget",
  "slider: drag; double click to reset; click the number to type;",
  "    arrows for fine steps, with shift for finer ones"
};
enum { key_count = sizeof keys / sizeof *keys };

/* the name of a letter key, or "" */
static const char *key_name(int key) {
  static char name[2];
  name[0] = key >= 'A' && key <= 'Z' ? (char)key : '\0';
  return name;
}

static float help_line(const state *st, const char *text, float x, float y, bool draw) {
  if (draw) ui_label(&st->ui, text, x, y, theme_ink);
  return ui_text_width(&st->ui, text);
}

/* draws the lines, or only measures them; returns their size */
static Vector2 help_lines(const state *st, float x, float y, bool draw) {
  float row = ui_row(&st->ui), width = 0, top = y;
  for (int i = 0; i < key_count; i++, y += row)
    width = fmaxf(width, help_line(st, keys[i], x, y, draw));
  for (int i = 0; i < st->tool_count; i++) {
    const tool *t = st->tools[i].tool;
    if (t->key) {
      width =
          fmaxf(width, help_line(st, TextFormat("%s: %s", key_name(t->key), t->doc), x, y, draw));
      y += row;
    }
    for (const char *const *line = t->keys; line && *line; line++, y += row)
      width = fmaxf(width, help_line(st, *line, x, y, draw));
  }
  return (Vector2){ width, y - top };
}

static void draw_help(const state *st) {
  Vector2 size = help_lines(st, 0, 0, false);
  float x = st->place.x + fmaxf(12, (st->place.width - size.x) / 2);
  float y = fmaxf(12, ((float)GetScreenHeight() - size.y) / 2);
  DrawRectangleRounded((Rectangle){ x - 16, y - 12, size.x + 32, size.y + 24 }, 0.03f, 6,
                       theme_float);
  help_lines(st, x, y, true);
}

static void draw_figures(const state *st) {
  char text[300];
  if (crowd_active(st)) {
    char crowd[200];
    crowd_figures(st, crowd, sizeof crowd);
    snprintf(text, sizeof text, "%s   frame %.1f ms   F1: help", crowd, st->frame_seconds * 1e3);
  } else {
    snprintf(text, sizeof text, "eval %.1f us   frame %.1f ms   %d bones, %d components   F1: help",
             st->eval_seconds * 1e6, st->frame_seconds * 1e3,
             sinew_rig_segment_count(state_rig(st)), sinew_rig_component_count(state_rig(st)));
  }
  float width = ui_text_width(&st->ui, text),
        y = st->place.y + st->place.height - ui_row(&st->ui) - 4;
  ui_label(&st->ui, text, st->place.x + st->place.width - width - 12, y, theme_dark);
  if (GetTime() < st->note_until)
    ui_label(&st->ui, st->note, st->place.x + 12, y - ui_row(&st->ui), theme_dark);
}

void status_draw(state *st) {
  draw_banner(st);
  draw_figures(st);
  if (!st->show_help) return;
  draw_help(st);
  st->ui.wants_mouse = true;
}
