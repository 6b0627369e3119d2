/* What all parts of the viewer use: evaluating, the camera, messages.
 */
#include "state/state.h"
#include "plain/value_text.h"
#include "ui/theme.h"
#include "engine/src/base/platform.h"

#include <limits.h>
#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void state_say(state *st, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(st->note, sizeof st->note, format, args);
  va_end(args);
  st->note_until = GetTime() + 3;
}

void state_folder(const state *st, char *dest, size_t capacity) {
  const char *path = sinew_host_path(st->host), *slash = path ? strrchr(path, '/') : NULL;
  int length = slash && slash != path ? (int)(slash - path) : 1;
  snprintf(dest, capacity, "%.*s", length, slash ? path : ".");
}

void state_short(const state *st, const char *text, char *dest, size_t capacity) {
  char folder[PATH_MAX];
  state_folder(st, folder, sizeof folder);
  message_short(text, folder, dest, capacity);
}

void state_copy(state *st, const char *text, const char *what) {
  SetClipboardText(text);
  state_say(st, "copied %s", what);
}

const char *state_source_path(const state *st, const char *path) {
  size_t length = strlen(path);
  if (strncmp(path, "...", 3) != 0) return path;
  const char *whole = sinew_host_path(st->host);
  for (int i = -1; i < sinew_host_file_count(st->host); i++) {
    if (i >= 0) whole = sinew_host_file(st->host, i);
    size_t have = whole ? strlen(whole) : 0;
    if (have >= length - 3 && strcmp(whole + have - (length - 3), path + 3) == 0) return whole;
  }
  return NULL;
}

/* inserts the source line below the first line of a message, or of several, that starts with file
 * and line */
static void quote_source(const state *st, char *banner, size_t capacity) {
  char path[PATH_MAX], source[256];
  const char *colon = NULL;
  int line = 0;
  for (;; banner++) {
    colon = strchr(banner, ':');
    line = colon && !memchr(banner, '\n', (size_t)(colon - banner)) ? atoi(colon + 1) : 0;
    size_t rest = strcspn(banner, "\n");
    if (line > 0 || !banner[rest]) break;
    banner += rest;
    capacity -= rest + 1;
  }
  if (line <= 0 || (size_t)(colon - banner) >= sizeof path) return;
  snprintf(path, sizeof path, "%.*s", (int)(colon - banner), banner);
  const char *whole = state_source_path(st, path);
  FILE *file = whole ? fopen(whole, "r") : NULL;
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

void state_wrong(state *st, const char *text) {
  snprintf(st->banner, sizeof st->banner, "%s", text);
  quote_source(st, st->banner, sizeof st->banner);
}

void state_eval(state *st) {
  sinew_error error;
  double start = GetTime();
  sinew_status status = sinew_host_eval(st->host, state_pose(st), &error);
  st->eval_seconds = GetTime() - start;
  if (status < 0)
    state_wrong(st, error.text);
  else
    st->banner[0] = '\0';
}

/* of the pose, or of the whole crowd */
static BoundingBox bounds_of(const state *st) {
  BoundingBox box;
  if (tools_bounds(st, &box)) return box;
  return st->worn ? st->worn_box : scene_bounds(st->scene, state_pose(st), NULL);
}

bool state_look(state *st, const char *view) {
  BoundingBox crowd;
  bool along_rows = strcmp(view, "three-quarter") == 0 && tools_bounds(st, &crowd);
  return orbit_look(&st->view, along_rows ? "14,20" : view);
}

int state_points(state *st, const bool *only, Vector3 *dest) {
  if (!st->worn || only) return scene_points(st->scene, state_pose(st), only, dest);
  if (dest) {
    tools_frame(st); /* so that it has the pose */
    orbit_corners(st->worn_box, dest);
  }
  return 8;
}

void state_frame(state *st, float aspect) {
  BoundingBox crowd;
  bool many = tools_bounds(st, &crowd);
  int count = many ? 0 : state_points(st, NULL, NULL);
  Vector3 corners[8], *points = count ? malloc((size_t)count * sizeof *points) : NULL;
  orbit_corners(many ? crowd : bounds_of(st), corners);
  if (points) state_points(st, NULL, points);
  orbit_frame_points(&st->view, points ? points : corners, points ? count : 8, aspect);
  free(points);
}

void state_frame_all(state *st) {
  state_frame(st, st->place.width / st->place.height);
  st->framed = st->view;
  st->framed_in = st->place;
}

void state_frame_selected(state *st) {
  const sinew_rig *rig = state_rig(st);
  int segments = sinew_rig_segment_count(rig), count;
  bool *only = calloc((size_t)segments + 1, sizeof *only);
  for (int i = 0; only && i < segments; i++) {
    sinew_segment at = sinew_rig_segment(rig, i);
    while (at.id && at.id != st->selected.segment.id) at = sinew_rig_segment_info(rig, at).parent;
    only[i] = at.id != 0;
  }
  count = only && st->selected.segment.id ? scene_points(st->scene, state_pose(st), only, NULL) : 0;
  Vector3 *points = count ? malloc((size_t)count * sizeof *points) : NULL;
  if (points) {
    scene_points(st->scene, state_pose(st), only, points);
    orbit_frame_points(&st->view, points, count, st->place.width / st->place.height);
    st->view.distance *= 1.6f; /* with what is around it */
  } else {
    state_frame_all(st);
  }
  free(points);
  free(only);
}

void state_keep_framed(state *st) {
  bool same = st->place.width == st->framed_in.width && st->place.height == st->framed_in.height;
  if (!same && memcmp(&st->view, &st->framed, sizeof st->view) == 0) state_frame_all(st);
}

static void mark_held(state *st) {
  int count;
  sinew_hold *holds = state_holds(st, &count);
  memset(st->held, 0, (size_t)sinew_rig_segment_count(state_rig(st)) * sizeof *st->held);
  for (int i = 0; i < count; i++) {
    uint32_t component = holds[i].component.id;
    uint32_t segment = component ? st->moved_by[component - 1].id : 0;
    if (segment) st->held[segment - 1] = true;
  }
  if (st->blocked.id) st->held[st->blocked.id - 1] = true;
  free(holds);
}

const char *state_isolate(const state *st) {
  static char path[PATH_MAX];
  if (!st->options.isolate) return NULL;
  return si_program_again(path, sizeof path) ? path : "sinew-viewer";
}

sinew_dof state_find_dof(const state *st, const char *argument, float *value, sinew_error *error) {
  char name[256];
  const char *equals = strchr(argument, '=');
  char *end;
  snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
  *value = strtof(equals + 1, &end);
  if (end == equals + 1 || *end || !isfinite(*value)) {
    if (error) {
      sinew_error_clear(error);
      error->status = SINEW_ERR_VALUE;
      snprintf(error->text, sizeof error->text, "'%s': '%.200s' is not a number", name, equals + 1);
    }
    return (sinew_dof){ 0 };
  }
  return sinew_rig_find_dof(state_rig(st), name, error);
}

sinew_hold *state_holds(const state *st, int *count) {
  int room = 32; /* mostly more than there are, so that they are looked for once */
  for (;;) {
    sinew_hold *holds = malloc((size_t)room * sizeof *holds);
    *count = holds ? sinew_pose_holds(state_pose(st), holds, room) : 0;
    if (*count <= room) return holds;
    free(holds);
    room = *count;
  }
}

Ray state_ray(const state *st, Vector2 at) {
  at = (Vector2){ at.x - st->place.x, at.y - st->place.y };
  return GetScreenToWorldRayEx(at, orbit_camera(&st->view), (int)st->place.width,
                               (int)st->place.height);
}

sinew_segment state_pick(const state *st, Vector2 at, Vector3 *hit) {
  float pixel = 2 * tanf(orbit_camera(&st->view).fovy / 2 * DEG2RAD) / st->place.height;
  return scene_pick_near(st->scene, state_pose(st), state_ray(st, at), pixel, ui_px(&st->ui, 8),
                         hit);
}

/* what the camera does to a point: the same for the many points of a frame */
static Matrix seen_through(const state *st) {
  static orbit view;
  static float aspect;
  static Matrix seen;
  float now = truncf(st->place.width) / truncf(st->place.height);
  if (now == aspect && memcmp(&view, &st->view, sizeof view) == 0) return seen;
  Camera3D camera = orbit_camera(&st->view);
  view = st->view;
  aspect = now;
  seen = MatrixMultiply(MatrixLookAt(camera.position, camera.target, camera.up),
                        MatrixPerspective(camera.fovy * DEG2RAD, aspect, rlGetCullDistanceNear(),
                                          rlGetCullDistanceFar()));
  return seen;
}

Vector2 state_project(const state *st, Vector3 point) {
  Matrix m = seen_through(st);
  float x = m.m0 * point.x + m.m4 * point.y + m.m8 * point.z + m.m12;
  float y = m.m1 * point.x + m.m5 * point.y + m.m9 * point.z + m.m13;
  float w = m.m3 * point.x + m.m7 * point.y + m.m11 * point.z + m.m15;
  return (Vector2){ st->place.x + (1 + x / w) / 2 * truncf(st->place.width),
                    st->place.y + (1 - y / w) / 2 * truncf(st->place.height) };
}

float state_pixel(const state *st, Vector3 point) {
  Camera3D camera = orbit_camera(&st->view);
  Vector3 ahead = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
  float depth = Vector3DotProduct(Vector3Subtract(point, camera.position), ahead);
  return 2 * fmaxf(depth, 0.01f) * tanf(camera.fovy / 2 * DEG2RAD) / st->place.height;
}

static void in_scene(void *user, bool glass) {
  state *st = user;
  if (glass)
    tools_glass(st);
  else
    tools_solid(st);
}

static void in_shadow(void *user) { tools_cast(user); }

static void over_picture(void *user, int width, int height, float larger) {
  state *st = user;
  Rectangle place = st->place;
  float size = st->ui.size;
  st->place = (Rectangle){ 0, 0, (float)width, (float)height };
  st->ui.size *= larger;
  st->ui.blocked = st->picturing = true;
  tools_flat(st, true);
  if (st->caption) {
    float x = ui_px(&st->ui, theme_s2),
          wide = fminf(ui_text_width(&st->ui, st->caption), width - 4 * x);
    ui_over_scene(&st->ui, (Rectangle){ x, x, wide + 2 * x, ui_row(&st->ui) });
    ui_label_in(&st->ui, st->caption, 2 * x, x, wide + 1, theme_text);
  }
  st->ui.blocked = st->picturing = false;
  st->ui.size = size;
  st->place = place;
}

scene_options state_shown(state *st) {
  scene_options shown = { .grid = st->show_grid,
                          .axes = st->show_axes,
                          .selected = st->selected.segment,
                          .hovered = st->hovered,
                          .moving = st->software && !st->options.render,
                          .grain = 1,
                          .no_bones = st->worn,
                          .place = st->place,
                          .seat = st->seat,
                          .also = in_scene,
                          .over = over_picture,
                          .cast = in_shadow,
                          .user = st };
  bool crowd = tools_bounds(st, &shown.crowd);
  /* a picture shows what is held only with the limits */
  if (crowd || !st->held || !st->moved_by || (st->options.render && !tool_is_open(st, "limits")))
    return shown;
  mark_held(st);
  shown.held = st->held;
  return shown;
}

uint64_t state_print(const state *st) {
  const uint32_t numbers[] = { scene_version(st->scene),
                               sinew_rig_revision(state_rig(st)),
                               st->selected.segment.id,
                               st->selected.component.id,
                               st->hovered.id,
                               st->show_grid,
                               st->show_axes,
                               st->worn,
                               (uint32_t)GetRenderWidth(),
                               (uint32_t)GetRenderHeight() };
  size_t segments = (size_t)sinew_rig_segment_count(state_rig(st));
  uint64_t print = PRINT(print_start, numbers);
  print = print_bytes(print, sinew_pose_worlds(state_pose(st)), 16 * segments * sizeof(float));
  print = PRINT(print, st->seat);
  if (st->held) print = print_bytes(print, st->held, segments * sizeof *st->held);
  print = PRINT(print, st->view);
  print = PRINT(print, st->place);
  print = PRINT(print, st->ui.size);
  return tools_print(st, print);
}
