-- expect: more than
local t, s = {}, ('x'):rep(100000)
for i = 1, 1000 do t[i] = s end
return table.concat(t)
