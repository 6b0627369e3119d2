/* The welcome: five cards, one at a time, in a corner of the scene, so that what they say can be
 * tried at once. */
#include "app/app.h"
#include "ui/theme.h"

#include <math.h>

static const struct {
  const char *title, *text;
} cards[] = {
  { "Pull a hand", "Press a hand of the figure and drag it. The joints follow, within every limit. "
                   "Ctrl+Z takes it "
                   "back." },
  { "See a limit", "L shows what holds a joint, drawn at the bone. A DOF that is held has a lock "
                   "and a second knob: "
                   "asked and given." },
  { "Open the script",
    "The rig is a script. Right click a bone and choose Open the script, change a number and save: "
    "the window follows." },
  { "Key a move",
    "F4 shows the timeline. K keys the pose; go on in time, pose again, K again. Space plays it." },
  { "Where to go on", "F1 lists keys and mouse. Ctrl+K finds every command, bone and DOF. F2, F3 "
                      "and F4 are for posing, "
                      "rigging and animating." },
};
enum { card_count = sizeof cards / sizeof *cards };

void welcome_open(state *st) { st->card = 1; }

void welcome_leave(state *st) {
  st->card = 0;
  settings_set(&st->workspace.settings, "welcome", "seen");
}

void welcome_draw(state *st) {
  ui *u = &st->ui;
  int card = st->card - 1;
  float pad = ui_px(u, theme_s3), row = ui_row(u), gap = ui_px(u, theme_s2);
  /* beside the figure, which is in the middle; as high as the longest card needs */
  Rectangle in = st->place;
  Rectangle r = { in.x + gap, in.y + gap,
                  fmaxf(fminf(ui_px(u, 280), 0.35f * in.width), ui_px(u, 170)), 0 };
  float x = r.x + pad, wide = r.width - 2 * pad, y = r.y + pad / 2;
  for (int i = 0; i < card_count; i++)
    r.height = fmaxf(r.height, ui_wrapped(u, cards[i].text, x, y, wide, BLANK));
  r.height += 2 * row + 2 * pad;
  ui_float(u, r);
  if (ui_hot(u, r)) u->wants_mouse = true;
  ui_label_as(u, theme_head, cards[card].title, x, y, wide, theme_text);
  const char *place = TextFormat("%d of %d", st->card, card_count);
  ui_label_as(u, theme_note, place, x + wide - ui_width_as(u, theme_note, place), y, wide,
              theme_hint);
  ui_wrapped(u, cards[card].text, x, y + row, wide, theme_second);
  bool last = st->card == card_count;
  float width = fminf(ui_px(u, 72), (wide - 2 * gap) / 3);
  Rectangle b = { r.x + r.width - pad - width, r.y + r.height - pad - row, width, row };
  if (ui_button(u, ui_id("welcome", 1), b, last ? "Begin" : "Next")) st->card++;
  b.x -= width + gap;
  if (card && ui_button(u, ui_id("welcome", 2), b, "Back")) st->card--;
  b.x = x;
  if (!last && ui_button(u, ui_id("welcome", 3), b, "Skip")) st->card = card_count + 1;
  if (st->card > card_count) welcome_leave(st);
}
