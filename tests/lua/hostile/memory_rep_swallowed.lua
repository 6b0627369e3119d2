-- expect: took more than
while true do pcall(string.rep, 'x', 1e9) end
