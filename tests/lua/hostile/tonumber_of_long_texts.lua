-- expect: stopped
-- limits: seconds=0.2
local s = ('1'):rep(1000000)
while true do tonumber(s) tonumber(s, 3) end
