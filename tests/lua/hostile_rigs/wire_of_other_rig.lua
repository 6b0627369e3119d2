-- expect: another rig
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local other = sinew.rig "o"
local s = other:segment "s"
bone:drive(other:joint_set("k"):rotation { dof, axis = {1,0,0}, angles={0,1} })
return rig
