/* A crowd: crowd_motion gives the DOFs of its characters, one batch evaluates them, and crowd_draw
 * draws them. */
#include "tools/crowd/crowd.h"
#include "draw/crowd_draw.h"
#include "draw/crowd_stand.h"
#include "plain/crowd_motion.h"
#include "tools/worn/worn.h"
#include "tools/timeline/keyframes.h"

#include <math.h>
#include <raymath.h>
#include <sinew/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the host limits the cost of one evaluation, so scripted characters are evaluated in small
 * groups */
enum { scripted_group = 64 };
/* number of characters and times sampled to measure a character's space */
enum { measured_characters = 64, measured_times = 24 };

typedef struct crowd {
  int count; /* 0: no crowd */
  bool ready, playing, failed;
  double time;
  crowd_motion *motion;
  crowd_stand stand;
  sinew_batch *batch;
  crowd_draw *draw;
  float *dofs;      /* DOFs of all characters */
  float *put;       /* the DOFs last written to the pose */
  sinew_clip *clip; /* the clip of --keys, for a picture; the window plays that of the timeline */
  uint32_t revision;
  float across, deep;
  int columns;
  BoundingBox box;
  double eval_seconds; /* seconds of one evaluation, smoothed */
  double own_seconds;  /* seconds of all work for a frame before drawing, smoothed */
} crowd;

static crowd *crowd_of(const state *st) { return tool_state(st, "crowd"); }

bool crowd_active(const state *st) {
  const crowd *c = crowd_of(st);
  return c && c->ready;
}

/* --- loading a rig */

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

static sinew_status evaluate(state *st, crowd *c, int count, sinew_error *error) {
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(st));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(st));
  float *dest = crowd_draw_worlds(c->draw);
  if (!sinew_rig_can_fail(state_rig(st)))
    return sinew_batch_eval(c->batch, c->dofs, count, dest, error);
  sinew_status worst = SINEW_OK;
  for (int i = 0; i < count; i += scripted_group) {
    sinew_error here;
    int some = count - i < scripted_group ? count - i : scripted_group;
    sinew_host_eval(st->host, state_pose(st), NULL); /* resets the script's budget */
    sinew_status status = sinew_batch_eval(c->batch, c->dofs + (size_t)i * dofs, some,
                                           dest + (size_t)i * worlds, &here);
    if (status >= 0 || worst < 0) continue;
    worst = status;
    *error = here;
  }
  return worst;
}

/* how much space a character needs while it moves */
static BoundingBox measure(state *st, crowd *c) {
  BoundingBox all = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  int count = c->count < measured_characters ? c->count : measured_characters;
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(st));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(st));
  sinew_error error;
  for (int t = 0; t < measured_times; t++) {
    for (int i = 0; i < count; i++)
      crowd_motion_at(c->motion, i, 2.3 * t, c->dofs + (size_t)i * dofs);
    if (evaluate(st, c, count, &error) < 0) continue;
    for (int i = 0; i < count; i++) {
      const float *at = crowd_draw_worlds(c->draw) + (size_t)i * worlds;
      crowd_stand_cover(&c->stand, at, crowd_stand_raise(&c->stand, at), &all);
    }
  }
  return all.min.x <= all.max.x ? all : (BoundingBox){ { -1, 0, -1 }, { 1, 2, 1 } };
}

/* gives each character a position, with a little space between neighbours */
static void form(state *st, crowd *c) {
  BoundingBox one = measure(st, c), *box = &c->box;
  c->across = 1.05f * (one.max.x - one.min.x) + 1e-3f;
  c->deep = 1.05f * (one.max.z - one.min.z) + 1e-3f;
  c->columns = crowd_columns(c->count, c->across, c->deep);
  *box = one;
  for (int i = 0; i < c->count; i++) {
    float column;
    int row;
    float *place = crowd_draw_positions(c->draw) + 4 * i;
    crowd_place(i, c->columns, &column, &row);
    place[0] = column * c->across;
    place[2] = -(float)row * c->deep;
    box->min.x = fminf(box->min.x, one.min.x + place[0]);
    box->max.x = fmaxf(box->max.x, one.max.x + place[0]);
    box->min.z = fminf(box->min.z, one.min.z + place[2]);
  }
  box->min.y = fminf(box->min.y, 0);
}

/* DOFs of the command line are the same for all characters */
static void hold_given(const state *st, crowd_motion *motion) {
  for (int i = 0; i < st->options.dof_count; i++) {
    float value;
    sinew_dof dof = state_find_dof(st, st->options.dofs[i], &value, NULL);
    if (dof.id) crowd_motion_set_sweep(motion, dof, value, value, 1);
  }
}

/* built again when ranges or rest values change */
static bool make_motion(state *st, crowd *c, sinew_error *error) {
  crowd_motion_destroy(c->motion);
  crowd_stand_free(&c->stand);
  c->revision = sinew_rig_revision(state_rig(st));
  c->motion = crowd_motion_create(state_rig(st));
  if (!c->motion) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return false;
  }
  if (!crowd_stand_make(&c->stand, st->scene, st->host, c->motion, error)) return false;
  hold_given(st, c->motion);
  return true;
}

static void use_clip(const state *st, crowd *c) {
  const keyframes *k = tool_state(st, "time");
  const sinew_clip *shown = k ? k->clip : NULL;
  crowd_motion_set_clip(c->motion, c->clip ? c->clip : shown);
}

static int threads_of(const state *st) {
  if (st->options.threads) return st->options.threads;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores > 64) return 64;
  return cores < 1 ? 1 : (int)cores;
}

static bool take_rig(state *st, crowd *c, sinew_error *error) {
  const sinew_rig *rig = state_rig(st);
  size_t dofs = (size_t)sinew_rig_dof_count(rig), count = (size_t)c->count;
  sinew_batch_desc desc = sinew_default_batch_desc();
  desc.threads = threads_of(st);
  c->dofs = calloc(dofs * count + 1, sizeof *c->dofs);
  c->put = calloc(dofs + 1, sizeof *c->put);
  if (!c->dofs || !c->put) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return false;
  }
  if (!make_motion(st, c, error)) return false;
  c->batch = sinew_batch_create(rig, &desc, error);
  if (!c->batch) return false;
  if (!scene_finish(st->scene, error)) return false;
  if (!crowd_draw_load(c->draw, st->scene, sinew_rig_segment_count(rig), c->count, c->stand.size)) {
    snprintf(error->text, sizeof error->text, "out of memory for %d characters", c->count);
    return false;
  }
  use_clip(st, c);
  form(st, c);
  return true;
}

/* --- frames */

/* the first character is the viewer's own pose, which the tools show */
static void pose_first(state *st, crowd *c) {
  sinew_error error;
  sinew_pose *pose = state_pose(st);
  int dofs = sinew_rig_dof_count(state_rig(st));
  sinew_pose_set_all(pose, c->dofs, dofs, NULL);
  if (sinew_host_eval(st->host, pose, &error) < 0) state_wrong(st, error.text);
  float raise = crowd_stand_raise(&c->stand, sinew_pose_worlds(pose));
  if (c->stand.stands && raise != 0) {
    sinew_dof lift = sinew_rig_dof(state_rig(st), c->stand.lift);
    sinew_pose_set(pose, lift, sinew_pose_get(pose, lift) + raise / c->stand.lift_by, NULL);
    sinew_host_eval(st->host, pose, NULL);
  }
  memcpy(c->put, sinew_pose_dofs(pose), (size_t)dofs * sizeof(float));
  memcpy(c->dofs, c->put, (size_t)dofs * sizeof(float));
}

static void smooth(double *seconds, double took) {
  *seconds = *seconds > 0 ? *seconds + 0.1 * (took - *seconds) : took;
}

/* with `posed`, the first character keeps the user's pose */
static void show(state *st, crowd *c, bool posed) {
  double begin = GetTime();
  sinew_error error;
  size_t dofs = (size_t)sinew_rig_dof_count(state_rig(st));
  size_t worlds = 16 * (size_t)sinew_rig_segment_count(state_rig(st));
  use_clip(st, c);
  for (int i = 0; i < c->count; i++)
    crowd_motion_at(c->motion, i, c->time, c->dofs + (size_t)i * dofs);
  if (posed)
    memcpy(c->dofs, sinew_pose_dofs(state_pose(st)), dofs * sizeof(float));
  else
    pose_first(st, c);
  double start = GetTime();
  sinew_status status = evaluate(st, c, c->count, &error);
  double took = GetTime() - start;
  smooth(&c->eval_seconds, took);
  st->eval_seconds = took;
  if (status < 0) state_wrong(st, error.text);
  if (status >= 0 && c->failed) st->banner[0] = '\0';
  c->failed = status < 0;
  for (int i = 0; i < c->count; i++)
    crowd_draw_positions(c->draw)[4 * i + 1] =
        crowd_stand_raise(&c->stand, crowd_draw_worlds(c->draw) + (size_t)i * worlds);
  if (character_worn(st))
    character_take_crowd(st, crowd_draw_worlds(c->draw), crowd_draw_positions(c->draw), c->count);
  smooth(&c->own_seconds, GetTime() - begin);
  crowd_draw_changed(c->draw);
  if (!posed) history_forget_dofs(st);
}

void crowd_show(state *st, double time) {
  crowd *c = crowd_of(st);
  c->time = time;
  if (c->ready) show(st, c, false);
}

void crowd_sweep(state *st, sinew_dof dof, float from, float to, float seconds) {
  crowd_motion_set_sweep(crowd_of(st)->motion, dof, from, to, seconds);
}

static void loaded(state *st, void *self) {
  crowd *c = self;
  sinew_error error;
  if (!c->count) return;
  drop(c);
  c->ready = take_rig(st, c, &error);
  if (c->ready)
    show(st, c, false);
  else
    state_wrong(st, error.text);
}

static void every_frame(state *st, void *self) {
  crowd *c = self;
  sinew_error error;
  if (!c->ready || st->options.render) return;
  bool changed = c->revision != sinew_rig_revision(state_rig(st));
  if (changed && !make_motion(st, c, &error)) {
    c->ready = false;
    state_wrong(st, error.text);
    return;
  }
  if (!c->playing && !changed) return;
  st->posing |= c->playing;
  if (c->playing && memcmp(c->put, sinew_pose_dofs(state_pose(st)),
                           (size_t)sinew_rig_dof_count(state_rig(st)) * sizeof(float)) != 0)
    state_say(st, "the crowd moves; Space stops it, then the first character can be posed");
  if (c->playing) c->time += fmin((double)GetFrameTime(), 0.1);
  show(st, c, !c->playing);
}

static void set_playing(state *st, crowd *c, bool on) {
  c->playing = on;
  st->posing = on;
  state_say(st, on ? "the crowd moves" : "the crowd is stopped; the first character can be posed");
}

COMMAND_DO(do_move, set_playing(st, self, !((crowd *)self)->playing))
COMMAND_ASK(is_ready, ((const crowd *)self)->ready)
COMMAND_ASK(moves, is_ready(st, self) && ((const crowd *)self)->playing)

static const command commands[] = {
  { "move_crowd", "Let the crowd move", MENU_ANIMATE, .key = KEY_SPACE, .run = do_move,
    .enabled = is_ready, .checked = moves },
  { .name = NULL },
};

static bool create(state *st, void *self) {
  crowd *c = self;
  if (!st->options.crowd) return true;
  c->count = st->options.crowd;
  c->playing = true;
  c->draw = crowd_draw_create();
  if (c->draw && st->options.render && st->options.keys)
    c->clip = sinew_clip_load(st->options.keys, NULL);
  return c->draw != NULL;
}

static void destroy(void *self) {
  crowd *c = self;
  drop(c);
  crowd_draw_destroy(c->draw);
  sinew_clip_destroy(c->clip);
}

static void solid(state *st, void *self) {
  crowd *c = self;
  if (c->ready && !character_worn(st))
    crowd_draw_solid(c->draw, st->scene, orbit_camera(&st->view));
}

static bool bounds(const void *self, BoundingBox *dest) {
  const crowd *c = self;
  if (c->ready) *dest = c->box;
  return c->ready;
}

static void cast(state *st, void *self) {
  crowd *c = self;
  if (c->ready && !character_worn(st)) crowd_draw_cast(c->draw, st->scene);
}

void crowd_figures(const state *st, char *dest, size_t capacity) {
  const crowd *c = crowd_of(st);
  double seconds = fmax(c->eval_seconds, 1e-9);
  snprintf(dest, capacity,
           "%d characters, eval %.2f ms, %.0f thousand a second   %d lanes of %s, %d thread%s",
           c->count, seconds * 1e3, c->count / seconds / 1e3, sinew_batch_lanes(c->batch),
           sinew_batch_instructions(c->batch), sinew_batch_threads(c->batch),
           sinew_batch_threads(c->batch) == 1 ? "" : "s");
}

/* --- the remote port */

static bool remote(state *st, void *self, const char *verb, char *rest) {
  crowd *c = self;
  char *end;
  if (strcmp(verb, "crowd") != 0) return false;
  if (!c->ready) return tool_answer(false, "no crowd: start the viewer with --crowd N");
  if (strcmp(rest, "move") == 0 || strcmp(rest, "stop") == 0) set_playing(st, c, *rest == 'm');
  double time = strtod(rest, &end);
  if (end != rest && !*end && time >= 0 && time <= 1e6) {
    c->time = time;
    show(st, c, false);
  } else if (*rest && strcmp(rest, "move") != 0 && strcmp(rest, "stop") != 0) {
    printf("error crowd move, stop or a time in seconds, not '%s'\n", rest);
    return true;
  }
  printf("ok %d at %.3f s, %s, the first does '%s', eval %.3f of %.3f ms, frame %.1f ms, "
         "%ld triangles, %d lanes of %s, %d threads\n",
         c->count, c->time, c->playing ? "moving" : "still",
         crowd_motion_name(c->motion, 0, c->time), c->eval_seconds * 1e3, c->own_seconds * 1e3,
         st->frame_seconds * 1e3, crowd_draw_triangles(c->draw), sinew_batch_lanes(c->batch),
         sinew_batch_instructions(c->batch), sinew_batch_threads(c->batch));
  return true;
}

const tool tool_crowd = { .name = "crowd",
                          .doc = "many characters (--crowd N)",
                          .open = true,
                          .commands = commands,
                          .size = sizeof(crowd),
                          .create = create,
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = every_frame,
                          .solid = solid,
                          .cast = cast,
                          .bounds = bounds,
                          .remote = remote,
                          .remote_help = "crowd [move|stop|TIME]" };
