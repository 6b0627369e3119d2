local check, tests = ...

-- the module built for the other Lua, in the folder beside this one
function tests.a_module_for_another_lua_is_refused()
  if package.preload.sinew then return end -- it is a part of the program
  local mine = package.searchpath and package.searchpath("sinew", package.cpath)
  check.that(mine, "this Lua does not know where it found the module")
  local other = mine:gsub("/lua/sinew%.so$", "/LUAJIT/sinew.so"):gsub("/luajit/", "/lua/")
    :gsub("/LUAJIT/", "/luajit/")
  local file = other ~= mine and io.open(other, "rb")
  if not file then
    print("SKIPPED versions: there is no module for another Lua beside " .. mine)
    return
  end
  file:close()
  for _, name in ipairs { "luaopen_sinew", "luaopen_sinew_mirror", "luaopen_sinew_watcher" } do
    local open, message = package.loadlib(other, name)
    check.that(open, message)
    local fine, refusal = pcall(open, "sinew.mirror")
    check.equal(fine, false)
    check.that(refusal:find("take the one for " .. (jit and "LuaJIT" or "Lua 5.4")), refusal)
  end
end
