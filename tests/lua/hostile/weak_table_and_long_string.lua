-- expect: weak tables
local m = {}
local weak = setmetatable({}, m)
local previous = {}
for i = 1, 20000 do local key = {} weak[key] = previous previous = key end
m.__mode = 'k'
local s = ('x'):rep(500000)
while true do s = s .. s end
