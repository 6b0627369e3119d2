-- An arm of four angles for compare.lua: its motion out of a clip or made up, limits learnt from
-- that, and the arm following a hand.
--
-- The upper arm rests along -y. Flexion turns about -x, abduction about -z, the twist about the
-- bone, the elbow about the upper arm's own -x; so with flexion f and abduction b it points along
-- (-sin b, -cos b cos f, cos b sin f).
local sinew = require "sinew"

local arm = {}
local names = { "flexion", "abduction", "twist" }

-- the four angles of elbow and hand, both seen from the shoulder; `before` decides where the arm is
-- straight, and which turn of the circle an angle is in
function arm.angles_of(elbow, hand, before)
  local d = elbow:unit()
  local abduction = sinew.asin(math.max(-1, math.min(1, -d.x)))
  local flexion = sinew.atan2(d.z, -d.y)
  local swing = sinew.quat.axis({ -1, 0, 0 }, flexion) * sinew.quat.axis({ 0, 0, -1 }, abduction)
  local g = (hand - elbow):unit():rotate(swing:inverse())
  local bend = sinew.acos(math.max(-1, math.min(1, -g.y)))
  local twist = bend > 3 and sinew.atan2(-g.x, g.z) or before and before[3] or 0
  local found = { flexion, abduction, twist, bend }
  for i = 1, before and 3 or 0 do
    found[i] = found[i] - 360 * math.floor((found[i] - before[i]) / 360 + 0.5)
  end
  return found
end

-- frames = { { elbow =, hand =, angles = } ... }, lengths and name of a clip's right arm
function arm.from_clip(path, step)
  local motion, message = sinew.load_motion(path)
  if not motion then return nil, message end
  local frames, upper, fore = {}, nil, nil
  for f = 1, #motion, step do
    local shoulder = motion:world(f, "RightShoulder"):inverse()
    local function place(joint)
      return (shoulder * motion:world(f, joint)):position()
    end
    local root = place "RightArm"
    local elbow, hand = place "RightForeArm" - root, place "RightHand" - root
    upper, fore = upper or elbow:length(), fore or (hand - elbow):length()
    -- a file without a unit: the upper arm is 0.3 m long
    elbow, hand = elbow * (0.3 / upper), hand * (0.3 / upper)
    local before = frames[#frames] and frames[#frames].angles
    frames[#frames + 1] = { elbow = elbow, hand = hand,
      angles = arm.angles_of(elbow, hand, before) }
  end
  return { frames = frames, upper = 0.3, fore = 0.3 * fore / upper, rate = motion.rate / step }
end

-- somebody who wipes a board: wide arcs with the elbow lifted as the hand goes up
function arm.made_up()
  local frames, upper, fore = {}, 0.3, 0.26
  for i = 0, 299 do
    local t = 6 * i
    local flexion = 55 + 40 * sinew.sin(t) + 8 * sinew.sin(2.7 * t)
    local abduction = 25 + 20 * sinew.sin(0.63 * t + 40) + 0.15 * (flexion - 55)
    local twist = -10 + 0.5 * (flexion - 55) - 15 * sinew.sin(0.63 * t)
    local bend = 60 + 35 * sinew.sin(1.31 * t + 80)
    local swing = sinew.quat.axis({ -1, 0, 0 }, flexion) * sinew.quat.axis({ 0, 0, -1 }, abduction)
      * sinew.quat.axis({ 0, -1, 0 }, twist)
    local elbow = sinew.vec3(0, -upper, 0):rotate(swing)
    local along = sinew.vec3(0, -fore * sinew.cos(bend), fore * sinew.sin(bend))
    frames[#frames + 1] = { elbow = elbow, hand = elbow + along:rotate(swing),
      angles = { flexion, abduction, twist, bend } }
  end
  return { frames = frames, upper = upper, fore = fore, rate = 30 }
end

local function ranges(frames)
  local low, high = {}, {}
  for i = 1, 4 do
    low[i], high[i] = math.huge, -math.huge
    for _, frame in ipairs(frames) do
      low[i] = math.min(low[i], frame.angles[i])
      high[i] = math.max(high[i], frame.angles[i])
    end
  end
  return low, high
end

local function axes_of(frames, cells)
  local low, high = ranges(frames)
  local axes = {}
  for i = 1, 3 do
    local around = math.max(12, 0.15 * (high[i] - low[i]))
    axes[i] = { min = low[i] - around, max = high[i] + around, resolution = cells }
  end
  return axes
end

local function samples_of(frames)
  local samples = {}
  for i, frame in ipairs(frames) do
    samples[i] = { frame.angles[1], frame.angles[2], frame.angles[3] }
  end
  return samples
end

-- an ellipsoid in the space of the angles that holds all samples, as an artist would draw it first:
-- mean, covariance = L L', and how many L the farthest sample is away; written as OBJ
local function write_egg(frames, path)
  local mean, c, samples = { 0, 0, 0 }, {}, samples_of(frames)
  for _, s in ipairs(samples) do
    for i = 1, 3 do mean[i] = mean[i] + s[i] / #samples end
  end
  for i = 1, 3 do
    c[i] = {}
    for j = 1, 3 do
      c[i][j] = i == j and 9 or 0 -- at least three degrees thick
      for _, s in ipairs(samples) do
        c[i][j] = c[i][j] + (s[i] - mean[i]) * (s[j] - mean[j]) / #samples
      end
    end
  end
  local l = { {}, {}, {} }
  for i = 1, 3 do
    for j = 1, i do
      local sum = c[i][j]
      for k = 1, j - 1 do sum = sum - l[i][k] * l[j][k] end
      l[i][j] = i == j and math.sqrt(sum) or sum / l[j][j]
    end
  end
  local most = 0
  for _, s in ipairs(samples) do
    local u, size = {}, 0
    for i = 1, 3 do
      local sum = s[i] - mean[i]
      for k = 1, i - 1 do sum = sum - l[i][k] * u[k] end
      u[i] = sum / l[i][i]
      size = size + u[i] * u[i]
    end
    most = math.max(most, math.sqrt(size))
  end
  local lines, rings, around = {}, 16, 32
  local function vertex(x, y, z)
    local u, p = { x * most, y * most, z * most }, {}
    for i = 1, 3 do
      p[i] = mean[i]
      for k = 1, i do p[i] = p[i] + l[i][k] * u[k] end
    end
    lines[#lines + 1] = ("v %.5f %.5f %.5f"):format(p[1], p[2], p[3])
  end
  vertex(0, 0, 1)
  for r = 1, rings - 1 do
    for a = 0, around - 1 do
      local polar, turn = 180 * r / rings, 360 * a / around
      vertex(sinew.sin(polar) * sinew.cos(turn), sinew.sin(polar) * sinew.sin(turn),
        sinew.cos(polar))
    end
  end
  vertex(0, 0, -1)
  local last = 2 + (rings - 1) * around
  local function at(r, a) return 2 + (r - 1) * around + a % around end
  for a = 0, around - 1 do
    lines[#lines + 1] = ("f 1 %d %d"):format(at(1, a), at(1, a + 1))
    for r = 1, rings - 2 do
      lines[#lines + 1] = ("f %d %d %d"):format(at(r, a), at(r + 1, a), at(r + 1, a + 1))
      lines[#lines + 1] = ("f %d %d %d"):format(at(r, a), at(r + 1, a + 1), at(r, a + 1))
    end
    lines[#lines + 1] = ("f %d %d %d"):format(at(rings - 1, a), last, at(rings - 1, a + 1))
  end
  assert(sinew.write_file(path, table.concat(lines, "\n") .. "\n"))
end

local function turns_of(frames)
  local turns = {}
  for i, frame in ipairs(frames) do
    local a = frame.angles
    turns[i] = sinew.quat.axis({ -1, 0, 0 }, a[1]) * sinew.quat.axis({ 0, 0, -1 }, a[2])
      * sinew.quat.axis({ 0, -1, 0 }, a[3])
  end
  return turns
end

local make = {}

function make.none() return {} end
function make.box() return { box = true } end
function make.cone(frames)
  return { cone = (sinew.fit_cone { samples = turns_of(frames), rest = { 0, -1, 0 }, share = 1,
    axes = { { -1, 0, 0 }, { 0, 0, -1 } } }) }
end
make["field, sampled"] = function(frames)
  return { field = (sinew.field { axes = axes_of(frames, 32), samples = samples_of(frames) }) }
end
make["field, sculpted"] = function(frames, path)
  write_egg(frames, path)
  return { field = (sinew.sculpt_field { axes = axes_of(frames, 24), obj = path }) }
end

arm.kinds = { "none", "box", "cone", "field, sampled", "field, sculpted" }

-- the limits of one kind, learnt from frames; a sculpted surface is written to `path`
function arm.learn(kind, frames, path)
  local limits = make[kind](frames, path)
  limits.low, limits.high = ranges(frames)
  limits.axes = axes_of(frames, 2)
  return limits
end

-- the arm as a rig
function arm.rig(motion, limits)
  local rig = sinew.rig "arm"
  local humerus = rig:segment "humerus"
  local forearm = rig:segment("forearm", { parent = humerus, at = { 0, -motion.upper, 0 } })
  rig:segment("hand", { parent = forearm, at = { 0, -motion.fore, 0 } })
  local set, angles = rig:joint_set "arm", {}
  for i, name in ipairs(names) do
    local range = limits.axes[i]
    local low, high = limits.box and limits.low[i] or range.min, limits.box and limits.high[i]
      or range.max
    if limits.cone or not (limits.box or limits.field) then
      low, high = math.min(low, -180), math.max(high, 180)
    end
    angles[i] = set:dof(name, { min = low, max = high,
      rest = math.max(low, math.min(high, 0)) })
  end
  local bend = set:dof("bend", { min = 0, max = 150 })
  local used = angles
  if limits.field then
    local held = set:field { angles[1], angles[2], angles[3], field = limits.field,
      name = "learnt" }
    used = { held.angle1, held.angle2, held.angle3 }
  end
  local forward = set:rotation { used[1], axis = { -1, 0, 0 }, name = "forward" }
  local outward = set:rotation { used[2], axis = { 0, 0, -1 }, name = "outward" }
  if limits.cone then
    local cone, flat = limits.cone, {}
    for i, pair in ipairs(cone.twist_limits) do
      if i <= #cone then flat[2 * i - 1], flat[2 * i] = pair[1], pair[2] end
    end
    humerus:drive(set:cone { angle1 = used[1], angle2 = used[2], twist = used[3],
      rotation1 = forward, rotation2 = outward, rest = cone.rest, visible = cone.visible,
      points = cone.points, twist_limits = flat, visible_twist = cone.twist_limits[#cone + 1],
      name = "reach" }.transform)
  else
    humerus:drive(set:multiply { forward, outward,
      set:rotation { used[3], axis = { 0, -1, 0 }, name = "turning" }, name = "ball" })
  end
  forearm:drive(set:rotation { bend, axis = { -1, 0, 0 }, name = "hinge" })
  return rig
end

-- follows the hand from the motion's first pose on, and looks elsewhere too where it is missed by a
-- millimetre; how far the elbow and the hand are off in each frame, and what it took
function arm.follow(motion, limits, frames)
  local rig = arm.rig(motion, limits)
  local pose, first = rig:pose(), frames[1].angles
  for i, name in ipairs(names) do pose["arm." .. name] = first[i] end
  pose["arm.bend"] = first[4]
  local solver = sinew.solver(rig, { goals = { { segment = "hand", target = frames[1].hand } } })
  local elbow, hand, evaluations = {}, {}, 0
  for i, frame in ipairs(frames) do
    solver:target(1, frame.hand)
    local result = solver:solve(pose, { restarts = false, iterations = 100 })
    local spent = result.evaluations
    if result.error > 0.001 then
      result = solver:solve(pose, { restarts = true, iterations = 300 })
      spent = spent + result.evaluations
    end
    elbow[i] = pose:world("forearm"):position():distance(frame.elbow)
    hand[i] = pose:world("hand"):position():distance(frame.hand)
    evaluations = evaluations + spent
  end
  return { elbow = elbow, hand = hand, evaluations = evaluations / #frames }
end

return arm
