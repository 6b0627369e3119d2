-- expect: one evaluation took more than
return function() while true do pcall(function() while true do end end) end end
