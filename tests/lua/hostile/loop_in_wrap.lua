-- expect: took more than
for i in coroutine.wrap(function() while true do end end) do end
