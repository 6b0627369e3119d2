-- expect: inside
local co = coroutine.wrap(function() error 'inside' end)
co()
