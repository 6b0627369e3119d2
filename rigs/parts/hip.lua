-- A hip on a given pelvis: a ball joint held by a reach cone.
--
--   local hip = require "parts.hip"
--   local femur = hip(rig, pelvis, { side = "right", suffix = "_r", at = {-0.085, 0, 0} })
--
-- A right leg that stands, in the rig's frame; sinew.mirror makes the left one. Flexion (about x,
-- outermost) and abduction swing the thigh inside a cone of thirteen points, and the rotation about
-- the thigh, positive outwards, has its limits there: less when the hip is stretched. Returns
-- the femur; its held.flexion is the limited flexion.
local sinew = require "sinew"
local femur_shape = require "parts.femur"
local data = require "data.limbs".hip

-- where a thigh that hangs goes
local function direction(flexion, abduction)
  local c = sinew.cos(abduction)
  return { -sinew.sin(abduction), -c * sinew.cos(flexion), c * sinew.sin(flexion) }
end

local function cone()
  local points, limits, stretched = {}, {}, data.stretched
  for i, p in ipairs(data.reach) do
    points[i] = direction(p[1], p[2])
    local left = stretched + (1 - stretched) * math.max(0, math.min(1, p[1] / 90))
    limits[2 * i - 1], limits[2 * i] = -data.internal * left, data.external * left
  end
  return { points = points, twist_limits = limits,
    visible_twist = { -data.internal * stretched, data.external * stretched } }
end

return function(rig, pelvis, options)
  -- angles wider than the DOFs: an edge of the cone bulges beyond the ranges of its ends
  return rig:bone("femur" .. options.suffix, { parent = pelvis, set = options.side .. "_hip",
    at = options.at or data.at, shape = femur_shape(),
    ball = { along = "-y", cone = cone(), name = "reach",
      { "flexion", -data.extension, data.flexion, axis = "-x", angles = { -60, 170 },
        name = "bend", label = "leg forward and back" },
      { "abduction", -data.adduction, data.abduction, axis = "-z", angles = { -80, 80 },
        name = "out", label = "leg out and in" },
      { "turn", -data.internal, data.external, label = "foot out and in" } } })
end
