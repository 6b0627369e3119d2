-- expect: too many labels
local t = {}
for i = 1, 40000 do t[i] = '::a' .. i .. '::' end
return assert(load(table.concat(t)))
