-- expect: load: a text of more than
-- limits: instructions=400000000
local f = load(function() return ' ' end)
return f
