-- expect: took more than
while true do end
