/* The panel of DOFs: foldable joint sets, a slider for each DOF, and the limits that hold it. */
#include "plain/value_text.h"
#include "state/state.h"
#include "ui/theme.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dofs {
  char search[64];
  float scroll;
  bool *folded; /* for each joint set */
} dofs;

static bool contains(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++) {
    size_t i = 0;
    while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) i++;
    if (i == length) return true;
  }
  return length == 0;
}

static const char *own_name(const char *full) {
  const char *dot = strrchr(full, '.');
  return dot ? dot + 1 : full;
}

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

/* the hold of a DOF: by its own range, else by the first component */
static const sinew_hold *hold_of(const state *st, sinew_dof dof, const sinew_hold *holds,
                                 int count) {
  for (int i = 0; i < count; i++)
    if (holds[i].dof.id == dof.id) return &holds[i];
  for (int i = 0; i < count; i++)
    if (holds[i].component.id && holds_dof(state_rig(st), &holds[i], dof)) return &holds[i];
  return NULL;
}

static const char *source_name(const sinew_rig *rig, sinew_source from) {
  if (from.dof.id) return own_name(sinew_rig_dof_info(rig, from.dof).name);
  if (from.component.id) return sinew_rig_component_info(rig, from.component).name;
  return "a constant";
}

/* "elevation held at 23 by dependency 'sc.lift', lower bound from abduction" */
static void say_hold(const state *st, const sinew_hold *hold, sinew_dof dof, const char *label,
                     char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  char where[48] = "", by[160], bound[160];
  int input = input_named(rig, hold->component, hold->port);
  int active = sinew_class_input_marked(
      sinew_rig_component_info(rig, hold->component).component_class, SINEW_PORT_BOUNDING);
  if (input >= 0 && sinew_rig_input(rig, hold->component, input).dof.id == dof.id)
    snprintf(where, sizeof where, " at %.4g",
             (double)(sinew_pose_get(state_pose(st), dof) + hold->amount));
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

static void draw_dof(state *st, int index, const char *label, Rectangle r, const sinew_hold *holds,
                     int hold_count) {
  const sinew_rig *rig = state_rig(st);
  sinew_dof id = sinew_rig_dof(rig, index);
  sinew_dof_info dof = sinew_rig_dof_info(rig, id);
  float text = st->ui.size * 8;
  const sinew_hold *hold = hold_of(st, id, holds, hold_count);
  float value = sinew_pose_get(state_pose(st), id);
  ui_slider slider = { .min = dof.min,
                       .max = dof.max,
                       .rest = dof.rest,
                       .unit = strcmp(dof.unit, "deg") == 0 ? "\u00b0" : dof.unit,
                       .held = hold != NULL };
  Rectangle track = { r.x + text, r.y, r.width - text, r.height };
  ui_label_in(&st->ui, label, r.x, r.y, text - 4, theme_ink);
  if (ui_slide(&st->ui, ui_id(dof.name, 0), track, &slider, &value)) set_dof(st, id, value);
  if (!ui_hot(&st->ui, r)) return;
  if (hold && hold->component.id)
    say_hold(st, hold, id, label, st->ui.tip, sizeof st->ui.tip);
  else
    ui_tip(&st->ui, "%s   %g to %g %s", dof.name, (double)dof.min, (double)dof.max, dof.unit);
}

/* the DOFs of one joint set, or of none; returns y for the next */
static float draw_set(state *st, dofs *d, sinew_joint_set set, Rectangle r, float y,
                      const sinew_hold *holds, int hold_count) {
  const sinew_rig *rig = state_rig(st);
  float row = ui_row(&st->ui);
  bool any = false;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    const char *given = sinew_host_label(st->host, dof);
    const char *label = given ? given : own_name(info.name);
    if (info.joint_set.id != set.id) continue;
    if (!contains(info.name, d->search) && !contains(label, d->search)) continue;
    if (!any && set.id) {
      const char *name = sinew_rig_joint_set_name(rig, set);
      ui_fold(&st->ui, ui_id("joint set", (int)set.id), (Rectangle){ r.x, y, r.width, row }, name,
              &d->folded[set.id - 1]);
      y += row;
    }
    any = true;
    if (set.id && d->folded[set.id - 1] && !*d->search) continue;
    if (y > r.y - row && y < r.y + r.height)
      draw_dof(st, i, label, (Rectangle){ r.x + 12, y, r.width - 24, row }, holds, hold_count);
    y += row;
  }
  return y;
}

static void panel(state *st, void *self, Rectangle r) {
  dofs *d = self;
  const sinew_rig *rig = state_rig(st);
  float row = ui_row(&st->ui), x = r.x + 12;
  ui_label(&st->ui, sinew_rig_name(rig), x, 6, theme_title);
  const char *counts =
      TextFormat("%d bones, %d DOFs", sinew_rig_segment_count(rig), sinew_rig_dof_count(rig));
  ui_label(&st->ui, counts, r.x + r.width - 12 - ui_text_width(&st->ui, counts), 6, theme_faint);
  ui_input(&st->ui, ui_id("dofs", 1), (Rectangle){ x, 6 + row, r.width - 24 - 70, row }, "search",
           d->search, sizeof d->search);
  if (ui_button(&st->ui, ui_id("dofs", 2), (Rectangle){ r.x + r.width - 12 - 62, 6 + row, 62, row },
                "reset")) {
    sinew_pose_reset(state_pose(st));
    state_eval(st);
    state_say(st, "all DOFs are at rest");
  }
  int hold_count;
  sinew_hold *holds = state_holds(st, &hold_count);
  float top = r.y + 14 + 2 * row;
  Rectangle list = { r.x, top, r.width, r.height - top };
  float y = ui_scroll_begin(&st->ui, list, &d->scroll), start = y;
  for (int set = 0; set < sinew_rig_joint_set_count(rig); set++)
    y = draw_set(st, d, sinew_rig_joint_set(rig, set), list, y, holds, hold_count);
  /* DOFs outside every joint set come last */
  y = draw_set(st, d, (sinew_joint_set){ 0 }, list, y, holds, hold_count);
  ui_scroll_end(&st->ui, list, y - start + row, &d->scroll);
  free(holds);
}

static void destroy(void *self) { free(((dofs *)self)->folded); }

static void loaded(state *st, void *self) {
  dofs *d = self;
  free(d->folded);
  d->folded = calloc((size_t)sinew_rig_joint_set_count(state_rig(st)) + 1, sizeof(bool));
}

/* "held DOF": what holds it back, as the tip says it */
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
  if (hold && hold->component.id) say_hold(st, hold, dof, own_name(rest), text, sizeof text);
  free(holds);
  return tool_answer_text(text, NULL);
}

const tool tool_dofs = { .name = "dofs",
                         .doc = "the panel of DOFs",
                         .dock = DOCK_LEFT,
                         .rows = 24,
                         .key = KEY_D,
                         .open = true,
                         .size = sizeof(dofs),
                         .destroy = destroy,
                         .loaded = loaded,
                         .panel = panel,
                         .remote = remote,
                         .remote_help = "held DOF" };
