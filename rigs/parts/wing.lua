-- A dragon's wing on a given trunk, after a bat's: upper arm, forearm, hand and four long fingers
-- that carry the membrane. All numbers are chosen.
--
--   local wing = require "parts.wing"
--   wing(rig, trunk, { at = {-0.12, 0.1, 0.24} })
--
-- A right wing, spread at rest, in the rig's frame; sinew.mirror makes the left one. One DOF `fold`
-- turns shoulder, elbow, wrist and every finger through curves of their own, so that the bones end
-- up beside the body without crossing. The upper arm flaps and sweeps inside a reach cone, and how
-- far it may go depends on the fold: a closed wing cannot beat. Gives the joint set.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local vec3 = sinew.vec3
local upright = { 0, 1, 0 }

-- bones along their rest directions, from joint to joint; `folded` turns about y when closed
local arm = { to = { -0.4, 0.03, -0.14 }, folded = -58 }
local forearm = { to = { -0.5, 0.03, 0.27 }, folded = 108 }
local fingers = {
  { to = { -1.22, 0.02, -0.06 }, folded = -136, droop = 6 },
  { to = { -1.05, 0, -0.56 }, folded = -114, droop = 7 },
  { to = { -0.72, -0.02, -0.86 }, folded = -94, droop = 8 },
  { to = { -0.26, -0.04, -0.88 }, folded = -72, droop = 9 },
}
local knuckle = 0.52 -- of a finger's length
local body_edge = { 0.42, -0.06, -0.72 } -- from the wrist: where the membrane meets the flank

local function mix(a, b, t) return a + (b - a) * t end

local function bone(to, radius, taper)
  return shapes.tube { points = { { 0, 0, 0 }, to * 0.5, to }, detail = 8,
    radius = { 1.5 * radius, radius, taper * radius } }
end

-- the skin between a finger and the next, in two pieces that hang on the finger's two bones
local function membrane(own, other, part)
  local function at(way, t) return way * t - (part == 2 and own * knuckle or vec3()) end
  local outline
  if part == 1 then
    outline = { at(own, 0.02), at(other, 0.02), at(other, knuckle),
      at(mix(own, other, 0.5), knuckle), at(own, knuckle) }
  else
    -- the rim is drawn in between the tips
    outline = { at(own, knuckle), at(other, knuckle), at(other, 0.97),
      at(mix(own, other, 0.72), 0.86), at(mix(own, other, 0.4), 0.83), at(own, 1) }
  end
  return shapes.plate { outline = outline, thickness = 0.006 }
end

local function closing(angle, start)
  return sinew.monotone { { 0, 0 }, { start or 0.1, 0 }, { 0.55, 0.5 * angle }, { 1, angle } }
end

return function(rig, trunk, options)
  local set = rig:joint_set "right_wing"
  local flap = set:dof("flap", { min = -40, max = 65, label = "flap" })
  local sweep = set:dof("sweep", { min = -30, max = 30, label = "forward and back" })
  local twist = set:dof("twist", { min = -30, max = 30, label = "twist" })
  local fold = set:dof("fold", { min = 0, max = 1, unit = "", label = "fold" })
  local camber = set:dof("camber", { min = -1, max = 1, unit = "", label = "camber" })

  local curves = { fold, name = "folding", arm = closing(arm.folded),
    forearm = closing(forearm.folded, 0.02), hand = closing(-8), tilt = closing(48) }
  for i, finger in ipairs(fingers) do
    curves["finger" .. i] = closing(finger.folded, 0.05 * i)
  end
  local folding = set:map(curves)

  -- the folded upper arm lies beside the trunk, with little room to beat or to sweep
  local function room(name, dof, low, high)
    return set:dependency { fold, dof, name = name, lower = sinew.linear { { 0, low },
      { 1, 0.15 * low } }, upper = sinew.linear { { 0, high }, { 1, 0.15 * high } } }.value
  end
  local beat, back = room("beat", flap, -40, 65), room("back", sweep, -30, 30)
  local humerus = set:segment("humerus_r", { parent = trunk, at = options.at,
    shape = bone(vec3(arm.to), 0.024, 1.3) })
  local along = vec3(arm.to):unit()
  local reach = set:cone { name = "reach", rest = along, angle1 = beat, angle2 = back,
    twist = twist,
    rotation1 = set:rotation { beat, axis = { 0, 0, -1 }, angles = { -60, 80 }, name = "flapping" },
    rotation2 = set:rotation { back, axis = upright, angles = { -60, 60 }, name = "sweeping" },
    ellipse = { 62, 28, 38, 28 }, right = upright, twist_limits = { -30, 30 } }
  -- and the closed wing hangs along the flank
  humerus:drive(set:multiply { reach.transform,
    set:rotation { folding.tilt, axis = { 0, 0, 1 }, name = "arm_tilt" },
    set:rotation { folding.arm, axis = upright, name = "arm_fold" }, name = "shoulder" })

  local to = vec3(forearm.to)
  local ulna = set:segment("forearm_r", { parent = humerus, at = arm.to, shape = shapes.merge {
    bone(to, 0.017, 1.1),
    shapes.tube { points = { { 0, 0, 0 }, to * 0.5 + vec3(0.012, -0.012, -0.03), to },
      radius = { 0.018, 0.009, 0.012 }, detail = 8 } } })
  ulna:drive(set:rotation { folding.forearm, axis = upright, name = "elbow_fold" })

  local hand = set:segment("wrist_r", { parent = ulna, at = to, shape = shapes.merge {
    shapes.ellipsoid { radii = { 0.035, 0.025, 0.032 }, detail = 12 },
    -- the thumb's claw
    shapes.tube { points = { { 0, 0, 0.02 }, { -0.02, 0.03, 0.1 }, { -0.05, 0.01, 0.16 } },
      radius = { 0.014, 0.011, 0.003 }, detail = 8 } } })
  hand:drive(set:rotation { folding.hand, axis = upright, name = "wrist_fold" })

  for i, finger in ipairs(fingers) do
    local own = vec3(finger.to)
    local other = vec3(fingers[i + 1] and fingers[i + 1].to or body_edge)
    local across = own:cross(upright):unit() -- turning about it lowers the tip
    local droop = finger.droop
    local bow = set:map { camber, name = "camber" .. i,
      base = sinew.piecewise { { -1, -droop }, { 0, 0 }, { 1, droop } },
      tip = sinew.piecewise { { -1, -2 * droop }, { 0, 0 }, { 1, 3 * droop } } }
    local first = set:segment(("finger%d_r"):format(i), { parent = hand, shape = shapes.merge {
      bone(own * knuckle, 0.011, 1.2), membrane(own, other, 1) } })
    first:drive(set:multiply {
      set:rotation { folding["finger" .. i], axis = upright, name = ("finger%d_fold"):format(i) },
      set:rotation { bow.base, axis = -across, name = ("finger%d_bow"):format(i) },
      name = ("finger%d_base"):format(i) })
    local second = set:segment(("fingertip%d_r"):format(i), { parent = first, at = own * knuckle,
      shape = shapes.merge { bone(own * (1 - knuckle), 0.008, 0.35), membrane(own, other, 2) } })
    second:drive(set:rotation { bow.tip, axis = -across, name = ("fingertip%d_bow"):format(i) })
  end
  return set
end
