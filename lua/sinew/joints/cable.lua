-- A cable over a pulley: lifts, cranes, training machines and the tendons of robot hands pull with
-- it.
--
--   local Cable = require "sinew.joints.cable"
--   local pull = rig:add(Cable { handle, frame = frame, radius = 0.1, start = {...} })
--   weight:drive(pull.weight); wheel:drive(pull.wheel); cable:drive(pull.cable)
--
-- The middle of the wheel is the origin of the frame. The cable comes up on its left, from the
-- weight, and leaves it on the right for the hand, which is at `start` when `hang` metres hang from
-- the wheel. z is not used. `cable` turns the straight part about the wheel's middle: it starts at
-- (radius, 0, 0) and runs along -y.
local sinew = require "sinew"

-- from the left of the wheel to the hand: length, and where the cable leaves the wheel
local function run(radius, x, y)
  local free = math.sqrt(math.max(x * x + y * y - radius * radius, 0))
  local leaves = sinew.atan2(y, x) + sinew.atan2(free, radius)
  return free + radius * math.rad(180 - leaves), leaves, free
end

return sinew.component {
  name = "cable", doc = "a cable over a pulley",
  inputs = { "hand (segment) from frame: what pulls" },
  outputs = { "weight (matrix)", "wheel (matrix)", "cable (matrix)", "free (m)", "rise (m)" },
  params = {
    frame = { kind = "segment", doc = "whose origin is the wheel's middle" },
    radius = { 0.1, unit = "m", min = 0, doc = "of the wheel" },
    start = { { 0.5, -0.5, 0 }, unit = "m", doc = "where the hand is at first" },
    hang = { 1, unit = "m", min = 0, doc = "how much hangs down at first" },
  },
  holds = { rise = "the weight is at the wheel" },
  eval = function(self, hand)
    local at = hand:position()
    local length, leaves, free = run(self.radius, at.x, at.y)
    local pulled = length - (run(self.radius, self.start[1], self.start[2]))
    local rise = math.min(pulled, self.hang)
    self:hold("rise", rise - pulled)
    return sinew.mat4.translation(0, rise, 0),
      sinew.mat4.turn({ 0, 0, 1 }, -math.deg(rise / self.radius)),
      sinew.mat4.turn({ 0, 0, 1 }, leaves), free, rise
  end,
}
