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
local upright = vec3(0, 1, 0)

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

return function(rig, trunk, options)
  local set = rig:joint_set "right_wing"
  local flap = set:dof("flap", { min = -40, max = 65, label = "flap" })
  local sweep = set:dof("sweep", { min = -30, max = 30, label = "forward and back" })
  local twist = set:dof("twist", { min = -30, max = 30, label = "twist" })
  local fold = set:dof("fold", { min = 0, max = 1, unit = "", label = "fold" })
  local camber = set:dof("camber", { min = -1, max = 1, unit = "", label = "camber" })

  local function closing(angle, start)
    return fold:monotone { { 0, 0 }, { start or 0.1, 0 }, { 0.55, 0.5 * angle }, { 1, angle } }
  end

  -- the folded upper arm lies beside the trunk, with little room to beat or to sweep
  local room = 1 - 0.85 * fold
  local beat = flap:limit { min = flap.min * room, max = flap.max * room, name = "beat" }
  local back = sweep:limit { min = sweep.min * room, max = sweep.max * room, name = "back" }
  -- and the closed wing hangs along the flank
  local humerus = set:bone("humerus_r", { parent = trunk, at = options.at,
    shape = bone(vec3(arm.to), 0.024, 1.3),
    ball = { { beat, axis = "-z", angles = { -60, 80 } },
      { back, axis = "y", angles = { -60, 60 } }, twist, along = vec3(arm.to):unit(),
      right = upright, name = "reach",
      cone = { ellipse = { 62, 28, 38, 28 }, twist_limits = { -30, 30 } } },
    hinge = { { closing(48), axis = "z" }, { closing(arm.folded), axis = "y" } } })

  local to = vec3(forearm.to)
  local ulna = humerus:bone("forearm_r", { at = arm.to, shape = shapes.merge {
    bone(to, 0.017, 1.1),
    shapes.tube { points = { { 0, 0, 0 }, to * 0.5 + vec3(0.012, -0.012, -0.03), to },
      radius = { 0.018, 0.009, 0.012 }, detail = 8 } },
    hinge = { closing(forearm.folded, 0.02), axis = "y" } })

  local hand = ulna:bone("wrist_r", { at = to, shape = shapes.merge {
    shapes.ellipsoid { radii = { 0.035, 0.025, 0.032 }, detail = 12 },
    -- the thumb's claw
    shapes.tube { points = { { 0, 0, 0.02 }, { -0.02, 0.03, 0.1 }, { -0.05, 0.01, 0.16 } },
      radius = { 0.014, 0.011, 0.003 }, detail = 8 } },
    hinge = { closing(-8), axis = "y" } })

  for i, finger in ipairs(fingers) do
    local own, droop = vec3(finger.to), finger.droop
    local other = vec3(fingers[i + 1] and fingers[i + 1].to or body_edge)
    local lift = upright:cross(own) -- turning against it lowers the tip
    local first = hand:bone(("finger%d_r"):format(i), { shape = shapes.merge {
      bone(own * knuckle, 0.011, 1.2), membrane(own, other, 1) },
      hinge = { { closing(finger.folded, 0.05 * i), axis = "y" },
        { droop * camber, axis = lift } } })
    first:bone(("fingertip%d_r"):format(i), { at = own * knuckle,
      shape = shapes.merge { bone(own * (1 - knuckle), 0.008, 0.35), membrane(own, other, 2) },
      hinge = { camber:piecewise { { -1, -2 * droop }, { 0, 0 }, { 1, 3 * droop } },
        axis = lift } })
  end
  return set
end
