/* A curve as a parameter: its plot with points to drag, its kind, and its numbers. */
#include "plain/value_text.h"
#include "tools/network/param_field.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool by_points(sinew_curve_kind kind) {
  return kind != SINEW_CURVE_CONSTANT && kind != SINEW_CURVE_POLYNOMIAL;
}

static void offer(field *f, const sinew_curve_desc *desc) {
  sinew_error error;
  sinew_curve *curve = sinew_curve_create(desc, &error);
  if (!curve) {
    field_refuse(f, &error);
    return;
  }
  field_offer(f, sinew_param_curve(f->name, curve));
  sinew_curve_destroy(curve);
}

/* the curve's current argument: the component's first input */
static float input_now(const field *f) {
  const float *value = sinew_pose_input(state_pose(f->st), f->component, 0);
  return value ? *value : 0;
}

/* the visible range: all points, and the curve between them */
static Rectangle range_of(const field *f, const sinew_curve *curve, const sinew_curve_desc *d) {
  float left = input_now(f) - 1, right = left + 2, low = INFINITY, high = -INFINITY;
  if (by_points(d->kind)) {
    left = d->points[0];
    right = d->points[2 * (d->point_count - 1)];
  }
  for (int i = 0; i <= 64; i++) {
    float y = sinew_curve_eval(curve, left + (right - left) * (float)i / 64, NULL);
    low = fminf(low, y);
    high = fmaxf(high, y);
  }
  float across = (right - left) * 0.08f, up = (high - low) * 0.12f;
  if (high - low < 1e-6f) up = fmaxf(fabsf(high) * 0.1f, 1e-3f);
  return (Rectangle){ left - across, low - up, right - left + 2 * across, high - low + 2 * up };
}

static Vector2 to_screen(Rectangle range, Rectangle r, float x, float y) {
  return (Vector2){ r.x + (x - range.x) / range.width * r.width,
                    r.y + r.height - (y - range.y) / range.height * r.height };
}

static void draw_axes(const ui *u, Rectangle range, Rectangle r) {
  ui_box(u, r, theme_window);
  Vector2 zero = to_screen(range, r, 0, 0);
  if (zero.x > r.x && zero.x < r.x + r.width)
    DrawRectangleRec((Rectangle){ zero.x, r.y, 1, r.height }, theme_field);
  if (zero.y > r.y && zero.y < r.y + r.height)
    DrawRectangleRec((Rectangle){ r.x, zero.y, r.width, 1 }, theme_field);
  char text[32];
  value_plain(range.y + range.height, NULL, text, sizeof text);
  ui_label_as(u, theme_note, text, r.x + 4, r.y, r.width, theme_hint);
  value_plain(range.y, NULL, text, sizeof text);
  ui_label_as(u, theme_note, text, r.x + 4, r.y + r.height - ui_row(u), r.width, theme_hint);
}

static void draw_line(const sinew_curve *curve, Rectangle range, Rectangle r) {
  enum { steps = 127 };
  Vector2 line[steps + 1];
  for (int i = 0; i <= steps; i++) {
    float x = range.x + range.width * (float)i / (float)steps;
    line[i] = to_screen(range, r, x, sinew_curve_eval(curve, x, NULL));
  }
  icon_line(line, steps + 1, 1.6f, theme_action);
}

/* adds a point on the curve at the mouse */
static void add_point(field *f, const sinew_curve *curve, sinew_curve_desc d, float x) {
  int at = 0;
  float scale = d.scale != 0 ? d.scale : 1;
  while (at < d.point_count && d.points[2 * at] < x) at++;
  float y = (sinew_curve_eval(curve, x, NULL) - d.offset) / scale;
  float *points = field_numbers(f, d.points, 2 * d.point_count, 2);
  if (!points) return;
  memmove(points + 2 * at + 2, points + 2 * at, (size_t)(d.point_count - at) * 2 * sizeof *points);
  points[2 * at] = x;
  points[2 * at + 1] = y;
  d.points = points;
  d.point_count++;
  if (d.kind == SINEW_CURVE_LINEAR) d.kind = SINEW_CURVE_PIECEWISE;
  offer(f, &d);
}

static void remove_point(field *f, sinew_curve_desc d, int at) {
  float *points = field_numbers(f, d.points, 2 * d.point_count, 0);
  if (!points) return;
  memmove(points + 2 * at, points + 2 * at + 2,
          (size_t)(d.point_count - at - 1) * 2 * sizeof *points);
  d.points = points;
  d.point_count--;
  offer(f, &d);
}

/* moves a point to the mouse, but not past its neighbours */
static void move_point(field *f, sinew_curve_desc d, int at, Rectangle r) {
  Rectangle range = f->p->range;
  Vector2 mouse = GetMousePosition();
  float *points = field_numbers(f, d.points, 2 * d.point_count, 0);
  float scale = d.scale != 0 ? d.scale : 1, least = range.width * 1e-3f;
  if (!points) return;
  float x = range.x + (mouse.x - r.x) / r.width * range.width;
  float y = range.y + (r.y + r.height - mouse.y) / r.height * range.height;
  if (at > 0) x = fmaxf(x, points[2 * at - 2] + least);
  if (at + 1 < d.point_count) x = fminf(x, points[2 * at + 2] - least);
  points[2 * at] = ui_shift() ? d.points[2 * at] : x;
  points[2 * at + 1] = (y - d.offset) / scale;
  d.points = points;
  offer(f, &d);
}

static void plot(field *f, const sinew_curve *curve, Rectangle r) {
  ui *u = &f->st->ui;
  sinew_curve_desc d = sinew_curve_describe(curve);
  int id = field_id(f, 9100), hot = -1;
  bool dragging = u->active == id && f->p->dragged >= 0;
  Rectangle range = dragging ? f->p->range : range_of(f, curve, &d);
  int count = by_points(d.kind) ? d.point_count : 0;
  draw_axes(u, range, r);
  ui_clip_push(u, r);
  draw_line(curve, range, r);
  for (int i = 0; i < count; i++) {
    Vector2 at = to_screen(range, r, d.points[2 * i], d.offset + d.scale * d.points[2 * i + 1]);
    bool near = ui_hot(u, r) && CheckCollisionPointCircle(GetMousePosition(), at, 8);
    if (near) hot = i;
    icon_draw(ICON_DISC, at, ui_px(u, near || (dragging && f->p->dragged == i) ? 11 : 8),
              theme_mark);
  }
  float x = input_now(f);
  Vector2 now = to_screen(range, r, x, sinew_curve_eval(curve, x, NULL));
  DrawLineEx((Vector2){ now.x, r.y }, (Vector2){ now.x, r.y + r.height }, 1,
             Fade(theme_selected, 0.6f));
  icon_draw(ICON_DISC, now, ui_px(u, 6), theme_selected);
  ui_clip_pop(u);
  float at_mouse = range.x + (GetMousePosition().x - r.x) / r.width * range.width;
  if (hot >= 0)
    ui_tip(u, "%.5g, %.5g\ndrag to move it, with shift up and down only; right click: remove it",
           (double)d.points[2 * hot], (double)d.points[2 * hot + 1]);
  else if (ui_hot(u, r))
    ui_tip(u, "at %.4g: %.5g%s", (double)at_mouse, (double)sinew_curve_eval(curve, at_mouse, NULL),
           count ? "\ndouble click: add a point" : "");
  /* the change may replace the curve */
  if (ui_pressed(u, id, r)) {
    f->p->dragged = hot;
    f->p->range = range;
    if (hot < 0 && count && ui_double_clicked(u, id)) add_point(f, curve, d, at_mouse);
  } else if (dragging && (GetMouseDelta().x != 0 || GetMouseDelta().y != 0)) {
    move_point(f, d, f->p->dragged, r);
  } else if (hot >= 0 && IsMouseButtonPressed(MOUSE_BUTTON_RIGHT)) {
    remove_point(f, d, hot);
  }
}

/* changes the kind; points or coefficients are computed from the old curve */
static void change_kind(field *f, const sinew_curve *curve, sinew_curve_kind kind) {
  sinew_curve_desc d = sinew_curve_describe(curve), made = d;
  float x = input_now(f);
  float fresh[4] = { x, sinew_curve_eval(curve, x, NULL), x + 1,
                     sinew_curve_eval(curve, x + 1, NULL) };
  float ends[4];
  made.kind = kind;
  if (!by_points(kind) && by_points(d.kind)) {
    made.points = NULL;
    made.point_count = 0;
    made.coefficients = &fresh[1];
    made.coefficient_count = 1;
    made.scale = 1;
    made.offset = 0;
  } else if (by_points(kind) && !by_points(d.kind)) {
    made.coefficients = NULL;
    made.coefficient_count = 0;
    made.points = fresh;
    made.point_count = 2;
    made.scale = 1;
    made.offset = 0;
  } else if (kind == SINEW_CURVE_CONSTANT) {
    made.coefficient_count = 1;
  } else if (kind == SINEW_CURVE_LINEAR && d.point_count > 2) {
    memcpy(ends, d.points, 2 * sizeof *ends);
    memcpy(ends + 2, d.points + 2 * (d.point_count - 1), 2 * sizeof *ends);
    made.points = ends;
    made.point_count = 2;
  }
  offer(f, &made);
}

static void draw_kind(field *f, const sinew_curve *curve, Rectangle r) {
  static const char *kinds[SINEW_CURVE_KIND_COUNT], *outsides[3];
  for (int i = 0; i < SINEW_CURVE_KIND_COUNT; i++) kinds[i] = sinew_curve_kind_name(i);
  for (int i = 0; i < 3; i++) outsides[i] = sinew_outside_name(SINEW_OUTSIDE_CLAMP + i);
  sinew_curve_desc d = sinew_curve_describe(curve);
  ui *u = &f->st->ui;
  float half = (r.width - 4) / 2;
  int kind = (int)d.kind;
  Rectangle left = { r.x, r.y + 1, half, r.height - 2 };
  Rectangle right = { r.x + half + 4, r.y + 1, half, r.height - 2 };
  if (ui_choose(u, field_id(f, 9101), left, kinds, SINEW_CURVE_KIND_COUNT, &kind)) {
    change_kind(f, curve, (sinew_curve_kind)kind);
    return;
  }
  if (!by_points(d.kind)) return;
  int outside = (int)d.outside - (int)SINEW_OUTSIDE_CLAMP;
  if (d.outside == SINEW_OUTSIDE_DEFAULT) outside = d.kind == SINEW_CURVE_SIMM ? 1 : 0;
  if (ui_hot(u, right)) ui_tip(u, "how the curve continues outside its points");
  if (!ui_choose(u, field_id(f, 9102), right, outsides, 3, &outside)) return;
  d.outside = (sinew_outside)(SINEW_OUTSIDE_CLAMP + outside);
  offer(f, &d);
}

/* scale and offset, then the points or coefficients, one per line */
static float draw_numbers(field *f, float y) {
  ui *u = &f->st->ui;
  sinew_curve_desc d = sinew_curve_describe(f->given->curve);
  bool points = by_points(d.kind);
  float row = ui_row(u), half = (f->r.width - ui_px(u, 70)) / 2;
  int count = points ? d.point_count : d.coefficient_count;
  for (int line = -1; line < count; line++, y += row) {
    Rectangle left = { f->r.x + ui_px(u, 66), y + 1, half, row - 2 };
    Rectangle right = { f->r.x + ui_px(u, 70) + half, y + 1, half, row - 2 };
    if (!field_seen(f, y, row)) continue;
    if (line < 0) {
      ui_label(u, "\u00d7, +", f->r.x + ui_px(u, 12), y, theme_second);
      bool changed = ui_number(u, field_id(f, 9200), left, NULL, 0.005f, &d.scale);
      changed |=
          ui_number(u, field_id(f, 9201), right, NULL, field_step(f->desc, d.offset), &d.offset);
      if (ui_hot(u, left) || ui_hot(u, right)) ui_tip(u, "scale and offset of the result");
      if (changed) offer(f, &d);
      if (changed) return y + row * (float)(count - line);
      continue;
    }
    int width = points ? 2 : 1;
    float *copy = field_numbers(f, points ? d.points : d.coefficients, count * width, 0);
    if (!copy) continue;
    const char *name = points ? TextFormat("%d", line + 1) : TextFormat("c%d", line);
    ui_label(u, name, f->r.x + ui_px(u, 12), y, theme_second);
    float spread = points ? d.points[2 * (count - 1)] - d.points[0] : 1;
    bool changed = ui_number(u, field_id(f, line * 2), left, NULL, points ? spread / 400 : 0.005f,
                             &copy[line * width]);
    if (points)
      changed |= ui_number(u, field_id(f, line * 2 + 1), right, NULL,
                           fmaxf(fabsf(copy[line * 2 + 1]) / 200, 0.0005f), &copy[line * 2 + 1]);
    if (!changed) continue;
    if (points)
      d.points = copy;
    else
      d.coefficients = copy;
    offer(f, &d);
    return y + row * (float)(count - line);
  }
  return y;
}

float field_curve(field *f, Rectangle r) {
  ui *u = &f->st->ui;
  float row = ui_row(u), high = u->size * 7, y = r.y;
  if (!f->given) {
    Rectangle button = { r.x, r.y + 2, u->size * 5, row - 4 };
    if (ui_button(u, field_id(f, 9103), button, "Add a curve")) {
      sinew_curve_desc d = sinew_default_curve_desc();
      float x = input_now(f);
      float points[4] = { x - 30, 0, x + 30, 0 };
      d.points = points;
      d.point_count = 2;
      offer(f, &d);
    }
    return y + row;
  }
  draw_kind(f, f->given->curve, r);
  y += row + 2;
  if (field_seen(f, y, high))
    plot(f, f->given->curve, (Rectangle){ f->r.x, y, f->r.width - 6, high });
  y += high + 2;
  bool folded = !f->p->open[f->place];
  if (ui_fold(u, field_id(f, 9104), (Rectangle){ f->r.x, y, f->r.width / 2, row }, 0, "Numbers",
              &folded))
    f->p->open[f->place] = !folded;
  y += row;
  return folded ? y : draw_numbers(f, y);
}
