-- Reach cones alone: the right side of a body [Wilhelms 2001, fig. 6 to 8], every joint a
-- ball in its cone. Spine, inner shoulder, wrist and ankle have eight points, the upper arm 25 with
-- twist limits at each, the thigh thirteen; the elbow is a hinge. The neck has four points, 30
-- degrees to the sides and 15 to front and back, smoothed twice into 16 (fig. 5).
--
-- A ball joint has two swings about axes across the bone, and the twist about it. Where nothing
-- says otherwise in data/, angles are chosen after figure 6, which has no numbers.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local limbs = require "data.limbs"
local arm_cone = require "data.shoulder_cone"

local still = require "parts.still"

local vec3, mat4 = sinew.vec3, sinew.mat4
local rig = sinew.rig "reach"

-- what parts of human.lua draw, a little larger
local size, side = 1.07, { side = "right", suffix = "_r", at = { 0, 0, 0 }, still = true }
local function larger(shape, at)
  return shapes.placed(shape, mat4.translation(at) * mat4.scaling(size, size, size))
end

-- the bones of the trunk whose names match, from `height` above the sacrum on
local function trunk(height, ...)
  return larger(still(function(body, sacrum)
    require "parts.head"(body, require "parts.spine"(body, sacrum).skull)
  end, { ... }), { 0, -height, 0 })
end

-- scapula and clavicle, between the sternum and an arm that hangs at `to`
local function girdle(to)
  local s, sternum = require "data.shoulder".scapula, vec3(-0.025, -0.008, 0.051)
  local turn = mat4.euler("yzx", s.internal, -s.upward, -s.tilt)
  local acromion = vec3(to) - turn:direction(s.glenohumeral) * size
  return shapes.merge { larger(shapes.placed(shapes.scapula(s.bone), turn), acromion),
    shapes.clavicle { to = acromion - sternum, radius = 0.005, at = sternum } }
end

local function forearm_shape()
  return shapes.placed(still(function(body, humerus)
    require "parts.arm"(body, humerus, { side = "right", suffix = "_r", elbow = { 0, 0, 0 } })
  end), mat4.turn({ 1, 0, 0 }, 2.5))
end

local function hand_shape()
  return larger(still(function(body, radius) require "parts.hand"(body, radius, side) end), vec3())
end

-- down to an ankle that is lower than that of human.lua
local function shin_shape(at)
  return shapes.placed(still(function(body, femur) require "parts.knee"(body, femur) end,
    { "^tibia", "^fibula", "^patella" }), mat4.translation(vec3(0, -0.404, 0) - at)
    * mat4.scaling(1, 1.039, 1) * mat4.translation(0, 0.404, 0))
end

local function foot_shape()
  return still(function(body, tibia) require "parts.foot"(body, tibia, side) end)
end

-- `count` points about `rest`: half angles towards `right`, rest x right, and against them
local function ring(rest, right, half, count)
  rest, right = vec3(rest):unit(), vec3(right)
  right = (right - rest * rest:dot(right)):unit()
  local up, points = rest:cross(right), {}
  for k = 1, count do
    local c, s = sinew.cos(360 * (k - 1) / count), sinew.sin(360 * (k - 1) / count)
    local a, b = c > 0 and half[1] or half[3], s > 0 and half[2] or half[4]
    local angle = 1 / math.sqrt((c / a) ^ 2 + (s / b) ^ 2)
    points[k] = rest * sinew.cos(angle) + (right * c + up * s) * sinew.sin(angle)
  end
  return points
end

-- A bone in a cone. Its swings: `first` about `right`, `second` about rest x right.
local function ball(name, options)
  local to, a, b, twist = vec3(options.to), options.first, options.second, options.twist
  local rest = to:unit()
  local right = (vec3(options.right) - rest * rest:dot(options.right)):unit()
  return rig:bone(options.bone, { parent = options.parent, set = name, at = options.at,
    shape = options.shape,
    ball = { along = rest, cone = options.cone, name = "cone",
      { "first", a[1], a[2], axis = right, name = "about_first", label = a.label },
      { "second", b[1], b[2], axis = rest:cross(right), angles = { -89, 89 },
        name = "about_second", label = b.label },
      twist and { "twist", twist[1], twist[2], label = "twist" } } })
end

local pelvis = rig:segment("pelvis", { at = { 0, 0.95, 0 }, shape = shapes.pelvis {
  width = -limbs.hip.at[1] / 0.31 } })

-- the spine: three joints of eight points each, then the neck
local spine, at = pelvis, { 0, 0.1, -0.04 }
local bones = { trunk(0, "^L[2-5]$"), trunk(0.15, "^L1$", "^T9$", "^T1%d$", "^rib9", "^rib1%d"),
  trunk(0.3, "^T[1-8]$", "^rib[1-8]_", "^sternum$") }
for i, name in ipairs { "waist", "back", "chest" } do
  spine = ball(name, { bone = "spine" .. i, parent = spine, at = at, to = { 0, 0.15, 0 },
    right = { 1, 0, 0 }, shape = bones[i], first = { -15, 30, label = "forward and back" },
    second = { -18, 18, label = "to the side" }, twist = { -12, 12 },
    cone = { points = ring({ 0, 1, 0 }, { 1, 0, 0 }, { 18, 15, 18, 28 }, 8) } })
  at = { 0, 0.15, 0 }
end
ball("neck", { bone = "head", parent = spine, at = { 0, 0.17, 0 }, to = { 0, 0.2, 0 },
  right = { 1, 0, 0 }, shape = trunk(0.47, "^C", "^skull$", "^jaw$"),
  first = { -40, 40, label = "nod" },
  second = { -40, 40, label = "tilt" }, twist = { -70, 70 },
  cone = { smooth = 2, points = ring({ 0, 1, 0 }, { 1, 0, 0 }, { 30, 15, 30, 15 }, 4) } })

-- shoulder (figure 7): the inner joint, then the upper arm
local collar = ball("inner_shoulder", { bone = "collar_r", parent = spine, at = { 0, 0.13, 0 },
  to = { -0.18, 0.01, 0 }, right = { 0, 1, 0 }, shape = girdle { -0.18, 0.01, 0 },
  first = { -20, 20, label = "forward and back" }, second = { -12, 30, label = "shrug" },
  cone = { points = ring({ -0.18, 0.01, 0 }, { 0, 1, 0 }, { 30, 20, 10, 16 }, 8) } })
local humerus = ball("shoulder", { bone = "upper_arm_r", parent = collar, at = { -0.18, 0.01, 0 },
  to = { 0, -0.31, 0 }, right = { -1, 0, 0 }, shape = shapes.humerus { fit = {
    head = { 0, 0, 0 }, cap = { -0.018, -0.308, 0.001 }, flange = { 0.011, -0.311, 0 } } },
  first = { -60, 160, label = "forward and back" }, second = { -45, 89, label = "out and in" },
  twist = { -97, 60 }, cone = { points = arm_cone.points, twist_limits = arm_cone.twist_limits,
    visible_twist = arm_cone.visible_twist } })

local range = limbs.elbow.flexion
local forearm = humerus:bone("lower_arm_r", { set = "elbow", at = { 0, -0.31, 0 },
  shape = forearm_shape(), hinge = { "bend", range[1], range[2], axis = "-x",
    angles = range, name = "hinge", label = "bend" } })
-- [Wilhelms 2001] has the forearm's twist here: -60 to 100
local w = limbs.wrist
ball("wrist", { bone = "hand_r", parent = forearm, at = { 0, -0.25, 0 }, to = { 0, -0.17, 0 },
  right = { 1, 0, 0 }, shape = hand_shape(), first = { -w.ulnar, w.radial, label = "side to side" },
  second = { -w.extension, w.flexion, label = "bend" }, twist = { -60, 100 },
  cone = { points = ring({ 0, -1, 0 }, { 1, 0, 0 }, { w.flexion, w.radial, w.extension, w.ulnar },
    8) } })

-- leg
local thigh = require "parts.hip"(rig, pelvis, { side = "right", suffix = "_r" })
local knee = vec3(0.003, -0.42, -0.006)
local shin = rig:segment("shin_r", { parent = thigh, at = knee, shape = shin_shape(knee) })
ball("ankle", { bone = "foot_r", parent = shin, at = { 0, -0.4, 0 }, to = { 0, -0.04, 0.2 },
  right = { -1, 0, 0 }, shape = foot_shape(), first = { -56, 20, label = "up and down" },
  second = { -25, 25, label = "side to side" }, twist = { -21, 37 },
  cone = { points = ring({ 0, -0.04, 0.2 }, { -1, 0, 0 }, { 25, 13, 25, 50 }, 8) } })
return rig
