-- expect: component 'j.bad1'
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local pose
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    pose["j.d"] = angle == 1 and 2 or 1
    pose:eval()
    return angle
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0}, angles = {-90, 90} })
pose = rig:pose()
pose["j.d"] = 3
pose:eval()
return rig
