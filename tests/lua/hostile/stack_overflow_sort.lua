-- expect: overflow
local function f() table.sort({1, 2}, f) return true end
return f()
