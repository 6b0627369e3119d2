-- expect: took more than
local co = coroutine.wrap(function()
  while true do
    pcall(function() coroutine.yield() while true do end end)
  end
end)
co()
co()
return 1
