-- The cam of an engine's valve: its nose lifts the roller of the follower.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Cam = require "sinew.joints.cam"

local base, lift, roller = 0.04, 0.055, 0.02
local outline = {}
for i = 0, 71 do
  local nose = 0.5 - 0.5 * sinew.cos(5 * i)
  local radius = base + lift * nose ^ 3
  outline[#outline + 1] = { -radius * sinew.sin(5 * i), radius * sinew.cos(5 * i), 0 }
end
local function rod(radius, from, to)
  return shapes.tube { points = { from, to }, radius = radius, cap = 0.1, detail = 28 }
end

local rig = sinew.rig "cam"
-- the shaft's bearing behind the cam, and the guide of the stem
local frame = rig:bone("frame", { set = "valve", at = { 0, 0.15, 0 }, shape = shapes.merge {
  shapes.box { size = { 0.07, 0.42, 0.03 }, at = { 0, 0.08, -0.07 } },
  shapes.box { size = { 0.24, 0.03, 0.12 }, at = { 0, -0.125, -0.03 } },
  shapes.box { size = { 0.06, 0.05, 0.075 }, at = { 0, 0.255, -0.035 } } } })
local joint = rig:add(Cam { rig:dof("valve.angle", -360, 360), name = "cam", base = base,
  lift = lift, roller = roller })
frame:bone("cam", { shape = shapes.merge { shapes.plate { outline = outline, thickness = 0.03 },
  rod(0.02, { 0, 0, -0.07 }, { 0, 0, 0.035 }) } }):drive(joint.cam)
frame:bone("follower", { at = { 0, base + roller, 0 }, shape = shapes.merge {
  rod(roller, { 0, 0, -0.013 }, { 0, 0, 0.013 }), rod(0.006, { 0, 0, -0.03 }, { 0, 0, 0.022 }),
  shapes.box { size = { 0.022, 0.075, 0.008 }, at = { 0, 0.025, -0.022 } },
  rod(0.012, { 0, 0.05, -0.022 }, { 0, 0.28, -0.022 }),
  rod(0.03, { 0, 0.28, -0.022 }, { 0, 0.295, -0.022 }) } }):drive(joint.follower)
return rig
