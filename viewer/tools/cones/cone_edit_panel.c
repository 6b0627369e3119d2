/* The panel of the cone editor, and its remote verbs. */
#include "plain/space.h"
#include "plain/value_text.h"
#include "tools/cones/cone_edit.h"
#include "tools/edits/edits.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const modes[] = { "free", "one for all", "at each point" };

static const float direction_step = 0.005f, degree_step = 0.5f; /* change of a number per pixel */

static void mean_twist(const cone_draft *d, float dest[2]) {
  dest[0] = dest[1] = 0;
  for (int i = 0; i < d->count; i++)
    for (int k = 0; k < 2; k++) dest[k] += d->twist[i][k] / (float)d->count;
}

/* moves the visible point to "rest", to the "sum" of the points, or to the direction of the
 * "bone" */
static bool move_visible(state *st, cone_edit *c, const char *to) {
  float v[3];
  if (strcmp(to, "rest") == 0) {
    c->draft.has_visible = false;
    return cone_edit_settle(st, c);
  }
  if (strcmp(to, "sum") == 0) cone_draft_sum(&c->draft, v);
  if (strcmp(to, "bone") == 0 && !cone_edit_bone(st, c, v)) return false;
  return cone_edit_move(st, c, CONE_VISIBLE, v);
}

static const char *const ways[] = { "rest", "sum", "bone" };

static float draw_visible(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  cone_draft *d = &c->draft;
  float row = ui_row(u), wide = (r.width - 8) / 3, v[3];
  static const char *const words[] = { "At rest", "Sum of points", "Bone's direction" };
  static const char *const tips[] = { "the bone's rest direction, which is the default",
                                      "the normalised sum of the points [Wilhelms 2001]",
                                      "where the bone points now" };
  ui_label(u, "Visible point", r.x, y, theme_hint);
  if (!d->has_visible)
    ui_label(u, "Not given", r.x + r.width - ui_text_width(u, "Not given"), y, theme_second);
  y += row;
  cone_draft_visible(d, v);
  if (ui_numbers(u, "cone visible", 0, (Rectangle){ r.x, y, r.width, row }, NULL, direction_step, 3,
                 v))
    cone_edit_move(st, c, CONE_VISIBLE, v);
  y += row + 4;
  for (int i = 0; i < 3; i++) {
    Rectangle b = { r.x + (wide + 4) * (float)i, y, wide, row };
    bool clicked = ui_button(u, ui_id("cone visible button", i), b, words[i]);
    if (ui_hot(u, b)) ui_tip(u, "%s", tips[i]);
    if (!clicked) continue;
    move_visible(st, c, ways[i]);
  }
  return y + row + 8;
}

static float draw_twist(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  cone_draft *d = &c->draft;
  float row = ui_row(u), half = r.width / 2 - 2;
  int mode = (int)d->mode;
  if (d->ellipse) mode = mode == DRAFT_EACH ? DRAFT_ONE : mode;
  ui_label(u, "Twist limits", r.x, y, theme_hint);
  /* an ellipse has the same limits at every point */
  if (ui_choose(u, ui_id("cone twist mode", 0), (Rectangle){ r.x + half + 4, y, half, row }, modes,
                d->ellipse ? 2 : 3, &mode) &&
      cone_draft_mode(d, (draft_twist)mode))
    cone_edit_settle(st, c);
  y += row + 4;
  Rectangle right = { r.x + half + 4, y, half, row };
  if (d->mode == DRAFT_ONE) {
    ui_label(u, "Everywhere, \xC2\xB0", r.x, y, theme_second);
    if (ui_numbers(u, "cone twist", 3, right, "deg", degree_step, 2, d->all))
      cone_edit_settle(st, c);
    y += row + 4;
  }
  if (d->mode == DRAFT_EACH && !d->ellipse) {
    float pair[2];
    mean_twist(d, pair);
    if (d->has_visible_twist) memcpy(pair, d->visible_twist, sizeof pair);
    ui_label(u, "At the visible point, \xC2\xB0", r.x, y, theme_second);
    u->faint = !d->has_visible_twist;
    if (ui_numbers(u, "cone visible", 3, right, "deg", degree_step, 2, pair)) {
      memcpy(d->visible_twist, pair, sizeof pair);
      d->has_visible_twist = true;
      cone_edit_settle(st, c);
    }
    u->faint = false;
    y += row + 4;
  }
  return y + 4;
}

static bool set_smooth(state *st, cone_edit *c, int steps) {
  c->draft.smooth = steps < 0 ? 0 : steps;
  return cone_edit_settle(st, c);
}

/* the half angles of an ellipse, in the order of its azimuths */
static float draw_ellipse(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  cone_draft *d = &c->draft;
  float row = ui_row(u), half = r.width / 2 - 2;
  ui_label(u, d->round ? "Half angle" : "Half angles", r.x, y, theme_hint);
  y += row;
  for (int i = 0; i < (d->round ? 1 : 4); i++, y += row + 2) {
    const char *text = d->round ? "All around" : TextFormat("At azimuth %d\u00b0", 90 * i);
    ui_label(u, text, r.x, y, c->chosen == i ? theme_selected : theme_second);
    float angle = d->angles[i];
    if (!ui_number(u, ui_id("cone ellipse", i), (Rectangle){ r.x + half + 4, y, half, row }, "deg",
                   degree_step, &angle))
      continue;
    for (int k = 0; k < 4; k++)
      if (k == i || d->round) d->angles[k] = angle;
    c->chosen = i;
    cone_edit_settle(st, c);
  }
  return y + 8;
}

static float draw_smooth(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  float row = ui_row(u), side = row * 1.2f;
  if (c->draft.ellipse) {
    const char *text = TextFormat("Turn into %d points", c->draft.count);
    Rectangle b = { r.x, y, r.width, row };
    if (ui_button(u, ui_id("cone bake", 0), b, text)) cone_edit_bake(st, c);
    if (ui_hot(u, b)) ui_tip(u, "for a shape that is no ellipse; the cone stays the same at first");
    return y + row + 8;
  }
  ui_label(u, "Smoothing", r.x, y, theme_hint);
  float x = r.x + r.width / 2 + 2;
  if (ui_button(u, ui_id("cone smooth", 0), (Rectangle){ x, y, side, row }, "-") &&
      c->draft.smooth > 0)
    set_smooth(st, c, c->draft.smooth - 1);
  ui_label(u, TextFormat("%d", c->draft.smooth), x + side + 8, y, theme_text);
  if (ui_button(u, ui_id("cone smooth", 1), (Rectangle){ x + 2 * side, y, side, row }, "+"))
    set_smooth(st, c, c->draft.smooth + 1);
  if (ui_hot(u, (Rectangle){ r.x, y, r.width, row }))
    ui_tip(u, "subdivision steps; each doubles the points");
  Rectangle b = { x + 3 * side + 4, y, r.x + r.width - x - 3 * side - 4, row };
  if (c->draft.smooth > 0 && ui_button(u, ui_id("cone bake", 0), b, "Keep")) cone_edit_bake(st, c);
  if (c->draft.smooth > 0 && ui_hot(u, b)) ui_tip(u, "replaces the points by the smoothed ones");
  return y + row + 8;
}

static float draw_point(state *st, cone_edit *c, int i, Rectangle r) {
  ui *u = &st->ui;
  cone_draft *d = &c->draft;
  bool each = d->mode == DRAFT_EACH;
  float number = u->size * 2.8f, cross = u->size * 1.3f, rest = r.width - number - cross - 4;
  float wide = each ? rest * 0.6f : rest;
  char scope[32];
  snprintf(scope, sizeof scope, "cone point %d", i + 1);
  Rectangle label = { r.x, r.y, number, r.height };
  if (ui_item(u, ui_id(scope, 9), label, TextFormat("%d", i + 1), c->chosen == i)) c->chosen = i;
  Rectangle place = { r.x + number, r.y, wide, r.height - 2 };
  Rectangle twist = { place.x + wide + 6, r.y, rest - wide - 6, r.height - 2 };
  bool changed = ui_numbers(u, scope, 0, place, NULL, direction_step, 3, d->points[i]);
  if (each) changed |= ui_numbers(u, scope, 3, twist, "deg", degree_step, 2, d->twist[i]);
  if (changed) {
    c->chosen = i;
    cone_edit_settle(st, c);
  }
  Rectangle b = { r.x + r.width - cross, r.y, cross, r.height - 2 };
  if (ui_button(u, ui_id(scope, 8), b, "x") && i < d->count) cone_edit_remove(st, c, i);
  if (ui_hot(u, b)) ui_tip(u, "deletes point %d", i + 1);
  return r.y + r.height;
}

/* the points from y on, of which those in the area are seen */
static float draw_points(state *st, cone_edit *c, Rectangle area, float y) {
  ui *u = &st->ui;
  float row = ui_row(u) + 2;
  for (int i = 0; i < c->draft.count; i++) {
    Rectangle line = { area.x + ui_px(u, 8), y, area.width - ui_px(u, 20), row };
    if (y + row >= area.y && y <= area.y + area.height)
      y = draw_point(st, c, i, line);
    else
      y += row;
  }
  return y;
}

static void describe(const state *st, const cone_edit *c, char *text, size_t room) {
  const sinew_cone *cone = sinew_rig_cone(state_rig(st), c->id);
  int given = c->draft.count, made = sinew_cone_count(cone);
  int used = c->draft.ellipse ? snprintf(text, room, c->draft.round ? "Round" : "Ellipse")
                              : snprintf(text, room, "%d points", given);
  if (made != given && c->fresh && !c->draft.ellipse)
    used += snprintf(text + used, room - (size_t)used, ", %d smoothed", made);
  snprintf(text + used, room - (size_t)used, ", %.1f %% of the sphere",
           (double)sinew_cone_area(cone) / (4 * 180 * SPACE_DEG) * 100);
}

/* the cones of the rig as links, where none is chosen */
static void draw_choice(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  float row = ui_row(u);
  char words[200] = "Select a bone, then press C";
  if (!c->count) snprintf(words, sizeof words, "This rig has no cones");
  if (c->count && st->selected.segment.id) {
    state_words(st, (selection){ .segment = st->selected.segment }, true, words, 150);
    strcat(words, " has no cone of its own");
  }
  ui_label_in(u, words, r.x, y, r.width, theme_text);
  y += row + 4;
  if (!c->count) return;
  ui_label(u, "The cones of this rig", r.x, y, theme_hint);
  y += row;
  Rectangle list = { r.x, y, r.width, r.y + r.height - y };
  float at = ui_scroll_begin(u, list, &c->scroll), top = at;
  for (int i = 0; i < c->count; i++, at += row)
    state_link(st, ui_id("cone link", i), (Rectangle){ r.x, at, r.width, row }, c->names[i],
               (selection){ .component = c->cones[i] }, theme_second);
  ui_scroll_end(u, list, at - top, &c->scroll);
}

static float draw_head(state *st, cone_edit *c, Rectangle r, float y) {
  ui *u = &st->ui;
  float row = ui_row(u);
  int index = -1;
  for (int i = 0; i < c->count; i++)
    if (c->cones[i].id == c->id.id) index = i;
  if (ui_choose(u, ui_id("cone", 0), (Rectangle){ r.x, y, r.width, row }, c->names, c->count,
                &index) &&
      index >= 0)
    state_select(st, (selection){ .component = c->cones[index] });
  y += row + 4;
  char text[128];
  describe(st, c, text, sizeof text);
  ui_label_in(u, text, r.x, y, r.width, theme_second);
  y += row + 2;
  /* what is refused is not there to be written */
  if (*c->wrong)
    ui_label(u, c->held ? "No further, see below" : "Refused: nothing has changed", r.x, y,
             theme_error);
  else
    edits_buttons(st, "cone edits", edits_of_component(c->id), (Rectangle){ r.x, y, r.width, row });
  return y + row + 6;
}

static float draw_all(state *st, cone_edit *c, Rectangle r, Rectangle inner, float y) {
  ui *u = &st->ui;
  float row = ui_row(u);
  y = draw_head(st, c, inner, y);
  y = c->draft.ellipse ? draw_ellipse(st, c, inner, y) : draw_visible(st, c, inner, y);
  y = draw_twist(st, c, inner, y);
  y = draw_smooth(st, c, inner, y);
  if (c->draft.ellipse) return y;
  ui_label(u,
           c->draft.mode == DRAFT_EACH ? "Boundary points, and twist from, to" : "Boundary points",
           inner.x, y, theme_hint);
  y += row + 2;
  Rectangle b = { inner.x, y, inner.width, row };
  if (ui_button(u, ui_id("cone add", 0), b, "Add the bone's direction")) cone_edit_add_bone(st, c);
  if (ui_hot(u, b)) ui_tip(u, "adds a point in the bone's present direction");
  return draw_points(st, c, r, y + row + 6);
}

void cone_edit_panel(state *st, void *self, Rectangle r) {
  cone_edit *c = self;
  ui *u = &st->ui;
  float row = ui_row(u), y = r.y + 6;
  Rectangle inner = { r.x + ui_px(u, 12), r.y, r.width - ui_px(u, 24), r.height };
  cone_edit_follow(st, c);
  if (!c->id.id) {
    draw_choice(st, c, inner, y);
    return;
  }
  /* the error comes last, so that no widget moves under the mouse */
  if (*c->wrong) {
    const char *reason = message_reason(c->wrong);
    float high = ui_wrapped(u, reason, 0, 0, inner.width, BLANK);
    r.height -= fminf(high + row, 0.7f * r.height);
    ui_wrapped(u, reason, inner.x, r.y + r.height + row / 2, inner.width, theme_error);
  }
  float top = ui_scroll_begin(u, r, &c->scroll);
  ui_scroll_end(u, r, draw_all(st, c, r, inner, top + 6) - top, &c->scroll);
}

static void answer(const cone_edit *c, bool fine) {
  if (fine)
    printf("ok %d\n", c->draft.count);
  else
    printf("error %s\n", c->wrong);
}

/* a point by its number, from 1, or the visible point */
static int read_point(const cone_edit *c, const char *text, char **end) {
  if (strncmp(text, "visible", 7) == 0) {
    *end = (char *)text + 7;
    return CONE_VISIBLE;
  }
  long number = strtol(text, end, 10);
  int most = cone_draft_handles(&c->draft);
  return *end == text || number < 1 || number > most ? CONE_NONE : (int)number - 1;
}

static void answer_points(const cone_edit *c) {
  const cone_draft *d = &c->draft;
  printf("ok %d%s", d->count, d->ellipse ? " ellipse" : "");
  for (int i = 0; d->ellipse && i < (d->round ? 1 : 4); i++) printf(" %.9g", (double)d->angles[i]);
  for (int i = 0; i < d->count; i++) {
    printf("; %.9g %.9g %.9g", (double)d->points[i][0], (double)d->points[i][1],
           (double)d->points[i][2]);
    if (d->mode == DRAFT_EACH) printf(" %.9g %.9g", (double)d->twist[i][0], (double)d->twist[i][1]);
  }
  printf("\n");
}

static void answer_visible(state *st, cone_edit *c, const char *rest) {
  float v[3];
  bool way = false;
  for (int i = 0; i < 3; i++) way |= strcmp(rest, ways[i]) == 0;
  if (way) {
    answer(c, move_visible(st, c, rest));
  } else if (sscanf(rest, "%f %f %f", &v[0], &v[1], &v[2]) == 3) {
    answer(c, cone_edit_move(st, c, CONE_VISIBLE, v));
  } else {
    cone_draft_visible(&c->draft, v);
    printf("ok %.9g %.9g %.9g\n", (double)v[0], (double)v[1], (double)v[2]);
  }
}

static void answer_twist(state *st, cone_edit *c, const char *rest) {
  cone_draft *d = &c->draft;
  float pair[2];
  char *end = (char *)rest;
  if (strcmp(rest, "free") == 0) {
    answer(c, cone_draft_mode(d, DRAFT_FREE) && cone_edit_settle(st, c));
    return;
  }
  bool all = strncmp(rest, "all ", 4) == 0;
  int which = all ? CONE_NONE : read_point(c, rest, &end);
  if ((!all && which == CONE_NONE) ||
      sscanf(all ? rest + 4 : end, "%f %f", &pair[0], &pair[1]) != 2) {
    printf("error cone_twist POINT|all|visible MIN MAX, or cone_twist free\n");
    return;
  }
  if (!all && d->ellipse) {
    printf("error an ellipse has the same twist limits everywhere\n");
    return;
  }
  if (!cone_draft_mode(d, all ? DRAFT_ONE : DRAFT_EACH)) return;
  float *dest = d->all;
  if (which == CONE_VISIBLE) d->has_visible_twist = true;
  if (!all) dest = which == CONE_VISIBLE ? d->visible_twist : d->twist[which];
  memcpy(dest, pair, sizeof pair);
  answer(c, cone_edit_settle(st, c));
}

static void answer_where(const state *st, const cone_edit *c, const char *rest) {
  float m[16], direction[3], at[3];
  char *end;
  int edge = 0, point = CONE_NONE;
  bool fine = cone_edit_place(st, c, m);
  if (sscanf(rest, "edge %d", &edge) == 1 && edge >= 1 && edge <= cone_draft_handles(&c->draft)) {
    float from[3], to[3];
    cone_edit_direction(c, edge - 1, from);
    cone_edit_direction(c, edge % cone_draft_handles(&c->draft), to);
    space_slerp(from, to, 0.5f, direction);
  } else {
    point = read_point(c, rest, &end);
    fine = fine && point != CONE_NONE;
    if (fine) cone_edit_direction(c, point, direction);
  }
  if (!fine) {
    printf("error cone_where POINT, visible or edge N, of a cone with a bone\n");
    return;
  }
  space_point(m, direction, at);
  Vector2 on = state_project(st, (Vector3){ at[0], at[1], at[2] });
  printf("ok %g %g\n", (double)on.x, (double)on.y);
}

static void answer_choose(state *st, cone_edit *c, const char *name) {
  sinew_error error = { 0 };
  sinew_component found = sinew_rig_find_component(state_rig(st), name, &error);
  bool cone = found.id && sinew_rig_cone(state_rig(st), found);
  if (cone) state_select(st, (selection){ .component = found });
  cone_edit_follow(st, c);
  tool_answer(cone, found.id ? TextFormat("'%s' is not a cone", name) : error.text);
}

static void answer_edit(state *st, cone_edit *c, const char *what, const char *rest) {
  float share = 0.5f, v[3];
  char *end = (char *)rest;
  int edge, point = read_point(c, rest, &end);
  history_pause(st->history);
  if (c->draft.ellipse && strcmp(what, "bake") != 0 && strcmp(what, "move") != 0 &&
      strcmp(what, "twist") != 0) {
    printf("error it is an ellipse, with four half angles to move; cone_bake turns it into "
           "points\n");
  } else if (strcmp(what, "add") == 0 && strcmp(rest, "bone") == 0) {
    answer(c, cone_edit_add_bone(st, c));
  } else if (strcmp(what, "add") == 0 && sscanf(rest, "%d %f", &edge, &share) >= 1 && edge >= 1 &&
             edge <= c->draft.count && share > 0 && share < 1) {
    answer(c, cone_edit_add(st, c, edge - 1, share));
  } else if (strcmp(what, "visible") == 0) {
    answer_visible(st, c, rest);
  } else if (strcmp(what, "twist") == 0) {
    answer_twist(st, c, rest);
  } else if (strcmp(what, "smooth") == 0) {
    answer(c, set_smooth(st, c, atoi(rest)));
  } else if (strcmp(what, "bake") == 0) {
    answer(c, cone_edit_bake(st, c));
  } else if (strcmp(what, "delete") == 0 && point >= 0) {
    answer(c, cone_edit_remove(st, c, point));
  } else if (strcmp(what, "move") == 0 && point >= 0 &&
             sscanf(end, "%f %f %f", &v[0], &v[1], &v[2]) == 3) {
    answer(c, cone_edit_move(st, c, point, v));
  } else {
    printf("error cone_add EDGE [SHARE], cone_add bone, cone_move POINT X Y Z, cone_delete POINT; "
           "there are %d points\n",
           c->draft.count);
  }
}

static bool is_edit(const char *what) {
  static const char *const words[] = {
    "add", "move", "delete", "visible", "twist", "smooth", "bake"
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(what, words[i]) == 0) return true;
  return false;
}

bool cone_edit_remote(state *st, void *self, const char *verb, char *rest) {
  cone_edit *c = self;
  bool list = strcmp(verb, "cones") == 0;
  if (!list && strncmp(verb, "cone_", 5) != 0) return false;
  const char *what = verb + 5;
  cone_edit_follow(st, c);
  if (list) {
    printf("ok %d", c->count);
    for (int i = 0; i < c->count; i++)
      printf(" %s%s", state_name(st, (selection){ .component = c->cones[i] }),
             c->cones[i].id == c->id.id ? "*" : "");
    printf("\n");
  } else if (strcmp(what, "choose") == 0) {
    answer_choose(st, c, rest);
  } else if (!c->id.id) {
    printf(c->count ? "error no cone is chosen: select a bone that has one\n"
                    : "error this rig has no cones\n");
  } else if (strcmp(what, "points") == 0) {
    answer_points(c);
  } else if (strcmp(what, "where") == 0) {
    answer_where(st, c, rest);
  } else if (strcmp(what, "message") == 0) {
    printf("ok %s\n", c->wrong);
  } else if (strcmp(what, "reset") == 0) {
    edits_answer_reset(st, edits_of_component(c->id));
  } else if (strcmp(what, "lua") == 0) {
    edits_answer_lua(st, edits_of_component(c->id));
  } else if (is_edit(what)) {
    answer_edit(st, c, what, rest);
  } else {
    return false;
  }
  return true;
}
