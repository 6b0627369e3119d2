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

local function carpus_shape()
  local parts = {}
  -- two rows of four, an arch that is hollow towards the palm
  for row, y in ipairs { -7, -19 } do
    for k = 0, 3 do
      local z = 15 - 10 * k + (row == 2 and 1 or 0)
      parts[#parts + 1] = shapes.ellipsoid { radii = { 7.5 * mm, 7 * mm, 6 * mm }, detail = 8,
        at = { (k == 0 or k == 3) and 3 * mm or 0, y * mm - (k == 3 and -2 * mm or 0), z * mm } }
    end
  end
  return shapes.merge(parts)
end

local function bone(length, width, last)
  local l, w = length * mm, width * mm
  if last then
    return shapes.tube { points = { { 0, 0, 0 }, { 0, -0.6 * l, 0 }, { 0, -l, 0 } },
      radius = { 1.3 * w, 0.7 * w, 0.75 * w }, detail = 8 }
  end
  return shapes.long_bone { to = { 0, -l, 0 }, radius = 0.78 * w, head = 1.3 * w, foot = 1.25 * w }
end

-- angles at -1, 0 and 1, counted from the relaxed one
local function through(angles)
  return sinew.piecewise { { -1, angles[1] - angles[2] }, { 0, 0 }, { 1, angles[3] - angles[2] } }
end

local flexion_axis, spread_axis = { 0, 0, 1 }, { -1, 0, 0 }

local function add_finger(set, carpus, spread, finger, suffix, segments)
  local name, l = finger.name, finger.lengths
  local curl = set:dof(name .. "_curl", { min = -1, max = 1, unit = "", label = name .. " curl" })
  local function joint(short, options) -- a segment of this finger
    segments[short] = set:segment(short .. suffix, options)
    return segments[short]
  end
  local direction = { 0.02, -sinew.cos(finger.fan), sinew.sin(finger.fan) }
  local metacarpal = joint("metacarpal_" .. name, { parent = carpus,
    rest = frame(metres(finger.at), direction, { 1, 0, 0 }), shape = bone(l[1], finger.width) })
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
    data.knuckle[2]), shape = bone(l[2], finger.width * 0.95) })
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
    shape = bone(l[3], finger.width * 0.85) })
  middle:drive(set:rotation { bend.middle, axis = flexion_axis, name = name .. "_middle" })
  local distal = joint("distal_" .. name, { parent = middle,
    rest = bent(l[3], data.coupling * data.middle[2]), shape = bone(l[4], finger.width * 0.75,
    true) })
  local follow = set:dependency { bend.middle, name = name .. "_tendon",
    map = sinew.linear { { -100, -100 * data.coupling }, { 100, 100 * data.coupling } } }
  distal:drive(set:rotation { follow, axis = flexion_axis, name = name .. "_tip" })
end

local function add_thumb(set, carpus, suffix, segments)
  local thumb = data.thumb
  local l, w = thumb.lengths, thumb.width
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
    rest = frame(metres(thumb.at), thumb.direction, thumb.palm), shape = bone(l[1], w) })
  -- a saddle: away from and towards the palm, across it, and the roll that comes with that
  metacarpal:drive(set:multiply {
    set:rotation { swing.swing, axis = { -0.15, 0, 1 }, name = "thumb_swing" },
    set:rotation { bend.base, axis = flexion_axis, name = "thumb_base" },
    set:rotation { swing.roll, axis = { 0, 1, 0 }, name = "thumb_roll" },
    name = "thumb_carpal",
  })
  local proximal = set:segment("proximal_thumb" .. suffix, { parent = metacarpal,
    rest = bent(l[1], thumb.knuckle[2]), shape = bone(l[2], w * 0.95) })
  proximal:drive(set:rotation { bend.knuckle, axis = flexion_axis, name = "thumb_knuckle" })
  local distal = set:segment("distal_thumb" .. suffix, { parent = proximal,
    rest = bent(l[2], thumb.tip[2]), shape = bone(l[3], w * 0.9, true) })
  distal:drive(set:rotation { bend.tip, axis = flexion_axis, name = "thumb_tip" })
  segments.metacarpal_thumb, segments.proximal_thumb, segments.distal_thumb = metacarpal, proximal,
    distal
end

-- carpus and relaxed fingers in one
local function still_shape()
  local parts = { carpus_shape() }
  local function add(at, lengths, width, thinner, bends)
    for k, length in ipairs(lengths) do
      if k > 1 then
        at = at * sinew.mat4.translation(0, -lengths[k - 1] * mm, 0)
          * sinew.mat4.turn(flexion_axis, bends[k - 1])
      end
      parts[#parts + 1] = shapes.placed(bone(length, width * thinner[k], k == #lengths), at)
    end
  end
  local thumb = data.thumb
  add(frame(metres(thumb.at), thumb.direction, thumb.palm), thumb.lengths, thumb.width,
    { 1, 0.95, 0.9 }, { thumb.knuckle[2], thumb.tip[2] })
  for _, finger in ipairs(data.fingers) do
    local direction = { 0.02, -sinew.cos(finger.fan), sinew.sin(finger.fan) }
    add(frame(metres(finger.at), direction, { 1, 0, 0 }), finger.lengths, finger.width,
      { 1, 0.95, 0.85, 0.75 }, { data.knuckle[2], data.middle[2], data.coupling * data.middle[2] })
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
