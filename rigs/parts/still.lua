-- The bones that a part of a body draws, at rest, as one shape, for rigs that do not move them:
--
--   local still = require "parts.still"
--   local foot = still(function(rig, tibia) require "parts.foot"(rig, tibia, right) end)
--
-- The shape is in the frame of the segment that the function gets. A second function, of a name of
-- a segment, says which bones are drawn.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

return function(make, drawn)
  local rig = sinew.rig "still"
  make(rig, rig:segment "root")
  local pose, parts = rig:pose(), {}
  for _, segment in ipairs(rig.segments) do
    if segment.shape and (not drawn or drawn(segment.name)) then
      parts[#parts + 1] = shapes.placed(segment.shape, pose:world(segment))
    end
  end
  return shapes.merge(parts)
end
