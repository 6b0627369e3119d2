-- expect: bytes of memory
-- limits: instructions=100000000
local t = {}
for i = 1, 1e9 do t[i] = ('x'):rep(100000) .. i end
