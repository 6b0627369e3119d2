-- expect: raised by hand
-- a finalizer that comes after setmetatable is never called
local m = {}
for i = 1, 100 do setmetatable({}, m) end
m.__gc = function() while true do end end
collectgarbage()
error 'raised by hand'
