/* Values as Lua source: numbers to the last bit, strings and keys of any bytes. */
#include "base/alloc.h"
#include "lua/base/lua_text.h"
#include "make.h"
#include "minunit.h"

#include <float.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

MU_TEST(numbers_round_trip_to_the_bit) {
  lua_State *L = luaL_newstate();
  si_text text = { 0 };
  uint32_t seed = 90;
  static const float awkward[] = { 0.0f,    -0.0f,   1,       -1,           0.1f,  1 / 3.0f,
                                   FLT_MAX, FLT_MIN, 1e-45f,  16777216.0f,  1e10f, -123456.789f,
                                   1e-7f,   90,      0.3333f, 2147483648.0f };
  int awkwards = (int)(sizeof awkward / sizeof *awkward);
  for (int i = 0; i < awkwards + mu_rounds(20000); i++) {
    float value;
    if (i < awkwards) {
      value = awkward[i];
    } else {
      uint32_t bits = make_random(&seed);
      memcpy(&value, &bits, sizeof value);
      if (!isfinite(value)) continue;
    }
    text.size = 0;
    si_text_add(&text, "return ");
    si_print_number(&text, value);
    MU_INT(luaL_loadstring(L, text.at) || lua_pcall(L, 0, 1, 0), 0);
    float back = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    MU_CHECK_SAY(memcmp(&back, &value, sizeof back) == 0, "%s is not %a", text.at, (double)value);
  }
  text.size = 0;
  si_print_number(&text, 0.1f);
  si_text_add(&text, " ");
  si_print_number(&text, 120);
  MU_TEXT(text.at, "0.1 120");
  si_free(text.at);
  lua_close(L);
}

MU_TEST(strings_and_keys_of_any_bytes_round_trip) {
  lua_State *L = luaL_newstate();
  si_text text = { 0 };
  uint32_t seed = 91;
  static const char *const names[] = { "end",  "and",    "_x1", "1x",       "a.b",  "a b", "",
                                       "knee", "\"]=os", "\\",  "a\nb\r\t", "\x7f", "tête" };
  int given = (int)(sizeof names / sizeof *names);
  for (int i = 0; i < given + mu_rounds(500); i++) {
    char name[40] = "";
    int length = make_index(&seed, 30);
    for (int k = 0; k < length; k++) name[k] = (char)(1 + make_index(&seed, 255));
    if (i < given) snprintf(name, sizeof name, "%s", names[i]);
    text.size = 0;
    si_text_add(&text, "return { ");
    si_print_key(&text, name);
    si_text_add(&text, " = ");
    si_print_string(&text, name);
    si_text_add(&text, " }");
    MU_CHECK_SAY(luaL_loadstring(L, text.at) == 0 && lua_pcall(L, 0, 1, 0) == 0, "%s", text.at);
    lua_getfield(L, -1, name);
    MU_TEXT(lua_tostring(L, -1), name);
    lua_pop(L, 2);
  }
  text.size = 0;
  si_print_key(&text, "femur_r");
  si_print_key(&text, "then");
  MU_TEXT(text.at, "femur_r[\"then\"]");
  si_free(text.at);
  lua_close(L);
}

MU_SUITE(lua_text)
