-- expect: stopped
table.sort(setmetatable({}, {__len = function() return 1 << 29 end, __index = function(_, i) return -i end}))
