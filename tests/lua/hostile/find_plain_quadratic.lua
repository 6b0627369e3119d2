-- expect: took more than
local s, part = ('a'):rep(400000), ('a'):rep(200000) .. 'b'
while true do s:find(part, 1, true) end
