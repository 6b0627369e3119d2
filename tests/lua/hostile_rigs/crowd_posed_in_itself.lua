-- expect: the crowd is being evaluated
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local crowd
local values, worlds = sinew.buffer(3), sinew.buffer(48)
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    crowd:pose(values, worlds)
    return angle
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0} })
crowd = rig:crowd(3)
crowd:pose(values, worlds)
