-- expect: stopped
local sinew = require "sinew"
local t = {}
for i = 1, 1e9 do t[i] = sinew.rig("r" .. i) end
