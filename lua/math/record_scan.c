/* Comparisons that Lua 5.4 answers without asking a metamethod. */
#include "lua/math/recording.h"

void si_scan_function(lua_State *L, int function) {
  (void)function;
  lua_pushnil(L);
}

void si_scan_compare(lua_State *L, lua_Debug *frame, const void *scan) { (void)L, (void)frame, (void)scan; }
