-- expect: the table it returned has no 'angle'
local sinew = require "sinew"
local rig = sinew.rig "r"
local bone = rig:segment("bone", { at = {0, 1, 0} })
local set = rig:joint_set "j"
local dof = set:dof("d", { min = -90, max = 90 })
local Bad = sinew.component { name = "bad", inputs = { "angle" }, outputs = { "angle" },
  eval = function(self, angle)
    return setmetatable({}, {__index = function() error "out" end})
  end }
bone:drive(set:rotation { set:add(Bad { dof }).angle, axis = {1, 0, 0}, angles = {-90, 90} })
return rig
