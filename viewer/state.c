/* What the viewer shows, and what everything in it needs: evaluating, opening, looking, saying. */
#include "state.h"

#include <limits.h>
#include <math.h>
#include <raymath.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void state_say(app *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(a->note, sizeof a->note, format, args);
  va_end(args);
  a->note_until = GetTime() + 3;
}

void state_copy(app *a, const char *text, const char *what) {
  SetClipboardText(text);
  state_say(a, "copied %s", what);
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

void state_wrong(app *a, const char *text) {
  snprintf(a->banner, sizeof a->banner, "%s", text);
  quote_source(a->banner, sizeof a->banner);
}

void state_eval(app *a) {
  sinew_error error;
  double start = GetTime();
  sinew_status status = sinew_host_eval(a->host, state_pose(a), &error);
  a->eval_seconds = GetTime() - start;
  if (status < 0)
    state_wrong(a, error.text);
  else
    a->banner[0] = '\0';
}

BoundingBox state_bounds(const app *a) {
  BoundingBox box;
  return tools_bounds(a, &box) ? box : scene_bounds(a->scene, state_pose(a), NULL);
}

void state_look(app *a, orbit_view view) {
  BoundingBox crowd;
  orbit_look(&a->view, view);
  if (view == ORBIT_THREE_QUARTER && tools_bounds(a, &crowd)) /* over heads, along the rows */
    a->view.yaw = 14, a->view.pitch = 20;
}

void state_frame(app *a, float aspect) {
  BoundingBox crowd;
  if (tools_bounds(a, &crowd))
    orbit_frame_close(&a->view, crowd, aspect);
  else
    orbit_frame(&a->view, state_bounds(a), aspect);
}

void state_frame_all(app *a) { state_frame(a, a->place.width / a->place.height); }

/* takes a new rig in: shapes, tools, selection by name */
static void loaded(app *a, const char *selected) {
  scene_load(a->scene, a->host);
  a->hovered = (sinew_segment){ 0 };
  a->selected =
      *selected ? sinew_rig_find_segment(state_rig(a), selected, NULL) : (sinew_segment){ 0 };
  a->banner[0] = '\0';
  state_eval(a);
  history_forget_dofs(a);
  tools_loaded(a);
}

static void note_known(app *a) {
  changes_free(a->known);
  a->known = changes_note(state_rig(a));
}

void state_take_rig(app *a) {
  loaded(a, "");
  note_known(a);
}

bool state_open(app *a, const char *path) {
  sinew_error error;
  if (sinew_host_load(a->host, path, &error) < 0) {
    state_wrong(a, error.text);
    return false;
  }
  state_take_rig(a);
  state_frame_all(a);
  state_say(a, "opened %s", path);
  return true;
}

bool state_poll(app *a) {
  sinew_error error;
  double start = GetTime();
  char selected[128] = "", what[200];
  if (a->selected.id)
    snprintf(selected, sizeof selected, "%s",
             sinew_rig_segment_info(state_rig(a), a->selected).name);
  switch (sinew_host_poll(a->host, start, &error)) {
  case SINEW_HOST_RELOADED:
    loaded(a, selected);
    changes_say(a->known, state_rig(a), what, sizeof what);
    note_known(a);
    state_say(a, "reloaded in %.0f ms: %s", (GetTime() - start) * 1000, what);
    return true;
  case SINEW_HOST_FAILED: state_wrong(a, error.text); return true;
  default: return false;
  }
}

Ray state_ray(const app *a, Vector2 at) {
  at = (Vector2){ at.x - a->place.x, at.y - a->place.y };
  return GetScreenToWorldRayEx(at, orbit_camera(&a->view), (int)a->place.width,
                               (int)a->place.height);
}

Vector2 state_project(const app *a, Vector3 point) {
  Vector2 at =
      GetWorldToScreenEx(point, orbit_camera(&a->view), (int)a->place.width, (int)a->place.height);
  return (Vector2){ at.x + a->place.x, at.y + a->place.y };
}

float state_pixel(const app *a, Vector3 point) {
  Camera3D camera = orbit_camera(&a->view);
  Vector3 ahead = Vector3Normalize(Vector3Subtract(camera.target, camera.position));
  float depth = Vector3DotProduct(Vector3Subtract(point, camera.position), ahead);
  return 2 * fmaxf(depth, 0.01f) * tanf(camera.fovy / 2 * DEG2RAD) / a->place.height;
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

scene_options state_shown(app *a) {
  scene_options shown = { .grid = a->show_grid,
                          .axes = a->show_axes,
                          .selected = a->selected,
                          .hovered = a->hovered,
                          .place = a->place,
                          .also = in_scene,
                          .over = over_picture,
                          .cast = in_shadow,
                          .user = a };
  tools_bounds(a, &shown.crowd);
  return shown;
}
