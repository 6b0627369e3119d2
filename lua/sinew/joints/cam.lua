-- A cam and its follower: the valves of engines, sewing machines and music boxes are moved by it.
--
--   local valve = rig:add(require "sinew.joints.cam" { angle, base = 0.03, lift = 0.02 })
--   cam:drive(valve.cam); follower:drive(valve.follower)
--
-- The cam turns about z. Its radius is `base`, and up to `lift` more on its nose, which points down
-- at rest. The follower slides along y and has a roller, whose middle is its origin.
local sinew = require "sinew"

return sinew.component {
  name = "cam", doc = "a cam and its follower",
  inputs = { "angle (deg): of the cam" },
  outputs = { "cam (matrix)", "follower (matrix)", "rise (m)", "contact (vector)" },
  params = {
    base = { 0.03, unit = "m", min = 0, doc = "radius of the cam" },
    lift = { 0.02, unit = "m", min = 0, doc = "height of its nose" },
    roller = { 0.01, unit = "m", min = 0, doc = "radius of the roller" },
  },
  eval = function(self, angle)
    -- The contact, seen from the cam's middle `from` degrees left of straight up: its radius, and
    -- the roller's middle, which is one roller farther out along the cam's normal.
    local function contact(from)
      local nose = 0.5 - 0.5 * sinew.cos(from - angle)
      local radius = self.base + self.lift * nose * nose * nose
      local slope = 1.5 * self.lift * nose * nose * sinew.sin(from - angle)
      local out = self.roller / math.sqrt(radius * radius + slope * slope)
      local cosine, sine = sinew.cos(from), sinew.sin(from)
      local along, across = radius + out * radius, out * slope
      return across * cosine - along * sine, along * cosine + across * sine, radius
    end
    local from = sinew.root(function(from) return (contact(from)) end, -80, 80)
    local _, height, radius = contact(from)
    local rise = height - self.base - self.roller
    return sinew.mat4.turn({ 0, 0, 1 }, angle), sinew.mat4.translation(0, rise, 0), rise,
      sinew.vec3(-radius * sinew.sin(from), radius * sinew.cos(from), 0)
  end,
}
