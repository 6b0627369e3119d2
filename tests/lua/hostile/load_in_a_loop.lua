-- expect: took more than
local text = ('local a = {1, 2, 3} '):rep(1000)
while true do load(text) end
