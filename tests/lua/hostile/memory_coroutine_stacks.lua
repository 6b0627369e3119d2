-- expect: stopped
local t = {}
local function fill(n) if n == 0 then coroutine.yield() end return fill(n - 1) + 1 end
while true do
  local co = coroutine.create(fill)
  coroutine.resume(co, 5000)
  t[#t + 1] = co
end
