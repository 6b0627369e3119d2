-- An arm of seven DOFs: three at the shoulder, one at the elbow, three at the wrist. It has two
-- reach cones, and the shoulder's lift bounds the elbow.
local sinew = require "sinew"

local rig = sinew.rig "arm"
local function ball(name, points, wide, narrow)
  local set = rig:joint_set(name)
  local one = set:dof("one", { min = -wide, max = wide })
  local two = set:dof("two", { min = -narrow, max = narrow })
  local twist = set:dof("twist", { min = -70, max = 100 })
  local cone = {}
  for i = 1, points do
    local a = 360 * (i - 1) / points
    local x, y = sinew.cos(a) * sinew.tan(narrow * 0.8), sinew.sin(a) * sinew.tan(wide * 0.8)
    cone[i] = sinew.vec3(x, -y, -1):unit()
  end
  local first = set:rotation { one, axis = { 1, 0, 0 }, name = "first" }
  local second = set:rotation { two, axis = { 0, 1, 0 }, name = "second" }
  local reach = set:cone { angle1 = one, angle2 = two, twist = twist, rotation1 = first,
    rotation2 = second, rest = { 0, 0, -1 }, points = cone, twist_limits = { -60, 90 } }
  return reach.transform, one
end

local upper = rig:segment "upper"
local lower = rig:segment("lower", { parent = "upper", at = { 0, 0, -0.3 } })
local hand = rig:segment("hand", { parent = "lower", at = { 0, 0, -0.26 } })
local shoulder, lift = ball("shoulder", 25, 80, 60)
upper:drive(shoulder)
local bend = rig:dof("elbow", { min = 0, max = 145 })
local angle = rig:dependency { lift, bend, upper = sinew.piecewise { { -80, 145 }, { 80, 110 } } }
lower:drive(rig:rotation { angle, axis = { 1, 0, 0 } })
hand:drive((ball("wrist", 8, 70, 30)))
return rig
