-- A camera mast on three legs: three tubes slide out of one another.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Mast = require "sinew.joints.mast"

local function tube(radius, low, high)
  local function rod(r, from, to)
    return shapes.tube { points = { { 0, from, 0 }, { 0, to, 0 } }, radius = r, cap = 0.1,
      detail = 28 }
  end
  return shapes.merge { rod(radius, low, high), rod(radius + 0.012, high - 0.05, high) }
end

local rig = sinew.rig "mast"
local parts = { tube(0.075, 0.05, 1) }
for i = 0, 2 do
  local x, z = sinew.sin(120 * i + 30), sinew.cos(120 * i + 30)
  parts[#parts + 1] = shapes.tube { points = { { 0.08 * x, 0.4, 0.08 * z },
    { 0.5 * x, 0.02, 0.5 * z } }, radius = 0.022 }
end
local base = rig:bone("base", { set = "mast", shape = shapes.merge(parts) })
local out = rig:add(Mast { rig:dof("mast.reach", { min = 0, max = 2.4, rest = 0 }), name = "mast",
  strokes = { 0.8, 0.8, 0.8 } })
local low = base:bone("low", { at = { 0, 0.06, 0 }, shape = tube(0.058, 0, 1) })
local middle = low:bone("middle", { at = { 0, 0.06, 0 }, shape = tube(0.043, 0, 1) })
local top = middle:bone("top", { at = { 0, 0.06, 0 }, shape = tube(0.03, 0, 1) })
low:drive(out.first)
middle:drive(out.second)
top:drive(out.third)
top:bone("camera", { at = { 0, 1.02, 0 }, hinge = { "pan", -180, 180, axis = "y" },
  shape = shapes.merge { shapes.box { size = { 0.14, 0.16, 0.26 }, at = { 0, 0.09, 0 } },
    shapes.tube { points = { { 0, 0.09, 0.1 }, { 0, 0.09, 0.2 } }, radius = { 0.05, 0.065 },
      cap = 0.1, detail = 20 } } })
return rig
