-- expect: sorted
local t = {}
for i = 1, 1000 do t[i] = tostring(i) end
table.sort(t, type)
error 'sorted'
