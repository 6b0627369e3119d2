-- expect: took more than
setmetatable(_G, {__index = function() while true do end end})
return nothing
