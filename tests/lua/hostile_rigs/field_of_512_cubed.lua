-- expect: million bytes of memory; it may hold
local sinew = require "sinew"
local axis = { min = -90, max = 90, resolution = 512 }
sinew.field { axes = { axis, axis, axis }, samples = { { 1, 2, 3 } }, memory = 1e12 }
return sinew.rig "r"
