-- expect: took more than
return #setmetatable({}, {__len = function() while true do end end})
