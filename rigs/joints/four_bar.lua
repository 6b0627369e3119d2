-- An artificial knee: the shank hangs from the thigh by two pairs of links.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local FourBar = require "sinew.joints.four_bar"

local pins = { front_top = { 0, 0, 0.022 }, front_bottom = { 0, -0.059, 0.039 },
  rear_top = { 0, -0.028, -0.007 }, rear_bottom = { 0, -0.066, -0.009 } }
local function from(pin, other) return sinew.vec3(pins[other]) - sinew.vec3(pins[pin]) end
local function rod(radius, ...)
  return shapes.tube { points = { ... }, radius = radius, cap = 0.2, detail = 20 }
end
-- a link on each side, and a pin through both of its ends
local function links(pin, other, x)
  local list, way = {}, from(pin, other)
  for _, side in ipairs { -x, x } do
    local shift = sinew.vec3(side, 0, 0)
    list[#list + 1] = shapes.tube { points = { shift, way + shift }, radius = 0.011, flat = 0.4,
      up = { 1, 0, 0 } }
  end
  for _, at in ipairs { sinew.vec3(0, 0, 0), way } do
    list[#list + 1] = rod(0.005, at - sinew.vec3(x + 0.008, 0, 0), at + sinew.vec3(x + 0.008, 0, 0))
  end
  return shapes.merge(list)
end

local rig = sinew.rig "four_bar"
local thigh = rig:bone("thigh", { set = "knee", at = { 0, 0.48, 0 }, shape = shapes.merge {
  shapes.tube { points = { { 0, 0.05, 0.01 }, { 0, 0.18, 0.01 }, { 0, 0.3, 0.01 } },
    radius = { 0.03, 0.055, 0.065 }, cap = 0.2, detail = 24 },
  shapes.box { size = { 0.05, 0.085, 0.05 }, at = { 0, 0.005, 0.006 } } } })
local knee = rig:add(FourBar { rig:dof("knee.flexion", 0, 125), name = "four_bar",
  front_top = pins.front_top, front_bottom = pins.front_bottom, rear_top = pins.rear_top,
  rear_bottom = pins.rear_bottom })

local rear = from("front_bottom", "rear_bottom")
local shank = thigh:bone("shank", { at = pins.front_bottom, shape = shapes.merge {
  shapes.box { size = { 0.05, 0.045, 0.075 }, at = 0.5 * rear - sinew.vec3(0, 0.012, 0) },
  rod(0.017, { 0, -0.02, -0.02 }, { 0, -0.32, -0.02 }),
  shapes.tube { points = { { 0, -0.34, -0.07 }, { 0, -0.34, 0.02 }, { 0, -0.36, 0.11 } },
    radius = { 0.03, 0.032, 0.018 }, flat = 0.7 } } })
shank:drive(knee.shank)
thigh:bone("front_link", { at = pins.front_top,
  shape = links("front_top", "front_bottom", 0.034) }):drive(knee.front)
thigh:bone("rear_link", { at = pins.rear_top,
  shape = links("rear_top", "rear_bottom", 0.034) }):drive(knee.rear)
return rig
