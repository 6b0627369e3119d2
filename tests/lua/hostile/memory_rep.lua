-- expect: more than
return ('x'):rep(1e9)
