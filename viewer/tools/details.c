/* The selected bone: name, parent, position, and what moves it. */
#include "plain/acting.h"
#include "plain/value_text.h"
#include "state/state.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* one line on a dark background, readable over bones */
static float line(const state *st, float x, float y, const char *text) {
  float width = fminf(ui_text_width(&st->ui, text), st->place.width - 24), row = ui_row(&st->ui);
  DrawRectangleRec((Rectangle){ x - 4, y, width + 8, row }, Fade(theme_float, 0.75f));
  ui_label_in(&st->ui, text, x, y, width + 1, theme_ink);
  return y + row;
}

/* a list of names; if some do not fit, it ends with their number */
typedef struct name_list {
  char text[400];
  size_t used;
  int named, more;
} name_list;

static void add_name(name_list *l, const char *name) {
  if (l->used + strlen(name) + 24 > sizeof l->text || l->named == 6)
    l->more++;
  else
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                                l->named++ ? ", " : "", name);
}

static const char *end_list(name_list *l) {
  if (l->more) snprintf(l->text + l->used, sizeof l->text - l->used, " and %d more", l->more);
  return l->text;
}

static const char *moving_dofs(const sinew_rig *rig, sinew_component driver, name_list *l) {
  *l = (name_list){ 0 };
  for (int i = 0; driver.id && i < sinew_rig_dof_count(rig); i++)
    if (sinew_rig_depends(rig, driver, sinew_rig_dof(rig, i)))
      add_name(l, sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
  return end_list(l);
}

static const char *moving_components(const sinew_rig *rig, sinew_component driver, name_list *l) {
  *l = (name_list){ 0 };
  int count = sinew_rig_component_count(rig);
  bool *marks = calloc((size_t)count + 1, sizeof *marks);
  if (!marks) return l->text;
  acting_upstream(rig, driver, marks);
  for (int i = count - 1; i >= 0; i--)
    if (marks[i]) add_name(l, sinew_rig_component_info(rig, sinew_rig_component(rig, i)).name);
  free(marks);
  return end_list(l);
}

static void flat(state *st, void *self) {
  (void)self;
  const sinew_rig *rig = state_rig(st);
  if (!st->selected.id) return;
  char text[200];
  name_list list;
  sinew_segment_info info = sinew_rig_segment_info(rig, st->selected);
  float x = st->place.x + 12, y = st->place.y + 8;
  if (st->banner[0]) y += ui_row(&st->ui) * 3;
  const char *parent = info.parent.id ? sinew_rig_segment_info(rig, info.parent).name : "";
  y = line(st, x, y, TextFormat(*parent ? "%s, in %s" : "%s", info.name, parent));
  value_long(SINEW_MATRIX, sinew_pose_world(state_pose(st), st->selected), text, sizeof text);
  y = line(st, x, y, TextFormat("world  %s", text));
  value_long(SINEW_MATRIX, sinew_pose_local(state_pose(st), st->selected), text, sizeof text);
  y = line(st, x, y, TextFormat("local  %s", text));
  const char *dofs = moving_dofs(rig, info.driver, &list);
  y = line(st, x, y, TextFormat("moved by  %s", *dofs ? dofs : "no DOF of its own"));
  const char *components = moving_components(rig, info.driver, &list);
  if (*components) line(st, x, y, TextFormat("through  %s", components));
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)self;
  sinew_error error = { 0 };
  sinew_segment found = { 0 };
  if (strcmp(verb, "selected") == 0)
    return tool_answer_text(
        st->selected.id ? sinew_rig_segment_info(state_rig(st), st->selected).name : "", NULL);
  if (strcmp(verb, "select") != 0) return false;
  if (*rest) found = sinew_rig_find_segment(state_rig(st), rest, &error);
  if (*rest && !found.id) return tool_answer(false, error.text);
  st->selected = found;
  return tool_answer(true, NULL);
}

const tool tool_details = { .name = "details",
                            .doc = "what moves the selected bone",
                            .key = KEY_I,
                            .open = true,
                            .flat = flat,
                            .remote = remote,
                            .remote_help = "selected | select [SEGMENT]" };
