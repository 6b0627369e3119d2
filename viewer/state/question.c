/* Draws the open question over everything, and takes its answer. */
#include "state/question.h"
#include "state/state.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char scope[] = "question";

bool question_open(const state *st) { return st->question.count > 0; }

question *question_ask(state *st, const char *title, const char *text, const char *const *answers,
                       int count, void (*answered)(state *st, int answer)) {
  question *q = &st->question;
  *q = (question){ .answered = answered };
  snprintf(q->title, sizeof q->title, "%s", title);
  snprintf(q->text, sizeof q->text, "%s", text);
  for (; q->count < count && q->count < most_answers; q->count++)
    q->answers[q->count] = answers[q->count];
  st->ui.active = st->ui.focus = 0;
  return q;
}

void question_field_add(question *q, const char *label, const char *text) {
  if (q->field_count == most_fields) return;
  question_field *f = &q->fields[q->field_count++];
  snprintf(f->label, sizeof f->label, "%s", label);
  snprintf(f->text, sizeof f->text, "%s", text);
  f->used = true;
}

/* closes it before the answer, which may ask the next */
static void answer(state *st, int which) {
  question *q = &st->question;
  void (*answered)(state * st, int answer) = q->answered;
  q->count = 0;
  st->ui.focus = 0;
  if (answered) answered(st, which);
}

bool question_answer(state *st, const char *word) {
  for (int i = 0; i < st->question.count; i++)
    if (strcmp(st->question.answers[i], word) == 0) {
      answer(st, i);
      return true;
    }
  return false;
}

/* a copy of the text up to the end of the line, and the start of the next one */
static const char *take_line(const char *text, char *dest, size_t capacity) {
  size_t length = strcspn(text, "\n");
  snprintf(dest, capacity, "%.*s", (int)length, text);
  return text + length + (text[length] == '\n');
}

/* the text that is shown; a line that names a file in full has that as its tip */
static float draw_lines(state *st, const char *text, float x, float y, float width) {
  char line[sizeof st->question.text], whole[sizeof line];
  const char *from = st->question.text;
  for (const char *at = text; *at; y += ui_row(&st->ui)) {
    at = take_line(at, line, sizeof line);
    from = take_line(from, whole, sizeof whole);
    ui_label_in(&st->ui, line, x, y, width, theme_second);
    Rectangle r = { x, y, width, ui_row(&st->ui) };
    if (strcmp(line, whole) != 0 && ui_hot(&st->ui, r)) ui_tip(&st->ui, "%s", whole);
  }
  return y;
}

void question_text(const state *st, char *dest, size_t capacity) {
  state_short(st, st->question.text, dest, capacity);
}

static Rectangle place_of(const state *st, const char *text, int lines) {
  const ui *u = &st->ui;
  const question *q = &st->question;
  float width = ui_px(u, 440), row = ui_row(u), pad = ui_px(u, theme_s4);
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, "\n");
    width = fmaxf(width, ui_text_width(u, TextFormat("%.*s", (int)length, at)) + 2 * pad);
    at += length + (at[length] == '\n');
  }
  width = fminf(width, (float)GetScreenWidth() - 2 * pad);
  float gap = ui_px(u, theme_s1);
  float height = row * (float)(lines + 2) + (row + gap) * (float)q->field_count + 3 * pad;
  return (Rectangle){ roundf(((float)GetScreenWidth() - width) / 2),
                      roundf(fmaxf(0, ((float)GetScreenHeight() - height) / 3)), width, height };
}

/* the fields; Enter in one of them gives the first answer */
static bool draw_fields(state *st, Rectangle row) {
  ui *u = &st->ui;
  question *q = &st->question;
  float label = 0, pad = ui_px(u, theme_s2), box = q->ticks ? ui_px(u, 22) : 0;
  bool enter = false;
  for (int i = 0; i < q->field_count; i++)
    label = fmaxf(label, ui_text_width(u, q->fields[i].label));
  for (int i = 0; i < q->field_count; i++) {
    question_field *f = &q->fields[i];
    Rectangle r = { row.x, row.y, label + box + pad, row.height };
    if (q->ticks)
      ui_toggle(u, ui_id(scope, 200 + i), r, f->label, &f->used);
    else
      ui_label(u, f->label, r.x, r.y, theme_second);
    r.x += r.width;
    r.width = row.x + row.width - r.x;
    int id = ui_id(scope, 100 + i);
    bool had = u->focus == id;
    ui_input(u, id, r, "", f->text, sizeof f->text);
    enter |= had && u->focus != id && (IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER));
    row.y += row.height + ui_px(u, theme_s1);
  }
  return enter;
}

void question_draw(state *st) {
  question *q = &st->question;
  ui *u = &st->ui;
  if (!q->count) return;
  if (q->watch) q->watch(st);
  char text[sizeof q->text];
  question_text(st, text, sizeof text);
  int lines = *q->text != '\0', given = -1;
  for (const char *c = q->text; *c; c++) lines += *c == '\n';
  Rectangle all = { 0, 0, (float)GetScreenWidth(), (float)GetScreenHeight() };
  Rectangle r = place_of(st, text, lines);
  float row = ui_row(u), pad = ui_px(u, theme_s4), y = r.y + pad;
  DrawRectangleRec(all, Fade(theme_window, 0.5f));
  ui_float(u, r);
  ui_title(u, q->title, r.x + pad, y, r.width - 2 * pad);
  y = draw_lines(st, text, r.x + pad, y + row + ui_px(u, theme_s1), r.width - 2 * pad);
  bool escape = IsKeyPressed(KEY_ESCAPE); /* a field takes it as well */
  if (draw_fields(st, (Rectangle){ r.x + pad, y, r.width - 2 * pad, row })) given = 0;
  float wide = ui_px(u, 92), x = r.x + r.width - pad;
  for (int i = 0; i < q->count; i++)
    x -= fmaxf(wide, ui_text_width(u, q->answers[i]) + ui_px(u, 24)) + ui_px(u, theme_s2);
  for (int i = 0; i < q->count; i++) {
    float width = fmaxf(wide, ui_text_width(u, q->answers[i]) + ui_px(u, 24));
    Rectangle b = { x + ui_px(u, theme_s2), r.y + r.height - pad - row, width, row };
    if (ui_button(u, ui_id(scope, i + 1), b, q->answers[i])) given = i;
    x += width + ui_px(u, theme_s2);
  }
  if (!q->focus) {
    u->focus = q->focus = ui_id(scope, q->field_count ? 100 : 1);
    u->cursor = q->field_count ? (int)strlen(q->fields[0].text) : 0;
    u->anchor = u->cursor;
  }
  u->wants_mouse = true;
  if (!u->focus && IsKeyPressed(KEY_ENTER)) given = 0;
  if (escape) given = q->count - 1;
  if (given >= 0) answer(st, given);
}
