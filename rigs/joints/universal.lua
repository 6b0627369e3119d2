-- Two shafts with a universal joint between them.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Universal = require "sinew.joints.universal"

local function rod(radius, ...)
  return shapes.tube { points = { ... }, radius = radius, cap = 0.15, detail = 24 }
end
-- a shaft along z with a fork whose two arms are at x or y; a notch shows how far it has turned
local function shaft(sign, x, y)
  local parts = { rod(0.035, { 0, 0, 0.14 * sign }, { 0, 0, 0.5 * sign }),
    rod(0.05, { 0, 0, 0.3 * sign }, { 0, 0, 0.36 * sign }),
    shapes.ellipsoid { radii = 0.022, at = { 0.055 * x, 0.055 * y, 0.33 * sign } } }
  for _, side in ipairs { -0.085, 0.085 } do
    parts[#parts + 1] = shapes.tube { points = { { 0, 0, 0.15 * sign },
      { 0.8 * side * x, 0.8 * side * y, 0.13 * sign }, { side * x, side * y, 0.06 * sign },
      { side * x, side * y, -0.01 * sign } }, radius = { 0.034, 0.026, 0.024, 0.024 },
      flat = 0.6, up = { x, y, 0 } }
  end
  return shapes.merge(parts)
end

local rig = sinew.rig "universal"
local stand = rig:bone("stand", { set = "shaft", at = { 0, 0.3, 0 }, shape = shapes.merge {
  shapes.box { size = { 0.16, 0.2, 0.05 }, at = { 0, -0.1, -0.46 } },
  shapes.box { size = { 0.2, 0.04, 0.16 }, at = { 0, -0.2, -0.46 } } } })
local joint = rig:add(Universal { rig:dof("shaft.angle", -720, 720),
  rig:dof("shaft.bend", { min = -60, max = 60, rest = 0 }), name = "universal" })
local driver = stand:bone("driver", { shape = shaft(-1, 0, 1) })
driver:drive(joint.driver)
driver:bone("cross", { shape = shapes.merge { rod(0.016, { -0.11, 0, 0 }, { 0.11, 0, 0 }),
  rod(0.016, { 0, -0.11, 0 }, { 0, 0.11, 0 }), shapes.box { size = { 0.05, 0.05, 0.05 } } } })
  :drive(joint.cross)
stand:bone("driven", { shape = shaft(1, 1, 0) }):drive(joint.driven)
return rig
