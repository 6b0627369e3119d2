-- A rib cage that does not move, to show shoulders on: one segment with column, sternum and the
-- upper eight pairs of ribs. Its origin is the jugular notch; metres.
local shapes = require "sinew.shapes"

-- a rib's half width, how far its back, its side and its end stand behind the notch, and the
-- heights of head, side and end
local ribs = {
  { 0.056, -0.085, -0.042, 0, 0.03, 0.01, -0.005 },
  { 0.083, -0.104, -0.044, 0.014, 0.012, -0.022, -0.043 },
  { 0.101, -0.113, -0.044, 0.028, -0.007, -0.05, -0.072 },
  { 0.114, -0.12, -0.042, 0.036, -0.026, -0.08, -0.103 },
  { 0.122, -0.125, -0.04, 0.042, -0.046, -0.108, -0.133 },
  { 0.128, -0.128, -0.04, 0.044, -0.067, -0.136, -0.163 },
  { 0.132, -0.128, -0.041, 0.042, -0.089, -0.164, -0.19 },
  { 0.134, -0.125, -0.043, 0.036, -0.112, -0.19, -0.215 },
}

local function rib(side, number)
  local width, back, middle, front, high, half, low = (table.unpack or unpack)(ribs[number])
  local x, spine = side * width, back + 0.035
  local last = 0.006 + 0.01 * number
  return shapes.rib { points = {
    { side * 0.016, high + 0.004, spine }, { 0.3 * x, high, back + 0.014 },
    { 0.58 * x, 0.75 * high + 0.25 * half, back }, { 0.88 * x, 0.35 * high + 0.65 * half,
      0.6 * back + 0.4 * middle }, { x, half, middle },
    { 0.88 * x, 0.45 * half + 0.55 * low, 0.45 * middle + 0.55 * front }, { 0.6 * x, low, front },
    { side * 0.018, low + 0.35 * last, front + 0.01 } } }
end

return function(rig, options)
  local parts = {}
  for number = 1, #ribs do
    parts[#parts + 1] = rib(-1, number)
    parts[#parts + 1] = rib(1, number)
    parts[#parts + 1] = shapes.vertebra { width = 0.03, depth = 0.024, height = 0.019,
      spinous = 0.035, slope = 50, transverse = 0.026, canal = 0.015,
      at = { 0, ribs[number][5] + 0.002, ribs[number][2] + 0.05 } }
  end
  parts[#parts + 1] = shapes.tube { points = { { 0, -0.002, 0.001 }, { 0, -0.045, 0.021 },
    { 0, -0.14, 0.05 }, { 0, -0.17, 0.052 } }, radius = { 0.008, 0.006, 0.006, 0.004 }, flat = 3,
    up = { 1, 0, 0 } }
  return rig:segment("thorax", { at = options and options.at, shape = shapes.merge(parts) })
end
