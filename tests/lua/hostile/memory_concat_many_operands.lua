-- expect: stopped
local s = ('x'):rep(1000000)
return s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s
