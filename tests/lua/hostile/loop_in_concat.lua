-- expect: took more than
return setmetatable({}, {__concat = function() while true do end end}) .. ''
