-- expect: stopped
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    while true do pcall(function() while true do end end) end
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0} })
local crowd = rig:crowd(10000)
while true do pcall(crowd.pose, crowd, sinew.buffer(10000), sinew.buffer(160000)) end
