-- expect: stopped
local t = {}
while true do pcall(function() t[#t + 1] = ('x'):rep(100000) .. #t end) end
