-- Scripts that take more memory than there is.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- memory_closures: bytes of memory
local f
while true do local g = f f = function() return g end end
--- memory_concat_many_operands: stopped
local s = ('x'):rep(1000000)
return s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s
--- memory_concat_operator: stopped
local s = 'x'
while true do s = s .. s end
--- memory_coroutine_stacks: stopped
local t = {}
local function fill(n) if n == 0 then coroutine.yield() end return fill(n - 1) + 1 end
while true do
  local co = coroutine.create(fill)
  coroutine.resume(co, 5000)
  t[#t + 1] = co
end
--- memory_coroutines: stopped
local t = {}
while true do t[#t + 1] = coroutine.create(function() end) end
--- memory_format: more than
local s = ('x'):rep(100000)
local t = {}
for i = 1, 1000 do t[i] = s end
return ('%s'):rep(1000):format(table.unpack(t))
--- memory_gsub: more than
return (('x'):rep(100000):gsub('x', ('y'):rep(100000)))
--- memory_gsub_captures: more than
return (('x'):rep(1000):gsub('.*', ('%0'):rep(100000)))
--- memory_hash_growth: stopped
local t = {}
local i = 0.5
while true do t[i] = true i = i + 1 end
--- memory_print: stopped
local s = ('x'):rep(100000)
while true do print(s, s, s) end
--- memory_rep: more than
return ('x'):rep(1e9)
--- memory_rep_overflow: more than
return ('xxxxxxxx'):rep(2^61 | 0)
--- memory_rep_separator: more than
return (''):rep(1e8, 'abcdefgh')
--- memory_rep_swallowed: took more than
while true do pcall(string.rep, 'x', 1e9) end
--- memory_strings_kept (instructions=100000000): bytes of memory
local t = {}
for i = 1, 1e9 do t[i] = ('x'):rep(100000) .. i end
--- memory_strings_kept_in_pcall: stopped
local t = {}
while true do pcall(function() t[#t + 1] = ('x'):rep(100000) .. #t end) end
--- memory_table_concat: more than
local t, s = {}, ('x'):rep(100000)
for i = 1, 1000 do t[i] = s end
return table.concat(t)
--- memory_table_concat_liar: more than
return table.concat(setmetatable({}, {__index = type, __len = function() return 1 << 60 end}))
--- memory_table_growth: stopped
local t = {}
for i = 1, 1e9 do t[i] = i end
--- memory_table_of_tables: bytes of memory
local t = {}
while true do t = {t, {}, {}, {}, {1, 2, 3, 4, 5, 6, 7, 8}} end
--- memory_unpack_pack: stopped
local t = {}
for i = 1, 200000 do t[i] = i end
local all = {}
while true do all[#all + 1] = table.pack(table.unpack(t)) end
--- memory_varargs (seconds=0.2): stopped
local function more(...) return more(1, 2, 3, 4, 5, 6, 7, 8, ...) end
return more()
