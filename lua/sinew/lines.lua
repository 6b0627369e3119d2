-- The bones of a pose as lines, to draw with anything:
--
--   sinew.lines(pose, function(x1, y1, z1, x2, y2, z2, name) ... end)
--
-- calls the function for each segment that has a parent: from the parent's origin to its own, in
-- the world. Segments at their parent's origin are left out. After the first call for a pose
-- nothing is allocated.
local sinew = require "sinew"

-- by pose, for as long as it lives; the script host has no weak tables, and ends with its script
local weak, known = pcall(setmetatable, {}, { __mode = "k" })
if not weak then known = {} end

local function learn(pose)
  local index, self = {}, { parents = {}, names = {}, worlds = pose:worlds() }
  local segments = pose.rig.segments
  for i = 1, #self.worlds / 16 do -- the rig may have got more since
    local segment = segments[i]
    index[segment.name] = i
    self.names[i], self.parents[i] = segment.name, index[segment.parent] or 0
  end
  known[pose] = self
  return self
end

local function lines(pose, visit)
  local self = known[pose]
  if not self then
    if sinew.type(pose) ~= "pose" or type(visit) ~= "function" then
      error("sinew.lines: a pose and a function are wanted", 3)
    end
    self = learn(pose)
  end
  local w, names, parents = pose:worlds(self.worlds), self.names, self.parents
  for i = 1, #names do
    local p, s = 16 * parents[i], 16 * i
    if p > 0 then
      local x1, y1, z1, x2, y2, z2 = w[p - 3], w[p - 2], w[p - 1], w[s - 3], w[s - 2], w[s - 1]
      if x1 ~= x2 or y1 ~= y2 or z1 ~= z2 then visit(x1, y1, z1, x2, y2, z2, names[i]) end
    end
  end
end

return setmetatable({}, { __call = function(_, pose, visit) lines(pose, visit) end })
