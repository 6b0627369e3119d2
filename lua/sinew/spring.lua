-- Springs for DOFs: tails, ears and antennae that swing after what moves them.
--
--   local tail = sinew.spring(pose, { "tail.bend", "tail.twist", frequency = 3, damping = 0.4 })
--   pose["tail.bend"] = -0.2 * turning     -- the goal: what was set since the last update
--   tail:update(dt)                        -- puts the DOFs on their way there
--
-- frequency: swings a second, 3 unless given. damping: 0 swings for ever, 1 comes to rest soonest
-- without swinging, more is slower; 0.4 unless given. DOFs are names or DOFs.
-- An update is the exact solution of x'' = -w^2 (x - goal) - 2 d w x', so any dt is stable, and
-- many small steps give what one large step gives. A DOF that meets the end of its range stops.
--
--   tail:jump()             the goals are what the pose has now, without any motion left
--   tail:goal(i)            where the i-th DOF is going
local sinew = require "sinew"

local sin, cos, exp, sqrt = math.sin, math.cos, math.exp, math.sqrt

local Spring = {}
Spring.__index = Spring

-- How a distance from the goal and its speed go on in dt seconds: both are sums of what they were,
-- with these four factors.
local function factors(w, d, dt)
  local decay = exp(-d * w * dt)
  local c, s -- cos and sin of the damped motion, or cosh and sinh; s is divided by its frequency
  if d < 1 - 1e-6 then
    local v = w * sqrt(1 - d * d)
    c, s = cos(v * dt), sin(v * dt) / v
  elseif d <= 1 + 1e-6 then
    c, s = 1, dt
  else
    -- exp(-d w dt) cosh(v dt) in a form that does not overflow
    local v = w * sqrt(d * d - 1)
    local slow, fast = exp((v - d * w) * dt), exp(-(v + d * w) * dt)
    c, s, decay = (slow + fast) / 2, (slow - fast) / (2 * v), 1
  end
  return decay * (c + d * w * s), decay * s, -decay * w * w * s, decay * (c - d * w * s)
end

function Spring:update(dt)
  if not (dt >= 0 and dt < math.huge) then
    error(("spring:update: dt is %s"):format(tostring(dt)), 2)
  end
  local pose, names, at, speed, goal, seen =
    self.pose, self.names, self.at, self.speed, self.goals, self.seen
  local xx, xv, vx, vv = factors(self.w, self.damping, dt)
  for i = 1, #names do
    local name = names[i]
    local now = pose[name]
    if now ~= seen[i] then goal[i] = now end
    local y, v = at[i] - goal[i], speed[i]
    local x = goal[i] + xx * y + xv * v
    speed[i] = vx * y + vv * v
    local low, high = self.low[i], self.high[i]
    if x < low or x > high then
      x = x < low and low or high
      speed[i] = 0
    end
    pose[name] = x
    at[i], seen[i] = x, pose[name]
  end
end

function Spring:jump()
  for i, name in ipairs(self.names) do
    local now = self.pose[name]
    self.at[i], self.goals[i], self.seen[i], self.speed[i] = now, now, now, 0
  end
end

function Spring:goal(i) return self.goals[i] end

local function number(options, name, default, low)
  local value = options[name]
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= low and value < math.huge) then
    error(("sinew.spring: `%s` must be a number, %g or more"):format(name, low), 3)
  end
  return value
end

local function spring(pose, options)
  if sinew.type(pose) ~= "pose" or type(options) ~= "table" then
    error("sinew.spring: a pose and a table of DOFs are wanted", 3)
  end
  for key in pairs(options) do
    if type(key) ~= "number" and key ~= "frequency" and key ~= "damping" then
      error(("sinew.spring has no option '%s'; there are frequency and damping"):format(
        tostring(key)), 3)
    end
  end
  local self = setmetatable({ pose = pose, w = 2 * math.pi * number(options, "frequency", 3, 0),
    damping = number(options, "damping", 0.4, 0), names = {}, at = {}, speed = {}, goals = {},
    seen = {}, low = {}, high = {} }, Spring)
  if self.w == 0 then error("sinew.spring: `frequency` must be more than 0", 3) end
  local rig = pose.rig
  for i, given in ipairs(options) do
    local dof = type(given) == "string" and rig:find(given) or given
    if sinew.type(dof) ~= "DOF" then
      error(("sinew.spring: number %d is no DOF"):format(i), 3)
    end
    self.names[i], self.low[i], self.high[i] = dof.name, dof.min, dof.max
  end
  if #self.names == 0 then error("sinew.spring: no DOF is given", 3) end
  self:jump()
  return self
end

return setmetatable({}, { __call = function(_, pose, options) return spring(pose, options) end })
