/* Calling the tools, and laying out their panels. */
#include "state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tool_find(const state *st, const char *name) {
  for (int i = 0; i < st->tool_count; i++)
    if (strcmp(st->tools[i].tool->name, name) == 0) return i;
  return -1;
}

void *tool_state(const state *st, const char *name) {
  int i = tool_find(st, name);
  return i < 0 ? NULL : st->tools[i].self;
}

bool tool_is_open(const state *st, const char *name) { return st->tools[tool_find(st, name)].open; }

static void set_open(state *st, tool_slot *slot, bool open) {
  if (open && slot->tool->dock == DOCK_RIGHT)
    for (int i = 0; i < st->tool_count; i++)
      if (st->tools[i].tool->dock == DOCK_RIGHT) st->tools[i].open = false;
  slot->open = open;
}

bool tool_set_open(state *st, const char *name, bool open) {
  int index = tool_find(st, name);
  if (index >= 0) set_open(st, &st->tools[index], open);
  return index >= 0;
}

#define EACH            for (tool_slot *s = st->tools, *end = s + st->tool_count; s < end; s++)
#define CALL(call)      EACH if (s->tool->call) s->tool->call(st, s->self)
#define CALL_OPEN(call) EACH if (s->tool->call && s->open) s->tool->call(st, s->self)

bool tools_create(state *st) {
  EACH {
    s->open = s->tool->open;
    s->self = calloc(1, s->tool->size + 1);
    if (s->self && (!s->tool->create || s->tool->create(st, s->self))) continue;
    free(s->self);
    s->self = NULL;
    return false;
  }
  return true;
}

void tools_destroy(state *st) {
  for (tool_slot *s = st->tools + st->tool_count; s-- > st->tools;) {
    if (s->tool->destroy && s->self) s->tool->destroy(s->self);
    free(s->self);
    s->self = NULL;
  }
}

void tools_loaded(state *st) { CALL(loaded); }
void tools_frame(state *st) { CALL(frame); }
void tools_solid(state *st) { CALL_OPEN(solid); }
void tools_glass(state *st) { CALL_OPEN(glass); }
void tools_cast(state *st) { CALL_OPEN(cast); }

void tools_flat(state *st, bool picture) {
  EACH if (s->tool->flat && s->open && (s->tool->pictured || !picture)) s->tool->flat(st, s->self);
}

void tools_keyboard(state *st) {
  bool chord = ui_control() || IsKeyDown(KEY_LEFT_ALT);
  st->used_key = 0;
  EACH if (s->tool->key && !chord && IsKeyPressed(s->tool->key)) set_open(st, s, !s->open);
  CALL(keyboard);
}

bool tools_mouse(state *st, Ray ray) {
  EACH if (s->tool->mouse && s->open && s->tool->mouse(st, s->self, ray)) return true;
  return false;
}

bool tools_bounds(const state *st, BoundingBox *dest) {
  for (int i = 0; i < st->tool_count; i++) {
    const tool *t = st->tools[i].tool;
    if (t->bounds && t->bounds(st->tools[i].self, dest)) return true;
  }
  return false;
}

uint64_t tools_print(const state *st, uint64_t print) {
  for (int i = 0; i < st->tool_count; i++) {
    const tool *t = st->tools[i].tool;
    uint64_t own = 0; /* it draws nothing */
    if (st->tools[i].open && (t->solid || t->glass || t->cast))
      own = t->print ? t->print(st->tools[i].self)
                     : print_bytes(print_start, st->tools[i].self, t->size);
    print = PRINT(print, own);
  }
  return print;
}

bool tools_remote(state *st, const char *verb, char *rest) {
  EACH if (s->tool->remote && s->tool->remote(st, s->self, verb, rest)) return true;
  return false;
}

bool tool_answer(bool fine, const char *error) {
  if (fine)
    printf("ok\n");
  else
    printf("error %s\n", error);
  return true;
}

bool tool_answer_text(const char *text, const char *error) {
  printf(text ? "ok " : "error ");
  for (const char *c = text ? text : error; *c; c++) putchar(*c == '\n' ? '|' : *c);
  printf("\n");
  return true;
}

static float side_of(const state *st, const tool *t, float whole) {
  float wanted = t->share > 0 ? t->share * whole : t->rows * st->ui.size;
  return roundf(fminf(wanted, whole * 0.6f));
}

Rectangle tools_layout(state *st) {
  float width = (float)GetScreenWidth(), height = (float)GetScreenHeight();
  Rectangle left = { 0, 0, width, height };
  EACH {
    if (!s->open || !s->tool->panel) continue;
    float side = side_of(st, s->tool, width);
    if (s->tool->dock == DOCK_LEFT) {
      s->place = (Rectangle){ left.x, 0, side, height };
      left.x += side;
      left.width -= side;
    } else if (s->tool->dock == DOCK_RIGHT) {
      s->place = (Rectangle){ left.x + left.width - side, 0, side, height };
      left.width -= side;
    }
  }
  EACH {
    if (!s->open || !s->tool->panel || s->tool->dock != DOCK_BOTTOM) continue;
    float side =
        s->tool->share > 0 ? side_of(st, s->tool, height) : roundf(s->tool->rows * ui_row(&st->ui));
    left.height -= side;
    s->place = (Rectangle){ left.x, left.y + left.height, left.width, side };
  }
  left.width = fmaxf(left.width, 16);
  left.height = fmaxf(left.height, 16);
  return left;
}

void tools_panels(state *st) {
  EACH {
    if (!s->open || !s->tool->panel) continue;
    ui_panel(&st->ui, s->place);
    ui_clip_push(&st->ui, s->place);
    s->tool->panel(st, s->self, s->place);
    ui_clip_pop(&st->ui);
  }
}
