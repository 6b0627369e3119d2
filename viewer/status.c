/* What lies over the scene: the banner, the last note, the help, the figures. */
#include "app.h"
#include "crowd.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void draw_banner(app *a) {
  if (!a->banner[0]) return;
  float row = ui_row(&a->ui);
  int lines = 1;
  for (const char *c = a->banner; *c; c++) lines += *c == '\n';
  if (lines > 8) lines = 8;
  Rectangle r = { a->place.x, 0, a->place.width, (float)lines * row + 10 };
  DrawRectangleRec(r, theme_wrong);
  ui_clip_push(&a->ui, r);
  const char *at = a->banner;
  for (int i = 0; i < lines; i++) {
    const char *end = strchr(at, '\n');
    ui_label(&a->ui, TextFormat("%.*s", end ? (int)(end - at) : (int)strlen(at), at), r.x + 12,
             5 + (float)i * row, WHITE);
    if (!end) break;
    at = end + 1;
  }
  if (ui_hot(&a->ui, r)) {
    ui_tip(&a->ui, "the old rig goes on; click to copy the message");
    a->ui.wants_mouse = true;
    if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) state_copy(a, a->banner, "the message");
  }
  ui_clip_pop(&a->ui);
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

static float help_line(const app *a, const char *text, float x, float y, bool draw) {
  if (draw) ui_label(&a->ui, text, x, y, theme_ink);
  return ui_text_width(&a->ui, text);
}

/* draws the lines, or only measures: the size they take */
static Vector2 help_lines(const app *a, float x, float y, bool draw) {
  float row = ui_row(&a->ui), width = 0, top = y;
  for (int i = 0; i < key_count; i++, y += row)
    width = fmaxf(width, help_line(a, keys[i], x, y, draw));
  for (int i = 0; i < a->tool_count; i++) {
    const tool *t = a->tools[i].tool;
    if (t->key) {
      width =
          fmaxf(width, help_line(a, TextFormat("%s: %s", key_name(t->key), t->doc), x, y, draw));
      y += row;
    }
    for (const char *const *line = t->keys; line && *line; line++, y += row)
      width = fmaxf(width, help_line(a, *line, x, y, draw));
  }
  return (Vector2){ width, y - top };
}

static void draw_help(const app *a) {
  Vector2 size = help_lines(a, 0, 0, false);
  float x = a->place.x + fmaxf(12, (a->place.width - size.x) / 2);
  float y = fmaxf(12, ((float)GetScreenHeight() - size.y) / 2);
  DrawRectangleRounded((Rectangle){ x - 16, y - 12, size.x + 32, size.y + 24 }, 0.03f, 6,
                       theme_float);
  help_lines(a, x, y, true);
}

static void draw_figures(const app *a) {
  char text[300];
  if (crowd_there(a)) {
    char crowd[200];
    crowd_figures(a, crowd, sizeof crowd);
    snprintf(text, sizeof text, "%s   frame %.1f ms   F1: help", crowd, a->frame_seconds * 1e3);
  } else {
    snprintf(text, sizeof text, "eval %.1f us   frame %.1f ms   %d bones, %d components   F1: help",
             a->eval_seconds * 1e6, a->frame_seconds * 1e3, sinew_rig_segment_count(state_rig(a)),
             sinew_rig_component_count(state_rig(a)));
  }
  float width = ui_text_width(&a->ui, text), y = a->place.y + a->place.height - ui_row(&a->ui) - 4;
  ui_label(&a->ui, text, a->place.x + a->place.width - width - 12, y, theme_dark);
  if (GetTime() < a->note_until)
    ui_label(&a->ui, a->note, a->place.x + 12, y - ui_row(&a->ui), theme_dark);
}

void status_draw(app *a) {
  draw_banner(a);
  draw_figures(a);
  if (!a->show_help) return;
  draw_help(a);
  a->ui.wants_mouse = true;
}
