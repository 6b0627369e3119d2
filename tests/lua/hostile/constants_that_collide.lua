-- expect: different constants
-- limits: instructions=100000000
local t = {}
for i = 1, 40000 do t[i] = i * 131071 end
return load('return {' .. table.concat(t, ',') .. '}')
