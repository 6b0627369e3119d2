/* The panel for placing: the list of targets, the numbers of the chosen one, and the remote
 * verbs. */
#include "plain/space.h"
#include "tools/edits/edits.h"
#include "tools/place/place.h"
#include "ui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  unsigned what;
  const char *word, *label, *unit, *tip;
  float step;
} row;

static const row rows[] = {
  { PLACE_AT, "at", "position", "m", "in the same frame as in the script", 0.0005f },
  { PLACE_TURN, "turn", "rotation", "deg", "about its own x, then y, then z: Rx Ry Rz", 0.25f },
  { PLACE_DIRECTION, "axis", "direction", "", "any length but zero", 0.005f },
  { PLACE_RADII, "radii", "radii", "m", "along the ellipsoid's own axes", 0.0002f },
};
enum { row_count = sizeof rows / sizeof *rows };

/* the three numbers of a row; none for a rotation, which is a matrix */
static float *numbers_of(place_value *v, unsigned what) {
  if (what == PLACE_AT) return v->at;
  return what == PLACE_RADII ? v->radii : v->axis;
}

static void read_row(place_value *v, unsigned what, float dest[3]) {
  if (what == PLACE_TURN)
    handle_angles(v->turn, dest);
  else
    memcpy(dest, numbers_of(v, what), 3 * sizeof *dest);
}

static void write_row(place_value *v, unsigned what, const float from[3]) {
  if (what == PLACE_TURN)
    handle_from_angles(from, handle_mirrored(v->turn), v->turn);
  else
    memcpy(numbers_of(v, what), from, 3 * sizeof *from);
}

static float draw_rows(state *st, place *p, Rectangle r, float y) {
  ui *u = &st->ui;
  const place_target *t = place_chosen(p);
  place_value value;
  float line = ui_row(u);
  if (!place_read(st, t, &value)) return y;
  for (int i = 0; i < row_count; i++) {
    if (!(place_has(t) & rows[i].what)) continue;
    float numbers[3];
    read_row(&value, rows[i].what, numbers);
    const char *unit = strcmp(rows[i].unit, "deg") == 0 ? "\u00b0" : rows[i].unit;
    ui_label(u, TextFormat(*unit ? "%s, %s" : "%s", rows[i].label, unit), r.x, y, theme_hint);
    if (ui_hot(u, (Rectangle){ r.x, y, r.width, line })) ui_tip(u, "%s", rows[i].tip);
    y += line;
    if (ui_numbers(u, rows[i].word, 0, (Rectangle){ r.x, y, r.width, line }, rows[i].unit,
                   rows[i].step, 3, numbers)) {
      write_row(&value, rows[i].what, numbers);
      place_offer(st, p, &value, rows[i].what);
      place_read(st, t, &value);
    }
    y += line + 6;
  }
  return y;
}

static edits_owner owner_of(const place_target *t) {
  if (t->kind == PLACE_REST) return (edits_owner){ .segment = t->segment };
  return edits_of_component(t->component);
}

/* "Right shoulder: flexion, centre 1" */
static void target_words(const state *st, const place_target *t, char *dest, size_t capacity) {
  selection what = { .component = t->component };
  char name[300];
  if (!what.component.id) what.segment = t->segment;
  state_words(st, what, true, name, sizeof name);
  int kind = (int)(strstr(t->label, " of ") - t->label);
  snprintf(dest, capacity, "%s, %.*s", name, kind, t->label);
}

void place_panel(state *st, void *self, Rectangle r) {
  place *p = self;
  ui *u = &st->ui;
  float line = ui_row(u), y = r.y + 6;
  Rectangle inner = { r.x + ui_px(u, 12), r.y, r.width - ui_px(u, 24), r.height };
  if (!p->count) {
    ui_label(u, "click a bone to list what can be placed", inner.x, y, theme_second);
    return;
  }
  int shown = p->count < 10 ? p->count : 10;
  Rectangle list = { r.x, y, r.width, line * (float)shown };
  float at = ui_scroll_begin(u, list, &p->scroll), top = at;
  float inset = ui_px(u, theme_s1);
  for (int i = 0; i < p->count; i++, at += line) {
    Rectangle item = { r.x + inset, at, r.width - 2 * inset, line };
    char words[400];
    target_words(st, &p->targets[i], words, sizeof words);
    if (ui_item(u, ui_id("places", i), item, words, i == p->chosen)) place_choose(p, i);
    if (ui_hot(u, item)) ui_tip(u, "%s\n%s", words, p->targets[i].label);
  }
  ui_scroll_end(u, list, at - top, &p->scroll);
  y += list.height + 8;
  const place_target *t = place_chosen(p);
  if (!t) return;
  edits_buttons(st, "place", owner_of(t), (Rectangle){ inner.x, y, inner.width, line });
  y += line + 8;
  y = draw_rows(st, p, inner, y);
  ui_toggle(u, ui_id("place", 10), (Rectangle){ inner.x, y, inner.width, line },
            "Handles along the world's axes", &p->world);
  y += line + 4;
  if (!p->shown) {
    ui_label(u, "no handle: the bone that it moves is unknown", inner.x, y, theme_second);
    y += line;
  }
  if (*p->wrong) edits_refusal(st, p->wrong, inner, y);
}

static bool three(const char *text, float dest[3]) {
  return sscanf(text, "%f %f %f", &dest[0], &dest[1], &dest[2]) == 3;
}

/* drags a part by these amounts, as the mouse would */
static void answer_drag(state *st, place *p, const float amounts[3], handle_part first) {
  bool fine = true;
  history_pause(st->history);
  for (int k = 0; k < 3 && fine; k++) {
    place_value value;
    unsigned what;
    float base[16];
    p->held = (handle_part)(first + k);
    if (amounts[k] == 0 || !handle_has(&p->handle, p->held)) continue;
    place_read(st, place_chosen(p), &p->before);
    handle_axis(&p->handle, p->held, p->axis);
    place_base(st, place_chosen(p), base);
    place_drag(p, base, amounts[k], &value, &what);
    fine = place_offer(st, p, &value, what);
  }
  p->held = HANDLE_NONE;
  tool_answer(fine, p->wrong);
}

static void answer_set(state *st, place *p, const char *rest) {
  const place_target *t = place_chosen(p);
  place_value value;
  float numbers[3];
  for (int i = 0; i < row_count; i++) {
    size_t length = strlen(rows[i].word);
    if (strncmp(rest, rows[i].word, length) != 0 || rest[length] != ' ' ||
        !(place_has(t) & rows[i].what))
      continue;
    if (!three(rest + length, numbers) || !place_read(st, t, &value)) break;
    history_pause(st->history);
    write_row(&value, rows[i].what, numbers);
    tool_answer(place_offer(st, p, &value, rows[i].what), p->wrong);
    return;
  }
  printf("error place_set with three numbers:");
  for (int i = 0; i < row_count; i++)
    if (place_has(t) & rows[i].what) printf(" %s", rows[i].word);
  printf("\n");
}

static void answer_get(const state *st, const place_target *t) {
  place_value value;
  float numbers[3];
  printf("ok");
  for (int i = 0; place_read(st, t, &value) && i < row_count; i++) {
    if (!(place_has(t) & rows[i].what)) continue;
    read_row(&value, rows[i].what, numbers);
    printf(" %s %.9g %.9g %.9g", rows[i].word, (double)numbers[0], (double)numbers[1],
           (double)numbers[2]);
  }
  printf("\n");
}

/* the window position of a part: x y z, turn_x ..., knob_x ...; on a ring, at an angle */
static void answer_handle(const state *st, const place *p, const char *rest) {
  static const char *const parts[] = { "x",      "y",      "z",      "turn_x", "turn_y",
                                       "turn_z", "knob_x", "knob_y", "knob_z" };
  char name[16] = "";
  float degrees = 45;
  sscanf(rest, "%15s %f", name, &degrees);
  for (int i = 0; i < HANDLE_PARTS; i++) {
    float line[handle_line_points][3];
    if (strcmp(parts[i], name) != 0 || !p->shown || !handle_has(&p->handle, (handle_part)i))
      continue;
    int count = handle_line(&p->handle, (handle_part)i, line), last = count - 1;
    int round = (int)lroundf(degrees / 360 * (float)last) % last;
    if (round < 0) round += last;
    const float *on = line[count == 2 ? 1 : round];
    Vector2 at = state_project(st, (Vector3){ on[0], on[1], on[2] });
    printf("ok %g %g\n", (double)at.x, (double)at.y);
    return;
  }
  printf("error no such handle is shown: x y z turn_x turn_y turn_z knob_x knob_y knob_z\n");
}

static void answer_choose(place *p, const char *label) {
  for (int i = 0; i < p->count; i++)
    if (strcmp(p->targets[i].label, label) == 0) {
      place_choose(p, i);
      printf("ok\n");
      return;
    }
  printf("error '%s' is not among `places`\n", label);
}

bool place_remote(state *st, void *self, const char *verb, char *rest) {
  place *p = self;
  float v[3] = { 0, 0, 0 };
  bool list = strcmp(verb, "places") == 0;
  if (!list && strncmp(verb, "place_", 6) != 0) return false;
  place_follow(st, p);
  const place_target *t = place_chosen(p);
  const char *what = verb + 6;
  if (list) {
    printf("ok %d", p->count);
    for (int i = 0; i < p->count; i++) printf("; %s", p->targets[i].label);
    printf("\n");
  } else if (strcmp(what, "choose") == 0) {
    answer_choose(p, rest);
  } else if (strcmp(what, "message") == 0) {
    printf("ok %s\n", p->wrong);
  } else if (strcmp(what, "axes") == 0) {
    p->world = strcmp(rest, "world") == 0;
    printf("ok\n");
  } else if (!t) {
    printf("error no bone is selected\n");
  } else if (strcmp(what, "move") == 0) {
    if (three(rest, v) && p->handle.moves)
      answer_drag(st, p, v, HANDLE_MOVE);
    else
      printf("error place_move DX DY DZ, of what has a position\n");
  } else if (strcmp(what, "turn") == 0) {
    if (rest[0] >= 'x' && rest[0] <= 'z' && sscanf(rest + 1, "%f", &v[rest[0] - 'x']) == 1 &&
        p->handle.turns)
      answer_drag(st, p, v, HANDLE_TURN);
    else
      printf("error place_turn x|y|z DEGREES, of what can be turned\n");
  } else if (strcmp(what, "set") == 0) {
    answer_set(st, p, rest);
  } else if (strcmp(what, "get") == 0) {
    answer_get(st, t);
  } else if (strcmp(what, "handle") == 0) {
    answer_handle(st, p, rest);
  } else if (strcmp(what, "reset") == 0) {
    edits_answer_reset(st, owner_of(t));
  } else if (strcmp(what, "lua") == 0) {
    edits_answer_lua(st, owner_of(t));
  } else {
    return false;
  }
  return true;
}
