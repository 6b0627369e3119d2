-- The large bones of a skeleton made of several plates and balls: pelvis, skull and jaw. See
-- bones.lua for what they are given.
local mesh = require "sinew.mesh"
local shapes = require "sinew.shapes"

local bones = {}

local function size(kind, params, name, default)
  local value = params[name]
  if value == nil then return default end
  return shapes.want_positive(kind, name, value, 2)
end

-- points given as multiples of width, height and depth
local function scaled(list, w, h, d)
  local dest = {}
  for i, p in ipairs(list) do dest[i] = { w * p[1], h * p[2], d * p[3] } end
  return dest
end

local function ball(sides, rings, centre, radii)
  return mesh.ball(sides, rings, function(x, y, z)
    return centre[1] + radii[1] * x, centre[2] + radii[2] * y, centre[3] + radii[3] * z
  end)
end

local function both_sides(parts, part)
  parts[#parts + 1] = part
  parts[#parts + 1] = mesh.placed(part, function(x, y, z) return -x, y, z end, true)
end

-- About the middle between the hip joints, which are 0.31 of the width to each side.
function bones.pelvis(params)
  local w = size("pelvis", params, "width", 0.28)
  local h, d = size("pelvis", params, "height", 0.2), size("pelvis", params, "depth", 0.16)
  local thick, parts = 0.05 * w, {}
  local function at(...) return scaled({ ... }, w, h, d) end
  -- the wing of the ilium
  both_sides(parts, mesh.plate(at({ -0.30, 0.08, 0.05 }, { -0.44, 0.42, 0.42 },
    { -0.49, 0.62, 0.10 }, { -0.36, 0.70, -0.30 }, { -0.16, 0.46, -0.55 }, { -0.17, 0.16, -0.32 }),
    thick, 0.04 * w, 4, true))
  both_sides(parts, ball(12, 5, { -0.31 * w, 0, 0 }, { 0.09 * w, 0.14 * h, 0.17 * d }))
  -- pubis in front, ischium below
  both_sides(parts, shapes.tube_mesh(at({ -0.28, 0.02, 0.1 }, { -0.14, -0.06, 0.42 },
    { -0.02, -0.12, 0.46 }), { 0.9 * thick, 0.6 * thick, 0.9 * thick }, 1, { 0, 1, 0 }, 1, 8, 4))
  both_sides(parts, shapes.tube_mesh(at({ -0.28, -0.04, -0.06 }, { -0.24, -0.32, -0.2 },
    { -0.18, -0.42, -0.02 }, { -0.03, -0.2, 0.42 }), { thick, 1.1 * thick, 0.8 * thick,
    0.6 * thick }, 1, { 1, 0, 0 }, 1, 8, 4))
  -- the sacrum, a wedge that bends backwards
  parts[#parts + 1] = shapes.tube_mesh(at({ 0, 0.5, -0.34 }, { 0, 0.26, -0.52 }, { 0, 0, -0.58 },
    { 0, -0.18, -0.46 }), { 1.7 * thick, 1.5 * thick, 0.9 * thick, 0.35 * thick }, 2,
    { 1, 0, 0 }, 0.6, 12, 4)
  return shapes.finish("pelvis", params, mesh.merge(parts))
end

-- hills and hollows of the skull on a ball: direction (one side), height, and sharpness
local relief = {
  { 0.40, -0.10, 0.90, -0.19, 28 },   -- eye
  { 0.00, -0.43, 0.90, -0.09, 70 },   -- nose
  { 0.00, -0.12, 0.99, 0.04, 120 },   -- its bridge
  { 0.62, -0.40, 0.66, 0.055, 45 },   -- cheek
  { 0.32, 0.17, 0.93, 0.035, 40 },    -- brow
  { 0.00, -0.74, 0.64, 0.17, 12 },    -- upper jaw
  { 0.92, -0.05, 0.40, -0.05, 12 },   -- temple
  { 0.86, -0.50, -0.05, 0.03, 60 },   -- behind the ear
  { 0.00, 0.05, -1.00, 0.05, 6 },     -- back of the head
  { 0.00, -0.95, -0.30, -0.16, 5 },   -- base
}

-- On the joint with the neck: the head reaches from there by its height upwards.
function bones.skull(params)
  local h = size("skull", params, "height", 0.19)
  for _, hill in ipairs(relief) do
    hill.x, hill.y, hill.z = mesh.unit(hill[1], hill[2], hill[3])
  end
  local parts = { mesh.ball(56, 31, function(x, y, z)
    local r, side = 0.47, math.abs(x)
    for _, hill in ipairs(relief) do
      local off = hill[5] * (1 - side * hill.x - y * hill.y - z * hill.z)
      if off < 7 then r = r + hill[4] * math.exp(-off) end
    end
    return h * 0.8 * r * x, h * (0.54 + r * y), h * (0.03 + 1.04 * r * z)
  end) }
  -- the arches from the cheeks to the ears
  both_sides(parts, shapes.tube_mesh(scaled({ { -0.32, 0.33, -0.02 }, { -0.35, 0.31, 0.1 },
    { -0.33, 0.3, 0.24 }, { -0.25, 0.3, 0.35 } }, h, h, h), 0.03 * h, 1.5, { 0, 1, 0 }, 1, 8, 4))
  return shapes.finish("skull", params, mesh.merge(parts))
end

-- A horseshoe from the joints, which are half a width to each side of the origin, to the chin.
function bones.jaw(params)
  local w, l = size("jaw", params, "width", 0.1), size("jaw", params, "length", 0.085)
  local function at(...) return scaled({ ... }, w, l, l) end
  return shapes.finish("jaw", params, mesh.merge {
    shapes.tube_mesh(at({ -0.5, 0, 0 }, { -0.48, -0.35, 0.05 }, { -0.4, -0.62, 0.3 },
      { -0.24, -0.72, 0.75 }, { 0, -0.74, 0.95 }, { 0.24, -0.72, 0.75 }, { 0.4, -0.62, 0.3 },
      { 0.48, -0.35, 0.05 }, { 0.5, 0, 0 }), 0.07 * w, 1.9, { 0, 1, 0 }, 1, 8, 3),
    ball(10, 5, { 0, -0.76 * l, 0.93 * l }, { 0.14 * w, 0.16 * l, 0.1 * l }),
  })
end

return bones
