-- expect: overflow
return assert(load(('('):rep(100000)))
