-- The wrist and the hand on a given radius.
--
--   local hand = require "parts.hand"
--   hand(rig, radius_r, { side = "right", suffix = "_r", at = wrist })
--
-- A right hand that hangs, the palm to the left, the thumb forward; sinew.mirror makes the left
-- one. The wrist: two rotations inside a reach cone of eight points [Wilhelms 2001, 4]. A
-- finger: one DOF `curl`, -1 stretched, 0 relaxed, 1 a fist; the end joint depends on the middle
-- one, and the spread that all fingers share is held back by a bent knuckle. The thumb has an
-- opposition too. Gives { wrist =, set =, carpus =, segments = by name }. With `still = true` the
-- fingers are relaxed and part of the carpus, and there is no `set`.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local limbs = require "data.limbs"
local data = require "data.hand"

local mm = 0.001

local function metres(v) return sinew.vec3(v[1], v[2], v[3]) * mm end

-- a frame whose -y goes along `direction` and whose x looks to where the finger bends
local function frame(at, direction, palm)
  local y = -sinew.vec3(direction):unit()
  local x = sinew.vec3(palm) - y * y:dot(palm)
  x:normalize()
  local z = x:cross(y)
  return sinew.mat4.columns { x, y, z, at }
end

-- eight directions about (0, -1, 0): towards the palm (+x), the back, thumb (+z) and little finger
local function wrist_cone()
  local w, points = limbs.wrist, {}
  for k = 0, 7 do
    local azimuth = 45 * k
    local c, s = sinew.cos(azimuth), sinew.sin(azimuth)
    local a, b = c > 0 and w.flexion or w.extension, s > 0 and w.radial or w.ulnar
    -- at the azimuth of the ellipse of both half angles
    local angle = 1 / math.sqrt((c / a) ^ 2 + (s / b) ^ 2)
    points[k + 1] = { sinew.sin(angle) * c, -sinew.cos(angle), sinew.sin(angle) * s }
  end
  return points
end

-- the thumb's metacarpal starts a little beyond the middle of its joint, which is in the trapezium
local saddle = 7

-- the wrist's bones between the forearm and the bases of the metacarpals
local function carpus_shape()
  local thumb, fit = data.thumb, {}
  fit.mc1 = metres(thumb.at) + sinew.vec3(thumb.direction):unit() * saddle * mm
  for i, finger in ipairs(data.fingers) do fit["mc" .. i + 1] = metres(finger.at) end
  for name, place in pairs(data.carpals) do fit[name] = metres(place) end
  return shapes.carpus { fit = fit }
end

-- of recipes: the landmarks at both ends of a bone, and how far they are apart
local lengths = { metacarpal = { "base", "head", 67.5 }, metacarpal1 = { "base", "head", 41.5 },
  finger_proximal = { "joint", "head", 52 }, finger_middle = { "joint", "head", 31.4 },
  finger_distal = { "joint", "tip", 20 } }

-- a bone along -y, from `start` to `length` millimetres off its joint; `width` as in data/hand.lua
local function bone(kind, width, start, length)
  local from, to, natural = lengths[kind][1], lengths[kind][2], lengths[kind][3]
  local wide = 0.15 * width * natural / (length - start)
  if kind == "finger_distal" then length = length - width / 4 end -- the end of the tuft
  return shapes[kind] { scale = { wide, 1, wide },
    fit = { [from] = { 0, -start * mm, 0 }, [to] = { 0, -length * mm, 0 } } }
end

local function finger_shapes(finger)
  local l, w = finger.lengths, finger.width
  return { bone("metacarpal", w, 0, l[1]), bone("finger_proximal", w, 0, l[2]),
    bone("finger_middle", w, 0, l[3]), bone("finger_distal", w, 0, l[4]) }
end

local function thumb_shapes()
  local l, w = data.thumb.lengths, data.thumb.width
  return { bone("metacarpal1", w, saddle, l[1]), bone("finger_proximal", 0.95 * w, 0, l[2]),
    bone("finger_distal", 1.15 * w, 0, l[3]) }
end

-- angles at -1, 0 and 1, counted from the relaxed one
local function through(angles)
  return sinew.piecewise { { -1, angles[1] - angles[2] }, { 0, 0 }, { 1, angles[3] - angles[2] } }
end

local flexion_axis, spread_axis = { 0, 0, 1 }, { -1, 0, 0 }

local function add_finger(set, carpus, spread, finger, suffix, segments)
  local name, l, shape = finger.name, finger.lengths, finger_shapes(finger)
  local curl = set:dof(name .. "_curl", { min = -1, max = 1, unit = "", label = name .. " curl" })
  local function joint(short, options) -- a segment of this finger
    segments[short] = set:segment(short .. suffix, options)
    return segments[short]
  end
  local direction = { 0.02, -sinew.cos(finger.fan), sinew.sin(finger.fan) }
  local metacarpal = joint("metacarpal_" .. name, { parent = carpus,
    rest = frame(metres(finger.at), direction, { 1, 0, 0 }), shape = shape[1] })
  local bend = set:map { curl, name = name .. "_bend", knuckle = through(data.knuckle),
    middle = through(data.middle), hollow = sinew.piecewise { { 0, 0 }, { 1, finger.hollow } } }
  if finger.hollow > 0 then
    metacarpal:drive(set:rotation { bend.hollow, axis = flexion_axis, name = name .. "_hollow" })
  end

  -- the relaxed bend is in the rest frames
  local function bent(length, angle)
    return sinew.mat4.translation(0, -length * mm, 0) * sinew.mat4.turn(flexion_axis, angle)
  end
  local proximal = joint("proximal_" .. name, { parent = metacarpal, rest = bent(l[1],
    data.knuckle[2]), shape = shape[2] })
  local side = set:map { spread, name = name .. "_fan",
    angle = sinew.piecewise { { -1, finger.spread[1] }, { 0, 0 }, { 1, finger.spread[2] } } }
  local function tight(sign, reach)
    local points = {}
    for i, p in ipairs(data.tight) do
      points[i] = { p[1] - data.knuckle[2], sign * p[2] * reach }
    end
    return sinew.piecewise(points)
  end
  local reach = math.max(math.abs(finger.spread[1]), math.abs(finger.spread[2]))
  local held = set:dependency { bend.knuckle, side.angle, lower = tight(-1, reach),
    upper = tight(1, reach), name = name .. "_ligament" }
  proximal:drive(set:multiply {
    set:rotation { held, axis = spread_axis, name = name .. "_spread" },
    set:rotation { bend.knuckle, axis = flexion_axis, name = name .. "_knuckle" },
    name = name .. "_base",
  })

  local middle = joint("middle_" .. name, { parent = proximal, rest = bent(l[2], data.middle[2]),
    shape = shape[3] })
  middle:drive(set:rotation { bend.middle, axis = flexion_axis, name = name .. "_middle" })
  local distal = joint("distal_" .. name, { parent = middle,
    rest = bent(l[3], data.coupling * data.middle[2]), shape = shape[4] })
  local follow = set:dependency { bend.middle, name = name .. "_tendon",
    map = sinew.linear { { -100, -100 * data.coupling }, { 100, 100 * data.coupling } } }
  distal:drive(set:rotation { follow, axis = flexion_axis, name = name .. "_tip" })
end

local function add_thumb(set, carpus, suffix, segments)
  local thumb = data.thumb
  local l, shape = thumb.lengths, thumb_shapes()
  local curl = set:dof("thumb_curl", { min = -1, max = 1, unit = "", label = "thumb curl" })
  local across = set:dof("thumb_opposition", { min = -1, max = 1, unit = "",
    label = "thumb across the palm" })
  local bend = set:map { curl, name = "thumb_bend", base = through(thumb.base),
    knuckle = through(thumb.knuckle), tip = through(thumb.tip) }
  local swing = set:map { across, name = "thumb_saddle", swing = through(thumb.swing),
    roll = through(thumb.roll) }
  local function bent(length, angle)
    return sinew.mat4.translation(0, -length * mm, 0) * sinew.mat4.turn(flexion_axis, angle)
  end
  local metacarpal = set:segment("metacarpal_thumb" .. suffix, { parent = carpus,
    rest = frame(metres(thumb.at), thumb.direction, thumb.palm), shape = shape[1] })
  -- a saddle: away from and towards the palm, across it, and the roll that comes with that
  metacarpal:drive(set:multiply {
    set:rotation { swing.swing, axis = { -0.15, 0, 1 }, name = "thumb_swing" },
    set:rotation { bend.base, axis = flexion_axis, name = "thumb_base" },
    set:rotation { swing.roll, axis = { 0, 1, 0 }, name = "thumb_roll" },
    name = "thumb_carpal",
  })
  local proximal = set:segment("proximal_thumb" .. suffix, { parent = metacarpal,
    rest = bent(l[1], thumb.knuckle[2]), shape = shape[2] })
  proximal:drive(set:rotation { bend.knuckle, axis = flexion_axis, name = "thumb_knuckle" })
  local distal = set:segment("distal_thumb" .. suffix, { parent = proximal,
    rest = bent(l[2], thumb.tip[2]), shape = shape[3] })
  distal:drive(set:rotation { bend.tip, axis = flexion_axis, name = "thumb_tip" })
  segments.metacarpal_thumb, segments.proximal_thumb, segments.distal_thumb = metacarpal, proximal,
    distal
end

-- carpus and relaxed fingers in one
local function still_shape()
  local parts = { carpus_shape() }
  local function add(at, list, lengths_of, bends)
    for k, shape in ipairs(list) do
      if k > 1 then
        at = at * sinew.mat4.translation(0, -lengths_of[k - 1] * mm, 0)
          * sinew.mat4.turn(flexion_axis, bends[k - 1])
      end
      parts[#parts + 1] = shapes.placed(shape, at)
    end
  end
  local thumb = data.thumb
  add(frame(metres(thumb.at), thumb.direction, thumb.palm), thumb_shapes(), thumb.lengths,
    { thumb.knuckle[2], thumb.tip[2] })
  for _, finger in ipairs(data.fingers) do
    local direction = { 0.02, -sinew.cos(finger.fan), sinew.sin(finger.fan) }
    add(frame(metres(finger.at), direction, { 1, 0, 0 }), finger_shapes(finger), finger.lengths,
      { data.knuckle[2], data.middle[2], data.coupling * data.middle[2] })
  end
  return shapes.merge(parts)
end

return function(rig, radius, options)
  local w, segments = limbs.wrist, {}
  local wrist = rig:joint_set(options.side .. "_wrist")
  local flexion = wrist:dof("flexion", { min = -w.extension, max = w.flexion, label = "bend" })
  local deviation = wrist:dof("deviation", { min = -w.ulnar, max = w.radial,
    label = "side to side" })
  local carpus = wrist:segment("carpus" .. options.suffix, { parent = radius, at = options.at,
    shape = options.still and still_shape() or carpus_shape() })
  -- wider than the DOFs: the cone alone holds the swing
  local bend = wrist:rotation { flexion, axis = { 0, 0, 1 }, angles = { -89, 89 },
    name = "bend" }
  local side = wrist:rotation { deviation, axis = { -1, 0, 0 }, angles = { -60, 60 },
    name = "side" }
  carpus:drive(wrist:cone { angle1 = flexion, angle2 = deviation, rotation1 = bend,
    rotation2 = side, rest = { 0, -1, 0 }, points = wrist_cone(), name = "reach" }.transform)

  if options.still then return { wrist = wrist, carpus = carpus, segments = segments } end
  local set = rig:joint_set(options.side .. "_hand")
  local spread = set:dof("spread", { min = -1, max = 1, unit = "", label = "fingers apart" })
  add_thumb(set, carpus, options.suffix, segments)
  for _, finger in ipairs(data.fingers) do
    add_finger(set, carpus, spread, finger, options.suffix, segments)
  end
  return { wrist = wrist, set = set, carpus = carpus, segments = segments }
end
