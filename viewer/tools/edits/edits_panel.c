/* What panels of live changes share: the buttons over them, and the reason why one is refused. */
#include "tools/edits/edits.h"
#include "ui/theme.h"

#include <stdio.h>
#include <string.h>

static const Color wrong_ink = { 242, 120, 108, 255 };

static void write_tuning(state *st) {
  sinew_error error;
  if (edits_write(st, &error) < 0)
    state_say(st, "%s", error.text);
  else
    state_say(st, "wrote %s", sinew_host_tuning(st->host));
}

edits_act edits_buttons(state *st, const char *scope, Rectangle r, bool changed) {
  ui *u = &st->ui;
  edits_act act = EDITS_NOTHING;
  int unsaved = 0;
  edits_list(st, &unsaved);
  float wide = (r.width - 8) / 3;
  Rectangle b[3];
  for (int i = 0; i < 3; i++)
    b[i] = (Rectangle){ r.x + (wide + 4) * (float)i, r.y, wide, r.height };
  if (ui_button(u, ui_id(scope, 1), b[0], "copy as Lua")) act = EDITS_COPY;
  if (ui_hot(u, b[0]))
    ui_tip(u, changed ? "copies what changed, as the script would say it"
                      : "copies what was given, as the script says it");
  if (unsaved) {
    char label[32];
    snprintf(label, sizeof label, "write %d", unsaved);
    if (ui_button(u, ui_id(scope, 2), b[1], label)) write_tuning(st);
    if (ui_hot(u, b[1]))
      ui_tip(u, "writes all changes of the rig to %s", sinew_host_tuning(st->host));
  }
  if (changed && ui_button(u, ui_id(scope, 3), b[2], "reset")) act = EDITS_RESET;
  if (changed && ui_hot(u, b[2])) ui_tip(u, "back to what the script says");
  return act;
}

float edits_refusal(const state *st, const char *text, Rectangle r, float y) {
  const ui *u = &st->ui;
  float row = ui_row(u), width = r.width - 16, top = y;
  char line[256];
  while (*text) {
    size_t take = 0, fits = 0;
    for (; text[take] && text[take] != '\n' && take + 1 < sizeof line; take++) {
      snprintf(line, sizeof line, "%.*s", (int)take + 1, text);
      if (text[take] == ' ') fits = take;
      if (ui_text_width(u, line) > width && fits) break;
    }
    if (text[take] && text[take] != '\n' && fits) take = fits;
    snprintf(line, sizeof line, "%.*s", (int)take, text);
    ui_label(u, line, r.x + 8, y, wrong_ink);
    y += row;
    text += take;
    while (*text == ' ' || *text == '\n') text++;
  }
  return y - top;
}

void edits_print(const char *text) {
  for (; *text; text++) putchar(*text == '\n' ? '|' : *text);
  putchar('\n');
}
