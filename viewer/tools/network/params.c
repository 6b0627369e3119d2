/* The panel of one component's parameters, which changes them live. */
#include "plain/acting.h"
#include "plain/param_copy.h"
#include "plain/side.h"
#include "tools/edits/edits.h"
#include "tools/network/network.h"
#include "tools/network/param_field.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* whether a component is among those of the selected bone: what moves it alone, and its driver */
static bool is_part(const state *st, sinew_component c) {
  sinew_segment bone = st->selected.segment;
  if (c.id == st->selected.component.id) return true;
  if (!bone.id) return false;
  return c.id == sinew_rig_segment_info(state_rig(st), bone).driver.id ||
         (st->moved_by && st->moved_by[c.id - 1].id == bone.id);
}

/* the component that is selected; with a bone, the part of it that is evaluated last and has
 * parameters */
static sinew_component shown(const state *st) {
  const sinew_rig *rig = state_rig(st);
  if (st->selected.component.id) return st->selected.component;
  sinew_component last = { 0 };
  for (int i = sinew_rig_component_count(rig) - 1; i >= 0; i--) {
    sinew_component c = sinew_rig_order(rig, i);
    if (!is_part(st, c)) continue;
    const sinew_param_desc *first = sinew_rig_component_info(rig, c).component_class->params;
    if (first && first->name) return c;
    if (!last.id) last = c;
  }
  return last;
}

static void follow(state *st, params *p) {
  if (p->seen == st->selections && p->id.id) return;
  p->seen = st->selections;
  sinew_component component = shown(st);
  if (component.id == p->id.id) return;
  p->id = component;
  snprintf(p->name, sizeof p->name, "%s",
           component.id ? sinew_rig_component_info(state_rig(st), component).name : "");
  p->scroll = 0;
  p->wrong_param[0] = '\0';
  memset(p->open, 0, sizeof p->open);
  st->ui.focus = 0;
}

static void free_words(params *p) {
  names_free(p->component_words, p->component_count);
  names_free(p->segment_words, p->segment_count);
  p->component_words = p->segment_words = NULL;
}

static void loaded(state *st, void *self) {
  params *p = self;
  const sinew_rig *rig = state_rig(st);
  int components = sinew_rig_component_count(rig), segments = sinew_rig_segment_count(rig);
  free_words(p);
  free(p->components);
  free(p->segments);
  p->components = malloc(((size_t)components + 1) * sizeof *p->components);
  p->segments = malloc(((size_t)segments + 1) * sizeof *p->segments);
  p->component_count = p->components ? components : 0;
  p->segment_count = p->segments ? segments : 0;
  for (int i = 0; i < p->component_count; i++)
    p->components[i] = sinew_rig_component_info(rig, sinew_rig_component(rig, i)).name;
  for (int i = 0; i < p->segment_count; i++)
    p->segments[i] = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name;
  p->id = (sinew_component){ 0 }; /* found again by the selection, whose names stay */
  p->seen = 0;
  p->wrong_param[0] = '\0';
}

static const sinew_param_desc *in_table(const sinew_component_class *cls, const char *name) {
  for (const sinew_param_desc *d = cls->params; d && d->name; d++)
    if (strcmp(d->name, name) == 0) return d;
  return NULL;
}

static float draw_one(state *st, params *p, const sinew_param_desc *desc, const char *name,
                      int place, Rectangle r, float y) {
  field f = { .st = st,
              .p = p,
              .component = p->id,
              .desc = desc,
              .name = name,
              .given = sinew_rig_find_param(state_rig(st), p->id, name),
              .place = place,
              .r = r };
  snprintf(f.scope, sizeof f.scope, "param %s", name);
  return field_draw(&f, y);
}

/* the parameters of the class's table, then those with free names */
static float draw_all(state *st, params *p, Rectangle r, float y) {
  sinew_component_info info = sinew_rig_component_info(state_rig(st), p->id);
  const sinew_component_class *cls = info.component_class;
  int place = 0;
  float start = y;
  for (const sinew_param_desc *d = cls->params; d && d->name && place < most_params; d++)
    y = draw_one(st, p, d, d->name, place++, r, y);
  for (int i = 0; cls->named && i < info.param_count && place < most_params; i++) {
    char name[104];
    snprintf(name, sizeof name, "%s", sinew_rig_param(state_rig(st), p->id, i)->name);
    if (!in_table(cls, name)) y = draw_one(st, p, cls->named, name, place++, r, y);
  }
  if (y == start) {
    ui_label(&st->ui, "It has no parameters", r.x, y, theme_second);
    y += ui_row(&st->ui);
  }
  return y;
}

static float draw_head(state *st, params *p, Rectangle r) {
  ui *u = &st->ui;
  sinew_component_info info = sinew_rig_component_info(state_rig(st), p->id);
  selection what = { .component = p->id };
  char words[400];
  float row = ui_row(u), y = r.y + 6;
  state_words(st, what, true, words, sizeof words);
  float side = ui_px(u, 10);
  icon_box((Rectangle){ r.x, y + (row - side) / 2, side, side }, 2,
           network_color(info.component_class));
  ui_title(u, words, r.x + ui_px(u, 16), y, r.width - ui_px(u, 16));
  if (ui_hot(u, (Rectangle){ r.x, y, r.width, row }))
    ui_tip(u, "%s\n%s: %s", p->name, info.component_class->name,
           info.component_class->doc ? info.component_class->doc : "");
  y += row;
  const char *kind = TextFormat("%s, ", info.component_class->name);
  float wide = ui_text_width(u, kind);
  ui_label(u, kind, r.x, y, theme_hint);
  Rectangle line = { r.x + wide, y, r.width - wide, row };
  const char *file = info.origin && *info.origin ? GetFileName(info.origin) : "";
  ui_label_in(u, file, line.x, y, line.width, ui_hot(u, line) ? theme_text : theme_second);
  if (ui_hot(u, line)) ui_tip(u, "%s\nclick: opens it in your editor", info.origin);
  if (ui_pressed(u, ui_id("params source", 0), line)) state_open_source(st, what);
  y += row + 4;
  edits_buttons(st, "params", edits_of_component(p->id), (Rectangle){ r.x, y, r.width, row });
  return y + row + 8;
}

/* a part of the bone: a click shows its parameters below it */
static void draw_part(state *st, const params *p, sinew_component c, Rectangle r) {
  ui *u = &st->ui;
  sinew_component_info info = sinew_rig_component_info(state_rig(st), c);
  selection what = { .segment = st->selected.segment, .component = c };
  bool open = c.id == p->id.id;
  char words[400];
  state_words(st, what, false, words, sizeof words);
  if (ui_item(u, ui_id(info.name, 5), (Rectangle){ r.x - 8, r.y, r.width + 16, r.height }, "",
              false))
    state_follow_link(st, what);
  ui_chevron(u, r.x + ui_px(u, 3), r.y + r.height / 2, open, theme_hint);
  float side = ui_px(u, 10);
  icon_box((Rectangle){ r.x + ui_px(u, 12), r.y + (r.height - side) / 2, side, side }, 2,
           network_color(info.component_class));
  ui_label_in(u, words, r.x + ui_px(u, 28), r.y, r.width - ui_px(u, 28),
              st->selected.component.id == c.id ? theme_selected : theme_text);
  if (edits_find(st, edits_of_component(c), NULL))
    icon_draw(ICON_DISC, (Vector2){ r.x + r.width - 6, r.y + r.height / 2 }, ui_px(u, 5),
              theme_action);
  if (ui_hot(u, r)) state_link_tip(st, info.component_class->name, what);
}

static void panel(state *st, void *self, Rectangle r) {
  params *p = self;
  follow(st, p);
  const sinew_rig *rig = state_rig(st);
  float pad = ui_px(&st->ui, theme_s3);
  Rectangle inner = { r.x + pad, r.y, r.width - 2 * pad, r.height };
  float row = ui_row(&st->ui);
  if (!p->id.id) {
    bool bone = st->selected.segment.id != 0;
    ui_label(&st->ui, bone ? "No component moves this bone" : "Nothing is selected", inner.x,
             r.y + 6, theme_text);
    ui_label(&st->ui, "Select a bone, or a box of the network (N)", inner.x, r.y + 6 + row,
             theme_second);
    return;
  }
  float top = draw_head(st, p, inner);
  Rectangle list = { r.x, top, r.width, r.y + r.height - top };
  Rectangle fields = { inner.x, top, inner.width, list.height };
  float y = ui_scroll_begin(&st->ui, list, &p->scroll), start = y;
  for (int i = sinew_rig_component_count(rig) - 1; i >= 0; i--) {
    sinew_component c = sinew_rig_order(rig, i);
    if (!is_part(st, c)) continue;
    Rectangle line = { inner.x, y, inner.width, row };
    draw_part(st, p, c, line);
    y += row + 2;
    if (c.id != p->id.id) continue;
    if (p->revealed != p->id.id)
      ui_reveal(list, (Rectangle){ r.x, line.y, 1, 4 * row }, &p->scroll);
    p->revealed = p->id.id;
    y = draw_all(st, p, fields, y) + row / 2;
  }
  ui_scroll_end(&st->ui, list, y - start + row, &p->scroll);
}

/* reads a value of the parameter's type from text: numbers, a name, or the points of a curve */
static bool read_value(state *st, params *p, const char *name, char *text, sinew_error *error) {
  enum { most = 256 };
  float numbers[most];
  int count = 0;
  const sinew_component_class *cls = sinew_rig_component_info(state_rig(st), p->id).component_class;
  const sinew_param_desc *d = in_table(cls, name);
  if (!d) d = cls->named;
  if (!d) {
    snprintf(error->text, sizeof error->text, "a %s has no parameter '%s'", cls->name, name);
    return false;
  }
  char *end = text;
  while (count < most && *text) {
    numbers[count] = strtof(text, &end);
    if (end == text) break;
    text = end;
    count++;
  }
  sinew_param param = sinew_param_text(name, text + strspn(text, " "));
  sinew_curve *curve = NULL;
  switch (d->type) {
  case SINEW_PARAM_NUMBER: param = sinew_param_number(name, numbers[0]); break;
  case SINEW_PARAM_FLAG: param = sinew_param_flag(name, numbers[0] != 0); break;
  case SINEW_PARAM_VECTOR:
    param = sinew_param_vector(name, numbers[0], numbers[1], numbers[2]);
    break;
  case SINEW_PARAM_MATRIX: param = sinew_param_matrix(name, numbers); break;
  case SINEW_PARAM_NUMBERS: param = sinew_param_numbers(name, numbers, count); break;
  case SINEW_PARAM_VECTORS: param = sinew_param_vectors(name, numbers, count / 3); break;
  case SINEW_PARAM_CURVE: {
    sinew_curve_desc desc = sinew_default_curve_desc();
    const sinew_param *old = sinew_rig_find_param(state_rig(st), p->id, name);
    if (old) desc = sinew_curve_describe(old->curve);
    desc.points = numbers;
    desc.point_count = count / 2;
    curve = sinew_curve_create(&desc, error);
    if (!curve) return false;
    param = sinew_param_curve(name, curve);
    break;
  }
  default: break;
  }
  int wanted = d->type == SINEW_PARAM_VECTOR ? 3 : 1;
  if (d->type == SINEW_PARAM_MATRIX) wanted = 16;
  bool fits = param.type == SINEW_PARAM_TEXT || count >= wanted;
  if (!fits) snprintf(error->text, sizeof error->text, "%d numbers are needed", wanted);
  history_pause(st->history);
  bool fine = fits && edits_apply(st, edits_of_component(p->id), &param, 1, error) >= 0;
  sinew_curve_destroy(curve);
  return fine;
}

static void print_list(const float *numbers, int count) {
  for (int i = 0; i < count; i++) printf(" %.9g", (double)numbers[i]);
}

static void print_value(const sinew_param *p) {
  if (!p) {
    printf("ok not given\n");
    return;
  }
  printf("ok");
  print_list(acting_numbers(p), (int)param_floats(p));
  if (p->curve) {
    sinew_curve_desc d = sinew_curve_describe(p->curve);
    printf(" %s", sinew_curve_kind_name(d.kind));
    print_list(d.points, 2 * d.point_count);
    print_list(d.coefficients, d.coefficient_count);
  }
  if (p->text) printf(" %s", p->text);
  if (p->object_class) printf(" %s", p->object_class->name);
  printf("\n");
}

static bool answer_param(state *st, params *p, char *rest) {
  sinew_error error = { 0 };
  char *equals = strchr(rest, '=');
  if (equals) {
    *equals = '\0';
    if (!read_value(st, p, rest, equals + 1, &error)) return tool_answer(false, error.text);
  }
  print_value(sinew_rig_find_param(state_rig(st), p->id, rest));
  return true;
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  params *p = self;
  follow(st, p);
  sinew_error error = { 0 };
  bool of_chosen = strncmp(verb, "param", 5) == 0;
  if (strcmp(verb, "choose") == 0) {
    sinew_component id = sinew_rig_find_component(state_rig(st), rest, &error);
    if (id.id) state_select(st, (selection){ .component = id });
    return tool_answer(id.id, error.text);
  }
  if (strcmp(verb, "chosen") == 0) return tool_answer_text(p->id.id ? p->name : "", NULL);
  if (strcmp(verb, "wrong") == 0) return tool_answer_text(*p->wrong_param ? p->wrong : "", NULL);
  if (of_chosen && !p->id.id) return tool_answer(false, "no component is chosen");
  if (strcmp(verb, "param") == 0) return answer_param(st, p, rest);
  if (strcmp(verb, "param_reset") == 0) return edits_answer_reset(st, edits_of_component(p->id));
  if (strcmp(verb, "param_lua") == 0) return edits_answer_lua(st, edits_of_component(p->id));
  return false;
}

static bool create(state *st, void *self) {
  (void)st;
  ((params *)self)->dragged = -1;
  return true;
}

static void destroy(void *self) {
  params *p = self;
  free_words(p);
  free(p->components);
  free(p->segments);
  free(p->numbers);
}

const tool tool_params = { .name = "params",
                           .title = "Parameters",
                           .doc =
                               "the parameters of the bone under the mouse, or of what is selected",
                           .dock = DOCK_RIGHT,
                           .room = 300,
                           .layouts = IN_RIG,
                           .key = KEY_E,
                           .of_bone = true,
                           .size = sizeof(params),
                           .create = create,
                           .destroy = destroy,
                           .loaded = loaded,
                           .panel = panel,
                           .remote = remote,
                           .remote_help =
                               "choose COMPONENT | chosen | param NAME[=VALUE] | wrong | "
                               "param_reset | param_lua" };
