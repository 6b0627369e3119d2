-- A screw: vices, jacks, lathes, lids and the drives of printers turn rotation into a slow, strong
-- push.
--
--   local screw = rig:add(require "sinew.joints.screw" { turns, pitch = 0.004 })
--   spindle:drive(screw.transform)
--
-- It goes `pitch` metres along `axis` in one turn (a left-handed thread has a negative pitch), from
-- `low` to `high`, where its thread ends.
local sinew = require "sinew"

return sinew.component {
  name = "screw", doc = "a screw: turns become a push",
  inputs = { "angle (deg)" },
  outputs = { "transform (matrix)", "travel (m)" },
  params = {
    pitch = { 0.005, unit = "m", doc = "in one turn, not 0" }, axis = { 0, 1, 0 },
    low = { -1, unit = "m" }, high = { 1, unit = "m", doc = "where the thread ends" },
  },
  holds = { angle = "the end of the thread" },
  eval = function(self, angle)
    local free = angle / 360 * self.pitch
    local travel = math.min(math.max(free, self.low), self.high)
    self:hold("angle", 360 * (travel - free) / self.pitch)
    local x, y, z = self.axis[1], self.axis[2], self.axis[3]
    local way = travel / math.sqrt(x * x + y * y + z * z)
    return sinew.mat4.translation(way * x, way * y, way * z)
      * sinew.mat4.turn(self.axis, 360 * travel / self.pitch), travel
  end,
}
