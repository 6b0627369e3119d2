/* Calling the tools, and laying out their panels. */
#include "state.h"

#include <math.h>
#include <string.h>

int tool_find(const app *a, const char *name) {
  for (int i = 0; i < a->tool_count; i++)
    if (strcmp(a->tools[i].tool->name, name) == 0) return i;
  return -1;
}

void *tool_state(const app *a, const char *name) {
  int i = tool_find(a, name);
  return i < 0 ? NULL : a->tools[i].self;
}

bool tool_is_open(const app *a, const char *name) { return a->tools[tool_find(a, name)].open; }

static void set_open(app *a, tool_slot *slot, bool open) {
  if (open && slot->tool->dock == DOCK_RIGHT)
    for (int i = 0; i < a->tool_count; i++)
      if (a->tools[i].tool->dock == DOCK_RIGHT) a->tools[i].open = false;
  slot->open = open;
}

bool tool_set_open(app *a, const char *name, bool open) {
  int index = tool_find(a, name);
  if (index >= 0) set_open(a, &a->tools[index], open);
  return index >= 0;
}

#define EACH            for (tool_slot *s = a->tools, *end = s + a->tool_count; s < end; s++)
#define CALL(call)      EACH if (s->tool->call) s->tool->call(a, s->self)
#define CALL_OPEN(call) EACH if (s->tool->call && s->open) s->tool->call(a, s->self)

bool tools_create(app *a) {
  EACH {
    s->open = s->tool->open;
    if (!s->tool->create) continue;
    s->self = s->tool->create(a);
    if (!s->self) return false;
  }
  return true;
}

void tools_destroy(app *a) {
  for (tool_slot *s = a->tools + a->tool_count; s-- > a->tools;) {
    if (s->tool->destroy && s->self) s->tool->destroy(a, s->self);
    s->self = NULL;
  }
}

void tools_loaded(app *a) { CALL(loaded); }
void tools_frame(app *a) { CALL(frame); }
void tools_solid(app *a) { CALL_OPEN(solid); }
void tools_glass(app *a) { CALL_OPEN(glass); }
void tools_cast(app *a) { CALL_OPEN(cast); }

void tools_flat(app *a, bool picture) {
  EACH if (s->tool->flat && s->open && (s->tool->pictured || !picture)) s->tool->flat(a, s->self);
}

void tools_keyboard(app *a) {
  bool chord = ui_control() || IsKeyDown(KEY_LEFT_ALT);
  a->used_key = 0;
  EACH if (s->tool->key && !chord && IsKeyPressed(s->tool->key)) set_open(a, s, !s->open);
  CALL(keyboard);
}

bool tools_mouse(app *a, Ray ray) {
  EACH if (s->tool->mouse && s->open && s->tool->mouse(a, s->self, ray)) return true;
  return false;
}

bool tools_bounds(const app *a, BoundingBox *dest) {
  for (int i = 0; i < a->tool_count; i++) {
    const tool *t = a->tools[i].tool;
    if (t->bounds && t->bounds(a->tools[i].self, dest)) return true;
  }
  return false;
}

bool tools_remote(app *a, const char *verb, char *rest) {
  EACH if (s->tool->remote && s->tool->remote(a, s->self, verb, rest)) return true;
  return false;
}

static float side_of(const app *a, const tool *t, float whole) {
  float wanted = t->share > 0 ? t->share * whole : t->rows * a->ui.size;
  return roundf(fminf(wanted, whole * 0.6f));
}

Rectangle tools_layout(app *a) {
  float width = (float)GetScreenWidth(), height = (float)GetScreenHeight();
  Rectangle left = { 0, 0, width, height };
  EACH {
    if (!s->open || !s->tool->panel) continue;
    float side = side_of(a, s->tool, width);
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
        s->tool->share > 0 ? side_of(a, s->tool, height) : roundf(s->tool->rows * ui_row(&a->ui));
    left.height -= side;
    s->place = (Rectangle){ left.x, left.y + left.height, left.width, side };
  }
  left.width = fmaxf(left.width, 16);
  left.height = fmaxf(left.height, 16);
  return left;
}

void tools_panels(app *a) {
  EACH {
    if (!s->open || !s->tool->panel) continue;
    ui_panel(&a->ui, s->place);
    ui_clip_push(&a->ui, s->place);
    s->tool->panel(a, s->self, s->place);
    ui_clip_pop(&a->ui);
  }
}
