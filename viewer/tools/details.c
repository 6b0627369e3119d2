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

enum { most_links = 24 };

/* names that can be clicked */
typedef struct link_list {
  selection links[most_links];
  int count;
} link_list;

static void add(link_list *l, selection what) {
  if (l->count < most_links) l->links[l->count++] = what;
}

static void moving_dofs(const state *st, sinew_component driver, link_list *l) {
  const sinew_rig *rig = state_rig(st);
  for (int i = 0; driver.id && i < sinew_rig_dof_count(rig); i++) {
    selection what = { .segment = st->selected.segment, .dof = sinew_rig_dof(rig, i) };
    if (sinew_rig_depends(rig, driver, what.dof)) add(l, what);
  }
}

/* what its driver reads, the driver first, and the rotations of its cone */
static void moving_components(const state *st, sinew_component driver, link_list *l) {
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_component_count(rig);
  bool *marks = calloc((size_t)count + 1, sizeof *marks);
  if (!marks) return;
  acting_upstream(rig, driver, marks);
  for (int i = count - 1; i >= 0; i--) {
    sinew_component c = sinew_rig_order(rig, i);
    bool named = st->moved_by && st->moved_by[c.id - 1].id == st->selected.segment.id;
    if (marks[c.id - 1] || named)
      add(l, (selection){ .segment = st->selected.segment, .component = c });
  }
  free(marks);
}

/* the width of the names, up to `room`; draws them if `at` is given. A component opens its
 * parameters: so they are one click from the bone. */
static float links(state *st, const char *scope, const link_list *l, float room,
                   const Vector2 *at) {
  ui *u = &st->ui;
  float x = 0, gap = ui_px(u, theme_s3), more = ui_text_width(u, "+00");
  for (int i = 0; i < l->count; i++) {
    char words[400];
    state_words(st, l->links[i], false, words, sizeof words);
    float wide = ui_text_width(u, words);
    if (x + wide + (i + 1 < l->count ? gap + more : 0) > room && i) {
      if (at) ui_label(u, TextFormat("+%d", l->count - i), at->x + x, at->y, theme_hint);
      return x + more;
    }
    Rectangle r = { at ? at->x + x : 0, at ? at->y : 0, fminf(wide + 1, room - x), ui_row(u) };
    x += wide + gap;
    if (!at) continue;
    if (ui_hot(u, r)) u->wants_mouse = true;
    if (state_link(st, ui_id(scope, i), r, words, l->links[i], theme_second) &&
        l->links[i].component.id && !ui_control())
      tool_set_open(st, "params", true);
  }
  return x - gap;
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
  link_list links; /* instead of the text */
} fact;

static void flat(state *st, void *self) {
  (void)self;
  const sinew_rig *rig = state_rig(st);
  ui *u = &st->ui;
  if (!st->selected.segment.id) return;
  char title[160], parent[160] = "";
  fact facts[5];
  int count = 0;
  sinew_segment_info info = sinew_rig_segment_info(rig, st->selected.segment);
  memset(facts, 0, sizeof facts);
  draw_ring(st);
  facts[count].label = "World";
  value_long(SINEW_MATRIX, sinew_pose_world(state_pose(st), st->selected.segment), NULL,
             facts[count++].text, sizeof facts[0].text);
  facts[count].label = "Local";
  value_long(SINEW_MATRIX, sinew_pose_local(state_pose(st), st->selected.segment), NULL,
             facts[count++].text, sizeof facts[0].text);
  facts[count].label = "Moved by";
  moving_dofs(st, info.driver, &facts[count].links);
  snprintf(facts[count].text, sizeof facts[0].text, "no DOF of its own");
  count++;
  facts[count].label = "Through";
  moving_components(st, info.driver, &facts[count].links);
  count += facts[count].links.count > 0;
  if (info.mass > 0) {
    facts[count].links.count = 0;
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
  float most = fminf(room, ui_px(u, 440));
  for (int i = 0; i < count; i++) {
    const link_list *l = &facts[i].links;
    float own = l->count ? links(st, "", l, most - labels, NULL) : ui_text_width(u, facts[i].text);
    wide = fmaxf(wide, labels + own);
  }
  wide = fminf(wide, most);
  ui_over_scene(u, (Rectangle){ x, y, wide + 2 * pad, row * (float)count + ui_row(u) + pad });
  x += pad;
  y += pad / 2;
  ui_label_as(u, theme_head, title, x, y, wide, theme_text);
  Rectangle head = { x, y, named, ui_row(u) };
  if (ui_hot(u, head)) {
    u->wants_mouse = true;
    state_link_tip(st, "", (selection){ .segment = st->selected.segment });
    if (ui_pressed(u, ui_id("details", 0), head))
      state_follow_link(st, (selection){ .segment = st->selected.segment });
  }
  ui_label_in(u, parent, x + named, y, wide - named, theme_hint);
  y += ui_row(u) - ui_px(u, 2);
  for (int i = 0; i < count; i++, y += row) {
    ui_label(u, facts[i].label, x, y, theme_hint);
    Vector2 at = { x + labels, y };
    if (facts[i].links.count)
      links(st, facts[i].label, &facts[i].links, wide - labels + 1, &at);
    else
      ui_label_in(u, facts[i].text, at.x, y, wide - labels + 1, theme_second);
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
  if (strcmp(verb, "selected_all") == 0) {
    selection_names names = state_selected_names(st);
    printf("ok %s%s%s%s%s\n", names.segment, *names.dof ? " " : "", names.dof,
           *names.component ? " " : "", names.component);
    return true;
  }
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
                            .remote_help = "selected | selected_all | select [SEGMENT]" };
