-- expect: multiply
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
bone:drive(set:multiply(setmetatable({}, {__len = function() return 1 << 60 end, __index = function() return dof end})))
return rig
