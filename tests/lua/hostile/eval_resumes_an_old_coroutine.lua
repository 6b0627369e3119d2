-- expect: one evaluation took more than
local co = coroutine.wrap(function() coroutine.yield() while true do end end)
co()
return co
