-- expect: took more than
load(function() while true do end end)
return 1
