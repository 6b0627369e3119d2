-- The chain of [Wilhelms 2001, table 1]: three segments, reach cones of 25 and 8 points at the
-- shoulder and the wrist, and an interval at the elbow.
local sinew = require "sinew"

local rig = sinew.rig "chain"
local function ball(name, points, wide, narrow)
  local set = rig:joint_set(name)
  local one = set:dof("one", { min = -180, max = 180 })
  local two = set:dof("two", { min = -180, max = 180 })
  local twist = set:dof("twist", { min = -180, max = 180 })
  local first = set:rotation { one, axis = { 1, 0, 0 }, name = "first" }
  local second = set:rotation { two, axis = { 0, 1, 0 }, name = "second" }
  return set:cone { angle1 = one, angle2 = two, twist = twist, rotation1 = first,
    rotation2 = second, rest = { 0, 0, -1 }, right = { 1, 0, 0 },
    ellipse = { wide, narrow, wide, narrow }, count = points,
    twist_limits = { -60, 97 } }.transform
end

local upper = rig:segment "upper"
local lower = rig:segment("lower", { parent = "upper", at = { 0, 0, -0.3 } })
local hand = rig:segment("hand", { parent = "lower", at = { 0, 0, -0.27 } })
upper:drive(ball("shoulder", 25, 110, 80))
lower:drive(rig:rotation { rig:dof("elbow", 0, 142, { rest = 30 }), axis = { 1, 0, 0 } })
hand:drive(ball("wrist", 8, 70, 30))
return rig
