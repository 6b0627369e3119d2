-- expect: bytes of memory
-- limits: instructions=100000000
local t = {}
return function() while true do t[#t + 1] = ('x'):rep(100000) .. #t end end
