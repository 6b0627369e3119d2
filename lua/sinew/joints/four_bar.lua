-- A knee of four bars: artificial knees use it, since it is firm when straight and makes the leg
-- shorter as it bends, so that the toes clear the ground.
--
--   local knee = rig:add(require "sinew.joints.four_bar" { flexion, front_top = {...}, ... })
--   shank:drive(knee.shank)
--
-- The pins are points of the thigh with the knee straight; x is not used, all turn about x. The
-- shank's origin is at its front pin, those of the two links at their top pins. `gap` is how much
-- too short the links are where they cannot meet.
local sinew = require "sinew"

-- the angle by which (ay, az) has turned to (by, bz)
local function turned(ay, az, by, bz)
  return sinew.atan2(ay * bz - az * by, ay * by + az * bz)
end

return sinew.component {
  name = "four_bar", doc = "a knee of four bars",
  inputs = { "flexion (deg)" },
  outputs = { "shank (matrix)", "front (matrix)", "rear (matrix)", "gap (m)" },
  params = {
    front_top = { { 0, 0, 0.022 }, unit = "m" },
    front_bottom = { { 0, -0.059, 0.039 }, unit = "m" },
    rear_top = { { 0, -0.028, -0.007 }, unit = "m" },
    rear_bottom = { { 0, -0.066, -0.009 }, unit = "m" },
  },
  holds = { gap = "the links do not reach" },
  eval = function(self, flexion)
    local a, b, c, d = self.front_top, self.front_bottom, self.rear_bottom, self.rear_top
    local cosine, sine = sinew.cos(flexion), sinew.sin(flexion)
    local ky, kz = c[2] - b[2], c[3] - b[3] -- from pin to pin of the shank, turned with it
    ky, kz = ky * cosine - kz * sine, ky * sine + kz * cosine

    -- the front pin is on a circle about `a`, and on one about (my, mz) from there
    local fy, fz, ry, rz = b[2] - a[2], b[3] - a[3], c[2] - d[2], c[3] - d[3]
    local my, mz = d[2] - ky - a[2], d[3] - kz - a[3]
    local apart, front, rear = my * my + mz * mz, fy * fy + fz * fz, ry * ry + rz * rz
    local along = 0.5 * (apart + front - rear) / apart
    local aside = math.sqrt(math.max(front / apart - along * along, 0)) -- 0: out of reach, in line
    local far, f, r = math.sqrt(apart), math.sqrt(front), math.sqrt(rear)
    local gap = math.max(far - f - r, math.abs(f - r) - far, 0)
    self:hold("gap", -gap)
    -- on the side where it is when the knee is straight
    if (d[2] - c[2] + b[2] - a[2]) * fz > (d[3] - c[3] + b[3] - a[3]) * fy then aside = -aside end
    local py, pz = along * my + aside * mz, along * mz - aside * my

    local shank = sinew.mat4.turn({ 1, 0, 0 }, flexion)
    return sinew.mat4.translation(0, py - fy, pz - fz) * shank,
      sinew.mat4.turn({ 1, 0, 0 }, turned(fy, fz, py, pz)),
      sinew.mat4.turn({ 1, 0, 0 }, turned(ry, rz, py - my, pz - mz)), gap
  end,
}
