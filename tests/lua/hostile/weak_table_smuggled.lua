-- expect: weak tables
-- a chain through weak keys takes the collector time in the square of its length
local m = {}
local weak, keys = setmetatable({}, m), {}
local n = 40000
for i = 1, n do keys[i] = {} end
for i = n, 2, -1 do
  local j = math.random(i)
  keys[i], keys[j] = keys[j], keys[i]
end
for i = 1, n - 1 do weak[keys[i]] = keys[i + 1] end
local first = keys[1]
keys = nil
m.__mode = 'k'
local junk
for i = 1, 1e6 do junk = {first} end
