-- expect: one evaluation took more than
return function() while true do end end
