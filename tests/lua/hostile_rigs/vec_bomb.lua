-- expect: stopped
local sinew = require "sinew"
local t = {}
for i = 1, 1e9 do t[i] = sinew.vec3(1, 2, 3) end
