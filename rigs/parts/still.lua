-- The bones that a part of a body draws, at rest, as one shape, for rigs that do not move them:
--
--   local still = require "parts.still"
--   local foot = still(function(rig, tibia) require "parts.foot"(rig, tibia, right) end)
--
-- The shape is in the frame of the segment that the function gets. With a list of patterns, only
-- segments are drawn whose names match one of them.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local function any(name, patterns)
  for _, pattern in ipairs(patterns) do
    if name:find(pattern) then return true end
  end
  return false
end

return function(make, patterns)
  local rig = sinew.rig "still"
  make(rig, rig:segment "root")
  local pose, parts = rig:pose(), {}
  for _, segment in ipairs(rig.segments) do
    if segment.shape and any(segment.name, patterns or { "" }) then
      parts[#parts + 1] = shapes.placed(segment.shape, pose:world(segment))
    end
  end
  return shapes.merge(parts)
end
