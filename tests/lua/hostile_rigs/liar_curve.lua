-- expect: needs at least two points, has 0
local sinew = require "sinew"
return sinew.spline(setmetatable({}, {__len = function() return 1 << 60 end, __index = function(_, i) return {i, i} end}))
