-- Rigs for bench_scripted.c: `count` bones, each with a joint on the same DOF. `way` is "built-in",
-- "recorded" or "lua", or "none" for the bones of joints that give scalars, without the joints.
local sinew = require "sinew"
local sin, cos = sinew.sin, sinew.cos

local axis, low, middle, high = { 1, 0, 0.08 }, 0, 40, 120
local first, second = { 0, 0.005, -0.01 }, { 0, 0.009, -0.004 }
local lower = sinew.monotone { { -20, -20 }, { 30, 0 }, { 80, 25 }, { 140, 40 } }

-- each: what eval is, or a built-in component on the same DOF; scalars move a bone by a translation
local joints = {
  turn = {
    params = { axis = axis, centre = first },
    eval = function(self, angle) return sinew.dual.turn(self.axis, angle, self.centre) end,
    builtin = function(rig, angle) return rig:rotation { angle, axis = axis, centre = first } end,
  },
  two_centres = {
    params = { axis = axis, first = first, second = second, low = low, middle = middle, high = high },
    eval = function(self, angle)
      angle = math.min(math.max(angle, self.low), self.high)
      if angle < self.middle then return sinew.dual.turn(self.axis, angle, self.first) end
      return sinew.dual.turn(self.axis, angle - self.middle, self.second) *
        sinew.dual.turn(self.axis, self.middle, self.first)
    end,
    builtin = function(rig, angle)
      return rig:rotation { angle, axis = axis, angles = { low, middle, high },
        centres = { first, second } }
    end,
  },
  dependency = {
    scalar = true, inputs = { "active", "passive" },
    params = { lower = lower },
    eval = function(self, active, passive)
      local bound = self.lower(active)
      if passive < bound then return bound end
      return passive
    end,
    builtin = function(rig, active, passive)
      return rig:dependency { active, passive, lower = lower }
    end,
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
      return sinew.dual.turn({ 0, 0, 1 }, t, { d, 0, 0 })
    end,
  },
  screw = {
    params = { axis = { 0, 0, 1 }, pitch = 0.002 },
    eval = function(self, angle)
      local m = sinew.dual.turn(self.axis, angle)
      return sinew.dual.translation(0, 0, self.pitch * angle / 360) * m
    end,
  },
}

function scripted_rig(name, way, count)
  local joint, rig = joints[name], sinew.rig(name)
  local angle = rig:dof("angle", { min = -10, max = 130 })
  local other = joint.inputs and rig:dof("other", { min = -20, max = 60 })
  local Kind = sinew.component { name = "my_" .. name, inputs = joint.inputs or { "angle" },
    outputs = { joint.scalar and "value" or "transform: matrix" }, params = joint.params,
    eval = joint.eval, record = way == "recorded" }
  for i = 1, count do
    local made = angle
    if way == "built-in" then
      made = joint.builtin(rig, angle, other)
    elseif way ~= "none" then
      made = rig:add(Kind { angle, other })
    end
    if joint.scalar then made = rig:translation { made } end
    rig:segment("bone" .. i):drive(made)
  end
  return rig
end

