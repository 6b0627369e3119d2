-- Tables that lie about their length, are sorted or hashed for too long, or have weak keys.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- concat_false_length: invalid value
return table.concat(setmetatable({}, {__len = function() return 1 << 60 end}))
--- concat_to_the_last_integer: took more than
return table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, math.maxinteger)
--- concat_with_index: took more than
return table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1 << 60)
--- hash_of_colliding_keys (instructions=100000000): keys outside the list part
-- keys that all fall on one place of the next larger hash: its rehash takes time in their square
local step = ((1 << 17) - 1) * 3
local t = {}
for i = 1, 1 << 17 do t[i * step] = true end
--- hash_rehashed_in_a_loop (seconds=0.2 instructions=100000000000): stopped
-- a full hash of colliding keys, made anew by every second assignment
local step = ((1 << 13) - 1) * 3
local t = {}
for i = 1, 1 << 13 do t[i * step] = true end
local i = 1 << 13
while true do
  i = i + 1
  t[(i - (1 << 13)) * step] = nil
  t[i * step] = true
end
--- insert_false_length: took more than
table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 'x')
--- move_huge_range: took more than
table.move({}, 1, 1 << 60, 2)
--- move_wraps: too many elements
table.move({}, math.mininteger, math.maxinteger, 1)
--- next_in_an_emptied_table (seconds=0.2): stopped
local t = {}
for i = 1, 100000 do t[i + 0.5] = true end
for k in pairs(t) do t[k] = nil end
while true do next(t) end
--- remove_false_length: took more than
table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)
--- sort_by_a_c_function: sorted
local t = {}
for i = 1, 1000 do t[i] = tostring(i) end
table.sort(t, type)
error 'sorted'
--- sort_false_length: array too big
table.sort(setmetatable({}, {__len = function() return 1 << 60 end}))
--- sort_false_length_smaller: stopped
table.sort(setmetatable({}, {__len = function() return 1 << 29 end, __index = function(_, i) return -i end}))
--- sort_inconsistent_order: sorted
local t = {}
for i = 1, 1000 do t[i] = i end
table.sort(t, function() return true end)
error 'sorted'
--- sort_long_strings: stopped
local s = ('\0'):rep(500000)
local t = {}
for i = 1, 200 do t[i] = s .. i end
table.sort(t)
--- unpack_huge_range: too many results
return table.unpack({}, 1, 1e8)
--- unpack_wraps: too many results
return table.unpack({}, math.mininteger, math.maxinteger)
--- weak_table: __mode
setmetatable({}, {__mode = 'k'})
--- weak_table_collected: weak tables
local m = {}
local t = setmetatable({}, m)
m['__' .. 'mode'] = 'k'
collectgarbage()
return t
