-- expect: stopped
-- limits: instructions=3000000
local sinew = require "sinew"
local axis = { min = -90, max = 90, resolution = 64 }
for _ = 1, 1e9 do
  pcall(sinew.field, { axes = { axis, axis, axis }, samples = { { 1, 2, 3 } } })
end
return sinew.rig "r"
