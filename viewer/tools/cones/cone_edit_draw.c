/* Draws the edited cone: the sphere, the surface, the boundary with its points, and its faults. */
#include "draw/space_draw.h"
#include "plain/frame.h"
#include "tools/cones/cone_edit.h"
#include "tools/limits/limits_tool.h"
#include "ui/theme.h"

#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>

/* the thickness of lines relative to the sphere's radius, bounded in pixels; it changes in steps,
 * so that zooming rarely rebuilds the meshes */
static float thinness(const state *st, const float *m) {
  float size = space_length(m), pixels = 0.17f * st->ui.size * state_pixel(st, vector(m + 12));
  float share = fminf(0.011f, pixels / size);
  return 0.011f * powf(1.08f, roundf(logf(share / 0.011f) / logf(1.08f)));
}

void cone_edit_drop(cone_edit *c) {
  if (c->line.vaoId) UnloadMesh(c->line);
  if (c->beads.vaoId) UnloadMesh(c->beads);
  c->line = c->beads = (Mesh){ 0 };
  c->made_count = 0;
}

/* the boundary as a closed line, with arcs divided finely */
static Mesh line_mesh(const cone_edit *c, float thin) {
  enum { most_steps = 24 };
  float(*line)[3] = malloc((size_t)c->draft.count * most_steps * sizeof *line);
  int used = 0;
  for (int i = 0; line && i < c->draft.count; i++) {
    float from[3], to[3];
    cone_edit_direction(c, i, from);
    cone_edit_direction(c, (i + 1) % c->draft.count, to);
    int steps = 1 + (int)(space_degrees_between(from, to) / 8);
    if (space_degrees_between(from, to) < 0.01f) continue;
    for (int k = 0; k < steps; k++) space_slerp(from, to, (float)k / (float)steps, line[used++]);
  }
  Mesh mesh = { 0 };
  if (used > 2) mesh = primitives_outline(&line[0][0], used, NULL, 0, 0.8f * thin);
  free(line);
  return mesh;
}

/* an ellipse, or a cone with too many points to edit, is drawn without its points */
static bool has_meshes(const cone_edit *c) {
  enum { most = 512 };
  return c->id.id && !c->draft.ellipse && c->draft.count >= 3 && c->draft.count <= most;
}

void cone_edit_prepare(state *st, cone_edit *c) {
  const cone_draft *d = &c->draft;
  float m[16];
  if (!has_meshes(c) || !cone_edit_place(st, c, m)) {
    cone_edit_drop(c);
    return;
  }
  float thin = thinness(st, m);
  size_t bytes = (size_t)d->count * sizeof *d->points;
  if (c->made_count == d->count && c->made_thin == thin && memcmp(c->made, d->points, bytes) == 0)
    return;
  cone_edit_drop(c);
  if (d->count > c->made_room) {
    float(*more)[3] = realloc(c->made, bytes);
    if (!more) return;
    c->made = more;
    c->made_room = d->count;
  }
  memcpy(c->made, d->points, bytes);
  float(*unit)[3] = malloc(bytes);
  for (int i = 0; unit && i < d->count; i++) cone_edit_direction(c, i, unit[i]);
  c->line = line_mesh(c, thin);
  if (unit) c->beads = primitives_outline(NULL, 0, &unit[0][0], d->count, 2.7f / 2.4f * thin);
  free(unit);
  c->made_count = d->count;
  c->made_thin = thin;
}

/* the edge under the mouse, and the slices of a dragged point */
static void draw_edges(const cone_edit *c, primitives *k, const float *m, float thin) {
  const cone_draft *d = &c->draft;
  float visible[3], from[3], to[3], on[3];
  cone_draft_visible(d, visible);
  for (int i = 0; i < d->count; i++) {
    bool hot = c->hot_edge == i;
    bool sliced = c->held && (c->chosen == i || c->chosen == CONE_VISIBLE);
    if (!hot && !sliced) continue;
    cone_edit_direction(c, i, from);
    cone_edit_direction(c, (i + 1) % d->count, to);
    if (hot) primitives_arc(k, m, from, to, 1.4f * thin, theme_under_mouse);
    if (sliced) primitives_arc(k, m, visible, from, 0.35f * thin, theme_hint);
    if (!hot) continue;
    space_slerp(from, to, c->hot_share, on);
    primitives_ball(k, placed(m, on), 2.2f * thin, theme_under_mouse);
  }
}

static void draw_point(const cone_edit *c, primitives *k, const float *m, float thin, int which) {
  float at[3];
  bool large = which == c->chosen || which == c->hot;
  Color color = which == c->hot ? theme_under_mouse : theme_good;
  if (which == c->chosen) color = c->held && *c->wrong ? theme_error : theme_selected;
  cone_edit_direction(c, which, at);
  primitives_ball(k, placed(m, at), (large ? 3.4f : 2.7f) * thin, color);
}

/* the half angles of an ellipse, as arcs from its axis, with handles at their ends */
static void draw_handles(const cone_edit *c, primitives *k, const float *m, float thin) {
  float end[3];
  for (int i = 0; i < cone_draft_handles(&c->draft); i++) {
    cone_edit_direction(c, i, end);
    bool lit = i == c->hot || i == c->chosen;
    primitives_arc(k, m, c->draft.rest, end, 0.6f * thin, lit ? theme_selected : theme_edge);
    draw_point(c, k, m, 1.5f * thin, i);
  }
}

static void draw_all(state *st, const cone_edit *c, const limit *one, primitives *k,
                     const float *m) {
  float bone[3], thin = thinness(st, m) * space_length(m);
  if (c->line.vaoId) {
    primitives_mesh(k, c->line, matrix(m), theme_edge);
    if (c->beads.vaoId) primitives_mesh(k, c->beads, matrix(m), theme_mark);
    draw_edges(c, k, m, thin);
    if (c->chosen >= 0) draw_point(c, k, m, thin, c->chosen);
    if (c->hot >= 0 && c->hot != c->chosen) draw_point(c, k, m, thin, c->hot);
  } else if (one->outline.vaoId) {
    primitives_mesh(k, one->outline, matrix(m), theme_edge);
  }
  if (c->draft.ellipse)
    draw_handles(c, k, m, thin);
  else
    draw_point(c, k, m, thin, CONE_VISIBLE);
  if (cone_edit_bone(st, c, bone))
    primitives_arrow(k, vector(m + 12), placed(m, bone), 1.1f * thin, theme_action);
}

void cone_edit_solid(state *st, void *self) {
  cone_edit *c = self;
  float m[16];
  if (!c->id.id || !cone_edit_place(st, c, m)) return;
  primitives *k = limits_of(st)->primitives;
  const limit *one = limits_find(limits_of(st), c->id);
  Camera3D camera = orbit_camera(&st->view);
  rlEnableBackfaceCulling();
  rlDisableDepthTest();
  primitives_look(k, camera, 0.5f);
  draw_all(st, c, one, k, m);
  rlEnableDepthTest();
  primitives_look(k, camera, 1);
  draw_all(st, c, one, k, m);
  rlDisableBackfaceCulling();
}

void cone_edit_glass(state *st, void *self) {
  cone_edit *c = self;
  float m[16];
  limits *l = limits_of(st);
  limit *one = c->id.id ? limits_find(l, c->id) : NULL;
  if (!one || !cone_edit_place(st, c, m)) return;
  primitives_look(l->primitives, orbit_camera(&st->view), 1);
  primitives_glass ball = { .color = theme_edge, .marked = -1, .strength = 0.28f };
  Matrix sphere = MatrixMultiply(MatrixScale(0.995f, 0.995f, 0.995f), matrix(m));
  primitives_draw_glass(l->primitives, primitives_unit_ball(l->primitives), sphere, &ball);
  limits_cone_glass(st, l, one, one->narrowest, one->widest);
}

/* text on a plate whose middle is at a place in the window */
static void draw_text(const state *st, const char *text, Vector2 at, Color color) {
  const ui *u = &st->ui;
  float wide = ui_text_width(u, text), pad = ui_px(u, theme_s1), row = ui_row(u);
  float x = fminf(at.x - wide / 2, st->place.x + st->place.width - wide - 2 * pad);
  x = fmaxf(x, st->place.x + pad);
  ui_over_scene(u, (Rectangle){ x - pad, at.y - row / 2, wide + 2 * pad, row });
  ui_label(u, text, x, at.y - row / 2, color);
}

/* a half angle of an ellipse, outside of its handle */
static void draw_angle(const state *st, const cone_edit *c, const float *m, int index) {
  float end[3];
  cone_edit_direction(c, index, end);
  Vector2 at = state_project(st, placed(m, end)),
          axis = state_project(st, placed(m, c->draft.rest));
  Vector2 out = Vector2Normalize(Vector2Subtract(at, axis));
  bool lit = index == c->hot || index == c->chosen;
  at = Vector2Add(at, Vector2Scale(out, ui_px(&st->ui, 30)));
  draw_text(st, TextFormat("%.1f\u00b0", (double)c->draft.angles[index]), at,
            lit ? theme_selected : theme_text);
}

/* Numbers at the points, in the order of the list: first those of the chosen point and of the one
 * under the mouse. A number that would lie over another one is left out. */
static void draw_numbers(const state *st, const cone_edit *c, const float *m) {
  enum { most = 40 };
  const ui *u = &st->ui;
  const cone_draft *d = &c->draft;
  frame_box placed_at[most];
  int count = d->count <= most ? d->count : 0, used = 0;
  for (int i = -2; i < count; i++) {
    int which = i == -2 ? c->chosen : i == -1 ? c->hot : i;
    bool first = which == c->chosen || which == c->hot;
    if (which < 0 || which >= count || (i >= 0 && first) || (i == -1 && c->hot == c->chosen))
      continue;
    char text[64];
    float at[3];
    cone_edit_direction(c, which, at);
    for (int k = 0; k < 3; k++) at[k] *= 1.07f;
    Vector2 on = state_project(st, placed(m, at));
    int length = snprintf(text, sizeof text, "%d", which + 1);
    if (d->mode == DRAFT_EACH && first)
      snprintf(text + length, sizeof text - (size_t)length, ": %.1f to %.1f\u00b0",
               (double)d->twist[which][0], (double)d->twist[which][1]);
    float wide = ui_text_width(u, text);
    frame_box r = { on.x - wide / 2, on.y - u->size / 2, wide, u->size };
    if (!frame_label(placed_at, &used, r)) continue;
    if (first)
      draw_text(st, text, on, theme_selected); /* it may lie over its bone, which has that colour */
    else
      ui_label(u, text, r.x, on.y - ui_row(u) / 2, theme_text);
  }
}

/* the numbers of points, or the half angles of an ellipse; at the mouse, where a point goes no
 * further (the panel says why) */
void cone_edit_flat(state *st, void *self) {
  cone_edit *c = self;
  float m[16];
  if (!c->id.id || !cone_edit_place(st, c, m)) return;
  for (int i = 0; c->draft.ellipse && i < cone_draft_handles(&c->draft); i++)
    draw_angle(st, c, m, i);
  if (!c->draft.ellipse) draw_numbers(st, c, m);
  if (!c->held || !*c->wrong) return;
  Vector2 mouse = GetMousePosition();
  draw_text(st, "No further: the cone would not be valid",
            (Vector2){ mouse.x, mouse.y - ui_row(&st->ui) * 1.5f }, theme_error);
}
