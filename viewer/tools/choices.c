/* The options of the rig's script: a choice of another value loads the rig again. */
#include "state/state.h"
#include "ui/theme.h"

#include <stdio.h>
#include <string.h>

enum { most_shown = 32, most_words = 16 };

typedef struct choices {
  float scroll;
  char typed[most_shown][32]; /* numbers */
} choices;

static int option_count(const state *st) {
  int count = sinew_host_option_count(st->host);
  return count < most_shown ? count : most_shown;
}

/* a line for each word of "full|simple"; whether another one was chosen */
static bool words(state *st, const sinew_host_option *o, int i, Rectangle line) {
  const char *at = o->allowed;
  for (int k = 0; k < most_words; k++) {
    char word[64];
    int length = (int)strcspn(at, "|");
    snprintf(word, sizeof word, "%.*s", length, at);
    bool shown = strcmp(word, o->value) == 0;
    if (ui_item(&st->ui, ui_id("choices", i * most_words + k), line, word, shown) && !shown) {
      loading_choose(st, o->name, word);
      return true;
    }
    line.y += line.height;
    if (!at[length]) return false;
    at += length + 1;
  }
  return false;
}

/* a number, taken on Enter; whether it was */
static bool number(state *st, choices *c, const sinew_host_option *o, int i, Rectangle line) {
  int id = ui_id("choices", i * most_words);
  bool had = st->ui.focus == id;
  if (!had) snprintf(c->typed[i], sizeof c->typed[i], "%s", o->value);
  ui_input(&st->ui, id, line, o->allowed, c->typed[i], sizeof c->typed[i]);
  bool enter = had && st->ui.focus != id && (IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER));
  if (!enter || strcmp(c->typed[i], o->value) == 0) return false;
  loading_choose(st, o->name, c->typed[i]);
  return true;
}

static int lines_of(const sinew_host_option *o) {
  int lines = 1;
  for (const char *at = o->allowed; !o->number && *at; at++) lines += *at == '|';
  return lines < most_words ? lines : most_words;
}

static void panel(state *st, void *self, Rectangle r) {
  choices *c = self;
  float row = ui_row(&st->ui);
  if (!option_count(st))
    ui_label(&st->ui, "the rig has no options", r.x + ui_px(&st->ui, 12), r.y + ui_px(&st->ui, 6),
             theme_second);
  Rectangle area = { r.x, r.y + 6, r.width, r.height - 6 };
  float y = ui_scroll_begin(&st->ui, area, &c->scroll), start = y;
  for (int i = 0; i < option_count(st); i++) {
    sinew_host_option o = sinew_host_option_info(st->host, i);
    Rectangle line = { r.x + ui_px(&st->ui, 12), y + row, r.width - ui_px(&st->ui, 24), row };
    ui_label_in(&st->ui, o.name, line.x, y, line.width, theme_text);
    if (o.doc && ui_hot(&st->ui, (Rectangle){ r.x, y, r.width, row }))
      ui_tip(&st->ui, "%s; default %s", o.doc, o.initial);
    if (o.number ? number(st, c, &o, i, line) : words(st, &o, i, line)) break; /* loaded again */
    y += row * (float)(lines_of(&o) + 1) + row / 2;
  }
  ui_scroll_end(&st->ui, area, y - start, &c->scroll);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)self;
  if (strcmp(verb, "options") == 0) {
    printf("ok");
    for (int i = 0; i < option_count(st); i++) {
      sinew_host_option o = sinew_host_option_info(st->host, i);
      printf(" %s=%s", o.name, o.value);
    }
    printf("\n");
    return true;
  }
  char *equals = strchr(rest, '=');
  if (strcmp(verb, "option") != 0) return false;
  if (!equals) return tool_answer(false, "NAME=VALUE is expected");
  *equals = '\0';
  return loading_answer(st, loading_choose(st, rest, equals + 1));
}

const tool tool_choices = { .name = "choices",
                            .title = "Options",
                            .doc = "options of the rig",
                            .dock = DOCK_RIGHT,
                            .key = KEY_V,
                            .size = sizeof(choices),
                            .panel = panel,
                            .remote = remote,
                            .remote_help = "options | option NAME=VALUE" };
