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

-- The bones lie as in the model that they were measured on, but for what this rig has elsewhere:
-- its sole is lower, the heads of its metatarsals are further in front, its toes shorter.
local function moved(name, by) return shapes[name] { at = metres(by) } end

local function calcaneus_shape()
  return shapes.calcaneus { fit = { tuber_low = metres { 14, -4, 10 },
    front_low = metres { -4.5, 14, 53.5 }, body_top = metres { 3, 20.5, 24.5 },
    waist = metres { -11, 14, 43 }, sust = metres { 22.5, 26, 50 } } }
end

local function tarsus_shape()
  return shapes.merge { moved("navicular", { -5, 7, 3 }), moved("cuboid", { 3, -3, 0 }),
    moved("cuneiform_medial", { 1, 3, -1 }), moved("cuneiform_intermediate", { -2, 3, 3 }),
    moved("cuneiform_lateral", { -1, 1, 3.5 }) }
end

-- A bone from one joint's face to the middle of the next: its landmarks base and head come to these
-- places (metres), and it is `width` times as thick as measured.
local function bone(name, base, head, width)
  local points = require("sinew.bones." .. name).points
  local way = metres(points.head) - metres(points.base)
  local across = way.x ^ 2 + way.y ^ 2
  local long = math.sqrt((base:distance(head) / width) ^ 2 - across) / way.z
  return shapes[name] { scale = { 1, 1, long }, fit = { base = base, head = head } }
end

-- along a toe: where the faces of its bones are, as a part of the lengths of its two segments
local function toe_shapes(ray, way)
  local function along(z) return way * (z * mm) end
  local one, two = ray.lengths[1], ray.lengths[2]
  local w = ray.width
  if ray.name == "toe1" then
    return { bone("toe1_proximal", along(14.5), along(one), 0.8),
      bone("toe1_distal", along(8), along(two - 1.5), 0.8) }
  end
  return { bone("toe_proximal", along(w + 3.2), along(one), 0.8),
    shapes.merge { bone("toe_middle", along(0.36 * two), along(0.56 * two), 0.75 * two / 18),
      bone("toe_distal", along(0.8 * two), along(0.95 * two), 0.9 * two / 18) } }
end

-- which recipe, where its base is in the calcaneus's frame (millimetres), how thick
local metatarsals = { toe1 = { "metatarsal1", { 24, 19, 120 }, 1 },
  toe2 = { "metatarsal", { 4, 29, 110 }, 0.86 }, toe3 = { "metatarsal", { -9.5, 24, 102 }, 0.82 },
  toe4 = { "metatarsal", { -19, 18, 89 }, 0.75 },
  toe5 = { "metatarsal5", { -31, 10, 85 }, 0.95 } }

local function add_ray(tarsus, bend, ray, suffix, segments)
  local base, head = metres(ray.base), metres(ray.head)
  local shape = metatarsals[ray.name]
  local parent = tarsus:bone("metatarsal_" .. ray.name .. suffix, { at = base,
    shape = bone(shape[1], metres(shape[2]) - base, head - base, shape[3]) })
  segments["metatarsal_" .. ray.name] = parent
  -- toes point on, level with the ground
  local way = sinew.vec3(head.x - base.x, 0, head.z - base.z):unit()
  local at, toe = head - base, toe_shapes(ray, way)
  for i, name in ipairs { "proximal_", "distal_" } do
    parent = parent:bone(name .. ray.name .. suffix, { at = at, shape = toe[i],
      hinge = { bend[name], axis = { -way.z, 0, way.x } } })
    segments[name .. ray.name], at = parent, way * (ray.lengths[i] * mm)
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
    shape = shapes.talus { scale = { 0.88, 1, 1 } }, -- narrow enough for the malleoli
    hinge = { reach.angle1, axis = a.flexion_axis, angles = wide } })
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
