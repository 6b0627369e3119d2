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
local thorax = rig:segment("thorax", { at = { 0, 1.2, 0 }, shape = shapes.ellipsoid {
  radii = { 0.14, 0.22, 0.1 }, at = { 0, 0.02, 0 } } })
local shoulder = rig:joint_set "shoulder"
local humerus = shoulder:segment("humerus", { parent = thorax, at = { -0.19, 0.17, 0 },
  shape = shapes.long_bone { to = { 0, -0.31, 0 }, neck = { -0.014, -0.02, 0 }, radius = 0.011,
    head = 0.022, foot = 0.016, condyles = 0.018 } })
rig:segment("forearm", { parent = humerus, at = { 0, -0.31, 0 },
  turn = sinew.quat.axis({ -1, 0, 0 }, 70),
  shape = shapes.long_bone { to = { 0, -0.25, 0 }, radius = 0.008, head = 0.014, foot = 0.013 } })

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
