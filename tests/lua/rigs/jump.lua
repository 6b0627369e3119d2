-- A planted fault: a scripted component that jumps by 30 degrees at 25.
local sinew = require "sinew"

local rig = sinew.rig "jump"
local base = rig:segment "base"
local arm = rig:segment("arm", { parent = base, at = { 0, 1, 0 } })
local joint = rig:joint_set "joint"
local swing = joint:dof("swing", { min = -90, max = 90 })
local lift = joint:dof("lift", { min = -45, max = 45 })
local Step = sinew.component {
  name = "step",
  inputs = { "angle" },
  outputs = { "angle" },
  eval = function(_, angle) return angle < 25 and angle or angle + 30 end,
}
arm:drive(joint:multiply {
  joint:rotation { joint:add(Step { swing }), axis = { 0, 1, 0 } },
  joint:rotation { lift, axis = { 1, 0, 0 } },
})
return rig
