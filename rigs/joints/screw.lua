-- A screw jack: turning the spindle lifts its head.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Screw = require "sinew.joints.screw"

local pitch, radius, length = 0.03, 0.032, 0.3
local function rod(r, from, to)
  return shapes.tube { points = { from, to }, radius = r, cap = 0.1, detail = 28 }
end
-- the thread: a tube that winds about the spindle once in a pitch
local thread = {}
for i = 0, 16 * length / pitch do
  local angle, y = 22.5 * i, pitch * i / 16
  thread[#thread + 1] = { radius * sinew.sin(angle), y, radius * sinew.cos(angle) }
end

local rig = sinew.rig "screw"
local base = rig:bone("base", { set = "jack", shape = shapes.merge {
  shapes.tube { points = { { 0, 0, 0 }, { 0, 0.03, 0 } }, radius = 0.16, cap = 0.1, detail = 32 },
  shapes.tube { points = { { 0, 0.02, 0 }, { 0, 0.12, 0 }, { 0, 0.22, 0 } },
    radius = { 0.13, 0.075, 0.065 }, cap = 0.1, detail = 32 } } })
local turn = rig:dof("jack.turn", { min = 0, max = 2160, rest = 0 })
local screw = rig:add(Screw { turn, name = "screw", pitch = pitch, low = 0, high = 0.18 })
local spindle = base:bone("spindle", { at = { 0, 0.05, 0 }, shape = shapes.merge {
  rod(radius - 0.004, { 0, 0, 0 }, { 0, length, 0 }),
  shapes.tube { points = thread, radius = 0.008, detail = 8 },
  rod(0.05, { 0, length - 0.01, 0 }, { 0, length + 0.05, 0 }),
  rod(0.011, { -0.09, length + 0.02, 0 }, { 0.27, length + 0.02, 0 }),
  shapes.ellipsoid { radii = 0.02, at = { 0.27, length + 0.02, 0 } } } })
spindle:drive(screw.transform)
-- the plate on top does not turn
base:bone("plate", { at = { 0, 0.05 + length + 0.05, 0 },
  slider = { screw.travel, axis = "y" }, shape = shapes.merge {
    rod(0.075, { 0, 0, 0 }, { 0, 0.03, 0 }) } })
return rig
