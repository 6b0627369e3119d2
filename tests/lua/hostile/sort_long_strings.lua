-- expect: stopped
local s = ('\0'):rep(500000)
local t = {}
for i = 1, 200 do t[i] = s .. i end
table.sort(t)
