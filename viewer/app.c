/* The viewer's life: the window, and its frames. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <sinew/modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_script(const char *text, size_t length, void *user) {
  (void)user;
  fprintf(stderr, "%.*s\n", (int)length, text);
}

/* before there is a window: the rig and the DOFs of the command line */
static bool open_first(app *a, const char *path) {
  sinew_error error;
  if (sinew_host_load(a->host, path, &error) < 0) {
    fprintf(stderr, "sinew-viewer: %s\n", error.text);
    return false;
  }
  for (int i = 0; i < a->options.dof_count; i++) {
    char name[256];
    const char *argument = a->options.dofs[i], *equals = strchr(argument, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
    sinew_dof dof = sinew_rig_find_dof(state_rig(a), name, &error);
    if (!dof.id || sinew_pose_set(state_pose(a), dof, strtof(equals + 1, NULL), &error) < 0) {
      fprintf(stderr, "sinew-viewer: %s\n", error.text);
      return false;
    }
  }
  return true;
}

static bool open_window(app *a) {
  const options *o = &a->options;
  SetTraceLogLevel(LOG_ERROR);
  SetConfigFlags(FLAG_MSAA_4X_HINT | FLAG_WINDOW_RESIZABLE | FLAG_WINDOW_HIGHDPI | FLAG_VSYNC_HINT |
                 (o->render ? FLAG_WINDOW_HIDDEN : 0));
  InitWindow(o->width, o->height, "Sinew");
  if (!IsWindowReady()) {
    fprintf(stderr, "sinew-viewer: no window could be opened\n");
    return false;
  }
  SetExitKey(KEY_NULL);
  SetTargetFPS(60);
  ui_start(&a->ui);
  a->scene = scene_create();
  return a->scene && tools_create(a);
}

/* opens the tools and selects the segment that the command line names */
static bool show_asked(app *a) {
  char names[256];
  snprintf(names, sizeof names, "%s", a->options.show ? a->options.show : "");
  char *save = NULL;
  for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
    if (tool_set_open(a, name, true)) continue;
    fprintf(stderr, "sinew-viewer: no tool '%s'; there are", name);
    for (int i = 0; i < a->tool_count; i++) fprintf(stderr, " %s", a->tools[i].tool->name);
    fprintf(stderr, "\n");
    return false;
  }
  sinew_error error;
  if (!a->options.select) return true;
  a->selected = sinew_rig_find_segment(state_rig(a), a->options.select, &error);
  if (!a->selected.id) fprintf(stderr, "sinew-viewer: %s\n", error.text);
  return a->selected.id != 0;
}

app *app_create(const options *o, const tool *const *tools, int tool_count) {
  char folder[PATH_MAX + 32];
  sinew_error error;
  app *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->options = *o;
  for (; a->tool_count < tool_count; a->tool_count++)
    a->tools[a->tool_count].tool = tools[a->tool_count];
  a->show_grid = true;
  a->history = history_create();
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.print = print_script;
  a->host = sinew_host_create(&desc, &error);
  if (!a->history || !a->host || !open_first(a, o->rig ? o->rig : "rigs/human.lua") ||
      !open_window(a)) {
    app_destroy(a);
    return NULL;
  }
  state_take_rig(a);
  if (!show_asked(a)) {
    app_destroy(a);
    return NULL;
  }
  a->place = tools_layout(a);
  a->view = orbit_default();
  state_look(a, o->view);
  state_frame_all(a);
  return a;
}

void app_destroy(app *a) {
  if (!a) return;
  if (IsWindowReady()) {
    tools_destroy(a);
    ui_end(&a->ui);
    scene_destroy(a->scene);
    CloseWindow();
  }
  history_destroy(a->history);
  changes_free(a->known);
  sinew_host_destroy(a->host);
  free(a);
}

static void step_history(app *a, bool forward) {
  const char *what = forward ? history_redo(a->history, a) : history_undo(a->history, a);
  if (what)
    state_say(a, "%s: %s", forward ? "redone" : "undone", what);
  else
    state_say(a, "nothing to %s", forward ? "redo" : "undo");
}

static void keyboard(app *a) {
  if (a->ui.typing) return;
  if (ui_control()) {
    if (IsKeyPressed(KEY_Z) || IsKeyPressedRepeat(KEY_Z)) step_history(a, ui_shift());
    if (IsKeyPressed(KEY_Y)) step_history(a, true);
  } else {
    if (IsKeyPressed(KEY_F)) state_frame_all(a);
    if (IsKeyPressed(KEY_ONE)) state_look(a, ORBIT_FRONT);
    if (IsKeyPressed(KEY_TWO)) state_look(a, ORBIT_SIDE);
    if (IsKeyPressed(KEY_THREE)) state_look(a, ORBIT_TOP);
    if (IsKeyPressed(KEY_FOUR)) state_look(a, ORBIT_THREE_QUARTER);
    if (IsKeyPressed(KEY_G)) a->show_grid = !a->show_grid;
    if (IsKeyPressed(KEY_A)) a->show_axes = !a->show_axes;
    if (IsKeyPressed(KEY_F1) || (ui_shift() && IsKeyPressed(KEY_SLASH)))
      a->show_help = !a->show_help;
    if (IsKeyPressed(KEY_ESCAPE)) a->show_help = false, a->ui.focus = 0;
    if (IsKeyPressed(KEY_P)) {
      const char *path = TextFormat("sinew-%03d.png", (int)GetTime());
      TakeScreenshot(path);
      state_say(a, "wrote %s", path);
    }
  }
  tools_keyboard(a);
}

static void mouse(app *a) {
  static Vector2 pressed_at;
  Vector2 at = GetMousePosition();
  if (a->ui.wants_mouse || !CheckCollisionPointRec(at, a->place)) {
    a->hovered = (sinew_segment){ 0 };
    return;
  }
  Ray ray = state_ray(a, at);
  bool dragging = IsMouseButtonDown(MOUSE_BUTTON_LEFT) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  if (!dragging) a->hovered = scene_pick(a->scene, state_pose(a), ray, NULL);
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) pressed_at = at, a->ui.focus = 0;
  if (tools_mouse(a, ray)) return;
  bool still = fabsf(at.x - pressed_at.x) < 4 && fabsf(at.y - pressed_at.y) < 4;
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && still)
    a->selected = scene_pick(a->scene, state_pose(a), ray, NULL);
  orbit_input(&a->view, a->place.height);
}

static void take_dropped(app *a) {
  if (!IsFileDropped()) return;
  FilePathList files = LoadDroppedFiles();
  if (files.count) state_open(a, files.paths[0]);
  UnloadDroppedFiles(files);
}

static void frame(app *a) {
  double start = GetTime();
  state_poll(a);
  ui_frame_begin(&a->ui);
  a->place = tools_layout(a);
  keyboard(a);
  take_dropped(a);
  tools_frame(a);
  scene_options shown = state_shown(a);
  scene_shadow(a->scene, state_pose(a), &shown);
  BeginDrawing();
  ClearBackground(WHITE);
  scene_background(GetScreenWidth(), GetScreenHeight());
  scene_draw(a->scene, state_pose(a), orbit_camera(&a->view), &shown);
  a->ui.blocked = a->show_help;
  tools_flat(a, false);
  tools_panels(a);
  a->ui.blocked = false;
  status_draw(a);
  mouse(a); /* after the widgets, which take it first */
  ui_frame_end(&a->ui);
  if (a->posing)
    history_forget_dofs(a);
  else
    history_watch_dofs(a);
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT) && !IsKeyDown(KEY_LEFT) && !IsKeyDown(KEY_RIGHT))
    history_pause(a->history);
  a->frame_seconds = GetTime() - start;
  EndDrawing();
  a->frames++;
}

/* whether the user does anything */
static bool touched(void) {
  Vector2 moved = GetMouseDelta(), wheel = GetMouseWheelMoveV();
  bool any = moved.x != 0 || moved.y != 0 || wheel.x != 0 || wheel.y != 0 || IsWindowResized() ||
             IsFileDropped();
  for (int button = 0; button < 3; button++)
    any |= IsMouseButtonDown(button) || IsMouseButtonReleased(button);
  for (int key = KEY_SPACE; key <= KEY_KB_MENU; key++) any |= IsKeyDown(key) || IsKeyReleased(key);
  return any;
}

/* A picture that would be the last one again is not drawn: an open window costs next to nothing. */
static void next_frame(app *a) {
  double now = GetTime();
  bool busy = a->posing || touched() || a->frames < 3 || now < a->note_until + 0.2;
  if (busy) a->awake_until = now + 0.5;
  if (now < a->awake_until) {
    frame(a);
    return;
  }
  WaitTime(1.0 / 60);
  PollInputEvents();
  tools_frame(a);
  if (state_poll(a)) a->awake_until = GetTime() + 0.5;
  if (touched()) frame(a);
}

int app_run(app *a) {
  if (a->options.remote) remote_start();
  while (!a->quit && !WindowShouldClose()) {
    next_frame(a);
    if (a->options.remote && remote_poll(a)) a->awake_until = GetTime() + 0.5;
  }
  return 0;
}
