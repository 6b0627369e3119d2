-- the rig that goes on while others are refused
local sinew = require "sinew"
local rig = sinew.rig "good"
local bone = rig:segment("bone", { at = { 0, 1, 0 } })
local set = rig:joint_set "joint"
local turn = set:dof("turn", { min = -90, max = 90 })
local Half = sinew.component {
  name = "half", inputs = { "angle" }, outputs = { "angle" },
  eval = function(_, angle) return { angle = angle / 2 } end,
}
bone:drive(set:rotation { set:add(Half { turn }).angle, axis = { 1, 0, 0 }, angles = { -90, 90 } })
return rig
