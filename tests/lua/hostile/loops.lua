-- Scripts that never end, or go on after they were stopped.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- close_chain_deep (instructions=400000000 memory=200000000): closed
-- each coroutine closes the one before it: C's stack must not grow with them
local previous
for i = 1, 20000 do
  local inner = previous
  local m = {__close = function() if inner then assert(coroutine.close(inner)) end end}
  local co = coroutine.create(function() local x <close> = setmetatable({}, m) coroutine.yield() end)
  coroutine.resume(co)
  previous = co
end
local ok, message = coroutine.close(previous)
error('closed: ' .. tostring(ok) .. ' ' .. tostring(message))
--- collect_in_a_loop: took more than
local t = {}
for i = 1, 20000 do t[i] = {} end
while true do collectgarbage() end
--- eval_is_setmetatable: bad argument
return setmetatable
--- eval_keeps_memory (instructions=100000000): bytes of memory
local t = {}
return function() while true do t[#t + 1] = ('x'):rep(100000) .. #t end end
--- eval_loops: one evaluation took more than
return function() while true do end end
--- eval_raises_table: raised a table
return function() error {} end
--- eval_recurses: stopped
local function f() return f() + 1 end
return f
--- eval_resumes_an_old_coroutine: one evaluation took more than
local co = coroutine.wrap(function() coroutine.yield() while true do end end)
co()
return co
--- eval_swallows: one evaluation took more than
return function() while true do pcall(function() while true do end end) end end
--- eval_yields: outside a coroutine
return coroutine.yield
--- handler_that_fails_for_ever: returns nothing
xpcall(error, function(e) error(e) end)
--- instructions_are_not_time: stopped
local s = ('x'):rep(1000000)
while true do s:upper() end
--- loop_for_huge: took more than
for i = 1, math.huge do end
--- loop_goto: took more than
::again:: goto again
--- loop_in_both_of_xpcall: took more than
xpcall(function() while true do end end, function() while true do end end)
return 1
--- loop_in_close: took more than
local m = {__close = function() while true do end end}
do local x <close> = setmetatable({}, m) end
return 1
--- loop_in_close_after_kill: took more than
local m = {__close = function() while true do end end}
local x <close> = setmetatable({}, m)
local y <close> = setmetatable({}, m)
while true do end
--- loop_in_close_of_coroutine: took more than
local m = {__close = function() while true do end end}
local co = coroutine.create(function() local x <close> = setmetatable({}, m) coroutine.yield() end)
coroutine.resume(co)
pcall(coroutine.close, co)
return 1
--- loop_in_concat: took more than
return setmetatable({}, {__concat = function() while true do end end}) .. ''
--- loop_in_coroutine: took more than
local co = coroutine.create(function() while true do end end)
coroutine.resume(co)
return 1
--- loop_in_eq: took more than
local m = {__eq = function() while true do end end}
return setmetatable({}, m) == setmetatable({}, m)
--- loop_in_format: took more than
return ('%s'):format(setmetatable({}, {__tostring = function() while true do end end}))
--- loop_in_gsub: took more than
return ('x'):gsub('x', function() while true do end end)
--- loop_in_index: took more than
local t = setmetatable({}, {__index = function() while true do end end})
return t.x
--- loop_in_len: took more than
return #setmetatable({}, {__len = function() while true do end end})
--- loop_in_load_reader: took more than
load(function() while true do end end)
return 1
--- loop_in_newindex: took more than
local t = setmetatable({}, {__newindex = function() while true do end end})
t.x = 1
--- loop_in_pairs: took more than
for k in pairs(setmetatable({}, {__pairs = function() return function() return 1 end end})) do end
--- loop_in_pcall: took more than
while true do pcall(function() while true do end end) end
--- loop_in_pcall_once: took more than
pcall(function() while true do end end)
return 1
--- loop_in_print: took more than
print(setmetatable({}, {__tostring = function() while true do end end}))
return 1
--- loop_in_sort: took more than
table.sort({3, 2, 1}, function() while true do end end)
--- loop_in_tostring: took more than
return tostring(setmetatable({}, {__tostring = function() while true do end end}))
--- loop_in_wrap: took more than
for i in coroutine.wrap(function() while true do end end) do end
--- loop_in_xpcall: took more than
xpcall(function() while true do end end, function() return 1 end)
return 1
--- loop_in_xpcall_handler: took more than
xpcall(error, function() while true do end end)
return 1
--- loop_nested_coroutines: took more than
local function deeper(n)
  if n == 0 then while true do end end
  coroutine.wrap(deeper)(n - 1)
end
while true do pcall(deeper, 50) end
--- loop_numeric_zero_float: 'for' step is zero
for i = 0, 0, 0.0 do end
--- loop_of_short_coroutines: took more than
-- each coroutine stays below the step between two hooks
while true do
  local co = coroutine.create(function() for i = 1, 200 do local x = i end end)
  coroutine.resume(co)
end
--- loop_of_yields: took more than
local next = coroutine.wrap(function() while true do coroutine.yield() end end)
while true do next() end
--- loop_plain: took more than
while true do end
--- loop_repeat: took more than
repeat local x = 1 until false
--- pcall_across_yield: took more than
local co = coroutine.wrap(function()
  while true do
    pcall(function() coroutine.yield() while true do end end)
  end
end)
co()
co()
return 1
--- pcall_of_pcall_of_pcall: took more than
while true do pcall(pcall, pcall, pcall, function() while true do end end) end
