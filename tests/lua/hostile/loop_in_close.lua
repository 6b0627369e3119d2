-- expect: took more than
local m = {__close = function() while true do end end}
do local x <close> = setmetatable({}, m) end
return 1
