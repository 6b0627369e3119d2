-- A planted fault: a scripted component that keeps state between calls.
local sinew = require "sinew"

local rig = sinew.rig "forgetful"
local arm = rig:segment "arm"
local joint = rig:joint_set "joint"
local swing = joint:dof("swing", { min = -90, max = 90 })
local calls = 0
local Drift = sinew.component {
  name = "drift",
  inputs = { "angle" },
  outputs = { "angle" },
  eval = function(_, angle)
    calls = calls + 1
    return angle + calls % 2
  end,
}
arm:drive(joint:rotation { joint:add(Drift { swing }), axis = { 0, 1, 0 } })
return rig
