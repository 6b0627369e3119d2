/* The selected bone: name, parent, position, and what moves it. */
#include "plain/acting.h"
#include "plain/side.h"
#include "plain/value_text.h"
#include "state/state.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* a ring around the joint of the selected bone: more than its colour shows what is selected */
static void draw_ring(const state *st) {
  const float *m = sinew_pose_world(state_pose(st), st->selected.segment);
  Vector2 at = state_project(st, (Vector3){ m[12], m[13], m[14] });
  if (!CheckCollisionPointRec(at, st->place)) return;
  icon_draw(ICON_RING, at, ui_px(&st->ui, 18), theme_window);
  icon_draw(ICON_RING, at, ui_px(&st->ui, 16), theme_selected);
}

typedef struct fact {
  const char *label;
  char text[440];
} fact;

static void flat(state *st, void *self) {
  (void)self;
  const sinew_rig *rig = state_rig(st);
  const ui *u = &st->ui;
  if (!st->selected.segment.id) return;
  char title[160], parent[160] = "";
  name_list list;
  fact facts[5] = { { .label = "World" }, { .label = "Local" }, { .label = "Moved by" } };
  int count = 3;
  sinew_segment_info info = sinew_rig_segment_info(rig, st->selected.segment);
  draw_ring(st);
  value_long(SINEW_MATRIX, sinew_pose_world(state_pose(st), st->selected.segment), NULL,
             facts[0].text, sizeof facts[0].text);
  value_long(SINEW_MATRIX, sinew_pose_local(state_pose(st), st->selected.segment), NULL,
             facts[1].text, sizeof facts[1].text);
  const char *dofs = moving_dofs(rig, info.driver, &list);
  snprintf(facts[2].text, sizeof facts[2].text, "%s", *dofs ? dofs : "no DOF of its own");
  const char *components = moving_components(rig, info.driver, &list);
  if (*components) {
    facts[3].label = "Through";
    snprintf(facts[3].text, sizeof facts[3].text, "%s", components);
    count = 4;
  }
  if (info.mass > 0) {
    facts[count].label = "Mass";
    snprintf(facts[count++].text, sizeof facts[0].text, "%.2f kg", (double)info.mass);
  }
  if (st->place.width < ui_px(u, 640)) count = 0; /* the figure needs the room */
  name_text(info.name, title, sizeof title);
  if (info.parent.id)
    snprintf(parent, sizeof parent, "%s, in %s", info.name,
             sinew_rig_segment_info(rig, info.parent).name);
  else
    snprintf(parent, sizeof parent, "%s", info.name);
  float pad = ui_px(u, theme_s3), row = ui_px(u, 20), labels = ui_px(u, 72);
  float x = st->place.x + pad, y = st->place.y + pad, room = st->place.width - 4 * pad;
  float named = ui_width_as(u, theme_head, title) + pad;
  float wide = named + ui_text_width(u, parent);
  if (st->banner[0]) y += ui_row(u) * 3;
  for (int i = 0; i < count; i++) wide = fmaxf(wide, labels + ui_text_width(u, facts[i].text));
  wide = fminf(wide, fminf(room, ui_px(u, 440)));
  ui_over_scene(u, (Rectangle){ x, y, wide + 2 * pad, row * (float)count + ui_row(u) + pad });
  x += pad;
  y += pad / 2;
  ui_label_as(u, theme_head, title, x, y, wide, theme_text);
  ui_label_in(u, parent, x + named, y, wide - named, theme_hint);
  y += ui_row(u) - ui_px(u, 2);
  for (int i = 0; i < count; i++, y += row) {
    ui_label(u, facts[i].label, x, y, theme_hint);
    ui_label_in(u, facts[i].text, x + labels, y, wide - labels + 1, theme_second);
  }
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)self;
  sinew_error error = { 0 };
  sinew_segment found = { 0 };
  if (strcmp(verb, "selected") == 0)
    return tool_answer_text(st->selected.segment.id
                                ? sinew_rig_segment_info(state_rig(st), st->selected.segment).name
                                : "",
                            NULL);
  if (strcmp(verb, "select") != 0) return false;
  if (*rest) found = sinew_rig_find_segment(state_rig(st), rest, &error);
  if (*rest && !found.id) return tool_answer(false, error.text);
  state_select(st, (selection){ .segment = found });
  return tool_answer(true, NULL);
}

const tool tool_details = { .name = "details",
                            .doc = "what moves the selected bone",
                            .key = KEY_I,
                            .open = true,
                            .flat = flat,
                            .remote = remote,
                            .remote_help = "selected | select [SEGMENT]" };
