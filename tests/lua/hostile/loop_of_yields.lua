-- expect: took more than
local next = coroutine.wrap(function() while true do coroutine.yield() end end)
while true do next() end
