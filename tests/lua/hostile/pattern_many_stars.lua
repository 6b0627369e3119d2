-- expect: took more than
return ('a'):rep(1000):find(('a*'):rep(30) .. 'b')
