-- A rib cage that does not move, to show shoulders on: one segment with the cage and the column of
-- parts/spine.lua. Its origin is the jugular notch unless `notch` says where that is; metres. With
-- `girdle` (numbers as in data/shoulder.lua) clavicles and scapulae are part of it.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.cage"
local still = require "parts.still"

local mat4 = sinew.mat4

return function(rig, options)
  options = options or {}
  local cage = still(function(body, sacrum)
    local trunk = require "parts.spine"(body, sacrum, { at = sinew.vec3(data.sternum[1]) * -0.001 })
    if not options.girdle then return end
    sinew.mirror(require "parts.shoulder"(body, trunk.sternum, options.girdle))
  end, { "^T%d", "^rib", "^sternum$", "clavicle$", "scapula$" })
  local size = options.scale or 1
  return rig:segment("thorax", { at = options.at, shape = shapes.placed(cage,
    mat4.translation(options.notch or { 0, 0, 0 }) * mat4.scaling(size, size, size)) })
end
