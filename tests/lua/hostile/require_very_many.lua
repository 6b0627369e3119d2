-- expect: more than 1000 files
-- limits: instructions=100000000
local message
for i = 1, 2000 do message = select(2, pcall(require, 'missing' .. i)) end
error(message, 0)
