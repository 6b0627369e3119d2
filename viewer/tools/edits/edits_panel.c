/* Shared by the panels that change values: a row of buttons, the message of a refused change, and
 * two remote verbs. */
#include "plain/value_text.h"
#include "tools/edits/edits.h"
#include "ui/theme.h"

#include <stdio.h>

static void write_tuning(state *st) {
  sinew_error error;
  edits *e = tool_state(st, "edits");
  int count = e->count;
  if (edits_write(st, &error) < 0) {
    state_say(st, "%s", error.text);
    return;
  }
  state_say(st, "wrote %d change%s to %s", count, count == 1 ? "" : "s",
            sinew_host_tuning(st->host));
  snprintf(e->wrote, sizeof e->wrote, "%s", st->note);
}

static void copy_lua(state *st, edits_owner o, bool changed) {
  sinew_error error = { 0 };
  const char *lua = edits_lua(st, o, &error);
  const char *name = o.segment.id ? sinew_rig_segment_info(state_rig(st), o.segment).name
                                  : sinew_rig_component_info(state_rig(st), o.component).name;
  if (lua)
    state_copy(st, lua, TextFormat(changed ? "the changes of '%s'" : "'%s'", name));
  else
    state_say(st, "%s", error.text);
}

static sinew_status reset(state *st, edits_owner o, sinew_error *error) {
  history_pause(st->history);
  return edits_reset(st, o, NULL, error);
}

void edits_buttons(state *st, const char *scope, edits_owner o, Rectangle r) {
  ui *u = &st->ui;
  int unsaved = ((const edits *)tool_state(st, "edits"))->count;
  bool changed = edits_find(st, o, NULL) != NULL;
  float wide = (r.width - 8) / 3;
  Rectangle b[3];
  for (int i = 0; i < 3; i++)
    b[i] = (Rectangle){ r.x + (wide + 4) * (float)i, r.y, wide, r.height };
  if (ui_button(u, ui_id(scope, 1), b[0], "Copy as Lua")) copy_lua(st, o, changed);
  if (ui_hot(u, b[0]))
    ui_tip(u, changed ? "copies the changes, as Lua for the script"
                      : "copies the values given in the script, as Lua");
  if (unsaved) {
    if (ui_button(u, ui_id(scope, 2), b[1], TextFormat("Write %d", unsaved))) write_tuning(st);
    if (ui_hot(u, b[1]))
      ui_tip(u, "writes all changes of the rig to %s", sinew_host_tuning(st->host));
  }
  if (!changed) return;
  sinew_error error = { 0 };
  if (ui_button(u, ui_id(scope, 3), b[2], "Reset") && reset(st, o, &error) < 0)
    state_say(st, "%s", error.text);
  if (ui_hot(u, b[2])) ui_tip(u, "reset to the values of the script");
}

float edits_refusal(const state *st, const char *text, Rectangle r, float y) {
  text = message_reason(text);
  return ui_wrapped(&st->ui, text, r.x + ui_px(&st->ui, 8), y, r.width - ui_px(&st->ui, 16),
                    theme_error);
}

bool edits_answer_lua(state *st, edits_owner o) {
  sinew_error error = { 0 };
  return tool_answer_text(edits_lua(st, o, &error), error.text);
}

bool edits_answer_reset(state *st, edits_owner o) {
  sinew_error error = { 0 };
  return tool_answer(reset(st, o, &error) >= 0, error.text);
}
