/* Drawing the cone that is edited: the sphere, the surface, the boundary with its points, and what
 * is wrong with it. */
#include "cone_edit.h"
#include "limits.h"
#include "space.h"
#include "theme.h"

#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>

static const Color edge_color = { 52, 68, 104, 255 }, wrong_color = { 214, 40, 40, 255 };
static const Color point_color = { 245, 247, 250, 255 }, chosen_color = { 255, 176, 32, 255 };
static const Color hot_color = { 255, 224, 130, 255 }, visible_color = { 90, 200, 120, 255 };
static const Color bone_color = { 40, 110, 200, 255 }, slice_color = { 120, 128, 148, 255 };
static const Color sphere_color = { 176, 186, 204, 255 };

static limits *limits_state(const app *a) { return tool_state(a, "limits"); }

static Vector3 vector(const float *v) { return (Vector3){ v[0], v[1], v[2] }; }

static Vector3 placed(const float *m, const float *p) {
  float at[3];
  space_point(m, p, at);
  return vector(at);
}

/* an arc of a great circle, a little off the surface */
static void draw_arc(marks *k, const float *m, const float *from, const float *to, float radius,
                     Color color) {
  int steps = 2 + (int)(space_degrees_between(from, to) / 9);
  float on[3];
  Vector3 last = placed(m, from);
  for (int i = 1; i <= steps; i++) {
    space_slerp(from, to, (float)i / (float)steps, on);
    Vector3 next = placed(m, on);
    marks_rod(k, last, next, radius, color);
    last = next;
  }
}

static void draw_boundary(const cone_edit *c, marks *k, const float *m, float thin) {
  const cone_draft *d = &c->draft;
  float visible[3], from[3], to[3];
  cone_draft_visible(d, visible);
  for (int i = 0; i < d->count; i++) {
    bool seen = cone_draft_seen(d, i), hot = c->hot_edge == i;
    cone_edit_direction(c, i, from);
    cone_edit_direction(c, (i + 1) % d->count, to);
    draw_arc(k, m, from, to, (seen ? 0.8f : 1.4f) * thin,
             !seen ? wrong_color
             : hot ? hot_color
                   : edge_color);
    if (hot) {
      float on[3];
      space_slerp(from, to, c->hot_share, on);
      marks_ball(k, placed(m, on), 2.2f * thin, hot_color);
    }
    if (!d->ellipse && !c->held) continue;
    if (!d->ellipse && (c->chosen == i || c->chosen == CONE_VISIBLE))
      draw_arc(k, m, visible, from, 0.35f * thin, slice_color);
  }
}

static void draw_points(const cone_edit *c, marks *k, const float *m, float thin) {
  const cone_draft *d = &c->draft;
  for (int i = -1; i < (d->ellipse ? 0 : d->count); i++) {
    int which = i < 0 ? CONE_VISIBLE : i;
    float at[3];
    cone_edit_direction(c, which, at);
    Color color = which == c->chosen ? chosen_color
                  : which == c->hot  ? hot_color
                  : i < 0            ? visible_color
                                     : point_color;
    marks_ball(k, placed(m, at), (which == c->chosen || which == c->hot ? 3.4f : 2.7f) * thin,
               color);
  }
}

static void draw_all(app *a, const cone_edit *c, marks *k, const float *m) {
  float bone[3];
  /* no thicker on the screen than what can be taken hold of */
  float thin = fminf(0.011f * space_length(m), 0.17f * a->ui.size * app_pixel(a, vector(m + 12)));
  draw_boundary(c, k, m, thin);
  draw_points(c, k, m, thin);
  if (cone_edit_bone(a, c, bone))
    marks_arrow(k, vector(m + 12), placed(m, bone), 1.1f * thin, bone_color);
}

void cone_edit_solid(app *a, cone_edit *c) {
  float m[16];
  if (!c->id.id || !cone_edit_place(a, c, m)) return;
  marks *k = limits_state(a)->marks;
  Vector3 eye = orbit_camera(&a->view).position;
  rlEnableBackfaceCulling();
  rlDisableDepthTest();
  marks_look(k, eye, 0.5f);
  draw_all(a, c, k, m);
  rlEnableDepthTest();
  marks_look(k, eye, 1);
  draw_all(a, c, k, m);
  rlDisableBackfaceCulling();
}

void cone_edit_glass(app *a, cone_edit *c) {
  float m[16];
  limits *l = limits_state(a);
  limit *one = c->id.id ? limits_find(l, c->id) : NULL;
  if (!one || !cone_edit_place(a, c, m)) return;
  marks_look(l->marks, orbit_camera(&a->view).position, 1);
  marks_glass ball = { .color = sphere_color, .marked = -1, .strength = 0.28f };
  Matrix sphere = { m[0], m[4], m[8],  m[12], m[1], m[5], m[9],  m[13],
                    m[2], m[6], m[10], m[14], m[3], m[7], m[11], m[15] };
  sphere = MatrixMultiply(MatrixScale(0.995f, 0.995f, 0.995f), sphere);
  marks_draw_glass(l->marks, marks_unit_ball(l->marks), sphere, &ball);
  limits_cone_glass(a, l, one, one->narrowest, one->widest);
}

/* numbers at the points, in the order of the list */
void cone_edit_flat(app *a, cone_edit *c) {
  float m[16], at[3];
  if (!c->id.id || !cone_edit_place(a, c, m) || c->draft.ellipse || c->draft.count > 40) return;
  for (int i = 0; i < c->draft.count; i++) {
    char text[64];
    cone_edit_direction(c, i, at);
    for (int k = 0; k < 3; k++) at[k] *= 1.07f;
    Vector2 on = app_project(a, placed(m, at));
    int used = snprintf(text, sizeof text, "%d", i + 1);
    if (c->draft.mode == DRAFT_EACH && (i == c->chosen || i == c->hot))
      snprintf(text + used, sizeof text - (size_t)used, ": %.4g to %.4g\xC2\xB0",
               (double)c->draft.twist[i][0], (double)c->draft.twist[i][1]);
    ui_label(&a->ui, text, on.x - ui_text_width(&a->ui, text) / 2, on.y - ui_row(&a->ui) / 2,
             theme_dark);
  }
}
