-- expect: stopped
-- limits: seconds=0.2 instructions=100000000 memory=200000000
local function deep(n)
  if n == 0 then while true do debug.traceback() end end
  return deep(n - 1) + 1
end
return deep(150000)
