-- What is drawn of a rib cage: ribs with their cartilages, and the sternum, by data/cage.lua.
local sinew = require "sinew"
local shapes = require "sinew.shapes"
local data = require "data.cage"

local vec3 = sinew.vec3
local draw = {}

-- a point of data/cage.lua on one side (-1: right), whose frame has its origin at `origin`
function draw.placed(point, side, origin)
  return vec3(side * point[1], point[2], point[3]) * 0.001 + origin
end

function draw.mix(a, b, t) return a + (b - a) * t end

local placed, mix = draw.placed, draw.mix

-- The sternum: its middle line, and notches for the clavicles and the seven ribs that reach it.
function draw.sternum(origin)
  local jugular = placed(data.sternum[1], 1, origin)
  local fit = { clavicle = jugular + vec3(data.clavicle) * 0.001,
    top = jugular + vec3(data.shoulder) * 0.001 }
  for i, name in ipairs { "jugular", "angle", "body_end", "xiphoid" } do
    fit[name] = placed(data.sternum[i], 1, origin)
  end
  fit.jugular = jugular + vec3(0, -0.0035, 0) -- its upper edge is the notch
  for _, i in ipairs { 1, 2, 5, 7 } do
    fit["n" .. i] = placed(data.ribs[i].seat, -1, origin) + vec3(0.0035, 0, 0)
  end
  return shapes.sternum { fit = fit }
end

-- Rib number i along a path from its head; the last two points are the junction with the cartilage,
-- if it has one, and the costal end, which is drawn at its seat. The shape's origin is at `base`.
function draw.rib(i, path, side, origin, base)
  local rib, points = data.ribs[i], {}
  base = base or vec3()
  for k, point in ipairs(path) do points[k] = vec3(point) - base end
  if rib.seat then
    -- the cartilage goes on towards the middle before it rises
    local seat, junction = placed(rib.seat, side, origin) - base, points[#points - 1]
    local low = mix(junction, seat, 0.35)
    low.y = mix(junction.y, seat.y, 0.2)
    points[#points], points[#points + 1] = low, seat + (low - seat):unit() * 0.0055
  end
  local first = i == 1
  return shapes.rib { points = points, height = first and 0.016 or i == 12 and 0.009 or 0.0125,
    thickness = first and 0.0055 or 0.005, tilt = rib.tilt,
    cartilage = rib.seat and #points - 2 }
end

return draw
