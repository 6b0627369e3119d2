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
  sinew_clip *clip; /* NULL: none */
  bool sheet, gif;
  int count;
  float aspect;
  orbit view;
  char label[160];
} film;

static bool complain(const char *text) {
  fprintf(stderr, "sinew-viewer: %s\n", text);
  return false;
}

static bool read_sweep(film *f, const char *argument) {
  sinew_error error;
  char name[256], rest;
  const char *equals = strchr(argument, '=');
  snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - argument) : (int)strlen(argument),
           argument);
  sweep *s = &f->sweeps[f->sweep_count++];
  s->dof = sinew_rig_find_dof(state_rig(f->st), name, &error);
  if (!s->dof.id) return complain(error.text);
  sinew_dof_info info = sinew_rig_dof_info(state_rig(f->st), s->dof);
  s->from = info.min;
  s->to = info.max;
  if (equals && (sscanf(equals + 1, "%f:%f%c", &s->from, &s->to, &rest) != 2 ||
                 !isfinite(s->from) || !isfinite(s->to)))
    return complain(TextFormat("expected a sweep such as %s=0:90, got '%s'", name, argument));
  return true;
}

static bool prepare(film *f) {
  const options *o = &f->st->options;
  sinew_error error;
  const char *dot = strrchr(o->render, '.');
  f->gif = dot && strcmp(dot, ".gif") == 0;
  f->sheet = o->columns > 0;
  f->view = f->st->view;
  for (int i = 0; i < o->sweep_count; i++)
    if (!read_sweep(f, o->sweeps[i])) return false;
  if (o->keys && !(f->clip = sinew_clip_load(o->keys, &error))) return complain(error.text);
  if (o->keys && o->sweep_count) return complain("use either --sweep or --keys, not both");
  if (f->sheet && f->gif)
    return complain("a contact sheet is one picture: use a file name that ends in .png");
  if (f->sheet) {
    f->count = o->columns * o->rows;
    if (!f->clip && !f->sweep_count && f->count > sinew_rig_dof_count(state_rig(f->st)))
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
  float part = f->count > 1 ? (float)i / (float)(f->count - 1) : 0;
  f->label[0] = '\0';
  st->view = f->view;
  if (crowd_active(st)) {
    crowd_show(st, (double)i / (double)st->options.fps);
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
  } else {
    st->view.yaw += 360 * (float)i / (float)f->count;
  }
  state_eval(st);
  return !st->banner[0] || complain(st->banner);
}

/* places the camera so that every frame is in view */
static bool frame_camera(film *f, float aspect) {
  f->aspect = aspect;
  if (crowd_active(f->st)) { /* its box covers all movements */
    state_frame(f->st, aspect);
    f->view = f->st->view;
    return true;
  }
  BoundingBox all = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  int step = f->count > 64 ? f->count / 64 : 1;
  for (int i = 0; i < f->count; i += step) {
    if (!set_frame(f, i)) return false;
    BoundingBox box = state_bounds(f->st);
    all.min = Vector3Min(all.min, box.min);
    all.max = Vector3Max(all.max, box.max);
  }
  orbit view = f->view;
  if (!f->clip && !f->sweep_count && !f->sheet) {
    /* an orbiting camera sees the diagonal of the box */
    float x = all.max.x - all.min.x, z = all.max.z - all.min.z;
    float grow = (hypotf(x, z) - fminf(x, z)) / 2;
    all.min.x -= grow;
    all.min.z -= grow;
    all.max.x += grow;
    all.max.z += grow;
  }
  orbit_frame(&view, all, aspect);
  f->view = view;
  return true;
}

static Image draw(film *f, int width, int height) {
  tools_frame(f->st);
  return shot_take(f->st->scene, state_pose(f->st), &f->st->view, width, height,
                   state_shown(f->st));
}

static int write_sheet(film *f) {
  const options *o = &f->st->options;
  int width = o->width / o->columns, height = o->height / o->rows;
  if (width < 32 || height < 32) {
    complain("contact sheet: each picture would be smaller than 32x32 pixels");
    return 1;
  }
  if (!frame_camera(f, (float)width / (float)height)) return 1;
  Image sheet = GenImageColor(o->width, o->height, theme_window);
  ImageFormat(&sheet, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
  bool ok = true;
  for (int i = 0; ok && i < f->count; i++) {
    ok = set_frame(f, i);
    if (!ok) break;
    f->st->caption = f->label;
    Image tile = draw(f, width, height);
    Vector2 at = { (float)(i % o->columns * width), (float)(i / o->columns * height) };
    ImageDraw(&sheet, tile, (Rectangle){ 0, 0, (float)width, (float)height },
              (Rectangle){ at.x, at.y, (float)width, (float)height }, WHITE);
    UnloadImage(tile);
  }
  ok = ok && shot_save(sheet, o->render);
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
    ok = shot_save(image, path);
    UnloadImage(image);
  }
  free(path);
  return ok ? 0 : 1;
}

static int write_one(film *f) {
  const options *o = &f->st->options;
  if (f->clip) sinew_clip_apply(f->clip, state_pose(f->st), 0, NULL);
  if (crowd_active(f->st))
    crowd_show(f->st, 0);
  else
    state_eval(f->st);
  if (f->st->banner[0]) {
    complain(f->st->banner);
    return 1;
  }
  state_frame(f->st, (float)o->width / (float)o->height);
  Image image = draw(f, o->width, o->height);
  bool ok = shot_save(image, o->render);
  UnloadImage(image);
  return ok ? 0 : 1;
}

int film_render(state *st) {
  film f = { .st = st };
  const options *o = &st->options;
  int code = 1;
  if (prepare(&f)) {
    if (f.sheet)
      code = write_sheet(&f);
    else if (!f.gif && !o->frames && !f.sweep_count && !f.clip)
      code = write_one(&f);
    else if (frame_camera(&f, (float)o->width / (float)o->height))
      code = f.gif ? write_gif(&f) : write_sequence(&f);
  }
  sinew_clip_destroy(f.clip);
  return code;
}
