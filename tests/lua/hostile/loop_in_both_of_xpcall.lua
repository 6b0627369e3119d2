-- expect: took more than
xpcall(function() while true do end end, function() while true do end end)
return 1
