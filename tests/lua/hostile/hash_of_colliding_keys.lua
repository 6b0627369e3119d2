-- expect: keys outside the list part
-- limits: instructions=100000000
-- keys that all fall on one place of the next larger hash: its rehash takes time in their square
local step = ((1 << 17) - 1) * 3
local t = {}
for i = 1, 1 << 17 do t[i * step] = true end
