-- expect: stopped
-- limits: seconds=0.2 instructions=100000000000
-- a full hash of colliding keys, made anew by every second assignment
local step = ((1 << 13) - 1) * 3
local t = {}
for i = 1, 1 << 13 do t[i * step] = true end
local i = 1 << 13
while true do
  i = i + 1
  t[(i - (1 << 13)) * step] = nil
  t[i * step] = true
end
