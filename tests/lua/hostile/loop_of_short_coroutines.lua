-- expect: took more than
-- each coroutine stays below the step between two hooks
while true do
  local co = coroutine.create(function() for i = 1, 200 do local x = i end end)
  coroutine.resume(co)
end
