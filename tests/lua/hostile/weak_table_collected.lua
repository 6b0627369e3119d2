-- expect: weak tables
local m = {}
local t = setmetatable({}, m)
m['__' .. 'mode'] = 'k'
collectgarbage()
return t
