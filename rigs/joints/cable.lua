-- A training machine: pulling the handle lifts a weight by a cable over a pulley.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Cable = require "sinew.joints.cable"

local radius, start, hang = 0.12, sinew.vec3(0.5, -0.45, 0), 0.85
local function rod(r, from, to)
  return shapes.tube { points = { from, to }, radius = r, cap = 0.1, detail = 24 }
end
local function box(x, y, z, ...) return shapes.box { size = { x, y, z }, at = { ... } } end
local ring = {}
for i = 0, 24 do ring[#ring + 1] = { radius * sinew.cos(15 * i), radius * sinew.sin(15 * i), 0 } end
-- pieces of the cable are drawn as stiff rods, which slide into each other
local function piece(x, from, to) return rod(0.014, { x, from, 0 }, { x, to, 0 }) end

local rig = sinew.rig "cable"
local frame = rig:bone("frame", { set = "pulley", at = { 0, 1.5, 0 }, shape = shapes.merge {
  box(0.06, 1.56, 0.06, 0, -0.72, -0.12), box(0.6, 0.06, 0.4, 0, -1.47, -0.12),
  rod(0.025, { 0, 0, -0.12 }, { 0, 0, 0.05 }), piece(-radius, -0.45, 0) } })
local handle = frame:bone("handle", { at = start, slider = {
  { "x", -0.15, 0.45, axis = "x" }, { "y", -0.4, 0.3, axis = "y" } },
  shape = rod(0.03, { 0, 0, -0.15 }, { 0, 0, 0.15 }) })
local pull = rig:add(Cable { handle, frame = frame, name = "cable",
  radius = radius, start = start, hang = hang })
frame:bone("wheel", { shape = shapes.merge { rod(radius - 0.01, { 0, 0, -0.012 }, { 0, 0, 0.012 }),
  shapes.tube { points = ring, radius = 0.012 }, shapes.ellipsoid { radii = { 0.02, 0.02, 0.024 },
    at = { 0, 0.07, 0 } }, rod(0.035, { 0, 0, -0.025 }, { 0, 0, 0.025 }) } }):drive(pull.wheel)
frame:bone("cable", { shape = piece(radius, 0, -0.5) }):drive(pull.cable)
handle:bone("grip", { shape = piece(0, 0, 0.5) }):drive(pull.cable)
frame:bone("weight", { at = { -radius, -hang, 0 }, shape = shapes.merge { piece(0, 0, 0.45),
  box(0.2, 0.07, 0.16, 0, -0.04, 0), box(0.2, 0.07, 0.16, 0, -0.12, 0),
  box(0.2, 0.07, 0.16, 0, -0.2, 0) } }):drive(pull.weight)
return rig
