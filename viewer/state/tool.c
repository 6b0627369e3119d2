/* Calling the tools. */
#include "state/state.h"

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

/* At a side one panel is open. It covers the one before, which comes back when it is closed; a
 * panel that the layout has there covers none. */
static void change_side(state *st, tool_slot *slot, bool open) {
  const layout_kind now = st->workspace.layout;
  bool own = slot->tool->layouts >> now & 1;
  tool_slot *below = NULL;
  for (tool_slot *s = st->tools, *end = s + st->tool_count; s < end; s++) {
    if (s == slot || s->tool->dock != slot->tool->dock) continue;
    if (!open && s->covered[now] > (below ? below->covered[now] : 0)) below = s;
    if (open && own) s->covered[now] = 0;
    if (open && !own && s->open) s->covered[now] = ++st->workspace.covered;
    if (open) s->open = false;
  }
  slot->covered[now] = 0;
  if (!below) return;
  below->open = true;
  below->covered[now] = 0;
}

void slot_set_open(state *st, tool_slot *slot, bool open) {
  tool_dock dock = slot->tool->dock;
  bool side = dock == DOCK_LEFT || dock == DOCK_RIGHT;
  if (side && open != slot->open) change_side(st, slot, open);
  if (open && side) st->workspace.last = dock == DOCK_LEFT ? FRAME_LEFT : FRAME_RIGHT;
  if (open && slot->tool->panel) st->workspace.bare = false;
  slot->open = open;
}

bool tool_set_open(state *st, const char *name, bool open) {
  int index = tool_find(st, name);
  if (index >= 0) slot_set_open(st, &st->tools[index], open);
  return index >= 0;
}

#define EACH            for (tool_slot *s = st->tools, *end = s + st->tool_count; s < end; s++)
#define CALL(call)      EACH if (s->tool->call) s->tool->call(st, s->self)
#define CALL_OPEN(call) EACH if (s->tool->call && s->open) s->tool->call(st, s->self)

/* a key or a menu opens a panel that is closed, or for which there is no room now */
static void toggle(state *st, void *self) {
  tool_slot *slot = self;
  sinew_segment under = st->hovered;
  bool other = slot->tool->of_bone && under.id && under.id != st->selected.segment.id;
  if (other) state_select(st, (selection){ .segment = under });
  slot_set_open(st, slot, other || !slot->open || (slot->tool->panel && !(slot->docked.width > 0)));
}

static bool is_open(const state *st, const void *self) {
  (void)st;
  return ((const tool_slot *)self)->open;
}

static void add_commands(state *st, tool_slot *s) {
  const tool *t = s->tool;
  commands_add(st, t->commands, s->self);
  if (!t->key && !t->panel) return;
  s->toggle = (command){ .name = t->name,
                         .title = t->title ? t->title : t->doc,
                         .doc = t->title ? t->doc : NULL,
                         .key = t->key,
                         .on = t->of_bone ? ON_BONE | ON_DOF | ON_BOX : 0,
                         .menu = t->panel ? MENU_PANELS : MENU_VIEW,
                         .run = toggle,
                         .checked = is_open };
  command_list *list = &st->commands;
  if (list->count < most_commands) list->all[list->count++] = (command_at){ &s->toggle, s };
}

bool tools_create(state *st) {
  EACH {
    s->open = s->tool->panel ? s->tool->layouts & IN_POSE : s->tool->open;
    for (int k = 0; k < layout_count; k++)
      s->kept[k] = s->tool->panel ? s->tool->layouts >> k & 1 : s->open;
    s->self = calloc(1, s->tool->size + 1);
    if (s->self && (!s->tool->create || s->tool->create(st, s->self))) {
      add_commands(st, s);
      continue;
    }
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
