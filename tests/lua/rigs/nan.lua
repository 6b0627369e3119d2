-- A planted fault: a scripted component that takes the square root of a negative number if both of
-- its DOFs are far from rest.
local sinew = require "sinew"

local rig = sinew.rig "nan"
local arm = rig:segment "arm"
local joint = rig:joint_set "joint"
local swing = joint:dof("swing", { min = -90, max = 90 })
local lift = joint:dof("lift", { min = -90, max = 90 })
joint:dof("idle", { min = -90, max = 90 })
local Root = sinew.component {
  name = "root",
  inputs = { "a", "b" },
  outputs = { "angle" },
  eval = function(_, a, b) return (100 - a - b) ^ 0.5 end,
}
arm:drive(joint:rotation { joint:add(Root { swing, lift }), axis = { 0, 1, 0 } })
return rig
