-- The whole figure: a man of 1.71 m who stands, arms hanging, feet on the ground at y = 0. His
-- bones alone are 4 cm less.
--
-- Pelvis (the root, with six DOFs of its own), spine and rib cage, head and jaw, then on each side
-- shoulder, elbow, wrist and hand, hip, knee, ankle and foot, from parts/ and data/. The right side
-- is made, the left one mirrored: equal values on both sides give a symmetric pose. Shoulders,
-- wrists, hips and ankles are held by reach cones; the knee depends on the hip (muscles that pass
-- both), the end joints of the fingers on the middle ones. He weighs 70 kg (data/mass.lua).
--
-- Options: hands = false leaves out the fingers' joints, spine = "simple" makes seven segments of
-- the 24 vertebrae and their ribs, height is in metres. DOFs that remain have the same names.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local limbs = require "data.limbs"
local leg = require "data.knee"

local options = sinew.options {
  hands = { true, doc = "fingers that move" },
  spine = { "full", "simple", doc = "24 vertebrae with ribs, or seven segments" },
  height = { 1.71, min = 0.5, max = 2.5, doc = "metres" },
}

local rig = sinew.rig "human"

local down = limbs.ankle.at[2] + leg.femur.at[2] - leg.tibia.at[2]
local pelvis = rig:bone("pelvis", { set = "body", at = { 0, limbs.ankle.sole - down, 0 },
  shape = shapes.pelvis { width = -limbs.hip.at[1] / 0.31 }, free = { range = 5 } })
for name, label in pairs { x = "to the left", y = "up", z = "forward", turn = "turn to the left",
  lean = "lean forward", tilt = "tilt to the right" } do
  pelvis[name].label = label
end

local trunk = require "parts.spine"(rig, pelvis, { at = { 0, 0.103, -0.05 },
  level = options.spine })
require "parts.head"(rig, trunk.skull)

-- arms: the clavicles hang on the sternum, which is also what the shoulder blades glide round
local right = { side = "right", suffix = "_r" }
local numbers = require "data.shoulder"
local shoulder = require "parts.shoulder"(rig, trunk.sternum, numbers, right)
local forearm = require "parts.arm"(rig, rig:find "humerus_r", { side = "right", suffix = "_r",
  elbow = { 0, -numbers.humerus.length, 0 } })
local hand = require "parts.hand"(rig, forearm.radius, { side = "right", suffix = "_r",
  at = forearm.wrist, still = not options.hands })
sinew.mirror { shoulder, forearm.ulna.joint_set, hand.wrist, hand.set }

local femur = require "parts.hip"(rig, pelvis, right)
local knee = require "parts.knee"(rig, femur, { name = "right_knee", suffix = "_r",
  -- the hamstrings bend the knee of a flexed hip, the quadriceps stretches that of a stretched one
  limit = function(set, flexion)
    return set:dependency { femur.held.flexion, flexion, lower = sinew.piecewise(limbs.hamstrings),
      upper = sinew.piecewise(limbs.quadriceps), name = "two_joint_muscles" }.value
  end })
local foot = require "parts.foot"(rig, knee.tibia, right)
sinew.mirror { femur.joint_set, knee.set, foot.ankle, foot.set }

require "parts.mass"(rig, trunk.frames)
sinew.scale(rig, options.height / 1.71)
return rig
