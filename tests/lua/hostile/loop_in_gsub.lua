-- expect: took more than
return ('x'):gsub('x', function() while true do end end)
