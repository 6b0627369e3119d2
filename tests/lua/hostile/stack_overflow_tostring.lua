-- expect: overflow
local m = {}
m.__tostring = function(t) return tostring(t) end
return tostring(setmetatable({}, m))
