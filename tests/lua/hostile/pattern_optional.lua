-- expect: took more than
return ('a'):rep(200):match(('a?'):rep(150) .. ('a'):rep(150) .. 'b')
