-- expect: closed
-- limits: instructions=400000000 memory=200000000
-- each coroutine closes the one before it: C's stack must not grow with them
local previous
for i = 1, 20000 do
  local inner = previous
  local m = {__close = function() if inner then assert(coroutine.close(inner)) end end}
  local co = coroutine.create(function() local x <close> = setmetatable({}, m) coroutine.yield() end)
  coroutine.resume(co)
  previous = co
end
local ok, message = coroutine.close(previous)
error('closed: ' .. tostring(ok) .. ' ' .. tostring(message))
