/* The viewer's life: opening, frames, reloading, drawing. */
#include "app.h"
#include "crowd.h"

#include <limits.h>
#include <math.h>
#include <raymath.h>
#include <sinew/modules.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_say(app *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(a->note, sizeof a->note, format, args);
  va_end(args);
  a->note_until = GetTime() + 3;
}

void app_copy(app *a, const char *text, const char *what) {
  SetClipboardText(text);
  app_say(a, "copied %s", what);
}

/* Puts the source line under the first line of a message that starts with file and line. */
static void quote_source(char *banner, size_t capacity) {
  char path[PATH_MAX], source[256];
  const char *colon = strchr(banner, ':');
  int line = colon ? atoi(colon + 1) : 0;
  if (line <= 0 || (size_t)(colon - banner) >= sizeof path) return;
  snprintf(path, sizeof path, "%.*s", (int)(colon - banner), banner);
  FILE *file = fopen(path, "r");
  if (!file) return;
  char *found = NULL;
  for (int i = 0; i < line && (found = fgets(source, sizeof source, file));)
    if (strchr(source, '\n') || feof(file)) i++;
  fclose(file);
  if (!found) return;
  source[strcspn(source, "\r\n")] = '\0';
  char quoted[320];
  snprintf(quoted, sizeof quoted, "\n  %d | %s", line, source + strspn(source, " \t"));
  size_t first = strcspn(banner, "\n"), length = strlen(banner), more = strlen(quoted);
  if (length + more >= capacity) return;
  memmove(banner + first + more, banner + first, length - first + 1);
  memcpy(banner + first, quoted, more);
}

void app_wrong(app *a, const char *text) {
  snprintf(a->banner, sizeof a->banner, "%s", text);
  quote_source(a->banner, sizeof a->banner);
}

void app_eval(app *a) {
  sinew_error error;
  double start = GetTime();
  sinew_status status = sinew_host_eval(a->host, app_pose(a), &error);
  a->eval_seconds = GetTime() - start;
  if (status < 0)
    app_wrong(a, error.text);
  else
    a->banner[0] = '\0';
}

BoundingBox app_bounds(const app *a) {
  return crowd_there(a) ? crowd_bounds(a) : scene_bounds(a->scene, app_pose(a), NULL);
}

void app_look(app *a, orbit_view view) {
  orbit_look(&a->view, view);
  if (crowd_there(a) && view == ORBIT_THREE_QUARTER) /* over their heads, along their rows */
    a->view.yaw = 14, a->view.pitch = 20;
}

void app_frame(app *a, float aspect) {
  if (crowd_there(a))
    orbit_frame_close(&a->view, crowd_bounds(a), aspect);
  else
    orbit_frame(&a->view, app_bounds(a), aspect);
}

void app_frame_all(app *a) { app_frame(a, a->place.width / a->place.height); }

/* takes a new rig in: shapes, tools, selection by name */
static void loaded(app *a, const char *selected) {
  scene_load(a->scene, a->host);
  a->hovered = (sinew_segment){ 0 };
  a->selected =
      *selected ? sinew_rig_find_segment(app_rig(a), selected, NULL) : (sinew_segment){ 0 };
  a->banner[0] = '\0';
  app_eval(a);
  history_forget_dofs(a);
  tools_loaded(a);
}

static void note_known(app *a) {
  changes_free(a->known);
  a->known = changes_note(app_rig(a));
}

static void print_script(const char *text, size_t length, void *user) {
  (void)user;
  fprintf(stderr, "%.*s\n", (int)length, text);
}

bool app_open(app *a, const char *path) {
  sinew_error error;
  if (sinew_host_load(a->host, path, &error) < 0) {
    app_wrong(a, error.text);
    return false;
  }
  loaded(a, "");
  note_known(a);
  app_frame_all(a);
  app_say(a, "opened %s", path);
  return true;
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
    sinew_dof dof = sinew_rig_find_dof(app_rig(a), name, &error);
    if (!dof.id || sinew_pose_set(app_pose(a), dof, strtof(equals + 1, NULL), &error) < 0) {
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
    int index = tool_find(name);
    if (index < 0) {
      fprintf(stderr, "sinew-viewer: no tool '%s'; there are", name);
      for (int i = 0; i < tool_count(); i++) fprintf(stderr, " %s", tool_at(i)->name);
      fprintf(stderr, "\n");
      return false;
    }
    tool_set_open(a, index, true);
  }
  sinew_error error;
  if (!a->options.select) return true;
  a->selected = sinew_rig_find_segment(app_rig(a), a->options.select, &error);
  if (!a->selected.id) fprintf(stderr, "sinew-viewer: %s\n", error.text);
  return a->selected.id != 0;
}

app *app_create(const options *o) {
  char folder[PATH_MAX + 32];
  sinew_error error;
  app *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->options = *o;
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
  loaded(a, "");
  note_known(a);
  if (!show_asked(a)) {
    app_destroy(a);
    return NULL;
  }
  a->place = tools_layout(a);
  a->view = orbit_default();
  app_look(a, o->view);
  app_frame_all(a);
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

Ray app_ray(const app *a, Vector2 at) {
  at = (Vector2){ at.x - a->place.x, at.y - a->place.y };
  return GetScreenToWorldRayEx(at, orbit_camera(&a->view), (int)a->place.width,
                               (int)a->place.height);
}

Vector2 app_project(const app *a, Vector3 point) {
  Vector2 at =
      GetWorldToScreenEx(point, orbit_camera(&a->view), (int)a->place.width, (int)a->place.height);
  return (Vector2){ at.x + a->place.x, at.y + a->place.y };
}

float app_pixel(const app *a, Vector3 point) {
  Camera3D camera = orbit_camera(&a->view);
  Vector3 ahead = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
  float depth = Vector3DotProduct(Vector3Subtract(point, camera.position), ahead);
  return 2 * fmaxf(depth, 0.01f) * tanf(camera.fovy / 2 * DEG2RAD) / a->place.height;
}

/* whether anything is new */
static bool poll_files(app *a) {
  sinew_error error;
  double start = GetTime();
  char selected[128] = "", what[200];
  if (a->selected.id)
    snprintf(selected, sizeof selected, "%s", sinew_rig_segment_info(app_rig(a), a->selected).name);
  switch (sinew_host_poll(a->host, start, &error)) {
  case SINEW_HOST_RELOADED:
    loaded(a, selected);
    changes_say(a->known, app_rig(a), what, sizeof what);
    note_known(a);
    app_say(a, "reloaded in %.0f ms: %s", (GetTime() - start) * 1000, what);
    return true;
  case SINEW_HOST_FAILED: app_wrong(a, error.text); return true;
  default: return false;
  }
}

static void step_history(app *a, bool forward) {
  const char *what = forward ? history_redo(a->history, a) : history_undo(a->history, a);
  if (what)
    app_say(a, "%s: %s", forward ? "redone" : "undone", what);
  else
    app_say(a, "nothing to %s", forward ? "redo" : "undo");
}

static void keyboard(app *a) {
  if (a->ui.typing) return;
  if (ui_control()) {
    if (IsKeyPressed(KEY_Z) || IsKeyPressedRepeat(KEY_Z)) step_history(a, ui_shift());
    if (IsKeyPressed(KEY_Y)) step_history(a, true);
  } else {
    if (IsKeyPressed(KEY_F)) app_frame_all(a);
    if (IsKeyPressed(KEY_ONE)) app_look(a, ORBIT_FRONT);
    if (IsKeyPressed(KEY_TWO)) app_look(a, ORBIT_SIDE);
    if (IsKeyPressed(KEY_THREE)) app_look(a, ORBIT_TOP);
    if (IsKeyPressed(KEY_FOUR)) app_look(a, ORBIT_THREE_QUARTER);
    if (IsKeyPressed(KEY_G)) a->show_grid = !a->show_grid;
    if (IsKeyPressed(KEY_A)) a->show_axes = !a->show_axes;
    if (IsKeyPressed(KEY_F1) || (ui_shift() && IsKeyPressed(KEY_SLASH)))
      a->show_help = !a->show_help;
    if (IsKeyPressed(KEY_ESCAPE)) a->show_help = false, a->ui.focus = 0;
    if (IsKeyPressed(KEY_P)) {
      const char *path = TextFormat("sinew-%03d.png", (int)GetTime());
      TakeScreenshot(path);
      app_say(a, "wrote %s", path);
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
  Ray ray = app_ray(a, at);
  bool dragging = IsMouseButtonDown(MOUSE_BUTTON_LEFT) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  if (!dragging) a->hovered = scene_pick(a->scene, app_pose(a), ray, NULL);
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) pressed_at = at, a->ui.focus = 0;
  if (tools_mouse(a, ray)) return;
  bool still = fabsf(at.x - pressed_at.x) < 4 && fabsf(at.y - pressed_at.y) < 4;
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && still)
    a->selected = scene_pick(a->scene, app_pose(a), ray, NULL);
  orbit_input(&a->view, a->place.height);
}

static void take_dropped(app *a) {
  if (!IsFileDropped()) return;
  FilePathList files = LoadDroppedFiles();
  if (files.count) app_open(a, files.paths[0]);
  UnloadDroppedFiles(files);
}

static void in_scene(void *user, bool glass) {
  app *a = user;
  if (glass)
    tools_glass(a);
  else
    tools_solid(a);
}

static void in_shadow(void *user) { tools_cast(user); }

static void over_picture(void *user, int width, int height, float larger) {
  app *a = user;
  Rectangle place = a->place;
  float size = a->ui.size;
  a->place = (Rectangle){ 0, 0, (float)width, (float)height };
  a->ui.size *= larger;
  a->ui.blocked = true;
  tools_flat(a, true);
  a->ui.blocked = false;
  a->ui.size = size;
  a->place = place;
}

scene_options app_shown(app *a) {
  scene_options shown = { .grid = a->show_grid,
                          .axes = a->show_axes,
                          .selected = a->selected,
                          .hovered = a->hovered,
                          .place = a->place,
                          .also = in_scene,
                          .over = over_picture,
                          .cast = in_shadow,
                          .user = a };
  if (crowd_there(a)) shown.crowd = crowd_bounds(a);
  return shown;
}

static void frame(app *a) {
  double start = GetTime();
  poll_files(a);
  ui_frame_begin(&a->ui);
  a->place = tools_layout(a);
  keyboard(a);
  take_dropped(a);
  tools_frame(a);
  scene_options shown = app_shown(a);
  scene_shadow(a->scene, app_pose(a), &shown);
  BeginDrawing();
  ClearBackground(WHITE);
  scene_background(GetScreenWidth(), GetScreenHeight());
  scene_draw(a->scene, app_pose(a), orbit_camera(&a->view), &shown);
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
  if (poll_files(a)) a->awake_until = GetTime() + 0.5;
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
