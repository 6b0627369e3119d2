-- Rigs for bench_scripted.c: `count` bones, each with a joint on the same DOFs. `way` is "lua",
-- "recorded" or "built-in", or "none" for the bones of joints that give scalars, without joints.
-- To measure another joint, add it to `joints`, and its name to the list at the end.
local sinew = require "sinew"
local sin, cos, vec3, dual = sinew.sin, sinew.cos, sinew.vec3, sinew.dual

local axis, low, middle, high = { 1, 0, 0.08 }, 0, 40, 120
local first, second = { 0, 0.005, -0.01 }, { 0, 0.009, -0.004 }
local lower = sinew.monotone { { -20, -20 }, { 30, 0 }, { 80, 25 }, { 140, 40 } }

-- sinew/slide.lua as it stands: what it gives sinew.component
local slide
local component = sinew.component
sinew.component = function(desc)
  slide = desc
  return component(desc)
end
require "sinew.slide"
sinew.component = component

-- the right scapula of [Shao 2003], in centimetres
local scapula = {
  radii = { 9, 15, 10 }, centre = { -10, 0, 8 }, axis = { 0.263, -0.912, 0.314 },
  pair1 = { { 8.5, -4, -0.3 }, { 8.7, -2.4, -0.1 } },
  pair2 = { { 8.2, 0, -0.1 }, { 7.5, 2, 0 } },
  pair3 = { { 8, 2, -0.8 }, { 7, 3, -0.6 } },
  lift_range = { -10, 130 }, rotation_range = { 0, 120 },
}

-- a cable over a cylinder: the angles at which it leaves it
local function tangent(x, y, radius)
  local free = math.max(x * x + y * y - radius * radius, 0)
  return sinew.atan2(y, x), sinew.atan2(math.sqrt(free), radius)
end

-- each: what eval is, or a built-in component on the same DOFs; scalars move a bone by a
-- translation. Inputs other than "frame", a matrix, are DOFs.
local joints = {
  turn = {
    params = { axis = axis, centre = first },
    eval = function(self, angle) return dual.turn(self.axis, angle, self.centre) end,
    builtin = { "rotation", axis = axis, centre = first },
  },
  two_centres = {
    params = { axis = axis, first = first, second = second, low = low, middle = middle,
      high = high },
    eval = function(self, angle)
      angle = math.min(math.max(angle, self.low), self.high)
      if angle < self.middle then return dual.turn(self.axis, angle, self.first) end
      return dual.turn(self.axis, angle - self.middle, self.second) *
        dual.turn(self.axis, self.middle, self.first)
    end,
    builtin = { "rotation", axis = axis, angles = { low, middle, high },
      centres = { first, second } },
  },
  dependency = {
    scalar = true, inputs = { "active", "passive" },
    params = { lower = lower },
    eval = function(self, active, passive)
      local bound = self.lower(active)
      if passive < bound then return bound end
      return passive
    end,
    builtin = { "dependency", lower = lower },
  },
  piston = {
    scalar = true, params = { crank = 0.04, rod = 0.13 },
    eval = function(self, angle)
      local s, c = sin(angle), cos(angle)
      return self.crank * c + math.sqrt(self.rod ^ 2 - (self.crank * s) ^ 2)
    end,
  },
  four_bar = {
    params = { ground = 0.1, input = 0.03, coupler = 0.09, output = 0.07 },
    eval = function(self, angle)
      local a, b, c, d = self.input, self.coupler, self.output, self.ground
      local x, y = d - a * cos(angle), -a * sin(angle)
      local ss = x * x + y * y
      local h = (c * c - b * b + ss) / (2 * c)
      local r = ss - h * h
      if r < 0 then r = 0 end
      local t = 180 + sinew.atan2(y, x) - sinew.atan2(math.sqrt(r), h)
      return dual.turn({ 0, 0, 1 }, t, { d, 0, 0 })
    end,
  },
  screw = {
    params = { axis = { 0, 0, 1 }, pitch = 0.002 },
    eval = function(self, angle)
      local m = dual.turn(self.axis, angle)
      return dual.translation(0, 0, self.pitch * angle / 360) * m
    end,
  },
  -- a shoulder whose centre moves with the arm
  ball = {
    inputs = { "raise", "swing", "twist" },
    params = { centre = { 0.01, -0.02, 0.005 }, shift = 0.0002, low = -40, high = 110 },
    eval = function(self, raise, swing, twist)
      raise = math.max(self.low, math.min(raise, self.high))
      local centre = self.centre + vec3(0, self.shift * raise, -0.5 * self.shift * swing)
      return dual.turn({ 0, 1, 0 }, swing, centre) * dual.turn({ 0, 0, 1 }, raise, centre) *
        dual.turn({ 0, 1, 0 }, twist - swing, centre)
    end,
  },
  rack = {
    params = { radius = 0.05, stop = 0.09, low = -5, high = 110 },
    eval = function(self, angle)
      if angle < self.low then angle = self.low elseif angle > self.high then angle = self.high end
      local travel = self.radius * math.rad(angle)
      if travel > self.stop then travel = self.stop end
      if travel < -self.stop then travel = -self.stop end
      return dual.translation(travel, 0, 0)
    end,
  },
  -- a femur that rolls back along splines
  knee = {
    params = { axis = { 1, 0.05, 0 }, back = sinew.monotone { { 0, 0 }, { 40, 0.006 }, { 80, 0.01 },
      { 130, 0.016 } }, up = sinew.monotone { { 0, 0 }, { 60, 0.003 }, { 130, 0.001 } },
      centre = { 0, 0.01, -0.02 }, lock = 8 },
    eval = function(self, angle)
      local twist = angle < 30 and self.lock * (1 - angle / 30) or 0
      local place = dual.translation(0, self.up(angle), -self.back(angle))
      return place * dual.turn(self.axis, angle, self.centre) * dual.turn({ 0, 1, 0 }, twist)
    end,
  },
  -- looks along a point that swings about another
  look = {
    inputs = { "angle", "other" },
    params = { eye = { 0.02, 0.1, 0.06 }, up = { 0, 1, 0 }, reach = 0.5 },
    eval = function(self, angle, other)
      local at = vec3(self.reach * sin(angle), self.reach * sin(other), self.reach + 0.2)
      local z = (at - self.eye):unit()
      local x = vec3(self.up):cross(z):unit()
      return sinew.mat4.columns { x, z:cross(x), z, self.eye }
    end,
  },
  -- a tendon from a bone, over a cylinder, to a point that turns
  tendon = {
    scalar = true, params = { from = { -0.05, 0.2, 0 }, to = { 0.01, -0.09, 0 }, radius = 0.025 },
    eval = function(self, angle)
      local p, q = self.from, dual.turn({ 0, 0, 1 }, -angle):point(self.to)
      local a, da = tangent(p.x, p.y, self.radius)
      local b, db = tangent(q.x, q.y, self.radius)
      local wrap = (a - b) % 360 - da - db
      if wrap < 0 then return (p - q):length() end
      return self.radius * (math.rad(wrap) + math.tan(math.rad(da)) + math.tan(math.rad(db)))
    end,
  },
  -- a row of small gears: a loop over a list, with a helper
  gears = {
    scalar = true, params = { ratios = { 2, -1.5, 0.75, -3 }, slack = 2 },
    eval = function(self, angle)
      local function play(x)
        if x > self.slack then return x - self.slack end
        if x < -self.slack then return x + self.slack end
        return 0 * x
      end
      for _, ratio in ipairs(self.ratios) do angle = ratio * sinew.join(play)(angle) end
      return angle * 0.001
    end,
  },
  -- half way between two rotations, as quaternions
  half_way = {
    inputs = { "angle", "other" }, params = { first = { 1, 0, 0 }, second = { 0, 0.6, 0.8 } },
    eval = function(self, angle, other)
      local h, o, a, b = angle * 0.5, other * 0.5, self.first, self.second
      local x = { sin(h) * a[1] + sin(o) * b[1], sin(h) * a[2] + sin(o) * b[2],
        sin(h) * a[3] + sin(o) * b[3], cos(h) + cos(o) }
      local n = 1 / math.sqrt(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2 + x[4] ^ 2)
      local i, j, k, w = x[1] * n, x[2] * n, x[3] * n, x[4] * n
      return sinew.mat4.rows {
        { 1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w), 0 },
        { 2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w), 0 },
        { 2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j), 0 } }
    end,
  },
  -- a leg that stretches to a point fixed in the frame of another bone
  strut = {
    inputs = { "frame: matrix", "angle" },
    params = { foot = { 0.1, -0.3, 0.02 }, eye = { 0.05, 0.1, 0 } },
    eval = function(self, frame, angle)
      local way = frame:inverse():point(self.foot) - dual.turn({ 1, 0, 0 }, angle):point(self.eye)
      local length = way:length()
      local y = way / -length
      local x = y:cross(vec3(0, 0, 1)):unit()
      return sinew.mat4.columns { x, y, x:cross(y), self.eye }
    end,
  },
  -- the elbow's four muscles: polynomials
  lever = {
    scalar = true, params = { terms = { 0.02, 3e-4, -4e-6, 2e-8, -5e-11 } },
    eval = function(self, angle)
      local sum = 0
      for i = #self.terms, 1, -1 do sum = sum * angle + self.terms[i] end
      return math.abs(sum)
    end,
  },
  slide = {
    inputs = { "frame: matrix", "angle", "other" }, outputs = slide.outputs, params = slide.params,
    eval = slide.eval, own = scapula, builtin = { "slide" },
  },
}

local names = { "turn", "two_centres", "dependency", "slide", "piston", "four_bar", "screw", "ball",
  "rack", "knee", "look", "tendon", "gears", "half_way", "strut", "lever" }

local function make(name, way, count)
  local joint, rig = joints[name], sinew.rig(name)
  local inputs, sources = joint.inputs or { "angle" }, {}
  local dofs = { angle = rig:dof("angle", { min = -10, max = 130 }) }
  for i, input in ipairs(inputs) do
    if input == "frame: matrix" then
      local turn = dofs.angle * 0.2 - 5
      sources[i] = rig:multiply { sinew.mat4.translation(-2, 3, 4),
        rig:rotation { turn, axis = { 0, 0, -1 } }, sinew.mat4.translation(-14, 1, -6),
        rig:rotation { turn, axis = { 0, 1, 0 } } }
    else
      dofs[input] = dofs[input] or rig:dof(input, { min = -20, max = 130 })
      sources[i] = dofs[input]
    end
  end
  local Kind = component { name = "my_" .. name, inputs = inputs, params = joint.params,
    outputs = joint.outputs or { joint.scalar and "value" or "transform: matrix" },
    eval = joint.eval, record = way == "recorded" }
  for i = 1, count do
    local made = sources[1]
    local options = { name = "joint" .. i, table.unpack(sources) }
    for option, value in pairs(joint.own or {}) do options[option] = value end
    if way == "built-in" then
      for option, value in pairs(joint.builtin) do
        if type(option) == "string" then options[option] = value end
      end
      made = rig[joint.builtin[1]](rig, options)
    elseif way ~= "none" then
      made = rig:add(Kind(options))
    end
    if joint.scalar then made = rig:translation { made } end
    rig:segment("bone" .. i):drive(joint.outputs and made.transform or made)
  end
  return rig
end

local list, wanted = {}, os.getenv "SINEW_JOINTS" -- names with spaces between; unset: all
for _, name in ipairs(names) do
  if not wanted or (" " .. wanted .. " "):find(" " .. name .. " ", 1, true) then
    list[#list + 1] = { name = name, scalar = joints[name].scalar,
      builtin = joints[name].builtin ~= nil }
  end
end
return { make = make, list = list }
