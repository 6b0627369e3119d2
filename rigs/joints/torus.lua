-- A shoulder blade that glides on a rib cage in the shape of a torus, while the collar bone moves.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Torus = require "sinew.joints.torus"

local ring, tube = 0.11, 0.085
-- a point of the torus: degrees around from the back to the right, and up
local function on(around, up)
  local out = ring + tube * sinew.cos(up)
  return sinew.vec3(-out * sinew.sin(around), tube * sinew.sin(up), -out * sinew.cos(around))
end
local round = {}
for i = 0, 48 do round[#round + 1] = { ring * sinew.sin(7.5 * i), 0, ring * sinew.cos(7.5 * i) } end

local rig = sinew.rig "torus"
local cage = rig:bone("cage", { set = "shoulder", at = { 0, 0.3, 0 },
  shape = shapes.tube { points = round, radius = tube, detail = 40, cap = 0 } })
local joint, tip = sinew.vec3(-0.02, 0.09, 0.12), sinew.vec3(-0.2, 0.085, -0.12)
local clavicle = cage:bone("clavicle", { at = joint, hinge = {
  { "protract", -25, 20, axis = "y" }, { "raise", -8, 30, axis = "-z" } },
  shape = shapes.tube { points = { { 0, 0, 0 }, { -0.06, 0.02, 0 }, { -0.15, 0.02, -0.11 },
    tip - joint }, radius = { 0.014, 0.01, 0.01, 0.014 } } })

local upper, lower = on(12, 42) - tip, on(24, -35) - tip
local frame = sinew.relative { of = clavicle, to = cage } * sinew.mat4.translation(tip - joint)
local glide = rig:add(Torus { frame, name = "glide", ring = ring, tube = tube, upper = upper,
  lower = lower })
local middle, o = 0.5 * (upper + lower), sinew.vec3(0, 0, 0)
local function ball(radius, at) return shapes.ellipsoid { radii = radius, at = at } end
clavicle:bone("scapula", { at = tip - joint, shape = shapes.merge {
  shapes.plate { outline = { 0.15 * upper, upper, middle + 0.06 * upper, lower, 0.45 * lower },
    thickness = 0.012, bulge = 0.035, round = true },
  shapes.tube { points = { o, 0.5 * upper + sinew.vec3(0, 0.01, -0.03), 0.95 * upper },
    radius = { 0.014, 0.009, 0.006 } },
  ball(0.02, o), ball(0.009, upper), ball(0.009, lower) } }):drive(glide.transform)
return rig
