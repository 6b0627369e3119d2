-- expect: took more than
string.format = nil
string.rep = nil
error = nil
tostring = nil
while true do end
