-- expect: stopped
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local points = {}
for i = 1, 300000 do points[i] = { i, i } end
for _ = 1, 1e9 do sinew.spline(points) end
