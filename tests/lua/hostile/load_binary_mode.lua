-- expect: only texts
return assert(load('return 1', 'x', 'b'))
