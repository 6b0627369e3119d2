/* Sets the pose of each frame, draws it, and combines the pictures. */
#include "film/film.h"
#include "draw/gif.h"
#include "plain/side.h"
#include "plain/value_text.h"
#include "tools/crowd/crowd.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <sinew/clip.h>
#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep {
  sinew_dof dof;
  float from, to;
} sweep;

typedef struct film {
  state *st;
  sweep sweeps[most_sweeps];
  int sweep_count;
  sinew_clip *clip;     /* NULL: none */
  bool gif, sheet, one; /* one: a picture of the pose as it is */
  int columns, rows;    /* of a sheet, or of the views of one picture */
  int count;
  float aspect;
  orbit views[most_cameras]; /* frames take turns with them */
  int view_count;
  bool *focus; /* for each segment; NULL: all */
  film_go_on *go_on;
  char label[160];
  int code; /* of the program if a frame fails: 1, or 2 for a mistake in the arguments */
} film;

static char said[SINEW_ERROR_TEXT];

const char *film_error(void) { return said; }

static bool complain(const char *text) {
  snprintf(said, sizeof said, "%.4000s", text);
  fprintf(stderr, "sinew-viewer: %s\n", text);
  return false;
}

/* a mistake in the arguments */
static bool misused(film *f, const char *text) {
  f->code = 2;
  return complain(text);
}

static bool read_sweep(film *f, const char *argument) {
  sinew_error error;
  char name[256], rest;
  const char *equals = strchr(argument, '=');
  snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - argument) : (int)strlen(argument),
           argument);
  sweep *s = &f->sweeps[f->sweep_count++];
  s->dof = sinew_rig_find_dof(state_rig(f->st), name, &error);
  if (!s->dof.id) return misused(f, error.text);
  sinew_dof_info info = sinew_rig_dof_info(state_rig(f->st), s->dof);
  s->from = info.min;
  s->to = info.max;
  if (equals && (sscanf(equals + 1, "%f:%f%c", &s->from, &s->to, &rest) != 2 ||
                 !isfinite(s->from) || !isfinite(s->to)))
    return misused(f, TextFormat("expected a sweep such as %s=0:90, got '%s'", name, argument));
  return true;
}

static bool read_focus(film *f, const char *names) {
  const sinew_rig *rig = state_rig(f->st);
  sinew_error error;
  f->focus = calloc((size_t)sinew_rig_segment_count(rig) + 1, sizeof *f->focus);
  if (!f->focus) return complain("out of memory");
  for (size_t length; *names; names += length + (names[length] == ',')) {
    char name[256];
    length = strcspn(names, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, names);
    sinew_segment segment = sinew_rig_find_segment(rig, name, &error);
    if (!segment.id) return misused(f, error.text);
    f->focus[segment.id - 1] = true;
  }
  return true;
}

static bool prepare(film *f, const sinew_clip *clip) {
  const options *o = &f->st->options;
  sinew_error error;
  const char *dot = strrchr(o->render, '.');
  f->gif = dot && strcmp(dot, ".gif") == 0;
  f->sheet = o->columns > 0;
  f->one = !f->sheet && !f->gif && !o->frames && !o->sweep_count && !o->keys && !clip;
  f->view_count = o->camera_count ? o->camera_count : 1;
  for (int i = 0; i < f->view_count; i++) {
    state_look(f->st, o->cameras[i]);
    f->views[i] = f->st->view;
  }
  f->columns = f->sheet ? o->columns : f->view_count;
  f->rows = f->sheet ? o->rows : 1;
  if (f->view_count > 1 && !f->sheet && !f->one)
    return misused(f, "several cameras are for one picture or a contact sheet");
  if (o->focus && !read_focus(f, o->focus)) return false;
  for (int i = 0; i < o->sweep_count; i++)
    if (!read_sweep(f, o->sweeps[i])) return false;
  if (o->keys && !(f->clip = sinew_clip_load(o->keys, &error))) return complain(error.text);
  if (o->keys) {
    const int missing = sinew_clip_apply(f->clip, state_pose(f->st), 0, &error);
    if (missing > 0 && missing == sinew_clip_channel_count(f->clip)) return complain(error.text);
    if (missing > 0) fprintf(stderr, "sinew-viewer: %s\n", error.text);
  }
  if (clip && !(f->clip = sinew_clip_copy(clip, &error))) return complain(error.text);
  if (f->clip && o->sweep_count) return misused(f, "use either --sweep or --keys, not both");
  if (f->sheet && f->gif)
    return misused(f, "a contact sheet is one picture: use a file name that ends in .png");
  if (f->sheet || f->one) {
    f->count = f->columns * f->rows;
    if (f->sheet && !f->clip && !f->sweep_count && f->count > sinew_rig_dof_count(state_rig(f->st)))
      f->count = sinew_rig_dof_count(state_rig(f->st));
  } else if (o->frames) {
    f->count = o->frames;
  } else if (f->clip) {
    f->count = (int)fminf(10000, floorf(sinew_clip_duration(f->clip) * o->fps) + 1);
  } else {
    f->count = 50;
  }
  if (o->crowd && !crowd_active(f->st)) return complain(f->st->banner);
  for (int i = 0; o->crowd && i < f->sweep_count; i++)
    crowd_sweep(f->st, f->sweeps[i].dof, f->sweeps[i].from, f->sweeps[i].to,
                (float)f->count / o->fps);
  return true;
}

/* frames the segments that moved */
static void look_at_moved(film *f, const float *before) {
  state *st = f->st;
  int count = sinew_rig_segment_count(state_rig(st));
  bool *moved = calloc((size_t)count + 1, sizeof *moved);
  if (!moved) return;
  const float *now = sinew_pose_worlds(state_pose(st));
  for (int i = 0; i < 16 * count; i++) moved[i / 16] |= fabsf(now[i] - before[i]) > 1e-4f;
  BoundingBox box = scene_bounds(st->scene, state_pose(st), moved);
  Vector3 more = Vector3Scale(Vector3Subtract(box.max, box.min), 0.15f);
  box.min = Vector3Subtract(box.min, more);
  box.max = Vector3Add(box.max, more);
  orbit_frame(&st->view, box, f->aspect);
  free(moved);
}

/* "Knee flexion 60.0\u00b0" */
static void write_label(film *f, const sinew_dof_info *dof, float value) {
  char name[sizeof f->label - 40], number[40];
  name_text(dof->name, name, sizeof name);
  value_number(value, value_unit(dof->unit, dof->min, dof->max), number, sizeof number);
  snprintf(f->label, sizeof f->label, "%s %s", name, number);
}

/* shows one DOF at the end of its range that is farther from rest */
static void show_dof(film *f, int index) {
  const sinew_rig *rig = state_rig(f->st);
  sinew_dof dof = sinew_rig_dof(rig, index);
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  float far = info.max - info.rest > info.rest - info.min ? info.max : info.min;
  size_t bytes = (size_t)sinew_rig_segment_count(rig) * 16 * sizeof(float);
  float *before = malloc(bytes + 1);
  sinew_pose_reset(state_pose(f->st));
  state_eval(f->st);
  if (before) memcpy(before, sinew_pose_worlds(state_pose(f->st)), bytes);
  sinew_pose_set(state_pose(f->st), dof, far, NULL);
  state_eval(f->st);
  if (before) look_at_moved(f, before);
  free(before);
  write_label(f, &info, far);
}

static void show_sweep(film *f, float part) {
  const sinew_rig *rig = state_rig(f->st);
  for (int i = 0; i < f->sweep_count; i++) {
    const sweep *s = &f->sweeps[i];
    sinew_pose_set(state_pose(f->st), s->dof, s->from + (s->to - s->from) * part, NULL);
  }
  sinew_dof_info first = sinew_rig_dof_info(rig, f->sweeps[0].dof);
  write_label(f, &first, sinew_pose_get(state_pose(f->st), f->sweeps[0].dof));
}

/* sets the pose and the camera of a frame; false when it cannot be evaluated */
static bool set_frame(film *f, int i) {
  state *st = f->st;
  if (f->go_on && !f->go_on(st, (float)i / (float)f->count)) return false;
  float part = f->count > 1 ? (float)i / (float)(f->count - 1) : 0;
  f->label[0] = '\0';
  st->view = f->views[i % f->view_count];
  if (crowd_active(st)) {
    crowd_show(st, f->one ? 0 : (double)i / (double)st->options.fps);
    return !st->banner[0] || complain(st->banner);
  }
  if (f->clip) {
    float time = f->sheet || st->options.frames ? sinew_clip_duration(f->clip) * part
                                                : (float)i / st->options.fps;
    sinew_clip_apply(f->clip, state_pose(st), time, NULL);
    snprintf(f->label, sizeof f->label, "%.2f s", (double)time);
  } else if (f->sweep_count) {
    /* a sheet goes from start to end; an animation also goes back, so that it can loop */
    show_sweep(f, f->sheet ? part : 0.5f - 0.5f * cosf(2 * PI * (float)i / (float)f->count));
  } else if (f->sheet) {
    show_dof(f, i);
  } else if (!f->one) {
    st->view.yaw += 360 * (float)i / (float)f->count;
  }
  state_eval(st);
  return !st->banner[0] || complain(st->banner);
}

/* an orbiting camera sees the diagonal of the points' box */
static void frame_orbit(film *f, const Vector3 *points, int count) {
  BoundingBox all = { points[0], points[0] };
  for (int i = 1; i < count; i++) {
    all.min = Vector3Min(all.min, points[i]);
    all.max = Vector3Max(all.max, points[i]);
  }
  float x = all.max.x - all.min.x, z = all.max.z - all.min.z;
  float grow = (hypotf(x, z) - fminf(x, z)) / 2;
  all.min = Vector3Subtract(all.min, (Vector3){ grow, 0, grow });
  all.max = Vector3Add(all.max, (Vector3){ grow, 0, grow });
  orbit_frame(&f->views[0], all, f->aspect);
}

/* places the cameras so that every frame is in view */
static bool frame_cameras(film *f, float aspect) {
  state *st = f->st;
  int step = f->count > 64 ? f->count / 64 : 1, count = 0;
  int each = state_points(st, f->focus, NULL);
  Vector3 *points = malloc(((size_t)each * (size_t)(f->count / step + 1) + 1) * sizeof *points);
  bool ok = points != NULL, orbits = !f->clip && !f->sweep_count && !f->sheet && !f->one;
  f->aspect = aspect;
  if (crowd_active(st)) count = -1; /* its box covers all movements */
  for (int i = 0; ok && count >= 0 && i < f->count; i += step) {
    ok = set_frame(f, i);
    count += state_points(st, f->focus, points + count);
  }
  for (int i = 0; ok && i < f->view_count; i++) {
    st->view = f->views[i];
    if (count < 0)
      state_frame(st, aspect);
    else
      orbit_frame_points(&st->view, points, count, aspect);
    f->views[i] = st->view;
  }
  if (ok && orbits && count > 0) frame_orbit(f, points, count);
  for (int i = 0; i < f->view_count; i++) f->views[i].distance /= st->options.zoom;
  free(points);
  return ok;
}

static Image draw(film *f, int width, int height) {
  tools_frame(f->st);
  return shot_take(f->st->scene, state_pose(f->st), &f->st->view, width, height,
                   state_shown(f->st));
}

static int write_sheet(film *f) {
  const options *o = &f->st->options;
  int width = o->width / f->columns, height = o->height / f->rows;
  if (width < 32 || height < 32) {
    complain("contact sheet: each picture would be smaller than 32x32 pixels");
    return 1;
  }
  if (!frame_cameras(f, (float)width / (float)height)) return 1;
  Image sheet = GenImageColor(o->width, o->height, theme_window);
  ImageFormat(&sheet, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
  bool ok = true;
  for (int i = 0; ok && i < f->count; i++) {
    ok = set_frame(f, i);
    if (!ok) break;
    f->st->caption = f->label[0] ? f->label : NULL;
    f->st->no_legend = i > 0;
    Image tile = draw(f, width, height);
    Vector2 at = { (float)(i % f->columns * width), (float)(i / f->columns * height) };
    ImageDraw(&sheet, tile, (Rectangle){ 0, 0, (float)width, (float)height },
              (Rectangle){ at.x, at.y, (float)width, (float)height }, WHITE);
    UnloadImage(tile);
  }
  sinew_error error;
  if (ok && !shot_save(sheet, o->render, &error)) ok = complain(error.text);
  UnloadImage(sheet);
  return ok ? 0 : 1;
}

static int write_gif(film *f) {
  const options *o = &f->st->options;
  gif *g = gif_start(o->width, o->height, 1 / o->fps);
  bool ok = g != NULL;
  for (int i = 0; ok && i < f->count; i++) {
    ok = set_frame(f, i);
    if (!ok) break;
    Image image = draw(f, o->width, o->height);
    ok = gif_add(g, image.data) || complain("out of memory");
    UnloadImage(image);
  }
  size_t size = 0;
  const unsigned char *bytes = ok ? gif_bytes(g, &size) : NULL;
  sinew_error error;
  if (bytes && sinew_file_write(o->render, bytes, size, &error) < 0) ok = complain(error.text);
  gif_end(g);
  return ok && bytes ? 0 : 1;
}

static int write_sequence(film *f) {
  const options *o = &f->st->options;
  const char *dot = strrchr(o->render, '.');
  size_t room = strlen(o->render) + 16;
  char *path = malloc(room);
  bool ok = path != NULL;
  if (!dot || strchr(dot, '/')) dot = o->render + strlen(o->render);
  for (int i = 0; ok && i < f->count; i++) {
    snprintf(path, room, "%.*s_%04d%s", (int)(dot - o->render), o->render, i + 1, dot);
    ok = set_frame(f, i);
    if (!ok) break;
    Image image = draw(f, o->width, o->height);
    sinew_error error;
    ok = shot_save(image, path, &error) || complain(error.text);
    UnloadImage(image);
  }
  free(path);
  return ok ? 0 : 1;
}

int film_render(state *st, const sinew_clip *clip, film_go_on *go_on) {
  film f = { .st = st, .code = 1, .go_on = go_on };
  const options *o = &st->options;
  int code = 1;
  said[0] = '\0';
  if (!prepare(&f, clip)) {
    code = f.code;
  } else {
    if (f.sheet || f.one)
      code = write_sheet(&f);
    else if (frame_cameras(&f, (float)o->width / (float)o->height))
      code = f.gif ? write_gif(&f) : write_sequence(&f);
  }
  sinew_clip_destroy(f.clip);
  free(f.focus);
  return code;
}
