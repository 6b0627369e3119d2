/* A crowd: what its characters do comes from crowd_motion, where they are from one call of the
 * batch, and crowd_draw shows them. */
#include "crowd.h"
#include "crowd_draw.h"
#include "crowd_motion.h"
#include "crowd_place.h"
#include "crowd_stand.h"
#include "keys.h"

#include <math.h>
#include <raymath.h>
#include <sinew/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a host gives a script so much for one evaluation: scripted characters come in small groups */
enum { scripted_group = 64 };
/* whose movements, and at how many times, say how much room a character needs */
enum { measured_characters = 64, measured_times = 24 };

typedef struct crowd {
  int count; /* 0: there is none */
  bool ready, playing, failed;
  double time;
  crowd_motion *motion;
  crowd_stand stand;
  sinew_batch *batch;
  crowd_draw *draw;
  float *dofs;      /* of all characters */
  float *put;       /* what the pose was given last */
  sinew_clip *clip; /* of --keys, for a picture; in the window the timeline's is played */
  uint32_t revision;
  float across, deep;
  int columns;
  BoundingBox box;
  double eval_seconds; /* of one call, smoothed */
  double own_seconds;  /* of all that is done for a frame before drawing, smoothed */
} crowd;

static crowd *crowd_of(const app *a) { return tool_state(a, "crowd"); }

bool crowd_there(const app *a) {
  const crowd *c = crowd_of(a);
  return c && c->ready;
}

/* --- a rig is taken in */

static void drop(crowd *c) {
  sinew_batch_destroy(c->batch);
  crowd_motion_destroy(c->motion);
  crowd_stand_free(&c->stand);
  free(c->dofs);
  free(c->put);
  c->batch = NULL;
  c->motion = NULL;
  c->dofs = c->put = NULL;
  c->ready = false;
}

static sinew_status evaluate(app *a, crowd *c, int count, sinew_error *error) {
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(a));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(a));
  float *dest = crowd_draw_worlds(c->draw);
  if (!sinew_rig_can_fail(state_rig(a)))
    return sinew_batch_eval(c->batch, c->dofs, count, dest, error);
  sinew_status worst = SINEW_OK;
  for (int i = 0; i < count; i += scripted_group) {
    sinew_error here;
    int some = count - i < scripted_group ? count - i : scripted_group;
    sinew_host_eval(a->host, state_pose(a), NULL); /* begins the script's budget anew */
    sinew_status status = sinew_batch_eval(c->batch, c->dofs + (size_t)i * dofs, some,
                                           dest + (size_t)i * worlds, &here);
    if (status < 0 && worst >= 0) worst = status, *error = here;
  }
  return worst;
}

/* how much room a character needs while it moves */
static BoundingBox measure(app *a, crowd *c) {
  BoundingBox all = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  int count = c->count < measured_characters ? c->count : measured_characters;
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(a));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(a));
  sinew_error error;
  for (int t = 0; t < measured_times; t++) {
    for (int i = 0; i < count; i++)
      crowd_motion_at(c->motion, i, 2.3 * t, c->dofs + (size_t)i * dofs);
    if (evaluate(a, c, count, &error) < 0) continue;
    for (int i = 0; i < count; i++) {
      const float *at = crowd_draw_worlds(c->draw) + (size_t)i * worlds;
      crowd_stand_cover(&c->stand, at, crowd_stand_raise(&c->stand, at), &all);
    }
  }
  return all.min.x <= all.max.x ? all : (BoundingBox){ { -1, 0, -1 }, { 1, 2, 1 } };
}

/* gives everybody a place, with a little air between neighbours */
static void form(app *a, crowd *c) {
  BoundingBox one = measure(a, c), *box = &c->box;
  c->across = 1.05f * (one.max.x - one.min.x) + 1e-3f;
  c->deep = 1.05f * (one.max.z - one.min.z) + 1e-3f;
  c->columns = crowd_columns(c->count, c->across, c->deep);
  *box = one;
  for (int i = 0; i < c->count; i++) {
    float column;
    int row;
    float *place = crowd_draw_places(c->draw) + 4 * i;
    crowd_place(i, c->columns, &column, &row);
    place[0] = column * c->across;
    place[2] = -(float)row * c->deep;
    box->min.x = fminf(box->min.x, one.min.x + place[0]);
    box->max.x = fmaxf(box->max.x, one.max.x + place[0]);
    box->min.z = fminf(box->min.z, one.min.z + place[2]);
  }
  box->min.y = fminf(box->min.y, 0);
}

/* DOFs of the command line are the same for everybody */
static void hold_given(const app *a, crowd_motion *motion) {
  for (int i = 0; i < a->options.dof_count; i++) {
    char name[256];
    const char *argument = a->options.dofs[i], *equals = strchr(argument, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
    sinew_dof dof = sinew_rig_find_dof(state_rig(a), name, NULL);
    float value = strtof(equals + 1, NULL);
    if (dof.id) crowd_motion_set_sweep(motion, dof, value, value, 1);
  }
}

/* what may change without a reload: ranges, rests */
static bool make_motion(app *a, crowd *c, sinew_error *error) {
  crowd_motion_destroy(c->motion);
  crowd_stand_free(&c->stand);
  c->revision = sinew_rig_revision(state_rig(a));
  c->motion = crowd_motion_create(state_rig(a));
  if (!c->motion) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return false;
  }
  if (!crowd_stand_make(&c->stand, a->scene, a->host, c->motion, error)) return false;
  hold_given(a, c->motion);
  return true;
}

static void use_clip(const app *a, crowd *c) {
  const keys *k = tool_state(a, "time");
  crowd_motion_set_clip(c->motion, c->clip ? c->clip : k ? k->clip : NULL);
}

static int threads_of(const app *a) {
  if (a->options.threads) return a->options.threads;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > 64 ? 64 : (int)cores;
}

static bool take_rig(app *a, crowd *c, sinew_error *error) {
  const sinew_rig *rig = state_rig(a);
  size_t dofs = (size_t)sinew_rig_dof_count(rig), count = (size_t)c->count;
  sinew_batch_desc desc = sinew_default_batch_desc();
  desc.threads = threads_of(a);
  c->dofs = calloc(dofs * count + 1, sizeof *c->dofs);
  c->put = calloc(dofs + 1, sizeof *c->put);
  if (!c->dofs || !c->put) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return false;
  }
  if (!make_motion(a, c, error)) return false;
  c->batch = sinew_batch_create(rig, &desc, error);
  if (!c->batch) return false;
  if (!crowd_draw_load(c->draw, a->scene, sinew_rig_segment_count(rig), c->count, c->stand.size)) {
    snprintf(error->text, sizeof error->text, "out of memory for %d characters", c->count);
    return false;
  }
  use_clip(a, c);
  form(a, c);
  return true;
}

/* --- frames */

/* the first is the app's own pose, which the tools see */
static void pose_first(app *a, crowd *c) {
  sinew_error error;
  sinew_pose *pose = state_pose(a);
  int dofs = sinew_rig_dof_count(state_rig(a));
  sinew_pose_set_all(pose, c->dofs, dofs, NULL);
  if (sinew_host_eval(a->host, pose, &error) < 0) state_wrong(a, error.text);
  float raise = crowd_stand_raise(&c->stand, sinew_pose_worlds(pose));
  if (c->stand.stands && raise != 0) {
    sinew_dof lift = sinew_rig_dof(state_rig(a), c->stand.lift);
    sinew_pose_set(pose, lift, sinew_pose_get(pose, lift) + raise / c->stand.lift_by, NULL);
    sinew_host_eval(a->host, pose, NULL);
  }
  memcpy(c->put, sinew_pose_dofs(pose), (size_t)dofs * sizeof(float));
  memcpy(c->dofs, c->put, (size_t)dofs * sizeof(float));
}

static void smooth(double *seconds, double took) {
  *seconds = *seconds > 0 ? *seconds + 0.1 * (took - *seconds) : took;
}

/* the first does as the others, or with `posed` stays as the user has it */
static void show(app *a, crowd *c, bool posed) {
  double begin = GetTime();
  sinew_error error;
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(a));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(a));
  use_clip(a, c);
  for (int i = 0; i < c->count; i++)
    crowd_motion_at(c->motion, i, c->time, c->dofs + (size_t)i * dofs);
  if (posed)
    memcpy(c->dofs, sinew_pose_dofs(state_pose(a)), dofs * sizeof(float));
  else
    pose_first(a, c);
  double start = GetTime();
  sinew_status status = evaluate(a, c, c->count, &error);
  double took = GetTime() - start;
  smooth(&c->eval_seconds, took);
  a->eval_seconds = took;
  if (status < 0) state_wrong(a, error.text);
  if (status >= 0 && c->failed) a->banner[0] = '\0';
  c->failed = status < 0;
  for (int i = 0; i < c->count; i++)
    crowd_draw_places(c->draw)[4 * i + 1] =
        crowd_stand_raise(&c->stand, crowd_draw_worlds(c->draw) + (size_t)i * worlds);
  smooth(&c->own_seconds, GetTime() - begin);
  crowd_draw_changed(c->draw);
  if (!posed) history_forget_dofs(a);
}

void crowd_show(app *a, double time) {
  crowd *c = crowd_of(a);
  c->time = time;
  if (c->ready) show(a, c, false);
}

void crowd_sweep(app *a, sinew_dof dof, float from, float to, float seconds) {
  crowd_motion_set_sweep(crowd_of(a)->motion, dof, from, to, seconds);
}

static void loaded(app *a, void *self) {
  crowd *c = self;
  sinew_error error;
  if (!c->count) return;
  drop(c);
  c->ready = take_rig(a, c, &error);
  if (c->ready)
    show(a, c, false);
  else
    state_wrong(a, error.text);
}

static void every_frame(app *a, void *self) {
  crowd *c = self;
  sinew_error error;
  if (!c->ready || a->options.render) return;
  bool changed = c->revision != sinew_rig_revision(state_rig(a));
  if (changed && !make_motion(a, c, &error)) {
    c->ready = false;
    state_wrong(a, error.text);
    return;
  }
  if (!c->playing && !changed) return;
  a->posing |= c->playing;
  if (c->playing && memcmp(c->put, sinew_pose_dofs(state_pose(a)),
                           (size_t)sinew_rig_dof_count(state_rig(a)) * sizeof(float)) != 0)
    state_say(a, "the crowd moves; Space stops it, then the first one can be posed");
  if (c->playing) c->time += fmin((double)GetFrameTime(), 0.1);
  show(a, c, !c->playing);
}

static void set_playing(app *a, crowd *c, bool on) {
  c->playing = on;
  a->posing = on;
  state_say(a, on ? "the crowd moves" : "the crowd stands still; the first one can be posed");
}

static void keyboard(app *a, void *self) {
  crowd *c = self;
  if (c->ready && IsKeyPressed(KEY_SPACE) && !a->ui.focus && !ui_control())
    set_playing(a, c, !c->playing);
}

static void *create(app *a) {
  crowd *c = calloc(1, sizeof *c);
  if (!c || !a->options.crowd) return c;
  c->count = a->options.crowd;
  c->playing = true;
  c->draw = crowd_draw_create();
  if (!c->draw) {
    free(c);
    return NULL;
  }
  if (a->options.render && a->options.keys) c->clip = sinew_clip_load(a->options.keys, NULL);
  return c;
}

static void destroy(app *a, void *self) {
  (void)a;
  crowd *c = self;
  drop(c);
  crowd_draw_destroy(c->draw);
  sinew_clip_destroy(c->clip);
  free(c);
}

static void solid(app *a, void *self) {
  crowd *c = self;
  if (c->ready) crowd_draw_solid(c->draw, orbit_camera(&a->view), scene_pixels(a->scene));
}

static bool bounds(const void *self, BoundingBox *dest) {
  const crowd *c = self;
  if (c->ready) *dest = c->box;
  return c->ready;
}

static void cast(app *a, void *self) {
  crowd *c = self;
  if (c->ready) crowd_draw_cast(c->draw, scene_shadow_pixel(a->scene));
}

void crowd_figures(const app *a, char *dest, size_t capacity) {
  const crowd *c = crowd_of(a);
  double seconds = fmax(c->eval_seconds, 1e-9);
  snprintf(dest, capacity,
           "%d characters, eval %.2f ms, %.0f thousand a second   %d lanes of %s, %d thread%s",
           c->count, seconds * 1e3, c->count / seconds / 1e3, sinew_batch_lanes(c->batch),
           sinew_batch_instructions(c->batch), sinew_batch_threads(c->batch),
           sinew_batch_threads(c->batch) == 1 ? "" : "s");
}

/* --- the remote port */

static bool remote(app *a, void *self, const char *verb, char *rest) {
  crowd *c = self;
  char *end;
  if (strcmp(verb, "crowd") != 0) return false;
  if (!c->ready) {
    printf("error there is no crowd; --crowd N makes one\n");
    return true;
  }
  if (strcmp(rest, "move") == 0 || strcmp(rest, "stop") == 0) set_playing(a, c, *rest == 'm');
  double time = strtod(rest, &end);
  if (end != rest && !*end && time >= 0 && time <= 1e6) {
    c->time = time;
    show(a, c, false);
  } else if (*rest && strcmp(rest, "move") != 0 && strcmp(rest, "stop") != 0) {
    printf("error crowd move, stop or a time in seconds, not '%s'\n", rest);
    return true;
  }
  printf("ok %d at %.3f s, %s, the first does '%s', eval %.3f of %.3f ms, frame %.1f ms, "
         "%ld triangles, %d lanes of %s, %d threads\n",
         c->count, c->time, c->playing ? "moving" : "still",
         crowd_motion_name(c->motion, 0, c->time), c->eval_seconds * 1e3, c->own_seconds * 1e3,
         a->frame_seconds * 1e3, crowd_draw_triangles(c->draw), sinew_batch_lanes(c->batch),
         sinew_batch_instructions(c->batch), sinew_batch_threads(c->batch));
  return true;
}

static const char *const help[] = {
  "with --crowd: Space stops and moves it; tools work on the first", NULL
};

const tool tool_crowd = { .name = "crowd",
                          .doc = "many characters (--crowd N)",
                          .dock = DOCK_NONE,
                          .open = true,
                          .keys = help,
                          .create = create,
                          .destroy = destroy,
                          .loaded = loaded,
                          .keyboard = keyboard,
                          .frame = every_frame,
                          .solid = solid,
                          .cast = cast,
                          .bounds = bounds,
                          .remote = remote,
                          .remote_help = "crowd [move|stop|TIME]" };
