/* See goal_lua.h. The kinds of goals are a table: the field that makes a goal one of that kind, and
 * what else such a goal may have. */
#include "lua/play/goal_lua.h"

#include "lua/math/options.h"
#include "lua/math/quat_matrix.h"
#include "math/matrix.h"

#include <stdlib.h>
#include <string.h>

enum {
  POINT = 1 << SINEW_GOAL_POINT,
  TURN = 1 << SINEW_GOAL_TURN,
  AIM = 1 << SINEW_GOAL_AIM,
  LOOK = 1 << SINEW_GOAL_LOOK,
  DISTANCE = 1 << SINEW_GOAL_DISTANCE,
  POLE = 1 << SINEW_GOAL_POLE,
  ABOVE = 1 << SINEW_GOAL_ABOVE,
  BALANCE = 1 << SINEW_GOAL_BALANCE,
  EVERY = (1 << SINEW_GOAL_KINDS) - 1,
  most_goals = 4096
};

/* every option, its sort, and the kinds of goals that may have it */
#define GOAL_OPTIONS(OPTION)                                                                       \
  OPTION(segment, VALUE, EVERY & ~BALANCE)                                                         \
  OPTION(pin, VALUE, POINT | TURN)                                                                 \
  OPTION(target, VALUE, POINT | DISTANCE)                                                          \
  OPTION(turn, VALUE, POINT | TURN)                                                                \
  OPTION(aim, VALUE, AIM)                                                                          \
  OPTION(look_at, VALUE, LOOK)                                                                     \
  OPTION(distance, VALUE, DISTANCE)                                                                \
  OPTION(pole, VALUE, POLE)                                                                        \
  OPTION(above, VALUE, ABOVE)                                                                      \
  OPTION(balance, VALUE, BALANCE)                                                                  \
  OPTION(point, VEC3, EVERY & ~(TURN | AIM))                                                       \
  OPTION(direction, AXIS, AIM | LOOK)                                                              \
  OPTION(other, VALUE, DISTANCE)                                                                   \
  OPTION(other_point, VEC3, DISTANCE | BALANCE)                                                    \
  OPTION(from, VALUE, POLE)                                                                        \
  OPTION(to, VALUE, POLE)                                                                          \
  OPTION(from_point, VEC3, POLE)                                                                   \
  OPTION(to_point, VEC3, POLE)                                                                     \
  OPTION(up, AXIS, ABOVE | BALANCE)                                                                \
  OPTION(within, NUMBER, BALANCE)                                                                  \
  OPTION(weight, NUMBER, EVERY)                                                                    \
  OPTION(priority, INT, EVERY)

/* a bit for each */
#define GOAL_BIT(name, sort, kinds) bit_of_##name,
enum { GOAL_OPTIONS(GOAL_BIT) option_count };
#define GIVEN(fields, name) ((fields)->given >> bit_of_##name & 1)

/* the options of a goal, of which what Lua has is on the stack */
typedef struct goal_fields {
  unsigned given;
  int segment, pin, target, turn, aim, look_at, distance, pole, above, balance, other, from, to;
  float point[3], direction[3], other_point[3], from_point[3], to_point[3], up[3];
  float within, weight;
  int priority;
} goal_fields;

#define GOAL_OPTION(field, sort, kinds)                                                            \
  { .name = #field,                                                                                \
    .kind = SI_OPTION_##sort,                                                                      \
    .offset = offsetof(goal_fields, field),                                                        \
    .high = SI_OPTION_##sort == SI_OPTION_INT ? 3 : 0,                                             \
    .only = (kinds) },
static const si_option options[] = { GOAL_OPTIONS(GOAL_OPTION) SI_OPTION_END_OF_LIST };

/* the option that makes a goal one of that kind, and what it takes */
static const struct {
  const char *word;
  size_t offset;
  const char *takes;
} kinds[SINEW_GOAL_KINDS] = {
#define KIND(field, words)                                                                         \
  { #field, offsetof(goal_fields, field), words }
  [SINEW_GOAL_POINT] = KIND(target, "a vec3 or a table of three numbers"),
  [SINEW_GOAL_TURN] = KIND(turn, "a quat or a mat4"),
  [SINEW_GOAL_AIM] = KIND(aim, "a vec3 or a table of three numbers"),
  [SINEW_GOAL_LOOK] = KIND(look_at, "a vec3 or a table of three numbers"),
  [SINEW_GOAL_DISTANCE] = KIND(distance, "a number"),
  [SINEW_GOAL_POLE] = KIND(pole, "a vec3 or a table of three numbers"),
  [SINEW_GOAL_ABOVE] = KIND(above, "a number, or a vec3"),
  [SINEW_GOAL_BALANCE] = KIND(balance, "one or two segments"),
#undef KIND
};

/* where on the stack the option of a kind is; 0: it is missing */
static int wanted_at(const goal_fields *f, int kind) {
  return *(const int *)(const void *)((const char *)f + kinds[kind].offset);
}

static void read_fields(lua_State *L, int at, const char *who, goal_fields *dest) {
  *dest = (goal_fields){ 0 };
  dest->given = si_options_read(L, at, who, options, dest);
}

/* raises for an option that a goal of that kind does not use */
static void check_fields(lua_State *L, const goal_fields *f, const char *who,
                         sinew_goal_kind kind) {
  for (int i = 0; i < option_count; i++) {
    if (options[i].only & (1u << kind) || !(f->given >> i & 1)) continue;
    luaL_Buffer list;
    int named = 0;
    luaL_buffinit(L, &list);
    for (int k = 0; k < SINEW_GOAL_KINDS; k++) {
      if (!(options[i].only & (1u << k))) continue;
      if (named++) luaL_addstring(&list, " or ");
      luaL_addstring(&list, "'");
      luaL_addstring(&list, kinds[k].word);
      luaL_addstring(&list, "'");
    }
    luaL_pushresult(&list);
    luaL_error(L, "%s: '%s' is only allowed with %s", who, options[i].name, lua_tostring(L, -1));
  }
}

/* --- numbers */

static int misfit(lua_State *L, int index, int number, sinew_goal_kind kind, bool pin) {
  const char *word = kinds[kind].word, *takes = kinds[kind].takes;
  if (pin) takes = "a vec3, a quat or a mat4";
  if (kind == SINEW_GOAL_BALANCE) word = "within", takes = "a number"; /* its segments stay */
  return luaL_error(L, "solver: goal %d: '%s' must be %s, not %s", number, word, takes,
                    si_lua_typename(L, index));
}

/* the rotation of a quat or mat4 at `index`; false for anything else */
static bool read_turn(lua_State *L, int index, sinew_goal *dest) {
  float turn[4], matrix[16];
  if (si_quat_read(L, index, turn)) return si_quat_to_mat4(turn, dest->frame);
  if (!si_mat4_read(L, index, matrix)) return false;
  memcpy(dest->frame, matrix, sizeof matrix);
  return true;
}

/* a matrix sets both parts of a pin */
static bool read_pin(lua_State *L, int index, sinew_goal *goal, sinew_goal *turn) {
  float matrix[16];
  if (si_vec3_read(L, index, goal->target)) return true;
  if (!read_turn(L, index, turn)) return false;
  if (!si_mat4_read(L, index, matrix)) return true;
  si_mat_point(matrix, goal->point, goal->target);
  return true;
}

/* a height is that of the plane's point nearest to the origin */
static void set_height(sinew_goal *goal, float height) {
  float up[3] = { 0, 0, 0 };
  si_vec_unit(goal->direction, up);
  for (int i = 0; i < 3; i++) goal->target[i] = up[i] * height;
}

static bool read_target(lua_State *L, int index, sinew_goal *goal, sinew_goal *turn) {
  bool number = lua_type(L, index) == LUA_TNUMBER;
  float value = (float)lua_tonumber(L, index);
  switch (goal->kind) {
  case SINEW_GOAL_TURN: return read_turn(L, index, goal);
  case SINEW_GOAL_POINT:
    if (turn) return read_pin(L, index, goal, turn);
    break;
  case SINEW_GOAL_BALANCE:
  case SINEW_GOAL_DISTANCE:
    if (number) goal->distance = value;
    if (number || goal->kind == SINEW_GOAL_BALANCE) return number;
    break;
  case SINEW_GOAL_ABOVE:
    if (number) set_height(goal, value);
    if (number) return true;
    break;
  default: break;
  }
  return si_vec3_read(L, index, goal->target);
}

static void check_rigid(lua_State *L, int number, const sinew_goal *turn) {
  if (turn && !si_mat_is_rigid(turn->frame, 1e-3f))
    luaL_error(L, "solver: goal %d: 'turn' must be a rigid matrix", number);
}

void si_goal_set(lua_State *L, int index, int number, sinew_goal *goal, sinew_goal *turn) {
  index = lua_absindex(L, index);
  if (!read_target(L, index, goal, turn))
    misfit(L, index, number, goal->kind, turn && turn != goal);
  check_rigid(L, number, turn);
}

void si_goal_push(lua_State *L, const sinew_goal *goal, const sinew_goal *turn) {
  float up[3] = { 0, 0, 0 };
  if (goal->kind == SINEW_GOAL_DISTANCE || goal->kind == SINEW_GOAL_BALANCE) {
    lua_pushnumber(L, goal->distance);
  } else if (goal->kind == SINEW_GOAL_ABOVE) {
    si_vec_unit(goal->direction, up);
    lua_pushnumber(L, si_vec_dot(up, goal->target));
  } else if (goal->kind == SINEW_GOAL_TURN) {
    memcpy(si_mat4_push(L), goal->frame, sizeof goal->frame);
  } else if (turn) {
    /* where the segment is when the pin is met */
    float *matrix = si_mat4_push(L), point[3];
    memcpy(matrix, turn->frame, sizeof turn->frame);
    memset(matrix + 12, 0, 3 * sizeof *matrix);
    si_mat_point(matrix, goal->point, point);
    for (int i = 0; i < 3; i++) matrix[12 + i] = goal->target[i] - point[i];
  } else {
    memcpy(si_vec3_push(L), goal->target, sizeof goal->target);
  }
}

/* sets the target from the option of the goal's kind, if it is there */
static void take_wanted(lua_State *L, const goal_fields *f, int number, sinew_goal *goal) {
  const int at = wanted_at(f, (int)goal->kind);
  if (at && goal->kind != SINEW_GOAL_BALANCE)
    si_goal_set(L, at, number, goal, goal->kind == SINEW_GOAL_TURN ? goal : NULL);
}

static void take_vector(bool given, const float *from, float *dest) {
  if (given) memcpy(dest, from, 3 * sizeof *dest);
}

/* takes all options but those that are segments */
static void take_numbers(lua_State *L, const goal_fields *f, int number, sinew_goal *goal,
                         sinew_goal *turn) {
  take_vector(GIVEN(f, direction), f->direction, goal->direction);
  take_vector(GIVEN(f, up), f->up, goal->direction);
  take_vector(GIVEN(f, point), f->point, goal->point);
  take_vector(GIVEN(f, from_point), f->from_point, goal->other_point);
  take_vector(GIVEN(f, other_point), f->other_point, goal->other_point);
  take_vector(GIVEN(f, to_point), f->to_point, goal->end_point);
  take_wanted(L, f, number, goal);
  if (turn) take_wanted(L, f, number, turn);
  if (goal->kind == SINEW_GOAL_DISTANCE && f->target && !si_vec3_read(L, f->target, goal->target))
    misfit(L, f->target, number, SINEW_GOAL_POINT, false);
  if (GIVEN(f, within)) goal->distance = f->within;
  if (GIVEN(f, weight)) goal->weight = f->weight;
  if (GIVEN(f, priority)) goal->priority = f->priority;
  if (turn) turn->weight = goal->weight, turn->priority = goal->priority;
}

void si_goal_change(lua_State *L, int at, int number, sinew_goal *goal, sinew_goal *turn) {
  goal_fields f;
  int top = lua_gettop(L);
  const char *who = lua_pushfstring(L, "solver: goal %d", number);
  read_fields(L, at, who, &f);
  check_fields(L, &f, who, goal->kind);
  if (lua_rawlen(L, at) || f.segment || f.pin || f.other || f.from || f.to || f.balance)
    luaL_error(L, "%s keeps its kind and segments for as long as the solver", who);
  if (goal->kind == SINEW_GOAL_POINT && !turn && f.turn)
    luaL_error(L, "%s has no 'turn': give it one when the solver is made", who);
  take_numbers(L, &f, number, goal, turn);
  lua_settop(L, top);
}

/* --- whole goals */

/* what all of them are read from */
typedef struct reader {
  lua_State *L;
  const si_lookup *in;
  const si_program *program;
  int source;             /* of pins: a pose, or a rig, which is replaced by a new pose */
  const sinew_pose *pose; /* evaluated; NULL: not needed yet */
} reader;

static sinew_status eval_work(sinew_pose *pose, void *context, sinew_error *error) {
  (void)context;
  return sinew_pose_eval(pose, error);
}

/* where the segment is, in the pose or at rest */
static const float *world_of(reader *r, sinew_segment segment) {
  lua_State *L = r->L;
  if (!r->pose) {
    if (si_lua_test(L, r->source, &si_rig_type)) {
      lua_getfield(L, r->source, "pose");
      lua_pushvalue(L, r->source);
      lua_call(L, 1, 1);
      lua_replace(L, r->source);
    }
    si_pose_work(L, r->source, r->program, "solver", eval_work, NULL);
    r->pose = si_pose_read(L, r->source);
  }
  return sinew_pose_world(r->pose, segment);
}

/* the kind of a goal; `*turned` if it is a position and an orientation */
static sinew_goal_kind kind_of(lua_State *L, const goal_fields *f, const char *who, bool *turned) {
  int found = -1;
  *turned = false;
  for (int k = SINEW_GOAL_KINDS - 1; k >= 0; k--) {
    if (!wanted_at(f, k)) continue;
    if (k == SINEW_GOAL_POINT && found == SINEW_GOAL_DISTANCE) continue;
    *turned = k == SINEW_GOAL_POINT && found == SINEW_GOAL_TURN;
    if (found >= 0 && !*turned)
      luaL_error(L, "%s has both '%s' and '%s': use two goals", who, kinds[k].word,
                 kinds[found].word);
    found = k;
  }
  if (found < 0)
    luaL_error(L,
               "%s needs one of 'target', 'turn', 'pin', 'aim', 'look_at', 'distance', 'pole', "
               "'above' or 'balance'",
               who);
  return (sinew_goal_kind)found;
}

/* The kind of a pin: pin = true, "position" or "turn"; false if it is none. */
static bool pin_of(lua_State *L, const goal_fields *f, const char *who, sinew_goal_kind *kind,
                   bool *turned) {
  const bool pinned = f->pin;
  const char *word = pinned && lua_type(L, f->pin) == LUA_TSTRING ? lua_tostring(L, f->pin) : "";
  const bool both = pinned && lua_isboolean(L, f->pin) && lua_toboolean(L, f->pin);
  const bool turn = strcmp(word, "turn") == 0;
  if (pinned && !both && !turn && strcmp(word, "position") != 0)
    luaL_error(L, "%s: 'pin' must be true, \"position\" or \"turn\", not %s", who,
               *word ? lua_pushfstring(L, "\"%s\"", word) : si_lua_typename(L, f->pin));
  for (int k = 0; pinned && k < SINEW_GOAL_KINDS; k++)
    if (wanted_at(f, k))
      luaL_error(L, "%s has both 'pin' and '%s': a pin stays where it is", who, kinds[k].word);
  *kind = turn ? SINEW_GOAL_TURN : SINEW_GOAL_POINT;
  *turned = both;
  return pinned;
}

/* the segment at `index`; null for 0 */
static sinew_segment segment_at(const reader *r, int index) {
  return index ? si_lookup_segment(r->L, index, r->in) : (sinew_segment){ 0 };
}

/* the segment of the goal: `segment`, or the first in its list */
static sinew_segment segment_of(const reader *r, int at, const goal_fields *f, const char *who) {
  lua_State *L = r->L;
  size_t listed = lua_rawlen(L, at);
  bool named = f->segment;
  if (listed > 1 || (listed && named))
    luaL_error(L, "%s: it has one segment, first in its list or as 'segment'", who);
  if (named) return segment_at(r, f->segment);
  if (!listed) luaL_error(L, "%s: 'segment' is missing", who);
  lua_rawgeti(L, at, 1);
  sinew_segment found = si_lookup_segment(L, lua_gettop(L), r->in);
  lua_pop(L, 1);
  return found;
}

/* the feet of a balance */
static void read_feet(const reader *r, int at, const goal_fields *f, const char *who,
                      sinew_goal *goal) {
  lua_State *L = r->L;
  int list = f->balance, count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 1;
  if (lua_rawlen(L, at)) luaL_error(L, "%s: its segments are in 'balance'", who);
  if (count < 1 || count > 2)
    luaL_error(L, "%s: 'balance' must be one or two segments, not %d", who, count);
  sinew_segment *const feet[] = { &goal->segment, &goal->other };
  for (int i = 0; i < count; i++) {
    if (lua_istable(L, list))
      lua_rawgeti(L, list, i + 1);
    else
      lua_pushvalue(L, list);
    *feet[i] = si_lookup_segment(L, lua_gettop(L), r->in);
    lua_pop(L, 1);
  }
  take_vector(GIVEN(f, point), f->point, goal->other_point); /* unless it is given */
}

/* the ends of a limb: it begins at the parent of the segment unless `from` says otherwise */
static void read_ends(const reader *r, const goal_fields *f, const char *who, sinew_goal *goal) {
  sinew_segment_info info = sinew_rig_segment_info(r->in->rig, goal->segment);
  goal->other = segment_at(r, f->from);
  if (!goal->other.id) goal->other = info.parent;
  if (!goal->other.id)
    luaL_error(r->L, "%s: give 'from', where the limb begins: '%s' has no parent", who, info.name);
  goal->end = segment_at(r, f->to);
  if (!goal->end.id) luaL_error(r->L, "%s: give 'to', the segment where the limb ends", who);
}

/* the value on top of the stack as a goal; `*turned` if `turn` is its orientation */
static sinew_goal read_goal(reader *r, int number, sinew_goal *turn, bool *turned) {
  lua_State *L = r->L;
  const char *who = lua_pushfstring(L, "solver: goal %d", number);
  int at = lua_gettop(L) - 1;
  if (lua_type(L, at) == LUA_TSTRING || si_lua_test(L, at, &si_segment_type)) {
    lua_createtable(L, 1, 1); /* a segment alone is pinned */
    lua_pushvalue(L, at);
    lua_rawseti(L, -2, 1);
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "pin");
    lua_replace(L, at);
  }
  if (!lua_istable(L, at)) luaL_error(L, "%s must be a table, or a segment to pin", who);
  goal_fields f;
  read_fields(L, at, who, &f);
  sinew_goal_kind kind;
  bool pinned = pin_of(L, &f, who, &kind, turned);
  if (!pinned) kind = kind_of(L, &f, who, turned);
  check_fields(L, &f, who, kind);
  sinew_goal goal = sinew_default_goal(kind, (sinew_segment){ 0 });
  if (kind == SINEW_GOAL_BALANCE)
    read_feet(r, at, &f, who, &goal);
  else
    goal.segment = segment_of(r, at, &f, who);
  if (kind == SINEW_GOAL_DISTANCE) goal.other = segment_at(r, f.other);
  if (kind == SINEW_GOAL_POLE) read_ends(r, &f, who, &goal);
  *turn = sinew_default_goal(SINEW_GOAL_TURN, goal.segment);
  take_numbers(L, &f, number, &goal, *turned ? turn : NULL);
  if (pinned) {
    const float *world = world_of(r, goal.segment);
    si_mat_point(world, goal.point, goal.target);
    memcpy(goal.frame, world, sizeof goal.frame);
    memcpy(turn->frame, world, sizeof turn->frame);
  }
  lua_settop(L, at);
  return goal;
}

/* --- the table of all */

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* the names in the table of goals, sorted, in memory that is pushed */
static const char **read_names(lua_State *L, int list, int listed, int *count) {
  int keys = 0, found = 0;
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) keys++;
  const char **names = lua_newuserdatauv(L, ((size_t)keys + 1) * sizeof *names, 0);
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING)
      names[found++] = lua_tostring(L, -2);
    else if (lua_type(L, -2) != LUA_TNUMBER ||
             !(lua_tonumber(L, -2) >= 1 && lua_tonumber(L, -2) <= listed))
      luaL_error(L, "solver: goals are given in order, without gaps, or by name");
  }
  qsort(names, (size_t)found, sizeof *names, compare);
  *count = found;
  return names;
}

/* whether a solver has a method or field of that name */
static bool is_own_key(const char *name) {
  for (const luaL_Reg *m = si_solver_type.methods; m->name; m++)
    if (strcmp(m->name, name) == 0) return true;
  return strcmp(name, "close") == 0 || strcmp(name, "dofs") == 0;
}

/* notes in the table at `owner` by which names goals are known: those given, then segments */
static void name_goals(lua_State *L, int owner, const sinew_rig *rig, const si_goals *g,
                       const char *const *names, int named) {
  int listed = g->count - named;
  for (int i = 0; i < named; i++) {
    if (is_own_key(names[i]))
      luaL_error(L, "solver: a goal cannot be called '%s', which solvers have already", names[i]);
    lua_pushinteger(L, listed + i + 1);
    lua_setfield(L, owner, names[i]);
  }
  for (int i = 0; i < listed; i++) {
    const sinew_goal *goal = &g->goals[i];
    const char *name = goal->kind == SINEW_GOAL_BALANCE
                           ? kinds[SINEW_GOAL_BALANCE].word
                           : sinew_rig_segment_info(rig, goal->segment).name;
    lua_getfield(L, owner, name);
    int known = (int)lua_tointeger(L, -1);
    bool taken = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (taken && known > listed) continue;
    lua_pushinteger(L, taken ? 0 : i + 1);
    lua_setfield(L, owner, name);
  }
}

si_goals si_goals_read(lua_State *L, int list, const si_lookup *in, const si_program *program,
                       int source, int owner) {
  reader r = { .L = L, .in = in, .program = program, .source = source };
  int listed = (int)lua_rawlen(L, list), named;
  const char **names = read_names(L, list, listed, &named);
  si_goals g = { .count = listed + named };
  if (g.count > most_goals) luaL_error(L, "solver: more than %d goals", most_goals);
  g.total = g.count;
  g.goals = lua_newuserdatauv(L, (2 * (size_t)g.count + 1) * sizeof *g.goals, 0);
  g.turns = lua_newuserdatauv(L, ((size_t)g.count + 1) * sizeof *g.turns, 0);
  lua_pushvalue(L, -1);
  lua_rawseti(L, owner, 2);
  for (int i = 0; i < g.count; i++) {
    bool turned;
    if (i < listed)
      lua_rawgeti(L, list, i + 1);
    else
      si_raw_field(L, list, names[i - listed]);
    g.goals[i] = read_goal(&r, i + 1, &g.goals[g.total], &turned);
    g.turns[i] = turned ? g.total++ : -1;
    lua_pop(L, 1);
  }
  name_goals(L, owner, in->rig, &g, names, named);
  return g;
}
