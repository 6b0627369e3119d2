/* Recording `eval` of a scripted component. It is called with recorded inputs and parameters,
 * twice: a function that keeps something between calls gives another program the second time. */
#include "lua/rig/record_lua.h"

#include "lua/base/reserve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct job {
  const si_script *script;
  si_value held[2 * SI_SCRIPT_PORTS];
  si_recording recording;
} job;

static int count_of(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
}

/* --- parameters: eval reads them through a table whose metatable has the plain ones */

static si_recorded entries(lua_State *L, const char *name, int first, int count) {
  si_recorded value = { .count = count };
  for (int i = 0; i < count; i++)
    value.v[i] = si_recording_param(L, si_recording_of(L), name, (uint32_t)(first + i));
  return value;
}

/* whether the number on top of the stack may be a count, a choice or a key */
static bool may_count(lua_State *L, const sinew_param_desc *d) {
  return d->type == SINEW_PARAM_NUMBER && (!d->unit || !*d->unit) &&
         lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) == floor(lua_tonumber(L, -1));
}

/* pushes the recorded form of the plain parameter on top of the stack, which has that place in the
 * kind's list */
static int push_param(lua_State *L, const sinew_param_desc *d, int place) {
  si_recording *r = si_recording_of(L);
  int plain = lua_gettop(L);
  if (r->freeze && place < 64 && may_count(L, d)) {
    r->frozen |= (uint64_t)1 << place;
    return 1;
  }
  const float *matrix = si_mat4_test(L, plain);
  si_recorded value;
  if (d->type == SINEW_PARAM_FLAG) {
    si_value p = si_recording_param(L, r, d->name, 0);
    bool off = si_recording_decide(L, r, si_rec2(r, SI_G_EQUAL, p, si_rec_number(r, 0)));
    lua_pushboolean(L, !off);
  } else if (lua_type(L, plain) == LUA_TNUMBER) {
    value = entries(L, d->name, 0, 1);
    si_recorded_push(L, &value);
  } else if (matrix) {
    value = entries(L, d->name, 0, 16);
    for (int c = 0; c < 4; c++) /* the last row stays */
      if (matrix[4 * c + 3] == (c == 3)) value.v[4 * c + 3] = si_rec_number(r, c == 3);
    si_recorded_push(L, &value);
  } else if (si_vec3_test(L, plain)) {
    value = entries(L, d->name, 0, 3);
    si_recorded_push(L, &value);
  } else if (d->type == SINEW_PARAM_NUMBERS || d->type == SINEW_PARAM_VECTORS) {
    int length = (int)lua_rawlen(L, plain), each = d->type == SINEW_PARAM_VECTORS ? 3 : 1;
    lua_createtable(L, length, 0);
    for (int i = 0; i < length; i++) {
      value = entries(L, d->name, each * i, each);
      si_recorded_push(L, &value);
      lua_rawseti(L, -2, i + 1);
    }
  } else if (d->type == SINEW_PARAM_CURVE) {
    si_recorded_curve_add(L, plain, d->name);
  }
  return 1; /* else the plain value: a text, or an object */
}

/* __index of self; upvalues: the kind, the plain parameters */
static int read_param(lua_State *L) {
  const si_script *script = lua_touserdata(L, lua_upvalueindex(1));
  lua_settop(L, 2);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  for (const sinew_param_desc *d = script->params; name && d->name; d++) {
    if (strcmp(d->name, name) != 0) continue;
    si_raw_field(L, lua_upvalueindex(2), name);
    if (!lua_isnil(L, -1)) return push_param(L, d, (int)(d - script->params));
  }
  lua_pushvalue(L, 2);
  lua_gettable(L, lua_upvalueindex(2)); /* which says what there is */
  return 1;
}

/* self:hold("length", amount); upvalue 1: the job */
static int hold(lua_State *L) {
  job *j = lua_touserdata(L, lua_upvalueindex(1));
  const char *port = luaL_checkstring(L, 2);
  si_nearest nearest;
  si_nearest_start(&nearest, port);
  for (int i = 0; i < j->script->hold_count; i++) {
    si_nearest_offer(&nearest, j->script->holds[i].port);
    if (strcmp(j->script->holds[i].port, port) != 0) continue;
    j->held[i] = si_recorded_want(L, 3, 1).v[0];
    return 0;
  }
  return si_lua_unknown(L, "self", "hold", &nearest);
}

/* pushes self; the plain parameters are at `plain` */
static void push_self(lua_State *L, job *j, int plain) {
  lua_newtable(L);
  if (j->script->hold_count) {
    lua_pushlightuserdata(L, j);
    lua_pushcclosure(L, hold, 1);
    lua_setfield(L, -2, "hold");
  }
  lua_createtable(L, 0, 3);
  lua_pushlightuserdata(L, (void *)(uintptr_t)j->script);
  lua_pushvalue(L, plain);
  lua_pushcclosure(L, read_param, 2);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, si_script_keep_nothing);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* --- inputs and outputs */

static void push_inputs(lua_State *L, si_recording *r, const si_script *script) {
  uint32_t next = 0;
  for (int i = 0; i < script->input_count; i++) {
    sinew_kind kind = script->inputs[i].kind;
    si_recorded value = { .count = count_of(kind) };
    for (int n = 0; n < value.count; n++) {
      bool last_row = kind == SINEW_MATRIX && n % 4 == 3;
      value.v[n] = last_row ? si_rec_number(r, n == 15) : si_graph_input(&r->graph, next++);
    }
    if (kind == SINEW_SCALAR)
      value.v[0] = si_rec_mul(r, value.v[0], si_rec_number(r, script->more[i].scale));
    si_recorded_push(L, &value);
  }
}

static void take_output(lua_State *L, si_recording *r, int index, const sinew_port_desc *port,
                        si_leaf *dest) {
  static const char *const wanted[] = { "number", "vec3", "mat4" };
  si_recorded value, flat = { .count = 0 };
  if (!si_recorded_read(L, index, count_of(port->kind), &value))
    luaL_error(L, "output '%s' must be a %s, not %s", port->name, wanted[port->kind],
               si_recorded_typename(L, index));
  for (int n = 0; n < value.count; n++) {
    double literal;
    bool known = value.v[n] && si_graph_literal(&r->graph, value.v[n], &literal);
    if (known && !isfinite((float)literal)) luaL_error(L, "output '%s' is not finite", port->name);
    if (port->kind != SINEW_MATRIX || n % 4 != 3)
      flat.v[flat.count++] = value.v[n];
    else if (!known || literal != (n == 15))
      si_recording_refuse(L, "output '%s' must be an affine matrix: its last row is not 0 0 0 1",
                          port->name);
  }
  si_leaf_take(L, r, &flat, dest);
}

static void take_hold(lua_State *L, int index, const char *port, si_value *dest) {
  si_recorded amount;
  if (lua_isnoneornil(L, index)) return;
  if (!si_recorded_read(L, index, 1, &amount))
    luaL_error(L, "what it holds of '%s' must be a number, not %s", port,
               si_recorded_typename(L, index));
  *dest = amount.v[0];
}

/* pushes the table `holds` of the table at `at`, or nil */
static void check_holds(lua_State *L, const si_script *script, int at) {
  si_raw_field(L, at, "holds");
  int table = lua_gettop(L), left = 0;
  if (lua_isnil(L, table) || !script->hold_count) return;
  if (!lua_istable(L, table))
    luaL_error(L, "'holds' in the table it returned must be a table, not %s",
               si_recorded_typename(L, table));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) left++;
  for (int i = 0; i < script->hold_count; i++) {
    si_raw_field(L, table, script->holds[i].port);
    left -= !lua_isnil(L, -1);
    lua_pop(L, 1);
  }
  if (left) luaL_error(L, "'holds' in the table it returned has a name that is not declared");
}

/* results start at `first`, in order or by name in one table */
static void take_results(lua_State *L, si_recording *r, job *j, int first, si_leaf *dest) {
  const si_script *script = j->script;
  sinew_kind kind = script->outputs[0].kind;
  si_recorded value;
  bool by_name = lua_istable(L, first) &&
                 (kind == SINEW_SCALAR || !si_recorded_read(L, first, count_of(kind), &value));
  lua_settop(L, first + script->output_count + script->hold_count);
  int at = lua_gettop(L) + 1;
  for (int i = 0; i < script->output_count; i++) {
    if (by_name) {
      si_raw_field(L, first, script->outputs[i].name);
      if (lua_isnil(L, -1))
        luaL_error(L, "the table it returned has no '%s', which is an output",
                   script->outputs[i].name);
    }
    take_output(L, r, by_name ? at : first + i, &script->outputs[i], dest);
    lua_settop(L, at - 1);
  }
  if (by_name) check_holds(L, script, first);
  for (int i = 0; i < script->hold_count; i++) {
    if (by_name && lua_istable(L, at)) si_raw_field(L, at, script->holds[i].port);
    int index = by_name ? at + 1 : first + script->output_count + i;
    if (!by_name || lua_istable(L, at)) take_hold(L, index, script->holds[i].port, &j->held[i]);
    lua_settop(L, by_name ? at : at - 1);
    double literal;
    if (si_graph_literal(&r->graph, j->held[i], &literal) && !(literal - literal == 0))
      luaL_error(L, "what it holds of '%s' is not finite", script->holds[i].port);
    si_value scale = si_rec_number(r, 1 / script->hold_scale[i]);
    si_recorded amount = { .count = 1, .v = { si_rec_mul(r, j->held[i], scale) } };
    si_leaf_take(L, r, &amount, dest);
  }
}

/* the function is at 1, the plain parameters at 2 */
static void call_eval(lua_State *L, si_recording *r, void *user, si_leaf *dest) {
  job *j = user;
  const si_script *script = j->script;
  luaL_checkstack(L, SI_SCRIPT_STACK + 16, "recording");
  si_recording_next_run(L, r);
  for (int i = 0; i < script->hold_count; i++) j->held[i] = si_rec_number(r, 0);
  lua_pushvalue(L, 1);
  push_self(L, j, 2);
  push_inputs(L, r, script);
  lua_call(L, script->input_count + 1, script->output_count + script->hold_count);
  take_results(L, r, j, 3, dest);
}

/* --- the program */

static void write_program(lua_State *L, si_recording *r, const si_script *script,
                          const si_leaf *leaf) {
  uint8_t takes[SI_SCRIPT_PORTS], gives[3 * SI_SCRIPT_PORTS];
  double never;
  for (int i = 0; i < script->input_count; i++) takes[i] = (uint8_t)script->inputs[i].kind;
  for (int i = 0; i < script->output_count; i++) gives[i] = (uint8_t)script->outputs[i].kind;
  for (int i = 0; i < script->hold_count; i++) gives[script->output_count + i] = SI_PORT_HOLD;
  bool fails = !si_graph_literal(&r->graph, leaf->fail, &never) || never != 0;
  const si_graph_desc desc = { .takes = takes,
                               .take_count = (uint32_t)script->input_count,
                               .gives = gives,
                               .give_count = (uint32_t)(script->output_count + script->hold_count),
                               .params = r->params,
                               .param_count = r->param_count,
                               .curves = r->curves,
                               .curve_count = r->curve_count,
                               .outs = leaf->v,
                               .out_count = (uint32_t)leaf->numbers,
                               .fail = fails ? leaf->fail : 0,
                               .messages = r->messages,
                               .message_count = fails ? r->message_count : 0 };
  si_text text = { 0 };
  si_graph_write(&r->graph, &desc, &text);
  size_t size = text.size;
  const char *copy = text.failed ? NULL : si_arena_text(&r->arena, text.at, size);
  si_free(text.at);
  if (!copy) luaL_error(L, "out of memory");
  lua_pushlstring(L, copy, size);
}

/* the function at 1, the plain parameters at 2; pushes the program */
static void record_once(lua_State *L, job *j) {
  si_recording *r = &j->recording;
  si_leaf leaf;
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  if (!si_recording_enumerate(L, r, 2, call_eval, j, &leaf)) lua_error(L);
  if (r->graph.full || !leaf.fail)
    si_recording_refuse(L, "more than %d operations", (int)SI_GRAPH_MOST);
  write_program(L, r, j->script, &leaf);
}

static int record_twice(lua_State *L) {
  job *j = lua_touserdata(L, 3);
  lua_settop(L, 2);
  si_recording_begin(L, &j->recording);
  record_once(L, j);
  si_recording_again(L, &j->recording);
  record_once(L, j);
  if (!lua_rawequal(L, 3, 4)) {
    si_recording_refuse(L, "a second call with the same inputs does something else: eval must not "
                           "keep anything between calls");
  }
  lua_settop(L, 3);
  return 1;
}

void si_record_place(lua_State *L, int index, char *dest, size_t room) {
  lua_Debug function;
  *dest = '\0';
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &function);
  if (function.linedefined > 0)
    snprintf(dest, room, "%.100s:%d: ", function.short_src, function.linedefined);
}

static int program_close(lua_State *L) {
  sinew_program **self = lua_touserdata(L, 1);
  sinew_program_release(*self);
  *self = NULL;
  return 0;
}
static const si_lua_type program_type = { .name = "program", .close = program_close };

/* replaces the text on top of the stack by the program that it is, of the function at `function`;
 * false: `why` says what is wrong */
static bool make_program(lua_State *L, int function, char *why, size_t room) {
  sinew_error error;
  si_lua_type_open(L, &program_type);
  sinew_program **made = si_lua_new(L, &program_type, sizeof *made, 0);
  *made = sinew_program_create(lua_tostring(L, -2), &error);
  lua_remove(L, -2);
  if (*made) return true;
  char place[160];
  si_record_place(L, function, place, sizeof place);
  snprintf(why, room, "%s%.400s", place, error.text);
  return false;
}

static int job_close(lua_State *L) {
  si_recording_free(&((job *)lua_touserdata(L, 1))->recording);
  return 0;
}
static const si_lua_type job_type = { .name = "recording", .close = job_close };

/* how often to compare a function that takes about so many instructions */
static int trials_for(uint32_t each) {
  uint32_t most = SI_RECORD_WORK / 2 / each;
  return most > 24 ? 24 : most < 2 ? 2 : (int)most;
}

/* a refusal with its place; what it is called by is in `r` */
static void note_refusal(const si_recording *r, const char *text, char *dest, size_t room) {
  const char *place = *r->where ? r->where : r->place;
  if (*r->refusal) text = r->refusal;
  snprintf(dest, room, "%.150s%.440s", si_recording_has_place(text) ? "" : place, text);
}

/* The function and the plain parameters are on top of the stack, and are replaced by a userdata
 * with the program, or nil, and why there is none. `frozen`, if not NULL: whole numbers without a
 * unit are parts of the program, and their bits are added. */
static void record(lua_State *L, const si_script *script, uint64_t *frozen) {
  int top = lua_gettop(L) - 2;
  char refusal[sizeof((si_recording *)0)->refusal] = "";
  if (si_recording_of(L)) luaL_error(L, "a rig cannot be compiled while eval is recorded");
  if (!si_recorded_open(L)) {
    snprintf(refusal, sizeof refusal, "%s", lua_tostring(L, -1));
  } else {
    si_lua_type_open(L, &job_type);
    job *j = si_lua_new(L, &job_type, sizeof *j, 0);
    j->script = script;
    si_record_place(L, top + 1, j->recording.place, sizeof j->recording.place);
    j->recording.freeze = frozen != NULL;
    lua_pushcfunction(L, record_twice);
    lua_pushvalue(L, top + 1);
    lua_pushvalue(L, top + 2);
    lua_pushlightuserdata(L, j);
    /* a finalizer would be recorded too, and would see what stands for the functions of the script
     */
    bool collects = si_lua_gc_pause(L);
    int status = lua_pcall(L, 3, 1, 0);
    if (status != LUA_OK) {
      const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "no reason given";
      note_refusal(&j->recording, text, refusal, sizeof refusal);
    }
    if (frozen) *frozen |= j->recording.frozen;
    uint32_t each = j->recording.work / (j->recording.runs + 1) + 1;
    si_recording_end(L, &j->recording);
    si_recorded_curves_clear(L);
    si_lua_gc_resume(L, collects);
    si_lua_spend(L, 1); /* raises if the script's budget is exceeded */
    if (status == LUA_ERRMEM) luaL_error(L, "out of memory");
    if (status == LUA_OK && make_program(L, top + 1, refusal, sizeof refusal))
      si_record_check(L, script, top + 1, top + 2, *(sinew_program **)lua_touserdata(L, -1),
                      trials_for(each), refusal, sizeof refusal);
  }
  if (*refusal) lua_pushnil(L);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  lua_pushstring(L, refusal);
}

/* --- kinds */

/* pushes what of the parameters at `self` a recording depends on besides their numbers */
static void push_shape(lua_State *L, const si_script *script, int self) {
  lua_pushliteral(L, "");
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    int top = lua_gettop(L);
    si_raw_field(L, self, d->name);
    if (lua_type(L, -1) == LUA_TSTRING)
      lua_pushfstring(L, "%s=%d:%s;", d->name, (int)lua_rawlen(L, -1), lua_tostring(L, -1));
    else if (lua_type(L, -1) == LUA_TTABLE)
      lua_pushfstring(L, "%s#%d;", d->name, (int)lua_rawlen(L, -1));
    else if (d->type == SINEW_PARAM_NUMBERS || d->type == SINEW_PARAM_VECTORS)
      lua_pushfstring(L, "%s;", d->name);
    else if (si_script_froze(script, (int)(d - script->params)))
      lua_pushfstring(L, "%s=%f;", d->name, lua_tonumber(L, -1));
    else
      lua_pushliteral(L, "");
    lua_remove(L, top + 1);
    lua_concat(L, 2);
  }
}

/* pushes the table of the kind's programs by shape */
static void push_programs(lua_State *L, const si_script *script) {
  si_script_get(L, script->parts);
  si_raw_field(L, -1, "programs");
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "programs");
  }
  lua_remove(L, -2);
}

static bool has_counts(lua_State *L, const si_script *script, int self) {
  bool any = false;
  for (const sinew_param_desc *d = script->params; d->name && !any; d++) {
    si_raw_field(L, self, d->name);
    any = may_count(L, d);
    lua_pop(L, 1);
  }
  return any;
}

/* Records with all parameters live, or else with whole numbers frozen: a count, or a choice. Pushes
 * the program, or nil, and why there is none. */
static void record_at_best(lua_State *L, si_script *script, int self) {
  int top = lua_gettop(L);
  uint64_t frozen = 0;
  for (int again = 0; again < 2; again++) {
    lua_settop(L, top);
    si_script_get(L, script->function);
    lua_pushvalue(L, self);
    record(L, script, again ? &frozen : NULL);
    if (!lua_isnil(L, top + 1) || !has_counts(L, script, self)) break;
  }
  if (!lua_isnil(L, top + 1)) script->frozen |= frozen;
}

bool si_record_push(lua_State *L, si_script *script, int self) {
  luaL_checkstack(L, 24, "recording");
  self = lua_absindex(L, self);
  int top = lua_gettop(L);
  if (script->builds || script->record < 0) {
    lua_pushnil(L);
    lua_pushstring(L, script->builds ? "a subnetwork is not recorded" : "record = false");
    return false;
  }
  push_programs(L, script);
  push_shape(L, script, self);
  lua_pushvalue(L, top + 2);
  lua_rawget(L, top + 1);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    record_at_best(L, script, self);
    lua_createtable(L, 2, 0);
    lua_insert(L, -3);
    lua_rawseti(L, -3, 2);
    lua_rawseti(L, -2, 1);
    push_shape(L, script, self); /* which may have more in it now */
    lua_pushvalue(L, -2);
    lua_rawset(L, top + 1);
  }
  int entry = lua_gettop(L);
  lua_rawgeti(L, entry, 1);
  lua_rawgeti(L, entry, 2);
  lua_replace(L, top + 2);
  lua_replace(L, top + 1);
  lua_settop(L, top + 2);
  if (lua_isnil(L, top + 1)) return false;
  lua_settop(L, top + 1);
  return true;
}

void si_record_instance(lua_State *L, si_instance *instance) {
  int top = lua_gettop(L);
  si_script *script = instance->script;
  si_script_get(L, instance->self);
  bool recorded = lua_istable(L, -1) && si_record_push(L, script, -1);
  sinew_program *program = NULL;
  if (recorded) program = sinew_program_retain(*(sinew_program **)lua_touserdata(L, -1));
  sinew_program_release(instance->program);
  si_free(instance->refusal);
  instance->program = program;
  instance->calls = script->state->check_purity;
  instance->refusal = NULL;
  instance->shaped = false;
  if (!recorded && script->record >= 0) instance->refusal = si_strdup(lua_tostring(L, -1));
  lua_settop(L, top);
}
