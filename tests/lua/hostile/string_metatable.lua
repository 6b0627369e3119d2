-- expect: false
local m = getmetatable('')
error(tostring(m))
