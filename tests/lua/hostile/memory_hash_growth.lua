-- expect: stopped
local t = {}
local i = 0.5
while true do t[i] = true i = i + 1 end
