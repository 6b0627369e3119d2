-- expect: more than
return (('x'):rep(100000):gsub('x', ('y'):rep(100000)))
