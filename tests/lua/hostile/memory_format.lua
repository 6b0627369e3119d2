-- expect: more than
local s = ('x'):rep(100000)
local t = {}
for i = 1, 1000 do t[i] = s end
return ('%s'):rep(1000):format(table.unpack(t))
