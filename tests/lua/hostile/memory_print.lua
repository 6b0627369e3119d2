-- expect: stopped
local s = ('x'):rep(100000)
while true do print(s, s, s) end
