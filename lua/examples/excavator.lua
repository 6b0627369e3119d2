-- An excavator: its DOFs are the strokes of three hydraulic rams, given in mm and kept in metres.
--   sinew-viewer lua/examples/excavator.lua
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local rig = sinew.rig "excavator"
local cab = rig:bone("cab", { set = "house", at = { 0, 1, 0 },
  shape = shapes.box { size = { 1.4, 1.2, 2.2 }, at = { 0, 0.1, -0.6 } },
  hinge = { "slew", -180, 180, axis = "y" } })

-- the angle of a hinge for a ram's length: hinge, foot and eye of the ram are a triangle
local function triangle(foot, eye)
  local rest = sinew.atan2(eye.z, eye.y) - sinew.atan2(foot.z, foot.y)
  local a, b, sign = foot:length(), eye:length(), rest < 0 and -1 or 1
  return function(c) return sign * sinew.acos((a * a + b * b - c * c) / (2 * a * b)) - rest end
end

local function bar(radius, ...) return shapes.tube { points = { ... }, radius = radius } end
local function member(name, parent, at, tip, foot, eye)
  at, foot, eye = sinew.vec3(at), sinew.vec3(foot), sinew.vec3(eye)
  local long, way, o = foot:distance(eye), 0.6 * (eye - foot), { 0, 0, 0 }
  local stroke = rig:dof(name .. ".stroke", { min = 0, max = 300 * long, rest = 200 * long,
    unit = "mm" })
  local length = 0.8 * long + stroke
  local bone = parent:bone(name, { set = name, at = at, shape = bar(0.1, eye, o, tip),
    hinge = { length:curve(triangle(foot, eye)), axis = "x" } })
  local barrel = parent:bone(name .. "_barrel", { set = name, at = at + foot,
    shape = bar(0.07, o, way) })
  local rod = bone:bone(name .. "_rod", { at = eye, shape = bar(0.035, o, -way) })
  barrel:aim { at = bone, point = eye, along = way }
  rod:aim { at = parent, point = at + foot, along = -way }
  return bone
end
local boom = member("boom", cab, { 0, 0.3, 0.4 }, { 0, 1.6, 2.2 }, { 0, -0.5, 0.1 }, { 0, 0.7, 1 })
local arm = member("arm", boom, { 0, 1.6, 2.2 }, { 0, -1.5, 0.6 }, { 0, -0.56, -1.2 },
  { 0, 0.37, -0.15 })
member("bucket", arm, { 0, -1.5, 0.6 }, { 0, -0.5, 0.3 }, { 0, 0.98, -0.23 }, { 0, 0.05, 0.3 })
return rig
