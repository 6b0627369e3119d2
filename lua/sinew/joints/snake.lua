-- A snake that glides along its own wave: robots that search in pipes and ruins move like this,
-- and so do eels and the tails of fish.
--
--   local Snake = require "sinew.joints.snake"
--   head:drive(rig:add(Snake { way }))                         -- link 0: where it is
--   for i, bone in ipairs(body) do bone:drive(rig:add(Snake { way, link = i })) end
--
-- `way` is how far it has gone along the wave, which heads `swing * sin(360 s / wave)` degrees off
-- z at s metres. A link lies along its own -z, turns about y and is `length` long; link i is i
-- lengths behind and heads as the wave does at its middle. So all follow the head, and none slips.
local sinew = require "sinew"

-- Bessel's function of whole order, by its series; x up to 2
local function bessel(order, x)
  local term = 1
  for k = 1, order do term = term * x / (2 * k) end
  local sum = term
  for k = 1, 9 do
    term = -term * x * x / (4 * k * (order + k))
    sum = sum + term
  end
  return sum
end

return sinew.component {
  name = "snake", doc = "a link of a snake, which follows the head",
  inputs = { "way (m): along the wave" },
  outputs = { "transform (matrix)", "heading (deg)" },
  params = {
    link = { 0, min = 0, doc = "0 is the head" }, length = { 0.1, unit = "m", doc = "of a link" },
    wave = { 0.8, unit = "m", doc = "length of a wave" },
    swing = { 50, unit = "deg", min = -110, max = 110, doc = "most that it heads aside" },
  },
  eval = function(self, way)
    local angle, step = 360 * way / self.wave, 360 * self.length / self.wave
    local middle = angle - (self.link + 0.5) * step
    local heading = self.swing * sinew.sin(middle)
    if self.link > 0.5 then -- behind another
      local bend = heading - self.swing * sinew.sin(middle + step)
      return sinew.mat4.turn({ 0, 1, 0 }, bend), heading
    end
    -- the path is the integral of (sin, cos) of the heading: a series of Bessel's functions
    local x, z = 0, bessel(0, math.rad(self.swing)) * way
    local across = self.wave / (2 * math.pi)
    for n = 1, 9, 2 do
      local odd, even = bessel(n, math.rad(self.swing)), bessel(n + 1, math.rad(self.swing))
      x = x + 2 * odd * across / n * (1 - sinew.cos(n * angle))
      z = z + 2 * even * across / (n + 1) * sinew.sin((n + 1) * angle)
    end
    return sinew.mat4.translation(x, 0, z) * sinew.mat4.turn({ 0, 1, 0 }, heading), heading
  end,
}
