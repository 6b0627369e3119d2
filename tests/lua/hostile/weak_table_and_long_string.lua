-- expect: weak tables
-- limits: instructions=100000000 memory=50000000
-- a chain through weak keys takes the collector time in the square of its length
local m, keys, chains = {}, {}, {}
local n = 16000
for i = 1, n do keys[i] = {} end
for c = 1, 6 do
  for i = n, 2, -1 do
    local j = math.random(i)
    keys[i], keys[j] = keys[j], keys[i]
  end
  local weak = setmetatable({}, m)
  for i = 1, n - 1 do weak[keys[i]] = keys[i + 1] end
  chains[c] = weak
end
local first = keys[1]
keys = nil
m.__mode = 'k'
local s = ('x'):rep(10000)
while true do local t = s .. #chains end
