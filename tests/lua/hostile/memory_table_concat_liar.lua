-- expect: more than
return table.concat(setmetatable({}, {__index = type, __len = function() return 1 << 60 end}))
