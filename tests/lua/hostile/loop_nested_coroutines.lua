-- expect: took more than
local function deeper(n)
  if n == 0 then while true do end end
  coroutine.wrap(deeper)(n - 1)
end
while true do pcall(deeper, 50) end
