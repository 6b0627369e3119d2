-- expect: more than
return (('x'):rep(1000):gsub('.*', ('%0'):rep(100000)))
