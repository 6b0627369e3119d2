-- expect: took more than
return ('%s'):format(setmetatable({}, {__tostring = function() while true do end end}))
