-- A shoulder that knows one motion only: a distance field learnt from it [Engell 2012] moves the
-- arm's three angles to the nearest ones that the motion has been through.
--
-- The motion is made here: arm circles, as somebody warms up. They start small with the arm turned
-- in, widen as it turns, and close again with the arm turned out: a spiral on an egg in the space
-- of the three angles, whose inside the field fills. Angles are the joint's own (flexion,
-- abduction, twist), not z-y-z, which is singular at rest. Cells are of 5 degrees; epsilon is the
-- default, the farthest a sample stands from a node.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local rig = sinew.rig "field"
-- the trunk is as large as it must be for the shoulder blade to meet the arm
local thorax = require "parts.thorax"(rig, { at = { 0, 1.2, 0 }, notch = { 0, 0.192, 0.0415 },
  scale = 1.122, girdle = require "data.shoulder" })
local shoulder = rig:joint_set "shoulder"
local humerus = shoulder:segment("humerus", { parent = thorax, at = { -0.19, 0.17, 0 },
  shape = shapes.humerus { fit = { head = { 0, 0, 0 }, cap = { -0.018, -0.308, 0.001 },
    flange = { 0.011, -0.311, 0 } } } })
rig:segment("forearm", { parent = humerus, at = { 0, -0.31, 0 },
  turn = sinew.quat.axis({ -1, 0, 0 }, 70), shape = shapes.merge {
    shapes.ulna { fit = { notch_lat = { -0.006, 0, -0.001 }, notch_med = { 0.0095, 0, -0.002 },
      head = { 0.002, -0.235, -0.013 } } },
    shapes.radius { at = { -0.018, -0.011, 0.003 }, fit = { head = { 0, 0, 0 },
      lun = { 0.021, -0.236, 0 }, scaph = { 0.022, -0.236, 0.015 } } } } })

local middle, width, circles = { 52, 36, 6 }, { 76, 60, 46 }, 44

-- thirty samples for each circle
local function arm_circles()
  local motion, count = {}, 30 * circles
  for i = 0, count do
    local turned, round = 180 * i / count, 12 * i
    local size = sinew.sin(turned)
    local flexion = middle[1] + width[1] * size * sinew.cos(round)
    local abduction = middle[2] + width[2] * size * sinew.sin(round)
    -- an arm that is up cannot turn in as far
    local twist = middle[3] - width[3] * sinew.cos(turned) + 0.2 * (flexion - middle[1])
    motion[i + 1] = { flexion, abduction, twist }
  end
  return motion
end

local field, report = sinew.field { samples = arm_circles(), axes = {
  { min = -40, max = 145, resolution = 38 }, { min = -40, max = 110, resolution = 31 },
  { min = -65, max = 80, resolution = 30 } } }

local flexion = shoulder:dof("flexion", { min = -40, max = 145, label = "forward and back" })
local abduction = shoulder:dof("abduction", { min = -40, max = 110, label = "out and in" })
local twist = shoulder:dof("twist", { min = -60, max = 75, label = "twist" })
local learnt = shoulder:field { flexion, abduction, twist, field = field, name = "learnt" }
learnt:note("report", report)
humerus:drive(shoulder:multiply {
  shoulder:rotation { learnt.angle1, axis = { -1, 0, 0 }, name = "forward" },
  shoulder:rotation { learnt.angle2, axis = { 0, 0, -1 }, name = "outward" },
  shoulder:rotation { learnt.angle3, axis = { 0, -1, 0 }, name = "turning" },
  name = "arm",
})
return rig
