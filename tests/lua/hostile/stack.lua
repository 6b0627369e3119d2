-- Scripts that nest too deep.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- stack_overflow_coroutines: overflow
local function f() return coroutine.wrap(f)() end
return f()
--- stack_overflow_in_handler (instructions=100000000 memory=200000000): overflow
local function f() return f() + 1 end
local ok, e = xpcall(f, function(m) return f() end)
error('overflow: ' .. tostring(ok), 0)
--- stack_overflow_index_chain: '__index' chain too long
local t = {}
setmetatable(t, {__index = t})
t.__index = t
local a = {}
for i = 1, 3000 do a = setmetatable({}, {__index = a}) end
return a.x or t.x
--- stack_overflow_load: overflow
local function f()
  local chunk, message = load(f)
  error(chunk or message, 0)
end
return f()
--- stack_overflow_lua (instructions=100000000 memory=200000000): overflow
local function f() return f() + 1 end
return f()
--- stack_overflow_metamethods: overflow
local m = {}
m.__index = function(t, k) return t[k] end
return setmetatable({}, m).x
--- stack_overflow_pcall: overflow
local function f() local ok, e = pcall(f) error(e, 0) end
return f()
--- stack_overflow_sort: overflow
local function f() table.sort({1, 2}, f) return true end
return f()
--- stack_overflow_swallowed: stopped
local function f() return f() + 1 end
while true do pcall(f) end
--- stack_overflow_through_c: overflow
local function f(s) return (s:gsub('.', f)) end
return f 'x'
--- stack_overflow_tostring: overflow
local m = {}
m.__tostring = function(t) return tostring(t) end
return tostring(setmetatable({}, m))
--- traceback_of_a_deep_stack (seconds=0.2 instructions=100000000 memory=200000000): stopped
local function deep(n)
  if n == 0 then while true do debug.traceback() end end
  return deep(n - 1) + 1
end
return deep(150000)
