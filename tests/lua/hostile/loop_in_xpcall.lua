-- expect: took more than
xpcall(function() while true do end end, function() return 1 end)
return 1
