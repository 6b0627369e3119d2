-- expect: array too big
table.sort(setmetatable({}, {__len = function() return 1 << 60 end}))
