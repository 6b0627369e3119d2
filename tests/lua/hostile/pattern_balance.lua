-- expect: took more than
local s = ('('):rep(900000)
while true do s:find('%b()') end
