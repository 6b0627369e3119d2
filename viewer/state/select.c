/* The selection, names as words, and links from names to the script. */
#include "state/select.h"
#include "plain/editor.h"
#include "plain/side.h"
#include "state/state.h"
#include "ui/theme.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the bone that a DOF moves: the first in its joint set, or else the first of all */
static sinew_segment moved_by_dof(const sinew_rig *rig, sinew_dof dof) {
  sinew_segment found = { 0 };
  uint32_t set = sinew_rig_dof_info(rig, dof).joint_set.id;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    sinew_component driver = sinew_rig_segment_info(rig, segment).driver;
    if (!driver.id || !sinew_rig_depends(rig, driver, dof)) continue;
    if (sinew_rig_component_info(rig, driver).joint_set.id == set) return segment;
    if (!found.id) found = segment;
  }
  return found;
}

void state_select(state *st, selection what) {
  if (what.component.id) {
    what.dof.id = 0;
    if (!what.segment.id && st->moved_by) what.segment = st->moved_by[what.component.id - 1];
  } else if (what.dof.id && !what.segment.id) {
    what.segment = moved_by_dof(state_rig(st), what.dof);
  }
  st->selected = what;
  st->selections++;
}

selection_names state_selected_names(const state *st) {
  selection_names names = { .segment = "" };
  selection s = st->selected;
  const sinew_rig *rig = state_rig(st);
  if (s.segment.id)
    snprintf(names.segment, sizeof names.segment, "%s",
             sinew_rig_segment_info(rig, s.segment).name);
  if (s.dof.id) snprintf(names.dof, sizeof names.dof, "%s", sinew_rig_dof_info(rig, s.dof).name);
  if (s.component.id)
    snprintf(names.component, sizeof names.component, "%s",
             sinew_rig_component_info(rig, s.component).name);
  return names;
}

void state_select_names(state *st, const selection_names *names) {
  selection s = { .segment = { 0 } };
  const sinew_rig *rig = state_rig(st);
  if (*names->segment) s.segment = sinew_rig_find_segment(rig, names->segment, NULL);
  if (*names->dof) s.dof = sinew_rig_find_dof(rig, names->dof, NULL);
  if (*names->component) s.component = sinew_rig_find_component(rig, names->component, NULL);
  state_select(st, s);
}

bool state_shows_dof(const state *st, sinew_dof dof) {
  const sinew_rig *rig = state_rig(st);
  selection s = st->selected;
  if (s.dof.id) return s.dof.id == dof.id;
  if (s.component.id) return sinew_rig_depends(rig, s.component, dof);
  sinew_component driver = { 0 };
  if (s.segment.id) driver = sinew_rig_segment_info(rig, s.segment).driver;
  return driver.id && sinew_rig_depends(rig, driver, dof);
}

/* how many bytes of `words` repeat the end of `set`: "Hip flexion" after "Right hip" */
static size_t repeated(const char *words, const char *set) {
  for (const char *at = set; *at; at = at + strcspn(at, " "), at += strspn(at, " ")) {
    size_t length = strlen(at), i = 0;
    while (i < length && tolower((unsigned char)words[i]) == tolower((unsigned char)at[i])) i++;
    if (i == length && words[length] == ' ') return length + 1;
  }
  return 0;
}

static void words_of_dof(const state *st, sinew_dof dof, const char *set, char *dest,
                         size_t capacity) {
  const char *given = sinew_host_label(st->host, dof);
  char words[160];
  if (given)
    snprintf(words, sizeof words, "%s", given);
  else
    name_text(name_own(sinew_rig_dof_info(state_rig(st), dof).name), words, sizeof words);
  snprintf(dest, capacity, "%s", words + repeated(words, set));
  *dest = (char)toupper((unsigned char)*dest);
}

void state_words(const state *st, selection what, bool whole, char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  char set[160] = "", own[200];
  *dest = '\0';
  if (!what.component.id && !what.dof.id) {
    if (what.segment.id) name_text(sinew_rig_segment_info(rig, what.segment).name, dest, capacity);
    return;
  }
  sinew_joint_set in = what.component.id ? sinew_rig_component_info(rig, what.component).joint_set
                                         : sinew_rig_dof_info(rig, what.dof).joint_set;
  if (in.id) name_text(sinew_rig_joint_set_name(rig, in), set, sizeof set);
  if (what.component.id)
    name_text_beside(name_own(sinew_rig_component_info(rig, what.component).name),
                     side_of_name(set), own, sizeof own);
  else
    words_of_dof(st, what.dof, set, own, sizeof own);
  if (*set && whole) /* T4 and MCP keep their capitals */
    if (isupper((unsigned char)own[0]) && islower((unsigned char)own[1]))
      own[0] = (char)tolower((unsigned char)own[0]);
  snprintf(dest, capacity, "%s%s%s", whole ? set : "", *set && whole ? ": " : "", own);
}

const char *state_name(const state *st, selection what) {
  const sinew_rig *rig = state_rig(st);
  if (what.component.id) return sinew_rig_component_info(rig, what.component).name;
  if (what.dof.id) return sinew_rig_dof_info(rig, what.dof).name;
  return what.segment.id ? sinew_rig_segment_info(rig, what.segment).name : "";
}

const char *state_origin(const state *st, selection what) {
  const sinew_rig *rig = state_rig(st);
  const char *origin = NULL;
  if (what.component.id)
    origin = sinew_rig_component_info(rig, what.component).origin;
  else if (what.dof.id)
    origin = sinew_rig_dof_info(rig, what.dof).origin;
  else if (what.segment.id)
    origin = sinew_rig_segment_info(rig, what.segment).origin;
  return origin ? origin : "";
}

void state_open_source(state *st, selection what) {
  char place[1100], path[1024];
  int line = 0;
  const char *origin = state_origin(st, what);
  if (!editor_place(origin, path, sizeof path, &line)) {
    state_say(st, "no script made '%s'", state_name(st, what));
    return;
  }
  const char *whole = state_source_path(st, path);
  if (!whole) whole = path;
  snprintf(place, sizeof place, "%s:%d", whole, line);
  const char *editor = getenv("VISUAL");
  if (!editor || !*editor) editor = getenv("EDITOR");
  if (editor && *editor && editor_start(editor, whole, line))
    state_say(st, "opened %s", place);
  else
    state_copy(st, place, place);
}

void state_follow_link(state *st, selection what) {
  if (ui_control())
    state_open_source(st, what);
  else
    state_select(st, what);
}

void state_link_tip(state *st, const char *text, selection what) {
  const char *origin = state_origin(st, what);
  ui_tip(&st->ui, "%s%s%s%s%s", text, *text ? "\n" : "", state_name(st, what),
         *origin ? "\nCtrl+click: " : "", *origin ? GetFileName(origin) : "");
}

static bool is_selected(const state *st, selection what) {
  selection s = st->selected;
  if (what.component.id) return s.component.id == what.component.id;
  if (what.dof.id) return s.dof.id == what.dof.id;
  return what.segment.id == s.segment.id && !s.component.id && !s.dof.id;
}

bool state_link(state *st, int id, Rectangle r, const char *text, selection what, Color ink) {
  ui *u = &st->ui;
  r.width = fminf(r.width, ui_text_width(u, text) + 1);
  bool hot = ui_hot(u, r), clicked = ui_pressed(u, id, r);
  if (is_selected(st, what)) ink = theme_selected;
  ui_label_in(u, text, r.x, r.y + (r.height - ui_row(u)) / 2, r.width, hot ? theme_text : ink);
  if (hot) {
    float under = r.y + (r.height + u->size) / 2 + 1;
    DrawRectangleRec((Rectangle){ r.x, roundf(under), r.width, 1 }, theme_action);
    state_link_tip(st, "", what);
  }
  if (clicked) state_follow_link(st, what);
  return clicked;
}
