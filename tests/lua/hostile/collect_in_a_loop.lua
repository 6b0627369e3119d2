-- expect: took more than
local t = {}
for i = 1, 20000 do t[i] = {} end
while true do collectgarbage() end
