-- A hind leg that walks on its toes, on a given trunk. All numbers are chosen.
--
--   local talon = require "parts.talon"
--   talon(rig, trunk, { at = {-0.14, -0.04, -0.3} })
--
-- A right leg that stands, in the rig's frame; sinew.mirror makes the left one. `crouch` bends hip,
-- knee and ankle at once, by curves, so that the toes stay under the hip; the ankle bends on with
-- the knee as the tendons of a bird's leg do. Gives the joint set.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local vec3 = sinew.vec3
local sideways = { -1, 0, 0 } -- positive turns lift what points forward

local thigh, shank, foot = vec3(-0.05, -0.3, 0.2), vec3(0.01, -0.36, -0.24), vec3(0, -0.27, 0.08)
local toes = { { -26, 0.19 }, { 0, 0.22 }, { 26, 0.19 }, { 180, 0.1 } }

local function bone(to, radius)
  return shapes.long_bone { to = to, radius = radius, head = 1.7 * radius, foot = 1.8 * radius }
end

local function toe_shape(way)
  return shapes.merge {
    shapes.tube { points = { { 0, 0, 0 }, way * 0.35 + vec3(0, 0.022, 0), way * 0.7 },
      radius = { 0.017, 0.013, 0.012 }, detail = 8 },
    shapes.tube { points = { way * 0.68, way * 0.9 + vec3(0, 0.012, 0), way + vec3(0, -0.018, 0) },
      radius = { 0.013, 0.009, 0.002 }, detail = 8 } }
end

return function(rig, trunk, options)
  local set = rig:joint_set "right_leg"
  local stride = set:dof("stride", { min = -40, max = 50, label = "forward and back" })
  local out = set:dof("out", { min = -12, max = 35, label = "out and in" })
  local crouch = set:dof("crouch", { min = -0.5, max = 1, unit = "", label = "crouch" })
  local grip = set:dof("grip", { min = -0.3, max = 1, unit = "", label = "grip" })

  local knee = crouch:monotone { { -0.5, 26 }, { 0, 0 }, { 1, -78 } }
  local ankle = knee:linear { { -78, 62 }, { 0, 0 }, outside = "extend" }

  local femur = set:segment("femur_r", { parent = trunk, at = options.at,
    shape = bone(thigh, 0.03) })
  local reach = set:cone { sinew.rotate(stride, sideways) * sinew.rotate(out, "-z"),
    rest = thigh:unit(), ellipse = { 30, 45, 16, 45 }, right = sideways, name = "reach" }
  femur:drive(reach.transform
    * sinew.rotate(crouch:monotone { { -0.5, -14 }, { 0, 0 }, { 1, 42 } }, sideways))
  local tibia = femur:bone("tibia_r", { at = thigh, shape = bone(shank, 0.022),
    hinge = { knee, axis = sideways } })
  local metatarsus = tibia:bone("metatarsus_r", { at = shank, shape = bone(foot, 0.018),
    hinge = { ankle, axis = sideways } })
  -- the sole stays level while the leg bends
  local level = crouch:monotone { { -0.5, 4 }, { 0, 0 }, { 1, -26 } }
  local curl = grip:piecewise { { -0.3, 20 }, { 0, 0 }, { 1, -75 } }
  for i, toe in ipairs(toes) do
    local way = vec3(sinew.sin(toe[1]), -0.1, sinew.cos(toe[1])) * toe[2]
    metatarsus:bone(("toe%d_r"):format(i), { at = foot, shape = toe_shape(way),
      hinge = { { level, axis = sideways }, { curl, axis = way:cross { 0, 1, 0 } } } })
  end
  return set
end
