-- The boom of a digger: the stroke of a hydraulic piston lifts it.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Piston = require "sinew.joints.piston"

local foot, eye = sinew.vec3(0.28, -0.22, 0), sinew.vec3(0.62, 0.3, 0)
local along = (eye - foot):unit()
local function rod(radius, ...)
  return shapes.tube { points = { ... }, radius = radius, cap = 0.15, detail = 24 }
end
local function pin(radius, half, at)
  return rod(radius, at - sinew.vec3(0, 0, half), at + sinew.vec3(0, 0, half))
end
local o = sinew.vec3(0, 0, 0)

local rig = sinew.rig "piston"
local base = rig:bone("base", { set = "boom", at = { 0, 0.45, 0 }, shape = shapes.merge {
  shapes.box { size = { 0.5, 0.16, 0.34 }, at = { 0.12, -0.35, 0 } },
  shapes.plate { outline = { { -0.1, -0.3, 0.11 }, { 0.36, -0.3, 0.11 }, { 0.33, -0.17, 0.11 },
    { 0.06, 0.06, 0.11 }, { -0.06, 0.06, 0.11 } }, thickness = 0.03 },
  shapes.plate { outline = { { -0.1, -0.3, -0.11 }, { 0.36, -0.3, -0.11 }, { 0.33, -0.17, -0.11 },
    { 0.06, 0.06, -0.11 }, { -0.06, 0.06, -0.11 } }, thickness = 0.03 },
  pin(0.03, 0.14, o), pin(0.025, 0.14, foot) } })
local length = rig:dof("boom.length", { min = 0.5, max = 0.8, rest = eye:distance(foot) })
local ram = rig:add(Piston { length, name = "piston", foot = foot, eye = eye, shortest = 0.5,
  longest = 0.8 })
base:bone("arm", { shape = shapes.merge {
  shapes.tube { points = { { 0, 0, 0 }, { 0.4, 0.36, 0 }, { 1.25, 0.3, 0 } },
    radius = { 0.07, 0.1, 0.05 }, flat = 0.7, up = { 0, 0, 1 }, cap = 0.2 },
  pin(0.025, 0.1, eye), rod(0.02, eye + sinew.vec3(0, 0.08, 0.05), eye + sinew.vec3(0, 0, 0.05)),
  pin(0.03, 0.09, sinew.vec3(1.22, 0.3, 0)) } }):drive(ram.arm)
base:bone("cylinder", { at = foot, shape = shapes.merge { pin(0.035, 0.05, o),
  rod(0.05, 0.03 * along, 0.42 * along), rod(0.056, 0.39 * along, 0.43 * along) } })
  :drive(ram.cylinder)
base:bone("rod", { at = eye, shape = shapes.merge { pin(0.035, 0.05, o),
  rod(0.024, -0.42 * along, o) } }):drive(ram.rod)
return rig
