-- expect: took more than
for i = 1, math.huge do end
