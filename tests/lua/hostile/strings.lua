-- Strings, patterns and numbers that take too long, or tell an address.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
--- byte_of_everything (seconds=0.2): stopped
local s = ('x'):rep(100000)
while true do local n = select('#', s:byte(1, -1)) end
--- compare_in_sort: stopped
local a, b = ('\0'):rep(900000), ('\0'):rep(900000) .. 'x'
local t = {}
for i = 1, 1000 do t[i] = i % 2 == 0 and a or b end
table.sort(t)
--- compare_strings_of_zeros (seconds=0.2): stopped
local a, b = ('\0'):rep(900000), ('\0'):rep(900000) .. 'x'
while true do local x = a < b end
--- find_plain_quadratic: took more than
local s, part = ('a'):rep(400000), ('a'):rep(200000) .. 'b'
while true do s:find(part, 1, true) end
--- format_pointer: '%p'
return ('%p'):format({})
--- format_shows_no_address: table!
error(('%s!'):format({}))
--- pattern_back_reference: took more than
return ('a'):rep(20000):find('(.-)(.-)(.-)%1%2%3b')
--- pattern_balance: took more than
local s = ('('):rep(900000)
while true do s:find('%b()') end
--- pattern_deep_captures: too many captures
return ('a'):match(('('):rep(100) .. (')'):rep(100))
--- pattern_gmatch: took more than
for m in ('a'):rep(1000):gmatch(('a*'):rep(30) .. 'b') do end
--- pattern_gsub: took more than
return ('a'):rep(1000):gsub(('.-'):rep(30) .. 'b', '')
--- pattern_malformed: malformed pattern
return ('a'):match('[a')
--- pattern_many_lazy: took more than
return ('a'):rep(1000):match(('.-'):rep(30) .. 'b')
--- pattern_many_stars: took more than
return ('a'):rep(1000):find(('a*'):rep(30) .. 'b')
--- pattern_optional: took more than
return ('a'):rep(200):match(('a?'):rep(150) .. ('a'):rep(150) .. 'b')
--- pattern_set: took more than
return ('a'):rep(10000):find('[' .. ('b'):rep(10000) .. 'a]-[' .. ('b'):rep(10000) .. ']')
--- pattern_swallowed: took more than
while true do pcall(string.find, ('a'):rep(1000), ('a*'):rep(30) .. 'b') end
--- reverse_in_a_loop: stopped
local s = ('x'):rep(1000000)
while true do s = s:reverse() end
--- string_metatable: false
local m = getmetatable('')
error(tostring(m))
--- string_metatable_change: attempt to index
getmetatable('').__index = nil
--- string_table_replaced: took more than
string.format = nil
string.rep = nil
error = nil
tostring = nil
while true do end
--- tonumber_of_long_texts (seconds=0.2): stopped
local s = ('1'):rep(1000000)
while true do tonumber(s) tonumber(s, 3) end
--- tostring_shows_no_address: table function thread
error(tostring({}) .. ' ' .. tostring(print) .. ' ' .. tostring(coroutine.create(print)))
