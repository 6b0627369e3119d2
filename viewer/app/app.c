/* The program: creating the window, and the main loop. */
#include "app/app.h"
#include "ui/input.h"
#include "ui/theme.h"
#include "engine/src/base/near_file.h"

#include <limits.h>
#include <math.h>
#include <sinew/modules.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_script(const char *text, size_t length, void *user) {
  (void)user;
  fprintf(stderr, "%.*s\n", (int)length, text);
}

/* Loads the rig and sets the DOFs of the command line, before there is a window. If the rig is
 * broken, the scene stays empty until a save fixes it, and `wrong` has the message. That is an
 * error if a picture or an option of the rig was asked for. */
static bool open_first(state *st, const char *path, sinew_error *wrong, int *code) {
  sinew_error error;
  sinew_error_clear(wrong);
  sinew_host_news news = loading_start(st, path, &error);
  if (news == SINEW_HOST_FAILED) {
    char words[300];
    fprintf(stderr, "sinew-viewer: %s%s\n", error.text, si_near_file(path, words, sizeof words));
    if (st->options.render || st->options.choice_count || !FileExists(path)) return false;
    *wrong = error;
  }
  st->waiting = news != SINEW_HOST_RELOADED;
  if (st->waiting) return sinew_host_wait(st->host, &error) >= 0;
  if (loading_set_asked(st, &error)) return true;
  fprintf(stderr, "sinew-viewer: %s\n", error.text);
  *code = 2;
  return false;
}

/* whether the renderer draws without a GPU: raylib only logs its name */
static bool software;
static void hear_log(int level, const char *format, va_list args) {
  static const char *const slow[] = { "llvmpipe", "softpipe", "SwiftShader",
                                      "Software Rasterizer" };
  char text[512];
  vsnprintf(text, sizeof text, format, args);
  if (level >= LOG_ERROR) fprintf(stderr, "sinew-viewer: %s\n", text);
  for (int i = 0; i < 4 && strstr(text, "Renderer:"); i++)
    if (strstr(text, slow[i])) software = true;
}

static void open_once(const options *o, unsigned flags) {
  SetConfigFlags(FLAG_WINDOW_RESIZABLE | FLAG_WINDOW_HIGHDPI | FLAG_VSYNC_HINT |
                 FLAG_WINDOW_HIDDEN | flags);
  SetTraceLogCallback(hear_log);
  SetTraceLogLevel(LOG_INFO);
  InitWindow(o->width, o->height, "Sinew");
  SetTraceLogLevel(LOG_ERROR);
  SetTraceLogCallback(NULL);
}

/* Multisampling must be asked for before the renderer is known, and cannot be taken back: so with a
 * GPU the window is opened twice, and shown once. */
static bool open_window(state *st) {
  const options *o = &st->options;
  const char *forced = getenv("SINEW_SOFTWARE"); /* 0 or 1, for tests */
  open_once(o, 0);
  st->software = forced ? *forced == '1' : software;
  if (IsWindowReady() && !st->software && !o->render) {
    CloseWindow();
    open_once(o, FLAG_MSAA_4X_HINT);
  }
  if (!IsWindowReady()) {
    fprintf(stderr, "sinew-viewer: cannot open a window\n");
    return false;
  }
  if (!o->render) ClearWindowState(FLAG_WINDOW_HIDDEN);
  SetExitKey(KEY_NULL);
  if (!o->render) input_start();
  SetTargetFPS(60);
  if (!ui_start(&st->ui)) return false;
  st->scene = scene_create(st->software && !o->render);
  if (!st->scene || !tools_create(st)) return false;
  commands_add(st, app_commands, NULL);
  workspace_start(st);
  if (st->workspace.remembers && !*settings_text(&st->workspace.settings, "welcome", ""))
    welcome_open(st);
  return true;
}

/* opens the tools and selects the segment named on the command line */
static bool show_asked(state *st) {
  char names[256];
  snprintf(names, sizeof names, "%s", st->options.show ? st->options.show : "");
  char *save = NULL;
  for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
    char *part = strchr(name, ':'); /* the tool reads what follows */
    if (part) *part = '\0';
    if (tool_set_open(st, name, true)) continue;
    fprintf(stderr, "sinew-viewer: no tool '%s'; there are", name);
    for (int i = 0; i < st->tool_count; i++) fprintf(stderr, " %s", st->tools[i].tool->name);
    fprintf(stderr, "\n");
    return false;
  }
  sinew_error error;
  if (!st->options.select || st->waiting) return true;
  state_select(st, (selection){ .segment = sinew_rig_find_segment(state_rig(st), st->options.select,
                                                                  &error) });
  if (!st->selected.segment.id) fprintf(stderr, "sinew-viewer: %s\n", error.text);
  return st->selected.segment.id != 0;
}

state *app_create(const options *o, const tool *const *tools, int tool_count, int *code) {
  char folder[PATH_MAX + 32], cache[PATH_MAX];
  sinew_error error, wrong;
  state *st = calloc(1, sizeof *st);
  *code = 1;
  if (!st) return NULL;
  st->options = *o;
  for (; st->tool_count < tool_count; st->tool_count++)
    st->tools[st->tool_count].tool = tools[st->tool_count];
  st->show_grid = true;
  st->history = history_create();
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.cache = sinew_solid_cache_folder(cache, sizeof cache);
  desc.print = print_script;
  desc.isolate = state_isolate(st);
  desc.background = !o->render;
  if (o->load_seconds > 0) sinew_host_desc_load_time(&desc, o->load_seconds);
  desc.options = st->options.choices;
  desc.option_count = st->options.choice_count;
  st->host = sinew_host_create(&desc, &error);
  if (!st->history || !st->host ||
      !open_first(st, o->rig ? o->rig : "rigs/human.lua", &wrong, code) || !open_window(st)) {
    app_destroy(st);
    return NULL;
  }
  loading_take(st);
  bool drawn = !o->render || scene_finish(st->scene, &error);
  if (!drawn) fprintf(stderr, "sinew-viewer: %s\n", error.text);
  /* what the window would show in red, as a skin that cannot be read */
  if (drawn && o->render && st->banner[0]) {
    fprintf(stderr, "sinew-viewer: %s\n", st->banner);
    drawn = false;
  }
  bool shown = drawn && show_asked(st);
  if (drawn && !shown) *code = 2;
  if (!shown) {
    app_destroy(st);
    return NULL;
  }
  workspace_lay_out(st);
  st->view = orbit_default();
  state_look(st, o->cameras[0]);
  state_frame_all(st);
  if (st->waiting) state_wrong(st, wrong.text);
  return st;
}

bool app_destroy(state *st) {
  if (!st) return true;
  bool kept = true;
  if (IsWindowReady()) {
    kept = documents_close(st);
    kept = workspace_end(st) && kept;
    input_stop();
    tools_destroy(st);
    ui_end(&st->ui);
    canvas_unload(&st->canvas);
    scene_destroy(st->scene);
    CloseWindow();
  }
  history_destroy(st->history);
  changes_free(st->known);
  free(st->moved_by);
  free(st->sides);
  free(st->held);
  sinew_host_destroy(st->host);
  free(st);
  return kept;
}

/* a right click that was no drag: a menu for the bone, or for the scene beside it */
static void context_menu(state *st, Ray ray) {
  static Vector2 from;
  static bool pressed;
  Vector2 at = GetMousePosition();
  if (IsMouseButtonPressed(MOUSE_BUTTON_RIGHT)) {
    from = at;
    pressed = true;
  }
  if (!pressed || !IsMouseButtonReleased(MOUSE_BUTTON_RIGHT)) return;
  pressed = false;
  if (fabsf(at.x - from.x) > 3 || fabsf(at.y - from.y) > 3) return;
  selection what = { .segment = scene_pick(st->scene, state_pose(st), ray, NULL) };
  char title[160];
  if (what.segment.id) state_select(st, what);
  state_words(st, what, true, title, sizeof title);
  popup_open(st, title, at.x, at.y);
  popup_add_on(st, what.segment.id ? ON_BONE : ON_SCENE);
}

static void mouse(state *st) {
  static Vector2 pressed_at, hovered_at;
  static double hovered_since;
  Vector2 at = GetMousePosition();
  if (st->ui.wants_mouse || !CheckCollisionPointRec(at, st->place)) {
    st->hovered = (sinew_segment){ 0 };
    hovered_since = 0;
    return;
  }
  Ray ray = state_ray(st, at);
  bool dragging = IsMouseButtonDown(MOUSE_BUTTON_LEFT) || IsMouseButtonDown(MOUSE_BUTTON_RIGHT);
  /* under a mouse that is still, bones are looked for ten times a second */
  bool moved = at.x != hovered_at.x || at.y != hovered_at.y;
  if (!dragging && (moved || GetTime() > hovered_since + 0.1 || GetMouseWheelMoveV().y != 0)) {
    st->hovered = state_pick(st, at, NULL);
    hovered_at = at;
    hovered_since = GetTime();
  }
  if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) {
    pressed_at = at;
    st->ui.focus = 0;
  }
  if (tools_mouse(st, ray)) return;
  context_menu(st, ray);
  bool still = fabsf(at.x - pressed_at.x) < 4 && fabsf(at.y - pressed_at.y) < 4;
  if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT) && still)
    state_select(st, (selection){ .segment = state_pick(st, at, NULL) });
  orbit_input(&st->view, st->place.height, ray);
}

static void take_dropped(state *st) {
  if (!IsFileDropped()) return;
  FilePathList files = LoadDroppedFiles();
  if (files.count) documents_leave(st, files.paths[0]);
  UnloadDroppedFiles(files);
}

/* before and while the window is drawn: in software through a texture, else directly */
static void prepare_scene(state *st) {
  Camera3D camera = orbit_camera(&st->view);
  scene_options shown = state_shown(st);
  if (!st->software)
    scene_shadow(st->scene, state_pose(st), camera, &shown);
  else if (!canvas_update(&st->canvas, st->scene, state_pose(st), camera, &shown, state_print(st)))
    st->awake_until = fmax(st->awake_until, GetTime() + 0.5); /* until it is smooth */
}

void app_draw_scene(state *st) {
  if (st->software) {
    canvas_show(&st->canvas, st->place);
    return;
  }
  scene_options shown = state_shown(st);
  scene_draw(st->scene, state_pose(st), orbit_camera(&st->view), &shown);
}

/* takes finer bones from the threads that make them */
static void poll_bones(state *st) {
  sinew_error error;
  if (!scene_poll(st->scene)) return;
  st->awake_until = fmax(st->awake_until, GetTime() + 0.5);
  if (scene_left(st->scene) == 0 && !scene_finish(st->scene, &error)) state_wrong(st, error.text);
}

/* a test makes frames slow: they last this many milliseconds more */
static void be_slow(void) {
  const char *slow = getenv("SINEW_SLOW_FRAME");
  long milliseconds = slow ? strtol(slow, NULL, 10) : 0;
  if (milliseconds > 0)
    nanosleep(&(struct timespec){ .tv_sec = milliseconds / 1000,
                                  .tv_nsec = milliseconds % 1000 * 1000000 },
              NULL);
}

/* Whether to catch up with input: without a GPU, the picture of the scene stays as it is until
 * then, but not for long. */
static bool behind(state *st) {
  static double since;
  bool late = st->software && input_waiting() && st->frames > 3 && GetTime() - since < 0.5;
  if (!late) since = GetTime();
  return late;
}

static void frame(state *st) {
  double start = GetTime();
  loading_poll(st);
  poll_bones(st);
  ui_frame_begin(&st->ui);
  workspace_lay_out(st);
  state_keep_framed(st);
  if (!question_open(st)) {
    if (!st->popup.open && !st->show_palette) commands_keyboard(st);
    take_dropped(st);
  }
  tools_frame(st);
  documents_frame(st);
  if (!behind(st)) prepare_scene(st);
  BeginDrawing();
  ClearBackground(theme_window); /* behind the panels */
  app_draw_scene(st);
  st->ui.blocked = st->show_help || st->popup.open || st->show_palette || question_open(st);
  status_ring(st);
  status_sides(st);
  ui_clip_push(&st->ui, st->place);
  tools_flat(st, false);
  ui_clip_pop(&st->ui);
  workspace_splitters(st);
  workspace_panels(st);
  bar_draw(st);
  if (st->card) welcome_draw(st);
  status_draw(st);
  st->ui.blocked = false;
  if (st->show_help) help_draw(st);
  popup_draw(st);
  if (st->show_palette) palette_draw(st);
  question_draw(st);
  mouse(st); /* after the widgets, which get the mouse and the keyboard first */
  ui_frame_end(&st->ui);
  if (st->posing)
    history_forget_dofs(st);
  else
    history_watch_dofs(st);
  if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT) && !IsKeyDown(KEY_LEFT) && !IsKeyDown(KEY_RIGHT))
    history_pause(st->history);
  st->frame_seconds = GetTime() - start;
  be_slow();
  input_before_poll();
  EndDrawing();
  input_after_poll();
  st->frames++;
}

/* whether there is any input */
static bool touched(void) {
  Vector2 moved = GetMouseDelta(), wheel = GetMouseWheelMoveV();
  bool any = moved.x != 0 || moved.y != 0 || wheel.x != 0 || wheel.y != 0 || IsWindowResized() ||
             IsFileDropped();
  for (int button = 0; button < 3; button++)
    any |= IsMouseButtonDown(button) || IsMouseButtonReleased(button);
  for (int key = KEY_SPACE; key <= KEY_KB_MENU; key++) any |= IsKeyDown(key) || IsKeyReleased(key);
  return any;
}

/* draws only when something may have changed, so that an idle window costs almost nothing */
static void next_frame(state *st) {
  double now = GetTime();
  bool busy =
      st->posing || touched() || input_waiting() || st->frames < 3 || now < st->note_until + 0.2;
  if (busy) st->awake_until = now + 0.5;
  if (now < st->awake_until) {
    frame(st);
    return;
  }
  /* WaitTime keeps the CPU busy */
  nanosleep(&(struct timespec){ .tv_nsec = st->loading.kind ? 2000000 : 1000000000 / 60 }, NULL);
  input_before_poll();
  PollInputEvents();
  input_after_poll();
  tools_frame(st);
  documents_frame(st);
  poll_bones(st);
  if (loading_poll(st)) st->awake_until = GetTime() + 0.5;
  if (touched()) frame(st);
}

int app_run(state *st) {
  if (st->options.remote) remote_start();
  while (!st->quit) {
    next_frame(st);
    export_run(st);
    switch (input_ended()) {
    case INPUT_CLOSED: documents_leave(st, NULL); break;
    case INPUT_INTERRUPTED: st->quit = true; break; /* unsaved changes are kept */
    default: break;
    }
    if (st->options.remote && remote_poll(st)) st->awake_until = GetTime() + 0.5;
  }
  return st->exit_code;
}
