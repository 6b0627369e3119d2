/* The panel of DOFs: foldable joint sets, a slider for each DOF, and the limits that hold it. */
#include "plain/fuzzy.h"
#include "plain/side.h"
#include "plain/value_text.h"
#include "state/state.h"
#include "tools/timeline/keyframes.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { few = 12 }; /* with no more DOFs than this, all joint sets are open */

typedef struct dofs {
  char search[64];
  float scroll;
  bool *folded; /* for each joint set */
  int set_count;
  uint32_t
      *first; /* for each joint set, and at 0 for none: the id of its first DOF; 0: it has none */
  uint32_t *next;  /* for each id of a DOF: the next one in its joint set; 0: it is the last */
  uint32_t opened; /* the joint set that is open for the selected bone, or as the first; 0: none */
  unsigned shown;  /* the selection that it was opened for */
  bool reveal;     /* scroll to what is selected */
} dofs;

/* the input of a component by its name, or -1 */
static int input_named(const sinew_rig *rig, sinew_component component, const char *name) {
  char port[64];
  int count = sinew_rig_component_info(rig, component).input_count;
  for (int i = 0; i < count; i++) {
    sinew_rig_input_name(rig, component, i, port, sizeof port);
    if (strcmp(port, name) == 0) return i;
  }
  return -1;
}

/* whether the DOF feeds the port at which a component holds a value */
static bool holds_dof(const sinew_rig *rig, const sinew_hold *hold, sinew_dof dof) {
  int input = input_named(rig, hold->component, hold->port);
  if (input < 0) return sinew_rig_depends(rig, hold->component, dof);
  sinew_source from = sinew_rig_input(rig, hold->component, input);
  return from.dof.id == dof.id ||
         (from.component.id && sinew_rig_depends(rig, from.component, dof));
}

/* the hold of a DOF: by its own range, else by the first component that holds it */
static const sinew_hold *hold_of(const state *st, sinew_dof dof, const sinew_hold *holds,
                                 int count) {
  for (int i = 0; i < count; i++)
    if (holds[i].dof.id == dof.id) return &holds[i];
  for (int i = 0; i < count; i++)
    if (holds[i].component.id && holds_dof(state_rig(st), &holds[i], dof)) return &holds[i];
  return NULL;
}

static const char *source_name(const sinew_rig *rig, sinew_source from) {
  if (from.dof.id) return name_own(sinew_rig_dof_info(rig, from.dof).name);
  if (from.component.id) return sinew_rig_component_info(rig, from.component).name;
  return "a constant";
}

/* whether the hold is of the DOF itself, so that its amount is the DOF's */
static bool holds_directly(const sinew_rig *rig, const sinew_hold *hold, sinew_dof dof) {
  if (hold->dof.id) return hold->dof.id == dof.id;
  int input = input_named(rig, hold->component, hold->port);
  return input >= 0 && sinew_rig_input(rig, hold->component, input).dof.id == dof.id;
}

static const char *unit_of(const sinew_dof_info *dof) {
  return value_unit(dof->unit, dof->min, dof->max);
}

/* "elevation held at 23.0\u00b0 by dependency 'sc.lift', lower bound from abduction" */
static void say_hold(const state *st, const sinew_hold *hold, sinew_dof dof, const char *label,
                     char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  char where[48] = "", by[160], bound[160];
  int active = sinew_class_input_marked(
      sinew_rig_component_info(rig, hold->component).component_class, SINEW_PORT_BOUNDING);
  if (holds_directly(rig, hold, dof)) {
    strcpy(where, " at ");
    value_number(sinew_pose_get(state_pose(st), dof) + hold->amount, unit_of(&info), where + 4,
                 sizeof where - 4);
  }
  if (bound_text(rig, hold, bound, sizeof bound))
    snprintf(by, sizeof by, "%s", bound);
  else if (active >= 0)
    snprintf(by, sizeof by, "%s bound from %s", hold->amount > 0 ? "lower" : "upper",
             source_name(rig, sinew_rig_input(rig, hold->component, active)));
  else
    snprintf(by, sizeof by, "%s", hold->doc);
  snprintf(dest, capacity, "%s held%s by %s '%s', %s", label, where,
           sinew_rig_component_info(rig, hold->component).component_class->name, hold->name, by);
}

static void set_dof(state *st, sinew_dof dof, float value) {
  sinew_pose_set(state_pose(st), dof, value, NULL);
  state_eval(st);
}

/* a DOF's name as words, without those of its joint set, which stand above it */
static void label_of(const state *st, sinew_dof dof, char *dest, size_t capacity) {
  state_words(st, (selection){ .dof = dof }, false, dest, capacity);
}

/* a dot for a DOF that is not at rest, a diamond for one that is keyed */
static void draw_marks(const state *st, const sinew_dof_info *dof, bool changed, Rectangle r) {
  const keyframes *keys = tool_state(st, "time");
  Vector2 at = { r.x - ui_px(&st->ui, theme_s2), r.y + r.height / 2 };
  if (keys && sinew_clip_find_channel(keys->clip, dof->name) >= 0)
    icon_draw(ICON_DIAMOND, at, ui_px(&st->ui, 8), theme_text);
  else if (changed)
    icon_draw(ICON_DISC, at, ui_px(&st->ui, 5), theme_action);
}

/* in a narrow list a DOF has two lines: its name and its number, then its slider */
static bool is_narrow(const ui *u, float width) { return width < ui_px(u, 290); }

static float dof_height(const ui *u, float width) {
  return is_narrow(u, width) ? ui_px(u, 42) : ui_row(u);
}

static void draw_dof(state *st, sinew_dof id, Rectangle r, const sinew_hold *holds,
                     int hold_count) {
  const sinew_rig *rig = state_rig(st);
  ui *u = &st->ui;
  sinew_dof_info dof = sinew_rig_dof_info(rig, id);
  char label[160], range[2][48];
  label_of(st, id, label, sizeof label);
  bool narrow = is_narrow(u, r.width);
  float box = ui_px(u, 56), gap = ui_px(u, 2), value = sinew_pose_get(state_pose(st), id);
  float text = narrow ? r.width - box : roundf(r.width * 0.45f);
  const sinew_hold *hold = hold_of(st, id, holds, hold_count);
  bool hot = ui_hot(u, r);
  popup_context(st, r, ON_DOF, (selection){ .dof = id });
  ui_slider slider = { .min = dof.min,
                       .max = dof.max,
                       .rest = dof.rest,
                       .unit = unit_of(&dof),
                       .held = hold != NULL,
                       .given = NAN };
  if (hold && holds_directly(rig, hold, id)) slider.given = value + hold->amount;
  Rectangle line = { r.x, r.y, r.width, ui_row(u) };
  Rectangle number = { r.x + r.width - box, r.y, box, line.height };
  Rectangle track = { r.x + text, r.y, number.x - r.x - text - ui_px(u, theme_s1), line.height };
  if (narrow) track = (Rectangle){ r.x, r.y + ui_px(u, 20), r.width - ui_px(u, 6), ui_px(u, 18) };
  float knob = value; /* while a drag meets a limit: what it asks for */
  if (st->asked_dof.id == id.id) {
    slider.held = true;
    slider.given = value;
    knob = fmaxf(dof.min, fminf(dof.max, st->asked));
  }
  bool changed = value != dof.rest;
  draw_marks(st, &dof, changed, line);
  selection what = { .dof = id };
  bool mine = state_shows_dof(st, id);
  if (mine)
    ui_box(u, (Rectangle){ r.x - ui_px(u, 18), r.y + 4, ui_px(u, 3), r.height - 8 },
           theme_selected);
  state_link(st, ui_id(dof.name, 1), (Rectangle){ r.x, r.y, text - gap, line.height }, label, what,
             mine ? theme_selected : theme_second);
  if (ui_slide_in(u, ui_id(dof.name, 0), track, number, &slider, &knob)) set_dof(st, id, knob);
  if (!hot) return;
  if (hold && hold->component.id) {
    say_hold(st, hold, id, label, u->tip, sizeof u->tip);
    return;
  }
  value_number(dof.min, slider.unit, range[0], sizeof range[0]);
  value_number(dof.max, slider.unit, range[1], sizeof range[1]);
  const char *stiff = TextFormat(", stiffness %g", (double)dof.stiffness);
  state_link_tip(
      st, TextFormat("%s: %s to %s%s", label, range[0], range[1], dof.stiffness > 0 ? stiff : ""),
      what);
}

static bool found(const state *st, const dofs *d, sinew_dof dof) {
  char label[160];
  if (!*d->search) return true;
  label_of(st, dof, label, sizeof label);
  return fuzzy_has(sinew_rig_dof_info(state_rig(st), dof).name, d->search) ||
         fuzzy_has(label, d->search);
}

/* what is shown of the DOFs of a joint set while it is folded */
typedef struct summary {
  int count;
  bool changed, held;
} summary;

static sinew_dof first_in(const dofs *d, sinew_joint_set set) {
  return (sinew_dof){ d->first ? d->first[set.id] : 0 };
}

static summary sum_up(const state *st, const dofs *d, sinew_joint_set set, const sinew_hold *holds,
                      int hold_count) {
  const sinew_rig *rig = state_rig(st);
  summary sum = { 0 };
  for (sinew_dof dof = first_in(d, set); dof.id; dof.id = d->next[dof.id]) {
    if (!found(st, d, dof)) continue;
    sum.count++;
    sum.changed |= sinew_pose_get(state_pose(st), dof) != sinew_rig_dof_info(rig, dof).rest;
    sum.held |= hold_of(st, dof, holds, hold_count) != NULL;
  }
  return sum;
}

/* the header of a joint set: its name, its side, and how many DOFs are in it */
static void draw_head(state *st, dofs *d, sinew_joint_set set, const summary *sum, Rectangle r) {
  ui *u = &st->ui;
  const char *name = sinew_rig_joint_set_name(state_rig(st), set);
  char words[160];
  body_side side = side_of_name(name);
  name_text(name, words, sizeof words);
  const char *text = TextFormat("%d", sum->count);
  float marks = ui_width_as(u, theme_note, text) + ui_px(u, theme_s3 + theme_s2);
  if (ui_fold(u, ui_id("joint set", (int)set.id), r, marks, words, &d->folded[set.id - 1]) &&
      d->opened == set.id)
    d->opened = 0; /* now it is the user's */
  if (side)
    DrawRectangleRec((Rectangle){ r.x - ui_px(u, theme_s2), r.y + 5, 2, r.height - 10 },
                     side == SIDE_LEFT ? theme_left : theme_right);
  Vector2 at = { r.x + r.width - ui_width_as(u, theme_note, text), r.y + r.height / 2 };
  ui_label_as(u, theme_note, text, at.x, r.y, r.width, theme_hint);
  at.x -= ui_px(u, theme_s3);
  if (sum->held && d->folded[set.id - 1])
    icon_draw(ICON_LOCK, at, ui_px(u, 10), theme_held);
  else if (sum->changed && d->folded[set.id - 1])
    icon_draw(ICON_DISC, at, ui_px(u, 5), theme_action);
  if (ui_hot(u, r)) ui_tip(u, "%s", name);
}

/* the DOFs of one joint set, or of none; returns y for the next row */
static float draw_set(state *st, dofs *d, sinew_joint_set set, Rectangle r, float y,
                      const sinew_hold *holds, int hold_count) {
  float row = ui_row(&st->ui), pad = ui_px(&st->ui, theme_s3);
  float inset = pad + ui_px(&st->ui, theme_s4);
  summary sum = sum_up(st, d, set, holds, hold_count);
  if (!sum.count) return y;
  if (set.id) {
    if (y > r.y - row && y < r.y + r.height)
      draw_head(st, d, set, &sum, (Rectangle){ r.x + pad, y, r.width - 2 * pad, row });
    y += row;
    if (d->folded[set.id - 1] && !*d->search) return y;
  }
  for (sinew_dof dof = first_in(d, set); dof.id; dof.id = d->next[dof.id]) {
    if (!found(st, d, dof)) continue;
    float wide = r.width - inset - pad;
    Rectangle line = { r.x + inset, y, wide, dof_height(&st->ui, wide) };
    if (y > r.y - line.height && y < r.y + r.height) draw_dof(st, dof, line, holds, hold_count);
    if (d->reveal && state_shows_dof(st, dof)) {
      ui_reveal(r, line, &d->scroll);
      d->reveal = false;
    }
    y += line.height;
  }
  return y;
}

/* the joint set of what is selected is open */
static void follow_selection(const state *st, dofs *d) {
  if (st->selections == d->shown) return;
  d->shown = st->selections;
  const sinew_rig *rig = state_rig(st);
  selection s = st->selected;
  uint32_t set = 0;
  d->reveal = s.segment.id || s.dof.id || s.component.id;
  if (!d->reveal) return;
  if (s.segment.id) {
    sinew_segment_info info = sinew_rig_segment_info(rig, s.segment);
    set = info.joint_set.id;
    if (info.driver.id) set = sinew_rig_component_info(rig, info.driver).joint_set.id;
  }
  if (s.component.id) set = sinew_rig_component_info(rig, s.component).joint_set.id;
  if (s.dof.id) set = sinew_rig_dof_info(rig, s.dof).joint_set.id;
  if (!set || (int)set > d->set_count || !d->folded[set - 1]) return;
  if (d->opened) d->folded[d->opened - 1] = true;
  d->folded[set - 1] = false;
  d->opened = set;
}

static void panel(state *st, void *self, Rectangle r) {
  dofs *d = self;
  ui *u = &st->ui;
  const sinew_rig *rig = state_rig(st);
  float row = ui_row(u), pad = ui_px(u, theme_s3), reset = ui_px(u, 52);
  float y = r.y + ui_px(u, theme_s2);
  follow_selection(st, d);
  ui_input(u, ui_id("dofs", 1),
           (Rectangle){ r.x + pad, y, r.width - 2 * pad - reset - ui_px(u, theme_s1), row },
           TextFormat("Search %d DOF%s", sinew_rig_dof_count(rig),
                      sinew_rig_dof_count(rig) == 1 ? "" : "s"),
           d->search, sizeof d->search);
  Rectangle button = { r.x + r.width - pad - reset, y, reset, row };
  if (ui_button(u, ui_id("dofs", 2), button, "Reset")) {
    sinew_pose_reset(state_pose(st));
    state_eval(st);
    state_say(st, "all DOFs are at rest");
  }
  if (ui_hot(u, button)) ui_tip(u, "every DOF back to rest");
  int hold_count;
  sinew_hold *holds = state_holds(st, &hold_count);
  float top = y + row + ui_px(u, theme_s2);
  Rectangle list = { r.x, top, r.width, r.y + r.height - top };
  y = ui_scroll_begin(u, list, &d->scroll);
  float start = y;
  for (int set = 0; set < sinew_rig_joint_set_count(rig); set++)
    y = draw_set(st, d, sinew_rig_joint_set(rig, set), list, y, holds, hold_count);
  /* DOFs in no joint set come last */
  y = draw_set(st, d, (sinew_joint_set){ 0 }, list, y, holds, hold_count);
  d->reveal = false;
  ui_scroll_end(u, list, y - start + row, &d->scroll);
  free(holds);
}

static void destroy(void *self) {
  dofs *d = self;
  free(d->folded);
  free(d->first);
  free(d->next);
}

/* the DOFs of each joint set, in their order */
static void sort_dofs(const sinew_rig *rig, dofs *d) {
  int count = sinew_rig_dof_count(rig);
  free(d->first);
  free(d->next);
  d->first = calloc((size_t)sinew_rig_joint_set_count(rig) + 1, sizeof *d->first);
  d->next = calloc((size_t)count + 1, sizeof *d->next);
  if (!d->first || !d->next) {
    free(d->first);
    d->first = NULL;
    return;
  }
  for (int i = count; i-- > 0;) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    uint32_t *first = &d->first[sinew_rig_dof_info(rig, dof).joint_set.id];
    d->next[dof.id] = *first;
    *first = dof.id;
  }
}

static void loaded(state *st, void *self) {
  dofs *d = self;
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_joint_set_count(rig);
  d->shown = 0;
  sort_dofs(rig, d);
  if (d->folded && d->set_count == count) return; /* as it was before the reload */
  free(d->folded);
  d->folded = calloc((size_t)count + 1, sizeof(bool));
  d->set_count = d->folded ? count : 0;
  d->opened = 0;
  if (sinew_rig_dof_count(rig) <= few || count < 2) return;
  for (int i = 1; i < d->set_count; i++) d->folded[i] = true;
  d->opened = 1;
}

/* "held DOF": prints what holds it back, as the tooltip says it */
static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)self;
  if (strcmp(verb, "held") != 0) return false;
  sinew_error error;
  sinew_dof dof = sinew_rig_find_dof(state_rig(st), rest, &error);
  if (!dof.id) return tool_answer(false, error.text);
  int count;
  sinew_hold *holds = state_holds(st, &count);
  const sinew_hold *hold = hold_of(st, dof, holds, count);
  char text[512] = "";
  if (hold && hold->component.id) say_hold(st, hold, dof, name_own(rest), text, sizeof text);
  free(holds);
  return tool_answer_text(text, NULL);
}

const tool tool_dofs = { .name = "dofs",
                         .title = "DOFs",
                         .doc = "a slider for each DOF",
                         .dock = DOCK_LEFT,
                         .layouts = IN_POSE | IN_RIG,
                         .key = KEY_D,
                         .size = sizeof(dofs),
                         .destroy = destroy,
                         .loaded = loaded,
                         .panel = panel,
                         .remote = remote,
                         .remote_help = "held DOF" };
