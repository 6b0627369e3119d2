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

local vec3 = sinew.vec3
local rig = sinew.rig "reach"

-- Arm and leg look as the human's: the bones of a part at rest, as one shape in the frame of what
-- they hang on. Those that `without` names are left out.
local function still(part, without)
  local model = sinew.rig "still"
  require("parts." .. part)(model, model:segment "base", { side = "right", suffix = "",
    still = true, at = { 0, 0, 0 }, elbow = { 0, 0, 0 } })
  local pose, list = model:pose(), {}
  for _, segment in ipairs(model.segments) do
    if segment.shape and not (without or {})[segment.name] then
      list[#list + 1] = shapes.placed(segment.shape, pose:world(segment))
    end
  end
  return shapes.merge(list)
end

-- vertebrae one on the other, `high` in all; sizes in mm
local function column(region, count, high, width, depth, slope)
  local parts, step = {}, high / count
  for i = 1, count do
    parts[i] = shapes.vertebra { region = region, width = width / 1000, depth = depth / 1000,
      height = 0.78 * step, slope = slope, at = { 0, (i - 0.5) * step, 0 } }
  end
  return shapes.merge(parts)
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

local pelvis = rig:segment("pelvis", { at = { 0, 0.95, 0 }, shape = shapes.pelvis {} })

-- the spine: three joints of eight points each, then the neck
local spine, at = pelvis, { 0, 0.1, -0.04 }
local columns = { column("lumbar", 4, 0.15, 44, 33, 14), column("thoracic", 6, 0.15, 32, 29, 50),
  shapes.merge { column("thoracic", 5, 0.1, 27, 22, 50),
    shapes.placed(column("cervical", 4, 0.07, 18, 16, 22), sinew.mat4.translation(0, 0.1, 0)) } }
for i, name in ipairs { "waist", "back", "chest" } do
  spine = ball(name, { bone = "spine" .. i, parent = spine, at = at, to = { 0, 0.15, 0 },
    right = { 1, 0, 0 }, shape = columns[i], first = { -15, 30, label = "forward and back" },
    second = { -18, 18, label = "to the side" }, twist = { -12, 12 },
    cone = { points = ring({ 0, 1, 0 }, { 1, 0, 0 }, { 18, 15, 18, 28 }, 8) } })
  at = { 0, 0.15, 0 }
end
local head = shapes.merge { shapes.skull {}, shapes.jaw { at = limbs.jaw.at } }
ball("neck", { bone = "head", parent = spine, at = { 0, 0.17, 0 }, to = { 0, 0.2, 0 },
  right = { 1, 0, 0 }, shape = head, first = { -40, 40, label = "nod" },
  second = { -40, 40, label = "tilt" }, twist = { -70, 70 },
  cone = { smooth = 2, points = ring({ 0, 1, 0 }, { 1, 0, 0 }, { 30, 15, 30, 15 }, 4) } })

-- shoulder (figure 7): the inner joint, then the upper arm
local collar = ball("inner_shoulder", { bone = "collar_r", parent = spine, at = { 0, 0.13, 0 },
  to = { -0.18, 0.01, 0 }, right = { 0, 1, 0 }, shape = shapes.clavicle { to = { -0.18, 0.01, 0 } },
  first = { -20, 20, label = "forward and back" }, second = { -12, 30, label = "shrug" },
  cone = { points = ring({ -0.18, 0.01, 0 }, { 0, 1, 0 }, { 30, 20, 10, 16 }, 8) } })
local humerus = ball("shoulder", { bone = "upper_arm_r", parent = collar, at = { -0.18, 0.01, 0 },
  to = { 0, -0.31, 0 }, right = { -1, 0, 0 }, shape = shapes.humerus { fit = { head = { 0, 0, 0 },
    cap = { -0.018, -0.308, 0.001 }, tr_mid = { -0.004, -0.31, 0 } } },
  first = { -60, 160, label = "forward and back" }, second = { -45, 89, label = "out and in" },
  twist = { -97, 60 }, cone = { points = arm_cone.points, twist_limits = arm_cone.twist_limits,
    visible_twist = arm_cone.visible_twist } })

local range = limbs.elbow.flexion
local forearm = humerus:bone("lower_arm_r", { set = "elbow", at = { 0, -0.31, 0 },
  shape = still "arm", hinge = { "bend", range[1], range[2], axis = "-x",
    angles = range, name = "hinge", label = "bend" } })
-- [Wilhelms 2001] has the forearm's twist here: -60 to 100
local w = limbs.wrist
ball("wrist", { bone = "hand_r", parent = forearm, at = { 0, -0.25, 0 }, to = { 0, -0.17, 0 },
  right = { 1, 0, 0 }, shape = still "hand", first = { -w.ulnar, w.radial, label = "side to side" },
  second = { -w.extension, w.flexion, label = "bend" }, twist = { -60, 100 },
  cone = { points = ring({ 0, -1, 0 }, { 1, 0, 0 }, { w.flexion, w.radial, w.extension, w.ulnar },
    8) } })

-- leg
local thigh = require "parts.hip"(rig, pelvis, { side = "right", suffix = "_r" })
-- from this knee to this ankle it is longer than the human's
local shin = rig:segment("shin_r", { parent = thigh, at = { 0.003, -0.42, -0.006 },
  shape = shapes.placed(still("knee", { patella = true, knee_centre = true }),
    sinew.mat4.translation(-0.003, 0.44, 0.01) * sinew.mat4.scaling(1, 1.045, 1)) })
ball("ankle", { bone = "foot_r", parent = shin, at = { 0, -0.4, 0 }, to = { 0, -0.04, 0.2 },
  right = { -1, 0, 0 }, shape = still "foot", first = { -56, 20, label = "up and down" },
  second = { -25, 25, label = "side to side" }, twist = { -21, 37 },
  cone = { points = ring({ 0, -0.04, 0.2 }, { -1, 0, 0 }, { 25, 13, 25, 50 }, 8) } })
return rig
