-- expect: stopped
-- limits: seconds=0.2
local t = {}
for i = 1, 100000 do t[i + 0.5] = true end
for k in pairs(t) do t[k] = nil end
while true do next(t) end
