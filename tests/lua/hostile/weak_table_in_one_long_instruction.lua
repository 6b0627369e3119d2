-- expect: stopped
-- limits: instructions=100000000
-- the emergency of a huge allocation must not start the collector on a chain of weak keys
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
local s = ('x'):rep(1000000)
m.__mode = 'k'
local t = s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s
m.__mode = nil
return first
