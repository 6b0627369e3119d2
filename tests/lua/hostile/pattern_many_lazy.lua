-- expect: took more than
return ('a'):rep(1000):match(('.-'):rep(30) .. 'b')
