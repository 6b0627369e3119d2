/* The palette: finds every command, bone, DOF and option of the rig by a few letters. */
#include "app/app.h"
#include "plain/fuzzy.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum finding_kind { FIND_COMMAND, FIND_BONE, FIND_DOF, FIND_OPTION } finding_kind;

typedef struct finding {
  finding_kind kind;
  int fit;
  int index;       /* of the command or of the option */
  selection what;  /* a bone or a DOF */
  char title[160]; /* what is shown */
  char note[96];   /* its key, its name in the script */
} finding;

enum { most_findings = 40, shown_findings = 12 };

typedef struct findings {
  finding list[most_findings];
  int count;
} findings;

static char query[80];
static int chosen;
static float scroll;

/* keeps the best, in order; of equals the first */
static void offer(findings *f, const finding *one) {
  int at = f->count;
  while (at > 0 && f->list[at - 1].fit < one->fit) at--;
  if (at == most_findings) return;
  if (f->count < most_findings) f->count++;
  memmove(f->list + at + 1, f->list + at, (size_t)(f->count - 1 - at) * sizeof *f->list);
  f->list[at] = *one;
}

/* the better of the words and of the name in the script */
static int fit_of(const finding *f, const char *words) {
  int a = fuzzy_fit(f->title, words), b = *f->note ? fuzzy_fit(f->note, words) - 1 : 0;
  return a > b ? a : b;
}

static void find_commands(const state *st, const char *words, findings *dest) {
  for (int i = 0; i < st->commands.count; i++) {
    const command_at *c = &st->commands.all[i];
    finding f = { .kind = FIND_COMMAND, .index = i };
    if (!command_enabled(st, c)) continue;
    snprintf(f.title, sizeof f.title, "%s", c->command->title);
    int by_name = fuzzy_fit(c->command->name, words) - 1;
    f.fit = fuzzy_fit(f.title, words);
    if (by_name > f.fit) f.fit = by_name;
    key_text(c->command->key, f.note, sizeof f.note);
    if (f.fit > 0) offer(dest, &f);
  }
}

static void find_parts(const state *st, const char *words, findings *dest) {
  const sinew_rig *rig = state_rig(st);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    finding f = { .kind = FIND_DOF, .what = { .dof = sinew_rig_dof(rig, i) } };
    state_words(st, f.what, true, f.title, sizeof f.title);
    snprintf(f.note, sizeof f.note, "%s", state_name(st, f.what));
    if ((f.fit = fit_of(&f, words)) > 0) offer(dest, &f);
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    finding f = { .kind = FIND_BONE, .what = { .segment = sinew_rig_segment(rig, i) } };
    state_words(st, f.what, true, f.title, sizeof f.title);
    snprintf(f.note, sizeof f.note, "%s", state_name(st, f.what));
    if ((f.fit = fit_of(&f, words)) > 0) offer(dest, &f);
  }
}

/* a line for each value of an option, or one that opens the panel for a number */
static void find_options(const state *st, const char *words, findings *dest) {
  for (int i = 0; i < sinew_host_option_count(st->host); i++) {
    sinew_host_option o = sinew_host_option_info(st->host, i);
    for (const char *at = o.number ? "" : o.allowed;;) {
      int length = (int)strcspn(at, "|");
      finding f = { .kind = FIND_OPTION, .index = i };
      snprintf(f.note, sizeof f.note, "%.*s", length, at);
      snprintf(f.title, sizeof f.title, o.number ? "Option %s%s" : "Option %s = %s", o.name,
               f.note);
      f.fit = fuzzy_fit(f.title, words);
      if (f.fit > 0 && strcmp(f.note, o.value) != 0) offer(dest, &f);
      if (!at[length]) break;
      at += length + 1;
    }
  }
}

static void find(const state *st, const char *words, findings *dest) {
  dest->count = 0;
  find_commands(st, words, dest);
  if (!*words) return;
  find_parts(st, words, dest);
  find_options(st, words, dest);
}

static void take(state *st, const finding *f) {
  st->show_palette = false;
  switch (f->kind) {
  case FIND_COMMAND: command_run(st, &st->commands.all[f->index]); break;
  case FIND_DOF: tool_set_open(st, "dofs", true); /* fall through */
  case FIND_BONE: state_select(st, f->what); break;
  case FIND_OPTION:
    if (*f->note)
      loading_choose(st, sinew_host_option_info(st->host, f->index).name, f->note);
    else
      tool_set_open(st, "choices", true);
    break;
  }
}

void palette_open(state *st) {
  query[0] = '\0';
  chosen = 0;
  scroll = 0;
  st->show_palette = true;
  st->ui.focus = ui_id("palette", 0);
  st->ui.cursor = st->ui.anchor = 0;
}

static void draw_line(const ui *u, const finding *f, Rectangle r, bool lit) {
  static const char *const kinds[] = { "", "bone", "DOF", "option" };
  float pad = ui_px(u, theme_s2);
  const char *note = f->kind == FIND_OPTION ? "" : f->note;
  const char *right = TextFormat("%s%s%s", note, *note && f->kind ? "   " : "", kinds[f->kind]);
  float wide = fminf(ui_width_as(u, theme_note, right), r.width / 2);
  if (lit) ui_box(u, r, theme_hover);
  ui_label_in(u, f->title, r.x + pad, r.y, r.width - wide - 3 * pad, theme_text);
  ui_label_as(u, theme_note, right, r.x + r.width - wide - pad, r.y, wide + 1, theme_hint);
}

static int move_choice(const findings *found) {
  if (IsKeyPressed(KEY_DOWN) || IsKeyPressedRepeat(KEY_DOWN)) chosen++;
  if (IsKeyPressed(KEY_UP) || IsKeyPressedRepeat(KEY_UP)) chosen--;
  if (chosen >= found->count) chosen = found->count - 1;
  return chosen = chosen < 0 ? 0 : chosen;
}

void palette_draw(state *st) {
  static findings found;
  ui *u = &st->ui;
  float pad = ui_px(u, theme_s2), row = ui_px(u, 26), field = ui_px(u, 30);
  float width = fminf(ui_px(u, 560), (float)GetScreenWidth() - 2 * pad);
  find(st, query, &found);
  float room = (float)GetScreenHeight() * 0.8f - field - 3 * pad;
  float lines = fminf((float)fminf(shown_findings, (float)found.count) * row, fmaxf(room, row));
  Rectangle r = { roundf(((float)GetScreenWidth() - width) / 2), ui_px(u, 48), width,
                  field + lines + 3 * pad };
  bool away =
      IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && !CheckCollisionPointRec(GetMousePosition(), r);
  ui_float(u, r);
  int id = ui_id("palette", 0);
  u->wants_mouse = true;
  u->focus = id; /* whatever was clicked */
  if (ui_input(u, id, (Rectangle){ r.x + pad, r.y + pad, width - 2 * pad, field },
               "Find a command, a bone, a DOF or an option", query, sizeof query)) {
    chosen = 0;
    scroll = 0;
    find(st, query, &found);
  }
  bool enter = IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER);
  int was = chosen;
  move_choice(&found);
  Rectangle list = { r.x, r.y + field + 2 * pad, width, lines };
  float y = ui_scroll_begin(u, list, &scroll), start = y;
  const finding *clicked = NULL;
  for (int i = 0; i < found.count; i++, y += row) {
    Rectangle line = { r.x + pad, y, width - 2 * pad, row };
    if (was != chosen && i == chosen) ui_reveal(list, line, &scroll);
    if (ui_pressed(u, ui_id("palette", 1 + i), line)) clicked = &found.list[i];
    if (ui_hot(u, line) && (GetMouseDelta().x != 0 || GetMouseDelta().y != 0)) chosen = i;
    draw_line(u, &found.list[i], line, i == chosen);
  }
  ui_scroll_end(u, list, y - start, &scroll);
  if (away || IsKeyPressed(KEY_ESCAPE)) st->show_palette = false;
  if (enter && chosen < found.count) clicked = &found.list[chosen];
  if (clicked) take(st, clicked);
  if (!st->show_palette) u->focus = 0;
}

void palette_answer(const state *st, const char *words) {
  findings *found = calloc(1, sizeof *found);
  if (!found) return;
  find(st, words, found);
  printf("ok");
  for (int i = 0; i < found->count && i < shown_findings; i++)
    printf("%s%s", i ? " | " : " ", found->list[i].title);
  printf("\n");
  free(found);
}
