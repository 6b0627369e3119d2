-- expect: overflow
local m = {}
m.__index = function(t, k) return t[k] end
return setmetatable({}, m).x
