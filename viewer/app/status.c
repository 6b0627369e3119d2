/* The status line, the strip of the banner, and the letters of the sides. */
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

/* what a load does that takes long, with a button to stop it */
static void draw_loading(state *st, Rectangle r) {
  ui *u = &st->ui;
  char words[300];
  float done = loading_words(st, words, sizeof words);
  float pad = ui_px(u, theme_s4), row = ui_row(u), width = ui_px(u, 96);
  float y = r.y + (r.height - row) / 2;
  Rectangle stop = { r.x + r.width - pad - width, y, width, row };
  Rectangle bar = { fmaxf(stop.x - pad - ui_px(u, 160), r.x + r.width / 2), y + row / 3, 0,
                    row / 3 };
  bar.width = stop.x - pad - bar.x;
  DrawRectangleRec(r, theme_panel);
  ui_label_in(u, words, r.x + pad, y, bar.x - r.x - 2 * pad, theme_text);
  progress_bar(u, bar, done);
  if (ui_button(u, ui_id("loading", 1), stop, "Stop (Esc)")) loading_stop(st);
  if (ui_hot(u, r)) {
    ui_tip(u, "%s\n%s", words, st->waiting ? "" : "the rig before stays in use until it is loaded");
    u->wants_mouse = true;
  }
}

/* the error of the script, in a strip of its own above the scene */
static void draw_banner(state *st) {
  Rectangle r = st->workspace.strip;
  if (loading_shown(st) && r.height > 0) {
    draw_loading(st, r);
    return;
  }
  int lines = workspace_banner_lines(st);
  if (!lines || r.height <= 0) return;
  float row = ui_row(&st->ui), pad = ui_px(&st->ui, theme_s3);
  DrawRectangleRec(r, theme_panel);
  DrawRectangleRec((Rectangle){ r.x, r.y, ui_px(&st->ui, theme_s1), r.height }, theme_error);
  ui_clip_push(&st->ui, r);
  char text[sizeof st->banner];
  const char *at = text;
  state_short(st, st->banner, text, sizeof text);
  for (int i = 0; i < lines && (float)(i + 1) * row <= r.height; i++) {
    const char *end = strchr(at, '\n');
    ui_label_in(&st->ui, TextFormat("%.*s", end ? (int)(end - at) : (int)strlen(at), at),
                r.x + ui_px(&st->ui, theme_s4), r.y + pad / 2 + (float)i * row,
                r.width - ui_px(&st->ui, 2 * theme_s4), i ? theme_second : theme_text);
    if (!end) break;
    at = end + 1;
  }
  if (ui_hot(&st->ui, r)) {
    ui_tip(&st->ui, "%s\n%s", st->banner,
           st->waiting ? "waiting for a save that mends the rig; click to copy the message"
                       : "the old rig stays; click to copy the message");
    st->ui.wants_mouse = true;
    if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) state_copy(st, st->banner, "the message");
  }
  ui_clip_pop(&st->ui);
}

static void say_figures(const state *st, char *dest, size_t capacity) {
  if (crowd_active(st)) {
    char crowd[200];
    crowd_figures(st, crowd, sizeof crowd);
    snprintf(dest, capacity, "%s   frame %.1f ms", crowd, st->frame_seconds * 1e3);
  } else {
    snprintf(dest, capacity, "%d bones   %d components   eval %.1f us   frame %.1f ms",
             sinew_rig_segment_count(state_rig(st)), sinew_rig_component_count(state_rig(st)),
             st->eval_seconds * 1e6, st->frame_seconds * 1e3);
  }
}

/* the status line: the last message, or else what the mouse does; and figures */
static void draw_status(state *st) {
  static const char hint[] =
      "drag a bone: pull   drag beside it: turn   wheel: zoom   F1: help   Ctrl+K: find a command";
  ui *u = &st->ui;
  Rectangle r = st->workspace.status;
  if (r.height <= 0) return;
  char figures[300];
  ui_panel(u, r);
  say_figures(st, figures, sizeof figures);
  bool noted = GetTime() < st->note_until;
  char note[sizeof st->note];
  if (noted) state_short(st, st->note, note, sizeof note);
  const char *text = noted ? note : hint;
  float pad = ui_px(u, theme_s3), room = r.width - 3 * pad, y = r.y + (r.height - ui_row(u)) / 2;
  float right = ui_width_as(u, theme_note, figures), left = ui_width_as(u, theme_note, text);
  if (left + right <= room)
    ui_label_as(u, theme_note, figures, r.x + r.width - pad - right, y, right + 1, theme_hint);
  ui_label_as(u, theme_note, text, r.x + pad, y, room + pad, noted ? theme_text : theme_second);
  if (ui_hot(u, r))
    ui_tip(u, "%s%s%s", noted ? st->note : figures, noted ? "\n" : "", noted ? figures : "");
}

/* a letter in a ring, in a lower corner of the scene */
static void draw_side(const state *st, bool right, const char *letter, Color color) {
  float radius = st->ui.size * 0.75f, width = ui_text_width(&st->ui, letter);
  float off = radius + ui_px(&st->ui, theme_s2);
  Rectangle in = st->place;
  Vector2 on = { right ? in.x + in.width - off : in.x + off, in.y + in.height - off };
  icon_draw(ICON_DISC, on, 2 * radius, Fade(theme_window, 0.7f));
  icon_outline((Rectangle){ on.x - radius, on.y - radius, 2 * radius, 2 * radius }, radius, 1.5f,
               color);
  ui_label(&st->ui, letter, on.x - width / 2, on.y - ui_row(&st->ui) / 2, color);
}

/* a ring around the joint of the selected bone: more than its colour shows what is selected */
void status_ring(const state *st) {
  if (!st->selected.segment.id) return;
  const float *m = sinew_pose_world(state_pose(st), st->selected.segment);
  Vector2 at = state_project(st, vector(m + 12));
  if (!CheckCollisionPointRec(at, st->place)) return;
  icon_draw(ICON_RING, at, ui_px(&st->ui, 18), theme_window);
  icon_draw(ICON_RING, at, ui_px(&st->ui, 16), theme_selected);
}

/* L and R in the corner that each side is nearer to, where the names of bones tell them. Bones that
 * are joined to the middle of the body tell where its sides are. */
void status_sides(const state *st) {
  const Color colors[] = { theme_left, theme_right };
  const sinew_rig *rig = state_rig(st);
  int found[2] = { 0 };
  float reach = 0;
  Vector3 at[2] = { { 0 } };
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    Vector3 origin = vector(sinew_pose_world(state_pose(st), segment) + 12);
    body_side side = st->sides ? (body_side)st->sides[i] : SIDE_NONE;
    if (!side) continue;
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
  float x[2];
  for (int k = 0; k < 2; k++)
    x[k] = state_project(st, Vector3Add(middle, Vector3Scale(aside, k ? -reach : reach))).x;
  if (fabsf(x[0] - x[1]) < st->ui.size * 1.2f) return; /* seen from the side */
  for (int k = 0; k < 2; k++) draw_side(st, x[k] > x[!k], k ? "R" : "L", colors[k]);
}

void status_draw(state *st) {
  draw_banner(st);
  draw_status(st);
}
