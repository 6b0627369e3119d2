-- expect: invalid value
return table.concat(setmetatable({}, {__len = function() return 1 << 60 end}))
