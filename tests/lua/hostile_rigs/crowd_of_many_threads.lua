-- expect: threads: 1
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
error("threads: " .. rig:crowd(1, { threads = 256 }).threads)
