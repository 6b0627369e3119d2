-- expect: xxxx
error(('x'):rep(1000000))
