-- Every parameter of every built-in component that can be written in Lua, and of a scripted one:
-- the tests of tunings write them and read them back.
local sinew = require "sinew"

local rig = sinew.rig "every_param"
local root = rig:segment("root", { at = { 0, 1, 0 } })
local arm = rig:segment("upper arm", { parent = root, at = { 0.1, 0.2, 0.3 },
  turn = sinew.quat.axis({ 1, 2, 3 }, 40) })
local hand = rig:segment("end", { parent = arm, rest = sinew.mat4.euler("zyx", 10, 20, 30) })

local set = rig:joint_set "set"
local a = set:dof("a", { min = -40, max = 60, rest = 0.1 })
local b = set:dof("b", { min = -1, max = 1, unit = "" })

local points = { { -40, -0.3 }, { -10, 0.1 }, { 5, 0.7 }, { 20, 1 / 3 }, { 60, -2 } }
local function with(more)
  local list = {}
  for i, point in ipairs(points) do list[i] = point end
  for name, value in pairs(more) do list[name] = value end
  return list
end
local curves = set:map { a, name = "curves",
  constant = sinew.constant(-0.1),
  linear = sinew.linear { { -40, 3 }, { 60, 4.000001 }, outside = "extend" },
  piecewise = sinew.piecewise(with { outside = "repeat" }),
  spline = sinew.spline(with { scale = -3.3, offset = 1e-9 }),
  monotone = sinew.monotone(points),
  simm = sinew.simm(points),
  clamped = sinew.simm(with { outside = "clamp" }),
  polynomial = sinew.polynomial { 1 / 3, 0, -2e-3, scale = 2 },
  ["and"] = sinew.constant(1 / 0 > 0 and 3e38 or 0),
}

local first = set:rotation { curves.linear, name = "first", axis = { 0.3, 1, -0.2 },
  angles = { -90, 0, 45, 90 }, centres = { { 0, 0, 0.1 }, { 0, 0.2, 0 }, { 1 / 7, 0, 0 } },
  rest = 3 }
local second = set:rotation { curves.spline, name = "second", axis = { 1, 0, 0 },
  centre = { 0.01, 0.02, 0.03 } }
local offset = set:dependency { a, b, name = "offset",
  offset = sinew.linear { { 0, 0 }, { 1, 2 } } }
local between = set:dependency { a, offset.value, name = "between",
  lower = sinew.constant(-5), upper = sinew.constant(5) }
local mapped = set:dependency { between.value, name = "mapped",
  map = sinew.piecewise { { -1, 0 }, { 0, 1 }, { 1, 4 } } }
local sum = set:formula { mapped.value, b, name = "sum of", text = "x1 - 0.1*x2" }
local held = set:formula { sum.value, a, name = "held", min = "-3", max = "40 - 0.5*x2" }
local euler = set:euler { a, held.value, 12.5, name = "euler", order = "zyz" }
local moved = set:translation { vector = { 0.1, -0.0, 1e-7 }, name = "moved" }

set:cone { twist = b, name = "star", rest = { 0, 0, 1 },
  points = { { 1, 0, 1 }, { 0.2, 0.9, 1 }, { -1, 0.1, 1 }, { 0, -1, 0.8 } },
  visible = { 0.05, 0, 1 }, twist_limits = { -10, 20, -30, 40, -50, 60, -70, 80 },
  visible_twist = { -15, 25 }, smooth = 1, rotation1 = first, rotation2 = second,
  angle1 = curves.linear, angle2 = curves.spline }
set:cone { first, name = "sum", rest = { 0, 0, 1 }, provisional = true,
  points = { { 1, 0, 1 }, { 0, 1, 1 }, { -1, -1, 1 } } }
set:cone { first, name = "round", rest = { 0, 0, 1 }, ellipse = { 30, 40, 50, 60 },
  right = { 1, 0.1, 0 }, count = 16, twist_limits = { -33, 44 } }

local near = set:compensate { first, name = "near", ancestor = root, segment = arm }
local glide = set:slide { set:multiply { near, euler }, b, 0.3, name = "glide",
  radii = { 0.5, 0.6, 0.7 }, centre = { 0, 0, 0.5 }, axis = { 0, 1, 0.1 },
  orientation = sinew.mat4.turn({ 1, 1, 0 }, 15),
  pair1 = { { 0.1, 0.2, 0.3 }, { 0.2, 0.1, 0.3 } }, pair2 = { { 0.1, 0, 0.2 }, { 0, 0.1, 0.2 } },
  pair3 = { { 0.2, 0.2, 0.2 }, { 0.1, 0.1, 0.3 } }, lift_range = { -1, 1 },
  rotation_range = { 0, 0.7 }, window = { -60, 70 }, psi_window = { -50, 55 } }

local seen = set:relative { name = "seen", of = hand, to = root }
set:distance { { 0.1, 0, 0.2 }, name = "far", of = arm, to = hand, to_point = { 0, 0.3, 0 } }
set:swing_twist { seen, name = "apart", axis = { 0.1, 1, 0 } }
local eye = set:segment("eye", { parent = root, at = { 0, 0.1, 0.1 } })
local thigh = set:segment("thigh", { parent = root, at = { 0.1, -0.1, 0 } })
local shin = set:segment("shin", { parent = thigh, at = { 0, -0.4, 0 } })
eye:drive(set:aim { { 0, 0.1, 0 }, name = "look", segment = eye, at = hand, along = { 0, 0, 1 },
  up = { 0, 1, 0.1 }, up_of = arm })
local leg = set:ik2 { { 0.1, 0, 0.3 }, name = "leg", upper = thigh, lower = shin,
  tip = { 0, -0.35, 0.01 }, at = arm, pole = { 0, 0, 2 }, pole_at = root, soft = 0.05,
  min_bend = 3, max_bend = 150 }
thigh:drive(leg.upper)
shin:drive(leg.lower)

local Own = sinew.component { name = "own", inputs = { "x" }, outputs = { "frame: matrix" },
  params = { k = 2, on = true, axis = sinew.vec3(0, 1, 0), rest = sinew.mat4(), label = "it's" },
  record = false, -- a label may change while the rig runs
  eval = function(self, x)
    if not self.on then return sinew.mat4.translation(#self.label, 0, 0) end
    return self.rest * sinew.mat4.turn(self.axis, self.k * x)
  end }
local own = set:add(Own { b, name = "own", k = 7.7, on = true, axis = { 0, 0.5, 1 },
  rest = sinew.mat4.translation(0.1, 0.2, 0.3), label = 'a "b" \\ c' })

root:drive(first)
arm:drive(set:multiply { near, euler, moved })
hand:drive(set:multiply { glide.transform, own.frame })
return rig
