-- expect: million bytes of memory; it may hold
-- limits: instructions=100000000 memory=60000000
local sinew = require "sinew"
local rig = sinew.rig "r"
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local angles = {}
for i = 1, 1000000 do angles[i] = i / 1e4 - 50 end
local last = rig:segment "bone0"
for i = 1, 20 do
  last = rig:segment("bone" .. i, { parent = last })
  last:drive(set:rotation { dof, axis = { 1, 0, 0 }, angles = angles })
end
return rig
