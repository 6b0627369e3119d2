-- A chain through weak keys takes the collector time in the square of its length.
-- A case: `--- name (limits): part of the message`, then its script; limits are optional, such as
-- (seconds=1 instructions=1000 memory=1000). `./dev test hostile_NAME` runs one case.
-- Each script starts with the lines before the first case.
local m, chains, n = {}, {}, 16000
local first = {}
local key = first
for c = 1, 6 do
  local weak, keys = setmetatable({}, m), {}
  for i = 1, n do keys[i] = {} end
  for i = n, 2, -1 do
    local j = math.random(i)
    keys[i], keys[j] = keys[j], keys[i]
  end
  for i = 1, n do
    weak[key] = keys[i]
    key = keys[i]
  end
  chains[c] = weak
end
key = nil
--- hash_with_weak_keys (instructions=100000000 memory=50000000): keys outside the list part
-- refusing the larger hash makes Lua collect: by then no key may be weak
m.__mode = 'k'
for i = 1, 800 do chains[1][i + 0.5] = first end
--- weak_table_and_long_string (instructions=100000000 memory=50000000): weak tables
m.__mode = 'k'
local s = ('x'):rep(10000)
while true do local t = s .. #chains end
--- weak_table_in_one_long_instruction (instructions=100000000 memory=50000000): stopped: a string
-- refusing the string makes Lua collect: by then no key may be weak
local s = ('x'):rep(1000000)
m.__mode = 'k'
local t = s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s
return first, chains, t
--- weak_table_smuggled (instructions=100000000 memory=50000000): weak tables
m.__mode = 'k'
local junk
for i = 1, 1e6 do junk = {first} end
