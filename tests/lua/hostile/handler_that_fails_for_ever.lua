-- expect: returns nothing
xpcall(error, function(e) error(e) end)
