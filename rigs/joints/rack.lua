-- Steering: the pinion moves the rack, whose ends turn the wheels of a car.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Rack = require "sinew.joints.rack"

local teeth, radius = 16, 0.06
local step = 2 * math.pi * radius / teeth -- from tooth to tooth
local function rod(r, from, to)
  return shapes.tube { points = { from, to }, radius = r, cap = 0.1, detail = 28 }
end
-- a tooth that points up, its foot at (x, y)
local function tooth(x, y)
  return shapes.plate { thickness = 0.036, outline = { { x - 0.3 * step, y - 0.01, 0 },
    { x + 0.3 * step, y - 0.01, 0 }, { x + 0.12 * step, y + 0.014, 0 },
    { x - 0.12 * step, y + 0.014, 0 } } }
end
local gear, low = { rod(radius - 0.007, { 0, 0, -0.016 }, { 0, 0, 0.016 }),
  rod(0.022, { 0, 0, -0.03 }, { 0, 0, 0.035 }) }, -radius - 0.007
for i = 1, teeth do -- with a gap straight below
  gear[#gear + 1] = shapes.placed(tooth(0, radius - 0.007),
    sinew.mat4.turn({ 0, 0, 1 }, 360 * (i + 0.5) / teeth))
end
local bar = { shapes.box { size = { 0.5, 0.03, 0.036 }, at = { 0, low - 0.017, 0 } },
  rod(0.013, { -0.33, low - 0.017, 0 }, { 0.33, low - 0.017, 0 }),
  shapes.ellipsoid { radii = 0.022, at = { -0.33, low - 0.017, 0 } },
  shapes.ellipsoid { radii = 0.022, at = { 0.33, low - 0.017, 0 } } }
for i = -10, 10 do bar[#bar + 1] = tooth(i * step, low) end

local rig = sinew.rig "rack"
local housing = rig:bone("housing", { set = "steering", at = { 0, 0.16, 0 }, shape = shapes.merge {
  rod(0.022, { 0, 0, -0.09 }, { 0, 0, -0.03 }),
  shapes.box { size = { 0.2, 0.03, 0.1 }, at = { 0, -radius - 0.07, -0.02 } },
  shapes.box { size = { 0.07, 0.17, 0.02 }, at = { 0, -0.06, -0.08 } } } })
local steer = rig:add(Rack { rig:dof("steering.angle", -150, 150), name = "rack", radius = radius,
  stop = 0.14 })
housing:bone("pinion", { shape = shapes.merge(gear) }):drive(steer.pinion)
housing:bone("rack", { shape = shapes.merge(bar) }):drive(steer.rack)
return rig
