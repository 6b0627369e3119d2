-- An ankle and a foot on a given tibia.
--
--   local foot = require "parts.foot"
--   foot(rig, tibia_r, { side = "right", suffix = "_r" })
--
-- A right foot that stands; sinew.mirror makes the left one. The talus turns in the shank about one
-- oblique axis, the calcaneus under the talus about another (Delp 1990); together they are held by
-- a reach cone of eight points for the foot's own direction (as many as in [Wilhelms 2001]), whose
-- solved angles then move the two bones. Toes bend by one DOF. Gives { ankle =, set =, talus =,
-- calcaneus =, segments = by name }.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local limbs = require "data.limbs"
local rays = require "data.hand".rays

local mm, forward = 0.001, { 0, 0, 1 }

local function metres(v) return sinew.vec3(v[1], v[2], v[3]) * mm end

-- directions of the foot on an ellipse of both angles, anticlockwise seen from in front
local function reach_points()
  local a, points = limbs.ankle, {}
  for k = 0, 7 do
    local c, s = sinew.cos(45 * k), sinew.sin(45 * k)
    local flexion = s * (s > 0 and a.dorsal or a.plantar)
    local inversion = c * (c > 0 and a.inversion or a.eversion)
    local turned = sinew.mat4.turn(a.flexion_axis, flexion)
      * sinew.mat4.turn(a.inversion_axis, inversion)
    points[k + 1] = turned:direction(forward)
  end
  return points
end

local function talus_shape()
  return shapes.merge {
    shapes.ellipsoid { radii = { 0.018, 0.015, 0.022 }, at = { 0, -0.006, 0 } },
    shapes.ellipsoid { radii = { 0.013, 0.012, 0.018 }, at = { 0.004, -0.014, 0.024 } },
    shapes.ellipsoid { radii = { 0.017, 0.012, 0.02 }, at = { -0.003, -0.02, -0.004 } },
  }
end

local function calcaneus_shape()
  return shapes.merge {
    shapes.tube { points = { { 0.002, 0.003, -0.006 }, { 0, 0.008, 0.018 },
      { -0.002, 0.014, 0.044 }, { -0.007, 0.014, 0.078 } },
      radius = { 0.019, 0.0185, 0.0165, 0.012 }, detail = 12 },
    -- the shelf that carries the talus
    shapes.ellipsoid { radii = { 0.012, 0.007, 0.014 }, at = { 0.014, 0.02, 0.055 }, detail = 10 },
  }
end

local function tarsus_shape()
  local function block(x, y, z, rx, ry, rz)
    return shapes.ellipsoid { radii = { rx * mm, ry * mm, rz * mm },
      at = { x * mm, y * mm, z * mm }, detail = 10 }
  end
  return shapes.merge { block(15, 27, 89, 15, 13, 8), block(-13, 11, 92, 11, 11, 15),
    block(21, 22, 106, 9, 13, 12), block(9, 25, 103, 7, 10, 10), block(0, 20, 100, 7, 10, 10) }
end

local function bone(from, to, width)
  local w = width * mm
  return shapes.long_bone { to = to - from, radius = 0.7 * w, head = 1.2 * w, foot = 1.15 * w }
end

local function add_ray(tarsus, bend, ray, suffix, segments)
  local base, head = metres(ray.base), metres(ray.head)
  local parent = tarsus:bone("metatarsal_" .. ray.name .. suffix, { at = base,
    shape = bone(base, head, ray.width) })
  segments["metatarsal_" .. ray.name] = parent
  -- toes point on, level with the ground
  local way = sinew.vec3(head.x - base.x, 0, head.z - base.z):unit()
  local at = head - base
  for i, name in ipairs { "proximal_", "distal_" } do
    local to = way * (ray.lengths[i] * mm)
    local w = ray.width * (i == 1 and 0.8 or 0.7)
    local shape = i == 1 and bone(sinew.vec3(), to, w) or shapes.tube {
      points = { { 0, 0, 0 }, to * 0.5, to }, radius = { 1.15 * w * mm, 0.75 * w * mm,
      0.85 * w * mm }, detail = 8 }
    parent = parent:bone(name .. ray.name .. suffix, { at = at, shape = shape,
      hinge = { bend[name], axis = { -way.z, 0, way.x } } })
    segments[name .. ray.name], at = parent, to
  end
end

return function(rig, tibia, options)
  local a, segments = limbs.ankle, {}
  local ankle = rig:joint_set(options.side .. "_ankle")
  local flexion = ankle:dof("flexion", { min = -a.plantar, max = a.dorsal,
    label = "foot up and down" })
  local inversion = ankle:dof("inversion", { min = -a.eversion, max = a.inversion,
    label = "sole in and out" })
  -- wider than the DOFs: the cone alone holds the swing
  local wide = { -80, 80 }
  local reach = ankle:cone { angle1 = flexion, angle2 = inversion, rest = forward,
    points = reach_points(), name = "reach",
    rotation1 = ankle:rotation { flexion, axis = a.flexion_axis, angles = wide,
      name = "wanted_flexion" },
    rotation2 = ankle:rotation { inversion, axis = a.inversion_axis, angles = wide,
      name = "wanted_inversion" } }
  local talus = ankle:bone("talus" .. options.suffix, { parent = tibia, at = options.at or a.at,
    shape = talus_shape(), hinge = { reach.angle1, axis = a.flexion_axis, angles = wide } })
  local calcaneus = talus:bone("calcaneus" .. options.suffix, { at = a.subtalar,
    shape = calcaneus_shape(),
    hinge = { reach.angle2, axis = a.inversion_axis, angles = wide } })

  local set = rig:joint_set(options.side .. "_foot")
  local toes = set:dof("toes", { min = -limbs.toes.flexion, max = limbs.toes.extension,
    label = "toes up and down" })
  local tarsus = calcaneus:bone("tarsus" .. options.suffix, { set = set, shape = tarsus_shape() })
  -- the end joints bend down only, and follow by half
  local bend = { proximal_ = toes, distal_ = 0.5 * sinew.min(toes, 0) }
  for _, ray in ipairs(rays) do add_ray(tarsus, bend, ray, options.suffix, segments) end
  segments.tarsus = tarsus
  return { ankle = ankle, set = set, talus = talus, calcaneus = calcaneus, segments = segments }
end
