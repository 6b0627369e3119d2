-- expect: stopped
local a, b = ('\0'):rep(900000), ('\0'):rep(900000) .. 'x'
local t = {}
for i = 1, 1000 do t[i] = i % 2 == 0 and a or b end
table.sort(t)
