-- expect: took more than
pcall(function() while true do end end)
return 1
