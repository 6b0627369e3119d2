-- A rack and pinion: the steering of cars, mountain railways and the feed of drill presses use it.
--
--   local steer = rig:add(require "sinew.joints.rack" { angle, radius = 0.02, stop = 0.08 })
--   pinion:drive(steer.pinion); rack:drive(steer.rack)
--
-- The pinion turns about z and rolls on the rack below it, which slides along x. At `stop` to
-- either side the rack ends, and the pinion with it.
local sinew = require "sinew"

return sinew.component {
  name = "rack", doc = "a rack and pinion",
  inputs = { "angle (deg): of the pinion" },
  outputs = { "pinion (matrix)", "rack (matrix)", "travel (m)" },
  params = {
    radius = { 0.02, unit = "m", doc = "where the teeth meet" },
    stop = { 0.1, unit = "m", min = 0, doc = "how far the rack goes to each side" },
  },
  holds = { angle = "the end of the rack" },
  eval = function(self, angle)
    local free = self.radius * math.rad(angle)
    local travel = math.min(math.max(free, -self.stop), self.stop)
    self:hold("angle", math.deg((travel - free) / self.radius))
    return sinew.mat4.turn({ 0, 0, 1 }, math.deg(travel / self.radius)),
      sinew.mat4.translation(travel, 0, 0), travel
  end,
}
