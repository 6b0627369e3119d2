-- expect: took more than
while true do pcall(string.find, ('a'):rep(1000), ('a*'):rep(30) .. 'b') end
