/* Calling the tools, and laying out their panels. */
#include "app.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOOL(name) extern const tool tool_##name;
#include "tools_list.h"
#undef TOOL

static const tool *const tools[] = {
#define TOOL(name) &tool_##name,
#include "tools_list.h"
#undef TOOL
};
enum { count = sizeof tools / sizeof *tools };
_Static_assert((int)count <= (int)most_tools, "room for every tool");

int tool_count(void) { return count; }

const tool *tool_at(int index) { return tools[index]; }

int tool_find(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(tools[i]->name, name) == 0) return i;
  return -1;
}

void *tool_state(const app *a, const char *name) {
  int i = tool_find(name);
  return i < 0 ? NULL : a->tools[i].self;
}

bool tool_is_open(const app *a, int index) { return a->tools[index].open; }

void tool_set_open(app *a, int index, bool open) {
  if (open && tools[index]->dock == DOCK_RIGHT)
    for (int i = 0; i < count; i++)
      if (tools[i]->dock == DOCK_RIGHT) a->tools[i].open = false;
  a->tools[index].open = open;
}

bool tools_create(app *a) {
  for (int i = 0; i < count; i++) {
    a->tools[i].open = tools[i]->open;
    if (!tools[i]->create) continue;
    a->tools[i].self = tools[i]->create(a);
    if (!a->tools[i].self) return false;
  }
  return true;
}

void tools_destroy(app *a) {
  for (int i = count - 1; i >= 0; i--) {
    if (tools[i]->destroy && a->tools[i].self) tools[i]->destroy(a, a->tools[i].self);
    a->tools[i].self = NULL;
  }
}

#define EACH(call, ...)                                                                            \
  for (int i = 0; i < count; i++)                                                                  \
    if (tools[i]->call) tools[i]->call(a, a->tools[i].self __VA_ARGS__)
#define EACH_OPEN(call)                                                                            \
  for (int i = 0; i < count; i++)                                                                  \
    if (tools[i]->call && a->tools[i].open) tools[i]->call(a, a->tools[i].self)

void tools_loaded(app *a) { EACH(loaded); }
void tools_frame(app *a) { EACH(frame); }
void tools_solid(app *a) { EACH_OPEN(solid); }
void tools_glass(app *a) { EACH_OPEN(glass); }
void tools_cast(app *a) { EACH_OPEN(cast); }

void tools_flat(app *a, bool picture) {
  for (int i = 0; i < count; i++)
    if (tools[i]->flat && a->tools[i].open && (tools[i]->pictured || !picture))
      tools[i]->flat(a, a->tools[i].self);
}

void tools_keyboard(app *a) {
  bool chord = ui_control() || IsKeyDown(KEY_LEFT_ALT);
  a->used_key = 0;
  for (int i = 0; i < count; i++)
    if (tools[i]->key && !chord && IsKeyPressed(tools[i]->key))
      tool_set_open(a, i, !a->tools[i].open);
  EACH(keyboard);
}

bool tools_mouse(app *a, Ray ray) {
  for (int i = 0; i < count; i++)
    if (tools[i]->mouse && a->tools[i].open && tools[i]->mouse(a, a->tools[i].self, ray))
      return true;
  return false;
}

bool tools_remote(app *a, const char *verb, char *rest) {
  for (int i = 0; i < count; i++)
    if (tools[i]->remote && tools[i]->remote(a, a->tools[i].self, verb, rest)) return true;
  return false;
}

static float side_of(const app *a, const tool *t, float whole) {
  float wanted = t->share > 0 ? t->share * whole : t->rows * a->ui.size;
  return roundf(fminf(wanted, whole * 0.6f));
}

Rectangle tools_layout(app *a) {
  float width = (float)GetScreenWidth(), height = (float)GetScreenHeight();
  Rectangle left = { 0, 0, width, height };
  for (int i = 0; i < count; i++) {
    if (!a->tools[i].open || !tools[i]->panel) continue;
    Rectangle *r = &a->tools[i].place;
    if (tools[i]->dock == DOCK_LEFT) {
      *r = (Rectangle){ left.x, 0, side_of(a, tools[i], width), height };
      left.x += r->width;
      left.width -= r->width;
    } else if (tools[i]->dock == DOCK_RIGHT) {
      float side = side_of(a, tools[i], width);
      *r = (Rectangle){ left.x + left.width - side, 0, side, height };
      left.width -= side;
    }
  }
  for (int i = 0; i < count; i++) {
    if (!a->tools[i].open || !tools[i]->panel || tools[i]->dock != DOCK_BOTTOM) continue;
    float side = tools[i]->share > 0 ? side_of(a, tools[i], height)
                                     : roundf(tools[i]->rows * ui_row(&a->ui));
    left.height -= side;
    a->tools[i].place = (Rectangle){ left.x, left.y + left.height, left.width, side };
  }
  left.width = fmaxf(left.width, 16);
  left.height = fmaxf(left.height, 16);
  return left;
}

void tools_panels(app *a) {
  for (int i = 0; i < count; i++) {
    if (!a->tools[i].open || !tools[i]->panel) continue;
    ui_panel(&a->ui, a->tools[i].place);
    ui_clip_push(&a->ui, a->tools[i].place);
    tools[i]->panel(a, a->tools[i].self, a->tools[i].place);
    ui_clip_pop(&a->ui);
  }
}
