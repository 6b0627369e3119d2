-- expect: '__index' chain too long
local t = {}
setmetatable(t, {__index = t})
t.__index = t
local a = {}
for i = 1, 3000 do a = setmetatable({}, {__index = a}) end
return a.x or t.x
