/* Userdata types in a separate Lua state: fields, unknown names, closing, owners, and memory that
 * runs out at every possible point. */
#include "lua/math/math_lua.h"
#include "minunit.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct box {
  double width;
  bool open;
} box;

static int live;

static const si_lua_type box_type, plain_type;

static int get_width(lua_State *L) {
  lua_pushnumber(L, ((box *)lua_touserdata(L, 1))->width);
  return 1;
}

static int set_width(lua_State *L) {
  ((box *)lua_touserdata(L, 1))->width = si_lua_value_float(L);
  return 0;
}

static int get_area(lua_State *L) {
  double width = ((box *)lua_touserdata(L, 1))->width;
  lua_pushnumber(L, width * width);
  return 1;
}

static int grow(lua_State *L) {
  box *b = si_lua_self(L, &box_type);
  b->width += luaL_checknumber(L, 2);
  lua_settop(L, 1);
  return 1;
}

static int index_colour(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "colour") != 0) return 0;
  lua_pushliteral(L, "red");
  return 1;
}

static int newindex_secret(lua_State *L) {
  return lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "secret") == 0;
}

static void offer_colour(lua_State *L, si_nearest *nearest) {
  (void)L;
  si_nearest_offer(nearest, "colour");
}

static int close_box(lua_State *L) {
  box *b = lua_touserdata(L, 1);
  if (b->open) live--;
  b->open = false;
  return 0;
}

static const luaL_Reg methods[] = { { "grow", grow }, { NULL, NULL } };
static const si_lua_field fields[] = {
  { "width", get_width, set_width },
  { "area", get_area, NULL },
  { "door", NULL, set_width },
  { NULL, NULL, NULL },
};
static const si_lua_type box_type = { .name = "box",
                                      .methods = methods,
                                      .fields = fields,
                                      .index = index_colour,
                                      .newindex = newindex_secret,
                                      .offer = offer_colour,
                                      .close = close_box };
static const si_lua_type plain_type = { .name = "plain", .methods = methods };

static int new_box(lua_State *L) {
  int owner = lua_isnone(L, 1) ? 0 : 1;
  box *b = si_lua_new(L, &box_type, sizeof *b, owner);
  b->open = true;
  live++;
  return 1;
}

static int new_plain(lua_State *L) {
  si_lua_new(L, &plain_type, 1, 0);
  return 1;
}

static int owner_of(lua_State *L) {
  si_lua_push_owner(L, 1);
  return 1;
}

static int open_all(lua_State *L) {
  si_lua_check_version(L);
  luaL_openlibs(L);
  si_lua_type_open(L, &box_type);
  si_lua_type_open(L, &box_type);
  si_lua_type_open(L, &plain_type);
  lua_register(L, "box", new_box);
  lua_register(L, "plain", new_plain);
  lua_register(L, "owner", owner_of);
  lua_newtable(L);
  si_lua_open_math(L);
  lua_setglobal(L, "sinew");
  return 0;
}

/* runs a script in a new state; returns "" or its error message, valid until the next call */
static const char *run(const char *script) {
  static char message[1024];
  lua_State *L = luaL_newstate();
  message[0] = '\0';
  lua_pushcfunction(L, open_all);
  if (lua_pcall(L, 0, 0, 0) || luaL_loadbuffer(L, script, strlen(script), "=script") ||
      lua_pcall(L, 0, 0, 0)) {
    const char *text = lua_tostring(L, -1);
    snprintf(message, sizeof message, "%s", text ? text : "no text");
  }
  lua_close(L);
  return message;
}

MU_TEST(userdata_fields_use_their_getters_and_setters) {
  MU_TEXT(run("local b = box() b.width = 3 assert(b.width == 3 and b.area == 9)\n"
              "b.door = 2 assert(b.width == 2 and b:grow(1).width == 3)\n"
              "assert(b.colour == 'red') b.secret = 1"),
          "");
}

MU_TEST(userdata_fields_report_invalid_access) {
  MU_TEXT(run("box().area = 1"), "script:1: field 'area' of box cannot be set");
  MU_TEXT(run("return box().door"), "script:1: field 'door' of box can only be set");
  MU_TEXT(run("box().grow = 1"), "script:1: box:grow cannot be replaced");
  MU_TEXT(run("box().colour = 1"), "script:1: field 'colour' of box cannot be set");
  MU_TEXT(run("box().width = 'x'"), "script:1: [width]: number expected, got string");
}

MU_TEST(unknown_names_are_reported_with_the_nearest) {
  MU_TEXT(run("return box().widht"), "script:1: box has no field 'widht' (did you mean 'width'?)");
  MU_TEXT(run("box():gow(1)"), "script:1: box has no field 'gow' (did you mean 'grow'?)");
  MU_TEXT(run("return box().colours"),
          "script:1: box has no field 'colours' (did you mean 'colour'?)");
  MU_TEXT(run("box():clos()"), "script:1: box has no field 'clos' (did you mean 'close'?)");
  MU_TEXT(run("return box()[7]"), "script:1: box has no field 7");
  MU_TEXT(run("return box()[{}]"), "script:1: box has no table keys");
  MU_TEXT(run("plain():gow()"), "script:1: plain has no field 'gow' (did you mean 'grow'?)");
  MU_TEXT(run("plain().x = 1"), "script:1: plain has no fields to set");
}

MU_TEST(methods_check_what_they_are_called_on) {
  MU_TEXT(run("box().grow(1)"), "script:1: bad argument #1 to 'grow' (box expected, got number; a "
                                "method is called with ':', not '.')");
  MU_HAS(run("plain():grow(1)"), "calling 'grow' on bad self (box expected, got plain)");
  MU_HAS(run("box().grow(io.stdout, 1)"), "box expected, got FILE*");
}

MU_TEST(scripts_do_not_reach_the_metatable) {
  MU_TEXT(run("assert(getmetatable(box()) == false and getmetatable(plain()) == false)"), "");
  MU_TEXT(run("assert(not pcall(setmetatable, box(), {}))"), "");
  MU_TEXT(run("assert(not pcall(function() return plain().__gc end))"), "");
}

MU_TEST(close_runs_once_however_it_is_called) {
  live = 0;
  MU_TEXT(run("local b = box() b:close() b:close() b = nil collectgarbage() collectgarbage()"), "");
  MU_INT(live, 0);
  MU_TEXT(run("do local b <close> = box() end box() box()"), "");
  MU_INT(live, 0);
}

MU_TEST(owner_stays_alive_while_its_objects_do) {
  live = 0;
  MU_TEXT(run("local weak = setmetatable({}, { __mode = 'k' })\n"
              "local parent = box() weak[parent] = true\n"
              "local child = box(parent)\n"
              "assert(owner(child) == parent and owner(parent) == nil)\n"
              "parent = nil collectgarbage() collectgarbage()\n"
              "assert(next(weak) and owner(child).colour == 'red')\n"
              "child = nil collectgarbage() collectgarbage()\n"
              "assert(not next(weak))"),
          "");
  MU_INT(live, 0);
}

MU_TEST(types_of_two_states_do_not_mix_up) {
  lua_State *a = luaL_newstate(), *b = luaL_newstate();
  lua_pushcfunction(a, open_all), lua_call(a, 0, 0);
  lua_pushcfunction(b, open_all), lua_call(b, 0, 0);
  si_vec3_push(a), si_vec3_push(b);
  bool both = si_vec3_test(a, -1) && si_vec3_test(b, -1);
  lua_close(a);
  both = both && si_vec3_test(b, -1);
  lua_close(b);
  MU_CHECK(both);
}

MU_TEST(floats_are_aligned_for_cglm) {
  lua_State *L = luaL_newstate();
  lua_pushcfunction(L, open_all), lua_call(L, 0, 0);
  bool aligned = true;
  for (int i = 0; i < 50; i++) {
    /* blocks of varying sizes in between, so that the allocator's addresses vary */
    lua_newuserdatauv(L, (size_t)(i * 8), 0);
    aligned = aligned && (uintptr_t)si_vec3_push(L) % 16 == 0;
    aligned = aligned && (uintptr_t)si_quat_push(L) % 16 == 0;
    aligned = aligned && (uintptr_t)si_mat4_push(L) % 32 == 0;
    aligned = aligned && (uintptr_t)si_buffer_push(L, (size_t)i) % 32 == 0;
    lua_settop(L, 0);
  }
  lua_close(L);
  MU_CHECK(aligned);
}

MU_TEST(readers_accept_userdata_and_tables_and_leave_dest_unchanged_otherwise) {
  lua_State *L = luaL_newstate();
  lua_pushcfunction(L, open_all), lua_call(L, 0, 0);
  float v[3] = { 7, 7, 7 }, m[16] = { 7 };
  bool fine = luaL_dostring(L, "return {1, 2, 3}, {y = 2}, {1, 2}, sinew.mat4(), {}, 5") == 0;
  fine = fine && !si_vec3_read(L, -4, v) && !si_vec3_read(L, 5, v) && !si_vec3_read(L, 6, v);
  fine = fine && !si_vec3_read(L, 4, v) && v[0] == 7 && v[2] == 7 && lua_gettop(L) == 6;
  fine = fine && si_vec3_read(L, -6, v) && v[2] == 3 && si_vec3_read(L, 2, v) && v[0] == 0;
  fine = fine && !si_mat4_read(L, 1, m) && m[0] == 7 && si_mat4_read(L, -3, m) && m[5] == 1;
  fine = fine && lua_gettop(L) == 6;
  lua_close(L);
  MU_CHECK(fine);
}

/* an allocator that fails after `left` allocations; it counts the bytes in use */
typedef struct budget {
  long left;
  long long bytes;
} budget;

static void *spend(void *user, void *block, size_t old, size_t size) {
  budget *b = user;
  if (!block) old = 0;
  if (size == 0) {
    free(block);
    b->bytes -= (long long)old;
    return NULL;
  }
  if (size > old && b->left-- <= 0) return NULL;
  void *moved = realloc(block, size);
  if (moved) b->bytes += (long long)size - (long long)old;
  return moved;
}

static const char *const many_things =
    "local v, q, m = sinew.vec3(1, 2, 3), sinew.quat(), sinew.mat4()\n"
    "local b = sinew.buffer { 1, 2, 3, 4 }\n"
    "v = v + q * v * 2 m = m * m:inverse() q = m:rotation() b = sinew.buffer(b:string()):copy()\n"
    "local s = tostring(v) .. tostring(q) .. tostring(m) .. tostring(b) .. #b:table()\n"
    "local child = box(box()) child:grow(1)\n"
    "assert(not pcall(function() return v.lenght end))\n"
    "assert(not pcall(function() return v.add(q) end))";

static int run_many_things(lua_State *L) {
  open_all(L);
  if (luaL_loadbuffer(L, many_things, strlen(many_things), "=many")) return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

MU_TEST(every_failing_allocation_is_survived) {
  int status = LUA_ERRMEM;
  live = 0;
  /* the libraries alone take some hundreds of allocations */
  long step = mu_rounds(20) > 1 ? 1 : 37, allowed;
  for (allowed = 0; status != LUA_OK && allowed < 20000; allowed += step) {
    budget b = { .left = allowed };
    lua_State *L = lua_newstate(spend, &b);
    if (!L) continue;
    lua_pushcfunction(L, run_many_things);
    status = lua_pcall(L, 0, 0, 0);
    bool expected = status == LUA_OK || status == LUA_ERRMEM ||
                    (status == LUA_ERRRUN && strstr(lua_tostring(L, -1), "not enough memory"));
    char text[200];
    snprintf(text, sizeof text, "%s", status == LUA_OK ? "" : lua_tostring(L, -1));
    b.left = 1000000;
    lua_close(L);
    MU_CHECK_SAY(expected, "after %ld allocations: %s", allowed, text);
    MU_INT(b.bytes, 0);
    MU_INT(live, 0);
  }
  MU_INT(status, LUA_OK);
  MU_CHECK(allowed > 300);
}

MU_SUITE(lua_type)
