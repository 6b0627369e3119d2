-- A right femur's shape: from the head, which is the segment's origin, to the condyles. Metres; as
-- long as the knee of data/knee.lua wants it, the rest chosen.
local shapes = require "sinew.shapes"

local function ball(x, y, z, rx, ry, rz)
  return shapes.ellipsoid { radii = { rx, ry, rz }, at = { x, y, z }, detail = 14 }
end

return function()
  return shapes.merge {
    shapes.long_bone { to = { 0.003, -0.392, -0.006 }, neck = { -0.046, -0.034, -0.002 },
      radius = 0.0135, head = 0.024, foot = 0.023, bow = { 0.002, 0, 0.01 } },
    -- condyles, deeper than wide, and between them in front the groove of the patella
    ball(-0.019, -0.402, -0.006, 0.018, 0.022, 0.031), ball(0.026, -0.402, -0.006, 0.018, 0.023,
      0.032),
    ball(0.003, -0.392, 0.013, 0.027, 0.022, 0.019),
    -- the great trochanter and the small one
    ball(-0.058, -0.026, -0.008, 0.015, 0.024, 0.02), ball(-0.032, -0.07, -0.013, 0.01, 0.014,
      0.01),
  }
end
