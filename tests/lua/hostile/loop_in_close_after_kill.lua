-- expect: took more than
local m = {__close = function() while true do end end}
local x <close> = setmetatable({}, m)
local y <close> = setmetatable({}, m)
while true do end
