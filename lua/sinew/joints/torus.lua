-- A shoulder blade on a torus: a plate that glides on a round body by two points, as the scapula
-- does on the rib cage.
--
--   local glide = rig:add(require "sinew.joints.torus" { frame, ring = 0.1, tube = 0.06 })
--   scapula:drive(glide.transform)
--
-- `frame` is the plate's rest frame seen from the middle of the torus, whose ring lies around y.
-- The plate turns by `swing` about `axis`, which brings its point `upper` to the torus, and then by
-- `tilt` about the line to that point, which brings `lower` there. `gap` is how far off they are.
local sinew = require "sinew"

return sinew.component {
  name = "torus", doc = "a plate that glides on a torus by two points",
  inputs = { "frame (matrix): seen from the torus" },
  outputs = { "transform (matrix)", "swing (deg)", "tilt (deg)", "gap (m)" },
  params = {
    ring = { 0.1, unit = "m", min = 0, doc = "radius of the ring's middle line" },
    tube = { 0.06, unit = "m", min = 0, doc = "radius of the tube around it" },
    axis = { 0, 1, 0 }, upper = { { 0.1, 0, 0 }, unit = "m" },
    lower = { { 0.1, -0.1, 0 }, unit = "m" },
  },
  holds = { gap = "the plate does not reach the torus" },
  eval = function(self, frame)
    local function turn(swing, tilt)
      return sinew.mat4.turn(self.axis, swing) * sinew.mat4.turn(self.upper, tilt)
    end
    local function above(p) -- metres from the torus, negative inside
      local out = math.sqrt(p.x * p.x + p.z * p.z) - self.ring
      return math.sqrt(out * out + p.y * p.y) - self.tube
    end
    local function gaps(swing, tilt)
      local placed = frame * turn(swing, tilt)
      return above(placed:point(self.upper)), above(placed:point(self.lower))
    end
    local swing, tilt = sinew.newton(gaps, 0, 0)
    local upper, lower = gaps(swing, tilt)
    local gap = math.max(math.abs(upper), math.abs(lower))
    self:hold("gap", math.min(1e-5 - gap, 0)) -- less is rounding
    return turn(swing, tilt), swing, tilt, gap
  end,
}
