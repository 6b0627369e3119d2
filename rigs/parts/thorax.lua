-- A rib cage that does not move, to show shoulders on: one segment with column, sternum and the
-- upper eight pairs of ribs. Its origin is the jugular notch unless `notch` says where that is;
-- metres. With `girdle` (numbers as in data/shoulder.lua) clavicles and scapulae are part of it.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.cage"
local draw = require "parts.cage_shapes"

local mat4 = sinew.mat4

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

local function rib(side, number, origin)
  local width, back, middle, front, high, half, low = (table.unpack or unpack)(ribs[number])
  local x, spine = side * width, back + 0.035
  if number == 1 then half, low = half - 0.006, low - 0.01 end -- below the clavicle
  return draw.rib(number, { { side * 0.018, high + 0.004, spine }, { 0.3 * x, high, back + 0.014 },
    { 0.58 * x, 0.75 * high + 0.25 * half, back }, { 0.88 * x, 0.35 * high + 0.65 * half,
      0.6 * back + 0.4 * middle }, { x, half, middle },
    { 0.88 * x, 0.45 * half + 0.55 * low, 0.45 * middle + 0.55 * front }, { 0.6 * x, low, front },
    { 0, 0, 0 } }, side, origin)
end

-- clavicle and scapula of the right side, at rest
local function girdle_shape(n)
  local c, s = n.clavicle, n.scapula
  local clavicle = mat4.translation(c.at) * mat4.euler("yzx", -c.retraction, -c.elevation, 0)
  local scapula = mat4.translation(clavicle:point { -c.length, 0, 0 })
    * mat4.euler("yzx", s.internal, -s.upward, -s.tilt)
  return shapes.merge { shapes.placed(shapes.scapula(s.bone), scapula),
    shapes.placed(shapes.clavicle { to = { -c.length, 0, 0 }, radius = 0.005 }, clavicle) }
end

return function(rig, options)
  options = options or {}
  local origin = sinew.vec3(data.sternum[1]) * -0.001
  local parts = { draw.sternum(origin) }
  for number = 1, #ribs do
    parts[#parts + 1] = rib(-1, number, origin)
    parts[#parts + 1] = rib(1, number, origin)
    parts[#parts + 1] = shapes.vertebra { width = 0.03, depth = 0.024, height = 0.019,
      spinous = 0.035, slope = 50, transverse = 0.026, canal = 0.015,
      at = { 0, ribs[number][5] + 0.002, ribs[number][2] + 0.05 } }
  end
  if options.girdle then
    parts[#parts + 1] = girdle_shape(options.girdle)
    parts[#parts + 1] = shapes.mirrored(parts[#parts])
  end
  local size = options.scale or 1
  return rig:segment("thorax", { at = options.at, shape = shapes.placed(shapes.merge(parts),
    mat4.translation(options.notch or { 0, 0, 0 }) * mat4.scaling(size, size, size)) })
end
