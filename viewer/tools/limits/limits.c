/* The tool that shows limits: which are shown, their state as text, the panel and the remote
 * port. */
#include "plain/space.h"
#include "tools/limits/limits_tool.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[limit_kinds] = { "cones",  "ellipsoids", "axes",
                                                "fields", "aims",       "drawings" };
static const char *const labels[limit_kinds] = { "Reach cones",      "Ellipsoids",
                                                 "Axes and centres", "Distance fields",
                                                 "Aims and goals",   "Drawn by scripts" };
_Static_assert(sizeof words == sizeof labels && limit_kinds == 6, "a word and a label for each");
#define WORDS "cones, ellipsoids, axes, fields, aims, drawings"

/* the kinds named by "limits:cones+axes" on the command line; without them, all */
static bool read_kinds(limits *l, const char *show) {
  const char *at = show ? strstr(show, "limits:") : NULL;
  for (int i = 0; i < limit_kinds; i++) l->kinds[i] = !at;
  if (!at) return true;
  at += strlen("limits:");
  for (bool more = true; more; at++) {
    size_t length = strcspn(at, "+,");
    int kind = 0;
    while (kind < limit_kinds &&
           (strlen(words[kind]) != length || strncmp(words[kind], at, length) != 0))
      kind++;
    if (kind == limit_kinds) {
      fprintf(stderr, "sinew-viewer: no limits called '%.*s'; there are " WORDS "\n", (int)length,
              at);
      return false;
    }
    l->kinds[kind] = true;
    at += length;
    more = *at == '+';
  }
  return true;
}

static bool create(state *st, void *self) {
  limits *l = self;
  l->primitives = primitives_create();
  if (!read_kinds(l, st->options.show)) return false;
  l->all = st->options.show &&
           !st->options.select; /* opened from the command line without a selection */
  return l->primitives != NULL;
}

static void drop_all(limits *l) {
  for (int i = 0; i < l->count; i++) limits_drop(&l->list[i]);
  screw_axis_reset(&l->screw);
  free(l->list);
  free(l->places);
  free(l->upstream);
  free(l->values);
  l->list = NULL;
  l->places = NULL;
  l->upstream = NULL;
  l->values = NULL;
  l->count = 0;
  l->upstream_of = (sinew_segment){ 0 };
  l->moved = (sinew_dof){ 0 };
}

static void destroy(void *self) {
  limits *l = self;
  drop_all(l);
  primitives_destroy(l->primitives);
}

/* how far the farthest child of each segment is; NULL when memory runs out */
static float *find_farthest(const sinew_rig *rig) {
  int count = sinew_rig_segment_count(rig);
  float *farthest = calloc((size_t)count + 1, sizeof *farthest);
  for (int i = 0; farthest && i < count; i++) {
    sinew_segment_info child = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    if (!child.parent.id) continue;
    float *most = &farthest[child.parent.id - 1];
    *most = fmaxf(*most, space_length(child.rest + 12));
  }
  return farthest;
}

/* how far a segment's shape, or else its children, extends from its origin: along a direction, or
 * with NULL in any direction */
static float reach(const state *st, sinew_segment segment, const float *along,
                   const float *farthest) {
  bool shaped =
      sinew_host_solid(st->host, segment) || sinew_host_shape(st->host, segment).vertex_count > 0;
  const Mesh *mesh = shaped ? scene_mesh(st->scene, (int)segment.id - 1) : NULL;
  float most = 0;
  for (int i = 0; mesh && i < mesh->vertexCount; i++) {
    const float *v = mesh->vertices + 3 * i;
    most = fmaxf(most, along ? space_dot(v, along) : space_length(v));
  }
  if (!mesh) most = farthest[segment.id - 1];
  return most > 0.01f ? most : 0.1f;
}

static float size_of(const state *st, const limit *one, const float *farthest) {
  float rest[3];
  if (!one->segment.id) return 0.1f;
  if (one->kind != LIMIT_CONE) return reach(st, one->segment, NULL, farthest);
  sinew_cone_rest(sinew_rig_cone(state_rig(st), one->component), rest);
  return 0.65f * reach(st, one->segment, rest, farthest);
}

static void loaded(state *st, void *self) {
  limits *l = self;
  const sinew_rig *rig = state_rig(st);
  size_t components = (size_t)sinew_rig_component_count(rig) + 1;
  drop_all(l);
  l->failed = false;
  l->list = calloc(components, sizeof *l->list);
  l->places = calloc(components, sizeof *l->places);
  l->upstream = calloc(components, sizeof *l->upstream);
  l->values = calloc((size_t)sinew_rig_dof_count(rig) + 1, sizeof *l->values);
  float *farthest = find_farthest(rig);
  if (!l->list || !l->places || !l->upstream || !l->values || !farthest) {
    free(farthest);
    drop_all(l);
    return;
  }
  memcpy(l->values, sinew_pose_dofs(state_pose(st)),
         (size_t)sinew_rig_dof_count(rig) * sizeof(float));
  acting_find(rig, l->places);
  sinew_segment *moved = calloc(components, sizeof *moved);
  if (moved) acting_segments(rig, l->places, moved);
  for (int kind = 0; kind < limit_kinds; kind++)
    for (int i = 0; i < sinew_rig_component_count(rig); i++) {
      sinew_component c = sinew_rig_component(rig, i);
      if ((int)sinew_rig_component_info(rig, c).component_class->drawing != SINEW_DRAWN_CONE + kind)
        continue;
      limit *one = &l->list[l->count++];
      *one = (limit){ .component = c, .kind = (limit_kind)kind, .segment = l->places[i].segment };
      if (kind == LIMIT_MARKS && moved) one->segment = moved[i];
      one->size = size_of(st, one, farthest);
    }
  free(farthest);
  free(moved);
}

static bool belongs(const state *st, const limits *l, const limit *one) {
  const sinew_rig *rig = state_rig(st);
  if (!st->selected.segment.id) return false;
  if (one->kind == LIMIT_AXIS) return one->segment.id == st->selected.segment.id;
  sinew_joint_set set = sinew_rig_segment_info(rig, st->selected.segment).joint_set;
  sinew_joint_set own = sinew_rig_component_info(rig, one->component).joint_set;
  return (set.id && own.id == set.id) || l->upstream[one->component.id - 1];
}

/* the norm of a component's holds at inputs with one of these flags (0: at any input), and the
 * largest of them */
static float held_by(const state *st, const sinew_hold *holds, int count, sinew_component c,
                     unsigned flags, float *largest) {
  const sinew_component_class *cls = acting_class(state_rig(st), c);
  float square = 0, most = 0;
  for (int i = 0; i < count; i++) {
    if (holds[i].component.id != c.id) continue;
    const sinew_port_desc *port = flags ? sinew_class_find_input(cls, holds[i].port) : NULL;
    if (flags && !(port && port->flags & flags)) continue;
    square += holds[i].amount * holds[i].amount;
    most = fmaxf(most, fabsf(holds[i].amount));
  }
  if (largest) *largest = most;
  return sqrtf(square);
}

static void describe(const state *st, limit *one, const sinew_hold *holds, int count) {
  sinew_component c = one->component;
  char *text = one->state;
  size_t room = sizeof one->state;
  float first, second, from[3], to[3];
  int contact;
  switch (one->kind) {
  case LIMIT_CONE:
    first = held_by(st, holds, count, c, SINEW_PORT_SWING, NULL);
    second = held_by(st, holds, count, c, SINEW_PORT_TWIST, NULL);
    one->held = first > 0 || second > 0;
    if (first > 0 && second > 0)
      snprintf(text, room, "held by %.1f\u00b0, twist by %.1f\u00b0", (double)first,
               (double)second);
    else if (one->held)
      snprintf(text, room, "%sheld by %.1f\u00b0", second > 0 ? "twist " : "",
               (double)(first + second));
    else
      snprintf(text, room, "free");
    break;
  case LIMIT_ELLIPSOID:
    contact = sinew_class_output_marked(acting_class(state_rig(st), c), SINEW_PORT_CONTACT);
    one->held = contact >= 0 && *sinew_pose_value(state_pose(st), c, contact) == 0;
    held_by(st, holds, count, c, 0, &first);
    if (one->held)
      snprintf(text, room, "misses by %.1f mm", (double)first * 1000);
    else
      snprintf(text, room, "both points touch");
    break;
  case LIMIT_SIGHT:
    first = held_by(st, holds, count, c, 0, NULL);
    one->held = first > 0;
    if (one->held)
      snprintf(text, room, "misses by %.1f mm", (double)first * 1000);
    else if (acting_sight(state_pose(st), c, from, to))
      snprintf(text, room, "%.3f m away", (double)space_distance(from, to));
    break;
  case LIMIT_MARKS:
    one->held = held_by(st, holds, count, c, 0, &first) > 0;
    if (one->held)
      snprintf(text, room, "held by %.4g", (double)first);
    else
      snprintf(text, room, "free");
    break;
  case LIMIT_AXIS:
  case LIMIT_FIELD:
    first = held_by(st, holds, count, c, 0, NULL);
    one->held = first > 0;
    if (one->held)
      snprintf(text, room, "held by %.1f\u00b0", (double)first);
    else
      snprintf(text, room, "free");
    break;
  }
}

/* the DOF to show before the user has moved one: if possible, of the bone's own joint set */
static sinew_dof first_dof(const sinew_rig *rig, const sinew_segment_info *info) {
  sinew_dof found = { 0 };
  for (int i = sinew_rig_dof_count(rig) - 1; i >= 0; i--) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    bool own =
        info->joint_set.id && sinew_rig_dof_info(rig, dof).joint_set.id == info->joint_set.id;
    if ((own || !found.id) && sinew_rig_depends(rig, info->driver, dof)) found = dof;
  }
  return found;
}

static void follow_selection(state *st, limits *l) {
  const sinew_rig *rig = state_rig(st);
  const float *now = sinew_pose_dofs(state_pose(st));
  sinew_segment_info info = { .driver = { 0 } };
  if (st->selected.segment.id) info = sinew_rig_segment_info(rig, st->selected.segment);
  if (l->upstream_of.id != st->selected.segment.id) {
    memset(l->upstream, 0, (size_t)sinew_rig_component_count(rig) * sizeof *l->upstream);
    acting_upstream(rig, info.driver, l->upstream);
    l->upstream_of = st->selected.segment;
    l->moved = info.driver.id ? first_dof(rig, &info) : (sinew_dof){ 0 };
  }
  /* then the DOF that moved last */
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    if (l->values[i] != now[i] && info.driver.id &&
        sinew_rig_depends(rig, info.driver, sinew_rig_dof(rig, i)))
      l->moved = sinew_rig_dof(rig, i);
    l->values[i] = now[i];
  }
  l->screw.there = false;
  if (l->moved.id && l->kinds[LIMIT_AXIS])
    screw_axis_update(&l->screw, st->host, st->selected.segment, l->moved);
}

static void frame(state *st, void *self) {
  limits *l = self;
  if (!tool_is_open(st, "limits") || !l->places) {
    if (l->failed) st->banner[0] = '\0';
    l->failed = false;
    return;
  }
  follow_selection(st, l);
  int held;
  sinew_hold *holds = state_holds(st, &held);
  for (int i = 0; i < l->count; i++) {
    limit *one = &l->list[i];
    one->shown = l->kinds[one->kind] && (l->all || belongs(st, l, one));
    if (one->shown) describe(st, one, holds, held);
  }
  free(holds);
  limits_prepare(st, l);
  limits_prepare_marks(st, l);
}

static uint64_t print(const void *self) {
  const limits *l = self;
  return print_bytes(PRINT(print_start, *l), l->list, (size_t)l->count * sizeof *l->list);
}

/* a second click on a limit leaves its bone selected */
static void choose(state *st, const limit *one) {
  bool again = st->selected.component.id == one->component.id && !ui_control();
  selection what = { .segment = one->segment };
  if (!again) what.component = one->component;
  state_follow_link(st, what);
}

static float draw_item(state *st, limits *l, limit *one, Rectangle list, Rectangle r) {
  selection what = { .segment = one->segment, .component = one->component };
  bool chosen = st->selected.component.id == one->component.id;
  char name[400];
  state_words(st, what, true, name, sizeof name);
  float width = ui_text_width(&st->ui, one->state);
  if (ui_item(&st->ui, ui_id("limit", (int)(one - l->list)), r, "", chosen)) choose(st, one);
  if (chosen && l->revealed != st->selections) ui_reveal(list, r, &l->scroll);
  ui_label_in(&st->ui, name, r.x + ui_px(&st->ui, 8), r.y, r.width - width - ui_px(&st->ui, 24),
              chosen ? theme_selected : theme_text);
  ui_label(&st->ui, one->state, r.x + r.width - width - ui_px(&st->ui, 8), r.y,
           one->held ? theme_held : theme_second);
  if (ui_hot(&st->ui, r)) state_link_tip(st, TextFormat("%s: %s", name, one->state), what);
  return r.y + r.height;
}

static void panel(state *st, void *self, Rectangle r) {
  limits *l = self;
  ui *u = &st->ui;
  Rectangle rest = { r.x + ui_px(&st->ui, 12), r.y + ui_px(&st->ui, 6),
                     r.width - ui_px(&st->ui, 24), r.height - ui_px(&st->ui, 6) };
  float row = ui_row(u), x = rest.x, inset = ui_px(u, theme_s1);
  ui_toggle(u, ui_id("limits", 0), ui_next_row(u, &rest), "All bones", &l->all);
  for (int i = 0; i < limit_kinds; i++)
    ui_toggle(u, ui_id("limits", 1 + i), ui_next_row(u, &rest), labels[i], &l->kinds[i]);
  Rectangle list = { r.x, rest.y + row / 2, r.width, rest.height - row / 2 };
  float at = ui_scroll_begin(&st->ui, list, &l->scroll), top = at;
  for (int kind = 0; kind < limit_kinds; kind++) {
    bool any = false;
    for (int i = 0; i < l->count; i++) {
      if (l->list[i].kind != (limit_kind)kind || !l->list[i].shown) continue;
      if (!any) {
        ui_label(&st->ui, labels[kind], x, at, theme_hint);
        at += row;
      }
      any = true;
      at = draw_item(st, l, &l->list[i], list,
                     (Rectangle){ r.x + inset, at, r.width - 2 * inset, row });
    }
  }
  l->revealed = st->selections;
  at = limits_draw_below(st, l, x, at, rest.width);
  ui_scroll_end(&st->ui, list, at - top, &l->scroll);
}

static bool on_or_off(const char *word, bool *dest) {
  bool on = strcmp(word, "on") == 0;
  if (!on && strcmp(word, "off") != 0) return false;
  *dest = on;
  return true;
}

static void answer_show(limits *l, char *rest) {
  char *equals = strchr(rest, '=');
  if (equals) *equals = '\0';
  bool *value = strcmp(rest, "all") == 0 ? &l->all : NULL;
  for (int i = 0; i < limit_kinds; i++)
    if (strcmp(rest, words[i]) == 0) value = &l->kinds[i];
  if (!value)
    printf("error no limits called '%s'; there are all, " WORDS "\n", rest);
  else if (!equals || !on_or_off(equals + 1, value))
    printf("error limits_show %s=on or %s=off\n", rest, rest);
  else
    printf("ok\n");
}

static void answer_list(state *st, const limits *l) {
  int shown = 0;
  for (int i = 0; i < l->count; i++) shown += l->list[i].shown;
  printf("ok %d of %d", shown, l->count);
  for (int i = 0; i < l->count; i++)
    if (l->list[i].shown)
      printf("; %s: %s", sinew_rig_component_info(state_rig(st), l->list[i].component).name,
             l->list[i].state);
  printf("\n");
}

static void answer_limit(state *st, limits *l, const char *name) {
  sinew_error error;
  sinew_component c = sinew_rig_find_component(state_rig(st), name, &error);
  const limit *one = c.id ? limits_find(l, c) : NULL;
  if (!one) {
    tool_answer(false, c.id ? "that component is not a limit" : error.text);
    return;
  }
  printf("ok %s%s%s: %s", sinew_rig_component_info(state_rig(st), c).component_class->name,
         one->segment.id ? " of " : "",
         one->segment.id ? sinew_rig_segment_info(state_rig(st), one->segment).name : "",
         one->shown ? one->state : "not shown");
  float wanted[3], given[3], m[16];
  if (one->kind == LIMIT_CONE && acting_cone_directions(state_pose(st), c, wanted, given)) {
    int slice = -1;
    sinew_cone_inside(sinew_rig_cone(state_rig(st), c), given, &slice);
    printf(", slice %d, wanted %.4f %.4f %.4f, given %.4f %.4f %.4f", slice + 1, (double)wanted[0],
           (double)wanted[1], (double)wanted[2], (double)given[0], (double)given[1],
           (double)given[2]);
  } else if (one->kind == LIMIT_ELLIPSOID && limits_ellipsoid(st, l, one, m)) {
    printf(", centre %.4f %.4f %.4f", (double)m[12], (double)m[13], (double)m[14]);
  } else if (one->kind == LIMIT_MARKS) {
    printf(", %d mark%s", one->mark_count, one->mark_count == 1 ? "" : "s");
  }
  printf("\n");
}

static void answer_centre(state *st, const limits *l) {
  const screw_axis *t = &l->screw;
  if (t->there)
    printf("ok %s by %s: centre %.5f %.5f %.5f, axis %.4f %.4f %.4f\n",
           sinew_rig_segment_info(state_rig(st), t->segment).name,
           sinew_rig_dof_info(state_rig(st), t->dof).name, (double)t->centre[0],
           (double)t->centre[1], (double)t->centre[2], (double)t->axis[0], (double)t->axis[1],
           (double)t->axis[2]);
  else
    printf("ok\n");
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  limits *l = self;
  if (strncmp(verb, "limit", 5) != 0 && strcmp(verb, "centre") != 0) return false;
  frame(st, l);
  if (strcmp(verb, "limits_show") == 0)
    answer_show(l, rest);
  else if (strcmp(verb, "limits") == 0)
    answer_list(st, l);
  else if (strcmp(verb, "limit") == 0)
    answer_limit(st, l, rest);
  else if (strcmp(verb, "centre") == 0)
    answer_centre(st, l);
  else
    return false;
  return true;
}

const tool tool_limits = {
  .name = "limits",
  .title = "Limits",
  .doc = "limits: reach cones, ellipsoids, axes and centres, distance fields, aims and goals, "
         "drawings of scripts",
  .dock = DOCK_RIGHT,
  .room = 300,
  .key = KEY_L,
  .pictured = true,
  .size = sizeof(limits),
  .create = create,
  .destroy = destroy,
  .loaded = loaded,
  .frame = frame,
  .solid = limits_draw_solid,
  .glass = limits_draw_glass,
  .flat = limits_draw_flat,
  .print = print,
  .panel = panel,
  .remote = remote,
  .remote_help = "limits | limit COMPONENT | limits_show "
                 "all|cones|ellipsoids|axes|fields|aims|drawings=on|off "
                 "| centre"
};
