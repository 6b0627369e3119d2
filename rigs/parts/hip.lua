-- A hip on a given pelvis: a ball joint held by a reach cone.
--
--   local hip = require "parts.hip"
--   local made = hip(rig, pelvis, { side = "right", suffix = "_r", at = {-0.085, 0, 0} })
--
-- A right leg that stands, in the rig's frame; sinew.mirror makes the left one. Flexion (about x,
-- outermost) and abduction swing the thigh inside a cone of thirteen points, and the rotation about
-- the thigh, positive outwards, has its limits there: less when the hip is stretched. Returns
-- { set =, femur =, flexion =, abduction =, turn =, reach = }; reach.angle1 is the limited flexion.
local sinew = require "sinew"
local femur_shape = require "parts.femur"
local data = require "data.limbs".hip

-- where a thigh that hangs goes
local function direction(flexion, abduction)
  local c = sinew.cos(abduction)
  return { -sinew.sin(abduction), -c * sinew.cos(flexion), c * sinew.sin(flexion) }
end

local function cone_of(options)
  local points, limits = {}, {}
  local stretched = data.stretched
  for i, p in ipairs(data.reach) do
    points[i] = direction(p[1], p[2])
    local share = math.max(0, math.min(1, p[1] / 90))
    local left = stretched + (1 - stretched) * share
    limits[2 * i - 1], limits[2 * i] = -data.internal * left, data.external * left
  end
  options.points, options.twist_limits = points, limits
  options.visible_twist = { -data.internal * stretched, data.external * stretched }
  options.rest = { 0, -1, 0 }
  return options
end

return function(rig, pelvis, options)
  local set = rig:joint_set(options.side .. "_hip")
  local flexion = set:dof("flexion", { min = -data.extension, max = data.flexion,
    label = "leg forward and back" })
  local abduction = set:dof("abduction", { min = -data.adduction, max = data.abduction,
    label = "leg out and in" })
  local turn = set:dof("turn", { min = -data.internal, max = data.external,
    label = "foot out and in" })
  local femur = set:segment("femur" .. options.suffix, { parent = pelvis,
    at = options.at or data.at, shape = femur_shape() })
  -- wider than the DOFs: an edge of the cone bulges beyond the ranges of its ends
  local bend = set:rotation { flexion, axis = { -1, 0, 0 }, name = "bend",
    angles = { -60, 170 } }
  local out = set:rotation { abduction, axis = { 0, 0, -1 }, name = "out",
    angles = { -80, 80 } }
  local reach = set:cone(cone_of { angle1 = flexion, angle2 = abduction, twist = turn,
    rotation1 = bend, rotation2 = out, name = "reach" })
  femur:drive(reach.transform)
  return { set = set, femur = femur, flexion = flexion, abduction = abduction, turn = turn,
    reach = reach }
end
