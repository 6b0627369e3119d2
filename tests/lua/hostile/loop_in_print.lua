-- expect: took more than
print(setmetatable({}, {__tostring = function() while true do end end}))
return 1
