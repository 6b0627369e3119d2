/* Movements are prepared for a rig when the motion is created: each movement, and its mirror image,
 * has a row for every DOF, with two values and the wave that interpolates between them. A character
 * then needs its waves at a time, which all DOFs share, and a few multiplications for each DOF. */
#include "plain/crowd_motion.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BOTH, ONE, OTHER, TURNS };  /* sides */
enum { SWELL, QUICK, STEP, SLOW }; /* waves */
enum { phases = 8, wave_count = 4 * phases };
enum { few_rows = 2 }; /* a rig with DOFs for fewer rows does not have the movement */

static const double two_pi = 6.283185307179586;
static const double beat_seconds = 2, movement_seconds = 9, change_seconds = 1.5;
/* how far DOFs that no movement names sway, as a fraction of their range */
static const float sway_little = 0.05f, sway_much = 0.4f;

typedef struct move {
  const char *words; /* "set.dof"; NULL ends a list */
  int side;
  float from, to; /* as fractions of the range */
  int wave, phase;
} move;

typedef struct movement {
  const char *name;
  const move *moves;
} movement;

#define MOVE(words, side, from, to, wave, phase)                                                   \
  { words, side, from, to, wave, phase }
#define MOVEMENT(name, ...) { name, (const move[]){ __VA_ARGS__, { 0 } } },
static const movement movements[] = {
#include "plain/crowd_movements.h"
};
enum { movement_count = sizeof movements / sizeof *movements };

typedef struct row {
  float from, to;
  int wave;
} row;

typedef struct dof {
  float min, max, rest;
  bool carries;
  int channel;           /* channel of the clip; -1: none */
  float from, to, beats; /* frequency of a sweep in beats per second; 0: no sweep */
} dof;

struct crowd_motion {
  const sinew_rig *rig;
  int dof_count, count;
  const char *names[movement_count];
  dof *dofs;
  row *rows; /* rows of each movement, then of its mirror image */
  const sinew_clip *clip;
};

/* --- preparing the movements for a rig */

static bool has(const char *text, size_t length, const char *word, size_t word_length) {
  for (size_t i = 0; i + word_length <= length; i++)
    if (strncmp(text + i, word, word_length) == 0) return true;
  return false;
}

/* whether the name of a DOF's joint set says that it is on the left side */
static bool is_left(const char *name) {
  size_t set = strcspn(name, ".");
  return has(name, set, "left", 4) || (set > 2 && strncmp(name + set - 2, "_l", 2) == 0);
}

/* whether both parts of "set.dof" occur in the same parts of a DOF's full name */
static bool fits(const char *name, const char *words) {
  size_t set = strcspn(name, "."), word = strcspn(words, ".");
  if (!name[set] || !has(name, set, words, word)) return false;
  return strstr(name + set + 1, words + word + 1) != NULL;
}

/* the first row of the movement that names a DOF; NULL: none */
static const move *find_move(const movement *m, const char *name, bool mirrored) {
  bool left = is_left(name);
  for (const move *at = m->moves; at->words; at++) {
    if (!fits(name, at->words)) continue;
    if (at->side == ONE && left != mirrored) continue;
    if (at->side == OTHER && left == mirrored) continue;
    return at;
  }
  return NULL;
}

/* how many rows of the movement the rig has DOFs for */
static int rows_met(const sinew_rig *rig, const movement *m) {
  int met = 0;
  for (const move *at = m->moves; at->words; at++) {
    bool any = false;
    for (int d = 0; d < sinew_rig_dof_count(rig) && !any; d++)
      any = fits(sinew_rig_dof_info(rig, sinew_rig_dof(rig, d)).name, at->words);
    met += any;
  }
  return met;
}

static float part_of(const dof *d, float part) {
  float reach = part > 0 ? d->max - d->rest : d->rest - d->min;
  return fminf(fmaxf(d->rest + part * reach, d->min), d->max);
}

static row make_row(const dof *d, const move *m, bool left) {
  int phase = m->phase + (left && m->side == TURNS ? phases / 2 : left && m->wave == SLOW);
  return (row){ part_of(d, m->from), part_of(d, m->to), m->wave * phases + phase % phases };
}

static row sway_row(const dof *d, int index, float by) {
  return (row){ part_of(d, -by), part_of(d, by), SLOW * phases + index * 3 % phases };
}

/* whether the DOF moves a root */
static bool moves_root(const sinew_rig *rig, sinew_dof d) {
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    if (!info.parent.id && info.driver.id && sinew_rig_depends(rig, info.driver, d)) return true;
  }
  return false;
}

static void read_dofs(crowd_motion *motion, const sinew_rig *rig) {
  for (int d = 0; d < motion->dof_count; d++) {
    sinew_dof id = sinew_rig_dof(rig, d);
    sinew_dof_info info = sinew_rig_dof_info(rig, id);
    motion->dofs[d] = (dof){ .min = info.min, .max = info.max, .rest = info.rest, .channel = -1 };
    motion->dofs[d].carries = moves_root(rig, id);
  }
}

/* if every DOF moves a root, as in a rig of one limb, all of them may move */
static void free_only_carriers(crowd_motion *motion) {
  bool any = false;
  for (int d = 0; d < motion->dof_count; d++) any |= !motion->dofs[d].carries;
  for (int d = 0; d < motion->dof_count; d++) motion->dofs[d].carries &= any;
}

static void fill_rows(crowd_motion *motion, const sinew_rig *rig, const movement *m, int index,
                      float sway) {
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    row *rows = motion->rows + (size_t)(2 * index + mirrored) * (size_t)motion->dof_count;
    for (int d = 0; d < motion->dof_count; d++) {
      const dof *at = &motion->dofs[d];
      const char *name = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d)).name;
      const move *found = m ? find_move(m, name, mirrored) : NULL;
      if (m && !found) found = find_move(&movements[0], name, mirrored);
      bool left = is_left(name);
      if (at->carries)
        rows[d] = (row){ at->rest, at->rest, 0 };
      else
        rows[d] = found ? make_row(at, found, left) : sway_row(at, d, sway);
    }
  }
}

/* the fraction of DOFs named by a movement, among those that do not move the whole body */
static float named_share(const crowd_motion *motion, const sinew_rig *rig, const bool *there) {
  int spoken = 0, all = 0;
  for (int d = 0; d < motion->dof_count; d++) {
    const char *name = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d)).name;
    bool any = false;
    for (int m = 0; m < movement_count; m++)
      any |= there[m] &&
             (find_move(&movements[m], name, false) || find_move(&movements[m], name, true));
    spoken += any && !motion->dofs[d].carries;
    all += !motion->dofs[d].carries;
  }
  return all ? (float)spoken / (float)all : 0;
}

crowd_motion *crowd_motion_create(const sinew_rig *rig) {
  crowd_motion *motion = calloc(1, sizeof *motion);
  size_t dofs = (size_t)sinew_rig_dof_count(rig);
  if (!motion) return NULL;
  motion->rig = rig;
  motion->dof_count = (int)dofs;
  motion->dofs = calloc(dofs + 1, sizeof *motion->dofs);
  motion->rows = calloc(2 * movement_count * dofs + 1, sizeof *motion->rows);
  if (!motion->dofs || !motion->rows) {
    crowd_motion_destroy(motion);
    return NULL;
  }
  read_dofs(motion, rig);
  free_only_carriers(motion);
  bool there[movement_count];
  for (int m = 0; m < movement_count; m++) there[m] = rows_met(rig, &movements[m]) >= few_rows;
  float sway = named_share(motion, rig, there) > 0.3f ? sway_little : sway_much;
  for (int m = 0; m < movement_count; m++) {
    if (!there[m]) continue;
    fill_rows(motion, rig, &movements[m], motion->count, sway);
    motion->names[motion->count++] = movements[m].name;
  }
  if (!motion->count) {
    fill_rows(motion, rig, NULL, 0, sway_much);
    motion->names[motion->count++] = "sway";
  }
  return motion;
}

void crowd_motion_destroy(crowd_motion *motion) {
  if (!motion) return;
  free(motion->dofs);
  free(motion->rows);
  free(motion);
}

void crowd_motion_set_clip(crowd_motion *motion, const sinew_clip *clip) {
  bool any = false;
  for (int d = 0; d < motion->dof_count; d++) {
    const char *name = sinew_rig_dof_info(motion->rig, sinew_rig_dof(motion->rig, d)).name;
    motion->dofs[d].channel = clip ? sinew_clip_find_channel(clip, name) : -1;
    any |= motion->dofs[d].channel >= 0;
  }
  motion->clip = any && sinew_clip_duration(clip) > 0 ? clip : NULL;
}

void crowd_motion_set_sweep(crowd_motion *motion, sinew_dof id, float from, float to,
                            float seconds) {
  dof *d = &motion->dofs[id.id - 1];
  d->from = fminf(fmaxf(from, d->min), d->max);
  d->to = fminf(fmaxf(to, d->min), d->max);
  d->beats = 1 / fmaxf(seconds, 1e-3f);
}

bool crowd_motion_carries(const crowd_motion *motion, int index) {
  return motion->dofs[index].carries;
}

int crowd_motion_count(const crowd_motion *motion) { return motion->count; }

/* --- evaluating a character */

/* a random number from 0 to 1, determined by a character and a purpose */
static double number_of(int character, uint32_t use) {
  uint32_t x = (uint32_t)character * 0x9e3779b9u + use * 0x85ebca6bu + 0x7f4a7c15u;
  x = (x ^ (x >> 16)) * 0x21f0aaadu;
  x = (x ^ (x >> 15)) * 0x735a2d97u;
  return (double)(x ^ (x >> 15)) / 4294967296.0;
}

/* converts turns to radians in [0, 2 pi), so that floats stay precise after days */
static float radians(double turns) { return (float)((turns - floor(turns)) * two_pi); }

static void make_waves(int character, double time, float *dest) {
  static const float cosines[] = {
    1, 0.70710678f, 0, -0.70710678f, -1, -0.70710678f, 0, 0.70710678f
  };
  double beats = time / beat_seconds + number_of(character, 1);
  float once = radians(beats), twice = radians(2 * beats);
  float s1 = sinf(once), c1 = cosf(once), s2 = sinf(twice), c2 = cosf(twice);
  for (int p = 0; p < phases; p++) {
    float c = cosines[p], s = cosines[(p + 6) % phases];
    float up = fmaxf(0, s1 * c - c1 * s);
    dest[SWELL * phases + p] = 0.5f - 0.5f * (c1 * c + s1 * s);
    dest[QUICK * phases + p] = 0.5f - 0.5f * (c2 * c + s2 * s);
    dest[STEP * phases + p] = up * up;
    /* periods of 8 to 15 seconds, none a multiple of another */
    double slow = time / (8 + 0.97 * p) + number_of(character, 2 + (uint32_t)p);
    dest[SLOW * phases + p] = 0.5f + 0.5f * sinf(radians(slow));
  }
}

typedef struct doing {
  double time;     /* the character's own */
  int now, before; /* movements */
  float share;     /* weight of the current movement; the rest goes to the previous one */
  bool mirrored;
  float strength;
} doing;

static doing what_does(const crowd_motion *motion, int character, double time) {
  doing does = { .time = time * (0.8 + 0.35 * number_of(character, 20)),
                 .mirrored = number_of(character, 21) < 0.5,
                 .strength = (float)(0.8 + 0.2 * number_of(character, 22)) };
  /* neighbours do different movements */
  int block = character / motion->count;
  double into = does.time / movement_seconds + number_of(character, 23);
  double slot = floor(into);
  int first = character % motion->count + (int)(number_of(block, 24) * motion->count);
  does.now = (first + (int)fmod(slot, motion->count)) % motion->count;
  does.before = (does.now + motion->count - 1) % motion->count;
  float part = (float)((into - slot) * movement_seconds / change_seconds);
  does.share = part >= 1 ? 1 : part * part * (3 - 2 * part);
  return does;
}

static float between(const row *r, const float *waves) {
  return r->from + (r->to - r->from) * waves[r->wave];
}

static void do_movements(const crowd_motion *motion, int character, double time, float *dest) {
  float waves[wave_count];
  doing does = what_does(motion, character, time);
  make_waves(character, does.time, waves);
  size_t dofs = (size_t)motion->dof_count;
  const row *now = motion->rows + (size_t)(2 * does.now + does.mirrored) * dofs;
  const row *before = motion->rows + (size_t)(2 * does.before + does.mirrored) * dofs;
  for (size_t d = 0; d < dofs; d++) {
    const dof *at = &motion->dofs[d];
    float value = between(&now[d], waves);
    if (does.share < 1) {
      float old = between(&before[d], waves);
      value = old + (value - old) * does.share;
    }
    value = at->rest + (value - at->rest) * does.strength;
    dest[d] = fminf(fmaxf(value, at->min), at->max);
  }
}

/* the first character starts at the beginning, the others at random times */
static double time_in_clip(const sinew_clip *clip, int character, double time) {
  double length = (double)sinew_clip_duration(clip);
  double round = sinew_clip_loop(clip) ? length : 2 * length;
  double into = fmod(time + (character ? number_of(character, 30) * round : 0), round);
  return into > length ? round - into : into;
}

static void play_clip(const crowd_motion *motion, int character, double time, float *dest) {
  float at = (float)time_in_clip(motion->clip, character, time);
  for (int i = 0; i < motion->dof_count; i++) {
    const dof *d = &motion->dofs[i];
    float value = d->channel < 0 ? d->rest : sinew_clip_sample(motion->clip, d->channel, at);
    dest[i] = fminf(fmaxf(value, d->min), d->max);
  }
}

void crowd_motion_at(const crowd_motion *motion, int character, double time, float *dest) {
  if (motion->clip)
    play_clip(motion, character, time, dest);
  else
    do_movements(motion, character, time, dest);
  for (int d = 0; d < motion->dof_count; d++) {
    const dof *at = &motion->dofs[d];
    if (!(at->beats > 0)) continue;
    float wave = 0.5f - 0.5f * cosf(radians(time * (double)at->beats + 0.13 * character));
    dest[d] = fminf(fmaxf(at->from + (at->to - at->from) * wave, at->min), at->max);
  }
}

const char *crowd_motion_name(const crowd_motion *motion, int character, double time) {
  return motion->clip ? "the clip" : motion->names[what_does(motion, character, time).now];
}

/* --- the formation */

int crowd_columns(int count, float across, float deep) {
  int columns = (int)lroundf(sqrtf((float)count * deep / across));
  if (columns > count) columns = count;
  return columns < 1 ? 1 : columns;
}

void crowd_place(int character, int columns, float *column, int *back) {
  int along = character % columns;
  *back = character / columns;
  *column = (float)(along % 2 ? (along + 1) / 2 : -along / 2) + (*back % 2 ? -0.5f : 0);
}
