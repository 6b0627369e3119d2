/* The panel of DOFs: joint sets that fold, a slider for each DOF, and what holds it back. */
#include "app.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Color ink = { 232, 234, 238, 255 };
static const Color faint = { 150, 156, 168, 255 };
static const Color title = { 250, 206, 140, 255 };

float panel_width(const app *a) { return a->ui.size * 24; }

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

/* the hold that concerns a DOF most: its own range, else the first component it moves */
static const sinew_hold *hold_of(const app *a, sinew_dof dof, const sinew_hold *holds, int count) {
  const sinew_rig *rig = sinew_host_rig(a->host);
  for (int i = 0; i < count; i++)
    if (holds[i].dof.id == dof.id) return &holds[i];
  for (int i = 0; i < count; i++)
    if (holds[i].component.id && sinew_rig_depends(rig, holds[i].component, dof)) return &holds[i];
  return NULL;
}

static void draw_dof(app *a, int index, const char *label, float x, float y,
                     const sinew_hold *holds, int hold_count) {
  static char tip[512];
  sinew_pose *pose = sinew_host_pose(a->host);
  const sinew_rig *rig = sinew_host_rig(a->host);
  sinew_dof id = sinew_rig_dof(rig, index);
  sinew_dof_info dof = sinew_rig_dof_info(rig, id);
  float row = ui_row(&a->ui), width = panel_width(a), text = a->ui.size * 8;
  const sinew_hold *hold = hold_of(a, id, holds, hold_count);
  float value = sinew_pose_get(pose, id);
  ui_slider slider = { .min = dof.min,
                       .max = dof.max,
                       .rest = dof.rest,
                       .unit = strcmp(dof.unit, "deg") == 0 ? "" : dof.unit,
                       .held = hold != NULL };
  Rectangle whole = { x, y, width - 2 * x, row };
  ui_label(&a->ui, label, x, y, ink);
  if (ui_slide(&a->ui, 1000 + index, (Rectangle){ x + text, y, whole.width - text, row }, &slider,
               &value)) {
    sinew_pose_set(pose, id, value, NULL);
    app_eval(a);
  }
  if (ui_hot(&a->ui, whole)) {
    if (hold && hold->component.id)
      snprintf(tip, sizeof tip, "%s: '%s' of %s '%s' held by %+.3g, by %s", dof.name, hold->port,
               sinew_rig_component_info(rig, hold->component).component_class->name, hold->name,
               (double)hold->amount, hold->doc);
    else
      snprintf(tip, sizeof tip, "%s   %g to %g %s", dof.name, (double)dof.min, (double)dof.max,
               dof.unit);
    a->ui.tip = tip;
  }
}

void panel_draw(app *a) {
  const sinew_rig *rig = sinew_host_rig(a->host);
  float row = ui_row(&a->ui), width = panel_width(a), x = 12, height = (float)GetScreenHeight();
  ui_panel(&a->ui, (Rectangle){ 0, 0, width, height });
  if (!rig) return;
  ui_label(&a->ui, sinew_rig_name(rig), x, 6, title);
  char counts[96];
  snprintf(counts, sizeof counts, "%d bones, %d DOFs", sinew_rig_segment_count(rig),
           sinew_rig_dof_count(rig));
  ui_label(&a->ui, counts, width - x - ui_text_width(&a->ui, counts), 6, faint);
  ui_input(&a->ui, 1, (Rectangle){ x, 6 + row, width - 2 * x - 70, row }, "search", a->search,
           (int)sizeof a->search);
  if (ui_button(&a->ui, 2, (Rectangle){ width - x - 62, 6 + row, 62, row }, "reset")) {
    sinew_pose_reset(sinew_host_pose(a->host));
    app_eval(a);
    app_say(a, "everything at rest");
  }

  int hold_count = sinew_pose_holds(sinew_host_pose(a->host), NULL, 0);
  sinew_hold *holds = calloc((size_t)hold_count + 1, sizeof *holds);
  if (!holds) return;
  hold_count = sinew_pose_holds(sinew_host_pose(a->host), holds, hold_count);

  float top = 14 + 2 * row, y = top - a->panel_scroll;
  BeginScissorMode(0, (int)top, (int)width, (int)(height - top));
  for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++) {
    /* DOFs outside every joint set come last */
    uint32_t id = set < sinew_rig_joint_set_count(rig) ? (uint32_t)set + 1 : 0;
    bool any = false;
    for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
      sinew_dof dof = sinew_rig_dof(rig, i);
      sinew_dof_info info = sinew_rig_dof_info(rig, dof);
      const char *given = sinew_host_label(a->host, dof);
      const char *label = given ? given : own_name(info.name);
      if (info.joint_set.id != id) continue;
      if (!contains(info.name, a->search) && !contains(label, a->search)) continue;
      if (!any && id) {
        Rectangle head = { 0, y, width, row };
        const char *name = sinew_rig_joint_set_name(rig, info.joint_set);
        ui_label(&a->ui, a->folded[set] ? "+" : "-", x, y, faint);
        ui_label(&a->ui, name, x + 16, y, title);
        if (y >= top - row && ui_hot(&a->ui, head) && GetMousePosition().y > top &&
            IsMouseButtonPressed(MOUSE_BUTTON_LEFT))
          a->folded[set] = !a->folded[set];
        y += row;
      }
      any = true;
      if (id && a->folded[set] && !*a->search) continue;
      if (y > top - row && y < height) draw_dof(a, i, label, x, y, holds, hold_count);
      y += row;
    }
  }
  EndScissorMode();
  free(holds);
  float most = y + a->panel_scroll - height + row;
  if (ui_hot(&a->ui, (Rectangle){ 0, 0, width, height }))
    a->panel_scroll -= GetMouseWheelMoveV().y * row * 2;
  if (a->panel_scroll > most) a->panel_scroll = most;
  if (a->panel_scroll < 0) a->panel_scroll = 0;
}
