-- expect: overflow
-- limits: instructions=100000000 memory=200000000
local function f() return f() + 1 end
local ok, e = xpcall(f, function(m) return f() end)
error('overflow: ' .. tostring(ok), 0)
