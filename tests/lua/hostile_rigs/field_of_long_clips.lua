-- expect: stopped: loading took more than
-- limits: instructions=3000000
local sinew = require "sinew"
local axis = { min = 0, max = 0.02, resolution = 64 }
local samples = {}
for i = 1, 1000 do samples[i] = { i % 2 == 0 and 30000 or -30000 } end
sinew.field { axes = { axis }, samples = samples, join = true, depth = 20, memory = 1e12 }
return sinew.rig "r"
