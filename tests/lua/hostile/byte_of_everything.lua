-- expect: stopped
-- limits: seconds=0.2
local s = ('x'):rep(100000)
while true do local n = select('#', s:byte(1, -1)) end
