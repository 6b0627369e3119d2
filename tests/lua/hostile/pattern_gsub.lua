-- expect: took more than
return ('a'):rep(1000):gsub(('.-'):rep(30) .. 'b', '')
