-- expect: took more than
for m in ('a'):rep(1000):gmatch(('a*'):rep(30) .. 'b') do end
