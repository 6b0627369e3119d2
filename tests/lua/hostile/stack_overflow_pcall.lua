-- expect: overflow
local function f() local ok, e = pcall(f) error(e, 0) end
return f()
