-- A dragon: nothing human in it, and the same components. Neck and tail are chains that few DOFs
-- bend, the wings fold by one DOF each, the legs crouch by one. All numbers are chosen.
--
-- The trunk lies along z. A link of neck or tail has its own z along the bone, towards the head or
-- away from it. `wave` of the tail bends its links by a sine, so that one DOF makes an S.
local sinew = require "sinew"
local shapes = require "sinew.shapes"

local vec3, mat4 = sinew.vec3, sinew.mat4
local rig = sinew.rig "creature"

-- a vertebra that lies: its body along z, its spine up
local lying = sinew.quat.axis({ 1, 0, 0 }, 90)
local function vertebra(size, length, spine)
  return shapes.vertebra { width = 0.9 * size, depth = 0.8 * size, height = 0.86 * length,
    spinous = spine, slope = 20, transverse = 0.5 * size, canal = 0.3 * size, turn = lying,
    at = { 0, 0, length / 2 } }
end

local function trunk_shape()
  local parts, bone = {}, vertebra(0.09, 0.1, 0.1)
  for i = -4, 4 do
    parts[#parts + 1] = shapes.placed(bone, mat4.translation(0, 0.09 - 0.0015 * i * i,
      0.1 * i - 0.05))
  end
  -- a deep chest that narrows to the loins, and a keel
  for i = 0, 7 do
    local z, depth = 0.36 - 0.085 * i, 0.34 - 0.006 * (i - 2) ^ 2
    local width = 0.55 * depth
    for side = -1, 1, 2 do
      parts[#parts + 1] = shapes.rib { height = 0.02, thickness = 0.011, points = {
        { side * 0.025, 0.08, z }, { side * width * 0.85, 0.02, z - 0.03 },
        { side * width, -0.32 * depth, z - 0.03 }, { side * width * 0.6, -0.75 * depth, z },
        { side * 0.02, -depth, z + 0.03 } } }
    end
  end
  parts[#parts + 1] = shapes.blend { unit = "m", cell = 0.006, points = {
    k1 = { 0, -0.26, 0.44, 0.007 }, k2 = { 0, -0.33, 0.38, 0.008 }, k3 = { 0, -0.42, 0.18, 0.012 },
    k4 = { 0, -0.3, -0.16, 0.008 }, k5 = { 0, -0.27, -0.2, 0.006 }, k6 = { 0, -0.3, 0.1, 0.009 } },
    parts = { { "fan k6 k1 k2 k3 k4 k5" } } }
  -- hips and shoulder blades
  parts[#parts + 1] = shapes.blend { unit = "m", cell = 0.008, mirror = true, fold = 0,
    points = { h1 = { -0.03, 0.08, -0.22, 0.02 }, h2 = { -0.1, 0.07, -0.32, 0.034 },
      h3 = { -0.12, -0.03, -0.36, 0.032 }, h4 = { -0.05, -0.12, -0.52, 0.016 },
      b1 = { -0.05, 0.13, 0.02, 0.016 }, b2 = { -0.11, 0.11, 0.16, 0.024 },
      b3 = { -0.13, 0.08, 0.27, 0.028 }, b4 = { -0.04, -0.2, 0.4, 0.018 } },
    parts = { { "tube 1.5 0 1 0 h1 h2 h3 h4" }, { k = 0.01, "tube 1.4 0 1 0 b1 b2 b3 b4" } } }
  return shapes.merge(parts)
end

local trunk = rig:bone("trunk", { set = "body", at = { 0, 1.0, 0 }, shape = trunk_shape(),
  slider = { "height", -0.9, 3, axis = "y", label = "up" },
  hinge = { { "pitch", -60, 60, axis = "-x", label = "nose up and down" },
    { "roll", -90, 90, axis = "z", label = "roll" } } })

-- neck: eleven links, an S at rest; shares grow towards the head, as with a heron
local links = 11
local function shares(weight)
  local list, sum = {}, 0
  for i = 1, links do
    list[i] = weight(i)
    sum = sum + list[i]
  end
  for i = 1, links do list[i] = list[i] / sum end
  return list
end
local neck = sinew.chain(rig, "neck", { parent = trunk, links = links, name = "neck%d",
  at = function(i) return i == 1 and { 0, 0.06, 0.44 } or { 0, 0, 0.105 - 0.003 * i } end,
  turn = function(i)
    local angle = i == 1 and -38 or (i < 5 and -7 or 7.5)
    return sinew.quat.axis({ 1, 0, 0 }, angle)
  end,
  shape = function(i) return vertebra(0.086 - 0.0034 * i, 0.105 - 0.003 * i, 0.07 - 0.003 * i) end,
  turns = {
    { name = "raise", label = "up and down", axis = { -1, 0, 0 }, range = { -95, 80 },
      shares = shares(function(i) return 0.6 + i / links end) },
    { name = "sway", label = "to the side", axis = { 0, -1, 0 }, range = { -130, 130 } },
    { name = "roll", label = "roll", axis = { 0, 0, 1 }, range = { -60, 60 } },
  } })

local function brow(side)
  return shapes.tube { points = { { side * 0.05, 0.06, 0.04 }, { side * 0.056, 0.07, 0.1 },
    { side * 0.035, 0.055, 0.17 } }, radius = { 0.014, 0.016, 0.01 }, detail = 8 }
end
local function horn(side)
  return shapes.tube { points = { { side * 0.045, 0.075, 0.02 }, { side * 0.075, 0.12, -0.08 },
    { side * 0.085, 0.12, -0.2 }, { side * 0.075, 0.16, -0.29 } },
    radius = { 0.02, 0.015, 0.009, 0.002 }, detail = 8 }
end
local nod = rig:dof("head.nod", { min = -35, max = 45, label = "nod" })
local skull = neck.tip:bone("skull", { set = "head", at = { 0, 0, 0.075 },
  rotate = sinew.quat.axis({ 1, 0, 0 }, 18), shape = shapes.merge {
    shapes.ellipsoid { radii = { 0.068, 0.058, 0.09 }, at = { 0, 0.03, 0.05 } },
    shapes.tube { points = { { 0, 0.035, 0.08 }, { 0, 0.02, 0.2 }, { 0, 0.0, 0.32 },
      { 0, -0.015, 0.37 } }, radius = { 0.055, 0.036, 0.028, 0.012 }, flat = 0.8, detail = 14 },
    brow(-1), brow(1), horn(-1), horn(1) },
  hinge = { { "turn", -40, 40, axis = "-y", label = "turn" }, { nod, axis = "x" } } })
skull:bone("jaw", { at = { 0, -0.005, 0.04 }, shape = shapes.tube { radius = 0.011, flat = 1.6,
    detail = 8, points = { { -0.055, 0, 0 }, { -0.042, -0.03, 0.1 }, { -0.018, -0.03, 0.27 },
      { 0, -0.03, 0.31 }, { 0.018, -0.03, 0.27 }, { 0.042, -0.03, 0.1 }, { 0.055, 0, 0 } } },
  hinge = { "jaw", 0, 48, axis = "x", angles = { 0, 25, 48 },
    centres = { { 0, 0, 0 }, { 0, -0.02, 0.01 } }, label = "open the jaw" } })

-- tail: eighteen links; `wave` by a sine along it, `whip` more towards the end
local count = 18
local function along(angle)
  local ranges = {}
  for i = 1, count do ranges[i] = { -angle(i), angle(i) } end
  return ranges
end
sinew.chain(rig, "tail", { parent = trunk, links = count, name = "tail%d",
  at = function(i) return i == 1 and { 0, 0.06, -0.47 } or { 0, 0, 0.112 - 0.0025 * i } end,
  turn = function(i)
    if i == 1 then return sinew.quat.axis({ 0, 1, 0 }, 180) * sinew.quat.axis({ 1, 0, 0 }, 8) end
    return sinew.quat.axis({ 1, 0, 0 }, i < 8 and 2.5 or -3.5)
  end,
  shape = function(i)
    local length = 0.112 - 0.0025 * (i + 1)
    local bone = vertebra(0.082 - 0.0039 * i, length, 0.06 - 0.0026 * i)
    if i < count then return bone end
    return shapes.merge { bone, shapes.blend { unit = "m", cell = 0.004, mirror = true, fold = 0,
      points = { a = { 0, 0, 0.02, 0.006 }, b = { -0.1, 0, 0.12, 0.004 },
        c = { 0, 0, 0.3, 0.004 } }, parts = { { "a b c" } } } }
  end,
  turns = {
    { name = "raise", label = "up and down", axis = { -1, 0, 0 }, range = { -80, 100 } },
    { name = "sway", label = "to the side", axis = { 0, 1, 0 }, range = { -140, 140 } },
    { name = "wave", label = "wave", axis = { 0, 1, 0 },
      ranges = along(function(i) return 24 * sinew.sin(360 * (i - 1) / (count - 1)) end) },
    { name = "whip", label = "whip", axis = { 0, 1, 0 },
      ranges = along(function(i) return 16 * (i / count) ^ 3 end) },
  } })

sinew.mirror(require "parts.wing"(rig, trunk, { at = vec3(-0.13, 0.08, 0.26) }))
sinew.mirror(require "parts.talon"(rig, trunk, { at = vec3(-0.13, -0.03, -0.35) }))
return rig
