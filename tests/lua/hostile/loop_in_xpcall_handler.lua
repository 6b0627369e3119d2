-- expect: took more than
xpcall(error, function() while true do end end)
return 1
