-- expect: binary chunk
local text = '\27Lua'
return assert(load(function() local t = text text = nil return t end))
