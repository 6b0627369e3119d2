-- expect: overflow
-- limits: instructions=100000000 memory=200000000
local function f() return f() + 1 end
return f()
