-- A universal joint: drive shafts of cars and tractors and the columns of steering wheels bend in
-- it. The driven shaft runs ahead and falls behind twice in a turn, more so the more it is bent.
--
--   local joint = rig:add(require "sinew.joints.universal" { angle, bend })
--   driver:drive(joint.driver); cross:drive(joint.cross); driven:drive(joint.driven)
--
-- The driver turns about z, its fork along y. The driven shaft is bent about x, up to `most`.
-- The cross is a bone of the driver; all origins are in its middle.
local sinew = require "sinew"

return sinew.component {
  name = "universal", doc = "a universal joint with the ripple of its speed",
  inputs = { "angle (deg): of the driver", "bend (deg)" },
  outputs = { "driver (matrix)", "cross (matrix)", "driven (matrix)", "out (deg): driven" },
  params = { most = { 80, unit = "deg", min = 0, max = 85, doc = "that it bends" } },
  holds = { bend = "its forks" },
  eval = function(self, angle, free)
    local bend = math.min(math.max(free, -self.most), self.most)
    self:hold("bend", bend - free)
    local ca, sa, cb, sb = sinew.cos(angle), sinew.sin(angle), sinew.cos(bend), sinew.sin(bend)
    -- tan out = tan angle / cos bend, as a difference that goes on over many turns
    local out = angle + sinew.atan2(sa * ca * (1 - cb), ca * ca * cb + sa * sa)
    -- the cross leans in the driver's fork by as much as the driven fork is out of its plane
    local co, so = sinew.cos(out), sinew.sin(out)
    local lean = sinew.atan2(-so * sb, ca * co + sa * so * cb)
    return sinew.mat4.turn({ 0, 0, 1 }, angle), sinew.mat4.turn({ 0, 1, 0 }, lean),
      sinew.mat4.turn({ 1, 0, 0 }, bend) * sinew.mat4.turn({ 0, 0, 1 }, out), out
  end,
}
