/* What is drawn over the scene: the banner, the last message, the help, the figures. */
#include "app/app.h"
#include "draw/space_draw.h"
#include "plain/side.h"
#include "tools/crowd/crowd.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <stdio.h>
#include <string.h>

static void draw_banner(state *st) {
  if (!st->banner[0]) return;
  float row = ui_row(&st->ui), pad = ui_px(&st->ui, theme_s3);
  int lines = 1;
  for (const char *c = st->banner; *c; c++) lines += *c == '\n';
  if (lines > 8) lines = 8;
  Rectangle r = { st->place.x, 0, st->place.width, (float)lines * row + pad };
  DrawRectangleRec(r, theme_panel);
  DrawRectangleRec((Rectangle){ r.x, r.y, ui_px(&st->ui, theme_s1), r.height }, theme_error);
  ui_clip_push(&st->ui, r);
  const char *at = st->banner;
  for (int i = 0; i < lines; i++) {
    const char *end = strchr(at, '\n');
    ui_label(&st->ui, TextFormat("%.*s", end ? (int)(end - at) : (int)strlen(at), at),
             r.x + ui_px(&st->ui, theme_s4), pad / 2 + (float)i * row,
             i ? theme_second : theme_text);
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
  if (draw) ui_label(&st->ui, text, x, y, theme_text);
  return ui_text_width(&st->ui, text);
}

/* draws the lines, or only measures them; returns their size */
static Vector2 help_lines(const state *st, float x, float y, float row, bool draw) {
  float width = 0, top = y;
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
  const float width = (float)GetScreenWidth(), height = (float)GetScreenHeight();
  float pad = ui_px(&st->ui, theme_s4), lines = help_lines(st, 0, 0, 1, false).y;
  /* the lines are as close as the window needs */
  float row = floorf(fminf(ui_px(&st->ui, 20), (height - 3 * pad) / lines));
  Vector2 size = help_lines(st, 0, 0, row, false);
  float x = fminf(st->place.x + fmaxf(pad, (st->place.width - size.x) / 2),
                  fmaxf(pad, width - size.x - 2 * pad));
  float y = roundf((height - size.y) / 2);
  ui_float(&st->ui, (Rectangle){ x - pad, y - pad / 2, size.x + 2 * pad, size.y + pad });
  help_lines(st, x, y - (ui_row(&st->ui) - row) / 2, row, true);
}

/* a line over the scene; `right` is its right end */
static void over_scene(const state *st, const char *text, float right, float y, Color color) {
  ui_label_as(&st->ui, theme_note, text, right - ui_width_as(&st->ui, theme_note, text), y,
              st->place.width, color);
}

static void draw_figures(const state *st) {
  char text[300];
  if (crowd_active(st)) {
    char crowd[200];
    crowd_figures(st, crowd, sizeof crowd);
    snprintf(text, sizeof text, "%s   frame %.1f ms", crowd, st->frame_seconds * 1e3);
  } else {
    snprintf(text, sizeof text, "%d bones   %d components   eval %.1f us   frame %.1f ms",
             sinew_rig_segment_count(state_rig(st)), sinew_rig_component_count(state_rig(st)),
             st->eval_seconds * 1e6, st->frame_seconds * 1e3);
  }
  const ui *u = &st->ui;
  static const char help[] = "F1 help";
  float row = ui_row(u), pad = ui_px(u, theme_s3), right = st->place.x + st->place.width - pad;
  float y = st->place.y + st->place.height - row - ui_px(u, theme_s1);
  over_scene(st, help, right, y, theme_second);
  float left = right - ui_width_as(u, theme_note, help) - ui_px(u, theme_s4);
  if (ui_width_as(u, theme_note, text) < left - st->place.x - pad)
    over_scene(st, text, left, y, theme_hint);
  if (GetTime() >= st->note_until) return;
  float wide = fminf(ui_text_width(u, st->note), st->place.width - 4 * pad);
  Rectangle note = { st->place.x + pad, y - row - ui_px(u, theme_s1), wide + 2 * pad, row };
  ui_over_scene(u, note);
  ui_label_in(u, st->note, note.x + pad, note.y, wide + 1, theme_text);
}

/* a letter in a ring, at a point of the ground */
static void draw_side(const state *st, Vector3 at, const char *letter, Color color) {
  Vector2 on = state_project(st, at);
  float radius = st->ui.size * 0.6f, width = ui_text_width(&st->ui, letter);
  Rectangle in = st->place; /* if it is out of the picture, at its edge */
  on.x = Clamp(on.x, in.x + radius, in.x + in.width - radius);
  on.y = Clamp(on.y, in.y + radius, in.y + in.height - radius);
  icon_draw(ICON_DISC, on, 2 * radius, Fade(theme_window, 0.7f));
  icon_outline((Rectangle){ on.x - radius, on.y - radius, 2 * radius, 2 * radius }, radius, 1.5f,
               color);
  ui_label(&st->ui, letter, on.x - width / 2, on.y - ui_row(&st->ui) / 2, color);
}

static body_side side_of(const sinew_rig *rig, sinew_segment segment) {
  return segment.id ? side_of_name(sinew_rig_segment_info(rig, segment).name) : SIDE_NONE;
}

/* L and R on the ground beside the figure, where the names of its bones tell its sides. Bones that
 * are joined to the middle of the body tell where its sides are. */
void status_sides(const state *st) {
  const Color colors[] = { theme_left, theme_right };
  const sinew_rig *rig = state_rig(st);
  int found[2] = { 0 };
  float top = 0, reach = 0;
  Vector3 at[2] = { { 0 } };
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    Vector3 origin = vector(sinew_pose_world(state_pose(st), segment) + 12);
    top = fmaxf(top, origin.y);
    body_side side = side_of(rig, segment);
    if (!side || side == side_of(rig, sinew_rig_segment_info(rig, segment).parent)) continue;
    at[side - SIDE_LEFT] = Vector3Add(at[side - SIDE_LEFT], origin);
    found[side - SIDE_LEFT]++;
  }
  if (!found[0] || !found[1] || crowd_active(st)) return;
  for (int k = 0; k < 2; k++) at[k] = Vector3Scale(at[k], 1.0f / (float)found[k]);
  Vector3 middle = Vector3Scale(Vector3Add(at[0], at[1]), 0.5f);
  Vector3 aside = { at[0].x - at[1].x, 0, at[0].z - at[1].z };
  if (Vector3Length(aside) < 1e-4f) return;
  aside = Vector3Normalize(aside);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    const float *world = sinew_pose_world(state_pose(st), sinew_rig_segment(rig, i));
    Vector3 from = Vector3Subtract(vector(world + 12), middle);
    reach = fmaxf(reach, fabsf(Vector3DotProduct(from, aside)));
  }
  reach = fminf(1.3f * reach, 0.25f * top); /* near the feet, also with wings spread */
  for (int k = 0; k < 2; k++) {
    at[k] = Vector3Add(middle, Vector3Scale(aside, k ? -reach : reach));
    at[k].y = 0;
  }
  Vector3 eye = orbit_camera(&st->view).position;
  int far = Vector3Distance(eye, at[0]) > Vector3Distance(eye, at[1]) ? 0 : 1;
  float apart = Vector2Distance(state_project(st, at[0]), state_project(st, at[1]));
  if (apart > st->ui.size * 1.2f) /* from the side, only the near one is seen */
    draw_side(st, at[far], far ? "R" : "L", colors[far]);
  draw_side(st, at[!far], far ? "L" : "R", colors[!far]);
}

void status_draw(state *st) {
  draw_banner(st);
  draw_figures(st);
  if (!st->show_help) return;
  draw_help(st);
  st->ui.wants_mouse = true;
}
