/* Draws limits into the scene, and their pictures and legend into the panel, or over the scene in
 * pictures. */
#include "draw/space_draw.h"
#include "plain/cone_mesh.h"
#include "tools/limits/limits_tool.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>

void limits_drop(limit *one) {
  if (one->surface.vaoId) UnloadMesh(one->surface);
  if (one->outline.vaoId) UnloadMesh(one->outline);
  free(one->made_from);
  field_view_destroy(one->field);
  free(one->marks);
  one->marks = NULL;
  one->mark_count = 0;
  one->surface = one->outline = (Mesh){ 0 };
  one->made_from = NULL;
  one->field = NULL;
}

/* copies into memory that raylib frees with the mesh */
static float *handed(const float *from, size_t count) {
  float *copy = MemAlloc((unsigned)(count * sizeof *copy));
  if (copy) memcpy(copy, from, count * sizeof *copy);
  return copy;
}

void limits_prepare_cone(limit *one, const sinew_cone *cone) {
  enum { most_beads = 160 };
  size_t bytes = sinew_cone_bytes(cone);
  if (one->made_from && ((const size_t *)one->made_from)[0] == bytes &&
      memcmp((const size_t *)one->made_from + 1, cone, bytes) == 0)
    return;
  limits_drop(one);
  cone_mesh made;
  if (!cone_mesh_make(cone, &made)) return;
  size_t n = (size_t)made.vertex_count;
  one->surface = (Mesh){ .vertexCount = made.vertex_count,
                         .triangleCount = made.vertex_count / 3,
                         .vertices = handed(made.places, 3 * n),
                         .normals = handed(made.places, 3 * n),
                         .texcoords = handed(made.values, 2 * n),
                         .texcoords2 = handed(made.inner, 2 * n) };
  UploadMesh(&one->surface, false);
  one->narrowest = made.narrowest;
  one->widest = made.widest;
  cone_mesh_free(&made);
  float *line = NULL;
  int count = cone_mesh_outline(cone, &line), points = sinew_cone_count(cone);
  float *beads = malloc((size_t)points * 3 * sizeof *beads);
  for (int i = 0; beads && i < points; i++) sinew_cone_point(cone, i, beads + 3 * i);
  if (count)
    one->outline =
        primitives_outline(line, count, beads, beads && points <= most_beads ? points : 0, 0.007f);
  free(beads);
  free(line);
  one->made_from = malloc(sizeof bytes + bytes);
  if (!one->made_from) return;
  memcpy(one->made_from, &bytes, sizeof bytes);
  memcpy((size_t *)one->made_from + 1, cone, bytes);
}

static field_point point_of(const state *st, const limit *one) {
  field_point p = { .held = one->held };
  sinew_component_info info = sinew_rig_component_info(state_rig(st), one->component);
  int axes = info.input_count;
  int first = sinew_class_output_marked(info.component_class, SINEW_PORT_PASSED);
  for (int i = 0; i < axes && i < SINEW_FIELD_AXES; i++) {
    p.wanted[i] = *sinew_pose_input(state_pose(st), one->component, i);
    p.given[i] =
        first < 0 ? p.wanted[i] : *sinew_pose_value(state_pose(st), one->component, first + i);
  }
  return p;
}

static float picture_height(const state *st) {
  float share = st->options.render ? 0.55f : 0.36f;
  return roundf(fmaxf(120, fminf(st->place.height * share, st->ui.size * 21)));
}

static void prepare_field(state *st, limits *l, limit *one) {
  const sinew_param *p = NULL;
  int count = sinew_rig_component_info(state_rig(st), one->component).param_count;
  for (int i = 0; i < count && !(p && p->object_class == &sinew_field_class); i++)
    p = sinew_rig_param(state_rig(st), one->component, i);
  if (!p || p->object_class != &sinew_field_class) return;
  if (one->field && field_view_field(one->field) != p->object) limits_drop(one);
  if (!one->field) one->field = field_view_create(p->object);
  if (!one->field) return;
  field_point point = point_of(st, one);
  float scale = st->options.render ? 2 : fmaxf(GetWindowScaleDPI().x, 1);
  field_view_prepare(one->field, l->primitives, &point, (int)(picture_height(st) * scale));
}

void limits_prepare(state *st, limits *l) {
  for (int i = 0; i < l->count; i++) {
    limit *one = &l->list[i];
    if (!one->shown) continue;
    if (one->kind == LIMIT_CONE)
      limits_prepare_cone(one, sinew_rig_cone(state_rig(st), one->component));
    if (one->kind == LIMIT_FIELD) prepare_field(st, l, one);
  }
}

limit *limits_find(limits *l, sinew_component component) {
  for (int i = 0; i < l->count; i++)
    if (l->list[i].component.id == component.id) return &l->list[i];
  return NULL;
}

bool limits_cone_place(const state *st, const limits *l, const limit *one, float dest[16]) {
  if (!acting_frame(state_pose(st), l->places, one->component, dest)) return false;
  const float *world = sinew_pose_world(state_pose(st), one->segment);
  for (int i = 0; i < 12; i++) dest[i] *= one->size;
  memcpy(dest + 12, world + 12, 3 * sizeof *dest);
  return true;
}

static void draw_cone(state *st, limits *l, const limit *one) {
  float m[16], wanted[3], given[3], visible[3];
  const sinew_cone *cone = sinew_rig_cone(state_rig(st), one->component);
  if (!one->outline.vaoId || !limits_cone_place(st, l, one, m)) return;
  float thin = 0.011f * one->size;
  bool chosen = st->selected.component.id == one->component.id;
  primitives_mesh(l->primitives, one->outline, matrix(m), chosen ? theme_selected : theme_edge);
  sinew_cone_visible_point(cone, visible);
  primitives_ball(l->primitives, placed(m, visible), 1.8f * thin, theme_mark);
  acting_cone_directions(state_pose(st), one->component, wanted, given);
  Vector3 apex = vector(m + 12);
  if (space_degrees_between(wanted, given) > 0.05f) {
    primitives_arrow(l->primitives, apex, placed(m, wanted), thin, theme_held);
    primitives_arc(l->primitives, m, wanted, given, 0.6f * thin, theme_held);
  }
  primitives_arrow(l->primitives, apex, placed(m, given), 1.2f * thin, theme_action);
  primitives_ball(l->primitives, placed(m, given), 2.4f * thin, theme_action);
}

bool limits_ellipsoid(const state *st, const limits *l, const limit *one, float dest[16]) {
  const sinew_rig *rig = state_rig(st);
  float to[16], own[16];
  if (!acting_frame(state_pose(st), l->places, one->component, dest)) return false;
  int surface = sinew_class_input_marked(acting_class(rig, one->component), SINEW_PORT_SURFACE);
  const float *centre = acting_numbers(acting_param(rig, one->component, SINEW_PARAM_CENTRE));
  const float *turn = acting_numbers(acting_param(rig, one->component, SINEW_PARAM_ORIENTATION));
  const float *radii = acting_numbers(acting_param(rig, one->component, SINEW_PARAM_RADII));
  if (surface < 0 || !radii) return false;
  space_inverse(sinew_pose_input(state_pose(st), one->component, surface), to);
  space_mul(dest, to, dest);
  if (turn)
    memcpy(own, turn, sizeof own);
  else
    space_identity(own);
  for (int i = 0; i < 12; i++) own[i] *= radii[i / 4];
  if (centre) memcpy(own + 12, centre, 3 * sizeof *own);
  space_mul(dest, own, dest);
  return true;
}

static void draw_contacts(state *st, limits *l, const limit *one) {
  const sinew_pose *pose = state_pose(st);
  const sinew_component_class *cls = acting_class(state_rig(st), one->component);
  const sinew_param_desc *desc = NULL;
  int contact = sinew_class_output_marked(cls, SINEW_PORT_CONTACT);
  int point = sinew_class_output_marked(cls, SINEW_PORT_TOUCHING);
  float m[16], size = 0.035f * fminf(one->size, 0.3f);
  if (!acting_frame(pose, l->places, one->component, m)) return;
  space_mul(m, sinew_pose_value(pose, one->component, 0), m);
  bool touching = contact >= 0 && *sinew_pose_value(pose, one->component, contact) > 0;
  Color color = touching ? theme_good : theme_held;
  while ((desc = sinew_class_param_marked(cls, SINEW_PARAM_POINTS, desc))) {
    const sinew_param *points = sinew_rig_find_param(state_rig(st), one->component, desc->name);
    for (int k = 0; points && k < points->count; k++)
      primitives_ball(l->primitives, placed(m, points->numbers + 3 * k), 0.4f * size, theme_second);
  }
  /* lines from the joint to each of the contact points */
  Vector3 last = vector(m + 12);
  for (; point >= 0 && cls->outputs[point].flags & SINEW_PORT_TOUCHING; point++) {
    Vector3 next = placed(m, sinew_pose_value(pose, one->component, point));
    primitives_rod(l->primitives, last, next, 0.22f * size, color);
    primitives_ball(l->primitives, next, size, color);
    last = next;
  }
}

static float axis_length(const limit *one) { return fmaxf(0.04f, fminf(0.55f * one->size, 0.22f)); }

void limits_draw_centres(primitives *k, const float *frame, const acting_hinge *h, float ball,
                         float rod) {
  for (int i = 0; h->centre_count > 1 && i < h->centre_count; i++) {
    const float *centre = h->centres + 3 * i;
    primitives_ball(k, placed(frame, centre), ball, theme_path);
    if (i > 0) primitives_rod(k, placed(frame, centre - 3), placed(frame, centre), rod, theme_path);
  }
}

static void draw_axis(state *st, limits *l, const limit *one) {
  acting_hinge h;
  float m[16], centre[3], axis[3], length = axis_length(one);
  if (!acting_hinge_read(state_rig(st), one->component, &h) ||
      !acting_frame(state_pose(st), l->places, one->component, m))
    return;
  acting_hinge_centre(&h, acting_hinge_angle(state_pose(st), l->places, one->component, &h),
                      centre);
  limits_draw_centres(l->primitives, m, &h, 0.03f * length, 0.012f * length);
  space_direction(m, h.axis, axis);
  /* smaller beside the bone's screw axis */
  bool turned = l->screw.there && l->screw.segment.id == one->segment.id;
  if (turned) length *= 0.6f;
  primitives_axis(l->primitives, placed(m, centre), vector(axis), length,
                  !turned || h.centre_count > 1);
}

/* the screw axis of the selected bone */
static void draw_screw(state *st, limits *l) {
  const screw_axis *t = &l->screw;
  if (!t->there || !l->kinds[LIMIT_AXIS]) return;
  sinew_segment parent = sinew_rig_segment_info(state_rig(st), t->segment).parent;
  float m[16], axis[3], length = 0.1f;
  for (int i = 0; i < l->count; i++)
    if (l->list[i].kind == LIMIT_AXIS && l->list[i].segment.id == t->segment.id)
      length = axis_length(&l->list[i]);
  if (parent.id)
    memcpy(m, sinew_pose_world(state_pose(st), parent), sizeof m);
  else
    space_identity(m);
  space_direction(m, t->axis, axis);
  primitives_axis(l->primitives, placed(m, t->centre), vector(axis), 1.15f * length, true);
  for (int i = 1; i <= screw_axis_steps; i++)
    if (t->path_there[i] && t->path_there[i - 1])
      primitives_rod(l->primitives, placed(m, t->path[i - 1]), placed(m, t->path[i]),
                     0.005f * length, theme_screw);
}

/* the line to what a bone aims at or shall reach, with a ball there */
static void draw_sight(state *st, limits *l, const limit *one) {
  float from[3], to[3], size = fmaxf(0.01f, fminf(0.06f * one->size, 0.05f));
  if (!acting_sight(state_pose(st), one->component, from, to)) return;
  Color color = one->held ? theme_held : theme_action;
  primitives_rod(l->primitives, vector(from), vector(to), 0.15f * size, color);
  primitives_ball(l->primitives, vector(to), size, color);
}

static void draw_all(state *st, limits *l) {
  for (int i = 0; i < l->count; i++) {
    const limit *one = &l->list[i];
    if (!one->shown) continue;
    if (one->kind == LIMIT_CONE) draw_cone(st, l, one);
    if (one->kind == LIMIT_ELLIPSOID) draw_contacts(st, l, one);
    if (one->kind == LIMIT_AXIS) draw_axis(st, l, one);
    if (one->kind == LIMIT_SIGHT) draw_sight(st, l, one);
    if (one->kind == LIMIT_MARKS) limits_marks_solid(st, l, one);
  }
}

void limits_draw_solid(state *st, void *self) {
  limits *l = self;
  Camera3D camera = orbit_camera(&st->view);
  /* parts behind bones shine through faintly */
  rlEnableBackfaceCulling();
  rlDisableDepthTest();
  primitives_look(l->primitives, camera, 0.5f);
  draw_all(st, l);
  primitives_look(l->primitives, camera, 0.85f);
  draw_screw(st, l);
  rlEnableDepthTest();
  primitives_look(l->primitives, camera, 1);
  draw_all(st, l);
  draw_screw(st, l);
  rlDisableBackfaceCulling();
}

/* the narrowest and widest twist range of all shown cones; false if none has limits */
static bool twist_range(const limits *l, float *low, float *high) {
  bool any = false;
  for (int i = 0; i < l->count; i++) {
    const limit *one = &l->list[i];
    if (!one->shown || one->kind != LIMIT_CONE || !one->made_from || one->widest < 0) continue;
    *low = any ? fminf(*low, one->narrowest) : one->narrowest;
    *high = any ? fmaxf(*high, one->widest) : one->widest;
    any = true;
  }
  return any;
}

void limits_cone_glass(state *st, limits *l, const limit *one, float low, float high) {
  float m[16], wanted[3], given[3];
  const sinew_cone *cone = sinew_rig_cone(state_rig(st), one->component);
  if (!one->surface.vaoId || !limits_cone_place(st, l, one, m)) return;
  int slice = -1, count = sinew_cone_count(cone);
  int stride = (count + cone_mesh_most_slices - 1) / cone_mesh_most_slices;
  acting_cone_directions(state_pose(st), one->component, wanted, given);
  sinew_cone_inside(cone, given, &slice);
  primitives_glass glass = { .color = theme_glass,
                             .shaded = one->widest >= 0,
                             .low = low,
                             .high = high,
                             .marked = (float)(slice / stride * stride),
                             .strength = 1 };
  primitives_draw_glass(l->primitives, one->surface, matrix(m), &glass);
}

typedef struct pane {
  const limit *one;
  float distance;
} pane;

static int farther_first(const void *a, const void *b) {
  float p = ((const pane *)a)->distance, q = ((const pane *)b)->distance;
  return (p < q) - (p > q);
}

void limits_draw_glass(state *st, void *self) {
  limits *l = self;
  enum { most_panes = 256 };
  pane panes[most_panes];
  int count = 0;
  float low = 0, high = 1, m[16];
  Vector3 eye = orbit_camera(&st->view).position;
  twist_range(l, &low, &high);
  for (int i = 0; i < l->count && count < most_panes; i++) {
    const limit *one = &l->list[i];
    if (!one->shown) continue;
    bool there = one->kind == LIMIT_CONE && limits_cone_place(st, l, one, m);
    if (one->kind == LIMIT_ELLIPSOID) there = limits_ellipsoid(st, l, one, m);
    if (one->kind == LIMIT_MARKS) there = limits_marks_frame(st, l, one, m);
    if (there) panes[count++] = (pane){ one, Vector3Distance(eye, vector(m + 12)) };
  }
  if (count == 0) return;
  qsort(panes, (size_t)count, sizeof *panes, farther_first);
  primitives_look(l->primitives, orbit_camera(&st->view), 1);
  for (int i = 0; i < count; i++) {
    if (panes[i].one->kind == LIMIT_CONE) {
      limits_cone_glass(st, l, panes[i].one, low, high);
      continue;
    }
    if (panes[i].one->kind == LIMIT_MARKS) {
      limits_marks_glass(st, l, panes[i].one);
      continue;
    }
    primitives_glass glass = { .color = theme_glass, .marked = -1, .strength = 1 };
    limits_ellipsoid(st, l, panes[i].one, m);
    primitives_draw_glass(l->primitives, primitives_unit_ball(l->primitives), matrix(m), &glass);
  }
}

/* a row of the legend: a symbol and its meaning */
static void legend_row(const state *st, float x, float y, Color color, const char *text) {
  float row = ui_row(&st->ui), radius = st->ui.size * 0.3f;
  icon_draw(ICON_DISC, (Vector2){ x + radius + 1, y + row / 2 }, 2 * radius, color);
  ui_label(&st->ui, text, x + st->ui.size * 1.1f, y, theme_text);
}

/* who draws: the kind, or how many kinds */
static const char *marks_legend(const state *st, const limits *l) {
  const char *kind = NULL;
  for (int i = 0; i < l->count; i++) {
    if (l->list[i].kind != LIMIT_MARKS || !l->list[i].shown) continue;
    const char *name = acting_class(state_rig(st), l->list[i].component)->name;
    if (kind && strcmp(kind, name) != 0) return "Drawn by scripts";
    kind = name;
  }
  return TextFormat("Drawn by '%s'", kind ? kind : "");
}

/* The legend of what is shown; returns its lower end. `brief`: only the shades. Drawn blank, it is
 * measured. */
static float draw_legend(const state *st, const limits *l, Rectangle r, bool brief, bool seen) {
  const struct {
    limit_kind kind;
    Color color;
    const char *text;
  } lines[] = { { LIMIT_CONE, theme_held, "The wanted direction" },
                { LIMIT_CONE, theme_action, "The direction within the cone" },
                { LIMIT_CONE, theme_mark, "The visible point; its slice is bright" },
                { LIMIT_ELLIPSOID, theme_good, "Points that slide on it" },
                { LIMIT_SIGHT, theme_action, "What a bone aims at or reaches" },
                { LIMIT_MARKS, theme_border, marks_legend(st, l) },
                { LIMIT_AXIS, theme_path, "Centres of rotation" } };
  bool kinds[limit_kinds] = { false };
  for (int i = 0; i < l->count; i++) kinds[l->list[i].kind] |= l->list[i].shown;
  float low, high, row = ui_row(&st->ui);
  bool turned = l->screw.there && l->kinds[LIMIT_AXIS];
  kinds[LIMIT_AXIS] |= turned;
  if (twist_range(l, &low, &high)) {
    float height = roundf(st->ui.size * 0.5f);
    for (int i = 0; seen && i < 32; i++)
      DrawRectangleRec(
          (Rectangle){ r.x + r.width * (float)i / 32, r.y + row + 2, r.width / 32 + 1, height },
          primitives_shade(high > low ? ((float)i + 0.5f) / 32 : 0));
    const char *text = TextFormat("%.1f\u00b0", (double)low);
    if (high - low >= 0.05f) text = TextFormat("%.1f to %.1f\u00b0", (double)low, (double)high);
    if (seen) {
      ui_label(&st->ui, "Twist range", r.x, r.y, theme_text);
      ui_label(&st->ui, text, r.x + r.width - ui_text_width(&st->ui, text), r.y, theme_text);
    }
    r.y += 2 * row;
  }
  for (size_t i = 0; !brief && i < sizeof lines / sizeof *lines; i++) {
    if (!kinds[lines[i].kind]) continue;
    bool path = lines[i].kind == LIMIT_AXIS && turned;
    if (seen)
      legend_row(st, r.x, r.y, lines[i].color,
                 path ? "Centre, and its path in red" : lines[i].text);
    r.y += row;
  }
  return r.y;
}

/* in a picture; a small one has only the shades, or nothing, since it would cover the rig */
static void draw_legend_over(state *st, limits *l) {
  const float width = ui_px(&st->ui, 264), pad = 10;
  bool brief = st->options.render && 3 * width > st->place.width;
  Rectangle r = { st->place.x + 12 + pad, 0, width - 2 * pad, 0 };
  float high = draw_legend(st, l, r, brief, false);
  if (high == 0 || st->no_legend || (brief && 1.5f * width > st->place.width)) return;
  r.y = st->place.y + st->place.height - high - 12 - 2 * ui_row(&st->ui);
  ui_over_scene(&st->ui, (Rectangle){ r.x - pad, r.y - 6, width, high + 12 });
  draw_legend(st, l, r, brief, true);
}

/* the picture of a field in its panel, or in a picture of the scene */
static void draw_field(state *st, const limit *one, Rectangle r) {
  const sinew_rig *rig = state_rig(st);
  char name[200], title[300], words[SINEW_FIELD_AXES][80];
  const char *names[SINEW_FIELD_AXES];
  int axes = sinew_rig_component_info(rig, one->component).input_count;
  for (int k = 0; k < axes && k < SINEW_FIELD_AXES; k++) {
    sinew_source from = sinew_rig_input(rig, one->component, k);
    selection what = { .dof = from.dof, .component = from.component };
    snprintf(words[k], sizeof words[k], "angle %d", k + 1);
    if (from.dof.id || from.component.id) state_words(st, what, false, words[k], sizeof words[k]);
    names[k] = words[k];
  }
  field_point point = point_of(st, one);
  state_words(st, (selection){ .component = one->component }, true, name, sizeof name);
  snprintf(title, sizeof title, "%s   %s", name, one->state);
  field_view_draw(one->field, &st->ui, r, title, names, &point);
}

static void draw_fields_over(state *st, limits *l) {
  float height = picture_height(st) + ui_row(&st->ui), right = st->place.x + st->place.width - 12;
  float y = st->place.y + st->place.height - height - 1.6f * ui_row(&st->ui);
  for (int i = 0; i < l->count; i++) {
    const limit *one = &l->list[i];
    if (!one->shown || !one->field) continue;
    float width = field_view_width(one->field, picture_height(st));
    if (right - width < st->place.x + 12 && right < st->place.x + st->place.width - 12) {
      right = st->place.x + st->place.width - 12; /* one row higher */
      y -= height + 8;
    }
    if (y < st->place.y) break;
    draw_field(st, one, (Rectangle){ right - width, y, width, height });
    right -= width + 8;
  }
}

void limits_draw_flat(state *st, void *self) {
  limits *l = self;
  for (int i = 0; i < l->count; i++)
    if (l->list[i].shown && l->list[i].kind == LIMIT_MARKS) limits_marks_flat(st, l, &l->list[i]);
  if (!st->picturing) return; /* else the panel has them */
  draw_legend_over(st, l);
  draw_fields_over(st, l);
}

float limits_draw_below(state *st, limits *l, float x, float y, float width) {
  const ui *u = &st->ui;
  bool any = l->screw.there && l->kinds[LIMIT_AXIS];
  for (int i = 0; i < l->count; i++) any |= l->list[i].shown;
  if (!any) {
    const char *hint = "Click a bone to see its limits, or tick All bones";
    if (st->selected.segment.id) hint = "This bone has no limits of the kinds that are ticked";
    if (l->count == 0) hint = "This rig has no limits";
    return y + ui_wrapped(u, hint, x, y, width, theme_second);
  }
  y = draw_legend(st, l, (Rectangle){ x, y + ui_row(u) / 2, width, 0 }, false, true);
  for (int i = 0; i < l->count; i++) {
    const limit *one = &l->list[i];
    if (!one->shown || !one->field) continue;
    float high = picture_height(st), wide = field_view_width(one->field, high);
    float share = fminf(1, width / wide);
    Rectangle r = { x, y + ui_row(u) / 2, wide * share, high * share + ui_row(u) };
    draw_field(st, one, r);
    y = r.y + r.height;
  }
  return y;
}
