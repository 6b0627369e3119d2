/* The selected bone: name, parent, position, and what moves it. */
#include "plain/acting.h"
#include "plain/side.h"
#include "plain/value_text.h"
#include "state/state.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_links = 24, rows_of_links = 12 };

typedef struct details {
  float scroll;
} details;

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

/* the names below each other; returns y for what follows. A component opens its parameters: so they
 * are one click from the bone. */
static float links(state *st, const char *scope, const link_list *l, Rectangle r, float y) {
  ui *u = &st->ui;
  for (int i = 0; i < l->count && i < rows_of_links; i++, y += ui_row(u)) {
    char words[400];
    state_words(st, l->links[i], false, words, sizeof words);
    Rectangle line = { r.x, y, r.width, ui_row(u) };
    if (state_link(st, ui_id(scope, i), line, words, l->links[i], theme_second) &&
        l->links[i].component.id && !ui_control())
      tool_set_open(st, "params", true);
  }
  if (l->count <= rows_of_links) return y;
  ui_label(u, TextFormat("and %d more", l->count - rows_of_links), r.x, y, theme_hint);
  return y + ui_row(u);
}

static float head(const ui *u, const char *label, Rectangle r, float y) {
  ui_label_as(u, theme_note, label, r.x, y, r.width, theme_hint);
  return y + ui_px(u, 18);
}

/* a label with text below it, in as many lines as it needs; returns y for what follows */
static float fact(const ui *u, const char *label, const char *text, Rectangle r, float y) {
  y = head(u, label, r, y);
  return y + ui_wrapped(u, text, r.x, y, r.width, theme_second) + ui_px(u, theme_s1);
}

static void panel(state *st, void *self, Rectangle r) {
  details *d = self;
  const sinew_rig *rig = state_rig(st);
  const sinew_segment segment = st->selected.segment;
  ui *u = &st->ui;
  float pad = ui_px(u, theme_s3), row = ui_row(u), gap = ui_px(u, theme_s1);
  char text[440];
  link_list list = { .count = 0 };
  Rectangle in = { r.x + pad, r.y, r.width - 2 * pad, r.height };
  float y = ui_scroll_begin(u, r, &d->scroll) + ui_px(u, theme_s2), start = y;
  if (!segment.id) {
    y += ui_wrapped(u, "Click a bone to see what it is and what moves it.", in.x, y, in.width,
                    theme_second);
    ui_scroll_end(u, r, y - start, &d->scroll);
    return;
  }
  sinew_segment_info info = sinew_rig_segment_info(rig, segment);
  name_text(info.name, text, sizeof text);
  state_link(st, ui_id("bone", 0), (Rectangle){ in.x, y, in.width, row }, text,
             (selection){ .segment = segment }, theme_text);
  y = fact(u, "Name", info.name, in, y + row);
  if (info.parent.id) {
    name_text(sinew_rig_segment_info(rig, info.parent).name, text, sizeof text);
    y = head(u, "In", in, y);
    state_link(st, ui_id("bone", 1), (Rectangle){ in.x, y, in.width, row }, text,
               (selection){ .segment = info.parent }, theme_second);
    y += row + gap;
  }
  moving_dofs(st, info.driver, &list);
  y = head(u, "Moved by", in, y);
  if (!list.count) ui_label(u, "no DOF of its own", in.x, y, theme_hint);
  y = links(st, "Moved by", &list, in, list.count ? y : y + row) + gap;
  list.count = 0;
  moving_components(st, info.driver, &list);
  if (list.count) y = links(st, "Through", &list, in, head(u, "Through", in, y)) + gap;
  value_long(SINEW_MATRIX, sinew_pose_world(state_pose(st), segment), NULL, text, sizeof text);
  y = fact(u, "Place in the world", text, in, y);
  value_long(SINEW_MATRIX, sinew_pose_local(state_pose(st), segment), NULL, text, sizeof text);
  y = fact(u, "Place in its parent", text, in, y);
  if (info.mass > 0) {
    snprintf(text, sizeof text, "%.2f kg", (double)info.mass);
    y = fact(u, "Mass", text, in, y);
  }
  ui_scroll_end(u, r, y - start, &d->scroll);
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
                            .title = "Selected",
                            .doc = "what the selected bone is, and what moves it",
                            .dock = DOCK_RIGHT,
                            .layouts = IN_POSE,
                            .key = KEY_I,
                            .size = sizeof(details),
                            .panel = panel,
                            .remote = remote,
                            .remote_help = "selected | selected_all | select [SEGMENT]" };
