-- expect: weak tables
-- limits: instructions=100000000 memory=50000000
-- a chain through weak keys takes the collector time in the square of its length
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
m.__mode = 'k'
local s = ('x'):rep(10000)
while true do local t = s .. #chains end
