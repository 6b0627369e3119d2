-- expect: more than
return ('xxxxxxxx'):rep(2^61 | 0)
