-- A rib cage that does not move, to show shoulders on: one segment with the cage and the column of
-- parts/spine.lua. Its origin is the jugular notch unless `notch` says where that is; metres. With
-- `girdle` (numbers as in data/shoulder.lua) clavicles and scapulae are part of it.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.cage"
local still = require "parts.still"

local mat4 = sinew.mat4

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
  local cage = still(function(trunk, sacrum)
    require "parts.spine"(trunk, sacrum, { at = sinew.vec3(data.sternum[1]) * -0.001 })
  end, function(name) return name:find "^T%d" or name:find "^rib" or name == "sternum" end)
  local parts = { cage }
  if options.girdle then
    parts[2] = girdle_shape(options.girdle)
    parts[3] = shapes.mirrored(parts[2])
  end
  local size = options.scale or 1
  return rig:segment("thorax", { at = options.at, shape = shapes.placed(shapes.merge(parts),
    mat4.translation(options.notch or { 0, 0, 0 }) * mat4.scaling(size, size, size)) })
end
