-- expect: __mode
setmetatable({}, {__mode = 'k'})
