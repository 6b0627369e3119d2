/* Widgets for each type of parameter, made from the class's descriptor. */
#include "tools/network/param_field.h"
#include "plain/handle.h"
#include "plain/space.h"
#include "tools/edits/edits.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <sinew/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int field_id(const field *f, int number) { return ui_id(f->scope, number); }

bool field_seen(const field *f, float y, float height) {
  return y + height >= f->r.y && y <= f->r.y + f->r.height;
}

void field_refuse(field *f, const sinew_error *error) {
  snprintf(f->p->wrong_param, sizeof f->p->wrong_param, "%s", f->name);
  snprintf(f->p->wrong, sizeof f->p->wrong, "%s", error->text);
}

/* a change may reallocate the parameter */
static void read_again(field *f) {
  f->given = sinew_rig_find_param(state_rig(f->st), f->component, f->name);
}

void field_offer(field *f, sinew_param param) {
  sinew_error error;
  if (edits_apply(f->st, edits_of_component(f->component), &param, 1, &error) < 0)
    field_refuse(f, &error);
  else if (strcmp(f->p->wrong_param, f->name) == 0)
    f->p->wrong_param[0] = '\0';
  read_again(f);
}

float *field_numbers(const field *f, const float *from, int count, int more) {
  params *p = f->p;
  if (count + more > p->room) {
    float *grown = realloc(p->numbers, (size_t)(count + more) * 2 * sizeof *grown);
    if (!grown) return NULL;
    p->numbers = grown;
    p->room = (count + more) * 2;
  }
  if (count) memcpy(p->numbers, from, (size_t)count * sizeof *from);
  if (p->numbers && more) memset(p->numbers + count, 0, (size_t)more * sizeof *from);
  return p->numbers;
}

float field_step(const sinew_param_desc *desc, float value) {
  if (isfinite(desc->max - desc->min) && desc->min < desc->max)
    return (desc->max - desc->min) / 400;
  if (desc->unit && strcmp(desc->unit, "deg") == 0) return 0.25f;
  if (desc->unit && strcmp(desc->unit, "m") == 0) return 0.0005f;
  return fmaxf(fabsf(value) / 200, 0.002f);
}

static void reset(field *f) {
  sinew_error error;
  if (edits_reset(f->st, edits_of_component(f->component), f->name, &error) < 0)
    field_refuse(f, &error);
  else
    f->p->wrong_param[0] = '\0';
  read_again(f);
}

/* draws the name, the unit and the reset button; returns the rectangle for widgets */
static Rectangle field_label(field *f, float y) {
  ui *u = &f->st->ui;
  const edit *changed = edits_find(f->st, edits_of_component(f->component), f->name);
  float row = ui_row(u), wide = fminf(f->r.width * 0.36f, u->size * 8), side = u->size * 1.2f;
  Rectangle label = { f->r.x, y, wide, row };
  const char *unit = f->desc->unit && f->desc->type != SINEW_PARAM_OBJECT ? f->desc->unit : "";
  if (strcmp(unit, "deg") == 0) unit = "\u00b0";
  float space = *unit ? ui_text_width(u, unit) + 8 : 6;
  if (changed)
    icon_draw(ICON_DISC, (Vector2){ label.x - ui_px(u, 6), y + row / 2 }, ui_px(u, 5),
              theme_action);
  ui_label_in(u, f->name, label.x, y, wide - space, f->given ? theme_text : theme_hint);
  float named = fminf(ui_text_width(u, f->name), wide - space);
  ui_label(u, unit, label.x + named + 5, y, theme_second);
  if (ui_hot(u, label))
    ui_tip(u, "%s: %s%s%s%s", f->name, sinew_param_type_name(f->desc->type),
           f->desc->doc ? "\n" : "", f->desc->doc ? f->desc->doc : "",
           f->given ? "" : "\nnot given: the default applies");
  Rectangle back = { f->r.x + f->r.width - side, y + 2, side, row - 4 };
  if (changed) {
    if (ui_button(u, field_id(f, 9999), back, "\u00d7")) reset(f);
    if (ui_hot(u, back)) ui_tip(u, "back to the value of the script");
  }
  return (Rectangle){ f->r.x + wide, y, f->r.width - wide - side - 4, row };
}

static bool numbers_row(field *f, Rectangle r, int first, float *values, int count) {
  bool changed = false;
  float gap = 4, wide = (r.width - gap * (float)(count - 1)) / (float)count;
  for (int i = 0; i < count; i++) {
    Rectangle one = { r.x + (wide + gap) * (float)i, r.y + 1, wide, r.height - 2 };
    changed |= ui_number(&f->st->ui, field_id(f, first + i), one, f->desc->unit,
                         field_step(f->desc, values[i]), &values[i]);
  }
  return changed;
}

static void draw_number(field *f, Rectangle r) {
  float value = f->given ? f->given->number[0] : f->desc->fallback[0];
  if (numbers_row(f, r, 0, &value, 1)) field_offer(f, sinew_param_number(f->name, value));
}

static void draw_flag(field *f, Rectangle r) {
  bool value = f->given ? f->given->number[0] != 0 : f->desc->fallback[0] != 0;
  if (ui_toggle(&f->st->ui, field_id(f, 0), r, value ? "yes" : "no", &value))
    field_offer(f, sinew_param_flag(f->name, value));
}

static void draw_vector(field *f, Rectangle r) {
  float value[3];
  memcpy(value, f->given ? f->given->number : f->desc->fallback, sizeof value);
  if (numbers_row(f, r, 0, value, 3))
    field_offer(f, sinew_param_vector(f->name, value[0], value[1], value[2]));
}

static float draw_matrix(field *f, Rectangle r) {
  float m[16], angles[3], turned[16], row = ui_row(&f->st->ui);
  space_identity(m);
  if (f->given) memcpy(m, f->given->number, sizeof m);
  sinew_param_desc lengths = { .unit = "m" }, degrees = { .unit = "deg" };
  const sinew_param_desc *desc = f->desc;
  handle_angles(m, angles);
  f->desc = &lengths;
  bool moved = numbers_row(f, r, 0, m + 12, 3);
  f->desc = &degrees;
  r.y += row;
  ui_label(&f->st->ui, "rotation \u00b0", f->r.x + ui_px(&f->st->ui, 12), r.y, theme_second);
  bool rotated = numbers_row(f, r, 3, angles, 3);
  f->desc = desc;
  if (rotated) {
    handle_from_angles(angles, handle_mirrored(m), turned);
    memcpy(m, turned, 12 * sizeof *m);
  }
  if (moved || rotated) field_offer(f, sinew_param_matrix(f->name, m));
  return r.y + row;
}

/* a choice of names, shown as words; `chosen` is the present one */
static void draw_names(field *f, Rectangle r, const char *const *names, const char *const *words,
                       int count, int chosen) {
  Rectangle box = { r.x, r.y + 1, r.width, r.height - 2 };
  if (ui_choose(&f->st->ui, field_id(f, 0), box, words, count, &chosen))
    field_offer(f, sinew_param_text(f->name, names[chosen]));
}

static void draw_choice(field *f, Rectangle r) {
  int count = 0, chosen = 0;
  for (; f->desc->choices && f->desc->choices[count]; count++)
    if (f->given && f->given->text && strcmp(f->desc->choices[count], f->given->text) == 0)
      chosen = count;
  draw_names(f, r, f->desc->choices, f->desc->choices, count, chosen);
}

/* all bones or components as words, made when they are first shown; NULL: memory ran out */
static const char *const *words_of(field *f, bool segment) {
  params *p = f->p;
  const char **words = segment ? p->segment_words : p->component_words;
  int count = segment ? p->segment_count : p->component_count;
  if (words) return words;
  words = calloc((size_t)count + 1, sizeof *words);
  for (int i = 0; words && i < count; i++) {
    selection what = { 0 };
    char text[400];
    if (segment)
      what.segment = sinew_rig_segment(state_rig(f->st), i);
    else
      what.component = sinew_rig_component(state_rig(f->st), i);
    state_words(f->st, what, true, text, sizeof text);
    words[i] = strdup(text);
  }
  if (segment)
    p->segment_words = words;
  else
    p->component_words = words;
  return words;
}

static void draw_reference(field *f, Rectangle r) {
  bool segment = f->desc->type == SINEW_PARAM_SEGMENT;
  const char **names = segment ? f->p->segments : f->p->components;
  int count = segment ? f->p->segment_count : f->p->component_count, chosen = -1;
  const char *text = f->given ? f->given->text : NULL;
  char own[256];
  const char *dot = strchr(f->p->name, '.');
  snprintf(own, sizeof own, "%.*s.%s", dot ? (int)(dot - f->p->name) : 0, f->p->name,
           text ? text : "");
  const sinew_rig *rig = state_rig(f->st);
  uint32_t id = 0;
  if (text && segment) id = sinew_rig_find_segment(rig, text, NULL).id;
  if (text && !segment) id = sinew_rig_find_component(rig, own, NULL).id;
  if (text && !segment && !id) id = sinew_rig_find_component(rig, text, NULL).id;
  if (id && (int)id <= count) chosen = (int)id - 1;
  const char *const *words = words_of(f, segment);
  draw_names(f, r, names, words ? words : names, count, chosen);
}

static void draw_text(field *f, Rectangle r) {
  char text[256];
  snprintf(text, sizeof text, "%s", f->given && f->given->text ? f->given->text : "");
  if (ui_input(&f->st->ui, field_id(f, 0), r, "", text, sizeof text))
    field_offer(f, sinew_param_text(f->name, text));
}

static void draw_object(field *f, Rectangle r) {
  char text[160] = "none";
  if (f->given && f->given->object_class == &sinew_field_class) {
    const sinew_field *field_object = f->given->object;
    snprintf(text, sizeof text, "field of %d angles, %zu nodes, epsilon %.3g\u00b0",
             sinew_field_axis_count(field_object), sinew_field_nodes(field_object),
             (double)sinew_field_epsilon(field_object));
  } else if (f->given && f->given->object_class) {
    snprintf(text, sizeof text, "%s", f->given->object_class->name);
  }
  ui_label_in(&f->st->ui, text, r.x, r.y, r.width, theme_second);
  if (ui_hot(&f->st->ui, r)) ui_tip(&f->st->ui, "%s: made by the script", text);
}

/* the given list; a single value counts as a list of one */
static const float *list_of(const field *f, int *count) {
  const sinew_param *g = f->given;
  *count = 0;
  if (!g) return NULL;
  bool single = g->type == SINEW_PARAM_NUMBER || g->type == SINEW_PARAM_VECTOR;
  *count = single ? 1 : g->count;
  return single ? g->number : g->numbers;
}

static void offer_list(field *f, const float *values, int count, int width) {
  field_offer(f, width == 3 ? sinew_param_vectors(f->name, values, count)
                            : sinew_param_numbers(f->name, values, count));
}

/* the header of a list: its count, and buttons to add and remove one */
static void list_head(field *f, Rectangle r, const float *values, int count, int width) {
  ui *u = &f->st->ui;
  float side = u->size * 1.5f;
  const char *text = f->given ? TextFormat("%d", count) : "none";
  bool folds = f->given && count * width > 4, folded = !f->p->open[f->place];
  Rectangle head = { r.x, r.y, r.width - 2 * side - 8, r.height };
  if (folds && ui_fold(u, field_id(f, 9001), head, 0, text, &folded))
    f->p->open[f->place] = !folded;
  if (!folds) ui_label(u, text, r.x, r.y, theme_second);
  Rectangle more = { r.x + r.width - 2 * side - 4, r.y + 2, side, r.height - 4 };
  Rectangle less = { r.x + r.width - side, r.y + 2, side, r.height - 4 };
  if (ui_hot(u, more)) ui_tip(u, "adds one at the end");
  if (count && ui_hot(u, less)) ui_tip(u, "removes the last one");
  if (ui_button(u, field_id(f, 9002), more, "+")) {
    float *longer = field_numbers(f, values, count * width, width);
    if (longer && count)
      memcpy(longer + count * width, longer + (count - 1) * width, (size_t)width * sizeof *longer);
    if (longer) offer_list(f, longer, count + 1, width);
    return;
  }
  if (count && ui_button(u, field_id(f, 9003), less, "-")) {
    const float *shorter = field_numbers(f, values, (count - 1) * width, 0);
    if (shorter || count == 1) offer_list(f, shorter, count - 1, width);
  }
}

static float draw_list(field *f, Rectangle r, int width) {
  int count = 0, per_row = width == 3 ? 3 : 4;
  float row = ui_row(&f->st->ui);
  const float *values = list_of(f, &count);
  list_head(f, r, values, count, width);
  float y = r.y + row;
  bool shown = f->given && (count * width <= 4 || f->p->open[f->place]);
  values = list_of(f, &count); /* the change may have replaced it */
  for (int first = 0; shown && first < count * width; first += per_row, y += row) {
    int here = count * width - first < per_row ? count * width - first : per_row;
    if (!field_seen(f, y, row)) continue;
    float *copy = field_numbers(f, values, count * width, 0);
    if (!copy) continue;
    ui_label(&f->st->ui, TextFormat("%d", first / width + 1), f->r.x + ui_px(&f->st->ui, 8), y,
             theme_second);
    Rectangle line = { f->r.x + ui_px(&f->st->ui, 36), y,
                       (f->r.width - ui_px(&f->st->ui, 60)) * (float)here / (float)per_row, row };
    if (!numbers_row(f, line, first, copy + first, here)) continue;
    offer_list(f, copy, count, width);
    return y + (float)((count * width - first + per_row - 1) / per_row) * row;
  }
  return y;
}

float field_draw(field *f, float y) {
  ui *u = &f->st->ui;
  float next = y + ui_row(u);
  u->faint = !f->given;
  Rectangle r = field_label(f, y);
  switch (f->desc->type) {
  case SINEW_PARAM_NUMBER: draw_number(f, r); break;
  case SINEW_PARAM_FLAG: draw_flag(f, r); break;
  case SINEW_PARAM_VECTOR: draw_vector(f, r); break;
  case SINEW_PARAM_MATRIX: next = draw_matrix(f, r); break;
  case SINEW_PARAM_NUMBERS: next = draw_list(f, r, 1); break;
  case SINEW_PARAM_VECTORS: next = draw_list(f, r, 3); break;
  case SINEW_PARAM_CHOICE: draw_choice(f, r); break;
  case SINEW_PARAM_SEGMENT:
  case SINEW_PARAM_COMPONENT: draw_reference(f, r); break;
  case SINEW_PARAM_TEXT: draw_text(f, r); break;
  case SINEW_PARAM_CURVE: next = field_curve(f, r); break;
  default: draw_object(f, r); break;
  }
  u->faint = false;
  if (strcmp(f->p->wrong_param, f->name) == 0)
    next += edits_refusal(f->st, f->p->wrong, f->r, next);
  return next + 4;
}
