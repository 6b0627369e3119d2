-- expect: took more than
while true do pcall(pcall, pcall, pcall, function() while true do end end) end
