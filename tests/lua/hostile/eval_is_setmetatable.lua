-- expect: bad argument
return setmetatable
