-- A hydraulic piston that turns an arm about a hinge: excavators, cranes, tail gates and landing
-- gear are moved in this way.
--
--   local ram = rig:add(require "sinew.joints.piston" { length, foot = {...}, eye = {...} })
--   arm:drive(ram.arm); cylinder:drive(ram.cylinder); rod:drive(ram.rod)
--
-- All three are bones of the same parent: the arm's origin is at the hinge, the cylinder's at the
-- `foot`, the rod's at the `eye`, which is a point of the arm. Both points are seen from the hinge
-- at rest; z is not used, all turn about z.
local sinew = require "sinew"

return sinew.component {
  name = "piston", doc = "a hydraulic piston that turns an arm",
  inputs = { "length (m): between the pins" },
  outputs = { "arm (matrix)", "cylinder (matrix)", "rod (matrix)", "angle (deg): of the arm" },
  params = {
    foot = { { 0, -0.4, 0 }, unit = "m", doc = "pin of the cylinder" },
    eye = { { 0.5, 0, 0 }, unit = "m", doc = "pin of the rod" },
    shortest = { 0.45, unit = "m", min = 0 }, longest = { 0.8, unit = "m", min = 0 },
  },
  holds = { length = "the ends of the piston" },
  eval = function(self, length)
    local fx, fy, ex, ey = self.foot[1], self.foot[2], self.eye[1], self.eye[2]
    local f, e = math.sqrt(fx * fx + fy * fy), math.sqrt(ex * ex + ey * ey)
    -- what the cylinder has room for, and what the triangle of hinge, foot and eye allows
    local least, most = math.max(self.shortest, math.abs(f - e)), math.min(self.longest, f + e)
    local held = math.min(math.max(length, least), most)
    self:hold("length", held - length)

    -- the angle at the hinge, on the side where it is at rest
    local rest = sinew.atan2(fx * ey - fy * ex, fx * ex + fy * ey)
    local opened = sinew.acos((f * f + e * e - held * held) / (2 * f * e))
    local angle = (rest < 0 and -opened or opened) - rest
    local cosine, sine = sinew.cos(angle), sinew.sin(angle)
    local x, y = ex * cosine - ey * sine, ex * sine + ey * cosine -- the eye

    local ax, ay, bx, by = ex - fx, ey - fy, x - fx, y - fy -- along the piston, before and now
    local turn = sinew.mat4.turn({ 0, 0, 1 }, sinew.atan2(ax * by - ay * bx, ax * bx + ay * by))
    return sinew.mat4.turn({ 0, 0, 1 }, angle), turn,
      sinew.mat4.translation(x - ex, y - ey, 0) * turn, angle
  end,
}
