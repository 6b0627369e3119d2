-- expect: too many labels
return assert(load(('goto a;'):rep(100000) .. '::a::'))
