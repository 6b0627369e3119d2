-- expect: instructions
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
bone:drive(set:rotation { dof, axis = {1, 0, 0} })
local crowd = rig:crowd(10000)
local values, worlds = sinew.buffer(10000), sinew.buffer(160000)
while true do pcall(crowd.pose, crowd, values, worlds) end
