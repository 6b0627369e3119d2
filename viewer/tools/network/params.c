/* The panel of one component's parameters, each live. */
#include "tools/network/params.h"
#include "plain/acting.h"
#include "tools/edits/edits.h"
#include "tools/network/network.h"
#include "tools/network/param_field.h"
#include "ui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static params *state_of(const state *st) { return tool_state(st, "params"); }

sinew_component params_chosen(const state *st) { return state_of(st)->id; }

void params_choose(state *st, sinew_component component) {
  params *p = state_of(st);
  if (component.id == p->id.id) return;
  p->id = component;
  snprintf(p->name, sizeof p->name, "%s",
           component.id ? sinew_rig_component_info(state_rig(st), component).name : "");
  p->scroll = 0;
  p->wrong_param[0] = '\0';
  memset(p->open, 0, sizeof p->open);
  st->ui.focus = 0;
}

static void loaded(state *st, void *self) {
  params *p = self;
  const sinew_rig *rig = state_rig(st);
  int components = sinew_rig_component_count(rig), segments = sinew_rig_segment_count(rig);
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
  p->id = *p->name ? sinew_rig_find_component(rig, p->name, NULL) : (sinew_component){ 0 };
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

/* those of the class's table, then those with names of the author's choosing */
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
    ui_label(&st->ui, "it has no parameters", r.x, y, theme_faint);
    y += ui_row(&st->ui);
  }
  return y;
}

static void copy_lua(state *st, const params *p) {
  sinew_error error;
  const char *text = edits_lua(st, p->id, &error);
  if (!text) {
    state_say(st, "%s", error.text);
    return;
  }
  char what[256];
  snprintf(what, sizeof what, edits_find(st, p->id, NULL) ? "what changed of '%s'" : "'%s'",
           p->name);
  state_copy(st, text, what);
}

static void reset_all(state *st, const params *p) {
  sinew_error error;
  history_pause(st->history);
  if (edits_reset_param(st, p->id, NULL, &error) < 0) state_say(st, "%s", error.text);
}

static float draw_head(state *st, params *p, Rectangle r) {
  ui *u = &st->ui;
  sinew_component_info info = sinew_rig_component_info(state_rig(st), p->id);
  float row = ui_row(u), y = r.y + 6;
  DrawRectangleRounded((Rectangle){ r.x, y + row / 2 - 5, 10, 10 }, 0.4f, 4,
                       network_color(info.component_class));
  ui_label_in(u, p->name, r.x + 16, y, r.width - 16, theme_title);
  y += row;
  char line[300];
  const char *file = info.origin ? strrchr(info.origin, '/') : NULL;
  snprintf(line, sizeof line, "%s%s%s", info.component_class->name, info.origin ? ", " : "",
           file          ? file + 1
           : info.origin ? info.origin
                         : "");
  ui_label_in(u, line, r.x, y, r.width, theme_faint);
  if (ui_hot(u, (Rectangle){ r.x, r.y, r.width, 2 * row + 6 }))
    ui_tip(u, "%s: %s\n%s", info.component_class->name,
           info.component_class->doc ? info.component_class->doc : "",
           info.origin ? info.origin : "");
  y += row + 4;
  bool changed = edits_find(st, p->id, NULL) != NULL;
  edits_act act = edits_buttons(st, "params", (Rectangle){ r.x, y, r.width, row }, changed);
  if (act == EDITS_COPY) copy_lua(st, p);
  if (act == EDITS_RESET) reset_all(st, p);
  return y + row + 8;
}

static void panel(state *st, void *self, Rectangle r) {
  params *p = self;
  Rectangle inner = { r.x + 12, r.y, r.width - 24, r.height };
  if (!p->id.id) {
    ui_label(&st->ui, *p->name ? p->name : "no component is chosen", inner.x, r.y + 6, theme_faint);
    ui_label(&st->ui, *p->name ? "is not in this rig" : "click a box of the network (N)", inner.x,
             r.y + 6 + ui_row(&st->ui), theme_faint);
    return;
  }
  float top = draw_head(st, p, inner);
  Rectangle list = { r.x, top, r.width, r.y + r.height - top };
  Rectangle fields = { inner.x, top, inner.width, list.height };
  float y = ui_scroll_begin(&st->ui, list, &p->scroll);
  float end = draw_all(st, p, fields, y);
  ui_scroll_end(&st->ui, list, end - y + ui_row(&st->ui), &p->scroll);
}

/* the numbers of a line, or the words of a name, as the type wants them; a curve is its points */
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
  int wanted = d->type == SINEW_PARAM_VECTOR ? 3 : d->type == SINEW_PARAM_MATRIX ? 16 : 1;
  bool fits = param.type == SINEW_PARAM_TEXT || count >= wanted;
  if (!fits) snprintf(error->text, sizeof error->text, "%d numbers are wanted", wanted);
  history_pause(st->history);
  bool fine = fits && edits_apply_param(st, p->id, &param, error) >= 0;
  sinew_curve_destroy(curve);
  return fine;
}

static void print_list(const float *numbers, int count) {
  for (int i = 0; i < count; i++) printf(" %.9g", (double)numbers[i]);
}

static void print_value(const sinew_param *p) {
  printf("ok");
  if (!p) printf(" not given");
  if (p && p->type == SINEW_PARAM_VECTOR) print_list(p->number, 3);
  if (p && p->type == SINEW_PARAM_MATRIX) print_list(p->number, 16);
  if (p && (p->type == SINEW_PARAM_NUMBER || p->type == SINEW_PARAM_FLAG)) print_list(p->number, 1);
  if (p && p->type == SINEW_PARAM_NUMBERS) print_list(p->numbers, p->count);
  if (p && p->type == SINEW_PARAM_VECTORS) print_list(p->numbers, 3 * p->count);
  if (p && p->curve) {
    sinew_curve_desc d = sinew_curve_describe(p->curve);
    printf(" %s", sinew_curve_kind_name(d.kind));
    print_list(d.points, 2 * d.point_count);
    print_list(d.coefficients, d.coefficient_count);
  }
  if (p && p->text) printf(" %s", p->text);
  if (p && p->object_class) printf(" %s", p->object_class->name);
  printf("\n");
}

static void answer_param(state *st, params *p, char *rest) {
  sinew_error error = { 0 };
  char *equals = strchr(rest, '=');
  if (!p->id.id) {
    printf("error no component is chosen\n");
    return;
  }
  if (equals) {
    *equals = '\0';
    if (!read_value(st, p, rest, equals + 1, &error)) {
      printf("error %s\n", error.text);
      return;
    }
  }
  print_value(sinew_rig_find_param(state_rig(st), p->id, rest));
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  params *p = self;
  sinew_error error = { 0 };
  if (strcmp(verb, "choose") == 0) {
    sinew_component id = sinew_rig_find_component(state_rig(st), rest, &error);
    if (id.id) params_choose(st, id);
    if (id.id)
      printf("ok\n");
    else
      printf("error %s\n", error.text);
  } else if (strcmp(verb, "chosen") == 0) {
    printf("ok %s\n", p->id.id ? p->name : "");
  } else if (strcmp(verb, "param") == 0) {
    answer_param(st, p, rest);
  } else if (strcmp(verb, "wrong") == 0) {
    printf("ok %s\n", *p->wrong_param ? p->wrong : "");
  } else if (strcmp(verb, "param_reset") == 0) {
    reset_all(st, p);
    printf("ok\n");
  } else if (strcmp(verb, "param_lua") == 0) {
    const char *text = p->id.id ? edits_lua(st, p->id, &error) : NULL;
    printf(text ? "ok " : "error ");
    edits_print(text ? text : error.text);
  } else {
    return false;
  }
  return true;
}

static bool create(state *st, void *self) {
  (void)st;
  ((params *)self)->dragged = -1;
  return true;
}

static void destroy(void *self) {
  params *p = self;
  free(p->components);
  free(p->segments);
  free(p->numbers);
}

const tool tool_params = { .name = "params",
                           .doc = "the parameters of the chosen component",
                           .dock = DOCK_RIGHT,
                           .rows = 25,
                           .key = KEY_E,
                           .size = sizeof(params),
                           .create = create,
                           .destroy = destroy,
                           .loaded = loaded,
                           .panel = panel,
                           .remote = remote,
                           .remote_help =
                               "choose COMPONENT | chosen | param NAME[=VALUE] | wrong | "
                               "param_reset | param_lua" };
