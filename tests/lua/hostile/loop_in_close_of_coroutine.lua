-- expect: took more than
local m = {__close = function() while true do end end}
local co = coroutine.create(function() local x <close> = setmetatable({}, m) coroutine.yield() end)
coroutine.resume(co)
pcall(coroutine.close, co)
return 1
