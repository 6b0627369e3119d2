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

-- a curved sheet through rows of equally many points, thick in the middle of each row
local function sheet(rows, thickness)
  local across, rings = {}, {}
  for i, row in ipairs(rows) do across[i] = mesh.smooth(row, 3) end
  local lines = {}
  for k = 1, #across[1] do
    local line = {}
    for i = 1, #across do line[i] = across[i][k] end
    lines[k] = mesh.smooth(line, 2)
  end
  local count, steps = #lines[1], #lines
  for i = 1, count do
    local front, back = {}, {}
    for k = 1, steps do
      local p, before, after = lines[k][i], lines[k][math.max(i - 1, 1)],
        lines[k][math.min(i + 1, count)]
      local low, high = lines[math.max(k - 1, 1)][i], lines[math.min(k + 1, steps)][i]
      local ux, uy, uz = after[1] - before[1], after[2] - before[2], after[3] - before[3]
      local vx, vy, vz = high[1] - low[1], high[2] - low[2], high[3] - low[3]
      local nx, ny, nz = mesh.unit(vy * uz - vz * uy, vz * ux - vx * uz, vx * uy - vy * ux)
      local half = thickness / 2 * ((k == 1 or k == steps) and 0.6 or 1)
      front[k] = { p[1] + half * nx, p[2] + half * ny, p[3] + half * nz }
      back[steps + 1 - k] = { p[1] - half * nx, p[2] - half * ny, p[3] - half * nz }
    end
    for k = 1, steps do front[steps + k] = back[k] end
    rings[i] = front
  end
  local function middle(ring)
    local m = { 0, 0, 0 }
    for _, p in ipairs(ring) do
      for k = 1, 3 do m[k] = m[k] + p[k] / #ring end
    end
    return m
  end
  return mesh.loft(rings, middle(rings[1]), middle(rings[count]))
end

-- About the middle between the hip joints, which are 0.31 of the width to each side.
function bones.pelvis(params)
  local w = size("pelvis", params, "width", 0.28)
  local h, d = size("pelvis", params, "height", 0.2), size("pelvis", params, "depth", 0.16)
  local thick, parts = 0.05 * w, {}
  local function at(...) return scaled({ ... }, w, h, d) end
  -- the wing of the ilium, from the front spine to the back one, each row up to the crest
  both_sides(parts, sheet({
    at({ -0.35, 0.12, 0.2 }, { -0.42, 0.3, 0.33 }, { -0.46, 0.46, 0.4 }),
    at({ -0.33, 0.1, 0.08 }, { -0.41, 0.38, 0.16 }, { -0.5, 0.64, 0.2 }),
    at({ -0.27, 0.12, -0.1 }, { -0.36, 0.42, -0.06 }, { -0.48, 0.72, -0.06 }),
    at({ -0.22, 0.14, -0.26 }, { -0.28, 0.42, -0.28 }, { -0.37, 0.68, -0.32 }),
    at({ -0.17, 0.2, -0.38 }, { -0.19, 0.36, -0.46 }, { -0.23, 0.56, -0.55 }),
    at({ -0.14, 0.24, -0.44 }, { -0.14, 0.34, -0.52 }, { -0.15, 0.46, -0.6 }),
  }, 0.75 * thick))
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

-- On the joint with the neck: the head reaches from there by its height upwards.
function bones.skull(params)
  local h = size("skull", params, "height", 0.19)
  local parts = {}
  local function r(x, y, z) return { h * x, h * y, h * z } end
  -- the vault, drawn in below the brow and towards the face
  parts[1] = mesh.ball(24, 13, function(x, y, z)
    local narrow = 1 - 0.14 * math.max(0, z) ^ 2 - 0.22 * math.max(0, -y) ^ 2
    return h * 0.40 * x * narrow, h * (0.56 + 0.44 * y), h * (0.03 + 0.5 * z)
  end)
  -- cheeks and upper jaw, with the hollow of the eyes between them and the brow
  parts[#parts + 1] = ball(14, 7, r(0, 0.1, 0.34), { 0.22 * h, 0.24 * h, 0.2 * h })
  parts[#parts + 1] = ball(12, 5, r(0, 0.3, 0.47), { 0.055 * h, 0.12 * h, 0.07 * h })
  both_sides(parts, shapes.tube_mesh({ r(-0.36, 0.26, 0.02), r(-0.39, 0.22, 0.2),
    r(-0.3, 0.2, 0.36), r(-0.14, 0.14, 0.44) }, 0.045 * h, 1.3, { 0, 1, 0 }, 1, 8, 4))
  both_sides(parts, shapes.tube_mesh({ r(-0.33, 0.3, 0.34), r(-0.28, 0.46, 0.43),
    r(-0.16, 0.49, 0.5), r(-0.03, 0.44, 0.51) }, 0.045 * h, 1, { 0, 1, 0 }, 1, 8, 4))
  both_sides(parts, ball(8, 4, r(-0.34, 0.1, -0.04), { 0.05 * h, 0.11 * h, 0.07 * h }))
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
