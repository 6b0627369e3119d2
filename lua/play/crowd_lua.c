/* A crowd: many characters of one rig, set, evaluated and read in one call each, with no garbage.
 * Numbers come one character after the other.
 *
 * DOFs are kept as they were wanted and held in their ranges where they are read or evaluated, so
 * that a range that is changed lets go what it held, as with poses. */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/solver_lua.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

typedef struct crowd_lua {
  int count;
  size_t dofs, numbers; /* per character: its DOFs, and the floats of its world matrices */
  sinew_batch *batch;   /* NULL: closed */
  /* ranges of the DOFs; `low` is the start of the memory of all four arrays */
  float *low, *high;
  float *wanted, *worlds;
  /* revision of the rig when the ranges were read and the matrices evaluated */
  uint32_t revision;
  bool current; /* the matrices belong to the present DOFs */
  si_program *program;
  si_progress progress;
} crowd_lua;

static crowd_lua *self_crowd(lua_State *L) { return si_lua_open_self(L, &si_crowd_type); }

static sinew_dof_info dof_info(const crowd_lua *self, size_t dof) {
  return sinew_rig_dof_info(self->program->rig, (sinew_dof){ (uint32_t)dof + 1 });
}

static void read_ranges(crowd_lua *self) {
  for (size_t i = 0; i < self->dofs; i++) {
    sinew_dof_info info = dof_info(self, i);
    self->low[i] = info.min;
    self->high[i] = info.max;
  }
  self->revision = sinew_rig_revision(self->program->rig);
}

/* something was set or edited, so a failure is reported again */
static void changed(crowd_lua *self) {
  self->current = false;
  self->progress.failed = false;
}

/* takes over edits of the rig */
static void take_edits(crowd_lua *self) {
  if (self->revision == sinew_rig_revision(self->program->rig)) return;
  read_ranges(self);
  changed(self);
}

static void rest(lua_State *L, crowd_lua *self) {
  changed(self);
  for (size_t i = 0; i < self->dofs; i++) self->wanted[i] = dof_info(self, i).rest;
  for (size_t c = 1; c < (size_t)self->count; c++) {
    if (c % 64 == 1) si_lua_spend(L, 8 * (1 + self->dofs));
    memcpy(self->wanted + c * self->dofs, self->wanted, self->dofs * sizeof *self->wanted);
  }
}

/* --- creating and freeing */

/* `threads` and `lanes` from the table at 3 */
static sinew_batch_desc read_options(lua_State *L) {
  typedef struct crowd_options {
    int threads;
    float lanes;
  } crowd_options;
  static const si_option options[] = {
    SI_OPTION_RANGE(crowd_options, threads, 1, 256),
    SI_OPTION(crowd_options, lanes, NUMBER),
    SI_OPTION_END,
  };
  sinew_batch_desc desc = sinew_default_batch_desc();
  crowd_options o = { .threads = desc.threads };
  if (si_options_read(L, 3, "rig:crowd", options, &o) & 2 && o.lanes != 4 && o.lanes != 8)
    luaL_error(L, "rig:crowd: 'lanes' must be 4 or 8");
  desc.threads = o.threads;
  desc.lanes = (int)o.lanes;
  /* untrusted scripts start no threads; the results are the same */
  if (si_lua_guard_of(L)) desc.threads = 1;
  return desc;
}

/* raises if a buffer could not hold the numbers of all characters */
static void check_size(lua_State *L, const crowd_lua *self) {
  size_t each = self->numbers > self->dofs ? self->numbers : self->dofs;
  if (each * (size_t)self->count > SI_BUFFER_MOST)
    luaL_error(L, "%d characters with %d segments and %d DOFs do not fit into a buffer",
               self->count, (int)self->numbers / 16, (int)self->dofs);
}

static size_t carve(crowd_lua *self, unsigned char *block) {
  si_carver carver = { .base = block };
  self->low = si_carve(&carver, self->dofs, sizeof(float), SI_ALIGN);
  self->high = si_carve(&carver, self->dofs, sizeof(float), SI_ALIGN);
  self->wanted = si_carve(&carver, self->dofs * (size_t)self->count, sizeof(float), SI_ALIGN);
  self->worlds = si_carve(&carver, self->numbers * (size_t)self->count, sizeof(float), SI_ALIGN);
  return carver.used;
}

/* rig:crowd(n [, { threads =, lanes = }]) */
static int rig_crowd(lua_State *L) {
  enum { most_lanes = 8 };
  si_lua_self(L, &si_rig_type);
  int count = (int)si_lua_check_int(L, 2, 1, 1 << 20);
  lua_settop(L, 3);
  sinew_batch_desc desc = read_options(L);
  sinew_error error;
  crowd_lua *self = si_lua_new(L, &si_crowd_type, sizeof *self, 1);
  self->program = si_rig_program(L, si_rig_check(L, 1));
  self->program->refs++;
  const sinew_rig *rig = self->program->rig;
  self->count = count;
  self->dofs = (size_t)sinew_rig_dof_count(rig);
  self->numbers = 16 * (size_t)sinew_rig_segment_count(rig);
  check_size(L, self);
  size_t bytes = carve(self, NULL), before = sinew_live_bytes();
  /* each thread works on as many characters as there are lanes */
  si_lua_reserve(L, bytes + (size_t)desc.threads * most_lanes * sinew_rig_pose_bytes(rig));
  unsigned char *block = si_alloc(bytes);
  if (!block) return luaL_error(L, "out of memory");
  carve(self, block);
  self->batch = sinew_batch_create(rig, &desc, &error);
  if (!self->batch) return si_raise(L, &error);
  read_ranges(self);
  rest(L, self);
  si_lua_weigh(L, sinew_live_bytes() - before);
  return 1;
}

static int crowd_close(lua_State *L) {
  crowd_lua *self = lua_touserdata(L, 1);
  si_progress_check(L, &self->progress, "crowd");
  sinew_batch_destroy(self->batch);
  si_free(self->low);
  si_program_release(self->program);
  *self = (crowd_lua){ 0 };
  return 0;
}

/* --- setting */

static int raise_infinite(lua_State *L, const crowd_lua *self, size_t at, double value) {
  return luaL_error(L, "character %d: DOF '%s': %f is not finite", (int)(at / self->dofs) + 1,
                    dof_info(self, at % self->dofs).name, value);
}

/* whether the DOFs of all characters are finite; `inside` becomes whether all are in their
 * ranges */
static bool look_at(const crowd_lua *self, const float *values, bool *inside) {
  si_v4 sum = si_all(0), v;
  si_i4 out = { 0, 0, 0, 0 };
  float sum_left = 0;
  bool out_left = false;
  for (int c = 0; c < self->count; c++, values += self->dofs) {
    size_t i = 0;
    for (; i + 4 <= self->dofs; i += 4) {
      memcpy(&v, values + i, sizeof v);
      sum += v * si_all(0); /* an infinity or a NaN times zero is a NaN, and stays one */
      out |= (v < si_load(self->low + i)) | (v > si_load(self->high + i));
    }
    for (; i < self->dofs; i++) {
      sum_left += values[i] * 0;
      out_left |= values[i] < self->low[i] || values[i] > self->high[i];
    }
  }
  *inside = !out_left && !si_any(out);
  return sum[0] + sum[1] + sum[2] + sum[3] + sum_left == 0;
}

static void set_buffer(lua_State *L, crowd_lua *self, const float *values, bool *inside) {
  size_t count = self->dofs * (size_t)self->count;
  si_lua_spend(L, count / 8);
  if (!look_at(self, values, inside))
    for (size_t i = 0; i < count; i++)
      if (!isfinite(values[i])) raise_infinite(L, self, i, (double)values[i]);
  memcpy(self->wanted, values, count * sizeof *values);
}

static void set_table(lua_State *L, crowd_lua *self, bool *inside) {
  size_t count = self->dofs * (size_t)self->count;
  for (int pass = 0; pass < 2; pass++) {
    if (pass) changed(self);
    for (size_t i = 0; i < count; i++) {
      si_lua_spend_each(L, i, count, 1);
      lua_rawgeti(L, 2, (int)i + 1);
      float value = (float)lua_tonumber(L, -1);
      if (pass == 1)
        self->wanted[i] = value;
      else if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "character %d: DOF '%s': number expected, got %s", (int)(i / self->dofs) + 1,
                   dof_info(self, i % self->dofs).name, si_lua_typename(L, -1));
      else if (!isfinite(value))
        raise_infinite(L, self, i, (double)value);
      lua_pop(L, 1);
    }
  }
  look_at(self, self->wanted, inside);
}

/* sets all DOFs from the buffer or table at 2, or raises and sets none; returns whether all are
 * inside their ranges */
static bool set_values(lua_State *L, crowd_lua *self) {
  size_t given;
  bool inside;
  const float *buffer = si_buffer_test(L, 2, &given);
  if (!buffer && !lua_istable(L, 2)) si_lua_type_error(L, 2, "table or buffer");
  if (!buffer) given = lua_rawlen(L, 2);
  if (given != self->dofs * (size_t)self->count)
    luaL_error(L, "got %d values for %d characters of %d DOFs", (int)given, self->count,
               (int)self->dofs);
  take_edits(self);
  if (buffer)
    set_buffer(L, self, buffer, &inside);
  else
    set_table(L, self, &inside);
  changed(self);
  return inside;
}

/* crowd:set(values): a buffer or a flat table of all DOFs of all characters. Sets all of them or,
 * if one is wrong, none. Returns true if all are inside their ranges, false if one is held. */
static int crowd_set(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  si_progress_check(L, &self->progress, "crowd");
  return si_return_boolean(L, set_values(L, self));
}

static int crowd_reset(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  si_progress_check(L, &self->progress, "crowd");
  rest(L, self);
  return si_lua_done(L);
}

/* --- evaluating */

/* evaluates all characters into `dest`, with scripted components running on this thread */
static sinew_status run(lua_State *L, crowd_lua *self, float *dest, sinew_error *error) {
  const sinew_rig *rig = self->program->rig;
  bool scripted = sinew_rig_can_fail(rig);
  si_script_scope scope;
  if (scripted && !si_script_enter(L, &scope, error)) si_raise(L, error);
  self->program->running++;
  self->progress.running = true;
  sinew_status status = sinew_batch_eval(self->batch, self->wanted, self->count, dest, error);
  self->progress.running = false;
  self->program->running--;
  if (scripted) si_script_leave(L, &scope);
  return status;
}

/* evaluates if something was set or edited; after evaluating all, raises for the first character
 * that failed */
static void evaluate(lua_State *L, crowd_lua *self) {
  sinew_error error;
  si_progress_check(L, &self->progress, "crowd");
  take_edits(self);
  if (self->current) return;
  sinew_status status = run(L, self, self->worlds, &error);
  self->current = status >= 0;
  self->progress = (si_progress){ .failed = status < 0, .revision = self->program->revision };
  if (status < 0) si_raise(L, &error);
}

static void refresh(lua_State *L, crowd_lua *self) {
  take_edits(self);
  if (!si_progress_stuck(&self->progress, self->program)) evaluate(L, self);
}

static int crowd_eval(lua_State *L) {
  evaluate(L, self_crowd(L));
  return si_lua_done(L);
}

static float *check_room(lua_State *L, int index, size_t needed) {
  size_t room;
  float *buffer = si_buffer_test(L, index, &room);
  if (buffer && room < needed)
    luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room, (int)needed);
  return buffer;
}

/* crowd:pose(values, worlds): sets all DOFs from the buffer or table, and evaluates directly into
 * the buffer `worlds`. Returns the same as set. */
static int crowd_pose(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  sinew_error error;
  si_progress_check(L, &self->progress, "crowd");
  float *worlds = check_room(L, 3, self->numbers * (size_t)self->count);
  if (!worlds) return si_lua_type_error(L, 3, "buffer");
  bool inside = set_values(L, self);
  if (run(L, self, worlds, &error) < 0) return si_raise(L, &error);
  return si_return_boolean(L, inside);
}

/* crowd:solve(solver [, targets [, options [, result]]]): moves every character's DOFs */
static int crowd_solve(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  si_progress_check(L, &self->progress, "crowd");
  take_edits(self);
  changed(self);
  si_crowd_solve(L, &(si_crowd_task){ .dofs = self->wanted,
                                      .count = self->count,
                                      .threads = sinew_batch_threads(self->batch),
                                      .program = self->program,
                                      .running = &self->progress.running });
  return 1;
}

/* --- reading */

/* the buffer at 2, or NULL for a table there, which is created if missing */
static float *want_dest(lua_State *L, size_t needed) {
  lua_settop(L, 2);
  float *buffer = check_room(L, 2, needed);
  if (buffer || lua_istable(L, 2)) return buffer;
  if (!lua_isnil(L, 2)) si_lua_type_error(L, 2, "table or buffer");
  lua_createtable(L, (int)needed, 0);
  lua_replace(L, 2);
  return NULL;
}

const float *si_crowd_worlds(lua_State *L, int index, const sinew_rig **rig, int *count) {
  crowd_lua *self = si_lua_open(L, index, &si_crowd_type);
  refresh(L, self);
  *rig = self->program->rig;
  *count = self->count;
  return self->worlds;
}

/* crowd:worlds([table or buffer]): all world matrices of all characters */
static int crowd_worlds(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  size_t count = self->numbers * (size_t)self->count;
  want_dest(L, count);
  refresh(L, self);
  return si_numbers_push(L, 2, self->worlds, count);
}

/* crowd:dofs([table or buffer]): all DOF values of all characters, held in their ranges */
static int crowd_dofs(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  size_t count = self->dofs * (size_t)self->count;
  float *buffer = want_dest(L, count);
  take_edits(self);
  for (size_t i = 0; i < count; i++) {
    si_lua_spend_each(L, i, count, 1);
    size_t dof = i % self->dofs;
    float value = si_clamp(self->wanted[i], self->low[dof], self->high[dof]) + 0.0f;
    if (buffer) {
      buffer[i] = value; /* -0 and 0 are one value */
    } else {
      lua_pushnumber(L, value);
      lua_rawseti(L, 2, (int)i + 1);
    }
  }
  return 1;
}

static int crowd_threads(lua_State *L) {
  return si_return_integer(L, sinew_batch_threads(self_crowd(L)->batch));
}

static int crowd_lanes(lua_State *L) {
  return si_return_integer(L, sinew_batch_lanes(self_crowd(L)->batch));
}

static int crowd_instructions(lua_State *L) {
  return si_return_string(L, sinew_batch_instructions(self_crowd(L)->batch));
}

static int crowd_length(lua_State *L) { return si_return_integer(L, self_crowd(L)->count); }

static int crowd_tostring(lua_State *L) {
  const crowd_lua *self = si_lua_check(L, 1, &si_crowd_type);
  if (!self->batch) return si_return_string(L, "crowd (closed)");
  lua_pushfstring(L, "crowd of %d poses of rig '%s'", self->count,
                  sinew_rig_name(self->program->rig));
  return 1;
}

static const luaL_Reg methods[] = { { "set", crowd_set },       { "dofs", crowd_dofs },
                                    { "reset", crowd_reset },   { "eval", crowd_eval },
                                    { "worlds", crowd_worlds }, { "pose", crowd_pose },
                                    { "solve", crowd_solve },   { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", crowd_tostring },
                                 { "__len", crowd_length },
                                 { NULL, NULL } };
static const si_lua_field fields[] = { { "threads", crowd_threads, NULL },
                                       { "lanes", crowd_lanes, NULL },
                                       { "instructions", crowd_instructions, NULL },
                                       { NULL, NULL, NULL } };
const si_lua_type si_crowd_type = { .name = "crowd",
                                    .methods = methods,
                                    .meta = meta,
                                    .fields = fields,
                                    .close = crowd_close,
                                    .alive = offsetof(crowd_lua, batch) };

void si_open_crowd(lua_State *L) {
  si_lua_type_open(L, &si_crowd_type);
  si_lua_type_supply(L, &si_rig_type, "crowd", rig_crowd);
}
