-- A snake of 18 links, which glides over the ground along its own wave.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local Snake = require "sinew.joints.snake"

local count, length, wave, swing = 18, 0.08, 0.72, 50
local rig = sinew.rig "snake"
local way = rig:dof("snake.way", { min = 0, max = 3, rest = 0 })
local function joint(i)
  return rig:add(Snake { way, name = "link" .. i, link = i, length = length, wave = wave,
    swing = swing })
end
-- as thick as the body is there, and a little longer than a link, so that they overlap
local function thick(i) return 0.044 * math.sqrt(1 - (i / (count + 0.4)) ^ 3) end
local function shape(i)
  return shapes.tube { points = { { 0, 0, 0 }, { 0, 0, -0.5 * length }, { 0, 0, -length } },
    radius = { thick(i), 0.92 * thick(i + 0.5), thick(i + 1) }, flat = 0.8, up = { 0, 1, 0 },
    detail = 20 }
end
local head = shapes.merge { shape(0), shapes.ellipsoid { radii = { 0.05, 0.034, 0.07 },
  at = { 0, 0.004, 0.05 } }, shapes.ellipsoid { radii = 0.012, at = { 0.032, 0.028, 0.075 } },
  shapes.ellipsoid { radii = 0.012, at = { -0.032, 0.028, 0.075 } } }
local bone = rig:bone("head", { set = "snake", at = { 0, 0.05, 0 }, shape = head })
bone:drive(joint(0).transform)
for i = 1, count - 1 do
  bone = bone:bone("link" .. i, { at = { 0, 0, -length }, shape = shape(i) })
  bone:drive(joint(i).transform)
end
return rig
