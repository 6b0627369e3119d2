/* The viewer's life: opening, frames, reloading, drawing. */
#include "app.h"

#include <limits.h>
#include <sinew/modules.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Color ink = { 40, 44, 52, 255 };

void app_say(app *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(a->note, sizeof a->note, format, args);
  va_end(args);
  a->note_until = GetTime() + 3;
}

void app_eval(app *a) {
  sinew_error error;
  double start = GetTime();
  sinew_status status = sinew_host_eval(a->host, sinew_host_pose(a->host), &error);
  a->eval_seconds = GetTime() - start;
  if (status < 0)
    snprintf(a->banner, sizeof a->banner, "%s", error.text);
  else
    a->banner[0] = '\0';
}

void app_loaded(app *a) {
  scene_load(a->scene, a->host);
  free(a->folded);
  a->folded = calloc((size_t)sinew_rig_joint_set_count(sinew_host_rig(a->host)) + 1, sizeof(bool));
  a->banner[0] = '\0';
}

static void print_script(const char *text, size_t length, void *user) {
  (void)user;
  fprintf(stderr, "%.*s\n", (int)length, text);
}

static bool open_rig(app *a, const char *path) {
  sinew_error error;
  if (sinew_host_load(a->host, path, &error) < 0) {
    fprintf(stderr, "sinew-viewer: %s\n", error.text);
    return false;
  }
  for (int i = 0; i < a->options.dof_count; i++) {
    char name[256];
    const char *argument = a->options.dofs[i], *equals = strchr(argument, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
    sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(a->host), name, &error);
    if (!dof.id ||
        sinew_pose_set(sinew_host_pose(a->host), dof, strtof(equals + 1, NULL), &error) < 0) {
      fprintf(stderr, "sinew-viewer: %s\n", error.text);
      return false;
    }
  }
  return true;
}

app *app_create(const options *o) {
  char folder[PATH_MAX + 32];
  sinew_error error;
  app *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->options = *o;
  a->show_grid = true;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.print = print_script;
  a->host = sinew_host_create(&desc, &error);
  if (!a->host || !open_rig(a, o->rig ? o->rig : "rigs/human.lua")) {
    app_destroy(a);
    return NULL;
  }
  SetTraceLogLevel(LOG_ERROR);
  SetConfigFlags(FLAG_MSAA_4X_HINT | FLAG_WINDOW_RESIZABLE | FLAG_WINDOW_HIGHDPI | FLAG_VSYNC_HINT |
                 (o->render ? FLAG_WINDOW_HIDDEN : 0));
  InitWindow(o->width, o->height, "Sinew");
  if (!IsWindowReady()) {
    fprintf(stderr, "sinew-viewer: no window could be opened\n");
    app_destroy(a);
    return NULL;
  }
  SetExitKey(KEY_NULL);
  SetTargetFPS(60);
  a->scene = scene_create();
  if (!a->scene) {
    app_destroy(a);
    return NULL;
  }
  ui_start(&a->ui);
  app_loaded(a);
  app_eval(a);
  a->view = orbit_default();
  orbit_look(&a->view, o->view);
  orbit_frame(&a->view, scene_bounds(a->scene, sinew_host_pose(a->host)),
              (float)o->width / (float)o->height);
  return a;
}

void app_destroy(app *a) {
  if (!a) return;
  if (IsWindowReady()) {
    ui_end(&a->ui);
    scene_destroy(a->scene);
    CloseWindow();
  }
  sinew_host_destroy(a->host);
  free(a->folded);
  free(a);
}

static void poll_files(app *a) {
  sinew_error error;
  double start = GetTime();
  char selected[128] = "";
  if (a->selected.id)
    snprintf(selected, sizeof selected, "%s",
             sinew_rig_segment_info(sinew_host_rig(a->host), a->selected).name);
  switch (sinew_host_poll(a->host, start, &error)) {
  case SINEW_HOST_RELOADED:
    app_loaded(a);
    a->selected = *selected ? sinew_rig_find_segment(sinew_host_rig(a->host), selected, NULL)
                            : (sinew_segment){ 0 };
    app_say(a, "reloaded in %.0f ms: %d bones, %d DOFs, %d components", (GetTime() - start) * 1000,
            sinew_rig_segment_count(sinew_host_rig(a->host)),
            sinew_rig_dof_count(sinew_host_rig(a->host)),
            sinew_rig_component_count(sinew_host_rig(a->host)));
    break;
  case SINEW_HOST_FAILED: snprintf(a->banner, sizeof a->banner, "%s", error.text); break;
  default: break;
  }
}

static void keys(app *a) {
  if (a->ui.focus && a->ui.focus < 1000) return; /* typing */
  float aspect = (float)GetScreenWidth() / (float)GetScreenHeight();
  if (IsKeyPressed(KEY_F))
    orbit_frame(&a->view, scene_bounds(a->scene, sinew_host_pose(a->host)), aspect);
  if (IsKeyPressed(KEY_ONE)) orbit_look(&a->view, ORBIT_FRONT);
  if (IsKeyPressed(KEY_TWO)) orbit_look(&a->view, ORBIT_SIDE);
  if (IsKeyPressed(KEY_THREE)) orbit_look(&a->view, ORBIT_TOP);
  if (IsKeyPressed(KEY_FOUR)) orbit_look(&a->view, ORBIT_THREE_QUARTER);
  if (IsKeyPressed(KEY_G)) a->show_grid = !a->show_grid;
  if (IsKeyPressed(KEY_A)) a->show_axes = !a->show_axes;
  if (IsKeyPressed(KEY_F1) || IsKeyPressed(KEY_SLASH)) a->show_help = !a->show_help;
  if (IsKeyPressed(KEY_P)) {
    const char *path = TextFormat("sinew-%03d.png", (int)GetTime());
    TakeScreenshot(path);
    app_say(a, "wrote %s", path);
  }
}

static void mouse(app *a) {
  if (a->ui.wants_mouse) {
    a->hovered = (sinew_segment){ 0 };
    return;
  }
  static Vector2 pressed_at;
  Vector2 at = GetMousePosition();
  Ray ray = GetScreenToWorldRay(at, orbit_camera(&a->view));
  bool dragging = IsMouseButtonDown(MOUSE_BUTTON_LEFT) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  if (!dragging) a->hovered = scene_pick(a->scene, sinew_host_pose(a->host), ray);
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) pressed_at = at;
  bool still = at.x - pressed_at.x < 4 && pressed_at.x - at.x < 4 && at.y - pressed_at.y < 4 &&
               pressed_at.y - at.y < 4;
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && still) {
    a->selected = scene_pick(a->scene, sinew_host_pose(a->host), ray);
    a->ui.focus = 0;
  }
  orbit_input(&a->view);
}

static void draw_selected(app *a, float x, float y) {
  const sinew_rig *rig = sinew_host_rig(a->host);
  if (!a->selected.id) return;
  char text[256];
  sinew_segment_info info = sinew_rig_segment_info(rig, a->selected);
  const float *m = sinew_pose_world(sinew_host_pose(a->host), a->selected);
  snprintf(text, sizeof text, "%s%s%s   at %.3f %.3f %.3f", info.name,
           info.parent.id ? ", in " : "",
           info.parent.id ? sinew_rig_segment_info(rig, info.parent).name : "", (double)m[12],
           (double)m[13], (double)m[14]);
  ui_label(&a->ui, text, x, y, ink);
  size_t used = (size_t)snprintf(text, sizeof text, "moved by");
  bool any = false;
  for (int i = 0; info.driver.id && i < sinew_rig_dof_count(rig); i++) {
    if (!sinew_rig_depends(rig, info.driver, sinew_rig_dof(rig, i)) || used > 180) continue;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", any ? "," : "",
                             sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
    any = true;
  }
  if (any) ui_label(&a->ui, text, x, y + ui_row(&a->ui), ink);
}

static void draw_banner(app *a, float left) {
  if (!a->banner[0]) return;
  float row = ui_row(&a->ui), width = (float)GetScreenWidth() - left;
  int lines = 1;
  for (const char *c = a->banner; *c; c++) lines += *c == '\n';
  if (lines > 8) lines = 8;
  Rectangle r = { left, 0, width, (float)lines * row + 10 };
  DrawRectangleRec(r, (Color){ 176, 44, 40, 240 });
  const char *at = a->banner;
  for (int i = 0; i < lines; i++) {
    const char *end = strchr(at, '\n');
    ui_label(&a->ui, TextFormat("%.*s", end ? (int)(end - at) : (int)strlen(at), at), left + 12,
             5 + (float)i * row, WHITE);
    if (!end) break;
    at = end + 1;
  }
  if (ui_hot(&a->ui, r)) {
    a->ui.tip = "the old rig goes on; click to copy the message";
    a->ui.wants_mouse = true;
    if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) {
      SetClipboardText(a->banner);
      app_say(a, "copied");
    }
  }
}

static void draw_help(const app *a, float left) {
  static const char *const lines[] = { "drag: turn    shift or middle drag: pan    wheel: zoom",
                                       "click a bone: select it",
                                       "F: frame all    1 2 3 4: front, side, top, three-quarter",
                                       "G: grid    A: axes    P: screenshot    F1: this help",
                                       "slider: drag; double click to reset; click the number to "
                                       "type; arrows for fine steps" };
  float row = ui_row(&a->ui), y = (float)GetScreenHeight() - 7 * row;
  DrawRectangleRounded((Rectangle){ left + 12, y - 8, a->ui.size * 46, 5 * row + 16 }, 0.06f, 6,
                       (Color){ 34, 37, 44, 230 });
  for (int i = 0; i < 5; i++) ui_label(&a->ui, lines[i], left + 24, y + (float)i * row, RAYWHITE);
}

static void draw_hud(const app *a) {
  char text[160];
  snprintf(text, sizeof text, "eval %.1f us   frame %.1f ms   F1: help", a->eval_seconds * 1e6,
           a->frame_seconds * 1e3);
  ui_label(&a->ui, text, (float)GetScreenWidth() - ui_text_width(&a->ui, text) - 12,
           (float)GetScreenHeight() - ui_row(&a->ui) - 4, ink);
}

static void frame(app *a) {
  double start = GetTime();
  poll_files(a);
  ui_frame_begin(&a->ui);
  float left = panel_width(a);
  if (ui_hot(&a->ui, (Rectangle){ 0, 0, left, (float)GetScreenHeight() })) a->ui.wants_mouse = true;
  keys(a);
  mouse(a);
  if (IsFileDropped()) {
    FilePathList files = LoadDroppedFiles();
    sinew_error error;
    if (files.count && sinew_host_load(a->host, files.paths[0], &error) >= 0)
      app_loaded(a);
    else if (files.count)
      snprintf(a->banner, sizeof a->banner, "%s", error.text);
    UnloadDroppedFiles(files);
  }
  const sinew_pose *pose = sinew_host_pose(a->host);
  scene_options shown = {
    .grid = a->show_grid, .axes = a->show_axes, .selected = a->selected, .hovered = a->hovered
  };
  scene_shadow(a->scene, pose);
  BeginDrawing();
  ClearBackground(WHITE);
  scene_background(GetScreenWidth(), GetScreenHeight());
  scene_draw(a->scene, pose, orbit_camera(&a->view), &shown);
  panel_draw(a);
  draw_selected(a, left + 12, 8);
  draw_banner(a, left);
  if (a->show_help) draw_help(a, left);
  if (GetTime() < a->note_until)
    ui_label(&a->ui, a->note, left + 12, (float)GetScreenHeight() - ui_row(&a->ui) - 4, ink);
  draw_hud(a);
  ui_frame_end(&a->ui);
  a->frame_seconds = GetTime() - start;
  EndDrawing();
}

int app_run(app *a) {
  if (a->options.remote) remote_start();
  while (!a->quit && !WindowShouldClose()) {
    frame(a);
    if (a->options.remote) remote_poll(a);
  }
  return 0;
}
