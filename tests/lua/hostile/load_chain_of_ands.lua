-- expect: stopped
-- limits: seconds=0.2
return assert(load('return ' .. ('x and '):rep(150000) .. 'x'))
