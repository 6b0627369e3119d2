-- expect: too many captures
return ('a'):match(('('):rep(100) .. (')'):rep(100))
